//! Evaluates conditions on values.

use super::{
    answer::{Lookup, Ternary},
    notes::{Cause, Notes},
    run::Run,
    test::{AddressTest, Bound, IntegerTest, Order, Test, TextTest},
    tree::{Compare, Node, Operand},
};
use crate::{
    Value,
    record::FieldIndex,
    search::{Folded, Needle, SHORT, same_short},
    sets::{Addresses, Integers, Texts},
};
use std::net::IpAddr;

impl Node {
    /// Returns the node that tests a value against a literal.
    pub(super) fn test(left: Operand, test: Test) -> Self {
        match (left.field(), test) {
            (Some(field), Test::Text(TextTest::Equal(text))) => Node::Equal(field, text),
            (Some(field), Test::Text(TextTest::NotEqual(text))) => Node::NotEqual(field, text),
            (Some(field), Test::Text(TextTest::Order(order, bound))) => Node::Order(field, order, bound),
            (Some(field), Test::Text(TextTest::Contains(needle))) => Node::Contains(field, needle),
            (Some(field), Test::Text(TextTest::In(texts))) => Node::Texts(field, texts),
            (Some(field), Test::Text(test)) => Node::Text(field, test),
            (Some(field), Test::Integer(IntegerTest::Span(span))) => Node::Span(field, span),
            (Some(field), Test::Integer(IntegerTest::Mask(bits))) => Node::Mask(field, bits),
            (Some(field), Test::Integer(IntegerTest::In(set))) => Node::Integers(field, set),
            (Some(field), Test::Address(AddressTest::Order(order @ (Order::Equal | Order::NotEqual), other))) => {
                Node::Same(field, order == Order::Equal, other)
            }
            (Some(field), Test::Address(AddressTest::Order(order, other))) => Node::Address(field, order, other),
            (Some(field), Test::Address(AddressTest::In(set))) => Node::Addresses(field, set),
            (None, test) => Node::Test(Box::new((left, test))),
        }
    }

    /// Returns the estimated cost of evaluation.
    pub(super) fn cost(&self) -> u32 {
        match self {
            Node::True | Node::Unknown => 0,
            Node::Flag(_) | Node::NotFlag(_) => 1,
            Node::Span(..) | Node::Mask(..) | Node::Same(..) | Node::Address(..) => 2,
            Node::Equal(..) | Node::NotEqual(..) => 3,
            Node::Order(..) => 4,
            Node::Contains(..) => 20,
            Node::Integers(..) => 6,
            Node::Addresses(..) => 8,
            Node::Not(inner) => inner.cost(),
            Node::Texts(..) => 10,
            Node::Text(_, test) => test.cost(),
            Node::Test(parts) => parts.1.cost().saturating_add(parts.0.cost()),
            Node::Value(operand) => operand.cost(),
            Node::Compare(compare) => 4 + compare.left.cost().saturating_add(compare.right.cost()),
            Node::Opaque(parts) => parts.0.cost(),
            Node::List(parts) => parts.0.cost().saturating_add(30),
            Node::Any(_) | Node::All(_) | Node::Xor(_) | Node::Steps(_) => 200,
        }
    }

    #[inline(never)]
    fn eval_not<'r, N: Notes<'r>>(&'r self, run: Run<'r>, notes: &mut N) -> Ternary {
        self.eval(run, notes).not()
    }

    /// Evaluates the node on a record.
    ///
    /// Inlined into every loop; rare and large cases are separate functions. The match is exhaustive, so it compiles to
    /// one jump. No code follows it, because that would slow down every case.
    #[inline(always)]
    pub(super) fn eval<'r, N: Notes<'r>>(&'r self, run: Run<'r>, notes: &mut N) -> Ternary {
        match self {
            Node::Flag(field) => match run.value(*field) {
                Some(Value::Boolean(flag)) => (*flag).into(),
                _ => lacking(*field, run, notes),
            },
            Node::NotFlag(field) => match run.value(*field) {
                Some(Value::Boolean(flag)) => (!flag).into(),
                _ => lacking(*field, run, notes).not(),
            },
            Node::Equal(field, other) => match run.value(*field) {
                Some(Value::Text(text)) if text.len() != other.len() => Ternary::False,
                Some(Value::Text(text)) if text.len() > SHORT => apart::equal(text, other),
                Some(Value::Text(text)) => same_short(text, other).into(),
                _ => lacking(*field, run, notes),
            },
            Node::NotEqual(field, other) => match run.value(*field) {
                Some(Value::Text(text)) if text.len() != other.len() => Ternary::True,
                Some(Value::Text(text)) if text.len() > SHORT => apart::not_equal(text, other),
                Some(Value::Text(text)) => (!same_short(text, other)).into(),
                _ => lacking(*field, run, notes),
            },
            Node::Order(field, order, bound) => match run.value(*field) {
                Some(Value::Text(text)) => apart::order(*order, bound, text),
                _ => lacking(*field, run, notes),
            },
            Node::Contains(field, needle) => match run.value(*field) {
                Some(Value::Text(text)) => match &**needle {
                    Needle::Exact(finder) => apart::contains(finder, text),
                    Needle::Folded(folded) => apart::contains_folded(folded, text),
                },
                _ => lacking(*field, run, notes),
            },
            Node::Texts(field, texts) => match run.value(*field) {
                Some(Value::Text(text)) => apart::texts(texts, text),
                _ => lacking(*field, run, notes),
            },
            Node::Text(field, test) => match run.value(*field) {
                Some(Value::Text(text)) => apart::text(test, text),
                _ => lacking(*field, run, notes),
            },
            Node::Span(field, span) => match run.value(*field) {
                Some(Value::Integer(integer)) => span.holds(*integer).into(),
                _ => lacking(*field, run, notes),
            },
            Node::Integers(field, set) => match run.value(*field) {
                Some(Value::Integer(integer)) => apart::integers(set, *integer),
                _ => lacking(*field, run, notes),
            },
            Node::Mask(field, bits) => match run.value(*field) {
                Some(Value::Integer(integer)) => (integer & bits != 0).into(),
                _ => lacking(*field, run, notes),
            },
            Node::Same(field, same, other) => match run.value(*field) {
                Some(Value::Ip(address)) => ((address == other) == *same).into(),
                _ => lacking(*field, run, notes),
            },
            Node::Address(field, order, other) => match run.value(*field) {
                Some(Value::Ip(address)) => order.holds_for_addresses(*address, *other).into(),
                _ => lacking(*field, run, notes),
            },
            Node::Addresses(field, set) => match run.value(*field) {
                Some(Value::Ip(address)) => apart::address(set, address),
                _ => lacking(*field, run, notes),
            },
            Node::Not(inner) => inner.eval_not(run, notes),
            Node::Steps(steps) => steps.eval(run, notes),
            Node::Xor(nodes) => xor(nodes, run, notes),
            Node::True
            | Node::Unknown
            | Node::Test(_)
            | Node::Compare(_)
            | Node::List(_)
            | Node::Opaque(_)
            | Node::Value(_)
            | Node::Any(_)
            | Node::All(_) => self.eval_rare(run, notes),
        }
    }

