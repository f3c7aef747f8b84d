//! The jobs of the zone, or of its account.

use super::delete::DeleteDialog;
use super::row;
use super::send::CHANGED;
use crate::api::{Client, JobLook, Lost, Write};
use crate::commands::{self, Command, handler};
use crate::components::failure::Failure;
use crate::components::icon::{Icon, Pictogram};
use crate::components::lost_write::{Attempt, AttemptNotice, words_of_unknown};
use crate::components::segments::Segments;
use crate::focus::focus;
use crate::job::job_label;
use crate::load::{Load, load};
use crate::route::Route;
use crate::state::job_draft::JobDraft;
use crate::state::service::ConnectionStatus;
use crate::state::service::ServiceContext;
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Map, json};
use std::time::Duration;
use zonewright_api::logpush::Job;
use zonewright_logpush::JobScope;

/// The list with what can be done with it.
#[component]
pub(super) fn Jobs(
    /// Changes whenever the list may have changed.
    changes: RwSignal<u32>,
) -> impl IntoView {
    let service = ServiceContext::get();
    let job_draft = JobDraft::get();
    let toasts = ToastContext::get();
    let scope = job_draft.scope;
    let doomed = RwSignal::new(None::<Job>);
    let attempt = RwSignal::new(None::<Attempt<JobLook>>);
    let busy = RwSignal::new(false);
    let items = load(move |signal| {
        changes.track();
        let owner = service.job_owner(scope.get());
        if owner.missing_setting(&service.connection.read()).is_some() {
            return None;
        }
        let client = Client::new(service.connection.get_untracked(), &signal);
        Some(async move { client.jobs(&owner).await })
    });
    // The last list stays while the next one is on its way, and when that does not come.
    let jobs = RwSignal::new(None::<Vec<Job>>);
    Effect::new(move || match &*items.read() {
        Load::Done(list) => {
            service.status.set(ConnectionStatus::Connected);
            jobs.set(Some(list.clone()));
        }
        Load::Failed(_) => service.status.set(ConnectionStatus::Failed),
        Load::Idle => jobs.set(None),
        Load::Loading => {}
    });
    let refresh = move || changes.update(|changes| *changes = changes.wrapping_add(1));
    refresh_by_itself(items, refresh);
    let choose = move |chosen: JobScope| {
        jobs.set(None);
        items.set(Load::Loading);
        scope.set(chosen);
    };
    let idle = move || *items.read() == Load::Idle;
    commands::register_page_commands(move |command| match command {
        Command::Refresh if !idle() => handler(refresh),
        _ => None,
    });
    let settle = move |write: Write<JobLook>| {
        busy.try_set(false);
        let unknown = match write {
            Write::Made(changed) => {
                let word = if changed.settings.enabled { "enabled" } else { "disabled" };
                toasts.show_success(format!("Job {} {word}", job_label(&changed)));
                attempt.try_set(None);
                None
            }
            Write::Refused(problem) => {
                attempt.try_set(Some(Attempt::Refused(problem))).map(|_| CHANGED.refused.to_owned())
            }
            Write::Unknown(lost) => {
                attempt.try_set(Some(Attempt::Unknown(Box::new(((), lost))))).map(|_| words_of_unknown(CHANGED.unknown))
            }
        };
        // The page was left: nothing else tells.
        if let Some(words) = unknown {
            toasts.show_error(words);
        }
        changes.try_update(|changes| *changes = changes.wrapping_add(1));
    };
    let switch = Callback::new(move |job: Job| {
        if busy.get_untracked() {
            return;
        }
        let owner = untrack(move || service.job_owner(scope.get()));
        let client = Client::timed(service.connection.get_untracked());
        busy.set(true);
        attempt.set(None);
        spawn_local(async move {
            let body: Map<_, _> = [("enabled".to_owned(), json!(!job.settings.enabled))].into_iter().collect();
            settle(client.update_job(&owner, &job, &body).await);
        });
    });
    let look_again = Callback::new(move |((), lost): ((), Lost<JobLook>)| {
        busy.set(true);
        spawn_local(async move { settle(lost.look_up().await) });
    });
    let some = Memo::new(move |_| jobs.read().as_ref().is_some_and(|jobs| !jobs.is_empty()));
    let failed = Memo::new(move |_| match &*items.read() {
        Load::Failed(problem) => Some(problem.clone()),
        _ => None,
    });
    let state = Memo::new(move |_| match (&*items.read(), jobs.read().is_some()) {
        (Load::Idle, _) => State::NotConnected,
        (_, true) => State::There,
        (Load::Failed(_), false) => State::Failed,
        _ => State::OnItsWay,
    });
    let content = move || match (state.get(), some.get()) {
        (State::NotConnected, _) => view! { <NotConnected /> }.into_any(),
        (State::OnItsWay, _) => view! { <p class="late quiet pad">"Reading the list…"</p> }.into_any(),
        (State::Failed, _) => ().into_any(),
        (State::There, false) => view! { <NoJobs /> }.into_any(),
        (State::There, true) => view! { <JobTable jobs doomed switch /> }.into_any(),
    };
    let missing_only_account = move || idle() && service.connection.read().missing_setting().is_none();
    view! {
        <div class="stack jobs">
            <div class="toolbar" hidden=move || idle() && !missing_only_account()>
                {move || some.get().then(|| view! { <NewJob /> })}
                <Edited />
                <Segments
                    label="Jobs of"
                    choices=vec![(JobScope::Zone, "Zone"), (JobScope::Account, "Account")]
                    value=scope
                    choose
                />
                <span class="quiet owner-name">{move || service.job_owner(scope.get()).name}</span>
                <button type="button" class="button push" on:click=move |_| refresh()>"Refresh"</button>
            </div>
            <div class="scroll" tabindex="-1">
                {move || job_draft.created.get().map(|job| view! { <Created job /> })}
                <div class="notices">
                    <AttemptNotice refused=CHANGED.refused unknown=CHANGED.unknown attempt busy again=look_again />
                </div>
                {move || failed.get().map(|problem| {
                    let title = if some.get() { "The list is no longer fresh: it could not be read again" } else { "The list could not be read" };
                    view! {
                        <div class="pad">
                            <Failure title problem />
                            <button type="button" class="button" on:click=move |_| refresh()>"Try again"</button>
                        </div>
                    }
                })}
                {content}
            </div>
        </div>
        <DeleteDialog doomed changes />
    }
}

