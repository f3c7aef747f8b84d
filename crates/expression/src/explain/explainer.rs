//! What explains an expression. The other files have its methods, by what they put into words.

use super::show::Limits;
use zonewright_diagnostic::Span;

/// Puts an expression into words.
pub(super) struct Explainer<'s> {
    pub(super) source: &'s str,
    pub(super) limits: Limits,
}

impl Explainer<'_> {
    /// A piece of the source between backticks.
    pub(super) fn source(&self, span: Span) -> String {
        self.limits.source(span.text(self.source))
    }
}
