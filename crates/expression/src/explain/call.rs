//! What the functions are called in a sentence.

use super::{
    nouns::Collection,
    outline::Teller,
    show::joined,
    value::{Called, Each, Thing, may_be_missing},
};
use crate::{
    Type,
    ast::{Call, Expr, ExprKind, Literal, LiteralKind, Name, Value},
    schema::{self, Returns},
};

/// More arguments than any sentence shows.
const MOST_TOLD: usize = 16;

/// The arguments of a call in words, each put into words once: calls nest deeply.
pub(super) struct Told {
    /// As many as a sentence shows.
    things: Vec<Thing>,
    /// How many there are.
    count: usize,
}

impl Told {
    fn text(&self, position: usize) -> String {
        self.things.get(position).map_or_else(|| "nothing".to_owned(), Thing::text)
    }
}

impl Teller<'_> {
    /// The arguments of a call.
    pub(super) fn told(&self, call: &Call, each: Each) -> Told {
        let tell = |(position, argument): (usize, &Expr)| {
            let mut thing = self.thing(argument, if position == 0 { each } else { Each::Whole });
            if position == 0 && is_joined(argument) {
                thing.called = Called::One(format!("({})", thing.text()));
            }
            thing
        };
        let things = call.arguments.iter().enumerate().take(MOST_TOLD).map(tell).collect();
        Told { things, count: call.arguments.len() }
    }

    /// The result of a call.
    pub(super) fn call(&self, name: &Name, call: &Call, each: Each) -> Thing {
        if is_quantifier(name) {
            let whether = format!("whether {}", self.quantified(&name.text, call, false).text);
            return Thing::one(whether, Some(Type::BOOLEAN));
        }
        self.result(name, call, &self.told(call, each), each)
    }

    /// The result of a call whose arguments were put into words.
    pub(super) fn result(&self, name: &Name, call: &Call, told: &Told, each: Each) -> Thing {
        let first = told.things.first();
        let function = schema::function(&name.text);
        let spread = first.is_some_and(|first| first.spread) && function.is_none_or(|function| function.maps_each);
        let ty = match function.map(|function| function.returns) {
            Some(Returns::Type(ty)) => Some(ty),
            Some(Returns::SameAsFirst) => first.and_then(|first| first.ty),
            None => None,
        };
        let called = match self.call_statement(name, call, told, each, false) {
            Some(said) => Called::One(format!("whether {said}")),
            None if name.text == "split" => {
                let ending = format!("of {} split at {}", told.text(0), told.text(1));
                Called::Many(Collection { item: format!("part {ending}"), items: format!("parts {ending}"), key: None })
            }
            None => Called::One(self.scalar(&name.text, call, told)),
        };
        Thing { called, ty, spread }
    }

    fn scalar(&self, name: &str, call: &Call, told: &Told) -> String {
        let text = told.text(0);
        let argument = |position| told.text(position);
        let arguments = |from, word| self.arguments(told, from, word);
        let pattern = || match string(call.arguments.get(1)) {
            Some([]) | None => argument(1),
            Some(pattern) => self.limits.code(pattern),
        };
        match name {
            "bit_slice" => format!("the number in bits {} to {} of {text}", argument(1), argument(2)),
            "cidr" => format!("the network of {text} ({} bits in IPv4, {} in IPv6)", argument(1), argument(2)),
            "cidr6" => format!("the network of {text} ({} bits in IPv6)", argument(1)),
            "coalesce" => format!("{text} (or {} when missing)", arguments(1, "or")),
            "concat" => match told.count {
                0 | 1 => text,
                2 => format!("{text} followed by {}", argument(1)),
                _ => format!("{} joined together", arguments(0, "and")),
            },
            "decode_base64" => format!("{text} decoded from Base64"),
            "encode_base64" => format!("{text} in Base64"),
            "hash_in_range" => {
                let hash = format!("drawn by a hash of {}", arguments(2, "and"));
                format!("a number from {text} up to, not including, {}, {hash},", argument(1))
            }
            "join" => format!("{text} joined by {}", argument(1)),
            "len" => match told.things.first().map(|first| &first.called) {
                Some(Called::Many(Collection { items, .. })) => format!("the number of {items}"),
                _ => format!("the length of {text}"),
            },
            "lookup_json_integer" => format!("the number at {} in the JSON of {text}", self.path(call)),
            "lookup_json_string" => format!("the text at {} in the JSON of {text}", self.path(call)),
            "lower" => format!("{text} in lower case"),
            "upper" => format!("{text} in upper case"),
            "regex_replace" if is_empty(call.arguments.get(2)) => {
                format!("{text} without the first match of the regular expression {}", pattern())
            }
            "regex_replace" => format!(
                "{text} with the first match of the regular expression {} replaced by {}",
                pattern(),
                argument(2)
            ),
            "remove_bytes" => format!("{text} without any of the bytes {}", argument(1)),
            "remove_query_args" => format!("{text} without the arguments {}", arguments(1, "and")),
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
            "wildcard_replace" => format!("{text} rewritten from {} to {}", pattern(), argument(2)),
            _ if call.arguments.is_empty() => format!("the result of {}", self.limits.source(name)),
            _ => format!("the result of {} for {}", self.limits.source(name), arguments(0, "and")),
        }
    }

    /// What is said of a call that is true or false by itself; `None` for one that is not known to be.
    pub(super) fn call_statement(
        &self,
        name: &Name,
        call: &Call,
        told: &Told,
        each: Each,
        negated: bool,
    ) -> Option<String> {
        let (expr, first) = (call.arguments.first()?, told.things.first()?);
        let (text, second) = (first.text(), told.text(1));
        let choose = |yes: String, no: String| if negated { no } else { yes };
        let said = match (name.text.as_str(), &first.called) {
            ("starts_with", _) => choose(format!("starts with {second}"), format!("does not start with {second}")),
            ("ends_with", _) => choose(format!("ends with {second}"), format!("does not end with {second}")),
            ("has_key", Called::Many(collection)) => {
                let item = match call.arguments.get(1).map(|key| &key.kind) {
                    Some(ExprKind::Literal(_)) if !is_empty(call.arguments.get(1)) => {
                        self.keyed(collection, &second).item
                    }
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
                let (token, age) = (format!("the timed HMAC token in {second}"), told.text(2));
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

    /// The arguments from one position on, joined by a word.
    fn arguments(&self, told: &Told, from: usize, word: &str) -> String {
        let count = told.count.saturating_sub(from);
        let shown = told.things.iter().skip(from).take(self.limits.shown(count)).map(Thing::text).collect();
        joined(shown, count, word)
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
pub(super) fn string(expr: Option<&Expr>) -> Option<&[u8]> {
    let ExprKind::Literal(literal) = &expr?.kind else { return None };
    match &literal.kind {
        LiteralKind::Quoted(bytes) => Some(bytes),
        LiteralKind::Raw(text) | LiteralKind::Regex(text) => Some(text.as_bytes()),
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

/// Whether the name is `any` or `all`.
pub(super) fn is_quantifier(name: &Name) -> bool {
    matches!(name.text.as_str(), "any" | "all")
}
