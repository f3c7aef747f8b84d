//! Tests of values against literals, compiled once and evaluated often.
//!
//! [`Matcher`] is a test of a text, an integer or an address; [`TextMatcher`], [`IntegerMatcher`] and
//! [`AddressMatcher`] are its variants.

use super::{regex::Pattern, wildcard::WildcardMatcher};
use crate::{
    Value,
    ast::ComparisonOperator,
    search::{self, Case, Needle, bytes_equal},
    sets::{Addresses, Integers, TextSet},
};
use std::{cmp::Ordering, net::IpAddr, sync::Arc};

/// A test of a text, an integer or an address. A value of another type fails it.
pub(super) enum Matcher {
    Text(TextMatcher),
    Integer(IntegerMatcher),
    Address(AddressMatcher),
}

impl Matcher {
    pub(super) fn holds(&self, value: &Value) -> bool {
        match (self, value) {
            (Matcher::Text(matcher), Value::Text(text)) => matcher.holds(text),
            (Matcher::Integer(matcher), Value::Integer(integer)) => matcher.holds(*integer),
            (Matcher::Address(matcher), Value::Ip(address)) => matcher.holds(*address),
            _ => false,
        }
    }

    pub(super) fn cost(&self) -> u32 {
        match self {
            Matcher::Text(matcher) => matcher.cost(),
            Matcher::Integer(matcher) => matcher.cost(),
            Matcher::Address(matcher) => matcher.cost(),
        }
    }
}

/// An ordering or equality operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Order {
    // The discriminant has one bit each for less, equal and greater.
    Less = 1,
    Equal = 2,
    LessOrEqual = 3,
    Greater = 4,
    NotEqual = 5,
    GreaterOrEqual = 6,
}

impl Order {
    pub(super) fn from_operator(operator: ComparisonOperator) -> Option<Order> {
        Some(match operator {
            ComparisonOperator::Equal => Order::Equal,
            ComparisonOperator::NotEqual => Order::NotEqual,
            ComparisonOperator::Less => Order::Less,
            ComparisonOperator::LessOrEqual => Order::LessOrEqual,
            ComparisonOperator::Greater => Order::Greater,
            ComparisonOperator::GreaterOrEqual => Order::GreaterOrEqual,
            _ => return None,
        })
    }

    #[inline]
    pub(super) fn holds(self, ordering: Ordering) -> bool {
        let bit = match ordering {
            Ordering::Less => Order::Less,
            Ordering::Equal => Order::Equal,
            Ordering::Greater => Order::Greater,
        };
        self as u8 & bit as u8 != 0
    }

    /// Returns whether the order holds for two values of one type. Texts are ordered by bytes.
    pub(super) fn holds_for(self, left: &Value, right: &Value) -> bool {
        match (left, right) {
            (Value::Text(left), Value::Text(right)) => self.holds(left.cmp(right)),
            (Value::Integer(left), Value::Integer(right)) => self.holds(left.cmp(right)),
            (Value::Ip(left), Value::Ip(right)) => self.holds_for_addresses(*left, *right),
            _ => false,
        }
    }

    /// Compares two addresses. Addresses of different families are unequal and not ordered.
    #[inline(always)]
    pub(super) fn holds_for_addresses(self, left: IpAddr, right: IpAddr) -> bool {
        match (left, right) {
            (IpAddr::V4(left), IpAddr::V4(right)) => self.holds(left.to_bits().cmp(&right.to_bits())),
            (IpAddr::V6(left), IpAddr::V6(right)) => self.holds(left.to_bits().cmp(&right.to_bits())),
            _ => self == Order::NotEqual,
        }
    }
}

/// A range of consecutive integers, or its complement.
pub(super) struct IntegerRange {
    /// Whether the integers of the range match; otherwise all others match.
    is_inside: bool,
    first: i64,
    /// The distance from the first to the last integer.
    distance: u64,
}

impl IntegerRange {
    fn new(order: Order, other: i64) -> Self {
        let (first, last) = match order {
            Order::Equal | Order::NotEqual => (Some(other), Some(other)),
            Order::Less => (Some(i64::MIN), other.checked_sub(1)),
            Order::LessOrEqual => (Some(i64::MIN), Some(other)),
            Order::Greater => (other.checked_add(1), Some(i64::MAX)),
            Order::GreaterOrEqual => (Some(other), Some(i64::MAX)),
        };
        match first.zip(last) {
            Some((first, last)) => {
                IntegerRange { is_inside: order != Order::NotEqual, first, distance: last.abs_diff(first) }
            }
            // No integer is below the lowest or above the highest.
            None => IntegerRange { is_inside: false, first: i64::MIN, distance: u64::MAX },
        }
    }

    fn between(first: i64, last: i64) -> Self {
        IntegerRange { is_inside: true, first, distance: last.abs_diff(first) }
    }

    #[inline(always)]
    pub(super) fn holds(&self, integer: i64) -> bool {
        // An integer below the first one wraps around to a large distance.
        (integer.wrapping_sub(self.first).cast_unsigned() <= self.distance) == self.is_inside
    }
}

/// A test of an integer.
pub(super) enum IntegerMatcher {
    Range(IntegerRange),
    /// Whether the integer has one of these bits.
    Mask(i64),
    In(Box<Integers>),
}

impl IntegerMatcher {
    pub(super) fn from_order(order: Order, other: i64) -> Self {
        IntegerMatcher::Range(IntegerRange::new(order, other))
    }

