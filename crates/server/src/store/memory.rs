//! What a process remembers of callers, so that most reads need not ask a database that processes share.
//!
//! One process at a time remembers: the one that has a lease for it, which it renews while it is of use. Any other that
//! changes something ends that lease, and waits until it is over before it goes on; then nobody remembers for a while.
//! What is remembered was read while nobody could change it, and is forgotten with the first change of the process
//! itself. So what is remembered is what the database has at that moment. With SQLite, nothing is remembered.

use super::callers::{Known, Question, look_up};
use super::statements::{Answers, Statements};
use super::{Dialect, Store};
use crate::clock::now;
use crate::secret::new_id;
use sqlx::AnyPool;
use std::collections::HashMap;
use std::slice::from_ref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::time::{Instant, sleep, timeout};

/// How long a lease is good. Who changes something while another process has it waits so long.
const TERM: Duration = Duration::from_secs(1);
/// How long nobody has it after that.
const REST: Duration = Duration::from_mins(5);
/// How long a process that was refused waits before it asks again.
const PAUSE: Duration = Duration::from_secs(2);
/// How often the same was asked in a row before it is remembered.
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
    /// Good while the lease is.
    known: HashMap<Question, Known>,
    /// How often the database was asked since the last change.
    asked: HashMap<Question, u32>,
    lease: Option<Lease>,
    /// When it is tried again to have the lease.
    rest: Option<Instant>,
    /// Changes of this process.
    changes: u64,
    /// Whether a task takes or renews the lease, or reads what is to be remembered.
    busy: bool,
}

/// When the lease is over. It is over when either clock says so: one stands still while a machine is suspended, and the
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

    fn has(&self, rest: Duration) -> bool {
        Instant::now() + rest < self.until && SystemTime::now() + rest < self.until_of_the_day
    }
}

impl State {
    fn is_held(&self) -> bool {
        self.lease.is_some_and(|lease| lease.has(Duration::ZERO))
    }
}

/// How a lease is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asking {
    /// Anew: another process may have had one in between.
    Take,
    /// The same one for longer.
    Renew,
}

/// What has to be done beside the request.
#[derive(Debug, PartialEq, Eq)]
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
        let is_good = |known: &&Known| known.token.expires_on.as_ref().is_none_or(|end| *end > now());
        let Some(known) = state.known.get(question).filter(is_good).cloned() else { return (None, Errand::Nothing) };
        let Some(lease) = state.lease.filter(|lease| lease.has(Duration::ZERO)) else { return (None, Errand::Nothing) };
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
        if *times < OFTEN || state.busy || state.rest.is_some_and(|rest| Instant::now() < rest) {
            return Errand::Nothing;
        }
        state.busy = true;
        Errand::Remember
    }

    /// Forgets everything: the process changes something. It has the lock of what it changes, so that what is read from
    /// now on to be remembered is read after the change.
    pub(super) fn forget(&self) {
        let mut state = self.state();
        state.changes += 1;
        state.known.clear();
        state.asked.clear();
    }

    /// Remembers what was read while nobody could change it, unless this process has changed something since, or had
    /// no lease all the time.
    fn keep(&self, changes: u64, question: &Question, known: Known) {
        let mut state = self.state();
        if state.changes == changes && state.is_held() {
            if state.known.len() >= MOST {
                state.known.clear();
            }
            state.known.insert(question.clone(), known);
        }
    }

    /// Notes what became of asking for the lease. Only what was remembered under the same lease is still good.
    fn given(&self, lease: Lease, how: Asking, is_given: bool) {
        let mut state = self.state();
        if how == Asking::Take || !is_given || !state.is_held() {
            state.known.clear();
        }
        state.lease = is_given.then_some(lease);
        state.rest = (!is_given).then(|| Instant::now() + PAUSE);
    }
}

/// Ends when the task does, however that ends.
struct Busy(Memory);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.state().busy = false;
    }
}

/// The time of the database.
macro_rules! now_there {
    () => {
        "cast(extract(epoch from clock_timestamp()) * 1000 as bigint)"
    };
}

/// Gives the lease, if it may be had at all and on a condition about the time, which is put between the two texts.
macro_rules! give {
    ($before:literal, $after:literal) => {
        concat!(
            "update memory_lease set holder = $1, until = ",
            now_there!(),
            " + $2 where rest_until <= ",
            now_there!(),
            " and ",
            $before,
            now_there!(),
            $after
        )
    };
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
        // An account without zones may be removed without the lock of the account.
        let has_zone = known.is_some_and(|known| known.zone.is_some());
        if let Some(memory) = self.memory.as_ref().filter(|_| has_zone) {
            self.run(memory, memory.asked(question), question);
        }
    }

    fn run(&self, memory: &Memory, errand: Errand, question: &Question) {
        let (pool, memory, question) = (self.pool.clone(), memory.clone(), question.clone());
        // What fails is tried again by those who come later.
        match errand {
            Errand::Nothing => {}
            Errand::Renew => {
                drop(tokio::spawn(async move { Busy(memory).0.ask_for_lease(&pool, Asking::Renew).await }))
            }
            Errand::Remember => drop(tokio::spawn(async move { Busy(memory).0.remember(&pool, &question).await })),
        }
    }
}

