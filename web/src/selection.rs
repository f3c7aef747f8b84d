//! The selected span of a text, shared by all of its views.

use leptos::prelude::*;
use zonewright_diagnostic::Span;

/// The selected span; `None` before the first selection.
pub(crate) type SelectedSpan = RwSignal<Option<Span>>;

/// Returns whether the selection contains a span, or the span contains the selection.
pub(crate) fn overlaps(selection: SelectedSpan, span: Span) -> bool {
    selection.get().is_some_and(|selected| is_within(selected, span) || is_within(span, selected))
}

/// Returns the smallest span that contains the selection.
pub(crate) fn smallest_enclosing_span(selection: SelectedSpan, spans: impl Iterator<Item = Span>) -> Option<Span> {
    let selected = selection.get()?;
    spans.filter(|span| is_within(selected, *span)).min_by_key(|span| span.end - span.start)
}

/// Returns whether `outer` contains `inner`. Equal spans contain each other.
pub(crate) fn is_within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
