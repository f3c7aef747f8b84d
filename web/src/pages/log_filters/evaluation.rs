//! The evaluation of a filter on many log lines.
//!
//! [`evaluate_on_change`] sends the lines to the engine in chunks, and adds the results. Each change of the input starts
//! a new evaluation. The previous one stops after its current chunk.

use super::count::{ConditionCount, CountResult, CountedLine, count_lines};
use super::line_chunks::LineSource;
use crate::engine::answers::Spans;
use crate::engine::{Channel, EngineContext, EngineError, Worker};
use crate::state::log_filter_draft::LogFile;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::sync::Arc;
use zonewright_diagnostic::Span;
use zonewright_logpush::Dataset;

/// Largest number of sample lines of each outcome.
pub(super) const MAX_SAMPLES: usize = 100;
/// The minimum time between two updates of the page, because large tables are slow to render.
const PROGRESS_INTERVAL_MS: f64 = 100.0;

/// The outcome of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineOutcome {
    Kept,
    Dropped,
    Malformed,
}

/// A line with its outcome.
#[derive(Clone, Debug)]
pub(super) struct LineSample {
    /// The line number, from 1.
    pub(super) number: usize,
    /// The start of the line.
    pub(super) text: String,
    /// The reason for the outcome.
    pub(super) reason: String,
    /// The span of the deciding condition in the filter.
    pub(super) span: Option<Span>,
}

/// The count of a condition at the top level.
#[derive(Clone, Debug)]
pub(super) struct StageCount {
    /// The span of the condition.
    pub(super) span: Span,
    /// The number of lines after this condition. Under `or`, they match at least one condition so far; otherwise they
    /// match all conditions so far.
    pub(super) remaining: usize,
}

/// The counts of an evaluation so far.
#[derive(Clone, Debug, Default)]
pub(super) struct FilterStats {
    /// The text of the filter, to which the spans apply.
    pub(super) source: Arc<str>,
    /// Whether the top level is an `or`.
    pub(super) is_or: bool,
    /// The conditions at the top level.
    pub(super) stages: Vec<StageCount>,
    /// Number of lines that were parsed.
    pub(super) parsed: usize,
    /// Number of lines that match.
    pub(super) kept: usize,
    /// Number of lines that cannot be parsed.
    pub(super) malformed: usize,
    /// Bytes of the lines that were parsed, with their line breaks.
    pub(super) bytes: usize,
    /// Bytes of the lines that match, with their line breaks.
    pub(super) kept_bytes: usize,
    /// Sample lines: kept, dropped, malformed.
    samples: [Vec<LineSample>; 3],
    /// Number of lines of the input that were read, including blank ones.
    read_lines: usize,
    /// Number of bytes of the input that were read.
    pub(super) read_bytes: usize,
    /// Length of the input in bytes.
    pub(super) total_bytes: usize,
}

impl FilterStats {
    /// Returns the number of lines with an outcome.
    pub(super) fn count(&self, outcome: LineOutcome) -> usize {
        match outcome {
            LineOutcome::Kept => self.kept,
            LineOutcome::Dropped => self.parsed.saturating_sub(self.kept),
            LineOutcome::Malformed => self.malformed,
        }
    }

    /// Returns the sample lines with an outcome.
    pub(super) fn sample_lines(&self, outcome: LineOutcome) -> &[LineSample] {
        let [kept, dropped, malformed] = &self.samples;
        match outcome {
            LineOutcome::Kept => kept,
            LineOutcome::Dropped => dropped,
            LineOutcome::Malformed => malformed,
        }
    }

    /// Returns whether the whole input was read.
    pub(super) fn is_done(&self) -> bool {
        self.read_bytes >= self.total_bytes
    }

    /// Returns how many further sample lines of an outcome are needed at most.
    fn missing_samples(&self) -> usize {
        MAX_SAMPLES - self.samples.iter().map(Vec::len).min().unwrap_or_default().min(MAX_SAMPLES)
    }

    /// Adds the result of a chunk.
    fn add(&mut self, counted: CountResult, spans: &Spans, chunk_bytes: usize) {
        self.is_or = counted.operator.as_deref() == Some("or");
        self.parsed += counted.kept + counted.dropped;
        self.kept += counted.kept;
        self.malformed += counted.rejected;
        // Each line has a line break, which the engine does not count.
        self.bytes += counted.kept_bytes + counted.dropped_bytes + counted.kept + counted.dropped;
        self.kept_bytes += counted.kept_bytes + counted.kept;
        self.read_bytes += chunk_bytes;
        if self.stages.is_empty() {
            let stage = |condition: &ConditionCount| StageCount {
                span: spans.span(condition.start, condition.end),
                remaining: 0,
            };
            self.stages = counted.conditions.iter().map(stage).collect();
        }
        for (stage, condition) in self.stages.iter_mut().zip(&counted.conditions) {
            stage.remaining += condition.kept;
        }
        let [kept, dropped, malformed] = &mut self.samples;
        for sample in counted.samples {
            let samples = match sample.outcome.as_str() {
                "kept" => &mut *kept,
                "dropped" => &mut *dropped,
                _ => &mut *malformed,
            };
            if samples.len() < MAX_SAMPLES {
                samples.push(LineSample::new(sample, spans, self.read_lines));
            }
        }
        self.read_lines += counted.lines;
    }
}

