//! A transaction that writes, with what the audit log keeps of it.

use super::audit::{Entry, append};
use super::failure::{Failure, OutcomeUnknown, ScopeGone};
use super::group::{Member, settled};
use super::{Dialect, Store, Writer};
use crate::actor::Actor;
use crate::auth::Owner;
use crate::error::Error;
use crate::metrics::Stopwatch;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sqlx::{Any, AnyConnection, Row, Transaction};
use std::ops::{Deref, DerefMut};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// How often is asked whether a transaction was committed whose answer was lost, and the pause in between.
const QUESTIONS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(300);
/// How long that may take at most: the caller waits for it.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a transaction changes. Of two for the same, one waits for the other; so what a transaction has read of its
/// scope stays true until it is committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// A zone, by its identifier.
    Zone(String),
    /// An account, by its identifier, without its zones.
    Account(String),
    /// What belongs to no account, as accounts themselves.
    Service,
    /// Nothing that has to stay as it was read: nobody waits, each statement is right by itself, and the audit log
    /// keeps nothing of it.
    Unlocked,
}

impl Scope {
    /// As the audit log has it.
    fn id(&self) -> &str {
        match self {
            Scope::Zone(id) | Scope::Account(id) => id,
            Scope::Service | Scope::Unlocked => "",
        }
    }

    /// The row to hold.
    fn lock(&self) -> Option<&'static str> {
        match self {
            Scope::Zone(_) => Some("select id from zones where id = $1 for update"),
            Scope::Account(_) => Some("select id from accounts where id = $1 for update"),
            Scope::Service => Some("select name from counters where name = 'service' || $1 for update"),
            Scope::Unlocked => None,
        }
    }
}

impl From<&Owner> for Scope {
    fn from(owner: &Owner) -> Self {
        match owner {
            Owner::Zone(id) => Scope::Zone(id.clone()),
            Owner::Account(id) => Scope::Account(id.clone()),
        }
    }
}

/// A transaction; without [`Writing::commit`] it leaves nothing.
pub(crate) struct Writing {
    store: Store,
    transaction: Held,
    scope: Scope,
    actor: Actor,
    entries: Vec<Entry>,
    time: Stopwatch,
}

/// What a transaction has of the database.
enum Held {
    /// A connection.
    Own(Transaction<'static, Any>),
    /// Its turn.
    Turn(Member),
}

impl Store {
    /// Begins a transaction in which `actor` changes something in `scope`. A zone or an account that is gone is
    /// [`Failure::Gone`]: with PostgreSQL here, with SQLite when something is added to it.
    pub(crate) async fn write(&self, scope: Scope, actor: &Actor) -> Result<Writing, sqlx::Error> {
        let (writing, is_there) = self.lock(scope, actor).await?;
        if is_there {
            return Ok(writing);
        }
        writing.rollback().await?;
        Err(sqlx::Error::AnyDriverError(Box::new(ScopeGone)))
    }

    /// As [`Store::write`], and whether the zone or the account is there, as far as that is known.
    async fn lock(&self, scope: Scope, actor: &Actor) -> Result<(Writing, bool), sqlx::Error> {
        let time = self.metrics.transaction();
        let mut transaction = self.begin().await?;
        let mut is_there = true;
        // SQLite has one writer.
        if self.dialect == Dialect::Postgres
            && let Some(statement) = scope.lock()
        {
            let row = sqlx::query(statement).bind(scope.id().to_owned()).fetch_optional(&mut *transaction).await?;
            // Former versions, which backups are of, have no row for the service.
            is_there = row.is_some() || scope == Scope::Service;
        }
        let (store, actor, entries) = (self.clone(), actor.clone(), Vec::new());
        Ok((Writing { store, transaction, scope, actor, entries, time }, is_there))
    }
}

impl Store {
    /// Whether a transaction was committed after all that ended the log of its scope with this entry.
    async fn ask_for_outcome(
        &self,
        scope: &Scope,
        last: Option<(i64, String)>,
        error: sqlx::Error,
    ) -> Result<(), sqlx::Error> {
        if let Some((seq, hash)) = last {
            let end = Instant::now() + PATIENCE;
            for _ in 0..QUESTIONS {
                match timeout_at(end, self.is_logged(scope, seq, &hash)).await {
                    Ok(Ok(true)) => return Ok(()),
                    Ok(Ok(false)) => return Err(error),
                    Ok(Err(_)) => sleep(PAUSE).await,
                    Err(_) => break,
                }
            }
        }
        Err(sqlx::Error::AnyDriverError(Box::new(OutcomeUnknown(error))))
    }

