//! Evaluates conditions on values.

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
    search::{CaseInsensitiveFinder, MAX_INLINE_BYTES, Needle, short_bytes_equal},
    sets::{Addresses, Integers, TextSet},
};
use std::net::IpAddr;

impl Node {
    /// Returns the node that tests a value against a literal.
    pub(super) fn from_matcher(left: Operand, test: Matcher) -> Self {
        match (left.field(), test) {
            (Some(field), Matcher::Text(TextMatcher::Equal(text))) => Node::Equal(field, text),
            (Some(field), Matcher::Text(TextMatcher::NotEqual(text))) => Node::NotEqual(field, text),
            (Some(field), Matcher::Text(TextMatcher::Order(order, bound))) => Node::Order(field, order, bound),
            (Some(field), Matcher::Text(TextMatcher::Contains(needle))) => Node::Contains(field, needle),
            (Some(field), Matcher::Text(TextMatcher::In(texts))) => Node::TextSet(field, texts),
            (Some(field), Matcher::Text(test)) => Node::Text(field, test),
            (Some(field), Matcher::Integer(IntegerMatcher::Span(span))) => Node::IntegerRange(field, span),
            (Some(field), Matcher::Integer(IntegerMatcher::Mask(bits))) => Node::Mask(field, bits),
            (Some(field), Matcher::Integer(IntegerMatcher::In(set))) => Node::Integers(field, set),
            (Some(field), Matcher::Address(AddressMatcher::Order(order @ (Order::Equal | Order::NotEqual), other))) => {
                Node::AddressEqual(field, order == Order::Equal, other)
            }
            (Some(field), Matcher::Address(AddressMatcher::Order(order, other))) => Node::Address(field, order, other),
            (Some(field), Matcher::Address(AddressMatcher::In(set))) => Node::Addresses(field, set),
            (None, test) => Node::Test(Box::new((left, test))),
        }
    }

    /// Returns the estimated cost of evaluation.
    pub(super) fn cost(&self) -> u32 {
        match self {
            Node::True | Node::Unknown => 0,
            Node::BooleanField(_) | Node::NotBooleanField(_) => 1,
            Node::IntegerRange(..) | Node::Mask(..) | Node::AddressEqual(..) | Node::Address(..) => 2,
            Node::Equal(..) | Node::NotEqual(..) => 3,
            Node::Order(..) => 4,
            Node::Contains(..) => 20,
            Node::Integers(..) => 6,
            Node::Addresses(..) => 8,
            Node::Not(inner) => inner.cost(),
            Node::TextSet(..) => 10,
            Node::Text(_, test) => test.cost(),
            Node::Test(parts) => parts.1.cost().saturating_add(parts.0.cost()),
            Node::Value(operand) => operand.cost(),
            Node::Compare(compare) => 4 + compare.left.cost().saturating_add(compare.right.cost()),
            Node::Uncomputable(parts) => parts.0.cost(),
            Node::List(parts) => parts.0.cost().saturating_add(30),
            Node::Any(_) | Node::All(_) | Node::Xor(_) | Node::Branches(_) => 200,
        }
    }

    #[inline(never)]
    fn eval_not<'r, N: CauseSink<'r>>(&'r self, context: EvalContext<'r>, notes: &mut N) -> Ternary {
        self.eval(context, notes).not()
    }

