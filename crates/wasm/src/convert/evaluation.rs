//! Converts results of evaluations and of equivalence proofs.

use super::{diagnostics, range};
use crate::arguments::MAX_SAFE_INTEGER;
use crate::types::{self, RawJsValue};
use js_sys::{Array, Object};
use std::collections::BTreeMap;
use wasm_bindgen::JsValue;
use zonewright_diagnostic::{Diagnostic, Utf16Offsets};
use zonewright_equivalence::{Budget, Satisfiability, Verdict, check_satisfiability};
use zonewright_expression::{
    CheckOutput, ListItem, Options, Outcome, Record, SemanticTokenKind, TraceStep, Value, analyze,
};
use zonewright_request::{json, outcome_name, truth_name};

pub(crate) fn evaluate_result(
    source: &str,
    checked: &CheckOutput,
    record: &Record,
    notes: Vec<String>,
    with_trace: bool,
) -> types::EvaluateResult {
    let diagnostics = diagnostics(source, &checked.diagnostics);
    let Some(program) = &checked.program else {
        return types::EvaluateResult { notes, diagnostics, ..types::EvaluateResult::default() };
    };
    let (outcome, trace) = match with_trace {
        false => (program.evaluate(record), None),
        true => {
            let trace = program.trace(record);
            (trace.outcome, Some(steps(source, &trace.steps)))
        }
    };
    let name = outcome_name(&outcome);
    let (result, unknown) = match outcome {
        Outcome::True => (JsValue::TRUE, Vec::new()),
        Outcome::False => (JsValue::FALSE, Vec::new()),
        Outcome::Unknown { fields } => (JsValue::from_str("unknown"), fields),
        Outcome::Value(value) => (value_to_js(&value), Vec::new()),
        Outcome::Absent => (JsValue::NULL, Vec::new()),
    };
    types::EvaluateResult { outcome: name, result: RawJsValue(result), unknown, notes, trace, diagnostics }
}

fn steps(source: &str, steps: &[TraceStep]) -> Vec<types::TraceStep> {
    let offsets = Utf16Offsets::new(source);
    let step = |step: &TraceStep| {
        let (start, end) = range(&offsets, step.span);
        let value = step.value.as_ref().map(|value| RawJsValue(value_to_js(value)));
        types::TraceStep { start, end, truth: truth_name(step.truth), value }
    };
    steps.iter().map(step).collect()
}

/// Converts a value. An integer that is not exact as a number becomes a BigInt; bytes that are not UTF-8 become
/// `{ base64 }`.
pub(super) fn value_to_js(value: &Value) -> JsValue {
    match value {
        Value::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => JsValue::from_str(text),
            Err(_) => {
                let encoded = json::value_to_json(value);
                let text = encoded.get("base64").and_then(|text| text.as_str()).unwrap_or_default();
                object([("base64", JsValue::from_str(text))])
            }
        },
        Value::Integer(number) if number.unsigned_abs() <= MAX_SAFE_INTEGER as u64 => JsValue::from_f64(*number as f64),
        Value::Integer(number) => JsValue::from(*number),
        Value::Ip(address) => JsValue::from_str(&address.to_string()),
        Value::Boolean(flag) => JsValue::from_bool(*flag),
        Value::Array(elements) => elements.iter().map(value_to_js).collect::<Array>().into(),
        Value::Map(elements) => {
            object(elements.iter().map(|(key, value)| (String::from_utf8_lossy(key), value_to_js(value))))
        }
    }
}

/// Creates an object. Every member is an own property, even `__proto__`.
fn object(members: impl IntoIterator<Item = (impl AsRef<str>, JsValue)>) -> JsValue {
    let pair = |(name, value): (_, JsValue)| Array::of2(&JsValue::from_str(AsRef::as_ref(&name)), &value);
    let pairs: Array = members.into_iter().map(pair).collect();
    // `fromEntries` cannot fail, because its argument is an array of pairs.
    Object::from_entries(&pairs).map_or(JsValue::NULL, JsValue::from)
}

