//! Parses JSON text and rejects repeated members, because it is ambiguous which of them applies.
//!
//! Start with [`parse()`] and [`JsonError`].

use crate::{ValidationError, escape_pointer_segment};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Value};
use std::fmt;
use zonewright_diagnostic::{Position, position_at};

/// The byte order mark, which some editors write before a text and which has no meaning.
const BYTE_ORDER_MARK: char = '\u{feff}';
const TOO_MANY_VALUES_MESSAGE: &str = "the text has too many values";
const DUPLICATE_MEMBER_MESSAGE: &str = "duplicate member";

/// Parses a text and skips a byte order mark before it.
///
/// # Errors
///
/// Returns an error if the text is not JSON, or if an object has a member more than once.
pub fn parse(text: &str) -> Result<Value, JsonError> {
    parse_bounded(text, usize::MAX)
}

/// Parses a text like [`parse()`], but at most `max_values` values, because a parsed value takes up to a hundred times
/// the memory of its text. Nested values count; names of members do not.
///
/// # Errors
///
/// Returns the errors of [`parse()`]. Parsing also stops with an error at the first value beyond the limit.
pub fn parse_bounded(text: &str, max_values: usize) -> Result<Value, JsonError> {
    let json = strip_bom(text);
    let mut reader = BoundedReader { values_left: max_values, ..BoundedReader::default() };
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let value = reader.deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
    value.map_err(|error| JsonError::from_serde(&error, reader, json, text.len() - json.len()))
}

/// Returns the text without a byte order mark at its beginning.
pub fn strip_bom(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// A parse error. It is displayed with its position, such as `expected value at line 1 column 5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The reason, without the position.
    pub message: String,
    /// The JSON pointer to a repeated member; `None` for all other errors.
    pub duplicate: Option<String>,
    /// Whether the text is empty or contains only whitespace.
    is_empty: bool,
    /// Whether the text has more values than allowed.
    pub has_too_many_values: bool,
    /// The offset in bytes of the repeated name, or else of the last byte that was read.
    pub offset: usize,
    /// The line and column, which do not count a byte order mark.
    pub position: Position,
}

impl JsonError {
    fn from_serde(error: &serde_json::Error, reader: BoundedReader, json: &str, bom_length: usize) -> Self {
        // `error.column()` is the column of the last byte that was read, counted from 1.
        let line_start: usize = json.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let last = (line_start + error.column().saturating_sub(1)).min(json.len());
        let (message, offset, duplicate) = if reader.has_duplicate {
            (DUPLICATE_MEMBER_MESSAGE.to_owned(), string_start(json, last), Some(reader.pointer()))
        } else {
            let message = error.to_string();
            let suffix = format!(" at line {} column {}", error.line(), error.column());
            (message.strip_suffix(&suffix).unwrap_or(&message).to_owned(), last, None)
        };
        JsonError {
            message,
            duplicate,
            is_empty: json.trim().is_empty(),
            has_too_many_values: reader.has_too_many_values,
            offset: offset + bom_length,
            position: position_at(json, offset),
        }
    }

    /// Converts the error to a validation error. Its pointer is that of a repeated member, or else empty.
    pub fn to_validation_error(&self) -> ValidationError {
        match &self.duplicate {
            Some(pointer) => {
                let Position { line, column } = self.position;
                ValidationError::invalid_shape(
                    pointer.as_str(),
                    format!("{DUPLICATE_MEMBER_MESSAGE}; the second occurrence is at line {line} column {column}"),
                )
            }
            None if self.is_empty => ValidationError::invalid_shape("", "the input is empty"),
            None => ValidationError::invalid_shape("", format!("invalid JSON: {self}")),
        }
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at line {} column {}", self.message, self.position.line, self.position.column)
    }
}

impl std::error::Error for JsonError {}

/// Returns the start of the string whose closing quote is at `end`.
fn string_start(json: &str, end: usize) -> usize {
    let prefix = json.as_bytes().get(..end).unwrap_or_default();
    let is_escaped = |quote: usize| {
        let slashes = prefix.get(..quote).unwrap_or_default().iter().rev().take_while(|byte| **byte == b'\\');
        !slashes.count().is_multiple_of(2)
    };
    let quotes = prefix.iter().enumerate().rev().filter(|(_, byte)| **byte == b'"').map(|(offset, _)| offset);
    quotes.into_iter().find(|quote| !is_escaped(*quote)).unwrap_or(end)
}

/// The state of the parser: the remaining budget, and the path of the first repeated member, where parsing stops.
#[derive(Default)]
struct BoundedReader {
    /// The number of values that may still follow.
    values_left: usize,
    has_too_many_values: bool,
    has_duplicate: bool,
    /// The path of the repeated member, innermost name first.
    path: Vec<String>,
}

impl BoundedReader {
    fn pointer(&self) -> String {
        self.path.iter().rev().map(|name| format!("/{}", escape_pointer_segment(name))).collect()
    }

    /// Adds the enclosing member or item to the path of a repeated member, and returns the error unchanged.
    fn extend_path<E>(&mut self, error: E, name: impl ToString) -> E {
        if self.has_duplicate {
            self.path.push(name.to_string());
        }
        error
    }
}

