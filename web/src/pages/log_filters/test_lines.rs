//! The evaluation of the filter on sample lines: kept, dropped and malformed lines with the reasons.

use super::context::WorkbenchContext;
use super::evaluation::{self, EvaluationState, FilterStats, LineOutcome, MAX_SAMPLES};
use super::funnel::{Funnel, format_percent, ratio};
use crate::components::answer_view::EngineFailure;
use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use crate::components::usage_meter::with_thousands;
use crate::part::PartResult;
use crate::state::log_filter_draft::{EXAMPLE_LINES, LogFile};
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use wasm_split_helpers::wasm_split;
use web_sys::HtmlInputElement;

/// Largest pasted text that the text field accepts, in bytes. A longer text is treated like a file.
const MAX_EDITABLE_BYTES: usize = 256 << 10;

/// The panel, which is a part of the app.
#[wasm_split(log_filter_tools, fallible)]
pub(super) fn test_lines_panel() -> PartResult<AnyView> {
    Ok(view! { <TestLinesPanel /> }.into_any())
}

/// Evaluates the filter on sample lines.
#[component]
fn TestLinesPanel() -> impl IntoView {
    let filter = WorkbenchContext::get().filter;
    let evaluation = evaluation::evaluate_on_change(filter.source, filter.dataset, filter.lines, filter.file);
    view! {
        <EvaluationSummary evaluation />
        <div class="tool-form"><LineInput /></div>
        {move || match evaluation.get() {
            EvaluationState::Counted(stats) if stats.parsed > 0 => view! { <Funnel stats /> }.into_any(),
            EvaluationState::Failed(reason) => view! { <EngineFailure reason /> }.into_any(),
            _ => ().into_any(),
        }}
        <VolumeEstimate evaluation />
        <LineTable evaluation />
    }
}

/// The result in one line.
#[component]
fn EvaluationSummary(
    /// The state of the evaluation.
    evaluation: RwSignal<EvaluationState>,
) -> impl IntoView {
    let summary = move || match &*evaluation.read() {
        EvaluationState::Pending => ("neutral late", Icon::Hint, "Evaluating…".to_owned()),
        EvaluationState::Failed(_) => ("error", Icon::Error, "The lines were not evaluated".to_owned()),
        EvaluationState::NoFilter => ("success", Icon::Success, "No filter: every line is sent".to_owned()),
        EvaluationState::InvalidFilter => ("error", Icon::Error, "Fix the errors in the filter first".to_owned()),
        EvaluationState::Counted(stats) if stats.parsed + stats.malformed == 0 => {
            ("neutral", Icon::Hint, "No log lines yet. Paste some below.".to_owned())
        }
        EvaluationState::Counted(stats) => {
            let (class, icon) = if stats.kept > 0 { ("success", Icon::Success) } else { ("neutral", Icon::Close) };
            (class, icon, summarize(stats))
        }
    };
    view! {
        <div role="status">
            {move || {
                let (class, icon, text) = summary();
                view! { <div class=format!("verdict {class}")><IconView icon /><p>{text}</p></div> }
            }}
        </div>
    }
}

fn summarize(stats: &FilterStats) -> String {
    let lines = if stats.parsed == 1 { "line" } else { "lines" };
    let mut text = format!(
        "Matches {} of {} {lines} ({})",
        with_thousands(stats.kept),
        with_thousands(stats.parsed),
        format_percent(stats.kept, stats.parsed)
    );
    if stats.malformed > 0 {
        text.push_str(&format!(", {} malformed", with_thousands(stats.malformed)));
    }
    if !stats.is_done() {
        text.push_str(&format!("; {} of {} read", format_size(stats.read_bytes), format_size(stats.total_bytes)));
    }
    text
}

/// Formats a number of bytes with a decimal unit.
fn format_size(bytes: usize) -> String {
    #[allow(clippy::cast_precision_loss)]
    format_size_f64(bytes as f64)
}

fn format_size_f64(bytes: f64) -> String {
    const UNITS: [&str; 5] = ["bytes", "kB", "MB", "GB", "TB"];
    let mut value = bytes;
    let mut unit = UNITS.iter();
    let mut name = unit.next().copied().unwrap_or_default();
    for next in unit {
        if value < 1000.0 {
            break;
        }
        value /= 1000.0;
        name = next;
    }
    if name == "bytes" || value >= 100.0 { format!("{value:.0} {name}") } else { format!("{value:.1} {name}") }
}

