//! From a checked filter to what runs.

use super::{Tri, matcher::Matcher};
use crate::{
    line::{Found, Slot, Wanted},
    program::{Test, TestKind},
};
use zonewright_diagnostic::Span;
use zonewright_expression::Missing;

/// A filter that is ready to run.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// The fields that it names.
    pub(crate) wanted: Wanted,
    /// Its conditions, in the shape and the order of the source.
    pub(crate) node: Node,
}

/// A group or a condition.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) span: Span,
}

/// What a node is.
#[derive(Debug)]
pub(crate) enum NodeKind {
    All(Vec<Node>),
    Any(Vec<Node>),
    /// What is asked of the field at this place.
    Condition(usize, Matcher),
}

/// Makes a filter ready.
pub(crate) fn compile(test: &Test) -> Compiled {
    let mut wanted = Wanted::default();
    let node = node(test, &mut wanted);
    Compiled { wanted, node }
}

fn node(test: &Test, wanted: &mut Wanted) -> Node {
    let mut nodes = |tests: &[Test]| tests.iter().map(|test| node(test, wanted)).collect();
    let kind = match &test.kind {
        TestKind::All(tests) => NodeKind::All(nodes(tests)),
        TestKind::Any(tests) => NodeKind::Any(nodes(tests)),
        TestKind::Comparison(comparison) => {
            NodeKind::Condition(wanted.place(comparison.field), Matcher::new(comparison))
        }
    };
    Node { kind, span: test.span }
}

impl Node {
    /// What it gives, from left to right until a part decides.
    pub(crate) fn truth(&self, slots: &[Slot<'_>], missing: Missing) -> Tri {
        match &self.kind {
            NodeKind::All(nodes) => joined(nodes, slots, missing, Tri::False, Tri::True),
            NodeKind::Any(nodes) => joined(nodes, slots, missing, Tri::True, Tri::False),
            NodeKind::Condition(place, matcher) => {
                let found = slots.get(*place).map_or(Found::Missing, |slot| slot.found);
                if matches!((found, missing), (Found::Missing, Missing::Unknown)) {
                    return Tri::Unknown;
                }
                matcher.holds(found).into()
            }
        }
    }

    /// The fields that an unknown answer depends on.
    pub(super) fn unknown_fields(&self, slots: &[Slot<'_>], wanted: &Wanted, fields: &mut Vec<String>) {
        match &self.kind {
            NodeKind::All(nodes) | NodeKind::Any(nodes) => {
                let unknown = nodes.iter().filter(|node| node.truth(slots, Missing::Unknown) == Tri::Unknown);
                unknown.for_each(|node| node.unknown_fields(slots, wanted, fields));
            }
            NodeKind::Condition(place, _) => {
                fields.extend(wanted.fields().get(*place).map(|field| field.name.to_owned()));
            }
        }
    }

    /// The part that gave this known answer: as long as one part alone decided a group, that part
    /// (assumption deciding-condition).
    pub(crate) fn deciding(&self, slots: &[Slot<'_>], answer: Tri) -> Span {
        let nodes = match (&self.kind, answer) {
            (NodeKind::All(nodes), Tri::False) | (NodeKind::Any(nodes), Tri::True) => nodes.as_slice(),
            _ => return self.span,
        };
        let decider = nodes.iter().find(|node| node.truth(slots, Missing::Absent) == answer);
        decider.map_or(self.span, |node| node.deciding(slots, answer))
    }
}

fn joined(nodes: &[Node], slots: &[Slot<'_>], missing: Missing, decides: Tri, otherwise: Tri) -> Tri {
    let mut answer = otherwise;
    for node in nodes {
        let truth = node.truth(slots, missing);
        if truth == decides {
            return decides;
        }
        if truth == Tri::Unknown {
            answer = Tri::Unknown;
        }
    }
    answer
}
