//! Matches URL patterns of page rules, and translates them to expressions.

use std::borrow::Cow;
use std::fmt::{self, Write};

/// The reason why a pattern is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// It is empty, or only a scheme.
    Empty,
    /// It contains whitespace or a control character, which no URL contains.
    Whitespace,
    /// Its scheme is neither `http` nor `https`.
    Scheme,
    /// Its host has non-ASCII characters, which requests carry as `xn--…`; that form is not computed here.
    NonAsciiHost,
    /// It begins with a path or a query instead of a host.
    NoHost,
    /// Its host can never be valid, as in `user@example.com`.
    InvalidHost,
    /// Its port is invalid.
    Port,
    /// Its query follows the host without the slash that every URL has.
    NoPath,
    /// It contains a `#`; browsers do not send fragments.
    Fragment,
}

impl PatternError {
    /// Returns whether the pattern certainly matches no URL.
    pub(super) fn matches_nothing(self) -> bool {
        self != PatternError::NonAsciiHost
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PatternError::Empty => "the pattern is empty or only a scheme",
            PatternError::Whitespace => "the pattern contains whitespace or a control character, which no URL contains",
            PatternError::Scheme => "the scheme must be `http` or `https`",
            PatternError::NonAsciiHost => "a host with non-ASCII characters must be written in Punycode (`xn--…`)",
            PatternError::NoHost => "the pattern must start with a scheme or a host, not with a path or a query",
            PatternError::InvalidHost => "the host is not valid",
            PatternError::Port => "the port is not valid",
            PatternError::NoPath => "a `/` is missing between the host and the query",
            PatternError::Fragment => "the pattern contains a fragment (`#`), which requests never contain",
        })
    }
}

/// A pattern as globs: texts in which `*` matches any characters. A URL matches if one of the globs matches all of it,
/// case-insensitively (assumption page-rule-pattern).
///
/// All globs are ASCII, because URLs of requests are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UrlPattern {
    globs: Vec<String>,
}

impl UrlPattern {
    /// Parses a pattern. Without a scheme it applies to `http` and `https`; a host alone means its root.
    pub(crate) fn parse(text: &str) -> Result<UrlPattern, PatternError> {
        let text = text.trim();
        if text.chars().any(|char| char.is_whitespace() || char.is_control()) {
            return Err(PatternError::Whitespace);
        }
        let (schemes, rest) = split_schemes(text)?;
        if rest.is_empty() {
            return Err(PatternError::Empty);
        }
        check_host(rest)?;
        let root = if rest.contains(['/', '?']) || rest.ends_with('*') { "" } else { "/" };
        let rest = percent_encode(&collapse_stars(rest));
        Ok(UrlPattern { globs: schemes.iter().map(|scheme| format!("{scheme}://{rest}{root}")).collect() })
    }

    /// Returns whether a URL matches.
    pub(crate) fn matches(&self, url: &str) -> bool {
        self.globs.iter().any(|glob| glob_matches(glob.as_bytes(), url.as_bytes()))
    }

    /// Returns the pattern in the Rules language, as comparisons of which at least one must be true.
    fn comparisons(&self) -> impl Iterator<Item = String> {
        self.globs.iter().map(|glob| comparison(glob))
    }

    /// Returns the globs.
    pub(super) fn url_globs(&self) -> &[String] {
        &self.globs
    }
}

const SCHEMES: [&str; 2] = ["http", "https"];

/// Returns the schemes of a pattern, and the rest after its scheme.
fn split_schemes(text: &str) -> Result<(Vec<&'static str>, &str), PatternError> {
    // In the path or the query, `://` does not follow a scheme.
    let Some((scheme, rest)) = text.split_once("://").filter(|(before, _)| !before.contains(['/', '?'])) else {
        return Ok((SCHEMES.to_vec(), text));
    };
    let fits = |known: &&str| glob_matches(scheme.as_bytes(), known.as_bytes());
    let fitting: Vec<&str> = SCHEMES.into_iter().filter(fits).collect();
    match fitting.as_slice() {
        // A `*` before `://` may match the host, the path, and a part of the query.
        [] if scheme.contains('*') => Ok((SCHEMES.to_vec(), text)),
        [] => Err(PatternError::Scheme),
        _ => Ok((fitting, rest)),
    }
}

