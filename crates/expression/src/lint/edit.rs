//! Pieces of fixes.

use zonewright_diagnostic::{Edit, Span};

/// A text as a quoted string of the language.
pub(super) fn quoted(text: &[u8]) -> String {
    let mut quoted = String::from("\"");
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            if matches!(c, '"' | '\\') {
                quoted.push('\\');
            }
            quoted.push(c);
        }
        for byte in chunk.invalid() {
            quoted.push_str(&format!("\\x{byte:02x}"));
        }
    }
    quoted.push('"');
    quoted
}

/// A text as it is shown in a message: short, on one line, in backticks.
pub(super) fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let short: String = text.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let more = if text.chars().nth(60).is_some() { "…" } else { "" };
    format!("`{short}{more}`")
}

/// Takes a piece away; a blank stays where words would grow together.
pub(super) fn delete(source: &str, span: Span) -> Edit {
    let before = source.get(..span.start).and_then(|text| text.chars().next_back());
    let after = source.get(span.end..).and_then(|text| text.chars().next());
    let text = if before.is_some_and(is_word) && after.is_some_and(is_word) { " " } else { "" };
    Edit::replace(span, text)
}

/// Takes a pair of brackets away, with the blanks right inside of them.
pub(super) fn unwrap(source: &str, outer: Span, inner: Span) -> [Edit; 2] {
    [delete(source, Span::new(outer.start, inner.start)), delete(source, Span::new(inner.end, outer.end))]
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '"' | '$' | '-' | ':')
}
