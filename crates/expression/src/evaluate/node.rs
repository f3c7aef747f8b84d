//! Evaluates conditions: [`Node::eval`].

use super::{
    context::EvalContext,
    matcher::{AddressMatcher, IntegerMatcher, Matcher, Order, TextBound, TextMatcher},
    results::{Lookup, Ternary},
    tree::{Compare, Node, Operand},
    unknown_causes::{CauseSink, UnknownCause},
};
use crate::{
    Value,
    record::FieldIndex,
    search::{CaseInsensitiveFinder, ExactFinder, MAX_INLINE_BYTES, Needle, short_bytes_equal},
    sets::{Addresses, Integers, TextSet},
};
use std::net::IpAddr;

impl Node {
    /// Returns the node that tests a value against a literal.
    pub(super) fn from_matcher(left: Operand, matcher: Matcher) -> Self {
        match (left.field(), matcher) {
            (Some(field), Matcher::Text(TextMatcher::Equal(text))) => Node::TextEqual(field, text),
            (Some(field), Matcher::Text(TextMatcher::NotEqual(text))) => Node::TextNotEqual(field, text),
            (Some(field), Matcher::Text(TextMatcher::Order(order, bound))) => Node::TextOrder(field, order, bound),
            (Some(field), Matcher::Text(TextMatcher::Contains(needle))) => Node::TextContains(field, needle),
            (Some(field), Matcher::Text(TextMatcher::In(texts))) => Node::TextSet(field, texts),
            (Some(field), Matcher::Text(matcher)) => Node::Text(field, matcher),
            (Some(field), Matcher::Integer(IntegerMatcher::Range(range))) => Node::IntegerRange(field, range),
            (Some(field), Matcher::Integer(IntegerMatcher::Mask(bits))) => Node::Mask(field, bits),
            (Some(field), Matcher::Integer(IntegerMatcher::In(set))) => Node::IntegerSet(field, set),
            (Some(field), Matcher::Address(AddressMatcher::Order(order @ (Order::Equal | Order::NotEqual), other))) => {
                Node::AddressEqual(field, order == Order::Equal, other)
            }
            (Some(field), Matcher::Address(AddressMatcher::Order(order, other))) => {
                Node::AddressOrder(field, order, other)
            }
            (Some(field), Matcher::Address(AddressMatcher::In(set))) => Node::AddressSet(field, set),
            (None, matcher) => Node::Test(Box::new((left, matcher))),
        }
    }

    /// Returns the estimated cost of evaluation.
    pub(super) fn cost(&self) -> u32 {
        match self {
            Node::True | Node::Unknown => 0,
            Node::BooleanField(_) | Node::NotBooleanField(_) => 1,
            Node::IntegerRange(..) | Node::Mask(..) | Node::AddressEqual(..) | Node::AddressOrder(..) => 2,
            Node::TextEqual(..) | Node::TextNotEqual(..) => 3,
            Node::TextOrder(..) => 4,
            Node::TextContains(..) => 20,
            Node::IntegerSet(..) => 6,
            Node::AddressSet(..) => 8,
            Node::Not(inner) => inner.cost(),
            Node::TextSet(..) => 10,
            Node::Text(_, matcher) => matcher.cost(),
            Node::Test(test) => {
                let (left, matcher) = &**test;
                matcher.cost().saturating_add(left.cost())
            }
            Node::Value(operand) => operand.cost(),
            Node::Compare(compare) => 4 + compare.left.cost().saturating_add(compare.right.cost()),
            Node::Uncomputable(comparison) => comparison.0.cost(),
            Node::List(lookup) => lookup.0.cost().saturating_add(30),
            Node::Any(_) | Node::All(_) | Node::Xor(_) | Node::Branches(_) => 200,
        }
    }

    #[inline(never)]
    fn eval_not<'r, C: CauseSink<'r>>(&'r self, context: EvalContext<'r>, causes: &mut C) -> Ternary {
        !self.eval(context, causes)
    }

