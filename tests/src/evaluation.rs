//! Records of case files, and the results of expressions for them.

use serde_json::{Map, Value as Json, json};
use std::net::IpAddr;
use zonewright_expression::{ListItem, MissingPolicy, Options, Outcome, Record, Type, Value, check, schema};

/// Reads `{"http.host": "a", "ssl": null, "$office": ["10.0.0.0/8"]}`; the block options may contain
/// `missing=absent`. Bytes that are not UTF-8 are `{"hex": "ff00"}`; `null` marks a value as missing.
///
/// # Errors
///
/// Names the option or member that is invalid.
pub fn read_record(options: &str, text: &str) -> Result<Record, String> {
    let mut record = Record::default();
    for option in options.split_whitespace() {
        let missing = option.strip_prefix("missing=").and_then(MissingPolicy::from_name);
        record.set_missing_policy(missing.ok_or_else(|| format!("`{option}` is not an option"))?);
    }
    let members: Map<String, Json> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    for (name, json) in &members {
        if let Some(list) = name.strip_prefix('$') {
            let items = json.as_array().and_then(|items| items.iter().map(item).collect());
            record.set_list(list, items.ok_or_else(|| format!("`{name}` is not a list"))?);
            continue;
        }
        let field = schema::field(name).ok_or_else(|| format!("unknown field `{name}`"))?;
        let set = match json {
            Json::Null => record.set_absent(name),
            json => {
                record.set(name, value(json, field.ty).ok_or_else(|| format!("`{name}` must be of type {}", field.ty))?)
            }
        };
        set.map_err(|error| error.to_string())?;
    }
    Ok(record)
}

fn value(json: &Json, ty: Type) -> Option<Value> {
    Some(match json {
        Json::String(text) if ty == Type::IP => Value::Ip(text.parse().ok()?),
        Json::String(text) => Value::Text(text.clone().into_bytes()),
        Json::Number(number) => Value::Integer(number.as_i64()?),
        Json::Bool(flag) => Value::Boolean(*flag),
        Json::Array(elements) => {
            Value::Array(elements.iter().map(|json| value(json, ty.element())).collect::<Option<_>>()?)
        }
        Json::Object(members) if ty.is_text() => Value::Text(decode_hex(members.get("hex")?.as_str()?)?),
        Json::Object(members) => {
            let member = |(name, json): (&String, &Json)| Some((name.clone().into_bytes(), value(json, ty.element())?));
            Value::Map(members.iter().map(member).collect::<Option<_>>()?)
        }
        Json::Null => return None,
    })
}

fn item(json: &Json) -> Option<ListItem> {
    let Some(text) = json.as_str() else { return json.as_i64().map(ListItem::Asn) };
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (first.parse::<IpAddr>(), last.parse()) {
        (Ok(first), Ok(last)) => Some(ListItem::Addresses(first, last)),
        _ => Some(ListItem::Hostname(text.as_bytes().to_vec())),
    }
}

fn decode_hex(text: &str) -> Option<Vec<u8>> {
    (0..text.len()).step_by(2).map(|index| u8::from_str_radix(text.get(index..index + 2)?, 16).ok()).collect()
}

/// Evaluates an expression: `true`, `false`, `unknown` with the deciding fields, `absent`, or a value as JSON.
pub fn evaluate(source: &str, options: &Options, record: &Record) -> String {
    let checked = check(source, options);
    let Some(program) = checked.program else {
        let messages: Vec<_> = checked.diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect();
        return format!("rejected: {}", messages.join(", "));
    };
    match program.evaluate(record) {
        Outcome::True => "true".to_owned(),
        Outcome::False => "false".to_owned(),
        Outcome::Unknown { fields } => format!("unknown {}", fields.join(" ")),
        Outcome::Absent => "absent".to_owned(),
        Outcome::Value(value) => value_to_json(&value).to_string(),
    }
}

fn value_to_json(value: &Value) -> Json {
    match value {
        Value::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => json!(text),
            Err(_) => json!({ "hex": bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>() }),
        },
        Value::Integer(integer) => json!(integer),
        Value::Ip(address) => json!(address.to_string()),
        Value::Boolean(flag) => json!(flag),
        Value::Array(elements) => elements.iter().map(value_to_json).collect(),
        Value::Map(members) => members
            .iter()
            .map(|(name, value)| (String::from_utf8_lossy(name).into_owned(), value_to_json(value)))
            .collect(),
    }
}
