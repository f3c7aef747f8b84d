//! What is given of a request.

use super::{MAX_SAFE_INTEGER, Refusal, entries, lone_surrogate, members, one_of, shown, text, type_of, whole, wrong};
use js_sys::{Array, JsString};
use serde_json::{Map, Value as Json};
use wasm_bindgen::{JsCast, JsValue};
use zonewright_api::json;
use zonewright_diagnostic::Diagnostic;
use zonewright_expression::{Missing, Record, schema};
use zonewright_request::RequestInput;

const MEMBERS: [&str; 5] = ["fields", "request", "missing", "lists", "seed"];
/// Deeper than any value of a field; an object that holds itself gets here soon.
const MOST_DEPTH: usize = 16;
/// Most values of all fields and lists. Objects that hold the same one again and again get here.
const MOST_VALUES: usize = 1 << 20;

/// The record, and what was assumed of the request, one sentence each.
pub(crate) fn record(value: &JsValue) -> Result<(Record, Vec<String>), Refusal> {
    read(value).map_err(invalid)
}

/// A record, or only the text of a request.
pub(crate) fn request(value: &JsValue) -> Result<(Record, Vec<String>), Refusal> {
    if !value.is_string() {
        return record(value);
    }
    let mut record = Record::default();
    let notes = text(value, "the request").and_then(|request| {
        let request = json::without_mark(&request);
        if let Some(repeated) = json::read(request).err().filter(|error| error.repeated.is_some()) {
            let refusal = repeated.refusal();
            return Err(wrong(format!("{}: {}", refusal.pointer, refusal.message)));
        }
        let given = RequestInput { request: Some(request.as_bytes()), ..RequestInput::default() };
        written(given, &mut record)
    });
    Ok((record, notes.map_err(invalid)?))
}

fn invalid(refusal: Refusal) -> Refusal {
    refusal.into_iter().map(|problem| Diagnostic { code: "invalid-record", ..problem }).collect()
}

fn read(value: &JsValue) -> Result<(Record, Vec<String>), Refusal> {
    if value.is_undefined() || value.is_null() {
        return Err(wrong(format!("expected an object for the record, found {}", type_of(value))));
    }
    let mut record = Record::default();
    let (mut fields, mut lists, mut request) = (Map::new(), Map::new(), None);
    let mut left = MOST_VALUES;
    members(value, "the record", &MEMBERS, |name, value| {
        let what = format!("`{name}` of the record");
        match name {
            "fields" => fields = object(value, &what, &mut left)?,
            "lists" => lists = object(value, &what, &mut left)?,
            "request" => request = Some(text(value, &what)?),
            "missing" => record.set_missing(one_of(&what, value, Missing::ALL.map(|one| (one.name(), one)))?),
            _ => record.set_seed(whole(value, &what)?),
        }
        Ok(())
    })
    .map_err(|refusal| with_hint(value, refusal))?;
    let request = request.as_deref().map(str::as_bytes);
    let given = RequestInput { fields: Some(&fields), lists: Some(&lists), request };
    let notes = written(given, &mut record)?;
    Ok((record, notes))
}

fn written(given: RequestInput<'_>, record: &mut Record) -> Result<Vec<String>, Refusal> {
    given.write_to(record).map_err(|error| {
        let problems = wrong(error.to_string()).into_iter();
        problems.map(|problem| Diagnostic { help: error.help.clone(), ..problem }).collect()
    })
}

/// Fields that stand where their object should are a likely mistake.
fn with_hint(value: &JsValue, refusal: Refusal) -> Refusal {
    let has_fields = entries(value, "").is_ok_and(|all| all.iter().any(|(name, _)| schema::field(name).is_some()));
    if !has_fields {
        return refusal;
    }
    let hint = "fields stand in the member `fields`: `{ fields: { \"http.host\": \"example.com\" } }`";
    refusal.into_iter().map(|problem| problem.with_help(hint)).collect()
}

fn object(value: &JsValue, what: &str, left: &mut usize) -> Result<Map<String, Json>, Refusal> {
    let mut object = Map::new();
    for (name, value) in entries(value, what)? {
        // A member without a value is a member that was not given; `null` is a value that is missing.
        if !value.is_undefined() {
            let read = json(&value, 0, left).map_err(|why| wrong(format!("`{}`: {why}", shown(&name))))?;
            object.insert(name, read);
        }
    }
    Ok(object)
}

/// A plain value as JSON, or why it is none.
fn json(value: &JsValue, depth: usize, left: &mut usize) -> Result<Json, String> {
    if depth > MOST_DEPTH {
        return Err("it is nested too deep".to_owned());
    }
    *left = left.checked_sub(1).ok_or("with it, there are too many values")?;
    if value.is_null() {
        return Ok(Json::Null);
    }
    if let Some(flag) = value.as_bool() {
        return Ok(Json::Bool(flag));
    }
    if let Some(string) = value.dyn_ref::<JsString>() {
        let text = String::from(string);
        return match lone_surrogate(string, &text) {
            None => Ok(Json::String(text)),
            Some((_, message)) => Err(format!("the text is not Unicode: {message}")),
        };
    }
    if let Some(number) = value.as_f64() {
        return of_number(number);
    }
    if value.is_bigint() {
        let integer = i64::try_from(value.clone());
        return integer.map(Json::from).map_err(|_| "the integer has more than 64 bits".to_owned());
    }
    if Array::is_array(value) {
        return Array::from(value).iter().map(|one| json(&one, depth + 1, left)).collect();
    }
    let unreadable = |_| format!("expected a plain value, found {}", type_of(value));
    if value.is_undefined() {
        return Err("expected a plain value, found undefined".to_owned());
    }
    let mut members = Map::new();
    for (name, value) in entries(value, "").map_err(unreadable)? {
        members.insert(name, json(&value, depth + 1, left)?);
    }
    Ok(Json::Object(members))
}

fn of_number(number: f64) -> Result<Json, String> {
    if number.fract() == 0.0 && number.abs() <= MAX_SAFE_INTEGER {
        return Ok(Json::from(number as i64));
    }
    if number.is_finite() && number.fract() == 0.0 {
        return Err(format!("`{number}` is not exact: write a BigInt"));
    }
    serde_json::Number::from_f64(number).map(Json::Number).ok_or_else(|| format!("`{number}` is no value"))
}
