//! Evaluates an expression for the form of a sample request.

use super::evaluation::{evaluate_result, value_to_js};
use crate::arguments::sample::SampleForm;
use crate::types::{RawJsValue, RequestError, SampleInput, SampleResult};
use std::collections::BTreeMap;
use zonewright_expression::schema;
use zonewright_expression::{Options, Record, SemanticTokenKind, analyze, check};
use zonewright_request::{Error, InputFormat, detect_format, har, json, parse_list_items, read_input};

/// Reads the form, and evaluates the expression for it.
pub(crate) fn sample_result(source: &str, form: &SampleForm, options: &Options) -> SampleResult {
    let mut record = Record::new(form.missing);
    // Typed values are set first, because the request sets only fields that the record does not have.
    let mut errors = BTreeMap::new();
    for (name, text) in form.values.iter().filter(|(_, text)| !text.trim().is_empty()) {
        let set = match name.strip_prefix('$') {
            Some(list) => set_list(list, text, &mut record),
            None => json::set_field_from_text(name, text, &mut record),
        };
        if let Err(error) = set {
            errors.insert(name.as_str(), error.message);
        }
    }
    let mut result = SampleResult::default();
    // The second record has only the values of the request, to show them next to the typed ones.
    let mut request = Record::default();
    read_request(form, [&mut record, &mut request], &mut result);
    json::add_deprecated_names(&mut record);
    let notes = std::mem::take(&mut result.evaluated.notes);
    result.evaluated = evaluate_result(source, &check(source, options), &record, notes, true);
    result.inputs = inputs(source, options, &request, &mut errors);
    result
}

/// Reads the request into both records, and sets the format, the entries, the notes and the error.
fn read_request(form: &SampleForm, records: [&mut Record; 2], result: &mut SampleResult) {
    let text = form.request.as_str();
    if text.trim().is_empty() {
        return;
    }
    for (index, record) in records.into_iter().enumerate() {
        let read = match detect_format(text.as_bytes()) {
            Some(InputFormat::Har) => read_har_entry(text, form.entry, record, result),
            _ => read_input(text.as_bytes(), record).map(|reading| {
                result.format = Some(reading.format.name());
                reading.notes
            }),
        };
        match read {
            // Only the first record has the typed values, which can make an assumption unnecessary.
            Ok(notes) if index == 0 => result.evaluated.notes = notes,
            Ok(_) => {}
            Err(error) => result.error = Some(RequestError { message: error.to_string(), help: error.help }),
        }
    }
}

fn read_har_entry(
    text: &str,
    entry: usize,
    record: &mut Record,
    result: &mut SampleResult,
) -> Result<Vec<String>, Error> {
    result.format = Some(InputFormat::Har.name());
    let summary = |entry: har::EntrySummary| format!("{} {}", entry.method, entry.url);
    result.entries = har::list_entries(text)?.into_iter().map(summary).collect();
    let request = har::read_entry(text, entry.min(result.entries.len().saturating_sub(1)))?;
    Ok(request.write_fields(record))
}

/// Sets a named list from its items, which are separated by whitespace or commas.
fn set_list(name: &str, text: &str, record: &mut Record) -> Result<(), Error> {
    let items: Vec<serde_json::Value> =
        text.split([' ', ',', '\n', '\t']).filter(|item| !item.is_empty()).map(serde_json::Value::from).collect();
    record.set_list(name, parse_list_items(name, &items)?);
    Ok(())
}

/// Returns the fields and then the lists that the expression reads, each once, in source order.
fn inputs(source: &str, options: &Options, request: &Record, errors: &mut BTreeMap<&str, String>) -> Vec<SampleInput> {
    let tokens = analyze(source, options).tokens;
    let mut inputs: Vec<SampleInput> = Vec::new();
    for kind in [SemanticTokenKind::Field, SemanticTokenKind::List] {
        for token in tokens.iter().filter(|token| token.kind == kind) {
            let name = token.span.text(source);
            let field = schema::field(name);
            if inputs.iter().any(|input| input.name == name) || (kind == SemanticTokenKind::Field && field.is_none()) {
                continue;
            }
            inputs.push(SampleInput {
                name: name.to_owned(),
                ty: field.map(|field| field.ty.to_string()),
                value: request.get(name).map(|value| RawJsValue(value_to_js(value))),
                error: errors.remove(name),
            });
        }
    }
    inputs
}
