//! Traces the result of each condition.
//!
//! The compiled program reorders and combines conditions. The tracer therefore compiles each leaf that it reaches
//! separately.

use super::{
    TraceStep, Truth,
    compile::Compiler,
    context::EvalContext,
    results::{Lookup, Ternary},
    unknown_causes::NoCauses,
};
use crate::{
    Value,
    ast::LogicalOperator,
    resolved::{Condition, ConditionKind, Operand, ResolvedExpression, RightOperand},
};

/// Returns the steps of a condition, in source order.
pub(super) fn collect_steps(resolved: &ResolvedExpression, context: EvalContext<'_>) -> Vec<TraceStep> {
    let mut tracer = Tracer { context, compiler: Compiler::default(), steps: Vec::new() };
    if let ResolvedExpression::Condition(condition) = resolved {
        tracer.trace_condition(condition);
    }
    tracer.steps
}

struct Tracer<'r> {
    context: EvalContext<'r>,
    compiler: Compiler,
    steps: Vec<TraceStep>,
}

impl Tracer<'_> {
    fn trace_condition(&mut self, condition: &Condition) -> Ternary {
        let index = self.steps.len();
        self.steps.push(TraceStep { span: condition.span, truth: Truth::NotReached, value: None });
        let (truth, value) = match &condition.kind {
            ConditionKind::Group(inner) => (to_truth(self.trace_condition(inner)), None),
            ConditionKind::Not(inner) => (to_truth(!self.trace_condition(inner)), None),
            ConditionKind::Logical(operator, parts) => (to_truth(self.trace_logical(*operator, parts)), None),
            _ => self.trace_leaf(condition),
        };
        if let Some(step) = self.steps.get_mut(index) {
            (step.truth, step.value) = (truth, value);
        }
        match truth {
            Truth::True => Ternary::True,
            Truth::Unknown => Ternary::Unknown,
            Truth::False | Truth::NotReached | Truth::Absent => Ternary::False,
        }
    }

    /// Evaluates the operands from left to right until one operand decides the result.
    fn trace_logical(&mut self, operator: LogicalOperator, parts: &[Condition]) -> Ternary {
        let deciding_value = match operator {
            LogicalOperator::And => Some(Ternary::False),
            LogicalOperator::Or => Some(Ternary::True),
            LogicalOperator::Xor => None,
        };
        let mut result = deciding_value.map_or(Ternary::False, |value| !value);
        let mut is_decided = false;
        for part in parts {
            if is_decided {
                self.push_not_reached(part);
                continue;
            }
            let truth = self.trace_condition(part);
            result = match (truth, deciding_value) {
                (truth, Some(deciding_value)) if truth == deciding_value => {
                    is_decided = true;
                    deciding_value
                }
                (Ternary::Unknown, _) => Ternary::Unknown,
                (truth, None) if result != Ternary::Unknown => (result != truth).into(),
                _ => result,
            };
        }
        result
    }

    /// Appends the steps of a condition that evaluation did not reach.
    fn push_not_reached(&mut self, condition: &Condition) {
        self.steps.push(TraceStep { span: condition.span, truth: Truth::NotReached, value: None });
        match &condition.kind {
            ConditionKind::Group(inner) | ConditionKind::Not(inner) => self.push_not_reached(inner),
            ConditionKind::Logical(_, parts) => parts.iter().for_each(|part| self.push_not_reached(part)),
            _ => {}
        }
    }

    fn trace_leaf(&mut self, condition: &Condition) -> (Truth, Option<Value>) {
        let result = self.compiler.compile_leaf(condition).eval(self.context, &mut NoCauses);
        let (left, right) = match &condition.kind {
            ConditionKind::Comparison(comparison) => (
                Some(&comparison.left),
                match &comparison.right {
                    RightOperand::Value(right) => Some(right),
                    _ => None,
                },
            ),
            ConditionKind::Value(value) => (Some(value), None),
            _ => (None, None),
        };
        if result == Ternary::False && [left, right].into_iter().flatten().any(|operand| self.is_missing(operand)) {
            return (Truth::Absent, None);
        }
        let compared = left.filter(|_| matches!(condition.kind, ConditionKind::Comparison(_)));
        (to_truth(result), compared.and_then(|left| self.evaluate_operand(left)))
    }

    fn evaluate_operand(&mut self, operand: &Operand) -> Option<Value> {
        match self.compiler.compile_operand(operand).get(self.context, &mut NoCauses) {
            Lookup::Known(value) => Some(value.into_owned()),
            Lookup::Missing | Lookup::Unknown => None,
        }
    }

    fn is_missing(&mut self, operand: &Operand) -> bool {
        matches!(self.compiler.compile_operand(operand).get(self.context, &mut NoCauses), Lookup::Missing)
    }
}

fn to_truth(ternary: Ternary) -> Truth {
    match ternary {
        Ternary::True => Truth::True,
        Ternary::False => Truth::False,
        Ternary::Unknown => Truth::Unknown,
    }
}
