//! What the filter makes of many lines: counted in slices of time, so that the page stays quick.

use crate::log_filter::{File, options};
use crate::turns::{TURN, breathe, now};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::sync::Arc;
use zonewright_diagnostic::Span;
use zonewright_expression::{Missing, Outcome, Truth};
use zonewright_logpush::{Dataset, Program, Test, TestKind, Trace, check};

/// How many lines are looked at before the clock is.
const BATCH: usize = 64;
/// Most lines of a kind that are shown.
pub(super) const MOST_SHOWN: usize = 100;
/// Most letters of a line that are shown.
const MOST_LETTERS: usize = 400;

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Kept,
    Dropped,
    Rejected,
}

/// A line with what became of it.
#[derive(Clone, Debug)]
pub(super) struct Line {
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
pub(super) struct Stage {
    /// Where it stands.
    pub(super) span: Span,
    /// How many lines are still in the race behind it: kept so far where one is enough, left where all
    /// must hold.
    pub(super) left: usize,
}

/// What the filter makes of the lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    /// The filter's own text, to which places belong.
    pub(super) source: Arc<str>,
    /// Whether one condition of the top level is enough.
    pub(super) any: bool,
    /// The conditions of the top level.
    pub(super) stages: Vec<Stage>,
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
    pub(super) shown: [Vec<Line>; 3],
    /// How much of the input was looked at, in bytes.
    pub(super) read: usize,
    /// How long the input is.
    pub(super) total: usize,
}

impl Tally {
    /// How many lines had a fate.
    pub(super) fn count(&self, fate: Fate) -> usize {
        match fate {
            Fate::Kept => self.kept,
            Fate::Dropped => self.judged.saturating_sub(self.kept),
            Fate::Rejected => self.rejected,
        }
    }

    /// Samples of a fate.
    pub(super) fn lines(&self, fate: Fate) -> &[Line] {
        let [kept, dropped, rejected] = &self.shown;
        match fate {
            Fate::Kept => kept,
            Fate::Dropped => dropped,
            Fate::Rejected => rejected,
        }
    }

    /// Whether all was looked at.
    pub(super) fn is_done(&self) -> bool {
        self.read >= self.total
    }
}

/// What can be said of the lines.
#[derive(Clone, Debug, Default)]
pub(super) enum Trial {
    /// The filter has errors.
    #[default]
    Wrong,
    /// How far it is.
    Counted(Arc<Tally>),
}

/// Lines, typed or from a file.
#[derive(Clone)]
enum Input {
    Typed(String),
    File(Arc<File>),
}

impl Input {
    fn bytes(&self) -> &[u8] {
        match self {
            Input::Typed(text) => text.as_bytes(),
            Input::File(file) => &file.bytes,
        }
    }
}

/// Tries a filter on lines, again whenever either changes.
pub(super) fn follow(
    source: RwSignal<String>,
    dataset: RwSignal<&'static Dataset>,
    typed: RwSignal<String>,
    file: RwSignal<Option<Arc<File>>>,
) -> RwSignal<Trial> {
    let trial = RwSignal::new(Trial::Wrong);
    let turn = StoredValue::new(0_u32);
    Effect::new(move || {
        let text = source.get();
        let options = options(dataset.get());
        let input = file.get().map_or_else(|| Input::Typed(typed.get()), Input::File);
        let mine = turn.try_update_value(|turn| {
            *turn = turn.wrapping_add(1);
            *turn
        });
        let program = if text.trim().is_empty() { None } else { check(&text, &options).program };
        let Some(program) = program else {
            trial.set(Trial::Wrong);
            return;
        };
        spawn_local(async move {
            let mut run = Run::new(text.into(), program, input);
            while turn.try_get_value() == mine {
                run.slice();
                // The page may be gone by now.
                let shown = trial.try_set(Trial::Counted(Arc::new(run.tally.clone())));
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

/// A filter on its way through lines.
struct Run {
    program: Program,
    input: Input,
    number: usize,
    tally: Tally,
}

impl Run {
    fn new(source: Arc<str>, program: Program, input: Input) -> Self {
        let (any, parts): (bool, &[Test]) = match &program.test().kind {
            TestKind::All(tests) => (false, tests),
            TestKind::Any(tests) => (true, tests),
            TestKind::Comparison(_) => (false, std::slice::from_ref(program.test())),
        };
        let stages = parts.iter().map(|test| Stage { span: test.span, left: 0 }).collect();
        let total = input.bytes().len();
        let tally = Tally { source, any, stages, total, ..Tally::default() };
        Run { program, input, number: 0, tally }
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
                let line = rest.get(..length).unwrap_or_default().trim_ascii();
                if !line.is_empty() {
                    self.line(line);
                }
            }
            if now() - start > TURN {
                break;
            }
        }
    }

    fn line(&mut self, line: &[u8]) {
        let number = self.number;
        let tally = &mut self.tally;
        let trace = match self.program.trace(line, Missing::Absent) {
            Ok(trace) => trace,
            Err(problem) => {
                tally.rejected += 1;
                let [_, _, rejected] = &mut tally.shown;
                show(rejected, || Line { number, text: short(line), reason: problem.to_string(), span: None });
                return;
            }
        };
        let kept = trace.outcome == Outcome::True;
        tally.judged += 1;
        tally.bytes += line.len() + 1;
        if kept {
            tally.kept += 1;
            tally.kept_bytes += line.len() + 1;
        }
        let decides = if tally.any { Truth::True } else { Truth::False };
        let truth = |span: Span| trace.steps.iter().find(|step| step.span == span).map(|step| step.truth);
        let decided = tally.stages.iter().position(|stage| truth(stage.span) == Some(decides));
        for (index, stage) in tally.stages.iter_mut().enumerate() {
            let over = decided.is_some_and(|decided| decided <= index);
            stage.left += usize::from(over == tally.any);
        }
        let [kept_lines, dropped_lines, _] = &mut tally.shown;
        let program = &self.program;
        show(if kept { kept_lines } else { dropped_lines }, || {
            let (span, reason) = reason(program.test(), &trace, kept);
            Line { number, text: short(line), reason, span: Some(span) }
        });
    }
}

/// How long the first line is, with its end.
fn end_of_line(rest: &[u8]) -> usize {
    rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |at| at + 1)
}

fn show(lines: &mut Vec<Line>, line: impl FnOnce() -> Line) {
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
