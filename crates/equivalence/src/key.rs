//! Builds canonical keys of values and conditions.
//!
//! Equal keys mean equal results for every request. A key contains the field names of the resolved tree, so
//! [`crate::deprecated_names`] replaces deprecated names first.

use std::fmt::Write;
use zonewright_expression::ast::LogicalOperator;
use zonewright_expression::resolved::{
    Argument, Comparison, Condition, ConditionKind, Index, Literal, Operand, OperandSource, RightOperand, SetItem,
};

/// Returns the key of a value.
pub(crate) fn operand_key(operand: &Operand) -> String {
    let mut key = match &operand.source {
        OperandSource::Field(field) => field.name.to_owned(),
        OperandSource::Call(call) => {
            let arguments: Vec<String> = call.arguments.iter().map(argument_key).collect();
            format!("{}({})", call.function.name, arguments.join(", "))
        }
        OperandSource::Invalid => "?".to_owned(),
    };
    for index in &operand.indexes {
        push_index_key(&mut key, index);
    }
    key
}

fn push_index_key(key: &mut String, index: &Index) {
    // Writing to a string cannot fail.
    let _ = match index {
        Index::Element(position) => write!(key, "[{position}]"),
        Index::Key(name) => write!(key, "[{name:?}]"),
        Index::Each => write!(key, "[*]"),
    };
}

fn argument_key(argument: &Argument) -> String {
    match argument {
        Argument::Literal(literal, _) => literal_key(literal),
        Argument::Value(operand) => operand_key(operand),
        Argument::Condition(condition) => condition_key(condition),
    }
}

fn literal_key(literal: &Literal) -> String {
    match literal {
        Literal::Text(text) => text_key(text),
        Literal::Integer(value) => value.to_string(),
        Literal::Ip(address) => address.to_string(),
    }
}

fn text_key(text: &[u8]) -> String {
    format!("\"{}\"", text.escape_ascii())
}

/// Returns the key of a condition. Parentheses and the order of operands do not change the key.
pub(crate) fn condition_key(condition: &Condition) -> String {
    match &condition.kind {
        ConditionKind::True => "true".to_owned(),
        ConditionKind::Logical(operator, operands) => {
            let mut keys: Vec<String> = operands.iter().map(condition_key).collect();
            keys.sort_unstable();
            let separator = match operator {
                LogicalOperator::And => " and ",
                LogicalOperator::Or => " or ",
                LogicalOperator::Xor => " xor ",
            };
            format!("({})", keys.join(separator))
        }
        ConditionKind::Not(inner) => format!("not {}", condition_key(inner)),
        ConditionKind::Group(inner) => condition_key(inner),
        ConditionKind::Value(operand) => operand_key(operand),
        ConditionKind::Comparison(comparison) => comparison_key(comparison),
        ConditionKind::Invalid => "?".to_owned(),
    }
}

/// Returns the key of a comparison.
pub(crate) fn comparison_key(comparison: &Comparison) -> String {
    let right = match &comparison.right {
        RightOperand::Literal(literal) => literal_key(literal),
        RightOperand::Value(operand) => operand_key(operand),
        RightOperand::Regex(pattern) => text_key(pattern.as_bytes()),
        RightOperand::Wildcard(pattern) => text_key(pattern),
        RightOperand::Texts(items) => items_key(items, |text| text_key(text)),
        RightOperand::Integers(items) => items_key(items, |(first, last)| format!("{first}..{last}")),
        RightOperand::Addresses(items) => items_key(items, |(first, last)| format!("{first}..{last}")),
        RightOperand::List(name) => format!("${name}"),
        RightOperand::Invalid => "?".to_owned(),
    };
    format!("{} {} {right}", operand_key(&comparison.left), comparison.operator.word())
}

fn items_key<T>(items: &[SetItem<T>], item_key: impl Fn(&T) -> String) -> String {
    let mut keys: Vec<String> = items.iter().map(|item| item_key(&item.value)).collect();
    keys.sort_unstable();
    keys.dedup();
    format!("{{{}}}", keys.join(" "))
}
