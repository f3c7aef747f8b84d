//! Replaces text that matches a pattern.

use super::{Arguments, append_bounded, wildcard::CapturingWildcard};
use crate::Value;
use regex_automata::{Input, meta::Regex, util::syntax};
use std::ops::Range;

/// The maximum size of a compiled regular expression, in bytes (observed in the open-source engine).
const MAX_REGEX_BYTES: usize = 10 << 20;

/// Compiles a regular expression on bytes, with Unicode classes only after `(?u)`, as the real engine does. Returns
/// `None` for a pattern that is malformed, too large, or needs Unicode tables, which this engine does not include
/// (assumption unicode-regex).
pub(super) fn compile_regex(pattern: &str) -> Option<Regex> {
    Regex::builder()
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .configure(Regex::config().utf8_empty(false).nfa_size_limit(Some(MAX_REGEX_BYTES)))
        .build(pattern)
        .ok()
}

/// Replaces the first match; a text without a match is unchanged (documented).
pub(super) fn regex_replace(regex: &Regex, arguments: Arguments<'_>) -> Option<Value> {
    let (source, replacement) = (arguments.text(0)?, arguments.text(2)?);
    let mut captures = regex.create_captures();
    regex.captures(Input::new(source), &mut captures);
    let Some(first_match) = captures.get_match() else { return Some(Value::Text(source.to_vec())) };
    let mut result = source.get(..first_match.start()).unwrap_or_default().to_vec();
    expand_replacement(replacement, &mut result, |group| {
        captures.get_group(group).and_then(|span| source.get(span.range()))
    })?;
    append_bounded(&mut result, source.get(first_match.end()..).unwrap_or_default())?;
    Some(Value::Text(result))
}

/// Builds a text from the captures of the stars; a text that does not match is unchanged (documented).
pub(super) fn wildcard_replace(wildcard: &CapturingWildcard, arguments: Arguments<'_>) -> Option<Value> {
    let (source, replacement) = (arguments.text(0)?, arguments.text(2)?);
    let Some(stars) = wildcard.captures(source) else { return Some(Value::Text(source.to_vec())) };
    let star = |number: usize| stars.get(number.checked_sub(1)?).cloned();
    let capture = |number: usize| if number == 0 { Some(0..source.len()) } else { star(number) };
    let mut result = Vec::new();
    expand_replacement(replacement, &mut result, |group| {
        capture(group).and_then(|range: Range<usize>| source.get(range))
    })?;
    Some(Value::Text(result))
}

/// Appends a replacement. `${n}` expands to group `n`, or to nothing if the group did not match; `$$` expands to a
/// dollar. Any other dollar is literal. Returns `None` if the result would be larger than a value may be.
fn expand_replacement<'a>(
    replacement: &[u8],
    result: &mut Vec<u8>,
    group: impl Fn(usize) -> Option<&'a [u8]>,
) -> Option<()> {
    let mut remaining = replacement;
    while let Some((byte, after)) = remaining.split_first() {
        remaining = after;
        match (byte, parse_reference(after)) {
            (b'$', Some((number, after))) => {
                append_bounded(result, number.and_then(&group).unwrap_or_default())?;
                remaining = after;
            }
            (b'$', None) if after.first() == Some(&b'$') => {
                append_bounded(result, b"$")?;
                remaining = after.get(1..).unwrap_or_default();
            }
            _ => append_bounded(result, &[*byte])?,
        }
    }
    Some(())
}

