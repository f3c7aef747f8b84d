//! Rewrites deprecated names of fields to current names.
//!
//! Start with [`replace_deprecated_fields`]. Expressions are rewritten before they are compared.

use crate::Assumption;
use zonewright_expression::resolved::{
    Argument, Condition, ConditionKind, Operand, OperandSource, ResolvedExpression, RightOperand,
};
use zonewright_expression::schema::Field;

/// Replaces deprecated names with current names (assumption former-names), except for the fields in `retained`.
pub(crate) fn replace_deprecated_fields(resolved: &mut ResolvedExpression, retained: &[&str]) {
    match resolved {
        ResolvedExpression::Condition(condition) => replace_in_condition(condition, retained),
        ResolvedExpression::Value(operand) => replace_in_operand(operand, retained),
    }
}

fn replace_in_condition(condition: &mut Condition, retained: &[&str]) {
    match &mut condition.kind {
        ConditionKind::Logical(_, operands) => {
            operands.iter_mut().for_each(|operand| replace_in_condition(operand, retained));
        }
        ConditionKind::Not(inner) | ConditionKind::Group(inner) => replace_in_condition(inner, retained),
        ConditionKind::Value(operand) => replace_in_operand(operand, retained),
        ConditionKind::Comparison(comparison) => {
            replace_in_operand(&mut comparison.left, retained);
            if let RightOperand::Value(right) = &mut comparison.right {
                replace_in_operand(right, retained);
            }
        }
        ConditionKind::True | ConditionKind::Invalid => {}
    }
}

fn replace_in_operand(operand: &mut Operand, retained: &[&str]) {
    match &mut operand.source {
        OperandSource::Field(field) if !retained.contains(&field.name) => *field = field.current(),
        OperandSource::Call(call) => {
            for argument in &mut call.arguments {
                match argument {
                    Argument::Value(inner) => replace_in_operand(inner, retained),
                    Argument::Condition(inner) => replace_in_condition(inner, retained),
                    Argument::Literal(..) => {}
                }
            }
        }
        OperandSource::Field(_) | OperandSource::Invalid => {}
    }
}

/// Returns the assumptions about fields that expressions use both under a deprecated name and under another name.
pub(crate) fn alias_assumptions(fields: &[&'static Field]) -> Vec<Assumption> {
    let deprecated = fields.iter().filter(|field| field.current().name != field.name);
    let has_other_name = |field: &'static Field| {
        fields.iter().any(|other| other.name != field.name && other.current().name == field.current().name)
    };
    let aliases = deprecated.filter(|field| has_other_name(field));
    aliases.map(|field| Assumption::Alias { deprecated: field.name, current: field.current().name }).collect()
}
