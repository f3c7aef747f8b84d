//! Traces the result of each group and condition.

use super::{
    Ternary, TraceStep,
    compile::{CompiledNode, CompiledNodeKind},
};
use crate::line::{FieldValue, Slot};
use zonewright_expression::{MissingPolicy, Truth};

/// Returns the steps of a filter in source order.
pub(super) fn steps(node: &CompiledNode, slots: &[Slot<'_>], missing: MissingPolicy) -> Vec<TraceStep> {
    let mut steps = Vec::new();
    trace(node, slots, missing, true, &mut steps);
    steps
}

fn trace(
    node: &CompiledNode,
    slots: &[Slot<'_>],
    missing: MissingPolicy,
    reached: bool,
    steps: &mut Vec<TraceStep>,
) -> Ternary {
    let index = steps.len();
    steps.push(unreached_step(node, slots));
    let truth = match &node.kind {
        CompiledNodeKind::All(nodes) => {
            trace_group(nodes, slots, missing, reached, (Ternary::False, Ternary::True), steps)
        }
        CompiledNodeKind::Any(nodes) => {
            trace_group(nodes, slots, missing, reached, (Ternary::True, Ternary::False), steps)
        }
        CompiledNodeKind::Condition(..) => node.truth(slots, missing),
    };
    if let Some(step) = steps.get_mut(index).filter(|_| reached) {
        step.truth = match truth {
            Ternary::True => Truth::True,
            Ternary::False => Truth::False,
            Ternary::Unknown => Truth::Unknown,
        };
    }
    truth
}

fn trace_group(
    nodes: &[CompiledNode],
    slots: &[Slot<'_>],
    missing: MissingPolicy,
    mut reached: bool,
    (decides, otherwise): (Ternary, Ternary),
    steps: &mut Vec<TraceStep>,
) -> Ternary {
    let mut result = otherwise;
    for node in nodes {
        let truth = trace(node, slots, missing, reached, steps);
        if reached && truth == decides {
            (result, reached) = (decides, false);
        } else if reached && truth == Ternary::Unknown {
            result = Ternary::Unknown;
        }
    }
    result
}

/// Returns a step that is not reached yet.
fn unreached_step(node: &CompiledNode, slots: &[Slot<'_>]) -> TraceStep {
    let slot = match &node.kind {
        CompiledNodeKind::Condition(index, _) => slots.get(*index),
        _ => None,
    };
    let missing = slot.is_some_and(|slot| matches!(slot.value, FieldValue::Missing));
    let value = slot.filter(|_| !missing).map(|slot| slot.json.to_owned());
    TraceStep { span: node.span, truth: Truth::NotReached, value, missing }
}
