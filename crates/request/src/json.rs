//! Converts field values from and to JSON.
//!
//! `{"ip.src": "192.0.2.1", "http.request.headers": {"x-a": ["b"]}, "cf.bot_management.score": 3}`:
//! each value has the JSON type that corresponds to the type of its field. A string that is not UTF-8 is
//! `{"base64": "…"}`. `null` means that the request does not have the value.

use crate::error::{Error, shorten};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use zonewright_diagnostic::find_similar;
use zonewright_expression::schema::{self, FIELDS};
use zonewright_expression::{Container, ListItem, Record, Scalar, Type, Value};

/// Parses a JSON object and sets its fields.
///
/// # Errors
/// Returns an error if the text is not a JSON object, a field is unknown, or a value has the wrong type.
pub fn parse_fields(text: &str, record: &mut Record) -> Result<(), Error> {
    crate::check_size(text.as_bytes(), crate::MAX_INPUT_BYTES)?;
    let json: Json = serde_json::from_str(text).map_err(|error| Error::from_json(&error, text))?;
    match json {
        Json::Object(members) => set_fields(&members, record),
        other => Err(Error::new(format!("expected a JSON object of fields, found {}", describe_json(&other)))),
    }
}

/// Sets the fields of a JSON object.
///
/// # Errors
/// Returns an error if a field is unknown or a value has the wrong type. The fields before it are set.
pub fn set_fields(members: &Map<String, Json>, record: &mut Record) -> Result<(), Error> {
    members.iter().try_for_each(|(name, json)| set_field(name, json, record))
}

/// Sets one field; `null` marks it as missing.
///
/// # Errors
/// Returns an error if the field is unknown or the value has the wrong type.
pub fn set_field(name: &str, json: &Json, record: &mut Record) -> Result<(), Error> {
    let field = find_field(name)?;
    if json.is_null() {
        return record.set_absent(field.name).map_err(|error| Error::for_field(name, error));
    }
    let value = parse_value(field.ty, json, &mut ValuePath::new(field.name))?;
    record.set(field.name, value).map_err(|error| Error::for_field(name, error))
}

/// Sets one field from plain text, such as a command-line argument. Strings and IP addresses are unquoted; all
/// other values are JSON.
///
/// # Errors
/// Returns an error if the field is unknown or the text is not a value of its type.
pub fn set_field_from_text(name: &str, text: &str, record: &mut Record) -> Result<(), Error> {
    let field = find_field(name)?;
    let json = match (field.ty.is_scalar(), field.ty.scalar) {
        (true, Scalar::String | Scalar::Bytes | Scalar::Ip) => Json::String(text.to_owned()),
        _ => serde_json::from_str(text).map_err(|_| {
            let message = format!("expected {}, found `{}`", describe_type(field.ty), shorten(text));
            Error::for_field(name, message).with_help(format!("for example {}", example_value(field.ty)))
        })?,
    };
    set_field(name, &json, record)
}

/// Converts a value to JSON. A map key that is not UTF-8 is written with replacement characters.
pub fn value_to_json(value: &Value) -> Json {
    match value {
        Value::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Json::from(text),
            Err(_) => json!({ "base64": BASE64_STANDARD.encode(bytes) }),
        },
        Value::Integer(number) => Json::from(*number),
        Value::Ip(address) => Json::from(address.to_string()),
        Value::Boolean(truth) => Json::from(*truth),
        Value::Array(elements) => elements.iter().map(value_to_json).collect(),
        Value::Map(elements) => {
            let member =
                |(key, value): (&Vec<u8>, &Value)| (String::from_utf8_lossy(key).into_owned(), value_to_json(value));
            Json::Object(elements.iter().map(member).collect())
        }
    }
}

/// Converts the fields of a record to JSON; a missing field is `null`.
pub fn record_to_json(record: &Record) -> Map<String, Json> {
    record.fields().map(|(name, value)| (name.to_owned(), value.map_or(Json::Null, value_to_json))).collect()
}

