//! The evaluation of a filter on many log lines.
//!
//! [`evaluate_on_change`] evaluates in time slices on the only thread, so that the page remains responsive. Each change
//! of the input starts a new evaluation. The previous one stops after its current slice.

use crate::state::log_filter_draft::{LogFile, filter_options};
use crate::time_slice::{TIME_SLICE_MS, now_ms, yield_to_browser};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::sync::Arc;
use zonewright_diagnostic::Span;
use zonewright_expression::{MissingPolicy, Truth};
use zonewright_logpush::ast::{Node, NodeKind};
use zonewright_logpush::{
    Dataset, FormatStyle, Funnel, FunnelOptions, Options, Program, Test, TestKind, Trace, check, parse, print,
};

/// Number of lines that are evaluated between two reads of the clock.
const LINES_PER_CLOCK_CHECK: usize = 64;
/// Largest number of sample lines of each outcome.
pub(super) const MAX_SAMPLES: usize = 100;
/// Largest number of characters that are shown of a line.
const MAX_LINE_CHARS: usize = 400;

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
    /// Bytes of the lines that were parsed.
    pub(super) bytes: usize,
    /// Bytes of the lines that match.
    pub(super) kept_bytes: usize,
    /// Sample lines: kept, dropped, malformed.
    pub(super) samples: [Vec<LineSample>; 3],
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
}

/// The state of the evaluation.
#[derive(Clone, Debug, Default)]
pub(super) enum EvaluationState {
    /// The filter is empty or has errors.
    #[default]
    InvalidFilter,
    /// The filter was evaluated on a part of the lines or on all of them.
    Counted(Arc<FilterStats>),
}

/// The source of the lines.
#[derive(Clone)]
enum LineSource {
    Typed(String),
    LogFile(Arc<LogFile>),
}

impl LineSource {
    fn bytes(&self) -> &[u8] {
        match self {
            LineSource::Typed(text) => text.as_bytes(),
            LineSource::LogFile(file) => &file.bytes,
        }
    }
}

/// Evaluates a filter on lines, and again whenever one of the signals changes. A newer evaluation or the unmounting of
/// the component stops the running one at its next slice.
pub(super) fn evaluate_on_change(
    source: RwSignal<String>,
    dataset: RwSignal<&'static Dataset>,
    typed: RwSignal<String>,
    file: RwSignal<Option<Arc<LogFile>>>,
) -> RwSignal<EvaluationState> {
    let evaluation = RwSignal::new(EvaluationState::InvalidFilter);
    let run_number = StoredValue::new(0_u32);
    Effect::new(move || {
        let text = source.get();
        let options = filter_options(dataset.get());
        let input = file.get().map_or_else(|| LineSource::Typed(typed.get()), LineSource::LogFile);
        let number = run_number.try_update_value(|run_number| {
            *run_number = run_number.wrapping_add(1);
            *run_number
        });
        let program = if text.trim().is_empty() { None } else { check(&text, &options).program };
        let Some(program) = program else {
            evaluation.set(EvaluationState::InvalidFilter);
            return;
        };
        spawn_local(async move {
            let mut run = Evaluation::new(text.into(), program, input, &options);
            while run_number.try_get_value() == number {
                run.run_slice();
                // The component may be unmounted by now.
                let is_unmounted = evaluation.try_set(EvaluationState::Counted(Arc::new(run.stats.clone()))).is_some();
                if run.stats.is_done() || is_unmounted {
                    break;
                }
                yield_to_browser().await;
            }
        });
    });
    on_cleanup(move || {
        run_number.try_update_value(|run_number| *run_number = run_number.wrapping_add(1));
    });
    evaluation
}

/// An evaluation in progress. The funnel counts every line. A line that matches a top-level `or` is evaluated again by
/// its alternatives, and a sample line is evaluated again for its reason.
struct Evaluation {
    program: Program,
    input: LineSource,
    line_number: usize,
    /// The funnel of the whole filter.
    funnel: Funnel,
    /// One funnel for each condition of a top-level `or`.
    alternatives: Vec<(Span, Funnel)>,
    malformed_bytes: usize,
    stats: FilterStats,
}

/// The options of a funnel that only counts lines.
const COUNTS_ONLY: FunnelOptions = FunnelOptions { reasons: 0, decisions: 0 };

impl Evaluation {
    fn new(source: Arc<str>, program: Program, input: LineSource, options: &Options) -> Self {
        let alternatives = alternative_funnels(&source, options);
        let total_bytes = input.bytes().len();
        let stats = FilterStats { source, is_or: !alternatives.is_empty(), total_bytes, ..FilterStats::default() };
        let funnel = Funnel::new(&program, COUNTS_ONLY);
        Evaluation { program, input, line_number: 0, funnel, alternatives, malformed_bytes: 0, stats }
    }

    /// Evaluates lines until the time slice ends.
    fn run_slice(&mut self) {
        let start = now_ms();
        let input = self.input.clone();
        while !self.stats.is_done() {
            for _ in 0..LINES_PER_CLOCK_CHECK {
                let unread = input.bytes().get(self.stats.read_bytes..).unwrap_or_default();
                let Some(length) = (!unread.is_empty()).then(|| first_line_length(unread)) else { break };
                self.stats.read_bytes += length;
                self.line_number += 1;
                self.evaluate_line(unread.get(..length).unwrap_or_default().trim_ascii());
            }
            if now_ms() - start > TIME_SLICE_MS {
                break;
            }
        }
        self.copy_counts();
    }

