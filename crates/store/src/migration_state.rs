//! The migration state of a zone. The settings of the zone and its migration both depend on it.

use crate::error::Error;
use crate::rows::unknown_name;
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

/// Returns [`Error::Retired`] if the migration has switched off the zone's previous managed rules.
pub(crate) async fn require_not_migrated(connection: &mut AnyConnection, zone: &str) -> Result<(), Error> {
    let state = current_state(connection, zone).await?;
    if running_rules(state).previous { Ok(()) } else { Err(Error::Retired) }
}
