//! Counts the lines that remain after each condition of a filter.
//!
//! [`Funnel`] takes lines one by one, or as text. [`FunnelCounts`] and [`Stage`] are the counts, and [`LineSample`]
//! explains one line.

use crate::{
    Program,
    evaluate::{CompiledFilter, CompiledNode, CompiledNodeKind, Ternary},
    line::{self, FieldValue, Slot},
};
use zonewright_diagnostic::Span;
use zonewright_expression::MissingPolicy;

/// The maximum number of characters of a sample line.
const MAX_SAMPLE_CHARS: usize = 400;
/// The maximum number of bytes of a character in UTF-8.
const MAX_CHAR_BYTES: usize = 4;

/// A filter with the counts of the lines so far. A field that a line lacks has its zero value.
#[derive(Clone, Debug)]
pub struct Funnel {
    program: Program,
    stages: Vec<Stage>,
    tally: Tally,
}

/// The counts and the samples of all lines so far.
#[derive(Clone, Debug, Default)]
struct Tally {
    max_samples: usize,
    counts: FunnelCounts,
    samples: Vec<LineSample>,
}

/// The number and the size of lines. Sizes are in bytes, without surrounding whitespace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FunnelCounts {
    /// The number of lines, including blank ones.
    pub lines: u64,
    /// The number of lines that match the filter.
    pub kept: u64,
    /// The size of these lines.
    pub kept_bytes: u64,
    /// The number of lines that do not match the filter.
    pub dropped: u64,
    /// The size of these lines.
    pub dropped_bytes: u64,
    /// The number of lines with an error.
    pub rejected: u64,
    /// The size of these lines.
    pub rejected_bytes: u64,
}

/// A condition of the outermost group, or the whole filter if it is a single condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The span in the filter.
    pub span: Span,
    /// The number of lines that match all stages so far; under `or`, at least one of them.
    pub kept: u64,
}

/// The result of a filter for a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineOutcome {
    /// The line matches.
    Kept,
    /// The line does not match.
    Dropped,
    /// The line has an error.
    Rejected,
}

impl LineOutcome {
    /// Returns the name: `kept`, `dropped` or `rejected`.
    pub fn name(self) -> &'static str {
        match self {
            LineOutcome::Kept => "kept",
            LineOutcome::Dropped => "dropped",
            LineOutcome::Rejected => "rejected",
        }
    }
}

/// A line with the reason for its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineSample {
    /// The line number, from 1; blank lines count.
    pub line: u64,
    /// The line; the text of a long line is cut.
    pub text: String,
    /// The outcome.
    pub outcome: LineOutcome,
    /// The reason in English, or the error of the line.
    pub reason: String,
    /// The condition that decided alone, or the smallest group in which no condition decided alone; `None` for an error
    /// (assumption deciding-condition).
    pub span: Option<Span>,
}

impl Funnel {
    /// Creates a funnel without lines. It lists the first `max_samples` lines of each outcome.
    pub fn new(program: &Program, max_samples: usize) -> Funnel {
        let stages =
            stage_nodes(&program.compiled().node).iter().map(|node| Stage { span: node.span, kept: 0 }).collect();
        Funnel { program: program.clone(), stages, tally: Tally { max_samples, ..Tally::default() } }
    }

    /// Adds all lines of a text (NDJSON).
    pub fn push_lines(&mut self, text: &[u8]) {
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            self.push(line);
        }
    }

    /// Adds a line, with or without its line break, and returns its outcome. A blank line has none, and only
    /// [`FunnelCounts::lines`] includes it.
    pub fn push(&mut self, line: &[u8]) -> Option<LineOutcome> {
        let Funnel { program, stages, tally } = self;
        tally.counts.lines += 1;
        let line = line.trim_ascii();
        if line.is_empty() {
            return None;
        }
        let compiled = program.compiled();
        let slots = match line::read_fields(line, &compiled.projection) {
            Ok(slots) => slots,
            Err(error) => {
                tally.add(line, LineOutcome::Rejected, || (None, error.to_string()));
                return Some(LineOutcome::Rejected);
            }
        };
        let is_match = count_stages(&compiled.node, &slots, stages);
        let outcome = if is_match { LineOutcome::Kept } else { LineOutcome::Dropped };
        tally.add(line, outcome, || {
            let (span, reason) = explain_decision(compiled, &compiled.node, &slots, is_match);
            (Some(span), reason)
        });
        Some(outcome)
    }

    /// Returns the counts of all lines so far.
    pub fn counts(&self) -> FunnelCounts {
        self.tally.counts
    }

    /// Returns whether the outermost group is an `or`.
    pub fn is_or(&self) -> bool {
        matches!(self.program.compiled().node.kind, CompiledNodeKind::Any(_))
    }

    /// Returns the stages, in source order.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// Returns the first lines of each outcome, in their order.
    pub fn samples(&self) -> &[LineSample] {
        &self.tally.samples
    }
}

