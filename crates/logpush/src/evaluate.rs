//! Evaluates a filter on a log line.
//!
//! [`CompiledFilter`] is the executable form, and [`Trace`] is the result with every step. The first evaluation
//! compiles a program: names become slot indexes, and lists are sorted. One scan of a line finds all projected fields
//! and validates the whole line as JSON. Conditions are then evaluated from left to right and short-circuit.

mod compile;
mod matcher;
#[cfg(test)]
mod tests;
mod trace;

use crate::line::{self, LineError, Slot};
pub(crate) use compile::{CompiledFilter, CompiledNode, CompiledNodeKind};
use zonewright_diagnostic::Span;
use zonewright_expression::{MissingPolicy, Outcome, Truth};

/// The result of every group and condition of a filter for one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The outcome, equal to that of [`Program::evaluate`](crate::Program::evaluate).
    pub outcome: Outcome,
    /// All groups and conditions in source order; a group precedes its content.
    pub steps: Vec<TraceStep>,
}

/// The result of one group or condition.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceStep {
    /// The span in the source.
    pub span: Span,
    /// The truth value; never [`Truth::Absent`].
    pub truth: Truth,
    /// The JSON text of the field in the line, also for a condition that is not reached. `None` for a group, and for a
    /// field that the line lacks or has as `null`.
    pub value: Option<String>,
    /// Whether this is a condition whose field the line lacks or has as `null`.
    pub missing: bool,
}

/// A truth value of three-valued logic.
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

/// Evaluates a filter on a line. See [`Program::evaluate`](crate::Program::evaluate).
pub(crate) fn evaluate(compiled: &CompiledFilter, line: &[u8], missing: MissingPolicy) -> Result<Outcome, LineError> {
    let slots = line::read_fields(line, &compiled.projection)?;
    Ok(evaluate_slots(compiled, &slots, missing))
}

/// Evaluates a filter on a line, and returns every step.
pub(crate) fn trace(compiled: &CompiledFilter, line: &[u8], missing: MissingPolicy) -> Result<Trace, LineError> {
    let slots = line::read_fields(line, &compiled.projection)?;
    Ok(Trace {
        outcome: evaluate_slots(compiled, &slots, missing),
        steps: trace::collect_steps(&compiled.node, &slots, missing),
    })
}

fn evaluate_slots(compiled: &CompiledFilter, slots: &[Slot<'_>], missing: MissingPolicy) -> Outcome {
    match compiled.node.evaluate(slots, missing) {
        Ternary::True => Outcome::True,
        Ternary::False => Outcome::False,
        Ternary::Unknown => {
            let mut fields = Vec::new();
            compiled.node.collect_unknown_fields(slots, &compiled.projection, &mut fields);
            fields.sort_unstable();
            fields.dedup();
            Outcome::Unknown { fields }
        }
    }
}
