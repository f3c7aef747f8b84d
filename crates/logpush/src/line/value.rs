//! Converts projected values by the types of their fields.

use super::{RawString, scan::array_elements};
use crate::{
    datasets::{Field, FieldType},
    number::Number,
    time::{parse_rfc3339, to_unix_nanos},
};

/// The value of a field.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum FieldValue<'a> {
    /// An absent member, or `null`.
    #[default]
    Missing,
    /// A string.
    Text(RawString<'a>),
    /// A number.
    Number(Number),
    /// A Unix time in nanoseconds.
    Timestamp(i128),
    /// A Boolean.
    Bool(bool),
    /// The JSON text of an array whose elements have the right type.
    Array(&'a str),
}

/// An element of an array.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Element<'a> {
    Text(RawString<'a>),
    Number(Number),
}

/// Converts the JSON text of a value, which is valid JSON (assumption line-types), or returns the error message.
pub(super) fn parse_value<'a>(field: &Field, json: &'a str) -> Result<FieldValue<'a>, String> {
    if json == "null" {
        return Ok(FieldValue::Missing);
    }
    let value = match field.ty {
        FieldType::String => RawString::from_json(json).map(FieldValue::Text),
        FieldType::Int => parse_number(json).map(FieldValue::Number),
        FieldType::Float => {
            json.parse().ok().filter(|float: &f64| float.is_finite() && is_number(json)).map(float_value)
        }
        FieldType::Bool => json.parse().ok().map(FieldValue::Bool),
        FieldType::Timestamp => parse_timestamp(json).map(FieldValue::Timestamp),
        FieldType::Strings | FieldType::Ints => {
            let is_valid =
                json.starts_with('[') && array_elements(json).all(|json| parse_element(field.ty, json).is_some());
            is_valid.then_some(FieldValue::Array(json))
        }
        FieldType::Object | FieldType::Objects => None,
    };
    value.ok_or_else(|| wrong_type_message(field, json))
}

/// Returns the elements of an array that [`parse_value`] accepted.
pub(crate) fn elements(ty: FieldType, array: &str) -> impl Iterator<Item = Element<'_>> {
    array_elements(array).filter_map(move |json| parse_element(ty, json))
}

fn parse_element(ty: FieldType, json: &str) -> Option<Element<'_>> {
    match ty {
        FieldType::Strings => RawString::from_json(json).map(Element::Text),
        _ => parse_number(json).map(Element::Number),
    }
}

fn float_value(float: f64) -> FieldValue<'static> {
    FieldValue::Number(Number::Float(float))
}

fn is_number(json: &str) -> bool {
    json.starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

fn parse_number(json: &str) -> Option<Number> {
    // 18 digits fit in 64 bits, and nearly all numbers in logs are shorter.
    if json.len() <= 18 && json.bytes().all(|byte| byte.is_ascii_digit()) {
        let digits = json.bytes().fold(0_u64, |sum, digit| sum * 10 + u64::from(digit - b'0'));
        return Some(Number::Integer(digits.into()));
    }
    Number::parse(json).filter(|_| is_number(json))
}

/// Converts seconds or nanoseconds as a number, or RFC 3339. The empty string is the zero value.
fn parse_timestamp(json: &str) -> Option<i128> {
    match RawString::from_json(json) {
        Some(text) if text.raw.is_empty() => Some(0),
        Some(text) => parse_rfc3339(&text.decode()),
        None => parse_number(json).map(to_unix_nanos),
    }
}

fn wrong_type_message(field: &Field, json: &str) -> String {
    let (name, expected) = (field.name, field.ty.name());
    if field.ty == FieldType::Timestamp {
        return format!("`{name}` must be a number or an RFC 3339 timestamp, not {}", json_kind(json));
    }
    let wrong_element = match field.ty {
        FieldType::Strings | FieldType::Ints if json.starts_with('[') => {
            array_elements(json).find(|json| parse_element(field.ty, json).is_none())
        }
        _ => None,
    };
    match wrong_element {
        Some(element) => format!("`{name}` contains {}, but its type is `{expected}`", json_kind(element)),
        None => format!("`{name}` is {}, but its type is `{expected}`", json_kind(json)),
    }
}

/// Returns the kind of a JSON value.
fn json_kind(json: &str) -> &'static str {
    match json.as_bytes().first() {
        Some(b'"') => "a string",
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b't' | b'f') => "a Boolean",
        Some(b'n') => "null",
        _ if Number::parse(json).is_none() => "a number that is out of range",
        _ => "a number",
    }
}
