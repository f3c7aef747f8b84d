//! Lints about single conditions that match every line or none, and about values that never occur.

use super::{Linter, domain, quote_excerpt, string_format};
use crate::{
    Comparison, Field, Number, Operand, Operator,
    algebra::{Formula, NumberKind, NumberSet, ValueSet},
    ast::{Condition, JsonKind},
    code,
    parse::string::quoted,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span, sort_by_key};

impl Linter<'_> {
    /// Reports a condition that is always or never true, and returns whether it is one.
    pub(super) fn check_constant(&mut self, span: Span, comparison: &Comparison) -> bool {
        let atom = match Formula::from_comparison(comparison) {
            Formula::Always => return self.report_constant(span, true, "every string contains the empty string"),
            Formula::Never => return self.report_constant(span, false, "every string contains the empty string"),
            Formula::Atom(atom) => atom,
            Formula::All(_) | Formula::Any(_) => return false,
        };
        let (ValueSet::Numbers(numbers), Some(domain)) =
            (&atom.values, domain::find_domain(comparison.field, self.dataset))
        else {
            return false;
        };
        // Negative numbers have a separate diagnostic.
        if matches!(comparison.operand, Operand::Number(number) if number < Number::Integer(0)) {
            return false;
        }
        if domain.numbers.is_subset(numbers) {
            return self.report_constant(span, true, &domain.reason);
        }
        let is_listed = matches!(&comparison.operand, Operand::Items(items) if items.len() > 1);
        !is_listed
            && domain.numbers.intersection(numbers).is_empty()
            && self.report_constant(span, false, &domain.reason)
    }

    fn report_constant(&mut self, span: Span, is_true: bool, reason: &str) -> bool {
        let (code, effect) = match is_true {
            true => (code::ALWAYS_MATCHES, "every line matches"),
            false => (code::NEVER_MATCHES, "no line matches"),
        };
        self.report(Diagnostic::warning(code, span, format!("{effect}: {reason}")));
        true
    }

    /// Reports values that cannot occur, and wildcards.
    pub(super) fn check_values(&mut self, condition: &Condition, comparison: &Comparison) {
        let field = comparison.field;
        let Some(literal) = condition.value.as_ref() else { return };
        match (&comparison.operand, &literal.kind) {
            (Operand::Items(items), JsonKind::Array(literal)) => {
                for (item, json) in items.iter().zip(literal) {
                    self.check_value(field, comparison.operator, item, json.span);
                }
            }
            (operand, _) => self.check_value(field, comparison.operator, operand, literal.span),
        }
        self.check_wildcard(comparison);
    }

    fn check_value(&mut self, field: &Field, operator: Operator, operand: &Operand, span: Span) {
        match operand {
            Operand::Number(number) if operator.takes_list() => self.check_impossible_number(field, *number, span),
            Operand::String(text) => self.check_impossible_text(field, operator, text, span),
            _ => {}
        }
    }

    fn check_impossible_number(&mut self, field: &Field, number: Number, span: Span) {
        let Some(domain) = domain::find_domain(field, self.dataset) else { return };
        let single = NumberSet::from_comparison(Operator::Equal, number, NumberKind::Integer);
        if number >= Number::Integer(0) && domain.numbers.intersection(&single).is_empty() {
            let reason = format!("`{}` never occurs: {}", number.to_json(), domain.reason);
            self.report(Diagnostic::warning(code::NEVER_MATCHES, span, reason));
        }
    }

    fn check_impossible_text(&mut self, field: &Field, operator: Operator, text: &str, span: Span) {
        let Some(impossible) = string_format::find_impossible(field, self.dataset, operator, text) else { return };
        let always_matches = operator.is_negated() && !operator.takes_list();
        let code = if always_matches { code::ALWAYS_MATCHES } else { code::NEVER_MATCHES };
        let mut diagnostic =
            Diagnostic::warning(code, span, format!("{} never occurs: {}", quote_excerpt(text), impossible.reason));
        if let Some(suggestion) = impossible.suggestion {
            let edit = Edit::replace(span, quoted(&suggestion));
            diagnostic =
                diagnostic.with_fix(Fix::unsafe_edits(format!("use {}", quote_excerpt(&suggestion)), vec![edit]));
        }
        if let Some(help) = impossible.help {
            diagnostic = diagnostic.with_help(help);
        }
        self.report(diagnostic);
    }

    /// Reports a `*` at an end of a string, as in a pattern.
    fn check_wildcard(&mut self, comparison: &Comparison) {
        let Operand::String(text) = &comparison.operand else { return };
        if string_format::find_impossible(comparison.field, self.dataset, comparison.operator, text).is_some() {
            return;
        }
        let Some((operator, stem)) = string_format::replace_wildcard(comparison.operator, text) else { return };
        let diagnostic = Diagnostic::hint(
            code::LITERAL_STAR,
            comparison.operand_span,
            format!("the `*` in {} is literal: filters do not support wildcards", quote_excerpt(text)),
        );
        let mut edits = vec![Edit::replace(comparison.operand_span, quoted(&stem))];
        if operator != comparison.operator {
            edits.push(Edit::replace(comparison.operator_span, quoted(operator.name())));
            sort_by_key(&mut edits, |edit| edit.span);
        }
        let title = format!("use `{}` with {}", operator.name(), quote_excerpt(&stem));
        self.report(diagnostic.with_fix(Fix::unsafe_edits(title, edits)));
    }
}
