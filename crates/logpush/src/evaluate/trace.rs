//! Builds a [`Trace`](super::Trace): the result of each group and condition.

use super::{
    Ternary, TraceStep,
    compile::{CompiledNode, CompiledNodeKind},
};
use crate::line::{FieldValue, Slot};
use zonewright_expression::{MissingPolicy, Truth};

/// Returns the steps of a filter in source order.
pub(super) fn collect_steps(node: &CompiledNode, slots: &[Slot<'_>], missing: MissingPolicy) -> Vec<TraceStep> {
    let mut steps = Vec::new();
    trace_node(node, slots, missing, true, &mut steps);
    steps
}

/// Evaluates a node, and appends its steps. A node that is not reached is evaluated too, but its step does not show the
/// result.
fn trace_node(
    node: &CompiledNode,
    slots: &[Slot<'_>],
    missing: MissingPolicy,
    is_reached: bool,
    steps: &mut Vec<TraceStep>,
) -> Ternary {
    let index = steps.len();
    steps.push(unreached_step(node, slots));
    let truth = match &node.kind {
        CompiledNodeKind::All(nodes) => {
            trace_group(nodes, slots, missing, is_reached, (Ternary::False, Ternary::True), steps)
        }
        CompiledNodeKind::Any(nodes) => {
            trace_group(nodes, slots, missing, is_reached, (Ternary::True, Ternary::False), steps)
        }
        CompiledNodeKind::Condition(..) => node.evaluate(slots, missing),
    };
    if let Some(step) = steps.get_mut(index).filter(|_| is_reached) {
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
    mut is_reached: bool,
    (absorbing, identity): (Ternary, Ternary),
    steps: &mut Vec<TraceStep>,
) -> Ternary {
    let mut result = identity;
    for node in nodes {
        let truth = trace_node(node, slots, missing, is_reached, steps);
        if is_reached && truth == absorbing {
            (result, is_reached) = (absorbing, false);
        } else if is_reached && truth == Ternary::Unknown {
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
