//! The resolved tree: a checked expression with every name, type and literal resolved.
//!
//! [`ast`](crate::ast) is the spelling of an expression; this tree is its meaning. Evaluation, lints and proofs read
//! it. Start at [`ResolvedExpression`] and [`Condition`]. The tree retains spans and parentheses, so that
//! results can refer to the source. Outside this crate, only
//! [`Program::resolved`](crate::Program::resolved) returns one.

mod lower;

use crate::{
    Type, Value,
    ast::{ComparisonOperator, LogicalOperator},
    schema::{Field, Function},
};
use std::net::IpAddr;
use zonewright_diagnostic::Span;

pub(crate) use lower::lower;

/// A whole expression.
#[derive(Clone, Debug)]
pub enum ResolvedExpression {
    /// A filter: true or false for a request.
    Condition(Condition),
    /// A value expression.
    Value(Operand),
}

/// A condition: one Boolean, or one for each element if it has `[*]`.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The kind of the condition.
    pub kind: ConditionKind,
    /// The span of the condition.
    pub span: Span,
}

impl Condition {
    /// Returns whether the condition has one result for each of many values.
    pub fn maps_each(&self) -> bool {
        match &self.kind {
            ConditionKind::True | ConditionKind::Invalid => false,
            ConditionKind::Logical(_, operands) => operands.first().is_some_and(Condition::maps_each),
            ConditionKind::Not(inner) | ConditionKind::Group(inner) => inner.maps_each(),
            ConditionKind::Value(value) => value.each || !value.ty.is_scalar(),
            ConditionKind::Comparison(comparison) => comparison.left.each,
        }
    }

    /// Returns the type: Boolean, or an array of Booleans.
    pub fn ty(&self) -> Type {
        if self.maps_each() { Type::BOOLEAN.array() } else { Type::BOOLEAN }
    }
}

/// The kind of a condition.
#[derive(Clone, Debug)]
pub enum ConditionKind {
    /// `true`, as a whole expression.
    True,
    /// Two or more conditions joined by one operator, flat.
    Logical(LogicalOperator, Vec<Condition>),
    /// `not x`.
    Not(Box<Condition>),
    /// `(x)`.
    Group(Box<Condition>),
    /// A Boolean value, or an array or map of Booleans, without an operator.
    Value(Operand),
    /// `left operator right`.
    Comparison(Box<Comparison>),
    /// A condition that [`check`](crate::check()) rejects; no program contains it.
    Invalid,
}

/// A comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The left operand; many values if [`Operand::each`] is set.
    pub left: Operand,
    /// The operator.
    pub operator: ComparisonOperator,
    /// The span of the operator.
    pub operator_span: Span,
    /// The right operand.
    pub right: RightOperand,
    /// The span of the right operand.
    pub right_span: Span,
}

/// The right operand of a comparison, in the type of the left operand.
#[derive(Clone, Debug)]
pub enum RightOperand {
    /// A literal after `eq`, `ne`, `lt`, `le`, `gt`, `ge`, `contains` or `&`.
    Literal(Literal),
    /// A field or call after `eq`, `ne`, `lt`, `le`, `gt` or `ge`.
    Value(Operand),
    /// The pattern after `matches`.
    Regex(String),
    /// The pattern after `wildcard` or `strict wildcard`, with its escapes (`\*`, `\\`).
    Wildcard(Vec<u8>),
    /// A set of strings, in source order.
    Texts(Vec<SetItem<Vec<u8>>>),
    /// A set of integers, as inclusive ranges.
    Integers(Vec<SetItem<(i64, i64)>>),
    /// A set of addresses, as inclusive ranges within one family.
    Addresses(Vec<SetItem<(IpAddr, IpAddr)>>),
    /// The name of a named list, without `$`.
    List(String),
    /// An operand that [`check`](crate::check()) rejects; no program contains it.
    Invalid,
}

/// An item of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetItem<T> {
    /// The value of the item.
    pub value: T,
    /// The span of the item.
    pub span: Span,
}

/// A literal value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A string, as bytes.
    Text(Vec<u8>),
    /// An integer.
    Integer(i64),
    /// An IP address.
    Ip(IpAddr),
}

impl Literal {
    /// Converts the literal to a [`Value`].
    pub fn to_value(&self) -> Value {
        match self {
            Literal::Text(text) => Value::Text(text.clone()),
            Literal::Integer(integer) => Value::Integer(*integer),
            Literal::Ip(address) => Value::Ip(*address),
        }
    }
}

/// A field or call with its indexes.
#[derive(Clone, Debug)]
pub struct Operand {
    /// The field or call.
    pub source: OperandSource,
    /// The indexes, from left to right.
    pub indexes: Vec<Index>,
    /// The type of the value, or of one element if `each` is set.
    pub ty: Type,
    /// Whether an index is `[*]`, so that the operand has many values.
    pub each: bool,
    /// The span of the operand.
    pub span: Span,
}

/// The origin of a value.
#[derive(Clone, Debug)]
pub enum OperandSource {
    /// A field of the request.
    Field(&'static Field),
    /// A function call.
    Call(Box<Call>),
    /// An origin that [`check`](crate::check()) rejects; no program contains it.
    Invalid,
}

/// A function call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The called function.
    pub function: &'static Function,
    /// The arguments, in source order.
    pub arguments: Vec<Argument>,
    /// Whether the first argument has `[*]`: the function is applied to each element, and the result is an array.
    pub each: bool,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A literal and its span.
    Literal(Literal, Span),
    /// A field or call.
    Value(Operand),
    /// A condition, which `any` and `all` accept.
    Condition(Condition),
}

/// An index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Index {
    /// `[0]`.
    Element(u32),
    /// `["name"]`.
    Key(String),
    /// `[*]`.
    Each,
}