/// Rejects text that no URL has after its scheme (assumption page-rule-pattern). After a `*`, only a `#` and a
/// non-ASCII host are rejected, because the `*` may match the rest of the host and more.
fn check_host(rest: &str) -> Result<(), PatternError> {
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    if !host.is_ascii() {
        return Err(PatternError::NonAsciiHost);
    }
    if rest.contains('#') {
        return Err(PatternError::Fragment);
    }
    let literal_host = host.split('*').next().unwrap_or_default();
    let has_star = literal_host.len() < host.len();
    // The colons of an IPv6 address are in brackets.
    let after_address = match literal_host.rfind(']') {
        Some(bracket) => bracket + 1,
        None if has_star && literal_host.starts_with('[') => literal_host.len(),
        None => 0,
    };
    let colon = literal_host.get(after_address..).and_then(|end| end.find(':')).map(|index| after_address + index);
    let (name, port) = literal_host.split_at(colon.unwrap_or(literal_host.len()));
    if name.is_empty() {
        return match colon {
            Some(_) => Err(PatternError::InvalidHost),
            None if has_star => Ok(()),
            None => Err(PatternError::NoHost),
        };
    }
    if name.contains(['@', '"', '\\']) || name.starts_with('.') || name.contains("..") {
        return Err(PatternError::InvalidHost);
    }
    let is_port = |port: &str| match has_star {
        true => port.bytes().all(|byte| byte.is_ascii_digit()),
        false => port.parse().is_ok_and(|number: u16| number > 0),
    };
    if !port.is_empty() && !port.strip_prefix(':').is_some_and(is_port) {
        return Err(PatternError::Port);
    }
    let needs_slash = rest.get(host.len()..).is_some_and(|rest| rest.starts_with('?'));
    if needs_slash && !has_star {
        return Err(PatternError::NoPath);
    }
    Ok(())
}

/// Returns the comparison of the URL with a glob, in the Rules language.
pub(super) fn comparison(glob: &str) -> String {
    format!("http.request.full_uri wildcard \"{}\"", escape_wildcard(glob))
}

/// Returns whether page rules with this pattern apply to `url` (documented): `*` is any text, and the whole URL is
/// compared. Fails if the pattern is invalid.
pub fn matches_pattern(pattern: &str, url: &str) -> Result<bool, PatternError> {
    Ok(UrlPattern::parse(pattern)?.matches(url))
}

/// Returns an expression that is true for the requests to which page rules with this pattern apply.
/// Fails if the pattern is invalid.
pub fn pattern_expression(pattern: &str) -> Result<String, PatternError> {
    Ok(UrlPattern::parse(pattern)?.comparisons().collect::<Vec<_>>().join(" or "))
}

/// Replaces `**` by `*`, which means the same, because `wildcard` rejects `**`.
fn collapse_stars(text: &str) -> Cow<'_, str> {
    if !text.contains("**") {
        return Cow::Borrowed(text);
    }
    let mut single = String::with_capacity(text.len());
    for char in text.chars() {
        if char != '*' || !single.ends_with('*') {
            single.push(char);
        }
    }
    Cow::Owned(single)
}

/// Escapes a text for a quoted literal of `wildcard`. A backslash is literal in a pattern, but an escape character both
/// in `wildcard` and in quotes.
fn escape_wildcard(glob: &str) -> String {
    glob.replace('\\', r"\\\\").replace('"', "\\\"")
}

/// Percent-encodes non-ASCII characters, as requests carry them.
fn percent_encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for char in text.chars() {
        if char.is_ascii() {
            encoded.push(char);
            continue;
        }
        for byte in char.encode_utf8(&mut [0; 4]).bytes() {
            // Writing to a string cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// Returns whether `text` matches `pattern`. The time is at most proportional to the product of their lengths.
fn glob_matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut index, mut read) = (0, 0);
    // The index after the last `*`, and the end of the text that it matches.
    let mut star = None;
    while let Some(byte) = text.get(read) {
        match pattern.get(index) {
            Some(b'*') => {
                index += 1;
                star = Some((index, read));
            }
            Some(char) if char.eq_ignore_ascii_case(byte) => {
                index += 1;
                read += 1;
            }
            _ => {
                let Some((after_star, taken)) = star else { return false };
                star = Some((after_star, taken + 1));
                (index, read) = (after_star, taken + 1);
            }
        }
    }
    pattern.iter().skip(index).all(|char| *char == b'*')
}

