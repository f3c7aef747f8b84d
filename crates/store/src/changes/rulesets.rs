//! Changes of rulesets.
//!
//! Start with [`Store::write_ruleset`] and [`Store::delete_ruleset`]. Invariant: every change of a current
//! ruleset goes through these two, so the conditions of a zone's migration hold whichever request changes its managed
//! rules.
//!
//! - `checks`: checks of a change that need the database.
//! - `match_rules`: matches the rules of a request with the current rules.
//! - `audit_diff`: the audit entry of a changed ruleset.

mod audit_diff;
mod checks;
mod match_rules;

use self::audit_diff::audit_diff;
use self::checks::{check_executed, check_migration, check_precondition, check_unused};
use self::match_rules::match_rules;
use crate::clock::now_micros_text;
use crate::error::Error;
use crate::migration::RulesetUpdateOptions;
use crate::owner::RulesetOwner;
use crate::rulesets::{self, entry_point_summary, find_ruleset, owner_entry_point, summaries};
use crate::secret::new_id;
use crate::store::Store;
use crate::unit_of_work::UnitOfWork;
use sqlx::AnyConnection;
use zonewright_api::ruleset::{Ruleset, RulesetKind, RulesetRule, RulesetSummary};
use zonewright_api::{ErrorObject, error_code};
use zonewright_expression::schema::Phase;
use zonewright_firewall::ruleset::{RulesetCatalog, RulesetContext, check_rule_count};

/// The maximum number of custom rulesets of an account (assumption ruleset-limits).
const MAX_CUSTOM_RULESETS: usize = 100;

/// The ruleset to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulesetTarget {
    /// The ruleset with this ID.
    Id(String),
    /// The entry point of a phase, which is created if it does not exist.
    EntryPoint(Phase),
    /// A new ruleset.
    New(RulesetKind, Phase),
}

/// A ruleset after a change.
#[derive(Debug)]
pub struct NextRuleset {
    /// The display name.
    pub name: String,
    /// The description for people.
    pub description: String,
    /// Its rules; new ones have no ID.
    pub rules: Vec<RulesetRule>,
    /// The part that the request changes.
    pub changed: ChangedPart,
}

/// The part of a ruleset that a request changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangedPart {
    /// The whole ruleset.
    Ruleset,
    /// One rule.
    Rule {
        /// The ID of the rule, if it existed before.
        id: Option<String>,
        /// The index of the rule after the change; `None` if it is deleted.
        index: Option<usize>,
    },
}

/// The kind and phase of a ruleset.
type KindAndPhase = (RulesetKind, Phase);

impl Store {
    /// Begins a change of a ruleset and checks the precondition, which `additional_tag` also meets. Returns the current
    /// ruleset, if there is one.
    async fn begin_update(
        &self,
        owner: &RulesetOwner,
        target: &RulesetTarget,
        update: &RulesetUpdateOptions,
        additional_tag: Option<&String>,
    ) -> Result<(UnitOfWork, Option<Ruleset>, KindAndPhase), Error> {
        let mut unit = self.write(owner.scope(), owner.actor()).await?;
        let current = load_current(unit.connection(), owner, target).await?;
        let slot = kind_and_phase(owner, target, current.as_ref())?;
        if let Some(precondition) = &update.precondition {
            check_precondition(&mut unit, owner, slot, current.as_ref(), precondition, additional_tag).await?;
        }
        Ok((unit, current, slot))
    }

