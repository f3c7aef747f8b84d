//! The analysis of the two texts of the page: the configuration of the zone, and the new configuration.

use super::json_location::JsonIssue;
use crate::engine::{Channel, EngineError, to_js};
use serde::Deserialize;
use serde_json::Value;
use zonewright_api::finding::{Finding, FindingOutcome};
use zonewright_api::json;
use zonewright_api::ruleset::{EntryPoint, Ruleset};
use zonewright_migration::read::read_entry_point;
use zonewright_migration::{
    MigrationPhase, Plan, ZoneConfig, check_eligibility, fingerprint, plan, read_config, support_findings,
    unlisted_references,
};

/// The result of reading the configuration.
#[derive(Clone, Debug)]
pub(super) enum ConfigurationState {
    /// The text is empty.
    Empty,
    /// The text is invalid.
    Invalid(Vec<JsonIssue>),
    /// The text is a configuration.
    Valid(Box<ConfigurationAnalysis>),
}

/// A configuration with everything that is derived from it.
#[derive(Clone, Debug)]
pub(super) struct ConfigurationAnalysis {
    pub(super) document: Value,
    pub(super) config: ZoneConfig,
    pub(super) plan: Plan,
    /// The blockers of phase two.
    pub(super) blockers: Vec<Finding>,
    /// The blockers of phase one.
    pub(super) phase_one_blockers: Vec<Finding>,
    /// The settings that only the provider's support can migrate.
    pub(super) support_findings: Vec<Finding>,
    pub(super) fingerprint: String,
}

impl ConfigurationAnalysis {
    pub(super) fn analyze(document: Value) -> Result<ConfigurationAnalysis, Vec<JsonIssue>> {
        let config = read_config(&document).map_err(JsonIssue::from_validation_errors)?;
        Ok(ConfigurationAnalysis {
            plan: plan(&config),
            blockers: check_eligibility(&config, MigrationPhase::Two),
            phase_one_blockers: check_eligibility(&config, MigrationPhase::One),
            support_findings: support_findings(&config),
            fingerprint: fingerprint(&config),
            config,
            document,
        })
    }

    /// Returns the findings that the user must confirm one by one: settings that are lost or need support.
    pub(super) fn losses(&self) -> Vec<Finding> {
        let is_loss = |finding: &&Finding| {
            matches!(finding.outcome, FindingOutcome::Lost | FindingOutcome::NeedsSupport)
                && !finding.is_default_setting()
        };
        self.plan.findings.iter().filter(is_loss).cloned().collect()
    }

    /// Returns the name of the zone, or its ID if it has no name.
    pub(super) fn zone_name(&self) -> String {
        let ZoneConfig { name, zone_id, .. } = &self.config;
        if name.is_empty() { zone_id.clone() } else { name.clone() }
    }

    /// Returns the name of the zone as the start of a file name, with only characters that are safe there.
    pub(super) fn file_stem(&self) -> String {
        let safe = |letter: char| if letter.is_ascii_alphanumeric() || letter == '.' { letter } else { '-' };
        let name: String = self.zone_name().chars().map(safe).collect();
        if name.is_empty() { "zone".to_owned() } else { name }
    }

    /// Returns the current entry point as the body of an update that would change nothing.
    pub(super) fn saved_text(&self) -> Option<String> {
        let Ruleset { name, description, rules, .. } = self.config.entry_point.clone()?;
        let mut body = EntryPoint { name, description: Some(description).filter(|text| !text.is_empty()), rules };
        body.rules.iter_mut().for_each(|rule| rule.last_updated = None);
        serde_json::to_string_pretty(&body).ok()
    }

    /// Returns ID and version of the current entry point.
    pub(super) fn entry_point_version(&self) -> Option<(String, String)> {
        self.config.entry_point.as_ref().map(|entry_point| (entry_point.id.clone(), entry_point.version.clone()))
    }
}

/// Result of `runsManagedRules`.
#[derive(Deserialize)]
struct ManagedRulesResult {
    runs: Option<bool>,
}

/// Returns whether a new configuration executes no managed ruleset although the plan does. The zone would have no managed
/// rules after the previous ones are switched off (assumption migration-bare).
pub(super) async fn would_lose_managed_rules(
    channel: Channel,
    new: &EntryPoint,
    planned: &EntryPoint,
) -> Result<bool, EngineError> {
    let runs = async |entry_point: &EntryPoint| {
        let result: ManagedRulesResult = channel.call("runsManagedRules", vec![to_js(entry_point)]).await?;
        result.runs.ok_or_else(|| EngineError::Failed("the new configuration cannot be read".to_owned()))
    };
    Ok(!runs(new).await? && runs(planned).await?)
}

/// The new configuration with its errors.
#[derive(Clone, Debug, Default)]
pub(super) struct NewConfiguration {
    pub(super) text: String,
    pub(super) body: Option<Value>,
    pub(super) entry_point: Option<EntryPoint>,
    pub(super) problems: Vec<JsonIssue>,
    /// Values that are accepted although they could not be validated.
    pub(super) warnings: Vec<JsonIssue>,
}

/// Parses the text of a configuration.
pub(super) fn analyze(text: &str) -> ConfigurationState {
    if text.trim().is_empty() {
        return ConfigurationState::Empty;
    }
    match parse(text).and_then(ConfigurationAnalysis::analyze) {
        Ok(analysis) => ConfigurationState::Valid(Box::new(analysis)),
        Err(problems) => ConfigurationState::Invalid(problems),
    }
}

fn parse(text: &str) -> Result<Value, Vec<JsonIssue>> {
    json::parse(text).map_err(|error| vec![JsonIssue::from_json_error(error, 0)])
}

/// Validates the new configuration: the edited text, or the plan if there is none.
pub(super) fn validate(state: &ConfigurationState, edited: &Option<String>) -> NewConfiguration {
    let ConfigurationState::Valid(analysis) = state else { return NewConfiguration::default() };
    let text = match edited {
        Some(text) => text.clone(),
        None => serde_json::to_string_pretty(&analysis.plan.entry_point).unwrap_or_default(),
    };
    let body = match parse(&text) {
        Ok(body) => body,
        Err(problems) => return NewConfiguration { text, problems, ..NewConfiguration::default() },
    };
    // An invalid configuration is displayed as far as it can be parsed.
    let (entry_point, problems) = match read_entry_point(&body, analysis.config.tier) {
        Ok(read) => (Some(read), Vec::new()),
        Err(problems) => (serde_json::from_value(body.clone()).ok(), JsonIssue::from_validation_errors(problems)),
    };
    let warnings = unlisted_references(&body).into_iter().map(JsonIssue::from).collect();
    NewConfiguration { text, body: Some(body), entry_point, problems, warnings }
}
