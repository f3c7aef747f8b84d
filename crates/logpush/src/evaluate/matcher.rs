//! Tests whether the value of a field matches a condition.

use crate::{
    datasets::FieldType,
    line::{Element, FieldValue, elements},
    number::Number,
    operator::Operator,
    predicate::{Comparison, Operand},
    time::to_unix_nanos,
};
use memchr::memmem::Finder;
use std::{
    borrow::Cow,
    cmp::Ordering::{self, Equal, Greater, Less},
};

/// The compiled form of one condition.
#[derive(Debug)]
pub(crate) struct Matcher {
    comparator: Comparator,
    is_negated: bool,
}

/// A comparison without the negation of its operator.
#[derive(Debug)]
enum Comparator {
    /// Equality with a string.
    Text(String),
    StartsWith(String),
    EndsWith(String),
    Contains(Box<Finder<'static>>),
    /// Membership in a sorted list of strings.
    TextIn(Vec<String>),
    /// Equality with a Boolean.
    Bool(bool),
    /// The order of the value and a number.
    Number(OrderingSet, Number),
    /// Membership in a sorted list of numbers.
    NumberIn(Vec<Number>),
    /// The order of the value and a Unix time in nanoseconds.
    Timestamp(OrderingSet, i128),
    /// Membership in a sorted list of Unix times in nanoseconds.
    TimestampIn(Vec<i128>),
    /// An array that contains a string.
    HasString(String),
    /// An array that contains a number.
    HasNumber(Number),
    /// A combination that the checker rejects.
    Never,
}

/// The orderings that match.
#[derive(Clone, Copy, Debug)]
struct OrderingSet {
    less: bool,
    equal: bool,
    greater: bool,
}

impl OrderingSet {
    fn from_operator(operator: Operator) -> OrderingSet {
        let (less, equal, greater) = match operator.without_negation() {
            Operator::Less => (true, false, false),
            Operator::LessOrEqual => (true, true, false),
            Operator::Greater => (false, false, true),
            Operator::GreaterOrEqual => (false, true, true),
            _ => (false, true, false),
        };
        OrderingSet { less, equal, greater }
    }

    fn contains(self, order: Option<Ordering>) -> bool {
        match order {
            Some(Less) => self.less,
            Some(Equal) => self.equal,
            Some(Greater) => self.greater,
            None => false,
        }
    }
}

impl Matcher {
    pub(super) fn new(comparison: &Comparison) -> Matcher {
        Matcher { comparator: compile_comparator(comparison), is_negated: comparison.operator.is_negated() }
    }

    /// Returns whether the value matches. A missing value is the zero value of its type.
    pub(super) fn holds(&self, found: FieldValue<'_>) -> bool {
        self.comparator.holds(found) != self.is_negated
    }
}

fn compile_comparator(comparison: &Comparison) -> Comparator {
    let operator = comparison.operator.without_negation();
    let order = OrderingSet::from_operator(operator);
    match (comparison.field.ty, &comparison.operand) {
        (FieldType::Strings, Operand::String(text)) => Comparator::HasString(text.clone()),
        (FieldType::Ints, Operand::Number(number)) => Comparator::HasNumber(*number),
        (FieldType::Timestamp, Operand::Number(number)) => Comparator::Timestamp(order, to_unix_nanos(*number)),
        (FieldType::Timestamp, Operand::Items(items)) => {
            let mut timestamps: Vec<_> = number_items(items).map(to_unix_nanos).collect();
            timestamps.sort_unstable();
            Comparator::TimestampIn(timestamps)
        }
        (FieldType::String, Operand::Items(items)) => {
            let mut texts: Vec<_> = items.iter().filter_map(as_string).map(str::to_owned).collect();
            texts.sort_unstable();
            Comparator::TextIn(texts)
        }
        (_, Operand::Items(items)) => {
            let mut numbers: Vec<_> = number_items(items).collect();
            numbers.sort_by(compare);
            Comparator::NumberIn(numbers)
        }
        (_, Operand::Number(number)) => Comparator::Number(order, *number),
        (_, Operand::Bool(flag)) => Comparator::Bool(*flag),
        (FieldType::String, Operand::String(text)) => match operator {
            Operator::StartsWith => Comparator::StartsWith(text.clone()),
            Operator::EndsWith => Comparator::EndsWith(text.clone()),
            Operator::Contains => Comparator::Contains(Box::new(Finder::new(text).into_owned())),
            _ => Comparator::Text(text.clone()),
        },
        _ => Comparator::Never,
    }
}

fn as_string(operand: &Operand) -> Option<&str> {
    match operand {
        Operand::String(text) => Some(text),
        _ => None,
    }
}

fn number_items(items: &[Operand]) -> impl Iterator<Item = Number> {
    items.iter().filter_map(|item| match item {
        Operand::Number(number) => Some(*number),
        _ => None,
    })
}

/// Compares numbers, which are never NaN.
fn compare(a: &Number, b: &Number) -> Ordering {
    a.partial_cmp(b).unwrap_or(Equal)
}

impl Comparator {
    fn holds(&self, found: FieldValue<'_>) -> bool {
        match self {
            Comparator::Text(expected) => string_or_empty(found) == expected.as_str(),
            Comparator::StartsWith(start) => string_or_empty(found).starts_with(start.as_str()),
            Comparator::EndsWith(end) => string_or_empty(found).ends_with(end.as_str()),
            Comparator::Contains(part) => part.find(string_or_empty(found).as_bytes()).is_some(),
            Comparator::TextIn(texts) => {
                let text = string_or_empty(found);
                texts.binary_search_by(|item| item.as_str().cmp(&text)).is_ok()
            }
            Comparator::Bool(flag) => matches!(found, FieldValue::Bool(true)) == *flag,
            Comparator::Number(order, number) => order.contains(number_or_zero(found).partial_cmp(number)),
            Comparator::NumberIn(numbers) => {
                let number = number_or_zero(found);
                numbers.binary_search_by(|item| compare(item, &number)).is_ok()
            }
            Comparator::Timestamp(order, timestamp) => order.contains(Some(timestamp_or_zero(found).cmp(timestamp))),
            Comparator::TimestampIn(timestamps) => timestamps.binary_search(&timestamp_or_zero(found)).is_ok(),
            Comparator::HasString(expected) => any_element(found, FieldType::Strings, |element| match element {
                Element::Text(text) => text.decode() == expected.as_str(),
                Element::Number(_) => false,
            }),
            Comparator::HasNumber(expected) => any_element(found, FieldType::Ints, |element| match element {
                Element::Number(number) => number == *expected,
                Element::Text(_) => false,
            }),
            Comparator::Never => false,
        }
    }
}

fn string_or_empty(found: FieldValue<'_>) -> Cow<'_, str> {
    match found {
        FieldValue::Text(text) => text.decode(),
        _ => Cow::Borrowed(""),
    }
}

fn number_or_zero(found: FieldValue<'_>) -> Number {
    match found {
        FieldValue::Number(number) => number,
        _ => Number::Integer(0),
    }
}

fn timestamp_or_zero(found: FieldValue<'_>) -> i128 {
    match found {
        FieldValue::Timestamp(timestamp) => timestamp,
        _ => 0,
    }
}

fn any_element(found: FieldValue<'_>, ty: FieldType, matches: impl FnMut(Element<'_>) -> bool) -> bool {
    match found {
        FieldValue::Array(array) => elements(ty, array).any(matches),
        _ => false,
    }
}
