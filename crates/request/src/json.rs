//! Fields as JSON, in both directions.
//!
//! `{"ip.src": "192.0.2.1", "http.request.headers": {"x-a": ["b"]}, "cf.bot_management.score": 3}`:
//! each value has the JSON form of its field's type. Text that is not UTF-8 is `{"base64": "…"}`, and
//! `null` says that the request has no such value.

use crate::error::{Error, short};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use zonewright_diagnostic::similar;
use zonewright_expression::schema::{self, FIELDS};
use zonewright_expression::{Container, ListItem, Record, Scalar, Type, Value};

/// Gives the record the fields of a JSON object in text.
///
/// # Errors
/// When the text is no JSON object, a field is unknown, or a value is not of its field's type.
pub fn fields(text: &str, record: &mut Record) -> Result<(), Error> {
    crate::within(text.as_bytes(), crate::MOST_BYTES)?;
    let json: Json = serde_json::from_str(text).map_err(|error| Error::of_json(&error, text))?;
    match json {
        Json::Object(members) => set_fields(&members, record),
        other => Err(Error::new(format!("expected a JSON object of fields, found {}", found(&other)))),
    }
}

/// Gives the record the fields of a JSON object.
///
/// # Errors
/// When a field is unknown, or a value is not of its field's type; the fields before it are set.
pub fn set_fields(members: &Map<String, Json>, record: &mut Record) -> Result<(), Error> {
    members.iter().try_for_each(|(name, json)| set_field(name, json, record))
}

/// Gives the record one field; `null` says that the request has no value for it.
///
/// # Errors
/// When no field has the name, or the value is not of its type.
pub fn set_field(name: &str, json: &Json, record: &mut Record) -> Result<(), Error> {
    let field = known(name)?;
    if json.is_null() {
        return record.set_absent(field.name).map_err(|error| Error::about(name, error));
    }
    let value = read(field.ty, json, &mut Path::new(field.name))?;
    record.set(field.name, value).map_err(|error| Error::about(name, error))
}

/// Gives the record one field from bare text, as a command line has it: text, a number, an address,
/// `true` or `false` as they are, an array or a map as JSON.
///
/// # Errors
/// When no field has the name, or the text is no value of its type.
pub fn set_text(name: &str, text: &str, record: &mut Record) -> Result<(), Error> {
    let field = known(name)?;
    let json = match (field.ty.is_scalar(), field.ty.scalar) {
        (true, Scalar::String | Scalar::Bytes | Scalar::Ip) => Json::String(text.to_owned()),
        _ => serde_json::from_str(text).map_err(|_| {
            let found = format!("expected {}, found `{}`", expected(field.ty), short(text));
            Error::about(name, found).with_help(format!("for example {}", example(field.ty)))
        })?,
    };
    set_field(name, &json, record)
}

/// A value in its JSON form. A map's key that is not UTF-8 is written with replacement characters.
pub fn to_json(value: &Value) -> Json {
    match value {
        Value::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Json::from(text),
            Err(_) => json!({ "base64": BASE64_STANDARD.encode(bytes) }),
        },
        Value::Integer(number) => Json::from(*number),
        Value::Ip(address) => Json::from(address.to_string()),
        Value::Boolean(truth) => Json::from(*truth),
        Value::Array(elements) => elements.iter().map(to_json).collect(),
        Value::Map(elements) => {
            let member = |(key, value): (&Vec<u8>, &Value)| (String::from_utf8_lossy(key).into_owned(), to_json(value));
            Json::Object(elements.iter().map(member).collect())
        }
    }
}

/// The fields that a record gives, in their JSON form; `null` for one that is absent.
pub fn record_to_json(record: &Record) -> Map<String, Json> {
    record.fields().map(|(name, value)| (name.to_owned(), value.map_or(Json::Null, to_json))).collect()
}

/// The named lists that a record gives, as [`list_items`](crate::list_items) reads them.
pub fn lists_to_json(record: &Record) -> Map<String, Json> {
    let item = |item: &ListItem| match item {
        ListItem::Addresses(first, last) if first == last => Json::from(first.to_string()),
        ListItem::Addresses(first, last) => Json::from(format!("{first}..{last}")),
        ListItem::Hostname(name) => Json::from(String::from_utf8_lossy(name)),
        ListItem::Asn(number) => Json::from(*number),
    };
    record.lists().map(|(name, items)| (name.to_owned(), items.iter().map(item).collect())).collect()
}

/// Gives fields that have a former name beside the present one both, when one of them is given: so an
/// expression with either gives the same. Called last, before the record is used.
pub fn add_former_names(record: &mut Record) {
    let given: BTreeMap<&str, Option<Value>> = record.fields().map(|(name, value)| (name, value.cloned())).collect();
    for field in FIELDS {
        let Some(present) = field.deprecated.and_then(|deprecated| deprecated.replacement) else { continue };
        let (from, to) = match (given.get(field.name), given.get(present)) {
            (Some(value), None) => (value, present),
            (None, Some(value)) => (value, field.name),
            _ => continue,
        };
        let set = match from {
            Some(value) => record.set(to, value.clone()),
            None => record.set_absent(to),
        };
        debug_assert!(set.is_ok(), "{set:?}");
    }
}

