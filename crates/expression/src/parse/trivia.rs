//! Removes and reports tabs, other unsupported whitespace and comments between tokens.
//!
//! The language supports none of them. The grammar reads tabs and some other control characters as spaces and has no
//! rules for the rest, so a valid text is parsed once. A text with such trivia outside its strings is parsed again
//! without it, which avoids follow-on errors.

use super::{
    errors,
    operator::parse_operator,
    whitespace::{is_invisible, is_unsupported_whitespace},
};
use zonewright_diagnostic::{Diagnostic, Problems, Span};

/// Returns whether the text contains control characters other than line breaks. The grammar reads some as spaces.
pub(super) fn has_control_characters(text: &str) -> bool {
    // No early exit, so that the compiler can vectorize the loop.
    text.bytes().fold(false, |found, byte| found | (byte < b' ' && byte != b'\n' && byte != b'\r'))
}

/// Replaces unsupported whitespace and comments outside the literals by spaces, or by underscores inside a word. The
/// replacements have the same length in bytes. Returns a diagnostic for each. The literals are sorted, and `offset` is
/// the start of the text in `source`.
pub(super) fn blank_out_trivia(text: &mut String, literals: &[Span], offset: usize, source: &str) -> Problems {
    let mut problems = Problems::default();
    let mut clean = String::with_capacity(text.len());
    let mut literals = literals.iter().peekable();
    let mut in_set = false;
    let mut ends = CommentEnds { line: Finder::new(text, "\n"), block: Finder::new(text, "*/") };
    while let Some(rest) = text.get(clean.len()..).filter(|rest| !rest.is_empty()) {
        let index = clean.len();
        while literals.next_if(|literal| literal.start < index).is_some() {}
        let (length, problem) = match literals.next_if(|literal| literal.start == index) {
            Some(literal) => (literal.end - index, None),
            None => match comment_length(rest, &clean, &mut ends) {
                Some(length) => {
                    (length, Some(errors::comment_error(Span::new(index + offset, index + offset + length), source)))
                }
                None => read_whitespace(rest, &clean, index + offset),
            },
        };
        let (word, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        match problem {
            None => {
                in_set = word == "{" || in_set && word != "}";
                clean.push_str(word);
            }
            // Whitespace inside a word must not split the word.
            Some(_) if is_in_word(&clean, word, after, in_set) => {
                problems.push(errors::whitespace_in_word_error(
                    Span::new(index + offset, index + offset + word.len()),
                    word,
                ));
                clean.push_str(&"_".repeat(word.len()));
            }
            Some(problem) => {
                problems.push(problem);
                clean.push_str(&" ".repeat(word.len()));
            }
        }
    }
    *text = clean;
    problems
}

/// A pair of finders for the ends of comments in one text.
struct CommentEnds<'t> {
    line: Finder<'t>,
    block: Finder<'t>,
}

/// A search for a pattern from left to right. It caches the last match, so that a pass over the text takes linear time,
/// regardless of the number of unclosed comments.
struct Finder<'t> {
    text: &'t str,
    pattern: &'static str,
    cached: Option<usize>,
}

impl<'t> Finder<'t> {
    fn new(text: &'t str, pattern: &'static str) -> Self {
        Finder { text, pattern, cached: None }
    }

    /// Returns the first occurrence at or after `from`, or the end of the text if there is none. `from` must not
    /// decrease between calls.
    fn next(&mut self, from: usize) -> usize {
        if let Some(found) = self.cached.filter(|found| *found >= from) {
            return found;
        }
        let rest = self.text.get(from..).unwrap_or_default();
        let found = rest.find(self.pattern).map_or(self.text.len(), |index| from + index);
        self.cached = Some(found);
        found
    }
}

/// Returns the length in bytes of the comment at the start of `rest`, or `None` if there is no comment.
fn comment_length(rest: &str, before: &str, ends: &mut CommentEnds<'_>) -> Option<usize> {
    let after_word = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ':' | '/' | '.' | '_' | '-'));
    if after_word || !begins_comment(rest) {
        return None;
    }
    let index = before.len();
    if rest.starts_with("/*") {
        let end = ends.block.next(index + "/*".len());
        // An unclosed block comment ends with its line.
        if end < index + rest.len() {
            return Some(end + "*/".len() - index);
        }
    }
    Some(ends.line.next(index) - index)
}

/// Returns whether a text starts with a comment marker.
pub(super) fn begins_comment(text: &str) -> bool {
    ["#", "//", "/*"].iter().any(|mark| text.starts_with(mark))
}

/// Returns the length in bytes of the unsupported whitespace at the start of `rest`, with its diagnostic. Without such
/// whitespace, it returns the length of the first character.
fn read_whitespace(rest: &str, before: &str, index: usize) -> (usize, Option<Diagnostic>) {
    let skipped: usize = rest.chars().take_while(|c| is_unsupported_whitespace(*c)).map(char::len_utf8).sum();
    if skipped == 0 {
        return (rest.chars().next().map_or(1, char::len_utf8), None);
    }
    let is_digit = |c: char| c.is_ascii_digit();
    let before_digit = rest.get(skipped..).is_some_and(|after| after.starts_with(is_digit));
    (
        skipped,
        Some(errors::unexpected_whitespace_error(
            Span::new(index, index + skipped),
            rest,
            before_digit && before.ends_with(is_digit),
        )),
    )
}

/// Returns whether unsupported whitespace is inside a word rather than between two words: an invisible character in a
/// name or number, or any such whitespace after `$` or next to the `..` of a range.
fn is_in_word(before: &str, word: &str, after: &str, in_set: bool) -> bool {
    let is_word_char = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    let next = after.split(|c| !is_word_char(c)).next().unwrap_or_default();
    let is_operator = matches!(next, "and" | "or" | "xor" | "not") || parse_operator(next).is_some();
    if next.is_empty() || is_operator || !word.chars().all(is_unsupported_whitespace) {
        return false;
    }
    let is_digit = |c: char| c.is_ascii_digit();
    let in_range =
        before.ends_with("..") && next.starts_with(is_digit) || before.ends_with(is_digit) && next.starts_with("..");
    // Whitespace between two digits in a set may separate two items.
    let may_separate = in_set && before.ends_with(is_digit) && next.starts_with(is_digit);
    in_range
        || before.ends_with('$')
        || word.chars().all(is_invisible) && before.ends_with(is_word_char) && !may_separate
}

#[cfg(test)]
mod tests {
    use crate::parse;

    #[test]
    fn trivia_is_reported_outside_strings_only() {
        let cases: [(&str, &[&str]); 10] = [
            ("ssl\tand ssl", &["\t"]),
            ("ssl # note\nand ssl", &["# note"]),
            ("a eq \"\t#\"\t and ssl", &["\t"]),
            ("a eq r#\"\"\t\"# // b", &["// b"]),
            ("ssl /* hi */ and ssl", &["/* hi */"]),
            ("a matches \"[\"\t]\"", &[]),
            ("a matches \"[\"#]\" and\tssl", &["\t"]),
            ("ssl # don't \"x\nand\tssl # y", &["# don't \"x", "\t", "# y"]),
            ("a.b\u{200b}c eq \"\"", &["\u{200b}"]),
            ("ssl\u{200b}and ssl", &["\u{200b}"]),
        ];
        for (text, expected) in cases {
            let found = parse(text).diagnostics;
            let texts: Vec<&str> = found.iter().map(|problem| problem.span.text(text)).collect();
            assert_eq!(texts, expected, "{text:?}");
        }
    }
}
