//! What a filter does to many lines: how many are still in after each condition.

use crate::{
    LineError, Program,
    evaluate::{CompiledNode, CompiledNodeKind, Ternary},
    line,
};
use zonewright_diagnostic::Span;
use zonewright_expression::Missing;

/// What is told of single lines; of the others only the counts.
#[derive(Clone, Copy, Debug)]
pub struct FunnelOptions {
    /// How many rejected lines are told with their reasons, the first ones.
    pub reasons: usize,
    /// How many lines are told with what decided them, the first ones.
    pub decisions: usize,
}

impl Default for FunnelOptions {
    /// 20 reasons and 1,000 decisions.
    fn default() -> Self {
        FunnelOptions { reasons: 20, decisions: 1_000 }
    }
}

/// Counts lines as a filter lets them through. Lines are pushed one by one; fields that a line lacks have
/// their zero values.
#[derive(Clone, Debug)]
pub struct Funnel {
    program: Program,
    options: FunnelOptions,
    /// The number of the last line.
    last: u64,
    counts: FunnelCounts,
    stages: Vec<Stage>,
    reasons: Vec<Rejected>,
    decisions: Vec<Decision>,
}

/// How many lines, and how large. Sizes are without line breaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FunnelCounts {
    /// Lines that are not blank.
    pub total: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Lines that the filter keeps.
    pub kept: u64,
    /// Their bytes.
    pub kept_bytes: u64,
    /// Lines that the filter drops.
    pub dropped: u64,
    /// Lines that cannot be used.
    pub rejected: u64,
}

/// A part of the `and` that a filter begins with; of any other filter, the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Where it stands in the filter.
    pub span: Span,
    /// How many lines are still in after it.
    pub kept: u64,
}

/// A line that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Its number, from 1; blank lines count.
    pub line: u64,
    /// Why.
    pub error: LineError,
}

/// What was decided about a line, and by what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Its number, from 1; blank lines count.
    pub line: u64,
    /// Whether it is kept.
    pub kept: bool,
    /// The condition that decided alone, or the smallest group in which none did.
    pub span: Span,
}

impl Funnel {
    /// One that has seen no line.
    pub fn new(program: &Program, options: FunnelOptions) -> Funnel {
        let stages = stages(&program.compiled().node).iter().map(|node| Stage { span: node.span, kept: 0 }).collect();
        Funnel {
            program: program.clone(),
            options,
            last: 0,
            counts: FunnelCounts::default(),
            stages,
            reasons: Vec::new(),
            decisions: Vec::new(),
        }
    }

    /// Lets a line through, with or without its line break, and says whether it is kept; nothing for a
    /// blank line, which counts as none.
    pub fn push(&mut self, line: &[u8]) -> Option<Result<bool, LineError>> {
        self.last += 1;
        let line = line.trim_ascii_end();
        if line.is_empty() {
            return None;
        }
        let size = u64::try_from(line.len()).unwrap_or(u64::MAX);
        self.counts.total += 1;
        self.counts.bytes += size;
        let compiled = self.program.compiled();
        let slots = match line::read(line, &compiled.projection) {
            Ok(slots) => slots,
            Err(error) => {
                self.counts.rejected += 1;
                if self.reasons.len() < self.options.reasons {
                    self.reasons.push(Rejected { line: self.last, error: error.clone() });
                }
                return Some(Err(error));
            }
        };
        let mut kept = true;
        for (node, stage) in stages(&compiled.node).iter().zip(&mut self.stages) {
            kept = node.truth(&slots, Missing::Absent) == Ternary::True;
            if !kept {
                break;
            }
            stage.kept += 1;
        }
        if kept {
            self.counts.kept += 1;
            self.counts.kept_bytes += size;
        } else {
            self.counts.dropped += 1;
        }
        if self.decisions.len() < self.options.decisions {
            let span = compiled.node.deciding(&slots, kept.into());
            self.decisions.push(Decision { line: self.last, kept, span });
        }
        Some(Ok(kept))
    }

    /// The counts of all lines so far.
    pub fn counts(&self) -> FunnelCounts {
        self.counts
    }

    /// The conditions, in the order of the filter.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// The first rejected lines.
    pub fn rejected(&self) -> &[Rejected] {
        &self.reasons
    }

    /// The first lines that were not rejected.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }
}

fn stages(node: &CompiledNode) -> &[CompiledNode] {
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
        let answers: Vec<_> = lines.iter().map(|line| funnel.push(line.as_bytes())).collect();
        let kept: Vec<_> =
            answers.iter().map(|answer| answer.as_ref().map(|kept| kept.as_ref().ok().copied())).collect();
        let no = Some(Some(false));
        assert_eq!(kept, [no, None, Some(Some(true)), no, Some(None), Some(None), Some(Some(true))]);
        let counts = funnel.counts();
        assert_eq!((counts.total, counts.kept, counts.dropped, counts.rejected), (6, 2, 2, 2));
        assert_eq!(counts.kept_bytes, (lines[2].len() + lines[6].len()) as u64);
        assert_eq!(funnel.stages().iter().map(|stage| stage.kept).collect::<Vec<_>>(), [3, 2]);
        assert_eq!((funnel.rejected().len(), funnel.rejected()[0].line), (1, 5));
        let decided: Vec<_> = funnel.decisions().iter().map(|one| (one.line, one.span.text(source))).collect();
        assert_eq!(decided[0], (1, r#"{"key":"EdgeResponseStatus","operator":"geq","value":400}"#));
        assert!(decided[1].0 == 3 && decided[1].1.starts_with("{\"and\"") && decided[2].1.starts_with("{\"or\""));
    }
}
