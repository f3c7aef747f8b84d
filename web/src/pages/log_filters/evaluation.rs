//! What the filter makes of many lines: counted in slices of time, so that the page stays quick.

use crate::state::log_filter_draft::{LogFile, options};
use crate::time_slice::{TURN, breathe, now};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::sync::Arc;
use zonewright_diagnostic::Span;
use zonewright_expression::{Missing, Truth};
use zonewright_logpush::ast::{Node, NodeKind};
use zonewright_logpush::{
    Dataset, Funnel, FunnelOptions, Options, Program, Style, Test, TestKind, Trace, check, parse, print,
};

/// How many lines are looked at before the clock is.
const BATCH: usize = 64;
/// Most lines of a kind that are shown.
pub(super) const MOST_SHOWN: usize = 100;
/// Most letters of a line that are shown.
const MOST_LETTERS: usize = 400;

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineOutcome {
    Kept,
    Dropped,
    Malformed,
}

/// A line with what became of it.
#[derive(Clone, Debug)]
pub(super) struct LineSample {
    /// Its number, from 1.
    pub(super) number: usize,
    /// Its beginning.
    pub(super) text: String,
    /// What decided, in words.
    pub(super) reason: String,
    /// Where that stands in the filter.
    pub(super) span: Option<Span>,
}

/// A condition of the top level with what it leaves.
#[derive(Clone, Debug)]
pub(super) struct StageCount {
    /// Where it stands.
    pub(super) span: Span,
    /// How many lines are still in the race behind it: kept so far where one is enough, left where all
    /// must hold.
    pub(super) left: usize,
}

/// What the filter makes of the lines.
#[derive(Clone, Debug, Default)]
pub(super) struct FilterStats {
    /// The filter's own text, to which places belong.
    pub(super) source: Arc<str>,
    /// Whether one condition of the top level is enough.
    pub(super) any: bool,
    /// The conditions of the top level.
    pub(super) stages: Vec<StageCount>,
    /// Lines that were read.
    pub(super) judged: usize,
    /// Lines that are sent.
    pub(super) kept: usize,
    /// Lines that cannot be read.
    pub(super) rejected: usize,
    /// Bytes of the lines that were read.
    pub(super) bytes: usize,
    /// Bytes of the lines that are sent.
    pub(super) kept_bytes: usize,
    /// Samples: kept, dropped, rejected.
    pub(super) shown: [Vec<LineSample>; 3],
    /// How much of the input was looked at, in bytes.
    pub(super) read: usize,
    /// How long the input is.
    pub(super) total: usize,
}

impl FilterStats {
    /// How many lines had a fate.
    pub(super) fn count(&self, fate: LineOutcome) -> usize {
        match fate {
            LineOutcome::Kept => self.kept,
            LineOutcome::Dropped => self.judged.saturating_sub(self.kept),
            LineOutcome::Malformed => self.rejected,
        }
    }

    /// Samples of a fate.
    pub(super) fn lines(&self, fate: LineOutcome) -> &[LineSample] {
        let [kept, dropped, rejected] = &self.shown;
        match fate {
            LineOutcome::Kept => kept,
            LineOutcome::Dropped => dropped,
            LineOutcome::Malformed => rejected,
        }
    }

    /// Whether all was looked at.
    pub(super) fn is_done(&self) -> bool {
        self.read >= self.total
    }
}

/// What can be said of the lines.
#[derive(Clone, Debug, Default)]
pub(super) enum EvaluationState {
    /// The filter has errors.
    #[default]
    InvalidFilter,
    /// How far it is.
    Counted(Arc<FilterStats>),
}

/// Lines, typed or from a file.
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

/// Tries a filter on lines, again whenever either changes.
pub(super) fn follow(
    source: RwSignal<String>,
    dataset: RwSignal<&'static Dataset>,
    typed: RwSignal<String>,
    file: RwSignal<Option<Arc<LogFile>>>,
) -> RwSignal<EvaluationState> {
    let trial = RwSignal::new(EvaluationState::InvalidFilter);
    let turn = StoredValue::new(0_u32);
    Effect::new(move || {
        let text = source.get();
        let options = options(dataset.get());
        let input = file.get().map_or_else(|| LineSource::Typed(typed.get()), LineSource::LogFile);
        let mine = turn.try_update_value(|turn| {
            *turn = turn.wrapping_add(1);
            *turn
        });
        let program = if text.trim().is_empty() { None } else { check(&text, &options).program };
        let Some(program) = program else {
            trial.set(EvaluationState::InvalidFilter);
            return;
        };
        spawn_local(async move {
            let mut run = Evaluation::new(text.into(), program, input, &options);
            while turn.try_get_value() == mine {
                run.slice();
                // The page may be gone by now.
                let shown = trial.try_set(EvaluationState::Counted(Arc::new(run.tally.clone())));
                if run.tally.is_done() || shown.is_some() {
                    break;
                }
                breathe().await;
            }
        });
    });
    on_cleanup(move || {
        turn.try_update_value(|turn| *turn = turn.wrapping_add(1));
    });
    trial
}

/// A filter on its way through lines. The engine counts; only lines that are shown are looked at twice, for
/// what decided them.
struct Evaluation {
    program: Program,
    input: LineSource,
    number: usize,
    whole: Funnel,
    /// Of a filter that is an `or`, each of its conditions alone.
    alternatives: Vec<(Span, Funnel)>,
    rejected_bytes: usize,
    tally: FilterStats,
}