fn known(name: &str) -> Result<&'static schema::Field, Error> {
    schema::field(name).ok_or_else(|| {
        let error =
            Error { field: Some(name.to_owned()), ..Error::new(format!("no field is named `{}`", short(name))) };
        match similar(name, FIELDS.iter().map(|field| field.name)).as_slice() {
            [] => error,
            names => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                error.with_help(format!("did you mean {}?", names.join(" or ")))
            }
        }
    })
}

/// Where in a field's value a part stands, as the language would write it.
struct Path {
    field: &'static str,
    steps: Vec<String>,
}

impl Path {
    fn new(field: &'static str) -> Self {
        Path { field, steps: Vec::new() }
    }

    fn inside<T>(&mut self, step: String, read: impl FnOnce(&mut Path) -> Result<T, Error>) -> Result<T, Error> {
        self.steps.push(step);
        let result = read(self);
        self.steps.pop();
        result
    }

    fn error(&self, message: String) -> Error {
        let place = format!("{}{}", self.field, self.steps.concat());
        Error { field: Some(self.field.to_owned()), ..Error::about(&place, message) }
    }
}

fn read(ty: Type, json: &Json, path: &mut Path) -> Result<Value, Error> {
    let wrong = |path: &Path| {
        let error = path.error(format!("expected {}, found {}", expected(ty), found(json)));
        let nested = json.is_object() && ty.container() != Some(Container::Map);
        if nested {
            error.with_help("a field's name is one member, with its dots: \"ip.src.country\"")
        } else {
            error.with_help(format!("for example {}", example(ty)))
        }
    };
    match (ty.container(), json) {
        (Some(Container::Array), Json::Array(elements)) => {
            let read = |(index, json)| path.inside(format!("[{index}]"), |path| read(ty.element(), json, path));
            elements.iter().enumerate().map(read).collect::<Result<_, _>>().map(Value::Array)
        }
        (Some(Container::Map), Json::Object(members)) => {
            let mut elements = BTreeMap::new();
            for (key, json) in members {
                let step = format!("[\"{}\"]", short(key));
                elements.insert(key.clone().into_bytes(), path.inside(step, |path| read(ty.element(), json, path))?);
            }
            Ok(Value::Map(elements))
        }
        (Some(_), _) => Err(wrong(path)),
        (None, json) => scalar(ty, json, path)?.ok_or_else(|| wrong(path)),
    }
}

/// `None` when the JSON has another form.
fn scalar(ty: Type, json: &Json, path: &Path) -> Result<Option<Value>, Error> {
    Ok(match (ty.scalar, json) {
        (Scalar::String | Scalar::Bytes, Json::String(text)) => Some(Value::Text(text.clone().into_bytes())),
        (Scalar::String | Scalar::Bytes, Json::Object(members)) => match (members.len(), members.get("base64")) {
            (1, Some(Json::String(text))) => match BASE64_STANDARD.decode(text) {
                Ok(bytes) => Some(Value::Text(bytes)),
                Err(error) => return Err(path.error(format!("not Base64: {}", error.to_string().to_lowercase()))),
            },
            _ => None,
        },
        (Scalar::Integer, Json::Number(number)) => number.as_i64().map(Value::Integer),
        (Scalar::Ip, Json::String(text)) => text.parse().ok().map(Value::Ip),
        (Scalar::Boolean, Json::Bool(truth)) => Some(Value::Boolean(*truth)),
        _ => None,
    })
}

fn expected(ty: Type) -> String {
    let one = match ty.scalar {
        Scalar::String | Scalar::Bytes => "text",
        Scalar::Integer => "an integer of 64 bits",
        Scalar::Ip => "an address",
        Scalar::Boolean => "true or false",
    };
    let many = match ty.scalar {
        Scalar::String | Scalar::Bytes => "texts",
        Scalar::Integer => "integers",
        Scalar::Ip => "addresses",
        Scalar::Boolean => "true and false",
    };
    let inner = ty.element();
    match (ty.container(), inner.container()) {
        (None, _) => one.to_owned(),
        (Some(Container::Array), None) => format!("an array of {many}"),
        (Some(Container::Map), None) => format!("an object of {many}"),
        (Some(Container::Array), Some(_)) => format!("an array of arrays of {many}"),
        (Some(Container::Map), Some(_)) => format!("an object of arrays of {many}"),
    }
}

