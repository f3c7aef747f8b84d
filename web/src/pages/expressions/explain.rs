//! The explanation of the expression.

use super::context::WorkbenchContext;
use crate::components::code_view::CodeView;
use crate::components::explanation::{ExplanationList, SourceExplanation};
use leptos::prelude::*;

/// Explains the expression in English.
#[component]
pub(crate) fn ExplainPanel() -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let explanation = SourceExplanation::memo(workbench.analyzed);
    let text = Signal::derive(move || explanation.read().explained.text.clone());
    view! {
        <ExplanationList
            explanation
            selected_span=workbench.selected_span
            choose=Callback::new(move |span| workbench.select(span))
            empty_text="Fix the syntax errors to see an explanation."
        />
        <div class="code-views" hidden=move || text.read().is_empty()>
            <CodeView title="As text" note="For a change request or a review." text />
        </div>
    }
}
