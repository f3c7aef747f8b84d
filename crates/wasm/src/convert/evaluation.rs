//! Answers about one request, and about all requests.

use super::{diagnostics, range};
use crate::arguments::MAX_SAFE_INTEGER;
use crate::types::{self, Js};
use js_sys::{Array, Object};
use std::collections::BTreeMap;
use wasm_bindgen::JsValue;
use zonewright_diagnostic::{Diagnostic, Utf16Offsets};
use zonewright_equivalence::Answer;
use zonewright_expression::{Checked, ListItem, Options, Outcome, Record, Step, TokenKind, Value, analyze};
use zonewright_request::{json, outcome_name, truth_name};

/// Answer of `evaluate`.
pub(crate) fn evaluated(
    source: &str,
    checked: &Checked,
    record: &Record,
    notes: Vec<String>,
    with_trace: bool,
) -> types::Evaluated {
    let diagnostics = diagnostics(source, &checked.diagnostics);
    let Some(program) = &checked.program else {
        return types::Evaluated { notes, diagnostics, ..types::Evaluated::default() };
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
        Outcome::Value(value) => (plain(&value), Vec::new()),
        Outcome::Absent => (JsValue::NULL, Vec::new()),
    };
    types::Evaluated { outcome: name, result: Js(result), unknown, notes, trace, diagnostics }
}

fn steps(source: &str, steps: &[Step]) -> Vec<types::Step> {
    let offsets = Utf16Offsets::new(source);
    let step = |step: &Step| {
        let (start, end) = range(&offsets, step.span);
        let value = step.value.as_ref().map(|value| Js(plain(value)));
        types::Step { start, end, truth: truth_name(step.truth), value }
    };
    steps.iter().map(step).collect()
}

/// A value as JavaScript has it: an integer that a number cannot hold is a BigInt, bytes that are no
/// text are `{ base64 }`.
pub(super) fn plain(value: &Value) -> JsValue {
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
        Value::Array(elements) => elements.iter().map(plain).collect::<Array>().into(),
        Value::Map(elements) => {
            object(elements.iter().map(|(key, value)| (String::from_utf8_lossy(key), plain(value))))
        }
    }
}

/// An object with these members. They become its own, also one that is called `__proto__`.
fn object(members: impl IntoIterator<Item = (impl AsRef<str>, JsValue)>) -> JsValue {
    let pair = |(name, value): (_, JsValue)| Array::of2(&JsValue::from_str(AsRef::as_ref(&name)), &value);
    let pairs: Array = members.into_iter().map(pair).collect();
    // An array of pairs: making an object of it cannot fail.
    Object::from_entries(&pairs).map_or(JsValue::NULL, JsValue::from)
}

/// Answer of `equivalent` and `subsumes` to a question about these expressions.
pub(crate) fn verdict(
    answer: Answer,
    sources: [&str; 2],
    options: &Options,
    diagnostics: Vec<types::PairDiagnostic>,
) -> types::Verdict {
    let verdict = types::Verdict { diagnostics, ..types::Verdict::default() };
    match answer {
        Answer::Yes { assumptions } => types::Verdict {
            answer: Some("yes"),
            assumptions: Some(assumptions.iter().map(ToString::to_string).collect()),
            ..verdict
        },
        Answer::No(found) => types::Verdict {
            answer: Some("no"),
            record: Some(Js(given(&found.record, sources, options))),
            first: Some(found.first == Outcome::True),
            second: Some(found.second == Outcome::True),
            ..verdict
        },
        Answer::Undecided(reason) => types::Verdict { answer: Some("undecided"), reason: Some(reason), ..verdict },
    }
}

/// A record as `evaluate` takes it, with the lists that these expressions name.
fn given(record: &Record, sources: [&str; 2], options: &Options) -> JsValue {
    let fields = record.fields().map(|(name, value)| (name, value.map_or(JsValue::NULL, plain)));
    let mut lists = BTreeMap::new();
    for source in sources {
        for token in analyze(source, options).tokens.iter().filter(|token| token.kind == TokenKind::List) {
            let name = token.span.text(source).trim_start_matches('$');
            if let Some(items) = record.list(name) {
                lists.insert(name.to_owned(), items.iter().map(item).collect::<Array>().into());
            }
        }
    }
    let missing = JsValue::from_str(record.missing().name());
    object([("fields", object(fields)), ("lists", object(lists)), ("missing", missing)])
}

fn item(item: &ListItem) -> JsValue {
    match item {
        ListItem::Addresses(first, last) if first == last => JsValue::from_str(&first.to_string()),
        ListItem::Addresses(first, last) => JsValue::from_str(&format!("{first}..{last}")),
        ListItem::Hostname(name) => JsValue::from_str(&String::from_utf8_lossy(name)),
        ListItem::Asn(number) => plain(&Value::Integer(*number)),
    }
}

/// The problems of two expressions, of the first one first.
pub(crate) fn pair_diagnostics(
    first: (&str, &[Diagnostic]),
    second: (&str, &[Diagnostic]),
) -> Vec<types::PairDiagnostic> {
    let of = |expression, (source, found)| {
        diagnostics(source, found).into_iter().map(move |diagnostic| types::PairDiagnostic { expression, diagnostic })
    };
    of("first", first).chain(of("second", second)).collect()
}
