//! The auth lookup: finds the token of a request and its zone, the query that nearly every request begins with.
//!
//! Start with [`AuthLookup::find`]. Concurrent lookups are batched: the first one starts a task, which sends all
//! pending lookups as one statement and repeats until none is pending. A single lookup is therefore sent immediately,
//! and many lookups cost little more than one.
//!
//! - Ownership: the queue owns the pending lookups, and the task owns the batch that it sends. The task has its own
//!   connection. With SQLite the task uses the writer's connection while no transaction does, because the page cache of
//!   that connection has the latest changes.
//! - Freshness: a statement begins after its lookups were requested. Nothing is cached, so the next request sees a
//!   change by any process.
//! - Cancellation: a canceled caller leaves its lookup in the batch and affects no other. If the task itself is
//!   canceled, its waiters get an error, and the next lookup starts a new task.
//! - Failure: an error of the statement is the result of the whole batch. Every wait is bounded.

use crate::clock::now;
use crate::error::Error;
use crate::failure::{SharedError, is_connection_lost};
use crate::grants::{Grants, parse_grants};
use crate::group_commit::GroupCommit;
use crate::principal::Token;
use crate::rows::{FoundZone, FoundZoneRow, found_zone_columns};
use crate::secret::constant_time_eq;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AnyPool, Connection, FromRow};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::mem::take;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::yield_now;
use tokio::time::timeout;

/// Sizes of a batch. Each size is a prepared statement; a batch uses the smallest that it fits into.
const BATCH_SIZES: [usize; 4] = [1, 4, 16, 64];

/// The parameters of a lookup: the digest of a token, and the ID of a zone, which is empty for none.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Lookup {
    pub(crate) digest: String,
    pub zone: String,
}

/// A token that has not expired, and the zone if it belongs to the account of the token.
#[derive(Clone)]
pub struct Authentication {
    /// The token.
    pub token: Arc<Token>,
    /// The requested zone.
    pub zone: Option<FoundZone>,
}

type AuthResult = Result<Option<Authentication>, sqlx::Error>;

/// The queue of lookups. Clones share it.
#[derive(Clone)]
pub(crate) struct AuthLookup(Arc<Queue>);

struct Queue {
    pending: Mutex<PendingLookups>,
    /// The task's own connection; `None` before the first lookup and after a failure.
    connection: tokio::sync::Mutex<Option<AnyConnection>>,
    /// With SQLite, the writer, whose connection is used while it is idle.
    writer: Option<GroupCommit>,
    /// The pool that opens connections.
    pool: AnyPool,
    /// The maximum time that a lookup waits for its result.
    timeout: Duration,
}

#[derive(Default)]
struct PendingLookups {
    lookups: HashMap<Lookup, Vec<oneshot::Sender<AuthResult>>>,
    /// The same lookups in the order of their arrival.
    order: VecDeque<Lookup>,
    /// Whether a task runs.
    is_running: bool,
    /// Whether the last batch that emptied the queue had more than one waiter.
    had_concurrent_waiters: bool,
}

impl AuthLookup {
    pub(crate) fn new(pool: AnyPool, writer: Option<GroupCommit>, timeout: Duration) -> AuthLookup {
        let (pending, connection) = (Mutex::default(), tokio::sync::Mutex::default());
        AuthLookup(Arc::new(Queue { pending, connection, writer, pool, timeout }))
    }

    /// Queues a lookup and waits for its result, for a bounded time.
    pub(crate) async fn find(&self, lookup: Lookup) -> Result<Option<Authentication>, Error> {
        let (sender, receiver) = oneshot::channel();
        let starts_task = {
            let mut pending = self.0.pending();
            let pending = &mut *pending;
            match pending.lookups.entry(lookup) {
                Entry::Occupied(mut senders) => senders.get_mut().push(sender),
                Entry::Vacant(first) => {
                    pending.order.push_back(first.key().clone());
                    first.insert(vec![sender]);
                }
            }
            !std::mem::replace(&mut pending.is_running, true)
        };
        if starts_task {
            tokio::spawn(LookupTask { queue: Arc::clone(&self.0), is_finished: false }.run());
        }
        let outcome = timeout(self.0.timeout, receiver).await.map_err(|_| sqlx::Error::PoolTimedOut)?;
        Ok(outcome.unwrap_or(Err(sqlx::Error::WorkerCrashed))?)
    }

    /// Closes the queue's own connection; the pool is shared.
    pub(crate) async fn close(&self) {
        if let Some(connection) = self.0.connection.lock().await.take() {
            let _ = connection.close().await;
        }
    }
}

