//! Lints on comparisons of one value that are always or never true.

use super::{
    Linter,
    atom::{self, Atom, Test},
    excerpt::{self, quote_excerpt},
    interval_set::IntervalSet,
    mismatch::Mismatch,
    presence,
    subject::integer_range_of,
    value_form,
};
use crate::{
    ast::ComparisonOperator as Op,
    code,
    resolved::{Comparison, Literal, Operand, RightOperand, SetItem},
};
use zonewright_diagnostic::{Applicability, Diagnostic, Edit, Span};

impl Linter<'_> {
    pub(super) fn lint_comparison_atom(&mut self, comparison: &Comparison, span: Span) {
        match &comparison.right {
            RightOperand::Wildcard(pattern) => return self.lint_wildcard(comparison, pattern, span),
            RightOperand::Literal(Literal::Integer(0)) if comparison.operator == Op::BitwiseAnd => {
                let reason = "no integer shares a bit with 0";
                return self.report(Diagnostic::warning(
                    code::NEVER_MATCHES,
                    span,
                    format!("this is never true: {reason}"),
                ));
            }
            _ => {}
        }
        let Some(atom) = Atom::from_comparison(comparison) else { return };
        match &atom.test {
            Test::Integers(ranges) => self.lint_integer_bounds(comparison, ranges, atom.is_not_equal, span),
            Test::Addresses(_) => {}
            _ => self.lint_text(atom.subject, &atom.test, atom.is_not_equal, span),
        }
    }

    pub(super) fn lint_call_atom(&mut self, call: &Operand) {
        if let Some((subject, test)) = atom::affix_call(call) {
            self.lint_text(subject, &test, false, call.span);
        }
    }

    /// Reports `x eq x`.
    pub(super) fn lint_self_comparison(&mut self, comparison: &Comparison, right: &Operand, span: Span) {
        let left = &comparison.left;
        if left.each || super::fingerprint::hash_operand(left) != super::fingerprint::hash_operand(right) {
            return;
        }
        let reason = "a value is compared with itself";
        match comparison.operator {
            Op::Equal | Op::LessOrEqual | Op::GreaterOrEqual if presence::is_usually_present(left) => {
                self.report(Diagnostic::warning(code::ALWAYS_MATCHES, span, format!("this is always true: {reason}")));
            }
            Op::NotEqual | Op::Less | Op::Greater => {
                self.report(Diagnostic::warning(code::NEVER_MATCHES, span, format!("this is never true: {reason}")));
            }
            _ => {}
        }
    }

    fn lint_integer_bounds(&mut self, comparison: &Comparison, ranges: &[(i64, i64)], is_not_equal: bool, span: Span) {
        let left = &comparison.left;
        let (low, high) = integer_range_of(left).unwrap_or((i64::MIN, i64::MAX));
        let value_text = quote_excerpt(self.text(left.span).as_bytes());
        let bounds = match high {
            i64::MAX if low == i64::MIN => "no integer is beyond this limit".to_owned(),
            i64::MAX => format!("{value_text} is never below {low}"),
            _ if low == high => format!("{value_text} is always {low}"),
            _ => format!("{value_text} ranges from {low} to {high}"),
        };
        if let RightOperand::Integers(items) = &comparison.right {
            self.report_impossible_items(items, (low, high), &bounds);
        }
        let remaining: Vec<(u128, u128)> =
            ranges.iter().filter_map(|range| intersect_range(*range, (low, high))).collect();
        let is_set = matches!(comparison.right, RightOperand::Integers(_));
        let covers = IntervalSet::new(remaining.clone())
            .covers(&IntervalSet::new(intersect_range((low, high), (low, high)).into_iter().collect()));
        let (never, always) = match is_not_equal {
            true => (covers, remaining.is_empty()),
            false => (remaining.is_empty() && !is_set, covers),
        };
        if never {
            self.report(Diagnostic::warning(code::NEVER_MATCHES, span, format!("this is never true: {bounds}")));
        } else if always && presence::is_certainly_present(left) {
            // `len(x) ge 0` and `score ge 0` may test whether there is a value.
            self.report(Diagnostic::warning(code::ALWAYS_MATCHES, span, format!("this is always true: {bounds}")));
        }
    }

    fn report_impossible_items(&mut self, items: &[SetItem<(i64, i64)>], limits: (i64, i64), bounds: &str) {
        for item in items.iter().filter(|item| intersect_range(item.value, limits).is_none()) {
            let item_text = quote_excerpt(self.text(item.span).as_bytes());
            self.report(Diagnostic::warning(
                code::NEVER_MATCHES,
                item.span,
                format!("{item_text} never matches: {bounds}"),
            ));
        }
    }

    /// Lints a text test against the form of the field's values.
    fn lint_text(&mut self, subject: &Operand, test: &Test<'_>, is_not_equal: bool, span: Span) {
        let starred = self.lint_literal_star(subject, test, is_not_equal, span);
        match test {
            Test::Texts(texts) => {
                let starred = starred.unwrap_or_default();
                let mut starred = starred.iter().peekable();
                for (text, text_span) in texts {
                    if starred.next_if_eq(&text_span).is_some() {
                        continue;
                    }
                    self.lint_whole_text(subject, text, *text_span, is_not_equal.then_some(span));
                }
            }
            Test::Prefix(text, text_span) | Test::Suffix(text, text_span) | Test::Contains(text, text_span) => {
                if text.is_empty() {
                    self.lint_empty_text(subject, span);
                } else if starred.is_none() && !self.lint_known_prefix(subject, test, span) {
                    self.lint_substring(subject, test, text, *text_span, span);
                }
            }
            Test::Integers(_) | Test::Addresses(_) => {}
        }
    }

    fn lint_whole_text(&mut self, subject: &Operand, text: &[u8], text_span: Span, not_equal_span: Option<Span>) {
        let mismatch = self.find_case_mismatch(subject, text).or_else(|| value_form::check_whole(subject, text));
        match mismatch {
            Some(mismatch) => self.report_impossible_text(
                mismatch,
                text_span,
                not_equal_span.filter(|_| presence::is_usually_present(subject)),
            ),
            None => self.lint_text_case(subject, text, text_span),
        }
    }

    fn lint_substring(&mut self, subject: &Operand, test: &Test<'_>, text: &[u8], text_span: Span, span: Span) {
        let mismatch = self.find_case_mismatch(subject, text).or_else(|| match test {
            Test::Prefix(..) => value_form::check_prefix(subject, text),
            _ => value_form::check_substring(subject, text),
        });
        match mismatch {
            Some(mismatch) => self.report_impossible_text(mismatch, text_span, None),
            None => {
                self.lint_text_case(subject, text, text_span);
                self.lint_loose_contains(subject, test);
                self.lint_unanchored_suffix(subject, test, span);
            }
        }
    }

    /// Reports a text that never occurs. `not_equal_span` is the span of an `ne` that is therefore always true.
    fn report_impossible_text(&mut self, mismatch: Mismatch, text_span: Span, not_equal_span: Option<Span>) {
        let diagnostic = match (mismatch.code, not_equal_span) {
            (code::NEVER_MATCHES, Some(whole)) => {
                Diagnostic::warning(code::ALWAYS_MATCHES, whole, format!("this is always true: {}", mismatch.reason))
            }
            (code::NEVER_MATCHES, None) => {
                Diagnostic::warning(code::NEVER_MATCHES, text_span, format!("this never matches: {}", mismatch.reason))
            }
            (code, _) => Diagnostic::warning(code, text_span, mismatch.reason),
        };
        let diagnostic = match mismatch.help {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        };
        let diagnostic = match mismatch.replacement {
            Some(replacement) => {
                let replacement = excerpt::quote(&replacement);
                self.with_fix(
                    diagnostic,
                    format!("use `{replacement}`"),
                    vec![Edit::replace(text_span, replacement)],
                    Applicability::Unsafe,
                )
            }
            None => diagnostic,
        };
        self.report(diagnostic);
    }

    /// Reports `contains ""` and similar tests.
    fn lint_empty_text(&mut self, subject: &Operand, span: Span) {
        if presence::is_certainly_present(subject) {
            let reason = "every string contains the empty string";
            self.report(Diagnostic::warning(code::ALWAYS_MATCHES, span, format!("this is always true: {reason}")));
        }
    }

    /// Reports `starts_with(full_uri, "http")`. Returns whether there is a report.
    fn lint_known_prefix(&mut self, subject: &Operand, test: &Test<'_>, span: Span) -> bool {
        let text = match test {
            Test::Contains(text, _) | Test::Prefix(text, _) => *text,
            _ => return false,
        };
        let Some(prefix) = value_form::known_prefix(subject).filter(|prefix| prefix.starts_with(text)) else {
            return false;
        };
        let value_text = quote_excerpt(self.text(subject.span).as_bytes());
        self.report(Diagnostic::warning(
            code::ALWAYS_MATCHES,
            span,
            format!("this is always true: {value_text} always starts with {}", quote_excerpt(prefix)),
        ));
        true
    }
}

/// Returns the intersection of a range with the limits, as unsigned integers in the same order.
fn intersect_range((low, high): (i64, i64), limits: (i64, i64)) -> Option<(u128, u128)> {
    let (low, high) = (low.max(limits.0), high.min(limits.1));
    let rank = |integer: i64| u128::from(integer.wrapping_sub(i64::MIN) as u64);
    (low <= high).then(|| (rank(low), rank(high)))
}
