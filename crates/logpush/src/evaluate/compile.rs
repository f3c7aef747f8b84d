//! From a checked filter to what runs.

use super::{Ternary, matcher::Matcher};
use crate::{
    line::{Found, Projection, Slot},
    predicate::{Test, TestKind},
};
use zonewright_diagnostic::Span;
use zonewright_expression::Missing;

/// A filter that is ready to run.
#[derive(Debug)]
pub(crate) struct CompiledFilter {
    /// The fields that it names.
    pub(crate) projection: Projection,
    /// Its conditions, in the shape and the order of the source.
    pub(crate) node: CompiledNode,
}

/// A group or a condition.
#[derive(Debug)]
pub(crate) struct CompiledNode {
    pub(crate) kind: CompiledNodeKind,
    pub(crate) span: Span,
}

/// What a node is.
#[derive(Debug)]
pub(crate) enum CompiledNodeKind {
    All(Vec<CompiledNode>),
    Any(Vec<CompiledNode>),
    /// What is asked of the field at this place.
    Condition(usize, Matcher),
}

impl CompiledFilter {
    pub(crate) fn new(test: &Test) -> Self {
        let mut projection = Projection::default();
        let node = node(test, &mut projection);
        CompiledFilter { projection, node }
    }
}

fn node(test: &Test, projection: &mut Projection) -> CompiledNode {
    let mut nodes = |tests: &[Test]| tests.iter().map(|test| node(test, projection)).collect();
    let kind = match &test.kind {
        TestKind::All(tests) => CompiledNodeKind::All(nodes(tests)),
        TestKind::Any(tests) => CompiledNodeKind::Any(nodes(tests)),
        TestKind::Comparison(comparison) => {
            CompiledNodeKind::Condition(projection.place(comparison.field), Matcher::new(comparison))
        }
    };
    CompiledNode { kind, span: test.span }
}

impl CompiledNode {
    /// What it gives, from left to right until a part decides.
    pub(crate) fn truth(&self, slots: &[Slot<'_>], missing: Missing) -> Ternary {
        match &self.kind {
            CompiledNodeKind::All(nodes) => joined(nodes, slots, missing, Ternary::False, Ternary::True),
            CompiledNodeKind::Any(nodes) => joined(nodes, slots, missing, Ternary::True, Ternary::False),
            CompiledNodeKind::Condition(place, matcher) => {
                let found = slots.get(*place).map_or(Found::Missing, |slot| slot.found);
                if matches!((found, missing), (Found::Missing, Missing::Unknown)) {
                    return Ternary::Unknown;
                }
                matcher.holds(found).into()
            }
        }
    }

    /// The fields that an unknown answer depends on.
    pub(super) fn unknown_fields(&self, slots: &[Slot<'_>], projection: &Projection, fields: &mut Vec<String>) {
        match &self.kind {
            CompiledNodeKind::All(nodes) | CompiledNodeKind::Any(nodes) => {
                let unknown = nodes.iter().filter(|node| node.truth(slots, Missing::Unknown) == Ternary::Unknown);
                unknown.for_each(|node| node.unknown_fields(slots, projection, fields));
            }
            CompiledNodeKind::Condition(place, _) => {
                fields.extend(projection.fields().get(*place).map(|field| field.name.to_owned()));
            }
        }
    }

    /// The part that gave this known answer: as long as one part alone decided a group, that part
    /// (assumption deciding-condition).
    pub(crate) fn deciding(&self, slots: &[Slot<'_>], answer: Ternary) -> Span {
        let nodes = match (&self.kind, answer) {
            (CompiledNodeKind::All(nodes), Ternary::False) | (CompiledNodeKind::Any(nodes), Ternary::True) => {
                nodes.as_slice()
            }
            _ => return self.span,
        };
        let decider = nodes.iter().find(|node| node.truth(slots, Missing::Absent) == answer);
        decider.map_or(self.span, |node| node.deciding(slots, answer))
    }
}

fn joined(
    nodes: &[CompiledNode],
    slots: &[Slot<'_>],
    missing: Missing,
    decides: Ternary,
    otherwise: Ternary,
) -> Ternary {
    let mut answer = otherwise;
    for node in nodes {
        let truth = node.truth(slots, missing);
        if truth == decides {
            return decides;
        }
        if truth == Ternary::Unknown {
            answer = Ternary::Unknown;
        }
    }
    answer
}
