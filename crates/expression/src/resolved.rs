//! A checked expression with every name, type and literal resolved.
//!
//! [`ast`](crate::ast) says how an expression is spelled; this tree says what it means, and is what
//! evaluation, lints and proofs walk. It keeps spans and brackets, so that what they find can be
//! shown in the source. Only a [`Program`](crate::Program) gives one.

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
pub enum Resolved {
    /// True or false for a request.
    Condition(Condition),
    /// A value expression.
    Value(Operand),
}

/// True or false, or one of them for each element when it compares many.
#[derive(Clone, Debug)]
pub struct Condition {
    /// What it is.
    pub kind: ConditionKind,
    /// Where it stands.
    pub span: Span,
}

impl Condition {
    /// Whether it gives an answer for each of many values.
    pub fn each(&self) -> bool {
        match &self.kind {
            ConditionKind::True | ConditionKind::Invalid => false,
            ConditionKind::Logical(_, parts) => parts.first().is_some_and(Condition::each),
            ConditionKind::Not(inner) | ConditionKind::Group(inner) => inner.each(),
            ConditionKind::Value(value) => value.each || !value.ty.is_scalar(),
            ConditionKind::Comparison(comparison) => comparison.left.each,
        }
    }

    /// Its type: Boolean, or an array of Booleans.
    pub fn ty(&self) -> Type {
        if self.each() { Type::BOOLEAN.array() } else { Type::BOOLEAN }
    }
}

/// What a condition is.
#[derive(Clone, Debug)]
pub enum ConditionKind {
    /// `true`, as a whole expression.
    True,
    /// Two or more conditions under one operator, flat.
    Logical(LogicalOperator, Vec<Condition>),
    /// `not x`.
    Not(Box<Condition>),
    /// `(x)`.
    Group(Box<Condition>),
    /// A Boolean value, or an array or map of them, by itself.
    Value(Operand),
    /// `left operator right`.
    Comparison(Box<Comparison>),
    /// What [`check`](crate::check()) refuses; no program has it.
    Invalid,
}

/// A comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What is compared; many values when [`Operand::each`] is set.
    pub left: Operand,
    /// How.
    pub operator: ComparisonOperator,
    /// Where the operator stands.
    pub operator_span: Span,
    /// With what.
    pub right: Right,
    /// Where that stands.
    pub right_span: Span,
}

/// The right side of a comparison, in the type of the left side.
#[derive(Clone, Debug)]
pub enum Right {
    /// After `eq`, `ne`, `lt`, `le`, `gt`, `ge`, `contains` and `&`.
    Literal(Literal),
    /// A field or call, after `eq`, `ne`, `lt`, `le`, `gt` and `ge`.
    Value(Operand),
    /// The pattern after `matches`.
    Regex(String),
    /// The pattern after `wildcard` and `strict wildcard`, with its own escapes (`\*`, `\\`).
    Wildcard(Vec<u8>),
    /// A set of strings, as written.
    Texts(Vec<Item<Vec<u8>>>),
    /// A set of integers, as inclusive ranges.
    Integers(Vec<Item<(i64, i64)>>),
    /// A set of addresses, as inclusive ranges of one family each.
    Addresses(Vec<Item<(IpAddr, IpAddr)>>),
    /// A named list, without `$`.
    List(String),
    /// What [`check`](crate::check()) refuses; no program has it.
    Invalid,
}

/// An item of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item<T> {
    /// What it is.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

/// A single value that is written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A string, as its bytes.
    Text(Vec<u8>),
    /// An integer.
    Integer(i64),
    /// An address.
    Ip(IpAddr),
}

impl Literal {
    /// It as a value.
    pub fn value(&self) -> Value {
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
    pub source: Source,
    /// Indexes from left to right.
    pub indexes: Vec<Index>,
    /// Type of the value; of one of them when `each` is set.
    pub ty: Type,
    /// Whether an index is `[*]`, so that it stands for many values.
    pub each: bool,
    /// Where it stands.
    pub span: Span,
}

/// Where a value comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A field of the request.
    Field(&'static Field),
    /// A call.
    Call(Box<Call>),
    /// What [`check`](crate::check()) refuses; no program has it.
    Invalid,
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The function.
    pub function: &'static Function,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Whether the first argument has `[*]`: the function is applied to each element, and the
    /// result is an array.
    pub each: bool,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A literal, and where it stands.
    Literal(Literal, Span),
    /// A field or call.
    Value(Operand),
    /// A condition, as `any` and `all` take it.
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
