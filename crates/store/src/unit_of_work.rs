//! The unit of work: one write transaction together with its entries in the audit log.
//!
//! Start with [`Store::write`] and [`UnitOfWork::commit`].
//!
//! - Isolation: [`Store::write`] locks the [`Scope`], so data that the unit reads in that scope stays valid until it
//!   commits.
//! - Ownership: with SQLite the unit is a [`Savepoint`] of a group commit. With PostgreSQL it owns a connection.
//! - Cancellation: a unit that is dropped before `commit`, for example by a canceled request, changes nothing. A
//!   canceled `commit` happens as a whole or not at all.
//! - Durability: the change and its audit entries are durable together when `commit` returns. If the response to a
//!   PostgreSQL commit is lost, the store looks for the last entry in the audit log. An error therefore means that
//!   nothing changed, unless it is [`Error::OutcomeUnknown`].
//!
//! Invariant: [`UnitOfWork::commit`] rejects a change without an audit entry.

use crate::dialect::Dialect;
use crate::error::Error;
use crate::failure::StoreErrorKind;
use crate::group_commit::Savepoint;
use crate::hash_chain::{AuditEntry, LastEntry, append, contains_entry};
use crate::principal::Actor;
use crate::scope::Scope;
use crate::statements::{BatchResults, StatementBatch};
use crate::store::{Store, TransactionObserver, Writer, begin};
use serde::Serialize;
use sqlx::{Any, AnyConnection, Transaction};
use std::mem::replace;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// The number of attempts to resolve a commit whose response was lost, and the pause between them.
const OUTCOME_ATTEMPTS: u32 = 10;
const OUTCOME_PAUSE: Duration = Duration::from_millis(300);
/// The maximum time for these attempts, because the caller waits for them.
const OUTCOME_TIMEOUT: Duration = Duration::from_secs(10);

/// A write transaction. Dropping it without [`UnitOfWork::commit`] changes nothing.
pub struct UnitOfWork {
    store: Store,
    transaction: OpenTransaction,
    scope: Scope,
    actor: Actor,
    /// Deferred statements, which run right before the commit.
    deferred: StatementBatch,
    /// The last entry of the scope in the audit log, and the new ones.
    last: LastEntry,
    entries: Vec<AuditEntry>,
    stopwatch: Stopwatch,
}

/// A guard that reports the duration of the transaction to the observer, including the wait for the lock.
struct Stopwatch {
    observer: TransactionObserver,
    start: Instant,
}

impl Drop for Stopwatch {
    fn drop(&mut self) {
        (self.observer)(self.start.elapsed());
    }
}

/// The transaction of the database.
enum OpenTransaction {
    /// A transaction on its own connection (PostgreSQL).
    Pooled(Transaction<'static, Any>),
    /// A member of a group commit (SQLite).
    Grouped(Savepoint),
}

impl Store {
    /// Begins a transaction in which `actor` changes something in `scope`. Waits for the lock of the scope
    /// (PostgreSQL) or in the writer queue (SQLite). If the scope was deleted, PostgreSQL returns [`Error::ScopeGone`]
    /// here. SQLite returns it when a row is added to the scope, at the latest at the commit.
    pub async fn write(&self, scope: Scope, actor: &Actor) -> Result<UnitOfWork, Error> {
        Ok(self.write_with_queries(scope, actor, |_| ()).await?.0)
    }

    /// Does the same as [`Store::write`], and returns the results of queries that run as soon as the scope is locked.
    pub(crate) async fn write_with_queries(
        &self,
        scope: Scope,
        actor: &Actor,
        queries: impl FnOnce(&mut StatementBatch),
    ) -> Result<(UnitOfWork, BatchResults), Error> {
        let is_logged = scope != Scope::Unlocked;
        let (unit, results) = self.begin_locked(scope, actor, is_logged, queries).await?;
        if let Some(results) = results {
            return Ok((unit, results));
        }
        unit.rollback().await?;
        Err(Error::ScopeGone)
    }