/// Converts the named lists of a record to the JSON that [`parse_lists`](crate::parse_lists) reads.
pub fn lists_to_json(record: &Record) -> Map<String, Json> {
    let item = |item: &ListItem| match item {
        ListItem::Addresses(first, last) if first == last => Json::from(first.to_string()),
        ListItem::Addresses(first, last) => Json::from(format!("{first}..{last}")),
        ListItem::Hostname(name) => Json::from(String::from_utf8_lossy(name)),
        ListItem::Asn(number) => Json::from(*number),
    };
    record.lists().map(|(name, items)| (name.to_owned(), items.iter().map(item).collect())).collect()
}

/// Copies every field with a deprecated name to its current name, and the reverse, so that expressions may use
/// either name. Call it last, before the record is used.
pub fn add_deprecated_names(record: &mut Record) {
    let existing: BTreeMap<&str, Option<Value>> = record.fields().map(|(name, value)| (name, value.cloned())).collect();
    for field in FIELDS {
        let Some(current) = field.deprecated.and_then(|deprecated| deprecated.replacement) else { continue };
        let (value, name) = match (existing.get(field.name), existing.get(current)) {
            (Some(value), None) => (value, current),
            (None, Some(value)) => (value, field.name),
            _ => continue,
        };
        let result = match value {
            Some(value) => record.set(name, value.clone()),
            None => record.set_absent(name),
        };
        debug_assert!(result.is_ok(), "{result:?}");
    }
}

fn find_field(name: &str) -> Result<&'static schema::Field, Error> {
    schema::field(name).ok_or_else(|| {
        let error = Error { field: Some(name.to_owned()), ..Error::new(format!("unknown field `{}`", shorten(name))) };
        match find_similar(name, FIELDS.iter().map(|field| field.name)).as_slice() {
            [] => error,
            names => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                error.with_help(format!("did you mean {}?", names.join(" or ")))
            }
        }
    })
}

/// The path to a part of a field's value, in the syntax of expressions.
struct ValuePath {
    field: &'static str,
    /// Indexes such as `[0]` or `["name"]`.
    segments: Vec<String>,
}

impl ValuePath {
    fn new(field: &'static str) -> Self {
        ValuePath { field, segments: Vec::new() }
    }

    /// Calls a function with the path extended by one segment.
    fn enter<T>(
        &mut self,
        segment: String,
        parse: impl FnOnce(&mut ValuePath) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.segments.push(segment);
        let result = parse(self);
        self.segments.pop();
        result
    }

    fn error(&self, message: String) -> Error {
        let path = format!("{}{}", self.field, self.segments.concat());
        Error { field: Some(self.field.to_owned()), ..Error::for_field(&path, message) }
    }
}

fn parse_value(ty: Type, json: &Json, path: &mut ValuePath) -> Result<Value, Error> {
    let type_mismatch = |path: &ValuePath| {
        let error = path.error(format!("expected {}, found {}", describe_type(ty), describe_json(json)));
        let is_nested_name = json.is_object() && ty.container() != Some(Container::Map);
        if is_nested_name {
            error.with_help("write the field name as one key, including its dots: \"ip.src.country\"")
        } else {
            error.with_help(format!("for example {}", example_value(ty)))
        }
    };
    match (ty.container(), json) {
        (Some(Container::Array), Json::Array(elements)) => {
            let parse = |(index, json)| path.enter(format!("[{index}]"), |path| parse_value(ty.element(), json, path));
            elements.iter().enumerate().map(parse).collect::<Result<_, _>>().map(Value::Array)
        }
        (Some(Container::Map), Json::Object(members)) => {
            let mut elements = BTreeMap::new();
            for (key, json) in members {
                let segment = format!("[\"{}\"]", shorten(key));
                let value = path.enter(segment, |path| parse_value(ty.element(), json, path))?;
                elements.insert(key.clone().into_bytes(), value);
            }
            Ok(Value::Map(elements))
        }
        (Some(_), _) => Err(type_mismatch(path)),
        (None, json) => parse_scalar(ty, json, path)?.ok_or_else(|| type_mismatch(path)),
    }
}