    /// Creates a ruleset, or replaces the current one with the result of `change`, and returns it. The version of the
    /// ruleset increases with every change. The version of a rule increases only if the rule changes. Advances the
    /// migration if the update has a step, and rolls everything back if the update is a dry run.
    pub async fn write_ruleset(
        &self,
        owner: &RulesetOwner,
        target: &RulesetTarget,
        update: &RulesetUpdateOptions,
        change: impl FnOnce(Option<&Ruleset>) -> Result<NextRuleset, Error>,
    ) -> Result<Ruleset, Error> {
        let (mut unit, current, (kind, phase)) = self.begin_update(owner, target, update, None).await?;
        let next = change(current.as_ref())?;
        let changed_rule = if let ChangedPart::Rule { index, .. } = next.changed { Some(index) } else { None };
        let current = current.as_ref();
        check_migration(&mut unit, owner, (kind, phase), update, &next.rules, changed_rule).await?;
        let context =
            RulesetContext { level: owner.level(), kind, phase, tier: owner.tier(), catalog: NO_KNOWN_RULESETS };
        let before = current.map_or(0, |current| current.rules.len());
        if let Some(error) = check_rule_count(&context, before, next.rules.len()) {
            let pointer = if changed_rule.is_some() { String::new() } else { error.pointer };
            return Err(Error::Refused(vec![ErrorObject::new(error.code, error.message).with_pointer(pointer)]));
        }
        check_executed(unit.connection(), owner, &next.rules).await?;
        let changed = next.changed.clone();
        let saved = save_version(unit.connection(), owner, (kind, phase), current, next).await?;
        record(&mut unit, &changed, current, &saved);
        commit_or_roll_back(unit, update.dry_run).await?;
        Ok(saved)
    }

    /// Deletes a ruleset with its versions, unless a rule executes it.
    pub async fn delete_ruleset(
        &self,
        owner: &RulesetOwner,
        id: &str,
        update: &RulesetUpdateOptions,
    ) -> Result<(), Error> {
        let (mut unit, current, slot) =
            self.begin_update(owner, &RulesetTarget::Id(id.to_owned()), update, None).await?;
        // A deleted ruleset has no rules, and errors point to no rule.
        check_migration(&mut unit, owner, slot, update, &[], Some(None)).await?;
        check_unused(unit.connection(), owner, id).await?;
        rulesets::delete(unit.connection(), id).await?;
        unit.record("ruleset.delete", id, current.as_ref(), None);
        commit_or_roll_back(unit, update.dry_run).await
    }

    /// Deletes a version that is not the current one.
    pub async fn delete_ruleset_version(
        &self,
        owner: &RulesetOwner,
        id: &str,
        version: i64,
        update: &RulesetUpdateOptions,
    ) -> Result<(), Error> {
        // The precondition may name the deleted version, whose tag never changes, or the current ruleset.
        let tag = format!("{id}-{version}");
        let (mut unit, current, _) =
            self.begin_update(owner, &RulesetTarget::Id(id.to_owned()), update, Some(&tag)).await?;
        let current: RulesetSummary = current.ok_or_else(|| owner.ruleset_not_found(id))?.into();
        let found = rulesets::find_version(unit.connection(), &current, version)
            .await?
            .ok_or_else(|| rulesets::version_not_found(id, version))?;
        if current.version == found.version {
            let message = format!("'{version}' is not a valid value for version because it is the current version");
            return Err(Error::Refused(vec![ErrorObject::new(error_code::INVALID_RULE, message)]));
        }
        rulesets::delete_version(unit.connection(), id, version).await?;
        unit.record("ruleset_version.delete", &format!("{id}/{version}"), Some(&found), None);
        commit_or_roll_back(unit, update.dry_run).await
    }
}

/// An empty catalog: the check of the number of rules needs none.
const NO_KNOWN_RULESETS: RulesetCatalog<'static> = RulesetCatalog { managed: &[], custom: &[] };

async fn commit_or_roll_back(unit: UnitOfWork, dry_run: bool) -> Result<(), Error> {
    if dry_run {
        unit.rollback().await?
    } else {
        unit.commit().await?
    }
    Ok(())
}

