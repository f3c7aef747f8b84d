//! The analysis of the zone's configuration by the engine: the plan, and the settings that prevent the migration.
//!
//! [`call`] calls the verbs of the migration for all modules of the page.

use super::plan::{Finding, Plan};
use super::zone_configuration::Configuration;
use crate::engine::answers::{CallDiagnostic, check_call};
use crate::engine::{Channel, EngineError, from_js, to_js};
use js_sys::JSON;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use wasm_bindgen::JsValue;
use zonewright_api::ValidationWarning;
use zonewright_api::finding::FindingOutcome;
use zonewright_api::ruleset::EntryPoint;

/// A configuration with the results of the engine for its text.
#[derive(Clone, Debug)]
pub(super) struct ConfigurationAnalysis {
    pub(super) configuration: Arc<Configuration>,
    pub(super) plan: Plan,
    /// The blockers of phase two.
    pub(super) blockers: Vec<Finding>,
    /// The settings that only the provider's support can migrate.
    pub(super) support_findings: Vec<Finding>,
    /// The number of conditions of phase one that the zone does not meet.
    pub(super) unmet_phase_one: usize,
}

impl ConfigurationAnalysis {
    /// Analyzes a configuration.
    pub(super) async fn analyze(channel: Channel, configuration: Arc<Configuration>) -> Result<Self, EngineError> {
        let text = JsValue::from_str(&configuration.text);
        let planned: PlanResult = call(channel, "migration.plan", vec![text.clone()]).await?;
        let entry_point = planned.ruleset.ok_or_else(unreadable_configuration_error)?;
        let plan = Plan { entry_point, findings: planned.findings, warnings: planned.warnings };
        let (blockers, support_findings) = check(channel, text.clone(), false).await?;
        let (phase_one_blockers, _) = check(channel, text, true).await?;
        let unmet_phase_one = phase_one_blockers.len();
        Ok(ConfigurationAnalysis { configuration, plan, blockers, support_findings, unmet_phase_one })
    }

    /// Returns whether nothing prevents the migration.
    pub(super) fn is_eligible(&self) -> bool {
        self.blockers.is_empty() && self.support_findings.is_empty()
    }

    /// Returns the findings that the user must confirm one by one: settings that are lost or need support.
    pub(super) fn losses(&self) -> Vec<Finding> {
        let is_loss = |finding: &&Finding| {
            matches!(finding.outcome, FindingOutcome::Lost | FindingOutcome::NeedsSupport)
                && !finding.is_default_setting()
        };
        self.plan.findings.iter().filter(is_loss).cloned().collect()
    }
}

/// Result of `migration.plan`.
#[derive(Deserialize)]
struct PlanResult {
    ruleset: Option<EntryPoint>,
    findings: Vec<Finding>,
    warnings: Vec<ValidationWarning>,
}

/// Result of `migration.check`.
#[derive(Deserialize)]
struct CheckResult {
    findings: Vec<Finding>,
    errors: Vec<Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CheckOptions {
    phase_one: bool,
}

/// Returns the blockers of a phase, and the settings that need support.
async fn check(channel: Channel, text: JsValue, phase_one: bool) -> Result<(Vec<Finding>, Vec<Finding>), EngineError> {
    let result: CheckResult = call(channel, "migration.check", vec![text, to_js(&CheckOptions { phase_one })]).await?;
    if !result.errors.is_empty() {
        return Err(unreadable_configuration_error());
    }
    let needs_support = |finding: &Finding| finding.outcome == FindingOutcome::NeedsSupport;
    let (support_findings, blockers) = result.findings.into_iter().partition(needs_support);
    Ok((blockers, support_findings))
}

/// Creates the error for a configuration that the page accepted and the engine rejected. Both use the same reader, so
/// this is unexpected.
fn unreadable_configuration_error() -> EngineError {
    EngineError::Failed("the engine cannot read the configuration".to_owned())
}

/// The diagnostics in the result of a verb.
#[derive(Deserialize)]
struct CallDiagnostics {
    diagnostics: Vec<CallDiagnostic>,
}

/// Calls a verb, and reads its result as JSON, so that types that responses of the service also have need one reader.
pub(super) async fn call<T: for<'a> Deserialize<'a>>(
    channel: Channel,
    verb: &str,
    values: Vec<JsValue>,
) -> Result<T, EngineError> {
    let result = channel.call_js(verb, values).await?;
    let CallDiagnostics { diagnostics } = from_js(result.clone())?;
    check_call(&diagnostics)?;
    let text = JSON::stringify(&result).ok().and_then(|text| text.as_string()).unwrap_or_default();
    let read = serde_json::from_str::<Value>(&text).and_then(|value| T::deserialize(&value));
    read.map_err(|error| EngineError::Failed(format!("unexpected result: {error}")))
}