    /// Evaluates the node on a record.
    ///
    /// Inlined into every loop; rare and large cases are separate functions. The match is exhaustive, so it compiles to
    /// one jump. No code follows it, because that would slow down every case.
    #[inline(always)]
    pub(super) fn eval<'r, C: CauseSink<'r>>(&'r self, context: EvalContext<'r>, causes: &mut C) -> Ternary {
        match self {
            Node::BooleanField(field) => match context.value(*field) {
                Some(Value::Boolean(flag)) => (*flag).into(),
                _ => eval_unset_field(*field, context, causes),
            },
            Node::NotBooleanField(field) => match context.value(*field) {
                Some(Value::Boolean(flag)) => (!flag).into(),
                _ => !eval_unset_field(*field, context, causes),
            },
            Node::TextEqual(field, other) => match context.value(*field) {
                Some(Value::Text(text)) if text.len() != other.len() => Ternary::False,
                Some(Value::Text(text)) if text.len() > MAX_INLINE_BYTES => outlined::is_equal(text, other),
                Some(Value::Text(text)) => short_bytes_equal(text, other).into(),
                _ => eval_unset_field(*field, context, causes),
            },
            Node::TextNotEqual(field, other) => match context.value(*field) {
                Some(Value::Text(text)) if text.len() != other.len() => Ternary::True,
                Some(Value::Text(text)) if text.len() > MAX_INLINE_BYTES => outlined::is_not_equal(text, other),
                Some(Value::Text(text)) => (!short_bytes_equal(text, other)).into(),
                _ => eval_unset_field(*field, context, causes),
            },
            Node::TextOrder(field, order, bound) => match context.value(*field) {
                Some(Value::Text(text)) => outlined::is_ordered(*order, bound, text),
                _ => eval_unset_field(*field, context, causes),
            },
            Node::TextContains(field, needle) => match context.value(*field) {
                Some(Value::Text(text)) => match &**needle {
                    Needle::Exact(finder) => outlined::contains(finder, text),
                    Needle::Folded(folded) => outlined::contains_ignore_case(folded, text),
                },
                _ => eval_unset_field(*field, context, causes),
            },
            Node::TextSet(field, texts) => match context.value(*field) {
                Some(Value::Text(text)) => outlined::is_in_texts(texts, text),
                _ => eval_unset_field(*field, context, causes),
            },
            Node::Text(field, matcher) => match context.value(*field) {
                Some(Value::Text(text)) => outlined::matches(matcher, text),
                _ => eval_unset_field(*field, context, causes),
            },
            Node::IntegerRange(field, range) => match context.value(*field) {
                Some(Value::Integer(integer)) => range.holds(*integer).into(),
                _ => eval_unset_field(*field, context, causes),
            },
            Node::IntegerSet(field, set) => match context.value(*field) {
                Some(Value::Integer(integer)) => outlined::is_in_integers(set, *integer),
                _ => eval_unset_field(*field, context, causes),
            },
            Node::Mask(field, bits) => match context.value(*field) {
                Some(Value::Integer(integer)) => (integer & bits != 0).into(),
                _ => eval_unset_field(*field, context, causes),
            },
            Node::AddressEqual(field, is_equal, other) => match context.value(*field) {
                Some(Value::Ip(address)) => ((address == other) == *is_equal).into(),
                _ => eval_unset_field(*field, context, causes),
            },
            Node::AddressOrder(field, order, other) => match context.value(*field) {
                Some(Value::Ip(address)) => order.holds_for_addresses(*address, *other).into(),
                _ => eval_unset_field(*field, context, causes),
            },
            Node::AddressSet(field, set) => match context.value(*field) {
                Some(Value::Ip(address)) => outlined::is_in_addresses(set, address),
                _ => eval_unset_field(*field, context, causes),
            },
            Node::Not(inner) => inner.eval_not(context, causes),
            Node::Branches(steps) => steps.eval(context, causes),
            Node::Xor(nodes) => xor(nodes, context, causes),
            Node::True
            | Node::Unknown
            | Node::Test(_)
            | Node::Compare(_)
            | Node::List(_)
            | Node::Uncomputable(_)
            | Node::Value(_)
            | Node::Any(_)
            | Node::All(_) => self.eval_rare(context, causes),
        }
    }

