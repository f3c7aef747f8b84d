//! How far the migrations of zones are, and the update of an entry point, which moves them on.

use super::{Scope, Store, rulesets, zone_config};
use crate::actor::Actor;
use crate::auth::Zone;
use crate::clock::at_millis;
use crate::error::Error;
use serde_json::json;
use sqlx::{AnyConnection, Row};
use std::time::Duration;
use zonewright_api::finding::Finding;
use zonewright_api::legacy_waf::Switch;
use zonewright_api::ruleset::{EntryPoint, Ruleset, RulesetAction, RulesetRule};
use zonewright_api::waf_migration::{MigrationState, MigrationStatus, WafStatus};
use zonewright_api::{ErrorObject, error_code};
use zonewright_expression::schema::Tier;
use zonewright_migration::read::PHASE;
use zonewright_migration::{Phase, Step, ZoneConfig, advance, eligibility, fingerprint, plan, running, support};

/// What the process that completes migrations has.
const LEASE: &str = "migrations";

/// What an update of the entry point does besides saving it.
pub(crate) struct Update {
    /// The step of the migration.
    pub(crate) step: Option<Migrating>,
    /// What has to be there still, when something has to.
    pub(crate) if_match: Option<IfMatch>,
    /// Whether it is only tried: then nothing stays.
    pub(crate) dry_run: bool,
}

/// A step of a migration.
pub(crate) struct Migrating {
    pub(crate) step: Step,
    pub(crate) phase: Phase,
    /// The state when the request came in; when it is another by now, nothing is done.
    pub(crate) seen: MigrationState,
    /// How long a pending migration takes.
    pub(crate) delay: Duration,
}

/// The header `If-Match`.
pub(crate) enum IfMatch {
    /// Anything, as long as there is an entry point.
    Any,
    /// One of these.
    Tags(Vec<String>),
}

/// What the migration of a zone looks at, at one moment.
pub(crate) struct Outlook {
    pub(crate) state: MigrationState,
    pub(crate) config: ZoneConfig,
}

impl Store {
    /// How far the migration of the zone is.
    pub(crate) async fn migration_state(&self, zone: &str) -> Result<MigrationState, Error> {
        state(&mut *self.pool.acquire().await?, zone).await
    }

    /// How far the migration is, and the configuration.
    pub(crate) async fn outlook(&self, zone: &Zone) -> Result<Outlook, Error> {
        let mut reading = self.read().await?;
        let state = state(&mut reading, zone.id()).await?;
        Ok(Outlook { state, config: zone_config::read(&mut reading, zone).await? })
    }

    /// What runs in the zone.
    pub(crate) async fn migration_status(&self, zone: &Zone) -> Result<MigrationStatus, Error> {
        let mut reading = self.read().await?;
        let row = row(&mut reading, zone.id()).await?;
        let (state, created) = row.unwrap_or((MigrationState::Start, String::new()));
        let switch = super::waf::settings(&mut reading, zone.id()).await?.switch(zone.tier).value;
        let old = if running(state).old { switch } else { Switch::Off };
        let new = rulesets::entry_point(&mut reading, zone.id(), PHASE).await?;
        let source = if created.is_empty() { "defaults" } else { "zone" };
        Ok(MigrationStatus {
            old_waf_status: old.into(),
            new_waf_status: if new.as_ref().is_some_and(|new| executes(&new.rules)) {
                WafStatus::Enabled
            } else {
                WafStatus::Disabled
            },
            migration_state: state,
            created,
            source: source.to_owned(),
        })
    }

    /// Makes the entry point for managed rules what `new` says and moves the migration on, both or neither: all
    /// that speaks for or against it is looked at in the same transaction.
    pub(crate) async fn update_entry_point(
        &self,
        zone: &Zone,
        new: EntryPoint,
        update: Update,
    ) -> Result<Ruleset, Error> {
        let mut writing = self.write(zone.scope(), &zone.actor).await?;
        let present = state(&mut writing, zone.id()).await?;
        if let Some(wanted) = &update.if_match {
            check_match(&mut writing, zone, wanted).await?;
        }
        match update.step {
            Some(migrating) => {
                let now = writing.now().await?;
                step(&mut writing, zone, present, &migrating, executes(&new.rules), now).await?;
            }
            None => check_ordinary(present, zone.tier, &new)?,
        }
        let saved = rulesets::save(&mut writing, zone.id(), PHASE, new).await?;
        if update.dry_run {
            writing.rollback().await?;
        } else {
            writing.commit().await?;
        }
        Ok(saved)
    }

