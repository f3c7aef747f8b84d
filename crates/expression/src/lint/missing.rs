//! Lints on missing values and empty arrays: pitfalls of `ne`, `len`, `all` and `any`.

use super::{Linter, excerpt};
use crate::{
    Container,
    ast::ComparisonOperator as Op,
    code,
    resolved::{
        Argument, Call, Comparison, Condition, ConditionKind, Index, Literal, Operand, OperandSource,
        ResolvedExpression, RightOperand,
    },
    schema,
    schema::{Field, FunctionId, MissingArgument, Quantifier, ValueForm, ZONE_PLAN},
};
use std::collections::BTreeMap;
use zonewright_diagnostic::{Applicability, Diagnostic, Edit, Span};

/// Facts about the whole expression, collected before linting.
#[derive(Default)]
pub(super) struct FieldUsage<'r> {
    /// The number of occurrences of each field with its first key.
    counts: BTreeMap<(&'static str, Option<&'r str>), usize>,
    /// The literals that the user agent is compared with, by their lowercase form; at most two spellings of each.
    agents: BTreeMap<String, Vec<&'r [u8]>>,
    /// Whether the source has errors, so that its unparsed text may use further values.
    is_incomplete: bool,
    /// The current nesting depth.
    depth: usize,
    /// The maximum nesting depth of parentheses, `not` and calls.
    max_depth: usize,
}

impl<'r> FieldUsage<'r> {
    pub(super) fn from_resolved(resolved: &'r ResolvedExpression) -> Self {
        let mut usage = FieldUsage::default();
        match resolved {
            ResolvedExpression::Condition(condition) => usage.visit_condition(condition),
            ResolvedExpression::Value(operand) => usage.visit_operand(operand),
        }
        usage
    }

    /// Collects the facts about an invalid expression. Its unparsed text may use any value in any spelling.
    pub(super) fn from_invalid(resolved: &'r ResolvedExpression) -> Self {
        FieldUsage { is_incomplete: true, ..FieldUsage::from_resolved(resolved) }
    }

    /// Returns the maximum nesting depth of parentheses, `not` and calls.
    pub(super) fn max_depth(&self) -> usize {
        self.max_depth
    }

    /// Returns whether the expression uses `cf.zone.plan`. Rules of a whole account end in `and cf.zone.plan eq "ENT"`,
    /// with parentheses before it.
    pub(super) fn has_zone_plan(&self) -> bool {
        self.counts.contains_key(&(ZONE_PLAN, None))
    }

    /// Returns whether the user agent is also compared with another spelling of the text.
    pub(super) fn has_other_spelling(&self, text: &str) -> bool {
        let spellings = self.agents.get(&text.to_ascii_lowercase());
        self.is_incomplete || spellings.is_some_and(|spellings| spellings.iter().any(|other| *other != text.as_bytes()))
    }