impl Memory {
    async fn ask_for_lease(&self, pool: &AnyPool, how: Asking) -> Result<(), sqlx::Error> {
        let lease = Lease::begin();
        let statement = match how {
            Asking::Take => give!("(holder = $1 or until <= ", ")"),
            Asking::Renew => give!("(holder = $1 and until > ", ")"),
        };
        let given = sqlx::query(statement).bind(self.0.holder.clone()).bind(milliseconds(TERM)).execute(pool).await?;
        self.given(lease, how, given.rows_affected() == 1);
        Ok(())
    }

    /// Reads under the locks of whatever the answer depends on. When somebody has one, it is not the time for it.
    async fn remember(&self, pool: &AnyPool, question: &Question) -> Result<(), sqlx::Error> {
        let (changes, is_held) = {
            let state = self.state();
            (state.changes, state.is_held())
        };
        if !is_held {
            self.ask_for_lease(pool, Asking::Take).await?;
            if !self.state().is_held() {
                return Ok(());
            }
        }
        let mut transaction = pool.begin().await?;
        let lock = "select z.id from accounts a join zones z on z.account_id = a.id where z.id = $1
                    for update skip locked";
        let locked = sqlx::query(lock).bind(question.zone.clone()).fetch_optional(&mut *transaction).await?;
        let known = match locked {
            Some(_) => look_up(&mut transaction, from_ref(question)).await?.remove(question),
            None => None,
        };
        transaction.rollback().await?;
        if let Some(known) = known.filter(|known| known.zone.is_some()) {
            self.keep(changes, question, known);
        }
        Ok(())
    }

    /// Gives the lease back, so that nobody waits for its end.
    pub(super) async fn close(&self, pool: &AnyPool) {
        let held = self.state().lease.take().is_some_and(|lease| lease.has(Duration::ZERO));
        if held {
            let back = "update memory_lease set until = 0 where holder = $1";
            let back = sqlx::query(back).bind(self.0.holder.clone()).execute(pool);
            // Otherwise it ends by itself.
            let _ = timeout(TERM, back).await;
        }
    }

    /// Asks how long another process still remembers; [`Memory::read`] has the answer. Whoever asks has the lock of
    /// what it changes.
    pub(super) fn ask(&self, statements: &mut Statements) {
        let question = concat!("select until - ", now_there!(), " from memory_lease where holder <> $1");
        statements.ask(question).bind(self.0.holder.clone());
    }

    /// Whether another process still remembers.
    pub(super) fn read(answers: &mut Answers) -> Result<bool, sqlx::Error> {
        Ok(answers.answer::<Option<i64>>()?.is_some_and(|left| left > 0))
    }

    /// Waits until no other process remembers. Those that come meanwhile wait no longer than that.
    pub(super) async fn outwait(&self, pool: &AnyPool) -> Result<(), sqlx::Error> {
        let statement = concat!(
            "update memory_lease set until = ",
            now_there!(),
            " + $2, rest_until = ",
            now_there!(),
            " + $3 where holder <> $1 and until > ",
            now_there!(),
            " and rest_until <= ",
            now_there!()
        );
        sqlx::query(statement)
            .bind(self.0.holder.clone())
            .bind(milliseconds(TERM))
            .bind(milliseconds(TERM + REST))
            .execute(pool)
            .await?;
        sleep(TERM).await;
        Ok(())
    }
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Grants;
    use crate::store::{Found, Token};
    use zonewright_api::zone::{Account, Plan, Zone};
    use zonewright_expression::schema::Tier;

    fn memory() -> Memory {
        Memory::new(Dialect::Postgres).unwrap().unwrap()
    }

    fn question(zone: &str) -> Question {
        Question { digest: "digest".to_owned(), zone: zone.to_owned() }
    }

    fn known(expires_on: Option<&str>) -> Known {
        let account = || Account { id: "a".to_owned(), name: "Mine".to_owned() };
        let (id, account_id, expires_on) = ("t".to_owned(), account().id, expires_on.map(str::to_owned));
        let zone = Zone {
            id: "z".to_owned(),
            name: "a.example".to_owned(),
            status: "active".to_owned(),
            paused: false,
            account: account(),
            plan: Plan { name: Tier::Pro.title().to_owned(), legacy_id: Tier::Pro.name().to_owned() },
        };
        let found = Found { zone: Arc::new(zone), tier: Tier::Pro, changes: 7 };
        Known { token: Arc::new(Token { id, account_id, expires_on, grants: Grants::All }), zone: Some(found) }
    }