    /// Begins a transaction that fills an empty database, which may have an older schema without an audit log.
    pub(crate) async fn write_into_empty(&self) -> Result<UnitOfWork, Error> {
        Ok(self.begin_locked(Scope::Service, &Actor::service(), false, |_| ()).await?.0)
    }

    /// Does the same as [`Store::write_with_queries`]. Returns `None` in place of the results if the scope was
    /// deleted.
    async fn begin_locked(
        &self,
        scope: Scope,
        actor: &Actor,
        is_logged: bool,
        queries: impl FnOnce(&mut StatementBatch),
    ) -> Result<(UnitOfWork, Option<BatchResults>), Error> {
        let stopwatch = Stopwatch { observer: self.observer.clone(), start: Instant::now() };
        // SQLite needs no lock because it has one writer.
        let lock = scope.lock_sql().filter(|_| self.dialect == Dialect::Postgres);
        let first = |statements: &mut StatementBatch| {
            if let Some(lock) = lock {
                statements.add(lock).bind(scope.id().to_owned());
            }
            if is_logged {
                LastEntry::query(statements, scope.id());
            }
            queries(statements);
        };
        let (transaction, mut results) = self.begin(first).await?;
        // Older schemas, which backups may have, contain no row for the service.
        let scope_exists = lock.is_none() || results.next_row().is_some() || scope == Scope::Service;
        let last = if is_logged { LastEntry::from_results(&results)? } else { LastEntry::default() };
        let (store, actor, deferred, entries) =
            (self.clone(), actor.clone(), StatementBatch::new(self.dialect), Vec::new());
        let unit = UnitOfWork { store, transaction, scope, actor, deferred, last, entries, stopwatch };
        Ok((unit, scope_exists.then_some(results)))
    }
}

impl Store {
    /// Determines whether a transaction was committed that ended the log of its scope with this entry.
    async fn resolve_outcome(&self, scope: &Scope, last: Option<LastEntry>, error: sqlx::Error) -> Result<(), Error> {
        if let Some(LastEntry { seq, hash, .. }) = last {
            let end = Instant::now() + OUTCOME_TIMEOUT;
            for _ in 0..OUTCOME_ATTEMPTS {
                match timeout_at(end, self.has_log_entry(scope, seq, &hash)).await {
                    Ok(Ok(true)) => return Ok(()),
                    Ok(Ok(false)) => return Err(error.into()),
                    Ok(Err(_)) => sleep(OUTCOME_PAUSE).await,
                    Err(_) => break,
                }
            }
        }
        Err(Error::OutcomeUnknown(error.into()))
    }

    /// Returns whether the log of a scope has this entry. The lock of the scope ensures that every earlier transaction
    /// in it has ended.
    async fn has_log_entry(&self, scope: &Scope, seq: i64, hash: &str) -> Result<bool, Error> {
        let (mut unit, _) = self.begin_locked(scope.clone(), &Actor::service(), false, |_| ()).await?;
        let is_found = contains_entry(unit.connection(), scope.id(), seq, hash).await?;
        unit.rollback().await?;
        Ok(is_found)
    }
}

impl Store {
    /// Begins the transaction of the database and runs its first statements. With SQLite the transaction acquires the
    /// write lock immediately. Otherwise, a transaction that reads first and writes later would fail if another
    /// process, such as the command line, wrote in between.
    async fn begin(&self, first: impl FnOnce(&mut StatementBatch)) -> Result<(OpenTransaction, BatchResults), Error> {
        match &self.writer {
            Writer::Group(group) => {
                let (member, results) = group.begin(first).await?;
                Ok((OpenTransaction::Grouped(member), results))
            }
            Writer::Pool(pool) => {
                let mut transaction = begin(pool, "begin").await?;
                let mut statements = StatementBatch::new(self.dialect);
                first(&mut statements);
                let results = statements.run(&mut transaction).await?;
                Ok((OpenTransaction::Pooled(transaction), results))
            }
        }
    }
}

impl UnitOfWork {
    /// Returns the connection for statements of this transaction.
    pub fn connection(&mut self) -> &mut AnyConnection {
        self.transaction.connection()
    }

