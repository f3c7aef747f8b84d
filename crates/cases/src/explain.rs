//! Which conditions decided an answer.

use crate::report::Reason;
use zonewright_expression::{Step, Trace, Truth};

/// Most conditions that are told.
const MOST: usize = 8;

/// A condition with those that stand in it.
struct Node<'t> {
    step: &'t Step,
    children: Vec<Node<'t>>,
}

/// The smallest conditions that made the answer what it is, in the order of the source.
pub(crate) fn reasons(source: &str, trace: &Trace) -> Vec<Reason> {
    let mut steps = trace.steps.iter().peekable();
    let mut deciding = Vec::new();
    while let Some(step) = steps.next() {
        decide(&node(step, &mut steps), &mut deciding);
    }
    let reason = |step: &Step| Reason {
        span: step.span,
        text: step.span.text(source).to_owned(),
        truth: step.truth,
        value: step.value.clone(),
    };
    deciding.into_iter().take(MOST).map(reason).collect()
}

/// Steps come with the outer one first: those inside it follow. The depth is bounded by the parser.
fn node<'t>(step: &'t Step, rest: &mut std::iter::Peekable<std::slice::Iter<'t, Step>>) -> Node<'t> {
    let mut children = Vec::new();
    while let Some(inner) = rest.next_if(|inner| inner.span.start >= step.span.start && inner.span.end <= step.span.end)
    {
        children.push(node(inner, rest));
    }
    Node { step, children }
}

/// Of a joined condition, the parts that came out as the whole did decided it: the one false part of an
/// `and`, every part of an `or` that is false. Of a negated one it is what is negated, of an `xor` all.
fn decide<'t>(node: &Node<'t>, deciding: &mut Vec<&'t Step>) {
    let holds = |truth: Truth| match truth {
        Truth::True => Some(true),
        Truth::False | Truth::Absent => Some(false),
        Truth::Unknown | Truth::NotReached => None,
    };
    let reached = || node.children.iter().filter(|child| child.step.truth != Truth::NotReached);
    if node.children.is_empty() {
        deciding.push(node.step);
        return;
    }
    let alike = |child: &&Node<'t>| node.children.len() == 1 || holds(child.step.truth) == holds(node.step.truth);
    let any_alike = reached().any(|child| alike(&child));
    for child in reached().filter(|child| !any_alike || alike(child)) {
        decide(child, deciding);
    }
}
