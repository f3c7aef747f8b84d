//! Matches wildcard patterns without captures.

pub(super) use crate::functions::wildcard::literal_segments;
use crate::search::{self, Needle};

/// A wildcard pattern: literal segments separated by arbitrary text. Each middle segment is matched at its first
/// occurrence after the previous one, so the work is linear in the text's length.
pub(super) struct WildcardMatcher {
    ignores_case: bool,
    /// The literal segment before the first star.
    start: Box<[u8]>,
    /// The segments after the first star; `None` for a pattern without a star.
    tail: Option<WildcardTail>,
}

struct WildcardTail {
    middle: Box<[Needle]>,
    /// The literal segment after the last star.
    end: Box<[u8]>,
}

impl WildcardMatcher {
    /// Compiles a pattern in which `*` matches any text, with the escapes `\*` and `\\`.
    pub(super) fn new(pattern: &[u8], ignores_case: bool) -> Self {
        let mut segments = literal_segments(pattern);
        if ignores_case {
            segments.iter_mut().for_each(|segment| segment.make_ascii_lowercase());
        }
        let end = if segments.len() > 1 { segments.pop() } else { None };
        let mut segments = segments.into_iter();
        let start = segments.next().unwrap_or_default().into();
        let tail = end.map(|end| WildcardTail {
            middle: segments.map(|segment| Needle::new(&segment, ignores_case)).collect(),
            end: end.into(),
        });
        WildcardMatcher { ignores_case, start, tail }
    }

    pub(super) fn matches(&self, text: &[u8]) -> bool {
        let (starts_with, ends_with): (SegmentTest, SegmentTest) = if self.ignores_case {
            (search::starts_with_ignore_case, search::ends_with_ignore_case)
        } else {
            (|text, start| text.starts_with(start), |text, end| text.ends_with(end))
        };
        let Some(tail) = &self.tail else {
            return text.len() == self.start.len() && starts_with(text, &self.start);
        };
        if !starts_with(text, &self.start) {
            return false;
        }
        let after_start = text.get(self.start.len()..).unwrap_or_default();
        if !ends_with(after_start, &tail.end) {
            return false;
        }
        let between = after_start.get(..after_start.len() - tail.end.len()).unwrap_or_default();
        tail.middle
            .iter()
            .try_fold(between, |text, segment| text.get(segment.find(text)? + segment.text().len()..))
            .is_some()
    }
}

type SegmentTest = fn(&[u8], &[u8]) -> bool;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcard_pattern_matches_whole_text() {
        let cases: &[(&str, &str, bool, bool)] = &[
            // Columns: pattern, text, case-insensitive result, strict result.
            ("", "", true, true),
            ("", "a", false, false),
            ("*", "", true, true),
            ("*", "a\nb", true, true),
            ("a", "A", true, false),
            ("a*", "Abc", true, false),
            ("*a", "bca", true, true),
            ("a*a", "a", false, false),
            ("a*a", "aa", true, true),
            ("*.example.*", "www.example.com", true, true),
            ("*.example.*", "example.com", false, false),
            ("a*b*c", "a1b2c", true, true),
            ("a*b*c", "a1c2b", false, false),
            ("*ab*ab*", "abab", true, true),
            ("*ab*ab*", "aabb", false, false),
            ("?", "a", false, false),
            ("?", "?", true, true),
            ("\\*", "*", true, true),
            ("\\*", "a", false, false),
            ("\\\\*", "\\a", true, true),
            ("*aab", "aaab", true, true),
            ("\u{c9}*", "\u{e9}", false, false),
        ];
        for (pattern, text, folded, strict) in cases {
            let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
            assert_eq!(WildcardMatcher::new(pattern, true).matches(text), *folded, "{pattern:?} {text:?}");
            assert_eq!(WildcardMatcher::new(pattern, false).matches(text), *strict, "strict {pattern:?} {text:?}");
        }
    }
}
