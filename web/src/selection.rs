//! The piece of a text that is chosen in any of its views.

use leptos::prelude::*;
use zonewright_diagnostic::Span;

/// The piece; `None` before anything was chosen.
pub(crate) type SelectedSpan = RwSignal<Option<Span>>;

/// Whether a piece of the text and what is chosen are one inside the other.
pub(crate) fn touches(chosen: SelectedSpan, span: Span) -> bool {
    chosen.get().is_some_and(|chosen| inside(chosen, span) || inside(span, chosen))
}

/// The smallest of some pieces that holds all that is chosen.
pub(crate) fn smallest(chosen: SelectedSpan, pieces: impl Iterator<Item = Span>) -> Option<Span> {
    let chosen = chosen.get()?;
    pieces.filter(|piece| inside(chosen, *piece)).min_by_key(|piece| piece.end - piece.start)
}

/// Whether one piece is a part of another, or the same.
pub(crate) fn inside(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
