//! A second evaluator, to hold the first one to: as simple and slow as can be, written from what is
//! documented of the language. It copies values, looks at every item of a set, and reads every pattern
//! anew. Of the engine it uses the resolved tree, records and values, and nothing that evaluates.
//!
//! What is unknown is unknown as soon as the answer could depend on it, operand by operand: there is no
//! reasoning about two occurrences of one field.

#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

mod compare;
mod functions;
mod trace;

pub use trace::trace;

use zonewright_expression::ast::LogicalOperator;
use zonewright_expression::resolved::{
    Argument, Call, Comparison, Condition, ConditionKind, Index, Literal, Operand, Resolved, Right, Source,
};
use zonewright_expression::{Missing, Program, Record, Type, Value};

/// What an expression gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A condition that holds or not.
    Truth(bool),
    /// A value.
    Value(Value),
    /// A value that is missing.
    Absent,
    /// It depends on what the record does not give.
    Unknown,
}

/// What is known of something that may be missing.
#[derive(Clone, Debug, PartialEq)]
enum Known<T> {
    Is(T),
    Missing,
    Unknown,
}

/// True, false or unknown.
type Truth = Option<bool>;

/// A condition about one value, or about many: then nothing is known when their number is not.
enum Truths {
    One(Truth),
    Many(Option<Vec<Truth>>),
}

/// What a program gives for a record.
pub fn evaluate(program: &Program, record: &Record) -> Answer {
    match program.resolved() {
        Resolved::Condition(whole) => match condition(&whole, record) {
            Truths::One(Some(truth)) => Answer::Truth(truth),
            Truths::One(None) => Answer::Unknown,
            Truths::Many(_) => panic!("a whole expression is about one value"),
        },
        Resolved::Value(whole) => match operand(&whole, record) {
            Known::Is(value) => Answer::Value(value),
            Known::Missing => Answer::Absent,
            Known::Unknown => Answer::Unknown,
        },
    }
}

fn condition(condition_: &Condition, record: &Record) -> Truths {
    match &condition_.kind {
        ConditionKind::True => Truths::One(Some(true)),
        ConditionKind::Logical(operator, operands) => {
            let mut operands = operands.iter().map(|operand| condition(operand, record));
            let first = operands.next().unwrap();
            operands.fold(first, |left, right| join(*operator, left, right))
        }
        ConditionKind::Not(inside) => match condition(inside, record) {
            Truths::One(truth) => Truths::One(not(truth)),
            Truths::Many(truths) => Truths::Many(truths.map(|truths| truths.into_iter().map(not).collect())),
        },
        ConditionKind::Group(inside) => condition(inside, record),
        ConditionKind::Value(value) => standing_alone(value, record),
        ConditionKind::Comparison(comparison_) => comparison(comparison_, record),
        ConditionKind::Invalid => panic!("a program has no invalid part"),
    }
}

fn not(truth: Truth) -> Truth {
    truth.map(|truth| !truth)
}

fn join(operator: LogicalOperator, left: Truths, right: Truths) -> Truths {
    let one = |left: Truth, right: Truth| match operator {
        LogicalOperator::And if left == Some(false) || right == Some(false) => Some(false),
        LogicalOperator::Or if left == Some(true) || right == Some(true) => Some(true),
        LogicalOperator::And => left.and_then(|left| right.map(|right| left && right)),
        LogicalOperator::Or => left.and_then(|left| right.map(|right| left || right)),
        LogicalOperator::Xor => left.and_then(|left| right.map(|right| left != right)),
    };
    match (left, right) {
        (Truths::One(left), Truths::One(right)) => Truths::One(one(left, right)),
        // Element by element, as far as the shorter one goes (observed).
        (Truths::Many(Some(left)), Truths::Many(Some(right))) => {
            Truths::Many(Some(left.into_iter().zip(right).map(|(left, right)| one(left, right)).collect()))
        }
        (Truths::Many(_), Truths::Many(_)) => Truths::Many(None),
        _ => panic!("one and many are never joined"),
    }
}

