//! The question before a job is deleted.

use super::destination::shown;
use super::list::named;
use crate::api::{Client, JobDeletion, Lost, Write};
use crate::components::dialog::Dialog;
use crate::components::lost_write::{Attempt, AttemptNotice, words_of_unknown};
use crate::job::Owner;
use crate::session::Session;
use leptos::prelude::*;
use leptos::task::spawn_local;
use zonewright_api::logpush::Job;

const UNKNOWN: &str = "Whether the job was deleted is not known";

/// Asks, and deletes.
#[component]
pub(super) fn DeleteDialog(
    /// The job that is to be deleted; nothing is shown while it is `None`.
    doomed: RwSignal<Option<Job>>,
    /// Changes when it was deleted.
    changes: RwSignal<u32>,
) -> impl IntoView {
    let session = Session::get();
    let open = RwSignal::new(false);
    let busy = RwSignal::new(false);
    let attempt = RwSignal::new(None::<Attempt<JobDeletion>>);
    Effect::new(move || {
        if doomed.read().is_some() {
            attempt.set(None);
            open.set(true);
        }
    });
    Effect::new(move || {
        if !open.get() {
            doomed.set(None);
        }
    });
    let settle = move |id: u64, write: Write<JobDeletion>| {
        // A deletion goes on when the dialog is closed or the page is left.
        let shown = busy.try_set(false).is_none() && open.get_untracked();
        match write {
            Write::Made(()) => {
                open.try_set(false);
                session.say_done("Job deleted");
                session.job.created.update(|created| *created = created.take().filter(|one| one.id != id));
                changes.try_update(|changes| *changes = changes.wrapping_add(1));
            }
            Write::Refused(_) if !shown => session.say_problem("The job was not deleted"),
            Write::Unknown(_) if !shown => session.say_problem(words_of_unknown(UNKNOWN)),
            Write::Refused(problem) => attempt.set(Some(Attempt::Refused(problem))),
            Write::Unknown(lost) => attempt.set(Some(Attempt::Unknown(Box::new(lost)))),
        }
    };
    let delete = move |_| {
        let Some(job) = doomed.get_untracked().filter(|_| !busy.get_untracked()) else { return };
        let client = Client::timed(session.connection.get_untracked());
        let owner = untrack(move || Owner::of(session, session.job.scope.get()));
        busy.set(true);
        attempt.set(None);
        spawn_local(async move { settle(job.id, client.delete_job(JobDeletion { owner, id: job.id }).await) });
    };
    let again = Callback::new(move |lost: Lost<JobDeletion>| {
        let Some(job) = doomed.get_untracked() else { return };
        busy.set(true);
        spawn_local(async move { settle(job.id, lost.look_up().await) });
    });
    let question = move || {
        let job = doomed.get()?;
        Some(view! {
            <p><strong>{named(&job)}</strong> " sends " <code>{job.settings.dataset.clone()}</code> " to:"</p>
            <pre class="code-block"><code>{shown(&job.settings.destination_conf)}</code></pre>
            <p>"It stops delivering at once, and what was not delivered yet is lost. What it delivered stays where it is."</p>
            <AttemptNotice refused="It was not deleted" unknown=UNKNOWN attempt deletes=true busy again />
            <div class="dialog-actions">
                <button type="button" class="button" data-focus on:click=move |_| open.set(false)>"Keep"</button>
                <button type="button" class="button danger" aria-disabled=move || busy.get().to_string() on:click=delete>"Delete"</button>
            </div>
        })
    };
    view! { <Dialog open title="Delete this job?">{question}</Dialog> }
}
