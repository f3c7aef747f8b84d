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

/// The initial capacity of the buffer, which suffices for most parts.
const INITIAL_BYTES: usize = 96;

/// Collects the bytes of a part, and computes their fingerprint with two hashers that have different initial states.
/// One write of all bytes takes much less time than one for each value.
struct FingerprintHasher(Vec<u8>);

impl Hasher for FingerprintHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Returns the first 64 bits of the fingerprint.
    fn finish(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        hasher.write(&self.0);
        hasher.finish()
    }
}

impl FingerprintHasher {
    fn new(kind: &str) -> Self {
        let mut hasher = FingerprintHasher(Vec::with_capacity(INITIAL_BYTES));
        hasher.add(kind);
        hasher
    }

    fn add(&mut self, part: impl Hash) {
        part.hash(self);
    }

    fn fingerprint(self) -> u128 {
        let mut second = DefaultHasher::new();
        second.write_u8(1);
        second.write(&self.0);
        u128::from(self.finish()) << 64 | u128::from(second.finish())
    }

    fn add_comparison(&mut self, comparison: &Comparison) {
        self.add_operand(&comparison.left);
        self.add(comparison.operator.word());
        match &comparison.right {
            RightOperand::Literal(literal) => self.add_literal(literal),
            RightOperand::Value(value) => {
                self.add(4);
                self.add_operand(value);
            }
            RightOperand::Regex(pattern) => self.add((5, pattern)),
            RightOperand::Wildcard(pattern) => self.add((6, pattern)),
            RightOperand::Texts(items) => items.iter().for_each(|item| self.add((7, &item.value))),
            RightOperand::Integers(items) => items.iter().for_each(|item| self.add((8, item.value))),
            RightOperand::Addresses(items) => items.iter().for_each(|item| self.add((9, item.value))),
            RightOperand::List(name) => self.add((10, name)),
            RightOperand::Invalid => self.add(comparison.right_span),
        }
    }

    fn add_operand(&mut self, operand: &Operand) {
        match &operand.source {
            OperandSource::Field(field) => self.add((1, field.name)),
            OperandSource::Call(call) => {
                self.add((2, call.function.name, call.arguments.len()));
                call.arguments.iter().for_each(|argument| self.add_argument(argument));
            }
            OperandSource::Invalid => self.add((3, operand.span)),
        }
        self.add(operand.indexes.len());
        for index in &operand.indexes {
            match index {
                Index::Element(position) => self.add((1, position)),
                Index::Key(key) => self.add((2, key)),
                Index::Each => self.add(3),
            }
        }
    }

    fn add_argument(&mut self, argument: &Argument) {
        match argument {
            Argument::Literal(literal, _) => self.add_literal(literal),
            Argument::Value(value) => {
                self.add(4);
                self.add_operand(value);
            }
            Argument::Condition(inner) => self.add((5, hash_condition(inner))),
        }
    }

    fn add_literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Text(text) => self.add((1, text)),
            Literal::Integer(integer) => self.add((2, integer)),
            Literal::Ip(address) => self.add((3, address)),
        }
    }
}

/// Returns the fingerprint of a chain from those of its operands.
pub(super) fn hash_chain(operator: LogicalOperator, operands: &[u128]) -> u128 {
    let mut hasher = FingerprintHasher::new(operator.word());
    hasher.add(operands);
    hasher.fingerprint()
}

/// Returns the fingerprint of a negation.
pub(super) fn hash_not(inner: u128) -> u128 {
    let mut hasher = FingerprintHasher::new("not");
    hasher.add(inner);
    hasher.fingerprint()
}

/// Returns a fingerprint that is unique to a span.
pub(super) fn hash_span(span: Span) -> u128 {
    let mut hasher = FingerprintHasher::new("other");
    hasher.add(span);
    hasher.fingerprint()
}

/// Returns the fingerprint of a Boolean value.
pub(super) fn hash_boolean_value(value: &Operand) -> u128 {
    let mut hasher = FingerprintHasher::new("value");
    hasher.add_operand(value);
    hasher.fingerprint()
}

/// Returns the fingerprint of a comparison.
pub(super) fn hash_comparison(comparison: &Comparison) -> u128 {
    let mut hasher = FingerprintHasher::new("comparison");
    hasher.add_comparison(comparison);
    hasher.fingerprint()
}

/// Returns the fingerprint of a field or call with its indexes.
pub(super) fn hash_operand(operand: &Operand) -> u128 {
    let mut hasher = FingerprintHasher::new("operand");
    hasher.add_operand(operand);
    hasher.fingerprint()
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
        ConditionKind::Value(operand) => hash_boolean_value(operand),
        ConditionKind::True | ConditionKind::Invalid => hash_span(condition.span),
    }
}
