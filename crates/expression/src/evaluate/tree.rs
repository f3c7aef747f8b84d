//! The compiled tree. Its types contain each other, so one module declares all of them. Their methods are in `node.rs`,
//! `condition.rs`, `elements.rs`, `operand.rs` and `call.rs`.

use super::{
    matcher::{IntegerRange, Matcher, Order, TextBound, TextMatcher},
    unknown_causes::UnknownCause,
};
use crate::{
    Value,
    ast::LogicalOperator,
    functions::Computation,
    record::FieldIndex,
    schema::MissingArgument,
    search::Needle,
    sets::{Addresses, Integers, TextSet},
};
use std::net::IpAddr;

/// A compiled condition.
///
/// Most conditions compare a field without indexes, so those comparisons have their own variants. The discriminant is a
/// separate byte, because a discriminant in a niche takes longer to read.
#[repr(u8)]
pub(super) enum Node {
    True,
    /// A placeholder: a value expression has no condition.
    Unknown,
    BooleanField(FieldIndex),
    NotBooleanField(FieldIndex),
    TextEqual(FieldIndex, Box<[u8]>),
    TextNotEqual(FieldIndex, Box<[u8]>),
    TextOrder(FieldIndex, Order, Box<TextBound>),
    TextContains(FieldIndex, Box<Needle>),
    TextSet(FieldIndex, Box<TextSet>),
    /// Any other test of a text.
    Text(FieldIndex, TextMatcher),
    IntegerRange(FieldIndex, IntegerRange),
    /// Whether the field has one of these bits.
    Mask(FieldIndex, i64),
    IntegerSet(FieldIndex, Box<Integers>),
    /// Whether the field is this address (`true`) or any other (`false`).
    AddressEqual(FieldIndex, bool, IpAddr),
    AddressOrder(FieldIndex, Order, IpAddr),
    AddressSet(FieldIndex, Box<Addresses>),
    Not(Box<Node>),
    /// Tests that `and`, `or` and `not` combine.
    Branches(Box<Steps>),
    /// Whether an odd number of conditions is true.
    Xor(Box<[Node]>),
    /// A test against a literal of a value that is not a field without indexes.
    Test(Box<(Operand, Matcher)>),
    /// A comparison of two values.
    Compare(Box<Compare>),
    /// A lookup of a value in a named list.
    List(Box<(Operand, String)>),
    /// A comparison that the evaluator cannot compute, and the cause.
    Uncomputable(Box<(Operand, UnknownCause<'static>)>),
    /// A Boolean value.
    Value(Box<Operand>),
    Any(Box<ArrayCondition>),
    All(Box<ArrayCondition>),
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
    /// The index of the first step.
    pub(super) start: u32,
    /// The logical structure of the tests.
    pub(super) shape: Shape,
}

/// A test and the indexes of the steps that follow it.
pub(super) struct Step {
    pub(super) on_true: u32,
    pub(super) on_false: u32,
    pub(super) predicate: Node,
}

/// The logical structure of a condition. A test is represented by the index of its step.
pub(super) enum Shape {
    Test(u32),
    Not(Box<Shape>),
    And(Box<[Shape]>),
    Or(Box<[Shape]>),
}

/// A compiled condition on many values.
pub(super) enum ArrayCondition {
    /// A test of each value against a literal.
    Test(Operand, Matcher),
    /// A comparison of each value with another value.
    Compare(Compare),
    /// A lookup of each value in a named list.
    List(Operand, String),
    /// A comparison that the evaluator cannot compute, and the cause.
    Uncomputable(Operand, UnknownCause<'static>),
    /// Boolean values: an array of them, or the values of an operand with `[*]`.
    Values(Operand),
    Not(Box<ArrayCondition>),
    Logical(LogicalOperator, Box<[ArrayCondition]>),
}

/// A compiled value.
pub(super) struct Operand {
    pub(super) source: Source,
    pub(super) path: Box<[Index]>,
}

/// The origin of a value.
pub(super) enum Source {
    /// A field, by its index.
    Field(FieldIndex),
    Constant(Value),
    Call(Box<Call>),
    /// A condition as a Boolean value.
    Condition(Box<Node>),
    /// A condition on many values, as an array of Booleans.
    ArrayCondition(Box<ArrayCondition>),
    /// A value that the evaluator cannot compute, and the cause.
    Uncomputable(UnknownCause<'static>),
}

/// An index of an operand: an array element, a map key, or `[*]`.
pub(super) enum Index {
    Element(usize),
    Key(Box<[u8]>),
    Each,
}

/// A compiled call.
pub(super) struct Call {
    pub(super) computation: Computation,
    pub(super) missing_argument: MissingArgument,
    pub(super) arguments: Box<[Operand]>,
    /// Whether the call is applied to each value of the first argument.
    pub(super) maps_each: bool,
}