    fn evaluate_line(&mut self, line: &[u8]) {
        let number = self.line_number;
        let [kept_lines, dropped_lines, malformed_lines] = &mut self.stats.samples;
        let kept = match self.funnel.push(line) {
            None => return,
            Some(Ok(kept)) => kept,
            Some(Err(problem)) => {
                self.malformed_bytes += line.len();
                add_sample(malformed_lines, || LineSample {
                    number,
                    text: truncate_line(line),
                    reason: problem.to_string(),
                    span: None,
                });
                return;
            }
        };
        // Only the first matching alternative counts a line, so that each shows the lines that it adds.
        if kept {
            self.alternatives.iter_mut().any(|(_, funnel)| funnel.push(line) == Some(Ok(true)));
        }
        let program = &self.program;
        add_sample(if kept { kept_lines } else { dropped_lines }, || {
            let (span, reason) = match program.trace(line, MissingPolicy::Absent) {
                Ok(trace) => explain_decision(program.test(), &trace, kept),
                Err(problem) => (program.test().span, problem.to_string()),
            };
            LineSample { number, text: truncate_line(line), reason, span: Some(span) }
        });
    }

    /// Copies the counts of the funnels.
    fn copy_counts(&mut self) {
        let number = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let counts = self.funnel.counts();
        let stats = &mut self.stats;
        stats.kept = number(counts.kept);
        stats.malformed = number(counts.rejected);
        stats.parsed = number(counts.total) - stats.malformed;
        // Each line has a line break, which the funnel does not count.
        stats.bytes = number(counts.bytes) - self.malformed_bytes + stats.parsed;
        stats.kept_bytes = number(counts.kept_bytes) + stats.kept;
        let mut so_far = 0;
        let added = self.alternatives.iter().map(|(span, funnel)| {
            so_far += number(funnel.counts().kept);
            StageCount { span: *span, remaining: so_far }
        });
        stats.stages = if stats.is_or {
            added.collect()
        } else {
            let stages = self.funnel.stages().iter();
            stages.map(|stage| StageCount { span: stage.span, remaining: number(stage.kept) }).collect()
        };
    }
}

/// Returns a funnel for each condition of a top-level `or`, with the span of the condition. Returns no funnel for any
/// other filter, or if a condition is invalid.
fn alternative_funnels(source: &str, options: &Options) -> Vec<(Span, Funnel)> {
    let Some(NodeKind::Or(nodes)) = parse(source).ast.map(|ast| ast.condition.kind) else { return Vec::new() };
    let to_funnel = |node: &Node| {
        let program = check(&print(node, FormatStyle::Compact), options).program?;
        Some((node.span, Funnel::new(&program, COUNTS_ONLY)))
    };
    nodes.iter().map(to_funnel).collect::<Option<_>>().unwrap_or_default()
}

/// Returns the length of the first line in bytes, including its line break.
fn first_line_length(rest: &[u8]) -> usize {
    rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |index| index + 1)
}

fn add_sample(samples: &mut Vec<LineSample>, line: impl FnOnce() -> LineSample) {
    if samples.len() < MAX_SAMPLES {
        samples.push(line());
    }
}

fn truncate_line(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line.get(..line.len().min(4 * MAX_LINE_CHARS)).unwrap_or_default());
    match text.char_indices().nth(MAX_LINE_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None if line.len() > 4 * MAX_LINE_CHARS => format!("{text}…"),
        None => text.into_owned(),
    }
}

/// Returns the smallest part of the filter that decided, as its span and an explanation.
// The parser bounds the depth of a test, so the recursion is bounded.
pub(crate) fn explain_decision(test: &Test, trace: &Trace, is_match: bool) -> (Span, String) {
    let truth = |test: &Test| trace.steps.iter().find(|step| step.span == test.span).map(|step| step.truth);
    let decides = if is_match { Truth::True } else { Truth::False };
    let first_deciding = |tests: &[Test]| {
        tests.iter().find(|test| truth(test) == Some(decides)).map(|test| explain_decision(test, trace, is_match))
    };
    let all = |tests: &[Test]| match tests {
        [only] => explain_decision(only, trace, is_match),
        _ if is_match => (test.span, format!("all {} conditions match", tests.len())),
        _ => (test.span, format!("none of the {} conditions matches", tests.len())),
    };
    match &test.kind {
        TestKind::All(tests) if is_match => all(tests),
        TestKind::Any(tests) if !is_match => all(tests),
        TestKind::All(tests) | TestKind::Any(tests) => first_deciding(tests).unwrap_or_else(|| all(tests)),
        TestKind::Comparison(comparison) => {
            let step = trace.steps.iter().find(|step| step.span == test.span);
            let name = comparison.field.name;
            let value = step.and_then(|step| step.value.as_deref());
            (
                test.span,
                value.map_or_else(
                    || format!("`{name}` is missing from the line"),
                    |value| format!("`{name}` is `{value}`"),
                ),
            )
        }
    }
}
