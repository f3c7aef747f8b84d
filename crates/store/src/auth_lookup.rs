//! Looks up the credentials of requests, and the zones they ask for: the query that nearly every request begins with.
//!
//! Concurrent lookups are batched. The first one starts a task, which puts everything that waits into one statement
//! and repeats until nothing waits. So a single lookup waits for nobody, and many at once cost little more than one.
//! The statement runs on a connection of its own; with SQLite on the writer's connection when that is idle, because its
//! page cache has the latest changes.
//!
//! - Freshness: a statement begins after its lookups were requested, so no answer is older than its request. Nothing
//!   is cached, therefore a change by any process is seen by the next request.
//! - Cancellation: a caller that stops waiting leaves its lookup in the batch and disturbs nobody. When the task
//!   itself is cancelled, its waiters get an error and the next lookup starts a new task.
//! - Failure: an error of the statement is the answer to the whole batch. Every wait is bounded.

use crate::clock::now;
use crate::error::Error;
use crate::failure::{Failure, Shared};
use crate::grants::{Grants, read_grants};
use crate::group_commit::GroupCommit;
use crate::principal::Token;
use crate::rows::{FoundZone, columns_of_found, found};
use crate::secret::same;
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

/// Sizes of a batch. Each is a statement to prepare, so a batch takes the smallest that has room.
const BATCH_SIZES: [usize; 4] = [1, 4, 16, 64];

/// What a request wants to know: a token by its digest, and a zone by its identifier, which is empty for none.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Lookup {
    pub(crate) digest: String,
    pub zone: String,
}

/// A token that has not expired, and the zone when the account of the token has it.
#[derive(Clone)]
pub struct Authentication {
    /// The token.
    pub token: Arc<Token>,
    /// The zone that was asked for.
    pub zone: Option<FoundZone>,
}

type Outcome = Result<Option<Authentication>, sqlx::Error>;

/// The batching queue. Clones share it.
#[derive(Clone)]
pub(crate) struct AuthLookup(Arc<Queue>);

struct Queue {
    waiting: Mutex<Waiting>,
    /// Nothing before the first lookup, and after a failure.
    connection: tokio::sync::Mutex<Option<AnyConnection>>,
    /// With SQLite, the connection that writes is asked when it is idle.
    writer: Option<GroupCommit>,
    /// Makes connections.
    pool: AnyPool,
    /// How long a lookup waits for its answer.
    wait: Duration,
}

#[derive(Default)]
struct Waiting {
    lookups: HashMap<Lookup, Vec<oneshot::Sender<Outcome>>>,
    /// The same lookups in the order of their arrival.
    order: VecDeque<Lookup>,
    /// Whether a task runs that answers them.
    running: bool,
    /// Whether the last batch had more than one waiter.
    crowded: bool,
}

impl AuthLookup {
    pub(crate) fn new(pool: AnyPool, writer: Option<GroupCommit>, wait: Duration) -> AuthLookup {
        let (waiting, connection) = (Mutex::default(), tokio::sync::Mutex::default());
        AuthLookup(Arc::new(Queue { waiting, connection, writer, pool, wait }))
    }

    /// Waits for the answer, for a bounded time.
    pub(crate) async fn find(&self, lookup: Lookup) -> Result<Option<Authentication>, Error> {
        let (sender, receiver) = oneshot::channel();
        let begin = {
            let mut waiting = self.0.waiting();
            let waiting = &mut *waiting;
            match waiting.lookups.entry(lookup) {
                Entry::Occupied(mut others) => others.get_mut().push(sender),
                Entry::Vacant(first) => {
                    waiting.order.push_back(first.key().clone());
                    first.insert(vec![sender]);
                }
            }
            !std::mem::replace(&mut waiting.running, true)
        };
        if begin {
            tokio::spawn(Running { queue: Arc::clone(&self.0), ended: false }.run());
        }
        let answer = timeout(self.0.wait, receiver).await.map_err(|_| sqlx::Error::PoolTimedOut)?;
        Ok(answer.unwrap_or(Err(sqlx::Error::WorkerCrashed))?)
    }

    /// Closes its own connection; the pool is shared.
    pub(crate) async fn close(&self) {
        if let Some(connection) = self.0.connection.lock().await.take() {
            let _ = connection.close().await;
        }
    }
}

/// The task that answers lookups until none waits.
struct Running {
    queue: Arc<Queue>,
    /// Whether no lookup was left; the next one starts another task.
    ended: bool,
}

