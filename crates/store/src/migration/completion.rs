//! Completes pending migrations.

use super::record;
use crate::error::{Error, Unavailability};
use crate::migration_state::{PendingMigration, complete_if_due, count_pending, load_pending_migrations};
use crate::principal::Actor;
use crate::scope::Scope;
use crate::store::Store;
use std::time::Duration;
use tokio::time::Instant;
use zonewright_api::waf_migration::MigrationState;

/// The name of the lease of the process that completes migrations.
const LEASE_NAME: &str = "migrations";

impl Store {
    /// Completes the pending migrations that are due. Returns the time until the next one is due, or until the next
    /// attempt if another process holds the lease. Of several processes, only the holder of the lease completes
    /// migrations. Even if two processes believe that they hold the lease, each migration is completed once. A
    /// migration that fails does not block the others; the next call retries it.
    pub async fn complete_migrations(&self, holder: &str, term: Duration) -> Result<Option<Duration>, Error> {
        let now = self.database_time().await?;
        let pending = load_pending_migrations(&mut *self.pool.acquire().await?).await?;
        let next = |pending: &[PendingMigration]| pending.iter().map(|migration| time_until(migration.due, now)).min();
        if pending.iter().all(|migration| migration.due > now) {
            return Ok(next(&pending));
        }
        if !self.acquire_lease(LEASE_NAME, holder, term, "").await? {
            return Ok(Some(term / 3));
        }
        let mut renewed_at = Instant::now();
        for PendingMigration { zone_id, .. } in pending.iter().filter(|migration| migration.due <= now) {
            if renewed_at.elapsed() > term / 3 {
                renewed_at = Instant::now();
                if !self.acquire_lease(LEASE_NAME, holder, term, "").await? {
                    return Ok(Some(term / 3));
                }
            }
            match self.complete_migration(zone_id).await {
                Ok(()) => {}
                Err(Error::ScopeGone) => {}
                // An unreachable database would fail every remaining migration.
                Err(error) if matches!(error, Error::Unavailable(Unavailability::Unreachable, _)) => return Err(error),
                Err(error) => tracing::error!("cannot complete the migration of the zone {zone_id}: {error}"),
            }
        }
        self.release_lease(LEASE_NAME, holder).await?;
        let remaining: Vec<_> = pending.into_iter().filter(|migration| migration.due > now).collect();
        Ok(next(&remaining))
    }

    /// Returns the number of zones with a pending migration.
    pub async fn count_pending_migrations(&self) -> Result<u64, Error> {
        count_pending(&mut *self.pool.acquire().await?).await
    }

    /// Completes the migration of a zone if it is still pending and due. The unit of work locks the zone.
    async fn complete_migration(&self, zone: &str) -> Result<(), Error> {
        let mut unit = self.write(Scope::Zone(zone.to_owned()), &Actor::service()).await?;
        let now = unit.now().await?;
        if !complete_if_due(unit.connection(), zone, now).await? {
            return unit.rollback().await;
        }
        record(&mut unit, zone, MigrationState::Pending, MigrationState::Complete);
        unit.commit().await
    }
}

fn time_until(due: i64, now: i64) -> Duration {
    Duration::from_millis(u64::try_from(due.saturating_sub(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migration_state::current_state;
    use crate::testing::Fixture;

    #[tokio::test]
    async fn stuck_migration_does_not_block_the_others() {
        let Fixture { store, zones, .. } = &Fixture::open().await;
        let [first, stuck, last] = zones.as_slice() else { panic!("{zones:?}") };
        let mut unit = store.write(Scope::Service, &Actor::service()).await.unwrap();
        let trigger = format!(
            "create trigger stuck before update on migrations when old.zone_id = '{stuck}' begin
             select raise(abort, 'it is stuck'); end"
        );
        sqlx::query(sqlx::AssertSqlSafe(trigger)).execute(unit.connection()).await.unwrap();
        for (due, zone) in (1_i64..).zip(zones) {
            let insert =
                "insert into migrations (zone_id, state, created, entered, due) values ($1, 'pending', '', 0, $2)";
            sqlx::query(insert).bind(zone.clone()).bind(due).execute(unit.connection()).await.unwrap();
        }
        unit.record("migration.update", "test", None, Some(zones));
        unit.commit().await.unwrap();
        for _ in 0..200 {
            let _ = store.complete_migrations("test", Duration::from_secs(1)).await;
            let mut connection = store.pool.acquire().await.unwrap();
            let mut states = Vec::new();
            for zone in [first, stuck, last] {
                states.push(current_state(&mut connection, zone).await.unwrap());
            }
            if states == [MigrationState::Complete, MigrationState::Pending, MigrationState::Complete] {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the stuck migration blocks the last one");
    }
}
