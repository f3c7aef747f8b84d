//! The selected span of a text, shared by all of its views.

use leptos::prelude::*;
use zonewright_diagnostic::Span;

/// The selected span; `None` before the first selection.
pub(crate) type SelectedSpan = RwSignal<Option<Span>>;

/// Reports whether one of a span and the selection contains the other.
pub(crate) fn touches(chosen: SelectedSpan, span: Span) -> bool {
    chosen.get().is_some_and(|chosen| inside(chosen, span) || inside(span, chosen))
}

/// Returns the smallest span that contains the selection.
pub(crate) fn smallest(chosen: SelectedSpan, pieces: impl Iterator<Item = Span>) -> Option<Span> {
    let chosen = chosen.get()?;
    pieces.filter(|piece| inside(chosen, *piece)).min_by_key(|piece| piece.end - piece.start)
}

/// Reports whether `outer` contains `inner`. Equal spans contain each other.
pub(crate) fn inside(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
