//! Functions on strings. Indexes and lengths are in bytes.

use super::Arguments;
use crate::Value;
use memchr::memmem::Finder;

/// Converts to lowercase; only ASCII letters change (documented).
pub(super) fn lower(arguments: Arguments<'_>) -> Option<Value> {
    Some(Value::Text(arguments.text(0)?.to_ascii_lowercase()))
}

/// Converts to uppercase; only ASCII letters change (documented).
pub(super) fn upper(arguments: Arguments<'_>) -> Option<Value> {
    Some(Value::Text(arguments.text(0)?.to_ascii_uppercase()))
}

/// Returns whether a text starts with another.
pub(super) fn starts_with(arguments: Arguments<'_>) -> Option<Value> {
    Some(Value::Boolean(arguments.text(0)?.starts_with(arguments.text(1)?)))
}

/// Returns whether a text ends with another.
pub(super) fn ends_with(arguments: Arguments<'_>) -> Option<Value> {
    Some(Value::Boolean(arguments.text(0)?.ends_with(arguments.text(1)?)))
}

/// Removes every listed byte (documented).
pub(super) fn remove_bytes(arguments: Arguments<'_>) -> Option<Value> {
    let mut is_removed = [false; 256];
    for byte in arguments.text(1)? {
        if let Some(slot) = is_removed.get_mut(usize::from(*byte)) {
            *slot = true;
        }
    }
    let is_retained = |byte: &u8| is_removed.get(usize::from(*byte)) == Some(&false);
    Some(Value::Text(arguments.text(0)?.iter().copied().filter(is_retained).collect()))
}

/// Splits a text into at most `limit` parts; the last part contains the remaining text (documented).
pub(super) fn split(arguments: Arguments<'_>) -> Option<Value> {
    let (mut remaining, separator) = (arguments.text(0)?, arguments.text(1)?);
    let limit = usize::try_from(arguments.integer(2)?).ok()?;
    if separator.is_empty() || limit == 0 {
        return None;
    }
    let finder = Finder::new(separator);
    let mut parts = Vec::new();
    while parts.len() + 1 < limit
        && let Some(index) = finder.find(remaining)
    {
        let (part, after) = remaining.split_at_checked(index)?;
        parts.push(Value::Text(part.to_vec()));
        remaining = after.get(separator.len()..)?;
    }
    parts.push(Value::Text(remaining.to_vec()));
    Some(Value::Array(parts))
}

/// Returns the substring between two indexes; negative indexes count from the end (documented). Indexes outside the
/// text are clamped, and a reversed range is empty (assumption function-edges).
pub(super) fn substring(arguments: Arguments<'_>) -> Option<Value> {
    let text = arguments.text(0)?;
    let start = clamp_index(arguments.integer(1)?, text.len());
    let end = if arguments.is_present(2) { clamp_index(arguments.integer(2)?, text.len()) } else { text.len() };
    Some(Value::Text(text.get(start..end).unwrap_or_default().to_vec()))
}

/// Converts an index, which counts from the end if it is negative, to an offset in a text of this length.
fn clamp_index(index: i64, length: usize) -> usize {
    let distance = usize::try_from(index.unsigned_abs()).unwrap_or(usize::MAX);
    if index < 0 { length.saturating_sub(distance) } else { distance.min(length) }
}

