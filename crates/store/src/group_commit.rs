//! SQLite's one writer. Transactions that come at the same time follow each other in one transaction of the database,
//! each in a savepoint of its own, and one commit, which waits for the disk, is for all of them: nobody is told
//! of success before it. What fails goes back to its savepoint and leaves the others alone; when the commit fails,
//! none of them has happened. Who keeps nothing has yet seen what the others want to keep, and tells of it: that it is
//! gone, that it is there already. So nobody is answered before that commit ([`settled`]).
//!
//! Whoever commits waits in the line like everybody else, so all who were in it before belong to the group. Who is alone
//! does not: their last statements and the commit are handed over together.
//! A request may go away at any moment, also in the middle of a statement. So it leaves what it was at
//! ([`Step`]), and what has to be done then, and the commit, are tasks that nobody can end.

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

/// How long a group may take others in: the first of it waits for the last.
const OPEN: Duration = Duration::from_millis(20);

/// What became of the commit of a group.
type Outcome = Result<(), Arc<sqlx::Error>>;

tokio::task_local! {
    /// The commits of what a request has seen of others.
    static SEEN: RefCell<Vec<oneshot::Receiver<Outcome>>>;
}

/// Does the work of a request, and waits until all that it has seen of others is kept. The error says that it is not.
pub async fn settled<T>(work: impl Future<Output = T>) -> Result<T, Error> {
    let waiting = async {
        let done = work.await;
        for commit in SEEN.with(RefCell::take) {
            told(commit).await?;
        }
        Ok(done)
    };
    SEEN.scope(RefCell::default(), waiting).await
}

async fn told(commit: oneshot::Receiver<Outcome>) -> Result<(), sqlx::Error> {
    match commit.await {
        Ok(outcome) => outcome.map_err(|error| sqlx::Error::AnyDriverError(Box::new(Shared(error)))),
        Err(_) => Err(sqlx::Error::WorkerCrashed),
    }
}

/// The writer, which one transaction has at a time; the others wait in line.
struct Line {
    /// Nothing when it is closed.
    writer: Arc<Mutex<Option<Writer>>>,
    /// How many are about to join.
    joining: AtomicUsize,
}

/// Somebody who is about to join.
struct Joining<'l>(&'l AtomicUsize);

impl Joining<'_> {
    fn of(line: &Line) -> Joining<'_> {
        line.joining.fetch_add(1, Relaxed);
        Joining(&line.joining)
    }
}

impl Drop for Joining<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// The line in front of the writer. Clones share it.
#[derive(Clone)]
pub(crate) struct GroupCommit {
    line: Arc<Line>,
    /// How long is waited for one's turn.
    wait: Duration,
}

/// The connection that writes.
struct Writer {
    connection: AnyConnection,
    /// Makes connections.
    pool: AnyPool,
    /// Since when a transaction is open.
    since: Option<Instant>,
    /// Those whose work is in it, who wait for its commit. Without any, all of it belongs to whom it is the turn of.
    waiting: Vec<oneshot::Sender<Outcome>>,
    /// What somebody was at who went away.
    left: Option<Step>,
    /// Whether somebody stands in line to commit.
    closing: bool,
    /// Whether nobody knows what state the connection is in.
    broken: bool,
}

/// What a member of the group is at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Its savepoint may be there or not, and with it what it asked first.
    Opening,
    Open,
    /// Its last statements are run. Its savepoint may be there or not; in that case its work belongs to the transaction.
    Releasing,
}

