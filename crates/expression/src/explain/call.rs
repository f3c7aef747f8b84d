//! Wording of function calls.

use super::{
    display::join_with_conjunction,
    explainer::Explainer,
    field_names::Collection,
    noun_phrase::{ElementReference, Noun, NounPhrase},
    syntax::{function_id, is_empty_string, may_be_missing, quantifier, string_value},
};
use crate::{
    Type,
    ast::{Call, Expr, ExprKind, Literal, LiteralKind, Name, Value},
    schema::{self, FunctionId, ReturnType},
};

/// The maximum number of arguments that are explained. No sentence shows more.
const MAX_SHOWN_ARGUMENTS: usize = 16;

/// The explained arguments of a call. Each argument is explained only once, because calls nest deeply.
pub(super) struct ArgumentPhrases {
    /// At most [`MAX_SHOWN_ARGUMENTS`] explained arguments.
    arguments: Vec<NounPhrase>,
    /// The number of arguments in the source.
    count: usize,
}

impl ArgumentPhrases {
    fn text(&self, index: usize) -> String {
        self.arguments.get(index).map_or_else(|| "nothing".to_owned(), NounPhrase::text)
    }
}

impl Explainer<'_> {
    /// Explains the arguments of a call.
    pub(super) fn explain_arguments(&self, call: &Call, reference: ElementReference) -> ArgumentPhrases {
        let explain = |(index, argument): (usize, &Expr)| {
            let mut phrase =
                self.explain_operand(argument, if index == 0 { reference } else { ElementReference::Whole });
            if index == 0 && needs_parentheses(argument) {
                phrase.noun = Noun::Singular(format!("({})", phrase.text()));
            }
            phrase
        };
        let arguments = call.arguments.iter().enumerate().take(MAX_SHOWN_ARGUMENTS).map(explain).collect();
        ArgumentPhrases { arguments, count: call.arguments.len() }
    }

    /// Explains the result of a call.
    pub(super) fn explain_call(&self, name: &Name, call: &Call, reference: ElementReference) -> NounPhrase {
        if let Some(quantifier) = quantifier(name) {
            let whether = format!("whether {}", self.explain_quantifier(quantifier, call, false).text);
            return NounPhrase::singular(whether, Some(Type::BOOLEAN));
        }
        self.explain_result(name, call, &self.explain_arguments(call, reference), reference)
    }

    /// Explains the result of a call whose arguments are already explained.
    pub(super) fn explain_result(
        &self,
        name: &Name,
        call: &Call,
        phrases: &ArgumentPhrases,
        reference: ElementReference,
    ) -> NounPhrase {
        let first = phrases.arguments.first();
        let function = schema::function(&name.text);
        let maps_each =
            first.is_some_and(|first| first.maps_each) && function.is_none_or(|function| function.maps_each);
        let ty = match function.map(|function| function.returns) {
            Some(ReturnType::Type(ty)) => Some(ty),
            Some(ReturnType::SameAsFirst) => first.and_then(|first| first.ty),
            None => None,
        };
        let noun = match self.phrase_boolean_call(name, call, phrases, reference, false) {
            Some(phrase) => Noun::Singular(format!("whether {phrase}")),
            None if function.is_some_and(|function| function.id == FunctionId::Split) => {
                let origin = format!("of {} split at {}", phrases.text(0), phrases.text(1));
                Noun::Collection(Collection {
                    item: format!("part {origin}"),
                    items: format!("parts {origin}"),
                    before_key: None,
                })
            }
            None => Noun::Singular(self.phrase_scalar_call(name, call, phrases)),
        };
        NounPhrase { noun, ty, maps_each }
    }

    fn phrase_scalar_call(&self, name: &Name, call: &Call, phrases: &ArgumentPhrases) -> String {
        let text = phrases.text(0);
        let argument = |index| phrases.text(index);
        let arguments = |first_index, conjunction| self.join_arguments(phrases, first_index, conjunction);
        let pattern = || match string_value(call.arguments.get(1)) {
            Some([]) | None => argument(1),
            Some(pattern) => self.limits.format_code(pattern),
        };
        let Some(function) = function_id(name) else { return self.phrase_unknown_call(name, call, phrases) };
        match function {
            FunctionId::BitSlice => format!("the integer in bits {} to {} of {text}", argument(1), argument(2)),
            FunctionId::Cidr => {
                format!("the network of {text} ({} bits in IPv4, {} in IPv6)", argument(1), argument(2))
            }
            FunctionId::Cidr6 => format!("the network of {text} ({} bits in IPv6)", argument(1)),
            FunctionId::Coalesce => format!("{text} (or {} if missing)", arguments(1, "or")),
            FunctionId::Concat => match phrases.count {
                0 | 1 => text,
                2 => format!("{text} followed by {}", argument(1)),
                _ => format!("{} joined together", arguments(0, "and")),
            },
            FunctionId::DecodeBase64 => format!("{text} decoded from Base64"),
            FunctionId::EncodeBase64 => format!("{text} in Base64"),
            FunctionId::HashInRange => {
                let hash = format!("derived from a hash of {}", arguments(2, "and"));
                format!("a number from {text} up to, but not including, {}, {hash},", argument(1))
            }
            FunctionId::Join => format!("the result of joining {text} with {}", argument(1)),
            FunctionId::Len => match phrases.arguments.first().map(|first| &first.noun) {
                Some(Noun::Collection(Collection { items, .. })) => format!("the number of {items}"),
                _ => format!("the length of {text}"),
            },
            FunctionId::LookupJsonInteger => {
                format!("the integer at {} in the JSON of {text}", self.format_json_path(call))
            }
            FunctionId::LookupJsonString => {
                format!("the string at {} in the JSON of {text}", self.format_json_path(call))
            }
            FunctionId::Lower => format!("{text} in lowercase"),
            FunctionId::Upper => format!("{text} in uppercase"),
            FunctionId::RegexReplace if is_empty_string(call.arguments.get(2)) => {
                format!("{text} without the first match of the regular expression {}", pattern())
            }
            FunctionId::RegexReplace => format!(
                "{text} with the first match of the regular expression {} replaced by {}",
                pattern(),
                argument(2)
            ),
            FunctionId::RemoveBytes => format!("{text} without any of the bytes {}", argument(1)),
            FunctionId::RemoveQueryArgs => format!("{text} without the arguments {}", arguments(1, "and")),
            FunctionId::Sha256 => format!("the SHA-256 digest of {text}"),
            FunctionId::Substring => match call.arguments.get(2) {
                Some(_) => format!("the part of {text} from byte {} up to {}", argument(1), argument(2)),
                None => format!("the part of {text} starting at byte {}", argument(1)),
            },
            FunctionId::ToString => format!("{text} as a string"),
            FunctionId::UrlDecode => {
                let decoded = if decodes_repeatedly(call) { "repeatedly URL-decoded" } else { "URL-decoded" };
                match (text.strip_prefix("the "), call.arguments.first().map(|first| &first.kind)) {
                    (Some(noun), Some(ExprKind::Value(Value { call: None, .. }))) => format!("the {decoded} {noun}"),
                    _ => format!("{text}, {decoded},"),
                }
            }
            FunctionId::UuidV4 => format!("a random UUID derived from {text}"),
            FunctionId::WildcardReplace => format!("{text} rewritten from {} to {}", pattern(), argument(2)),
            // These functions return Booleans or arrays. Their calls reach this arm only if arguments are missing.
            FunctionId::All
            | FunctionId::Any
            | FunctionId::DlpMatch
            | FunctionId::EndsWith
            | FunctionId::HasKey
            | FunctionId::HasValue
            | FunctionId::IsJwtPresent
            | FunctionId::IsJwtValid
            | FunctionId::IsTimedHmacValid
            | FunctionId::Split
            | FunctionId::StartsWith => self.phrase_unknown_call(name, call, phrases),
        }
    }

    /// Explains a call of a function without its own wording.
    fn phrase_unknown_call(&self, name: &Name, call: &Call, phrases: &ArgumentPhrases) -> String {
        let name = self.limits.format_source(&name.text);
        match call.arguments.is_empty() {
            true => format!("the result of {name}"),
            false => format!("the result of {name} for {}", self.join_arguments(phrases, 0, "and")),
        }
    }

    /// Explains a Boolean call as a statement; returns `None` if the call is not known to be Boolean or has
    /// no argument.
    pub(super) fn phrase_boolean_call(
        &self,
        name: &Name,
        call: &Call,
        phrases: &ArgumentPhrases,
        reference: ElementReference,
        negated: bool,
    ) -> Option<String> {
        let (expr, first) = (call.arguments.first()?, phrases.arguments.first()?);
        let (text, second) = (first.text(), phrases.text(1));
        let choose = |yes: String, no: String| if negated { no } else { yes };
        let phrase = match (function_id(name)?, &first.noun) {
            (FunctionId::StartsWith, _) => {
                choose(format!("starts with {second}"), format!("does not start with {second}"))
            }
            (FunctionId::EndsWith, _) => choose(format!("ends with {second}"), format!("does not end with {second}")),
            (FunctionId::HasKey, Noun::Collection(collection)) => {
                // The article is `the`, because `a` or `an` would depend on the pronunciation of the key.
                let (article, item) = match call.arguments.get(1).map(|key| &key.kind) {
                    Some(ExprKind::Literal(_)) if !is_empty_string(call.arguments.get(1)) => {
                        ("the", self.with_key(collection, &second).item)
                    }
                    _ => ("a", format!("{} whose name is {second}", collection.item)),
                };
                return Some(choose(format!("{article} {item} is present"), format!("no {item} is present")));
            }
            (FunctionId::HasValue, Noun::Collection(Collection { item, .. })) => {
                return Some(choose(format!("at least one {item} is {second}"), format!("no {item} is {second}")));
            }
            (FunctionId::HasKey, _) => {
                choose(format!("has the key {second}"), format!("does not have the key {second}"))
            }
            (FunctionId::HasValue, _) => choose(format!("contains {second}"), format!("does not contain {second}")),
            (FunctionId::IsJwtPresent, _) => {
                let token = format!("token of the configuration {text}");
                return Some(choose(
                    format!("the request carries the {token}"),
                    format!("the request carries no {token}"),
                ));
            }
            (FunctionId::IsJwtValid, _) => {
                let token = format!("the token of the configuration {text}");
                return Some(choose(format!("{token} is valid"), format!("{token} is not valid")));
            }
            // The first argument is a secret, so the explanation omits it.
            (FunctionId::IsTimedHmacValid, _) => {
                let (token, age) = (format!("the timed HMAC token in {second}"), phrases.text(2));
                let yes = format!("{token} is valid and at most {age} seconds old");
                return Some(choose(yes, format!("{token} is not valid, or is older than {age} seconds")));
            }
            (FunctionId::DlpMatch, _) => {
                let entry = format!("the DLP entry {text}");
                return Some(choose(format!("{entry} matches"), format!("{entry} does not match")));
            }
            (
                FunctionId::All
                | FunctionId::Any
                | FunctionId::BitSlice
                | FunctionId::Cidr
                | FunctionId::Cidr6
                | FunctionId::Coalesce
                | FunctionId::Concat
                | FunctionId::DecodeBase64
                | FunctionId::EncodeBase64
                | FunctionId::HashInRange
                | FunctionId::Join
                | FunctionId::Len
                | FunctionId::LookupJsonInteger
                | FunctionId::LookupJsonString
                | FunctionId::Lower
                | FunctionId::RegexReplace
                | FunctionId::RemoveBytes
                | FunctionId::RemoveQueryArgs
                | FunctionId::Sha256
                | FunctionId::Split
                | FunctionId::Substring
                | FunctionId::ToString
                | FunctionId::Upper
                | FunctionId::UrlDecode
                | FunctionId::UuidV4
                | FunctionId::WildcardReplace,
                _,
            ) => return None,
        };
        let missing = negated && reference == ElementReference::Whole && may_be_missing(expr);
        Some(format!("{text} {}{phrase}", if missing { "is missing or " } else { "" }))
    }

    /// Joins the arguments from `first_index` on with a conjunction.
    fn join_arguments(&self, phrases: &ArgumentPhrases, first_index: usize, conjunction: &str) -> String {
        let count = phrases.count.saturating_sub(first_index);
        let shown = phrases
            .arguments
            .iter()
            .skip(first_index)
            .take(self.limits.shown_count(count))
            .map(NounPhrase::text)
            .collect();
        join_with_conjunction(shown, count, conjunction)
    }

    /// Returns the path of a JSON lookup, such as `` `user.name[0]` ``.
    fn format_json_path(&self, call: &Call) -> String {
        let keys = call.arguments.get(1..).unwrap_or_default();
        let mut path = Vec::new();
        for key in keys.iter().take(self.limits.shown_count(keys.len())) {
            match &key.kind {
                ExprKind::Literal(Literal { kind: LiteralKind::Quoted(key), .. }) => {
                    path.extend_from_slice(if path.is_empty() { b"" } else { b"." });
                    path.extend_from_slice(key);
                }
                ExprKind::Literal(Literal { kind: LiteralKind::Raw(key), .. }) => {
                    path.extend_from_slice(if path.is_empty() { b"" } else { b"." });
                    path.extend_from_slice(key.as_bytes());
                }
                _ => path.extend_from_slice(format!("[{}]", key.span.text(self.source)).as_bytes()),
            }
        }
        self.limits.format_code(&path)
    }
}

/// Returns whether a call of `url_decode` decodes repeatedly.
fn decodes_repeatedly(call: &Call) -> bool {
    string_value(call.arguments.get(1)).is_some_and(|options| options.contains(&b'r'))
}

/// Returns whether the wording of the expression is ambiguous without parentheses.
fn needs_parentheses(expr: &Expr) -> bool {
    let ExprKind::Value(value) = &expr.kind else { return false };
    function_id(&value.name) == Some(FunctionId::Concat) && value.indexes.is_empty()
}
