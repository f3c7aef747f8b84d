//! Traces a request and converts the result. If the document has validation errors, only `errors` of the result is set.

use super::validation_error;
use crate::arguments::DocumentResult;
use crate::types;
use zonewright_expression::{Record, Ternary};
use zonewright_trace::{Effect, PartValue, PhaseTrace, RuleTrace, TerminatingRule, read_zone, trace};

pub(crate) fn zone_trace_result(
    document: DocumentResult,
    record: Record,
    mut notes: Vec<String>,
) -> types::ZoneTraceResult {
    let zone = document.map_err(|error| vec![error]).and_then(|document| read_zone(&document));
    let zone = match zone {
        Ok(zone) => zone,
        Err(errors) => {
            let errors = errors.iter().map(validation_error).collect();
            return types::ZoneTraceResult { errors, ..types::ZoneTraceResult::default() };
        }
    };
    let traced = trace(&zone, record);
    notes.extend(traced.notes);
    types::ZoneTraceResult {
        reaches_origin: truth(traced.reaches_origin),
        terminating_rules: traced.terminating_rules.into_iter().map(terminating_rule).collect(),
        phases: traced.phases.into_iter().map(phase).collect(),
        notes,
        ..types::ZoneTraceResult::default()
    }
}

fn truth(value: Ternary) -> Option<bool> {
    match value {
        Ternary::True => Some(true),
        Ternary::False => Some(false),
        Ternary::Unknown => None,
    }
}

fn terminating_rule(rule: TerminatingRule) -> types::TraceTerminatingRule {
    let TerminatingRule { pointer, name, description, terminates, depends_on } = rule;
    types::TraceTerminatingRule { pointer, name, description, terminates: truth(terminates), depends_on }
}

fn phase(traced: PhaseTrace) -> types::TracePhase {
    types::TracePhase {
        phase: traced.phase.name(),
        title: traced.title,
        pointer: traced.pointer,
        name: traced.name,
        rules: traced.rules.into_iter().map(rule).collect(),
    }
}

fn rule(traced: RuleTrace) -> types::TraceRule {
    types::TraceRule {
        reached: truth(traced.reached),
        matches: truth(traced.matches),
        enabled: traced.is_enabled,
        pointer: traced.pointer,
        name: traced.name,
        action: traced.action,
        expression: traced.expression,
        depends_on: traced.depends_on,
        error: traced.error,
        effects: traced.effects.into_iter().map(effect).collect(),
        rules: traced.executed.into_iter().map(rule).collect(),
    }
}

fn effect(effect: Effect) -> types::TraceEffect {
    match effect {
        Effect::Termination { description, terminates } => {
            types::TraceEffect::Terminate { description, terminates: truth(terminates) }
        }
        Effect::Rewrite { field, before, after } => {
            types::TraceEffect::Rewrite { field, before: part_value(before), after: part_value(after) }
        }
        Effect::Other(description) => types::TraceEffect::Other { description },
    }
}

/// Returns the member of a value: `None` if it is unknown, and then not in the result.
fn part_value(value: PartValue) -> Option<Option<String>> {
    match value {
        PartValue::Set(text) => Some(Some(text)),
        PartValue::Absent => Some(None),
        PartValue::Unknown => None,
    }
}
