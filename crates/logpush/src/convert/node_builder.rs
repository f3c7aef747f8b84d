//! Builds nodes of filters.

use crate::{
    Operator,
    ast::{Condition, Json, JsonKind, Node, NodeKind, StringLiteral},
};
use zonewright_diagnostic::Span;

fn text(text: &str) -> Option<StringLiteral> {
    Some(StringLiteral { text: text.to_owned(), span: Span::default() })
}

fn json(kind: JsonKind) -> Json {
    Json { kind, span: Span::default() }
}

fn node(kind: NodeKind) -> Node {
    Node { kind, span: Span::default() }
}

/// Builds a condition.
pub(super) fn condition(key: &str, operator: Operator, value: JsonKind) -> Node {
    let condition = Condition { key: text(key), operator: text(operator.name()), value: Some(json(value)) };
    node(NodeKind::Condition(Box::new(condition)))
}

/// Builds a condition with `eq` for one value, and with `in` for several.
pub(super) fn equals_any(key: &str, mut values: Vec<JsonKind>) -> Node {
    match (values.len(), values.pop()) {
        (1, Some(only)) => condition(key, Operator::Equal, only),
        (_, last) => {
            values.extend(last);
            condition(key, Operator::In, JsonKind::Array(values.into_iter().map(json).collect()))
        }
    }
}

/// Joins nodes with `and`, or, without `all`, with `or`. A single node is returned unchanged.
pub(super) fn join_nodes(all: bool, nodes: Vec<Node>) -> Node {
    let mut flat = Vec::with_capacity(nodes.len());
    for inner in nodes {
        match inner.kind {
            NodeKind::And(nodes) if all => flat.extend(nodes),
            NodeKind::Or(nodes) if !all => flat.extend(nodes),
            kind => flat.push(node(kind)),
        }
    }
    match (flat.len(), flat.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            flat.extend(last);
            node(if all { NodeKind::And(flat) } else { NodeKind::Or(flat) })
        }
    }
}

/// Negates a node.
pub(super) fn negate(node_: Node) -> Node {
    let negate_all = |nodes: Vec<Node>| nodes.into_iter().map(negate).collect();
    let kind = match node_.kind {
        NodeKind::And(nodes) => NodeKind::Or(negate_all(nodes)),
        NodeKind::Or(nodes) => NodeKind::And(negate_all(nodes)),
        NodeKind::Condition(mut condition) => {
            let operator = condition.operator.as_ref().and_then(|name| Operator::from_name(&name.text));
            condition.operator = operator.and_then(|operator| text(operator.negation().name()));
            NodeKind::Condition(condition)
        }
        NodeKind::Invalid => NodeKind::Invalid,
    };
    node(kind)
}

/// Returns the number of conditions of a node.
pub(super) fn count_operators(node: &Node) -> usize {
    match &node.kind {
        NodeKind::And(nodes) | NodeKind::Or(nodes) => nodes.iter().map(count_operators).sum(),
        NodeKind::Condition(_) | NodeKind::Invalid => 1,
    }
}
