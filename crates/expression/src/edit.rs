//! Edits that take pieces of a source away.

use zonewright_diagnostic::{Edit, Span};

/// Takes a piece away; a blank stays where words would grow together.
pub(crate) fn delete(source: &str, span: Span) -> Edit {
    let before = source.get(..span.start).and_then(|text| text.chars().next_back());
    let after = source.get(span.end..).and_then(|text| text.chars().next());
    let text = if before.is_some_and(is_word) && after.is_some_and(is_word) { " " } else { "" };
    Edit::replace(span, text)
}

/// Takes a pair of brackets away, with the blanks right inside of them.
pub(crate) fn unwrap(source: &str, outer: Span, inner: Span) -> [Edit; 2] {
    [delete(source, Span::new(outer.start, inner.start)), delete(source, Span::new(inner.end, outer.end))]
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '"' | '$' | '-' | ':')
}
