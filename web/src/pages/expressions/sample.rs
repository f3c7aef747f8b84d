//! The sample request, and what the expression makes of it.

use crate::analyzed::Analyzed;
use crate::pieces::fields_of;
use leptos::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use zonewright_expression::schema::Field;
use zonewright_expression::{Missing, Program, Record, Trace, check};
use zonewright_request::{Error, Kind, har, json, read};

/// What a first visit tries: a request that the example of the editor is about.
const EXAMPLE: &str = "GET /admin/users HTTP/1.1\nHost: shop.example.com\nUser-Agent: Mozilla/5.0\n";

/// The sample request as it was entered.
#[derive(Clone, Copy)]
pub(crate) struct SampleInput {
    /// A request in any form that can be read.
    pub(crate) text: RwSignal<String>,
    /// Which request of a HAR file.
    pub(crate) entry: RwSignal<usize>,
    /// Fields as they were typed, over those of the request; an empty one is not given.
    pub(crate) fields: RwSignal<BTreeMap<&'static str, String>>,
    /// What fields stand for that nothing gives.
    pub(crate) missing: RwSignal<Missing>,
}

impl SampleInput {
    /// The example, with an address outside of the example's networks.
    pub(crate) fn new() -> Self {
        SampleInput {
            text: RwSignal::new(EXAMPLE.to_owned()),
            entry: RwSignal::new(0),
            fields: RwSignal::new(BTreeMap::from([("ip.src", "198.51.100.7".to_owned())])),
            missing: RwSignal::new(Missing::Unknown),
        }
    }
}

/// What the expression makes of the sample request.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// What the text was taken for.
    pub(crate) kind: Option<Kind>,
    /// The requests of a HAR file, when it has several.
    pub(crate) entries: Vec<String>,
    /// What was assumed or left out.
    pub(crate) notes: Vec<String>,
    /// Why the text was not read.
    pub(crate) problem: Option<Error>,
    /// The fields that the expression looks at.
    pub(crate) fields: Vec<FieldRow>,
    /// What the expression makes of it; `None` while it has errors.
    pub(crate) trace: Option<Trace>,
}

/// A field that the expression looks at.
#[derive(Clone, Debug)]
pub(crate) struct FieldRow {
    /// The field.
    pub(crate) field: &'static Field,
    /// The value that the request gives.
    pub(crate) given: Option<String>,
    /// What is wrong with what was typed.
    pub(crate) problem: Option<String>,
}

impl Sample {
    /// Follows the text and the input.
    pub(crate) fn follow(analyzed: Memo<Arc<Analyzed>>, input: SampleInput) -> Memo<Arc<Sample>> {
        // Every run has new input: comparing two traces would be wasted work.
        Memo::new_with_compare(move |_| Arc::new(Sample::new(&analyzed.get(), input)), |_, _| true)
    }

    fn new(analyzed: &Analyzed, input: SampleInput) -> Sample {
        let checked = check(&analyzed.source, &analyzed.options);
        let parsed = zonewright_expression::parse(&analyzed.source);
        let looked_at = parsed.ast.as_ref().map(fields_of).unwrap_or_default();
        let mut record = Record::new(input.missing.get());
        let typed = input.fields.get();
        // What is typed stays: it is given first.
        let mut problems = BTreeMap::new();
        for (name, text) in typed.iter().filter(|(_, text)| !text.is_empty()) {
            if let Err(error) = json::set_text(name, text, &mut record) {
                problems.insert(*name, error.message);
            }
        }
        let mut sample = Sample {
            kind: None,
            entries: Vec::new(),
            notes: Vec::new(),
            problem: None,
            fields: Vec::new(),
            trace: None,
        };
        let mut request = Record::default();
        sample.read(&input.text.read(), input.entry.get(), [&mut record, &mut request]);
        sample.fields = looked_at
            .into_iter()
            .map(|field| FieldRow {
                field,
                given: request.get(field.name).map(shown),
                problem: problems.remove(field.name),
            })
            .collect();
        json::add_former_names(&mut record);
        sample.trace = checked.program.as_ref().map(|program: &Program| program.trace(&record));
        sample
    }

    /// Gives both records the fields of the request.
    fn read(&mut self, text: &str, entry: usize, records: [&mut Record; 2]) {
        if text.trim().is_empty() {
            return;
        }
        for record in records {
            let read = match zonewright_request::detect(text.as_bytes()) {
                Some(Kind::Har) => self.entry(text, entry, record),
                _ => read(text.as_bytes(), record).map(|reading| {
                    self.kind = Some(reading.kind);
                    self.notes = reading.notes;
                }),
            };
            self.problem = read.err();
        }
    }

    /// One request of a HAR file.
    fn entry(&mut self, text: &str, entry: usize, record: &mut Record) -> Result<(), Error> {
        self.kind = Some(Kind::Har);
        self.entries = har::entries(text)?.into_iter().map(|entry| format!("{} {}", entry.method, entry.url)).collect();
        let request = har::entry(text, entry.min(self.entries.len().saturating_sub(1)))?;
        request.write(record);
        self.notes.clone_from(&request.notes);
        Ok(())
    }
}

/// A value as people read it.
pub(crate) fn shown(value: &zonewright_expression::Value) -> String {
    match json::to_json(value) {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    }
}