    #[inline(never)]
    fn eval_rare<'r, C: CauseSink<'r>>(&'r self, context: EvalContext<'r>, causes: &mut C) -> Ternary {
        match self {
            Node::True => Ternary::True,
            Node::Unknown => Ternary::Unknown,
            Node::Test(test) => {
                let (left, matcher) = &**test;
                match left.get(context, causes) {
                    Lookup::Known(value) => matcher.holds(&value).into(),
                    Lookup::Missing => Ternary::False,
                    Lookup::Unknown => Ternary::Unknown,
                }
            }
            Node::Compare(compare) => compare.eval(context, causes),
            Node::List(lookup) => {
                let (left, name) = &**lookup;
                match left.get(context, causes) {
                    Lookup::Known(value) => match context.list(name) {
                        Some(list) => list.is_some_and(|list| list.contains(&value)).into(),
                        None => {
                            causes.push(UnknownCause::List(name));
                            Ternary::Unknown
                        }
                    },
                    Lookup::Missing => Ternary::False,
                    Lookup::Unknown => {
                        if context.list(name).is_none() {
                            causes.push(UnknownCause::List(name));
                        }
                        Ternary::Unknown
                    }
                }
            }
            Node::Uncomputable(comparison) => {
                let (left, cause) = &**comparison;
                match left.get(context, causes) {
                    Lookup::Missing => Ternary::False,
                    Lookup::Known(_) | Lookup::Unknown => {
                        causes.push(*cause);
                        Ternary::Unknown
                    }
                }
            }
            Node::Value(operand) => match operand.get(context, causes) {
                Lookup::Known(value) => matches!(*value, Value::Boolean(true)).into(),
                Lookup::Missing => Ternary::False,
                Lookup::Unknown => Ternary::Unknown,
            },
            Node::Any(condition) => condition.eval_any(context, causes),
            Node::All(condition) => condition.eval_all(context, causes),
            // Unreachable: `eval` handles all other nodes.
            _ => Ternary::False,
        }
    }
}

/// Tests that are too large to be inlined into every loop.
mod outlined {
    use super::{
        Addresses, CaseInsensitiveFinder, ExactFinder, Integers, IpAddr, Order, Ternary, TextBound, TextMatcher,
        TextSet,
    };

    #[inline(never)]
    pub(super) fn is_equal(text: &[u8], other: &[u8]) -> Ternary {
        (text == other).into()
    }

    #[inline(never)]
    pub(super) fn is_not_equal(text: &[u8], other: &[u8]) -> Ternary {
        (text != other).into()
    }

    #[inline(never)]
    pub(super) fn is_ordered(order: Order, bound: &TextBound, text: &[u8]) -> Ternary {
        order.holds(bound.compare(text)).into()
    }

    #[inline(never)]
    pub(super) fn contains(finder: &ExactFinder, text: &[u8]) -> Ternary {
        finder.is_in(text).into()
    }

    #[inline(never)]
    pub(super) fn contains_ignore_case(finder: &CaseInsensitiveFinder, text: &[u8]) -> Ternary {
        finder.is_in(text).into()
    }

    #[inline(never)]
    pub(super) fn is_in_texts(texts: &TextSet, text: &[u8]) -> Ternary {
        texts.contains(text).into()
    }

    #[inline(never)]
    pub(super) fn matches(matcher: &TextMatcher, text: &[u8]) -> Ternary {
        matcher.holds(text).into()
    }

    #[inline(never)]
    pub(super) fn is_in_integers(set: &Integers, integer: i64) -> Ternary {
        set.contains(integer).into()
    }

    #[inline(never)]
    pub(super) fn is_in_addresses(set: &Addresses, address: &IpAddr) -> Ternary {
        set.contains(*address).into()
    }
}

/// Returns the result of a condition on a field without a value: unknown, or false if the field is missing.
#[cold]
#[inline(never)]
fn eval_unset_field<'r, C: CauseSink<'r>>(field: FieldIndex, context: EvalContext<'r>, causes: &mut C) -> Ternary {
    if context.is_unknown(field, causes) { Ternary::Unknown } else { Ternary::False }
}

#[inline(never)]
fn xor<'r, C: CauseSink<'r>>(nodes: &'r [Node], context: EvalContext<'r>, causes: &mut C) -> Ternary {
    nodes.iter().fold(Ternary::False, |parity, node| match (parity, node.eval(context, causes)) {
        (Ternary::Unknown, _) | (_, Ternary::Unknown) => Ternary::Unknown,
        (parity, truth) => (parity != truth).into(),
    })
}

impl Compare {
    fn eval<'r, C: CauseSink<'r>>(&'r self, context: EvalContext<'r>, causes: &mut C) -> Ternary {
        let mark = causes.mark();
        let (left, right) = (self.left.get(context, causes), self.right.get(context, causes));
        match (left, right) {
            // One missing operand decides, even if the other operand is unknown.
            (Lookup::Missing, _) | (_, Lookup::Missing) => {
                causes.truncate(mark);
                Ternary::False
            }
            (Lookup::Unknown, _) | (_, Lookup::Unknown) => Ternary::Unknown,
            (Lookup::Known(left), Lookup::Known(right)) => self.order.holds_for(&left, &right).into(),
        }
    }
}
