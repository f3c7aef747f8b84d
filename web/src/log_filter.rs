//! The log push filter being written; kept while other pages are looked at.

use crate::analyzed::Analyzed;
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
pub(crate) enum Panel {
    /// The filter in words and as rows.
    #[default]
    Build,
    /// Sample lines.
    Try,
    /// The filter for other tools.
    CopyAs,
    /// To and from an expression.
    Convert,
}

impl Panel {
    /// All of them with their names.
    pub(crate) const ALL: [(Panel, &'static str); 4] =
        [(Panel::Build, "Build"), (Panel::Try, "Try"), (Panel::CopyAs, "Copy as"), (Panel::Convert, "Convert")];

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        Panel::ALL.iter().find(|(panel, _)| *panel == self).map_or("", |(_, name)| name)
    }
}

/// Lines that were given as a whole and are too many for a text field.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct File {
    /// Its name, or what it is.
    pub(crate) name: String,
    /// The lines.
    pub(crate) bytes: Vec<u8>,
}

/// The filter, what it is checked against, and what it is tried on.
#[derive(Clone, Copy)]
pub(crate) struct LogFilter {
    /// Its text.
    pub(crate) source: RwSignal<String>,
    /// Whose fields it names.
    pub(crate) dataset: RwSignal<&'static Dataset>,
    /// What the engine says about it.
    pub(crate) analyzed: Memo<Arc<Analyzed<Options>>>,
    /// The panel beside the editor that is shown.
    pub(crate) panel: RwSignal<Panel>,
    /// Lines as they were typed.
    pub(crate) lines: RwSignal<String>,
    /// Lines from a file, which stand for the typed ones.
    pub(crate) file: RwSignal<Option<Arc<File>>>,
    /// How many lines a day brings, as it was typed.
    pub(crate) per_day: RwSignal<String>,
    /// The expression that is to become a filter.
    pub(crate) expression: RwSignal<String>,
}

impl LogFilter {
    /// What the last visit left.
    pub(crate) fn remembered() -> Self {
        let source = RwSignal::new(storage::get(storage::LOG_FILTER).unwrap_or_else(|| EXAMPLE.to_owned()));
        let named = storage::get(storage::DATASET).and_then(|name| Dataset::named(&name));
        let dataset = RwSignal::new(named.unwrap_or_else(Dataset::http_requests));
        let options = Signal::derive(move || options(dataset.get()));
        Effect::new(move || storage::set(storage::LOG_FILTER, &source.read()));
        Effect::new(move || storage::set(storage::DATASET, dataset.get().name));
        LogFilter {
            source,
            dataset,
            analyzed: Analyzed::follow(source, options),
            panel: RwSignal::new(Panel::default()),
            lines: RwSignal::new(EXAMPLE_LINES.to_owned()),
            file: RwSignal::new(None),
            per_day: RwSignal::new(String::new()),
            expression: RwSignal::new(String::new()),
        }
    }
}

/// The engine's options for a dataset.
pub(crate) fn options(dataset: &'static Dataset) -> Options {
    Options { dataset, lint: Some(Lint::default()), ..Options::default() }
}
