//! The simulation of sample requests by the engine.

use super::analysis::call;
use super::json_location::JsonIssue;
use crate::engine::{Channel, EngineError, to_js};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use zonewright_api::ruleset::EntryPoint;
use zonewright_diagnostic::Utf16Offsets;

/// Largest number of requests in a simulation.
pub(super) const MAX_REQUESTS: usize = 200;

/// The simulation of the requests of a text.
#[derive(Debug)]
pub(super) struct Simulation {
    /// The text that the offsets of `issues` refer to.
    pub(super) text: String,
    pub(super) rows: Vec<RequestComparison>,
    /// The requests that cannot be read.
    pub(super) issues: Vec<JsonIssue>,
    /// Number of requests beyond [`MAX_REQUESTS`].
    pub(super) omitted: usize,
}

/// A request before and after the migration.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct RequestComparison {
    pub(super) name: String,
    pub(super) differs: Ternary,
    pub(super) before: ManagedRulesStatus,
    pub(super) after: ManagedRulesStatus,
}

/// Which managed rules run for a request.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct ManagedRulesStatus {
    pub(super) managed: Ternary,
    pub(super) core: Ternary,
    /// JSON pointers to the settings that keep managed rules from running, or may do so.
    #[serde(rename = "decidedBy")]
    pub(super) decided_by: Vec<String>,
}

/// A truth value in three-valued logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Value")]
pub(super) enum Ternary {
    Yes,
    No,
    Unknown,
}

impl From<Value> for Ternary {
    fn from(value: Value) -> Self {
        match value {
            Value::Bool(true) => Ternary::Yes,
            Value::Bool(false) => Ternary::No,
            _ => Ternary::Unknown,
        }
    }
}

#[derive(Serialize)]
struct SimulateOptions<'a> {
    ruleset: &'a EntryPoint,
    limit: usize,
}

/// Result of `migration.simulate`.
#[derive(Deserialize)]
struct SimulateResult {
    requests: Option<Vec<RequestComparison>>,
    omitted: usize,
    diagnostics: Vec<RequestDiagnostic>,
}

/// The error of a request in the text.
#[derive(Deserialize)]
struct RequestDiagnostic {
    start: usize,
    message: String,
    help: Option<String>,
}

impl Simulation {
    /// Simulates the requests of a text with a configuration and a new entry point.
    pub(super) async fn run(
        channel: Channel,
        config: &str,
        new: &EntryPoint,
        text: String,
    ) -> Result<Simulation, EngineError> {
        let options = to_js(&SimulateOptions { ruleset: new, limit: MAX_REQUESTS });
        let values = vec![config.into(), text.as_str().into(), options];
        let result: SimulateResult = call(channel, "migration.simulate", values).await?;
        let unread = || EngineError::Failed("the engine cannot read the configuration".to_owned());
        let rows = result.requests.ok_or_else(unread)?;
        let offsets = Utf16Offsets::new(&text);
        let issue = |RequestDiagnostic { start, message, help }| {
            let help = help.map(|help| format!("; {help}")).unwrap_or_default();
            JsonIssue::at_offset(offsets.utf16_to_byte(start), format!("{message}{help}"))
        };
        let issues = result.diagnostics.into_iter().map(issue).collect();
        Ok(Simulation { text, rows, issues, omitted: result.omitted })
    }
}
