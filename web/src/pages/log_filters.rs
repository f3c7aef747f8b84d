//! The page of log push filters: edit a filter as JSON or row by row, explain it, and test it on log lines.
//!
//! The filter is stored only as text: the tree and its rows are derived from it, and edits of rows rewrite it. Start
//! with [`WorkbenchContext`], which the tools share, and [`tree`].

mod builder;
mod context;
mod convert;
mod copy_as;
mod count;
mod evaluation;
mod funnel;
mod line_chunks;
mod recipes;
mod row;
mod suggestions;
mod test_lines;
mod toolbar;
mod tree;
mod value;

pub(crate) use copy_as::format_condition;
pub(crate) use count::{CountedLine, count_lines};

use crate::analysis::AnalysisState;
use crate::components::code_explanation::{CodeExplanation, CodeLanguage};
use crate::components::editor::{Editor, EditorHandle};
use crate::components::part_view::PartView;
use crate::components::problems::Problems;
use crate::components::split_pane::SplitPane;
use crate::components::tabs::Tabs;
use crate::components::usage_meter::Meter;
use crate::part::{Part, PartContext, PartResult, PartState, call_loaded};
use crate::route::Route;
use crate::share;
use crate::state::job_draft::JobDraft;
use crate::state::log_filter_draft::{AnalyzedLogFilter, LogFilterDraft, LogFilterPanel};
use context::WorkbenchContext;
use leptos::prelude::*;
use wasm_split_helpers::wasm_split;
use zonewright_diagnostic::Span;

/// The page, which is a part of the app.
#[wasm_split(log_filters, fallible)]
pub(crate) fn log_filters_page() -> PartResult<AnyView> {
    Ok(view! { <LogFiltersPage /> }.into_any())
}

/// The page.
#[component]
fn LogFiltersPage() -> impl IntoView {
    let filter = LogFilterDraft::get();
    let AnalyzedLogFilter(analyzed) = AnalyzedLogFilter::get();
    share::open_shared_filter(filter);
    let active = RwSignal::new(0);
    let selected_span: RwSignal<Option<Span>> = RwSignal::new(None);
    let handle = EditorHandle::new(filter.source).in_first_pane(active).with_selection(selected_span);
    WorkbenchContext::provide(handle, selected_span);
    let has_job = untrack(|| PartContext::get().state(Part::Jobs)) == PartState::Loaded;
    let job_banner = has_job.then(|| call_loaded(job_filter_banner()));
    let code = RwSignal::new(None);
    let show_page = Callback::new(move |page| code.set(Some(page)));
    let first = view! {
        <div class="stack">
            {job_banner}
            <toolbar::Toolbar active />
            <Editor label="Filter" placeholder="{ \"where\": { \"key\": …, \"operator\": …, \"value\": … } }" handle analyzed />
            <div class="below scroll filter-notes" class:pending=move || analyzed.read().state == AnalysisState::Pending>
                <Problems analyzed handle source=filter.source show_page />
                <suggestions::Suggestions active />
                <Limits />
            </div>
            <p class="foot-note">"Works offline. Filters and log lines stay in your browser."</p>
        </div>
    }
    .into_any();
    let second = view! { <Panels /> }.into_any();
    view! {
        <h1 class="visually-hidden">"Log filters"</h1>
        <SplitPane name="log-filters" initial_percent=48.0 labels=["Editor", "Tools"] active first second />
        <CodeExplanation code language=CodeLanguage::Filter />
    }
}

/// The banner, which belongs to the part of the jobs.
#[wasm_split(jobs, fallible)]
fn job_filter_banner() -> PartResult<AnyView> {
    Ok(view! { <JobFilterBanner /> }.into_any())
}

/// A banner for the filter of a job, with buttons to return to the job.
#[component]
fn JobFilterBanner() -> impl IntoView {
    let job = JobDraft::get();
    let return_to_job = move |adopts: bool| {
        job.return_from_log_filters(adopts);
        Route::Jobs.navigate();
    };
    let name = move || {
        let form = job.form.read();
        if form.name.is_empty() { "Job filter".to_owned() } else { format!("Filter for job {}", form.name) }
    };
    move || {
        LogFilterDraft::get().stash.read().is_some().then(|| {
            view! {
                <div class="job-filter-banner" role="region" aria-label="Job filter">
                    <span>{name}</span>
                    <button type="button" class="button push" on:click=move |_| return_to_job(false)>"Discard changes"</button>
                    <button type="button" class="button primary" on:click=move |_| return_to_job(true)>"Use in job"</button>
                </div>
            }
        })
    }
}

/// The usage of each limit.
#[component]
fn Limits() -> impl IntoView {
    let AnalyzedLogFilter(analyzed) = AnalyzedLogFilter::get();
    let meters = move || {
        let usage = analyzed.read().facts.as_ref()?.usage;
        Some(view! {
            <Meter label="Operators" value=usage.operators limit=usage.max_operators />
            <Meter label="Bytes" value=usage.bytes limit=usage.max_bytes />
        })
    };
    view! {
        <section class="section" aria-labelledby="filter-limits">
            <div class="section-head"><h2 id="filter-limits">"Limits"</h2></div>
            <div class="usage">
                {meters}
            </div>
        </section>
    }
}

/// The tabs of the tools, with the selected panel.
#[component]
fn Panels() -> impl IntoView {
    let panel = LogFilterDraft::get().panel;
    view! {
        <div class="stack">
            <Tabs id="filter-tools" label="Tools" choices=LogFilterPanel::ALL.to_vec() value=panel />
            <div class="scroll tool-panel" role="tabpanel" id="filter-tools-panel" tabindex="0" aria-label=move || panel.get().title()>
                {move || match panel.get() {
                    LogFilterPanel::Build => view! { <builder::BuilderPanel /> }.into_any(),
                    LogFilterPanel::Test => view! { <PartView title=LogFilterPanel::Test.title() part=Part::LogFilterTools create=test_lines::test_lines_panel /> }.into_any(),
                    LogFilterPanel::CopyAs => view! { <PartView title=LogFilterPanel::CopyAs.title() part=Part::LogFilterTools create=copy_as::copy_as_panel /> }.into_any(),
                    LogFilterPanel::Convert => view! { <PartView title=LogFilterPanel::Convert.title() part=Part::LogFilterTools create=convert::convert_panel /> }.into_any(),
                }}
            </div>
        </div>
    }
}
