//! Defines the entry point of the managed rules: name, phase, limits, and the body that updates it (§2.6, §4.5; the
//! rest is observed). [`zonewright_firewall::ruleset`] validates rulesets in general.

use crate::catalog::known_rulesets;
use serde_json::Value;
use zonewright_api::ValidationError;
use zonewright_api::ruleset::EntryPoint;
use zonewright_expression::schema::{Phase, Tier};
use zonewright_firewall::ruleset::{Level, MAX_RULES, RulesetCatalog, RulesetContext, read_ruleset_update};

/// The name of a zone's entry point (observed).
pub(crate) const ENTRY_POINT_NAME: &str = "default";
/// The phase in which managed rules run.
pub const PHASE: &str = "http_request_firewall_managed";
/// The maximum number of rules of an entry point (assumption entry-point-limits).
pub const MAX_ENTRY_POINT_RULES: usize = MAX_RULES;

/// Returns the context in which the entry point of [`PHASE`] is validated for a zone of this plan.
pub fn entry_point_context(tier: Tier) -> RulesetContext<'static> {
    let known = RulesetCatalog { managed: known_rulesets(), custom: &[] };
    RulesetContext::entry_point(Level::Zone, Phase::HttpRequestFirewallManaged, tier, known)
}

/// Reads a complete entry point of [`PHASE`] for a zone of this plan. The time is proportional to the size of the body.
///
/// An empty name, description, `id` or `ref` counts as absent (observed for `id`, `version` and `ref`). Versions and
/// times are read-only, so they are ignored.
///
/// # Errors
///
/// Returns every reason to reject the body.
pub fn read_entry_point(body: &Value, tier: Tier) -> Result<EntryPoint, Vec<ValidationError>> {
    let read = read_ruleset_update(body, &entry_point_context(tier))?;
    let Some(rules) = read.rules else {
        return Err(vec![ValidationError::invalid_shape("/rules", "`rules` is missing")]);
    };
    let name = read.name.unwrap_or_else(|| ENTRY_POINT_NAME.to_owned());
    Ok(EntryPoint { name, description: read.description.filter(|text| !text.is_empty()), rules })
}
