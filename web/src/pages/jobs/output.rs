//! Which fields a job sends, and how they are written.

use super::desk::Desk;
use super::fields::FieldPicker;
use super::tick::Tick;
use crate::components::field::{Field, TextField};
use crate::components::icon::{Icon, Pictogram};
use crate::components::page_text::Inline;
use crate::components::segments::Segments;
use crate::job::TEXTS;
use leptos::prelude::*;
use zonewright_api::logpush::TimestampFormat;

/// The formats of times in words; the first is taken when nothing is said.
const TIMES: [(&str, &str); 5] = [
    ("unixnano", "Nanoseconds since 1970"),
    ("unix", "Seconds since 1970"),
    ("rfc3339", "RFC 3339, to the second"),
    ("rfc3339ms", "RFC 3339, to the millisecond"),
    ("rfc3339ns", "RFC 3339, to the nanosecond"),
];

/// The output options.
#[component]
pub(super) fn OutputFields() -> impl IntoView {
    let desk = Desk::get();
    let timestamp = desk.part(|form| form.output.timestamp.clone());
    let times = TimestampFormat::NAMES.iter().enumerate().map(move |(index, name)| {
        let value = if index == 0 { "" } else { name };
        let words = TIMES.iter().find(|(one, _)| one == name).map_or(*name, |(_, words)| words);
        view! { <option value=value selected=move || *timestamp.read() == value>{words}</option> }
    });
    view! {
        <fieldset class="form-part">
            <legend>"Output"</legend>
            <FieldPicker />
            <div class="field" id="job-output_type">
                <span class="field-label">"Written as"</span>
                <Segments
                    label="Written as"
                    choices=vec![(false, "JSON lines"), (true, "CSV")]
                    value=desk.part(|form| form.output.csv)
                    choose=move |csv| desk.change(|form| form.output.csv = csv)
                />
            </div>
            <Field id="job-timestamp_format" label="Times" error=desk.error("/output_options/timestamp_format")>
                <select
                    id="job-timestamp_format"
                    aria-describedby="job-timestamp_format-error"
                    prop:value=timestamp
                    on:change=move |event| desk.change(|form| form.output.timestamp = event_target_value(&event))
                >
                    {times.collect_view()}
                </select>
            </Field>
            <TextField
                id="job-sample_rate"
                class="short"
                inputmode="decimal"
                label="Sample rate"
                help="Above 0 up to 1: 0.1 sends a tenth of the lines that the filter keeps. Empty sends all."
                error=desk.error("/output_options/sample_rate")
                value=desk.part(|form| form.output.rate.clone())
                change=Callback::new(move |text| desk.change(|form| form.output.rate = text))
            />
            <OlderForm />
            <Advanced />
        </fieldset>
    }
}

/// Output options that are still in their older form.
#[component]
fn OlderForm() -> impl IntoView {
    let desk = Desk::get();
    let older = desk.part(|form| form.older.as_ref().map(|older| older.text.clone()));
    let error = desk.error("/logpull_options");
    move || {
        older.get().map(|text| view! {
            <div class="field" id="job-logpull_options" class:wrong=move || !error.read().is_empty()>
                <span class="field-label">"Older form"</span>
                <p class="field-help">
                    "The job has the older " <code>"logpull_options"</code> ": " <code>{text}</code>
                    ". They mean what stands above, and no longer count once something of it is changed."
                </p>
                <div class="field-error" hidden=move || error.read().is_empty()>
                    <Pictogram icon=Icon::Error />
                    <span>{move || view! { <Inline text=error.get() /> }}</span>
                </div>
                <button type="button" class="button filter-show" on:click=move |_| desk.change(|form| form.older = None)>
                    "Replace by the present form"
                </button>
            </div>
        })
    }
}

/// What few jobs need.
#[component]
fn Advanced() -> impl IntoView {
    let desk = Desk::get();
    let texts = TEXTS.iter().enumerate().map(|(index, (name, label, defaults))| {
        view! { <Text index name label defaults=*defaults /> }
    });
    // A job that has one of them already shows them.
    let open = desk.draft.form.with_untracked(|form| {
        let output = &form.output;
        let flags = [output.replaces, output.merges, output.stringify, form.merges];
        flags.contains(&true) || output.texts.iter().any(Option::is_some) || !form.transformer.is_empty()
    });
    view! {
        <details class="advanced" open=open>
            <summary>"Advanced"</summary>
            <div class="advanced-fields">
                <p class="quiet">"\\n is a line break, \\t a tab. A tick sets the text, also to nothing; without it the default holds."</p>
                {texts.collect_view()}
                <Tick label="Replace ${ by x{" name="CVE-2021-44228" pointer="/output_options/CVE-2021-44228"
                    value=|form| form.output.replaces set=|form, on| form.output.replaces = on />
                <Tick label="Merge subrequests into their request" name="merge_subrequests" pointer="/output_options/merge_subrequests"
                    value=|form| form.output.merges set=|form, on| form.output.merges = on />
                <Tick label="The same, as a member of the job itself" name="subrequest_merging" pointer="/subrequest_merging"
                    value=|form| form.merges set=|form, on| form.merges = on />
                <Tick label="Write objects as text" name="stringify_object" pointer="/output_options/stringify_object"
                    value=|form| form.output.stringify set=|form, on| form.output.stringify = on />
                <TextField
                    id="job-transformer_id"
                    class="short"
                    inputmode="numeric"
                    label="Transformer"
                    help="Number of a transformer of the account, for JSON lines; empty for none. The service zonewright serve has none."
                    error=desk.error("/transformer_id")
                    value=desk.part(|form| form.transformer.clone())
                    change=Callback::new(move |text| desk.change(|form| form.transformer = text))
                />
            </div>
        </details>
    }
}

/// A text around records: its default, or one's own.
#[component]
fn Text(index: usize, name: &'static str, label: &'static str, defaults: [&'static str; 2]) -> impl IntoView {
    let desk = Desk::get();
    let value = Memo::new(move |_| desk.draft.form.read().output.texts.get(index).cloned().flatten());
    let csv = desk.part(|form| form.output.csv);
    let default = move || {
        let [json, of_csv] = defaults;
        let text = if csv.get() { of_csv } else { json };
        if text.is_empty() { "nothing".to_owned() } else { text.to_owned() }
    };
    let set = move |text: Option<String>| {
        desk.change(|form| {
            if let Some(own) = form.output.texts.get_mut(index) {
                *own = text;
            }
        });
    };
    let error = Signal::derive(move || desk.said(&format!("/output_options/{name}")).join("\n"));
    let is_set = move || value.read().is_some();
    view! {
        <div class="field" class:wrong=move || !error.read().is_empty()>
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=is_set
                    on:change=move |event| set(event_target_checked(&event).then(String::new))
                />
                <span>{label} " " <code class="quiet">{name}</code></span>
            </label>
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
            <div class="field-error" hidden=move || error.read().is_empty()>
                <Pictogram icon=Icon::Error />
                <span>{move || view! { <Inline text=error.get() /> }}</span>
            </div>
        </div>
    }
}
