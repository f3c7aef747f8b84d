//! The list of the diagnostics of a text.

use crate::analysis::{AnalysisState, AnalyzedSource};
use crate::components::answer_view::EngineFailure;
use crate::components::editor::EditorHandle;
use crate::components::icon::{Icon, IconView};
use crate::components::live_region::LiveRegion;
use crate::components::problem_row::ProblemRow;
use crate::language::Language;
use crate::rewrite::apply_safe_fixes;
use leptos::prelude::*;
use std::sync::Arc;

/// Largest number of rows that are shown; the others are only counted.
const MAX_ROWS: usize = 100;

/// The list of all diagnostics with their fixes, and a button for all safe fixes.
#[component]
pub(crate) fn Problems<L: Language>(
    /// The analyzed text.
    analyzed: Signal<Arc<AnalyzedSource<L>>>,
    /// The editor that fixes are applied to.
    handle: EditorHandle,
    /// The text that "Apply safe fixes" rewrites.
    source: RwSignal<String>,
    /// Called with the diagnostic code whose page the user opens.
    show_page: Callback<&'static str>,
    /// The heading, unique on the page.
    #[prop(default = "Problems")]
    title: &'static str,
) -> impl IntoView {
    let safe_count = move || analyzed.read().safe_fix_count();
    let fix_all = move |_| {
        apply_safe_fixes(source, &analyzed.get_untracked().options);
    };
    // A memo, so that the notice is not announced again after each key press.
    let failure = Memo::new(move |_| match &analyzed.read().state {
        AnalysisState::Failed(reason) => Some(reason.clone()),
        AnalysisState::Pending | AnalysisState::Done => None,
    });
    let rows = move || {
        let analyzed = analyzed.get();
        let total = analyzed.diagnostics().len();
        let rows = analyzed.diagnostics().iter().take(MAX_ROWS).cloned();
        let rows: Vec<_> = rows
            .map(|diagnostic| view! { <ProblemRow diagnostic analyzed=analyzed.clone() handle show_page /> })
            .collect();
        let more = total.saturating_sub(MAX_ROWS);
        view! {
            <ul class="problems">{rows}</ul>
            {(more > 0).then(|| view! { <p class="quiet pad">{format!("and {more} more")}</p> })}
        }
    };
    view! {
        <section class="section" aria-label=title>
            <LiveRegion text=Signal::derive(move || analyzed.read().summary()) />
            <div class="section-head">
                <h2>{title}</h2>
                <span class="quiet">{move || analyzed.read().summary()}</span>
                <button type="button" class="button small push" hidden=move || { safe_count() < 2 } on:click=fix_all>
                    {move || format!("Apply safe fixes ({})", safe_count())}
                </button>
            </div>
            {move || {
                (analyzed.read().state == AnalysisState::Done && analyzed.read().diagnostics().is_empty()).then(|| {
                    view! {
                        <p class="all-good">
                            <IconView icon=Icon::Success />
                            "No problems found."
                        </p>
                    }
                })
            }}
            {move || failure.get().map(|reason| view! { <EngineFailure reason /> })}
            {rows}
        </section>
    }
}
