//! Builds the layout tree: the text of an expression with widths and possible line breaks.

use super::spelling::TokenSpeller;
use crate::ast::{Expr, ExprKind, Literal, Value};
use std::borrow::Cow;

/// A node of the layout tree.
pub(super) struct LayoutNode<'s> {
    /// The width in characters on a single line.
    pub(super) width: usize,
    /// The kind of the node, with its children.
    pub(super) kind: LayoutKind<'s>,
}

/// The kind of a layout node.
pub(super) enum LayoutKind<'s> {
    /// Text that is never broken.
    Text(Cow<'s, str>),
    /// Nodes in sequence, without separators.
    Concat(Vec<LayoutNode<'s>>),
    /// Operands with operators between them. A line break may precede each operator.
    Chain(Vec<LayoutNode<'s>>, Vec<&'s str>),
    /// `(…)` around nodes with commas between them. Line breaks are possible inside the parentheses and after commas.
    Parenthesized(Vec<LayoutNode<'s>>),
    /// `{…}` around items, each with its width in characters. Line breaks are possible around every item.
    Set(Vec<(&'s str, usize)>),
}

/// Builds the layout tree of an expression.
pub(super) fn build_layout<'s>(expr: &Expr, speller: &TokenSpeller<'s>) -> LayoutNode<'s> {
    match &expr.kind {
        ExprKind::Logical(logical) => {
            let operands = logical.operands.iter().map(|operand| build_layout(operand, speller)).collect();
            let operators =
                logical.operators.iter().map(|span| speller.spell_logical(logical.operator, *span)).collect();
            chain_node(operands, operators)
        }
        ExprKind::Not(not) => {
            let operator = speller.spell_not(not.operator);
            let operator = if operator == "!" { operator.to_owned() } else { format!("{operator} ") };
            concat_node(vec![text_node(operator), build_layout(&not.operand, speller)])
        }
        ExprKind::Group(inner) => parenthesized_node(vec![build_layout(inner, speller)]),
        ExprKind::Comparison(comparison) => concat_node(vec![
            build_layout(&comparison.left, speller),
            text_node(format!(" {} ", speller.spell_comparison(comparison))),
            build_layout(&comparison.right, speller),
        ]),
        ExprKind::Value(value) => build_value_layout(value, speller),
        ExprKind::Set(items) => set_node(items, speller),
        ExprKind::Literal(_) | ExprKind::List(_) | ExprKind::Invalid => text_node(speller.source_text(expr.span)),
    }
}

fn build_value_layout<'s>(value: &Value, speller: &TokenSpeller<'s>) -> LayoutNode<'s> {
    let name = speller.source_text(value.name.span);
    if value.call.is_none() && value.indexes.is_empty() {
        return text_node(name);
    }
    let mut nodes = vec![text_node(name)];
    if let Some(call) = &value.call {
        nodes.push(parenthesized_node(call.arguments.iter().map(|argument| build_layout(argument, speller)).collect()));
    }
    if !value.indexes.is_empty() {
        nodes.push(text_node(value.indexes.iter().map(|index| speller.spell_index(index)).collect::<String>()));
    }
    concat_node(nodes)
}

fn text_node<'s>(text: impl Into<Cow<'s, str>>) -> LayoutNode<'s> {
    let text = text.into();
    LayoutNode { width: text.chars().count(), kind: LayoutKind::Text(text) }
}

fn concat_node(nodes: Vec<LayoutNode<'_>>) -> LayoutNode<'_> {
    LayoutNode { width: total_width(&nodes), kind: LayoutKind::Concat(nodes) }
}

fn chain_node<'s>(operands: Vec<LayoutNode<'s>>, operators: Vec<&'s str>) -> LayoutNode<'s> {
    let operators_width: usize = operators.iter().map(|operator| operator.len() + 2).sum();
    LayoutNode { width: total_width(&operands) + operators_width, kind: LayoutKind::Chain(operands, operators) }
}

fn parenthesized_node(inner: Vec<LayoutNode<'_>>) -> LayoutNode<'_> {
    let commas = 2 * inner.len().saturating_sub(1);
    LayoutNode { width: total_width(&inner) + commas + 2, kind: LayoutKind::Parenthesized(inner) }
}

fn set_node<'s>(items: &[Literal], speller: &TokenSpeller<'s>) -> LayoutNode<'s> {
    let items: Vec<(&str, usize)> = items
        .iter()
        .map(|item| {
            let text = speller.source_text(item.span);
            (text, text.chars().count())
        })
        .collect();
    let gaps = items.len().saturating_sub(1);
    let width = items.iter().map(|(_, width)| width).sum::<usize>() + gaps + 2;
    LayoutNode { width, kind: LayoutKind::Set(items) }
}

fn total_width(nodes: &[LayoutNode<'_>]) -> usize {
    nodes.iter().map(|node| node.width).sum()
}
