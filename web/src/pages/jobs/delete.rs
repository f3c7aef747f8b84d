//! The question before a job is deleted.

use super::destination::shown;
use super::list::named;
use crate::api::{Client, Problem};
use crate::components::dialog::Dialog;
use crate::components::failure::Failure;
use crate::job::Owner;
use crate::session::Session;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::AbortController;
use zonewright_api::logpush::Job;

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
    let problem = RwSignal::new(None::<Problem>);
    Effect::new(move || {
        if doomed.read().is_some() {
            problem.set(None);
            open.set(true);
        }
    });
    Effect::new(move || {
        if !open.get() {
            doomed.set(None);
        }
    });
    let delete = move |_| {
        let Some(job) = doomed.get_untracked().filter(|_| !busy.get_untracked()) else { return };
        let Ok(controller) = AbortController::new() else { return };
        let client = Client::new(session.connection.get_untracked(), &controller.signal());
        let owner = untrack(move || Owner::of(session, session.job.scope.get()));
        busy.set(true);
        problem.set(None);
        spawn_local(async move {
            let result = client.delete_job(&owner, job.id).await;
            // A deletion goes on when the page is left; then there is nobody to tell.
            if busy.try_set(false).is_some() {
                return;
            }
            match result {
                Ok(()) => {
                    open.set(false);
                    session.toast.set(Some("Job deleted".to_owned()));
                    session.job.created.update(|created| *created = created.take().filter(|one| one.id != job.id));
                    changes.update(|changes| *changes = changes.wrapping_add(1));
                }
                Err(found) => problem.set(Some(found)),
            }
        });
    };
    let question = move || {
        let job = doomed.get()?;
        Some(view! {
            <p><strong>{named(&job)}</strong> " sends " <code>{job.settings.dataset.clone()}</code> " to:"</p>
            <pre class="code-block"><code>{shown(&job.settings.destination_conf)}</code></pre>
            <p>"It stops delivering at once, and what was not delivered yet is lost. What it delivered stays where it is."</p>
            {move || problem.get().map(|problem| view! { <Failure title="It was not deleted" problem /> })}
            <div class="dialog-actions">
                <button type="button" class="button" data-focus on:click=move |_| open.set(false)>"Keep"</button>
                <button type="button" class="button danger" disabled=busy on:click=delete>"Delete"</button>
            </div>
        })
    };
    view! { <Dialog open title="Delete this job?">{question}</Dialog> }
}
