//! The problems of a text as a list.

use crate::analysis::AnalyzedSource;
use crate::components::editor::EditorHandle;
use crate::components::icon::{Icon, IconView};
use crate::components::live_region::LiveRegion;
use crate::components::problem_row::ProblemRow;
use crate::language::Language;
use leptos::prelude::*;
use std::sync::Arc;

/// More rows than this are counted, not shown.
const MOST_ROWS: usize = 100;

/// Every problem with its fixes, and one button for all safe ones.
#[component]
pub(crate) fn Problems<L: Language>(
    /// The text and its problems.
    analyzed: Memo<Arc<AnalyzedSource<L>>>,
    /// The editor that fixes go to.
    handle: EditorHandle,
    /// The text itself, for "Fix all safe".
    source: RwSignal<String>,
    /// Called with the code whose page is asked for.
    show_page: Callback<&'static str>,
    /// The heading, which no other list of the page has.
    #[prop(default = "Problems")]
    title: &'static str,
) -> impl IntoView {
    let safe = move || analyzed.read().safe();
    let fix_all = move |_| {
        if let Some(fixed) = analyzed.get_untracked().with_safe_fixes() {
            source.set(fixed);
        }
    };
    let rows = move || {
        let analyzed = analyzed.get();
        let total = analyzed.diagnostics().len();
        let shown = analyzed.diagnostics().iter().take(MOST_ROWS).cloned();
        let rows: Vec<_> = shown
            .map(|diagnostic| view! { <ProblemRow diagnostic analyzed=analyzed.clone() handle show_page /> })
            .collect();
        let more = total.saturating_sub(MOST_ROWS);
        view! {
            <ul class="problems">{rows}</ul>
            {(more > 0).then(|| view! { <p class="quiet pad">{format!("and {more} more problems")}</p> })}
        }
    };
    view! {
        <section class="section" aria-label=title>
            <LiveRegion text=Signal::derive(move || analyzed.read().summary()) />
            <div class="section-head">
                <h2>{title}</h2>
                <span class="quiet">{move || analyzed.read().summary()}</span>
                <button type="button" class="button small push" hidden=move || { safe() < 2 } on:click=fix_all>
                    {move || format!("Fix all safe ({})", safe())}
                </button>
            </div>
            {move || {
                analyzed.read().diagnostics().is_empty().then(|| {
                    view! {
                        <p class="all-good">
                            <IconView icon=Icon::Success />
                            "Nothing wrong here."
                        </p>
                    }
                })
            }}
            {rows}
        </section>
    }
}
