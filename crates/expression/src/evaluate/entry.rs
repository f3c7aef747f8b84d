//! Selects the function that evaluates a program.
//!
//! Most programs are one comparison, and dispatch on the kind of node would dominate its cost. The dispatch therefore
//! happens once, at compile time.

use super::{answer::Ternary, notes::Ignored, run::Run, tree::Node};

/// A function that is fast for nodes of one kind and correct for all others.
pub(super) type Entry = fn(&Node, Run<'_>) -> Ternary;

/// Expands to the entry for one kind of node. The kind is known, so the compiler drops the rest of `eval`.
macro_rules! entry {
    ($form:pat) => {
        |node, run| match node {
            $form => node.eval(run, &mut Ignored),
            _ => any(node, run),
        }
    };
}

/// Returns the entry for a node.
pub(super) fn entry(node: &Node) -> Entry {
    match node {
        Node::NotFlag(_) => entry!(Node::NotFlag(_)),
        Node::Equal(..) => entry!(Node::Equal(..)),
        Node::NotEqual(..) => entry!(Node::NotEqual(..)),
        Node::Order(..) => entry!(Node::Order(..)),
        Node::Contains(..) => entry!(Node::Contains(..)),
        Node::Texts(..) => entry!(Node::Texts(..)),
        Node::Text(..) => entry!(Node::Text(..)),
        Node::Span(..) => entry!(Node::Span(..)),
        Node::Integers(..) => entry!(Node::Integers(..)),
        Node::Same(..) => entry!(Node::Same(..)),
        Node::Address(..) => entry!(Node::Address(..)),
        Node::Addresses(..) => entry!(Node::Addresses(..)),
        Node::Steps(_) => entry!(Node::Steps(_)),
        Node::Xor(_) => entry!(Node::Xor(_)),
        _ => any,
    }
}

#[inline(never)]
fn any(node: &Node, run: Run<'_>) -> Ternary {
    node.eval(run, &mut Ignored)
}
