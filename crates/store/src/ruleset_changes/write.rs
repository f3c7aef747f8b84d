//! Changes of rulesets.
//!
//! Start with [`Store::write_ruleset`] and [`Store::delete_ruleset`]. Invariant: all changes go through them, so the
//! conditions of a zone's migration hold for its managed rules whichever request changes them.

use super::follow::follow;
use super::logged::logged;
use super::versions;
use crate::clock::now_exact;
use crate::error::Error;
use crate::migration::{self, IfMatch, Update, tag};
use crate::owner::{RulesetOwner, Zone};
use crate::rulesets::{by_id, entry_point_of, naming, summaries, summary_of_entry_point, written};
use crate::secret::new_id;
use crate::store::Store;
use crate::unit_of_work::UnitOfWork;
use sqlx::AnyConnection;
use std::collections::HashSet;
use zonewright_api::ruleset::{Ruleset, RulesetAction, RulesetKind, RulesetRule, RulesetSummary};
use zonewright_api::{ErrorObject, error_code};
use zonewright_expression::schema::Phase;
use zonewright_firewall::ruleset::{RulesetCatalog, RulesetContext, check_count};
use zonewright_migration::catalogue::known_rulesets;
use zonewright_migration::read::PHASE;

/// The maximum number of custom rulesets of an account (assumption ruleset-limits).
const MOST_CUSTOM: usize = 100;

/// The ruleset to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The ruleset with this ID.
    Id(String),
    /// The entry point of a phase, which is created if it does not exist.
    EntryPoint(Phase),
    /// A new ruleset.
    New(RulesetKind, Phase),
}

/// A ruleset after a change.
#[derive(Debug)]
pub struct Next {
    /// The display name.
    pub name: String,
    /// The description for people.
    pub description: String,
    /// Its rules; new ones have no ID.
    pub rules: Vec<RulesetRule>,
    /// The part that the request changes.
    pub sent: Sent,
}

/// The part of a ruleset that a request changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    /// The whole ruleset.
    Ruleset,
    /// One rule.
    Rule {
        /// The ID of the rule, if it existed before.
        id: Option<String>,
        /// The index of the rule after the change; `None` if it is deleted.
        at: Option<usize>,
    },
}

/// The kind and phase of a ruleset.
type Slot = (RulesetKind, Phase);

impl Store {
    /// Begins a change of a ruleset and checks the precondition `If-Match`. `also` is another tag that fulfills it.
    /// Returns the current ruleset, if there is one.
    async fn begin_change(
        &self,
        owner: &RulesetOwner,
        target: &Target,
        update: &Update,
        also: Option<&String>,
    ) -> Result<(UnitOfWork, Option<Ruleset>, Slot), Error> {
        let mut unit = self.write(owner.scope(), owner.actor()).await?;
        let present = present(&mut unit, owner, target).await?;
        let slot = slot(owner, target, present.as_ref())?;
        if let Some(wanted) = &update.if_match {
            check_match(&mut unit, owner, slot, present.as_ref(), wanted, also).await?;
        }
        Ok((unit, present, slot))
    }

    /// Replaces a ruleset with the result of `change`, and returns it. Its version increases with every change; that of
    /// a rule increases if the rule changes.
    pub async fn write_ruleset(
        &self,
        owner: &RulesetOwner,
        target: &Target,
        update: &Update,
        change: impl FnOnce(Option<&Ruleset>) -> Result<Next, Error>,
    ) -> Result<Ruleset, Error> {
        let (mut unit, present, (kind, phase)) = self.begin_change(owner, target, update, None).await?;
        let next = change(present.as_ref())?;
        let at = if let Sent::Rule { at, .. } = next.sent { Some(at) } else { None };
        let whole = present.as_ref();
        check(&mut unit, owner, (kind, phase), update, &next.rules, at).await?;
        let place = RulesetContext { level: owner.level(), kind, phase, tier: owner.tier(), catalog: NONE };
        let before = whole.map_or(0, |present| present.rules.len());
        if let Some(refusal) = check_count(&place, before, next.rules.len()) {
            let pointer = if at.is_some() { String::new() } else { refusal.pointer };
            return Err(Error::Refused(vec![ErrorObject::new(refusal.code, refusal.message).at(pointer)]));
        }
        check_executed(&mut unit, owner, &next.rules).await?;
        let sent = next.sent.clone();
        let saved = save(&mut unit, owner, (kind, phase), whole, next).await?;
        record(&mut unit, &sent, whole, &saved);
        finish(unit, update.dry_run).await?;
        Ok(saved)
    }

