//! The evaluation of the expression on a sample request, condition by condition.

use super::context::WorkbenchContext;
use super::sample_request::{
    Input, Outcome, SampleContext, SampleEvaluation, SampleResult, Step, Truth, display_value,
};
use crate::components::answer_view::AnswerView;
use crate::components::form::FieldError;
use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use crate::components::segmented_control::SegmentedControl;
use crate::part::PartResult;
use crate::text::capitalize;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_split_helpers::wasm_split;
use zonewright_diagnostic::Span;
use zonewright_expression::MissingPolicy;

/// Largest number of rows that are shown; the others are only counted.
const MAX_ROWS: usize = 200;

/// The panel, which is a part of the app.
#[wasm_split(expression_tools, fallible)]
pub(crate) fn test_request_panel() -> PartResult<AnyView> {
    Ok(view! { <TestRequestPanel /> }.into_any())
}

/// Edits a sample request, and evaluates the expression on it.
#[component]
fn TestRequestPanel() -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let input = workbench.input;
    let sample = SampleContext::provide(workbench.analyzed, input);
    let format = move || sample.read(|sample| sample.result.format.clone()).flatten();
    view! {
        <EvaluationResult />
        <div class="tool-form">
            <div class="field">
                <label class="field-label" for="sample-text">"Request"</label>
                <textarea
                    id="sample-text"
                    class="text-area"
                    spellcheck="false"
                    aria-describedby="sample-help"
                    prop:value=move || input.text.get()
                    on:input=move |event| {
                        input.entry.set(0);
                        input.text.set(event_target_value(&event));
                    }
                ></textarea>
                <p class="field-help" id="sample-help">
                    {move || match format().as_deref() {
                        Some("fields") => "Detected: fields as JSON.",
                        Some("http") => "Detected: raw HTTP.",
                        Some("curl") => "Detected: curl command.",
                        Some("har") => "Detected: HAR file.",
                        Some("url") => "Detected: URL.",
                        _ => "Enter raw HTTP, a curl command, a HAR file, a URL, or fields as JSON.",
                    }}
                </p>
                <ParseNotice />
            </div>
            <HarEntrySelect />
            <FieldInputs />
            <div class="field">
                <span class="field-label" id="missing-label">"Missing fields"</span>
                <SegmentedControl
                    label="Missing fields"
                    choices=vec![(MissingPolicy::Unknown, "Unknown"), (MissingPolicy::Absent, "Absent")]
                    value=input.missing_fields
                    choose=move |missing| input.missing_fields.set(missing)
                />
                <p class="field-help">"Unknown: the field can have any value. Absent: the request does not have the value, so every comparison with it is false."</p>
            </div>
        </div>
        <ConditionTable />
    }
}

/// The result in one line.
#[component]
fn EvaluationResult() -> impl IntoView {
    let SampleContext(sample) = SampleContext::get();
    let summarize = |sample: &SampleResult| match sample.outcome {
        _ if sample.error.is_some() => ("error", Icon::Error, "Fix the errors in the request first".to_owned()),
        Outcome::Error => ("error", Icon::Error, "Fix the errors in the expression first".to_owned()),
        Outcome::Match => ("success", Icon::Success, "Matches: the rule would apply".to_owned()),
        Outcome::NoMatch => ("neutral", Icon::Close, "Does not match".to_owned()),
        Outcome::Unknown => {
            ("warning", Icon::Hint, format!("Undecided: it depends on `{}`", sample.unknown.join("`, `")))
        }
        Outcome::Value => ("success", Icon::Success, format!("The value is `{}`", display_value(&sample.result))),
        Outcome::Absent => ("neutral", Icon::Hint, "No value: a field that the expression needs is missing".to_owned()),
    };
    let ready = move |sample: Arc<SampleEvaluation>| {
        let (class, icon, text) = summarize(&sample.result);
        view! { <div class=format!("verdict {class}")><IconView icon /><p><InlineCode text /></p></div> }.into_any()
    };
    view! { <div role="status"><AnswerView answer=sample ready /></div> }
}

/// Formats a note as a sentence.
fn to_sentence(note: &str) -> String {
    format!("{}.", capitalize(note))
}

/// The error of the request, and the notes about it.
#[component]
fn ParseNotice() -> impl IntoView {
    let SampleContext(sample) = SampleContext::get();
    move || {
        let sample = sample.get();
        let sample = &sample.ready()?.result;
        let problem = sample.error.as_ref().map(|problem| {
            let help = problem.help.clone().map(|help| view! { <p class="field-help"><InlineCode text=help /></p> });
            view! {
                <div class="field-error"><IconView icon=Icon::Error /><span><InlineCode text=problem.message.clone() /></span></div>
                {help}
            }
        });
        let notes =
            sample.notes.iter().map(|note| view! { <p class="field-help"><InlineCode text=to_sentence(note) /></p> });
        Some(view! { {problem} {notes.collect_view()} })
    }
}

