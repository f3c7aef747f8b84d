//! Matches one value.

use crate::{
    datasets::FieldType,
    line::{Element, Found, elements},
    number::Number,
    operator::Operator,
    predicate::{Comparison, Operand},
    time::moment,
};
use memchr::memmem::Finder;
use std::{
    borrow::Cow,
    cmp::Ordering::{self, Equal, Greater, Less},
};

/// The test that a condition applies to the value of its field.
#[derive(Debug)]
pub(crate) struct Matcher {
    question: Question,
    negated: bool,
}

#[derive(Debug)]
enum Question {
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
    Number(Order, Number),
    /// Membership in a sorted list of numbers.
    NumberIn(Vec<Number>),
    /// The order of the value and a Unix time in nanoseconds.
    Moment(Order, i128),
    /// Membership in a sorted list of Unix times in nanoseconds.
    MomentIn(Vec<i128>),
    /// An array that contains a string.
    HasText(String),
    /// An array that contains a number.
    HasNumber(Number),
    /// A combination that the checker rejects.
    Never,
}

/// The orderings that match.
#[derive(Clone, Copy, Debug)]
struct Order {
    less: bool,
    equal: bool,
    greater: bool,
}

impl Order {
    fn of(operator: Operator) -> Order {
        let (less, equal, greater) = match operator.positive() {
            Operator::Less => (true, false, false),
            Operator::LessOrEqual => (true, true, false),
            Operator::Greater => (false, false, true),
            Operator::GreaterOrEqual => (false, true, true),
            _ => (false, true, false),
        };
        Order { less, equal, greater }
    }

    fn takes(self, order: Option<Ordering>) -> bool {
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
        Matcher { question: question(comparison), negated: comparison.operator.is_negated() }
    }

    /// Returns whether the value matches. A missing value is the zero value of its type.
    pub(super) fn holds(&self, found: Found<'_>) -> bool {
        self.question.holds(found) != self.negated
    }
}

fn question(comparison: &Comparison) -> Question {
    let operator = comparison.operator.positive();
    let order = Order::of(operator);
    match (comparison.field.ty, &comparison.operand) {
        (FieldType::Strings, Operand::Text(text)) => Question::HasText(text.clone()),
        (FieldType::Ints, Operand::Number(number)) => Question::HasNumber(*number),
        (FieldType::Timestamp, Operand::Number(number)) => Question::Moment(order, moment(*number)),
        (FieldType::Timestamp, Operand::Items(items)) => {
            let mut moments: Vec<_> = numbers(items).map(moment).collect();
            moments.sort_unstable();
            Question::MomentIn(moments)
        }
        (FieldType::String, Operand::Items(items)) => {
            let mut texts: Vec<_> = items.iter().filter_map(text).map(str::to_owned).collect();
            texts.sort_unstable();
            Question::TextIn(texts)
        }
        (_, Operand::Items(items)) => {
            let mut numbers: Vec<_> = numbers(items).collect();
            numbers.sort_by(compare);
            Question::NumberIn(numbers)
        }
        (_, Operand::Number(number)) => Question::Number(order, *number),
        (_, Operand::Bool(flag)) => Question::Bool(*flag),
        (FieldType::String, Operand::Text(text)) => match operator {
            Operator::StartsWith => Question::StartsWith(text.clone()),
            Operator::EndsWith => Question::EndsWith(text.clone()),
            Operator::Contains => Question::Contains(Box::new(Finder::new(text).into_owned())),
            _ => Question::Text(text.clone()),
        },
        _ => Question::Never,
    }
}

fn text(operand: &Operand) -> Option<&str> {
    match operand {
        Operand::Text(text) => Some(text),
        _ => None,
    }
}

fn numbers(items: &[Operand]) -> impl Iterator<Item = Number> {
    items.iter().filter_map(|item| match item {
        Operand::Number(number) => Some(*number),
        _ => None,
    })
}

/// Compares numbers, which are never NaN.
fn compare(a: &Number, b: &Number) -> Ordering {
    a.partial_cmp(b).unwrap_or(Equal)
}

impl Question {
    fn holds(&self, found: Found<'_>) -> bool {
        match self {
            Question::Text(projection) => text_of(found) == projection.as_str(),
            Question::StartsWith(start) => text_of(found).starts_with(start.as_str()),
            Question::EndsWith(end) => text_of(found).ends_with(end.as_str()),
            Question::Contains(part) => part.find(text_of(found).as_bytes()).is_some(),
            Question::TextIn(texts) => {
                let text = text_of(found);
                texts.binary_search_by(|one| one.as_str().cmp(&text)).is_ok()
            }
            Question::Bool(flag) => matches!(found, Found::Bool(true)) == *flag,
            Question::Number(order, number) => order.takes(number_of(found).partial_cmp(number)),
            Question::NumberIn(numbers) => {
                let number = number_of(found);
                numbers.binary_search_by(|one| compare(one, &number)).is_ok()
            }
            Question::Moment(order, moment) => order.takes(Some(moment_of(found).cmp(moment))),
            Question::MomentIn(moments) => moments.binary_search(&moment_of(found)).is_ok(),
            Question::HasText(projection) => has(found, FieldType::Strings, |element| match element {
                Element::Text(text) => text.read() == projection.as_str(),
                Element::Number(_) => false,
            }),
            Question::HasNumber(projection) => has(found, FieldType::Ints, |element| match element {
                Element::Number(number) => number == *projection,
                Element::Text(_) => false,
            }),
            Question::Never => false,
        }
    }
}

fn text_of(found: Found<'_>) -> Cow<'_, str> {
    match found {
        Found::Text(text) => text.read(),
        _ => Cow::Borrowed(""),
    }
}

fn number_of(found: Found<'_>) -> Number {
    match found {
        Found::Number(number) => number,
        _ => Number::Integer(0),
    }
}

fn moment_of(found: Found<'_>) -> i128 {
    match found {
        Found::Moment(moment) => moment,
        _ => 0,
    }
}

fn has(found: Found<'_>, ty: FieldType, is_it: impl FnMut(Element<'_>) -> bool) -> bool {
    match found {
        Found::Array(array) => elements(ty, array).any(is_it),
        _ => false,
    }
}
