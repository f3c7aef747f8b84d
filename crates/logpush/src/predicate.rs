//! The meaning of a checked filter: a tree of [`Test`]s in which every name, type and value is resolved.

use crate::{datasets::Field, number::Number, operator::Operator};
use zonewright_diagnostic::Span;

/// What a node means.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// What it is.
    pub kind: TestKind,
    /// The node.
    pub span: Span,
}

/// What a test is.
#[derive(Clone, Debug, PartialEq)]
pub enum TestKind {
    /// All hold; at least one.
    All(Vec<Test>),
    /// At least one holds; at least one.
    Any(Vec<Test>),
    /// A field compared with a value.
    Comparison(Comparison),
}

/// A field compared with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The field.
    pub field: &'static Field,
    /// Where its name stands.
    pub key: Span,
    /// The operator; the field's type takes it.
    pub operator: Operator,
    /// Where its name stands.
    pub operator_span: Span,
    /// What is compared with: [`Operand::Items`] exactly when the operator takes a list.
    pub operand: Operand,
    /// Where it stands.
    pub operand_span: Span,
}

/// What a field is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A text.
    Text(String),
    /// A number, also when it was written in a string.
    Number(Number),
    /// True or false, also when it was written in a string.
    Bool(bool),
    /// Texts or numbers; at least one.
    Items(Vec<Operand>),
}
