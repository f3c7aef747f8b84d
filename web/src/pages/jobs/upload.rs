//! How a job delivers: bounds of a batch, frequency, kind.

use super::desk::Desk;
use super::tick::Tick;
use crate::components::field::{Field, TextField};
use crate::components::segments::Segments;
use crate::job::BOUNDS;
use leptos::prelude::*;

/// Labels and help of the bounds, in the order of [`BOUNDS`].
const WORDS: [(&str, &str, &str); 3] = [
    ("Bytes", "5 MB (5000000) to 1 GB (1000000000), before compression.", "/max_upload_bytes"),
    ("Seconds", "30 to 300.", "/max_upload_interval_seconds"),
    ("Records", "1000 to 1000000.", "/max_upload_records"),
];

/// The fields.
#[component]
pub(super) fn UploadFields() -> impl IntoView {
    let desk = Desk::get();
    let bounds = BOUNDS.iter().zip(WORDS).enumerate().map(|(index, (name, (label, help, pointer)))| {
        let value = Memo::new(move |_| desk.draft.form.read().bounds.get(index).cloned().unwrap_or_default());
        let change = Callback::new(move |text: String| {
            desk.change(|form| {
                if let Some(bound) = form.bounds.get_mut(index) {
                    *bound = text;
                }
            });
        });
        let error = desk.error(pointer);
        view! { <TextField id=format!("job-{name}") class="short" inputmode="numeric" label help error value change /> }
    });
    let fixed = move || desk.draft.original.read().is_some();
    let kind = desk.part(|form| form.kind.clone());
    view! {
        <fieldset class="form-part">
            <legend>"Delivery"</legend>
            <p class="quiet">"A batch is sent when it reaches one of these bounds; empty leaves the bound to the service."</p>
            <div class="bounds">{bounds.collect_view()}</div>
            <div class="field" id="job-frequency">
                <span class="field-label">"Frequency"</span>
                <Segments
                    label="Frequency"
                    choices=vec![(true, "High"), (false, "Low")]
                    value=desk.part(|form| form.frequency == "high")
                    choose=move |high| desk.change(|form| form.frequency = if high { "high" } else { "low" }.to_owned())
                />
                <p class="field-help">"High sends small batches often, low sends large ones seldom."</p>
            </div>
            <Field id="job-kind" label="Kind" help="Edge logs are for http_requests; the kind of a job never changes." error=desk.error("/kind")>
                <select
                    id="job-kind"
                    aria-describedby="job-kind-help job-kind-error"
                    disabled=fixed
                    prop:value=kind
                    on:change=move |event| desk.change(|form| form.kind = event_target_value(&event))
                >
                    <option value="" selected=move || kind.read().is_empty()>"Usual"</option>
                    <option value="edge" selected=move || *kind.read() == "edge">"Edge"</option>
                </select>
            </Field>
            <Tick label="Leave out lines of attacks" name="filter_attack_traffic" pointer="/filter_attack_traffic"
                value=|form| form.without_attacks set=|form, on| form.without_attacks = on />
        </fieldset>
    }
}