impl Running {
    async fn run(mut self) {
        loop {
            // Lets other requests that have arrived join the batch. A single waiter has nobody to wait for.
            if self.queue.waiting().crowded {
                yield_now().await;
            }
            let Some(mut asked) = self.next() else { break };
            let lookups: Vec<Lookup> = asked.keys().cloned().collect();
            let mut outcome = self.queue.look_up(&lookups).await.map_err(Arc::new);
            for (lookup, waiting) in asked.drain() {
                let known = match &mut outcome {
                    Ok(all) => Ok(all.remove(&lookup)),
                    Err(error) => Err(Arc::clone(error)),
                };
                for one in waiting {
                    let own = known.clone().map_err(|error| sqlx::Error::AnyDriverError(Box::new(Shared(error))));
                    // The waiter may have been cancelled.
                    let _ = one.send(own);
                }
            }
        }
    }

    /// The oldest lookups, as many as a statement has room for.
    fn next(&mut self) -> Option<HashMap<Lookup, Vec<oneshot::Sender<Outcome>>>> {
        let mut waiting = self.queue.waiting();
        let most = BATCH_SIZES.into_iter().max().unwrap_or_default();
        if waiting.lookups.len() <= most {
            let all = take(&mut waiting.lookups);
            waiting.order.clear();
            waiting.running = !all.is_empty();
            self.ended = all.is_empty();
            if !self.ended {
                waiting.crowded = all.values().map(Vec::len).sum::<usize>() > 1;
            }
            return (!self.ended).then_some(all);
        }
        let some: Vec<Lookup> = (0..most).filter_map(|_| waiting.order.pop_front()).collect();
        Some(some.into_iter().filter_map(|lookup| waiting.lookups.remove_entry(&lookup)).collect())
    }
}

impl Drop for Running {
    /// When the task is cancelled, drops the waiters, who get an error; the next lookup starts another task.
    fn drop(&mut self) {
        if !self.ended {
            *self.queue.waiting() = Waiting::default();
        }
    }
}

impl Queue {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks on the connection at hand. When that was lost meanwhile, asks once more on a new one.
    async fn look_up(&self, lookups: &[Lookup]) -> Result<HashMap<Lookup, Authentication>, sqlx::Error> {
        if let Some(mut idle) = self.writer.as_ref().and_then(GroupCommit::idle) {
            match self.look_up_on(&mut idle, lookups).await {
                Err(error) if has_ended(&error) => {}
                known => return known,
            }
        }
        let mut slot = self.connection.lock().await;
        if let Some(mut own) = slot.take() {
            match self.look_up_on(&mut own, lookups).await {
                Ok(known) => {
                    *slot = Some(own);
                    return Ok(known);
                }
                Err(error) if has_ended(&error) => {}
                Err(error) => return Err(error),
            }
        }
        let mut new = self.pool.acquire().await?.detach();
        let known = self.look_up_on(&mut new, lookups).await?;
        *slot = Some(new);
        Ok(known)
    }

    async fn look_up_on(
        &self,
        connection: &mut AnyConnection,
        lookups: &[Lookup],
    ) -> Result<HashMap<Lookup, Authentication>, sqlx::Error> {
        timeout(self.wait, look_up(connection, lookups)).await.map_err(|_| sqlx::Error::PoolTimedOut)?
    }
}

/// Whether it is the connection that failed.
fn has_ended(error: &sqlx::Error) -> bool {
    Failure::of(error) == Failure::Away && !matches!(error, sqlx::Error::PoolTimedOut)
}

/// The statement for each of [`BATCH_SIZES`].
static STATEMENTS: LazyLock<Vec<(usize, String)>> =
    LazyLock::new(|| BATCH_SIZES.into_iter().map(|size| (size, statement(size))).collect());

fn statement(size: usize) -> String {
    let values: Vec<String> = (1..=size).map(|number| format!("(${}, ${})", 2 * number, 2 * number + 1)).collect();
    let values = values.join(", ");
    let columns = columns_of_found!();
    format!(
        "with asked(digest, zone) as (values {values})
         select {columns}, t.id as token_id, t.account_id as token_account_id, t.token_digest as token_digest,
         t.expires_on as expires_on, t.everything as everything,
         (select string_agg(g.zone_id || ' ' || g.permission, ',') from token_grants g where g.token_id = t.id) as grants,
         asked.zone as asked_zone
         from asked join tokens t on t.token_digest = asked.digest
         left join zones z on z.id = asked.zone and z.account_id = t.account_id
         left join accounts a on a.id = z.account_id
         where t.expires_on is null or t.expires_on > $1"
    )
}

/// Asks for all of these at once. Lookups whose token is unknown or has expired get no answer.
async fn look_up(
    connection: &mut AnyConnection,
    lookups: &[Lookup],
) -> Result<HashMap<Lookup, Authentication>, sqlx::Error> {
    let statement = STATEMENTS.iter().find(|(size, _)| *size >= lookups.len());
    let Some((size, statement)) = statement else { return Ok(HashMap::new()) };
    let mut query = sqlx::query(statement.as_str()).bind(now());
    for lookup in lookups {
        query = query.bind(lookup.digest.clone()).bind(lookup.zone.clone());
    }
    // Nothing has an empty digest.
    for _ in 0..2 * (size - lookups.len()) {
        query = query.bind("");
    }
    let rows = query.fetch_all(connection).await?;
    let mut known = HashMap::new();
    for row in &rows {
        let (lookup, one) = read(row)?;
        if lookups.iter().any(|asked| asked.zone == lookup.zone && same(&asked.digest, &lookup.digest)) {
            known.insert(lookup, one);
        }
    }
    Ok(known)
}

