//! Who is calling, and the zone they ask for: the question that nearly every request begins with.
//!
//! Questions that wait are put to the database together, on a connection that is kept for them (with SQLite also on the
//! writer's, when it is idle), so that many at once cost little more than one. A question is put after it was asked, never before: no answer is older than its request.

use super::failure::{Failure, Shared};
use super::group::Group;
use super::tokens::read_grants;
use super::zones::{columns_of_found, found};
use super::{Found, Store, Token};
use crate::access::Grants;
use crate::clock::now;
use crate::secret::{digest, same};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AnyPool, Connection, Row};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::mem::take;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::yield_now;
use tokio::time::timeout;

/// Questions of one statement: the smallest of these that has room, as each size is a statement to prepare.
const SIZES: [usize; 4] = [1, 4, 16, 64];

/// A token by its digest, and the identifier of a zone; empty for none.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Question {
    pub(super) digest: String,
    pub(super) zone: String,
}

/// A token that has not ended, and the zone when it is one of the token's account.
#[derive(Clone)]
pub(crate) struct Known {
    pub(crate) token: Arc<Token>,
    pub(crate) zone: Option<Found>,
}

type Outcome = Result<Option<Known>, sqlx::Error>;

/// Those who wait, by what they ask. Clones share it.
#[derive(Clone)]
pub(super) struct Callers(Arc<Line>);

struct Line {
    waiting: Mutex<Waiting>,
    /// Nothing before the first question, and after a failure.
    connection: tokio::sync::Mutex<Option<AnyConnection>>,
    /// With SQLite, the connection that writes is asked when it is idle.
    writer: Option<Group>,
    /// Makes connections.
    pool: AnyPool,
    /// How long is waited for an answer.
    wait: Duration,
}

#[derive(Default)]
struct Waiting {
    questions: HashMap<Question, Vec<oneshot::Sender<Outcome>>>,
    /// The same questions, as they came.
    order: VecDeque<Question>,
    /// Whether a task puts them to the database.
    running: bool,
    /// Whether more than one waited last time.
    crowded: bool,
}

impl Store {
    /// A token that has not ended. It is looked up by its digest: how long that takes tells nothing about the
    /// token.
    pub(crate) async fn token(&self, token: &str) -> Result<Option<Arc<Token>>, sqlx::Error> {
        Ok(self.token_and_zone(token, "").await?.map(|known| known.token))
    }

    /// As [`Store::token`], and the zone of this identifier.
    pub(crate) async fn token_and_zone(&self, token: &str, zone: &str) -> Outcome {
        let question = Question { digest: digest(token), zone: zone.to_owned() };
        self.callers.ask(question).await
    }
}

impl Callers {
    pub(super) fn new(pool: AnyPool, writer: Option<Group>, wait: Duration) -> Callers {
        let (waiting, connection) = (Mutex::default(), tokio::sync::Mutex::default());
        Callers(Arc::new(Line { waiting, connection, writer, pool, wait }))
    }

    /// Waits for the answer, for a bounded time. Whoever stops waiting disturbs nobody.
    async fn ask(&self, question: Question) -> Outcome {
        let (tell, told) = oneshot::channel();
        let begin = {
            let mut waiting = self.0.waiting();
            let waiting = &mut *waiting;
            match waiting.questions.entry(question) {
                Entry::Occupied(mut others) => others.get_mut().push(tell),
                Entry::Vacant(first) => {
                    waiting.order.push_back(first.key().clone());
                    first.insert(vec![tell]);
                }
            }
            !std::mem::replace(&mut waiting.running, true)
        };
        if begin {
            tokio::spawn(Running { line: Arc::clone(&self.0), ended: false }.run());
        }
        let told = timeout(self.0.wait, told).await.map_err(|_| sqlx::Error::PoolTimedOut)?;
        told.unwrap_or(Err(sqlx::Error::WorkerCrashed))
    }

    /// Ends the connection; the pool belongs to others, too.
    pub(super) async fn close(&self) {
        if let Some(connection) = self.0.connection.lock().await.take() {
            let _ = connection.close().await;
        }
    }
}

/// The task that asks, for as long as there are questions.
struct Running {
    line: Arc<Line>,
    /// Whether there were no more questions; the next one begins another task.
    ended: bool,
}

impl Running {
    async fn run(mut self) {
        loop {
            // Whatever else has come in asks first. One alone has nobody to wait for.
            if self.line.waiting().crowded {
                yield_now().await;
            }
            let Some(mut asked) = self.next() else { break };
            let questions: Vec<Question> = asked.keys().cloned().collect();
            let mut outcome = self.line.look_up(&questions).await.map_err(Arc::new);
            for (question, waiting) in asked.drain() {
                let known = match &mut outcome {
                    Ok(all) => Ok(all.remove(&question)),
                    Err(error) => Err(Arc::clone(error)),
                };
                for one in waiting {
                    let own = known.clone().map_err(|error| sqlx::Error::AnyDriverError(Box::new(Shared(error))));
                    // Who went away needs no answer.
                    let _ = one.send(own);
                }
            }
        }
    }