    /// One with a lease, which remembers something of the zone `z`.
    fn warm() -> Memory {
        let memory = memory();
        memory.given(Lease::begin(), Asking::Take, true);
        memory.keep(0, &question("z"), known(None));
        assert!(memory.get(&question("z")).0.is_some());
        memory
    }

    fn remembers(memory: &Memory) -> bool {
        memory.get(&question("z")).0.is_some()
    }

    /// A lease with so much time left.
    fn left(time: Duration) -> Lease {
        Lease { until: Instant::now() + time, until_of_the_day: SystemTime::now() + time }
    }

    #[test]
    fn it_is_for_databases_that_are_shared() {
        assert!(Memory::new(Dialect::Sqlite).unwrap().is_none());
    }

    #[test]
    fn what_is_asked_for_often_is_worth_it_and_one_task_is_at_it() {
        let memory = memory();
        for _ in 1..OFTEN {
            assert_eq!(memory.asked(&question("z")), Errand::Nothing);
        }
        assert_eq!(memory.asked(&question("other")), Errand::Nothing);
        assert_eq!(memory.asked(&question("z")), Errand::Remember);
        assert_eq!(memory.asked(&question("z")), Errand::Nothing);
        drop(Busy(memory.clone()));
        assert_eq!(memory.asked(&question("z")), Errand::Remember);
        drop(Busy(memory.clone()));
        memory.forget();
        assert_eq!(memory.asked(&question("z")), Errand::Nothing, "it was changed since");
    }

    #[test]
    fn who_was_refused_does_not_ask_again_at_once() {
        let memory = memory();
        memory.given(Lease::begin(), Asking::Take, false);
        for _ in 0..2 * OFTEN {
            assert_eq!(memory.asked(&question("z")), Errand::Nothing);
        }
        memory.state().rest = Some(Instant::now());
        assert_eq!(memory.asked(&question("z")), Errand::Remember);
    }

    #[test]
    fn nothing_is_kept_beyond_the_lease_or_a_change() {
        assert!(remembers(&warm()));
        let lost = warm();
        lost.state().lease = Some(left(Duration::ZERO));
        assert!(!remembers(&lost));
        // A clock that was stopped, and one that was set.
        for (until, of_the_day) in [(TERM, Duration::ZERO), (Duration::ZERO, TERM)] {
            let lost = warm();
            let until_of_the_day = SystemTime::now() + of_the_day;
            lost.state().lease = Some(Lease { until: Instant::now() + until, until_of_the_day });
            assert!(!remembers(&lost));
        }
        let changed = warm();
        changed.forget();
        assert!(!remembers(&changed));
        // What was read before the change comes too late, and what was read without a lease.
        changed.keep(0, &question("z"), known(None));
        assert!(!remembers(&changed));
        changed.keep(1, &question("z"), known(None));
        assert!(remembers(&changed));
        let without = memory();
        without.keep(0, &question("z"), known(None));
        without.given(Lease::begin(), Asking::Renew, true);
        assert!(!remembers(&without));
    }

    #[test]
    fn only_the_same_lease_keeps_what_is_remembered() {
        for (left_over, how, is_given, stays) in [
            (TERM, Asking::Renew, true, true),
            (TERM, Asking::Renew, false, false),
            (TERM, Asking::Take, true, false),
            (Duration::ZERO, Asking::Renew, true, false),
        ] {
            let memory = warm();
            memory.state().lease = Some(left(left_over));
            memory.given(Lease::begin(), how, is_given);
            assert_eq!(remembers(&memory), stays, "{left_over:?} {how:?} {is_given}");
        }
    }

    #[test]
    fn a_lease_is_renewed_once_when_half_of_it_is_over() {
        let memory = warm();
        assert_eq!(memory.get(&question("z")).1, Errand::Nothing);
        memory.state().lease = Some(left(TERM / 3));
        assert_eq!(memory.get(&question("other")).1, Errand::Nothing, "it was of no use");
        assert_eq!(memory.get(&question("z")).1, Errand::Renew);
        assert_eq!(memory.get(&question("z")).1, Errand::Nothing);
    }

    #[test]
    fn a_token_ends_in_memory_too() {
        let memory = warm();
        for (expires_on, is_known) in [(Some("2020-01-01T00:00:00Z"), false), (Some("2999-01-01T00:00:00Z"), true)] {
            memory.keep(0, &question("z"), known(expires_on));
            assert_eq!(remembers(&memory), is_known);
        }
    }

    #[test]
    fn there_is_a_bound() {
        let memory = warm();
        for number in 0..MOST * 3 / 2 {
            memory.keep(0, &question(&number.to_string()), known(None));
            memory.asked(&question(&number.to_string()));
        }
        let state = memory.state();
        assert!(state.known.len() <= MOST && state.asked.len() <= MOST && state.known.len() > 1);
    }
}
