//! Operands side by side that belong together: a method of a value, or a value and what it is compared with.

use super::{Lowering, chain::Row, invalid};
use crate::{
    ast::{Comparison, ComparisonOperator, Expr, ExprKind, IndexKind, LiteralKind, Value},
    code,
};
use std::mem::replace;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// Longest value that a method is joined to. The bound keeps the work on chains of methods linear.
const MAX_RECEIVER_BYTES: usize = 256;

impl Lowering<'_> {
    /// Joins `.lower()` to the value that it touches, and makes it one call of the name `value.lower`, which the
    /// check refuses. Returns an operand that is no such method.
    pub(super) fn join_method(&self, row: &mut Row, mut operand: Expr) -> Option<Expr> {
        let Some(last) = row.unjoined_mut() else { return Some(operand) };
        let is_method = leftmost(&operand).is_some_and(|value| {
            value.name.text.strip_prefix('.').is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
        });
        let Some(receiver) = compared(last).filter(|_| is_method) else { return Some(operand) };
        if receiver.end != operand.span.start || receiver.end - receiver.start > MAX_RECEIVER_BYTES {
            return Some(operand);
        }
        extend(&mut operand, receiver, self.source);
        replace_innermost(last, operand.span, |_| operand);
        None
    }

    /// Reports that nothing compares a value with the literal, set or list beside it, and makes a comparison of
    /// both. Returns an operand that does not stand beside a value.
    pub(super) fn compare_neighbours(&mut self, row: &mut Row, operand: Expr) -> Option<Expr> {
        let Some(last) = row.unjoined_mut() else { return Some(operand) };
        let Some((left, (operators, is_item))) = compared(last).zip(missing(&operand)) else { return Some(operand) };
        let span = operand.span;
        replace_innermost(last, span, |left| Expr {
            span: left.span.to(span),
            kind: ExprKind::Comparison(Box::new(Comparison {
                left,
                operator: ComparisonOperator::Equal,
                operator_span: Span::at(span.start),
                right: invalid(span),
            })),
        });
        let before = if left.end == span.start { " " } else { "" };
        let put = |operator: &&str| {
            let brace = if is_item { "{" } else { "" };
            let mut edits = vec![Edit::insert(span.start, format!("{before}{operator} {brace}"))];
            edits.extend(is_item.then(|| Edit::insert(span.end, "}")));
            Fix::unsafe_(format!("put `{operator}` between"), edits)
        };
        self.report(
            Diagnostic::error(
                code::MISSING_COMPARISON_OPERATOR,
                span,
                "expected a comparison operator before this value",
            )
            .with_related(left, "nothing compares this value")
            .with_fixes(operators.iter().map(put).collect()),
        );
        None
    }

    /// Reports a set or list in the position of a condition, perhaps behind prefixes.
    pub(super) fn without_lonely_set(&mut self, mut operand: Expr) -> Expr {
        let (what, example) = match &mut operand.kind {
            ExprKind::Not(not) => {
                let inner = replace(&mut *not.operand, invalid(operand.span));
                *not.operand = self.without_lonely_set(inner);
                return operand;
            }
            ExprKind::Set(_) => ("set", "ip.src in {…}"),
            ExprKind::List(_) => ("list", "ip.src in $name"),
            _ => return operand,
        };
        self.report(
            Diagnostic::error(code::UNEXPECTED_TEXT, operand.span, format!("a {what} can only stand after `in`"))
                .with_help(format!("write what is looked for before it: `{example}`")),
        );
        invalid(operand.span)
    }
}

/// Where the value is that an operand consists of, prefixes aside.
fn compared(operand: &Expr) -> Option<Span> {
    match &operand.kind {
        ExprKind::Not(not) => compared(&not.operand),
        ExprKind::Value(value) => {
            value.indexes.iter().all(|index| index.kind != IndexKind::Invalid).then_some(operand.span)
        }
        _ => None,
    }
}

/// The value that an operand begins with.
fn leftmost(operand: &Expr) -> Option<&Value> {
    match &operand.kind {
        ExprKind::Value(value) => Some(value),
        ExprKind::Comparison(comparison) => leftmost(&comparison.left),
        _ => None,
    }
}

/// Lets an operand, its leftmost value and the name of it begin at the receiver.
fn extend(operand: &mut Expr, receiver: Span, source: &str) {
    operand.span = receiver.to(operand.span);
    match &mut operand.kind {
        ExprKind::Comparison(comparison) => extend(&mut comparison.left, receiver, source),
        ExprKind::Value(value) => {
            value.name.span = receiver.to(value.name.span);
            value.name.text = value.name.span.text(source).into();
        }
        _ => {}
    }
}

/// Replaces what all prefixes of an operand apply to; the operand then reaches to the end of `by`.
fn replace_innermost<F: FnOnce(Expr) -> Expr>(operand: &mut Expr, by: Span, new: F) {
    if let ExprKind::Not(not) = &mut operand.kind {
        replace_innermost(&mut not.operand, by, new);
        operand.span = operand.span.to(by);
        return;
    }
    let old = replace(operand, invalid(by));
    *operand = new(old);
}

/// The operators that may be missing before an operand, the likeliest first; `None` when it is no right side.
/// A network or range needs the braces of a set besides.
fn missing(operand: &Expr) -> Option<(&'static [&'static str], bool)> {
    match &operand.kind {
        ExprKind::Set(_) | ExprKind::List(_) => Some((&["in"], false)),
        ExprKind::Literal(literal) => match &literal.kind {
            LiteralKind::Invalid => None,
            LiteralKind::Word(word) if word.contains('/') || word.contains("..") => Some((&["in"], true)),
            LiteralKind::Word(_) => Some((&["eq"], false)),
            _ => Some((&["eq", "contains"], false)),
        },
        _ => None,
    }
}
