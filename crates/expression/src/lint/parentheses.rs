//! Lints on missing and redundant parentheses, and on redundant `not`.

use super::{ConditionContext, Linter};
use crate::{
    ast::LogicalOperator,
    code, edit,
    resolved::{Condition, ConditionKind, Operand, OperandSource},
};
use zonewright_diagnostic::{Applicability, Diagnostic, Edit, Fix, Span};

impl Linter<'_> {
    /// Reports `a and b or c`, which is valid but easily misread.
    pub(super) fn lint_implicit_precedence(&mut self, operator: LogicalOperator, operands: &[Condition]) {
        let mut inner = None;
        let mut edits = Vec::new();
        for operand in operands {
            if let ConditionKind::Logical(tighter, _) = &operand.kind {
                inner = inner.or(Some((*tighter, operand.span)));
                edits.push(Edit::insert(operand.span.start, "("));
                edits.push(Edit::insert(operand.span.end, ")"));
            }
        }
        let Some((tighter, span)) = inner else { return };
        let (tight, loose) = (tighter.word(), operator.word());
        let diagnostic = Diagnostic::warning(
            code::IMPLICIT_PRECEDENCE,
            span,
            format!("`{tight}` and `{loose}` are mixed without parentheses"),
        )
        .with_label(format!("this is evaluated first, because `{tight}` binds tighter than `{loose}`"));
        let diagnostic = match self.can_nest {
            true => {
                self.with_fix(diagnostic, "add parentheses that show the current meaning", edits, Applicability::Safe)
            }
            false => diagnostic,
        };
        self.report(diagnostic);
    }

    /// Reports `((a))`, and parentheses around one condition between `and` operators.
    pub(super) fn lint_redundant_parentheses(
        &mut self,
        group: &Condition,
        child: &Condition,
        context: ConditionContext,
    ) {
        // Reported at the outermost pair.
        if context == ConditionContext::Group {
            return;
        }
        let mut inner = child;
        let mut pairs = 1;
        while let ConditionKind::Group(next) = &inner.kind {
            inner = next;
            pairs += 1;
        }
        let is_single = matches!(inner.kind, ConditionKind::Comparison(_) | ConditionKind::Value(_));
        let is_redundant = is_single && self.is_redundant_context(context);
        if pairs == 1 && !is_redundant {
            return;
        }
        // Otherwise the innermost pair is retained, because it may be intended.
        let retained_span = if is_redundant { inner.span } else { innermost_pair_span(child) };
        let diagnostic = Diagnostic::hint(
            code::REDUNDANT_PARENTHESES,
            group.span,
            match pairs {
                1 => "these parentheses surround a single condition".to_owned(),
                _ => "these parentheses surround other parentheses".to_owned(),
            },
        );
        let edits = edit::remove_delimiters(self.source, group.span, retained_span).to_vec();
        self.report(diagnostic.with_fix(Fix::safe_edits("remove them", edits)));
    }

    /// Returns whether parentheses around one condition are redundant in this context. Many people and tools write them
    /// for clarity around a whole expression, around all operands, around alternatives and after `not`.
    fn is_redundant_context(&self, context: ConditionContext) -> bool {
        match context {
            ConditionContext::And => !self.usage.has_zone_plan(),
            ConditionContext::Argument => true,
            _ => false,
        }
    }

    /// Reports `not not a` and `not (not a)`.
    pub(super) fn lint_double_negation(&mut self, outer: &Condition, inner: &Condition, context: ConditionContext) {
        // Reported at the first `not`.
        if context == ConditionContext::Negated {
            return;
        }
        // The operands of the `not`s in the sequence.
        let mut negations = vec![inner];
        let mut last = inner;
        while let ConditionKind::Not(operand) = &last.kind {
            last = operand;
            negations.push(operand);
        }
        // The fix removes an even number of `not`s.
        let retained = match negations.len() {
            1 => find_negated_in_group(inner),
            length => negations.get(length - length % 2 - 1).copied(),
        };
        let Some(retained) = retained else { return };
        let diagnostic = Diagnostic::warning(
            code::DOUBLE_NEGATION,
            Span::new(outer.span.start, retained.span.start),
            "two `not` operators cancel each other out",
        );
        let edits = edit::remove_delimiters(self.source, outer.span, retained.span);
        let edits = edits.into_iter().filter(|edit| edit.span.start < edit.span.end).collect();
        // For a missing array, `all(a)` is false and `all(not not a)` is true.
        self.report(diagnostic.with_fix(match self.in_all && retained.maps_each() {
            true => Fix::unsafe_edits("remove both", edits),
            false => Fix::safe_edits("remove both", edits),
        }));
    }

    /// Lints a Boolean call: its quantifier, or its test of a prefix or suffix.
    pub(super) fn lint_boolean_call(&mut self, operand: &Operand) {
        let OperandSource::Call(call) = &operand.source else { return };
        if !self.negated {
            self.lint_quantifier(call, operand.span);
        }
        self.lint_call_atom(operand);
    }
}

/// Returns the span of the innermost of several pairs of parentheses, or of the content of a single pair.
fn innermost_pair_span(inner: &Condition) -> Span {
    let mut pair = inner;
    while let ConditionKind::Group(next) = &pair.kind {
        if !matches!(next.kind, ConditionKind::Group(_)) {
            break;
        }
        pair = next;
    }
    pair.span
}

/// Returns the operand of the `not` in `(not a)`.
fn find_negated_in_group(group: &Condition) -> Option<&Condition> {
    let mut inner = group;
    while let ConditionKind::Group(next) = &inner.kind {
        inner = next;
    }
    match &inner.kind {
        ConditionKind::Not(operand) => Some(operand),
        _ => None,
    }
}
