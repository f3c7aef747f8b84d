//! Lints on comparisons of one value that are always or never true.

use super::{
    Linter,
    atom::{self, Atom, Test},
    complement::Intervals,
    edit::{self, shown},
    form,
    mismatch::Mismatch,
    present,
    subject::integers_of,
};
use crate::{
    ast::ComparisonOperator as Op,
    code,
    resolved::{Comparison, Item, Literal, Operand, Right},
};
use zonewright_diagnostic::{Diagnostic, Edit, Safety, Span};

impl Linter<'_> {
    pub(super) fn atom_of_comparison(&mut self, comparison: &Comparison, span: Span) {
        match &comparison.right {
            Right::Wildcard(pattern) => return self.wildcard(comparison, pattern, span),
            Right::Literal(Literal::Integer(0)) if comparison.operator == Op::BitwiseAnd => {
                let why = "no integer has a bit in common with 0";
                return self.report(Diagnostic::warning(
                    code::NEVER_MATCHES,
                    span,
                    format!("this is never true: {why}"),
                ));
            }
            _ => {}
        }
        let Some(atom) = Atom::of_comparison(comparison) else { return };
        match &atom.test {
            Test::Integers(ranges) => self.possible_integers(comparison, ranges, atom.differs, span),
            Test::Addresses(_) => {}
            _ => self.text_test(atom.subject, &atom.test, atom.differs, span),
        }
    }

    pub(super) fn atom_of_call(&mut self, call: &Operand) {
        if let Some((subject, test)) = atom::call(call) {
            self.text_test(subject, &test, false, call.span);
        }
    }

    /// Reports `x eq x`.
    pub(super) fn with_itself(&mut self, comparison: &Comparison, right: &Operand, span: Span) {
        let left = &comparison.left;
        if left.each || super::same::operand(left) != super::same::operand(right) {
            return;
        }
        let why = "a value is compared with itself";
        match comparison.operator {
            Op::Equal | Op::LessOrEqual | Op::GreaterOrEqual if present::is_present(left) => {
                self.report(Diagnostic::warning(code::ALWAYS_MATCHES, span, format!("this is always true: {why}")));
            }
            Op::NotEqual | Op::Less | Op::Greater => {
                self.report(Diagnostic::warning(code::NEVER_MATCHES, span, format!("this is never true: {why}")));
            }
            _ => {}
        }
    }

    fn possible_integers(&mut self, comparison: &Comparison, ranges: &[(i64, i64)], differs: bool, span: Span) {
        let left = &comparison.left;
        let (low, high) = integers_of(left).unwrap_or((i64::MIN, i64::MAX));
        let what = shown(self.text(left.span).as_bytes());
        let bounds = match high {
            i64::MAX if low == i64::MIN => "integers end there".to_owned(),
            i64::MAX => format!("{what} is never below {low}"),
            _ if low == high => format!("{what} is always {low}"),
            _ => format!("{what} is from {low} to {high}"),
        };
        if let Right::Integers(items) = &comparison.right {
            self.impossible_items(items, (low, high), &bounds);
        }
        let inside: Vec<(u128, u128)> = ranges.iter().filter_map(|range| within(*range, (low, high))).collect();
        let is_set = matches!(comparison.right, Right::Integers(_));
        let covers = Intervals::new(inside.clone())
            .covers(&Intervals::new(within((low, high), (low, high)).into_iter().collect()));
        let (never, always) = match differs {
            true => (covers, inside.is_empty()),
            false => (inside.is_empty() && !is_set, covers),
        };
        if never {
            self.report(Diagnostic::warning(code::NEVER_MATCHES, span, format!("this is never true: {bounds}")));
        } else if always && present::is_surely_present(left) {
            // `len(x) ge 0` and `score ge 0` may test whether there is a value.
            self.report(Diagnostic::warning(code::ALWAYS_MATCHES, span, format!("this is always true: {bounds}")));
        }
    }

    fn impossible_items(&mut self, items: &[Item<(i64, i64)>], limits: (i64, i64), bounds: &str) {
        for item in items.iter().filter(|item| within(item.value, limits).is_none()) {
            let item_text = shown(self.text(item.span).as_bytes());
            self.report(Diagnostic::warning(
                code::NEVER_MATCHES,
                item.span,
                format!("{item_text} is never found: {bounds}"),
            ));
        }
    }

    /// Lints a text test against the form of the field's values.
    fn text_test(&mut self, subject: &Operand, test: &Test<'_>, differs: bool, span: Span) {
        let starred = self.literal_star(subject, test, differs, span);
        match test {
            Test::Texts(texts) => {
                let starred = starred.unwrap_or_default();
                let mut starred = starred.iter().peekable();
                for (text, place) in texts {
                    if starred.next_if_eq(&place).is_some() {
                        continue;
                    }
                    self.whole_text(subject, text, *place, differs.then_some(span));
                }
            }
            Test::Prefix(text, place) | Test::Suffix(text, place) | Test::Contains(text, place) => {
                if text.is_empty() {
                    self.no_text(subject, span);
                } else if starred.is_none() && !self.is_always_there(subject, test, span) {
                    self.part_of_text(subject, test, text, *place, span);
                }
            }
            Test::Integers(_) | Test::Addresses(_) => {}
        }
    }

    fn whole_text(&mut self, subject: &Operand, text: &[u8], place: Span, differs: Option<Span>) {
        let wrong = self.wrong_case(subject, text).or_else(|| form::whole(subject, text));
        match wrong {
            Some(wrong) => self.wrong_text(wrong, place, differs.filter(|_| present::is_present(subject))),
            None => self.case_of_text(subject, text, place),
        }
    }

    fn part_of_text(&mut self, subject: &Operand, test: &Test<'_>, text: &[u8], place: Span, span: Span) {
        let wrong = self.wrong_case(subject, text).or_else(|| match test {
            Test::Prefix(..) => form::prefix(subject, text),
            _ => form::part(subject, text),
        });
        match wrong {
            Some(wrong) => self.wrong_text(wrong, place, None),
            None => {
                self.case_of_text(subject, text, place);
                self.loose_contains(subject, test);
                self.open_start(subject, test, span);
            }
        }
    }

    /// Reports a text that never occurs. `differs` is the span of an `ne` that is therefore always true.
    fn wrong_text(&mut self, wrong: Mismatch, place: Span, differs: Option<Span>) {
        let finding = match (wrong.code, differs) {
            (code::NEVER_MATCHES, Some(whole)) => {
                Diagnostic::warning(code::ALWAYS_MATCHES, whole, format!("this is always true: {}", wrong.why))
            }
            (code::NEVER_MATCHES, None) => {
                Diagnostic::warning(code::NEVER_MATCHES, place, format!("this is never found: {}", wrong.why))
            }
            (code, _) => Diagnostic::warning(code, place, wrong.why),
        };
        let finding = match wrong.help {
            Some(help) => finding.with_help(help),
            None => finding,
        };
        let finding = match wrong.better {
            Some(better) => {
                let better = edit::quoted(&better);
                self.with_fix(finding, format!("use `{better}`"), vec![Edit::replace(place, better)], Safety::Unsafe)
            }
            None => finding,
        };
        self.report(finding);
    }

    /// Reports `contains ""` and similar tests.
    pub(super) fn no_text(&mut self, subject: &Operand, span: Span) {
        if present::is_surely_present(subject) {
            let why = "every text has the empty text in it";
            self.report(Diagnostic::warning(code::ALWAYS_MATCHES, span, format!("this is always true: {why}")));
        }
    }

    /// Reports `starts_with(full_uri, "http")`. The path of `OPTIONS *` is `*`, so not every path begins with `/`.
    fn is_always_there(&mut self, subject: &Operand, test: &Test<'_>, span: Span) -> bool {
        let text = match test {
            Test::Contains(text, _) | Test::Prefix(text, _) => *text,
            _ => return false,
        };
        let fits = |start: &&[u8]| *start != b"/" && start.starts_with(text);
        let Some(start) = form::start(subject).filter(fits) else { return false };
        let what = shown(self.text(subject.span).as_bytes());
        self.report(Diagnostic::warning(
            code::ALWAYS_MATCHES,
            span,
            format!("this is always true: {what} always begins with {}", shown(start)),
        ));
        true
    }
}

/// Returns the intersection of a range with the limits, as unsigned integers in the same order.
fn within((low, high): (i64, i64), limits: (i64, i64)) -> Option<(u128, u128)> {
    let (low, high) = (low.max(limits.0), high.min(limits.1));
    let place = |integer: i64| u128::from(integer.wrapping_sub(i64::MIN) as u64);
    (low <= high).then(|| (place(low), place(high)))
}
