//! The output options of a job: fields and format.

use super::fields::FieldPicker;
use super::flag_field::FlagField;
use super::form_context::FormContext;
use crate::components::form::{Checkbox, FieldError, FieldGroup, SelectField, SelectOption, TextField};
use crate::components::segmented_control::SegmentedControl;
use crate::job::RECORD_FORMAT_MEMBERS;
use leptos::prelude::*;
use zonewright_api::logpush::TimestampFormat;

/// The timestamp formats with labels.
const TIMESTAMP_FORMATS: [(&str, &str); 5] = [
    ("unixnano", "Unix time in nanoseconds"),
    ("unix", "Unix time in seconds"),
    ("rfc3339", "RFC 3339, to the second"),
    ("rfc3339ms", "RFC 3339, to the millisecond"),
    ("rfc3339ns", "RFC 3339, to the nanosecond"),
];

/// The output options.
#[component]
pub(super) fn OutputFields() -> impl IntoView {
    let context = FormContext::get();
    let timestamp_options = TimestampFormat::NAMES.iter().enumerate().map(|(index, name)| {
        let value = if index == 0 { "" } else { name };
        let label = TIMESTAMP_FORMATS.iter().find(|(format, _)| format == name).map_or(*name, |(_, label)| label);
        (value.to_owned(), label.to_owned())
    });
    let timestamp_options: Vec<SelectOption> = timestamp_options.collect();
    view! {
        <fieldset class="form-part">
            <legend>"Output"</legend>
            <FieldPicker />
            <FieldGroup id="job-output_type" label="Format">
                <SegmentedControl
                    label="Format"
                    choices=vec![(false, "JSON lines"), (true, "CSV")]
                    value=context.select(|form| form.output.csv)
                    choose=move |csv| context.update(|form| form.output.csv = csv)
                />
            </FieldGroup>
            <SelectField
                id="job-timestamp_format"
                label="Timestamp format"
                error=context.error_at("/output_options/timestamp_format")
                options=timestamp_options
                value=context.select(|form| form.output.timestamp.clone())
                on_change=move |format| context.update(|form| form.output.timestamp = format)
            />
            <TextField
                id="job-sample_rate"
                class="short"
                inputmode="decimal"
                label="Sample rate"
                help="Above 0, up to 1. For example, 0.1 sends 10% of the lines that match the filter. Leave empty to send all."
                error=context.error_at("/output_options/sample_rate")
                value=context.select(|form| form.output.sample_rate.clone())
                on_change=move |text| context.update(|form| form.output.sample_rate = text)
            />
            <LegacyOptionsNotice />
            <Advanced />
        </fieldset>
    }
}

/// The legacy output options of a job, until they are converted.
#[component]
fn LegacyOptionsNotice() -> impl IntoView {
    let context = FormContext::get();
    let legacy = context.select(|form| form.legacy_output.as_ref().map(|legacy| legacy.text.clone()));
    let error = context.error_at("/logpull_options");
    move || {
        legacy.get().map(|text| view! {
            <div class="field" id="job-logpull_options" class:wrong=move || !error.read().is_empty()>
                <span class="field-label">"Legacy options"</span>
                <p class="field-help">
                    "The job has the legacy " <code>"logpull_options"</code> ": " <code>{text}</code>
                    ". They are equivalent to the settings above. Changing one of those settings replaces them."
                </p>
                <FieldError message=error />
                <button type="button" class="button filter-show" on:click=move |_| context.update(|form| form.legacy_output = None)>
                    "Convert to output_options"
                </button>
            </div>
        })
    }
}

/// Options that few jobs need.
#[component]
fn Advanced() -> impl IntoView {
    let context = FormContext::get();
    let texts = RECORD_FORMAT_MEMBERS.iter().enumerate().map(|(index, (name, label, defaults))| {
        view! { <RecordFormatField index name label defaults=*defaults /> }
    });
    // The section is open from the start if an option in it is set.
    let open = context.draft.form.with_untracked(|form| {
        let output = &form.output;
        let flags = [
            output.mitigate_cve_2021_44228,
            output.merge_subrequests,
            output.stringify_objects,
            form.subrequest_merging,
        ];
        flags.contains(&true) || output.texts.iter().any(Option::is_some) || !form.transformer.is_empty()
    });
    view! {
        <details class="advanced" open=open>
            <summary>"Advanced"</summary>
            <div class="advanced-fields">
                <p class="quiet">"\\n is a line break, \\t a tab. Check a box to override the default, even with empty text."</p>
                {texts.collect_view()}
                <FlagField label="Replace ${ with x{" name="CVE-2021-44228" pointer="/output_options/CVE-2021-44228"
                    value=|form| form.output.mitigate_cve_2021_44228 set=|form, on| form.output.mitigate_cve_2021_44228 = on />
                <FlagField label="Merge subrequests into their request" name="merge_subrequests" pointer="/output_options/merge_subrequests"
                    value=|form| form.output.merge_subrequests set=|form, on| form.output.merge_subrequests = on />
                <FlagField label="Merge subrequests (job-level setting)" name="subrequest_merging" pointer="/subrequest_merging"
                    value=|form| form.subrequest_merging set=|form, on| form.subrequest_merging = on />
                <FlagField label="Write objects as strings" name="stringify_object" pointer="/output_options/stringify_object"
                    value=|form| form.output.stringify_objects set=|form, on| form.output.stringify_objects = on />
                <TextField
                    id="job-transformer_id"
                    class="short"
                    inputmode="numeric"
                    label="Transformer"
                    help="The ID of a transformer of the account, for JSON lines. Leave empty for none. zonewright serve does not support transformers."
                    error=context.error_at("/transformer_id")
                    value=context.select(|form| form.transformer.clone())
                    on_change=move |text| context.update(|form| form.transformer = text)
                />
            </div>
        </details>
    }
}

/// A text around records or batches: the default, or a custom one.
#[component]
fn RecordFormatField(
    index: usize,
    name: &'static str,
    label: &'static str,
    defaults: [&'static str; 2],
) -> impl IntoView {
    let context = FormContext::get();
    let value = Memo::new(move |_| context.draft.form.read().output.texts.get(index).cloned().flatten());
    let csv = context.select(|form| form.output.csv);
    let default = move || {
        let [json_default, csv_default] = defaults;
        let text = if csv.get() { csv_default } else { json_default };
        if text.is_empty() { "empty".to_owned() } else { text.to_owned() }
    };
    let set = move |text: Option<String>| {
        context.update(|form| {
            if let Some(current) = form.output.texts.get_mut(index) {
                *current = text;
            }
        });
    };
    let error = context.error_at(format!("/output_options/{name}"));
    let is_set = move || value.read().is_some();
    view! {
        <div class="field" class:wrong=move || !error.read().is_empty()>
            <Checkbox checked=Signal::derive(is_set) on_change=move |is_checked: bool| set(is_checked.then(String::new))>
                {label} " " <code class="quiet">{name}</code>
            </Checkbox>
            <input
                type="text"
                class="mono"
                id=format!("job-{name}")
                autocomplete="off"
                spellcheck="false"
                aria-label=label
                placeholder=default
                disabled=move || !is_set()
                prop:value=move || value.get().unwrap_or_default()
                on:input=move |event| set(Some(event_target_value(&event)))
            />
            <FieldError message=error />
        </div>
    }
}
