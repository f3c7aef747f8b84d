//! The checked filter.

use crate::{
    ast::Filter,
    datasets::Dataset,
    evaluate::{self, CompiledFilter, Trace},
    line::LineError,
    predicate::Test,
};
use std::sync::{Arc, OnceLock};
use zonewright_expression::{MissingPolicy, Outcome};

/// A checked filter. Only [`check`](crate::check()) constructs one, so every key, operator and value in it is valid.
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

    /// Returns the syntax tree.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Returns the dataset whose fields the filter names.
    pub fn dataset(&self) -> &'static Dataset {
        self.dataset
    }

    /// Returns the compiled filter. The first call compiles it, concurrent calls block until it is compiled, and clones
    /// share the result.
    pub(crate) fn compiled(&self) -> &CompiledFilter {
        self.compiled.get_or_init(|| CompiledFilter::new(&self.test))
    }

    /// Returns the resolved tree.
    pub fn test(&self) -> &Test {
        &self.test
    }

    /// Evaluates the filter on a line: one JSON object, with an optional line break at the end. A field that the line
    /// lacks, or that is `null`, is the zero value of its type or unknown, depending on `missing`. The outcome is never
    /// [`Outcome::Value`] or [`Outcome::Absent`].
    ///
    /// # Errors
    ///
    /// Returns an error if the line is not a JSON object, or if a field that the filter names does not have its type.
    pub fn evaluate(&self, line: &[u8], missing: MissingPolicy) -> Result<Outcome, LineError> {
        evaluate::evaluate(self.compiled(), line, missing)
    }

    /// Evaluates the filter on a line, and returns every step.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Program::evaluate`].
    pub fn trace(&self, line: &[u8], missing: MissingPolicy) -> Result<Trace, LineError> {
        evaluate::trace(self.compiled(), line, missing)
    }
}
