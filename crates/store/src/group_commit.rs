//! Group commit. Concurrent requests share one SQLite transaction; each runs in its own savepoint. A single commit (one
//! fsync) makes all of them durable. No request is answered before that commit.
//!
//! Start with [`GroupCommit::begin`] and [`Savepoint::commit`].
//!
//! - Ownership: SQLite has one writer connection. A fair mutex guards it and is the writer queue. A [`Savepoint`] holds
//!   the mutex from its first statement to its last; all others wait in the queue, for a bounded time.
//! - Membership: the first member begins the transaction, and later ones join it with a savepoint. The commit task
//!   waits in the queue too, so all members that were queued before it belong to the group. A single member commits in
//!   the same batch as its last statements. A group accepts members for [`MAX_GROUP_AGE`].
//! - Failure: a member that fails rolls back to its savepoint and does not affect the others. A failed commit rolls
//!   back all members, and each gets the error. The connection is then replaced before its next use.
//! - Reads: a statement in the group may observe uncommitted writes of other members. A request whose member only reads
//!   or fails therefore also waits for the commit ([`await_observed_commits`]).
//! - Cancellation: a request can be dropped at any await, even during a statement. The dropped member records its
//!   [`SavepointState`] in the writer, and the next owner of the writer undoes the member's statements. Undoing and
//!   committing run in tasks that no request can cancel. A member that is canceled while it awaits the outcome is
//!   committed with its group.
//! - Durability: [`Savepoint::commit`] returns after the fsync of the commit, or with its error.

use crate::dialect::Dialect;
use crate::error::Error;
use crate::failure::SharedError;
use crate::statements::{BatchResults, StatementBatch};
use sqlx::{AnyConnection, AnyPool, Connection};
use std::cell::RefCell;
use std::ops::DerefMut;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::{Mutex, OwnedMappedMutexGuard, OwnedMutexGuard, oneshot};
use tokio::time::timeout;

/// The time during which a group accepts members. It bounds how long the first member waits for the last.
const MAX_GROUP_AGE: Duration = Duration::from_millis(20);

/// The outcome of the commit of a group.
type CommitResult = Result<(), Arc<sqlx::Error>>;

tokio::task_local! {
    /// The commits of groups whose uncommitted writes the current request may have observed.
    static OBSERVED: RefCell<Vec<oneshot::Receiver<CommitResult>>>;
}

/// Runs the work of a request, then waits until every write that the request may have observed is durable. Returns an
/// error if one of those commits failed.
pub async fn await_observed_commits<T>(work: impl Future<Output = T>) -> Result<T, Error> {
    let waiting = async {
        let output = work.await;
        for commit in OBSERVED.with(RefCell::take) {
            await_commit(commit).await?;
        }
        Ok(output)
    };
    OBSERVED.scope(RefCell::default(), waiting).await
}

/// Waits for the commit of a group, and returns its outcome.
async fn await_commit(commit: oneshot::Receiver<CommitResult>) -> Result<(), sqlx::Error> {
    match commit.await {
        Ok(outcome) => outcome.map_err(|error| sqlx::Error::AnyDriverError(Box::new(SharedError(error)))),
        Err(_) => Err(sqlx::Error::WorkerCrashed),
    }
}

/// The writer queue. One transaction at a time owns the writer.
struct WriterQueue {
    /// The writer; `None` after the queue was closed.
    writer: Arc<Mutex<Option<WriterConnection>>>,
    /// The number of transactions that wait for the mutex.
    joining: AtomicUsize,
}

/// A guard that counts a transaction as joining.
struct JoinGuard<'l>(&'l AtomicUsize);

impl JoinGuard<'_> {
    fn count(queue: &WriterQueue) -> JoinGuard<'_> {
        queue.joining.fetch_add(1, Relaxed);
        JoinGuard(&queue.joining)
    }
}

impl Drop for JoinGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// The writer connection of SQLite with its queue. Clones share it.
#[derive(Clone)]
pub(crate) struct GroupCommit {
    queue: Arc<WriterQueue>,
    /// The maximum time that a transaction waits in the queue.
    timeout: Duration,
}

