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

use crate::{
    Program,
    line::{self, LineError, Slot},
};
pub(crate) use compile::{Compiled, Node, NodeKind, compile};
use zonewright_diagnostic::Span;
use zonewright_expression::{Missing, Outcome, Truth};

/// What each part of a filter gives for a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The same that [`Program::evaluate`] gives.
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
pub(crate) enum Tri {
    True,
    False,
    Unknown,
}

impl From<bool> for Tri {
    fn from(truth: bool) -> Tri {
        if truth { Tri::True } else { Tri::False }
    }
}

impl Program {
    /// What it gives for a line: one JSON object, with or without a line break behind it. A field that
    /// the line lacks, or that is `null`, has the zero value of its type, or is unknown: as `missing`
    /// says. Never [`Outcome::Value`] or [`Outcome::Absent`].
    ///
    /// # Errors
    /// When the line is no JSON object, or a field that the filter names is not of its type.
    pub fn evaluate(&self, line: &[u8], missing: Missing) -> Result<Outcome, LineError> {
        let compiled = self.compiled();
        let slots = line::read(line, &compiled.wanted)?;
        Ok(outcome(compiled, &slots, missing))
    }

    /// What it gives for a line, and what led to it.
    ///
    /// # Errors
    /// As [`Program::evaluate`].
    pub fn trace(&self, line: &[u8], missing: Missing) -> Result<Trace, LineError> {
        let compiled = self.compiled();
        let slots = line::read(line, &compiled.wanted)?;
        Ok(Trace { outcome: outcome(compiled, &slots, missing), steps: trace::steps(&compiled.node, &slots, missing) })
    }
}

fn outcome(compiled: &Compiled, slots: &[Slot<'_>], missing: Missing) -> Outcome {
    match compiled.node.truth(slots, missing) {
        Tri::True => Outcome::True,
        Tri::False => Outcome::False,
        Tri::Unknown => {
            let mut fields = Vec::new();
            compiled.node.unknown_fields(slots, &compiled.wanted, &mut fields);
            fields.sort_unstable();
            fields.dedup();
            Outcome::Unknown { fields }
        }
    }
}
