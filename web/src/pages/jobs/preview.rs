//! A preview of the batch that a job writes for sample log lines, byte for byte.

use super::form_context::FormContext;
use super::sample_logs::sample_lines;
use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use crate::components::usage_meter::with_thousands;
use crate::pages::log_filters::{explain_decision, format_condition};
use crate::state::log_filter_draft::filter_options;
use leptos::prelude::*;
use zonewright_expression::{MissingPolicy, Outcome};
use zonewright_logpush::{Program, Renderer, check};

/// Largest number of characters of a batch that are shown.
const MAX_PREVIEW_CHARS: usize = 20_000;

/// A line that is not sent.
#[derive(Clone, Debug, PartialEq)]
struct SkippedLine {
    /// The line number, from 1.
    number: usize,
    /// Whether the line cannot be parsed.
    is_malformed: bool,
    /// The condition that decided; empty for none.
    condition: String,
    /// The reason why the line is not sent.
    reason: String,
}

/// A part of the batch.
#[derive(Clone, Debug, PartialEq)]
enum PreviewChunk {
    /// Text.
    Plain(String),
    /// A control character, as an escape.
    Control(String),
}

/// The result for the lines.
#[derive(Clone, Debug, PartialEq)]
enum BatchPreview {
    /// The output options are invalid.
    InvalidOutput,
    /// The filter is invalid.
    InvalidFilter,
    /// The batch, its sizes, and the lines that are not sent.
    Written { text: Vec<PreviewChunk>, bytes: usize, records: usize, skipped_lines: Vec<SkippedLine> },
}

/// The panel "Preview".
#[component]
pub(super) fn Preview() -> impl IntoView {
    let context = FormContext::get();
    let draft = context.draft;
    let lines = Memo::new(move |_| draft.lines.get().unwrap_or_else(|| sample_lines(context.dataset())));
    let batch = Memo::new(move |_| render_batch(context, &lines.read()));
    view! {
        <div class="tool-form">
            <div class="field">
                <label class="field-label" for="job-lines">"Log lines"</label>
                <textarea
                    id="job-lines"
                    class="text-area"
                    spellcheck="false"
                    aria-describedby="job-lines-help"
                    prop:value=lines
                    on:input=move |event| draft.lines.set(Some(event_target_value(&event)))
                ></textarea>
                <p class="field-help" id="job-lines-help">"One JSON object per line, with the fields of the dataset. The lines never leave your browser."</p>
                <button type="button" class="button small filter-show" hidden=move || draft.lines.read().is_none() on:click=move |_| draft.lines.set(None)>
                    "Use example"
                </button>
            </div>
        </div>
        {move || batch_view(batch.get())}
    }
}

fn batch_view(batch: BatchPreview) -> AnyView {
    let (text, bytes, records, skipped_lines) = match batch {
        BatchPreview::InvalidOutput => return view! { <PreviewError message="Invalid output options" /> }.into_any(),
        BatchPreview::InvalidFilter => return view! { <PreviewError message="Invalid filter" /> }.into_any(),
        BatchPreview::Written { text, bytes, records, skipped_lines } => (text, bytes, records, skipped_lines),
    };
    let text = text.into_iter().map(|chunk| match chunk {
        PreviewChunk::Plain(text) => text.into_any(),
        PreviewChunk::Control(escape) => view! { <span class="control">{escape}</span> }.into_any(),
    });
    let text = text.collect_view();
    let noun = if records == 1 { "record" } else { "records" };
    let title = match records {
        0 => "No output".to_owned(),
        _ => format!("{} {noun}, {} bytes before compression", with_thousands(records), with_thousands(bytes)),
    };
    let rows = skipped_lines.into_iter().map(|line| view! {
        <li class="skipped-line">
            <p><strong>{format!("Line {}", line.number)}</strong> " " {if line.is_malformed { "is malformed" } else { "is dropped by the filter" }}</p>
            {(!line.condition.is_empty()).then(|| view! { <code>{line.condition}</code> })}
            <p class="quiet"><InlineCode text=line.reason /></p>
        </li>
    });
    let icon = if records > 0 { Icon::Success } else { Icon::Hint };
    let class = if records > 0 { "verdict success" } else { "verdict neutral" };
    view! {
        <p class=class role="status">
            <IconView icon />
            {title}
        </p>
        <div class="code-views">
            {(records > 0).then(|| view! {
                <div class="code-view">
                    <pre class="code-block batch" tabindex="0" aria-label="Output"><code>{text}</code></pre>
                    <p class="quiet">"Highlighted escapes are control characters: " <span class="control">"\\n"</span> " is a line break."</p>
                </div>
            })}
            <ul class="skipped-lines">{rows.collect_view()}</ul>
        </div>
    }
    .into_any()
}