    /// Looks for an entry when every transaction before in its scope has ended.
    async fn is_logged(&self, scope: &Scope, seq: i64, hash: &str) -> Result<bool, sqlx::Error> {
        let (mut writing, _) = self.lock(scope.clone(), &Actor::service()).await?;
        let row = sqlx::query("select count(*) from audit_log where scope = $1 and seq = $2 and hash = $3")
            .bind(scope.id().to_owned())
            .bind(seq)
            .bind(hash.to_owned())
            .fetch_one(&mut *writing)
            .await?;
        writing.rollback().await?;
        Ok(row.try_get::<i64, _>(0)? > 0)
    }
}

impl Store {
    /// With SQLite the one who writes is alone from the beginning: who read first and wrote then could find that
    /// another process, as the command line, had written in between, and would have to begin again.
    async fn begin(&self) -> Result<Held, sqlx::Error> {
        match &self.writer {
            Writer::One(group) => group.join().await.map(Held::Turn),
            Writer::Several(pool) => pool.begin().await.map(Held::Own),
        }
    }
}

/// Answers a request when all is kept that it has seen: also what others want to keep, with SQLite.
pub(crate) async fn settle(request: Request, next: Next) -> Response {
    // What only reads sees nothing else.
    if request.method().is_safe() {
        return next.run(request).await;
    }
    settled(next.run(request)).await.unwrap_or_else(|error| Error::from(error).into_response())
}

impl Writing {
    /// Notes a change for the audit log: `action` says what was done to what, as `filter.create`; `before` and
    /// `after` are the object as the interface answers it.
    pub(crate) fn record<T: Serialize>(
        &mut self,
        action: &'static str,
        object: &str,
        before: Option<&T>,
        after: Option<&T>,
    ) {
        if self.scope == Scope::Unlocked {
            return;
        }
        let value = |object: Option<&T>| object.and_then(|object| serde_json::to_value(object).ok());
        let (before, after) = (value(before), value(after));
        self.entries.push(Entry { action, object: object.to_owned(), before, after });
    }

    /// Makes everything last, the entries of the audit log with it. What changes something and has no entry is an
    /// error and changes nothing. An answer that was lost on its way is looked for in the audit log, so an error says
    /// that nothing has changed, unless it is [`Failure::Unknown`].
    pub(crate) async fn commit(self) -> Result<(), sqlx::Error> {
        if self.entries.is_empty() && self.scope != Scope::Unlocked {
            self.transaction.rollback().await?;
            return Err(sqlx::Error::AnyDriverError("a change has no entry for the audit log".into()));
        }
        self.commit_unlogged().await
    }

    /// As [`Writing::commit`], for a request that may have found nothing to change.
    pub(super) async fn commit_noted(self) -> Result<(), sqlx::Error> {
        if self.entries.is_empty() { self.rollback().await } else { self.commit().await }
    }

    /// As [`Writing::commit`], for what nobody has changed: what is there from the start, or comes from a backup with
    /// a log of its own.
    pub(super) async fn commit_unlogged(self) -> Result<(), sqlx::Error> {
        let Writing { store, mut transaction, scope, actor, entries, time: _time } = self;
        let last = append(&mut transaction, scope.id(), &actor, &entries).await?;
        match transaction.commit().await {
            Err(error) if store.dialect == Dialect::Postgres && Failure::of(&error) == Failure::Away => {
                store.ask_for_outcome(&scope, last, error).await
            }
            outcome => outcome,
        }
    }

