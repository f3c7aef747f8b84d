//! Rows of plain comparisons, which the grammar reads as one token.

use super::comparison::operator;
use crate::ast::{Comparison, ComparisonOperator, Expr, ExprKind, Literal, LiteralKind, LogicalOperator, Name, Value};
use zonewright_diagnostic::Span;

/// A comparison of a row, with the logical operator before it.
pub(super) struct Plain {
    pub(super) infix: Option<(LogicalOperator, Span)>,
    pub(super) comparison: Expr,
}

/// The comparisons of a row that begins at `start` of the source. The grammar has seen to it that each
/// is `name operator "text"` with one blank on both sides of the operator and a quote nowhere else.
pub(super) fn split(text: &str, start: usize) -> impl Iterator<Item = Plain> {
    let mut rest = text;
    let mut at = start;
    std::iter::from_fn(move || {
        let infix = [(" or ", LogicalOperator::Or), (" and ", LogicalOperator::And)].into_iter().find_map(
            |(word, operator)| {
                rest = rest.strip_prefix(word)?;
                let span = Span::new(at + 1, at + word.len() - 1);
                at += word.len();
                Some((operator, span))
            },
        );
        let (comparison, length) = first(rest, at)?;
        rest = rest.get(length..)?;
        at += length;
        Some(Plain { infix, comparison })
    })
}

/// The comparison that the text begins with, and how long it is.
fn first(text: &str, start: usize) -> Option<(Expr, usize)> {
    let find = |byte: u8, from: usize| memchr::memchr(byte, text.as_bytes().get(from..)?).map(|at| from + at);
    let blank = find(b' ', 0)?;
    let quote = find(b'"', blank)?;
    let end = find(b'"', quote + 1)?;
    let name = Name { text: text.get(..blank)?.into(), span: Span::new(start, start + blank) };
    let operator_span = Span::new(start + blank + 1, start + quote - 1);
    let operator = operator(text.get(blank + 1..quote - 1)?)?;
    let body = text.get(quote + 1..end)?;
    let kind = match operator {
        ComparisonOperator::Matches => LiteralKind::Regex(body.to_owned()),
        _ => LiteralKind::Quoted(body.as_bytes().to_vec()),
    };
    let left = Expr { span: name.span, kind: ExprKind::Value(Value { name, call: None, indexes: Vec::new() }) };
    let span = Span::new(start + quote, start + end + 1);
    let right = Expr { kind: ExprKind::Literal(Literal { kind, span }), span };
    let span = Span::new(start, span.end);
    let comparison = Comparison { left, operator, operator_span, right };
    Some((Expr { kind: ExprKind::Comparison(Box::new(comparison)), span }, end + 1))
}
