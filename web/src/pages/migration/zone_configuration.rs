//! The configuration of the zone before the migration, read from JSON.
//!
//! Reading needs no engine, so a configuration is available as soon as its text is.

use super::json_location::JsonIssue;
use serde_json::Value;
use std::sync::Arc;
use zonewright_api::json;
use zonewright_api::ruleset::{EntryPoint, Ruleset};
use zonewright_migration::{ZoneConfig, fingerprint, read_config};

/// The result of reading the configuration.
#[derive(Clone, Debug)]
pub(super) enum ConfigurationState {
    /// The text is empty.
    Empty,
    /// The text is invalid.
    Invalid(Vec<JsonIssue>),
    /// The text is a configuration.
    Valid(Arc<Configuration>),
}

impl ConfigurationState {
    /// Reads a text.
    pub(super) fn read(text: &str) -> ConfigurationState {
        if text.trim().is_empty() {
            return ConfigurationState::Empty;
        }
        match Configuration::read(text.to_owned()) {
            Ok(configuration) => ConfigurationState::Valid(Arc::new(configuration)),
            Err(problems) => ConfigurationState::Invalid(problems),
        }
    }
}

/// A configuration with its text.
#[derive(Clone, Debug)]
pub(super) struct Configuration {
    pub(super) text: String,
    pub(super) document: Value,
    pub(super) config: ZoneConfig,
    /// A hash of everything that the plan depends on.
    pub(super) fingerprint: String,
}

impl Configuration {
    /// Reads a text.
    pub(super) fn read(text: String) -> Result<Configuration, Vec<JsonIssue>> {
        let document = json::parse(&text).map_err(|error| vec![JsonIssue::from_json_error(error, 0)])?;
        let config = read_config(&document).map_err(JsonIssue::from_validation_errors)?;
        Ok(Configuration { fingerprint: fingerprint(&config), text, document, config })
    }

    /// Returns the name of the zone, or its ID if it has no name.
    pub(super) fn zone_name(&self) -> String {
        let ZoneConfig { name, zone_id, .. } = &self.config;
        if name.is_empty() { zone_id.clone() } else { name.clone() }
    }

    /// Returns the start of a file name: the name of the zone, with `-` for all characters except ASCII letters, digits, and
    /// dots.
    pub(super) fn file_stem(&self) -> String {
        let safe =
            |character: char| if character.is_ascii_alphanumeric() || character == '.' { character } else { '-' };
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

    /// Returns the ID and the version of the current entry point.
    pub(super) fn entry_point_version(&self) -> Option<(String, String)> {
        self.config.entry_point.as_ref().map(|entry_point| (entry_point.id.clone(), entry_point.version.clone()))
    }
}
