//! The list of jobs.

use super::delete::DeleteDialog;
use super::enabling::{JobSwitch, SwitchNotice};
use super::job_list::{JobList, ListState};
use super::row;
use crate::commands::{self, Command, handler};
use crate::components::api_error::ApiErrorNotice;
use crate::components::icon::{Icon, IconView};
use crate::components::segmented_control::SegmentedControl;
use crate::fetch::FetchState;
use crate::focus::focus_by_id;
use crate::job::job_label;
use crate::route::Route;
use crate::state::job_draft::{JobDraft, JobTarget};
use crate::state::service::ServiceContext;
use leptos::prelude::*;
use zonewright_api::logpush::Job;
use zonewright_logpush::JobScope;

/// The list with its actions.
#[component]
pub(super) fn Jobs(
    /// Incremented whenever the list may have changed.
    changes: RwSignal<u32>,
) -> impl IntoView {
    let job_draft = JobDraft::get();
    let list = JobList::new(changes);
    let switch = JobSwitch::new(changes);
    let pending_deletion = RwSignal::new(None::<Job>);
    commands::register_page_commands(move |command| match command {
        Command::Refresh if !list.is_idle() => handler(move || list.refresh()),
        _ => None,
    });
    let has_jobs = Memo::new(move |_| list.jobs.read().as_ref().is_some_and(|jobs| !jobs.is_empty()));
    let load_error = Memo::new(move |_| match &*list.fetch_state.read() {
        FetchState::Failed(error) => Some(error.clone()),
        _ => None,
    });
    let state = Memo::new(move |_| list.state());
    let content = move || match (state.get(), has_jobs.get()) {
        (ListState::NotConnected, _) => view! { <NotConnectedNotice /> }.into_any(),
        (ListState::Loading, _) => view! { <p class="late quiet pad">"Loading the list…"</p> }.into_any(),
        (ListState::Failed, _) => ().into_any(),
        (ListState::Loaded, false) => view! { <EmptyList /> }.into_any(),
        (ListState::Loaded, true) => {
            let switch = Callback::new(move |job| switch.toggle(job));
            view! { <JobTable jobs=list.jobs pending_deletion switch /> }.into_any()
        }
    };
    view! {
        <div class="stack jobs">
            <ListToolbar list has_jobs />
            <div class="scroll" tabindex="-1">
                {move || job_draft.created.get().map(|job| view! { <NextSteps job /> })}
                <div class="notices"><SwitchNotice switch /></div>
                {move || load_error.get().map(|error| {
                    let title = if has_jobs.get() { "This list may be out of date: refreshing it failed" } else { "The list could not be loaded" };
                    view! {
                        <div class="pad">
                            <ApiErrorNotice title error />
                            <button type="button" class="button" on:click=move |_| list.refresh()>"Try again"</button>
                        </div>
                    }
                })}
                {content}
            </div>
        </div>
        <DeleteDialog pending_deletion changes />
    }
}

/// The toolbar: new job, owner and refresh.
#[component]
fn ListToolbar(list: JobList, has_jobs: Memo<bool>) -> impl IntoView {
    let service = ServiceContext::get();
    // The jobs of a zone can be listed without its account.
    let lacks_only_account = move || list.is_idle() && service.connection.read().missing_setting().is_none();
    view! {
        <div class="toolbar" hidden=move || list.is_idle() && !lacks_only_account()>
            {move || has_jobs.get().then(|| view! { <NewJobButton /> })}
            <ResumeEditButton />
            <UnopenedEdits />
            <SegmentedControl
                label="Job owner"
                choices=vec![(JobScope::Zone, "Zone"), (JobScope::Account, "Account")]
                value=list.scope
                choose=move |scope| list.select_owner(scope)
            />
            <span class="quiet owner-name">{move || service.job_owner(list.scope.get()).name}</span>
            <button type="button" class="button push" on:click=move |_| list.refresh()>"Refresh"</button>
        </div>
    }
}

/// A button that opens the form of a new job.
#[component]
fn NewJobButton() -> impl IntoView {
    let job_draft = JobDraft::get();
    let start = move |_| {
        if job_draft.open_job(JobTarget::New) {
            focus_by_id("job-name");
        }
    };
    view! {
        <button type="button" id="new-job" class="button primary" on:click=start>
            <IconView icon=Icon::Plus />
            {move || if job_draft.has_unsaved_new_job() { "Resume draft" } else { "New job" }}
        </button>
    }
}

/// A button that resumes the editing of a job.
#[component]
fn ResumeEditButton() -> impl IntoView {
    let job_draft = JobDraft::get();
    move || {
        job_draft.original.read().as_ref().map(|job| view! {
            <button type="button" class="button" on:click=move |_| job_draft.open.set(true)>{format!("Resume editing {}", job_label(job))}</button>
        })
    }
}

