//! Unit of work: one transaction that writes, together with its entries in the audit log.
//!
//! [`Store::write`] begins it and locks its [`Scope`], so what it reads of that scope stays true until it commits.
//! [`UnitOfWork::commit`] appends the entries and commits both at once; a change without an entry is refused. A unit
//! that is dropped, also by a cancelled request, changes nothing.
//!
//! With SQLite the transaction is a member of a group commit. With PostgreSQL it has a connection of its own; when the
//! answer to its commit is lost, the store looks for its last entry in the audit log. So an error says that nothing was
//! changed, unless it is [`Error::OutcomeUnknown`].

use crate::audit::{Entry, Last, append};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::failure::Failure;
use crate::group_commit::Member;
use crate::principal::Actor;
use crate::scope::Scope;
use crate::statements::{Answers, Statements};
use crate::store::{Store, TransactionObserver, Writer};
use serde::Serialize;
use sqlx::{Any, AnyConnection, Row, Transaction};
use std::mem::replace;
use std::ops::{Deref, DerefMut};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// How often the store looks for a commit whose answer was lost, and the pause in between.
const OUTCOME_ATTEMPTS: u32 = 10;
const OUTCOME_PAUSE: Duration = Duration::from_millis(300);
/// How long that may take in all: the caller waits for it.
const OUTCOME_TIMEOUT: Duration = Duration::from_secs(10);

/// A transaction that writes. Without [`UnitOfWork::commit`] it changes nothing.
pub struct UnitOfWork {
    store: Store,
    transaction: Held,
    scope: Scope,
    actor: Actor,
    /// Statements that run right before the commit.
    later: Statements,
    /// The last entry of the scope in the audit log, and the new ones.
    last: Last,
    entries: Vec<Entry>,
    time: Stopwatch,
}

/// Tells the observer how long the transaction took.
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
enum Held {
    /// On a connection of its own.
    Own(Transaction<'static, Any>),
    /// As a member of a group commit.
    Turn(Member),
}

impl Store {
    /// Begins a transaction in which `actor` changes something in `scope`. A zone or an account that is gone is
    /// [`Error::ScopeGone`]: with PostgreSQL here, with SQLite when something is added to it, at the latest by the commit.
    pub async fn write(&self, scope: Scope, actor: &Actor) -> Result<UnitOfWork, Error> {
        Ok(self.write_asking(scope, actor, |_| ()).await?.0)
    }

    /// As [`Store::write`], with the answers to questions that are asked as soon as the scope is locked.
    pub(crate) async fn write_asking(
        &self,
        scope: Scope,
        actor: &Actor,
        questions: impl FnOnce(&mut Statements),
    ) -> Result<(UnitOfWork, Answers), Error> {
        let is_logged = scope != Scope::Unlocked;
        let (unit, answers) = self.lock(scope, actor, is_logged, questions).await?;
        if let Some(answers) = answers {
            return Ok((unit, answers));
        }
        unit.rollback().await?;
        Err(Error::ScopeGone)
    }

    /// A transaction that fills an empty database, also one of a former version, which may have no audit log yet.
    pub(crate) async fn write_into_empty(&self) -> Result<UnitOfWork, Error> {
        Ok(self.lock(Scope::Service, &Actor::service(), false, |_| ()).await?.0)
    }

    /// As [`Store::write_asking`]; without answers, the zone or the account is gone.
    async fn lock(
        &self,
        scope: Scope,
        actor: &Actor,
        is_logged: bool,
        questions: impl FnOnce(&mut Statements),
    ) -> Result<(UnitOfWork, Option<Answers>), Error> {
        let time = Stopwatch { observer: self.observer.clone(), start: Instant::now() };
        // SQLite has one writer.
        let lock = scope.lock().filter(|_| self.dialect == Dialect::Postgres);
        let first = |statements: &mut Statements| {
            if let Some(lock) = lock {
                statements.add(lock).bind(scope.id().to_owned());
            }
            if is_logged {
                Last::ask(statements, scope.id());
            }
            questions(statements);
        };
        let (transaction, mut answers) = self.begin(first).await?;
        // Former versions, which backups are of, have no row for the service.
        let is_there = lock.is_none() || answers.row().is_some() || scope == Scope::Service;
        let last = if is_logged { Last::read(&mut answers)? } else { Last::default() };
        let (store, actor, later, entries) = (self.clone(), actor.clone(), Statements::new(self.dialect), Vec::new());
        let unit = UnitOfWork { store, transaction, scope, actor, later, last, entries, time };
        Ok((unit, is_there.then_some(answers)))
    }
}

impl Store {
    /// Finds out whether a transaction was committed that ended the log of its scope with this entry.
    async fn ask_for_outcome(&self, scope: &Scope, last: Option<Last>, error: sqlx::Error) -> Result<(), Error> {
        if let Some(Last { seq, hash, .. }) = last {
            let end = Instant::now() + OUTCOME_TIMEOUT;
            for _ in 0..OUTCOME_ATTEMPTS {
                match timeout_at(end, self.is_logged(scope, seq, &hash)).await {
                    Ok(Ok(true)) => return Ok(()),
                    Ok(Ok(false)) => return Err(error.into()),
                    Ok(Err(_)) => sleep(OUTCOME_PAUSE).await,
                    Err(_) => break,
                }
            }
        }
        Err(Error::OutcomeUnknown(error.into()))
    }

