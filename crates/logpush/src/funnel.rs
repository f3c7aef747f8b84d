//! Counts the lines that remain after each condition of a filter.
//!
//! [`Funnel`] takes lines one by one. [`FunnelCounts`] and [`Stage`] are the counts, and [`Decision`] explains one
//! line.

use crate::{
    LineError, Program,
    evaluate::{CompiledNode, CompiledNodeKind, Ternary},
    line,
};
use zonewright_diagnostic::Span;
use zonewright_expression::MissingPolicy;

/// The maximum number of lines that are listed with details. All other lines are only counted.
#[derive(Clone, Copy, Debug)]
pub struct FunnelOptions {
    /// The maximum number of rejected lines that are listed with their errors, from the first line on.
    pub reasons: usize,
    /// The maximum number of lines that are listed with the condition that decided, from the first line on.
    pub decisions: usize,
}

impl Default for FunnelOptions {
    /// Returns the default: 20 errors and 1,000 decisions.
    fn default() -> Self {
        FunnelOptions { reasons: 20, decisions: 1_000 }
    }
}

/// A filter with the counts of the lines pushed so far. A field that a line lacks has its zero value.
#[derive(Clone, Debug)]
pub struct Funnel {
    program: Program,
    options: FunnelOptions,
    /// The number of the last line.
    line_number: u64,
    counts: FunnelCounts,
    stages: Vec<Stage>,
    rejections: Vec<RejectedLine>,
    decisions: Vec<Decision>,
}

/// The number and the size of lines. Sizes are without trailing whitespace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FunnelCounts {
    /// The number of lines that are not blank.
    pub total: u64,
    /// The size of these lines in bytes.
    pub bytes: u64,
    /// The number of lines that match the filter.
    pub kept: u64,
    /// The size of these lines in bytes.
    pub kept_bytes: u64,
    /// The number of lines that do not match the filter.
    pub dropped: u64,
    /// The number of lines with an error.
    pub rejected: u64,
}

/// A condition of the outermost `and`, or, for any other filter, the whole filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The span in the filter.
    pub span: Span,
    /// The number of lines that match this stage and all stages before it.
    pub kept: u64,
}

/// A line with an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedLine {
    /// The line number, from 1; blank lines count.
    pub line: u64,
    /// The error.
    pub error: LineError,
}

/// The result for one line, with the condition that decided it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The line number, from 1; blank lines count.
    pub line: u64,
    /// Whether the line matches.
    pub kept: bool,
    /// The condition that decided alone, or the smallest group in which no condition decided alone.
    pub span: Span,
}

impl Funnel {
    /// Creates a funnel without lines.
    pub fn new(program: &Program, options: FunnelOptions) -> Funnel {
        let stages =
            stage_nodes(&program.compiled().node).iter().map(|node| Stage { span: node.span, kept: 0 }).collect();
        Funnel {
            program: program.clone(),
            options,
            line_number: 0,
            counts: FunnelCounts::default(),
            stages,
            rejections: Vec::new(),
            decisions: Vec::new(),
        }
    }

    /// Adds a line, with or without its line break, and returns whether it matches. A blank line returns `None` and is
    /// not counted.
    pub fn push(&mut self, line: &[u8]) -> Option<Result<bool, LineError>> {
        self.line_number += 1;
        let line = line.trim_ascii_end();
        if line.is_empty() {
            return None;
        }
        let size = u64::try_from(line.len()).unwrap_or(u64::MAX);
        self.counts.total += 1;
        self.counts.bytes += size;
        let compiled = self.program.compiled();
        let slots = match line::read_fields(line, &compiled.projection) {
            Ok(slots) => slots,
            Err(error) => {
                self.counts.rejected += 1;
                if self.rejections.len() < self.options.reasons {
                    self.rejections.push(RejectedLine { line: self.line_number, error: error.clone() });
                }
                return Some(Err(error));
            }
        };
        let mut is_match = true;
        for (node, stage) in stage_nodes(&compiled.node).iter().zip(&mut self.stages) {
            is_match = node.evaluate(&slots, MissingPolicy::Absent) == Ternary::True;
            if !is_match {
                break;
            }
            stage.kept += 1;
        }
        if is_match {
            self.counts.kept += 1;
            self.counts.kept_bytes += size;
        } else {
            self.counts.dropped += 1;
        }
        if self.decisions.len() < self.options.decisions {
            let span = compiled.node.deciding_span(&slots, is_match.into());
            self.decisions.push(Decision { line: self.line_number, kept: is_match, span });
        }
        Some(Ok(is_match))
    }

    /// Returns the counts of all lines so far.
    pub fn counts(&self) -> FunnelCounts {
        self.counts
    }

    /// Returns the stages, in source order.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// Returns the first rejected lines.
    pub fn rejected(&self) -> &[RejectedLine] {
        &self.rejections
    }

    /// Returns the first decisions.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }
}

fn stage_nodes(node: &CompiledNode) -> &[CompiledNode] {
    match &node.kind {
        CompiledNodeKind::All(nodes) => nodes,
        CompiledNodeKind::Any(_) | CompiledNodeKind::Condition(..) => std::slice::from_ref(node),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, check};

    #[test]
    fn lines_are_counted_after_each_condition() {
        let source = r#"{"where":{"and":[
            {"key":"EdgeResponseStatus","operator":"geq","value":400},
            {"or":[{"key":"ClientCountry","operator":"eq","value":"de"},
                   {"key":"BotScore","operator":"lt","value":30}]}]}}"#;
        let program = check(source, &Options::default()).program.unwrap();
        let mut funnel = Funnel::new(&program, FunnelOptions { reasons: 1, decisions: 3 });
        let lines = [
            r#"{"EdgeResponseStatus":200}"#,
            "",
            r#"{"EdgeResponseStatus":404,"ClientCountry":"de"}"#,
            r#"{"EdgeResponseStatus":404,"ClientCountry":"fr","BotScore":99}"#,
            r#"{"EdgeResponseStatus":404"#,
            r#"{"EdgeResponseStatus":"404"}"#,
            r#"{"EdgeResponseStatus":500}"#,
        ];
        let results: Vec<_> = lines.iter().map(|line| funnel.push(line.as_bytes())).collect();
        let matches: Vec<_> =
            results.iter().map(|result| result.as_ref().map(|result| result.as_ref().ok().copied())).collect();
        let no = Some(Some(false));
        assert_eq!(matches, [no, None, Some(Some(true)), no, Some(None), Some(None), Some(Some(true))]);
        let counts = funnel.counts();
        assert_eq!((counts.total, counts.kept, counts.dropped, counts.rejected), (6, 2, 2, 2));
        assert_eq!(counts.kept_bytes, (lines[2].len() + lines[6].len()) as u64);
        assert_eq!(funnel.stages().iter().map(|stage| stage.kept).collect::<Vec<_>>(), [3, 2]);
        assert_eq!((funnel.rejected().len(), funnel.rejected()[0].line), (1, 5));
        let decided: Vec<_> =
            funnel.decisions().iter().map(|decision| (decision.line, decision.span.text(source))).collect();
        assert_eq!(decided[0], (1, r#"{"key":"EdgeResponseStatus","operator":"geq","value":400}"#));
        assert!(decided[1].0 == 3 && decided[1].1.starts_with("{\"and\"") && decided[2].1.starts_with("{\"or\""));
    }
}