    /// Deletes a ruleset with its versions, unless a rule executes it.
    pub async fn delete_ruleset(&self, owner: &RulesetOwner, id: &str, update: &Update) -> Result<(), Error> {
        let (mut unit, present, slot) = self.begin_change(owner, &Target::Id(id.to_owned()), update, None).await?;
        // A deleted ruleset has no rules.
        check(&mut unit, owner, slot, update, &[], Some(None)).await?;
        check_unused(&mut unit, owner, id).await?;
        sqlx::query("delete from ruleset_versions where ruleset_id = $1")
            .bind(id.to_owned())
            .execute(&mut *unit)
            .await?;
        sqlx::query("delete from rulesets where id = $1").bind(id.to_owned()).execute(&mut *unit).await?;
        unit.record("ruleset.delete", id, present.as_ref(), None);
        finish(unit, update.dry_run).await
    }

    /// Deletes a version that is not the current one.
    pub async fn delete_ruleset_version(
        &self,
        owner: &RulesetOwner,
        id: &str,
        version: i64,
        update: &Update,
    ) -> Result<(), Error> {
        // The precondition may name the deleted version, whose tag never changes, or the current ruleset.
        let tag = format!("{id}-{version}");
        let (mut unit, present, _) = self.begin_change(owner, &Target::Id(id.to_owned()), update, Some(&tag)).await?;
        let present: RulesetSummary = present.ok_or_else(|| owner.lacks("ruleset", id))?.into();
        let found =
            versions::find(&mut unit, &present, version).await?.ok_or_else(|| versions::missing(id, version))?;
        if present.version == found.version {
            let message = format!("'{version}' is not a valid value for version because it is the current one");
            return Err(Error::Refused(vec![ErrorObject::new(error_code::WRONG_RULE, message)]));
        }
        sqlx::query("delete from ruleset_versions where ruleset_id = $1 and version = $2")
            .bind(id.to_owned())
            .bind(version)
            .execute(&mut *unit)
            .await?;
        unit.record("ruleset_version.delete", &format!("{id}/{version}"), Some(&found), None);
        finish(unit, update.dry_run).await
    }
}

const NONE: RulesetCatalog<'static> = RulesetCatalog { managed: &[], custom: &[] };

async fn finish(unit: UnitOfWork, dry_run: bool) -> Result<(), Error> {
    if dry_run {
        unit.rollback().await?
    } else {
        unit.commit().await?
    }
    Ok(())
}

/// Loads the current ruleset, if there is one.
async fn present(
    connection: &mut AnyConnection,
    owner: &RulesetOwner,
    target: &Target,
) -> Result<Option<Ruleset>, Error> {
    match target {
        Target::Id(id) => match by_id(connection, owner, id).await? {
            None => Err(owner.lacks("ruleset", id)),
            found => Ok(found),
        },
        Target::EntryPoint(phase) => entry_point_of(connection, owner, phase.name()).await,
        Target::New(RulesetKind::Custom, phase) => {
            let all = summaries(connection, owner).await?;
            let custom = all.iter().filter(|ruleset| ruleset.kind == RulesetKind::Custom.name()).count();
            if custom < MOST_CUSTOM { Ok(None) } else { Err(exists(RulesetKind::Custom, *phase)) }
        }
        Target::New(kind, phase) => match summary_of_entry_point(connection, owner, phase.name()).await? {
            None => Ok(None),
            Some(_) => Err(exists(*kind, *phase)),
        },
    }
}