    /// Records a change for the audit log, unless the scope is [`Scope::Unlocked`]. `action` has the kind of object and
    /// the verb, such as `filter.create`. `before` and `after` are the object as the API returns it, without secrets.
    pub fn record<T: Serialize>(&mut self, action: &'static str, object: &str, before: Option<&T>, after: Option<&T>) {
        if self.scope == Scope::Unlocked {
            return;
        }
        let value = |object: Option<&T>| object.and_then(|object| serde_json::to_value(object).ok());
        let (before, after) = (value(before), value(after));
        self.entries.push(AuditEntry { action, object_id: object.to_owned(), before, after });
    }

    /// Runs several queries in one statement batch.
    pub(crate) async fn query(&mut self, queries: impl FnOnce(&mut StatementBatch)) -> Result<BatchResults, Error> {
        let mut statements = StatementBatch::new(self.store.dialect);
        queries(&mut statements);
        Ok(statements.run(self.connection()).await?)
    }

    /// Returns the deferred statements. They run right before the commit in one batch, so their results cannot be read.
    pub(crate) fn deferred(&mut self) -> &mut StatementBatch {
        &mut self.deferred
    }

    /// Runs the deferred statements now, because the next statements depend on them.
    pub(crate) async fn run_deferred(&mut self) -> Result<(), Error> {
        let deferred = replace(&mut self.deferred, StatementBatch::new(self.store.dialect));
        deferred.run(self.connection()).await?;
        Ok(())
    }

    /// Appends the entries to the audit log and commits. Rejects a change without an entry. An error means that nothing
    /// changed, unless it is [`Error::OutcomeUnknown`].
    pub async fn commit(self) -> Result<(), Error> {
        if self.entries.is_empty() && self.scope != Scope::Unlocked {
            self.transaction.rollback().await?;
            return Err(Error::Internal("a change has no audit log entry".into()));
        }
        self.commit_unlogged().await
    }

    /// Does the same as [`UnitOfWork::commit`], but rolls back if nothing was recorded.
    pub(crate) async fn commit_if_recorded(self) -> Result<(), Error> {
        if self.entries.is_empty() { self.rollback().await } else { self.commit().await }
    }

    /// Does the same as [`UnitOfWork::commit`] without requiring an entry. It is for initial contents: those of a new
    /// account, and those of a backup, which includes its own log.
    pub(crate) async fn commit_unlogged(self) -> Result<(), Error> {
        let UnitOfWork { store, transaction, scope, actor, mut deferred, mut last, entries, stopwatch: _stopwatch } =
            self;
        append(&mut deferred, scope.id(), &actor, &entries, &mut last);
        let last = (!entries.is_empty()).then_some(last);
        let mut transaction = match transaction {
            OpenTransaction::Grouped(member) => return Ok(member.commit(deferred).await?),
            OpenTransaction::Pooled(transaction) => transaction,
        };
        // Up to here an error means that nothing changed.
        deferred.run(&mut transaction).await?;
        match transaction.commit().await {
            Err(error) if StoreErrorKind::classify(&error) == StoreErrorKind::Unavailable => {
                store.resolve_outcome(&scope, last, error).await
            }
            outcome => Ok(outcome?),
        }
    }

    /// Returns the clock of the database in milliseconds since 1970.
    pub(crate) async fn now(&mut self) -> Result<i64, Error> {
        Ok(sqlx::query_scalar(self.store.dialect.clock_sql()).fetch_one(self.connection()).await?)
    }

    /// Rolls back everything.
    pub async fn rollback(self) -> Result<(), Error> {
        self.transaction.rollback().await
    }
}

impl OpenTransaction {
    fn connection(&mut self) -> &mut AnyConnection {
        match self {
            OpenTransaction::Pooled(transaction) => transaction,
            OpenTransaction::Grouped(member) => member.connection(),
        }
    }

    async fn rollback(self) -> Result<(), Error> {
        match self {
            OpenTransaction::Pooled(transaction) => Ok(transaction.rollback().await?),
            OpenTransaction::Grouped(member) => {
                drop(member);
                Ok(())
            }
        }
    }
}
