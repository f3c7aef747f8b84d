//! Selects the function that evaluates a program.
//!
//! Most programs are one comparison, and dispatch on the kind of node would dominate its cost. The dispatch therefore
//! happens once, at compile time.

use super::{context::EvalContext, results::Ternary, tree::Node, unknown_causes::NoCauses};

/// A function that is fast for nodes of one kind and correct for all others.
pub(super) type EvalFn = fn(&Node, EvalContext<'_>) -> Ternary;

/// Expands to the entry for one kind of node. The kind is known, so the compiler drops the rest of `eval`.
macro_rules! entry {
    ($form:pat) => {
        |node, context| match node {
            $form => node.eval(context, &mut NoCauses),
            _ => eval_generic(node, context),
        }
    };
}

/// Returns the entry for a node.
pub(super) fn specialize(node: &Node) -> EvalFn {
    match node {
        Node::NotBooleanField(_) => entry!(Node::NotBooleanField(_)),
        Node::Equal(..) => entry!(Node::Equal(..)),
        Node::NotEqual(..) => entry!(Node::NotEqual(..)),
        Node::Order(..) => entry!(Node::Order(..)),
        Node::Contains(..) => entry!(Node::Contains(..)),
        Node::TextSet(..) => entry!(Node::TextSet(..)),
        Node::Text(..) => entry!(Node::Text(..)),
        Node::IntegerRange(..) => entry!(Node::IntegerRange(..)),
        Node::Integers(..) => entry!(Node::Integers(..)),
        Node::AddressEqual(..) => entry!(Node::AddressEqual(..)),
        Node::Address(..) => entry!(Node::Address(..)),
        Node::Addresses(..) => entry!(Node::Addresses(..)),
        Node::Branches(_) => entry!(Node::Branches(_)),
        Node::Xor(_) => entry!(Node::Xor(_)),
        _ => eval_generic,
    }
}

#[inline(never)]
fn eval_generic(node: &Node, context: EvalContext<'_>) -> Ternary {
    node.eval(context, &mut NoCauses)
}
