//! How far the migrations of zones are, and the update of an entry point, which moves them on.

mod completion;

use crate::clock::at_millis;
use crate::error::Error;
use crate::owner::Zone;
use crate::store::Store;
use crate::unit_of_work::UnitOfWork;
use crate::{rulesets, zone_config};
use serde_json::json;
use sqlx::{AnyConnection, Row};
use std::time::Duration;
use zonewright_api::finding::Finding;
use zonewright_api::legacy_waf::Switch;
use zonewright_api::ruleset::{Ruleset, RulesetRule};
use zonewright_api::waf_migration::{MigrationState, MigrationStatus, WafStatus};
use zonewright_api::{ErrorObject, error_code};
use zonewright_expression::schema::Tier;
use zonewright_migration::read::PHASE;
use zonewright_migration::{
    Phase, Step, ZoneConfig, advance, eligibility, executes, fingerprint, is_bare, may_enable, plan, running, support,
};

/// What an update of a ruleset does besides saving it.
pub struct Update {
    /// The step of the migration; of the entry point for managed rules only.
    pub step: Option<Migrating>,
    /// What has to be there still, when something has to.
    pub if_match: Option<IfMatch>,
    /// Whether it is only tried: then nothing stays.
    pub dry_run: bool,
}

/// A step of a migration.
pub struct Migrating {
    /// The step.
    pub step: Step,
    /// The phase that it is a step of.
    pub phase: Phase,
    /// The state when the request came in; when it is another by now, nothing is done.
    pub seen: MigrationState,
    /// How long a pending migration takes.
    pub delay: Duration,
}

/// The header `If-Match`.
pub enum IfMatch {
    /// Anything, as long as there is an entry point.
    Any,
    /// One of these.
    Tags(Vec<String>),
}

/// What the migration of a zone looks at, at one moment.
pub struct Outlook {
    /// How far the migration is.
    pub state: MigrationState,
    /// The settings of the zone.
    pub config: ZoneConfig,
    /// The tag of the entry point, when there is one.
    entry_point: Option<String>,
}

impl Outlook {
    /// What names all of it: the fingerprint of the settings, the state, and the entry point.
    pub fn tag(&self) -> String {
        let entry_point = self.entry_point.as_deref().unwrap_or("none");
        format!("{}-{}-{entry_point}", fingerprint(&self.config), self.state.name())
    }
}

impl Store {
    /// How far the migration of the zone is.
    pub async fn migration_state(&self, zone: &str) -> Result<MigrationState, Error> {
        state(&mut *self.pool.acquire().await?, zone).await
    }

    /// How far the migration is, and the configuration.
    pub async fn outlook(&self, zone: &Zone) -> Result<Outlook, Error> {
        outlook(&mut *self.read().await?, zone).await
    }

    /// What runs in the zone.
    pub async fn migration_status(&self, zone: &Zone) -> Result<MigrationStatus, Error> {
        let mut reading = self.read().await?;
        let row = row(&mut reading, zone.id()).await?;
        let (state, created) = row.unwrap_or((MigrationState::Start, String::new()));
        let switch = crate::waf::settings(&mut reading, zone.id()).await?.switch(zone.tier).value;
        let old = if running(state).old { switch } else { Switch::Off };
        let new = rulesets::entry_point(&mut reading, zone.id(), PHASE).await?;
        drop(reading);
        let source = if created.is_empty() { "defaults" } else { "zone" };
        let enabled = beside(move || new.is_some_and(|new| executes(&new.rules))).await?;
        Ok(MigrationStatus {
            old_waf_status: old.into(),
            new_waf_status: if enabled { WafStatus::Enabled } else { WafStatus::Disabled },
            migration_state: state,
            created,
            source: source.to_owned(),
        })
    }
}

