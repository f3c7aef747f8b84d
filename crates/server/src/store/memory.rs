//! What a process remembers of callers, so that most reads need not ask a database that processes share.
//!
//! One process at a time remembers: the one that has a lease for it, which it renews while that is of use. Any other that
//! changes something takes the lease away, and waits until it is over before it goes on; then nobody remembers for a while.
//! What is remembered was read while nobody could change it, and is forgotten when the process itself begins to change
//! it. So what is remembered is what the database has at that moment. With SQLite, nothing is remembered.
//!
//! That the lease was given is a row of the database, and stays there until it is taken away or given back: it does not
//! end by a clock that processes would have to share. When it is over, the process that has it says by its own clocks.

use super::callers::{Known, Question, look_up};
use super::statements::{Answers, Statements};
use super::{Dialect, Scope, Store};
use crate::clock::now;
use crate::secret::new_id;
use sqlx::{AnyPool, Row};
use std::collections::HashMap;
use std::slice::from_ref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::time::{Instant, sleep, timeout};

/// How long who changes something waits for the end of a lease that was taken away.
const WAIT: Duration = Duration::from_secs(1);
/// How long a lease is good without being renewed. Clocks need not run equally fast.
const TERM: Duration = Duration::from_millis(800);
/// How long nobody has a lease, at least, after one was taken away.
const REST: Duration = Duration::from_mins(5);
/// How long a process waits after it could not remember something.
const PAUSE: Duration = Duration::from_secs(2);
/// How long something is remembered at most, about: who changes the database by hand, as to remove a token, is heard as well.
const AGE: Duration = Duration::from_secs(10);
/// How often the same was asked since the last change before it is remembered.
const OFTEN: u32 = 8;
/// How many callers and zones are remembered.
const MOST: usize = 4096;

/// What a process remembers. Clones share it.
#[derive(Clone)]
pub(super) struct Memory(Arc<Shared>);

struct Shared {
    /// Who this is to other processes.
    holder: String,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Good while the lease is, and since when it is known.
    known: HashMap<Question, (Known, Instant)>,
    /// How often the database was asked since the last change.
    asked: HashMap<Question, u32>,
    lease: Option<Lease>,
    /// When the next thing may be remembered.
    rest: Option<Instant>,
    /// Changes of this process.
    changes: u64,
    /// Whether a task renews the lease, or reads what is to be remembered.
    busy: bool,
    is_closed: bool,
}

/// When the lease is over. It is over when either clock says so: one stands still while a system is suspended, and the
/// other can be set.
#[derive(Clone, Copy)]
struct Lease {
    until: Instant,
    until_of_the_day: SystemTime,
}

impl Lease {
    /// One that is asked for from now on.
    fn begin() -> Lease {
        Lease { until: Instant::now() + TERM, until_of_the_day: SystemTime::now() + TERM }
    }

    /// Whether there is more than this left of it.
    fn has(&self, left: Duration) -> bool {
        Instant::now() + left < self.until && SystemTime::now() + left < self.until_of_the_day
    }
}

impl State {
    /// The lease, if it is not over.
    fn held(&self) -> Option<Lease> {
        self.lease.filter(|lease| lease.has(Duration::ZERO))
    }
}

/// What has to be done beside the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Errand {
    Nothing,
    Renew,
    Remember,
}