    /// As many questions as there is room for in a statement, those that came first.
    fn next(&mut self) -> Option<HashMap<Question, Vec<oneshot::Sender<Outcome>>>> {
        let mut waiting = self.line.waiting();
        let most = SIZES.into_iter().max().unwrap_or_default();
        if waiting.questions.len() <= most {
            let all = take(&mut waiting.questions);
            waiting.order.clear();
            waiting.running = !all.is_empty();
            self.ended = all.is_empty();
            if !self.ended {
                waiting.crowded = all.values().map(Vec::len).sum::<usize>() > 1;
            }
            return (!self.ended).then_some(all);
        }
        let some: Vec<Question> = (0..most).filter_map(|_| waiting.order.pop_front()).collect();
        Some(some.into_iter().filter_map(|question| waiting.questions.remove_entry(&question)).collect())
    }
}

impl Drop for Running {
    /// When it was ended in the middle, nobody waits for ever, and the next question begins another task.
    fn drop(&mut self) {
        if !self.ended {
            *self.line.waiting() = Waiting::default();
        }
    }
}

impl Line {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks on a connection that is there; when that has ended in the meantime, once more on a new one.
    async fn look_up(&self, questions: &[Question]) -> Result<HashMap<Question, Known>, sqlx::Error> {
        if let Some(mut idle) = self.writer.as_ref().and_then(Group::idle) {
            match self.look_up_on(&mut idle, questions).await {
                Err(error) if has_ended(&error) => {}
                known => return known,
            }
        }
        let mut place = self.connection.lock().await;
        if let Some(mut kept) = place.take() {
            match self.look_up_on(&mut kept, questions).await {
                Ok(known) => {
                    *place = Some(kept);
                    return Ok(known);
                }
                Err(error) if has_ended(&error) => {}
                Err(error) => return Err(error),
            }
        }
        let mut new = self.pool.acquire().await?.detach();
        let known = self.look_up_on(&mut new, questions).await?;
        *place = Some(new);
        Ok(known)
    }

    async fn look_up_on(
        &self,
        connection: &mut AnyConnection,
        questions: &[Question],
    ) -> Result<HashMap<Question, Known>, sqlx::Error> {
        timeout(self.wait, look_up(connection, questions)).await.map_err(|_| sqlx::Error::PoolTimedOut)?
    }
}

/// Whether it is the connection that failed.
fn has_ended(error: &sqlx::Error) -> bool {
    Failure::of(error) == Failure::Away && !matches!(error, sqlx::Error::PoolTimedOut)
}

/// The statement for each of [`SIZES`].
static STATEMENTS: LazyLock<Vec<(usize, String)>> =
    LazyLock::new(|| SIZES.into_iter().map(|size| (size, statement(size))).collect());

fn statement(size: usize) -> String {
    let values: Vec<String> = (1..=size).map(|number| format!("(${}, ${})", 2 * number, 2 * number + 1)).collect();
    let values = values.join(", ");
    let columns = columns_of_found!();
    format!(
        "with asked(digest, zone) as (values {values})
         select {columns}, t.id, t.account_id, t.token_digest, t.expires_on, t.everything,
         (select string_agg(g.zone_id || ' ' || g.permission, ',') from token_grants g where g.token_id = t.id),
         asked.zone
         from asked join tokens t on t.token_digest = asked.digest
         left join zones z on z.id = asked.zone and z.account_id = t.account_id
         left join accounts a on a.id = z.account_id
         where t.expires_on is null or t.expires_on > $1"
    )
}

/// Asks all of these at once; there are no answers for those that nobody may have.
pub(super) async fn look_up(
    connection: &mut AnyConnection,
    questions: &[Question],
) -> Result<HashMap<Question, Known>, sqlx::Error> {
    let statement = STATEMENTS.iter().find(|(size, _)| *size >= questions.len());
    let Some((size, statement)) = statement else { return Ok(HashMap::new()) };
    let mut query = sqlx::query(statement.as_str()).bind(now());
    for question in questions {
        query = query.bind(question.digest.clone()).bind(question.zone.clone());
    }
    // Nothing has an empty digest.
    for _ in 0..2 * (size - questions.len()) {
        query = query.bind("");
    }
    let rows = query.fetch_all(connection).await?;
    let mut known = HashMap::new();
    for row in &rows {
        let (question, one) = read(row)?;
        if questions.iter().any(|asked| asked.zone == question.zone && same(&asked.digest, &question.digest)) {
            known.insert(question, one);
        }
    }
    Ok(known)
}