#[component]
fn PreviewError(message: &'static str) -> impl IntoView {
    view! {
        <p class="verdict error" role="status">
            <IconView icon=Icon::Error />
            {message}
        </p>
        <p class="quiet pad">"Fix the errors in the form to see a preview."</p>
    }
}

/// Filters and renders the lines.
fn render_batch(context: FormContext, lines: &str) -> BatchPreview {
    let Ok(renderer) = Renderer::new(&context.draft.preview_settings()) else { return BatchPreview::InvalidOutput };
    let source = context.draft.filter.read();
    let program = if source.trim().is_empty() {
        None
    } else {
        match check(&source, &filter_options(context.dataset())).program {
            Some(program) => Some(program),
            None => return BatchPreview::InvalidFilter,
        }
    };
    let (mut out, mut records, mut skipped_lines) = (Vec::new(), 0, Vec::new());
    for (index, line) in lines.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = index + 1;
        match program.as_ref().map_or(Ok(None), |program| explain_drop(program, &source, line)) {
            Ok(None) => {}
            Ok(Some((condition, reason))) => {
                skipped_lines.push(SkippedLine { number, is_malformed: false, condition, reason });
                continue;
            }
            Err(reason) => {
                skipped_lines.push(SkippedLine { number, is_malformed: true, condition: String::new(), reason });
                continue;
            }
        }
        match renderer.append_record(line.as_bytes(), records == 0, &mut out) {
            Ok(()) => records += 1,
            Err(error) => skipped_lines.push(SkippedLine {
                number,
                is_malformed: true,
                condition: String::new(),
                reason: error.to_string(),
            }),
        }
    }
    renderer.finish_batch(records > 0, &mut out);
    BatchPreview::Written { text: split_control_chars(&out), bytes: out.len(), records, skipped_lines }
}

/// Explains why a line is dropped: the condition that decides, and its reason. Returns `None` for a line that is sent,
/// and an error for a line that cannot be parsed.
fn explain_drop(program: &Program, source: &str, line: &str) -> Result<Option<(String, String)>, String> {
    let trace = program.trace(line.as_bytes(), MissingPolicy::Absent).map_err(|error| error.to_string())?;
    if trace.outcome == Outcome::True {
        return Ok(None);
    }
    let (span, reason) = explain_decision(program.test(), &trace, false);
    let text = source.get(span.start..span.end).unwrap_or_default();
    Ok(Some((format_condition(text).unwrap_or_else(|| text.to_owned()), reason)))
}

/// Splits a batch into text and control characters.
fn split_control_chars(bytes: &[u8]) -> Vec<PreviewChunk> {
    let text = String::from_utf8_lossy(bytes);
    let mut chunks = Vec::new();
    let mut plain = String::new();
    for (count, letter) in text.chars().enumerate() {
        if count == MAX_PREVIEW_CHARS {
            plain.push('…');
            break;
        }
        if letter.is_control() {
            chunks.push(PreviewChunk::Plain(std::mem::take(&mut plain)));
            chunks.push(PreviewChunk::Control(letter.escape_default().to_string()));
            // A line break is also rendered as such, after its escape.
            plain.extend((letter == '\n').then_some('\n'));
        } else {
            plain.push(letter);
        }
    }
    chunks.push(PreviewChunk::Plain(plain));
    chunks
}