/// The error for too many rulesets; its message is (observed).
fn exists(kind: RulesetKind, phase: Phase) -> Error {
    let (kind, phase) = (kind.name(), phase.name());
    let message = format!(
        "'{kind}' is not a valid value for kind because exceeded maximum number of {kind} rulesets for phase {phase}"
    );
    Error::Refused(vec![ErrorObject::new(error_code::TOO_MANY, message).at("/kind")])
}

fn slot(owner: &RulesetOwner, target: &Target, present: Option<&Ruleset>) -> Result<(RulesetKind, Phase), Error> {
    if let Some(present) = present {
        let found = RulesetKind::from_name(&present.kind).zip(Phase::from_name(&present.phase));
        return found.ok_or_else(|| Error::Internal("a ruleset has a kind or phase that does not exist".into()));
    }
    match target {
        Target::EntryPoint(phase) => Ok((owner.level().entry_point(), *phase)),
        Target::New(kind, phase) => Ok((*kind, *phase)),
        Target::Id(id) => Err(owner.lacks("ruleset", id)),
    }
}

/// Checks the precondition of a request. The entry point that a migration creates has additional tags.
async fn check_match(
    unit: &mut UnitOfWork,
    owner: &RulesetOwner,
    slot: Slot,
    present: Option<&Ruleset>,
    wanted: &IfMatch,
    also: Option<&String>,
) -> Result<(), Error> {
    let there = match wanted {
        IfMatch::Any => present.is_some(),
        IfMatch::Tags(tags) => present.map(tag).iter().chain(also).any(|tag| tags.contains(tag)),
    };
    match migrating(owner, slot) {
        _ if there => Ok(()),
        Some(zone) => migration::check_match(unit, zone, wanted).await,
        None => Err(Error::Stale(Vec::new())),
    }
}

/// Returns the zone whose migration includes the ruleset.
fn migrating(owner: &RulesetOwner, (kind, phase): Slot) -> Option<&Zone> {
    match owner {
        RulesetOwner::Zone(zone) if (phase.name(), kind) == (PHASE, RulesetKind::Zone) => Some(zone),
        _ => None,
    }
}

/// Rejects a change that the migration of the zone does not allow. `at` is set if the change concerns a single rule: it
/// is the rule's index, or `None` inside if it has none.
async fn check(
    unit: &mut UnitOfWork,
    owner: &RulesetOwner,
    slot: Slot,
    update: &Update,
    rules: &[RulesetRule],
    at: Option<Option<usize>>,
) -> Result<(), Error> {
    match migrating(owner, slot) {
        Some(zone) => migration::admit(unit, zone, update, rules, at).await,
        None => Ok(()),
    }
}

/// Rejects rules that execute a ruleset that was deleted after the request was validated.
async fn check_executed(
    connection: &mut AnyConnection,
    owner: &RulesetOwner,
    rules: &[RulesetRule],
) -> Result<(), Error> {
    let managed = |id: &str| known_rulesets().iter().any(|ruleset| ruleset.id == id);
    let own: Vec<(usize, &str)> = rules
        .iter()
        .map(executed)
        .enumerate()
        .filter_map(|(index, id)| Some((index, id.filter(|id| !managed(id))?)))
        .collect();
    if own.is_empty() {
        return Ok(());
    }
    let there: HashSet<String> = summaries(connection, owner).await?.into_iter().map(|ruleset| ruleset.id).collect();
    match own.into_iter().find(|(_, id)| !there.contains(*id)) {
        None => Ok(()),
        Some((index, id)) => {
            let message = format!("'{id}' is not a valid value for id because there is no such ruleset");
            let pointer = format!("/rules/{index}/action_parameters/id");
            Err(Error::Refused(vec![ErrorObject::new(error_code::WRONG_RULE, message).at(pointer)]))
        }
    }
}

