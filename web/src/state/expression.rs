//! The expression of the first page.

use crate::analysis::AnalyzedSource;
use crate::scope::Scope;
use crate::storage::{Item, Workspace};
use leptos::prelude::*;
use std::sync::Arc;

/// The text of a first visit: a realistic rule with the most common error, single quotes.
pub(crate) const EXAMPLE: &str = r#"(http.host eq 'shop.example.com' and starts_with(http.request.uri.path, "/admin"))
and not ip.src in {192.0.2.0/24 2001:db8::/32}"#;

/// The expression with its analysis.
#[derive(Clone, Copy)]
pub(crate) struct ExpressionContext {
    /// The text.
    pub(crate) source: RwSignal<String>,
    /// The kind, phase and plan that the text is checked with.
    pub(crate) scope: RwSignal<Scope>,
    /// The text with its analysis.
    pub(crate) analyzed: Memo<Arc<AnalyzedSource>>,
}

impl ExpressionContext {
    /// Provides the expression and the scope of the last visit, and stores every change of them.
    pub(crate) fn provide() -> Self {
        let source = RwSignal::new(Item::Expression.restore().unwrap_or_else(|| EXAMPLE.to_owned()));
        let scope = RwSignal::new(Scope::restore());
        let analyzed = AnalyzedSource::memo(source, Signal::derive(move || scope.get().options()));
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
