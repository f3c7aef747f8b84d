//! Lints on the valid subexpressions of an invalid expression.

use super::Linter;
use crate::resolved::{Condition, ConditionKind};
use zonewright_diagnostic::{Diagnostic, Span, sort_by_key};

/// The spans of errors with the whitespace around them, sorted and disjoint.
pub(super) struct ErrorSpans(Vec<Span>);

impl ErrorSpans {
    pub(super) fn new(source: &str, problems: &[Diagnostic]) -> Self {
        let mut spans: Vec<Span> =
            problems.iter().filter(|problem| problem.is_error()).map(|problem| problem.span).collect();
        sort_by_key(&mut spans, |span| *span);
        let mut merged: Vec<Span> = Vec::new();
        // A span is extended by the whitespace around it before the next span is compared with it. An error within
        // that whitespace is then merged, and no whitespace is scanned twice.
        let after_whitespace =
            |end: usize| end + source.get(end..).map_or(0, |suffix| suffix.len() - suffix.trim_start().len());
        for span in spans {
            match merged.last_mut() {
                Some(last) if span.end <= last.end => {}
                Some(last) if span.start <= last.end => last.end = after_whitespace(span.end),
                _ => {
                    let start = source.get(..span.start).unwrap_or_default().trim_end().len();
                    merged.push(Span::new(start, after_whitespace(span.end)));
                }
            }
        }
        ErrorSpans(merged)
    }

    /// Returns whether an error overlaps the span or is next to it.
    pub(super) fn touches(&self, span: Span) -> bool {
        let index = self.0.partition_point(|error| error.end < span.start);
        self.0.get(index).is_some_and(|error| error.start <= span.end)
    }
}

impl Linter<'_> {
    /// Lints each comparison and each call that no error touches.
    pub(super) fn lint_subtrees(&mut self, condition: &Condition, error_spans: &ErrorSpans) {
        match &condition.kind {
            ConditionKind::Logical(_, operands) => {
                operands.iter().for_each(|operand| self.lint_subtrees(operand, error_spans))
            }
            ConditionKind::Group(inner) => self.lint_subtrees(inner, error_spans),
            ConditionKind::Not(inner) => {
                self.negated = !self.negated;
                self.lint_subtrees(inner, error_spans);
                self.negated = !self.negated;
            }
            _ if error_spans.touches(condition.span) => {}
            ConditionKind::Comparison(comparison) => self.lint_comparison(comparison, condition.span),
            ConditionKind::Value(operand) => {
                self.lint_boolean_call(operand);
                self.lint_operand(operand);
            }
            ConditionKind::True | ConditionKind::Invalid => {}
        }
    }
}
