//! What the caller passed. A wrong argument is a diagnostic, never an exception.
//!
//! [`options`] has the options of each function, [`logpush`] those about log push, [`migration`] those about
//! migrations, [`record`] what is given of a request, [`rules`] lists of rules; here is what all read values with.

pub(crate) mod logpush;
pub(crate) mod migration;
pub(crate) mod options;
mod record;
mod rules;

pub(crate) use record::{record, request};
pub(crate) use rules::rules;

use js_sys::{Array, JSON, JsString, Object};
use serde_json::Value as Json;
use wasm_bindgen::prelude::*;
use zonewright_diagnostic::{Diagnostic, Span, Utf16Offsets, similar};

/// An integer above this cannot be told apart from its neighbours in JavaScript.
pub(crate) const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

#[wasm_bindgen]
extern "C" {
    /// The class of a value, such as `[object Map]`.
    #[wasm_bindgen(js_namespace = ["Object", "prototype", "toString"], js_name = call)]
    fn class_of(value: &JsValue) -> String;
}

/// Why an argument is refused.
pub(crate) type Refusal = Vec<Diagnostic>;

/// The source as text, and what keeps it from being used. A unit that is no character is U+FFFD.
pub(crate) fn source(value: &JsValue) -> (String, Refusal) {
    let Some(string) = value.dyn_ref::<JsString>() else {
        let message = format!("expected the source as a string, found {}", type_of(value));
        return (String::new(), vec![Diagnostic::error("invalid-source", Span::at(0), message)]);
    };
    let text = String::from(string);
    let refusal = lone_surrogate(string, &text).map(|(span, message)| {
        let problem = Diagnostic::error("invalid-source", span, format!("the text is not Unicode: {message}"));
        problem.with_help("remove it, or write the whole character")
    });
    (text, refusal.into_iter().collect())
}

/// The byte offset of a UTF-16 offset; one inside a character counts as its start.
pub(crate) fn offset(source: &str, value: &JsValue) -> Result<usize, Refusal> {
    let Some(number) = value.as_f64().filter(|number| !number.is_nan()) else {
        let message = format!("expected the offset as a number, found {}", described(value));
        return Err(vec![Diagnostic::error("invalid-offset", Span::at(0), message)]);
    };
    // The cast saturates, so negative numbers are the start and infinity is the end.
    let number = (number as usize).min(source.len());
    let mut offset = Utf16Offsets::new(source).to_byte(number);
    while !source.is_char_boundary(offset) {
        offset -= 1;
    }
    Ok(offset)
}

/// Text, or why it is none. `what` is said in the message: ``the option `name` ``.
pub(crate) fn text(value: &JsValue, what: &str) -> Result<String, Refusal> {
    let Some(string) = value.dyn_ref::<JsString>() else {
        return Err(wrong(format!("expected a string for {what}, found {}", described(value))));
    };
    let text = String::from(string);
    match lone_surrogate(string, &text) {
        None => Ok(text),
        Some((_, message)) => Err(wrong(format!("{what} is not Unicode: {message}"))),
    }
}

/// The JSON of an object, or the text that is given for it. What JSON cannot hold is left out or refused,
/// as `JSON.stringify` does.
fn json(value: &JsValue, what: &str) -> Result<String, Refusal> {
    if value.dyn_ref::<JsString>().is_some() {
        return text(value, what);
    }
    // An array, a `Map` and the like are no objects with members. `entries` takes none for no members.
    if value.is_undefined() || value.is_null() {
        return Err(wrong(format!("expected an object or text for {what}, found {}", type_of(value))));
    }
    entries(value, what)?;
    stringified(value, what)
}

fn stringified(value: &JsValue, what: &str) -> Result<String, Refusal> {
    let written = JSON::stringify(value).ok().and_then(|text| text.as_string());
    written.ok_or_else(|| wrong(format!("{what} cannot be written as JSON: {}", type_of(value))))
}

/// What was given as JSON, or the member that it has more than once: a mistake with a place of its own.
pub(crate) type Document = Result<Json, zonewright_api::Refusal>;

/// What an object or text says as JSON.
fn document(value: &JsValue, what: &str) -> Result<Document, Refusal> {
    parsed(&json(value, what)?, what)
}

fn parsed(text: &str, what: &str) -> Result<Document, Refusal> {
    match zonewright_api::json::read(text) {
        Ok(read) => Ok(Ok(read)),
        Err(error) if error.repeated.is_some() => Ok(Err(error.refusal())),
        Err(error) => Err(wrong(format!("{what} is not JSON: {error}"))),
    }
}

fn boolean(value: &JsValue, what: &str) -> Result<bool, Refusal> {
    value.as_bool().ok_or_else(|| wrong(format!("expected true or false for {what}, found {}", described(value))))
}

