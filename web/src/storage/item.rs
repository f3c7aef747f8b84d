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
    /// Returns the key. `boot.js` also uses the keys of the expression and the log push filter.
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
        let read = |storage: web_sys::Storage| storage.get_item(self.key()).ok().flatten();
        session_storage().and_then(read).or_else(|| local_storage().and_then(read))
    }

    /// Stores the value that the tab started with as its own.
    pub(super) fn adopt(self, value: &str) {
        // If this fails, the value remains where it was read.
        if let Some(storage) = session_storage() {
            drop(storage.set_item(self.key(), value));
        }
    }

    /// Stores an edit as the value of this tab and as the latest one of all tabs.
    pub(super) fn write(self, value: &str) -> Result<(), WriteError> {
        let latest = write_to(local_storage(), self.key(), value);
        let own = write_to(session_storage(), self.key(), value);
        if own.is_err() && latest.is_ok() {
            // Otherwise, a reload would restore the outdated value of this tab.
            if let Some(storage) = session_storage() {
                drop(storage.remove_item(self.key()));
            }
        }
        latest.and(own)
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

fn write_to(storage: Option<web_sys::Storage>, key: &str, value: &str) -> Result<(), WriteError> {
    storage.ok_or(WriteError::Denied)?.set_item(key, value).map_err(|_| WriteError::Full)
}