/// The writer connection and the state of the open group.
struct WriterConnection {
    connection: AnyConnection,
    /// The pool that opens connections.
    pool: AnyPool,
    /// The time when the open transaction began; `None` if no transaction is open.
    opened_at: Option<Instant>,
    /// The members that have finished their work and await the commit. While there are none, the whole transaction
    /// belongs to the current owner.
    waiters: Vec<oneshot::Sender<CommitResult>>,
    /// The state of a canceled member, whose statements the next owner undoes.
    abandoned: Option<SavepointState>,
    /// Whether a commit task is queued.
    commit_queued: bool,
    /// Whether the state of the connection is unknown, so that it must be replaced.
    poisoned: bool,
}

/// The state of a member. If the member is canceled, the state decides how it is undone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SavepointState {
    /// The first statements run. The savepoint may or may not exist.
    Opening,
    Open,
    /// The last statements run. The savepoint exists, or it was released and its statements belong to the transaction.
    Releasing,
}

/// The member that owns the writer. Dropping it before [`Savepoint::commit`] undoes its work.
pub(crate) struct Savepoint {
    writer: OwnedMappedMutexGuard<Option<WriterConnection>, WriterConnection>,
    queue: Arc<WriterQueue>,
    state: Option<SavepointState>,
}

impl GroupCommit {
    /// Opens a writer on a connection of the pool.
    pub(crate) async fn open(pool: AnyPool, timeout: Duration) -> Result<GroupCommit, sqlx::Error> {
        let writer = WriterConnection {
            connection: pool.acquire().await?.detach(),
            pool,
            opened_at: None,
            waiters: Vec::new(),
            abandoned: None,
            commit_queued: false,
            poisoned: false,
        };
        let writer = Arc::new(Mutex::new(Some(writer)));
        Ok(GroupCommit { queue: Arc::new(WriterQueue { writer, joining: AtomicUsize::new(0) }), timeout })
    }

    /// Waits in the queue and begins a transaction with these statements. A member that is dropped without
    /// [`Savepoint::commit`] changes nothing. An error means that nothing happened.
    pub(crate) async fn begin(
        &self,
        first: impl FnOnce(&mut StatementBatch),
    ) -> Result<(Savepoint, BatchResults), sqlx::Error> {
        let joining = JoinGuard::count(&self.queue);
        let writer = timeout(self.timeout, Arc::clone(&self.queue.writer).lock_owned()).await;
        let writer = writer.map_err(|_| sqlx::Error::PoolTimedOut)?;
        drop(joining);
        let mut writer = OwnedMutexGuard::try_map(writer, Option::as_mut).map_err(|_| sqlx::Error::PoolClosed)?;
        if writer.poisoned
            || writer.abandoned.is_some()
            || writer.opened_at.is_some_and(|since| since.elapsed() > MAX_GROUP_AGE)
        {
            let preparation = tokio::spawn(async move { writer.prepare_for_next().await.map(|()| writer) });
            writer = preparation.await.map_err(|_| sqlx::Error::WorkerCrashed)??;
        }
        let mut member = Savepoint { writer, queue: Arc::clone(&self.queue), state: Some(SavepointState::Opening) };
        let begin = if member.writer.opened_at.is_some() { "savepoint member" } else { "begin immediate" };
        let mut statements = StatementBatch::new(Dialect::Sqlite);
        first(statements.add(begin));
        let mut results = statements.run(member.connection()).await?;
        results.next_row();
        member.writer.opened_at.get_or_insert_with(Instant::now);
        member.state = Some(SavepointState::Open);
        Ok((member, results))
    }

    /// Returns the connection if no transaction is open and none owns it. Transactions wait until it is dropped. Its
    /// page cache has the latest changes, which every other connection must reload after each change.
    pub(crate) fn try_idle_connection(&self) -> Option<impl DerefMut<Target = AnyConnection> + use<>> {
        let writer = Arc::clone(&self.queue.writer).try_lock_owned().ok()?;
        let writer = OwnedMutexGuard::try_map(writer, Option::as_mut).ok()?;
        let is_idle = writer.opened_at.is_none() && writer.abandoned.is_none() && !writer.poisoned;
        is_idle.then(|| OwnedMappedMutexGuard::map(writer, |writer| &mut writer.connection))
    }

    /// Commits the open group, and closes the connection and its pool. Later transactions fail.
    pub(crate) async fn close(&self) {
        if let Some(mut writer) = self.queue.writer.lock().await.take() {
            writer.commit().await;
            let _ = writer.connection.close().await;
            writer.pool.close().await;
        }
    }
}

impl Savepoint {
    /// Returns the connection for statements of this transaction.
    pub(crate) fn connection(&mut self) -> &mut AnyConnection {
        &mut self.writer.connection
    }

