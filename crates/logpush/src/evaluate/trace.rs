//! What each group and condition gives.

use super::{
    Step, Tri,
    compile::{Node, NodeKind},
};
use crate::line::{Found, Slot};
use zonewright_expression::{Missing, Truth};

/// The steps of a filter, in the order of the source.
pub(super) fn steps(node: &Node, slots: &[Slot<'_>], missing: Missing) -> Vec<Step> {
    let mut steps = Vec::new();
    trace(node, slots, missing, true, &mut steps);
    steps
}

fn trace(node: &Node, slots: &[Slot<'_>], missing: Missing, reached: bool, steps: &mut Vec<Step>) -> Tri {
    let place = steps.len();
    steps.push(step(node, slots));
    let truth = match &node.kind {
        NodeKind::All(nodes) => group(nodes, slots, missing, reached, (Tri::False, Tri::True), steps),
        NodeKind::Any(nodes) => group(nodes, slots, missing, reached, (Tri::True, Tri::False), steps),
        NodeKind::Condition(..) => node.truth(slots, missing),
    };
    if let Some(step) = steps.get_mut(place).filter(|_| reached) {
        step.truth = match truth {
            Tri::True => Truth::True,
            Tri::False => Truth::False,
            Tri::Unknown => Truth::Unknown,
        };
    }
    truth
}

fn group(
    nodes: &[Node],
    slots: &[Slot<'_>],
    missing: Missing,
    mut reached: bool,
    (decides, otherwise): (Tri, Tri),
    steps: &mut Vec<Step>,
) -> Tri {
    let mut answer = otherwise;
    for node in nodes {
        let truth = trace(node, slots, missing, reached, steps);
        if reached && truth == decides {
            (answer, reached) = (decides, false);
        } else if reached && truth == Tri::Unknown {
            answer = Tri::Unknown;
        }
    }
    answer
}

/// A step that is not reached yet.
fn step(node: &Node, slots: &[Slot<'_>]) -> Step {
    let slot = match &node.kind {
        NodeKind::Condition(place, _) => slots.get(*place),
        _ => None,
    };
    let missing = slot.is_some_and(|slot| matches!(slot.found, Found::Missing));
    let value = slot.filter(|_| !missing).map(|slot| slot.json.to_owned());
    Step { span: node.span, truth: Truth::NotReached, value, missing }
}
