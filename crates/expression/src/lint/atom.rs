//! Atoms: tests of one value against literals.

use crate::{
    ast::ComparisonOperator as Op,
    resolved::{
        Argument, Comparison, Condition, ConditionKind, Literal, Operand, OperandSource, RightOperand, SetItem,
    },
    schema::FunctionId,
};
use std::net::IpAddr;
use zonewright_diagnostic::Span;

/// A test of one value, as an operand of a chain.
pub(super) struct Atom<'a> {
    pub(super) subject: &'a Operand,
    pub(super) test: Test<'a>,
    /// Whether the test is under an odd number of `not`. If so, it is true for a missing value.
    pub(super) negated: bool,
    /// Whether the operator is `ne`. If so, it is true for values that fail the test, and false for a missing value.
    pub(super) is_not_equal: bool,
}

/// The test of an atom.
pub(super) enum Test<'a> {
    /// Equality with one of these texts, each with its span.
    Texts(Vec<(&'a [u8], Span)>),
    /// Membership in one of these inclusive ranges.
    Integers(Vec<(i64, i64)>),
    /// Membership in one of these inclusive ranges of addresses.
    Addresses(Vec<(IpAddr, IpAddr)>),
    /// `contains` with this text.
    Contains(&'a [u8], Span),
    /// `starts_with` with this text.
    Prefix(&'a [u8], Span),
    /// `ends_with` with this text.
    Suffix(&'a [u8], Span),
}

impl Test<'_> {
    /// Returns whether the test is membership in an empty set.
    pub(super) fn is_empty(&self) -> bool {
        self.size() == Some(0)
    }

    /// Returns the number of values or ranges; `None` for a substring test.
    pub(super) fn size(&self) -> Option<usize> {
        match self {
            Test::Texts(texts) => Some(texts.len()),
            Test::Integers(ranges) => Some(ranges.len()),
            Test::Addresses(ranges) => Some(ranges.len()),
            Test::Contains(..) | Test::Prefix(..) | Test::Suffix(..) => None,
        }
    }
}

impl<'a> Atom<'a> {
    /// Returns the atom of a condition, ignoring parentheses and counting `not`.
    pub(super) fn from_condition(condition: &'a Condition) -> Option<Self> {
        let mut condition = condition;
        let mut negated = false;
        loop {
            match &condition.kind {
                ConditionKind::Group(inner) => condition = inner,
                ConditionKind::Not(inner) => {
                    negated = !negated;
                    condition = inner;
                }
                ConditionKind::Comparison(comparison) => {
                    let atom = Atom::from_comparison(comparison)?;
                    return Some(Atom { negated, ..atom });
                }
                ConditionKind::Value(value) => {
                    let (subject, test) = affix_call(value)?;
                    return Some(Atom { subject, test, negated, is_not_equal: false });
                }
                _ => return None,
            }
        }
    }

    /// Returns the atom of a comparison.
    pub(super) fn from_comparison(comparison: &'a Comparison) -> Option<Self> {
        let span = comparison.right_span;
        let is_not_equal = comparison.operator == Op::NotEqual;
        let test = match (&comparison.right, comparison.operator) {
            (RightOperand::Literal(Literal::Text(text)), Op::Equal | Op::NotEqual) => Test::Texts(vec![(text, span)]),
            (RightOperand::Literal(Literal::Text(text)), Op::Contains) => Test::Contains(text, span),
            (RightOperand::Literal(Literal::Integer(integer)), operator) => {
                Test::Integers(integer_ranges(operator, *integer)?)
            }
            (RightOperand::Literal(Literal::Ip(address)), Op::Equal | Op::NotEqual) => {
                Test::Addresses(vec![(*address, *address)])
            }
            (RightOperand::Texts(items), _) => {
                Test::Texts(items.iter().map(|item| (item.value.as_slice(), item.span)).collect())
            }
            (RightOperand::Integers(items), _) => Test::Integers(item_values(items)),
            (RightOperand::Addresses(items), _) => Test::Addresses(item_values(items)),
            _ => return None,
        };
        Some(Atom { subject: &comparison.left, test, negated: false, is_not_equal })
    }

    /// Returns whether, for a present value, the atom is true exactly if the value passes the test.
    pub(super) fn is_positive(&self) -> bool {
        self.negated == self.is_not_equal
    }
}

fn item_values<T: Copy>(items: &[SetItem<T>]) -> Vec<T> {
    items.iter().map(|item| item.value).collect()
}

/// Returns the operand and the test of `starts_with` or `ends_with` with a literal.
pub(super) fn affix_call(value: &Operand) -> Option<(&Operand, Test<'_>)> {
    let OperandSource::Call(call) = &value.source else { return None };
    let [Argument::Value(subject), Argument::Literal(Literal::Text(text), span)] = call.arguments.as_slice() else {
        return None;
    };
    match call.function.id {
        FunctionId::StartsWith => Some((subject, Test::Prefix(text, *span))),
        FunctionId::EndsWith => Some((subject, Test::Suffix(text, *span))),
        _ => None,
    }
}

/// Returns the integers that satisfy a comparison; for `ne`, the integers that do not.
fn integer_ranges(operator: Op, integer: i64) -> Option<Vec<(i64, i64)>> {
    let below = |end: Option<i64>| end.map(|end| (i64::MIN, end)).into_iter().collect();
    let above = |start: Option<i64>| start.map(|start| (start, i64::MAX)).into_iter().collect();
    Some(match operator {
        Op::Equal | Op::NotEqual => vec![(integer, integer)],
        Op::Less => below(integer.checked_sub(1)),
        Op::LessOrEqual => below(Some(integer)),
        Op::Greater => above(integer.checked_add(1)),
        Op::GreaterOrEqual => above(Some(integer)),
        _ => return None,
    })
}
