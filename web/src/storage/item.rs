//! The items of the workspace.

use super::{local_storage, session_storage};

/// A part of the workspace that is stored on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Item {
    /// The expression.
    Expression,
    /// Kind, phase and plan.
    Scope,
    /// The selected tool next to the expression.
    ExpressionTool,
    /// The sample request with its typed values, as JSON.
    SampleRequest,
    /// The test cases.
    TestCases,
    /// The question to prove.
    ProofQuestion,
    /// The expression to compare with.
    ComparedExpression,
    /// The list of rules.
    RuleList,
    /// The log push filter.
    LogFilter,
    /// The dataset of the filter.
    Dataset,
    /// The selected tool next to the filter.
    LogFilterTool,
    /// The sample log lines.
    LogLines,
    /// Pasted log lines that are too long for the text field; empty for none.
    PastedLines,
    /// The number of lines per day.
    LinesPerDay,
    /// The expression to convert to a filter.
    ConvertedExpression,
    /// The rule being created or edited, as JSON.
    Rule,
    /// The job being created or edited, without secrets, as JSON.
    Job,
    /// The pasted configuration and the edit of the new one, as JSON.
    Migration,
    /// The requests of the simulation.
    SimulatedRequests,
    /// The base URL of the service.
    BaseUrl,
    /// The ID of the selected zone.
    Zone,
}

impl Item {
    /// All items.
    pub(super) const ALL: [Item; 21] = [
        Item::Expression,
        Item::Scope,
        Item::ExpressionTool,
        Item::SampleRequest,
        Item::TestCases,
        Item::ProofQuestion,
        Item::ComparedExpression,
        Item::RuleList,
        Item::LogFilter,
        Item::Dataset,
        Item::LogFilterTool,
        Item::LogLines,
        Item::PastedLines,
        Item::LinesPerDay,
        Item::ConvertedExpression,
        Item::Rule,
        Item::Job,
        Item::Migration,
        Item::SimulatedRequests,
        Item::BaseUrl,
        Item::Zone,
    ];

