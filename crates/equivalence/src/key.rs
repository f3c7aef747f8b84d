//! Builds canonical keys of values and conditions.
//!
//! Equal keys mean equal results for every request. A key contains the field names of the resolved tree, so
//! [`crate::names`] replaces deprecated names first.

use std::fmt::Write;
use zonewright_expression::ast::LogicalOperator;
use zonewright_expression::resolved::{
    Argument, Comparison, Condition, ConditionKind, Index, Item, Literal, Operand, Right, Source,
};

/// Returns the key of a value.
pub(crate) fn of_operand(operand: &Operand) -> String {
    let mut key = match &operand.source {
        Source::Field(field) => field.name.to_owned(),
        Source::Call(call) => {
            let arguments: Vec<String> = call.arguments.iter().map(of_argument).collect();
            format!("{}({})", call.function.name, arguments.join(", "))
        }
        Source::Invalid => "?".to_owned(),
    };
    for index in &operand.indexes {
        push_index(&mut key, index);
    }
    key
}

fn push_index(key: &mut String, index: &Index) {
    // Writing to a string cannot fail.
    let _ = match index {
        Index::Element(position) => write!(key, "[{position}]"),
        Index::Key(name) => write!(key, "[{name:?}]"),
        Index::Each => write!(key, "[*]"),
    };
}

fn of_argument(argument: &Argument) -> String {
    match argument {
        Argument::Literal(literal, _) => of_literal(literal),
        Argument::Value(operand) => of_operand(operand),
        Argument::Condition(condition) => of_condition(condition),
    }
}

fn of_literal(literal: &Literal) -> String {
    match literal {
        Literal::Text(text) => of_text(text),
        Literal::Integer(value) => value.to_string(),
        Literal::Ip(address) => address.to_string(),
    }
}

fn of_text(text: &[u8]) -> String {
    format!("\"{}\"", text.escape_ascii())
}

/// Returns the key of a condition. Parentheses and the order of operands do not change the key.
pub(crate) fn of_condition(condition: &Condition) -> String {
    match &condition.kind {
        ConditionKind::True => "true".to_owned(),
        ConditionKind::Logical(operator, operands) => {
            let mut names: Vec<String> = operands.iter().map(of_condition).collect();
            names.sort_unstable();
            let word = match operator {
                LogicalOperator::And => " and ",
                LogicalOperator::Or => " or ",
                LogicalOperator::Xor => " xor ",
            };
            format!("({})", names.join(word))
        }
        ConditionKind::Not(inside) => format!("not {}", of_condition(inside)),
        ConditionKind::Group(inside) => of_condition(inside),
        ConditionKind::Value(operand) => of_operand(operand),
        ConditionKind::Comparison(comparison) => of_comparison(comparison),
        ConditionKind::Invalid => "?".to_owned(),
    }
}

/// Returns the key of a comparison.
pub(crate) fn of_comparison(comparison: &Comparison) -> String {
    let right = match &comparison.right {
        Right::Literal(literal) => of_literal(literal),
        Right::Value(operand) => of_operand(operand),
        Right::Regex(pattern) => of_text(pattern.as_bytes()),
        Right::Wildcard(pattern) => of_text(pattern),
        Right::Texts(items) => of_items(items, |text| of_text(text)),
        Right::Integers(items) => of_items(items, |(first, last)| format!("{first}..{last}")),
        Right::Addresses(items) => of_items(items, |(first, last)| format!("{first}..{last}")),
        Right::List(name) => format!("${name}"),
        Right::Invalid => "?".to_owned(),
    };
    format!("{} {} {right}", of_operand(&comparison.left), comparison.operator.word())
}

fn of_items<T>(items: &[Item<T>], name: impl Fn(&T) -> String) -> String {
    let mut names: Vec<String> = items.iter().map(|item| name(&item.value)).collect();
    names.sort_unstable();
    names.dedup();
    format!("{{{}}}", names.join(" "))
}
