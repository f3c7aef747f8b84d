//! What the caller passed. A wrong argument is a diagnostic, never an exception.

use js_sys::{Array, JsString, Object};
use std::collections::{BTreeMap, BTreeSet};
use wasm_bindgen::{JsCast, JsValue};
use zonewright_diagnostic::{Diagnostic, Span, Utf16Offsets, similar};
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Kind, Lint, ListKind, Options, code};

/// A length above this cannot be told apart from its neighbours in JavaScript.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

const OPTIONS: [&str; 6] = ["kind", "phase", "plan", "lists", "maxLength", "lint"];
const KINDS: [(&str, Kind); 2] = [("expression", Kind::Expression), ("value", Kind::Value)];
const LIST_KINDS: [(&str, ListKind); 3] =
    [("ip", ListKind::Ip), ("hostname", ListKind::Hostname), ("asn", ListKind::Asn)];

/// Why an argument is refused.
pub(crate) type Refusal = Vec<Diagnostic>;

/// The source as text, and what keeps it from being used. A unit that is no character is U+FFFD.
pub(crate) fn source(value: &JsValue) -> (String, Refusal) {
    let Some(string) = value.dyn_ref::<JsString>() else {
        let message = format!("expected the source as a string, found {}", type_of(value));
        return (String::new(), vec![Diagnostic::error("invalid-source", Span::at(0), message)]);
    };
    let text = String::from(string);
    let refusal = lone_surrogate(string, &text).into_iter().collect();
    (text, refusal)
}

/// The first UTF-16 unit that is no character. The copy has U+FFFD in its place, so only those places
/// are looked up in the original.
fn lone_surrogate(string: &JsString, text: &str) -> Option<Diagnostic> {
    let offsets = Utf16Offsets::new(text);
    text.match_indices('\u{fffd}').find_map(|(start, replacement)| {
        let index = u32::try_from(offsets.from_byte(start)).ok()?;
        // A number, because the index lies inside the string; and it fits 16 bits.
        let unit = string.char_code_at(index) as u32;
        if unit == 0xfffd {
            return None;
        }
        let message = format!("the text is not Unicode: `\\u{unit:04x}` is half of a surrogate pair");
        let problem = Diagnostic::error("invalid-source", Span::new(start, start + replacement.len()), message);
        Some(problem.with_help("remove it, or write the whole character"))
    })
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

/// The engine's options, or everything that is wrong with those given.
pub(crate) fn options(value: &JsValue) -> Result<Options, Refusal> {
    let mut options = Options::default();
    let mut refused = Vec::new();
    for (name, value) in entries(value, "the options")? {
        if let Err(problems) = set(&mut options, &name, &value) {
            refused.extend(problems);
        }
    }
    if refused.is_empty() { Ok(options) } else { Err(refused) }
}

fn set(options: &mut Options, name: &str, value: &JsValue) -> Result<(), Refusal> {
    // A member without a value is a member that was not given.
    let absent = value.is_undefined() || value.is_null();
    match name {
        _ if absent && OPTIONS.contains(&name) => {}
        "kind" => options.kind = one_of(name, value, KINDS)?,
        "phase" => options.phase = Some(one_of(name, value, Phase::ALL.iter().map(|one| (one.name(), *one)))?),
        "plan" => options.plan = Some(one_of(name, value, Tier::ALL.map(|one| (one.name(), one)))?),
        "lists" => options.lists = Some(lists(value)?),
        "maxLength" => options.max_length = length(value)?,
        "lint" => options.lint = lint(value)?,
        _ => return Err(with_names(format!("unknown option `{}`", shown(name)), name, &OPTIONS)),
    }
    Ok(())
}

fn one_of<T>(option: &str, value: &JsValue, known: impl IntoIterator<Item = (&'static str, T)>) -> Result<T, Refusal> {
    let given = value.as_string();
    let mut names = Vec::new();
    for (name, meaning) in known {
        if given.as_deref() == Some(name) {
            return Ok(meaning);
        }
        names.push(name);
    }
    let message = format!("unknown value of the option `{option}`: {}", described(value));
    Err(with_names(message, &given.unwrap_or_default(), &names))
}

fn lists(value: &JsValue) -> Result<BTreeMap<String, ListKind>, Refusal> {
    let mut lists = BTreeMap::new();
    for (name, value) in entries(value, "the option `lists`")? {
        let kind = one_of(&format!("lists.{}", shown(&name)), &value, LIST_KINDS)?;
        lists.insert(name, kind);
    }
    Ok(lists)
}

/// `true`, `false`, or `{ allow: [codes] }`.
fn lint(value: &JsValue) -> Result<Option<Lint>, Refusal> {
    if let Some(wanted) = value.as_bool() {
        return Ok(wanted.then(Lint::default));
    }
    let mut allow = BTreeSet::new();
    for (name, value) in entries(value, "the option `lint`")? {
        if name != "allow" {
            return Err(with_names(
                format!("unknown member `{}` of the option `lint`", shown(&name)),
                &name,
                &["allow"],
            ));
        }
        let codes = match value.is_undefined() || value.is_null() {
            true => Array::new(),
            false if Array::is_array(&value) => Array::from(&value),
            false => {
                let message = format!("expected an array for the option `lint.allow`, found {}", described(&value));
                return Err(invalid_option(message, None));
            }
        };
        for value in codes.iter() {
            let known = code::LINTS.iter().map(|code| (*code, *code));
            allow.insert(one_of("lint.allow", &value, known)?.to_owned());
        }
    }
    Ok(Some(Lint { allow }))
}

fn length(value: &JsValue) -> Result<usize, Refusal> {
    match value.as_f64() {
        Some(number) if number.fract() == 0.0 && (0.0..=MAX_SAFE_INTEGER).contains(&number) => Ok(number as usize),
        _ => {
            let message = format!("expected a whole number for the option `maxLength`, found {}", described(value));
            Err(invalid_option(message, None))
        }
    }
}

/// The members of a plain object; none of `undefined` and `null`.
fn entries(value: &JsValue, what: &str) -> Result<Vec<(String, JsValue)>, Refusal> {
    if value.is_undefined() || value.is_null() {
        return Ok(Vec::new());
    }
    if !value.is_object() || value.is_function() || Array::is_array(value) {
        let message = format!("expected an object for {what}, found {}", described(value));
        return Err(invalid_option(message, None));
    }
    let pair = |entry: JsValue| {
        let entry = Array::from(&entry);
        (entry.get(0).as_string().unwrap_or_default(), entry.get(1))
    };
    Ok(Object::entries(value.unchecked_ref()).iter().map(pair).collect())
}

fn with_names(message: String, given: &str, known: &[&str]) -> Refusal {
    let near = similar(given, known.iter().copied());
    let help = match near.as_slice() {
        [] => format!("expected one of {}", quoted(known)),
        near => format!("did you mean {}?", quoted(near)),
    };
    invalid_option(message, Some(help))
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn invalid_option(message: String, help: Option<String>) -> Refusal {
    let problem = Diagnostic::error("invalid-option", Span::at(0), message);
    vec![Diagnostic { help, ..problem }]
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
        "object" => "an",
        _ => "a",
    };
    format!("{article} {name}")
}
