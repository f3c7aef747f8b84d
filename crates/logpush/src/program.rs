//! A filter that has been checked.

use crate::{
    ast::Filter,
    datasets::Dataset,
    evaluate::{self, CompiledFilter, Trace},
    line::LineError,
    predicate::Test,
};
use std::sync::{Arc, OnceLock};
use zonewright_expression::{Missing, Outcome};

/// A checked filter: only [`check`](crate::check()) makes one, so whoever holds one knows that every
/// key, operator and value in it is right.
#[derive(Clone, Debug)]
pub struct Program {
    filter: Filter,
    dataset: &'static Dataset,
    test: Test,
    compiled: Arc<OnceLock<CompiledFilter>>,
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

    /// Compiles the filter when it is first evaluated; clones share the result.
    pub(crate) fn compiled(&self) -> &CompiledFilter {
        self.compiled.get_or_init(|| CompiledFilter::new(&self.test))
    }

    /// What it means, with every name, type and value resolved.
    pub fn test(&self) -> &Test {
        &self.test
    }

    /// What it gives for a line: one JSON object, with or without a line break behind it. A field that
    /// the line lacks, or that is `null`, has the zero value of its type, or is unknown: as `missing`
    /// says. Never [`Outcome::Value`] or [`Outcome::Absent`].
    ///
    /// # Errors
    /// When the line is no JSON object, or a field that the filter names is not of its type.
    pub fn evaluate(&self, line: &[u8], missing: Missing) -> Result<Outcome, LineError> {
        evaluate::evaluate(self.compiled(), line, missing)
    }

    /// What it gives for a line, and what led to it.
    ///
    /// # Errors
    /// As [`Program::evaluate`].
    pub fn trace(&self, line: &[u8], missing: Missing) -> Result<Trace, LineError> {
        evaluate::trace(self.compiled(), line, missing)
    }
}
