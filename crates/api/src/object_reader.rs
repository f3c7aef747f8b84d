//! Reads values from JSON objects and reports all errors of their shape.
//!
//! Start with [`ObjectReader`].

use crate::{ValidationError, escape_pointer_segment};
use serde_json::{Map, Value};
use zonewright_diagnostic::find_similar;

/// The maximum number of unknown members of one object that are listed (assumption batch-limits).
const MAX_LISTED_MEMBERS: usize = 100;

/// Returns a single error about the shape of a value.
pub fn shape_error<T>(message: impl Into<String>) -> Result<T, Vec<ValidationError>> {
    Err(vec![ValidationError::invalid_shape("", message)])
}

/// The members of a JSON object, with the errors that were found while they were read.
///
/// `null` counts as absent, because clients send it for unset members (assumption empty-text).
#[derive(Debug)]
pub struct ObjectReader<'a> {
    members: &'a Map<String, Value>,
    /// The errors so far.
    pub errors: Vec<ValidationError>,
}

impl<'a> ObjectReader<'a> {
    /// Creates a reader of `value`, which messages call `noun`. `ignored` lists read-only members, which clients send
    /// back. A member that is in neither `known` nor `ignored` is an error.
    pub fn new(value: &'a Value, noun: &str, known: &[&str], ignored: &[&str]) -> Result<Self, Vec<ValidationError>> {
        let Value::Object(members) = value else {
            return shape_error(format!("{noun} must be an object, not {}", describe_value(value)));
        };
        let is_unknown = |name: &&String| !known.contains(&name.as_str()) && !ignored.contains(&name.as_str());
        let mut unknown = members.keys().filter(is_unknown);
        let listed = unknown.by_ref().take(MAX_LISTED_MEMBERS);
        let mut errors: Vec<ValidationError> = listed.map(|name| unknown_member_error(name, noun, known)).collect();
        let unlisted = unknown.count();
        if unlisted > 0 {
            errors.push(ValidationError::invalid_shape(
                "",
                format!("{noun} has more unknown members ({unlisted} not listed)"),
            ));
        }
        Ok(ObjectReader { members, errors })
    }

    /// Returns a member that exists and is not `null`.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    /// Returns a required member. Adds an error if it is absent.
    pub fn required(&mut self, name: &str) -> Option<&'a Value> {
        let value = self.get(name);
        if value.is_none() {
            self.errors.push(ValidationError::invalid_shape(format!("/{name}"), format!("`{name}` is missing")));
        }
        value
    }

    /// Adds an error that `value` has the wrong type for `name`. Returns `None`.
    pub fn type_error<T>(&mut self, name: &str, expected: &str, value: &Value) -> Option<T> {
        let message = format!("`{name}` must be {expected}, not {}", describe_value(value));
        self.errors.push(ValidationError::invalid_shape(format!("/{name}"), message));
        None
    }

    /// Reads an optional string. The empty string counts as absent, because clients send it for unset members.
    pub fn text(&mut self, name: &str) -> Option<String> {
        match self.get(name)? {
            Value::String(text) if text.is_empty() => None,
            Value::String(text) => Some(text.clone()),
            other => self.type_error(name, "a string", other),
        }
    }

    /// Reads an optional Boolean, which is false if absent.
    pub fn boolean(&mut self, name: &str) -> bool {
        match self.get(name) {
            None => false,
            Some(Value::Bool(flag)) => *flag,
            Some(other) => self.type_error(name, "true or false", other).unwrap_or_default(),
        }
    }
}

fn unknown_member_error(name: &str, noun: &str, known: &[&str]) -> ValidationError {
    let excerpt: String = name.chars().take(64).collect();
    let close = find_similar(name, known.iter().copied());
    let hint = match close.first() {
        Some(similar) => format!("did you mean `{similar}`?"),
        None => format!("allowed members: {}", join_names(known)),
    };
    let pointer = format!("/{}", escape_pointer_segment(name));
    ValidationError::invalid_shape(pointer, format!("{noun} has no member `{excerpt}`; {hint}"))
}

/// Formats names for a sentence: `a`, `b`, and `c`.
pub fn join_names(names: &[&str]) -> String {
    join_quoted(names, "and")
}

/// Formats alternatives for a sentence: `a`, `b`, or `c`.
pub fn join_alternatives(names: &[&str]) -> String {
    join_quoted(names, "or")
}

fn join_quoted(names: &[&str], conjunction: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first, second] => format!("{first} {conjunction} {second}"),
        [first @ .., last] => format!("{}, {conjunction} {last}", first.join(", ")),
    }
}

/// Describes a JSON value for a message: a number by its value, because a different number may be expected; any other
/// value by its type with an article.
pub fn describe_value(value: &Value) -> String {
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
pub fn check_no_nul(name: &str, text: &str) -> Option<ValidationError> {
    let message = || format!("`{name}` contains a NUL character, which cannot be stored");
    text.contains('\0').then(|| ValidationError::invalid_value(format!("/{name}"), message()))
}
