//! Deletion edits that keep the words around a deleted span apart.

use zonewright_diagnostic::{Edit, Span};

/// Creates an edit that deletes a span, or replaces it with a space where two words would otherwise merge.
pub(crate) fn delete(source: &str, span: Span) -> Edit {
    let previous = source.get(..span.start).and_then(|text| text.chars().next_back());
    let next = source.get(span.end..).and_then(|text| text.chars().next());
    let text = if previous.is_some_and(is_word_char) && next.is_some_and(is_word_char) { " " } else { "" };
    Edit::replace(span, text)
}

/// Creates edits that delete a pair of delimiters and the whitespace directly inside them.
pub(crate) fn remove_delimiters(source: &str, outer: Span, inner: Span) -> [Edit; 2] {
    [delete(source, Span::new(outer.start, inner.start)), delete(source, Span::new(inner.end, outer.end))]
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '"' | '$' | '-' | ':')
}
