//! Which fields a job sends, and how they are written.

use super::desk::Desk;
use super::fields::FieldPicker;
use crate::components::field::{Field, TextField};
use crate::components::icon::{Icon, Pictogram};
use crate::components::page_text::Inline;
use crate::components::segments::Segments;
use crate::job::{JobForm, TEXTS};
use leptos::prelude::*;
use zonewright_logpush::TIMESTAMP_FORMATS;

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
    let times = TIMESTAMP_FORMATS.iter().enumerate().map(move |(index, name)| {
        let value = if index == 0 { "" } else { name };
        let words = TIMES.iter().find(|(one, _)| one == name).map_or(*name, |(_, words)| words);
        view! { <option value=value selected=move || *timestamp.read() == value>{words}</option> }
    });
    view! {
        <fieldset class="group">
            <legend>"Output"</legend>
            <FieldPicker />
            <div class="field">
                <span class="field-label">"Written as"</span>
                <Segments
                    label="Written as"
                    choices=vec![(false, "JSON lines"), (true, "CSV")]
                    value=desk.part(|form| form.output.csv)
                    choose=move |csv| desk.change(|form| form.output.csv = csv)
                />
            </div>
            <Field id="job-timestamp" label="Times" error=desk.error("/output_options/timestamp_format")>
                <select
                    id="job-timestamp"
                    aria-describedby="job-timestamp-error"
                    prop:value=timestamp
                    on:change=move |event| desk.change(|form| form.output.timestamp = event_target_value(&event))
                >
                    {times.collect_view()}
                </select>
            </Field>
            <TextField
                id="job-sample-rate"
                class="short"
                inputmode="decimal"
                label="Sample rate"
                help="Above 0 up to 1: 0.1 sends a tenth of the lines that the filter keeps. Empty sends all."
                error=desk.error("/output_options/sample_rate")
                value=desk.part(|form| form.output.rate.clone())
                change=Callback::new(move |text| desk.change(|form| form.output.rate = text))
            />
            <Advanced />
        </fieldset>
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
    let open = desk.draft.form.read_untracked().output.texts.iter().any(Option::is_some);
    view! {
        <details class="advanced" open=open>
            <summary>"Advanced"</summary>
            <div class="advanced-fields">
                <p class="quiet">"\\n is a line break, \\t a tab. A tick sets the text, also to nothing; without it the default holds."</p>
                {texts.collect_view()}
                <Tick label="Replace ${ by x{ (CVE-2021-44228)" pointer="/output_options/CVE-2021-44228"
                    value=|form| form.output.replaces set=|form, on| form.output.replaces = on />
                <Tick label="Merge subrequests into their request" pointer="/output_options/merge_subrequests"
                    value=|form| form.output.merges set=|form, on| form.output.merges = on />
                <Tick label="Write objects as text" pointer="/output_options/stringify_object"
                    value=|form| form.output.stringify set=|form, on| form.output.stringify = on />
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

/// A flag.
#[component]
fn Tick(
    /// Its words.
    label: &'static str,
    /// Where it stands in a job.
    pointer: &'static str,
    /// Whether it is set.
    value: fn(&JobForm) -> bool,
    /// Sets it.
    set: fn(&mut JobForm, bool),
) -> impl IntoView {
    let desk = Desk::get();
    let error = desk.error(pointer);
    view! {
        <div class="field">
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=desk.part(value)
                    on:change=move |event| desk.change(|form| set(form, event_target_checked(&event)))
                />
                <span>{label}</span>
            </label>
            <div class="field-error" hidden=move || error.read().is_empty()>
                <Pictogram icon=Icon::Error />
                <span>{move || view! { <Inline text=error.get() /> }}</span>
            </div>
        </div>
    }
}
