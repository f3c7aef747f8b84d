//! The page of log push jobs: the list, and the form of one job with a preview of its output.
//!
//! Start with [`FormContext`], which the parts of the form share, and [`submit::JobFormModel`], which validates and
//! sends the job. Secrets of a job exist only in memory and in requests.

mod batching;
mod copy_as;
mod delete;
mod destination;
mod discard;
mod enabling;
mod fields;
mod filter_field;
mod flag_field;
mod form;
mod form_context;
mod job_list;
mod list;
mod output;
mod preview;
mod row;
mod sample_logs;
mod submit;

use crate::components::part_view::PartView;
use crate::components::split_pane::SplitPane;
use crate::components::tabs::Tabs;
use crate::focus::focus_by_id;
use crate::part::{Part, PartResult};
use crate::state::job_draft::{JobDraft, JobTarget};
use crate::state::page_request::PageRequests;
use crate::state::service::ServiceContext;
use form_context::FormContext;
use leptos::prelude::*;
use wasm_split_helpers::wasm_split;

/// A tool next to the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    Preview,
    CopyAs,
}

const TOOLS: [(Tool, &str); 2] = [(Tool::Preview, "Preview"), (Tool::CopyAs, "Copy as")];

/// The page, which is a part of the app.
#[wasm_split(jobs, fallible)]
pub(crate) fn jobs_page() -> PartResult<AnyView> {
    Ok(view! { <JobsPage /> }.into_any())
}

/// The page.
#[component]
fn JobsPage() -> impl IntoView {
    let service = ServiceContext::get();
    let job_draft = JobDraft::get();
    let requests = PageRequests::get();
    let open_requested = move || {
        if requests.take_new_job() {
            job_draft.open_job(JobTarget::New);
        }
    };
    // A request from another page opens the form at once, so that the list is not loaded first.
    untrack(open_requested);
    Effect::new(open_requested);
    // Incremented after each write, so that the list is reloaded.
    let changes = RwSignal::new(0_u32);
    // A change of the connection rebuilds the list, so that no job of the previous zone remains visible.
    let content = move || {
        if job_draft.open.get() {
            let actions = move || view! { <LeaveButton /> };
            let create = move || job_workspace(changes);
            view! { <PartView title="Job form" part=Part::JobForm actions create /> }.into_any()
        } else {
            service.connection.track();
            view! { <list::Jobs changes /> }.into_any()
        }
    };
    view! {
        <h1 class="visually-hidden">"Jobs"</h1>
        {content}
        <discard::DiscardDialog />
    }
}

/// A button that closes the form while its part is not loaded. The draft is retained.
#[component]
fn LeaveButton() -> impl IntoView {
    let job_draft = JobDraft::get();
    let leave = move |_| {
        job_draft.open.set(false);
        focus_by_id("new-job");
    };
    view! { <button type="button" class="button" on:click=leave>"Back to jobs"</button> }
}

/// The form with its tools, which is a part of the app.
#[wasm_split(job_form, fallible)]
fn job_workspace(changes: RwSignal<u32>) -> PartResult<AnyView> {
    Ok(view! { <JobWorkspace changes /> }.into_any())
}

/// The form with its tools.
#[component]
fn JobWorkspace(changes: RwSignal<u32>) -> impl IntoView {
    FormContext::provide(changes);
    let active = RwSignal::new(0);
    let tool = RwSignal::new(Tool::Preview);
    let first = view! { <form::JobFormPane /> }.into_any();
    let name = move || TOOLS.iter().find(|(candidate, _)| *candidate == tool.get()).map_or("", |(_, name)| name);
    let second = view! {
        <div class="stack">
            <Tabs id="job-tools" label="Tools" choices=TOOLS.to_vec() value=tool />
            <div class="scroll tool-panel" role="tabpanel" id="job-tools-panel" tabindex="0" aria-label=name>
                {move || match tool.get() {
                    Tool::Preview => view! { <preview::Preview /> }.into_any(),
                    Tool::CopyAs => view! { <copy_as::CopyAsPanel /> }.into_any(),
                }}
            </div>
        </div>
    }
    .into_any();
    view! { <SplitPane name="jobs" initial_percent=52.0 labels=["Job", "Tools"] active first second /> }
}
