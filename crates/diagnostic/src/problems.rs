//! A bounded collection of the problems of one source.

use crate::{Diagnostic, Severity, Span, group_digits, sort_by_key};

/// The maximum number of problems that are listed per source. Further problems are only counted (assumption
/// problem-bounds).
pub const MAX_LISTED_DIAGNOSTICS: usize = 1000;

/// Collects the problems of one source in bounded memory: it lists the first [`MAX_LISTED_DIAGNOSTICS`], errors before
/// warnings and hints, and counts the others.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    listed: Vec<Diagnostic>,
    overflow: Option<Overflow>,
}

/// The problems beyond the bound, which are only counted.
#[derive(Clone, Copy, Debug)]
struct Overflow {
    count: usize,
    worst_severity: Severity,
    first_span: Span,
}

impl Problems {
    /// Adds a problem.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.listed.push(diagnostic);
        // Truncating once per thousand problems bounds both the memory and the number of sorts.
        if self.listed.len() >= 2 * MAX_LISTED_DIAGNOSTICS {
            self.truncate();
        }
    }

    /// Adds the problems of another collection.
    pub fn append(&mut self, other: Problems) {
        self.extend(other.listed);
        if let Some(Overflow { count, worst_severity, first_span }) = other.overflow {
            self.record_overflow(count, worst_severity, first_span);
        }
    }

    /// Counts errors that have no diagnostic. Their span is that of the last listed problem.
    pub fn count_errors(&mut self, count: usize) {
        let last = self.listed.last().map_or(Span::empty(0), |last| last.span);
        if count > 0 {
            self.record_overflow(count, Severity::Error, last);
        }
    }

    /// Returns whether there is no problem.
    pub fn is_empty(&self) -> bool {
        self.listed.is_empty() && self.overflow.is_none()
    }

    /// Returns whether there is an error.
    pub fn has_errors(&self) -> bool {
        self.listed.iter().any(Diagnostic::is_error)
            || self.overflow.is_some_and(|rest| rest.worst_severity == Severity::Error)
    }

    /// Sorts the problems in place and returns them in source order, or `None` if some of them are only counted.
    pub fn sorted_if_complete(&mut self) -> Option<&[Diagnostic]> {
        self.truncate();
        sort_by_key(&mut self.listed, |diagnostic| diagnostic.span);
        self.overflow.is_none().then_some(&self.listed)
    }

    /// Returns the listed diagnostics, in insertion order until they are first sorted.
    pub fn listed(&self) -> &[Diagnostic] {
        &self.listed
    }

    /// Returns the listed diagnostics, for changes in place.
    pub fn listed_mut(&mut self) -> &mut [Diagnostic] {
        &mut self.listed
    }

    /// Returns the listed problems in source order. If others were only counted, a last diagnostic with this code says
    /// how many.
    pub fn into_diagnostics(mut self, code: &'static str) -> Vec<Diagnostic> {
        self.truncate();
        sort_by_key(&mut self.listed, |diagnostic| diagnostic.span);
        if let Some(Overflow { count, worst_severity, first_span }) = self.overflow {
            let span = self.listed.last().map_or(first_span, |last| first_span.max(last.span));
            let (noun, verb) = if count == 1 { ("problem", "is") } else { ("problems", "are") };
            let message = format!("{} more {noun} {verb} not listed", group_digits(count));
            let summary = Diagnostic { severity: worst_severity, ..Diagnostic::error(code, span, message) };
            self.listed.push(summary.with_help("fix the first problems; they often cause the others"));
        }
        self.listed
    }

    /// Drops all but the first problems and counts the dropped ones.
    fn truncate(&mut self) {
        if self.listed.len() <= MAX_LISTED_DIAGNOSTICS {
            return;
        }
        sort_by_key(&mut self.listed, |diagnostic| (diagnostic.severity, diagnostic.span));
        for dropped in self.listed.split_off(MAX_LISTED_DIAGNOSTICS) {
            self.record_overflow(1, dropped.severity, dropped.span);
        }
    }

    fn record_overflow(&mut self, count: usize, worst_severity: Severity, first_span: Span) {
        self.overflow = Some(match self.overflow {
            None => Overflow { count, worst_severity, first_span },
            Some(before) => Overflow {
                count: before.count + count,
                worst_severity: before.worst_severity.min(worst_severity),
                first_span: before.first_span.min(first_span),
            },
        });
    }
}

impl Extend<Diagnostic> for Problems {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: I) {
        diagnostics.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(offset: usize) -> Diagnostic {
        Diagnostic::error("some-code", Span::empty(offset), "message")
    }

    #[test]
    fn problems_beyond_the_limit_are_counted_in_bounded_memory() {
        let mut problems = Problems::default();
        for offset in (0..1_000_000).rev() {
            problems.push(error(offset));
            assert!(problems.listed().len() < 2 * MAX_LISTED_DIAGNOSTICS);
        }
        let listed = problems.into_diagnostics("too-many");
        let last = listed.last().unwrap();
        assert_eq!((listed.len(), listed[0].span, listed[999].span), (1001, Span::empty(0), Span::empty(999)));
        assert_eq!((last.code, last.message.as_str()), ("too-many", "999,000 more problems are not listed"));
        assert_eq!((last.severity, last.span), (Severity::Error, Span::empty(1000)));
    }

    #[test]
    fn problems_up_to_the_limit_are_listed() {
        let mut problems = Problems::default();
        problems.extend((0..MAX_LISTED_DIAGNOSTICS).map(error));
        assert_eq!(problems.clone().into_diagnostics("too-many").len(), MAX_LISTED_DIAGNOSTICS);
        problems.push(error(MAX_LISTED_DIAGNOSTICS));
        let counted = problems.into_diagnostics("too-many").pop().unwrap();
        assert_eq!(counted.message, "1 more problem is not listed");
    }

    #[test]
    fn errors_displace_hints_and_hints_alone_are_not_errors() {
        let hint = |offset| Diagnostic::hint("some-hint", Span::empty(offset), "message");
        let mut problems = Problems::default();
        problems.extend((0..5000).map(hint));
        assert!(!problems.has_errors());
        assert_eq!(problems.clone().into_diagnostics("too-many")[MAX_LISTED_DIAGNOSTICS].severity, Severity::Hint);
        problems.push(error(9000));
        assert!(problems.has_errors());
        let listed = problems.into_diagnostics("too-many");
        let last = [&listed[999], &listed[1000]].map(|diagnostic| (diagnostic.severity, diagnostic.message.as_str()));
        assert_eq!(last, [(Severity::Error, "message"), (Severity::Hint, "4,001 more problems are not listed")]);
    }
}
