//! How a job delivers: bounds of a batch, frequency, kind.

use super::desk::Desk;
use crate::components::field::{Field, TextField};
use crate::components::segments::Segments;
use crate::job::BOUNDS;
use leptos::prelude::*;

/// Labels and help of the bounds, in the order of [`BOUNDS`].
const WORDS: [(&str, &str, &str); 3] = [
    ("Bytes", "5000000 (5 MB) to 1000000000 (1 GB), before compression.", "/max_upload_bytes"),
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
        view! { <TextField id=name.to_owned() class="short" inputmode="numeric" label help error value change /> }
    });
    let fixed = move || desk.draft.present.read().is_some();
    let kind = desk.part(|form| form.kind.clone());
    view! {
        <fieldset class="group">
            <legend>"Delivery"</legend>
            <p class="quiet">"A batch is sent when it reaches one of these bounds; empty leaves the bound to the service."</p>
            <div class="bounds">{bounds.collect_view()}</div>
            <div class="field">
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
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=desk.part(|form| form.without_attacks)
                    on:change=move |event| desk.change(|form| form.without_attacks = event_target_checked(&event))
                />
                <span>"Leave out lines of attacks"</span>
            </label>
            <p class="field-error" hidden=move || desk.said("/filter_attack_traffic").is_empty()>
                {move || desk.said("/filter_attack_traffic").join("\n")}
            </p>
        </fieldset>
    }
}