/// Converts the result of `equivalent` and `subsumes` for two expressions.
pub(crate) fn equivalence_result(
    verdict: Verdict,
    sources: [&str; 2],
    options: &Options,
    diagnostics: Vec<types::PairDiagnostic>,
) -> types::EquivalenceResult {
    let result = types::EquivalenceResult { diagnostics, ..types::EquivalenceResult::default() };
    match verdict {
        Verdict::Yes { assumptions } => types::EquivalenceResult {
            answer: Some("yes"),
            assumptions: Some(assumptions.iter().map(ToString::to_string).collect()),
            ..result
        },
        Verdict::No(counterexample) => types::EquivalenceResult {
            answer: Some("no"),
            record: Some(RawJsValue(record_to_js(&counterexample.record, &sources, options))),
            first: Some(counterexample.first_outcome == Outcome::True),
            second: Some(counterexample.second_outcome == Outcome::True),
            ..result
        },
        Verdict::Undecided(reason) => {
            types::EquivalenceResult { answer: Some("undecided"), reason: Some(reason), ..result }
        }
    }
}

/// Decides whether a checked expression is true for any request.
pub(crate) fn satisfiable_result(
    source: &str,
    checked: &CheckOutput,
    options: &Options,
    budget: &Budget,
) -> types::SatisfiableResult {
    let diagnostics = diagnostics(source, &checked.diagnostics);
    let result = types::SatisfiableResult { diagnostics, ..types::SatisfiableResult::default() };
    let Some(program) = &checked.program else { return result };
    match check_satisfiability(program, budget) {
        Satisfiability::Satisfiable(record) => types::SatisfiableResult {
            answer: Some("yes"),
            record: Some(RawJsValue(record_to_js(&record, &[source], options))),
            ..result
        },
        Satisfiability::Unsatisfiable { assumptions } => types::SatisfiableResult {
            answer: Some("no"),
            assumptions: Some(assumptions.iter().map(ToString::to_string).collect()),
            ..result
        },
        Satisfiability::Undecided(reason) => {
            types::SatisfiableResult { answer: Some("undecided"), reason: Some(reason), ..result }
        }
    }
}

/// Converts a record to the form that `evaluate` accepts, with the lists that the expressions use.
fn record_to_js(record: &Record, sources: &[&str], options: &Options) -> JsValue {
    let fields = record.fields().map(|(name, value)| (name, value.map_or(JsValue::NULL, value_to_js)));
    let mut lists = BTreeMap::new();
    for source in sources {
        for token in analyze(source, options).tokens.iter().filter(|token| token.kind == SemanticTokenKind::List) {
            let name = token.span.text(source).trim_start_matches('$');
            if let Some(items) = record.list(name) {
                lists.insert(name.to_owned(), items.iter().map(list_item_to_js).collect::<Array>().into());
            }
        }
    }
    let missing = JsValue::from_str(record.missing_policy().name());
    object([("fields", object(fields)), ("lists", object(lists)), ("missing", missing)])
}

fn list_item_to_js(item: &ListItem) -> JsValue {
    match item {
        ListItem::Addresses(first, last) if first == last => JsValue::from_str(&first.to_string()),
        ListItem::Addresses(first, last) => JsValue::from_str(&format!("{first}..{last}")),
        ListItem::Hostname(name) => JsValue::from_str(&String::from_utf8_lossy(name)),
        ListItem::Asn(number) => value_to_js(&Value::Integer(*number)),
    }
}

/// Converts the diagnostics of two expressions, in this order.
pub(crate) fn pair_diagnostics(
    first: (&str, &[Diagnostic]),
    second: (&str, &[Diagnostic]),
) -> Vec<types::PairDiagnostic> {
    let convert = |expression, (source, list)| {
        diagnostics(source, list).into_iter().map(move |diagnostic| types::PairDiagnostic { expression, diagnostic })
    };
    convert("first", first).chain(convert("second", second)).collect()
}
