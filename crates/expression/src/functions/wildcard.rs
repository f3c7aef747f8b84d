//! Matches wildcard patterns and captures the text of each star.
//!
//! `*` matches any bytes, `\*` and `\\` are escapes, and a pattern matches the whole value.

use memchr::memmem::Finder;
use std::ops::Range;

/// A pattern that captures the text of each star. Matching is linear in the value.
#[derive(Clone, Debug)]
pub(crate) struct CapturingWildcard {
    /// The literal segment before the first star.
    first: Vec<u8>,
    /// The segments between stars.
    middle: Vec<Finder<'static>>,
    /// The segment after the last star; `None` for a pattern without a star.
    last: Option<Vec<u8>>,
    /// Whether matching is case-sensitive; if not, all segments are lowercase.
    strict: bool,
}

impl CapturingWildcard {
    /// Compiles a pattern. Every pattern is accepted: text that [`check`](crate::check()) rejects, such as another
    /// escape, is literal.
    pub(crate) fn new(pattern: &[u8], strict: bool) -> Self {
        let mut segments = literal_segments(pattern);
        if !strict {
            segments.iter_mut().for_each(|segment| segment.make_ascii_lowercase());
        }
        let last = if segments.len() > 1 { segments.pop() } else { None };
        let mut segments = segments.into_iter();
        let first = segments.next().unwrap_or_default();
        let middle = segments.map(|segment| Finder::new(&segment).into_owned()).collect();
        CapturingWildcard { first, middle, last, strict }
    }

    /// Returns the range of each star, or `None` if the value does not match. Stars match as little as possible, from
    /// the left (documented for `wildcard_replace`).
    ///
    /// Each segment is matched at its first occurrence after the previous segment. If any choice of positions matches,
    /// the first occurrences match.
    pub(crate) fn captures(&self, value: &[u8]) -> Option<Vec<Range<usize>>> {
        let Some(last) = &self.last else { return self.segment_equals(value, &self.first).then(Vec::new) };
        let mut start = self.first.len();
        let end = value.len().checked_sub(last.len()).filter(|end| start <= *end)?;
        if !self.segment_equals(value.get(..start)?, &self.first) || !self.segment_equals(value.get(end..)?, last) {
            return None;
        }
        let folded = if self.strict { value } else { &value.to_ascii_lowercase() };
        let mut stars = Vec::new();
        for segment in &self.middle {
            let offset = segment.find(folded.get(start..end)?)?;
            stars.push(start..start + offset);
            start += offset + segment.needle().len();
        }
        stars.push(start..end);
        Some(stars)
    }

    fn segment_equals(&self, value: &[u8], segment: &[u8]) -> bool {
        if self.strict { value == segment } else { value.eq_ignore_ascii_case(segment) }
    }
}

/// Returns the literal segments between stars, unescaped; one more than the number of stars.
pub(crate) fn literal_segments(pattern: &[u8]) -> Vec<Vec<u8>> {
    let mut segments = Vec::new();
    let mut segment = Vec::new();
    let mut bytes = pattern.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'*' => segments.push(std::mem::take(&mut segment)),
            b'\\' => segment.push(bytes.next_if(|next| matches!(next, b'*' | b'\\')).unwrap_or(byte)),
            _ => segment.push(byte),
        }
    }
    segments.push(segment);
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the captured texts, or `None`.
    fn stars(pattern: &str, value: &str, strict: bool) -> Option<Vec<String>> {
        let wildcard = CapturingWildcard::new(pattern.as_bytes(), strict);
        let captures = wildcard.captures(value.as_bytes());
        captures.map(|stars| stars.into_iter().map(|star| value.get(star).unwrap().to_owned()).collect())
    }

    #[test]
    fn stars_capture_shortest_texts_from_the_left() {
        let cases: &[(&str, &str, Option<&[&str]>)] = &[
            ("", "", Some(&[])),
            ("", "a", None),
            ("a", "A", Some(&[])),
            ("a", "ab", None),
            ("*", "", Some(&[""])),
            ("*", "abc", Some(&["abc"])),
            ("a*", "a", Some(&[""])),
            ("*a", "bba", Some(&["bb"])),
            ("a*a", "a", None),
            ("a*a", "aa", Some(&[""])),
            ("ab*ba", "aba", None),
            ("*a*", "banana", Some(&["b", "nana"])),
            ("*a*a", "banana", Some(&["b", "nan"])),
            ("*an*a", "banana", Some(&["b", "an"])),
            ("*AN*", "banana", Some(&["b", "ana"])),
            ("*x*", "banana", None),
            ("*a*b*c*", "abc", Some(&["", "", "", ""])),
            ("*a*b*c*", "acb", None),
            (r"a\*b", "a*b", Some(&[])),
            (r"a\*b", "acb", None),
            (r"a\\*", r"a\b", Some(&["b"])),
            (r"\", r"\", Some(&[])),
            (r"\a", r"\a", Some(&[])),
            ("a?c", "abc", None),
            ("a?c", "a?c", Some(&[])),
            ("**", "abc", Some(&["", "abc"])),
            ("É*", "é", None),
            ("*://*/*", "HTTP://a/b/c", Some(&["HTTP", "a", "b/c"])),
        ];
        for (pattern, value, expected) in cases {
            let expected = expected.map(|stars| stars.iter().map(|star| (*star).to_owned()).collect::<Vec<_>>());
            assert_eq!(stars(pattern, value, false), expected, "{pattern} {value}");
        }
    }

    #[test]
    fn strict_pattern_is_case_sensitive() {
        for (pattern, value) in [("A*", "ab"), ("*A", "ba"), ("*A*", "bab"), ("A", "a")] {
            assert_eq!(stars(pattern, value, true), None, "{pattern} {value}");
            assert!(stars(pattern, value, false).is_some(), "{pattern} {value}");
        }
        assert_eq!(stars("A*C*E", "AbCdE", true), Some(vec!["b".to_owned(), "d".to_owned()]));
    }

    #[test]
    fn long_values_take_linear_time() {
        let value = "a".repeat(1 << 20);
        assert!(
            CapturingWildcard::new("*aaaaaaaab*aaaaaaaab*c".as_bytes(), false).captures(value.as_bytes()).is_none()
        );
        assert!(CapturingWildcard::new("*a".repeat(1 << 10).as_bytes(), false).captures(value.as_bytes()).is_some());
    }
}
