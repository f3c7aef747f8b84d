//! Reads the arguments of calls from JavaScript.
//!
//! Every function returns [`ArgumentErrors`] instead of throwing. [`options`], [`logpush`] and [`migration`]
//! read the options of the functions, [`record`] reads records, and [`rules`] reads lists of rules. The functions
//! of this module read single values. The parameter `label` names the argument in messages, such as
//! ``the option `name` ``.

pub(crate) mod logpush;
pub(crate) mod migration;
pub(crate) mod options;
mod record;
pub(crate) mod request_text;
mod rules;
pub(crate) mod sample;

pub(crate) use record::{read_record, read_request};
pub(crate) use rules::read_rules;

use js_sys::{Array, JSON, JsString, Object};
use serde_json::Value as Json;
use wasm_bindgen::prelude::*;
use zonewright_diagnostic::{Diagnostic, Span, Utf16Offsets, find_similar};

/// The largest integer that JavaScript can distinguish from its neighbors.
pub(crate) const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

#[wasm_bindgen]
extern "C" {
    /// The class of a value, such as `[object Map]`, which `typeof` does not distinguish.
    #[wasm_bindgen(js_namespace = ["Object", "prototype", "toString"], js_name = call)]
    fn class_name(value: &JsValue) -> String;
}

/// The errors of the arguments of a call.
pub(crate) type ArgumentErrors = Vec<Diagnostic>;

/// Reads the source, and returns it with its errors. A lone surrogate becomes U+FFFD.
pub(crate) fn read_source(value: &JsValue) -> (String, ArgumentErrors) {
    let Some(string) = value.dyn_ref::<JsString>() else {
        let message = format!("expected a string for the source, found {}", describe_type(value));
        return (String::new(), vec![Diagnostic::error("invalid-source", Span::empty(0), message)]);
    };
    let text = String::from(string);
    let error = find_lone_surrogate(string, &text).map(|(span, message)| {
        let error = Diagnostic::error("invalid-source", span, format!("the source is not valid Unicode: {message}"));
        error.with_help("remove it, or write the complete surrogate pair")
    });
    (text, error.into_iter().collect())
}

/// Reads a UTF-16 offset and converts it to a byte offset. An offset inside a character is moved to its start.
pub(crate) fn read_offset(source: &str, value: &JsValue) -> Result<usize, ArgumentErrors> {
    let Some(number) = value.as_f64().filter(|number| !number.is_nan()) else {
        let message = format!("expected a number for the offset, found {}", describe_value(value));
        return Err(vec![Diagnostic::error("invalid-offset", Span::empty(0), message)]);
    };
    // The cast saturates: a negative number is the start of the source, infinity is the end.
    let number = (number as usize).min(source.len());
    let mut offset = Utf16Offsets::new(source).utf16_to_byte(number);
    while !source.is_char_boundary(offset) {
        offset -= 1;
    }
    Ok(offset)
}

pub(crate) fn read_text(value: &JsValue, label: &str) -> Result<String, ArgumentErrors> {
    let Some(string) = value.dyn_ref::<JsString>() else {
        return Err(invalid_option_error(format!("expected a string for {label}, found {}", describe_value(value))));
    };
    let text = String::from(string);
    match find_lone_surrogate(string, &text) {
        None => Ok(text),
        Some((_, message)) => Err(invalid_option_error(format!("{label} is not valid Unicode: {message}"))),
    }
}

/// Reads a JSON text, or converts an object to JSON. Values without a JSON form are omitted or rejected, as in
/// `JSON.stringify`.
fn read_json_text(value: &JsValue, label: &str) -> Result<String, ArgumentErrors> {
    if value.dyn_ref::<JsString>().is_some() {
        return read_text(value, label);
    }
    // `entries` accepts a missing value, and rejects objects without members, such as an array or a `Map`.
    if value.is_undefined() || value.is_null() {
        return Err(invalid_option_error(format!(
            "expected an object or a string for {label}, found {}",
            describe_type(value)
        )));
    }
    read_entries(value, label)?;
    stringify(value, label)
}

fn stringify(value: &JsValue, label: &str) -> Result<String, ArgumentErrors> {
    let json = JSON::stringify(value).ok().and_then(|text| text.as_string());
    json.ok_or_else(|| invalid_option_error(format!("{label} cannot be converted to JSON: {}", describe_type(value))))
}

/// A JSON document, or the validation error of a text that is not JSON or that repeats a member.
pub(crate) type DocumentResult = Result<Json, zonewright_api::ValidationError>;

fn read_document(value: &JsValue, label: &str) -> Result<DocumentResult, ArgumentErrors> {
    read_json_text(value, label).map(|text| parse_document(&text))
}

/// Reads a document that may be an array.
pub(crate) fn read_array_or_document(value: &JsValue, label: &str) -> Result<DocumentResult, ArgumentErrors> {
    let text = if Array::is_array(value) { stringify(value, label) } else { read_json_text(value, label) };
    text.map(|text| parse_document(&text))
}

fn parse_document(text: &str) -> DocumentResult {
    zonewright_api::json::parse(text).map_err(|error| error.to_validation_error())
}

fn read_boolean(value: &JsValue, label: &str) -> Result<bool, ArgumentErrors> {
    value.as_bool().ok_or_else(|| {
        invalid_option_error(format!("expected true or false for {label}, found {}", describe_value(value)))
    })
}

