//! A job, new or changed. What the service would refuse is refused here, in the same words.

use super::desk::{Desk, Outcome};
use super::send::{SendOutcome, Sender};
use super::{destination::DestinationFields, filter::FilterField, output::OutputFields, upload::UploadFields};
use crate::components::field::{Field, TextField};
use crate::components::segments::Segments;
use crate::focus::focus;
use crate::job::{can_have, job_label};
use leptos::html;
use leptos::prelude::*;
use zonewright_logpush::{Dataset, JobScope};

/// The left pane.
#[component]
pub(super) fn JobFormPane(
    /// Changes when a job was created or changed.
    changes: RwSignal<u32>,
) -> impl IntoView {
    let desk = Desk::get();
    let draft = desk.draft;
    let sender = Sender::new(changes);
    let busy = sender.busy();
    let send = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        desk.tried.set(true);
        let refused = desk.refusals.get_untracked();
        if !refused.is_empty() {
            desk.sending.outcome.set(Some(Outcome::NotSent(refused)));
            return;
        }
        sender.send();
    };
    // What came of sending stands at the end of the form: a short window must not hide it.
    let end = NodeRef::<html::Div>::new();
    Effect::new(move || {
        if desk.sending.outcome.read().is_some() {
            request_animation_frame(move || {
                if let Some(end) = end.get_untracked() {
                    end.scroll_into_view_with_bool(false);
                }
            });
        }
    });
    let go = Callback::new(move |(pointer, message): (String, String)| desk.show(&pointer, &message));
    let leave = move |forget: bool| {
        if forget {
            draft.clear();
        }
        draft.open.set(false);
        focus("new-job");
    };
    let number = move || draft.original.read().as_ref().map(|job| job.id);
    let title = move || {
        draft.original.read().as_ref().map_or_else(|| "New job".to_owned(), |job| format!("Job {}", job_label(job)))
    };
    let nothing = move || number().is_some() && desk.body.read().is_empty();
    let missing = move || desk.owner().missing_setting(&desk.service.connection.read());
    let reason = move || {
        missing().unwrap_or_else(|| match (nothing(), number().is_some()) {
            (true, _) => "Nothing has changed.",
            _ if !desk.refusals.read().is_empty() => "",
            (false, true) => "Only what has changed is sent.",
            (false, false) => "Creates the job.",
        })
    };
    view! {
        <div class="stack">
            <div class="toolbar">
                <h2 id="job-heading">{title}</h2>
                <button type="button" class="button push" on:click=move |_| leave(true)>"Discard"</button>
                <button type="button" class="button" on:click=move |_| leave(false)>"All jobs"</button>
            </div>
            <form class="scroll form" tabindex="-1" aria-labelledby="job-heading" on:submit=send novalidate autocomplete="off">
                <Basics />
                <DestinationFields />
                <FilterField />
                <OutputFields />
                <UploadFields />
                <SendOutcome sender go />
                <div class="form-actions" node_ref=end>
                    <button
                        type="submit"
                        class="button primary"
                        disabled=move || missing().is_some() || nothing()
                        aria-disabled=move || busy.get().to_string()
                        aria-describedby="job-send-reason"
                    >
                        {move || if number().is_some() { "Save changes" } else { "Create job" }}
                    </button>
                    <p id="job-send-reason" class="quiet">{reason}</p>
                </div>
            </form>
        </div>
    }
}

/// Name, dataset, state.
#[component]
fn Basics() -> impl IntoView {
    let desk = Desk::get();
    let fixed = move || desk.draft.original.read().is_some();
    let scope = desk.part(|form| form.scope);
    let options = move || {
        let fits = |dataset: &&Dataset| can_have(scope.get(), dataset);
        let option = |dataset: &'static Dataset| {
            view! { <option value=dataset.name selected=move || *desk.dataset.read() == dataset.name>{dataset.name}</option> }
        };
        Dataset::all().iter().filter(fits).map(option).collect_view()
    };
    let choose = move |scope: JobScope| desk.change(|form| form.give_to(scope));
    let whose = move || {
        let name = desk.owner().name;
        if name.is_empty() { String::new() } else { format!("That of {name}.") }
    };
    let help = move || {
        let fields = desk.fields_of().fields.len();
        if fixed() {
            format!("{fields} fields. The dataset of a job never changes.")
        } else {
            format!("{fields} fields.")
        }
    };
    view! {
        <div class="field" hidden=fixed>
            <span class="field-label">"Owner"</span>
            <Segments
                label="Owner"
                choices=vec![(JobScope::Zone, "Zone"), (JobScope::Account, "Account")]
                value=scope
                choose
            />
            <p class="field-help">{whose} " Each has datasets of its own."</p>
        </div>
        <TextField
            id="job-name"
            label="Name"
            help="Optional: letters, digits, dots, dashes and underscores."
            error=desk.error("/name")
            value=desk.part(|form| form.name.clone())
            change=Callback::new(move |text| desk.change(|form| form.name = text))
        />
        <Field id="job-dataset" label="Dataset" error=desk.error("/dataset")>
            <select
                id="job-dataset"
                class="mono"
                aria-describedby="job-dataset-fields job-dataset-error"
                disabled=fixed
                prop:value=move || desk.dataset.get()
                on:change=move |event| desk.change(|form| form.dataset = event_target_value(&event))
            >
                {options}
            </select>
            <p class="field-help" id="job-dataset-fields">{help}</p>
        </Field>
        <label class="check">
            <input
                type="checkbox"
                prop:checked=desk.part(|form| form.enabled)
                on:change=move |event| desk.change(|form| form.enabled = event_target_checked(&event))
            />
            <span>"Enabled: it delivers as soon as it is saved"</span>
        </label>
    }
}
