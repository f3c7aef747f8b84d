//! The page of expressions: an editor with diagnostics, and tools to explain, test and compare the expression.
//!
//! All results are derived from the text, its scope, and the inputs of the tools, again after every change. Start with
//! [`context::WorkbenchContext`], which the tools share.

mod compare;
mod context;
mod copy_as;
mod diagram;
mod explain;
mod flow;
mod limits;
mod rule_list;
mod sample_request;
mod test_cases;
mod test_request;
mod toolbar;

use crate::analysis::AnalysisState;
use crate::components::code_explanation::CodeExplanation;
use crate::components::editor::{Editor, EditorHandle, KEYBOARD_HINT};
use crate::components::part_view::PartView;
use crate::components::problems::Problems;
use crate::components::split_pane::SplitPane;
use crate::components::tabs::Tabs;
use crate::part::Part;
use crate::share;
use crate::state::expression::ExpressionContext;
use crate::state::expression_tools::ExpressionToolsContext;
use crate::state::expression_tools::ToolPanel;
use context::WorkbenchContext;
use leptos::prelude::*;
use zonewright_diagnostic::Span;

/// The page, which the app shows first.
#[component]
pub(crate) fn ExpressionsPage() -> impl IntoView {
    let expression = ExpressionContext::get();
    let analyzed = expression.analyzed;
    let active = RwSignal::new(0);
    let selected_span: RwSignal<Option<Span>> = RwSignal::new(None);
    let handle = EditorHandle::new(expression.source).in_first_pane(active).with_selection(selected_span);
    WorkbenchContext::provide(handle, selected_span);
    share::open_shared_expression(expression);
    let code = RwSignal::new(None);
    let first = view! {
        <div class="stack">
            <toolbar::Toolbar handle />
            <Editor label="Expression" placeholder="http.host eq \"example.com\"" handle analyzed adopts_boot_editor=true />
            <div class="below scroll" class:pending=move || analyzed.read().state == AnalysisState::Pending>
                <Problems analyzed handle source=expression.source show_page=Callback::new(move |page| code.set(Some(page))) />
                <limits::LimitsSection />
            </div>
            <p class="foot-note">
                "Works offline. Nothing leaves your browser until you send it. "
                <span class="wide-only">{KEYBOARD_HINT}</span>
            </p>
        </div>
    }
    .into_any();
    let second = view! { <Panels /> }.into_any();
    view! {
        <h1 class="visually-hidden">"Expressions"</h1>
        <SplitPane name="expressions" initial_percent=55.0 labels=["Editor", "Tools"] active first second />
        <CodeExplanation code />
    }
}

/// The tabs of the tools, with the selected panel.
#[component]
fn Panels() -> impl IntoView {
    let panel = ExpressionToolsContext::get().panel;
    view! {
        <div class="stack">
            <Tabs id="tools" label="Tools" choices=ToolPanel::ALL.to_vec() value=panel />
            <div class="scroll tool-panel" role="tabpanel" id="tools-panel" tabindex="0" aria-label=move || panel.get().title()>
                {move || match panel.get() {
                    ToolPanel::Explain => view! { <explain::ExplainPanel /> }.into_any(),
                    ToolPanel::Diagram => view! { <PartView title=ToolPanel::Diagram.title() part=Part::ExpressionTools create=diagram::diagram_panel /> }.into_any(),
                    ToolPanel::TestRequest => view! { <PartView title=ToolPanel::TestRequest.title() part=Part::ExpressionTools create=test_request::test_request_panel /> }.into_any(),
                    ToolPanel::TestCases => view! { <PartView title=ToolPanel::TestCases.title() part=Part::ExpressionTools create=test_cases::test_cases_panel /> }.into_any(),
                    ToolPanel::Compare => view! { <PartView title=ToolPanel::Compare.title() part=Part::ExpressionTools create=compare::compare_panel /> }.into_any(),
                    ToolPanel::CopyAs => view! { <copy_as::CopyAsPanel /> }.into_any(),
                }}
            </div>
        </div>
    }
}
