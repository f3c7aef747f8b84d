//! Functions on arrays and maps, and `coalesce`.

use super::{Arguments, append_bounded};
use crate::Value;

/// Returns the first value that is not missing (documented).
pub(super) fn coalesce(arguments: Arguments<'_>) -> Option<Value> {
    arguments.iter_from(0).flatten().next().cloned()
}

/// Concatenates strings or arrays; a missing argument counts as empty (documented). If all arguments are missing, the
/// result is missing (observed in the open-source engine).
pub(super) fn concat(arguments: Arguments<'_>) -> Option<Value> {
    let mut result: Option<Value> = None;
    for value in arguments.iter_from(0).flatten() {
        match (&mut result, value) {
            (Some(Value::Text(text)), Value::Text(suffix)) => text.extend_from_slice(suffix),
            (Some(Value::Array(elements)), Value::Array(suffix)) => elements.extend_from_slice(suffix),
            (Some(_), _) => return None,
            (None, Value::Text(_) | Value::Array(_)) => result = Some(value.clone()),
            (None, _) => return None,
        }
    }
    result
}

/// Returns whether a map contains a key.
pub(super) fn has_key(arguments: Arguments<'_>) -> Option<Value> {
    let key = arguments.text(1);
    match arguments.value(0)? {
        Value::Map(members) => Some(Value::Boolean(members.contains_key(key?))),
        _ => None,
    }
}

/// Returns whether an array or a map contains a value.
pub(super) fn has_value(arguments: Arguments<'_>) -> Option<Value> {
    let value = arguments.value(1);
    Some(Value::Boolean(match arguments.value(0)? {
        Value::Array(elements) => elements.contains(value?),
        Value::Map(members) => {
            let value = value?;
            members.values().any(|member| member == value)
        }
        _ => return None,
    }))
}

/// Returns the number of bytes or elements (documented).
pub(super) fn len(arguments: Arguments<'_>) -> Option<Value> {
    let length = match arguments.value(0)? {
        Value::Text(text) => text.len(),
        Value::Array(elements) => elements.len(),
        _ => return None,
    };
    Some(Value::Integer(i64::try_from(length).ok()?))
}

/// Joins the strings of an array with a separator between them.
pub(super) fn join(arguments: Arguments<'_>) -> Option<Value> {
    let separator = arguments.text(1)?;
    let mut joined = Vec::new();
    for (index, element) in arguments.array(0)?.iter().enumerate() {
        let Value::Text(text) = element else { return None };
        if index > 0 {
            append_bounded(&mut joined, separator)?;
        }
        append_bounded(&mut joined, text)?;
    }
    Some(Value::Text(joined))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{MISSING, address, assert_results, boolean, call, integer, map, text, texts};
    use crate::{Value, functions::MAX_VALUE_BYTES, schema};
    use std::borrow::Cow;

    #[test]
    fn coalesce_returns_first_present_value() {
        assert_results(
            "coalesce",
            [
                (vec![MISSING, text("a"), text("b")], text("a")),
                (vec![integer(0), integer(1)], integer(0)),
                (vec![text(""), text("b")], text("")),
                (vec![MISSING, MISSING], MISSING),
            ],
        );
    }

    #[test]
    fn concat_skips_missing_arguments() {
        assert_results(
            "concat",
            [
                (vec![text("String1"), text(" "), text("String"), text("2")], text("String1 String2")),
                (vec![text("a"), MISSING, text("b")], text("ab")),
                (vec![MISSING, text(b"\xff")], text(b"\xff")),
                (vec![texts(&["a"]), MISSING, texts(&["b", "c"])], texts(&["a", "b", "c"])),
                (vec![MISSING, MISSING], MISSING),
                (vec![text("a"), texts(&["b"])], MISSING),
            ],
        );
    }

    #[test]
    fn has_key_and_has_value_compare_exactly() {
        let headers = map(&[("host", texts(&["a"])), ("", texts(&[]))]);
        assert_results(
            "has_key",
            [
                (vec![headers.clone(), text("host")], boolean(true)),
                (vec![headers.clone(), text("Host")], boolean(false)),
                (vec![headers.clone(), text("")], boolean(true)),
                (vec![headers, MISSING], MISSING),
                (vec![MISSING, text("host")], MISSING),
            ],
        );
        assert_results(
            "has_value",
            [
                (vec![texts(&["a", "b"]), text("b")], boolean(true)),
                (vec![texts(&["a", "b"]), text("B")], boolean(false)),
                (vec![texts(&[]), text("")], boolean(false)),
                (vec![map(&[("a", text("b"))]), text("b")], boolean(true)),
                (vec![map(&[("a", text("b"))]), text("a")], boolean(false)),
                (vec![map(&[("a", address("::1"))]), address("::1")], boolean(true)),
                (vec![texts(&["a"]), MISSING], MISSING),
                (vec![MISSING, text("a")], MISSING),
            ],
        );
    }

    #[test]
    fn len_counts_bytes_or_elements() {
        assert_results(
            "len",
            [
                (vec![text("example.com")], integer(11)),
                (vec![text("é")], integer(2)),
                (vec![text("")], integer(0)),
                (vec![texts(&["a", "b"])], integer(2)),
                (vec![texts(&[])], integer(0)),
                (vec![MISSING], MISSING),
            ],
        );
    }

    #[test]
    fn join_separates_elements() {
        assert_results(
            "join",
            [
                (vec![texts(&["a", "b", "c"]), text(",")], text("a,b,c")),
                (vec![texts(&["a", "", "c"]), text(", ")], text("a, , c")),
                (vec![texts(&["a"]), text(",")], text("a")),
                (vec![texts(&["a", "b"]), text("")], text("ab")),
                (vec![texts(&[]), text(",")], text("")),
                (vec![MISSING, text(",")], MISSING),
            ],
        );
    }

    #[test]
    fn join_stops_at_maximum_value_size() {
        let function = schema::function("join").unwrap();
        let separator = "a".repeat(MAX_VALUE_BYTES / 4);
        let joined_bytes = |elements: &[&str]| {
            let arguments = [texts(elements), text(&separator)].map(|value| value.map(Cow::Owned));
            match call(function, &arguments) {
                Some(Value::Text(joined)) => Some(joined.len()),
                _ => None,
            }
        };
        assert_eq!(joined_bytes(&[""; 5]), Some(MAX_VALUE_BYTES));
        assert_eq!(joined_bytes(&["", "", "", "", "b"]), None);
        assert_eq!(joined_bytes(&[""; 6]), None);
    }
}