/// Names the jobs with unsaved changes from before the page was reloaded.
#[component]
fn UnopenedEdits() -> impl IntoView {
    let job_draft = JobDraft::get();
    move || {
        let labels = job_draft.unopened_edit_labels();
        (!labels.is_empty()).then(|| {
            let text = format!("You have unsaved changes to {}. Edit the job to resume.", labels.join(", "));
            view! { <span class="quiet">{text}</span> }
        })
    }
}

#[component]
fn NotConnectedNotice() -> impl IntoView {
    let service = ServiceContext::get();
    let job_draft = JobDraft::get();
    view! {
        <div class="empty">
            <h2>"Connect to see your jobs"</h2>
            <p>{move || service.job_owner(job_draft.scope.get()).missing_setting(&service.connection.read())}</p>
            <p class="quiet">"You can write, check, and export a job without a connection, but not send it. To run a service yourself, use " <code>"zonewright serve"</code> "."</p>
            <div class="row-buttons">
                <NewJobButton />
                <ResumeEditButton />
                <a class="button" href=Route::Settings.href()>"Open Settings"</a>
            </div>
        </div>
    }
}

#[component]
fn EmptyList() -> impl IntoView {
    let scope = JobDraft::get().scope;
    view! {
        <div class="empty">
            <h2>"No jobs yet"</h2>
            <p>{move || match scope.get() {
                JobScope::Zone => view! { "A job sends the log lines of one dataset to a destination. For example, it can send all " <code>"http_requests"</code> " with a status of 500 or above to a bucket." }.into_any(),
                JobScope::Account => view! { "An account job sends the log lines of a dataset that does not belong to a single zone, such as " <code>"audit_logs"</code> ", to a destination." }.into_any(),
            }}</p>
            <NewJobButton />
        </div>
    }
}

/// The checks to make after a job was created.
#[component]
fn NextSteps(job: Job) -> impl IntoView {
    let created = JobDraft::get().created;
    let enabled = job.settings.enabled;
    view! {
        <section class="notice success created" aria-label="Next steps">
            <IconView icon=Icon::Success />
            <div class="notice-body">
                <p class="notice-title">{format!("Job {} created. Next steps:", job_label(&job))}</p>
                <ol>
                    {(!enabled).then(|| view! { <li>"The job is disabled. Turn it on in the list when the destination is ready."</li> })}
                    <li><strong>"Last complete"</strong> " shows a time after the first batch, some minutes after the first log line. Until then, nothing has been delivered."</li>
                    <li><strong>"Last error"</strong> " shows why a delivery failed; the next success clears it. Some services disable a job that keeps failing."</li>
                    <li>"At the destination, check one object: its fields, timestamps, and line breaks should match the preview."</li>
                </ol>
            </div>
            <button type="button" class="button quiet square small" aria-label="Close next steps" on:click=move |_| created.set(None)>
                <IconView icon=Icon::Close />
            </button>
        </section>
    }
}

/// The jobs as a table; on narrow screens, each row is a card. ARIA roles are explicit, because the CSS of the cards
/// removes the implicit ones.
#[component]
fn JobTable(
    jobs: RwSignal<Option<Vec<Job>>>,
    pending_deletion: RwSignal<Option<Job>>,
    switch: Callback<Job>,
) -> impl IntoView {
    // Rows are keyed by job, so that a refresh preserves the focus.
    let ids = move || jobs.read().iter().flatten().map(|job| job.id).collect::<Vec<_>>();
    let find_job = move |id: u64| {
        Memo::new(move |previous: Option<&Option<Job>>| {
            let current = jobs.read().iter().flatten().find(|job| job.id == id).cloned();
            // A row that is being removed shows its last job.
            current.or_else(|| previous.cloned().flatten())
        })
    };
    view! {
        <table class="table" role="table" aria-label="Jobs">
            <thead role="rowgroup">
                <tr role="row">
                    <th role="columnheader" scope="col">"Job"</th>
                    <th role="columnheader" scope="col">"Dataset"</th>
                    <th role="columnheader" scope="col">"Destination"</th>
                    <th role="columnheader" scope="col">"Enabled"</th>
                    <th role="columnheader" scope="col">"Last complete"</th>
                    <th role="columnheader" scope="col">"Last error"</th>
                    <th role="columnheader" scope="col"><span class="visually-hidden">"Edit or delete"</span></th>
                </tr>
            </thead>
            <tbody role="rowgroup">
                <For each=ids key=|id| *id let(id)>
                    <row::Row job=find_job(id) pending_deletion switch />
                </For>
            </tbody>
        </table>
    }
}
