//! Reads typed objects from JSON and describes the first error without the names of Rust types.
//!
//! Start with [`read_object`].

use crate::describe_value;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Reads an object.
///
/// # Errors
///
/// Returns a message about the first error. It names the invalid or missing member, if the value is an object.
pub fn read_object<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    // Serde would read an array as the members of an object in order.
    let Value::Object(members) = value else {
        return Err(format!("must be an object, not {}", describe_value(value)));
    };
    T::deserialize(value).map_err(|error| {
        let reason = error.to_string();
        match find_invalid_member::<T>(members, &reason) {
            Some((name, value)) => describe_member_error(name, value, &reason),
            None => describe_reason(&reason),
        }
    })
}

/// Returns the member that causes an error; `None` if a member is missing.
fn find_invalid_member<'a, T: DeserializeOwned>(
    members: &'a Map<String, Value>,
    reason: &str,
) -> Option<(&'a str, &'a Value)> {
    let fails_alike = |members: &Map<String, Value>| {
        T::deserialize(&Value::Object(members.clone()))
            .is_err_and(|error: serde_json::Error| error.to_string() == reason)
    };
    if let Some(name) = missing_name(reason).filter(|name| !members.contains_key(*name)) {
        let mut completed = members.clone();
        completed.insert(name.to_owned(), Value::Null);
        if !fails_alike(&completed) {
            return None;
        }
    }
    // Serde reports the first invalid member, so the error occurs as soon as that member is added.
    let mut prefix = Map::new();
    members.iter().map(|(name, value)| (name.as_str(), value)).find(|(name, value)| {
        prefix.insert((*name).to_owned(), (*value).clone());
        fails_alike(&prefix)
    })
}

fn missing_name(reason: &str) -> Option<&str> {
    reason.strip_prefix("missing field `")?.strip_suffix('`')
}

/// Describes an error in the value of a member, or in a value nested in it.
fn describe_member_error(name: &str, value: &Value, reason: &str) -> String {
    let is_nested = match value {
        Value::Object(_) => !reason.starts_with("invalid type: map,") && !reason.starts_with("invalid value: map,"),
        Value::Array(_) => !reason.starts_with("invalid type: sequence,"),
        _ => false,
    };
    match split_reason(reason) {
        Some((found, expected)) if !is_nested => format!("`{name}` must be {expected}, not {found}"),
        _ => format!("`{name}` is invalid: {}", describe_reason(reason)),
    }
}

fn describe_reason(reason: &str) -> String {
    match (missing_name(reason), split_reason(reason)) {
        (Some(name), _) => format!("`{name}` is missing"),
        (None, Some((found, expected))) => format!("expected {expected}, not {found}"),
        (None, None) => reason.to_owned(),
    }
}

/// Splits a message of serde into descriptions of the actual and of the expected value.
fn split_reason(reason: &str) -> Option<(String, String)> {
    let (problem, expected) = reason.split_once(", expected ")?;
    if let Some(variant) = problem.strip_prefix("unknown variant ") {
        return Some((variant.to_owned(), insert_last_or(expected)));
    }
    let found = problem.strip_prefix("invalid type: ").or_else(|| problem.strip_prefix("invalid value: "))?;
    let found = match found.split_once(' ') {
        Some(("integer" | "boolean", value)) => value.trim_matches('`').to_owned(),
        Some(("floating", value)) => value.trim_start_matches("point ").trim_matches('`').to_owned(),
        Some(("string", _)) => "a string".to_owned(),
        _ => match found {
            "map" => "an object".to_owned(),
            "sequence" => "an array".to_owned(),
            other => other.to_owned(),
        },
    };
    let expected = match expected {
        "a sequence" => "an array",
        "a map" => "an object",
        "a boolean" => "true or false",
        // Serde also reads an enum from a map with one member.
        "string or map" | "map with a single key" => "a string",
        "u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "i64" => "an integer",
        "f32" | "f64" => "a number",
        expected if expected.starts_with("struct ") => "an object",
        expected if expected.starts_with("enum ") => "a string",
        expected => expected,
    };
    Some((found, expected.to_owned()))
}

/// Inserts the word "or" before the last name of a list from serde, such as ``one of `a`, `b`, `c` ``.
fn insert_last_or(names: &str) -> String {
    match names.rsplit_once(", ") {
        Some((first, last)) => format!("{first}, or {last}"),
        None => names.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::firewall::FirewallRule;
    use serde_json::json;

    #[test]
    fn errors_name_the_member_and_no_rust_types() {
        let filter = json!({"id": "f", "expression": "ssl"});
        for (rule, expected) in [
            (json!(1), "must be an object, not 1"),
            (json!({"a": 1}), "`id` is missing"),
            (json!({"id": 1}), "`id` must be a string, not 1"),
            (
                json!({"id": "a", "action": "block", "filter": filter, "priority": "x"}),
                "`priority` must be an integer, not a string",
            ),
            (json!({"id": "a", "action": "block", "filter": 1}), "`filter` must be an object, not 1"),
            (
                json!({"id": "a", "action": "block", "filter": {"id": "f", "expression": 2}}),
                "`filter` is invalid: expected a string, not 2",
            ),
            (
                json!({"id": "a", "action": "block", "filter": {"id": "f"}}),
                "`filter` is invalid: `expression` is missing",
            ),
            (json!({"id": "a", "action": {}, "filter": filter}), "`action` must be a string, not an object"),
            (
                json!({"id": "a", "action": "block", "filter": filter, "paused": null}),
                "`paused` must be true or false, not null",
            ),
        ] {
            assert_eq!(read_object::<FirewallRule>(&rule).unwrap_err(), expected, "{rule}");
        }
        let message = read_object::<FirewallRule>(&json!({"id": "a", "action": "deny", "filter": filter})).unwrap_err();
        assert!(
            message.starts_with("`action` must be one of `block`, ") && message.ends_with(", or `bypass`, not `deny`"),
            "{message}"
        );
    }
}
