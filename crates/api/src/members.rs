//! From JSON to values, with every problem of the shape.

use crate::Refusal;
use serde_json::{Map, Value};
use zonewright_diagnostic::similar;

/// Most unknown members of one object that are named (assumption batch-limits).
const MAX_NAMED_MEMBERS: usize = 100;

/// Refuses a shape for one reason.
pub fn refuse<T>(message: impl Into<String>) -> Result<T, Vec<Refusal>> {
    Err(vec![Refusal::shape("", message)])
}

/// The members of a JSON object while it is read, and what was wrong with them so far.
///
/// `null` counts as absent: clients send it for what is not set (assumption empty-text).
#[derive(Debug)]
pub struct Members<'a> {
    members: &'a Map<String, Value>,
    /// What was wrong so far.
    pub refusals: Vec<Refusal>,
}

impl<'a> Members<'a> {
    /// Opens `value`, called `noun` in messages. Members in `ignored` are read-only ones that
    /// clients send back; any that is neither there nor in `known` is refused.
    pub fn open(value: &'a Value, noun: &str, known: &[&str], ignored: &[&str]) -> Result<Self, Vec<Refusal>> {
        let Value::Object(members) = value else {
            return refuse(format!("{noun} must be an object, not {}", described(value)));
        };
        let is_unknown = |name: &&String| !known.contains(&name.as_str()) && !ignored.contains(&name.as_str());
        let mut unknown = members.keys().filter(is_unknown);
        let listed = unknown.by_ref().take(MAX_NAMED_MEMBERS);
        let mut refusals: Vec<Refusal> = listed.map(|name| unknown_member(name, noun, known)).collect();
        let more = unknown.count();
        if more > 0 {
            refusals.push(Refusal::shape("", format!("{noun} has no member of {more} more names")));
        }
        Ok(Members { members, refusals })
    }

    /// A member that is there and not `null`.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    /// A member that has to be there.
    pub fn required(&mut self, name: &str) -> Option<&'a Value> {
        let value = self.get(name);
        if value.is_none() {
            self.refusals.push(Refusal::shape(format!("/{name}"), format!("`{name}` is missing")));
        }
        value
    }

    /// Notes that `value` is not what `name` has to be, and gives nothing.
    pub fn wrong_type<T>(&mut self, name: &str, expected: &str, value: &Value) -> Option<T> {
        let message = format!("`{name}` must be {expected}, not {}", described(value));
        self.refusals.push(Refusal::shape(format!("/{name}"), message));
        None
    }

    /// An optional string; the empty one counts as absent, since clients send it for what is not set.
    pub fn text(&mut self, name: &str) -> Option<String> {
        match self.get(name)? {
            Value::String(text) if text.is_empty() => None,
            Value::String(text) => Some(text.clone()),
            other => self.wrong_type(name, "a string", other),
        }
    }

    /// An optional boolean; false when it is absent.
    pub fn flag(&mut self, name: &str) -> bool {
        match self.get(name) {
            None => false,
            Some(Value::Bool(flag)) => *flag,
            Some(other) => self.wrong_type(name, "true or false", other).unwrap_or_default(),
        }
    }
}

fn unknown_member(name: &str, noun: &str, known: &[&str]) -> Refusal {
    let shown: String = name.chars().take(64).collect();
    let close = similar(name, known.iter().copied());
    let hint = match close.first() {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("it may have {}", list(known)),
    };
    let pointer = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
    Refusal::shape(pointer, format!("{noun} has no member `{shown}`; {hint}"))
}

/// Names as a sentence shows them: `a`, `b` and `c`.
pub fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} and {last}", first.join(", ")),
        None => String::new(),
    }
}

/// What a JSON value is: a number as it is, since another number may be expected; of any other the
/// kind, with its article.
pub fn described(value: &Value) -> String {
    match value {
        Value::Number(number) => return number.to_string(),
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
    .to_owned()
}

/// The problem of a text that not every database can store: one with a NUL character.
pub fn check_storable(name: &str, text: &str) -> Option<Refusal> {
    let message = || format!("`{name}` contains a NUL character, which cannot be stored");
    text.contains('\0').then(|| Refusal::value(format!("/{name}"), message()))
}
