//! Tabs, other blanks and comments between the words.
//!
//! The language has none of them, and the grammar knows nothing of them: a text that is right is
//! read once. A text that is wrong and has such characters is read again without them, so that
//! nothing else is said about what they break.

use super::mistake;
use zonewright_diagnostic::{Diagnostic, Span};

/// The text with every stray blank and comment replaced by spaces of the same length in bytes, and
/// a diagnostic for each; `None` when it has none. `offset` is where the text stands in `source`.
pub(super) fn without_strays(text: &str, offset: usize, source: &str) -> Option<(String, Vec<Diagnostic>)> {
    let suspicious = |byte: u8| matches!(byte, b'\t' | 0x0b..=0x0c | 0x0e..=0x1f | b'#' | b'/' | 0x80..);
    if !text.bytes().any(suspicious) {
        return None;
    }
    let mut clean = String::with_capacity(text.len());
    let mut problems = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let at = offset + text.len() - rest.len();
        let after_word = clean.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ':' | '/' | '.' | '_' | '-'));
        let (length, stray) = if let Some(length) = string_length(rest, after_word) {
            (length, None)
        } else if !after_word && ["#", "//", "/*"].iter().any(|mark| rest.starts_with(mark)) {
            let length = rest.find('\n').unwrap_or(rest.len());
            (length, Some(mistake::comment(Span::new(at, at + length), source)))
        } else {
            let length: usize = rest.chars().take_while(|c| is_blank(*c)).map(char::len_utf8).sum();
            match length {
                0 => (first.len_utf8(), None),
                _ => (length, Some(mistake::stray_blank(Span::new(at, at + length), rest))),
            }
        };
        let (taken, remaining) = rest.split_at(length);
        match stray {
            None => clean.push_str(taken),
            Some(problem) => {
                problems.push(problem);
                clean.extend(std::iter::repeat_n(' ', length));
            }
        }
        rest = remaining;
    }
    (!problems.is_empty()).then_some((clean, problems))
}

/// White space to people, but not to the language.
pub(super) fn is_blank(c: char) -> bool {
    let unknown = c.is_whitespace() || matches!(c, '\u{e}'..='\u{1f}' | '\u{200b}' | '\u{feff}');
    unknown && !matches!(c, ' ' | '\n' | '\r')
}

/// How long the string is that the text begins with; `None` when it begins with none.
fn string_length(text: &str, after_word: bool) -> Option<usize> {
    let body = text.strip_prefix('r').filter(|_| !after_word).map(|raw| raw.trim_start_matches('#'));
    if let Some(body) = body.filter(|body| body.starts_with('"')) {
        let opening = text.len() - body.len();
        let end = format!("\"{}", "#".repeat(opening - 1));
        let inside = body.get(1..).unwrap_or_default();
        return Some(inside.find(&end).map_or(text.len(), |at| opening + 1 + at + end.len()));
    }
    if text.starts_with('\'') {
        let line = text.split('\n').next().unwrap_or_default();
        return line.get(1..).and_then(|line| line.find('\'')).map(|at| at + 2);
    }
    if !text.starts_with('"') {
        return None;
    }
    let mut escaped = false;
    let closing = text.bytes().skip(1).position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    });
    Some(closing.map_or(text.len(), |at| at + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_between_words_goes() {
        let cases = [
            ("ssl\tand ssl", "ssl and ssl"),
            ("ssl # note\nand ssl", "ssl       \nand ssl"),
            ("a eq \"\t#\"\t", "a eq \"\t#\" "),
            ("a eq r#\"\"\t\"# // b", "a eq r#\"\"\t\"#     "),
            ("a eq '#'\u{a0}and", "a eq '#'  and"),
            ("a eq http://b", "a eq http://b"),
        ];
        for (text, expected) in cases {
            let clean = without_strays(text, 0, text).map_or(text.to_owned(), |(clean, _)| clean);
            assert_eq!(clean, expected, "{text:?}");
        }
    }
}
