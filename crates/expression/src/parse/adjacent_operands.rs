//! Joins adjacent operands that belong together: a value and its method, or a value and its right side.

use super::{Lowering, chain::OperandChain, invalid_expr};
use crate::{
    ast::{Comparison, ComparisonOperator, Expr, ExprKind, IndexKind, LiteralKind, Value},
    code,
};
use std::mem::replace;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// The maximum length in bytes of a value that a method is joined to. It keeps the work on chains of methods linear.
const MAX_RECEIVER_BYTES: usize = 256;

impl Lowering<'_> {
    /// Joins `.lower()` to the value that it touches. The result is a call with the name `value.lower`, which the
    /// checker reports. Returns the operand if it is not such a method.
    pub(super) fn merge_method(&self, chain: &mut OperandChain, mut operand: Expr) -> Option<Expr> {
        let Some(last) = chain.last_unjoined_mut() else { return Some(operand) };
        let is_method = leftmost_value(&operand).is_some_and(|value| {
            value.name.text.strip_prefix('.').is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
        });
        let Some(receiver) = value_span(last).filter(|_| is_method) else { return Some(operand) };
        if receiver.end != operand.span.start || receiver.end - receiver.start > MAX_RECEIVER_BYTES {
            return Some(operand);
        }
        extend_to_receiver(&mut operand, receiver, self.source);
        replace_innermost(last, operand.span, |_| operand);
        None
    }

    /// Reports a missing operator between a value and an adjacent literal, set or list, and joins both into a
    /// comparison. Returns the operand if it does not follow a value.
    pub(super) fn insert_missing_comparison(&mut self, chain: &mut OperandChain, operand: Expr) -> Option<Expr> {
        let Some(last) = chain.last_unjoined_mut() else { return Some(operand) };
        let Some((left, (operators, is_item))) = value_span(last).zip(missing_operators(&operand)) else {
            return Some(operand);
        };
        let span = operand.span;
        replace_innermost(last, span, |left| Expr {
            span: left.span.to(span),
            kind: ExprKind::Comparison(Box::new(Comparison {
                left,
                operator: ComparisonOperator::Equal,
                operator_span: Span::empty(span.start),
                right: invalid_expr(span),
            })),
        });
        let before = if left.end == span.start { " " } else { "" };
        let insert_fix = |operator: &&str| {
            let brace = if is_item { "{" } else { "" };
            let mut edits = vec![Edit::insert(span.start, format!("{before}{operator} {brace}"))];
            edits.extend(is_item.then(|| Edit::insert(span.end, "}")));
            Fix::unsafe_edits(format!("insert `{operator}`"), edits)
        };
        self.report(
            Diagnostic::error(
                code::MISSING_COMPARISON_OPERATOR,
                span,
                "expected a comparison operator before this value",
            )
            .with_related(left, "this value is not compared")
            .with_fixes(operators.iter().map(insert_fix).collect()),
        );
        None
    }

    /// Reports a set or list in the position of a condition, even after prefixes.
    pub(super) fn reject_bare_set(&mut self, mut operand: Expr) -> Expr {
        let (noun, example) = match &mut operand.kind {
            ExprKind::Not(not) => {
                let inner = replace(&mut *not.operand, invalid_expr(operand.span));
                *not.operand = self.reject_bare_set(inner);
                return operand;
            }
            ExprKind::Set(_) => ("set", "ip.src in {…}"),
            ExprKind::List(_) => ("list", "ip.src in $name"),
            _ => return operand,
        };
        self.report(
            Diagnostic::error(code::UNEXPECTED_TEXT, operand.span, format!("a {noun} is only allowed after `in`"))
                .with_help(format!("add a value and `in` before it: `{example}`")),
        );
        invalid_expr(operand.span)
    }
}

/// Returns the span of the value that an operand consists of, ignoring prefixes.
fn value_span(operand: &Expr) -> Option<Span> {
    match &operand.kind {
        ExprKind::Not(not) => value_span(&not.operand),
        ExprKind::Value(value) => {
            value.indexes.iter().all(|index| index.kind != IndexKind::Invalid).then_some(operand.span)
        }
        _ => None,
    }
}

/// Returns the value that an operand begins with.
fn leftmost_value(operand: &Expr) -> Option<&Value> {
    match &operand.kind {
        ExprKind::Value(value) => Some(value),
        ExprKind::Comparison(comparison) => leftmost_value(&comparison.left),
        _ => None,
    }
}

/// Extends the start of an operand, its leftmost value and that value's name to the receiver.
fn extend_to_receiver(operand: &mut Expr, receiver: Span, source: &str) {
    operand.span = receiver.to(operand.span);
    match &mut operand.kind {
        ExprKind::Comparison(comparison) => extend_to_receiver(&mut comparison.left, receiver, source),
        ExprKind::Value(value) => {
            value.name.span = receiver.to(value.name.span);
            value.name.text = value.name.span.text(source).into();
        }
        _ => {}
    }
}

/// Replaces the operand of the innermost prefix by the result of `build`. The whole operand then extends to the end of
/// `replacement_span`.
fn replace_innermost<F: FnOnce(Expr) -> Expr>(operand: &mut Expr, replacement_span: Span, build: F) {
    if let ExprKind::Not(not) = &mut operand.kind {
        replace_innermost(&mut not.operand, replacement_span, build);
        operand.span = operand.span.to(replacement_span);
        return;
    }
    let replaced = replace(operand, invalid_expr(replacement_span));
    *operand = build(replaced);
}

/// Returns the operators that may be missing before an operand, most likely first. The Boolean is true for a network or
/// range, which also needs the braces of a set. Returns `None` if the operand cannot be a right side.
fn missing_operators(operand: &Expr) -> Option<(&'static [&'static str], bool)> {
    match &operand.kind {
        ExprKind::Set(_) | ExprKind::List(_) => Some((&["in"], false)),
        ExprKind::Literal(literal) => match &literal.kind {
            LiteralKind::Invalid => None,
            LiteralKind::Unquoted(word) if word.contains('/') || word.contains("..") => Some((&["in"], true)),
            LiteralKind::Unquoted(_) => Some((&["eq"], false)),
            _ => Some((&["eq", "contains"], false)),
        },
        _ => None,
    }
}
