//! Structural fingerprints: equal parts of an expression have equal fingerprints, regardless of spelling and
//! parentheses.
//!
//! A fingerprint has 128 bits, so different parts do not collide in practice.

use crate::{
    ast::{ComparisonOperator, LogicalOperator},
    resolved::{Argument, Comparison, Condition, ConditionKind, Index, Literal, Operand, OperandSource, RightOperand},
};
use std::hash::{DefaultHasher, Hash, Hasher};
use zonewright_diagnostic::Span;

/// Two hashers with different initial states.
struct Fingerprint(DefaultHasher, DefaultHasher);

impl Fingerprint {
    fn new(kind: &str) -> Self {
        let mut print = Fingerprint(DefaultHasher::new(), DefaultHasher::new());
        print.1.write_u8(1);
        print.add(kind);
        print
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
    let mut print = Fingerprint::new(operator.word());
    print.add(operands);
    print.finish()
}

/// Returns the fingerprint of a negation.
pub(super) fn hash_not(inner: u128) -> u128 {
    let mut print = Fingerprint::new("not");
    print.add(inner);
    print.finish()
}

/// Returns a fingerprint that is unique to a span.
pub(super) fn hash_unique(span: Span) -> u128 {
    let mut print = Fingerprint::new("other");
    print.add(span);
    print.finish()
}

/// Returns the fingerprint of a Boolean value.
pub(super) fn hash_value(value: &Operand) -> u128 {
    let mut print = Fingerprint::new("value");
    print.add(hash_operand(value));
    print.finish()
}

/// Returns the fingerprint of a comparison.
pub(super) fn hash_comparison(comparison: &Comparison) -> u128 {
    let mut print = Fingerprint::new("comparison");
    print.add(hash_operand(&comparison.left));
    print.add(word(comparison.operator));
    match &comparison.right {
        RightOperand::Literal(Literal::Text(text)) => print.add((1, text)),
        RightOperand::Literal(Literal::Integer(integer)) => print.add((2, integer)),
        RightOperand::Literal(Literal::Ip(address)) => print.add((3, address)),
        RightOperand::Value(value) => print.add((4, hash_operand(value))),
        RightOperand::Regex(pattern) => print.add((5, pattern)),
        RightOperand::Wildcard(pattern) => print.add((6, pattern)),
        RightOperand::Texts(items) => items.iter().for_each(|item| print.add((7, &item.value))),
        RightOperand::Integers(items) => items.iter().for_each(|item| print.add((8, item.value))),
        RightOperand::Addresses(items) => items.iter().for_each(|item| print.add((9, item.value))),
        RightOperand::List(name) => print.add((10, name)),
        RightOperand::Invalid => print.add(comparison.right_span),
    }
    print.finish()
}

fn word(operator: ComparisonOperator) -> &'static str {
    operator.word()
}

/// Returns the fingerprint of a field or call with its indexes.
pub(super) fn hash_operand(operand: &Operand) -> u128 {
    let mut print = Fingerprint::new("operand");
    match &operand.source {
        OperandSource::Field(field) => print.add(field.name),
        OperandSource::Call(call) => {
            print.add((call.function.name, call.arguments.len()));
            for each in &call.arguments {
                print.add(argument(each));
            }
        }
        OperandSource::Invalid => print.add(operand.span),
    }
    for index in &operand.indexes {
        match index {
            Index::Element(position) => print.add((1, position)),
            Index::Key(key) => print.add((2, key)),
            Index::Each => print.add(3),
        }
    }
    print.finish()
}

fn argument(argument: &Argument) -> u128 {
    let mut print = Fingerprint::new("argument");
    match argument {
        Argument::Literal(Literal::Text(text), _) => print.add((1, text)),
        Argument::Literal(Literal::Integer(integer), _) => print.add((2, integer)),
        Argument::Literal(Literal::Ip(address), _) => print.add((3, address)),
        Argument::Value(value) => print.add((4, hash_operand(value))),
        Argument::Condition(inner) => print.add((5, hash_condition(inner))),
    }
    print.finish()
}

/// Returns the fingerprint of a condition, like `Linter::condition` does.
fn hash_condition(condition: &Condition) -> u128 {
    match &condition.kind {
        ConditionKind::Logical(operator, operands) => {
            let prints: Vec<u128> = operands.iter().map(hash_condition).collect();
            hash_chain(*operator, &prints)
        }
        ConditionKind::Not(inner) => hash_not(hash_condition(inner)),
        ConditionKind::Group(inner) => hash_condition(inner),
        ConditionKind::Comparison(inner) => hash_comparison(inner),
        ConditionKind::Value(operand) => hash_value(operand),
        ConditionKind::True | ConditionKind::Invalid => hash_unique(condition.span),
    }
}