/// How far the list is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    NotConnected,
    OnItsWay,
    Failed,
    There,
}

/// How long after an answer the list is read again, and after a failure.
const PAUSE: Duration = Duration::from_secs(15);
const LONG_PAUSE: Duration = Duration::from_secs(60);

/// Reads the list again some time after it came. A page that nobody sees asks for nothing, and at once when
/// it is seen again.
fn refresh_by_itself(items: RwSignal<Load<Vec<Job>>>, refresh: impl Fn() + Copy + 'static) {
    let waiting: StoredValue<Option<TimeoutHandle>> = StoredValue::new(None);
    let stop = move || {
        waiting.try_update_value(|waiting| waiting.take().inspect(TimeoutHandle::clear));
    };
    Effect::new(move || {
        let pause = match &*items.read() {
            Load::Done(_) => PAUSE,
            Load::Failed(_) => LONG_PAUSE,
            Load::Idle | Load::Loading => return stop(),
        };
        stop();
        let due = move || {
            if !document().hidden() {
                refresh();
            }
        };
        waiting.set_value(set_timeout_with_handle(due, pause).ok());
    });
    let listener = window_event_listener_untyped("visibilitychange", move |_| {
        let known = matches!(items.try_get_untracked(), Some(Load::Done(_) | Load::Failed(_)));
        if known && !document().hidden() {
            refresh();
        }
    });
    on_cleanup(move || {
        listener.remove();
        stop();
    });
}

/// Shows the form of a new job.
#[component]
fn NewJob() -> impl IntoView {
    let job = JobDraft::get();
    let start = move |_| {
        job.start();
        focus("job-name");
    };
    view! {
        <button type="button" id="new-job" class="button primary" on:click=start>
            <Pictogram icon=Icon::Plus />
            {move || if job.has_unsaved_new_job() { "Go on with the new job" } else { "New job" }}
        </button>
    }
}

/// Goes back to a job that was being edited.
#[component]
fn Edited() -> impl IntoView {
    let job = JobDraft::get();
    move || {
        job.original.read().as_ref().map(|present| view! {
            <button type="button" class="button" on:click=move |_| job.open.set(true)>{format!("Go on editing {}", job_label(present))}</button>
        })
    }
}

#[component]
fn NotConnected() -> impl IntoView {
    let service = ServiceContext::get();
    let job_draft = JobDraft::get();
    view! {
        <div class="empty">
            <h2>"The jobs live in the service"</h2>
            <p>{move || service.job_owner(job_draft.scope.get()).missing_setting(&service.connection.read())}</p>
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
    let scope = JobDraft::get().scope;
    view! {
        <div class="empty">
            <h2>"No jobs yet"</h2>
            <p>{move || match scope.get() {
                JobScope::Zone => view! { "A job sends the log lines of one dataset to a destination: for example, all " <code>"http_requests"</code> " with a status from 500 on to a bucket." }.into_any(),
                JobScope::Account => view! { "A job of an account sends the log lines of a dataset that belongs to no single zone, such as " <code>"audit_logs"</code> ", to a destination." }.into_any(),
            }}</p>
            <NewJob />
        </div>
    }
}

/// What to look at once a job is there.
#[component]
fn Created(job: Job) -> impl IntoView {
    let created = JobDraft::get().created;
    let enabled = job.settings.enabled;
    view! {
        <section class="notice success created" aria-label="What to look at now">
            <Pictogram icon=Icon::Success />
            <div class="notice-body">
                <p class="notice-title">{format!("Job {} is there. What to look at now:", job_label(&job))}</p>
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
fn JobTable(jobs: RwSignal<Option<Vec<Job>>>, doomed: RwSignal<Option<Job>>, switch: Callback<Job>) -> impl IntoView {
    // Rows stay as long as their job is there, so that the keyboard stays where it is.
    let numbers = move || jobs.read().iter().flatten().map(|job| job.id).collect::<Vec<_>>();
    let job_of = move |id: u64| {
        Memo::new(move |before: Option<&Option<Job>>| {
            let now = jobs.read().iter().flatten().find(|job| job.id == id).cloned();
            // A row that is about to go shows what it had.
            now.or_else(|| before.cloned().flatten())
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
                <For each=numbers key=|id| *id let(id)>
                    <row::Row job=job_of(id) doomed switch />
                </For>
            </tbody>
        </table>
    }
}
