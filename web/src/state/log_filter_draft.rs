//! The log push filter being edited.

use crate::analysis::AnalyzedSource;
use crate::storage;
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_expression::LintOptions;
use zonewright_logpush::{Dataset, Options};

/// The filter of a first visit: a typical filter, with an operator name that older documents use.
pub(crate) const EXAMPLE: &str = r#"{
  "where": {
    "and": [
      { "key": "ClientRequestHost", "operator": "eq", "value": "shop.example.com" },
      { "key": "EdgeResponseStatus", "operator": "gte", "value": 500 },
      { "key": "ClientRequestPath", "operator": "!startsWith", "value": "/health" }
    ]
  }
}"#;

/// Log lines for the example.
pub(crate) const EXAMPLE_LINES: &str = r#"{"ClientRequestHost":"shop.example.com","ClientRequestPath":"/cart","EdgeResponseStatus":502,"ClientCountry":"de"}
{"ClientRequestHost":"shop.example.com","ClientRequestPath":"/","EdgeResponseStatus":200,"ClientCountry":"at"}
{"ClientRequestHost":"shop.example.com","ClientRequestPath":"/health/live","EdgeResponseStatus":503,"ClientCountry":"us"}
{"ClientRequestHost":"www.example.com","ClientRequestPath":"/","EdgeResponseStatus":200,"ClientCountry":"fr"}
{"ClientRequestHost":"www.example.com","ClientRequestPath":"/search","EdgeResponseStatus":500,"ClientCountry":"fr"}
{"ClientRequestHost":"shop.example.com","ClientRequestPath":"/checkout","EdgeResponseStatus":504,"ClientCountry":"ch"}
{"ClientRequestHost":"shop.example.com","ClientRequestPath":"/product/7","EdgeResponseStatus":404,"ClientCountry":"de"}
{"ClientRequestHost":"shop.example.com","ClientRequestPath":"/cart","EdgeResp
"#;

/// A panel next to the editor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LogFilterPanel {
    /// The explanation and the rows of the filter.
    #[default]
    Build,
    /// Sample lines.
    Test,
    /// The filter in the formats of other tools.
    CopyAs,
    /// Conversion to and from an expression.
    Convert,
}

impl LogFilterPanel {
    /// All panels with their titles, in the order of the tabs.
    pub(crate) const ALL: [(LogFilterPanel, &'static str); 4] = [
        (LogFilterPanel::Build, "Build"),
        (LogFilterPanel::Test, "Test"),
        (LogFilterPanel::CopyAs, "Copy as"),
        (LogFilterPanel::Convert, "Convert"),
    ];

    /// Returns the title.
    pub(crate) fn title(self) -> &'static str {
        LogFilterPanel::ALL.iter().find(|(panel, _)| *panel == self).map_or("", |(_, title)| title)
    }
}

/// Log lines from a file, or pasted lines that are too long for a text field.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LogFile {
    /// The name of the file, or a description.
    pub(crate) name: String,
    /// The lines.
    pub(crate) bytes: Vec<u8>,
}

/// The filter with its dataset and the input of the tools.
#[derive(Clone, Copy)]
pub(crate) struct LogFilterDraft {
    /// The text of the filter.
    pub(crate) source: RwSignal<String>,
    /// The dataset of the filter.
    pub(crate) dataset: RwSignal<&'static Dataset>,
    /// The analyzed text.
    pub(crate) analyzed: Memo<Arc<AnalyzedSource<Options>>>,
    /// The visible panel.
    pub(crate) panel: RwSignal<LogFilterPanel>,
    /// The log lines as typed.
    pub(crate) lines: RwSignal<String>,
    /// The log lines of a file, which replace the typed ones.
    pub(crate) file: RwSignal<Option<Arc<LogFile>>>,
    /// The number of lines per day, as typed.
    pub(crate) lines_per_day: RwSignal<String>,
    /// The expression to convert to a filter.
    pub(crate) expression: RwSignal<String>,
}

impl LogFilterDraft {
    /// Provides the filter and the dataset of the last visit, and stores every change of them.
    pub(crate) fn provide() -> Self {
        let source = RwSignal::new(storage::get(storage::LOG_FILTER_KEY).unwrap_or_else(|| EXAMPLE.to_owned()));
        let stored_dataset = storage::get(storage::DATASET_KEY).and_then(|name| Dataset::from_name(&name));
        let dataset = RwSignal::new(stored_dataset.unwrap_or_else(Dataset::http_requests));
        let options = Signal::derive(move || filter_options(dataset.get()));
        Effect::new(move || storage::set(storage::LOG_FILTER_KEY, &source.read()));
        Effect::new(move || storage::set(storage::DATASET_KEY, dataset.get().name));
        let draft = LogFilterDraft {
            source,
            dataset,
            analyzed: AnalyzedSource::memo(source, options),
            panel: RwSignal::new(LogFilterPanel::default()),
            lines: RwSignal::new(EXAMPLE_LINES.to_owned()),
            file: RwSignal::new(None),
            lines_per_day: RwSignal::new(String::new()),
            expression: RwSignal::new(String::new()),
        };
        provide_context(draft);
        draft
    }

    /// Returns the draft of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }
}

/// Returns the options of the engine for a dataset.
pub(crate) fn filter_options(dataset: &'static Dataset) -> Options {
    Options { dataset, lint: Some(LintOptions::default()), ..Options::default() }
}
