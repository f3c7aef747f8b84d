//! The expression of the first page.

use crate::analysis::AnalyzedSource;
use crate::scope::Scope;
use crate::storage::{Item, Workspace};
use leptos::prelude::*;
use std::sync::Arc;

/// Returns the text of a first visit: a realistic rule with the most common error, single quotes.
pub(crate) fn example() -> &'static str {
    include_str!("../../example-expression.txt").trim_end()
}

/// The expression with its analysis.
#[derive(Clone, Copy)]
pub(crate) struct ExpressionContext {
    /// The text.
    pub(crate) source: RwSignal<String>,
    /// The kind, phase and plan that the text is checked with.
    pub(crate) scope: RwSignal<Scope>,
    /// The text with its analysis.
    pub(crate) analyzed: Signal<Arc<AnalyzedSource>>,
}

impl ExpressionContext {
    /// Provides the expression and the scope of the last visit, and stores every change of them.
    pub(crate) fn provide() -> Self {
        let source = RwSignal::new(Item::Expression.restore().unwrap_or_else(|| example().to_owned()));
        let scope = RwSignal::new(Scope::restore());
        let analyzed = AnalyzedSource::follow(source, Signal::derive(move || scope.get().options()));
        let workspace = Workspace::get();
        workspace.persist_text(Item::Expression, source);
        workspace.persist(Item::Scope, move || scope.get().to_stored());
        let expression = ExpressionContext { source, scope, analyzed };
        provide_context(expression);
        expression
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }
}
