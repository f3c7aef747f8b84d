//! The tree of a filter as rows, and the edits of the builder.
//!
//! A [`NodePath`] has the index of the child at every level. An edit of the structure returns the path of the row to
//! focus. If it is impossible, it leaves the tree unchanged and returns `None`.

use zonewright_diagnostic::Span;
use zonewright_logpush::ast::{Condition, Json, JsonKind, Node, NodeKind, StringLiteral};

/// The path of a node from the root.
pub(super) type NodePath = Vec<usize>;

/// A row of the builder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The path of the node.
    pub(super) path: NodePath,
    /// Whether the node is a group.
    pub(super) is_group: bool,
    /// The span of the node in the text.
    pub(super) span: Span,
}

/// Returns a row for every group and condition, from top to bottom.
pub(super) fn rows(root: &Node) -> Vec<Row> {
    let mut rows = Vec::new();
    visit(root, &mut Vec::new(), &mut rows);
    rows
}

// The parser bounds the depth of a tree, so the recursion is bounded.
fn visit(node: &Node, path: &mut NodePath, rows: &mut Vec<Row>) {
    let children = children(node);
    rows.push(Row { path: path.clone(), is_group: children.is_some(), span: node.span });
    for (index, child) in children.into_iter().flatten().enumerate() {
        path.push(index);
        visit(child, path, rows);
        path.pop();
    }
}

/// Returns the children of a group; `None` for a condition.
pub(super) fn children(node: &Node) -> Option<&Vec<Node>> {
    match &node.kind {
        NodeKind::And(nodes) | NodeKind::Or(nodes) => Some(nodes),
        NodeKind::Condition(_) | NodeKind::Invalid => None,
    }
}

fn children_mut(node: &mut Node) -> Option<&mut Vec<Node>> {
    match &mut node.kind {
        NodeKind::And(nodes) | NodeKind::Or(nodes) => Some(nodes),
        NodeKind::Condition(_) | NodeKind::Invalid => None,
    }
}

/// Returns the node at a path.
pub(super) fn node_at<'a>(root: &'a Node, path: &[usize]) -> Option<&'a Node> {
    path.iter().try_fold(root, |node, index| children(node)?.get(*index))
}

fn node_at_mut<'a>(root: &'a mut Node, path: &[usize]) -> Option<&'a mut Node> {
    path.iter().try_fold(root, |node, index| children_mut(node)?.get_mut(*index))
}

/// Returns the condition at a path.
pub(super) fn condition_at<'a>(root: &'a Node, path: &[usize]) -> Option<&'a Condition> {
    match &node_at(root, path)?.kind {
        NodeKind::Condition(condition) => Some(condition),
        _ => None,
    }
}

/// Changes the condition at a path.
pub(super) fn change_condition(root: &mut Node, path: &[usize], change: impl FnOnce(&mut Condition)) {
    if let Some(Node { kind: NodeKind::Condition(condition), .. }) = node_at_mut(root, path) {
        change(condition);
    }
}

/// Sets whether a group is an `or` (`is_or`) or an `and`.
pub(super) fn set_group_operator(root: &mut Node, path: &[usize], is_or: bool) {
    let Some(node) = node_at_mut(root, path) else { return };
    let Some(nodes) = children_mut(node).map(std::mem::take) else { return };
    node.kind = group_kind(is_or, nodes);
}

fn group_kind(is_or: bool, nodes: Vec<Node>) -> NodeKind {
    if is_or { NodeKind::Or(nodes) } else { NodeKind::And(nodes) }
}

fn new_node(kind: NodeKind) -> Node {
    Node { kind, span: Span::empty(0) }
}

/// Creates a string literal to print; its span is unused.
pub(super) fn string_literal(text: &str) -> StringLiteral {
    StringLiteral { text: text.to_owned(), span: Span::empty(0) }
}

/// Creates a value to print; its span is unused.
pub(super) fn json_value(kind: JsonKind) -> Json {
    Json { kind, span: Span::empty(0) }
}

/// Creates an empty condition.
pub(super) fn empty_condition() -> Node {
    let condition = Condition {
        key: Some(string_literal("")),
        operator: Some(string_literal("eq")),
        value: Some(json_value(JsonKind::String(String::new()))),
    };
    new_node(NodeKind::Condition(Box::new(condition)))
}

/// Creates a group with an empty condition.
fn empty_group(is_or: bool) -> Node {
    new_node(group_kind(is_or, vec![empty_condition()]))
}

/// The kind of node to add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKindToAdd {
    Condition,
    Group,
}

/// Adds a node at the end of the group at a path. A condition at the path is wrapped in a group first. Returns the path
/// of the new, empty condition.
pub(super) fn add(root: &mut Node, path: &[usize], new: NodeKindToAdd) -> Option<NodePath> {
    let target = node_at_mut(root, path)?;
    if children(target).is_none() {
        wrap_node(target, false);
    }
    let is_or = matches!(target.kind, NodeKind::Or(_));
    let nodes = children_mut(target)?;
    let mut added = path.to_vec();
    added.push(nodes.len());
    match new {
        NodeKindToAdd::Condition => nodes.push(empty_condition()),
        NodeKindToAdd::Group => {
            nodes.push(empty_group(!is_or));
            added.push(0);
        }
    }
    Some(added)
}

/// Adds an empty condition after the node at a path.
pub(super) fn add_after(root: &mut Node, path: &[usize]) -> Option<NodePath> {
    insert_after(root, path, empty_condition())
}

/// Inserts a copy after the node at a path.
pub(super) fn duplicate(root: &mut Node, path: &[usize]) -> Option<NodePath> {
    let copy = node_at(root, path)?.clone();
    insert_after(root, path, copy)
}

