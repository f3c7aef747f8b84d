//! Formats the result of an evaluation.

use crate::json::{DiagnosticOutput, diagnostics_output, to_pretty_json};
use serde::Serialize;
use serde_json::Value as Json;
use zonewright_diagnostic::{Diagnostic, Positions, Span};
use zonewright_expression::{Outcome, TraceStep, Truth};
use zonewright_request::json::value_to_json;
use zonewright_request::{outcome_name, truth_name};

/// The result of one condition.
pub(crate) struct TraceRow {
    pub(crate) span: Span,
    pub(crate) truth: Truth,
    pub(crate) value: Option<Json>,
}

impl From<&TraceStep> for TraceRow {
    fn from(step: &TraceStep) -> TraceRow {
        TraceRow { span: step.span, truth: step.truth, value: step.value.as_ref().map(value_to_json) }
    }
}

/// Formats the result as text, with the conditions of the trace indented by their nesting.
pub(crate) fn outcome_to_text(source: &str, outcome: &Outcome, steps: Option<&[TraceRow]>) -> String {
    let mut text = match outcome {
        Outcome::True => "match".to_owned(),
        Outcome::False => "no match".to_owned(),
        Outcome::Unknown { fields } => format!("unknown: it depends on {}", quote_names(fields)),
        Outcome::Value(value) => format!("value: {}", value_to_json(value)),
        Outcome::Absent => "no value".to_owned(),
    };
    text.push('\n');
    let mut enclosing: Vec<Span> = Vec::new();
    for step in steps.unwrap_or_default() {
        while enclosing.last().is_some_and(|outer| step.span.start >= outer.end) {
            enclosing.pop();
        }
        let indent = "  ".repeat(enclosing.len());
        let words: Vec<&str> = step.span.text(source).split_whitespace().collect();
        let value = step.value.as_ref().map_or(String::new(), |value| format!("  ({})", truncate(&value.to_string())));
        text.push_str(&format!("  {:<11} {indent}{}{value}\n", truth_name(step.truth), truncate(&words.join(" "))));
        enclosing.push(step.span);
    }
    text
}

fn quote_names(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// Truncates a text to 120 characters.
fn truncate(text: &str) -> String {
    let mut start: String = text.chars().take(120).collect();
    if text.chars().nth(120).is_some() {
        start.push('…');
    }
    start
}

#[derive(Serialize)]
struct EvaluationOutput<'a> {
    outcome: &'a str,
    result: Json,
    fields: &'a [String],
    notes: &'a [String],
    diagnostics: Vec<DiagnosticOutput<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Vec<TraceStepOutput<'a>>>,
}

#[derive(Serialize)]
struct TraceStepOutput<'a> {
    start: usize,
    end: usize,
    line: usize,
    column: usize,
    text: &'a str,
    truth: &'a str,
    value: Option<Json>,
}

/// Converts an outcome to the member `result`, which is the same in every output.
pub(crate) fn result_to_json(outcome: &Outcome) -> Json {
    match outcome {
        Outcome::True => Json::Bool(true),
        Outcome::False => Json::Bool(false),
        Outcome::Unknown { .. } => Json::from("unknown"),
        Outcome::Value(value) => value_to_json(value),
        Outcome::Absent => Json::Null,
    }
}

/// Formats the result as one JSON object.
pub(crate) fn outcome_to_json(
    source: &str,
    outcome: &Outcome,
    steps: Option<&[TraceRow]>,
    diagnostics: &[Diagnostic],
    notes: &[String],
) -> String {
    let fields: &[String] = match outcome {
        Outcome::Unknown { fields } => fields,
        _ => &[],
    };
    let mut positions = Positions::new(source);
    let mut step = |step: &TraceRow| {
        let position = positions.position_at(step.span.start);
        TraceStepOutput {
            start: step.span.start,
            end: step.span.end,
            line: position.line,
            column: position.column,
            text: step.span.text(source),
            truth: truth_name(step.truth),
            value: step.value.clone(),
        }
    };
    let trace = steps.map(|steps| steps.iter().map(&mut step).collect());
    let diagnostics = diagnostics_output(source, diagnostics);
    to_pretty_json(&EvaluationOutput {
        outcome: outcome_name(outcome),
        result: result_to_json(outcome),
        fields,
        notes,
        diagnostics,
        trace,
    })
}

/// Formats the JSON object for an expression with errors.
pub(crate) fn errors_to_json(source: &str, diagnostics: &[Diagnostic], notes: &[String]) -> String {
    let diagnostics = diagnostics_output(source, diagnostics);
    to_pretty_json(&EvaluationOutput {
        outcome: "error",
        result: Json::Null,
        fields: &[],
        notes,
        diagnostics,
        trace: None,
    })
}