/// Parses `{12}`; returns the group number, if it fits, and the text after the braces.
fn parse_reference(text: &[u8]) -> Option<(Option<usize>, &[u8])> {
    let braced = text.strip_prefix(b"{")?;
    let end = braced.iter().position(|byte| !byte.is_ascii_digit())?;
    let (digits, after) = braced.split_at_checked(end)?;
    let number = str::from_utf8(digits).ok()?.parse().ok();
    (!digits.is_empty()).then_some((number, after.strip_prefix(b"}")?))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{MISSING, assert_results, call, text};
    use super::*;
    use crate::{functions::MAX_VALUE_BYTES, schema};
    use std::borrow::Cow;

    #[test]
    fn regex_replace_replaces_first_match() {
        let case = |source: &str, pattern: &str, replacement: &str, expected: &str| {
            (vec![text(source), text(pattern), text(replacement)], text(expected))
        };
        assert_results(
            "regex_replace",
            [
                case("/foo/bar", "/bar$", "/baz", "/foo/baz"),
                case("/x", "^/y$", "/mumble", "/x"),
                case("/foo", "^/FOO$", "/x", "/foo"),
                case("/FOO", "(?i)^/foo$", "/x", "/x"),
                case("/a/a", "/a", "/b", "/b/a"),
                case("/b", "^/b$", "/b$$", "/b$"),
                case("/foo/a/path", "^/foo/([^/]*)/(.*)$", "/bar/${2}/${1}", "/bar/path/a"),
                case("ab", "(a)|(b)", "[${1}${2}]", "[a]b"),
                case("ab", "b", "<${0}>", "a<b>"),
                case("ab", "", "x", "xab"),
                case("", "", "x", "x"),
                case("a", "a", "$1${x}${}${1", "$1${x}${}${1"),
                case("a", "a", "$${1}$$$", "${1}$$"),
                case("a", "(a)", "${99999999999999999999}${01}", "a"),
                (vec![text(b"\xff\xfe"), text(r"\xfe"), text("a")], text(b"\xffa")),
                (vec![text("é"), text("."), text("a")], text(b"a\xa9")),
                (vec![MISSING, text("a"), text("b")], MISSING),
            ],
        );
    }

    #[test]
    fn wildcard_replace_rewrites_whole_value() {
        let case = |source: &str, pattern: &str, replacement: &str, expected: &str| {
            (vec![text(source), text(pattern), text(replacement)], text(expected))
        };
        let full = "https://apps.example.com/calendar/admin?expand=true";
        assert_results(
            "wildcard_replace",
            [
                case(
                    full,
                    "https://*.example.com/*/*",
                    "https://example.com/${1}/${2}/${3}",
                    "https://example.com/apps/calendar/admin?expand=true",
                ),
                case("https://a/applications/b", "/applications/*", "/apps/${1}", "https://a/applications/b"),
                case("/calendar", "/*", "/apps/${1}", "/apps/calendar"),
                case("/Apps/calendar", "/apps/*", "/${1}", "/calendar"),
                case("/apps/calendar/login", "/apps/*/login", "/${1}/login", "/calendar/login"),
                case("a-b-c", "*-*", "${2} ${1} ${3}$$", "b-c a $"),
                case("a", "a", "${1}b", "b"),
                case("a", "*", "<${0}>", "<a>"),
                case("AbC", "a*c", "${1}", "b"),
                case("", "*", "x${1}", "x"),
                (vec![text("/Apps/x"), text("/apps/*"), text("/${1}"), text("s")], text("/Apps/x")),
                (vec![text("/Apps/x"), text("/apps/*"), text("/${1}"), text("")], text("/x")),
                (vec![text(b"\xff/a"), text("*/a"), text("${1}")], text(b"\xff")),
                (vec![MISSING, text("*"), text("a")], MISSING),
            ],
        );
    }

    #[test]
    fn replacement_stops_at_maximum_value_size() {
        let source = text("a".repeat(MAX_VALUE_BYTES / 4));
        for (name, pattern) in [("regex_replace", "a*"), ("wildcard_replace", "*")] {
            let function = schema::function(name).unwrap();
            let bytes = |replacement: &str| {
                let arguments = [source.clone(), text(pattern), text(replacement)].map(|value| value.map(Cow::Owned));
                match call(function, &arguments) {
                    Some(Value::Text(result)) => Some(result.len()),
                    _ => None,
                }
            };
            assert_eq!(bytes(&"${0}".repeat(4)), Some(MAX_VALUE_BYTES), "{name}");
            assert_eq!(bytes(&("${0}".repeat(4) + "b")), None, "{name}");
            assert_eq!(bytes(&"${0}".repeat(5)), None, "{name}");
        }
        // The text after the match also counts.
        let full = [text("a".repeat(MAX_VALUE_BYTES)), text("^a"), text("aa")].map(|value| value.map(Cow::Owned));
        assert!(call(schema::function("regex_replace").unwrap(), &full).is_none());
    }

    #[test]
    fn compile_regex_rejects_large_and_malformed_patterns() {
        assert!(compile_regex("((a{1000}){1000}){1000}").is_none());
        assert!(compile_regex("(").is_none());
    }
}
