//! Completes pending migrations.

use super::record;
use crate::error::{Error, Unavailability};
use crate::principal::Actor;
use crate::rows::count;
use crate::scope::Scope;
use crate::store::Store;
use sqlx::FromRow;
use std::time::Duration;
use tokio::time::Instant;
use zonewright_api::waf_migration::MigrationState;

/// The name of the lease of the process that completes migrations.
const LEASE_NAME: &str = "migrations";

/// A pending migration and the time when it is due.
#[derive(FromRow)]
struct DueMigration {
    zone_id: String,
    due: i64,
}

impl Store {
    /// Completes the pending migrations that are due, and returns the time until the next one. Of several processes,
    /// the holder of the lease does it. Even if two processes believe that they hold it, each migration is completed
    /// once. A migration that fails does not block the others; it is retried the next time.
    pub async fn complete_migrations(&self, holder: &str, term: Duration) -> Result<Option<Duration>, Error> {
        let now = self.database_time().await?;
        let due = self.due_migrations().await?;
        let next = |due: &[DueMigration]| due.iter().map(|one| time_until(one.due, now)).min();
        if due.iter().all(|one| one.due > now) {
            return Ok(next(&due));
        }
        if !self.acquire_lease(LEASE_NAME, holder, term, "").await? {
            return Ok(Some(term / 3));
        }
        let mut taken = Instant::now();
        for DueMigration { zone_id, .. } in due.iter().filter(|one| one.due <= now) {
            if taken.elapsed() > term / 3 {
                taken = Instant::now();
                if !self.acquire_lease(LEASE_NAME, holder, term, "").await? {
                    return Ok(Some(term / 3));
                }
            }
            match self.complete_migration(zone_id).await {
                Ok(()) => {}
                Err(Error::ScopeGone) => {}
                // An unreachable database concerns all of them.
                Err(error) if matches!(error, Error::Unavailable(Unavailability::Unreachable, _)) => return Err(error),
                Err(error) => tracing::error!("cannot complete the migration of the zone {zone_id}: {error}"),
            }
        }
        self.release_lease(LEASE_NAME, holder).await?;
        let left: Vec<_> = due.into_iter().filter(|one| one.due > now).collect();
        Ok(next(&left))
    }

    /// Returns the number of zones with a pending migration.
    pub async fn pending_migrations(&self) -> Result<u64, Error> {
        let select = "select count(*) from migrations where state = $1";
        let query = sqlx::query_scalar(select).bind(MigrationState::Pending.name());
        Ok(count(query.fetch_one(&self.pool).await?))
    }

    /// Returns the zones whose migration is pending, with the time when it is due.
    async fn due_migrations(&self) -> Result<Vec<DueMigration>, Error> {
        let select = "select zone_id, coalesce(due, entered) as due from migrations where state = $1 order by 2";
        let query = sqlx::query_as(select).bind(MigrationState::Pending.name());
        Ok(query.fetch_all(&self.pool).await?)
    }

    /// Completes the migration of a zone if it is still pending and due. The unit of work locks the zone.
    async fn complete_migration(&self, zone: &str) -> Result<(), Error> {
        let (complete, pending) = (MigrationState::Complete, MigrationState::Pending);
        let mut unit = self.write(Scope::Zone(zone.to_owned()), &Actor::service()).await?;
        let now = unit.now().await?;
        let update = "update migrations set state = $1, entered = $2
                      where zone_id = $4 and state = $3 and coalesce(due, entered) <= $2";
        let query = sqlx::query(update).bind(complete.name()).bind(now).bind(pending.name()).bind(zone.to_owned());
        if query.execute(unit.connection()).await?.rows_affected() == 0 {
            return unit.rollback().await;
        }
        record(&mut unit, zone, pending, complete);
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
        panic!("the last one was held back");
    }
}