/// The input of log lines: text field, paste, file and drop.
#[component]
fn LineInput() -> impl IntoView {
    let filter = WorkbenchContext::get().filter;
    let is_drag_over = RwSignal::new(false);
    let picker = NodeRef::<html::Input>::new();
    let load = move |file: web_sys::File| filter.file.set(Some(Arc::new(LogFile::opened(file))));
    let on_select = move |event: ev::Event| {
        let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        let Some(input) = input else { return };
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            load(file);
        }
        input.set_value("");
    };
    let on_drop = move |event: ev::DragEvent| {
        event.prevent_default();
        is_drag_over.set(false);
        if let Some(file) = event.data_transfer().and_then(|data| data.files()).and_then(|files| files.get(0)) {
            load(file);
        }
    };
    let paste = move |event: ev::ClipboardEvent| {
        let text = event.clipboard_data().and_then(|data| data.get_data("text").ok()).unwrap_or_default();
        if text.len() > MAX_EDITABLE_BYTES {
            event.prevent_default();
            filter.file.set(Some(Arc::new(LogFile::pasted(text))));
        }
    };
    let open_picker = move |_| {
        if let Some(picker) = picker.get_untracked() {
            picker.click();
        }
    };
    let file_summary = move || filter.file.get().map(|file| (file.name.clone(), format_size(file.size())));
    view! {
        <div
            class="field drop"
            class:over=is_drag_over
            on:dragover=move |event| {
                event.prevent_default();
                is_drag_over.set(true);
            }
            on:dragleave=move |_| is_drag_over.set(false)
            on:drop=on_drop
        >
            <div class="field-row">
                <label class="field-label" for="sample-lines">"Log lines"</label>
                <button type="button" class="button small push" on:click=open_picker>"Open file"</button>
                <button
                    type="button"
                    class="button quiet small"
                    on:click=move |_| {
                        filter.file.set(None);
                        filter.lines.set(EXAMPLE_LINES.to_owned());
                    }
                >"Example"</button>
            </div>
            <input type="file" node_ref=picker hidden accept=".json,.ndjson,.jsonl,.log,.txt" on:change=on_select />
            {move || file_summary().map(|(name, size)| view! {
                <p class="file">
                    <span class="mono">{name}</span>
                    <span class="quiet">{size}</span>
                    <button type="button" class="button small push" on:click=move |_| filter.file.set(None)>"Remove"</button>
                </p>
            })}
            <textarea
                id="sample-lines"
                class="text-area lines"
                spellcheck="false"
                wrap="off"
                aria-describedby="sample-lines-help"
                hidden=move || filter.file.read().is_some()
                prop:value=move || filter.lines.get()
                on:paste=paste
                on:input=move |event| filter.lines.set(event_target_value(&event))
            ></textarea>
            <p class="field-help" id="sample-lines-help">
                "One JSON object per line, as a job delivers them. Paste lines or drop a file. They never leave your browser."
            </p>
        </div>
    }
}