/// Loads the current ruleset, if there is one. Rejects a new ruleset that would exceed the maximum number.
async fn load_current(
    connection: &mut AnyConnection,
    owner: &RulesetOwner,
    target: &RulesetTarget,
) -> Result<Option<Ruleset>, Error> {
    match target {
        RulesetTarget::Id(id) => match find_ruleset(connection, owner, id).await? {
            None => Err(owner.ruleset_not_found(id)),
            found => Ok(found),
        },
        RulesetTarget::EntryPoint(phase) => owner_entry_point(connection, owner, phase.name()).await,
        RulesetTarget::New(RulesetKind::Custom, phase) => {
            let rulesets = summaries(connection, owner).await?;
            let custom = rulesets.iter().filter(|ruleset| ruleset.kind == RulesetKind::Custom.name()).count();
            if custom < MAX_CUSTOM_RULESETS {
                Ok(None)
            } else {
                Err(too_many_rulesets_error(RulesetKind::Custom, *phase))
            }
        }
        RulesetTarget::New(kind, phase) => match entry_point_summary(connection, owner, phase.name()).await? {
            None => Ok(None),
            Some(_) => Err(too_many_rulesets_error(*kind, *phase)),
        },
    }
}

/// The error for too many rulesets; its message is (observed).
fn too_many_rulesets_error(kind: RulesetKind, phase: Phase) -> Error {
    let (kind, phase) = (kind.name(), phase.name());
    let message = format!(
        "'{kind}' is not a valid value for kind because exceeded maximum number of {kind} rulesets for phase {phase}"
    );
    Error::Refused(vec![ErrorObject::new(error_code::TOO_MANY_RULES, message).with_pointer("/kind")])
}

fn kind_and_phase(
    owner: &RulesetOwner,
    target: &RulesetTarget,
    current: Option<&Ruleset>,
) -> Result<(RulesetKind, Phase), Error> {
    if let Some(current) = current {
        let found = RulesetKind::from_name(&current.kind).zip(Phase::from_name(&current.phase));
        return found.ok_or_else(|| Error::Internal("a ruleset has a kind or phase that does not exist".into()));
    }
    match target {
        RulesetTarget::EntryPoint(phase) => Ok((owner.level().entry_point_kind(), *phase)),
        RulesetTarget::New(kind, phase) => Ok((*kind, *phase)),
        RulesetTarget::Id(id) => Err(owner.ruleset_not_found(id)),
    }
}

/// Stores the ruleset that replaces `current`, and a copy of it as a version.
async fn save_version(
    connection: &mut AnyConnection,
    owner: &RulesetOwner,
    (kind, phase): (RulesetKind, Phase),
    current: Option<&Ruleset>,
    next: NextRuleset,
) -> Result<Ruleset, Error> {
    let version = current.map_or(0, |current| current.version.parse::<i64>().unwrap_or_default()) + 1;
    let last_updated = now_micros_text();
    let saved = Ruleset {
        id: match current {
            Some(current) => current.id.clone(),
            None => new_id()?,
        },
        name: next.name,
        description: next.description,
        kind: kind.name().to_owned(),
        phase: phase.name().to_owned(),
        version: version.to_string(),
        rules: match_rules(
            current.map(|current| current.rules.clone()).unwrap_or_default(),
            next.rules,
            &last_updated,
        )?,
        last_updated,
    };
    rulesets::save(connection, owner, &saved, version, current.is_none()).await?;
    rulesets::insert_version(connection, &saved, version).await?;
    Ok(saved)
}

/// Records the change: the rule if the request changes a single rule, otherwise the ruleset with the rules that differ.
fn record(unit: &mut UnitOfWork, changed: &ChangedPart, before: Option<&Ruleset>, after: &Ruleset) {
    let ChangedPart::Rule { id, index } = changed else {
        return match before {
            None => unit.record("ruleset.create", &after.id, None, Some(after)),
            Some(before) => {
                let (old, new) = audit_diff(before, after);
                unit.record("ruleset.update", &after.id, Some(&old), Some(&new));
            }
        };
    };
    let rule_before = before.and_then(|before| before.rules.iter().find(|rule| Some(&rule.id) == id.as_ref()));
    let rule_after = index.and_then(|index| after.rules.get(index));
    let action = match (rule_before, rule_after) {
        (None, _) => "ruleset_rule.create",
        (Some(_), Some(_)) => "ruleset_rule.update",
        (Some(_), None) => "ruleset_rule.delete",
    };
    let rule = rule_after.or(rule_before).map(|rule| rule.id.as_str()).unwrap_or_default();
    unit.record(action, &format!("{}/{rule}", after.id), rule_before, rule_after);
}