fn insert_after(root: &mut Node, path: &[usize], new: Node) -> Option<NodePath> {
    let Some((index, parent)) = path.split_last() else {
        wrap_node(root, false);
        return insert_after(root, &[0], new);
    };
    let nodes = children_mut(node_at_mut(root, parent)?)?;
    nodes.insert((index + 1).min(nodes.len()), new);
    Some([parent, &[index + 1]].concat())
}

/// Wraps the node at a path in a group. Under an `and` it is an `or`, otherwise an `and`.
pub(super) fn wrap_in_group(root: &mut Node, path: &[usize]) -> Option<NodePath> {
    let around = path.split_last().and_then(|(_, parent)| node_at(root, parent));
    let is_or = around.is_some_and(|node| matches!(node.kind, NodeKind::And(_)));
    wrap_node(node_at_mut(root, path)?, is_or);
    Some([path, &[0]].concat())
}

fn wrap_node(wrapped: &mut Node, is_or: bool) {
    let inside = std::mem::replace(wrapped, new_node(NodeKind::Invalid));
    *wrapped = new_node(group_kind(is_or, vec![inside]));
}

/// Replaces a group by its children. At the root, the group must have only one child.
pub(super) fn ungroup(root: &mut Node, path: &[usize]) -> Option<NodePath> {
    let inside = children(node_at(root, path)?)?.clone();
    let Some((index, parent)) = path.split_last() else {
        let [only] = <[Node; 1]>::try_from(inside).ok()?;
        *root = only;
        return Some(Vec::new());
    };
    let nodes = children_mut(node_at_mut(root, parent)?)?;
    (*index < nodes.len()).then(|| nodes.splice(*index..=*index, inside))?;
    Some(path.to_vec())
}

/// Returns whether [`ungroup`] has an effect.
pub(super) fn can_ungroup(root: &Node, path: &[usize]) -> bool {
    let inside = node_at(root, path).and_then(children);
    inside.is_some_and(|inside| !path.is_empty() || inside.len() == 1)
}

/// Removes the node at a path, and the groups that become empty. Returns the path of the row to focus: the next
/// sibling, or the previous one if there is none. If the tree would become empty, it is unchanged and the result is
/// `None`.
pub(super) fn remove(root: &mut Node, path: &[usize]) -> Option<NodePath> {
    let (index, parent) = path.split_last()?;
    let nodes = children_mut(node_at_mut(root, parent)?)?;
    if nodes.len() <= 1 {
        return remove(root, parent);
    }
    if *index < nodes.len() {
        nodes.remove(*index);
    }
    let near = (*index).min(nodes.len().saturating_sub(1));
    Some([parent, &[near]].concat())
}

/// Moves the node at a path up or down by one row: past a condition, into an adjacent group, or out of its group at
/// either end. Returns the new path.
pub(super) fn move_node(root: &mut Node, path: &[usize], down: bool) -> Option<NodePath> {
    let to = move_target(root, path, down)?;
    let moved = node_at(root, path)?.clone();
    let (index, parent) = path.split_last()?;
    match to {
        MoveTarget::Into(neighbor) => {
            let nodes = children_mut(node_at_mut(root, parent)?)?;
            let inside = children_mut(nodes.get_mut(neighbor)?)?;
            let position = if down { 0 } else { inside.len() };
            inside.insert(position, moved);
            nodes.remove(*index);
            Some([parent, &[if down { neighbor - 1 } else { neighbor }, position]].concat())
        }
        MoveTarget::Past(neighbor) => {
            children_mut(node_at_mut(root, parent)?)?.swap(*index, neighbor);
            Some([parent, &[neighbor]].concat())
        }
        MoveTarget::Out => {
            let (position, outer) = parent.split_last()?;
            let position = if down { position + 1 } else { *position };
            children_mut(node_at_mut(root, outer)?)?.insert(position, moved);
            // The former parent. When the node moves up, the parent is after the new position.
            let emptied =
                children_mut(node_at_mut(root, &[outer, &[if down { position - 1 } else { position + 1 }]].concat())?)?;
            emptied.remove(*index);
            if !emptied.is_empty() {
                return Some([outer, &[position]].concat());
            }
            let removed_index = if down { position - 1 } else { position + 1 };
            children_mut(node_at_mut(root, outer)?)?.remove(removed_index);
            Some([outer, &[if down { position - 1 } else { position }]].concat())
        }
    }
}

/// Returns whether [`move_node`] has an effect.
pub(super) fn can_move(root: &Node, path: &[usize], down: bool) -> bool {
    move_target(root, path, down).is_some()
}

enum MoveTarget {
    /// Into the group at this index.
    Into(usize),
    /// Past the sibling at this index.
    Past(usize),
    /// Out of the group.
    Out,
}

/// Returns where [`move_node`] moves a node; `None` if it cannot move.
fn move_target(root: &Node, path: &[usize], down: bool) -> Option<MoveTarget> {
    let (index, parent) = path.split_last()?;
    let nodes = children(node_at(root, parent)?)?;
    let neighbor = if down { Some(index + 1) } else { index.checked_sub(1) };
    let neighbor = neighbor.filter(|neighbor| *neighbor < nodes.len());
    match neighbor {
        Some(neighbor) if nodes.get(neighbor).and_then(children).is_some() => Some(MoveTarget::Into(neighbor)),
        Some(neighbor) => Some(MoveTarget::Past(neighbor)),
        None => (!parent.is_empty()).then_some(MoveTarget::Out),
    }
}
