//! Conditions about one value, and how they are joined.

use super::{
    many::Many,
    notes::{Cause, Notes},
    operand::{Got, Operand},
    run::Run,
    test::{AddressTest, IntegerTest, Order, Test, TextTest, in_list},
};
use crate::{Value, ast::LogicalOperator};

/// Kleene's three truth values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tri {
    False,
    True,
    Unknown,
}

impl From<bool> for Tri {
    #[inline(always)]
    fn from(truth: bool) -> Self {
        if truth { Tri::True } else { Tri::False }
    }
}

impl Tri {
    pub(super) fn not(self) -> Tri {
        match self {
            Tri::False => Tri::True,
            Tri::True => Tri::False,
            Tri::Unknown => Tri::Unknown,
        }
    }
}

/// A condition, compiled. A field that is compared by itself has a form of its own, since most are.
/// The tag is a byte of its own, which is faster to look at than one that is folded into the parts.
#[repr(u8)]
pub(super) enum Node {
    True,
    /// What stands for a condition where there is none.
    Unknown,
    Flag(u32),
    /// A flag under `not`.
    NoFlag(u32),
    Text(u32, TextTest),
    Integer(u32, IntegerTest),
    Address(u32, AddressTest),
    Not(Box<Node>),
    And(Box<[Node]>),
    Or(Box<[Node]>),
    Xor(Box<[Node]>),
    /// Any other value against what is written out.
    Test(Box<(Operand, Test)>),
    /// Two values.
    Compare(Box<Compare>),
    /// A value against a named list.
    List(Box<(Operand, String)>),
    /// A comparison that cannot be computed here, and why.
    Opaque(Box<(Operand, Cause<'static>)>),
    /// A value that is true or false.
    Value(Box<Operand>),
    Any(Box<Many>),
    All(Box<Many>),
}

/// A comparison of two values.
pub(super) struct Compare {
    pub(super) left: Operand,
    pub(super) order: Order,
    pub(super) right: Operand,
}

impl Node {
    /// Conditions under one operator. Evaluation has no effects, so their order does not change the
    /// answer; the cheaper ones should stand first.
    pub(super) fn joined(operator: LogicalOperator, nodes: Box<[Node]>) -> Self {
        match operator {
            LogicalOperator::And => Node::And(nodes),
            LogicalOperator::Or => Node::Or(nodes),
            LogicalOperator::Xor => Node::Xor(nodes),
        }
    }

    /// About how long it takes.
    pub(super) fn cost(&self) -> u32 {
        match self {
            Node::True | Node::Unknown => 0,
            Node::Flag(_) | Node::NoFlag(_) => 1,
            Node::Integer(_, test) => test.cost(),
            Node::Address(_, test) => test.cost(),
            Node::Text(_, test) => test.cost(),
            Node::Not(inner) => inner.cost(),
            Node::And(nodes) | Node::Or(nodes) | Node::Xor(nodes) => {
                nodes.iter().fold(0, |sum: u32, node| sum.saturating_add(node.cost()))
            }
            Node::Test(parts) => parts.1.cost().saturating_add(parts.0.cost()),
            Node::Value(operand) => operand.cost(),
            Node::Compare(compare) => 4 + compare.left.cost().saturating_add(compare.right.cost()),
            Node::Opaque(parts) => parts.0.cost(),
            Node::List(parts) => parts.0.cost().saturating_add(100),
            Node::Any(_) | Node::All(_) => 200,
        }
    }

    /// What it gives for a record. Written into every loop; what is rare or large is apart.
    #[inline(always)]
    pub(super) fn eval<'r, N: Notes<'r>>(&'r self, run: &Run<'r>, notes: &mut N) -> Tri {
        match self {
            Node::Flag(field) => match run.value(*field) {
                Some(Value::Boolean(flag)) => (*flag).into(),
                _ => lacking(*field, run, notes),
            },
            Node::NoFlag(field) => match run.value(*field) {
                Some(Value::Boolean(flag)) => (!flag).into(),
                _ => lacking(*field, run, notes).not(),
            },
            Node::Text(field, test) => match run.value(*field) {
                Some(Value::Text(text)) => test.holds(text).into(),
                _ => lacking(*field, run, notes),
            },
            Node::Integer(field, test) => match run.value(*field) {
                Some(Value::Integer(integer)) => test.holds(*integer).into(),
                _ => lacking(*field, run, notes),
            },
            Node::Address(field, test) => match run.value(*field) {
                Some(Value::Ip(address)) => test.holds(*address).into(),
                _ => lacking(*field, run, notes),
            },
            Node::Not(inner) => not(inner, run, notes),
            Node::And(nodes) => until(nodes, Tri::False, run, notes),
            Node::Or(nodes) => until(nodes, Tri::True, run, notes),
            _ => self.eval_rare(run, notes),
        }
    }

    #[inline(never)]
    fn eval_rare<'r, N: Notes<'r>>(&'r self, run: &Run<'r>, notes: &mut N) -> Tri {
        match self {
            Node::True => Tri::True,
            Node::Unknown => Tri::Unknown,
            Node::Xor(nodes) => odd(nodes, run, notes),
            Node::Test(parts) => match parts.0.get(run, notes) {
                Got::Known(value) => parts.1.holds(&value).into(),
                Got::Missing => Tri::False,
                Got::Unknown => Tri::Unknown,
            },
            Node::Compare(compare) => compare.eval(run, notes),
            Node::List(parts) => match parts.0.get(run, notes) {
                Got::Known(value) => match run.list(&parts.1) {
                    Some(items) => in_list(&value, items).into(),
                    None => {
                        notes.note(Cause::List(&parts.1));
                        Tri::Unknown
                    }
                },
                Got::Missing => Tri::False,
                Got::Unknown => {
                    if run.list(&parts.1).is_none() {
                        notes.note(Cause::List(&parts.1));
                    }
                    Tri::Unknown
                }
            },
            Node::Opaque(parts) => match parts.0.get(run, notes) {
                Got::Missing => Tri::False,
                Got::Known(_) | Got::Unknown => {
                    notes.note(parts.1);
                    Tri::Unknown
                }
            },
            Node::Value(operand) => match operand.get(run, notes) {
                Got::Known(value) => matches!(*value, Value::Boolean(true)).into(),
                Got::Missing => Tri::False,
                Got::Unknown => Tri::Unknown,
            },
            Node::Any(many) => many.any(run, notes),
            Node::All(many) => many.all(run, notes),
            _ => Tri::False,
        }
    }
}

#[cold]
fn lacking<'r, N: Notes<'r>>(field: u32, run: &Run<'r>, notes: &mut N) -> Tri {
    if run.is_unknown(field, notes) { Tri::Unknown } else { Tri::False }
}

#[inline(never)]
fn not<'r, N: Notes<'r>>(node: &'r Node, run: &Run<'r>, notes: &mut N) -> Tri {
    node.eval(run, notes).not()
}

/// The deciding truth value as soon as one gives it.
#[inline(never)]
fn until<'r, N: Notes<'r>>(nodes: &'r [Node], decides: Tri, run: &Run<'r>, notes: &mut N) -> Tri {
    let mark = notes.mark();
    let mut answer = decides.not();
    for node in nodes {
        let truth = node.eval(run, notes);
        if truth == decides {
            notes.forget(mark);
            return decides;
        }
        if truth == Tri::Unknown {
            answer = Tri::Unknown;
        }
    }
    answer
}

fn odd<'r, N: Notes<'r>>(nodes: &'r [Node], run: &Run<'r>, notes: &mut N) -> Tri {
    nodes.iter().fold(Tri::False, |answer, node| match (answer, node.eval(run, notes)) {
        (Tri::Unknown, _) | (_, Tri::Unknown) => Tri::Unknown,
        (odd, truth) => (odd != truth).into(),
    })
}

impl Compare {
    fn eval<'r, N: Notes<'r>>(&'r self, run: &Run<'r>, notes: &mut N) -> Tri {
        let mark = notes.mark();
        let (left, right) = (self.left.get(run, notes), self.right.get(run, notes));
        match (left, right) {
            // Whatever the other one is.
            (Got::Missing, _) | (_, Got::Missing) => {
                notes.forget(mark);
                Tri::False
            }
            (Got::Unknown, _) | (_, Got::Unknown) => Tri::Unknown,
            (Got::Known(left), Got::Known(right)) => self.order.holds_for(&left, &right).into(),
        }
    }
}
