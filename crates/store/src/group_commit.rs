//! Group commit. Concurrent requests share one SQLite transaction; each runs in its own savepoint. A single commit (one
//! fsync) makes all of them durable. No request is answered before that commit.
//!
//! - Ownership: SQLite has one writer connection, behind a fair mutex, the writer queue. The transaction whose turn it
//!   is owns it as a [`Member`]; everybody else waits in the queue, for a bounded time.
//! - Membership: the first member begins the transaction, later ones join it with a savepoint. The task that commits
//!   waits in the queue as well, so everybody who was queued before it belongs to the group. A member that nobody
//!   follows commits itself, together with its last statements. A group is closed after [`MAX_GROUP_AGE`].
//! - Failure: a member that fails rolls back to its savepoint and leaves the others alone. When the commit fails, none
//!   of the members has happened, and all of them are told so.
//! - Reads: a statement inside the group may observe uncommitted writes of other members. So a request that only reads
//!   there, or fails, also waits for the commit before it is answered ([`settled`]).
//! - Cancellation: a request can be dropped at any await, also during a statement. It leaves the [`Step`] it was at
//!   to the writer, and the next owner undoes it. Undoing and committing run in tasks that no request can cancel.
//! - Durability: [`Member::commit`] returns after the fsync of the commit, or with its error.

use crate::dialect::Dialect;
use crate::error::Error;
use crate::failure::Shared;
use crate::statements::{Answers, Statements};
use sqlx::{AnyConnection, AnyPool, Connection};
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::{Mutex, OwnedMappedMutexGuard, OwnedMutexGuard, oneshot};
use tokio::time::timeout;

/// How long a group accepts members: its first member waits for the last one.
const MAX_GROUP_AGE: Duration = Duration::from_millis(20);

/// The result of the commit of a group.
type Outcome = Result<(), Arc<sqlx::Error>>;

tokio::task_local! {
    /// The commits of groups whose uncommitted writes the request may have observed.
    static OBSERVED: RefCell<Vec<oneshot::Receiver<Outcome>>>;
}

/// Does the work of a request, and waits until every write that it may have observed is durable. The error says that one
/// of those commits has failed.
pub async fn settled<T>(work: impl Future<Output = T>) -> Result<T, Error> {
    let waiting = async {
        let done = work.await;
        for commit in OBSERVED.with(RefCell::take) {
            outcome_of(commit).await?;
        }
        Ok(done)
    };
    OBSERVED.scope(RefCell::default(), waiting).await
}

/// Waits for the commit of a group.
async fn outcome_of(commit: oneshot::Receiver<Outcome>) -> Result<(), sqlx::Error> {
    match commit.await {
        Ok(outcome) => outcome.map_err(|error| sqlx::Error::AnyDriverError(Box::new(Shared(error)))),
        Err(_) => Err(sqlx::Error::WorkerCrashed),
    }
}

/// The queue for the writer, which one transaction owns at a time.
struct WriterQueue {
    /// `None` when it is closed.
    writer: Arc<Mutex<Option<Writer>>>,
    /// How many transactions are about to join.
    joining: AtomicUsize,
}

/// Counts a transaction that is about to join.
struct Joining<'l>(&'l AtomicUsize);

impl Joining<'_> {
    fn count(queue: &WriterQueue) -> Joining<'_> {
        queue.joining.fetch_add(1, Relaxed);
        Joining(&queue.joining)
    }
}

impl Drop for Joining<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// The writer connection of SQLite, and its queue. Clones share it.
#[derive(Clone)]
pub(crate) struct GroupCommit {
    queue: Arc<WriterQueue>,
    /// How long a transaction waits in the queue.
    wait: Duration,
}

