//! The migration states of zones, and the update of an entry point that advances them.
//!
//! Start with [`RulesetUpdateOptions`] and [`MigrationInput`]. Invariant: all conditions of a step are checked in the
//! transaction that saves the ruleset, under the lock of the zone.

mod completion;
mod zone_config;

use crate::error::Error;
use crate::migration_state::{current_state, migration_row, replace_state};
use crate::owner::Zone;
use crate::rulesets;
use crate::store::Store;
use crate::unit_of_work::UnitOfWork;
use serde_json::json;
use sqlx::AnyConnection;
use std::time::Duration;
use zonewright_api::finding::Finding;
use zonewright_api::legacy_waf::Switch;
use zonewright_api::ruleset::{Ruleset, RulesetRule};
use zonewright_api::waf_migration::{MigrationState, MigrationStatus, WafStatus};
use zonewright_api::{ErrorObject, error_code};
use zonewright_expression::schema::Tier;
use zonewright_migration::read::PHASE;
use zonewright_migration::{
    MigrationPhase, MigrationStep, ZoneConfig, advance, check_eligibility, executes_managed_ruleset, fingerprint,
    leaves_zone_unprotected, may_enable_rules, plan, running_rules, support_findings,
};

/// The effects and conditions of a ruleset update besides saving the ruleset.
pub struct RulesetUpdateOptions {
    /// The step of the migration; only an update of the entry point for managed rules can have a step.
    pub step: Option<MigrationCommand>,
    /// The condition without which nothing changes.
    pub precondition: Option<Precondition>,
    /// Whether the update is a dry run, which is rolled back.
    pub dry_run: bool,
}

/// A step of a migration.
pub struct MigrationCommand {
    /// The step.
    pub step: MigrationStep,
    /// The phase that the step belongs to.
    pub phase: MigrationPhase,
    /// The state when the request arrived. If it has changed since, the step is rejected.
    pub expected_state: MigrationState,
    /// The time that a pending migration takes.
    pub delay: Duration,
}

/// A condition on the current version of a ruleset.
pub enum Precondition {
    /// The ruleset exists, in any version.
    Exists,
    /// The current version has one of these revision tags.
    Revision(Vec<String>),
}

/// A single state of everything that the migration of a zone depends on.
pub struct MigrationInput {
    /// The migration state.
    pub state: MigrationState,
    /// The settings of the zone.
    pub config: ZoneConfig,
    /// The tag of the entry point, if there is one.
    entry_point: Option<String>,
}

impl MigrationInput {
    /// Returns the revision tag: the fingerprint of the settings, the state, and the tag of the entry point.
    pub fn revision_tag(&self) -> String {
        let entry_point = self.entry_point.as_deref().unwrap_or("none");
        format!("{}-{}-{entry_point}", fingerprint(&self.config), self.state.name())
    }
}

impl Store {
    /// Returns the migration state of the zone.
    pub async fn migration_state(&self, zone: &str) -> Result<MigrationState, Error> {
        current_state(&mut *self.pool.acquire().await?, zone).await
    }

    /// Returns the migration state and the configuration, read in one transaction.
    pub async fn migration_input(&self, zone: &Zone) -> Result<MigrationInput, Error> {
        migration_input(&mut *self.read().await?, zone).await
    }

    /// Returns which managed rules run in the zone.
    pub async fn migration_status(&self, zone: &Zone) -> Result<MigrationStatus, Error> {
        let mut reading = self.read().await?;
        let row = migration_row(&mut reading, zone.id()).await?;
        let (state, created) = row.unwrap_or((MigrationState::Start, String::new()));
        let switch = crate::legacy_waf::settings(&mut reading, zone.id()).await?.switch(zone.tier).value;
        let old_status = if running_rules(state).previous { switch } else { Switch::Off };
        let entry_point = rulesets::zone_entry_point(&mut reading, zone.id(), PHASE).await?;
        drop(reading);
        let source = if created.is_empty() { "defaults" } else { "zone" };
        let enabled =
            run_blocking(move || entry_point.is_some_and(|ruleset| executes_managed_ruleset(&ruleset.rules))).await?;
        Ok(MigrationStatus {
            old_waf_status: old_status.into(),
            new_waf_status: if enabled { WafStatus::Enabled } else { WafStatus::Disabled },
            migration_state: state,
            created,
            source: source.to_owned(),
        })
    }
}