    /// Completes the pending migrations whose time has come, and tells how long the next one takes. Of processes
    /// that share the database, the one that has the lease does it; should two believe to have it, each migration
    /// is still completed once.
    pub(crate) async fn complete_migrations(
        &self,
        holder: &str,
        term: Duration,
    ) -> Result<Option<Duration>, sqlx::Error> {
        let now = self.now().await?;
        let due = self.pending_migrations().await?;
        let next = |due: &[(String, i64)]| due.iter().map(|(_, due)| until(*due, now)).min();
        if due.iter().all(|(_, due)| *due > now) {
            return Ok(next(&due));
        }
        if !self.take_lease(LEASE, holder, term, "").await? {
            return Ok(Some(term / 3));
        }
        for (zone, _) in due.iter().filter(|(_, due)| *due <= now) {
            self.complete_migration(zone).await?;
        }
        self.give_lease_back(LEASE, holder).await?;
        let left: Vec<_> = due.into_iter().filter(|(_, due)| *due > now).collect();
        Ok(next(&left))
    }

    /// Zones whose migration is pending, and when it is complete.
    async fn pending_migrations(&self) -> Result<Vec<(String, i64)>, sqlx::Error> {
        let query = sqlx::query("select zone_id, coalesce(due, entered) from migrations where state = $1 order by 2");
        let rows = query.bind(MigrationState::Pending.name()).fetch_all(&self.pool).await?;
        rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
    }

    /// Completes the migration of a zone, if it is still pending and its time has come.
    async fn complete_migration(&self, zone: &str) -> Result<(), sqlx::Error> {
        let (complete, pending) = (MigrationState::Complete.name(), MigrationState::Pending.name());
        let mut writing = self.write(Scope::Zone(zone.to_owned()), &Actor::service()).await?;
        let now = writing.now().await?;
        let update = "update migrations set state = $1, entered = $2
                      where zone_id = $4 and state = $3 and coalesce(due, entered) <= $2";
        let query = sqlx::query(update).bind(complete).bind(now).bind(pending).bind(zone.to_owned());
        if query.execute(&mut *writing).await?.rows_affected() == 0 {
            return writing.rollback().await;
        }
        let [before, after] = [pending, complete].map(|state| json!({ "migration_state": state }));
        writing.record("migration.complete", zone, Some(&before), Some(&after));
        writing.commit().await
    }
}

/// What stands in the way of the migration, with the code for it; nothing as soon as it is pending, when nothing
/// can stand in the way any more (assumption migration-begun).
pub(crate) fn obstacles(outlook: &Outlook, phase: Phase) -> Vec<(u32, Finding)> {
    if matches!(outlook.state, MigrationState::Pending | MigrationState::Complete) {
        return Vec::new();
    }
    let coded = |code| move |finding| (code, finding);
    let blocking = eligibility(&outlook.config, phase).into_iter().map(coded(error_code::NOT_ELIGIBLE));
    blocking.chain(support(&outlook.config).into_iter().map(coded(error_code::NEEDS_SUPPORT))).collect()
}

/// An obstacle as an error or a message; it points at the setting in the configuration.
pub(crate) fn told((code, finding): (u32, Finding)) -> ErrorObject {
    let help = finding.help.map(|help| format!("; {help}")).unwrap_or_default();
    ErrorObject::new(code, format!("{}: {}{help}", finding.name, finding.message)).at(finding.setting)
}

