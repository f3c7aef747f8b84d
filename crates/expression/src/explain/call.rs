//! What the functions are called in a sentence.

use super::{
    nouns::Collection,
    outline::Teller,
    value::{Called, Each, Thing, may_be_missing},
};
use crate::{
    Type,
    ast::{Call, Expr, ExprKind, Literal, LiteralKind, Name, Value},
    schema::{self, Returns},
};

impl Teller<'_> {
    /// The result of a call.
    pub(super) fn call(&self, name: &Name, call: &Call, each: Each) -> Thing {
        let mut first = match call.arguments.first() {
            Some(first) => self.thing(first, each),
            None => Thing::one("nothing".to_owned(), None),
        };
        if call.arguments.first().is_some_and(is_joined) {
            first.called = Called::One(format!("({})", first.text()));
        }
        let function = schema::function(&name.text);
        let spread = first.spread && function.is_none_or(|function| function.maps_each);
        let ty = match function.map(|function| function.returns) {
            Some(Returns::Type(ty)) => Some(ty),
            Some(Returns::SameAsFirst) => first.ty,
            None => None,
        };
        let called = match self.array(&name.text, &first, call) {
            Some(collection) => Called::Many(collection),
            None if ty == Some(Type::BOOLEAN) => {
                let whether = self.call_statement(name, call, each, false);
                Called::One(format!("whether {}", whether.unwrap_or_else(|| "it is true".to_owned())))
            }
            None => Called::One(self.scalar(&name.text, &first, call)),
        };
        Thing { called, ty, spread }
    }

    /// Calls that give arrays.
    fn array(&self, name: &str, first: &Thing, call: &Call) -> Option<Collection> {
        if name != "split" {
            return None;
        }
        let ending = format!("of {} split at {}", first.text(), self.argument(call, 1));
        Some(Collection { item: format!("part {ending}"), items: format!("parts {ending}"), key: None })
    }

    fn scalar(&self, name: &str, first: &Thing, call: &Call) -> String {
        let text = first.text();
        let argument = |position| self.argument(call, position);
        match name {
            "bit_slice" => format!("the number in bits {} to {} of {text}", argument(1), argument(2)),
            "cidr" => format!("the network of {text} ({} bits in IPv4, {} in IPv6)", argument(1), argument(2)),
            "cidr6" => format!("the network of {text} ({} bits in IPv6)", argument(1)),
            "coalesce" => format!("{text} (or {} when missing)", self.arguments(call, 1, "or")),
            "concat" => match call.arguments.as_slice() {
                [_] => text,
                [_, second] => format!("{text} followed by {}", self.thing(second, Each::Whole).text()),
                _ => format!("{} joined together", self.arguments(call, 0, "and")),
            },
            "decode_base64" => format!("{text} decoded from Base64"),
            "encode_base64" => format!("{text} in Base64"),
            "hash_in_range" => format!(
                "the number from {text} to {} drawn by a hash of {}",
                argument(1),
                self.arguments(call, 2, "and")
            ),
            "join" => format!("{text} joined by {}", argument(1)),
            "len" => match &first.called {
                Called::Many(Collection { items, .. }) => format!("the number of {items}"),
                Called::One(text) => format!("the length of {text}"),
            },
            "lookup_json_integer" => format!("the number at {} in the JSON of {text}", self.path(call)),
            "lookup_json_string" => format!("the text at {} in the JSON of {text}", self.path(call)),
            "lower" => format!("{text} in lower case"),
            "upper" => format!("{text} in upper case"),
            "regex_replace" if is_empty(call.arguments.get(2)) => {
                format!("{text} without the first match of the regular expression {}", argument(1))
            }
            "regex_replace" => format!(
                "{text} with the first match of the regular expression {} replaced by {}",
                argument(1),
                argument(2)
            ),
            "remove_bytes" => format!("{text} without any of the bytes {}", argument(1)),
            "remove_query_args" => format!("{text} without the arguments {}", self.arguments(call, 1, "and")),
            "sha256" => format!("the SHA-256 digest of {text}"),
            "substring" => match call.arguments.get(2) {
                Some(_) => format!("the part of {text} from byte {} up to {}", argument(1), argument(2)),
                None => format!("the part of {text} from byte {} on", argument(1)),
            },
            "to_string" => format!("{text} as text"),
            "url_decode" => {
                let decoded = if repeats(call) { "repeatedly URL-decoded" } else { "URL-decoded" };
                match (text.strip_prefix("the "), call.arguments.first().map(|first| &first.kind)) {
                    (Some(noun), Some(ExprKind::Value(Value { call: None, .. }))) => format!("the {decoded} {noun}"),
                    _ => format!("{text}, {decoded},"),
                }
            }
            "uuidv4" => format!("a random UUID made from {text}"),
            "wildcard_replace" => format!("{text} rewritten from {} to {}", argument(1), argument(2)),
            _ if call.arguments.is_empty() => format!("the result of {}", self.limits.source(name)),
            _ => format!("the result of {} for {}", self.limits.source(name), self.arguments(call, 0, "and")),
        }
    }

    /// What is said of a value that is true or false by itself; `None` for what is not known to be.
    pub(super) fn call_statement(&self, name: &Name, call: &Call, each: Each, negated: bool) -> Option<String> {
        let expr = call.arguments.first()?;
        if matches!(name.text.as_str(), "any" | "all") {
            return Some(self.quantified(&name.text, call, negated).text);
        }
        let first = self.thing(expr, each);
        let (text, second) = (first.text(), self.argument(call, 1));
        let choose = |yes: String, no: String| if negated { no } else { yes };
        let said = match (name.text.as_str(), &first.called) {
            ("starts_with", _) => choose(format!("starts with {second}"), format!("does not start with {second}")),
            ("ends_with", _) => choose(format!("ends with {second}"), format!("does not end with {second}")),
            ("has_key", Called::Many(collection)) => {
                let item = match call.arguments.get(1).map(|key| &key.kind) {
                    Some(ExprKind::Literal(_)) => self.keyed(collection, &second).item,
                    _ => format!("{} named like {second}", collection.item),
                };
                return Some(choose(format!("a {item} is present"), format!("no {item} is present")));
            }
            ("has_value", Called::Many(Collection { item, .. })) => {
                return Some(choose(format!("at least one {item} is {second}"), format!("no {item} is {second}")));
            }
            ("has_key", _) => choose(format!("has the key {second}"), format!("does not have the key {second}")),
            ("has_value", _) => choose(format!("holds {second}"), format!("does not hold {second}")),
            ("is_jwt_present", _) => {
                let token = format!("token of the configuration {text}");
                return Some(choose(
                    format!("the request carries the {token}"),
                    format!("the request carries no {token}"),
                ));
            }
            ("is_jwt_valid", _) => {
                let token = format!("the token of the configuration {text}");
                return Some(choose(format!("{token} is valid"), format!("{token} is not valid")));
            }
            // The first argument is a secret, which has no place in an explanation.
            ("is_timed_hmac_valid_v0", _) => {
                let (token, age) = (format!("the timed HMAC token in {second}"), self.argument(call, 2));
                let yes = format!("{token} is genuine and at most {age} seconds old");
                return Some(choose(yes, format!("{token} is not genuine, or is older than {age} seconds")));
            }
            ("dlp_match", _) => {
                let entry = format!("the data loss entry {text}");
                return Some(choose(format!("{entry} matches"), format!("{entry} does not match")));
            }
            _ => return None,
        };
        let missing = negated && each == Each::Whole && may_be_missing(expr);
        Some(format!("{text} {}{said}", if missing { "is missing or " } else { "" }))
    }

    /// An argument; says so when there is none.
    fn argument(&self, call: &Call, position: usize) -> String {
        match call.arguments.get(position) {
            Some(argument) => self.thing(argument, Each::Whole).text(),
            None => "nothing".to_owned(),
        }
    }

    /// The arguments from one position on, joined by a word.
    fn arguments(&self, call: &Call, from: usize, word: &str) -> String {
        let arguments = call.arguments.get(from..).unwrap_or_default();
        self.limits.list(arguments, word, |argument| self.thing(argument, Each::Whole).text())
    }

    /// The place in a JSON text that a look-up is about: `` `user.name[0]` ``.
    fn path(&self, call: &Call) -> String {
        let keys = call.arguments.get(1..).unwrap_or_default();
        let mut path = Vec::new();
        for key in keys.iter().take(self.limits.shown(keys.len())) {
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
        self.limits.code(&path)
    }
}

/// The text of a string literal, when the expression is one.
fn string(expr: Option<&Expr>) -> Option<&[u8]> {
    let ExprKind::Literal(literal) = &expr?.kind else { return None };
    match &literal.kind {
        LiteralKind::Quoted(bytes) => Some(bytes),
        LiteralKind::Raw(text) => Some(text.as_bytes()),
        _ => None,
    }
}

/// Whether an expression is the empty string.
pub(super) fn is_empty(expr: Option<&Expr>) -> bool {
    string(expr).is_some_and(<[u8]>::is_empty)
}

/// Whether a call of `url_decode` goes on until nothing is left to decode.
fn repeats(call: &Call) -> bool {
    string(call.arguments.get(1)).is_some_and(|options| options.contains(&b'r'))
}

/// Whether the words for an expression would run into what is said of all of it.
fn is_joined(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Value(value) if value.name.text == "concat" && value.indexes.is_empty())
}

/// Whether the value is a call of `any` or `all`.
pub(super) fn is_quantifier(value: &Value) -> bool {
    value.call.is_some() && value.indexes.is_empty() && matches!(value.name.text.as_str(), "any" | "all")
}
