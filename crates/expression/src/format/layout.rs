//! The layout tree: pieces of text with their widths and possible line breaks.

use super::spelling::Words;
use crate::ast::{Expr, ExprKind, Literal, Value};
use std::borrow::Cow;

/// A node of the layout tree.
pub(super) struct Piece<'s> {
    /// The width in characters on a single line.
    pub(super) width: usize,
    /// The kind of the piece, with its children.
    pub(super) kind: PieceKind<'s>,
}

/// The kind of a layout piece.
pub(super) enum PieceKind<'s> {
    /// Text that is never broken.
    Text(Cow<'s, str>),
    /// Pieces in sequence, without separators.
    Row(Vec<Piece<'s>>),
    /// Operands with operators between them. A line break may precede each operator.
    Chain(Vec<Piece<'s>>, Vec<&'s str>),
    /// `(…)` around pieces with commas between them. Line breaks are possible inside the parentheses and after commas.
    Brackets(Vec<Piece<'s>>),
    /// `{…}` around items, each with its width in characters. Line breaks are possible around every item.
    Set(Vec<(&'s str, usize)>),
}

/// Builds the layout tree of an expression.
pub(super) fn layout<'s>(expr: &Expr, words: &Words<'s>) -> Piece<'s> {
    match &expr.kind {
        ExprKind::Logical(logical) => {
            let operands = logical.operands.iter().map(|operand| layout(operand, words)).collect();
            let operators = logical.operators.iter().map(|span| words.logical(logical.operator, *span)).collect();
            chain(operands, operators)
        }
        ExprKind::Not(not) => {
            let operator = words.not(not.operator);
            let operator = if operator == "!" { operator.to_owned() } else { format!("{operator} ") };
            row(vec![text(operator), layout(&not.operand, words)])
        }
        ExprKind::Group(inside) => brackets(vec![layout(inside, words)]),
        ExprKind::Comparison(comparison) => row(vec![
            layout(&comparison.left, words),
            text(format!(" {} ", words.comparison(comparison))),
            layout(&comparison.right, words),
        ]),
        ExprKind::Value(value) => layout_value(value, words),
        ExprKind::Set(items) => set(items, words),
        ExprKind::Literal(_) | ExprKind::List(_) | ExprKind::Invalid => text(words.text(expr.span)),
    }
}

fn layout_value<'s>(value: &Value, words: &Words<'s>) -> Piece<'s> {
    let name = words.text(value.name.span);
    if value.call.is_none() && value.indexes.is_empty() {
        return text(name);
    }
    let mut pieces = vec![text(name)];
    if let Some(call) = &value.call {
        pieces.push(brackets(call.arguments.iter().map(|argument| layout(argument, words)).collect()));
    }
    if !value.indexes.is_empty() {
        pieces.push(text(value.indexes.iter().map(|index| words.index(index)).collect::<String>()));
    }
    row(pieces)
}

fn text<'s>(text: impl Into<Cow<'s, str>>) -> Piece<'s> {
    let text = text.into();
    Piece { width: text.chars().count(), kind: PieceKind::Text(text) }
}

fn row(pieces: Vec<Piece<'_>>) -> Piece<'_> {
    Piece { width: total(&pieces), kind: PieceKind::Row(pieces) }
}

fn chain<'s>(operands: Vec<Piece<'s>>, operators: Vec<&'s str>) -> Piece<'s> {
    let between: usize = operators.iter().map(|operator| operator.len() + 2).sum();
    Piece { width: total(&operands) + between, kind: PieceKind::Chain(operands, operators) }
}

fn brackets(inside: Vec<Piece<'_>>) -> Piece<'_> {
    let commas = 2 * inside.len().saturating_sub(1);
    Piece { width: total(&inside) + commas + 2, kind: PieceKind::Brackets(inside) }
}

fn set<'s>(items: &[Literal], words: &Words<'s>) -> Piece<'s> {
    let items: Vec<(&str, usize)> = items
        .iter()
        .map(|item| {
            let text = words.text(item.span);
            (text, text.chars().count())
        })
        .collect();
    let blanks = items.len().saturating_sub(1);
    let width = items.iter().map(|(_, width)| width).sum::<usize>() + blanks + 2;
    Piece { width, kind: PieceKind::Set(items) }
}

fn total(pieces: &[Piece<'_>]) -> usize {
    pieces.iter().map(|piece| piece.width).sum()
}