    /// Looks for an entry after every earlier transaction in its scope has ended.
    async fn is_logged(&self, scope: &Scope, seq: i64, hash: &str) -> Result<bool, Error> {
        let (mut unit, _) = self.lock(scope.clone(), &Actor::service(), false, |_| ()).await?;
        let row = sqlx::query("select count(*) from audit_log where scope = $1 and seq = $2 and hash = $3")
            .bind(scope.id().to_owned())
            .bind(seq)
            .bind(hash.to_owned())
            .fetch_one(&mut *unit)
            .await?;
        unit.rollback().await?;
        Ok(row.try_get::<i64, _>(0)? > 0)
    }
}

impl Store {
    /// With SQLite the transaction takes the write lock at once. A transaction that reads first and writes later fails
    /// if another process, such as the command line, has written in between.
    async fn begin(&self, first: impl FnOnce(&mut Statements)) -> Result<(Held, Answers), Error> {
        match &self.writer {
            Writer::One(group) => {
                let (member, answers) = group.join(first).await?;
                Ok((Held::Turn(member), answers))
            }
            Writer::Several(pool) => {
                let mut transaction = pool.begin().await?;
                let mut statements = Statements::new(self.dialect);
                first(&mut statements);
                let answers = statements.run(&mut transaction).await?;
                Ok((Held::Own(transaction), answers))
            }
        }
    }
}

impl UnitOfWork {
    /// Records a change for the audit log: `action` says what was done to what, as `filter.create`; `before` and
    /// `after` are the object as the interface answers it.
    pub fn record<T: Serialize>(&mut self, action: &'static str, object: &str, before: Option<&T>, after: Option<&T>) {
        if self.scope == Scope::Unlocked {
            return;
        }
        let value = |object: Option<&T>| object.and_then(|object| serde_json::to_value(object).ok());
        let (before, after) = (value(before), value(after));
        self.entries.push(Entry { action, object: object.to_owned(), before, after });
    }

    /// Asks several questions in one round trip.
    pub(crate) async fn ask(&mut self, questions: impl FnOnce(&mut Statements)) -> Result<Answers, Error> {
        let mut statements = Statements::new(self.store.dialect);
        questions(&mut statements);
        Ok(statements.run(&mut self.transaction).await?)
    }

    /// Statements that run right before the commit, in one round trip: those whose answers nobody needs earlier.
    pub(crate) fn later(&mut self) -> &mut Statements {
        &mut self.later
    }

    /// Runs them now, because something is read that depends on them.
    pub(crate) async fn run_later(&mut self) -> Result<(), Error> {
        let later = replace(&mut self.later, Statements::new(self.store.dialect));
        later.run(&mut self.transaction).await?;
        Ok(())
    }

    /// Appends the entries to the audit log and commits. Refuses a change that has no entry. An error says that nothing
    /// was changed, unless it is [`Error::OutcomeUnknown`].
    pub async fn commit(self) -> Result<(), Error> {
        if self.entries.is_empty() && self.scope != Scope::Unlocked {
            self.transaction.rollback().await?;
            return Err(Error::Internal("a change has no entry for the audit log".into()));
        }
        self.commit_unlogged().await
    }

    /// As [`UnitOfWork::commit`], but rolls back if nothing was changed.
    pub(crate) async fn commit_noted(self) -> Result<(), Error> {
        if self.entries.is_empty() { self.rollback().await } else { self.commit().await }
    }

    /// As [`UnitOfWork::commit`], for contents that nobody has changed: those of a new account, and those of a backup,
    /// which has a log of its own.
    pub(crate) async fn commit_unlogged(self) -> Result<(), Error> {
        let UnitOfWork { store, transaction, scope, actor, mut later, mut last, entries, time: _time } = self;
        append(&mut later, scope.id(), &actor, &entries, &mut last);
        let last = (!entries.is_empty()).then_some(last);
        let mut own = match transaction {
            Held::Turn(member) => return Ok(member.commit(later).await?),
            Held::Own(own) => own,
        };
        // An error before the commit says that nothing was changed.
        later.run(&mut own).await?;
        match own.commit().await {
            Err(error) if Failure::of(&error) == Failure::Away => store.ask_for_outcome(&scope, last, error).await,
            outcome => Ok(outcome?),
        }
    }

    /// The time of the database, in milliseconds since 1970.
    pub(crate) async fn now(&mut self) -> Result<i64, Error> {
        Ok(sqlx::query(self.store.dialect.time()).fetch_one(&mut *self.transaction).await?.try_get(0)?)
    }

    /// Rolls everything back.
    pub async fn rollback(self) -> Result<(), Error> {
        self.transaction.rollback().await
    }
}

impl Held {
    async fn rollback(self) -> Result<(), Error> {
        match self {
            Held::Own(transaction) => Ok(transaction.rollback().await?),
            Held::Turn(member) => {
                drop(member);
                Ok(())
            }
        }
    }
}

impl Deref for Held {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        match self {
            Held::Own(transaction) => transaction,
            Held::Turn(member) => member,
        }
    }
}

impl DerefMut for Held {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        match self {
            Held::Own(transaction) => transaction,
            Held::Turn(member) => member,
        }
    }
}

impl Deref for UnitOfWork {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.transaction
    }
}

impl DerefMut for UnitOfWork {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.transaction
    }
}
