//! A preview of the batch that a job writes for sample log lines, byte for byte.

use super::form_context::FormContext;
use super::sample_logs::sample_lines;
use crate::components::answer_view::AnswerView;
use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use crate::components::usage_meter::with_thousands;
use crate::engine::answers::{CallDiagnostic, Spans, check_call};
use crate::engine::{Channel, EngineError, Worker, follow, to_js};
use crate::job::minify_filter;
use crate::pages::log_filters::{CountedLine, count_lines, format_condition};
use leptos::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use zonewright_logpush::Dataset;

/// Largest number of characters of a batch that are shown.
const MAX_PREVIEW_CHARS: usize = 20_000;
/// Largest number of lines that are listed because they are not sent.
const MAX_SKIPPED_LINES: usize = 1_000;

/// The input of the preview.
struct PreviewInput {
    /// The job, without the filter.
    job: Map<String, Value>,
    /// The filter; empty for none.
    filter: String,
    dataset: &'static Dataset,
    lines: String,
}

/// Result of `logpush.render`.
#[derive(Deserialize)]
struct RenderResult {
    text: Option<String>,
    kept: usize,
    dropped: usize,
    rejected: Vec<RejectedLine>,
    errors: Vec<RenderError>,
    diagnostics: Vec<CallDiagnostic>,
}

#[derive(Deserialize)]
struct RenderError {
    /// JSON pointer to the part of the job with the error.
    pointer: String,
}

#[derive(Deserialize)]
struct RejectedLine {
    line: usize,
    message: String,
}

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
    /// The batch, its sizes, and the lines that are not sent, of which only the first ones are listed.
    Written { text: Vec<PreviewChunk>, bytes: usize, records: usize, skipped_lines: Vec<SkippedLine>, skipped: usize },
}

/// The panel "Preview".
#[component]
pub(super) fn Preview() -> impl IntoView {
    let context = FormContext::get();
    let draft = context.draft;
    let lines = Memo::new(move |_| draft.lines.get().unwrap_or_else(|| sample_lines(context.dataset())));
    let input = move || {
        let (job, filter) = (draft.preview_job(), draft.filter.get());
        Some(PreviewInput { job, filter, dataset: context.dataset(), lines: lines.get() })
    };
    let batch = follow(Worker::Tools, input, render_batch);
    let ready = |batch: Arc<BatchPreview>| batch_view(&batch);
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
        <AnswerView answer=batch ready />
    }
}

fn batch_view(batch: &BatchPreview) -> AnyView {
    let (text, bytes, records, skipped_lines, skipped) = match batch {
        BatchPreview::InvalidOutput => return view! { <PreviewError message="Invalid output options" /> }.into_any(),
        BatchPreview::InvalidFilter => return view! { <PreviewError message="Invalid filter" /> }.into_any(),
        BatchPreview::Written { text, bytes, records, skipped_lines, skipped } => {
            (text, *bytes, *records, skipped_lines, *skipped)
        }
    };
    let text = text.iter().map(|chunk| match chunk {
        PreviewChunk::Plain(text) => text.clone().into_any(),
        PreviewChunk::Control(escape) => view! { <span class="control">{escape.clone()}</span> }.into_any(),
    });
    let text = text.collect_view();
    let noun = if records == 1 { "record" } else { "records" };
    let title = match records {
        0 => "No output".to_owned(),
        _ => format!("{} {noun}, {} bytes before compression", with_thousands(records), with_thousands(bytes)),
    };
    let unlisted = skipped.saturating_sub(skipped_lines.len());
    let rows = skipped_lines.iter().cloned().map(|line| view! {
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
            <p class="quiet" hidden=unlisted == 0>{format!("and {} more lines are not sent", with_thousands(unlisted))}</p>
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
async fn render_batch(channel: Channel, input: PreviewInput) -> Result<BatchPreview, EngineError> {
    let PreviewInput { mut job, filter, dataset, lines } = input;
    if !filter.trim().is_empty() {
        job.insert("filter".to_owned(), json!(minify_filter(&filter)));
    }
    let scope = if dataset.has_zone_scope() { "zone" } else { "account" };
    let options = to_js(&json!({ "scope": scope }));
    let values = vec![to_js(&job), lines.as_str().into(), options];
    let rendered: RenderResult = channel.call("logpush.render", values).await?;
    check_call(&rendered.diagnostics)?;
    let Some(text) = rendered.text else {
        let is_only_filter = rendered.errors.iter().all(|error| error.pointer == "/filter");
        return Ok(if is_only_filter { BatchPreview::InvalidFilter } else { BatchPreview::InvalidOutput });
    };
    let skipped = rendered.dropped + rendered.rejected.len();
    let mut skipped_lines: Vec<SkippedLine> = rendered.rejected.into_iter().map(SkippedLine::malformed).collect();
    if rendered.dropped > 0 {
        let counted = count_lines(channel, &filter, lines.as_str().into(), dataset, MAX_SKIPPED_LINES).await?;
        let spans = Spans::new(&filter);
        let dropped = counted.samples.into_iter().filter(|sample| sample.outcome == "dropped");
        skipped_lines.extend(dropped.map(|sample| SkippedLine::dropped(sample, &filter, &spans)));
    }
    skipped_lines.sort_by_key(|line| line.number);
    skipped_lines.truncate(MAX_SKIPPED_LINES);
    let bytes = text.len();
    Ok(BatchPreview::Written {
        text: split_control_chars(&text),
        bytes,
        records: rendered.kept,
        skipped_lines,
        skipped,
    })
}

impl SkippedLine {
    fn malformed(line: RejectedLine) -> Self {
        SkippedLine { number: line.line, is_malformed: true, condition: String::new(), reason: line.message }
    }

    fn dropped(line: CountedLine, filter: &str, spans: &Spans) -> Self {
        let span = line.start.zip(line.end).map(|(start, end)| spans.span(start, end));
        let text = span.map(|span| span.text(filter)).unwrap_or_default();
        let condition = format_condition(text).unwrap_or_else(|| text.to_owned());
        SkippedLine { number: line.line, is_malformed: false, condition, reason: line.reason }
    }
}

/// Splits a batch into text and control characters.
fn split_control_chars(text: &str) -> Vec<PreviewChunk> {
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
