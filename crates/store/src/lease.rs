//! Leases: a time-limited exclusive right of one process, held in the database, such as the right to work on a spool.
//!
//! Start with [`Lease::acquire`] and [`Lease::is_held`].
//!
//! - Ownership: the lease owns a task that renews it. Dropping the last clone cancels the task.
//! - Expiry: the holder stops relying on the lease one term after the start of its last successful renewal, by its own
//!   monotonic clock. It therefore stops before another process can acquire the lease.
//! - Loss: a process whose lease was acquired by another holder never acquires it again and must be restarted.
//!
//! The statements use the clock of the database, because the clocks of processes may differ.
//!
//! On SQLite a [`Lease`] is always held, because the lock of the data directory admits only one process.

use crate::dialect::Dialect;
use crate::error::Error;
use crate::principal::Actor;
use crate::scope::Scope;
use crate::secret::new_id;
use crate::store::Store;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

/// A lease that is renewed as long as it lives. Clones share it.
#[derive(Clone)]
pub struct Lease(Option<Arc<Inner>>);

struct Inner {
    lease: LeaseRenewal,
    renewal: Mutex<Option<JoinHandle<()>>>,
}

/// The lease as its renewal task and its holder share it.
#[derive(Clone)]
struct LeaseRenewal {
    store: Store,
    name: String,
    holder: String,
    term: Duration,
    /// The time until which no other process can acquire the lease.
    until: Arc<Mutex<Instant>>,
}

impl Lease {
    /// Acquires the lease `name`, or waits until a lease that is no longer renewed expires. Returns `None` if another
    /// process renews it.
    ///
    /// The caller must hold the lock of the data directory, because leases of earlier holders on this machine are
    /// acquired immediately. A canceled call may leave a lease that is never renewed and expires after its term.
    pub async fn acquire(store: &Store, name: &str, term: Duration) -> Result<Option<Lease>, Error> {
        if !store.is_shared() {
            return Ok(Some(Lease(None)));
        }
        let machine = boot_id();
        let random = new_id()?;
        let holder = format!("{machine}/{random}");
        let ended_prefix = if machine.is_empty() { String::new() } else { format!("{machine}/") };
        let deadline = Instant::now() + term + term / 2;
        loop {
            let started_at = Instant::now();
            if store.acquire_lease(name, &holder, term, &ended_prefix).await? {
                let (name, until) = (name.to_owned(), Arc::new(Mutex::new(started_at + term)));
                let lease = LeaseRenewal { store: store.clone(), name, holder, term, until };
                let renewal = Mutex::new(Some(tokio::spawn(lease.clone().renew_loop())));
                return Ok(Some(Lease(Some(Arc::new(Inner { lease, renewal })))));
            }
            if started_at >= deadline {
                return Ok(None);
            }
            sleep(term / 10).await;
        }
    }

    /// Returns whether the lease is held now.
    pub fn is_held(&self) -> bool {
        let is_valid = |shared: &Arc<Inner>| *shared.lease.valid_until() > Instant::now();
        self.0.as_ref().is_none_or(is_valid)
    }

    /// Releases the lease, so that another process need not wait for its expiry.
    pub async fn release(&self) {
        let Some(shared) = &self.0 else { return };
        shared.stop_renewal();
        let lease = &shared.lease;
        *lease.valid_until() = Instant::now();
        if let Err(error) = lease.store.release_lease(&lease.name, &lease.holder).await {
            tracing::warn!("cannot release the lease {}; it will expire: {error}", lease.name);
        }
    }
}

impl Inner {
    fn stop_renewal(&self) {
        if let Some(task) = self.renewal.lock().unwrap_or_else(PoisonError::into_inner).take() {
            task.abort();
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.stop_renewal();
    }
}

impl LeaseRenewal {
    fn valid_until(&self) -> std::sync::MutexGuard<'_, Instant> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn renew_loop(self) {
        loop {
            sleep(self.term / 3).await;
            let started_at = Instant::now();
            match self.store.acquire_lease(&self.name, &self.holder, self.term, "").await {
                Ok(true) => *self.valid_until() = started_at + self.term,
                Ok(false) => {
                    *self.valid_until() = started_at;
                    tracing::error!("another process acquired the lease {}; restart this process", self.name);
                    return;
                }
                Err(error) if error.is_closed() => return,
                Err(error) => tracing::warn!("cannot renew the lease {}: {error}", self.name),
            }
        }
    }
}

/// Returns the identity of this machine since its last boot; empty if there is none.
fn boot_id() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").map(|id| id.trim().to_owned());
    name.unwrap_or_else(|error| {
        tracing::warn!("cannot read the boot ID ({error}); after a crash, the service waits for leases to expire");
        String::new()
    })
}

/// Acquires or renews a lease that is free, expired, held by `$2`, or held by a holder whose name begins with `$4`.
macro_rules! acquire_statement {
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
    /// whose names begin with `ended_prefix` are known to have ended; an empty prefix matches none. Returns whether the
    /// lease is held.
    pub async fn acquire_lease(
        &self,
        name: &str,
        holder: &str,
        term: Duration,
        ended_prefix: &str,
    ) -> Result<bool, Error> {
        let statement = match self.dialect {
            Dialect::Sqlite => acquire_statement!("cast(unixepoch('subsec') * 1000 as integer)"),
            Dialect::Postgres => acquire_statement!("cast(extract(epoch from clock_timestamp()) * 1000 as bigint)"),
        };
        let mut unit = self.write(Scope::Unlocked, &Actor::service()).await?;
        let outcome = sqlx::query(statement)
            .bind(name.to_owned())
            .bind(holder.to_owned())
            .bind(i64::try_from(term.as_millis()).unwrap_or(i64::MAX / 2))
            .bind(ended_prefix.to_owned())
            .execute(unit.connection())
            .await?;
        unit.commit().await?;
        Ok(outcome.rows_affected() == 1)
    }

    /// Releases a lease if the holder still has it.
    pub async fn release_lease(&self, name: &str, holder: &str) -> Result<(), Error> {
        let mut unit = self.write(Scope::Unlocked, &Actor::service()).await?;
        sqlx::query("delete from leases where name = $1 and holder = $2")
            .bind(name.to_owned())
            .bind(holder.to_owned())
            .execute(unit.connection())
            .await?;
        unit.commit().await
    }
}
