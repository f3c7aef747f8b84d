//! The truth value of each condition, from left to right.

use super::{Lookup, TruthValues, condition, not, operand};
use zonewright_expression::ast::LogicalOperator;
use zonewright_expression::resolved::{Condition, ConditionKind, Operand, ResolvedExpression, RightOperand};
use zonewright_expression::{Program, Record, TraceStep, Truth, Value};

/// The steps of a condition in source order; a value expression has none.
pub fn trace(program: &Program, record: &Record) -> Vec<TraceStep> {
    let mut steps = Vec::new();
    if let ResolvedExpression::Condition(root) = program.resolved() {
        walk(&root, record, true, &mut steps);
    }
    steps
}

fn walk(condition_: &Condition, record: &Record, reached: bool, steps: &mut Vec<TraceStep>) -> Option<bool> {
    let step = steps.len();
    steps.push(TraceStep { span: condition_.span, truth: Truth::NotReached, value: None });
    let truth = match &condition_.kind {
        ConditionKind::Group(inside) => walk(inside, record, reached, steps),
        ConditionKind::Not(inside) => not(walk(inside, record, reached, steps)),
        ConditionKind::Logical(operator, parts) => {
            let decides = match operator {
                LogicalOperator::And => Some(Some(false)),
                LogicalOperator::Or => Some(Some(true)),
                LogicalOperator::Xor => None,
            };
            let mut decided = false;
            for part in parts {
                let truth = walk(part, record, reached && !decided, steps);
                decided |= Some(truth) == decides;
            }
            single_truth(condition_, record)
        }
        _ => single_truth(condition_, record),
    };
    if reached {
        let (missing, value) = inspect_operands(condition_, record);
        steps[step].truth = match truth {
            Some(true) => Truth::True,
            Some(false) if missing => Truth::Absent,
            Some(false) => Truth::False,
            None => Truth::Unknown,
        };
        steps[step].value = value.filter(|_| !missing);
    }
    truth
}

fn single_truth(condition_: &Condition, record: &Record) -> Option<bool> {
    match condition(condition_, record) {
        TruthValues::One(truth) => truth,
        TruthValues::Many(_) => panic!("only a quantifier has many results"),
    }
}

/// Whether a compared value is missing, and the value on the left.
fn inspect_operands(condition: &Condition, record: &Record) -> (bool, Option<Value>) {
    let missing = |value: &Operand| operand(value, record) == Lookup::Missing;
    match &condition.kind {
        ConditionKind::Comparison(comparison) => {
            let right = matches!(&comparison.right, RightOperand::Value(right) if missing(right));
            let value = match operand(&comparison.left, record) {
                Lookup::Is(value) => Some(value),
                _ => None,
            };
            (right || missing(&comparison.left), value)
        }
        ConditionKind::Value(value) => (missing(value), None),
        _ => (false, None),
    }
}