fn read(row: &AnyRow) -> Result<(Question, Known), sqlx::Error> {
    let grants = match row.try_get::<i64, _>(10)? {
        0 => Grants::Only(read_grants(&row.try_get::<Option<String>, _>(11)?.unwrap_or_default())),
        _ => Grants::All,
    };
    let token = Token { id: row.try_get(6)?, account_id: row.try_get(7)?, expires_on: row.try_get(9)?, grants };
    let zone = row.try_get::<Option<String>, _>(0)?.map(|_| found(row)).transpose()?;
    Ok((Question { digest: row.try_get(8)?, zone: row.try_get(12)? }, Known { token: Arc::new(token), zone }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::App;
    use crate::access::{Grant, Permission};
    use crate::actor::Actor;
    use crate::store::TokenRecord;
    use futures_util::future::join_all;

    /// More than one statement has room for.
    const TOKENS: usize = 150;

    fn secret(number: usize) -> String {
        format!("{number:040}")
    }

    #[tokio::test]
    async fn many_at_once_are_answered_each_for_itself() {
        let folder = tempfile::TempDir::new().unwrap();
        let (app, demo) = App::open(folder.path(), "").await.unwrap();
        let demo = demo.unwrap();
        let zones: Vec<String> = demo.zones.iter().map(|zone| zone.id.clone()).collect();
        for number in 0..TOKENS {
            let token = TokenRecord {
                id: format!("{number:032x}"),
                name: String::new(),
                account_id: demo.account_id.clone(),
                everything: false,
                permissions: vec!["Logs Read".to_owned(), "Zone WAF Write".to_owned()],
                zones: vec![zones[number % zones.len()].clone()],
                created_on: String::new(),
                expires_on: number.is_multiple_of(7).then(|| "2020-01-01T00:00:00Z".to_owned()),
            };
            app.store.create_token(&Actor::service(), &token, &secret(number)).await.unwrap();
        }
        // Some ask for what is not there, some go away while they wait.
        let asked = join_all((0..2 * TOKENS).map(|number| {
            let (store, zone) = (&app.store, &zones[number % zones.len()]);
            async move { (number, store.token_and_zone(&secret(number), zone).await) }
        }));
        let gone = async {
            for number in 0..TOKENS {
                let _ = timeout(Duration::ZERO, app.store.token_and_zone(&secret(number), "")).await;
            }
        };
        let (answers, ()) = tokio::join!(asked, gone);
        for (number, known) in answers {
            let known = known.unwrap();
            assert_eq!(known.is_some(), number < TOKENS && !number.is_multiple_of(7), "{number}");
            let Some(Known { token, zone }) = known else { continue };
            let own = &zones[number % zones.len()];
            assert_eq!((&token.id, &zone.unwrap().zone.id), (&format!("{number:032x}"), own));
            let grant = |permission| Grant { permission, zone: Some(own.clone()) };
            let grants = vec![grant(Permission::LogsRead), grant(Permission::ZoneWafWrite)];
            assert_eq!(token.grants, Grants::Only(grants), "{number}");
        }
    }

    #[tokio::test]
    async fn who_came_first_is_asked_for_first() {
        let folder = tempfile::TempDir::new().unwrap();
        let (app, _) = App::open(folder.path(), "").await.unwrap();
        let line = Arc::clone(&app.store.callers.0);
        // Nobody asks but the test.
        line.waiting().running = true;
        let come = async |numbers: std::ops::Range<usize>| {
            for number in numbers {
                let callers = app.store.callers.clone();
                let question = Question { digest: number.to_string(), zone: String::new() };
                tokio::spawn(async move { callers.ask(question).await });
                yield_now().await;
            }
        };
        come(0..150).await;
        let mut running = Running { line, ended: false };
        for expected in [0..64, 64..128, 128..192] {
            let asked = running.next().unwrap();
            let mut numbers: Vec<usize> = asked.keys().map(|question| question.digest.parse().unwrap()).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, expected.clone().collect::<Vec<_>>());
            come(150 + expected.start..214 + expected.start).await;
        }
        // Who comes when nothing goes on is not kept for ever.
        let stuck = Callers::new(app.store.pool.clone(), None, Duration::from_millis(20));
        stuck.0.waiting().running = true;
        let answer =
            timeout(Duration::from_secs(5), stuck.ask(Question { digest: String::new(), zone: String::new() }));
        assert!(matches!(answer.await, Ok(Err(sqlx::Error::PoolTimedOut))));
    }
}
