//! Compiles a checked filter.

use super::{Ternary, matcher::Matcher};
use crate::{
    line::{FieldValue, Projection, Slot},
    predicate::{Test, TestKind},
};
use zonewright_diagnostic::Span;
use zonewright_expression::MissingPolicy;

/// A compiled filter.
#[derive(Debug)]
pub(crate) struct CompiledFilter {
    /// The fields that the filter reads.
    pub(crate) projection: Projection,
    /// The conditions, in the structure and the order of the source.
    pub(crate) node: CompiledNode,
}

/// A compiled group or condition.
#[derive(Debug)]
pub(crate) struct CompiledNode {
    pub(crate) kind: CompiledNodeKind,
    pub(crate) span: Span,
}

/// The kinds of compiled nodes.
#[derive(Debug)]
pub(crate) enum CompiledNodeKind {
    All(Vec<CompiledNode>),
    Any(Vec<CompiledNode>),
    /// A slot index, and the matcher for the value in that slot.
    Condition(usize, Matcher),
}

impl CompiledFilter {
    pub(crate) fn new(test: &Test) -> Self {
        let mut projection = Projection::default();
        let node = compile_node(test, &mut projection);
        CompiledFilter { projection, node }
    }
}

fn compile_node(test: &Test, projection: &mut Projection) -> CompiledNode {
    let mut nodes = |tests: &[Test]| tests.iter().map(|test| compile_node(test, projection)).collect();
    let kind = match &test.kind {
        TestKind::All(tests) => CompiledNodeKind::All(nodes(tests)),
        TestKind::Any(tests) => CompiledNodeKind::Any(nodes(tests)),
        TestKind::Comparison(comparison) => {
            CompiledNodeKind::Condition(projection.insert(comparison.field), Matcher::new(comparison))
        }
    };
    CompiledNode { kind, span: test.span }
}

impl CompiledNode {
    /// Evaluates the node from left to right, and stops at the first child that decides the result.
    pub(crate) fn evaluate(&self, slots: &[Slot<'_>], missing: MissingPolicy) -> Ternary {
        match &self.kind {
            CompiledNodeKind::All(nodes) => evaluate_group(nodes, slots, missing, Ternary::False, Ternary::True),
            CompiledNodeKind::Any(nodes) => evaluate_group(nodes, slots, missing, Ternary::True, Ternary::False),
            CompiledNodeKind::Condition(slot_index, matcher) => {
                let found = slots.get(*slot_index).map_or(FieldValue::Missing, |slot| slot.value);
                if matches!((found, missing), (FieldValue::Missing, MissingPolicy::Unknown)) {
                    return Ternary::Unknown;
                }
                matcher.holds(found).into()
            }
        }
    }

    /// Appends the names of the fields on which an unknown result depends.
    pub(super) fn collect_unknown_fields(&self, slots: &[Slot<'_>], projection: &Projection, fields: &mut Vec<String>) {
        match &self.kind {
            CompiledNodeKind::All(nodes) | CompiledNodeKind::Any(nodes) => {
                let unknown =
                    nodes.iter().filter(|node| node.evaluate(slots, MissingPolicy::Unknown) == Ternary::Unknown);
                unknown.for_each(|node| node.collect_unknown_fields(slots, projection, fields));
            }
            CompiledNodeKind::Condition(slot_index, _) => {
                fields.extend(projection.fields().get(*slot_index).map(|field| field.name.to_owned()));
            }
        }
    }
}

/// Evaluates a group. One child with the truth value `absorbing` decides; without children, the result would be
/// `identity`.
fn evaluate_group(
    nodes: &[CompiledNode],
    slots: &[Slot<'_>],
    missing: MissingPolicy,
    absorbing: Ternary,
    identity: Ternary,
) -> Ternary {
    let mut result = identity;
    for node in nodes {
        let truth = node.evaluate(slots, missing);
        if truth == absorbing {
            return absorbing;
        }
        if truth == Ternary::Unknown {
            result = Ternary::Unknown;
        }
    }
    result
}