impl Memory {
    /// Nothing with a database of one process.
    pub(super) fn new(dialect: Dialect) -> Result<Option<Memory>, sqlx::Error> {
        if dialect == Dialect::Sqlite {
            return Ok(None);
        }
        let holder = new_id().map_err(|error| sqlx::Error::Io(std::io::Error::other(error)))?;
        Ok(Some(Memory(Arc::new(Shared { holder, state: Mutex::default() }))))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known, if it is remembered.
    fn get(&self, question: &Question) -> (Option<Known>, Errand) {
        let mut state = self.state();
        let Some(lease) = state.held() else { return (None, Errand::Nothing) };
        let Some((known, since)) = state.known.get(question).cloned() else { return (None, Errand::Nothing) };
        if since.elapsed() > AGE || known.token.expires_on.as_ref().is_some_and(|end| *end <= now()) {
            return (None, Errand::Nothing);
        }
        if lease.has(TERM / 2) || state.busy {
            return (Some(known), Errand::Nothing);
        }
        state.busy = true;
        (Some(known), Errand::Renew)
    }

    /// Notes that the database was asked.
    fn asked(&self, question: &Question) -> Errand {
        let mut state = self.state();
        if state.asked.len() >= MOST {
            state.asked.clear();
        }
        let times = state.asked.entry(question.clone()).or_default();
        *times = times.saturating_add(1);
        if *times < OFTEN || state.busy || state.is_closed || state.rest.is_some_and(|rest| Instant::now() < rest) {
            return Errand::Nothing;
        }
        state.busy = true;
        Errand::Remember
    }

    /// Forgets what a change of this process may change. The process has the lock of the scope, so that whatever is read
    /// from now on to be remembered is read after the change.
    pub(super) fn forget(&self, scope: &Scope) {
        let mut state = self.state();
        state.changes += 1;
        if let Scope::Zone(zone) = scope {
            state.known.retain(|question, _| question.zone != *zone);
            state.asked.retain(|question, _| question.zone != *zone);
        } else {
            state.known.clear();
            state.asked.clear();
        }
    }

    /// Remembers what was read while nobody could change it, unless this process has changed something since, or had
    /// no lease all the time.
    fn keep(&self, changes: u64, question: &Question, known: Known) {
        let mut state = self.state();
        if state.changes == changes && state.held().is_some() {
            if state.known.len() >= MOST {
                state.known.clear();
            }
            state.known.insert(question.clone(), (known, Instant::now()));
            state.rest = None;
        }
    }

    /// Notes whether the lease was given. What was remembered under one that was over may have been changed.
    fn given(&self, lease: Lease, is_given: bool) {
        let mut state = self.state();
        if !is_given || state.held().is_none() {
            state.known.clear();
        }
        state.lease = Some(lease).filter(|_| is_given && !state.is_closed);
    }
}

/// Ends when the task does, however that ends.
struct Busy(Memory);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.state().busy = false;
    }
}

impl Store {
    /// As [`Store::token_and_zone`], from memory. Nothing when it is not remembered.
    pub(super) fn remembered(&self, question: &Question) -> Option<Known> {
        let memory = self.memory.as_ref()?;
        let (known, errand) = memory.get(question);
        self.run(memory, errand, question);
        known.inspect(|_| {
            self.metrics.remembered.inc();
        })
    }

    /// Notes what the database has answered.
    pub(super) fn note_answer(&self, question: &Question, known: Option<&Known>) {
        // Callers without a zone are not remembered: who deletes an account takes the lease away before it locks the
        // account, but that has no zones then, and zones are deleted under the lock of the account.
        let has_zone = known.is_some_and(|known| known.zone.is_some());
        if let Some(memory) = self.memory.as_ref().filter(|_| has_zone) {
            self.run(memory, memory.asked(question), question);
        }
    }

    fn run(&self, memory: &Memory, errand: Errand, question: &Question) {
        if errand == Errand::Nothing {
            return;
        }
        let (pool, busy, question) = (self.pool.clone(), Busy(memory.clone()), question.clone());
        tokio::spawn(async move {
            // What fails is tried again by those who come later.
            let _ = timeout(WAIT, busy.0.run(&pool, errand, &question)).await;
        });
    }
}

impl Memory {
    async fn run(&self, pool: &AnyPool, errand: Errand, question: &Question) -> Result<(), sqlx::Error> {
        if errand == Errand::Renew {
            return self.ask_for_lease(pool).await;
        }
        let (changes, is_held) = {
            let mut state = self.state();
            state.rest = Some(Instant::now() + PAUSE);
            (state.changes, state.held().is_some())
        };
        if !is_held {
            self.ask_for_lease(pool).await?;
        }
        if self.state().held().is_none() {
            return Ok(());
        }
        if let Some(known) = read_locked(pool, question).await?.filter(|known| known.zone.is_some()) {
            self.keep(changes, question, known);
        }
        Ok(())
    }

