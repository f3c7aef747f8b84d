//! The dialog that deletes a job.

use crate::api::{JobDeletion, WriteOutcome};
use crate::components::delete_dialog::{DeletionDialog, DeletionMessages, DeletionRequest};
use crate::components::dialog::Dialog;
use crate::components::in_doubt::WriteFailureNotice;
use crate::job::{job_label, redacted_address};
use crate::state::job_draft::JobDraft;
use crate::state::service::ServiceContext;
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use leptos::task::spawn_local;
use zonewright_api::logpush::Job;

const MESSAGES: DeletionMessages =
    DeletionMessages { rejected: "The job was not deleted", in_doubt: "We don't know whether the job was deleted" };

/// Confirms and sends the deletion.
#[component]
pub(super) fn DeleteDialog(
    /// The job to delete; the dialog is closed while it is `None`.
    pending_deletion: RwSignal<Option<Job>>,
    /// Incremented after the deletion.
    changes: RwSignal<u32>,
) -> impl IntoView {
    let service = ServiceContext::get();
    let job_draft = JobDraft::get();
    let toasts = ToastContext::get();
    let dialog = DeletionDialog::new(pending_deletion, |job: &Job| job.id.to_string(), MESSAGES);
    let DeletionDialog { open, busy, failure, .. } = dialog;
    let settle = move |request: DeletionRequest<Job>, write: WriteOutcome<JobDeletion>| {
        let is_same_connection = *service.connection.read_untracked() == request.connection;
        dialog.finish(request, write, move |job, (), is_shown| {
            if is_shown {
                open.set(false);
            }
            toasts.show_success("Job deleted");
            if is_same_connection {
                job_draft.remove_job(job.id);
            }
            changes.try_update(|changes| *changes = changes.wrapping_add(1));
        });
    };
    let delete = move |_| {
        let Some((request, client)) = dialog.begin() else { return };
        let owner = untrack(move || service.job_owner(job_draft.scope.get()));
        let deletion = JobDeletion { owner, id: request.target.id };
        spawn_local(async move { settle(request, client.delete_job(deletion).await) });
    };
    let probe_again = dialog.probe_again(settle);
    let question = move || {
        let job = pending_deletion.get()?;
        Some(view! {
            <p><strong>{job_label(&job)}</strong> " sends " <code>{job.settings.dataset.clone()}</code> " to:"</p>
            <pre class="code-block"><code>{redacted_address(&job.settings.destination_conf)}</code></pre>
            <p>"Delivery stops immediately, and log lines that were not delivered yet are lost. Delivered log lines remain at the destination."</p>
            <WriteFailureNotice rejected_title="It was not deleted" in_doubt_title=MESSAGES.in_doubt failure is_deletion=true busy probe_again />
            <div class="dialog-actions">
                <button type="button" class="button" data-focus on:click=move |_| open.set(false)>"Cancel"</button>
                <button type="button" class="button danger" aria-disabled=move || busy.get().to_string() on:click=delete>"Delete"</button>
            </div>
        })
    };
    view! { <Dialog open title="Delete this job?">{question}</Dialog> }
}