/// Validates a change of the zone's entry point for managed rules that results in `rules`, and advances the migration
/// if the update has a step. `changed_rule` is `None` if the whole ruleset changes, `Some(None)` if a single rule is
/// deleted, and otherwise the index of the only changed rule.
pub(crate) async fn check_entry_point_update(
    unit: &mut UnitOfWork,
    zone: &Zone,
    update: &RulesetUpdateOptions,
    rules: &[RulesetRule],
    changed_rule: Option<Option<usize>>,
) -> Result<(), Error> {
    let current = current_state(unit.connection(), zone.id()).await?;
    let next = match &update.step {
        Some(command) => {
            let now = unit.now().await?;
            advance_state(unit, zone, current, command, now).await?
        }
        None => check_update_without_step(current, zone.tier, rules, changed_rule)?,
    };
    // The expressions are checked only if the entry point must execute a managed ruleset.
    if !leaves_zone_unprotected(next, false, true) {
        return Ok(());
    }
    let rules = rules.to_vec();
    if !run_blocking(move || executes_managed_ruleset(&rules)).await? {
        refuse_unprotected_zone(unit.connection(), zone).await?;
    }
    Ok(())
}

/// Rejects a change of previous settings, or of rules that bypass them, that leaves the zone without managed rules.
/// While a migration is pending, the previous rules are about to be switched off. Settings that enable them therefore
/// require that the entry point executes a ruleset (assumption migration-bare). Call it after all changes.
pub(crate) async fn check_remains_protected(unit: &mut UnitOfWork, zone: &Zone) -> Result<(), Error> {
    if current_state(unit.connection(), zone.id()).await? != MigrationState::Pending {
        return Ok(());
    }
    let entry_point = rulesets::zone_entry_point(unit.connection(), zone.id(), PHASE).await?;
    if run_blocking(move || entry_point.is_some_and(|ruleset| executes_managed_ruleset(&ruleset.rules))).await? {
        return Ok(());
    }
    let config = zone_config::read(unit.connection(), zone).await?;
    if !run_blocking(move || executes_managed_ruleset(&plan(&config).entry_point.rules)).await? {
        return Ok(());
    }
    let message = "the migration of the zone is pending: its previous managed rules will soon be turned off \
                   permanently, and its new configuration does not execute a managed ruleset; add a rule that executes \
                   one first";
    Err(Error::Refused(vec![ErrorObject::new(error_code::INVALID_MIGRATION_STEP, message)]))
}

/// Returns the blockers of the migration with their error codes. A pending or complete migration has none (assumption
/// migration-begun).
pub fn find_blockers(migration_input: &MigrationInput, phase: MigrationPhase) -> Vec<(u32, Finding)> {
    if matches!(migration_input.state, MigrationState::Pending | MigrationState::Complete) {
        return Vec::new();
    }
    let with_code = |code| move |finding| (code, finding);
    let blocking = check_eligibility(&migration_input.config, phase)
        .into_iter()
        .map(with_code(error_code::MIGRATION_NOT_ELIGIBLE));
    blocking
        .chain(support_findings(&migration_input.config).into_iter().map(with_code(error_code::NEEDS_SUPPORT)))
        .collect()
}

/// Converts a blocker to an error or a message. It points to the setting in the configuration.
pub fn blocker_error((code, finding): (u32, Finding)) -> ErrorObject {
    let help = finding.help.map(|help| format!("; {help}")).unwrap_or_default();
    ErrorObject::new(code, format!("{}: {}{help}", finding.name, finding.message)).with_pointer(finding.setting)
}

/// Advances the migration from the state that the client saw, if all conditions are met, and returns the new state.
/// `now` is the clock of the database.
async fn advance_state(
    unit: &mut UnitOfWork,
    zone: &Zone,
    current: MigrationState,
    command: &MigrationCommand,
    now: i64,
) -> Result<MigrationState, Error> {
    if current != command.expected_state {
        return Err(Error::MigrationMoved(current));
    }
    let refused = |message| Error::Refused(vec![ErrorObject::new(error_code::INVALID_MIGRATION_STEP, message)]);
    let next = advance(current, command.step, zone.tier).map_err(|rejection| refused(rejection.message))?;
    let (migration_input, phase) = (migration_input(unit.connection(), zone).await?, command.phase);
    // This may check hundreds of expressions.
    let blockers = run_blocking(move || find_blockers(&migration_input, phase)).await?;
    if !blockers.is_empty() {
        return Err(Error::Refused(blockers.into_iter().map(blocker_error).collect()));
    }
    if next == current {
        return Ok(next);
    }
    let due = (next == MigrationState::Pending)
        .then(|| now.saturating_add(i64::try_from(command.delay.as_millis()).unwrap_or(i64::MAX)));
    if !replace_state(unit.connection(), zone.id(), (current, next), now, due).await? {
        return Err(Error::MigrationMoved(current));
    }
    record(unit, zone.id(), current, next);
    Ok(next)
}