/// A Boolean, or many of them. A missing one does not hold; missing ones are none.
fn standing_alone(value: &Operand, record: &Record) -> Truths {
    if value.each {
        return Truths::Many(match each(value, record) {
            Known::Is(values) => Some(values.into_iter().map(|value| Some(value == Value::Boolean(true))).collect()),
            Known::Missing => Some(Vec::new()),
            Known::Unknown => None,
        });
    }
    match (operand(value, record), value.ty == Type::BOOLEAN) {
        (Known::Is(value), true) => Truths::One(Some(value == Value::Boolean(true))),
        (Known::Missing, true) => Truths::One(Some(false)),
        (Known::Unknown, true) => Truths::One(None),
        (Known::Is(value), false) => {
            Truths::Many(Some(elements(value).into_iter().map(|value| Some(value == Value::Boolean(true))).collect()))
        }
        (Known::Missing, false) => Truths::Many(Some(Vec::new())),
        (Known::Unknown, false) => Truths::Many(None),
    }
}

/// A comparison with something missing is false, whatever the operator (documented).
fn comparison(comparison: &Comparison, record: &Record) -> Truths {
    let right = |left: &Value| -> Truth {
        match &comparison.right {
            Right::Literal(right) => Some(compare::values(comparison.operator, left, &written(right))),
            Right::Value(right) => match operand(right, record) {
                Known::Is(right) => Some(compare::values(comparison.operator, left, &right)),
                Known::Missing => Some(false),
                Known::Unknown => None,
            },
            Right::List(name) => compare::list(left, name, record),
            other => Some(compare::pattern_or_set(comparison.operator, left, other)),
        }
    };
    // With something missing on the right, nothing on the left would help.
    let hopeless = matches!(&comparison.right, Right::Value(right) if operand(right, record) == Known::Missing);
    if comparison.left.each {
        return Truths::Many(match each(&comparison.left, record) {
            Known::Is(values) => Some(values.iter().map(right).collect()),
            Known::Missing => Some(Vec::new()),
            Known::Unknown => None,
        });
    }
    Truths::One(match operand(&comparison.left, record) {
        Known::Is(left) => right(&left),
        Known::Missing => Some(false),
        Known::Unknown if hopeless => Some(false),
        Known::Unknown => None,
    })
}

fn written(literal: &Literal) -> Value {
    match literal {
        Literal::Text(text) => Value::Text(text.clone()),
        Literal::Integer(integer) => Value::Integer(*integer),
        Literal::Ip(address) => Value::Ip(*address),
    }
}

/// The value of a field or call without `[*]`.
fn operand(operand: &Operand, record: &Record) -> Known<Value> {
    let mut found = source(&operand.source, record);
    for index in &operand.indexes {
        found = match found {
            Known::Is(value) => match element(value, index) {
                Some(value) => Known::Is(value),
                None => Known::Missing,
            },
            other => other,
        };
    }
    found
}

