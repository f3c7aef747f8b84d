//! What each condition gives.
//!
//! The resolved tree says where a condition stands, the compiled one what it gives; they are walked
//! side by side.

use super::{
    Step, Truth,
    compile::{Compiler, Root},
    node::{Joined, Node, Tri},
    notes::Ignored,
    operand::Got,
    run::Run,
};
use crate::{
    Program, Value,
    ast::LogicalOperator,
    resolved::{Condition, ConditionKind, Operand, Resolved, Right},
};

/// The steps of a condition, in the order of the source.
pub(super) fn steps(program: &Program, run: &Run<'_>) -> Vec<Step> {
    let mut tracer = Tracer { run, steps: Vec::new() };
    if let (Resolved::Condition(condition), Root::Condition(node)) = (program.resolved(), &program.compiled().root) {
        tracer.condition(&condition, node);
    }
    tracer.steps
}

struct Tracer<'t, 'r> {
    run: &'t Run<'r>,
    steps: Vec<Step>,
}

impl Tracer<'_, '_> {
    fn condition(&mut self, condition: &Condition, node: &Node) -> Tri {
        let place = self.steps.len();
        self.steps.push(Step { span: condition.span, truth: Truth::NotReached, value: None });
        let (truth, value) = match (&condition.kind, node) {
            (ConditionKind::Group(inner), _) => (truth(self.condition(inner, node)), None),
            (ConditionKind::Not(inner), Node::Not(node)) => (truth(self.condition(inner, node).not()), None),
            (ConditionKind::Logical(operator, parts), Node::And(nodes) | Node::Or(nodes) | Node::Xor(nodes)) => {
                (truth(self.logical(*operator, parts, nodes)), None)
            }
            _ => self.leaf(condition, node),
        };
        if let Some(step) = self.steps.get_mut(place) {
            (step.truth, step.value) = (truth, value);
        }
        match truth {
            Truth::True => Tri::True,
            Truth::Unknown => Tri::Unknown,
            Truth::False | Truth::NotReached | Truth::Absent => Tri::False,
        }
    }

    /// From left to right until one decides.
    fn logical(&mut self, operator: LogicalOperator, parts: &[Condition], nodes: &Joined) -> Tri {
        let decides = match operator {
            LogicalOperator::And => Some(Tri::False),
            LogicalOperator::Or => Some(Tri::True),
            LogicalOperator::Xor => None,
        };
        let mut answer = decides.map_or(Tri::False, Tri::not);
        let mut decided = false;
        for (place, part) in parts.iter().enumerate() {
            let node = nodes.written(place).filter(|_| !decided);
            let Some(node) = node else {
                self.not_reached(part);
                continue;
            };
            let truth = self.condition(part, node);
            answer = match (truth, decides) {
                (truth, Some(decides)) if truth == decides => {
                    decided = true;
                    decides
                }
                (Tri::Unknown, _) => Tri::Unknown,
                (truth, None) if answer != Tri::Unknown => (answer != truth).into(),
                _ => answer,
            };
        }
        answer
    }

    fn not_reached(&mut self, condition: &Condition) {
        self.steps.push(Step { span: condition.span, truth: Truth::NotReached, value: None });
        match &condition.kind {
            ConditionKind::Group(inner) | ConditionKind::Not(inner) => self.not_reached(inner),
            ConditionKind::Logical(_, parts) => parts.iter().for_each(|part| self.not_reached(part)),
            _ => {}
        }
    }

    fn leaf(&self, condition: &Condition, node: &Node) -> (Truth, Option<Value>) {
        let answer = node.eval(self.run, &mut Ignored);
        let (left, right) = match &condition.kind {
            ConditionKind::Comparison(comparison) => (
                Some(&comparison.left),
                match &comparison.right {
                    Right::Value(right) => Some(right),
                    _ => None,
                },
            ),
            ConditionKind::Value(value) => (Some(value), None),
            _ => (None, None),
        };
        let missing = |operand: Option<&Operand>| operand.is_some_and(|operand| self.is_missing(operand));
        if answer == Tri::False && (missing(left) || missing(right)) {
            return (Truth::Absent, None);
        }
        let compared = left.filter(|_| matches!(condition.kind, ConditionKind::Comparison(_)));
        (truth(answer), compared.and_then(|left| self.value(left)))
    }

    fn value(&self, operand: &Operand) -> Option<Value> {
        match Compiler::default().operand(operand).get(self.run, &mut Ignored) {
            Got::Known(value) => Some(value.into_owned()),
            Got::Missing | Got::Unknown => None,
        }
    }

    fn is_missing(&self, operand: &Operand) -> bool {
        matches!(Compiler::default().operand(operand).get(self.run, &mut Ignored), Got::Missing)
    }
}

fn truth(truth: Tri) -> Truth {
    match truth {
        Tri::True => Truth::True,
        Tri::False => Truth::False,
        Tri::Unknown => Truth::Unknown,
    }
}