/// Lets a change of the zone's entry point for managed rules through, after which it has `rules`, and moves the
/// migration on when it asks for that: all that speaks for or against it is looked at in the transaction that saves it.
/// `at` is given when the change is about a single rule: its place, when it is there still.
pub(crate) async fn admit(
    unit: &mut UnitOfWork,
    zone: &Zone,
    update: &Update,
    rules: &[RulesetRule],
    at: Option<Option<usize>>,
) -> Result<(), Error> {
    let present = state(unit, zone.id()).await?;
    let next = match &update.step {
        Some(migrating) => {
            let now = unit.now().await?;
            step(unit, zone, present, migrating, now).await?
        }
        None => check_ordinary(present, zone.tier, rules, at)?,
    };
    // Nothing is asked about expressions where nothing has to be executed.
    if !is_bare(next, false, true) {
        return Ok(());
    }
    let rules = rules.to_vec();
    if !beside(move || executes(&rules)).await? {
        check_bare(unit, zone).await?;
    }
    Ok(())
}

/// Refuses a change of previous settings, or of rules that bypass them, with which the zone would be without managed rules: while its migration is
/// pending, the previous rules are about to go, so what turns them on again has no use unless the entry point executes
/// something (assumption migration-bare). To be asked when everything is changed.
pub(crate) async fn check_covered(unit: &mut UnitOfWork, zone: &Zone) -> Result<(), Error> {
    if state(unit, zone.id()).await? != MigrationState::Pending {
        return Ok(());
    }
    let entry_point = rulesets::entry_point(unit, zone.id(), PHASE).await?;
    if beside(move || entry_point.is_some_and(|one| executes(&one.rules))).await? {
        return Ok(());
    }
    let config = zone_config::read(unit, zone).await?;
    if !beside(move || executes(&plan(&config).entry_point.rules)).await? {
        return Ok(());
    }
    let message = "the migration of the zone is pending, so the previous managed rules are about to be switched off for good, and \
                   its new configuration executes no managed ruleset: let it execute one first";
    Err(Error::Refused(vec![ErrorObject::new(error_code::WRONG_STEP, message)]))
}

/// What stands in the way of the migration, with the code for it; nothing as soon as it is pending, when nothing
/// can stand in the way any more (assumption migration-begun).
pub fn obstacles(outlook: &Outlook, phase: Phase) -> Vec<(u32, Finding)> {
    if matches!(outlook.state, MigrationState::Pending | MigrationState::Complete) {
        return Vec::new();
    }
    let coded = |code| move |finding| (code, finding);
    let blocking = eligibility(&outlook.config, phase).into_iter().map(coded(error_code::NOT_ELIGIBLE));
    blocking.chain(support(&outlook.config).into_iter().map(coded(error_code::NEEDS_SUPPORT))).collect()
}

/// An obstacle as an error or a message; it points at the setting in the configuration.
pub fn told((code, finding): (u32, Finding)) -> ErrorObject {
    let help = finding.help.map(|help| format!("; {help}")).unwrap_or_default();
    ErrorObject::new(code, format!("{}: {}{help}", finding.name, finding.message)).at(finding.setting)
}