/// All values of a field or call with `[*]`; what is missing in some of them is left out.
fn each(operand: &Operand, record: &Record) -> Known<Vec<Value>> {
    let whole = match source(&operand.source, record) {
        Known::Is(whole) => whole,
        Known::Missing => return Known::Missing,
        Known::Unknown => return Known::Unknown,
    };
    let mut found = vec![whole];
    let mut many = false;
    for index in &operand.indexes {
        found = match index {
            Index::Each => found.into_iter().flat_map(elements).collect(),
            index => found.into_iter().filter_map(|value| element(value, index)).collect(),
        };
        many |= *index == Index::Each;
        if found.is_empty() && !many {
            return Known::Missing;
        }
    }
    Known::Is(found)
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

fn source(source: &Source, record: &Record) -> Known<Value> {
    match source {
        Source::Field(field) => match record.fields().find(|(name, _)| *name == field.name) {
            Some((_, Some(value))) => Known::Is(value.clone()),
            Some((_, None)) => Known::Missing,
            None if record.missing() == Missing::Absent => Known::Missing,
            None => Known::Unknown,
        },
        Source::Call(call_) => call(call_, record),
        Source::Invalid => panic!("a program has no invalid part"),
    }
}

fn call(call: &Call, record: &Record) -> Known<Value> {
    if let ("any" | "all", [argument]) = (call.function.name, call.arguments.as_slice()) {
        return quantified(call.function.name == "all", argument, record);
    }
    if !call.each {
        let arguments: Vec<_> = call.arguments.iter().map(|argument_| argument(argument_, record)).collect();
        return apply(call, &arguments);
    }
    let [Argument::Value(first), rest @ ..] = call.arguments.as_slice() else { panic!("`[*]` is in a value") };
    let rest: Vec<_> = rest.iter().map(|argument_| argument(argument_, record)).collect();
    let values = match each(first, record) {
        Known::Is(values) => values,
        Known::Missing => return Known::Missing,
        Known::Unknown => return Known::Unknown,
    };
    let mut results = Vec::new();
    for value in values {
        match apply(call, &[vec![Known::Is(value)], rest.clone()].concat()) {
            Known::Is(result) => results.push(result),
            Known::Missing => {}
            Known::Unknown => return Known::Unknown,
        }
    }
    Known::Is(Value::Array(results))
}

fn argument(argument: &Argument, record: &Record) -> Known<Value> {
    if let Some(value) = plain(argument) {
        return operand(value, record);
    }
    match argument {
        Argument::Literal(literal, _) => Known::Is(written(literal)),
        Argument::Value(value) => panic!("{value:?} is no argument here"),
        Argument::Condition(inside) => match condition(inside, record) {
            Truths::One(Some(truth)) => Known::Is(Value::Boolean(truth)),
            Truths::Many(Some(truths)) => {
                let truths: Option<Vec<_>> = truths.into_iter().map(|truth| truth.map(Value::Boolean)).collect();
                truths.map_or(Known::Unknown, |truths| Known::Is(Value::Array(truths)))
            }
            Truths::One(None) | Truths::Many(None) => Known::Unknown,
        },
    }
}

/// The value that an argument is, in brackets or not.
fn plain(argument: &Argument) -> Option<&Operand> {
    fn inside(condition: &Condition) -> Option<&Operand> {
        match &condition.kind {
            ConditionKind::Group(group) => inside(group),
            // A single missing one in brackets is a condition that does not hold.
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

/// `any` holds for one that holds, `all` unless there is one that does not (documented).
fn quantified(all: bool, argument: &Argument, record: &Record) -> Known<Value> {
    // As a plain value that is missing, neither holds (observed).
    if plain(argument).is_some_and(|value| operand(value, record) == Known::Missing) {
        return Known::Is(Value::Boolean(false));
    }
    let truths = match argument {
        Argument::Condition(inside) => condition(inside, record),
        Argument::Value(value) => standing_alone(value, record),
        Argument::Literal(..) => panic!("no literal is Boolean"),
    };
    let Truths::Many(Some(truths)) = truths else { return Known::Unknown };
    if truths.contains(&Some(!all)) {
        return Known::Is(Value::Boolean(!all));
    }
    if truths.contains(&None) { Known::Unknown } else { Known::Is(Value::Boolean(all)) }
}

/// Calls a function with arguments that are known, missing or unknown.
fn apply(call: &Call, arguments: &[Known<Value>]) -> Known<Value> {
    match call.function.name {
        "is_jwt_valid" | "is_jwt_present" | "dlp_match" => Known::Unknown,
        // The first value that is not missing; up to it all must be known.
        "coalesce" => arguments.iter().find(|argument| **argument != Known::Missing).cloned().unwrap_or(Known::Missing),
        // What is missing counts as empty; missing when all are (observed).
        "concat" if arguments.contains(&Known::Unknown) => Known::Unknown,
        "concat" => {
            let present = arguments.iter().filter_map(|argument| match argument {
                Known::Is(value) => Some(value.clone()),
                _ => None,
            });
            functions::concat(present.collect()).map_or(Known::Missing, Known::Is)
        }
        // Every other function gives a missing value for a missing argument.
        _ if arguments.contains(&Known::Missing) => Known::Missing,
        name => {
            let known = arguments.iter().map(|argument| match argument {
                Known::Is(value) => Some(value.clone()),
                _ => None,
            });
            match known.collect::<Option<Vec<_>>>() {
                Some(values) => functions::call(name, &values).map_or(Known::Missing, Known::Is),
                None => Known::Unknown,
            }
        }
    }
}