/// Selects a request of a HAR file.
#[component]
fn HarEntrySelect() -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let sample = SampleContext::get();
    move || {
        let entries = sample.read(|sample| sample.result.entries.clone()).unwrap_or_default();
        (entries.len() > 1).then(|| {
            let options = entries.into_iter().enumerate().map(|(index, summary)| {
                let is_selected = move || workbench.input.entry.get() == index;
                view! { <option value=index.to_string() selected=is_selected>{summary}</option> }
            });
            let choose = move |event| {
                if let Ok(index) = event_target_value(&event).parse() {
                    workbench.input.entry.set(index);
                }
            };
            view! {
                <div class="field">
                    <label class="field-label" for="sample-entry">"Request in the file"</label>
                    <select id="sample-entry" on:change=choose>{options.collect_view()}</select>
                </div>
            }
        })
    }
}

/// Inputs for the fields that the expression reads.
#[component]
fn FieldInputs() -> impl IntoView {
    let sample = SampleContext::get();
    // The rows depend only on the names, so that typing does not rebuild them and the focus remains.
    let names = Memo::new(move |_| -> Vec<String> {
        let names = |sample: &SampleEvaluation| sample.result.inputs.iter().map(|input| input.name.clone()).collect();
        sample.read(names).unwrap_or_default()
    });
    let rows = move || names.get().into_iter().map(|name| view! { <FieldInput name /> }).collect_view();
    view! {
        <fieldset class="field" hidden=move || names.read().is_empty()>
            <legend class="field-label">"Fields and lists in the expression"</legend>
            <p class="field-help">"Values that you enter here override the request."</p>
            <div class="sample-fields">{rows}</div>
        </fieldset>
    }
}

#[component]
fn FieldInput(
    /// The name of the field or list.
    name: String,
) -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let sample = SampleContext::get();
    let key = StoredValue::new(name.clone());
    let find = move |input: &&Input| key.with_value(|name| input.name == *name);
    let input = Memo::new_with_compare(
        move |_| sample.read(|sample| sample.result.inputs.iter().find(find).cloned()).flatten(),
        |_, _| true,
    );
    let typed = move || workbench.input.fields.with(|fields| fields.get(&key.get_value()).cloned().unwrap_or_default());
    let set = move |event| {
        let text = event_target_value(&event);
        workbench.input.fields.update(|fields| drop(fields.insert(key.get_value(), text)));
    };
    let hint = move || input.read().as_ref().map(Input::hint).unwrap_or_default();
    let problem = move || input.read().as_ref().and_then(|input| input.error.clone()).unwrap_or_default();
    let id = format!("sample-{name}");
    view! {
        <div class="sample-field" class:wrong=move || !problem().is_empty()>
            <label class="mono" for=id.clone()>{name}</label>
            <div class="field">
                <input id=id type="text" spellcheck="false" autocomplete="off" placeholder=hint prop:value=typed on:input=set />
                <FieldError message=Signal::derive(problem) />
            </div>
        </div>
    }
}

/// The truth value of every condition.
#[component]
fn ConditionTable() -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let SampleContext(sample) = SampleContext::get();
    let rows = move || {
        let sample = sample.get();
        let Some(sample) = sample.ready() else { return ().into_any() };
        let steps = sample.steps.as_deref().unwrap_or_default();
        if steps.is_empty() {
            return ().into_any();
        }
        let more = steps.len().saturating_sub(MAX_ROWS);
        let rows = steps.iter().take(MAX_ROWS).map(|step| {
            let span = step.span;
            let (class, mark, label) = truth_display(step.truth);
            let source: Arc<str> = sample.source.as_str().into();
            let excerpt = source_excerpt(&source, span);
            view! {
                <tr class:selected=move || workbench.overlaps_selection(span)>
                    <td data-label="Result"><span class=format!("truth {class}")><span class="truth-mark" aria-hidden="true">{mark}</span>{label}</span></td>
                    <td data-label="Condition"><button type="button" class="link mono" on:click=move |_| workbench.select(&source, span)>{excerpt}</button></td>
                    <td data-label="Value" class="mono"><span>{format_value(step)}</span></td>
                </tr>
            }
        });
        view! {
            <table class="table" aria-label="Conditions">
                <thead><tr><th scope="col">"Result"</th><th scope="col">"Condition"</th><th scope="col">"Value"</th></tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
            {(more > 0).then(|| view! { <p class="quiet pad">{format!("and {more} more")}</p> })}
        }
        .into_any()
    };
    view! { <section aria-label="Condition by condition">{rows}</section> }
}

fn truth_display(truth: Truth) -> (&'static str, &'static str, &'static str) {
    match truth {
        Truth::True => ("true", "✓", "true"),
        Truth::False => ("false", "✕", "false"),
        Truth::Unknown => ("unknown", "?", "unknown"),
        Truth::NotReached => ("skipped", "·", "not evaluated"),
        Truth::Absent => ("false", "✕", "false: no value"),
    }
}

fn format_value(step: &Step) -> String {
    step.value.as_ref().map(|value| truncate(&display_value(value))).unwrap_or_default()
}

fn source_excerpt(source: &str, span: Span) -> String {
    truncate(&span.text(source).split_whitespace().collect::<Vec<_>>().join(" "))
}

fn truncate(text: &str) -> String {
    const MAX_CHARS: usize = 120;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
