//! A second evaluator for differential tests, as simple and slow as possible, written from the documentation of the
//! language. It copies values, compares every item of a set and compiles every pattern again. Of the engine it uses
//! the resolved tree, records and values, but no evaluation.
//!
//! A result is unknown as soon as it could depend on an unknown operand. Two occurrences of one field are independent
//! here.

#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

mod compare;
mod functions;
mod trace;

pub use trace::trace;

use zonewright_expression::ast::LogicalOperator;
use zonewright_expression::resolved::{
    Argument, Call, Comparison, Condition, ConditionKind, Index, Literal, Operand, OperandSource, ResolvedExpression,
    RightOperand,
};
use zonewright_expression::{MissingPolicy, Program, Record, Type, Value};

/// The result of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum EvaluationResult {
    /// A condition that is true or false.
    Truth(bool),
    /// A value.
    Value(Value),
    /// A missing value.
    Absent,
    /// The result depends on something that the record does not provide.
    Unknown,
}

/// The state of knowledge about a value that may be missing.
#[derive(Clone, Debug, PartialEq)]
enum Lookup<T> {
    Is(T),
    Missing,
    Unknown,
}

/// True, false or unknown.
type Truth = Option<bool>;

/// The result of a condition over one value or over many, whose number may be unknown.
enum TruthValues {
    One(Truth),
    Many(Option<Vec<Truth>>),
}

/// The result of a program for a record.
pub fn evaluate(program: &Program, record: &Record) -> EvaluationResult {
    match program.resolved() {
        ResolvedExpression::Condition(root) => match condition(&root, record) {
            TruthValues::One(Some(truth)) => EvaluationResult::Truth(truth),
            TruthValues::One(None) => EvaluationResult::Unknown,
            TruthValues::Many(_) => panic!("a whole expression is about one value"),
        },
        ResolvedExpression::Value(root) => match operand(&root, record) {
            Lookup::Is(value) => EvaluationResult::Value(value),
            Lookup::Missing => EvaluationResult::Absent,
            Lookup::Unknown => EvaluationResult::Unknown,
        },
    }
}

fn condition(condition_: &Condition, record: &Record) -> TruthValues {
    match &condition_.kind {
        ConditionKind::True => TruthValues::One(Some(true)),
        ConditionKind::Logical(operator, operands) => {
            let mut operands = operands.iter().map(|operand| condition(operand, record));
            let first = operands.next().unwrap();
            operands.fold(first, |left, right| join(*operator, left, right))
        }
        ConditionKind::Not(inside) => match condition(inside, record) {
            TruthValues::One(truth) => TruthValues::One(not(truth)),
            TruthValues::Many(truths) => TruthValues::Many(truths.map(|truths| truths.into_iter().map(not).collect())),
        },
        ConditionKind::Group(inside) => condition(inside, record),
        ConditionKind::Value(value) => boolean_operand(value, record),
        ConditionKind::Comparison(comparison_) => comparison(comparison_, record),
        ConditionKind::Invalid => panic!("a program has no invalid part"),
    }
}

fn not(truth: Truth) -> Truth {
    truth.map(|truth| !truth)
}

fn join(operator: LogicalOperator, left: TruthValues, right: TruthValues) -> TruthValues {
    let combine = |left: Truth, right: Truth| match operator {
        LogicalOperator::And if left == Some(false) || right == Some(false) => Some(false),
        LogicalOperator::Or if left == Some(true) || right == Some(true) => Some(true),
        LogicalOperator::And => left.and_then(|left| right.map(|right| left && right)),
        LogicalOperator::Or => left.and_then(|left| right.map(|right| left || right)),
        LogicalOperator::Xor => left.and_then(|left| right.map(|right| left != right)),
    };
    match (left, right) {
        (TruthValues::One(left), TruthValues::One(right)) => TruthValues::One(combine(left, right)),
        // Element by element, up to the length of the shorter one (observed).
        (TruthValues::Many(Some(left)), TruthValues::Many(Some(right))) => {
            TruthValues::Many(Some(left.into_iter().zip(right).map(|(left, right)| combine(left, right)).collect()))
        }
        (TruthValues::Many(_), TruthValues::Many(_)) => TruthValues::Many(None),
        _ => panic!("one and many are never joined"),
    }
}

