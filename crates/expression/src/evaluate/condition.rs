//! Conditions joined by `and`, `or`, `not` and `xor`, with short-circuit evaluation.
//!
//! [`Steps`] is a list of tests. Each test has the index of the next step for both results, so evaluation costs no more
//! than the tests that it reaches. As soon as one test is unknown, the result is computed from [`Shape`] instead.

use super::{
    answer::Ternary,
    notes::{Ignored, Notes},
    run::Run,
    tree::{Node, Shape, Step, Steps},
};
use crate::ast::LogicalOperator;

/// A condition during compilation.
pub(super) enum Part {
    Test(Node),
    Not(Box<Part>),
    Joined(LogicalOperator, Vec<Part>),
}

impl Part {
    /// Compiles the part to a node.
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

    /// Returns the estimated cost of evaluation. Evaluation has no effects, so cheap parts may run first.
    pub(super) fn cost(&self) -> u32 {
        match self {
            Part::Test(node) => node.cost(),
            Part::Not(inner) => inner.cost(),
            Part::Joined(_, parts) => parts.iter().fold(0, |sum: u32, part| sum.saturating_add(part.cost())),
        }
    }
}

/// Returns a node that is true if an odd number of the conditions is true.
fn xor(parts: Vec<Part>) -> Node {
    Node::Xor(parts.into_iter().map(Part::node).collect())
}

/// The index after which the condition is true.
const YES: u32 = u32::MAX;
/// The index after which the condition is false.
const NO: u32 = u32::MAX - 1;

impl Steps {
    fn new(part: Part) -> Self {
        let mut steps = Vec::new();
        let (start, shape) = lay(part, YES, NO, &mut steps);
        Steps { steps: steps.into(), start, shape }
    }

    /// Evaluates the condition and collects the causes of an unknown result.
    #[inline(always)]
    pub(super) fn eval<'r, N: Notes<'r>>(&'r self, run: Run<'r>, notes: &mut N) -> Ternary {
        if N::TAKEN { self.eval_by_shape(run, notes) } else { self.decide(run) }
    }

    /// Evaluates the condition without collecting causes. This is the fast path.
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

    /// Evaluates the parts in order and returns `decides` as soon as one part has that value.
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

/// Appends the steps of a part and returns its first step. `yes` and `no` are the steps that follow it. Later operands
/// are added first, because their indexes must be known.
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
