//! What texts are: the configuration with all that follows from it, and the new one with what is wrong with it.

use super::json_location::JsonIssue;
use serde_json::Value;
use zonewright_api::finding::{Fate, Finding};
use zonewright_api::json;
use zonewright_api::ruleset::{EntryPoint, Ruleset};
use zonewright_migration::read::read_entry_point;
use zonewright_migration::{
    Phase, Plan, ZoneConfig, eligibility, executes, fingerprint, plan, read_config, support, unlisted_references,
};

/// What the text of the configuration is.
#[derive(Clone, Debug)]
pub(super) enum ConfigurationState {
    /// There is none.
    Empty,
    /// It cannot be read.
    Invalid(Vec<JsonIssue>),
    /// It can.
    Valid(Box<ConfigurationAnalysis>),
}

/// A configuration with all that follows from it.
#[derive(Clone, Debug)]
pub(super) struct ConfigurationAnalysis {
    pub(super) document: Value,
    pub(super) config: ZoneConfig,
    pub(super) plan: Plan,
    /// What stands in the way.
    pub(super) blocked: Vec<Finding>,
    /// What stood in the way in the first phase, for those who are still in it.
    pub(super) phase_one: Vec<Finding>,
    /// What only support can carry over.
    pub(super) support: Vec<Finding>,
    pub(super) fingerprint: String,
}

impl ConfigurationAnalysis {
    pub(super) fn of(document: Value) -> Result<ConfigurationAnalysis, Vec<JsonIssue>> {
        let config = read_config(&document).map_err(JsonIssue::all)?;
        Ok(ConfigurationAnalysis {
            plan: plan(&config),
            blocked: eligibility(&config, Phase::Two),
            phase_one: eligibility(&config, Phase::One),
            support: support(&config),
            fingerprint: fingerprint(&config),
            config,
            document,
        })
    }

    /// What is not carried over and has to be looked at one by one.
    pub(super) fn losses(&self) -> Vec<Finding> {
        let lost = |one: &&Finding| matches!(one.fate, Fate::Lost | Fate::NeedsSupport) && !one.is_quiet();
        self.plan.findings.iter().filter(lost).cloned().collect()
    }

    /// The name of the zone, or its identifier.
    pub(super) fn zone_name(&self) -> String {
        let ZoneConfig { name, zone_id, .. } = &self.config;
        if name.is_empty() { zone_id.clone() } else { name.clone() }
    }

    /// The name for files.
    pub(super) fn file_name(&self) -> String {
        let safe = |letter: char| if letter.is_ascii_alphanumeric() || letter == '.' { letter } else { '-' };
        let name: String = self.zone_name().chars().map(safe).collect();
        if name.is_empty() { "zone".to_owned() } else { name }
    }

    /// The entry point that the zone has, as the body of an update that would change nothing.
    pub(super) fn saved_text(&self) -> Option<String> {
        let Ruleset { name, description, rules, .. } = self.config.entry_point.clone()?;
        let mut body = EntryPoint { name, description: Some(description).filter(|text| !text.is_empty()), rules };
        body.rules.iter_mut().for_each(|rule| rule.last_updated = None);
        serde_json::to_string_pretty(&body).ok()
    }

    /// Identifier and version of the entry point that the zone has.
    pub(super) fn entry_point_version(&self) -> Option<(String, String)> {
        self.config.entry_point.as_ref().map(|one| (one.id.clone(), one.version.clone()))
    }

    /// Whether a new configuration would leave the zone without managed rules once the previous ones are off, where the
    /// plan executes some (assumption migration-bare).
    pub(super) fn left_bare_by(&self, new: &EntryPoint) -> bool {
        !executes(&new.rules) && executes(&self.plan.entry_point.rules)
    }
}

/// The new configuration as it stands, with what is wrong with it.
#[derive(Clone, Debug, Default)]
pub(super) struct NewConfiguration {
    pub(super) text: String,
    pub(super) body: Option<Value>,
    pub(super) entry_point: Option<EntryPoint>,
    pub(super) problems: Vec<JsonIssue>,
    /// What is accepted although it could not be checked.
    pub(super) warnings: Vec<JsonIssue>,
    /// Whether the previous rules cannot be switched off for it: it executes nothing.
    pub(super) bare: bool,
}

/// Reads the text of a configuration.
pub(super) fn read(text: &str) -> ConfigurationState {
    if text.trim().is_empty() {
        return ConfigurationState::Empty;
    }
    match parse(text).and_then(ConfigurationAnalysis::of) {
        Ok(understood) => ConfigurationState::Valid(Box::new(understood)),
        Err(problems) => ConfigurationState::Invalid(problems),
    }
}

fn parse(text: &str) -> Result<Value, Vec<JsonIssue>> {
    json::read(text).map_err(|error| vec![JsonIssue::unread(error, 0)])
}

/// The new configuration: the plan's, or what was made of it.
pub(super) fn judge(reading: &ConfigurationState, edited: &Option<String>) -> NewConfiguration {
    let ConfigurationState::Valid(understood) = reading else { return NewConfiguration::default() };
    let text = match edited {
        Some(text) => text.clone(),
        None => serde_json::to_string_pretty(&understood.plan.entry_point).unwrap_or_default(),
    };
    let body = match parse(&text) {
        Ok(body) => body,
        Err(problems) => return NewConfiguration { text, problems, ..NewConfiguration::default() },
    };
    // What has problems is shown as far as it can be read.
    let (entry_point, problems) = match read_entry_point(&body, understood.config.tier) {
        Ok(read) => (Some(read), Vec::new()),
        Err(problems) => (serde_json::from_value(body.clone()).ok(), JsonIssue::all(problems)),
    };
    let bare = problems.is_empty() && entry_point.as_ref().is_some_and(|new| understood.left_bare_by(new));
    let warnings = unlisted_references(&body).into_iter().map(JsonIssue::from).collect();
    NewConfiguration { text, body: Some(body), entry_point, problems, warnings, bare }
}
