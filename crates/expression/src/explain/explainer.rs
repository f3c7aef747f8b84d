//! Declares [`Explainer`], the explainer of one expression. The other modules implement its methods by subject.

use super::display::DisplayLimits;
use zonewright_diagnostic::Span;

/// The source and the limits of an explanation.
pub(super) struct Explainer<'s> {
    pub(super) source: &'s str,
    pub(super) limits: DisplayLimits,
}

impl Explainer<'_> {
    /// Returns a substring of the source in backticks.
    pub(super) fn quote_source(&self, span: Span) -> String {
        self.limits.format_source(span.text(self.source))
    }
}