/// Formats an integer in decimal, a Boolean as `true` or `false`, an address in its canonical form.
pub(super) fn to_string(arguments: Arguments<'_>) -> Option<Value> {
    let text = match arguments.value(0)? {
        Value::Integer(integer) => integer.to_string(),
        Value::Boolean(boolean) => boolean.to_string(),
        Value::Ip(address) => address.to_string(),
        _ => return None,
    };
    Some(Value::Text(text.into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{MISSING, address, assert_results, boolean, integer, text, texts};

    #[test]
    fn lower_and_upper_change_only_ascii_letters() {
        assert_results(
            "lower",
            [
                (vec![text("WWW.cloudflare.com")], text("www.cloudflare.com")),
                (vec![text("É\u{130}")], text("É\u{130}")),
                (vec![text(b"A\xc9\xff")], text(b"a\xc9\xff")),
                (vec![text("")], text("")),
                (vec![MISSING], MISSING),
            ],
        );
        assert_results("upper", [(vec![text("www.é.com")], text("WWW.é.COM")), (vec![MISSING], MISSING)]);
    }

    #[test]
    fn starts_with_and_ends_with_compare_exact_bytes() {
        assert_results(
            "starts_with",
            [
                (vec![text("/blog/first-post"), text("/blog")], boolean(true)),
                (vec![text("/blog/first-post"), text("/Blog")], boolean(false)),
                (vec![text("/b"), text("/blog")], boolean(false)),
                (vec![text("/b"), text("")], boolean(true)),
                (vec![text(""), text("")], boolean(true)),
                (vec![text("/b"), MISSING], MISSING),
                (vec![MISSING, text("")], MISSING),
            ],
        );
        assert_results(
            "ends_with",
            [
                (vec![text("/welcome.html"), text(".html")], boolean(true)),
                (vec![text("/welcome.html"), text(".HTML")], boolean(false)),
                (vec![text("html"), text(".html")], boolean(false)),
                (vec![text(b"\xff"), text(b"\xff")], boolean(true)),
                (vec![MISSING, text("")], MISSING),
            ],
        );
    }

    #[test]
    fn remove_bytes_removes_every_listed_byte() {
        assert_results(
            "remove_bytes",
            [
                (vec![text("www.cloudflare.com"), text("\x2e\x77")], text("cloudflarecom")),
                (vec![text("aab"), text("a")], text("b")),
                (vec![text("é"), text(b"\xa9")], text(b"\xc3")),
                (vec![text("abc"), text("")], text("abc")),
                (vec![text(""), text("a")], text("")),
                (vec![MISSING, text("a")], MISSING),
            ],
        );
    }

    #[test]
    fn split_stops_at_limit_and_keeps_empty_parts() {
        let list = || text("groceries,electronics,diy,auto");
        assert_results(
            "split",
            [
                (vec![list(), text(","), integer(64)], texts(&["groceries", "electronics", "diy", "auto"])),
                (vec![list(), text(","), integer(3)], texts(&["groceries", "electronics", "diy,auto"])),
                (vec![list(), text(","), integer(1)], texts(&["groceries,electronics,diy,auto"])),
                (vec![list(), text(","), integer(4)], texts(&["groceries", "electronics", "diy", "auto"])),
                (vec![text("a,,b"), text(","), integer(64)], texts(&["a", "", "b"])),
                (vec![text(",a,"), text(","), integer(64)], texts(&["", "a", ""])),
                (vec![text("a--b---c"), text("--"), integer(64)], texts(&["a", "b", "-c"])),
                (vec![text("abc"), text("x"), integer(64)], texts(&["abc"])),
                (vec![text(""), text(","), integer(64)], texts(&[""])),
                (vec![text("a"), text(""), integer(64)], MISSING),
                (vec![MISSING, text(","), integer(64)], MISSING),
            ],
        );
    }

    #[test]
    fn substring_clamps_indexes() {
        let case = |start, expected: &str| (vec![text("asdfghjk"), integer(start)], text(expected));
        let slice = |start, end, expected: &str| (vec![text("asdfghjk"), integer(start), integer(end)], text(expected));
        assert_results(
            "substring",
            [
                slice(2, 5, "dfg"),
                case(2, "dfghjk"),
                case(-2, "jk"),
                slice(0, -2, "asdfgh"),
                slice(-4, -2, "gh"),
                case(0, "asdfghjk"),
                case(8, ""),
                case(9, ""),
                case(-8, "asdfghjk"),
                case(-9, "asdfghjk"),
                slice(0, 99, "asdfghjk"),
                slice(0, -99, ""),
                slice(5, 2, ""),
                slice(3, 3, ""),
                case(i64::MAX, ""),
                case(i64::MIN, "asdfghjk"),
                (vec![text("é"), integer(1)], text(b"\xa9")),
                (vec![text("a"), MISSING], MISSING),
                (vec![text("a"), integer(0), MISSING], MISSING),
                (vec![MISSING, integer(0)], MISSING),
            ],
        );
    }

    #[test]
    fn to_string_uses_canonical_forms() {
        assert_results(
            "to_string",
            [
                (vec![integer(5)], text("5")),
                (vec![integer(i64::MIN)], text("-9223372036854775808")),
                (vec![boolean(true)], text("true")),
                (vec![boolean(false)], text("false")),
                (vec![address("192.0.2.1")], text("192.0.2.1")),
                (vec![address("2001:DB8:0:0::1")], text("2001:db8::1")),
                (vec![MISSING], MISSING),
            ],
        );
    }
}
