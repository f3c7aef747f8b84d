//! Where the evaluation of a program begins.
//!
//! Most programs are one comparison, and telling its form would be most of the work, so it is told when
//! the program is compiled.

use super::{answer::Ternary, notes::Ignored, run::Run, tree::Node};

/// What evaluates nodes of one form fast; those of other forms, too.
pub(super) type Entry = fn(&Node, Run<'_>) -> Ternary;

/// The entry for nodes of a form: the form is known in there, so nothing else of `eval` is left.
macro_rules! entry {
    ($form:pat) => {
        |node, run| match node {
            $form => node.eval(run, &mut Ignored),
            _ => any(node, run),
        }
    };
}

/// The entry for a node.
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