fn executed(rule: &RulesetRule) -> Option<&str> {
    let parameters = rule.action_parameters.as_ref().filter(|_| rule.action == RulesetAction::Execute)?;
    parameters.id.as_deref()
}

/// Rejects the deletion of a ruleset that a rule of the owner executes.
async fn check_unused(connection: &mut AnyConnection, owner: &RulesetOwner, id: &str) -> Result<(), Error> {
    // Only rulesets with the ID anywhere in their rules are loaded.
    let users = naming(connection, owner, id).await?;
    let mut users = users.iter().flat_map(|ruleset| ruleset.rules.iter().map(move |rule| (ruleset, rule)));
    match users.find(|(_, rule)| executed(rule) == Some(id)) {
        None => Ok(()),
        Some((ruleset, rule)) => {
            let message = format!(
                "the ruleset is executed by the rule `{}` of the ruleset `{}`: delete that rule first",
                rule.id, ruleset.id
            );
            Err(Error::Refused(vec![ErrorObject::new(error_code::WRONG_RULE, message)]))
        }
    }
}

/// Stores the ruleset that replaces `present`, with its version.
async fn save(
    connection: &mut AnyConnection,
    owner: &RulesetOwner,
    (kind, phase): (RulesetKind, Phase),
    present: Option<&Ruleset>,
    next: Next,
) -> Result<Ruleset, Error> {
    let version = present.map_or(0, |present| present.version.parse::<i64>().unwrap_or_default()) + 1;
    let last_updated = now_exact();
    let saved = Ruleset {
        id: match present {
            Some(present) => present.id.clone(),
            None => new_id()?,
        },
        name: next.name,
        description: next.description,
        kind: kind.name().to_owned(),
        phase: phase.name().to_owned(),
        version: version.to_string(),
        rules: follow(present.map(|present| present.rules.clone()).unwrap_or_default(), next.rules, &last_updated)?,
        last_updated,
    };
    let (zone, account) = owner.columns();
    let statement = if present.is_none() {
        "insert into rulesets (id, zone_id, account_id, kind, phase, name, description, version, last_updated, rules)
         values ($1, nullif($2, ''), nullif($3, ''), $4, $5, $6, $7, $8, $9, $10)"
    } else {
        "update rulesets set name = $6, description = $7, version = $8, last_updated = $9, rules = $10
         where id = $1 and (zone_id = $2 or account_id = $3) and kind = $4 and phase = $5"
    };
    sqlx::query(statement)
        .bind(saved.id.clone())
        .bind(zone)
        .bind(account)
        .bind(saved.kind.clone())
        .bind(saved.phase.clone())
        .bind(saved.name.clone())
        .bind(saved.description.clone())
        .bind(version)
        .bind(saved.last_updated.clone())
        .bind(written(&saved.rules)?)
        .execute(&mut *connection)
        .await?;
    versions::keep(connection, &saved, version).await?;
    Ok(saved)
}

/// Records the change: the rule if the request changes a single rule, otherwise the ruleset with the rules that differ.
fn record(unit: &mut UnitOfWork, sent: &Sent, before: Option<&Ruleset>, after: &Ruleset) {
    let Sent::Rule { id, at } = sent else {
        return match before {
            None => unit.record("ruleset.create", &after.id, None, Some(after)),
            Some(before) => {
                let (old, new) = logged(before, after);
                unit.record("ruleset.update", &after.id, Some(&old), Some(&new));
            }
        };
    };
    let rule_before = before.and_then(|before| before.rules.iter().find(|rule| Some(&rule.id) == id.as_ref()));
    let rule_after = at.and_then(|at| after.rules.get(at));
    let action = match (rule_before, rule_after) {
        (None, _) => "ruleset_rule.create",
        (Some(_), Some(_)) => "ruleset_rule.update",
        (Some(_), None) => "ruleset_rule.delete",
    };
    let rule = rule_after.or(rule_before).map(|rule| rule.id.as_str()).unwrap_or_default();
    unit.record(action, &format!("{}/{rule}", after.id), rule_before, rule_after);
}
