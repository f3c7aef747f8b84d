//! The form section "Delivery": the limits of a batch, the frequency and the kind.

use super::flag_field::FlagField;
use super::form_context::FormContext;
use crate::components::form::{FieldGroup, SelectField, SelectOption, TextField};
use crate::components::segmented_control::SegmentedControl;
use crate::job::BATCH_LIMITS;
use leptos::prelude::*;
use zonewright_api::logpush::{JobFrequency, JobKind};

/// The label, the help and the JSON pointer of each limit, in the order of [`BATCH_LIMITS`].
const BATCH_LIMIT_FIELDS: [(&str, &str, &str); 3] = [
    ("Bytes", "5 MB (5000000) to 1 GB (1000000000), before compression.", "/max_upload_bytes"),
    ("Seconds", "30 to 300.", "/max_upload_interval_seconds"),
    ("Records", "1000 to 1000000.", "/max_upload_records"),
];

/// The fields for the limits of a batch, the frequency and the kind.
#[component]
pub(super) fn BatchingFields() -> impl IntoView {
    let context = FormContext::get();
    let limits = BATCH_LIMITS.iter().zip(BATCH_LIMIT_FIELDS).enumerate().map(|(index, (name, (label, help, pointer)))| {
        let value = Memo::new(move |_| context.draft.form.read().batch_limits.get(index).cloned().unwrap_or_default());
        let on_change = move |text: String| {
            context.update(|form| {
                if let Some(limit) = form.batch_limits.get_mut(index) {
                    *limit = text;
                }
            });
        };
        let error = context.error_at(pointer);
        view! { <TextField id=format!("job-{name}") class="short" inputmode="numeric" label help error value on_change /> }
    });
    let kind = context.select(|form| form.kind);
    let option = |(kind, label): (JobKind, &str)| (kind.name().to_owned(), label.to_owned());
    let kinds: Vec<SelectOption> = [(JobKind::Batch, "Default"), (JobKind::Edge, "Edge")].map(option).into();
    view! {
        <fieldset class="form-part">
            <legend>"Delivery"</legend>
            <p class="quiet">"A batch is sent when it reaches any of these limits. Leave a limit empty to use the service's default."</p>
            <div class="batch-limits">{limits.collect_view()}</div>
            <FieldGroup id="job-frequency" label="Frequency" help="High sends small batches often; low sends large batches less often.">
                <SegmentedControl
                    label="Frequency"
                    choices=vec![(JobFrequency::High, "High"), (JobFrequency::Low, "Low")]
                    value=context.select(|form| form.frequency)
                    choose=move |frequency| context.update(|form| form.frequency = frequency)
                />
            </FieldGroup>
            <SelectField
                id="job-kind"
                label="Kind"
                help="Edge jobs are for http_requests only. You cannot change the kind of an existing job."
                error=context.error_at("/kind")
                disabled=Signal::derive(move || context.draft.original.read().is_some())
                options=kinds
                value=Signal::derive(move || kind.get().name().to_owned())
                on_change=move |name: String| {
                    if let Some(kind) = JobKind::from_name(&name) {
                        context.update(|form| form.kind = kind);
                    }
                }
            />
            <FlagField label="Exclude attack traffic" name="filter_attack_traffic" pointer="/filter_attack_traffic"
                value=|form| form.exclude_attack_traffic set=|form, on| form.exclude_attack_traffic = on />
        </fieldset>
    }
}
