//! The log push filter being edited.

use crate::analysis::AnalyzedSource;
use crate::storage;
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_expression::Lint;
use zonewright_logpush::{Dataset, Options};

/// What a first visit shows: what is wanted of most filters, with a mistake that older documents teach.
pub(crate) const EXAMPLE: &str = r#"{
  "where": {
    "and": [
      { "key": "ClientRequestHost", "operator": "eq", "value": "shop.example.com" },
      { "key": "EdgeResponseStatus", "operator": "gte", "value": 500 },
      { "key": "ClientRequestPath", "operator": "!startsWith", "value": "/health" }
    ]
  }
}"#;

/// Log lines that the example is about.
pub(crate) const EXAMPLE_LINES: &str = r#"{"ClientRequestHost":"shop.example.com","ClientRequestPath":"/cart","EdgeResponseStatus":502,"ClientCountry":"de"}
{"ClientRequestHost":"shop.example.com","ClientRequestPath":"/","EdgeResponseStatus":200,"ClientCountry":"at"}
{"ClientRequestHost":"shop.example.com","ClientRequestPath":"/health/live","EdgeResponseStatus":503,"ClientCountry":"us"}
{"ClientRequestHost":"www.example.com","ClientRequestPath":"/","EdgeResponseStatus":200,"ClientCountry":"fr"}
{"ClientRequestHost":"www.example.com","ClientRequestPath":"/search","EdgeResponseStatus":500,"ClientCountry":"fr"}
{"ClientRequestHost":"shop.example.com","ClientRequestPath":"/checkout","EdgeResponseStatus":504,"ClientCountry":"ch"}
{"ClientRequestHost":"shop.example.com","ClientRequestPath":"/product/7","EdgeResponseStatus":404,"ClientCountry":"de"}
{"ClientRequestHost":"shop.example.com","ClientRequestPath":"/cart","EdgeResp
"#;

/// A panel at the right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LogFilterPanel {
    /// The filter in words and as rows.
    #[default]
    Build,
    /// Sample lines.
    Test,
    /// The filter for other tools.
    CopyAs,
    /// To and from an expression.
    Convert,
}

impl LogFilterPanel {
    /// All of them with their names.
    pub(crate) const ALL: [(LogFilterPanel, &'static str); 4] = [
        (LogFilterPanel::Build, "Build"),
        (LogFilterPanel::Test, "Try"),
        (LogFilterPanel::CopyAs, "Copy as"),
        (LogFilterPanel::Convert, "Convert"),
    ];

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        LogFilterPanel::ALL.iter().find(|(panel, _)| *panel == self).map_or("", |(_, name)| name)
    }
}

/// Lines that were given as a whole and are too many for a text field.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LogFile {
    /// Its name, or what it is.
    pub(crate) name: String,
    /// The lines.
    pub(crate) bytes: Vec<u8>,
}

/// The filter, what it is checked against, and what it is tried on.
#[derive(Clone, Copy)]
pub(crate) struct LogFilterDraft {
    /// Its text.
    pub(crate) source: RwSignal<String>,
    /// Whose fields it names.
    pub(crate) dataset: RwSignal<&'static Dataset>,
    /// What the engine says about it.
    pub(crate) analyzed: Memo<Arc<AnalyzedSource<Options>>>,
    /// The panel beside the editor that is shown.
    pub(crate) panel: RwSignal<LogFilterPanel>,
    /// Lines as they were typed.
    pub(crate) lines: RwSignal<String>,
    /// Lines from a file, which stand for the typed ones.
    pub(crate) file: RwSignal<Option<Arc<LogFile>>>,
    /// How many lines a day brings, as it was typed.
    pub(crate) per_day: RwSignal<String>,
    /// The expression that is to become a filter.
    pub(crate) expression: RwSignal<String>,
}

impl LogFilterDraft {
    /// Provides the filter of the last visit, and stores every change of it.
    pub(crate) fn provide() -> Self {
        let source = RwSignal::new(storage::get(storage::LOG_FILTER_KEY).unwrap_or_else(|| EXAMPLE.to_owned()));
        let named = storage::get(storage::DATASET_KEY).and_then(|name| Dataset::named(&name));
        let dataset = RwSignal::new(named.unwrap_or_else(Dataset::http_requests));
        let options = Signal::derive(move || options(dataset.get()));
        Effect::new(move || storage::set(storage::LOG_FILTER_KEY, &source.read()));
        Effect::new(move || storage::set(storage::DATASET_KEY, dataset.get().name));
        let draft = LogFilterDraft {
            source,
            dataset,
            analyzed: AnalyzedSource::follow(source, options),
            panel: RwSignal::new(LogFilterPanel::default()),
            lines: RwSignal::new(EXAMPLE_LINES.to_owned()),
            file: RwSignal::new(None),
            per_day: RwSignal::new(String::new()),
            expression: RwSignal::new(String::new()),
        };
        provide_context(draft);
        draft
    }

    /// The draft of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }
}

/// The engine's options for a dataset.
pub(crate) fn options(dataset: &'static Dataset) -> Options {
    Options { dataset, lint: Some(Lint::default()), ..Options::default() }
}