/// The connection that writes.
struct Writer {
    connection: AnyConnection,
    /// Makes connections.
    pool: AnyPool,
    /// Since when a transaction is open.
    since: Option<Instant>,
    /// The members whose work is done and who wait for the commit. While there is none, the whole transaction belongs to
    /// the present owner.
    waiting: Vec<oneshot::Sender<Outcome>>,
    /// The step that a cancelled member was at.
    left: Option<Step>,
    /// Whether a task is queued that commits.
    closing: bool,
    /// Whether the state of the connection is unknown.
    broken: bool,
}

/// What a member was doing when it was cancelled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The savepoint may exist or not, with the first statements in it.
    Opening,
    Open,
    /// The last statements have run. The savepoint may exist or be released; then the work belongs to the transaction.
    Releasing,
}

/// The transaction whose turn it is.
pub(crate) struct Member {
    writer: OwnedMappedMutexGuard<Option<Writer>, Writer>,
    queue: Arc<WriterQueue>,
    step: Option<Step>,
}

impl GroupCommit {
    /// A writer on a connection of the pool.
    pub(crate) async fn open(pool: AnyPool, wait: Duration) -> Result<GroupCommit, sqlx::Error> {
        let writer = Writer {
            connection: pool.acquire().await?.detach(),
            pool,
            since: None,
            waiting: Vec::new(),
            left: None,
            closing: false,
            broken: false,
        };
        let writer = Arc::new(Mutex::new(Some(writer)));
        Ok(GroupCommit { queue: Arc::new(WriterQueue { writer, joining: AtomicUsize::new(0) }), wait })
    }

    /// Waits for its turn and begins a transaction with these statements. A member that is dropped without
    /// [`Member::commit`] changes nothing.
    pub(crate) async fn join(&self, first: impl FnOnce(&mut Statements)) -> Result<(Member, Answers), sqlx::Error> {
        let joining = Joining::count(&self.queue);
        let turn = timeout(self.wait, Arc::clone(&self.queue.writer).lock_owned()).await;
        let turn = turn.map_err(|_| sqlx::Error::PoolTimedOut)?;
        drop(joining);
        let mut writer = OwnedMutexGuard::try_map(turn, Option::as_mut).map_err(|_| sqlx::Error::PoolClosed)?;
        if writer.broken || writer.left.is_some() || writer.since.is_some_and(|since| since.elapsed() > MAX_GROUP_AGE) {
            let tidying = tokio::spawn(async move { writer.tidy().await.map(|()| writer) });
            writer = tidying.await.map_err(|_| sqlx::Error::WorkerCrashed)??;
        }
        let mut member = Member { writer, queue: Arc::clone(&self.queue), step: Some(Step::Opening) };
        let begin = if member.writer.since.is_some() { "savepoint member" } else { "begin immediate" };
        let mut statements = Statements::new(Dialect::Sqlite);
        first(statements.add(begin));
        let mut answers = statements.run(&mut member).await?;
        answers.row();
        member.writer.since.get_or_insert_with(Instant::now);
        member.step = Some(Step::Open);
        Ok((member, answers))
    }

    /// The connection, when nobody needs it and no transaction is open. Its page cache has the latest changes, which every
    /// other connection reads anew after each change.
    pub(crate) fn idle(&self) -> Option<impl DerefMut<Target = AnyConnection> + use<>> {
        let writer = Arc::clone(&self.queue.writer).try_lock_owned().ok()?;
        let writer = OwnedMutexGuard::try_map(writer, Option::as_mut).ok()?;
        let is_idle = writer.since.is_none() && writer.left.is_none() && !writer.broken;
        is_idle.then(|| OwnedMappedMutexGuard::map(writer, |writer| &mut writer.connection))
    }

    /// Commits the open group and closes the connection.
    pub(crate) async fn close(&self) {
        if let Some(mut writer) = self.queue.writer.lock().await.take() {
            writer.commit().await;
            let _ = writer.connection.close().await;
            writer.pool.close().await;
        }
    }
}

