//! The log push filter being edited.

use crate::analysis::AnalyzedSource;
use crate::state::on_demand::get_or_provide;
use crate::storage::{Item, Workspace};
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use std::sync::Arc;
use web_sys::{Blob, File};
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

    /// Returns the panel with a title.
    fn from_title(title: &str) -> Option<Self> {
        LogFilterPanel::ALL.iter().find(|(_, candidate)| *candidate == title).map(|(panel, _)| *panel)
    }
}

/// Log lines from a file, or pasted lines that are too long for a text field.
#[derive(Debug)]
pub(crate) struct LogFile {
    /// The name of the file, or a description.
    pub(crate) name: String,
    /// The lines.
    pub(crate) content: LogFileContent,
}

/// The lines of a [`LogFile`].
#[derive(Debug)]
pub(crate) enum LogFileContent {
    /// The lines are read from the file in chunks, so that no file is too large for the memory.
    Opened(SendWrapper<Blob>),
    /// The browser stores only these lines, because a file can be opened again.
    Pasted(String),
}

impl LogFile {
    /// Creates a file that the user opened.
    pub(crate) fn opened(file: File) -> Self {
        LogFile { name: file.name(), content: LogFileContent::Opened(SendWrapper::new(file.into())) }
    }

    /// Creates a file of pasted lines.
    pub(crate) fn pasted(text: String) -> Self {
        LogFile { name: "Pasted lines".to_owned(), content: LogFileContent::Pasted(text) }
    }

    /// Returns the number of bytes.
    pub(crate) fn size(&self) -> usize {
        match &self.content {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
            LogFileContent::Opened(file) => file.size() as usize,
            LogFileContent::Pasted(text) => text.len(),
        }
    }

    fn pasted_text(&self) -> &str {
        match &self.content {
            LogFileContent::Opened(_) => "",
            LogFileContent::Pasted(text) => text,
        }
    }
}

/// The state of the page before it showed the filter of a job.
#[derive(Clone, PartialEq)]
pub(crate) struct StashedLogFilter {
    /// The text of the filter.
    pub(crate) source: String,
    /// The dataset of the filter.
    pub(crate) dataset: &'static Dataset,
}

/// The filter with its dataset and the input of the tools.
#[derive(Clone, Copy)]
pub(crate) struct LogFilterDraft {
    /// The text of the filter.
    pub(crate) source: RwSignal<String>,
    /// The dataset of the filter.
    pub(crate) dataset: RwSignal<&'static Dataset>,
    /// The user's own filter while the page shows the filter of a job; `None` at other times.
    pub(crate) stash: RwSignal<Option<StashedLogFilter>>,
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
    /// Provides the input of the last visit, and stores every change of it, except for files.
    fn provide() -> Self {
        let text = |item: Item, initial: &str| RwSignal::new(item.restore().unwrap_or_else(|| initial.to_owned()));
        let source = text(Item::LogFilter, EXAMPLE);
        let stored_dataset = Item::Dataset.restore().and_then(|name| Dataset::from_name(&name));
        let dataset = RwSignal::new(stored_dataset.unwrap_or_else(Dataset::http_requests));
        let pasted = Item::PastedLines.restore().filter(|text| !text.is_empty());
        let panel = Item::LogFilterTool.restore().and_then(|title| LogFilterPanel::from_title(&title));
        let draft = LogFilterDraft {
            source,
            dataset,
            stash: RwSignal::new(None),
            panel: RwSignal::new(panel.unwrap_or_default()),
            lines: text(Item::LogLines, EXAMPLE_LINES),
            file: RwSignal::new(pasted.map(|text| Arc::new(LogFile::pasted(text)))),
            lines_per_day: text(Item::LinesPerDay, ""),
            expression: text(Item::ConvertedExpression, ""),
        };
        let workspace = Workspace::get();
        // The filter of a job is stored with the job.
        workspace.persist(Item::LogFilter, move || {
            draft.stash.read().as_ref().map_or_else(|| source.get(), |stash| stash.source.clone())
        });
        workspace.persist(Item::Dataset, move || {
            let dataset = draft.stash.read().as_ref().map_or_else(|| dataset.get(), |stash| stash.dataset);
            dataset.name.to_owned()
        });
        workspace.persist(Item::LogFilterTool, move || draft.panel.get().title().to_owned());
        workspace.persist_text(Item::LogLines, draft.lines);
        workspace.persist(Item::PastedLines, move || {
            draft.file.get().map(|file| file.pasted_text().to_owned()).unwrap_or_default()
        });
        workspace.persist_text(Item::LinesPerDay, draft.lines_per_day);
        workspace.persist_text(Item::ConvertedExpression, draft.expression);
        provide_context(draft);
        draft
    }

    /// Returns the draft of the app.
    pub(crate) fn get() -> Self {
        get_or_provide(LogFilterDraft::provide)
    }
}

/// The filter with its analysis. The analysis is not a part of the draft, so that the page Jobs does not load its code.
#[derive(Clone, Copy)]
pub(crate) struct AnalyzedLogFilter(pub(crate) Signal<Arc<AnalyzedSource<Options>>>);

impl AnalyzedLogFilter {
    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        get_or_provide(|| {
            let LogFilterDraft { source, dataset, .. } = LogFilterDraft::get();
            let analyzed = AnalyzedSource::follow(source, Signal::derive(move || filter_options(dataset.get())));
            provide_context(AnalyzedLogFilter(analyzed));
            AnalyzedLogFilter(analyzed)
        })
    }
}

/// Returns the options of the engine for a dataset.
pub(crate) fn filter_options(dataset: &'static Dataset) -> Options {
    Options { dataset, lint: Some(LintOptions::default()), ..Options::default() }
}