    /// Evaluates the node on a record.
    ///
    /// Inlined into every loop; rare and large cases are separate functions. The match is exhaustive, so it compiles to
    /// one jump. No code follows it, because that would slow down every case.
    #[inline(always)]
    pub(super) fn eval<'r, N: CauseSink<'r>>(&'r self, context: EvalContext<'r>, notes: &mut N) -> Ternary {
        match self {
            Node::BooleanField(field) => match context.value(*field) {
                Some(Value::Boolean(flag)) => (*flag).into(),
                _ => eval_unset_field(*field, context, notes),
            },
            Node::NotBooleanField(field) => match context.value(*field) {
                Some(Value::Boolean(flag)) => (!flag).into(),
                _ => eval_unset_field(*field, context, notes).not(),
            },
            Node::Equal(field, other) => match context.value(*field) {
                Some(Value::Text(text)) if text.len() != other.len() => Ternary::False,
                Some(Value::Text(text)) if text.len() > MAX_INLINE_BYTES => apart::equal(text, other),
                Some(Value::Text(text)) => short_bytes_equal(text, other).into(),
                _ => eval_unset_field(*field, context, notes),
            },
            Node::NotEqual(field, other) => match context.value(*field) {
                Some(Value::Text(text)) if text.len() != other.len() => Ternary::True,
                Some(Value::Text(text)) if text.len() > MAX_INLINE_BYTES => apart::not_equal(text, other),
                Some(Value::Text(text)) => (!short_bytes_equal(text, other)).into(),
                _ => eval_unset_field(*field, context, notes),
            },
            Node::Order(field, order, bound) => match context.value(*field) {
                Some(Value::Text(text)) => apart::order(*order, bound, text),
                _ => eval_unset_field(*field, context, notes),
            },
            Node::Contains(field, needle) => match context.value(*field) {
                Some(Value::Text(text)) => match &**needle {
                    Needle::Exact(finder) => apart::contains(finder, text),
                    Needle::Folded(folded) => apart::contains_folded(folded, text),
                },
                _ => eval_unset_field(*field, context, notes),
            },
            Node::TextSet(field, texts) => match context.value(*field) {
                Some(Value::Text(text)) => apart::texts(texts, text),
                _ => eval_unset_field(*field, context, notes),
            },
            Node::Text(field, test) => match context.value(*field) {
                Some(Value::Text(text)) => apart::text(test, text),
                _ => eval_unset_field(*field, context, notes),
            },
            Node::IntegerRange(field, span) => match context.value(*field) {
                Some(Value::Integer(integer)) => span.holds(*integer).into(),
                _ => eval_unset_field(*field, context, notes),
            },
            Node::Integers(field, set) => match context.value(*field) {
                Some(Value::Integer(integer)) => apart::integers(set, *integer),
                _ => eval_unset_field(*field, context, notes),
            },
            Node::Mask(field, bits) => match context.value(*field) {
                Some(Value::Integer(integer)) => (integer & bits != 0).into(),
                _ => eval_unset_field(*field, context, notes),
            },
            Node::AddressEqual(field, same, other) => match context.value(*field) {
                Some(Value::Ip(address)) => ((address == other) == *same).into(),
                _ => eval_unset_field(*field, context, notes),
            },
            Node::Address(field, order, other) => match context.value(*field) {
                Some(Value::Ip(address)) => order.holds_for_addresses(*address, *other).into(),
                _ => eval_unset_field(*field, context, notes),
            },
            Node::Addresses(field, set) => match context.value(*field) {
                Some(Value::Ip(address)) => apart::address(set, address),
                _ => eval_unset_field(*field, context, notes),
            },
            Node::Not(inner) => inner.eval_not(context, notes),
            Node::Branches(steps) => steps.eval(context, notes),
            Node::Xor(nodes) => xor(nodes, context, notes),
            Node::True
            | Node::Unknown
            | Node::Test(_)
            | Node::Compare(_)
            | Node::List(_)
            | Node::Uncomputable(_)
            | Node::Value(_)
            | Node::Any(_)
            | Node::All(_) => self.eval_rare(context, notes),
        }
    }