    /// Takes the lease when nobody has it, or renews it.
    async fn ask_for_lease(&self, pool: &AnyPool) -> Result<(), sqlx::Error> {
        let lease = Lease::begin();
        let statement = concat!(
            "update memory_lease set holder = $1 where holder in ('', $1) and rest_until <= ",
            "cast(extract(epoch from clock_timestamp()) * 1000 as bigint)"
        );
        let given = sqlx::query(statement).bind(self.0.holder.clone()).execute(pool).await?;
        self.given(lease, given.rows_affected() == 1);
        Ok(())
    }

    /// Gives the lease back, so that nobody waits for its end.
    pub(super) async fn close(&self, pool: &AnyPool) {
        let lease = {
            let mut state = self.state();
            state.is_closed = true;
            state.lease.take()
        };
        if lease.is_some() {
            let back = "update memory_lease set holder = '' where holder = $1";
            let back = sqlx::query(back).bind(self.0.holder.clone()).execute(pool);
            // Otherwise the next change waits for it.
            let _ = timeout(WAIT, back).await;
        }
    }
}

/// Reads under the locks of whatever the answer depends on. When somebody has one, it is not the time for it. Who changes
/// something has to see, once it has its lock, what was committed before; other isolations show what was before that, and
/// all connections are set the same way.
async fn read_locked(pool: &AnyPool, question: &Question) -> Result<Option<Known>, sqlx::Error> {
    let mut transaction = pool.begin().await?;
    // A process that stops here keeps nobody waiting for long.
    sqlx::raw_sql("set local idle_in_transaction_session_timeout = '1s'").execute(&mut *transaction).await?;
    let lock = "select z.id from accounts a join zones z on z.account_id = a.id
                where z.id = $1 and current_setting('transaction_isolation') = 'read committed'
                for update skip locked";
    let locked = sqlx::query(lock).bind(question.zone.clone()).fetch_optional(&mut *transaction).await?;
    let known = match locked {
        Some(_) => look_up(&mut transaction, from_ref(question)).await?.remove(question),
        None => None,
    };
    transaction.rollback().await?;
    Ok(known)
}

impl Memory {
    /// Asks who has the lease, for [`Memory::take_away`]. Whoever asks has the lock of its scope.
    pub(super) fn ask(statements: &mut Statements) {
        statements.ask("select holder from memory_lease");
    }

    /// The holder, if another process may remember something.
    pub(super) fn elsewhere(&self, answers: &mut Answers) -> Result<Option<String>, sqlx::Error> {
        let holder = answers.answer::<Option<String>>()?;
        Ok(holder.filter(|holder| !holder.is_empty() && *holder != self.0.holder))
    }

    /// Takes the lease away from another process, and waits until it is over. While somebody waits, or when it has ended
    /// meanwhile, the holder is `-` and what nobody else had before, and whoever finds that waits as well. It ends for
    /// that one taking alone: who comes late does not end the waiting for another lease.
    pub(super) async fn take_away(&self, mut holder: String, pool: &AnyPool) -> Result<(), sqlx::Error> {
        while !holder.starts_with('-') {
            let taken = format!("-{}", new_id().map_err(|error| sqlx::Error::Io(std::io::Error::other(error)))?);
            let statement = concat!(
                "update memory_lease set holder = $1, rest_until = ",
                "cast(extract(epoch from clock_timestamp()) * 1000 as bigint) + $2 where holder = $3"
            );
            let rest = i64::try_from(REST.as_millis()).unwrap_or(i64::MAX / 2);
            let take = sqlx::query(statement).bind(taken.clone()).bind(rest).bind(holder);
            if take.execute(pool).await?.rows_affected() == 1 {
                holder = taken;
                break;
            }
            // Somebody was faster, or it was given back.
            holder = sqlx::query("select holder from memory_lease").fetch_one(pool).await?.try_get(0)?;
            if holder.is_empty() || holder == self.0.holder {
                return Ok(());
            }
        }
        let pool = pool.clone();
        // It comes to its end also when who waits goes away.
        let waiting = tokio::spawn(async move {
            sleep(WAIT).await;
            let end = sqlx::query("update memory_lease set holder = '' where holder = $1").bind(holder);
            // Otherwise the next one waits, and ends it.
            let _ = timeout(WAIT, end.execute(&pool)).await;
        });
        waiting.await.map_err(|_| sqlx::Error::WorkerCrashed)
    }
}

#[cfg(test)]
mod tests;