/// Moves the migration on, when it may, from the state that the caller saw. `executes_new` says whether the new
/// configuration executes a ruleset; `now` is the time of the database.
async fn step(
    connection: &mut AnyConnection,
    zone: &Zone,
    present: MigrationState,
    migrating: &Migrating,
    executes_new: bool,
    now: i64,
) -> Result<(), Error> {
    if present != migrating.seen {
        return Err(Error::MigrationMoved(present));
    }
    let refused = |message| Error::Refused(vec![ErrorObject::new(error_code::WRONG_STEP, message)]);
    let next = advance(present, migrating.step, zone.tier).map_err(|refusal| refused(refusal.message))?;
    let config = zone_config::read(&mut *connection, zone).await?;
    let (outlook, phase) = (Outlook { state: present, config }, migrating.phase);
    // The old rules go once the new ones are on (§3), so a zone never loses all (assumption migration-bare).
    let leaves_none = next == MigrationState::Pending && present != next && !executes_new;
    // Beside, as it may check hundreds of expressions.
    let found = tokio::task::spawn_blocking(move || {
        let bare = leaves_none && executes(&plan(&outlook.config).entry_point.rules);
        (obstacles(&outlook, phase), bare)
    });
    let (found, bare) = found.await.map_err(|error| Error::Internal(error.into()))?;
    if !found.is_empty() {
        return Err(Error::Refused(found.into_iter().map(told).collect()));
    }
    if bare {
        let message = "no rule that is enabled executes a managed ruleset, and the previous managed rules are about to be \
                       switched off: the zone would have none";
        return Err(Error::Refused(vec![ErrorObject::new(error_code::WRONG_RULE, message).at("/rules")]));
    }
    if next == present {
        return Ok(());
    }
    let due = (next == MigrationState::Pending)
        .then(|| now.saturating_add(i64::try_from(migrating.delay.as_millis()).unwrap_or(i64::MAX)));
    let changed = sqlx::query(
        "insert into migrations (zone_id, state, created, entered, due) values ($1, $2, $3, $4, $5)
         on conflict (zone_id) do update set state = excluded.state, entered = excluded.entered, due = excluded.due
         where migrations.state = $6",
    )
    .bind(zone.id().to_owned())
    .bind(next.name())
    .bind(at_millis(u64::try_from(now).unwrap_or_default()))
    .bind(now)
    .bind(due)
    .bind(present.name())
    .execute(connection)
    .await?;
    if changed.rows_affected() == 1 { Ok(()) } else { Err(Error::MigrationMoved(present)) }
}

/// An update that is no step of a migration: before it, zones of these plans can save only rules that are not
/// enabled (documented).
fn check_ordinary(state: MigrationState, tier: Tier, new: &EntryPoint) -> Result<(), Error> {
    if state != MigrationState::Start || !matches!(tier, Tier::Pro | Tier::Business) {
        return Ok(());
    }
    let refused = |index: usize| {
        let message = format!(
            "'true' is not a valid value for enabled because a zone on the {tier} plan can save new managed rules only \
             disabled before its migration; add `waf_migration=pending&phase_two=1` to migrate"
        );
        ErrorObject::new(error_code::NOT_MIGRATED, message).at(format!("/rules/{index}/enabled"))
    };
    let enabled = new.rules.iter().enumerate().filter(|(_, rule)| rule.enabled);
    let errors: Vec<ErrorObject> = enabled.map(|(index, _)| refused(index)).collect();
    if errors.is_empty() { Ok(()) } else { Err(Error::Refused(errors)) }
}

/// Whether what the client has seen is there still: the configuration, or the entry point.
async fn check_match(connection: &mut AnyConnection, zone: &Zone, wanted: &IfMatch) -> Result<(), Error> {
    let entry_point = rulesets::entry_point(&mut *connection, zone.id(), PHASE).await?;
    let there = match wanted {
        IfMatch::Any => entry_point.is_some(),
        IfMatch::Tags(tags) => {
            let config = fingerprint(&zone_config::read(connection, zone).await?);
            let present = entry_point.as_ref().map(tag);
            tags.iter().any(|tag| *tag == config || present.as_ref() == Some(tag))
        }
    };
    if there { Ok(()) } else { Err(Error::Stale) }
}

/// What names a ruleset as it is now.
pub(crate) fn tag(ruleset: &Ruleset) -> String {
    format!("{}-{}", ruleset.id, ruleset.version)
}

/// Whether one of the rules executes a ruleset.
fn executes(rules: &[RulesetRule]) -> bool {
    rules.iter().any(|rule| rule.enabled && rule.action == RulesetAction::Execute)
}

/// How far the migration of a zone is.
pub(super) async fn state(connection: &mut AnyConnection, zone: &str) -> Result<MigrationState, Error> {
    Ok(row(connection, zone).await?.map_or(MigrationState::Start, |(state, _)| state))
}

/// State and beginning of a zone's migration, when it has begun.
async fn row(connection: &mut AnyConnection, zone: &str) -> Result<Option<(MigrationState, String)>, Error> {
    let row = sqlx::query("select state, created from migrations where zone_id = $1")
        .bind(zone.to_owned())
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let name: String = row.try_get(0)?;
    let unknown = || sqlx::Error::Decode(format!("there is no migration state {name}").into());
    Ok(Some((MigrationState::from_name(&name).ok_or_else(unknown)?, row.try_get(1)?)))
}

fn until(due: i64, now: i64) -> Duration {
    Duration::from_millis(u64::try_from(due.saturating_sub(now)).unwrap_or_default())
}
