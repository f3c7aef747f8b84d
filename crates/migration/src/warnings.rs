//! Warns about rules and categories that the catalog does not list. They are not errors, because the published
//! rulesets change every week (assumption entry-point-limits).

use crate::ZoneConfig;
use crate::catalog::known_rulesets;
use serde_json::{Value, json};
use zonewright_api::ValidationWarning;
use zonewright_firewall::ruleset;

/// Returns the unlisted rules and categories of managed rulesets that a new configuration names, at most 100.
pub fn unlisted_references(body: &Value) -> Vec<ValidationWarning> {
    ruleset::unlisted_references(body, known_rulesets())
}

/// Returns the unlisted rules and categories that the existing entry point names. Pointers lead into the configuration:
/// `/entry_point/rules/0/…`.
pub fn entry_point_warnings(config: &ZoneConfig) -> Vec<ValidationWarning> {
    let Some(existing) = &config.entry_point else { return Vec::new() };
    unlisted_references(&json!(existing))
        .into_iter()
        .map(|warning| warning.with_pointer_prefix("/entry_point"))
        .collect()
}
