//! The sample request, and the evaluation of the expression on it.

use crate::analysis::AnalyzedSource;
use crate::state::expression_tools::SampleInput;
use crate::symbols::{referenced_fields, referenced_lists};
use leptos::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use zonewright_expression::schema::Field;
use zonewright_expression::{Program, Record, Scalar, Trace, check};
use zonewright_request::{Error, InputFormat, har, json, parse_list_items, read_input};

/// The evaluation of the expression on the sample request.
#[derive(Clone, Debug)]
pub(crate) struct SampleEvaluation {
    /// The detected format of the text.
    pub(crate) format: Option<InputFormat>,
    /// The requests of a HAR file.
    pub(crate) entries: Vec<String>,
    /// The notes about what was assumed or ignored.
    pub(crate) notes: Vec<String>,
    /// The error if the text could not be parsed.
    pub(crate) problem: Option<Error>,
    /// The fields and lists that the expression reads.
    pub(crate) fields: Vec<FieldRow>,
    /// The trace of the evaluation; `None` while the expression has errors.
    pub(crate) trace: Option<Trace>,
}

/// A field or list that the expression reads.
#[derive(Clone, Debug)]
pub(crate) struct FieldRow {
    /// The name; a list has the prefix `$`.
    pub(crate) name: String,
    /// The value in the request, or the expected kind of value.
    pub(crate) hint: String,
    /// The error of the typed value.
    pub(crate) problem: Option<String>,
}

/// The evaluation of the expression, which the components of a panel share.
#[derive(Clone, Copy)]
pub(crate) struct SampleContext(pub(crate) Memo<Arc<SampleEvaluation>>);

impl SampleContext {
    /// Provides the evaluation to the components of a panel.
    pub(crate) fn provide(analyzed: Signal<Arc<AnalyzedSource>>, input: SampleInput) -> Self {
        let sample = SampleContext(SampleEvaluation::memo(analyzed, input));
        provide_context(sample);
        sample
    }

    /// Returns the context of the panel.
    pub(crate) fn get() -> Self {
        expect_context()
    }
}

impl SampleEvaluation {
    /// Returns a memo that evaluates the expression again whenever it or the input changes.
    fn memo(analyzed: Signal<Arc<AnalyzedSource>>, input: SampleInput) -> Memo<Arc<SampleEvaluation>> {
        // A run almost always has new input, so comparing two traces would be wasted work.
        Memo::new_with_compare(move |_| Arc::new(SampleEvaluation::new(&analyzed.get(), input)), |_, _| true)
    }

    fn new(analyzed: &AnalyzedSource, input: SampleInput) -> SampleEvaluation {
        let checked = check(&analyzed.source, &analyzed.options);
        let parsed = zonewright_expression::parse(&analyzed.source);
        let fields = parsed.ast.as_ref().map(referenced_fields).unwrap_or_default();
        let lists = parsed.ast.as_ref().map(referenced_lists).unwrap_or_default();
        let mut record = Record::new(input.missing_fields.get());
        let typed = input.fields.get();
        // Typed values are set first, because the request sets only fields that the record does not have.
        let mut problems = BTreeMap::new();
        for (name, text) in typed.iter().filter(|(_, text)| !text.trim().is_empty()) {
            let value = match name.strip_prefix('$') {
                Some(list) => set_list(list, text, &mut record),
                None => json::set_field_from_text(name, text, &mut record),
            };
            if let Err(error) = value {
                problems.insert(name.clone(), error.message);
            }
        }
        let mut sample = SampleEvaluation {
            format: None,
            entries: Vec::new(),
            notes: Vec::new(),
            problem: None,
            fields: Vec::new(),
            trace: None,
        };
        let mut request = Record::default();
        sample.read_request(&input.text.read(), input.entry.get(), [&mut record, &mut request]);
        let field_hint = |field: &&'static Field| (field.name.to_owned(), hint(field, request.get(field.name)));
        let list_hint = |name: &String| (format!("${name}"), "items, separated by spaces".to_owned());
        let rows = fields.iter().map(field_hint).chain(lists.iter().map(list_hint));
        sample.fields = rows.map(|(name, hint)| FieldRow { problem: problems.remove(&name), name, hint }).collect();
        json::add_deprecated_names(&mut record);
        sample.trace = checked.program.as_ref().map(|program: &Program| program.trace(&record));
        sample
    }

    /// Reads the request into both records, and sets the format, the HAR entries, the notes and the error.
    fn read_request(&mut self, text: &str, entry: usize, records: [&mut Record; 2]) {
        if text.trim().is_empty() {
            return;
        }
        for (index, record) in records.into_iter().enumerate() {
            let read = match zonewright_request::detect_format(text.as_bytes()) {
                Some(InputFormat::Har) => self.read_har_entry(text, entry, record),
                _ => read_input(text.as_bytes(), record).map(|reading| {
                    self.format = Some(reading.format);
                    reading.notes
                }),
            };
            match read {
                // Only the first record has the typed values, which can make an assumption unnecessary. So only the
                // notes of that record are shown.
                Ok(notes) if index == 0 => self.notes = notes,
                Ok(_) => {}
                Err(problem) => self.problem = Some(problem),
            }
        }
    }

    /// Reads one request of a HAR file.
    fn read_har_entry(&mut self, text: &str, entry: usize, record: &mut Record) -> Result<Vec<String>, Error> {
        self.format = Some(InputFormat::Har);
        self.entries =
            har::list_entries(text)?.into_iter().map(|entry| format!("{} {}", entry.method, entry.url)).collect();
        let request = har::read_entry(text, entry.min(self.entries.len().saturating_sub(1)))?;
        Ok(request.write_fields(record))
    }
}

/// Sets a named list from its items, which are separated by whitespace or commas.
fn set_list(name: &str, text: &str, record: &mut Record) -> Result<(), Error> {
    let items: Vec<serde_json::Value> =
        text.split([' ', ',', '\n', '\t']).filter(|item| !item.is_empty()).map(serde_json::Value::from).collect();
    record.set_list(name, parse_list_items(name, &items)?);
    Ok(())
}

/// Returns the placeholder of an empty field: the value in the request, or the expected kind of value.
fn hint(field: &Field, value: Option<&zonewright_expression::Value>) -> String {
    if let Some(value) = value {
        return display_value(value);
    }
    let ty = field.ty;
    if !ty.is_scalar() {
        return format!("{ty} as JSON");
    }
    match ty.scalar {
        Scalar::String | Scalar::Bytes => "text".to_owned(),
        Scalar::Integer => "an integer".to_owned(),
        Scalar::Ip => "an IP address such as 192.0.2.1".to_owned(),
        Scalar::Boolean => "true or false".to_owned(),
    }
}

/// Formats a value for display.
pub(crate) fn display_value(value: &zonewright_expression::Value) -> String {
    match json::value_to_json(value) {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    }
}
