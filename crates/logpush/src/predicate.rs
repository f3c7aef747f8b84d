//! The resolved tree of a checked filter: [`Test`]s in which every name, type and value is resolved.

use crate::{datasets::Field, number::Number, operator::Operator};
use zonewright_diagnostic::Span;

/// A resolved node.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// The kind, with its children.
    pub kind: TestKind,
    /// The span of the node in the source.
    pub span: Span,
}

/// The kinds of tests.
#[derive(Clone, Debug, PartialEq)]
pub enum TestKind {
    /// True if all tests are true; not empty.
    All(Vec<Test>),
    /// True if at least one test is true; not empty.
    Any(Vec<Test>),
    /// A comparison of a field with a value.
    Comparison(Comparison),
}

/// A comparison of a field with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The field.
    pub field: &'static Field,
    /// The span of the field's name.
    pub key_span: Span,
    /// The operator, which the field's type supports.
    pub operator: Operator,
    /// The span of the operator's name.
    pub operator_span: Span,
    /// The right-hand side: [`Operand::Items`] exactly if the operator takes a list.
    pub operand: Operand,
    /// The span of the right-hand side.
    pub operand_span: Span,
}

/// The right-hand side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A string.
    String(String),
    /// A number, written as a number or in a string.
    Number(Number),
    /// A Boolean, written as a literal or in a string.
    Bool(bool),
    /// Strings or numbers; not empty.
    Items(Vec<Operand>),
}