impl Tally {
    /// Counts a line. `explain` returns the deciding condition and the reason.
    fn add(&mut self, line: &[u8], outcome: LineOutcome, explain: impl FnOnce() -> (Option<Span>, String)) {
        let counts = &mut self.counts;
        let (count, bytes) = match outcome {
            LineOutcome::Kept => (&mut counts.kept, &mut counts.kept_bytes),
            LineOutcome::Dropped => (&mut counts.dropped, &mut counts.dropped_bytes),
            LineOutcome::Rejected => (&mut counts.rejected, &mut counts.rejected_bytes),
        };
        *bytes += u64::try_from(line.len()).unwrap_or(u64::MAX);
        *count += 1;
        if usize::try_from(*count).is_ok_and(|count| count <= self.max_samples) {
            let (span, reason) = explain();
            self.samples.push(LineSample { line: counts.lines, text: sample_text(line), outcome, reason, span });
        }
    }
}

fn stage_nodes(node: &CompiledNode) -> &[CompiledNode] {
    match &node.kind {
        CompiledNodeKind::All(nodes) | CompiledNodeKind::Any(nodes) => nodes,
        CompiledNodeKind::Condition(..) => std::slice::from_ref(node),
    }
}

/// Evaluates a filter, and counts the line at each stage that it reaches. Returns whether the line matches.
fn count_stages(root: &CompiledNode, slots: &[Slot<'_>], stages: &mut [Stage]) -> bool {
    let nodes = stage_nodes(root);
    let is_or = matches!(root.kind, CompiledNodeKind::Any(_));
    let decides = |node: &CompiledNode| holds(node, slots) == is_or;
    let deciding_index = nodes.iter().position(decides);
    let counted = match (is_or, deciding_index) {
        (true, Some(index)) => index..nodes.len(),
        (true, None) => 0..0,
        (false, index) => 0..index.unwrap_or(nodes.len()),
    };
    stages.get_mut(counted).into_iter().flatten().for_each(|stage| stage.kept += 1);
    is_or == deciding_index.is_some()
}

fn holds(node: &CompiledNode, slots: &[Slot<'_>]) -> bool {
    node.evaluate(slots, MissingPolicy::Absent) == Ternary::True
}

/// Returns the smallest part of a filter that decided, and the reason. It descends into a group as long as one child
/// alone decided.
// The parser bounds the depth of a filter, so the recursion is bounded.
fn explain_decision(
    compiled: &CompiledFilter,
    node: &CompiledNode,
    slots: &[Slot<'_>],
    is_match: bool,
) -> (Span, String) {
    let nodes = match &node.kind {
        CompiledNodeKind::Condition(index, _) => {
            let name = compiled.projection.fields().get(*index).map_or("", |field| field.name);
            let value = slots.get(*index).filter(|slot| !matches!(slot.value, FieldValue::Missing));
            let reason = match value {
                Some(slot) => format!("`{name}` is `{}`", slot.json),
                None => format!("`{name}` is missing from the line"),
            };
            return (node.span, reason);
        }
        CompiledNodeKind::All(nodes) | CompiledNodeKind::Any(nodes) => nodes,
    };
    let decides_alone = matches!(node.kind, CompiledNodeKind::Any(_)) == is_match;
    let deciding_node = match nodes.as_slice() {
        [only] => Some(only),
        nodes => nodes.iter().filter(|_| decides_alone).find(|node| holds(node, slots) == is_match),
    };
    match deciding_node {
        Some(deciding_node) => explain_decision(compiled, deciding_node, slots, is_match),
        None if is_match => (node.span, format!("all {} conditions match", nodes.len())),
        None => (node.span, format!("none of the {} conditions matches", nodes.len())),
    }
}

fn sample_text(line: &[u8]) -> String {
    let max_bytes = MAX_CHAR_BYTES * MAX_SAMPLE_CHARS;
    let text = String::from_utf8_lossy(line.get(..max_bytes).unwrap_or(line));
    match text.char_indices().nth(MAX_SAMPLE_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None if line.len() > max_bytes => format!("{text}…"),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, check};

    const LINES: [&str; 7] = [
        r#"{"EdgeResponseStatus":200}"#,
        " ",
        r#"{"EdgeResponseStatus":404,"ClientCountry":"de"}"#,
        r#"{"EdgeResponseStatus":404,"ClientCountry":"fr","BotScore":99}"#,
        r#"{"EdgeResponseStatus":404"#,
        r#"{"EdgeResponseStatus":"404"}"#,
        r#"{"EdgeResponseStatus":500}"#,
    ];
    const STATUS: &str = r#"{"key":"EdgeResponseStatus","operator":"geq","value":400}"#;
    const COUNTRY: &str = r#"{"key":"ClientCountry","operator":"eq","value":"de"}"#;
    const SCORE: &str = r#"{"key":"BotScore","operator":"lt","value":30}"#;

    fn count(source: &str, max_samples: usize) -> Funnel {
        let program = check(source, &Options::default()).program.unwrap();
        let mut funnel = Funnel::new(&program, max_samples);
        funnel.push_lines(LINES.join("\r\n").as_bytes());
        funnel
    }

    fn kept(funnel: &Funnel) -> Vec<u64> {
        funnel.stages().iter().map(|stage| stage.kept).collect()
    }

    #[test]
    fn lines_are_counted_after_each_condition() {
        let funnel = count(&format!(r#"{{"where":{{"and":[{STATUS},{{"or":[{COUNTRY},{SCORE}]}}]}}}}"#), 0);
        let counts = funnel.counts();
        assert_eq!((counts.lines, counts.kept, counts.dropped, counts.rejected), (7, 2, 2, 2));
        let size = |indexes: [usize; 2]| indexes.iter().map(|index| LINES[*index].len() as u64).sum::<u64>();
        assert_eq!(
            (counts.kept_bytes, counts.dropped_bytes, counts.rejected_bytes),
            (size([2, 6]), size([0, 3]), size([4, 5]))
        );
        assert_eq!((funnel.is_or(), kept(&funnel)), (false, vec![3, 2]));
        assert!(funnel.samples().is_empty());
    }

    #[test]
    fn conditions_of_an_or_count_the_lines_that_match_so_far() {
        let funnel = count(&format!(r#"{{"where":{{"or":[{COUNTRY},{STATUS},{COUNTRY}]}}}}"#), 0);
        assert_eq!((funnel.is_or(), kept(&funnel)), (true, vec![1, 3, 3]));
        assert_eq!(kept(&count(&format!(r#"{{"where":{STATUS}}}"#), 0)), [3]);
    }

    #[test]
    fn samples_explain_the_first_lines_of_each_outcome() {
        let source = format!(r#"{{"where":{{"and":[{STATUS},{{"or":[{COUNTRY},{SCORE}]}}]}}}}"#);
        let funnel = count(&source, 2);
        let samples = funnel.samples().iter().map(|sample| {
            let text = sample.span.map_or("", |span| span.text(&source)).get(..10).unwrap_or_default();
            (sample.line, sample.outcome.name(), text, sample.reason.as_str())
        });
        let expected = [
            (1, "dropped", r#"{"key":"Ed"#, "`EdgeResponseStatus` is `200`"),
            (3, "kept", r#"{"and":[{""#, "all 2 conditions match"),
            (4, "dropped", r#"{"or":[{"k"#, "none of the 2 conditions matches"),
            (5, "rejected", "", "column 26: unexpected end of line, expected `,` or `}`"),
            (6, "rejected", "", "column 23: `EdgeResponseStatus` is a string, but its type is `int`"),
            (7, "kept", r#"{"and":[{""#, "all 2 conditions match"),
        ];
        assert_eq!(samples.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn long_samples_are_cut() {
        assert_eq!(sample_text("é".repeat(400).as_bytes()), "é".repeat(400));
        assert_eq!(sample_text("é".repeat(401).as_bytes()), "é".repeat(400) + "…");
        assert_eq!(sample_text("🦀".repeat(401).as_bytes()), "🦀".repeat(400) + "…");
    }
}