    #[inline(never)]
    fn eval_rare<'r, N: Notes<'r>>(&'r self, run: Run<'r>, notes: &mut N) -> Ternary {
        match self {
            Node::True => Ternary::True,
            Node::Unknown => Ternary::Unknown,
            Node::Test(parts) => match parts.0.get(run, notes) {
                Lookup::Known(value) => parts.1.holds(&value).into(),
                Lookup::Missing => Ternary::False,
                Lookup::Unknown => Ternary::Unknown,
            },
            Node::Compare(compare) => compare.eval(run, notes),
            Node::List(parts) => match parts.0.get(run, notes) {
                Lookup::Known(value) => match run.list(&parts.1) {
                    Some(list) => list.is_some_and(|list| list.has(&value)).into(),
                    None => {
                        notes.note(Cause::List(&parts.1));
                        Ternary::Unknown
                    }
                },
                Lookup::Missing => Ternary::False,
                Lookup::Unknown => {
                    if run.list(&parts.1).is_none() {
                        notes.note(Cause::List(&parts.1));
                    }
                    Ternary::Unknown
                }
            },
            Node::Opaque(parts) => match parts.0.get(run, notes) {
                Lookup::Missing => Ternary::False,
                Lookup::Known(_) | Lookup::Unknown => {
                    notes.note(parts.1);
                    Ternary::Unknown
                }
            },
            Node::Value(operand) => match operand.get(run, notes) {
                Lookup::Known(value) => matches!(*value, Value::Boolean(true)).into(),
                Lookup::Missing => Ternary::False,
                Lookup::Unknown => Ternary::Unknown,
            },
            Node::Any(many) => many.any(run, notes),
            Node::All(many) => many.all(run, notes),
            _ => Ternary::False,
        }
    }
}

/// Tests that are too large to be inlined into every loop.
mod apart {
    use super::{Addresses, Bound, Folded, Integers, IpAddr, Order, Ternary, TextTest, Texts};
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
    pub(super) fn order(order: Order, bound: &Bound, text: &[u8]) -> Ternary {
        order.holds(bound.compare(text)).into()
    }

    #[inline(never)]
    pub(super) fn contains(finder: &Finder<'_>, text: &[u8]) -> Ternary {
        finder.find(text).is_some().into()
    }

    #[inline(never)]
    pub(super) fn contains_folded(folded: &Folded, text: &[u8]) -> Ternary {
        folded.is_in(text).into()
    }

    #[inline(never)]
    pub(super) fn texts(texts: &Texts, text: &[u8]) -> Ternary {
        texts.contains(text).into()
    }

    #[inline(never)]
    pub(super) fn text(test: &TextTest, text: &[u8]) -> Ternary {
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
fn lacking<'r, N: Notes<'r>>(field: FieldIndex, run: Run<'r>, notes: &mut N) -> Ternary {
    if run.is_unknown(field, notes) { Ternary::Unknown } else { Ternary::False }
}

#[inline(never)]
fn xor<'r, N: Notes<'r>>(nodes: &'r [Node], run: Run<'r>, notes: &mut N) -> Ternary {
    nodes.iter().fold(Ternary::False, |answer, node| match (answer, node.eval(run, notes)) {
        (Ternary::Unknown, _) | (_, Ternary::Unknown) => Ternary::Unknown,
        (odd, truth) => (odd != truth).into(),
    })
}

impl Compare {
    fn eval<'r, N: Notes<'r>>(&'r self, run: Run<'r>, notes: &mut N) -> Ternary {
        let mark = notes.mark();
        let (left, right) = (self.left.get(run, notes), self.right.get(run, notes));
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