/// Parses a scalar value. Returns `None` if the JSON value has another type.
fn parse_scalar(ty: Type, json: &Json, path: &ValuePath) -> Result<Option<Value>, Error> {
    Ok(match (ty.scalar, json) {
        (Scalar::String | Scalar::Bytes, Json::String(text)) => Some(Value::Text(text.clone().into_bytes())),
        (Scalar::String | Scalar::Bytes, Json::Object(members)) => match (members.len(), members.get("base64")) {
            (1, Some(Json::String(text))) => match BASE64_STANDARD.decode(text) {
                Ok(bytes) => Some(Value::Text(bytes)),
                Err(error) => return Err(path.error(format!("invalid Base64: {}", error.to_string().to_lowercase()))),
            },
            _ => None,
        },
        (Scalar::Integer, Json::Number(number)) => number.as_i64().map(Value::Integer),
        (Scalar::Ip, Json::String(text)) => text.parse().ok().map(Value::Ip),
        (Scalar::Boolean, Json::Bool(truth)) => Some(Value::Boolean(*truth)),
        _ => None,
    })
}

fn describe_type(ty: Type) -> String {
    let singular = match ty.scalar {
        Scalar::String | Scalar::Bytes => "a string",
        Scalar::Integer => "a 64-bit integer",
        Scalar::Ip => "an IP address",
        Scalar::Boolean => "true or false",
    };
    let plural = match ty.scalar {
        Scalar::String | Scalar::Bytes => "strings",
        Scalar::Integer => "integers",
        Scalar::Ip => "IP addresses",
        Scalar::Boolean => "Booleans",
    };
    let inner = ty.element();
    match (ty.container(), inner.container()) {
        (None, _) => singular.to_owned(),
        (Some(Container::Array), None) => format!("an array of {plural}"),
        (Some(Container::Map), None) => format!("an object of {plural}"),
        (Some(Container::Array), Some(_)) => format!("an array of arrays of {plural}"),
        (Some(Container::Map), Some(_)) => format!("an object of arrays of {plural}"),
    }
}

fn example_value(ty: Type) -> String {
    let inner = || example_value(ty.element());
    match (ty.container(), ty.scalar) {
        (Some(Container::Array), _) => format!("[{}]", inner()),
        (Some(Container::Map), _) => format!("{{\"name\": {}}}", inner()),
        (None, Scalar::String | Scalar::Bytes) => "\"text\"".to_owned(),
        (None, Scalar::Integer) => "7".to_owned(),
        (None, Scalar::Ip) => "\"192.0.2.1\"".to_owned(),
        (None, Scalar::Boolean) => "true".to_owned(),
    }
}

