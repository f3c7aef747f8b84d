//! A row of the list of jobs.

use crate::components::icon::{Icon, IconView};
use crate::components::local_time::LocalTime;
use crate::focus::focus_by_id;
use crate::job::{job_label, provider_title, redacted_address};
use crate::state::job_draft::{JobDraft, JobTarget};
use leptos::prelude::*;
use zonewright_api::logpush::Job;

/// The row.
#[component]
pub(super) fn Row(
    /// The job; `None` only before the job was listed.
    job: Memo<Option<Job>>,
    /// The job to delete.
    pending_deletion: RwSignal<Option<Job>>,
    /// Called with the job to enable or disable.
    switch: Callback<Job>,
) -> impl IntoView {
    let job_draft = JobDraft::get();
    let name = Memo::new(move |_| job.read().as_ref().map(job_label).unwrap_or_default());
    let enabled = Memo::new(move |_| job.read().as_ref().is_some_and(|job| job.settings.enabled));
    let edit = move |_| {
        let Some(job) = job.get_untracked() else { return };
        if job_draft.open_job(JobTarget::Existing(Box::new(job))) {
            focus_by_id("job-name");
        }
    };
    let toggle = move |_| {
        if let Some(job) = job.get_untracked() {
            switch.run(job);
        }
    };
    view! {
        <tr role="row">
            <td role="cell" data-label="Job" class="job-name">
                <div>
                    <span class="cell-title">{name}</span>
                    {move || {
                        let job = job.get()?;
                        job.settings.name.is_some().then(|| view! { <span class="cell-more">{format!("ID {}", job.id)}</span> })
                    }}
                </div>
            </td>
            <td role="cell" data-label="Dataset">
                <div>
                    <code>{move || job.get().map(|job| job.settings.dataset)}</code>
                    {move || job.get()?.settings.filter.map(|_| view! { <span class="cell-more">"filtered"</span> })}
                </div>
            </td>
            <td role="cell" data-label="Destination">
                <div>{move || job.get().map(|job| destination_view(&job))}</div>
            </td>
            <td role="cell" data-label="Enabled">
                <button
                    type="button"
                    class="switch"
                    role="switch"
                    aria-checked=move || if enabled.get() { "true" } else { "false" }
                    aria-label=move || format!("Enable job {}", name.get())
                    on:click=toggle
                >
                    <span class="switch-track" aria-hidden="true"></span>
                    {move || if enabled.get() { "On" } else { "Off" }}
                </button>
            </td>
            <td role="cell" data-label="Last complete">{move || job.get().map(|job| time_view(job.last_complete, "never"))}</td>
            <td role="cell" data-label="Last error" class="job-error">
                <div>
                    {move || job.get().map(|job| time_view(job.last_error, "none"))}
                    {move || job.get()?.error_message.map(|message| view! {
                        <p class="field-error"><IconView icon=Icon::Error /><span>{message}</span></p>
                    })}
                </div>
            </td>
            <td role="cell" class="row-actions">
                <div class="row-buttons">
                    <button type="button" class="button small" aria-label=move || format!("Edit job {}", name.get()) on:click=edit>"Edit"</button>
                    <button type="button" class="button small" aria-label=move || format!("Delete job {}", name.get()) on:click=move |_| pending_deletion.set(job.get_untracked())>"Delete"</button>
                </div>
            </td>
        </tr>
    }
}

fn destination_view(job: &Job) -> AnyView {
    let address = &job.settings.destination_conf;
    view! {
        <code class="expression">{redacted_address(address)}</code>
        <span class="cell-more">{provider_title(address)}</span>
    }
    .into_any()
}

fn time_view(time: Option<String>, text_without_time: &'static str) -> AnyView {
    match time {
        Some(time) => view! { <LocalTime time clock=true /> }.into_any(),
        None => view! { <span class="quiet">{text_without_time}</span> }.into_any(),
    }
}
