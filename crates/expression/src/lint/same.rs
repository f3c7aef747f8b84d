//! Structural fingerprints: equal parts of an expression have equal fingerprints, regardless of spelling and
//! parentheses.
//!
//! A fingerprint has 128 bits, so different parts do not collide in practice.

use crate::{
    ast::{ComparisonOperator, LogicalOperator},
    resolved::{Argument, Comparison, Condition, ConditionKind, Index, Literal, Operand, Right, Source},
};
use std::hash::{DefaultHasher, Hash, Hasher};
use zonewright_diagnostic::Span;

/// Two hashers with different initial states.
struct Print(DefaultHasher, DefaultHasher);

impl Print {
    fn new(what: &str) -> Self {
        let mut print = Print(DefaultHasher::new(), DefaultHasher::new());
        print.1.write_u8(1);
        print.add(what);
        print
    }

    fn add(&mut self, part: impl Hash) {
        part.hash(&mut self.0);
        part.hash(&mut self.1);
    }

    fn done(self) -> u128 {
        u128::from(self.0.finish()) << 64 | u128::from(self.1.finish())
    }
}

/// Returns the fingerprint of a chain from those of its operands.
pub(super) fn chain(operator: LogicalOperator, operands: &[u128]) -> u128 {
    let mut print = Print::new(operator.word());
    print.add(operands);
    print.done()
}

/// Returns the fingerprint of a negation.
pub(super) fn not(inside: u128) -> u128 {
    let mut print = Print::new("not");
    print.add(inside);
    print.done()
}

/// Returns a fingerprint that is unique to a span.
pub(super) fn other(span: Span) -> u128 {
    let mut print = Print::new("other");
    print.add(span);
    print.done()
}

/// Returns the fingerprint of a Boolean value.
pub(super) fn value(value: &Operand) -> u128 {
    let mut print = Print::new("value");
    print.add(operand(value));
    print.done()
}

/// Returns the fingerprint of a comparison.
pub(super) fn comparison(comparison: &Comparison) -> u128 {
    let mut print = Print::new("comparison");
    print.add(operand(&comparison.left));
    print.add(word(comparison.operator));
    match &comparison.right {
        Right::Literal(Literal::Text(text)) => print.add((1, text)),
        Right::Literal(Literal::Integer(integer)) => print.add((2, integer)),
        Right::Literal(Literal::Ip(address)) => print.add((3, address)),
        Right::Value(value) => print.add((4, operand(value))),
        Right::Regex(pattern) => print.add((5, pattern)),
        Right::Wildcard(pattern) => print.add((6, pattern)),
        Right::Texts(items) => items.iter().for_each(|item| print.add((7, &item.value))),
        Right::Integers(items) => items.iter().for_each(|item| print.add((8, item.value))),
        Right::Addresses(items) => items.iter().for_each(|item| print.add((9, item.value))),
        Right::List(name) => print.add((10, name)),
        Right::Invalid => print.add(comparison.right_span),
    }
    print.done()
}

fn word(operator: ComparisonOperator) -> &'static str {
    operator.word()
}

/// Returns the fingerprint of a field or call with its indexes.
pub(super) fn operand(operand: &Operand) -> u128 {
    let mut print = Print::new("operand");
    match &operand.source {
        Source::Field(field) => print.add(field.name),
        Source::Call(call) => {
            print.add((call.function.name, call.arguments.len()));
            for each in &call.arguments {
                print.add(argument(each));
            }
        }
        Source::Invalid => print.add(operand.span),
    }
    for index in &operand.indexes {
        match index {
            Index::Element(position) => print.add((1, position)),
            Index::Key(key) => print.add((2, key)),
            Index::Each => print.add(3),
        }
    }
    print.done()
}

fn argument(argument: &Argument) -> u128 {
    let mut print = Print::new("argument");
    match argument {
        Argument::Literal(Literal::Text(text), _) => print.add((1, text)),
        Argument::Literal(Literal::Integer(integer), _) => print.add((2, integer)),
        Argument::Literal(Literal::Ip(address), _) => print.add((3, address)),
        Argument::Value(value) => print.add((4, operand(value))),
        Argument::Condition(inside) => print.add((5, condition(inside))),
    }
    print.done()
}

/// Returns the fingerprint of a condition, like `Linter::condition` does.
fn condition(whole: &Condition) -> u128 {
    match &whole.kind {
        ConditionKind::Logical(operator, operands) => {
            let prints: Vec<u128> = operands.iter().map(condition).collect();
            chain(*operator, &prints)
        }
        ConditionKind::Not(inside) => not(condition(inside)),
        ConditionKind::Group(inside) => condition(inside),
        ConditionKind::Comparison(inside) => comparison(inside),
        ConditionKind::Value(operand) => value(operand),
        ConditionKind::True | ConditionKind::Invalid => other(whole.span),
    }
}
