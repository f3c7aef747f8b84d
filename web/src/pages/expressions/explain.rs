//! The explanation of the expression.

use super::context::WorkbenchContext;
use crate::components::code_view::CodeView;
use crate::components::explanation::{ExplanationList, SourceExplanation};
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_diagnostic::Span;

/// Explains the expression in English.
#[component]
pub(crate) fn ExplainPanel() -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let explanation = SourceExplanation::follow(workbench.analyzed);
    let text =
        Signal::derive(move || explanation.read().ready().map(|it| it.explained.text.clone()).unwrap_or_default());
    view! {
        <ExplanationList
            explanation
            selected_span=workbench.selected_span
            choose=Callback::new(move |(text, span): (Arc<str>, Span)| workbench.select(&text, span))
            empty_text="Fix the syntax errors to see an explanation."
        />
        <div class="code-views" hidden=move || text.read().is_empty()>
            <CodeView title="As text" note="For a change request or a review." text />
        </div>
    }
}
