//! Checks of a change of a ruleset that need the database. They run in the transaction of the change.

use super::KindAndPhase;
use crate::error::Error;
use crate::migration::{self, Precondition, RulesetUpdateOptions, revision_tag};
use crate::owner::{RulesetOwner, Zone};
use crate::rulesets::{rulesets_containing, summaries};
use crate::unit_of_work::UnitOfWork;
use sqlx::AnyConnection;
use std::collections::HashSet;
use zonewright_api::ruleset::{Ruleset, RulesetAction, RulesetKind, RulesetRule};
use zonewright_api::{ErrorObject, error_code};
use zonewright_migration::catalog::known_rulesets;
use zonewright_migration::read::PHASE;

/// Checks the precondition of a change, which the revision tag of the current ruleset or `additional_tag` meets. For
/// an entry point that a migration includes, the revision tag of the migration meets it too.
pub(super) async fn check_precondition(
    unit: &mut UnitOfWork,
    owner: &RulesetOwner,
    slot: KindAndPhase,
    current: Option<&Ruleset>,
    precondition: &Precondition,
    additional_tag: Option<&String>,
) -> Result<(), Error> {
    let is_met = match precondition {
        Precondition::Exists => current.is_some(),
        Precondition::Revision(tags) => {
            current.map(revision_tag).iter().chain(additional_tag).any(|tag| tags.contains(tag))
        }
    };
    match migrating_zone(owner, slot) {
        _ if is_met => Ok(()),
        Some(zone) => migration::check_precondition(unit.connection(), zone, precondition).await,
        None => Err(Error::Stale(Vec::new())),
    }
}

/// Returns the zone whose migration includes the ruleset.
fn migrating_zone(owner: &RulesetOwner, (kind, phase): KindAndPhase) -> Option<&Zone> {
    match owner {
        RulesetOwner::Zone(zone) if (phase.name(), kind) == (PHASE, RulesetKind::Zone) => Some(zone),
        _ => None,
    }
}

/// Rejects a change that the migration of the zone does not allow. `changed_rule` is `None` if the whole ruleset
/// changes, `Some(None)` if a single rule is deleted, and otherwise the index of the only changed rule.
pub(super) async fn check_migration(
    unit: &mut UnitOfWork,
    owner: &RulesetOwner,
    slot: KindAndPhase,
    update: &RulesetUpdateOptions,
    rules: &[RulesetRule],
    changed_rule: Option<Option<usize>>,
) -> Result<(), Error> {
    match migrating_zone(owner, slot) {
        Some(zone) => migration::check_entry_point_update(unit, zone, update, rules, changed_rule).await,
        None => Ok(()),
    }
}

/// Rejects rules that execute a ruleset that was deleted after the request was validated.
pub(super) async fn check_executed(
    connection: &mut AnyConnection,
    owner: &RulesetOwner,
    rules: &[RulesetRule],
) -> Result<(), Error> {
    let is_managed = |id: &str| known_rulesets().iter().any(|ruleset| ruleset.id == id);
    let executed: Vec<(usize, &str)> = rules
        .iter()
        .map(executed_ruleset_id)
        .enumerate()
        .filter_map(|(index, id)| Some((index, id.filter(|id| !is_managed(id))?)))
        .collect();
    if executed.is_empty() {
        return Ok(());
    }
    let existing: HashSet<String> = summaries(connection, owner).await?.into_iter().map(|ruleset| ruleset.id).collect();
    match executed.into_iter().find(|(_, id)| !existing.contains(*id)) {
        None => Ok(()),
        Some((index, id)) => {
            let message = format!("'{id}' is not a valid value for id because there is no such ruleset");
            let pointer = format!("/rules/{index}/action_parameters/id");
            Err(Error::Refused(vec![ErrorObject::new(error_code::INVALID_RULE, message).with_pointer(pointer)]))
        }
    }
}

fn executed_ruleset_id(rule: &RulesetRule) -> Option<&str> {
    let parameters = rule.action_parameters.as_ref().filter(|_| rule.action == RulesetAction::Execute)?;
    parameters.id.as_deref()
}

/// Rejects the deletion of a ruleset that a rule of the owner executes.
pub(super) async fn check_unused(connection: &mut AnyConnection, owner: &RulesetOwner, id: &str) -> Result<(), Error> {
    // Only rulesets with the ID anywhere in their rules are loaded.
    let users = rulesets_containing(connection, owner, id).await?;
    let mut users = users.iter().flat_map(|ruleset| ruleset.rules.iter().map(move |rule| (ruleset, rule)));
    match users.find(|(_, rule)| executed_ruleset_id(rule) == Some(id)) {
        None => Ok(()),
        Some((ruleset, rule)) => {
            let message = format!(
                "the rule `{}` of the ruleset `{}` executes this ruleset; delete that rule first",
                rule.id, ruleset.id
            );
            Err(Error::Refused(vec![ErrorObject::new(error_code::INVALID_RULE, message)]))
        }
    }
}