fn read(row: &AnyRow) -> Result<(Lookup, Authentication), sqlx::Error> {
    let grants = match row.try_get::<i64, _>("everything")? {
        0 => Grants::Only(read_grants(&row.try_get::<Option<String>, _>("grants")?.unwrap_or_default())),
        _ => Grants::All,
    };
    let token = Token {
        id: row.try_get("token_id")?,
        account_id: row.try_get("token_account_id")?,
        expires_on: row.try_get("expires_on")?,
        grants,
    };
    let zone = row.try_get::<Option<String>, _>("zone_id")?.map(|_| found(row)).transpose()?;
    Ok((
        Lookup { digest: row.try_get("token_digest")?, zone: row.try_get("asked_zone")? },
        Authentication { token: Arc::new(token), zone },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Unavailability;
    use crate::grants::{Grant, Permission};
    use crate::principal::Actor;
    use crate::testing::Fixture;
    use crate::tokens::TokenRecord;
    use futures_util::future::join_all;

    /// More than one statement has room for.
    const TOKENS: usize = 150;

    fn secret(number: usize) -> String {
        format!("{number:040}")
    }

    #[tokio::test]
    async fn concurrent_lookups_get_their_own_answers() {
        let Fixture { store, account_id, zones, .. } = &Fixture::open().await;
        for number in 0..TOKENS {
            let token = TokenRecord {
                id: format!("{number:032x}"),
                name: String::new(),
                account_id: account_id.clone(),
                everything: false,
                permissions: vec!["Logs Read".to_owned(), "Zone WAF Write".to_owned()],
                zones: vec![zones[number % zones.len()].clone()],
                created_on: String::new(),
                expires_on: number.is_multiple_of(7).then(|| "2020-01-01T00:00:00Z".to_owned()),
            };
            store.create_token(&Actor::service(), &token, &secret(number)).await.unwrap();
        }
        // Some lookups find nothing, and some callers are cancelled.
        let asked = join_all((0..2 * TOKENS).map(|number| {
            let zone = &zones[number % zones.len()];
            async move { (number, store.token_and_zone(&secret(number), zone).await) }
        }));
        let gone = async {
            for number in 0..TOKENS {
                let _ = timeout(Duration::ZERO, store.token_and_zone(&secret(number), "")).await;
            }
        };
        let (answers, ()) = tokio::join!(asked, gone);
        for (number, known) in answers {
            let known = known.unwrap();
            assert_eq!(known.is_some(), number < TOKENS && !number.is_multiple_of(7), "{number}");
            let Some(Authentication { token, zone }) = known else { continue };
            let own = &zones[number % zones.len()];
            assert_eq!((&token.id, &zone.unwrap().zone.id), (&format!("{number:032x}"), own));
            let grant = |permission| Grant { permission, zone: Some(own.clone()) };
            let grants = vec![grant(Permission::LogsRead), grant(Permission::ZoneWafWrite)];
            assert_eq!(token.grants, Grants::Only(grants), "{number}");
        }
    }

    #[tokio::test]
    async fn batches_take_the_oldest_lookups_first() {
        let Fixture { store, .. } = &Fixture::open().await;
        let queue = Arc::clone(&store.auth_lookup.0);
        // No task runs, so the test takes the batches itself.
        queue.waiting().running = true;
        let come = async |numbers: std::ops::Range<usize>| {
            for number in numbers {
                let auth_lookup = store.auth_lookup.clone();
                let lookup = Lookup { digest: number.to_string(), zone: String::new() };
                tokio::spawn(async move { auth_lookup.find(lookup).await });
                yield_now().await;
            }
        };
        come(0..150).await;
        let mut running = Running { queue, ended: false };
        for expected in [0..64, 64..128, 128..192] {
            let asked = running.next().unwrap();
            let mut numbers: Vec<usize> = asked.keys().map(|lookup| lookup.digest.parse().unwrap()).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, expected.clone().collect::<Vec<_>>());
            come(150 + expected.start..214 + expected.start).await;
        }
        // A lookup whose batch never runs times out.
        let stuck = AuthLookup::new(store.pool.clone(), None, Duration::from_millis(20));
        stuck.0.waiting().running = true;
        let answer = timeout(Duration::from_secs(5), stuck.find(Lookup { digest: String::new(), zone: String::new() }));
        assert!(matches!(answer.await, Ok(Err(Error::Unavailable(Unavailability::Unreachable, _)))));
    }
}