impl Member {
    /// Ends with these statements and waits until everything is durable.
    pub(crate) async fn commit(mut self, mut last: Statements) -> Result<(), sqlx::Error> {
        if self.writer.waiting.is_empty() && self.queue.joining.load(Relaxed) == 0 {
            return tokio::spawn(self.commit_alone(last)).await.map_err(|_| sqlx::Error::WorkerCrashed)?;
        }
        if !self.writer.waiting.is_empty() {
            last.add("release member");
            self.step = Some(Step::Releasing);
        }
        if let Err(error) = last.run(&mut self).await {
            self.step = Some(Step::Open);
            return Err(error);
        }
        let (sender, commit) = oneshot::channel();
        self.writer.waiting.push(sender);
        self.step = None;
        drop(self);
        outcome_of(commit).await
    }

    /// As [`Member::commit`], in one round trip, for a transaction without other members.
    async fn commit_alone(mut self, mut last: Statements) -> Result<(), sqlx::Error> {
        last.add("commit");
        last.run(&mut self).await?;
        self.writer.since = None;
        self.step = None;
        Ok(())
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.writer.left = self.step;
        if self.step.is_some() && !self.writer.waiting.is_empty() {
            let (sender, commit) = oneshot::channel();
            // Outside of a request nobody is answered, so nothing has to wait.
            if OBSERVED.try_with(|seen| seen.borrow_mut().push(commit)).is_ok() {
                self.writer.waiting.push(sender);
            }
        }
        // Without a runtime the process is ending.
        if (self.writer.since.is_some() || self.step.is_some())
            && !self.writer.closing
            && let Ok(runtime) = Handle::try_current()
        {
            self.writer.closing = true;
            let queue = Arc::clone(&self.queue);
            runtime.spawn(async move {
                if let Some(writer) = queue.writer.lock().await.as_mut() {
                    writer.closing = false;
                    writer.commit().await;
                }
            });
        }
    }
}

impl Deref for Member {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.writer.connection
    }
}

impl DerefMut for Member {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.writer.connection
    }
}

/// These run in tasks that no request can cancel.
impl Writer {
    async fn run(&mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        sqlx::query(statement).execute(&mut self.connection).await.map(drop)
    }

    /// Prepares the connection for the next member, which begins a new group if this one is too old.
    async fn tidy(&mut self) -> Result<(), sqlx::Error> {
        self.undo().await;
        if self.since.is_some_and(|since| since.elapsed() > MAX_GROUP_AGE) {
            self.commit().await;
        }
        if self.broken {
            self.connection = self.pool.acquire().await?.detach();
            self.broken = false;
        }
        Ok(())
    }

    /// Undoes what a cancelled member has left.
    async fn undo(&mut self) {
        let Some(step) = self.left.take() else { return };
        if self.waiting.is_empty() {
            self.since = None;
            // It fails if no transaction was begun, or if SQLite rolled it back by itself, as on a full disk.
            self.broken |= self.run("rollback").await.is_err();
            return;
        }
        match self.run("rollback to member").await {
            Ok(()) => {
                if let Err(error) = self.run("release member").await {
                    self.end(Err(error));
                }
            }
            // SQLite has rolled back the whole transaction by itself, because another one can be begun.
            Err(error) if step == Step::Open || self.run("begin").await.is_ok() => self.end(Err(error)),
            // There is no savepoint yet, or it was released.
            Err(_) => {}
        }
    }

    /// Commits the open group.
    async fn commit(&mut self) {
        self.undo().await;
        if self.since.is_some() {
            let outcome = self.run("commit").await;
            self.end(outcome);
        }
    }

    /// Ends the group and tells its members.
    fn end(&mut self, outcome: Result<(), sqlx::Error>) {
        self.since = None;
        self.broken |= outcome.is_err();
        let outcome = outcome.map_err(Arc::new);
        for one in self.waiting.drain(..) {
            // The member may have been cancelled.
            let _ = one.send(outcome.clone());
        }
    }
}

#[cfg(test)]
mod tests;