impl<'de> DeserializeSeed<'de> for &mut BoundedReader {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let Some(values_left) = self.values_left.checked_sub(1) else {
            self.has_too_many_values = true;
            return Err(D::Error::custom(TOO_MANY_VALUES_MESSAGE));
        };
        self.values_left = values_left;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut BoundedReader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        loop {
            let value = items.next_element_seed(&mut *self);
            match value.map_err(|error| self.extend_path(error, values.len()))? {
                Some(value) => values.push(value),
                None => return Ok(values.into()),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut values = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            match values.entry(name) {
                Entry::Vacant(entry) => {
                    let value = members.next_value_seed(&mut *self);
                    let value = value.map_err(|error| self.extend_path(error, entry.key()))?;
                    entry.insert(value);
                }
                Entry::Occupied(entry) => {
                    self.has_duplicate = true;
                    self.path.push(entry.key().clone());
                    return Err(A::Error::custom(DUPLICATE_MEMBER_MESSAGE));
                }
            }
        }
        Ok(values.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_without_duplicates_equals_serde_json() {
        let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        for text in [
            r#" {"a": [1, -1, 1.5, "x\n", "y", null, true, {"a": {}}], "b": []} "#,
            "[[], [0]]",
            "3",
            "\"\"",
            "[1",
            "1 2",
            "{\"a\": 1,\n \"b\" 2}",
            "{\"a\": tru}",
            "[1e999]",
            "[\"\\ud800\"]",
            &deep(127),
            &deep(128),
        ] {
            let parsed = parse(text).map_err(|error| error.to_string());
            let expected = serde_json::from_str::<Value>(text).map_err(|error| error.to_string());
            assert_eq!(parsed, expected, "{text}");
        }
    }

    #[test]
    fn duplicate_member_error_has_pointer_and_position() {
        let cases = [
            (r#"{"a": 1, "a": 1}"#, "/a", 9, (1, 10)),
            (r#"{"a": 1, "a""#, "/a", 9, (1, 10)),
            ("\u{feff}{\"a\": 1, \"a\": 1}", "/a", 12, (1, 10)),
            ("{\"é\": [{\"b\": 1,\n \"b\": 2}],\n \"é\": 1}", "/é/0/b", 18, (2, 2)),
            (r#"[{"a": 1}, {"a": [0, {"b/~": 1, "c": [1], "\u0062/~": 2}], "a": 1}]"#, "/1/a/1/b~1~0", 42, (1, 43)),
            (r#"{"a\"": 1, "a\"": 2}"#, "/a\"", 11, (1, 12)),
            (r#"{"a\\": 1, "a\\": 2}"#, "/a\\", 11, (1, 12)),
            (r#"{"": 1, "": 2}"#, "/", 8, (1, 9)),
        ];
        for (text, pointer, offset, (line, column)) in cases {
            let error = parse(text).unwrap_err();
            assert_eq!(error.duplicate.as_deref(), Some(pointer), "{text}");
            assert_eq!((error.offset, error.position), (offset, Position { line, column }), "{text}");
        }
    }

    #[test]
    fn parse_bounded_rejects_values_beyond_the_limit() {
        for (text, values) in [("1", 1), ("[]", 1), ("[1, [2, \"a\"]]", 5), (r#"{"a": {"b": null}, "c": 1}"#, 4)] {
            assert!(parse_bounded(text, values).is_ok(), "{text}");
            let error = parse_bounded(text, values - 1).unwrap_err();
            assert!(
                error.has_too_many_values && error.duplicate.is_none() && error.message == TOO_MANY_VALUES_MESSAGE,
                "{text}: {error}"
            );
        }
        // Text after the limit is not parsed.
        assert!(parse_bounded("[1, 1, nonsense", 2).unwrap_err().has_too_many_values);
        assert!(!parse_bounded("[1, nonsense", 3).unwrap_err().has_too_many_values);
    }

    #[test]
    fn error_columns_count_characters_without_the_byte_order_mark() {
        let cases = [
            ("\u{feff}{\"a\": 1}", None),
            ("\u{feff}", Some("EOF while parsing a value at line 1 column 1")),
            ("\u{feff}{\"é\": x}", Some("expected value at line 1 column 7")),
            ("\u{feff}\u{feff}1", Some("expected value at line 1 column 1")),
            ("{}\n}", Some("trailing characters at line 2 column 1")),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text).map_err(|error| error.to_string()).err().as_deref(), expected, "{text:?}");
        }
        let validation_error = |text: &str| parse(text).unwrap_err().to_validation_error();
        assert_eq!(validation_error("{").message, "invalid JSON: EOF while parsing an object at line 1 column 1");
        assert_eq!(validation_error(" \n").message, "the input is empty");
        let duplicate = validation_error("{\"a\": 1,\n\"a\": 1}");
        let message = "duplicate member; the second occurrence is at line 2 column 1";
        assert_eq!((duplicate.pointer.as_str(), duplicate.message.as_str()), ("/a", message));
    }
}
