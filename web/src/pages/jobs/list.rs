//! The zone's jobs.

use super::delete::DeleteDialog;
use super::desk::focus;
use super::destination::{provider_title, shown};
use crate::api::{Client, Problem};
use crate::commands::{self, Deed, does};
use crate::components::failure::Failure;
use crate::components::icon::{Icon, Pictogram};
use crate::components::local_time::LocalTime;
use crate::connection::Link;
use crate::load::{Load, load};
use crate::route::Route;
use crate::session::Session;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Map, json};
use web_sys::AbortController;
use zonewright_api::logpush::Job;

/// The list with what can be done with it.
#[component]
pub(super) fn Jobs(
    /// Changes whenever the list may have changed.
    changes: RwSignal<u32>,
) -> impl IntoView {
    let session = Session::get();
    let doomed = RwSignal::new(None::<Job>);
    let problem = RwSignal::new(None::<Problem>);
    let items = load(move |signal| {
        changes.track();
        let connection = session.connection.get_untracked();
        if connection.missing().is_some() {
            return None;
        }
        let client = Client::new(connection, &signal);
        Some(async move { client.jobs().await })
    });
    Effect::new(move || match &*items.read() {
        Load::Done(_) => session.link.set(Link::Connected),
        Load::Failed(_) => session.link.set(Link::Trouble),
        Load::Idle | Load::Loading => {}
    });
    let refresh = move || changes.update(|changes| *changes = changes.wrapping_add(1));
    let none = move || matches!(&*items.read(), Load::Done(jobs) if jobs.is_empty());
    let idle = move || *items.read() == Load::Idle;
    commands::offer(move |deed| match deed {
        Deed::Refresh if !idle() => does(refresh),
        _ => None,
    });
    let switch = Callback::new(move |job: Job| {
        let Ok(controller) = AbortController::new() else { return };
        let client = Client::new(session.connection.get_untracked(), &controller.signal());
        problem.set(None);
        spawn_local(async move {
            let body: Map<_, _> = [("enabled".to_owned(), json!(!job.settings.enabled))].into_iter().collect();
            match client.update_job(job.id, &body).await {
                Ok(changed) => {
                    let word = if changed.settings.enabled { "enabled" } else { "disabled" };
                    session.toast.set(Some(format!("Job {} {word}", named(&job))));
                }
                Err(found) => drop(problem.try_set(Some(found))),
            }
            changes.try_update(|changes| *changes = changes.wrapping_add(1));
        });
    });
    let content = move || match items.get() {
        Load::Idle => view! { <NotConnected /> }.into_any(),
        Load::Loading => view! { <p class="late quiet pad">"Reading the list…"</p> }.into_any(),
        Load::Failed(problem) => view! {
            <div class="pad">
                <Failure title="The list could not be read" problem />
                <button type="button" class="button" on:click=move |_| refresh()>"Try again"</button>
            </div>
        }
        .into_any(),
        Load::Done(jobs) if jobs.is_empty() => view! { <NoJobs /> }.into_any(),
        Load::Done(jobs) => view! { <JobTable jobs doomed switch /> }.into_any(),
    };
    view! {
        <div class="stack jobs">
            <div class="toolbar" hidden=idle>
                {move || (!none()).then(|| view! { <NewJob /> })}
                <Edited />
                <button type="button" class="button push" on:click=move |_| refresh()>"Refresh"</button>
            </div>
            <div class="scroll">
                {move || session.job.created.get().map(|job| view! { <Created job /> })}
                {move || problem.get().map(|problem| view! {
                    <div class="pad"><Failure title="The job was not changed" problem /></div>
                })}
                {content}
            </div>
        </div>
        <DeleteDialog doomed changes />
    }
}

/// Shows the form of a new job.
#[component]
fn NewJob() -> impl IntoView {
    let job = Session::get().job;
    let start = move |_| {
        job.start();
        focus("job-name");
    };
    view! {
        <button type="button" id="new-job" class="button primary" on:click=start>
            <Pictogram icon=Icon::Plus />
            {move || if job.has_begun() { "Go on with the new job" } else { "New job" }}
        </button>
    }
}

/// Goes back to a job that was being edited.
#[component]
fn Edited() -> impl IntoView {
    let job = Session::get().job;
    move || {
        job.present.read().as_ref().map(|present| view! {
            <button type="button" class="button" on:click=move |_| job.open.set(true)>{format!("Go on editing {}", named(present))}</button>
        })
    }
}

/// A job as people call it.
pub(super) fn named(job: &Job) -> String {
    job.settings.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| job.id.to_string())
}

#[component]
fn NotConnected() -> impl IntoView {
    let connection = Session::get().connection;
    view! {
        <div class="empty">
            <h2>"The jobs live in the service"</h2>
            <p>{move || connection.read().missing()}</p>
            <p class="quiet">"A job can be written, checked and copied as curl or Terraform without it; only sending waits. A service of your own starts with " <code>"zonewright serve"</code> "."</p>
            <div class="row-buttons">
                <NewJob />
                <Edited />
                <a class="button" href=Route::Settings.href()>"Open Settings"</a>
            </div>
        </div>
    }
}

