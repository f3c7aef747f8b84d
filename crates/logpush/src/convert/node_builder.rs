//! Builds nodes of filters.

use crate::{
    Operator,
    ast::{Condition, Json, JsonKind, Node, NodeKind, StringLiteral},
};
use zonewright_diagnostic::Span;

fn build_string(text: &str) -> Option<StringLiteral> {
    Some(StringLiteral { text: text.to_owned(), span: Span::default() })
}

fn build_json(kind: JsonKind) -> Json {
    Json { kind, span: Span::default() }
}

fn build_node(kind: NodeKind) -> Node {
    Node { kind, span: Span::default() }
}

/// Builds a condition.
pub(super) fn build_condition(key: &str, operator: Operator, value: JsonKind) -> Node {
    let condition =
        Condition { key: build_string(key), operator: build_string(operator.name()), value: Some(build_json(value)) };
    build_node(NodeKind::Condition(Box::new(condition)))
}

/// Builds a condition with `eq` for one value, and with `in` for several.
pub(super) fn build_equals_any(key: &str, mut values: Vec<JsonKind>) -> Node {
    match (values.len(), values.pop()) {
        (1, Some(only)) => build_condition(key, Operator::Equal, only),
        (_, last) => {
            values.extend(last);
            build_condition(key, Operator::In, JsonKind::Array(values.into_iter().map(build_json).collect()))
        }
    }
}

/// Joins nodes with `and` if `is_and`, and otherwise with `or`. A single node is returned unchanged.
pub(super) fn join_nodes(is_and: bool, nodes: Vec<Node>) -> Node {
    let mut flat = Vec::with_capacity(nodes.len());
    for inner in nodes {
        match inner.kind {
            NodeKind::And(nodes) if is_and => flat.extend(nodes),
            NodeKind::Or(nodes) if !is_and => flat.extend(nodes),
            kind => flat.push(build_node(kind)),
        }
    }
    match (flat.len(), flat.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            flat.extend(last);
            build_node(if is_and { NodeKind::And(flat) } else { NodeKind::Or(flat) })
        }
    }
}

/// Negates a node.
pub(super) fn negate(node: Node) -> Node {
    let negate_all = |nodes: Vec<Node>| nodes.into_iter().map(negate).collect();
    let kind = match node.kind {
        NodeKind::And(nodes) => NodeKind::Or(negate_all(nodes)),
        NodeKind::Or(nodes) => NodeKind::And(negate_all(nodes)),
        NodeKind::Condition(mut condition) => {
            let operator = condition.operator.as_ref().and_then(|name| Operator::from_name(&name.text));
            condition.operator = operator.and_then(|operator| build_string(operator.negation().name()));
            NodeKind::Condition(condition)
        }
        NodeKind::Invalid => NodeKind::Invalid,
    };
    build_node(kind)
}

/// Returns the number of conditions of a node.
pub(super) fn count_operators(node: &Node) -> usize {
    match &node.kind {
        NodeKind::And(nodes) | NodeKind::Or(nodes) => nodes.iter().map(count_operators).sum(),
        NodeKind::Condition(_) | NodeKind::Invalid => 1,
    }
}
