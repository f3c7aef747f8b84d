//! The statements for leases. They use the clock of the database, because the clocks of processes may differ.

use crate::dialect::Dialect;
use crate::error::Error;
use crate::principal::Actor;
use crate::scope::Scope;
use crate::store::Store;
use sqlx::Row;
use std::time::Duration;

/// Acquires or renews a lease that is free, expired, held by `$2`, or held by a holder whose name begins with `$4`.
macro_rules! take {
    ($now:expr) => {
        concat!(
            "insert into leases (name, holder, until) values ($1, $2, ",
            $now,
            " + $3) on conflict (name) do update set holder = excluded.holder, until = excluded.until
             where leases.holder = excluded.holder or leases.until <= ",
            $now,
            " or ($4 <> '' and substr(leases.holder, 1, length($4)) = $4)"
        )
    };
}

impl Store {
    /// Acquires or renews the lease `name` for `term` by compare-and-set, unless another process holds it. Holders
    /// whose names begin with `kin` are known to have ended; an empty `kin` matches none. Returns whether the lease is
    /// held.
    pub async fn acquire_lease(&self, name: &str, holder: &str, term: Duration, kin: &str) -> Result<bool, Error> {
        let statement = match self.dialect {
            Dialect::Sqlite => take!("cast(unixepoch('subsec') * 1000 as integer)"),
            Dialect::Postgres => take!("cast(extract(epoch from clock_timestamp()) * 1000 as bigint)"),
        };
        let mut unit = self.write(Scope::Unlocked, &Actor::service()).await?;
        let taken = sqlx::query(statement)
            .bind(name.to_owned())
            .bind(holder.to_owned())
            .bind(i64::try_from(term.as_millis()).unwrap_or(i64::MAX / 2))
            .bind(kin.to_owned())
            .execute(&mut *unit)
            .await?;
        unit.commit().await?;
        Ok(taken.rows_affected() == 1)
    }

    /// Releases a lease if the holder still has it.
    pub async fn release_lease(&self, name: &str, holder: &str) -> Result<(), Error> {
        let mut unit = self.write(Scope::Unlocked, &Actor::service()).await?;
        sqlx::query("delete from leases where name = $1 and holder = $2")
            .bind(name.to_owned())
            .bind(holder.to_owned())
            .execute(&mut *unit)
            .await?;
        unit.commit().await
    }

    /// Returns the clock of the database in milliseconds since 1970.
    pub(crate) async fn database_time(&self) -> Result<i64, Error> {
        Ok(sqlx::query(self.dialect.time()).fetch_one(&self.pool).await?.try_get(0)?)
    }
}
