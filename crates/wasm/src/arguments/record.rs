//! Reads records.

use super::{
    ArgumentErrors, MAX_SAFE_INTEGER, describe_type, excerpt, find_lone_surrogate, invalid_option_error, read_entries,
    read_enum_value, read_members, read_non_negative_integer, read_text,
};
use js_sys::{Array, JsString};
use serde_json::{Map, Value as Json};
use wasm_bindgen::{JsCast, JsValue};
use zonewright_api::json;
use zonewright_diagnostic::Diagnostic;
use zonewright_expression::{MissingPolicy, Record, schema};
use zonewright_request::RequestInput;

const MEMBERS: [&str; 5] = ["fields", "request", "missing", "lists", "seed"];
/// Maximum nesting of a value, deeper than the type of any field. The limit stops the conversion of cyclic objects.
const MAX_DEPTH: usize = 16;
/// Maximum number of values of all fields and lists. The limit stops the conversion of objects with shared parts, whose
/// JSON may be exponentially large.
const MAX_VALUES: usize = 1 << 20;

/// Reads a record. Returns it with notes about what was assumed or ignored in its request.
pub(crate) fn read_record(value: &JsValue) -> Result<(Record, Vec<String>), ArgumentErrors> {
    read_record_members(value).map_err(with_record_code)
}

/// Reads a record, or the text of a request.
pub(crate) fn read_request(value: &JsValue) -> Result<(Record, Vec<String>), ArgumentErrors> {
    if !value.is_string() {
        return read_record(value);
    }
    let mut record = Record::default();
    let notes = read_text(value, "the request").and_then(|request| {
        let request = json::strip_bom(&request);
        if let Some(duplicate_error) = json::parse(request).err().filter(|error| error.duplicate.is_some()) {
            let error = duplicate_error.to_validation_error();
            return Err(invalid_option_error(format!("{}: {}", error.pointer, error.message)));
        }
        let input = RequestInput { request: Some(request.as_bytes()), ..RequestInput::default() };
        write_input(input, &mut record)
    });
    Ok((record, notes.map_err(with_record_code)?))
}

/// Sets the code that all errors of records share.
fn with_record_code(errors: ArgumentErrors) -> ArgumentErrors {
    errors.into_iter().map(|error| Diagnostic { code: "invalid-record", ..error }).collect()
}

fn read_record_members(value: &JsValue) -> Result<(Record, Vec<String>), ArgumentErrors> {
    if value.is_undefined() || value.is_null() {
        return Err(invalid_option_error(format!("expected an object for the record, found {}", describe_type(value))));
    }
    let mut record = Record::default();
    let (mut fields, mut lists, mut request) = (Map::new(), Map::new(), None);
    let mut values_left = MAX_VALUES;
    read_members(value, "the record", &MEMBERS, |name, value| {
        let label = format!("`{name}` of the record");
        match name {
            "fields" => fields = read_json_object(value, &label, &mut values_left)?,
            "lists" => lists = read_json_object(value, &label, &mut values_left)?,
            "request" => request = Some(read_text(value, &label)?),
            "missing" => record.set_missing_policy(read_enum_value(
                &label,
                value,
                MissingPolicy::ALL.map(|policy| (policy.name(), policy)),
            )?),
            _ => record.set_seed(read_non_negative_integer(value, &label)?),
        }
        Ok(())
    })
    .map_err(|errors| with_fields_hint(value, errors))?;
    let request = request.as_deref().map(str::as_bytes);
    let input = RequestInput { fields: Some(&fields), lists: Some(&lists), request };
    let notes = write_input(input, &mut record)?;
    Ok((record, notes))
}

fn write_input(input: RequestInput<'_>, record: &mut Record) -> Result<Vec<String>, ArgumentErrors> {
    input.write_to(record).map_err(|error| {
        let errors = invalid_option_error(error.to_string()).into_iter();
        errors.map(|diagnostic| Diagnostic { help: error.help.clone(), ..diagnostic }).collect()
    })
}

/// Adds a hint if fields are members of the record itself, which is a likely mistake.
fn with_fields_hint(value: &JsValue, errors: ArgumentErrors) -> ArgumentErrors {
    let has_fields = read_entries(value, "").is_ok_and(|all| all.iter().any(|(name, _)| schema::field(name).is_some()));
    if !has_fields {
        return errors;
    }
    let hint = "put fields into the member `fields`: `{ fields: { \"http.host\": \"example.com\" } }`";
    errors.into_iter().map(|error| error.with_help(hint)).collect()
}

fn read_json_object(
    value: &JsValue,
    label: &str,
    values_left: &mut usize,
) -> Result<Map<String, Json>, ArgumentErrors> {
    let mut object = Map::new();
    for (name, value) in read_entries(value, label)? {
        // `undefined` means that the member was not passed, `null` that the request does not have the value.
        if !value.is_undefined() {
            let json = to_json(&value, 0, values_left)
                .map_err(|error| invalid_option_error(format!("`{}`: {error}", excerpt(&name))))?;
            object.insert(name, json);
        }
    }
    Ok(object)
}

/// Converts a plain value to JSON.
fn to_json(value: &JsValue, depth: usize, values_left: &mut usize) -> Result<Json, String> {
    if depth > MAX_DEPTH {
        return Err("nested too deeply".to_owned());
    }
    *values_left = values_left.checked_sub(1).ok_or("too many values")?;
    if value.is_null() {
        return Ok(Json::Null);
    }
    if let Some(flag) = value.as_bool() {
        return Ok(Json::Bool(flag));
    }
    if let Some(string) = value.dyn_ref::<JsString>() {
        let text = String::from(string);
        return match find_lone_surrogate(string, &text) {
            None => Ok(Json::String(text)),
            Some((_, message)) => Err(format!("the string is not valid Unicode: {message}")),
        };
    }
    if let Some(number) = value.as_f64() {
        return to_json_number(number);
    }
    if value.is_bigint() {
        let integer = i64::try_from(value.clone());
        return integer.map(Json::from).map_err(|_| "the integer does not fit in 64 bits".to_owned());
    }
    if Array::is_array(value) {
        return Array::from(value).iter().map(|item| to_json(&item, depth + 1, values_left)).collect();
    }
    let type_error = |_| format!("expected a plain value, found {}", describe_type(value));
    if value.is_undefined() {
        return Err("expected a plain value, found undefined".to_owned());
    }
    let mut members = Map::new();
    for (name, value) in read_entries(value, "").map_err(type_error)? {
        members.insert(name, to_json(&value, depth + 1, values_left)?);
    }
    Ok(Json::Object(members))
}

fn to_json_number(number: f64) -> Result<Json, String> {
    if number.fract() == 0.0 && number.abs() <= MAX_SAFE_INTEGER {
        return Ok(Json::from(number as i64));
    }
    if number.is_finite() && number.fract() == 0.0 {
        return Err(format!("`{number}` is not exact; use a BigInt"));
    }
    serde_json::Number::from_f64(number).map(Json::Number).ok_or_else(|| format!("`{number}` is not a valid number"))
}