    /// Creates a test for a set of inclusive ranges.
    pub(super) fn from_ranges(ranges: Vec<(i64, i64)>) -> Self {
        match ranges.as_slice() {
            [(first, last)] if first <= last => IntegerMatcher::Range(IntegerRange::between(*first, *last)),
            _ => IntegerMatcher::In(Box::new(Integers::new(ranges))),
        }
    }

    pub(super) fn holds(&self, integer: i64) -> bool {
        match self {
            IntegerMatcher::Range(range) => range.holds(integer),
            IntegerMatcher::Mask(bits) => integer & bits != 0,
            IntegerMatcher::In(set) => set.contains(integer),
        }
    }

    pub(super) fn cost(&self) -> u32 {
        match self {
            IntegerMatcher::Range(_) | IntegerMatcher::Mask(_) => 2,
            IntegerMatcher::In(_) => 6,
        }
    }
}

/// A test of an address.
pub(super) enum AddressMatcher {
    Order(Order, IpAddr),
    In(Box<Addresses>),
}

impl AddressMatcher {
    #[inline(always)]
    pub(super) fn holds(&self, address: IpAddr) -> bool {
        match self {
            AddressMatcher::Order(order, other) => order.holds_for_addresses(address, *other),
            AddressMatcher::In(set) => set.contains(address),
        }
    }

    pub(super) fn cost(&self) -> u32 {
        match self {
            AddressMatcher::Order(..) => 2,
            AddressMatcher::In(_) => 8,
        }
    }
}

/// A test of a text. The `IgnoreCase` variants ignore ASCII case; their texts are lowercase.
#[repr(u8)]
pub(super) enum TextMatcher {
    Never,
    Always,
    Equal(Box<[u8]>),
    NotEqual(Box<[u8]>),
    EqualIgnoreCase(Box<[u8]>),
    NotEqualIgnoreCase(Box<[u8]>),
    Order(Order, Box<TextBound>),
    Prefix(Box<[u8]>),
    PrefixIgnoreCase(Box<[u8]>),
    Suffix(Box<[u8]>),
    SuffixIgnoreCase(Box<[u8]>),
    Contains(Box<Needle>),
    In(Box<TextSet>),
    InIgnoreCase(Box<TextSet>),
    Wildcard(Box<WildcardMatcher>),
    Matches(Arc<Pattern>),
    /// A test of the text after conversion to a case.
    Transformed(Case, Box<TextMatcher>),
}

/// The literal of an ordering of texts.
pub(super) struct TextBound {
    /// The first eight bytes, which decide most comparisons.
    head: u64,
    text: Box<[u8]>,
}

impl TextBound {
    pub(super) fn new(text: &[u8]) -> Self {
        TextBound { head: head(text), text: text.into() }
    }

    /// Returns the order of a text relative to the bound.
    #[inline]
    pub(super) fn compare(&self, text: &[u8]) -> Ordering {
        head(text).cmp(&self.head).then_with(|| text.cmp(&self.text))
    }
}

/// Returns the first eight bytes as an integer. The order of two heads never contradicts the order of their texts.
#[inline]
fn head(text: &[u8]) -> u64 {
    match text.first_chunk() {
        Some(head) => u64::from_be_bytes(*head),
        None => {
            let mut head = [0; size_of::<u64>()];
            head.iter_mut().zip(text).for_each(|(to, from)| *to = *from);
            u64::from_be_bytes(head)
        }
    }
}

impl TextMatcher {
    pub(super) fn holds(&self, text: &[u8]) -> bool {
        match self {
            TextMatcher::Never => false,
            TextMatcher::Always => true,
            TextMatcher::Equal(other) => bytes_equal(text, other),
            TextMatcher::NotEqual(other) => !bytes_equal(text, other),
            TextMatcher::Contains(needle) => needle.is_in(text),
            TextMatcher::EqualIgnoreCase(other) => text.eq_ignore_ascii_case(other),
            TextMatcher::NotEqualIgnoreCase(other) => !text.eq_ignore_ascii_case(other),
            TextMatcher::Order(order, bound) => order.holds(bound.compare(text)),
            TextMatcher::Prefix(start) => text.starts_with(start),
            TextMatcher::PrefixIgnoreCase(start) => search::starts_with_ignore_case(text, start),
            TextMatcher::Suffix(end) => text.ends_with(end),
            TextMatcher::SuffixIgnoreCase(end) => search::ends_with_ignore_case(text, end),
            TextMatcher::In(texts) => texts.contains(text),
            TextMatcher::InIgnoreCase(texts) => texts.contains_ignore_case(text),
            TextMatcher::Wildcard(wildcard) => wildcard.matches(text),
            TextMatcher::Matches(pattern) => pattern.matches(text),
            TextMatcher::Transformed(case, matcher) => matcher.holds(&case.apply(text)),
        }
    }

    pub(super) fn cost(&self) -> u32 {
        match self {
            TextMatcher::Never | TextMatcher::Always => 1,
            TextMatcher::Equal(_) | TextMatcher::NotEqual(_) | TextMatcher::Prefix(_) | TextMatcher::Suffix(_) => 3,
            TextMatcher::EqualIgnoreCase(_)
            | TextMatcher::NotEqualIgnoreCase(_)
            | TextMatcher::PrefixIgnoreCase(_)
            | TextMatcher::SuffixIgnoreCase(_)
            | TextMatcher::Order(..) => 4,
            TextMatcher::In(_) | TextMatcher::InIgnoreCase(_) => 10,
            TextMatcher::Contains(_) | TextMatcher::Wildcard(_) => 20,
            TextMatcher::Matches(_) => 40,
            TextMatcher::Transformed(_, matcher) => 40 + matcher.cost(),
        }
    }
}