/// A Boolean, or many. A missing Boolean is false; among many, missing Booleans are skipped.
fn boolean_operand(value: &Operand, record: &Record) -> TruthValues {
    if value.each {
        return TruthValues::Many(match mapped_values(value, record) {
            Lookup::Is(values) => Some(values.into_iter().map(|value| Some(value == Value::Boolean(true))).collect()),
            Lookup::Missing => Some(Vec::new()),
            Lookup::Unknown => None,
        });
    }
    match (operand(value, record), value.ty == Type::BOOLEAN) {
        (Lookup::Is(value), true) => TruthValues::One(Some(value == Value::Boolean(true))),
        (Lookup::Missing, true) => TruthValues::One(Some(false)),
        (Lookup::Unknown, true) => TruthValues::One(None),
        (Lookup::Is(value), false) => TruthValues::Many(Some(
            elements(value).into_iter().map(|value| Some(value == Value::Boolean(true))).collect(),
        )),
        (Lookup::Missing, false) => TruthValues::Many(Some(Vec::new())),
        (Lookup::Unknown, false) => TruthValues::Many(None),
    }
}

/// A comparison with a missing value is false, whatever the operator (documented).
fn comparison(comparison: &Comparison, record: &Record) -> TruthValues {
    let right = |left: &Value| -> Truth {
        match &comparison.right {
            RightOperand::Literal(right) => {
                Some(compare::compare_values(comparison.operator, left, &literal_value(right)))
            }
            RightOperand::Value(right) => match operand(right, record) {
                Lookup::Is(right) => Some(compare::compare_values(comparison.operator, left, &right)),
                Lookup::Missing => Some(false),
                Lookup::Unknown => None,
            },
            RightOperand::List(name) => compare::is_in_list(left, name, record),
            other => Some(compare::matches_pattern_or_set(comparison.operator, left, other)),
        }
    };
    // If the right side is missing, no left side makes the comparison true.
    let is_right_missing =
        matches!(&comparison.right, RightOperand::Value(right) if operand(right, record) == Lookup::Missing);
    if comparison.left.each {
        return TruthValues::Many(match mapped_values(&comparison.left, record) {
            Lookup::Is(values) => Some(values.iter().map(right).collect()),
            Lookup::Missing => Some(Vec::new()),
            Lookup::Unknown => None,
        });
    }
    TruthValues::One(match operand(&comparison.left, record) {
        Lookup::Is(left) => right(&left),
        Lookup::Missing => Some(false),
        Lookup::Unknown if is_right_missing => Some(false),
        Lookup::Unknown => None,
    })
}

fn literal_value(literal: &Literal) -> Value {
    match literal {
        Literal::Text(text) => Value::Text(text.clone()),
        Literal::Integer(integer) => Value::Integer(*integer),
        Literal::Ip(address) => Value::Ip(*address),
    }
}

/// The value of a field or call without `[*]`.
fn operand(operand: &Operand, record: &Record) -> Lookup<Value> {
    let mut found = source(&operand.source, record);
    for index in &operand.indexes {
        found = match found {
            Lookup::Is(value) => match element(value, index) {
                Some(value) => Lookup::Is(value),
                None => Lookup::Missing,
            },
            other => other,
        };
    }
    found
}

/// All values of a field or call with `[*]`; missing values are skipped.
fn mapped_values(operand: &Operand, record: &Record) -> Lookup<Vec<Value>> {
    let base = match source(&operand.source, record) {
        Lookup::Is(base) => base,
        Lookup::Missing => return Lookup::Missing,
        Lookup::Unknown => return Lookup::Unknown,
    };
    let mut found = vec![base];
    let mut many = false;
    for index in &operand.indexes {
        found = match index {
            Index::Each => found.into_iter().flat_map(elements).collect(),
            index => found.into_iter().filter_map(|value| element(value, index)).collect(),
        };
        many |= *index == Index::Each;
        if found.is_empty() && !many {
            return Lookup::Missing;
        }
    }
    Lookup::Is(found)
}

fn element(value: Value, index: &Index) -> Option<Value> {
    match (value, index) {
        (Value::Array(elements), Index::Element(position)) => elements.get(*position as usize).cloned(),
        (Value::Map(members), Index::Key(key)) => members.get(key.as_bytes()).cloned(),
        _ => None,
    }
}

fn elements(value: Value) -> Vec<Value> {
    match value {
        Value::Array(elements) => elements,
        Value::Map(members) => members.into_values().collect(),
        _ => Vec::new(),
    }
}

fn source(source: &OperandSource, record: &Record) -> Lookup<Value> {
    match source {
        OperandSource::Field(field) => match record.fields().find(|(name, _)| *name == field.name) {
            Some((_, Some(value))) => Lookup::Is(value.clone()),
            Some((_, None)) => Lookup::Missing,
            None if record.missing_policy() == MissingPolicy::Absent => Lookup::Missing,
            None => Lookup::Unknown,
        },
        OperandSource::Call(call_) => call(call_, record),
        OperandSource::Invalid => panic!("a program has no invalid part"),
    }
}

