//! Conditions joined by `and`, `or`, `not` and `xor`.
//!
//! A condition is laid out as a list of tests, each of which says where to go on when it holds and when
//! it does not, so that a joined condition costs no more than the tests that are reached. As soon as
//! something is unknown, the answer is made from the shape of the condition instead.

use super::{
    answer::Ternary,
    notes::{Ignored, Notes},
    run::Run,
    tree::{Node, Shape, Step, Steps},
};
use crate::ast::LogicalOperator;

/// A condition while it is compiled.
pub(super) enum Part {
    Test(Node),
    Not(Box<Part>),
    Joined(LogicalOperator, Vec<Part>),
}

impl Part {
    /// The part, compiled.
    pub(super) fn node(self) -> Node {
        match self {
            Part::Test(node) => node,
            Part::Not(inner) => match *inner {
                Part::Test(Node::Flag(field)) => Node::NotFlag(field),
                Part::Test(node) => Node::Not(Box::new(node)),
                inner => Node::Steps(Box::new(Steps::new(Part::Not(Box::new(inner))))),
            },
            Part::Joined(LogicalOperator::Xor, parts) => xor(parts),
            part => Node::Steps(Box::new(Steps::new(part))),
        }
    }

    /// About how long it takes. Evaluation has no effects, so the cheaper parts may stand first.
    pub(super) fn cost(&self) -> u32 {
        match self {
            Part::Test(node) => node.cost(),
            Part::Not(inner) => inner.cost(),
            Part::Joined(_, parts) => parts.iter().fold(0, |sum: u32, part| sum.saturating_add(part.cost())),
        }
    }
}

/// Whether an odd number of conditions holds.
fn xor(parts: Vec<Part>) -> Node {
    Node::Xor(parts.into_iter().map(Part::node).collect())
}

/// There is no step there: the condition holds.
const YES: u32 = u32::MAX;
/// There is no step there: the condition does not hold.
const NO: u32 = u32::MAX - 1;

impl Steps {
    fn new(part: Part) -> Self {
        let mut steps = Vec::new();
        let (start, shape) = lay(part, YES, NO, &mut steps);
        Steps { steps: steps.into(), start, shape }
    }

    /// What it gives for a record, and why it is unknown.
    #[inline(always)]
    pub(super) fn eval<'r, N: Notes<'r>>(&'r self, run: Run<'r>, notes: &mut N) -> Ternary {
        if N::TAKEN { self.eval_by_shape(run, notes) } else { self.decide(run) }
    }

    /// What it gives for a record: the fast way.
    #[inline(never)]
    fn decide(&self, run: Run<'_>) -> Ternary {
        let mut place = self.start;
        while let Some(step) = self.steps.get(place as usize) {
            place = match step.test.eval(run, &mut Ignored) {
                Ternary::True => step.yes,
                Ternary::False => step.no,
                Ternary::Unknown => return self.decide_by_shape(run),
            };
        }
        (place == YES).into()
    }

    #[cold]
    #[inline(never)]
    fn decide_by_shape(&self, run: Run<'_>) -> Ternary {
        self.eval_by_shape(run, &mut Ignored)
    }

    #[inline(never)]
    fn eval_by_shape<'r, N: Notes<'r>>(&'r self, run: Run<'r>, notes: &mut N) -> Ternary {
        self.shaped(&self.shape, run, notes)
    }

    fn shaped<'r, N: Notes<'r>>(&'r self, shape: &'r Shape, run: Run<'r>, notes: &mut N) -> Ternary {
        match shape {
            Shape::Test(place) => match self.steps.get(*place as usize) {
                Some(step) => step.test.eval(run, notes),
                None => Ternary::Unknown,
            },
            Shape::Not(inner) => self.shaped(inner, run, notes).not(),
            Shape::And(parts) => self.until(parts, Ternary::False, run, notes),
            Shape::Or(parts) => self.until(parts, Ternary::True, run, notes),
        }
    }

    /// The deciding truth value as soon as one gives it.
    fn until<'r, N: Notes<'r>>(&'r self, parts: &'r [Shape], decides: Ternary, run: Run<'r>, notes: &mut N) -> Ternary {
        let mark = notes.mark();
        let mut answer = decides.not();
        for part in parts {
            let truth = self.shaped(part, run, notes);
            if truth == decides {
                notes.forget(mark);
                return decides;
            }
            if truth == Ternary::Unknown {
                answer = Ternary::Unknown;
            }
        }
        answer
    }
}

/// Adds the steps of a part, given where to go on behind it; gives its first step. What stands last is
/// laid first, so that every place to go on at is known.
fn lay(part: Part, yes: u32, no: u32, steps: &mut Vec<Step>) -> (u32, Shape) {
    match part {
        Part::Test(test) => {
            let place = u32::try_from(steps.len()).unwrap_or(NO);
            steps.push(Step { yes, no, test });
            (place, Shape::Test(place))
        }
        Part::Not(inner) => {
            let (start, shape) = lay(*inner, no, yes, steps);
            (start, Shape::Not(Box::new(shape)))
        }
        Part::Joined(LogicalOperator::Xor, parts) => lay(Part::Test(xor(parts)), yes, no, steps),
        Part::Joined(operator, parts) => {
            let and = operator == LogicalOperator::And;
            let mut start = if and { yes } else { no };
            let mut shapes = Vec::with_capacity(parts.len());
            for part in parts.into_iter().rev() {
                let (yes, no) = if and { (start, no) } else { (yes, start) };
                let (first, shape) = lay(part, yes, no, steps);
                start = first;
                shapes.push(shape);
            }
            shapes.reverse();
            (start, if and { Shape::And(shapes.into()) } else { Shape::Or(shapes.into()) })
        }
    }
}
