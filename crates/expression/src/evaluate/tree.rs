//! A compiled expression. Its parts contain each other, so one module declares them all; `node.rs`, `condition.rs`,
//! `many.rs`, `operand.rs` and `call.rs` implement them.

use super::{
    notes::Cause,
    test::{Bound, Order, Span, Test, TextTest},
};
use crate::{
    Value,
    ast::LogicalOperator,
    functions::Computation,
    record::FieldIndex,
    schema::MissingArgument,
    search::Needle,
    sets::{Addresses, Integers, Texts},
};
use std::net::IpAddr;

/// A condition about values, compiled. A field that is compared by itself has forms of its own, since
/// most are. The tag is a byte of its own, which is faster to look at than one that is folded into the
/// parts.
#[repr(u8)]
pub(super) enum Node {
    True,
    /// What stands for a condition where there is none.
    Unknown,
    Flag(FieldIndex),
    NotFlag(FieldIndex),
    Equal(FieldIndex, Box<[u8]>),
    NotEqual(FieldIndex, Box<[u8]>),
    Order(FieldIndex, Order, Box<Bound>),
    Contains(FieldIndex, Box<Needle>),
    Texts(FieldIndex, Box<Texts>),
    Text(FieldIndex, TextTest),
    Span(FieldIndex, Span),
    /// Whether it has one of these bits.
    Mask(FieldIndex, i64),
    Integers(FieldIndex, Box<Integers>),
    /// Whether it is this address, or any other.
    Same(FieldIndex, bool, IpAddr),
    Address(FieldIndex, Order, IpAddr),
    Addresses(FieldIndex, Box<Addresses>),
    Not(Box<Node>),
    /// Joined conditions.
    Steps(Box<Steps>),
    /// Whether an odd number of conditions holds.
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

/// A condition with several tests.
pub(super) struct Steps {
    pub(super) steps: Box<[Step]>,
    /// The step to begin with.
    pub(super) start: u32,
    /// How the tests are joined.
    pub(super) shape: Shape,
}

/// A test, and the places of the steps behind it.
pub(super) struct Step {
    pub(super) yes: u32,
    pub(super) no: u32,
    pub(super) test: Node,
}

/// How the tests of a condition are joined; a test is the place of its step.
pub(super) enum Shape {
    Test(u32),
    Not(Box<Shape>),
    And(Box<[Shape]>),
    Or(Box<[Shape]>),
}

/// A condition about many values, compiled.
pub(super) enum Many {
    /// Each value against what is written out.
    Test(Operand, Test),
    /// Each value against another value.
    Compare(Compare),
    /// Each value against a named list.
    List(Operand, String),
    /// A comparison that cannot be computed here, and why.
    Opaque(Operand, Cause<'static>),
    /// Values that are true or false: an array of them, or one by one.
    Values(Operand),
    Not(Box<Many>),
    Logical(LogicalOperator, Box<[Many]>),
}

/// A value, compiled.
pub(super) struct Operand {
    pub(super) source: Source,
    pub(super) path: Box<[Index]>,
}

/// Where a value comes from.
pub(super) enum Source {
    /// A field, by its index.
    Field(FieldIndex),
    Constant(Value),
    Call(Box<Call>),
    /// Whether a condition holds.
    Condition(Box<Node>),
    /// Whether a condition holds for each of many values.
    Conditions(Box<Many>),
    /// What cannot be computed here, and why.
    Opaque(Cause<'static>),
}

/// An index.
pub(super) enum Index {
    Element(usize),
    Key(Box<[u8]>),
    Each,
}

/// A call, compiled.
pub(super) struct Call {
    pub(super) computation: Computation,
    pub(super) missing_argument: MissingArgument,
    pub(super) arguments: Box<[Operand]>,
    /// Whether it is applied to each value of the first argument.
    pub(super) each: bool,
}