fn call(call: &Call, record: &Record) -> Lookup<Value> {
    if let ("any" | "all", [argument]) = (call.function.name, call.arguments.as_slice()) {
        return quantifier_call(call.function.name == "all", argument, record);
    }
    if !call.each {
        let arguments: Vec<_> = call.arguments.iter().map(|argument_| argument(argument_, record)).collect();
        return apply(call, &arguments);
    }
    let [Argument::Value(first), rest @ ..] = call.arguments.as_slice() else { panic!("`[*]` is in a value") };
    let rest: Vec<_> = rest.iter().map(|argument_| argument(argument_, record)).collect();
    let values = match mapped_values(first, record) {
        Lookup::Is(values) => values,
        Lookup::Missing => return Lookup::Missing,
        Lookup::Unknown => return Lookup::Unknown,
    };
    let mut results = Vec::new();
    for value in values {
        match apply(call, &[vec![Lookup::Is(value)], rest.clone()].concat()) {
            Lookup::Is(result) => results.push(result),
            Lookup::Missing => {}
            Lookup::Unknown => return Lookup::Unknown,
        }
    }
    Lookup::Is(Value::Array(results))
}

fn argument(argument: &Argument, record: &Record) -> Lookup<Value> {
    if let Some(value) = bare_operand(argument) {
        return operand(value, record);
    }
    match argument {
        Argument::Literal(literal, _) => Lookup::Is(literal_value(literal)),
        Argument::Value(value) => panic!("{value:?} is no argument here"),
        Argument::Condition(inside) => match condition(inside, record) {
            TruthValues::One(Some(truth)) => Lookup::Is(Value::Boolean(truth)),
            TruthValues::Many(Some(truths)) => {
                let truths: Option<Vec<_>> = truths.into_iter().map(|truth| truth.map(Value::Boolean)).collect();
                truths.map_or(Lookup::Unknown, |truths| Lookup::Is(Value::Array(truths)))
            }
            TruthValues::One(None) | TruthValues::Many(None) => Lookup::Unknown,
        },
    }
}

/// The value of an argument, with or without parentheses.
fn bare_operand(argument: &Argument) -> Option<&Operand> {
    fn inside(condition: &Condition) -> Option<&Operand> {
        match &condition.kind {
            ConditionKind::Group(group) => inside(group),
            // A single missing value in parentheses is a false condition.
            ConditionKind::Value(value) => Some(value).filter(|value| !value.ty.is_scalar()),
            _ => None,
        }
    }
    match argument {
        Argument::Value(value) => Some(value),
        Argument::Condition(condition) => inside(condition),
        Argument::Literal(..) => None,
    }
    .filter(|value| !value.each)
}

/// `any` is true for one true element; `all` is true unless one element is false (documented).
fn quantifier_call(all: bool, argument: &Argument, record: &Record) -> Lookup<Value> {
    // For a missing bare value, both are false (observed).
    if bare_operand(argument).is_some_and(|value| operand(value, record) == Lookup::Missing) {
        return Lookup::Is(Value::Boolean(false));
    }
    let truths = match argument {
        Argument::Condition(inside) => condition(inside, record),
        Argument::Value(value) => boolean_operand(value, record),
        Argument::Literal(..) => panic!("no literal is Boolean"),
    };
    let TruthValues::Many(Some(truths)) = truths else { return Lookup::Unknown };
    if truths.contains(&Some(!all)) {
        return Lookup::Is(Value::Boolean(!all));
    }
    if truths.contains(&None) { Lookup::Unknown } else { Lookup::Is(Value::Boolean(all)) }
}

/// Calls a function with arguments that are known, missing or unknown.
fn apply(call: &Call, arguments: &[Lookup<Value>]) -> Lookup<Value> {
    match call.function.name {
        "is_jwt_valid" | "is_jwt_present" | "dlp_match" => Lookup::Unknown,
        // The first value that is not missing; every value up to it must be known.
        "coalesce" => {
            arguments.iter().find(|argument| **argument != Lookup::Missing).cloned().unwrap_or(Lookup::Missing)
        }
        // A missing value counts as empty; the result is missing when all are (observed).
        "concat" if arguments.contains(&Lookup::Unknown) => Lookup::Unknown,
        "concat" => {
            let values = arguments.iter().filter_map(|argument| match argument {
                Lookup::Is(value) => Some(value.clone()),
                _ => None,
            });
            functions::concat(values.collect()).map_or(Lookup::Missing, Lookup::Is)
        }
        // Every other function returns a missing value for a missing argument.
        _ if arguments.contains(&Lookup::Missing) => Lookup::Missing,
        name => {
            let known = arguments.iter().map(|argument| match argument {
                Lookup::Is(value) => Some(value.clone()),
                _ => None,
            });
            match known.collect::<Option<Vec<_>>>() {
                Some(values) => functions::call(name, &values).map_or(Lookup::Missing, Lookup::Is),
                None => Lookup::Unknown,
            }
        }
    }
}
