//! Gates a step on the analysis of the configuration.

use super::context::{AnalysisProgress, MigrationStep, SourceContext, StepContext};
use super::source::FromZone;
use crate::components::answer_view::EngineFailure;
use leptos::prelude::*;

/// Shows its content after the engine has analyzed the current configuration. Until then, it shows one of three states: no
/// configuration, a pending analysis, or a failure with a button to try again.
#[component]
pub(super) fn AnalysisGate(
    /// Creates the content. It runs again when a signal that it reads changes.
    content: impl Fn() -> AnyView + Send + Sync + 'static,
) -> impl IntoView {
    let source = SourceContext::get();
    let progress = Memo::new(move |_| source.progress());
    move || match progress.get() {
        AnalysisProgress::Missing => view! { <NoConfiguration /> }.into_any(),
        AnalysisProgress::Pending => view! { <AnalysisPending /> }.into_any(),
        AnalysisProgress::Failed(reason) => view! { <EngineFailure reason /> }.into_any(),
        AnalysisProgress::Done => content(),
    }
}

/// Explains that there is no configuration, and offers its sources.
#[component]
pub(super) fn NoConfiguration() -> impl IntoView {
    let steps = StepContext::get();
    view! {
        <div class="empty">
            <h2>"No configuration yet"</h2>
            <p>"This step needs a zone configuration. Load it from the service, or paste it in the Check step."</p>
            <FromZone />
            <button type="button" class="button" on:click=move |_| steps.show(MigrationStep::Check)>"Go to Check"</button>
        </div>
    }
}

/// Shows that the analysis is pending.
#[component]
pub(super) fn AnalysisPending() -> impl IntoView {
    view! { <p class="late quiet pad" role="status">"Analyzing the configuration…"</p> }
}