impl LineSample {
    /// Converts a sample of a chunk that follows `lines_before` lines.
    fn new(counted: CountedLine, spans: &Spans, lines_before: usize) -> Self {
        LineSample {
            number: lines_before + counted.line,
            text: counted.text,
            reason: counted.reason,
            span: counted.start.zip(counted.end).map(|(start, end)| spans.span(start, end)),
        }
    }
}

/// The state of the evaluation.
#[derive(Clone, Debug, Default)]
pub(super) enum EvaluationState {
    /// The engine has not answered yet.
    #[default]
    Pending,
    /// The filter is empty.
    NoFilter,
    /// The filter has errors.
    InvalidFilter,
    /// The filter was evaluated on a part of the lines or on all of them.
    Counted(Arc<FilterStats>),
    /// The engine failed, or the file cannot be read, for this reason.
    Failed(String),
}

/// Evaluates a filter on lines, and again whenever one of the signals changes. Until the first result of a new
/// evaluation, the state is that of the previous one.
pub(super) fn evaluate_on_change(
    source: RwSignal<String>,
    dataset: RwSignal<&'static Dataset>,
    typed: RwSignal<String>,
    file: RwSignal<Option<Arc<LogFile>>>,
) -> RwSignal<EvaluationState> {
    let engine = EngineContext::get();
    let channel = Channel::new(Worker::Tools);
    let evaluation = RwSignal::new(EvaluationState::Pending);
    let run_number = StoredValue::new(0_u32);
    Effect::new(move || {
        engine.track_attempts();
        let text = source.get();
        let dataset = dataset.get();
        let lines = file.get().map_or_else(|| LineSource::Typed(typed.get()), LineSource::LogFile);
        let number = run_number.try_update_value(|run_number| {
            *run_number = run_number.wrapping_add(1);
            *run_number
        });
        if text.trim().is_empty() {
            evaluation.set(EvaluationState::NoFilter);
            return;
        }
        spawn_local(async move {
            let mut run = Evaluation::new(channel, text.into(), dataset, lines);
            let mut published_ms = f64::NEG_INFINITY;
            loop {
                let state = run.add_chunk().await;
                // A newer evaluation replaces this one, and the component may be unmounted by now.
                if run_number.try_get_value() != number {
                    return;
                }
                let state = match state {
                    Ok(state) => state,
                    Err(EngineError::Superseded) => return,
                    Err(EngineError::Failed(reason)) => EvaluationState::Failed(reason),
                };
                let is_partial = matches!(&state, EvaluationState::Counted(stats) if !stats.is_done());
                let now_ms = js_sys::Date::now();
                if !is_partial || now_ms - published_ms >= PROGRESS_INTERVAL_MS {
                    published_ms = now_ms;
                    evaluation.try_set(state);
                }
                if !is_partial {
                    return;
                }
            }
        });
    });
    evaluation
}

/// An evaluation in progress.
struct Evaluation {
    channel: Channel,
    dataset: &'static Dataset,
    lines: LineSource,
    spans: Spans,
    stats: Arc<FilterStats>,
}

impl Evaluation {
    fn new(channel: Channel, source: Arc<str>, dataset: &'static Dataset, lines: LineSource) -> Self {
        let spans = Spans::new(&source);
        let stats = FilterStats { source, total_bytes: lines.size(), ..FilterStats::default() };
        Evaluation { channel, dataset, lines, spans, stats: Arc::new(stats) }
    }

    /// Evaluates the next chunk of lines.
    async fn add_chunk(&mut self) -> Result<EvaluationState, EngineError> {
        let chunk = self.lines.read_chunk(self.stats.read_bytes).await?;
        let chunk_bytes = chunk.length() as usize;
        let samples = self.stats.missing_samples();
        let counted = count_lines(self.channel, &self.stats.source, chunk.into(), self.dataset, samples).await?;
        if counted.operator.is_none() {
            return Ok(EvaluationState::InvalidFilter);
        }
        Arc::make_mut(&mut self.stats).add(counted, &self.spans, chunk_bytes);
        Ok(EvaluationState::Counted(Arc::clone(&self.stats)))
    }
}