    /// Returns whether the expression uses the value elsewhere too, and may therefore already handle its absence.
    fn is_used_elsewhere(&self, base: (&'static str, Option<&str>)) -> bool {
        let container_count = if base.1.is_some() { self.counts.get(&(base.0, None)).copied().unwrap_or(0) } else { 0 };
        self.is_incomplete || self.counts.get(&base).copied().unwrap_or(0) + container_count > 1
    }

    /// Runs `visit` one nesting level deeper.
    fn visit_nested(&mut self, visit: impl FnOnce(&mut Self)) {
        self.depth += 1;
        self.max_depth = self.max_depth.max(self.depth);
        visit(self);
        self.depth -= 1;
    }

    fn visit_condition(&mut self, condition: &'r Condition) {
        match &condition.kind {
            ConditionKind::Logical(_, operands) => operands.iter().for_each(|operand| self.visit_condition(operand)),
            ConditionKind::Not(inner) | ConditionKind::Group(inner) => {
                self.visit_nested(|usage| usage.visit_condition(inner))
            }
            ConditionKind::Value(operand) => self.visit_operand(operand),
            ConditionKind::Comparison(comparison) => {
                self.visit_operand(&comparison.left);
                if let (
                    OperandSource::Field(Field { form: ValueForm::UserAgent, .. }),
                    RightOperand::Literal(Literal::Text(text)),
                ) = (&comparison.left.source, &comparison.right)
                {
                    let spellings = self.agents.entry(String::from_utf8_lossy(text).to_ascii_lowercase()).or_default();
                    // Two spellings are enough for `has_other_spelling`.
                    if spellings.len() < 2 && !spellings.contains(&text.as_slice()) {
                        spellings.push(text);
                    }
                }
                if let RightOperand::Value(right) = &comparison.right {
                    self.visit_operand(right);
                }
            }
            ConditionKind::True | ConditionKind::Invalid => {}
        }
    }

    fn visit_operand(&mut self, operand: &'r Operand) {
        if let Some(base) = base_field(operand) {
            *self.counts.entry(base).or_default() += 1;
        }
        if let OperandSource::Call(call) = &operand.source {
            self.visit_nested(|usage| {
                call.arguments.iter().for_each(|argument| match argument {
                    Argument::Value(operand) => usage.visit_operand(operand),
                    Argument::Condition(condition) => usage.visit_condition(condition),
                    Argument::Literal(..) => {}
                });
            });
        }
    }
}

/// Returns the field of an operand with its first key.
fn base_field(operand: &Operand) -> Option<(&'static str, Option<&str>)> {
    let OperandSource::Field(field) = operand.source else { return None };
    let key = match operand.indexes.first() {
        Some(Index::Key(key)) => Some(key.as_str()),
        _ => None,
    };
    Some((field.name, key))
}

/// Returns the value whose absence makes the operand missing.
fn absence_source(operand: &Operand) -> Option<(&'static str, Option<&str>)> {
    if operand.each {
        return None;
    }
    match &operand.source {
        OperandSource::Field(_) => base_field(operand).filter(|_| !operand.indexes.is_empty()),
        OperandSource::Call(call) if propagates_missing(call) && operand.indexes.is_empty() => {
            match call.arguments.first() {
                Some(Argument::Value(inner)) => absence_source(inner),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns whether the result of a call is missing if its first argument is.
fn propagates_missing(call: &Call) -> bool {
    call.function.semantics.missing_argument == MissingArgument::Propagates
}

/// Returns whether an array always has an element, because every request and every response has headers.
fn is_never_empty(elements: &Operand) -> bool {
    let OperandSource::Field(field) = elements.source else { return false };
    let map = field.origin_name().and_then(schema::field).unwrap_or(field);
    map.has_lower_case_keys() && !matches!(elements.indexes.first(), Some(Index::Key(_)))
}

/// Returns the argument of `len`.
fn len_argument(left: &Operand) -> Option<&Operand> {
    let OperandSource::Call(call) = &left.source else { return None };
    match call.arguments.as_slice() {
        [Argument::Value(argument)] if call.function.id == FunctionId::Len && !call.each => Some(argument),
        _ => None,
    }
}

/// Returns whether the operand is the array of values of one name, such as a header. That array is missing rather than
/// empty (assumption named-values).
fn is_entry_of_named_map(values: &Operand) -> bool {
    let OperandSource::Field(field) = values.source else { return false };
    matches!(values.indexes.as_slice(), [Index::Key(_)]) && field.has_named_values()
}

/// Returns whether the comparison only accepts the length 0.
fn requires_zero_length(comparison: &Comparison) -> bool {
    match (&comparison.right, comparison.operator) {
        (RightOperand::Literal(Literal::Integer(0)), Op::Equal | Op::LessOrEqual) => true,
        (RightOperand::Literal(Literal::Integer(1)), Op::Less) => true,
        (RightOperand::Integers(items), _) => !items.is_empty() && items.iter().all(|item| item.value == (0, 0)),
        _ => false,
    }
}

impl Linter<'_> {
    /// Reports `headers["x"][0] ne "a"`, which is false without the header.
    pub(super) fn lint_ne_of_missing(&mut self, comparison: &Comparison, span: Span) {
        // `ne ""` and `len(…) ne 0` require a value, so a missing value should not match.
        let is_empty = match &comparison.right {
            RightOperand::Literal(Literal::Text(text)) => text.is_empty(),
            RightOperand::Literal(Literal::Integer(length)) => *length == 0 && len_argument(&comparison.left).is_some(),
            _ => false,
        };
        if comparison.operator != Op::NotEqual || is_empty {
            return;
        }
        let Some(base) = absence_source(&comparison.left) else { return };
        if self.usage.is_used_elsewhere(base) {
            return;
        }
        let left = excerpt::quote_excerpt(self.text(comparison.left.span).as_bytes());
        let diagnostic = Diagnostic::warning(
            code::NE_OF_MISSING,
            span,
            format!("{left} may be missing; if it is, this comparison is false"),
        )
        .with_help("`not … eq …` also matches requests without the value");
        let edits = vec![Edit::insert(span.start, "not "), Edit::replace(comparison.operator_span, "eq")];
        let diagnostic = match self.can_nest {
            true => self.with_fix(diagnostic, "use `not … eq …`", edits, Applicability::Unsafe),
            false => diagnostic,
        };
        self.report(diagnostic);
    }

    /// Reports `len(headers["x"]) eq 0`, which is false without the header because its length is missing too.
    pub(super) fn lint_length_of_missing(&mut self, comparison: &Comparison, span: Span) {
        let Some(values) = len_argument(&comparison.left).filter(|values| is_entry_of_named_map(values)) else {
            return;
        };
        let Some(base) = base_field(values).filter(|_| requires_zero_length(comparison)) else { return };
        if self.negated && self.usage.is_used_elsewhere(base) {
            return;
        }
        let quoted = excerpt::quote_excerpt(self.text(values.span).as_bytes());
        let negation = if self.negated { " and its negation with `not` is true" } else { "" };
        let message =
            format!("{quoted} may be missing; if it is, it has no length, so this comparison is false{negation}");
        let diagnostic = Diagnostic::warning(code::LENGTH_OF_MISSING, span, message);
        let predicate_span = Span::new(comparison.operator_span.start, span.end);
        let edits = vec![Edit::insert(span.start, "not "), Edit::replace(predicate_span, "gt 0")];
        let diagnostic = match (self.negated, self.can_nest) {
            (true, _) => diagnostic.with_help("use `len(…) gt 0` to test whether there is a value"),
            (false, false) => diagnostic,
            (false, true) => {
                let diagnostic = diagnostic.with_help("use `not len(…) gt 0`, which is also true for a missing value");
                self.with_fix(diagnostic, "use `not len(…) gt 0`", edits, Applicability::Unsafe)
            }
        };
        self.report(diagnostic);
    }

    /// Reports `all(…)` over arrays that may be empty, and `any(… ne …)` over arrays with many elements.
    pub(super) fn lint_quantifier(&mut self, call: &Call, span: Span) {
        let argument = match call.arguments.first() {
            Some(Argument::Condition(condition)) => Some(strip_groups(condition)),
            _ => None,
        };
        match (call.function.semantics.quantifier, argument.map(|condition| &condition.kind), call.arguments.first()) {
            (Some(Quantifier::All), Some(ConditionKind::Comparison(inner)), _) if inner.operator != Op::NotEqual => {
                self.lint_vacuous_all(&inner.left, span);
            }
            (Some(Quantifier::All), None, Some(Argument::Value(inner))) => {
                if let OperandSource::Call(inner) = &inner.source
                    && let Some(Argument::Value(elements)) = inner.arguments.first()
                {
                    self.lint_vacuous_all(elements, span);
                }
            }
            (Some(Quantifier::Any), Some(ConditionKind::Comparison(inner)), _) if inner.operator == Op::NotEqual => {
                self.lint_any_not_equal(inner, "eq", span);
            }
            (Some(Quantifier::Any), Some(ConditionKind::Not(inner)), _) => {
                if let ConditionKind::Comparison(inner) = &strip_groups(inner).kind {
                    let word = inner.operator.word();
                    self.lint_any_not_equal(inner, word, span);
                }
            }
            _ => {}
        }
    }

    fn lint_vacuous_all(&mut self, elements: &Operand, span: Span) {
        let Some(base) = base_field(elements).filter(|_| elements.each) else { return };
        if is_never_empty(elements) || self.usage.is_used_elsewhere(base) {
            return;
        }
        let array = self.text(elements.span);
        let array = array.rfind("[*]").and_then(|index| array.get(..index)).unwrap_or(array);
        let quoted = excerpt::quote_excerpt(array.as_bytes());
        self.report(
            Diagnostic::warning(code::VACUOUS_ALL, span, format!("`all` is also true if {quoted} is missing or empty"))
                .with_help("to require at least one value, also test the same with `any(…)`, or test `len(…) gt 0`"),
        );
    }

    fn lint_any_not_equal(&mut self, comparison: &Comparison, word: &str, span: Span) {
        let left = &comparison.left;
        let OperandSource::Field(field) = left.source else { return };
        let is_map_element = field.ty.container() == Some(Container::Map) && left.indexes.first() == Some(&Index::Each);
        if !(field.is_map_row() || is_map_element) || self.usage.is_used_elsewhere((field.name, None)) {
            return;
        }
        let diagnostic = Diagnostic::warning(
            code::ANY_NOT_EQUAL,
            span,
            "this is true if at least one value does not match, which is almost always the case",
        )
        .with_help("use `not any(…)` to test that no value matches");
        let (left, right) = (self.text(left.span), self.text(comparison.right_span));
        let edits = vec![Edit::replace(span, format!("not any({left} {word} {right})"))];
        let diagnostic = match self.can_nest {
            true => self.with_fix(diagnostic, "use `not any(…)`", edits, Applicability::Unsafe),
            false => diagnostic,
        };
        self.report(diagnostic);
    }
}

fn strip_groups(condition: &Condition) -> &Condition {
    let mut condition = condition;
    while let ConditionKind::Group(inner) = &condition.kind {
        condition = inner;
    }
    condition
}
