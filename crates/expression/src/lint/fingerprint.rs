//! Structural fingerprints: equal parts of an expression have equal fingerprints, regardless of spelling and
//! parentheses.
//!
//! A fingerprint has 128 bits, so different parts do not collide in practice.

use crate::{
    ast::LogicalOperator,
    resolved::{Argument, Comparison, Condition, ConditionKind, Index, Literal, Operand, OperandSource, RightOperand},
};
use std::hash::{DefaultHasher, Hash, Hasher};
use zonewright_diagnostic::Span;

/// Computes a fingerprint with two hashers that have different initial states.
struct FingerprintHasher(DefaultHasher, DefaultHasher);

impl FingerprintHasher {
    fn new(kind: &str) -> Self {
        let mut hasher = FingerprintHasher(DefaultHasher::new(), DefaultHasher::new());
        hasher.1.write_u8(1);
        hasher.add(kind);
        hasher
    }

    fn add(&mut self, part: impl Hash) {
        part.hash(&mut self.0);
        part.hash(&mut self.1);
    }

    fn finish(self) -> u128 {
        u128::from(self.0.finish()) << 64 | u128::from(self.1.finish())
    }
}

/// Returns the fingerprint of a chain from those of its operands.
pub(super) fn hash_chain(operator: LogicalOperator, operands: &[u128]) -> u128 {
    let mut hasher = FingerprintHasher::new(operator.word());
    hasher.add(operands);
    hasher.finish()
}

/// Returns the fingerprint of a negation.
pub(super) fn hash_not(inner: u128) -> u128 {
    let mut hasher = FingerprintHasher::new("not");
    hasher.add(inner);
    hasher.finish()
}

/// Returns a fingerprint that is unique to a span.
pub(super) fn hash_unique(span: Span) -> u128 {
    let mut hasher = FingerprintHasher::new("other");
    hasher.add(span);
    hasher.finish()
}

/// Returns the fingerprint of a Boolean value.
pub(super) fn hash_value(value: &Operand) -> u128 {
    let mut hasher = FingerprintHasher::new("value");
    hasher.add(hash_operand(value));
    hasher.finish()
}

/// Returns the fingerprint of a comparison.
pub(super) fn hash_comparison(comparison: &Comparison) -> u128 {
    let mut hasher = FingerprintHasher::new("comparison");
    hasher.add(hash_operand(&comparison.left));
    hasher.add(comparison.operator.word());
    match &comparison.right {
        RightOperand::Literal(Literal::Text(text)) => hasher.add((1, text)),
        RightOperand::Literal(Literal::Integer(integer)) => hasher.add((2, integer)),
        RightOperand::Literal(Literal::Ip(address)) => hasher.add((3, address)),
        RightOperand::Value(value) => hasher.add((4, hash_operand(value))),
        RightOperand::Regex(pattern) => hasher.add((5, pattern)),
        RightOperand::Wildcard(pattern) => hasher.add((6, pattern)),
        RightOperand::Texts(items) => items.iter().for_each(|item| hasher.add((7, &item.value))),
        RightOperand::Integers(items) => items.iter().for_each(|item| hasher.add((8, item.value))),
        RightOperand::Addresses(items) => items.iter().for_each(|item| hasher.add((9, item.value))),
        RightOperand::List(name) => hasher.add((10, name)),
        RightOperand::Invalid => hasher.add(comparison.right_span),
    }
    hasher.finish()
}

/// Returns the fingerprint of a field or call with its indexes.
pub(super) fn hash_operand(operand: &Operand) -> u128 {
    let mut hasher = FingerprintHasher::new("operand");
    match &operand.source {
        OperandSource::Field(field) => hasher.add(field.name),
        OperandSource::Call(call) => {
            hasher.add((call.function.name, call.arguments.len()));
            for argument in &call.arguments {
                hasher.add(hash_argument(argument));
            }
        }
        OperandSource::Invalid => hasher.add(operand.span),
    }
    for index in &operand.indexes {
        match index {
            Index::Element(position) => hasher.add((1, position)),
            Index::Key(key) => hasher.add((2, key)),
            Index::Each => hasher.add(3),
        }
    }
    hasher.finish()
}

fn hash_argument(argument: &Argument) -> u128 {
    let mut hasher = FingerprintHasher::new("argument");
    match argument {
        Argument::Literal(Literal::Text(text), _) => hasher.add((1, text)),
        Argument::Literal(Literal::Integer(integer), _) => hasher.add((2, integer)),
        Argument::Literal(Literal::Ip(address), _) => hasher.add((3, address)),
        Argument::Value(value) => hasher.add((4, hash_operand(value))),
        Argument::Condition(inner) => hasher.add((5, hash_condition(inner))),
    }
    hasher.finish()
}

/// Returns the fingerprint of a condition, as `Linter::lint_condition` does.
fn hash_condition(condition: &Condition) -> u128 {
    match &condition.kind {
        ConditionKind::Logical(operator, operands) => {
            let fingerprints: Vec<u128> = operands.iter().map(hash_condition).collect();
            hash_chain(*operator, &fingerprints)
        }
        ConditionKind::Not(inner) => hash_not(hash_condition(inner)),
        ConditionKind::Group(inner) => hash_condition(inner),
        ConditionKind::Comparison(inner) => hash_comparison(inner),
        ConditionKind::Value(operand) => hash_value(operand),
        ConditionKind::True | ConditionKind::Invalid => hash_unique(condition.span),
    }
}