/// Returns whether every URL that matches `narrow` matches `wide`. This treats a `*` of `narrow` as a character that
/// only a `*` of `wide` matches.
pub(super) fn is_subset(wide: &str, narrow: &str) -> bool {
    glob_matches(wide.as_bytes(), narrow.as_bytes())
}

/// Returns whether no URL matches both, judging only by the text before their first and after their last `*`. A result
/// of `false` does not mean that a URL matches both.
pub(super) fn are_disjoint(left: &str, right: &str) -> bool {
    let differ = |left: &mut dyn Iterator<Item = u8>, right: &mut dyn Iterator<Item = u8>| {
        left.zip(right).take_while(|(a, b)| *a != b'*' && *b != b'*').any(|(a, b)| !a.eq_ignore_ascii_case(&b))
    };
    let without_stars = !left.contains('*') && !right.contains('*') && left.len() != right.len();
    without_stars
        || differ(&mut left.bytes(), &mut right.bytes())
        || differ(&mut left.bytes().rev(), &mut right.bytes().rev())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pattern_matches_the_full_url() {
        let cases = [
            ("example.com", "http://example.com/", true),
            ("example.com", "https://example.com/", true),
            ("example.com", "https://example.com/a", false),
            ("example.com/", "https://EXAMPLE.com/", true),
            ("example.com*", "https://example.com/a?b", true),
            ("*example.com/images/*", "https://www.example.com/images/", true),
            ("*example.com/images/*", "https://www.example.com/image/", false),
            ("*.example.com/*", "https://example.com/", false),
            ("example.com/a", "https://example.com/a?b=1", false),
            ("example.com/a*", "https://example.com/a?b=1", true),
            ("example.com/A", "https://example.com/a", true),
            ("https://example.com/*", "http://example.com/", false),
            ("http*://example.com/", "https://example.com/", true),
            // The query of a URL of another host does not match the pattern.
            ("example.com/*", "https://other.example.org/?u=://example.com/", false),
            ("**example.com/***b", "https://example.com/ab", true),
            ("example.com/?a", "https://example.com/xa", false),
            ("example.com/a?u=http://b/*", "https://example.com/a?u=http://b/c", true),
            ("*", "https://example.com/", true),
            ("example.com/ä*", "https://example.com/%c3%A4b", true),
            ("example.com/ä*", "https://example.com/a", false),
            ("example.com/*ab*ac", "https://example.com/abababac", true),
            ("example.com/*ab*ac", "https://example.com/abababad", false),
            ("example.com*?x", "https://example.com/?x", true),
            ("example.com*?x", "https://example.com/a?x", true),
            ("*?x", "https://example.com/a?x", true),
            ("*?x", "https://example.com/a", false),
            // A `*` may match the host and a part of the path.
            ("*.example.com?x", "https://example.com/www.example.com?x", true),
            ("*.example.com?x", "https://www.example.com/?x", false),
            ("*.php?*", "https://example.com/a.php?b", true),
            ("*.php?*", "https://example.com/a.php", false),
            ("*wiki:talk/*", "https://example.com/wiki:talk/a", true),
            ("example.com*@*", "https://example.com/@a", true),
            ("*@host/*", "https://example.com/a@host/", true),
            ("*..*", "https://example.com/a..b", true),
            ("[2001:*", "https://[2001:db8::1]/a", true),
            // A `*` in the scheme selects the schemes that match.
            ("h*://example.com/*", "http://example.com/a", true),
            ("*s://example.com/*", "https://example.com/a", true),
            ("*s://example.com/*", "http://example.com/a", false),
            ("*https://example.com/*", "https://example.com/a", true),
            ("example.com*u=http://b/*", "https://example.com/?u=http://b/", true),
            ("[2001:db8::1]:8443/*", "https://[2001:db8::1]:8443/a", true),
            ("example.com:*/a", "https://example.com:8443/a", true),
        ];
        for (pattern, url, expected) in cases {
            assert_eq!(matches_pattern(pattern, url), Ok(expected), "{pattern} {url}");
        }
    }

    #[test]
    fn invalid_patterns_have_a_reason() {
        let cases = [
            ("", PatternError::Empty),
            ("https://", PatternError::Empty),
            ("example.com/a b", PatternError::Whitespace),
            ("ftp://example.com/", PatternError::Scheme),
            ("bücher.example/*", PatternError::NonAsciiHost),
            ("*bücher.example", PatternError::NonAsciiHost),
            ("/admin/*", PatternError::NoHost),
            ("//x/*", PatternError::NoHost),
            ("https:///x", PatternError::NoHost),
            ("?", PatternError::NoHost),
            ("?x=*", PatternError::NoHost),
            ("example.com?x", PatternError::NoPath),
            ("https://example.com:8443?*", PatternError::NoPath),
            ("#frag", PatternError::Fragment),
            ("example.com/#a", PatternError::Fragment),
            ("example.com/*#", PatternError::Fragment),
            ("user@host/*", PatternError::InvalidHost),
            ("user@*", PatternError::InvalidHost),
            ("example.com:a*", PatternError::Port),
            (":8080/*", PatternError::InvalidHost),
            (".example.com/*", PatternError::InvalidHost),
            ("example..com/*", PatternError::InvalidHost),
            ("example.com\\a/*", PatternError::InvalidHost),
            ("example.com:/*", PatternError::Port),
            ("example.com:http/*", PatternError::Port),
            ("example.com:65536/", PatternError::Port),
            ("http:/example.com/*", PatternError::Port),
            ("https://https://example.com/*", PatternError::Port),
        ];
        for (pattern, expected) in cases {
            assert_eq!(pattern_expression(pattern), Err(expected), "{pattern}");
        }
    }

    #[test]
    fn wildcard_metacharacters_are_escaped() {
        let cases = [
            ("http://a.example/*", r#"http.request.full_uri wildcard "http://a.example/*""#),
            (r"http://a.example/\**", r#"http.request.full_uri wildcard "http://a.example/\\\\*""#),
            (r#"http://a.example/"x""#, r#"http.request.full_uri wildcard "http://a.example/\"x\"""#),
        ];
        for (pattern, expected) in cases {
            assert_eq!(pattern_expression(pattern).unwrap(), expected, "{pattern}");
        }
    }

    #[test]
    fn patterns_with_different_affixes_are_disjoint() {
        let cases = [
            ("a.example/*", "b.example/*", true),
            ("a.example/*", "a.example/b/*", false),
            ("*.example/a", "*.example/b", true),
            ("a.example/", "https://a.example/", false),
            ("http://a.example/", "https://a.example/", true),
            ("a.example/a", "a.example/aa", true),
            ("a.example/*a", "a.example/b*", false),
        ];
        for (left, right, expected) in cases {
            let [left, right] = [left, right].map(|text| UrlPattern::parse(text).unwrap().globs);
            let apart = left
                .iter()
                .all(|left| right.iter().all(|right| are_disjoint(left, right) && are_disjoint(right, left)));
            assert_eq!(apart, expected, "{left:?} {right:?}");
        }
    }

    #[test]
    fn pattern_coverage_is_decided() {
        let cases = [
            ("example.com/*", "example.com/a/*", true),
            ("example.com/a/*", "example.com/*", false),
            ("example.com/*", "EXAMPLE.com/", true),
            ("*example.com/*", "www.example.com/a", true),
            ("example.com/a", "example.com/*", false),
            ("example.com/?", "example.com/*", false),
            ("*", "*.example.com/*", true),
            ("*/a/*", "example.com/*/a/b*", true),
        ];
        for (wide, narrow, expected) in cases {
            let [wide, narrow] = [wide, narrow].map(|text| UrlPattern::parse(text).unwrap().globs);
            let covered = wide.iter().zip(&narrow).all(|(wide, narrow)| is_subset(wide, narrow));
            assert_eq!(covered, expected, "{wide:?} {narrow:?}");
        }
    }
}