/// Records a new migration state in the audit log.
fn record(unit: &mut UnitOfWork, zone: &str, before: MigrationState, after: MigrationState) {
    let [before, after] = [before, after].map(|state| json!({ "migration_state": state }));
    unit.record("migration.update", zone, Some(&before), Some(&after));
}

/// Rejects an entry point that executes no managed ruleset, unless the previous settings enable no managed rules
/// either. The caller has checked that the entry point executes none and that the previous rules are about to be
/// switched off. The previous rules are switched off once the new rules are enabled (§3), so a zone is never without
/// managed rules (assumption migration-bare).
async fn refuse_unprotected_zone(connection: &mut AnyConnection, zone: &Zone) -> Result<(), Error> {
    let config = zone_config::read(connection, zone).await?;
    if !run_blocking(move || executes_managed_ruleset(&plan(&config).entry_point.rules)).await? {
        return Ok(());
    }
    let message = "no enabled rule executes a managed ruleset, and the previous managed rules are about to be turned \
                   off, so the zone would have no managed rules";
    Err(Error::Refused(vec![ErrorObject::new(error_code::INVALID_RULE, message).with_pointer("/rules")]))
}

/// Validates an update that is not a step of a migration. Before the migration, zones on some plans can save only
/// disabled rules (documented). Returns the unchanged state.
fn check_update_without_step(
    state: MigrationState,
    tier: Tier,
    rules: &[RulesetRule],
    changed_rule: Option<Option<usize>>,
) -> Result<MigrationState, Error> {
    if may_enable_rules(state, tier) {
        return Ok(state);
    }
    let refused = |index: usize| {
        let message = format!(
            "'true' is not a valid value for enabled because, before its migration, a zone on the {tier} plan can save \
             new managed rules only as disabled rules; add `waf_migration=pending&phase_two=1` to migrate"
        );
        let pointer = match changed_rule {
            None => format!("/rules/{index}/enabled"),
            Some(changed) if changed == Some(index) => "/enabled".to_owned(),
            Some(_) => String::new(),
        };
        ErrorObject::new(error_code::MIGRATION_REQUIRED, message).with_pointer(pointer)
    };
    let enabled = rules.iter().enumerate().filter(|(_, rule)| rule.enabled);
    let errors: Vec<ErrorObject> = enabled.map(|(index, _)| refused(index)).collect();
    if errors.is_empty() { Ok(state) } else { Err(Error::Refused(errors)) }
}

/// Checks the precondition of a change: the tag of everything that the new configuration depends on, or of the entry
/// point (assumption migration-match).
pub(crate) async fn check_precondition(
    connection: &mut AnyConnection,
    zone: &Zone,
    precondition: &Precondition,
) -> Result<(), Error> {
    let migration_input = migration_input(connection, zone).await?;
    let current = migration_input.revision_tag();
    let is_met = match precondition {
        Precondition::Exists => migration_input.entry_point.is_some(),
        Precondition::Revision(tags) => {
            tags.iter().any(|tag| *tag == current || migration_input.entry_point.as_ref() == Some(tag))
        }
    };
    match precondition {
        _ if is_met => Ok(()),
        Precondition::Exists => Err(Error::Stale(Vec::new())),
        Precondition::Revision(tags) => {
            let changed = tags.iter().map(|tag| changed_parts(tag, &current)).find(|parts| !parts.is_empty());
            Err(Error::Stale(changed.unwrap_or_default()))
        }
    }
}

/// Returns the parts of a zone that changed since the tag `before`; empty if it is not such a tag.
fn changed_parts(before: &str, now: &str) -> Vec<&'static str> {
    let [before, now] = [before, now].map(|tag| tag.splitn(3, '-').collect::<Vec<_>>());
    if before.len() != now.len() {
        return Vec::new();
    }
    let parts = ["settings", "migration state", "entry point"].into_iter();
    let pairs = before.into_iter().zip(now);
    parts.zip(pairs).filter(|(_, (before, now))| before != now).map(|(part, _)| part).collect()
}

/// Returns the revision tag of the current version of a ruleset.
pub fn revision_tag(ruleset: &Ruleset) -> String {
    format!("{}-{}", ruleset.id, ruleset.version)
}

/// Reads everything that a migration depends on within a transaction.
async fn migration_input(connection: &mut AnyConnection, zone: &Zone) -> Result<MigrationInput, Error> {
    Ok(MigrationInput {
        state: current_state(&mut *connection, zone.id()).await?,
        config: zone_config::read(&mut *connection, zone).await?,
        entry_point: rulesets::zone_entry_point(connection, zone.id(), PHASE).await?.as_ref().map(revision_tag),
    })
}

/// Runs work on a blocking thread, because it checks many expressions.
async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Error::Internal(error.into()))
}
