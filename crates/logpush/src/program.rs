//! A filter that has been checked.

use crate::{
    ast::Filter,
    datasets::{Dataset, Field},
    evaluate::{Compiled, compile},
    number::Number,
    operator::Operator,
};
use std::sync::{Arc, OnceLock};
use zonewright_diagnostic::Span;

/// A checked filter: only [`check`](crate::check()) makes one, so whoever holds one knows that every
/// key, operator and value in it is right.
#[derive(Clone, Debug)]
pub struct Program {
    filter: Filter,
    dataset: &'static Dataset,
    test: Test,
    compiled: Arc<OnceLock<Compiled>>,
}

impl Program {
    pub(crate) fn new(filter: Filter, dataset: &'static Dataset, test: Test) -> Self {
        Program { filter, dataset, test, compiled: Arc::default() }
    }

    /// The syntax it was made from.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Whose fields it names.
    pub fn dataset(&self) -> &'static Dataset {
        self.dataset
    }

    /// Made ready to run, when it is first asked for; clones share it.
    pub(crate) fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| compile(&self.test))
    }

    /// What it means, with every name, type and value resolved.
    pub fn test(&self) -> &Test {
        &self.test
    }
}

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
