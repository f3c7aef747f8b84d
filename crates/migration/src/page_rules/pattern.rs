//! URL patterns of page rules: what they match, and the same as an expression.

use std::borrow::Cow;
use std::fmt;

/// Why a pattern is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// There is nothing in it, or nothing but a scheme.
    Empty,
    /// It has a blank or a control character, which no URL has.
    Blank,
    /// Its scheme is neither `http` nor `https`.
    Scheme,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PatternError::Empty => "the pattern names no URL",
            PatternError::Blank => "the pattern has a blank or a control character, which no URL has",
            PatternError::Scheme => "the scheme of a pattern is `http` or `https`",
        })
    }
}

/// A pattern as whole URLs are held against it: each of `wholes` is a text in which `*` stands for any
/// characters. A URL matches when it is like one of them, from its first to its last character, capitals
/// or not (assumption page-rule-pattern).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    wholes: Vec<String>,
}

impl Pattern {
    /// Reads a pattern. Without a scheme it is for `http` and `https`; a host alone stands for its root.
    pub(crate) fn read(text: &str) -> Result<Pattern, PatternError> {
        let text = text.trim();
        if text.chars().any(|char| char.is_whitespace() || char.is_control()) {
            return Err(PatternError::Blank);
        }
        let (schemes, rest): (&[&str], &str) = match text.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => (&["http"], rest),
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") => (&["https"], rest),
            Some((scheme, rest)) if scheme == "*" || scheme.eq_ignore_ascii_case("http*") => (&["http", "https"], rest),
            // In the path or the query it is no scheme.
            Some((before, _)) if before.contains(['/', '?']) => (&["http", "https"], text),
            Some(_) => return Err(PatternError::Scheme),
            None => (&["http", "https"], text),
        };
        if rest.is_empty() {
            return Err(PatternError::Empty);
        }
        let root = if rest.contains('/') || rest.ends_with('*') { "" } else { "/" };
        let rest = without_doubles(rest);
        Ok(Pattern { wholes: schemes.iter().map(|scheme| format!("{scheme}://{rest}{root}")).collect() })
    }

    /// Whether a URL matches.
    pub(crate) fn matches(&self, url: &str) -> bool {
        self.wholes.iter().any(|whole| is_like(whole.as_bytes(), url.as_bytes()))
    }

    /// The same in the Rules language: comparisons of which one has to be true.
    pub(crate) fn comparisons(&self) -> impl Iterator<Item = String> {
        self.wholes.iter().map(|whole| format!("http.request.full_uri wildcard \"{}\"", literal(whole)))
    }

    /// Whether no URL can match both, as far as what stands before their first and behind their last
    /// `*` tells. `false` is no promise that one does.
    pub(crate) fn is_apart(&self, other: &Pattern) -> bool {
        self.wholes.iter().all(|one| other.wholes.iter().all(|two| are_apart(one, two)))
    }
}

/// Whether page rules with this pattern apply to `url`, as the documentation of page rules tells it:
/// `*` is any text, the whole URL counts.
///
/// Errors: the pattern is none.
pub fn matches_pattern(pattern: &str, url: &str) -> Result<bool, PatternError> {
    Ok(Pattern::read(pattern)?.matches(url))
}

/// An expression that is true for the requests to which page rules with this pattern apply.
///
/// Errors: the pattern is none.
pub fn pattern_expression(pattern: &str) -> Result<String, PatternError> {
    Ok(Pattern::read(pattern)?.comparisons().collect::<Vec<_>>().join(" or "))
}

/// `**` means what `*` means, and `wildcard` refuses it.
fn without_doubles(text: &str) -> Cow<'_, str> {
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

/// The text between quotes: a backslash has no meaning in a pattern, but one in `wildcard` and one in
/// quotes.
fn literal(whole: &str) -> String {
    whole.replace('\\', r"\\\\").replace('"', "\\\"")
}

/// Whether `text` is like `pattern`, in time proportional to the product of their lengths.
fn is_like(pattern: &[u8], text: &[u8]) -> bool {
    // Which beginnings of the pattern are like what was read of the text.
    let mut now = vec![false; pattern.len() + 1];
    let mut next = now.clone();
    reach(pattern, &mut now, 0);
    for byte in text {
        next.fill(false);
        for (place, char) in pattern.iter().enumerate() {
            if now.get(place) != Some(&true) {
                continue;
            }
            if *char == b'*' {
                reach(pattern, &mut next, place);
            } else if char.eq_ignore_ascii_case(byte) {
                reach(pattern, &mut next, place + 1);
            }
        }
        std::mem::swap(&mut now, &mut next);
    }
    now.last() == Some(&true)
}

/// Notes that `place` is reached, and what is behind a `*` there, which may stand for nothing.
fn reach(pattern: &[u8], places: &mut [bool], place: usize) {
    let stars = pattern.iter().skip(place).take_while(|char| **char == b'*').count();
    for reached in places.iter_mut().skip(place).take(stars + 1) {
        *reached = true;
    }
}

fn are_apart(one: &str, two: &str) -> bool {
    let differ = |one: &mut dyn Iterator<Item = u8>, two: &mut dyn Iterator<Item = u8>| {
        one.zip(two).take_while(|(a, b)| *a != b'*' && *b != b'*').any(|(a, b)| !a.eq_ignore_ascii_case(&b))
    };
    let without_stars = !one.contains('*') && !two.contains('*') && one.len() != two.len();
    without_stars
        || differ(&mut one.bytes(), &mut two.bytes())
        || differ(&mut one.bytes().rev(), &mut two.bytes().rev())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_url_counts() {
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
            // No other host reaches the pattern by what stands in its query.
            ("example.com/*", "https://other.example.org/?u=://example.com/", false),
            ("**example.com/***b", "https://example.com/ab", true),
            ("example.com/?a", "https://example.com/xa", false),
            ("example.com/a?u=http://b/*", "https://example.com/a?u=http://b/c", true),
            ("*", "https://example.com/", true),
        ];
        for (pattern, url, expected) in cases {
            assert_eq!(matches_pattern(pattern, url), Ok(expected), "{pattern} {url}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_said() {
        let cases = [
            ("", PatternError::Empty),
            ("https://", PatternError::Empty),
            ("example.com/a b", PatternError::Blank),
            ("ftp://example.com/", PatternError::Scheme),
        ];
        for (pattern, expected) in cases {
            assert_eq!(pattern_expression(pattern), Err(expected), "{pattern}");
        }
    }

    #[test]
    fn what_has_meaning_for_wildcard_is_escaped() {
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
    fn patterns_with_other_ends_are_apart() {
        let cases = [
            ("a.example/*", "b.example/*", true),
            ("a.example/*", "a.example/b/*", false),
            ("*.example/a", "*.example/b", true),
            ("a.example/", "https://a.example/", false),
            ("http://a.example/", "https://a.example/", true),
            ("a.example/a", "a.example/aa", true),
            ("a.example/*a", "a.example/b*", false),
        ];
        for (one, two, expected) in cases {
            let [one, two] = [one, two].map(|text| Pattern::read(text).unwrap());
            assert_eq!((one.is_apart(&two), two.is_apart(&one)), (expected, expected), "{one:?} {two:?}");
        }
    }
}
