//! Conditions joined by `and`, `or`, `not` and `xor`, with short-circuit evaluation.
//!
//! [`Steps`] is a list of tests. Each test has the index of the next step for both results, so evaluation costs no more
//! than the tests that it reaches. As soon as one test is unknown, the result is computed from [`Shape`] instead.

use super::{
    context::EvalContext,
    results::Ternary,
    tree::{Node, Shape, Step, Steps},
    unknown_causes::{CauseSink, NoCauses},
};
use crate::ast::LogicalOperator;

/// A condition during compilation.
pub(super) enum ConditionTree {
    Test(Node),
    Not(Box<ConditionTree>),
    Joined(LogicalOperator, Vec<ConditionTree>),
}

impl ConditionTree {
    /// Compiles the part to a node.
    pub(super) fn node(self) -> Node {
        match self {
            ConditionTree::Test(node) => node,
            ConditionTree::Not(inner) => match *inner {
                ConditionTree::Test(Node::BooleanField(field)) => Node::NotBooleanField(field),
                ConditionTree::Test(node) => Node::Not(Box::new(node)),
                inner => Node::Branches(Box::new(Steps::new(ConditionTree::Not(Box::new(inner))))),
            },
            ConditionTree::Joined(LogicalOperator::Xor, parts) => xor(parts),
            part => Node::Branches(Box::new(Steps::new(part))),
        }
    }

    /// Returns the estimated cost of evaluation. Evaluation has no effects, so cheap parts may run first.
    pub(super) fn cost(&self) -> u32 {
        match self {
            ConditionTree::Test(node) => node.cost(),
            ConditionTree::Not(inner) => inner.cost(),
            ConditionTree::Joined(_, parts) => parts.iter().fold(0, |sum: u32, part| sum.saturating_add(part.cost())),
        }
    }
}

/// Returns a node that is true if an odd number of the conditions is true.
fn xor(parts: Vec<ConditionTree>) -> Node {
    Node::Xor(parts.into_iter().map(ConditionTree::node).collect())
}

/// The index after which the condition is true.
const TARGET_TRUE: u32 = u32::MAX;
/// The index after which the condition is false.
const TARGET_FALSE: u32 = u32::MAX - 1;

impl Steps {
    fn new(part: ConditionTree) -> Self {
        let mut steps = Vec::new();
        let (start, shape) = emit_branches(part, TARGET_TRUE, TARGET_FALSE, &mut steps);
        Steps { steps: steps.into(), start, shape }
    }

    /// Evaluates the condition and collects the causes of an unknown result.
    #[inline(always)]
    pub(super) fn eval<'r, N: CauseSink<'r>>(&'r self, context: EvalContext<'r>, notes: &mut N) -> Ternary {
        if N::TAKEN { self.eval_tree(context, notes) } else { self.run(context) }
    }

    /// Evaluates the condition without collecting causes. This is the fast path.
    #[inline(never)]
    fn run(&self, context: EvalContext<'_>) -> Ternary {
        let mut index = self.start;
        while let Some(step) = self.steps.get(index as usize) {
            index = match step.predicate.eval(context, &mut NoCauses) {
                Ternary::True => step.on_true,
                Ternary::False => step.on_false,
                Ternary::Unknown => return self.run_with_unknowns(context),
            };
        }
        (index == TARGET_TRUE).into()
    }

    #[cold]
    #[inline(never)]
    fn run_with_unknowns(&self, context: EvalContext<'_>) -> Ternary {
        self.eval_tree(context, &mut NoCauses)
    }

    #[inline(never)]
    fn eval_tree<'r, N: CauseSink<'r>>(&'r self, context: EvalContext<'r>, notes: &mut N) -> Ternary {
        self.eval_tree_node(&self.shape, context, notes)
    }

    fn eval_tree_node<'r, N: CauseSink<'r>>(
        &'r self,
        shape: &'r Shape,
        context: EvalContext<'r>,
        notes: &mut N,
    ) -> Ternary {
        match shape {
            Shape::Test(index) => match self.steps.get(*index as usize) {
                Some(step) => step.predicate.eval(context, notes),
                None => Ternary::Unknown,
            },
            Shape::Not(inner) => self.eval_tree_node(inner, context, notes).not(),
            Shape::And(parts) => self.short_circuit(parts, Ternary::False, context, notes),
            Shape::Or(parts) => self.short_circuit(parts, Ternary::True, context, notes),
        }
    }

    /// Evaluates the parts in order and returns `decides` as soon as one part has that value.
    fn short_circuit<'r, N: CauseSink<'r>>(
        &'r self,
        parts: &'r [Shape],
        decides: Ternary,
        context: EvalContext<'r>,
        notes: &mut N,
    ) -> Ternary {
        let mark = notes.mark();
        let mut answer = decides.not();
        for part in parts {
            let truth = self.eval_tree_node(part, context, notes);
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
fn emit_branches(part: ConditionTree, on_true: u32, on_false: u32, steps: &mut Vec<Step>) -> (u32, Shape) {
    match part {
        ConditionTree::Test(test) => {
            let index = u32::try_from(steps.len()).unwrap_or(TARGET_FALSE);
            steps.push(Step { on_true, on_false, predicate: test });
            (index, Shape::Test(index))
        }
        ConditionTree::Not(inner) => {
            let (start, shape) = emit_branches(*inner, on_false, on_true, steps);
            (start, Shape::Not(Box::new(shape)))
        }
        ConditionTree::Joined(LogicalOperator::Xor, parts) => {
            emit_branches(ConditionTree::Test(xor(parts)), on_true, on_false, steps)
        }
        ConditionTree::Joined(operator, parts) => {
            let and = operator == LogicalOperator::And;
            let mut start = if and { on_true } else { on_false };
            let mut shapes = Vec::with_capacity(parts.len());
            for part in parts.into_iter().rev() {
                let (on_true, on_false) = if and { (start, on_false) } else { (on_true, start) };
                let (first, shape) = emit_branches(part, on_true, on_false, steps);
                start = first;
                shapes.push(shape);
            }
            shapes.reverse();
            (start, if and { Shape::And(shapes.into()) } else { Shape::Or(shapes.into()) })
        }
    }
}