    /// Returns the key. `boot.js` and the boot editor also use the keys of the expression and the log push filter.
    fn key(self) -> &'static str {
        match self {
            Item::Expression => "zonewright.source",
            Item::Scope => "zonewright.scope",
            Item::ExpressionTool => "zonewright.tool",
            Item::SampleRequest => "zonewright.sample-request",
            Item::TestCases => "zonewright.cases",
            Item::ProofQuestion => "zonewright.question",
            Item::ComparedExpression => "zonewright.compared-expression",
            Item::RuleList => "zonewright.rule-list",
            Item::LogFilter => "zonewright.log-filter",
            Item::Dataset => "zonewright.dataset",
            Item::LogFilterTool => "zonewright.log-filter-tool",
            Item::LogLines => "zonewright.log-lines",
            Item::PastedLines => "zonewright.pasted-lines",
            Item::LinesPerDay => "zonewright.lines-per-day",
            Item::ConvertedExpression => "zonewright.converted-expression",
            Item::Rule => "zonewright.rule",
            Item::Job => "zonewright.job",
            Item::Migration => "zonewright.migration",
            Item::SimulatedRequests => "zonewright.simulated-requests",
            Item::BaseUrl => "zonewright.base-url",
            Item::Zone => "zonewright.zone",
        }
    }

    /// Returns the name in a message.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Item::Expression => "expression",
            Item::Scope => "kind, phase, and plan",
            Item::ExpressionTool | Item::LogFilterTool => "selected tool",
            Item::SampleRequest => "sample request",
            Item::TestCases => "test cases",
            Item::ProofQuestion => "selected question",
            Item::ComparedExpression => "other expression",
            Item::RuleList => "rule list",
            Item::LogFilter => "log filter",
            Item::Dataset => "dataset",
            Item::LogLines | Item::PastedLines => "log lines",
            Item::LinesPerDay => "lines per day",
            Item::ConvertedExpression => "expression to convert",
            Item::Rule => "rule",
            Item::Job => "job",
            Item::Migration => "zone configuration",
            Item::SimulatedRequests => "simulated requests",
            Item::BaseUrl => "base URL",
            Item::Zone => "zone",
        }
    }

    /// Returns the value of this tab, or the latest one of all tabs if this tab has none.
    pub(crate) fn restore(self) -> Option<String> {
        read_from(session_storage(), self.key()).or_else(|| read_from(local_storage(), self.key()))
    }

    /// Stores the value that the tab started with as its own.
    pub(super) fn adopt(self, value: &str) {
        // If this fails, the value remains where it was read.
        if let Some(storage) = session_storage() {
            drop(storage.set_item(self.key(), value));
        }
    }

    /// Stores the latest value of all tabs as that of this tab, if this tab has none.
    pub(super) fn adopt_latest(self) {
        if read_from(session_storage(), self.key()).is_none()
            && let Some(value) = read_from(local_storage(), self.key())
        {
            self.adopt(&value);
        }
    }

    /// Copies a value that cannot be read to a key that the app never reads, so that no edit replaces it.
    pub(super) fn preserve_unreadable(self, value: &str) {
        let key = format!("{}.unreadable", self.key());
        // If neither storage has space, the value remains in the local storage until the next edit.
        write_to(local_storage(), &key, value)
            .or_else(|_| write_to(session_storage(), &key, value))
            .unwrap_or_default();
    }

    /// Stores an edit as the value of this tab and as the latest one of all tabs.
    pub(super) fn write(self, value: &str) -> Result<(), FailedWrite> {
        let latest = write_to(local_storage(), self.key(), value).map_err(|error| FailedLatest {
            error,
            // A write that fails leaves the previous value.
            previous: read_from(local_storage(), self.key()),
        });
        self.write_own(value, latest.err())
    }

    /// Stores the value of this tab. `latest` is the failure to store it as the latest one of all tabs.
    fn write_own(self, value: &str, latest: Option<FailedLatest>) -> Result<(), FailedWrite> {
        let own = write_to(session_storage(), self.key(), value).err();
        if own.is_some() && latest.is_none() {
            // Otherwise, a reload would restore the outdated value of this tab.
            if let Some(storage) = session_storage() {
                drop(storage.remove_item(self.key()));
            }
        }
        if own.is_none() && latest.is_none() {
            return Ok(());
        }
        Err(FailedWrite { value: value.to_owned(), own, latest })
    }
}

/// An edit that is not stored, or only in one of the storages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FailedWrite {
    value: String,
    /// Why it is not stored as the value of this tab.
    own: Option<WriteError>,
    /// Why it is not stored as the latest edit of all tabs.
    latest: Option<FailedLatest>,
}

/// A failure to store the latest edit of all tabs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FailedLatest {
    error: WriteError,
    /// The value at that time.
    previous: Option<String>,
}

impl FailedWrite {
    /// Returns the reason.
    pub(super) fn error(&self) -> WriteError {
        let latest = self.latest.as_ref().map(|latest| latest.error);
        latest.or(self.own).unwrap_or(WriteError::Full)
    }

    /// Repeats the write in each storage in which it failed. If the local storage has another value by now, another tab
    /// has a later edit, which remains the latest one.
    pub(super) fn retry(self, item: Item) -> Result<(), FailedWrite> {
        let FailedWrite { value, own, latest } = self;
        let latest = latest.and_then(|FailedLatest { previous, .. }| {
            if read_from(local_storage(), item.key()) != previous {
                return None;
            }
            let error = write_to(local_storage(), item.key(), &value).err()?;
            Some(FailedLatest { error, previous })
        });
        match (own, latest) {
            (None, None) => Ok(()),
            (None, latest) => Err(FailedWrite { value, own: None, latest }),
            (Some(_), latest) => item.write_own(&value, latest),
        }
    }
}

/// The reason why a write failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WriteError {
    /// The browser denies access to its storage.
    Denied,
    /// The value exceeds the quota of the site.
    Full,
}

fn read_from(storage: Option<web_sys::Storage>, key: &str) -> Option<String> {
    storage?.get_item(key).ok()?
}

fn write_to(storage: Option<web_sys::Storage>, key: &str, value: &str) -> Result<(), WriteError> {
    storage.ok_or(WriteError::Denied)?.set_item(key, value).map_err(|_| WriteError::Full)
}
