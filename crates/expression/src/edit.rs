//! Deletion edits that keep the words around a deleted span apart.

use zonewright_diagnostic::{Edit, Span};

/// Deletes a span. A space replaces it where two words would otherwise merge.
pub(crate) fn delete(source: &str, span: Span) -> Edit {
    let before = source.get(..span.start).and_then(|text| text.chars().next_back());
    let after = source.get(span.end..).and_then(|text| text.chars().next());
    let text = if before.is_some_and(is_word) && after.is_some_and(is_word) { " " } else { "" };
    Edit::replace(span, text)
}

/// Deletes a pair of delimiters, with the whitespace directly inside it.
pub(crate) fn remove_delimiters(source: &str, outer: Span, inner: Span) -> [Edit; 2] {
    [delete(source, Span::new(outer.start, inner.start)), delete(source, Span::new(inner.end, outer.end))]
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '"' | '$' | '-' | ':')
}
