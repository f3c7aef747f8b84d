//! Lints about single conditions that match every line, or none.

use super::{Linter, domain, shown, text};
use crate::{
    Comparison, Field, Number, Operand, Operator,
    algebra::{Formula, NumberKind, NumberSet, ValueSet},
    ast::{Condition, JsonKind},
    code,
    parse::string::quoted,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

impl Linter<'_> {
    /// Reports a condition that is always or never true, and returns whether it did.
    pub(super) fn settled(&mut self, span: Span, comparison: &Comparison) -> bool {
        let atom = match Formula::from_comparison(comparison) {
            Formula::Always => return self.say_settled(span, true, "every text has the empty text in it"),
            Formula::Never => return self.say_settled(span, false, "every text has the empty text in it"),
            Formula::Atom(atom) => atom,
            Formula::All(_) | Formula::Any(_) => return false,
        };
        let (ValueSet::Numbers(numbers), Some(domain)) = (&atom.values, domain::of(comparison.field, self.dataset))
        else {
            return false;
        };
        // Negative numbers have a separate diagnostic.
        if matches!(comparison.operand, Operand::Number(number) if number < Number::Integer(0)) {
            return false;
        }
        if domain.numbers.is_within(numbers) {
            return self.say_settled(span, true, &domain.why);
        }
        let is_listed = matches!(&comparison.operand, Operand::Items(items) if items.len() > 1);
        !is_listed && domain.numbers.intersection(numbers).is_empty() && self.say_settled(span, false, &domain.why)
    }

    fn say_settled(&mut self, span: Span, always: bool, why: &str) -> bool {
        let (code, what) = match always {
            true => (code::ALWAYS_MATCHES, "every line passes this"),
            false => (code::NEVER_MATCHES, "no line passes this"),
        };
        self.report(Diagnostic::warning(code, span, format!("{what}: {why}")));
        true
    }

    /// Reports values that cannot occur, and stars.
    pub(super) fn values(&mut self, condition: &Condition, comparison: &Comparison) {
        let field = comparison.field;
        let Some(written) = condition.value.as_ref() else { return };
        match (&comparison.operand, &written.kind) {
            (Operand::Items(items), JsonKind::Array(written)) => {
                for (item, context) in items.iter().zip(written) {
                    self.value(field, comparison.operator, item, context.span);
                }
            }
            (operand, _) => self.value(field, comparison.operator, operand, written.span),
        }
        self.star(comparison);
    }

    fn value(&mut self, field: &Field, operator: Operator, operand: &Operand, span: Span) {
        match operand {
            Operand::Number(number) if operator.takes_list() => self.impossible_number(field, *number, span),
            Operand::Text(text) => self.impossible_text(field, operator, text, span),
            _ => {}
        }
    }

    fn impossible_number(&mut self, field: &Field, number: Number, span: Span) {
        let Some(domain) = domain::of(field, self.dataset) else { return };
        let one = NumberSet::that(Operator::Equal, number, NumberKind::Integer);
        if number >= Number::Integer(0) && domain.numbers.intersection(&one).is_empty() {
            let why = format!("`{}` is never found: {}", number.text(), domain.why);
            self.report(Diagnostic::warning(code::NEVER_MATCHES, span, why));
        }
    }

    fn impossible_text(&mut self, field: &Field, operator: Operator, text: &str, span: Span) {
        let Some(wrong) = text::wrong(field, self.dataset, operator, text) else { return };
        let always = operator.is_negated() && !operator.takes_list();
        let code = if always { code::ALWAYS_MATCHES } else { code::NEVER_MATCHES };
        let mut finding = Diagnostic::warning(code, span, format!("{} is never found: {}", shown(text), wrong.why));
        if let Some(better) = wrong.better {
            let edit = Edit::replace(span, quoted(&better));
            finding = finding.with_fix(Fix::unsafe_(format!("use {}", shown(&better)), vec![edit]));
        }
        if let Some(help) = wrong.help {
            finding = finding.with_help(help);
        }
        self.report(finding);
    }

    /// Reports a star at an end of a string, as in a pattern.
    fn star(&mut self, comparison: &Comparison) {
        let Operand::Text(text) = &comparison.operand else { return };
        if text::wrong(comparison.field, self.dataset, comparison.operator, text).is_some() {
            return;
        }
        let Some((operator, stem)) = text::meant(comparison.operator, text) else { return };
        let finding = Diagnostic::hint(
            code::LITERAL_STAR,
            comparison.operand_span,
            format!("the star in {} stands for itself: filters have no patterns", shown(text)),
        );
        let mut edits = vec![Edit::replace(comparison.operand_span, quoted(&stem))];
        if operator != comparison.operator {
            edits.push(Edit::replace(comparison.operator_span, quoted(operator.name())));
            edits.sort_by_key(|edit| edit.span);
        }
        let title = format!("use `{}` with {}", operator.name(), shown(&stem));
        self.report(finding.with_fix(Fix::unsafe_(title, edits)));
    }
}
