//! The form of a new or an existing job.

use super::destination::DestinationFields;
use super::form_context::FormContext;
use super::{batching::BatchingFields, filter_field::FilterField, output::OutputFields};
use crate::components::form::{Checkbox, FieldGroup, Form, SelectField, SubmissionNotice, SubmitRow, TextField};
use crate::components::segmented_control::SegmentedControl;
use crate::focus::focus_by_id;
use crate::job::{job_label, supports_dataset};
use leptos::prelude::*;
use zonewright_logpush::{Dataset, JobScope};

/// The form, with a toolbar to leave or discard it.
#[component]
pub(super) fn JobFormPane() -> impl IntoView {
    let context = FormContext::get();
    let FormContext { draft, submission, .. } = context;
    let on_go_to_field = Callback::new(move |(pointer, message): (String, String)| context.go_to(&pointer, &message));
    let on_submit = move |event: leptos::ev::SubmitEvent| {
        context.was_submitted.set(true);
        submission.on_submit(&event);
    };
    let leave = move |discards: bool| {
        if discards {
            draft.clear();
        }
        draft.open.set(false);
        focus_by_id("new-job");
    };
    let title = move || {
        let original = draft.original.read();
        original.as_ref().map_or_else(|| "New job".to_owned(), |job| format!("Job {}", job_label(job)))
    };
    view! {
        <div class="stack">
            <div class="toolbar">
                <h2 id="job-heading">{title}</h2>
                <button type="button" class="button push" on:click=move |_| leave(true)>"Discard"</button>
                <button type="button" class="button" on:click=move |_| leave(false)>"Back to jobs"</button>
            </div>
            <form class="scroll form" tabindex="-1" aria-labelledby="job-heading" on:submit=on_submit novalidate autocomplete="off">
                <GeneralFields />
                <DestinationFields />
                <FilterField />
                <OutputFields />
                <BatchingFields />
                <SubmissionNotice submission on_go_to_field />
                <Actions />
            </form>
        </div>
    }
}

/// The submit row.
#[component]
fn Actions() -> impl IntoView {
    let context = FormContext::get();
    let submission = context.submission;
    let form = submission.form;
    let has_no_changes = move || form.is_edit() && context.body.read().is_empty();
    let reason = move || {
        form.missing_setting().unwrap_or_else(|| match form.is_edit() {
            _ if has_no_changes() => "No changes to save.",
            _ if !submission.errors.read().is_empty() => "",
            true => "Only changed settings are sent.",
            false => "Creates the job.",
        })
    };
    view! {
        <SubmitRow
            submission
            id="job-send-reason"
            label=Signal::derive(move || if form.is_edit() { "Save changes" } else { "Create job" })
            disabled=Signal::derive(move || form.missing_setting().is_some() || has_no_changes())
            reason=Signal::derive(reason)
        />
    }
}

/// Owner, name, dataset and state.
#[component]
fn GeneralFields() -> impl IntoView {
    let context = FormContext::get();
    let is_fixed = Signal::derive(move || context.submission.form.is_edit());
    let scope = context.select(|form| form.scope);
    let datasets = move || {
        let options = Dataset::all().iter().filter(|dataset| supports_dataset(scope.get(), dataset));
        options.map(|dataset| (dataset.name.to_owned(), dataset.name.to_owned())).collect::<Vec<_>>()
    };
    let owner_help = move || {
        let name = context.owner().name;
        let owner_sentence = if name.is_empty() { String::new() } else { format!("{name}.") };
        format!("{owner_sentence} Zones and accounts have different datasets.")
    };
    let dataset_help = move || {
        let fields = context.dataset().fields.len();
        let fixed_note = if is_fixed.get() { " You cannot change the dataset of an existing job." } else { "" };
        format!("{fields} fields.{fixed_note}")
    };
    view! {
        <FieldGroup label="Owner" hidden=is_fixed help=Signal::derive(owner_help)>
            <SegmentedControl
                label="Owner"
                choices=vec![(JobScope::Zone, "Zone"), (JobScope::Account, "Account")]
                value=scope
                choose=move |scope| context.update(|form| form.set_owner(scope))
            />
        </FieldGroup>
        <TextField
            id="job-name"
            label="Name"
            help="Optional. Use letters, digits, periods, hyphens, and underscores."
            error=context.error_at("/name")
            value=context.select(|form| form.name.clone())
            on_change=move |text| context.update(|form| form.name = text)
        />
        <SelectField
            id="job-dataset"
            class="mono"
            label="Dataset"
            help=Signal::derive(dataset_help)
            error=context.error_at("/dataset")
            disabled=is_fixed
            options=Signal::derive(datasets)
            value=context.dataset_name
            on_change=move |name| context.update(|form| form.dataset = name)
        />
        <Checkbox
            checked=context.select(|form| form.enabled)
            on_change=move |is_enabled| context.update(|form| form.enabled = is_enabled)
        >
            "Enabled: delivery starts when you save"
        </Checkbox>
    }
}