/// Nothing is told of single lines.
const COUNTS_ONLY: FunnelOptions = FunnelOptions { reasons: 0, decisions: 0 };

impl Evaluation {
    fn new(source: Arc<str>, program: Program, input: LineSource, options: &Options) -> Self {
        let alternatives = alternatives(&source, options);
        let total = input.bytes().len();
        let tally = FilterStats { source, any: !alternatives.is_empty(), total, ..FilterStats::default() };
        let whole = Funnel::new(&program, COUNTS_ONLY);
        Evaluation { program, input, number: 0, whole, alternatives, rejected_bytes: 0, tally }
    }

    /// Looks at lines until the slice is over.
    fn slice(&mut self) {
        let start = now();
        let input = self.input.clone();
        while !self.tally.is_done() {
            for _ in 0..BATCH {
                let rest = input.bytes().get(self.tally.read..).unwrap_or_default();
                let Some(length) = (!rest.is_empty()).then(|| end_of_line(rest)) else { break };
                self.tally.read += length;
                self.number += 1;
                self.line(rest.get(..length).unwrap_or_default().trim_ascii());
            }
            if now() - start > TURN {
                break;
            }
        }
        self.count();
    }

    fn line(&mut self, line: &[u8]) {
        let number = self.number;
        let [kept_lines, dropped_lines, rejected] = &mut self.tally.shown;
        let kept = match self.whole.push(line) {
            None => return,
            Some(Ok(kept)) => kept,
            Some(Err(problem)) => {
                self.rejected_bytes += line.len();
                show(rejected, || LineSample { number, text: short(line), reason: problem.to_string(), span: None });
                return;
            }
        };
        // The first that keeps it counts it, so that each shows what it adds.
        if kept {
            self.alternatives.iter_mut().any(|(_, funnel)| funnel.push(line) == Some(Ok(true)));
        }
        let program = &self.program;
        show(if kept { kept_lines } else { dropped_lines }, || {
            let (span, reason) = match program.trace(line, Missing::Absent) {
                Ok(trace) => reason(program.test(), &trace, kept),
                Err(problem) => (program.test().span, problem.to_string()),
            };
            LineSample { number, text: short(line), reason, span: Some(span) }
        });
    }

    /// Takes the counts over.
    fn count(&mut self) {
        let number = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let counts = self.whole.counts();
        let tally = &mut self.tally;
        tally.kept = number(counts.kept);
        tally.rejected = number(counts.rejected);
        tally.judged = number(counts.total) - tally.rejected;
        // Every line ends with a line break.
        tally.bytes = number(counts.bytes) - self.rejected_bytes + tally.judged;
        tally.kept_bytes = number(counts.kept_bytes) + tally.kept;
        let mut so_far = 0;
        let added = self.alternatives.iter().map(|(span, funnel)| {
            so_far += number(funnel.counts().kept);
            StageCount { span: *span, left: so_far }
        });
        tally.stages = if tally.any {
            added.collect()
        } else {
            let stages = self.whole.stages().iter();
            stages.map(|stage| StageCount { span: stage.span, left: number(stage.kept) }).collect()
        };
    }
}

/// The conditions of a filter that is an `or`, each as a filter of its own.
fn alternatives(source: &str, options: &Options) -> Vec<(Span, Funnel)> {
    let Some(NodeKind::Or(nodes)) = parse(source).ast.map(|ast| ast.condition.kind) else { return Vec::new() };
    let alone = |node: &Node| {
        let program = check(&print(node, Style::Compact), options).program?;
        Some((node.span, Funnel::new(&program, COUNTS_ONLY)))
    };
    nodes.iter().map(alone).collect::<Option<_>>().unwrap_or_default()
}

/// How long the first line is, with its end.
fn end_of_line(rest: &[u8]) -> usize {
    rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |at| at + 1)
}

fn show(lines: &mut Vec<LineSample>, line: impl FnOnce() -> LineSample) {
    if lines.len() < MOST_SHOWN {
        lines.push(line());
    }
}

fn short(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line.get(..line.len().min(4 * MOST_LETTERS)).unwrap_or_default());
    match text.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None if line.len() > 4 * MOST_LETTERS => format!("{text}…"),
        None => text.into_owned(),
    }
}

/// The smallest part of the filter that decided, with what stood in the line.
// The depth of a test is bounded by the parser.
pub(crate) fn reason(test: &Test, trace: &Trace, held: bool) -> (Span, String) {
    let truth = |test: &Test| trace.steps.iter().find(|step| step.span == test.span).map(|step| step.truth);
    let decides = if held { Truth::True } else { Truth::False };
    let one =
        |tests: &[Test]| tests.iter().find(|test| truth(test) == Some(decides)).map(|test| reason(test, trace, held));
    let all = |tests: &[Test]| match tests {
        [only] => reason(only, trace, held),
        _ if held => (test.span, format!("all {} conditions hold", tests.len())),
        _ => (test.span, format!("none of {} conditions holds", tests.len())),
    };
    match &test.kind {
        TestKind::All(tests) if held => all(tests),
        TestKind::Any(tests) if !held => all(tests),
        TestKind::All(tests) | TestKind::Any(tests) => one(tests).unwrap_or_else(|| all(tests)),
        TestKind::Comparison(comparison) => {
            let step = trace.steps.iter().find(|step| step.span == test.span);
            let name = comparison.field.name;
            let value = step.and_then(|step| step.value.as_deref());
            (
                test.span,
                value.map_or_else(|| format!("`{name}` is not in the line"), |value| format!("`{name}` is `{value}`")),
            )
        }
    }
}