/// The task that sends batches until no lookup is pending.
struct LookupTask {
    queue: Arc<Queue>,
    /// Whether the queue was empty, so that the next lookup starts another task.
    is_finished: bool,
}

impl LookupTask {
    async fn run(mut self) {
        loop {
            // Yields so that requests that have already arrived join the batch. A single waiter has none to wait for.
            if self.queue.pending().had_concurrent_waiters {
                yield_now().await;
            }
            let Some(mut batch) = self.next_batch() else { break };
            let lookups: Vec<Lookup> = batch.keys().cloned().collect();
            let mut outcome = self.queue.look_up(&lookups).await.map_err(Arc::new);
            for (lookup, senders) in batch.drain() {
                let result = match &mut outcome {
                    Ok(found) => Ok(found.remove(&lookup)),
                    Err(error) => Err(Arc::clone(error)),
                };
                for sender in senders {
                    let result =
                        result.clone().map_err(|error| sqlx::Error::AnyDriverError(Box::new(SharedError(error))));
                    // The waiter may have been canceled.
                    let _ = sender.send(result);
                }
            }
        }
    }

    /// Removes the oldest lookups from the queue, as many as fit into a statement.
    fn next_batch(&mut self) -> Option<HashMap<Lookup, Vec<oneshot::Sender<AuthResult>>>> {
        let mut pending = self.queue.pending();
        let max_size = BATCH_SIZES.into_iter().max().unwrap_or_default();
        if pending.lookups.len() <= max_size {
            let batch = take(&mut pending.lookups);
            pending.order.clear();
            pending.is_running = !batch.is_empty();
            self.is_finished = batch.is_empty();
            if !self.is_finished {
                pending.had_concurrent_waiters = batch.values().map(Vec::len).sum::<usize>() > 1;
            }
            return (!self.is_finished).then_some(batch);
        }
        let oldest: Vec<Lookup> = (0..max_size).filter_map(|_| pending.order.pop_front()).collect();
        Some(oldest.into_iter().filter_map(|lookup| pending.lookups.remove_entry(&lookup)).collect())
    }
}

impl Drop for LookupTask {
    /// Drops the waiters if the task is canceled. They get an error, and the next lookup starts another task.
    fn drop(&mut self) {
        if !self.is_finished {
            *self.queue.pending() = PendingLookups::default();
        }
    }
}

impl Queue {
    fn pending(&self) -> MutexGuard<'_, PendingLookups> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a batch on the idle connection of the writer, or else on the task's own. If a connection was lost, runs the
    /// batch on the next one, and at last on a new one.
    async fn look_up(&self, lookups: &[Lookup]) -> Result<HashMap<Lookup, Authentication>, sqlx::Error> {
        if let Some(mut idle) = self.writer.as_ref().and_then(GroupCommit::try_idle_connection) {
            match self.look_up_on(&mut idle, lookups).await {
                Err(error) if is_connection_lost(&error) => {}
                outcome => return outcome,
            }
        }
        let mut slot = self.connection.lock().await;
        if let Some(mut connection) = slot.take() {
            match self.look_up_on(&mut connection, lookups).await {
                Ok(found) => {
                    *slot = Some(connection);
                    return Ok(found);
                }
                Err(error) if is_connection_lost(&error) => {}
                Err(error) => return Err(error),
            }
        }
        let mut new = self.pool.acquire().await?.detach();
        let found = self.look_up_on(&mut new, lookups).await?;
        *slot = Some(new);
        Ok(found)
    }

    async fn look_up_on(
        &self,
        connection: &mut AnyConnection,
        lookups: &[Lookup],
    ) -> Result<HashMap<Lookup, Authentication>, sqlx::Error> {
        timeout(self.timeout, look_up(connection, lookups)).await.map_err(|_| sqlx::Error::PoolTimedOut)?
    }
}

/// The statement for each of [`BATCH_SIZES`].
static STATEMENT_BY_SIZE: LazyLock<Vec<(usize, String)>> =
    LazyLock::new(|| BATCH_SIZES.into_iter().map(|size| (size, build_statement(size))).collect());

