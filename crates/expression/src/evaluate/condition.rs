//! Conditions joined by `and`, `or`, `not` and `xor`, with short-circuit evaluation.
//!
//! [`Steps`] is a list of tests. Each test has the index of the next step for either result, so evaluation costs no
//! more than the tests that it reaches. As soon as one test is unknown, evaluation starts again on [`Shape`].

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
    /// Compiles the condition to a node.
    pub(super) fn into_node(self) -> Node {
        match self {
            ConditionTree::Test(node) => node,
            ConditionTree::Not(inner) => match *inner {
                ConditionTree::Test(Node::BooleanField(field)) => Node::NotBooleanField(field),
                ConditionTree::Test(node) => Node::Not(Box::new(node)),
                inner => Node::Branches(Box::new(Steps::new(ConditionTree::Not(Box::new(inner))))),
            },
            ConditionTree::Joined(LogicalOperator::Xor, operands) => xor_node(operands),
            condition => Node::Branches(Box::new(Steps::new(condition))),
        }
    }

    /// Returns the estimated cost of evaluation. Evaluation has no side effects, so cheap operands may run first.
    pub(super) fn cost(&self) -> u32 {
        match self {
            ConditionTree::Test(node) => node.cost(),
            ConditionTree::Not(inner) => inner.cost(),
            ConditionTree::Joined(_, operands) => {
                operands.iter().fold(0, |sum: u32, operand| sum.saturating_add(operand.cost()))
            }
        }
    }
}

/// Returns a node that is true if an odd number of operands are true.
fn xor_node(operands: Vec<ConditionTree>) -> Node {
    Node::Xor(operands.into_iter().map(ConditionTree::into_node).collect())
}

/// The step index that ends evaluation with the result true.
const TARGET_TRUE: u32 = u32::MAX;
/// The step index that ends evaluation with the result false.
const TARGET_FALSE: u32 = u32::MAX - 1;

impl Steps {
    fn new(condition: ConditionTree) -> Self {
        let mut steps = Vec::new();
        let (start, shape) = emit_branches(condition, TARGET_TRUE, TARGET_FALSE, &mut steps);
        Steps { steps: steps.into(), start, shape }
    }

    /// Evaluates the condition and collects the causes of an unknown result.
    #[inline(always)]
    pub(super) fn eval<'r, C: CauseSink<'r>>(&'r self, context: EvalContext<'r>, causes: &mut C) -> Ternary {
        if C::COLLECTS { self.eval_tree(context, causes) } else { self.run(context) }
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
    fn eval_tree<'r, C: CauseSink<'r>>(&'r self, context: EvalContext<'r>, causes: &mut C) -> Ternary {
        self.eval_tree_node(&self.shape, context, causes)
    }

    fn eval_tree_node<'r, C: CauseSink<'r>>(
        &'r self,
        shape: &'r Shape,
        context: EvalContext<'r>,
        causes: &mut C,
    ) -> Ternary {
        match shape {
            Shape::Test(index) => match self.steps.get(*index as usize) {
                Some(step) => step.predicate.eval(context, causes),
                None => Ternary::Unknown,
            },
            Shape::Not(inner) => !self.eval_tree_node(inner, context, causes),
            Shape::And(operands) => self.short_circuit(operands, Ternary::False, context, causes),
            Shape::Or(operands) => self.short_circuit(operands, Ternary::True, context, causes),
        }
    }

    /// Evaluates the operands in order and returns `deciding_value` as soon as an operand has that value.
    fn short_circuit<'r, C: CauseSink<'r>>(
        &'r self,
        operands: &'r [Shape],
        deciding_value: Ternary,
        context: EvalContext<'r>,
        causes: &mut C,
    ) -> Ternary {
        let mark = causes.mark();
        let mut result = !deciding_value;
        for operand in operands {
            let truth = self.eval_tree_node(operand, context, causes);
            if truth == deciding_value {
                causes.truncate(mark);
                return deciding_value;
            }
            if truth == Ternary::Unknown {
                result = Ternary::Unknown;
            }
        }
        result
    }
}

/// Appends the steps of a condition and returns the index of its first step and its shape. `on_true` and `on_false` are
/// the indexes of the steps that follow the condition. Later operands are added first, because earlier ones refer to
/// their indexes.
fn emit_branches(condition: ConditionTree, on_true: u32, on_false: u32, steps: &mut Vec<Step>) -> (u32, Shape) {
    match condition {
        ConditionTree::Test(predicate) => {
            let index = u32::try_from(steps.len()).unwrap_or(TARGET_FALSE);
            steps.push(Step { on_true, on_false, predicate });
            (index, Shape::Test(index))
        }
        ConditionTree::Not(inner) => {
            let (start, shape) = emit_branches(*inner, on_false, on_true, steps);
            (start, Shape::Not(Box::new(shape)))
        }
        ConditionTree::Joined(LogicalOperator::Xor, operands) => {
            emit_branches(ConditionTree::Test(xor_node(operands)), on_true, on_false, steps)
        }
        ConditionTree::Joined(operator, operands) => {
            let is_and = operator == LogicalOperator::And;
            let mut start = if is_and { on_true } else { on_false };
            let mut shapes = Vec::with_capacity(operands.len());
            for operand in operands.into_iter().rev() {
                let (on_true, on_false) = if is_and { (start, on_false) } else { (on_true, start) };
                let (first, shape) = emit_branches(operand, on_true, on_false, steps);
                start = first;
                shapes.push(shape);
            }
            shapes.reverse();
            (start, if is_and { Shape::And(shapes.into()) } else { Shape::Or(shapes.into()) })
        }
    }
}