    /// The time of the database, in milliseconds since 1970.
    pub(super) async fn now(&mut self) -> Result<i64, sqlx::Error> {
        sqlx::query(self.store.dialect.time()).fetch_one(&mut *self.transaction).await?.try_get(0)
    }

    /// Takes everything back.
    pub(crate) async fn rollback(self) -> Result<(), sqlx::Error> {
        self.transaction.rollback().await
    }
}

impl Held {
    async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            Held::Own(transaction) => transaction.commit().await,
            Held::Turn(member) => member.commit().await,
        }
    }

    async fn rollback(self) -> Result<(), sqlx::Error> {
        match self {
            Held::Own(transaction) => transaction.rollback().await,
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

impl Deref for Writing {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.transaction
    }
}

impl DerefMut for Writing {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.transaction
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::App;
    use axum::Router;
    use axum::body::{Body, to_bytes};
    use serde_json::{Value, json};
    use tower::ServiceExt;

    struct Client {
        app: App,
        router: Router,
        token: String,
        zone: String,
    }

    impl Client {
        async fn call(&self, method: &str, rest: &str, body: Value) -> (u16, Value) {
            let uri = format!("/client/v4/zones/{}{rest}", self.zone);
            let request = Request::builder().method(method).uri(uri).header("host", "localhost");
            let request = request.header("authorization", format!("Bearer {}", self.token));
            let answer =
                self.router.clone().oneshot(request.body(Body::from(body.to_string())).unwrap()).await.unwrap();
            let status = answer.status().as_u16();
            (status, serde_json::from_slice(&to_bytes(answer.into_body(), usize::MAX).await.unwrap()).unwrap())
        }

        /// How many filters are kept.
        async fn filters(&self) -> i64 {
            let row = sqlx::query("select count(*) from filters where zone_id = $1").bind(self.zone.clone());
            row.fetch_one(&self.app.store.pool).await.unwrap().get(0)
        }
    }

    #[tokio::test]
    async fn nobody_is_told_of_what_others_have_not_kept_yet() {
        let folder = tempfile::TempDir::new().unwrap();
        let (app, demo) = App::open(folder.path(), "").await.unwrap();
        let demo = demo.unwrap();
        let zone = demo.zones.iter().find(|zone| zone.name == "blocked.example").unwrap().id.clone();
        let client = Client { router: app.router(), app, token: demo.token, zone };
        let (_, made) = client.call("POST", "/filters", json!([{"expression": "ssl"}])).await;
        let one = format!("/filters/{}", made["result"][0]["id"].as_str().unwrap());
        let many = format!("/filters?id={}", made["result"][0]["id"].as_str().unwrap());
        let new = json!([{"expression": "not ssl"}, {"expression": "http.host eq \"a\""}]);
        let calls = [
            ("DELETE", &*one, json!({}), 200, 0),
            ("DELETE", &*one, json!({}), 404, 0),
            ("DELETE", &*many, json!({}), 200, 0),
            ("POST", "/filters", new.clone(), 200, 2),
            ("POST", "/filters", new, 400, 2),
        ];
        // All stand in line behind one who begins, and in front of one who holds up the commit.
        let actor = Actor::service();
        let begin = client.app.store.write(Scope::Service, &actor).await.unwrap();
        let calls = calls.into_iter().enumerate().map(|(place, (method, rest, body, status, kept))| {
            let client = &client;
            async move {
                sleep(Duration::from_millis(100 * place as u64)).await;
                let (answered, body) = client.call(method, rest, body).await;
                assert_eq!(answered, status, "{method} {rest}: {body:#}");
                assert!(client.filters().await >= kept && (kept > 0 || client.filters().await != 1), "{method} {rest}");
            }
        });
        let line = async {
            sleep(Duration::from_millis(600)).await;
            let last = client.app.store.write(Scope::Service, &actor);
            let go = async {
                sleep(Duration::from_millis(50)).await;
                drop(begin);
            };
            let (last, ()) = tokio::join!(last, go);
            sleep(Duration::from_millis(100)).await;
            last.unwrap().rollback().await.unwrap();
        };
        tokio::join!(futures_util::future::join_all(calls), line);
    }
}
