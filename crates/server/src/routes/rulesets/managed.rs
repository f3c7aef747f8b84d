//! Managed rulesets. They are the same for every owner, and change only with a release of the service.

use super::request_error;
use crate::error::Error;
use zonewright_api::ruleset::{ManagedRuleDetails, ManagedRulesetDetails, RulesetKind, RulesetSummary};
use zonewright_firewall::ruleset::{RulesetInfo, has_entry_point};
use zonewright_migration::catalog::{known_rulesets, managed_rules};
use zonewright_store::RulesetOwner;

/// The version of all managed rulesets and rules.
pub(super) const VERSION: &str = "1";
/// The time of the last change of all managed rulesets and rules.
const LAST_UPDATED: &str = "2022-09-19T00:00:00Z";

/// Returns the managed rulesets that rules of the owner may execute.
pub(super) fn executable_rulesets(owner: &RulesetOwner) -> impl Iterator<Item = &'static RulesetInfo> {
    let (level, tier) = (owner.level(), owner.tier());
    known_rulesets().iter().filter(move |ruleset| tier >= ruleset.tier && has_entry_point(ruleset.phase, level))
}

/// Finds one of the [`executable_rulesets`] by ID.
pub(super) fn find(owner: &RulesetOwner, id: &str) -> Option<&'static RulesetInfo> {
    executable_rulesets(owner).find(|ruleset| ruleset.id == id)
}

/// Rejects a change of a managed ruleset.
pub(super) fn reject_managed(owner: &RulesetOwner, id: &str) -> Result<(), Error> {
    match find(owner, id) {
        None => Ok(()),
        Some(managed) => Err(request_error(format!(
            "'{id}' is not a valid value for id because the {} is managed; rules can execute and override it, but it \
             cannot be changed",
            managed.name
        ))),
    }
}

/// Returns a managed ruleset without its rules.
pub(super) fn summary(managed: &RulesetInfo) -> RulesetSummary {
    RulesetSummary {
        id: managed.id.clone(),
        name: managed.name.clone(),
        description: managed.description.clone(),
        kind: RulesetKind::Managed.name().to_owned(),
        phase: managed.phase.name().to_owned(),
        version: VERSION.to_owned(),
        last_updated: LAST_UPDATED.to_owned(),
    }
}

/// Returns a managed ruleset with the known properties of its rules.
pub(super) fn details(managed: &RulesetInfo) -> ManagedRulesetDetails {
    let rules = managed_rules(&managed.id).into_iter().map(|rule| ManagedRuleDetails {
        id: rule.id.to_owned(),
        version: VERSION.to_owned(),
        action: rule.action,
        categories: rule.categories.into_iter().map(str::to_owned).collect(),
        description: rule.description.to_owned(),
        last_updated: LAST_UPDATED.to_owned(),
        reference: rule.id.to_owned(),
        enabled: rule.enabled,
        score_threshold: rule.score_threshold,
    });
    ManagedRulesetDetails { summary: summary(managed), rules: rules.collect() }
}
