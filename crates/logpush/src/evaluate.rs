//! What a filter gives for a log line.
//!
//! A program is compiled once, when it is first evaluated (`compile.rs`): names become places, lists
//! are sorted. A line is read once: the fields that the filter names are found while the whole line is
//! held against JSON (`line.rs`), then the conditions are asked from left to right until one decides.

mod compile;
mod matcher;
#[cfg(test)]
mod tests;
mod trace;

use crate::line::{self, LineError, Slot};
pub(crate) use compile::{CompiledFilter, CompiledNode, CompiledNodeKind};
use zonewright_diagnostic::Span;
use zonewright_expression::{Missing, Outcome, Truth};

/// What each part of a filter gives for a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The same that [`Program::evaluate`](crate::Program::evaluate) gives.
    pub outcome: Outcome,
    /// Every group and condition in the order of the source, a group before what is in it.
    pub steps: Vec<Step>,
}

/// What one group or condition gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Where it stands.
    pub span: Span,
    /// What it gives; never [`Truth::Absent`].
    pub truth: Truth,
    /// The line's value of a condition's field as JSON text, also of one that is not reached; nothing
    /// for a group and for a field that the line lacks.
    pub value: Option<String>,
    /// Whether it is a condition whose field the line lacks.
    pub missing: bool,
}

/// A truth that may be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ternary {
    True,
    False,
    Unknown,
}

impl From<bool> for Ternary {
    fn from(truth: bool) -> Ternary {
        if truth { Ternary::True } else { Ternary::False }
    }
}

/// What a filter gives for a line. See [`Program::evaluate`](crate::Program::evaluate).
pub(crate) fn evaluate(compiled: &CompiledFilter, line: &[u8], missing: Missing) -> Result<Outcome, LineError> {
    let slots = line::read(line, &compiled.projection)?;
    Ok(outcome(compiled, &slots, missing))
}

/// What a filter gives for a line, and what led to it.
pub(crate) fn trace(compiled: &CompiledFilter, line: &[u8], missing: Missing) -> Result<Trace, LineError> {
    let slots = line::read(line, &compiled.projection)?;
    Ok(Trace { outcome: outcome(compiled, &slots, missing), steps: trace::steps(&compiled.node, &slots, missing) })
}

fn outcome(compiled: &CompiledFilter, slots: &[Slot<'_>], missing: Missing) -> Outcome {
    match compiled.node.truth(slots, missing) {
        Ternary::True => Outcome::True,
        Ternary::False => Outcome::False,
        Ternary::Unknown => {
            let mut fields = Vec::new();
            compiled.node.unknown_fields(slots, &compiled.projection, &mut fields);
            fields.sort_unstable();
            fields.dedup();
            Outcome::Unknown { fields }
        }
    }
}