/// Estimates how many lines and bytes a job sends per day.
#[component]
fn VolumeEstimate(
    /// The state of the evaluation.
    evaluation: RwSignal<EvaluationState>,
) -> impl IntoView {
    let per_day = WorkbenchContext::get().filter.lines_per_day;
    let lines_per_day = move || {
        let text: String = per_day.read().chars().filter(|letter| !matches!(letter, ' ' | ',' | '_' | '\'')).collect();
        let (digits, factor) = match text.chars().last().map(|letter| letter.to_ascii_lowercase()) {
            Some('k') => (text.get(..text.len() - 1), 1e3),
            Some('m') => (text.get(..text.len() - 1), 1e6),
            _ => (Some(text.as_str()), 1.0),
        };
        let number: Option<f64> = digits.and_then(|digits| digits.parse().ok());
        number.map(|number| number * factor).filter(|number| number.is_finite() && *number >= 0.0)
    };
    let is_invalid = move || !per_day.read().trim().is_empty() && lines_per_day().is_none();
    let estimate = move || {
        let EvaluationState::Counted(stats) = evaluation.get() else { return None };
        let day = lines_per_day().filter(|_| stats.parsed > 0)?;
        let kept = day * ratio(stats.kept, stats.parsed);
        let bytes = day * ratio(stats.kept_bytes, stats.parsed);
        let all = day * ratio(stats.bytes, stats.parsed);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let lines = with_thousands(kept.round() as usize);
        Some(format!(
            "About {lines} lines and {} per day, instead of {}.",
            format_size_f64(bytes),
            format_size_f64(all)
        ))
    };
    let has_lines = move || matches!(&*evaluation.read(), EvaluationState::Counted(stats) if stats.parsed > 0);
    view! {
        <section class="section volume" aria-label="Volume" hidden=move || !has_lines()>
            <div class="field" class:wrong=is_invalid>
                <label class="field-label" for="per-day">"Lines per day"</label>
                <input id="per-day" type="text" inputmode="decimal" class="short" placeholder="2,000,000" autocomplete="off"
                    aria-describedby="per-day-help"
                    prop:value=per_day on:input=move |event| per_day.set(event_target_value(&event)) />
                <p class="field-help" id="per-day-help" role="status">
                    {move || match estimate() {
                        _ if is_invalid() => "Enter a number such as 2,000,000 or 2m.".to_owned(),
                        Some(estimate) => estimate,
                        None => "To estimate the volume, enter how many lines per day there are without a filter. Sizes are before compression and assume the fields of these lines.".to_owned(),
                    }}
                </p>
            </div>
        </section>
    }
}

/// The sample lines, by outcome.
#[component]
fn LineTable(
    /// The state of the evaluation.
    evaluation: RwSignal<EvaluationState>,
) -> impl IntoView {
    let outcome = RwSignal::new(LineOutcome::Kept);
    let stats = move || match evaluation.get() {
        EvaluationState::Counted(stats) if stats.parsed + stats.malformed > 0 => Some(stats),
        _ => None,
    };
    let workbench = WorkbenchContext::get();
    view! {
        {move || stats().map(|stats| {
            let count = |outcome: LineOutcome| with_thousands(stats.count(outcome));
            let outcomes = [(LineOutcome::Kept, "Sent"), (LineOutcome::Dropped, "Dropped"), (LineOutcome::Malformed, "Malformed")];
            let buttons = outcomes.map(|(choice, label)| {
                let number = count(choice);
                view! {
                    <button type="button" class="segment" aria-pressed=move || if outcome.get() == choice { "true" } else { "false" } on:click=move |_| outcome.set(choice)>
                        {label}" "<span class="segment-count">{number}</span>
                    </button>
                }
            });
            let lines = stats.sample_lines(outcome.get());
            let more = stats.count(outcome.get()).saturating_sub(lines.len());
            let is_malformed = outcome.get() == LineOutcome::Malformed;
            let rows = lines.iter().map(|line| {
                let span = line.span;
                let reason = line.reason.clone();
                let source = Arc::clone(&stats.source);
                let reason_view = match span {
                    Some(span) => view! { <button type="button" class="link" on:click=move |_| workbench.select_in(&source, span)><InlineCode text=reason /></button> }.into_any(),
                    None => view! { <span><InlineCode text=reason /></span> }.into_any(),
                };
                view! {
                    <tr>
                        <td data-label="Line"><span>{line.number}</span></td>
                        <td data-label=if is_malformed { "Reason" } else { "Decided by" }>{reason_view}</td>
                        <td data-label="Text" class="mono"><span class="log-line">{line.text.clone()}</span></td>
                    </tr>
                }
            }).collect_view();
            let is_empty = lines.is_empty();
            view! {
                <section class="section" aria-label="Lines">
                    <div class="section-head">
                        <h2>"Lines"</h2>
                        <div class="segments push" role="group" aria-label="Lines to show">{buttons.collect_view()}</div>
                    </div>
                    <p class="quiet pad" hidden=!is_empty>"None."</p>
                    <table class="table log-lines" aria-label="Lines" hidden=is_empty>
                        <thead><tr><th scope="col">"Line"</th><th scope="col">{if is_malformed { "Reason" } else { "Decided by" }}</th><th scope="col">"Text"</th></tr></thead>
                        <tbody>{rows}</tbody>
                    </table>
                    <p class="quiet pad" hidden=more == 0>{format!("and {} more; the first {MAX_SAMPLES} are shown", with_thousands(more))}</p>
                </section>
            }
        })}
    }
}
