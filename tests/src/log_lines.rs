//! Random log lines and filters, and a second evaluator of filters that follows only the documented rules.

#![allow(clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "tests may panic")]

use crate::generate::Choices;
use serde_json::{Map, Value, json};
use std::cmp::Ordering;

/// Fields of `http_requests` with their types in the dataset.
const FIELDS: [(&str, &str); 13] = [
    ("ClientRequestHost", "string"),
    ("ClientRequestPath", "string"),
    ("ClientCountry", "string"),
    ("BotScore", "int"),
    ("EdgeResponseStatus", "int"),
    ("ClientASN", "int"),
    ("EdgeResponseCompressionRatio", "float"),
    ("CacheTieredFill", "bool"),
    ("CacheReserveUsed", "bool"),
    ("BotTags", "strings"),
    ("BotDetectionIDs", "ints"),
    ("EdgeStartTimestamp", "time"),
    ("EdgeEndTimestamp", "time"),
];

/// Texts that are read as other texts unless they are escaped correctly.
pub const TEXTS: [&str; 32] = [
    "",
    "a",
    "A",
    "ab",
    "a%b",
    "a_b",
    "a%",
    "%",
    "_",
    "100%",
    "é",
    "É",
    "e\u{301}",
    "日本",
    "😀",
    "it's",
    "''",
    "\"q\"",
    "back\\slash",
    "\\",
    "\\'",
    "${jndi:ldap}",
    "${env:HOME}",
    "line\nbreak",
    "tab\t",
    " ",
    "a ",
    "--",
    "'; DROP TABLE logs; --",
    "`a`",
    "null",
    "\u{1}",
];
const INTEGERS: [i64; 10] = [0, 1, -1, 29, 30, 31, 200, 404, 9_007_199_254_740_993, i64::MAX];
const FLOATS: [f64; 7] = [0.0, -0.0, 0.5, -0.5, 1.0, 2.5, 1e21];
const TIMES: [i64; 6] = [0, 1_700_000_000, 1_700_000_000_000_000_000, 1_700_000_001, 1_600_000_000_500_000_000, -1];

fn pick<T: Copy>(choices: &mut Choices, values: &[T]) -> T {
    values[choices.index_below(values.len())]
}

fn value(choices: &mut Choices, ty: &str) -> Value {
    let mut many = |make: fn(&mut Choices) -> Value| (0..choices.index_below(4)).map(|_| make(choices)).collect();
    match ty {
        "string" => json!(pick(choices, &TEXTS)),
        "int" => json!(pick(choices, &INTEGERS)),
        "float" => json!(pick(choices, &FLOATS)),
        "bool" => json!(choices.index_below(2) == 0),
        "strings" => many(|choices| json!(pick(choices, &TEXTS))),
        "ints" => many(|choices| json!(pick(choices, &INTEGERS))),
        _ => json!(pick(choices, &TIMES)),
    }
}

/// A line in which some fields are missing or `null`; with `malformed`, some have another type.
pub fn line(choices: &mut Choices, id: usize, malformed: bool) -> String {
    let mut members = vec![format!("\"RayID\":\"{id}\"")];
    for (name, ty) in FIELDS {
        let value = match choices.index_below(8) {
            0 => continue,
            1 => Value::Null,
            2 if malformed => {
                let (_, other) = pick(choices, &FIELDS);
                value(choices, other)
            }
            _ => value(choices, ty),
        };
        let mut text = value.to_string();
        if choices.index_below(3) == 0 && value.is_string() {
            text = escape_all(&text);
        }
        members.push(format!("\"{name}\" : {text}"));
        if choices.index_below(9) == 0 {
            members.push(r#""Cookies":{"a":[{},"}"],"ClientCountry":"a"}"#.to_owned());
        }
    }
    let index = choices.index_below(members.len());
    members.swap(0, index);
    format!("{{{}}}", members.join(","))
}

/// A JSON string in which letters are escaped although they need no escape.
fn escape_all(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii() && !c.is_ascii_alphabetic() || "btnrfu\\".contains(c);
    if text.contains('\\') {
        return text.to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        let mut units = [0; 2];
        match c {
            c if is_plain(c) => out.push(c),
            c => c.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}"))),
        }
    }
    out
}

/// A filter that the dataset allows, with a maximum depth.
pub fn filter(choices: &mut Choices, depth: usize) -> Value {
    json!({ "where": node(choices, depth) })
}

fn node(choices: &mut Choices, depth: usize) -> Value {
    if depth == 0 || choices.index_below(3) == 0 {
        return condition(choices);
    }
    let nodes: Vec<_> = (0..=choices.index_below(3)).map(|_| node(choices, depth - 1)).collect();
    if choices.index_below(2) == 0 { json!({ "and": nodes }) } else { json!({ "or": nodes }) }
}