    /// Runs the last statements and waits until the work is durable. Canceling the wait for the commit does not undo
    /// the work.
    pub(crate) async fn commit(mut self, mut last: StatementBatch) -> Result<(), sqlx::Error> {
        if self.writer.waiters.is_empty() && self.queue.joining.load(Relaxed) == 0 {
            return tokio::spawn(self.commit_single(last)).await.map_err(|_| sqlx::Error::WorkerCrashed)?;
        }
        if !self.writer.waiters.is_empty() {
            last.add("release member");
            self.state = Some(SavepointState::Releasing);
        }
        if let Err(error) = last.run(self.connection()).await {
            self.state = Some(SavepointState::Open);
            return Err(error);
        }
        let (sender, commit) = oneshot::channel();
        self.writer.waiters.push(sender);
        self.state = None;
        drop(self);
        await_commit(commit).await
    }

    /// Runs the last statements and the commit in one batch, for a transaction without other members. It runs in its
    /// own task, so no request can cancel it.
    async fn commit_single(mut self, mut last: StatementBatch) -> Result<(), sqlx::Error> {
        last.add("commit");
        last.run(self.connection()).await?;
        self.writer.opened_at = None;
        self.state = None;
        Ok(())
    }
}

impl Drop for Savepoint {
    fn drop(&mut self) {
        self.writer.abandoned = self.state;
        if self.state.is_some() && !self.writer.waiters.is_empty() {
            let (sender, commit) = oneshot::channel();
            // Outside of a request no response depends on the commit.
            if OBSERVED.try_with(|commits| commits.borrow_mut().push(commit)).is_ok() {
                self.writer.waiters.push(sender);
            }
        }
        // Without a runtime the process is ending.
        if (self.writer.opened_at.is_some() || self.state.is_some())
            && !self.writer.commit_queued
            && let Ok(runtime) = Handle::try_current()
        {
            self.writer.commit_queued = true;
            let queue = Arc::clone(&self.queue);
            runtime.spawn(async move {
                if let Some(writer) = queue.writer.lock().await.as_mut() {
                    writer.commit_queued = false;
                    writer.commit().await;
                }
            });
        }
    }
}

/// No request can cancel these methods: they run in their own tasks, or while the store closes.
impl WriterConnection {
    async fn run(&mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        sqlx::query(statement).execute(&mut self.connection).await.map(drop)
    }

    /// Prepares the connection for the next member. Commits a group that is too old, so that the member begins a new
    /// one.
    async fn prepare_for_next(&mut self) -> Result<(), sqlx::Error> {
        self.roll_back_abandoned().await;
        if self.opened_at.is_some_and(|since| since.elapsed() > MAX_GROUP_AGE) {
            self.commit().await;
        }
        if self.poisoned {
            self.connection = self.pool.acquire().await?.detach();
            self.poisoned = false;
        }
        Ok(())
    }

    /// Undoes the work of a canceled member.
    async fn roll_back_abandoned(&mut self) {
        let Some(state) = self.abandoned.take() else { return };
        if self.waiters.is_empty() {
            self.opened_at = None;
            // This fails if no transaction was begun, or if SQLite rolled the transaction back, for example on a full
            // disk.
            self.poisoned |= self.run("rollback").await.is_err();
            return;
        }
        match self.run("rollback to member").await {
            Ok(()) => {
                if let Err(error) = self.run("release member").await {
                    self.notify_waiters(Err(error));
                }
            }
            // SQLite rolled back the whole transaction: the savepoint of an open member is missing, or another
            // transaction can begin.
            Err(error) if state == SavepointState::Open || self.run("begin").await.is_ok() => {
                self.notify_waiters(Err(error))
            }
            // The savepoint does not exist yet, or it was released.
            Err(_) => {}
        }
    }

    /// Commits the open group.
    async fn commit(&mut self) {
        self.roll_back_abandoned().await;
        if self.opened_at.is_some() {
            let outcome = self.run("commit").await;
            self.notify_waiters(outcome);
        }
    }

    /// Ends the group and reports the outcome to its members.
    fn notify_waiters(&mut self, outcome: Result<(), sqlx::Error>) {
        self.opened_at = None;
        self.poisoned |= outcome.is_err();
        let outcome = outcome.map_err(Arc::new);
        for waiter in self.waiters.drain(..) {
            // The member may have been canceled.
            let _ = waiter.send(outcome.clone());
        }
    }
}

#[cfg(test)]
mod tests;