/// Moves the migration on, when it may, from the state that the caller saw, and gives the one it is in then; `now` is the
/// time of the database.
async fn step(
    unit: &mut UnitOfWork,
    zone: &Zone,
    present: MigrationState,
    migrating: &Migrating,
    now: i64,
) -> Result<MigrationState, Error> {
    if present != migrating.seen {
        return Err(Error::MigrationMoved(present));
    }
    let refused = |message| Error::Refused(vec![ErrorObject::new(error_code::WRONG_STEP, message)]);
    let next = advance(present, migrating.step, zone.tier).map_err(|refusal| refused(refusal.message))?;
    let (outlook, phase) = (outlook(&mut *unit, zone).await?, migrating.phase);
    // It may check hundreds of expressions.
    let found = beside(move || obstacles(&outlook, phase)).await?;
    if !found.is_empty() {
        return Err(Error::Refused(found.into_iter().map(told).collect()));
    }
    if next == present {
        return Ok(next);
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
    .execute(&mut **unit)
    .await?;
    if changed.rows_affected() != 1 {
        return Err(Error::MigrationMoved(present));
    }
    record(unit, zone.id(), present, next);
    Ok(next)
}

/// Notes that a migration went on.
fn record(unit: &mut UnitOfWork, zone: &str, before: MigrationState, after: MigrationState) {
    let [before, after] = [before, after].map(|state| json!({ "migration_state": state }));
    unit.record("migration.update", zone, Some(&before), Some(&after));
}

/// Refuses an entry point that executes nothing where the previous rules are about to go: they go once the new ones
/// are on (§3), so a zone never loses all (assumption migration-bare).
async fn check_bare(connection: &mut AnyConnection, zone: &Zone) -> Result<(), Error> {
    let config = zone_config::read(connection, zone).await?;
    if !beside(move || executes(&plan(&config).entry_point.rules)).await? {
        return Ok(());
    }
    let message = "no rule that is enabled executes a managed ruleset, and the previous managed rules are about to be \
                   switched off: the zone would have none";
    Err(Error::Refused(vec![ErrorObject::new(error_code::WRONG_RULE, message).at("/rules")]))
}

/// An update that is no step of a migration: before it, zones of these plans can save only rules that are not
/// enabled (documented). Gives the state, which stays.
fn check_ordinary(
    state: MigrationState,
    tier: Tier,
    rules: &[RulesetRule],
    at: Option<Option<usize>>,
) -> Result<MigrationState, Error> {
    if may_enable(state, tier) {
        return Ok(state);
    }
    let refused = |index: usize| {
        let message = format!(
            "'true' is not a valid value for enabled because a zone on the {tier} plan can save new managed rules only \
             disabled before its migration; add `waf_migration=pending&phase_two=1` to migrate"
        );
        let pointer = match at {
            None => format!("/rules/{index}/enabled"),
            Some(at) if at == Some(index) => "/enabled".to_owned(),
            Some(_) => String::new(),
        };
        ErrorObject::new(error_code::NOT_MIGRATED, message).at(pointer)
    };
    let enabled = rules.iter().enumerate().filter(|(_, rule)| rule.enabled);
    let errors: Vec<ErrorObject> = enabled.map(|(index, _)| refused(index)).collect();
    if errors.is_empty() { Ok(state) } else { Err(Error::Refused(errors)) }
}

/// Whether what the client has seen is there still: all that the new configuration was made of, or the entry point
/// (assumption migration-match).
pub(crate) async fn check_match(connection: &mut AnyConnection, zone: &Zone, wanted: &IfMatch) -> Result<(), Error> {
    let outlook = outlook(connection, zone).await?;
    let present = outlook.tag();
    let there = match wanted {
        IfMatch::Any => outlook.entry_point.is_some(),
        IfMatch::Tags(tags) => tags.iter().any(|tag| *tag == present || outlook.entry_point.as_ref() == Some(tag)),
    };
    match wanted {
        _ if there => Ok(()),
        IfMatch::Any => Err(Error::Stale(Vec::new())),
        IfMatch::Tags(tags) => {
            let known = tags.iter().map(|tag| changed(tag, &present)).find(|parts| !parts.is_empty());
            Err(Error::Stale(known.unwrap_or_default()))
        }
    }
}

/// What of a zone is not as it was when it had the tag `before`; nothing for what is no such tag.
fn changed(before: &str, now: &str) -> Vec<&'static str> {
    let [before, now] = [before, now].map(|tag| tag.splitn(3, '-').collect::<Vec<_>>());
    if before.len() != now.len() {
        return Vec::new();
    }
    let parts = ["its settings", "the state of its migration", "its entry point"].into_iter();
    let pairs = before.into_iter().zip(now);
    parts.zip(pairs).filter(|(_, (before, now))| before != now).map(|(part, _)| part).collect()
}

/// What names a ruleset as it is now.
pub fn tag(ruleset: &Ruleset) -> String {
    format!("{}-{}", ruleset.id, ruleset.version)
}

/// All that a migration looks at, as a transaction sees it.
async fn outlook(connection: &mut AnyConnection, zone: &Zone) -> Result<Outlook, Error> {
    Ok(Outlook {
        state: state(&mut *connection, zone.id()).await?,
        config: zone_config::read(&mut *connection, zone).await?,
        entry_point: rulesets::entry_point(connection, zone.id(), PHASE).await?.as_ref().map(tag),
    })
}

/// Runs work on a thread that may block, because it checks many expressions.
async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Error::Internal(error.into()))
}

/// How far the migration of a zone is.
pub(crate) async fn state(connection: &mut AnyConnection, zone: &str) -> Result<MigrationState, Error> {
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
