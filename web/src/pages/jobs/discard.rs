//! The dialog that asks before an unsaved edit is discarded.

use crate::components::dialog::Dialog;
use crate::focus::focus_by_id;
use crate::job::job_label;
use crate::state::job_draft::{JobDraft, JobTarget};
use leptos::prelude::*;

/// Asks whether to discard the unsaved edit of a job, so that the form can show another one.
#[component]
pub(super) fn DiscardDialog() -> impl IntoView {
    let job_draft = JobDraft::get();
    let open = RwSignal::new(false);
    Effect::new(move || open.set(job_draft.pending_target.read().is_some()));
    Effect::new(move |was_open: Option<bool>| {
        let is_open = open.get();
        if was_open == Some(true) && !is_open {
            job_draft.pending_target.set(None);
        }
        is_open
    });
    // A question that the user left with the page is not asked again.
    on_cleanup(move || job_draft.pending_target.set(None));
    let discard = move |_| {
        job_draft.discard_and_open();
        focus_by_id("job-name");
    };
    let question = move || {
        let target = job_draft.pending_target.get()?;
        let edited = job_draft.original.read().as_ref().map(job_label)?;
        let effect = match target {
            JobTarget::New => "Starting a new job discards them.".to_owned(),
            JobTarget::Existing(job) => format!("Editing job {} discards them.", job_label(&job)),
        };
        Some(view! {
            <p>"You have unsaved changes to job " <strong>{edited}</strong> ". " {effect}</p>
            <div class="dialog-actions">
                <button type="button" class="button" data-focus on:click=move |_| open.set(false)>"Cancel"</button>
                <button type="button" class="button danger" on:click=discard>"Discard changes"</button>
            </div>
        })
    };
    view! { <Dialog open title="Discard your changes?">{question}</Dialog> }
}
