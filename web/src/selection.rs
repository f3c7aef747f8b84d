//! The selected span of a text, shared by all of its views.

use leptos::prelude::*;
use zonewright_diagnostic::Span;

/// The selected span; `None` before the first selection.
pub(crate) type SelectedSpan = RwSignal<Option<Span>>;

/// Reports whether one of a span and the selection contains the other.
pub(crate) fn overlaps(chosen: SelectedSpan, span: Span) -> bool {
    chosen.get().is_some_and(|chosen| is_within(chosen, span) || is_within(span, chosen))
}

/// Returns the smallest span that contains the selection.
pub(crate) fn smallest_enclosing(chosen: SelectedSpan, pieces: impl Iterator<Item = Span>) -> Option<Span> {
    let chosen = chosen.get()?;
    pieces.filter(|piece| is_within(chosen, *piece)).min_by_key(|piece| piece.end - piece.start)
}

/// Reports whether `outer` contains `inner`. Equal spans contain each other.
pub(crate) fn is_within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
