//! Tabs, other blanks and comments between the words.
//!
//! The language has none of them. The grammar takes tabs for spaces and knows nothing of the others:
//! a text that is right is read once. A text that is wrong and has such characters outside its strings
//! is read again without them, so that nothing else is said about what they break.

use super::{comparison::operator, mistake};
use zonewright_diagnostic::{Diagnostic, Span};

/// Whether there are control characters that the grammar takes for spaces.
pub(super) fn has_controls(text: &str) -> bool {
    // To the end in any case: without a way out in the middle, many bytes are looked at at once.
    text.bytes().fold(false, |found, byte| found | (byte < b' ' && byte != b'\n' && byte != b'\r'))
}

/// Replaces every stray blank and comment outside the literals, which are in order, by spaces of the
/// same length in bytes; gives a diagnostic for each. `offset` is where the text stands in `source`.
pub(super) fn take_out(text: &mut String, literals: &[Span], offset: usize, source: &str) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let mut clean = String::with_capacity(text.len());
    let mut literals = literals.iter().peekable();
    while let Some(rest) = text.get(clean.len()..).filter(|rest| !rest.is_empty()) {
        let at = clean.len();
        while literals.next_if(|literal| literal.start < at).is_some() {}
        let (length, problem) = match literals.next_if(|literal| literal.start == at) {
            Some(literal) => (literal.end - at, None),
            None => stray(rest, &clean, at + offset, source),
        };
        let (taken, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        match problem {
            None => clean.push_str(taken),
            // An invisible character inside a name must not cut the name in two.
            Some(_) if in_name(&clean, taken, after) => {
                problems.push(mistake::invisible(Span::new(at + offset, at + offset + taken.len())));
                clean.push_str(&"_".repeat(taken.len()));
            }
            Some(problem) => {
                problems.push(problem);
                clean.push_str(&" ".repeat(taken.len()));
            }
        }
    }
    *text = clean;
    problems
}

/// How many bytes belong together at the beginning of the rest, and what is wrong with them.
fn stray(rest: &str, before: &str, at: usize, source: &str) -> (usize, Option<Diagnostic>) {
    let after_word = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ':' | '/' | '.' | '_' | '-'));
    if !after_word && ["#", "//", "/*"].iter().any(|mark| rest.starts_with(mark)) {
        let line = rest.find('\n').unwrap_or(rest.len());
        let block = rest.strip_prefix("/*").and_then(|rest| rest.find("*/")).map(|end| end + "/**/".len());
        let length = block.unwrap_or(line);
        return (length, Some(mistake::comment(Span::new(at, at + length), source)));
    }
    let blanks: usize = rest.chars().take_while(|c| is_blank(*c)).map(char::len_utf8).sum();
    match blanks {
        0 => (rest.chars().next().map_or(1, char::len_utf8), None),
        _ => (blanks, Some(mistake::stray_blank(Span::new(at, at + blanks), rest))),
    }
}

/// Whether an invisible character stands inside a name rather than between two words.
fn in_name(before: &str, taken: &str, after: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    let invisible = taken.chars().all(|c| matches!(c, '\u{200b}' | '\u{feff}'));
    let next = after.split(|c| !is_word(c)).next().unwrap_or_default();
    let is_operator = matches!(next, "and" | "or" | "xor" | "not") || operator(next).is_some();
    invisible && before.ends_with(is_word) && !next.is_empty() && !is_operator
}

/// White space to people, but not to the language.
pub(super) fn is_blank(c: char) -> bool {
    let unknown = c.is_whitespace() || matches!(c, '\u{1}'..='\u{1f}' | '\u{200b}' | '\u{feff}');
    unknown && !matches!(c, ' ' | '\n' | '\r')
}

#[cfg(test)]
mod tests {
    use crate::parse;

    #[test]
    fn only_what_stands_between_words_goes() {
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