    #[inline(never)]
    fn eval_rare<'r, N: CauseSink<'r>>(&'r self, context: EvalContext<'r>, notes: &mut N) -> Ternary {
        match self {
            Node::True => Ternary::True,
            Node::Unknown => Ternary::Unknown,
            Node::Test(parts) => match parts.0.get(context, notes) {
                Lookup::Known(value) => parts.1.holds(&value).into(),
                Lookup::Missing => Ternary::False,
                Lookup::Unknown => Ternary::Unknown,
            },
            Node::Compare(compare) => compare.eval(context, notes),
            Node::List(parts) => match parts.0.get(context, notes) {
                Lookup::Known(value) => match context.list(&parts.1) {
                    Some(list) => list.is_some_and(|list| list.contains(&value)).into(),
                    None => {
                        notes.note(UnknownCause::List(&parts.1));
                        Ternary::Unknown
                    }
                },
                Lookup::Missing => Ternary::False,
                Lookup::Unknown => {
                    if context.list(&parts.1).is_none() {
                        notes.note(UnknownCause::List(&parts.1));
                    }
                    Ternary::Unknown
                }
            },
            Node::Uncomputable(parts) => match parts.0.get(context, notes) {
                Lookup::Missing => Ternary::False,
                Lookup::Known(_) | Lookup::Unknown => {
                    notes.note(parts.1);
                    Ternary::Unknown
                }
            },
            Node::Value(operand) => match operand.get(context, notes) {
                Lookup::Known(value) => matches!(*value, Value::Boolean(true)).into(),
                Lookup::Missing => Ternary::False,
                Lookup::Unknown => Ternary::Unknown,
            },
            Node::Any(many) => many.eval_any(context, notes),
            Node::All(many) => many.eval_all(context, notes),
            _ => Ternary::False,
        }
    }
}

/// Tests that are too large to be inlined into every loop.
mod apart {
    use super::{Addresses, CaseInsensitiveFinder, Integers, IpAddr, Order, Ternary, TextBound, TextMatcher, TextSet};
    use memchr::memmem::Finder;

    #[inline(never)]
    pub(super) fn equal(text: &[u8], other: &[u8]) -> Ternary {
        (text == other).into()
    }

    #[inline(never)]
    pub(super) fn not_equal(text: &[u8], other: &[u8]) -> Ternary {
        (text != other).into()
    }

    #[inline(never)]
    pub(super) fn order(order: Order, bound: &TextBound, text: &[u8]) -> Ternary {
        order.holds(bound.compare(text)).into()
    }

    #[inline(never)]
    pub(super) fn contains(finder: &Finder<'_>, text: &[u8]) -> Ternary {
        finder.find(text).is_some().into()
    }

    #[inline(never)]
    pub(super) fn contains_folded(folded: &CaseInsensitiveFinder, text: &[u8]) -> Ternary {
        folded.is_in(text).into()
    }

    #[inline(never)]
    pub(super) fn texts(texts: &TextSet, text: &[u8]) -> Ternary {
        texts.contains(text).into()
    }

    #[inline(never)]
    pub(super) fn text(test: &TextMatcher, text: &[u8]) -> Ternary {
        test.holds(text).into()
    }

    #[inline(never)]
    pub(super) fn integers(set: &Integers, integer: i64) -> Ternary {
        set.contains(integer).into()
    }

    #[inline(never)]
    pub(super) fn address(set: &Addresses, address: &IpAddr) -> Ternary {
        set.contains(*address).into()
    }
}

#[cold]
#[inline(never)]
fn eval_unset_field<'r, N: CauseSink<'r>>(field: FieldIndex, context: EvalContext<'r>, notes: &mut N) -> Ternary {
    if context.is_unknown(field, notes) { Ternary::Unknown } else { Ternary::False }
}

#[inline(never)]
fn xor<'r, N: CauseSink<'r>>(nodes: &'r [Node], context: EvalContext<'r>, notes: &mut N) -> Ternary {
    nodes.iter().fold(Ternary::False, |answer, node| match (answer, node.eval(context, notes)) {
        (Ternary::Unknown, _) | (_, Ternary::Unknown) => Ternary::Unknown,
        (odd, truth) => (odd != truth).into(),
    })
}

impl Compare {
    fn eval<'r, N: CauseSink<'r>>(&'r self, context: EvalContext<'r>, notes: &mut N) -> Ternary {
        let mark = notes.mark();
        let (left, right) = (self.left.get(context, notes), self.right.get(context, notes));
        match (left, right) {
            // One missing operand decides, even if the other one is unknown.
            (Lookup::Missing, _) | (_, Lookup::Missing) => {
                notes.forget(mark);
                Ternary::False
            }
            (Lookup::Unknown, _) | (_, Lookup::Unknown) => Ternary::Unknown,
            (Lookup::Known(left), Lookup::Known(right)) => self.order.holds_for(&left, &right).into(),
        }
    }
}
