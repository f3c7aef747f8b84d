//! Looks up values in JSON texts.

use super::Arguments;
use crate::Value;
use serde_json::Value as Json;

/// Returns the integer at a path; `None` for `42.0` (documented).
pub(super) fn lookup_integer(arguments: Arguments<'_>) -> Option<Value> {
    lookup(arguments)?.as_i64().map(Value::Integer)
}

/// Returns the string at a path.
pub(super) fn lookup_string(arguments: Arguments<'_>) -> Option<Value> {
    match lookup(arguments)? {
        Json::String(text) => Some(Value::Text(text.into_bytes())),
        _ => None,
    }
}

/// Returns the value at the path of keys and indexes in the arguments from the second on. The whole text must be JSON;
/// the parser rejects values nested more than 127 levels deep.
fn lookup(arguments: Arguments<'_>) -> Option<Json> {
    let mut value: Json = serde_json::from_slice(arguments.text(0)?).ok()?;
    for key in arguments.iter_from(1) {
        value = match (key?, value) {
            (Value::Text(name), Json::Object(mut members)) => members.remove(str::from_utf8(name).ok()?)?,
            (Value::Integer(index), Json::Array(elements)) => {
                elements.into_iter().nth(usize::try_from(*index).ok()?)?
            }
            _ => return None,
        };
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{MISSING, assert_results, integer, text};

    #[test]
    fn lookup_json_integer_returns_only_integers() {
        let record = text(r#"{ "record_id": "aed53a", "version": 2 }"#);
        let numbers = text("[42.0, 1e2, 9223372036854775807, 9223372036854775808, -9223372036854775808, null, true]");
        assert_results(
            "lookup_json_integer",
            [
                (vec![record.clone(), text("version")], integer(2)),
                (vec![record.clone(), text("record_id")], MISSING),
                (vec![record, text("Version")], MISSING),
                (vec![text(r#"{ "product": { "id": 356 } }"#), text("product"), text("id")], integer(356)),
                (vec![text(r#"["first_item", -234]"#), integer(1)], integer(-234)),
                (vec![text(r#"{"network_ids":[123,456]}"#), text("network_ids"), integer(0)], integer(123)),
                (
                    vec![text(r#"[{"product_id":123},{"product_id":456}]"#), integer(1), text("product_id")],
                    integer(456),
                ),
                (vec![numbers.clone(), integer(0)], MISSING),
                (vec![numbers.clone(), integer(1)], MISSING),
                (vec![numbers.clone(), integer(2)], integer(i64::MAX)),
                (vec![numbers.clone(), integer(3)], MISSING),
                (vec![numbers.clone(), integer(4)], integer(i64::MIN)),
                (vec![numbers.clone(), integer(5)], MISSING),
                (vec![numbers.clone(), integer(6)], MISSING),
                (vec![numbers.clone(), integer(7)], MISSING),
                (vec![numbers.clone(), integer(-1)], MISSING),
                (vec![numbers, text("0")], MISSING),
                (vec![text(r#"{"0":1}"#), integer(0)], MISSING),
                (vec![text("5"), text("a")], MISSING),
                (vec![MISSING, text("a")], MISSING),
            ],
        );
    }

    #[test]
    fn lookup_json_string_follows_nested_paths() {
        let nested = |levels: usize| text(format!("{}\"a\"{}", "[".repeat(levels), "]".repeat(levels)));
        let path = |source, levels: usize| [source].into_iter().chain(vec![integer(0); levels]).collect::<Vec<_>>();
        assert_results(
            "lookup_json_string",
            [
                (vec![text(r#"{ "company": "cloudflare" }"#), text("company")], text("cloudflare")),
                (vec![text(r#"{"network":{"name":"a"}}"#), text("network"), text("name")], text("a")),
                (vec![text(r#"["other","a"]"#), integer(1)], text("a")),
                (vec![text(r#"{"networks":["b","a"]}"#), text("networks"), integer(1)], text("a")),
                (vec![text(r#"[{"network":"b"},{"network":"a"}]"#), integer(1), text("network")], text("a")),
                (vec![text(r#"{"\u0061":"\ud83e\udd80\n"}"#), text("a")], text("🦀\n")),
                (vec![text(r#"{"a":"first","a":"last"}"#), text("a")], text("last")),
                (vec![text(r#"{"a":2}"#), text("a")], MISSING),
                (vec![text(r#"{"a":"b"} more"#), text("a")], MISSING),
                (vec![text(r#"{"a":"b""#), text("a")], MISSING),
                (vec![text("{'a':'b'}"), text("a")], MISSING),
                (vec![text(b"{\"a\":\"\xff\"}"), text("a")], MISSING),
                (vec![text(""), text("a")], MISSING),
                (path(nested(127), 127), text("a")),
                (path(nested(128), 128), MISSING),
                (path(nested(1 << 16), 1), MISSING),
                (vec![MISSING, text("a")], MISSING),
            ],
        );
    }
}