fn read_non_negative_integer(value: &JsValue, label: &str) -> Result<u64, ArgumentErrors> {
    match value.as_f64() {
        Some(number) if number.fract() == 0.0 && (0.0..=MAX_SAFE_INTEGER).contains(&number) => Ok(number as u64),
        _ => Err(invalid_option_error(format!(
            "expected a non-negative integer for {label}, found {}",
            describe_value(value)
        ))),
    }
}

/// Reads one of the named values.
fn read_enum_value<T>(
    label: &str,
    value: &JsValue,
    known: impl IntoIterator<Item = (&'static str, T)>,
) -> Result<T, ArgumentErrors> {
    let value_name = value.as_string();
    let mut names = Vec::new();
    for (name, known) in known {
        if value_name.as_deref() == Some(name) {
            return Ok(known);
        }
        names.push(name);
    }
    let message = format!("unknown value of {label}: {}", describe_value(value));
    Err(unknown_name_error(message, &value_name.unwrap_or_default(), &names))
}

/// Passes the members of an object to `set`, except those that are `undefined` or `null`. Returns all errors, including
/// one for each unknown member.
fn read_members(
    value: &JsValue,
    label: &str,
    known: &[&str],
    mut set: impl FnMut(&str, &JsValue) -> Result<(), ArgumentErrors>,
) -> Result<(), ArgumentErrors> {
    let mut errors = Vec::new();
    for (name, value) in read_entries(value, label)? {
        let result = match known.contains(&name.as_str()) {
            true if value.is_undefined() || value.is_null() => Ok(()),
            true => set(&name, &value),
            false => Err(unknown_name_error(format!("unknown member `{}` of {label}", excerpt(&name)), &name, known)),
        };
        errors.extend(result.err().into_iter().flatten());
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Reads the members of a plain object. `undefined` and `null` have none.
fn read_entries(value: &JsValue, label: &str) -> Result<Vec<(String, JsValue)>, ArgumentErrors> {
    if value.is_undefined() || value.is_null() {
        return Ok(Vec::new());
    }
    // The items of a `Map` or a similar collection are not members, so the collection would be read as empty.
    if !value.is_object() || value.is_function() || Array::is_array(value) || class_name(value) != "[object Object]" {
        return Err(invalid_option_error(format!("expected an object for {label}, found {}", describe_value(value))));
    }
    let pair = |entry: JsValue| {
        let entry: Array = entry.unchecked_into();
        (entry.get(0).as_string().unwrap_or_default(), entry.get(1))
    };
    Ok(Object::entries(value.unchecked_ref()).iter().map(pair).collect())
}

/// Finds the first lone surrogate, and describes it. `text` has U+FFFD in place of lone surrogates, so only the UTF-16
/// code units of `string` at these positions are checked.
fn find_lone_surrogate(string: &JsString, text: &str) -> Option<(Span, String)> {
    // Most texts have no lone surrogate. They need no table of offsets.
    text.find('\u{fffd}')?;
    let offsets = Utf16Offsets::new(text);
    text.match_indices('\u{fffd}').find_map(|(start, replacement)| {
        let index = u32::try_from(offsets.byte_to_utf16(start)).ok()?;
        // The index is inside the string, so the code unit is a 16-bit number.
        let unit = string.char_code_at(index) as u32;
        let message = format!("lone surrogate `\\u{unit:04x}`");
        (unit != 0xfffd).then(|| (Span::new(start, start + replacement.len()), message))
    })
}

fn unknown_name_error(message: String, name: &str, known: &[&str]) -> ArgumentErrors {
    let help = match find_similar(name, known.iter().copied()).as_slice() {
        [] => format!("expected one of {}", quote_names(known)),
        close => format!("did you mean {}?", quote_names(close)),
    };
    invalid_option_error(message).into_iter().map(|error| error.with_help(help.clone())).collect()
}

fn quote_names(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn invalid_option_error(message: String) -> ArgumentErrors {
    vec![Diagnostic::error("invalid-option", Span::empty(0), message)]
}

/// Describes a string or a number by its value, and any other value by its type.
fn describe_value(value: &JsValue) -> String {
    if let Some(text) = value.as_string() {
        return format!("`{}`", excerpt(&text));
    }
    match value.as_f64() {
        Some(number) => number.to_string(),
        None => describe_type(value),
    }
}

/// Puts a text on one line, and truncates it to 60 characters.
fn excerpt(text: &str) -> String {
    let one_line = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let start: String = one_line.take(60).collect();
    if text.chars().nth(60).is_some() { start + "…" } else { start }
}

fn describe_type(value: &JsValue) -> String {
    if value.is_null() {
        return "null".to_owned();
    }
    let name = value.js_typeof().as_string().unwrap_or_default();
    let article = match name.as_str() {
        "undefined" => return name,
        "object" if Array::is_array(value) => return "an array".to_owned(),
        "object" => {
            let class = class_name(value);
            let class = class.trim_start_matches("[object ").trim_end_matches(']');
            return if class == "Object" { "an object".to_owned() } else { format!("a `{}` object", excerpt(class)) };
        }
        _ => "a",
    };
    format!("{article} {name}")
}