fn example(ty: Type) -> String {
    let inner = || example(ty.element());
    match (ty.container(), ty.scalar) {
        (Some(Container::Array), _) => format!("[{}]", inner()),
        (Some(Container::Map), _) => format!("{{\"name\": {}}}", inner()),
        (None, Scalar::String | Scalar::Bytes) => "\"text\"".to_owned(),
        (None, Scalar::Integer) => "7".to_owned(),
        (None, Scalar::Ip) => "\"192.0.2.1\"".to_owned(),
        (None, Scalar::Boolean) => "true".to_owned(),
    }
}

pub(crate) fn found(json: &Json) -> String {
    match json {
        Json::Null => "null".to_owned(),
        Json::Bool(truth) => format!("`{truth}`"),
        Json::Number(number) => format!("the number `{}`", short(&number.to_string())),
        Json::String(text) => format!("the text `{}`", short(text)),
        Json::Array(_) => "an array".to_owned(),
        Json::Object(_) => "an object".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]
    use super::*;

    #[test]
    fn fields_go_in_and_come_out() {
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
        fields(&all.to_string(), &mut record).unwrap();
        assert_eq!(Json::Object(record_to_json(&record)), all);
        assert_eq!(record.get("http.cookie"), Some(&Value::Text(vec![0xff, 0])));
    }

    #[test]
    fn wrong_values_name_the_field() {
        let cases = [
            (r#"{"http.hots": "a"}"#, "no field is named `http.hots`"),
            (r#"{"ip.src": "192.0.2"}"#, "`ip.src`: expected an address, found the text `192.0.2`"),
            (r#"{"ip.src": {"country": "CH"}}"#, "`ip.src`: expected an address, found an object"),
            (r#"{"ssl": "true"}"#, "`ssl`: expected true or false, found the text `true`"),
            (r#"{"ssl": 1}"#, "`ssl`: expected true or false, found the number `1`"),
            (r#"{"ip.src.asnum": 1.5}"#, "`ip.src.asnum`: expected an integer of 64 bits, found the number `1.5`"),
            (
                r#"{"ip.src.asnum": 9223372036854775808}"#,
                "`ip.src.asnum`: expected an integer of 64 bits, found the number `9223372036854775808`",
            ),
            (
                r#"{"http.request.headers": {"a": "b"}}"#,
                "`http.request.headers[\"a\"]`: expected an array of texts, found the text `b`",
            ),
            (
                r#"{"http.request.headers": {"a": ["b", null]}}"#,
                "`http.request.headers[\"a\"][1]`: expected text, found null",
            ),
            (r#"{"http.request.headers": ["b"]}"#, "expected an object of arrays of texts, found an array"),
            (r#"{"http.host": {"base64": "%"}}"#, "`http.host`: not Base64: invalid symbol 37, offset 0"),
            (r#"{"http.host": {"base64": "", "b": 1}}"#, "`http.host`: expected text, found an object"),
            ("[]", "expected a JSON object of fields, found an array"),
            ("{", "not JSON: EOF while parsing an object"),
        ];
        for (text, expected) in cases {
            let error = fields(text, &mut Record::default()).unwrap_err();
            assert!(error.message.contains(expected), "{text}: {error}");
        }
        let error = fields(r#"{"http.hots": "a"}"#, &mut Record::default()).unwrap_err();
        assert_eq!(
            (error.field.unwrap(), error.help.unwrap()),
            ("http.hots".into(), "did you mean `http.host`?".into())
        );
        let deep = format!("{{\"http.host\": {}", "[".repeat(100_000));
        assert!(fields(&deep, &mut Record::default()).is_err());
    }

    #[test]
    fn former_names_are_the_same_fields() {
        let mut record = Record::default();
        let given = r#"{"ip.geoip.country": "CH", "ip.src": "192.0.2.1", "ip.src.asnum": null, "ip.geoip.asnum": 5}"#;
        fields(given, &mut record).unwrap();
        add_former_names(&mut record);
        let found = record_to_json(&record);
        assert_eq!((&found["ip.src.country"], &found["ip.addr"]), (&json!("CH"), &json!("192.0.2.1")));
        assert_eq!((&found["ip.src.asnum"], &found["ip.geoip.asnum"]), (&Json::Null, &json!(5)));
        let both = FIELDS.iter().filter_map(|field| Some((field, schema::field(field.deprecated?.replacement?)?)));
        for (former, present) in both {
            assert_eq!(former.ty, present.ty, "{}", former.name);
        }
    }

    #[test]
    fn bare_text_is_read_by_the_fields_type() {
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
            set_text(name, text, &mut record).unwrap();
            assert_eq!(record_to_json(&record).get(name), Some(&expected), "{name}={text}");
        }
        for (name, text) in [("ssl", "yes"), ("ip.src", ""), ("ip.src.asnum", "AS1"), ("http.request.headers", "a")] {
            assert!(set_text(name, text, &mut Record::default()).is_err(), "{name}={text}");
        }
    }
}