fn condition(choices: &mut Choices) -> Value {
    let (key, ty) = FIELDS[choices.index_below(FIELDS.len())];
    let operators: &[&str] = match ty {
        "string" => {
            &["eq", "!eq", "startsWith", "!startsWith", "endsWith", "!endsWith", "contains", "!contains", "in", "!in"]
        }
        "bool" => &["eq", "!eq"],
        "strings" | "ints" => &["contains", "!contains"],
        _ => &["eq", "!eq", "lt", "leq", "gt", "geq", "in", "!in"],
    };
    let operator = pick(choices, operators);
    let mut operand = || match ty {
        "strings" => value(choices, "string"),
        "ints" => value(choices, "int"),
        ty => value(choices, ty),
    };
    let value = match operator {
        "in" | "!in" => json!([operand(), operand(), operand()]),
        _ => operand(),
    };
    json!({ "key": key, "operator": operator, "value": value })
}

/// Whether a filter keeps a line; `None` when the line is invalid.
pub fn keeps(filter: &Value, line: &str) -> Option<bool> {
    let line: Map<String, Value> = serde_json::from_str(line).ok()?;
    has_valid_types(&filter["where"], &line).then(|| holds(&filter["where"], &line))
}

fn branches(node: &Value) -> Option<(&Vec<Value>, bool)> {
    let part = |name, all| Some((node.get(name)?.as_array()?, all));
    part("and", true).or_else(|| part("or", false))
}

fn has_valid_types(node: &Value, line: &Map<String, Value>) -> bool {
    if let Some((nodes, _)) = branches(node) {
        return nodes.iter().all(|node| has_valid_types(node, line));
    }
    let value = node["key"].as_str().and_then(|key| line.get(key)).unwrap_or(&Value::Null);
    let all = |is: fn(&Value) -> bool| value.as_array().is_some_and(|elements| elements.iter().all(is));
    value.is_null()
        || match field_type(node) {
            "string" => value.is_string(),
            "bool" => value.is_boolean(),
            "strings" => all(Value::is_string),
            "ints" => all(Value::is_number),
            // Of the generated texts, only the empty one is a timestamp.
            "time" => value.is_number() || value == "",
            _ => value.is_number(),
        }
}

fn field_type(node: &Value) -> &'static str {
    FIELDS.iter().find(|(name, _)| node["key"] == *name).map_or("", |(_, ty)| ty)
}

fn holds(node: &Value, line: &Map<String, Value>) -> bool {
    if let Some((nodes, all)) = branches(node) {
        let mut results = nodes.iter().map(|node| holds(node, line));
        return if all { results.all(|is_match| is_match) } else { results.any(|is_match| is_match) };
    }
    let zero = match field_type(node) {
        "string" => json!(""),
        "bool" => json!(false),
        "strings" | "ints" => json!([]),
        _ => json!(0),
    };
    let value = node["key"].as_str().and_then(|key| line.get(key)).filter(|value| !value.is_null()).unwrap_or(&zero);
    let value = if field_type(node) == "time" && value == "" { &zero } else { value };
    let (operator, operand) = (node["operator"].as_str().unwrap_or_default(), &node["value"]);
    let order = |operand: &Value| compare(field_type(node), value, operand);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let is_match = match operator.trim_start_matches('!') {
        "eq" => order(operand) == Ordering::Equal,
        "lt" => order(operand) == Ordering::Less,
        "leq" => order(operand) != Ordering::Greater,
        "gt" => order(operand) == Ordering::Greater,
        "geq" => order(operand) != Ordering::Less,
        "in" => operand.as_array().is_some_and(|items| items.iter().any(|item| order(item) == Ordering::Equal)),
        "startsWith" => text(value).starts_with(&text(operand)),
        "endsWith" => text(value).ends_with(&text(operand)),
        _ => match value.as_array() {
            Some(elements) => elements.iter().any(|element| compare("", element, operand) == Ordering::Equal),
            None => text(value).contains(&text(operand)),
        },
    };
    is_match != operator.starts_with('!')
}

fn compare(ty: &str, left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::String(left), Value::String(right)) => left.as_bytes().cmp(right.as_bytes()),
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        _ => match (to_integer(ty, left), to_integer(ty, right)) {
            (Some(left), Some(right)) => left.cmp(&right),
            _ => left.as_f64().partial_cmp(&right.as_f64()).unwrap_or(Ordering::Less),
        },
    }
}

/// An integer; a timestamp in nanoseconds.
fn to_integer(ty: &str, value: &Value) -> Option<i128> {
    let integer = value.as_i64().map(i128::from).or(value.as_u64().map(i128::from));
    match ty {
        "time" => integer
            .map(|integer| if integer.abs() < 1_000_000_000_000 { integer * 1_000_000_000 } else { integer })
            .or_else(|| value.as_f64().map(|seconds| (seconds * 1e9) as i128)),
        _ => integer,
    }
}
