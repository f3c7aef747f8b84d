//! Checks of conditions and logical operators.

use super::{Checker, ValueType};
use crate::{
    Type,
    ast::{Expr, ExprKind, Literal, LiteralKind, Logical},
    code,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

impl Checker<'_> {
    /// Returns the type of a condition: Boolean, or an array or map of Booleans if the condition has many results.
    pub(super) fn check_condition(&mut self, expr: &Expr) -> Option<Type> {
        match &expr.kind {
            ExprKind::Logical(logical) => self.check_logical(logical),
            ExprKind::Not(not) => self.check_condition(&not.operand),
            ExprKind::Group(inner) => self.check_condition(inner),
            ExprKind::Comparison(comparison) => self.check_comparison(comparison, expr.span),
            ExprKind::Value(value) => {
                if value.call.is_none() && is_boolean(&value.name.text) {
                    self.report(boolean_literal_error(value.name.span, &value.name.text));
                    return None;
                }
                let typed = self.check_value(value, expr.span)?;
                self.check_bare_value(typed, expr.span)
            }
            ExprKind::Literal(literal) => {
                self.report_bare_literal(literal);
                None
            }
            ExprKind::Set(_) | ExprKind::List(_) | ExprKind::Invalid => None,
        }
    }

    fn check_logical(&mut self, logical: &Logical) -> Option<Type> {
        let types: Vec<Option<Type>> = logical.operands.iter().map(|operand| self.check_condition(operand)).collect();
        let first = types.first().copied().flatten()?;
        for (operand, ty) in logical.operands.iter().zip(&types) {
            let ty = (*ty)?;
            if ty.container() != first.container() {
                let word = logical.operator.word();
                let start = logical.operands.first().map_or(operand.span, |operand| operand.span);
                self.report(
                    Diagnostic::error(
                        code::MIXED_OPERANDS,
                        operand.span,
                        format!("`{word}` combines a single result with many results: {first} and {ty}"),
                    )
                    .with_label(format!("this is {ty}"))
                    .with_related(start, format!("this is {first}"))
                    .with_help("first reduce the comparison with `[*]` to a single result with `any(…)` or `all(…)`"),
                );
                return None;
            }
        }
        Some(first)
    }

    /// Checks a value without an operator, which is valid only if it is Boolean, or an array or map of Booleans.
    fn check_bare_value(&mut self, typed: ValueType, span: Span) -> Option<Type> {
        let full_type = typed.full_type();
        if full_type.is_compatible_with(Type::BOOLEAN)
            || full_type.is_compatible_with(Type::BOOLEAN.array())
            || full_type.is_compatible_with(Type::BOOLEAN.map())
        {
            return Some(full_type);
        }
        let text = self.text(span);
        let help = match full_type.container() {
            None => "compare it with a value, such as `… eq …`",
            Some(_) => "compare its elements, such as `any(…[*] eq …)`",
        };
        self.report(
            Diagnostic::error(
                code::NOT_A_CONDITION,
                span,
                format!("expected a condition, found the value `{}`", excerpt(text)),
            )
            .with_label(format!("this is {full_type}, not Boolean"))
            .with_help(help),
        );
        None
    }

    fn report_bare_literal(&mut self, literal: &Literal) {
        if matches!(literal.kind, LiteralKind::Invalid) {
            return;
        }
        let text = self.text(literal.span);
        self.report(
            Diagnostic::error(
                code::NOT_A_CONDITION,
                literal.span,
                format!("expected a condition, found the literal `{}`", excerpt(text)),
            )
            .with_help("compare a field with it, such as `http.host eq \"…\"`"),
        );
    }
}

/// Returns whether a word is `true` or `false` in any letter case. Neither is a literal of the language.
pub(super) fn is_boolean(word: &str) -> bool {
    word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("false")
}

fn boolean_literal_error(span: Span, word: &str) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(code::BOOLEAN_LITERAL, span, format!("`{word}` cannot be part of an expression"));
    if word.eq_ignore_ascii_case("true") {
        return diagnostic.with_help("`true` is only allowed as the whole expression; remove it here");
    }
    diagnostic
        .with_help("to match nothing, disable the rule or use a condition that is never true")
        .with_fix(Fix::unsafe_edits("use `(not ssl and ssl)`", vec![Edit::replace(span, "(not ssl and ssl)")]))
}

/// Shortens a part of the source for a message.
pub(super) fn excerpt(text: &str) -> String {
    const MAX_EXCERPT_CHARS: usize = 60;
    let line = text.replace(['\n', '\r'], " ");
    match line.char_indices().nth(MAX_EXCERPT_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