fn build_statement(size: usize) -> String {
    let values: Vec<String> = (1..=size).map(|number| format!("(${}, ${})", 2 * number, 2 * number + 1)).collect();
    let values = values.join(", ");
    let columns = found_zone_columns!();
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

/// Runs a batch on a connection. Lookups whose token is unknown or has expired are missing in the result.
async fn look_up(
    connection: &mut AnyConnection,
    lookups: &[Lookup],
) -> Result<HashMap<Lookup, Authentication>, sqlx::Error> {
    let statement = STATEMENT_BY_SIZE.iter().find(|(size, _)| *size >= lookups.len());
    let Some((size, statement)) = statement else { return Ok(HashMap::new()) };
    let mut query = sqlx::query(statement.as_str()).bind(now());
    for lookup in lookups {
        query = query.bind(lookup.digest.clone()).bind(lookup.zone.clone());
    }
    // Unused slots get an empty digest, which no token has.
    for _ in 0..2 * (size - lookups.len()) {
        query = query.bind("");
    }
    let rows = query.fetch_all(connection).await?;
    let mut found = HashMap::new();
    for row in &rows {
        let (lookup, authentication) = authentication_from_row(row)?;
        if lookups.iter().any(|asked| asked.zone == lookup.zone && constant_time_eq(&asked.digest, &lookup.digest)) {
            found.insert(lookup, authentication);
        }
    }
    Ok(found)
}

/// A token with the zone that was requested.
#[derive(FromRow)]
struct AuthRow {
    token_id: String,
    token_account_id: String,
    token_digest: String,
    expires_on: Option<String>,
    everything: i64,
    grants: Option<String>,
    asked_zone: String,
    /// The ID of the zone, if the account of the token has it. Then the row also has the columns of [`FoundZoneRow`].
    zone_id: Option<String>,
}

fn authentication_from_row(row: &AnyRow) -> Result<(Lookup, Authentication), sqlx::Error> {
    let zone = |_| FoundZone::try_from(FoundZoneRow::from_row(row)?);
    let row = AuthRow::from_row(row)?;
    let grants = match row.everything {
        0 => Grants::Only(parse_grants(&row.grants.unwrap_or_default())),
        _ => Grants::All,
    };
    let token = Token { id: row.token_id, account_id: row.token_account_id, expires_on: row.expires_on, grants };
    let zone = row.zone_id.map(zone).transpose()?;
    let lookup = Lookup { digest: row.token_digest, zone: row.asked_zone };
    Ok((lookup, Authentication { token: Arc::new(token), zone }))
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

    /// More lookups than fit into a statement.
    const TOKEN_COUNT: usize = 150;

    fn secret(number: usize) -> String {
        format!("{number:040}")
    }

    #[tokio::test]
    async fn concurrent_lookups_get_their_own_results() {
        let Fixture { store, account_id, zones, .. } = &Fixture::open().await;
        for number in 0..TOKEN_COUNT {
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
        // Half of the lookups have an unknown secret, and some callers are canceled.
        let lookups = join_all((0..2 * TOKEN_COUNT).map(|number| {
            let zone = &zones[number % zones.len()];
            async move { (number, store.token_and_zone(&secret(number), zone).await) }
        }));
        let canceled = async {
            for number in 0..TOKEN_COUNT {
                let _ = timeout(Duration::ZERO, store.token_and_zone(&secret(number), "")).await;
            }
        };
        let (results, ()) = tokio::join!(lookups, canceled);
        for (number, found) in results {
            let found = found.unwrap();
            assert_eq!(found.is_some(), number < TOKEN_COUNT && !number.is_multiple_of(7), "{number}");
            let Some(Authentication { token, zone }) = found else { continue };
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
        // No task runs, so the test removes the batches itself.
        queue.pending().is_running = true;
        let enqueue = async |numbers: std::ops::Range<usize>| {
            for number in numbers {
                let auth_lookup = store.auth_lookup.clone();
                let lookup = Lookup { digest: number.to_string(), zone: String::new() };
                tokio::spawn(async move { auth_lookup.find(lookup).await });
                yield_now().await;
            }
        };
        enqueue(0..150).await;
        let mut task = LookupTask { queue, is_finished: false };
        for expected in [0..64, 64..128, 128..192] {
            let asked = task.next_batch().unwrap();
            let mut numbers: Vec<usize> = asked.keys().map(|lookup| lookup.digest.parse().unwrap()).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, expected.clone().collect::<Vec<_>>());
            enqueue(150 + expected.start..214 + expected.start).await;
        }
    }

    #[tokio::test]
    async fn lookup_whose_batch_never_runs_times_out() {
        let Fixture { store, .. } = &Fixture::open().await;
        let stuck = AuthLookup::new(store.pool.clone(), None, Duration::from_millis(20));
        stuck.0.pending().is_running = true;
        let outcome =
            timeout(Duration::from_secs(5), stuck.find(Lookup { digest: String::new(), zone: String::new() }));
        assert!(matches!(outcome.await, Ok(Err(Error::Unavailable(Unavailability::Unreachable, _)))));
    }
}