#[component]
fn NoJobs() -> impl IntoView {
    view! {
        <div class="empty">
            <h2>"No jobs yet"</h2>
            <p>"A job sends the log lines of one dataset to a destination: for example, all " <code>"http_requests"</code> " with a status from 500 on to a bucket."</p>
            <NewJob />
        </div>
    }
}

/// What to look at once a job is there.
#[component]
fn Created(job: Job) -> impl IntoView {
    let created = Session::get().job.created;
    let enabled = job.settings.enabled;
    view! {
        <section class="notice success created" aria-label="What to look at now">
            <Pictogram icon=Icon::Success />
            <div class="notice-body">
                <p class="notice-title">{format!("Job {} is there. What to look at now:", named(&job))}</p>
                <ol>
                    {(!enabled).then(|| view! { <li>"It is disabled: switch it on in the list when the destination is ready."</li> })}
                    <li><strong>"Last complete"</strong> " gets a time after the first batch, some minutes after the first line. While it stays empty nothing was delivered."</li>
                    <li><strong>"Last error"</strong> " says why delivering failed; it is empty again after a success. A job that goes on failing is disabled by some services."</li>
                    <li>"At the destination, look at one object: fields, times and line ends as the preview showed them."</li>
                </ol>
            </div>
            <button type="button" class="button quiet square small" aria-label="Close what to look at" on:click=move |_| created.set(None)>
                <Pictogram icon=Icon::Close />
            </button>
        </section>
    }
}

/// The jobs as a table; on narrow screens each is a card. Roles are written out because the cards take
/// the table's own away.
#[component]
fn JobTable(jobs: Vec<Job>, doomed: RwSignal<Option<Job>>, switch: Callback<Job>) -> impl IntoView {
    let rows = jobs.into_iter().map(|job| view! { <Row job doomed switch /> }).collect_view();
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
            <tbody role="rowgroup">{rows}</tbody>
        </table>
    }
}

#[component]
fn Row(job: Job, doomed: RwSignal<Option<Job>>, switch: Callback<Job>) -> impl IntoView {
    let session = Session::get();
    let name = named(&job);
    let (to_switch, to_edit, to_delete) = (job.clone(), job.clone(), job.clone());
    let edit = move |_| {
        session.job.edit(to_edit.clone());
        focus("job-name");
    };
    let enabled = job.settings.enabled;
    let time = |time: Option<String>, none: &'static str| match time {
        Some(time) => view! { <LocalTime time clock=true /> }.into_any(),
        None => view! { <span class="quiet">{none}</span> }.into_any(),
    };
    let filter = job.settings.filter.as_ref().map(|_| view! { <span class="cell-more">"with a filter"</span> });
    view! {
        <tr role="row">
            <td role="cell" data-label="Job" class="job-name">
                <div>
                    <span class="cell-title">{name.clone()}</span>
                    {job.settings.name.is_some().then(|| view! { <span class="cell-more">{format!("Number {}", job.id)}</span> })}
                </div>
            </td>
            <td role="cell" data-label="Dataset">
                <div><code>{job.settings.dataset.clone()}</code> {filter}</div>
            </td>
            <td role="cell" data-label="Destination">
                <div>
                    <code class="expression">{shown(&job.settings.destination_conf)}</code>
                    <span class="cell-more">{provider_title(&job.settings.destination_conf)}</span>
                </div>
            </td>
            <td role="cell" data-label="Enabled">
                <button
                    type="button"
                    class="switch"
                    role="switch"
                    aria-checked=if enabled { "true" } else { "false" }
                    aria-label=format!("Job {name} delivers")
                    on:click=move |_| switch.run(to_switch.clone())
                >
                    <span class="switch-track" aria-hidden="true"></span>
                    {if enabled { "On" } else { "Off" }}
                </button>
            </td>
            <td role="cell" data-label="Last complete">{time(job.last_complete, "nothing yet")}</td>
            <td role="cell" data-label="Last error" class="job-error">
                <div>
                    {time(job.last_error, "none")}
                    {job.error_message.map(|message| view! {
                        <p class="field-error"><Pictogram icon=Icon::Error /><span>{message}</span></p>
                    })}
                </div>
            </td>
            <td role="cell" class="row-actions">
                <div class="row-buttons">
                    <button type="button" class="button small" aria-label=format!("Edit job {name}") on:click=edit>"Edit"</button>
                    <button type="button" class="button small" aria-label=format!("Delete job {name}") on:click=move |_| doomed.set(Some(to_delete.clone()))>"Delete"</button>
                </div>
            </td>
        </tr>
    }
}