pub(crate) fn describe_json(json: &Json) -> String {
    match json {
        Json::Null => "null".to_owned(),
        Json::Bool(truth) => format!("`{truth}`"),
        Json::Number(number) => format!("the number `{}`", shorten(&number.to_string())),
        Json::String(text) => format!("the string `{}`", shorten(text)),
        Json::Array(_) => "an array".to_owned(),
        Json::Object(_) => "an object".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]
    use super::*;

    #[test]
    fn fields_round_trip_through_json() {
        let all = json!({
            "cf.bot_management.detection_ids": [1, -2],
            "cf.bot_management.score": 9_223_372_036_854_775_807_i64,
            "http.cookie": {"base64": "/wA="},
            "http.host": "é.example",
            "http.request.body.multipart.names": [["a"], []],
            "http.request.headers": {"x-a": ["b", {"base64": "gA=="}], "x-b": []},
            "ip.src": "2001:db8::1",
            "http.referer": null,
            "ssl": true,
        });
        let mut record = Record::default();
        parse_fields(&all.to_string(), &mut record).unwrap();
        assert_eq!(Json::Object(record_to_json(&record)), all);
        assert_eq!(record.get("http.cookie"), Some(&Value::Text(vec![0xff, 0])));
    }

    #[test]
    fn invalid_values_name_the_field() {
        let cases = [
            (r#"{"http.hots": "a"}"#, "unknown field `http.hots`"),
            (r#"{"ip.src": "192.0.2"}"#, "`ip.src`: expected an IP address, found the string `192.0.2`"),
            (r#"{"ip.src": {"country": "CH"}}"#, "`ip.src`: expected an IP address, found an object"),
            (r#"{"ssl": "true"}"#, "`ssl`: expected true or false, found the string `true`"),
            (r#"{"ssl": 1}"#, "`ssl`: expected true or false, found the number `1`"),
            (r#"{"ip.src.asnum": 1.5}"#, "`ip.src.asnum`: expected a 64-bit integer, found the number `1.5`"),
            (
                r#"{"ip.src.asnum": 9223372036854775808}"#,
                "`ip.src.asnum`: expected a 64-bit integer, found the number `9223372036854775808`",
            ),
            (
                r#"{"http.request.headers": {"a": "b"}}"#,
                "`http.request.headers[\"a\"]`: expected an array of strings, found the string `b`",
            ),
            (
                r#"{"http.request.headers": {"a": ["b", null]}}"#,
                "`http.request.headers[\"a\"][1]`: expected a string, found null",
            ),
            (r#"{"http.request.headers": ["b"]}"#, "expected an object of arrays of strings, found an array"),
            (r#"{"http.host": {"base64": "%"}}"#, "`http.host`: invalid Base64: invalid symbol 37, offset 0"),
            (r#"{"http.host": {"base64": "", "b": 1}}"#, "`http.host`: expected a string, found an object"),
            ("[]", "expected a JSON object of fields, found an array"),
            ("{", "invalid JSON: EOF while parsing an object"),
        ];
        for (text, expected) in cases {
            let error = parse_fields(text, &mut Record::default()).unwrap_err();
            assert!(error.message.contains(expected), "{text}: {error}");
        }
        let error = parse_fields(r#"{"http.hots": "a"}"#, &mut Record::default()).unwrap_err();
        assert_eq!(
            (error.field.unwrap(), error.help.unwrap()),
            ("http.hots".into(), "did you mean `http.host`?".into())
        );
        let deep = format!("{{\"http.host\": {}", "[".repeat(100_000));
        assert!(parse_fields(&deep, &mut Record::default()).is_err());
    }

    #[test]
    fn deprecated_and_current_names_are_set_together() {
        let mut record = Record::default();
        let json = r#"{"ip.geoip.country": "CH", "ip.src": "192.0.2.1", "ip.src.asnum": null, "ip.geoip.asnum": 5}"#;
        parse_fields(json, &mut record).unwrap();
        add_deprecated_names(&mut record);
        let found = record_to_json(&record);
        assert_eq!((&found["ip.src.country"], &found["ip.addr"]), (&json!("CH"), &json!("192.0.2.1")));
        assert_eq!((&found["ip.src.asnum"], &found["ip.geoip.asnum"]), (&Json::Null, &json!(5)));
        let both = FIELDS.iter().filter_map(|field| Some((field, schema::field(field.deprecated?.replacement?)?)));
        for (deprecated, current) in both {
            assert_eq!(deprecated.ty, current.ty, "{}", deprecated.name);
        }
    }

    #[test]
    fn plain_text_is_parsed_according_to_field_type() {
        let cases = [
            ("http.host", "null", json!("null")),
            ("ip.src", "192.0.2.1", json!("192.0.2.1")),
            ("ssl", "false", json!(false)),
            ("ip.src.asnum", "64496", json!(64496)),
            ("http.request.headers", "{\"a\": [\"b\"]}", json!({"a": ["b"]})),
            ("http.request.headers.names", "null", Json::Null),
        ];
        for (name, text, expected) in cases {
            let mut record = Record::default();
            set_field_from_text(name, text, &mut record).unwrap();
            assert_eq!(record_to_json(&record).get(name), Some(&expected), "{name}={text}");
        }
        for (name, text) in [("ssl", "yes"), ("ip.src", ""), ("ip.src.asnum", "AS1"), ("http.request.headers", "a")] {
            assert!(set_field_from_text(name, text, &mut Record::default()).is_err(), "{name}={text}");
        }
    }
}
