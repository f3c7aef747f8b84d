//! The migration state of a zone, with all statements on it. The settings of the zone and its migration both depend on
//! it.

use crate::clock::format_millis;
use crate::error::Error;
use crate::rows::{to_u64, unknown_name};
use sqlx::{AnyConnection, FromRow};
use zonewright_api::waf_migration::MigrationState;
use zonewright_migration::running_rules;

/// Returns the migration state of a zone.
pub(crate) async fn current_state(connection: &mut AnyConnection, zone: &str) -> Result<MigrationState, Error> {
    Ok(migration_row(connection, zone).await?.map_or(MigrationState::Start, |(state, _)| state))
}

/// A row of the table `migrations`.
#[derive(FromRow)]
struct MigrationRow {
    state: String,
    created: String,
}

/// Returns the state and the start of a zone's migration, if it has begun.
pub(crate) async fn migration_row(
    connection: &mut AnyConnection,
    zone: &str,
) -> Result<Option<(MigrationState, String)>, Error> {
    let row = sqlx::query_as("select state, created from migrations where zone_id = $1").bind(zone.to_owned());
    let Some(MigrationRow { state, created }) = row.fetch_optional(connection).await? else { return Ok(None) };
    let state = MigrationState::from_name(&state).ok_or_else(|| unknown_name("migration state", &state))?;
    Ok(Some((state, created)))
}

/// Replaces the state `current` of a zone's migration, or begins the migration, at the time `now`. `due` is the time
/// when a pending migration completes. Returns false if the state is no longer `current`.
pub(crate) async fn replace_state(
    connection: &mut AnyConnection,
    zone: &str,
    (current, next): (MigrationState, MigrationState),
    now: i64,
    due: Option<i64>,
) -> Result<bool, Error> {
    let changed = sqlx::query(
        "insert into migrations (zone_id, state, created, entered, due) values ($1, $2, $3, $4, $5)
         on conflict (zone_id) do update set state = excluded.state, entered = excluded.entered, due = excluded.due
         where migrations.state = $6",
    )
    .bind(zone.to_owned())
    .bind(next.name())
    .bind(format_millis(u64::try_from(now).unwrap_or_default()))
    .bind(now)
    .bind(due)
    .bind(current.name())
    .execute(connection)
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// A pending migration and the time when it is due.
#[derive(FromRow)]
pub(crate) struct PendingMigration {
    pub(crate) zone_id: String,
    pub(crate) due: i64,
}

/// Returns all pending migrations, ordered by the time when they are due.
pub(crate) async fn load_pending_migrations(connection: &mut AnyConnection) -> Result<Vec<PendingMigration>, Error> {
    let select = "select zone_id, coalesce(due, entered) as due from migrations where state = $1 order by 2";
    Ok(sqlx::query_as(select).bind(MigrationState::Pending.name()).fetch_all(connection).await?)
}

/// Returns the number of zones with a pending migration.
pub(crate) async fn count_pending(connection: &mut AnyConnection) -> Result<u64, Error> {
    let query = sqlx::query_scalar("select count(*) from migrations where state = $1");
    Ok(to_u64(query.bind(MigrationState::Pending.name()).fetch_one(connection).await?))
}

/// Completes the migration of a zone. Returns false if it is not pending or not due at the time `now`.
pub(crate) async fn complete_if_due(connection: &mut AnyConnection, zone: &str, now: i64) -> Result<bool, Error> {
    let update = "update migrations set state = $1, entered = $2
                  where zone_id = $4 and state = $3 and coalesce(due, entered) <= $2";
    let (complete, pending) = (MigrationState::Complete.name(), MigrationState::Pending.name());
    let query = sqlx::query(update).bind(complete).bind(now).bind(pending).bind(zone.to_owned());
    Ok(query.execute(connection).await?.rows_affected() > 0)
}

/// Returns [`Error::Retired`] if the migration has switched off the zone's previous managed rules.
pub(crate) async fn require_not_migrated(connection: &mut AnyConnection, zone: &str) -> Result<(), Error> {
    let state = current_state(connection, zone).await?;
    if running_rules(state).previous { Ok(()) } else { Err(Error::Retired) }
}
