//! Reads values from JSON objects and reports all errors of their shape.
//!
//! Start with [`Members`].

use crate::Refusal;
use serde_json::{Map, Value};
use zonewright_diagnostic::similar;

/// The maximum number of unknown members of one object that are listed (assumption batch-limits).
const MAX_NAMED_MEMBERS: usize = 100;

/// Returns a single error about the shape of a value.
pub fn refuse<T>(message: impl Into<String>) -> Result<T, Vec<Refusal>> {
    Err(vec![Refusal::shape("", message)])
}

/// The members of a JSON object, with the errors that were found while they were read.
///
/// `null` counts as absent, because clients send it for unset members (assumption empty-text).
#[derive(Debug)]
pub struct Members<'a> {
    members: &'a Map<String, Value>,
    /// The errors so far.
    pub refusals: Vec<Refusal>,
}

impl<'a> Members<'a> {
    /// Opens `value`, which messages call `noun`. Members in `ignored` are read-only ones that clients send back. A
    /// member that is in neither `known` nor `ignored` is an error.
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

    /// Returns a member that exists and is not `null`.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    /// Returns a required member. Adds an error if it is absent.
    pub fn required(&mut self, name: &str) -> Option<&'a Value> {
        let value = self.get(name);
        if value.is_none() {
            self.refusals.push(Refusal::shape(format!("/{name}"), format!("`{name}` is missing")));
        }
        value
    }

    /// Adds an error that `value` has the wrong type for `name`. Returns `None`.
    pub fn wrong_type<T>(&mut self, name: &str, expected: &str, value: &Value) -> Option<T> {
        let message = format!("`{name}` must be {expected}, not {}", described(value));
        self.refusals.push(Refusal::shape(format!("/{name}"), message));
        None
    }

    /// Reads an optional string. The empty string counts as absent, because clients send it for unset members.
    pub fn text(&mut self, name: &str) -> Option<String> {
        match self.get(name)? {
            Value::String(text) if text.is_empty() => None,
            Value::String(text) => Some(text.clone()),
            other => self.wrong_type(name, "a string", other),
        }
    }

    /// Reads an optional Boolean, which is false if absent.
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

/// Formats names for a sentence: `a`, `b` and `c`.
pub fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} and {last}", first.join(", ")),
        None => String::new(),
    }
}

/// Describes a JSON value for a message: a number by its value, because a different number may be expected; any other
/// value by its type with an article.
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

/// Returns an error if a text has a NUL character, which not every database can store.
pub fn check_storable(name: &str, text: &str) -> Option<Refusal> {
    let message = || format!("`{name}` contains a NUL character, which cannot be stored");
    text.contains('\0').then(|| Refusal::value(format!("/{name}"), message()))
}
