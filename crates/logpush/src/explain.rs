//! Explains filters in English.
//!
//! The name of a field consists of English words without spaces, which become its noun phrase. [`explain`] works on
//! the syntax tree, so unknown keys and invalid values do not prevent an explanation.

mod condition;
pub(crate) mod field_names;

use crate::{
    Dataset, Options,
    ast::{Node, NodeKind},
    check, parse,
};
use condition::TextLimits;
use zonewright_expression::{Explanation, OutlineKind, OutlineNode};

/// Explains a filter in English.
///
/// ```
/// use zonewright_logpush::{Options, explain};
///
/// let source = r#"{"where":{"key":"ClientRequestPath","operator":"startsWith","value":"/api"}}"#;
/// let explained = explain(source, &Options::default());
/// assert_eq!(explained.text, "Sends only lines where the client request path starts with `/api`.");
/// ```
pub fn explain(source: &str, options: &Options) -> Explanation {
    let diagnostics = check(source, options).diagnostics;
    let Some(filter) = parse(source).ast.filter(|filter| !matches!(filter.condition.kind, NodeKind::Invalid)) else {
        return Explanation::empty(diagnostics);
    };
    let outline_with = |limits| build_outline(&filter.condition, options.dataset, limits, &mut Vec::new());
    let full = outline_with(TextLimits::FULL);
    let opening = format!("Sends only lines where {}", full.text);
    Explanation::new(&opening, &full, outline_with(TextLimits::SHORT), diagnostics)
}

/// Returns the outline of a node. `non_empty_keys` has the keys that enclosing `and` lists require to be non-empty.
fn build_outline<'n>(
    node: &'n Node,
    dataset: &Dataset,
    limits: TextLimits,
    non_empty_keys: &mut Vec<&'n str>,
) -> OutlineNode {
    let (kind, nodes) = match &node.kind {
        NodeKind::And(nodes) => (OutlineKind::All, nodes),
        NodeKind::Or(nodes) => (OutlineKind::Any, nodes),
        NodeKind::Condition(condition) => {
            let text = condition::describe_condition(condition, dataset, limits, non_empty_keys);
            return OutlineNode { kind: OutlineKind::Condition, text, span: node.span, children: Vec::new() };
        }
        NodeKind::Invalid => {
            let text = condition::INVALID_CONDITION.to_owned();
            return OutlineNode { kind: OutlineKind::Condition, text, span: node.span, children: Vec::new() };
        }
    };
    let mut parts = Vec::new();
    flatten(kind, nodes, &mut parts);
    if let [only] = parts.as_slice() {
        return OutlineNode { span: node.span, ..build_outline(only, dataset, limits, non_empty_keys) };
    }
    let key_count = non_empty_keys.len();
    if kind == OutlineKind::All {
        non_empty_keys.extend(parts.iter().filter_map(|part| condition::non_empty_key(part)));
    }
    let children: Vec<OutlineNode> =
        parts.iter().map(|part| build_outline(part, dataset, limits, non_empty_keys)).collect();
    non_empty_keys.truncate(key_count);
    OutlineNode { kind, text: group_heading(kind, children.len()).to_owned(), span: node.span, children }
}

/// Collects the conditions of a list, including those of nested lists of the same operator.
fn flatten<'n>(kind: OutlineKind, nodes: &'n [Node], parts: &mut Vec<&'n Node>) {
    for node in nodes {
        match &node.kind {
            NodeKind::And(inner) if kind == OutlineKind::All => flatten(kind, inner, parts),
            NodeKind::Or(inner) if kind == OutlineKind::Any => flatten(kind, inner, parts),
            _ => parts.push(node),
        }
    }
}

fn group_heading(kind: OutlineKind, count: usize) -> &'static str {
    match (kind, count) {
        (OutlineKind::All, 2) => "both of these hold",
        (OutlineKind::All, _) => "all of these hold",
        (_, 2) => "either of these holds",
        _ => "any of these holds",
    }
}
