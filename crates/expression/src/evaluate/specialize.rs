//! Selects the function that evaluates a program.
//!
//! Most programs are one comparison, and dispatch on the kind of node would dominate its cost. The dispatch therefore
//! happens once, at compile time.

use super::{context::EvalContext, results::Ternary, tree::Node, unknown_causes::NoCauses};

/// An evaluation function: fast for nodes of one kind, and correct for all nodes.
pub(super) type EvalFn = fn(&Node, EvalContext<'_>) -> Ternary;

/// Expands to the entry for one kind of node. The kind is known, so the compiler drops the other cases of `eval`.
macro_rules! entry {
    ($variant:pat) => {
        |node, context| match node {
            $variant => node.eval(context, &mut NoCauses),
            _ => eval_generic(node, context),
        }
    };
}

/// Returns the entry for a node.
pub(super) fn specialize(node: &Node) -> EvalFn {
    match node {
        Node::NotBooleanField(_) => entry!(Node::NotBooleanField(_)),
        Node::TextEqual(..) => entry!(Node::TextEqual(..)),
        Node::TextNotEqual(..) => entry!(Node::TextNotEqual(..)),
        Node::TextOrder(..) => entry!(Node::TextOrder(..)),
        Node::TextContains(..) => entry!(Node::TextContains(..)),
        Node::TextSet(..) => entry!(Node::TextSet(..)),
        Node::Text(..) => entry!(Node::Text(..)),
        Node::IntegerRange(..) => entry!(Node::IntegerRange(..)),
        Node::IntegerSet(..) => entry!(Node::IntegerSet(..)),
        Node::AddressEqual(..) => entry!(Node::AddressEqual(..)),
        Node::AddressOrder(..) => entry!(Node::AddressOrder(..)),
        Node::AddressSet(..) => entry!(Node::AddressSet(..)),
        Node::Branches(_) => entry!(Node::Branches(_)),
        Node::Xor(_) => entry!(Node::Xor(_)),
        _ => eval_generic,
    }
}

#[inline(never)]
fn eval_generic(node: &Node, context: EvalContext<'_>) -> Ternary {
    node.eval(context, &mut NoCauses)
}