fn whole(value: &JsValue, what: &str) -> Result<u64, Refusal> {
    match value.as_f64() {
        Some(number) if number.fract() == 0.0 && (0.0..=MAX_SAFE_INTEGER).contains(&number) => Ok(number as u64),
        _ => Err(wrong(format!("expected a whole number for {what}, found {}", described(value)))),
    }
}

fn one_of<T>(what: &str, value: &JsValue, known: impl IntoIterator<Item = (&'static str, T)>) -> Result<T, Refusal> {
    let given = value.as_string();
    let mut names = Vec::new();
    for (name, meaning) in known {
        if given.as_deref() == Some(name) {
            return Ok(meaning);
        }
        names.push(name);
    }
    let message = format!("unknown value of {what}: {}", described(value));
    Err(with_names(message, &given.unwrap_or_default(), &names))
}

/// Gives `set` the members of an object that has only `known` ones, and everything that is wrong with
/// them. A member without a value is a member that was not given.
fn members(
    value: &JsValue,
    what: &str,
    known: &[&str],
    mut set: impl FnMut(&str, &JsValue) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let mut refused = Vec::new();
    for (name, value) in entries(value, what)? {
        let problems = match known.contains(&name.as_str()) {
            true if value.is_undefined() || value.is_null() => Ok(()),
            true => set(&name, &value),
            false => Err(with_names(format!("unknown member `{}` of {what}", shown(&name)), &name, known)),
        };
        refused.extend(problems.err().into_iter().flatten());
    }
    if refused.is_empty() { Ok(()) } else { Err(refused) }
}

/// The members of a plain object; none of `undefined` and `null`.
fn entries(value: &JsValue, what: &str) -> Result<Vec<(String, JsValue)>, Refusal> {
    if value.is_undefined() || value.is_null() {
        return Ok(Vec::new());
    }
    // What a `Map` or the like holds are no members: it would be read as empty.
    if !value.is_object() || value.is_function() || Array::is_array(value) || class_of(value) != "[object Object]" {
        return Err(wrong(format!("expected an object for {what}, found {}", described(value))));
    }
    let pair = |entry: JsValue| {
        let entry: Array = entry.unchecked_into();
        (entry.get(0).as_string().unwrap_or_default(), entry.get(1))
    };
    Ok(Object::entries(value.unchecked_ref()).iter().map(pair).collect())
}

/// The first UTF-16 unit that is no character, and what to say. The copy has U+FFFD in its place, so only
/// those places are looked up in the original.
fn lone_surrogate(string: &JsString, text: &str) -> Option<(Span, String)> {
    // Most texts have none: nothing has to be built for them.
    text.find('\u{fffd}')?;
    let offsets = Utf16Offsets::new(text);
    text.match_indices('\u{fffd}').find_map(|(start, replacement)| {
        let index = u32::try_from(offsets.from_byte(start)).ok()?;
        // A number, because the index lies inside the string; and it fits 16 bits.
        let unit = string.char_code_at(index) as u32;
        let message = format!("`\\u{unit:04x}` is half of a surrogate pair");
        (unit != 0xfffd).then(|| (Span::new(start, start + replacement.len()), message))
    })
}

fn with_names(message: String, given: &str, known: &[&str]) -> Refusal {
    let near = similar(given, known.iter().copied());
    let help = match near.as_slice() {
        [] => format!("expected one of {}", quoted(known)),
        near => format!("did you mean {}?", quoted(near)),
    };
    wrong(message).into_iter().map(|problem| problem.with_help(help.clone())).collect()
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn wrong(message: String) -> Refusal {
    vec![Diagnostic::error("invalid-option", Span::at(0), message)]
}

/// The value if it is short to write, else its type.
fn described(value: &JsValue) -> String {
    if let Some(text) = value.as_string() {
        return format!("`{}`", shown(&text));
    }
    match value.as_f64() {
        Some(number) => number.to_string(),
        None => type_of(value),
    }
}

/// A message is one line, however long a name is.
fn shown(text: &str) -> String {
    let one_line = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let short: String = one_line.take(60).collect();
    if short.len() < text.len() && text.chars().nth(60).is_some() { short + "…" } else { short }
}

fn type_of(value: &JsValue) -> String {
    if value.is_null() {
        return "null".to_owned();
    }
    let name = value.js_typeof().as_string().unwrap_or_default();
    let article = match name.as_str() {
        "undefined" => return name,
        "object" if Array::is_array(value) => return "an array".to_owned(),
        "object" => {
            let class = class_of(value);
            let class = class.trim_start_matches("[object ").trim_end_matches(']');
            return if class == "Object" { "an object".to_owned() } else { format!("a `{}` object", shown(class)) };
        }
        _ => "a",
    };
    format!("{article} {name}")
}