/// A transaction in the group, whose turn it is.
pub(crate) struct Member {
    writer: OwnedMappedMutexGuard<Option<Writer>, Writer>,
    line: Arc<Line>,
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
        Ok(GroupCommit { line: Arc::new(Line { writer, joining: AtomicUsize::new(0) }), wait })
    }

    /// Waits for its turn and begins a transaction with these statements. When it is dropped without
    /// [`Member::commit`], it leaves nothing.
    pub(crate) async fn join(&self, first: impl FnOnce(&mut Statements)) -> Result<(Member, Answers), sqlx::Error> {
        let joining = Joining::of(&self.line);
        let turn = timeout(self.wait, Arc::clone(&self.line.writer).lock_owned()).await;
        let turn = turn.map_err(|_| sqlx::Error::PoolTimedOut)?;
        drop(joining);
        let mut writer = OwnedMutexGuard::try_map(turn, Option::as_mut).map_err(|_| sqlx::Error::PoolClosed)?;
        if writer.broken || writer.left.is_some() || writer.since.is_some_and(|since| since.elapsed() > OPEN) {
            let tidying = tokio::spawn(async move { writer.tidy().await.map(|()| writer) });
            writer = tidying.await.map_err(|_| sqlx::Error::WorkerCrashed)??;
        }
        let mut member = Member { writer, line: Arc::clone(&self.line), step: Some(Step::Opening) };
        let begin = if member.writer.since.is_some() { "savepoint member" } else { "begin immediate" };
        let mut statements = Statements::new(Dialect::Sqlite);
        first(statements.add(begin));
        let mut answers = statements.run(&mut member).await?;
        answers.row();
        member.writer.since.get_or_insert_with(Instant::now);
        member.step = Some(Step::Open);
        Ok((member, answers))
    }

    /// The connection, when nobody needs it and nothing is open on it. It has at hand what was changed last, which any
    /// other has to read anew after every change.
    pub(crate) fn idle(&self) -> Option<impl DerefMut<Target = AnyConnection> + use<>> {
        let writer = Arc::clone(&self.line.writer).try_lock_owned().ok()?;
        let writer = OwnedMutexGuard::try_map(writer, Option::as_mut).ok()?;
        let is_idle = writer.since.is_none() && writer.left.is_none() && !writer.broken;
        is_idle.then(|| OwnedMappedMutexGuard::map(writer, |writer| &mut writer.connection))
    }

    /// Commits what waits for it, and closes the connection.
    pub(crate) async fn close(&self) {
        if let Some(mut writer) = self.line.writer.lock().await.take() {
            writer.commit().await;
            let _ = writer.connection.close().await;
            writer.pool.close().await;
        }
    }
}

impl Member {
    /// Ends with these statements, and waits until everything is on disk.
    pub(crate) async fn commit(mut self, mut last: Statements) -> Result<(), sqlx::Error> {
        if self.writer.waiting.is_empty() && self.line.joining.load(Relaxed) == 0 {
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
        let (tell, commit) = oneshot::channel();
        self.writer.waiting.push(tell);
        self.step = None;
        drop(self);
        told(commit).await
    }

    /// As [`Member::commit`], in one go, for a transaction with which there is no other.
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
            let (tell, commit) = oneshot::channel();
            // Work that answers nobody tells of nothing.
            if SEEN.try_with(|seen| seen.borrow_mut().push(commit)).is_ok() {
                self.writer.waiting.push(tell);
            }
        }
        // Without a runtime the process ends.
        if (self.writer.since.is_some() || self.step.is_some())
            && !self.writer.closing
            && let Ok(runtime) = Handle::try_current()
        {
            self.writer.closing = true;
            let line = Arc::clone(&self.line);
            runtime.spawn(async move {
                if let Some(writer) = line.writer.lock().await.as_mut() {
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

/// What must not end in the middle is done in tasks of their own.
impl Writer {
    async fn run(&mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        sqlx::query(statement).execute(&mut self.connection).await.map(drop)
    }

    /// Makes it ready for the next one, who begins a new group when this one is old enough.
    async fn tidy(&mut self) -> Result<(), sqlx::Error> {
        self.undo().await;
        if self.since.is_some_and(|since| since.elapsed() > OPEN) {
            self.commit().await;
        }
        if self.broken {
            self.connection = self.pool.acquire().await?.detach();
            self.broken = false;
        }
        Ok(())
    }

    /// Takes back what somebody left who went away.
    async fn undo(&mut self) {
        let Some(step) = self.left.take() else { return };
        if self.waiting.is_empty() {
            self.since = None;
            // It fails where none was begun, or the database took it back by itself, as on a full disk.
            self.broken |= self.run("rollback").await.is_err();
            return;
        }
        match self.run("rollback to member").await {
            Ok(()) => {
                if let Err(error) = self.run("release member").await {
                    self.end(Err(error));
                }
            }
            // The database has taken back the whole transaction by itself: another can be begun.
            Err(error) if step == Step::Open || self.run("begin").await.is_ok() => self.end(Err(error)),
            // There is no savepoint yet, or none any more.
            Err(_) => {}
        }
    }

    /// Commits what waits for it.
    async fn commit(&mut self) {
        self.undo().await;
        if self.since.is_some() {
            let outcome = self.run("commit").await;
            self.end(outcome);
        }
    }

    /// The end of a transaction.
    fn end(&mut self, outcome: Result<(), sqlx::Error>) {
        self.since = None;
        self.broken |= outcome.is_err();
        let outcome = outcome.map_err(Arc::new);
        for one in self.waiting.drain(..) {
            // Who went away needs no answer.
            let _ = one.send(outcome.clone());
        }
    }
}

#[cfg(test)]
mod tests;
