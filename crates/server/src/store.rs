//! The database. Every statement of the service is in this folder; each is written so that SQLite
//! and PostgreSQL understand it the same.

mod accounts;
mod audit;
mod audit_check;
mod audit_list;
mod backup;
mod callers;
mod catalog;
mod check;
mod failure;
mod filter_changes;
mod filters;
mod group;
mod jobs;
mod keys;
mod leases;
mod lists;
pub(crate) mod migration;
mod overrides;
mod page_rules;
mod reach;
mod removal;
mod rule_changes;
mod rules;
pub(crate) mod rulesets;
mod schema;
mod search;
mod start;
mod statements;
mod tokens;
mod usage;
mod waf;
mod writing;
mod zone_config;
mod zones;

pub(crate) use accounts::{NewAccount, NewZone};
pub use audit_check::{LogHead, LogReport};
pub(crate) use audit_list::LogSearch;
pub(crate) use backup::{BackupError, verify};
pub(crate) use callers::Known;
pub use check::Problem;
pub(crate) use failure::Failure;
pub(crate) use filters::FilterSearch;
pub(crate) use reach::Unreachable;
pub(crate) use rules::RuleSearch;
pub(crate) use schema::StaysAsItIs;
pub(crate) use start::Start;
pub(crate) use tokens::Token;
pub use tokens::TokenRecord;
pub(crate) use waf::{Change, Kind, WafSettings};
pub(crate) use writing::{Scope, settle};
pub(crate) use zones::Found;

use crate::database::{Database, Storage};
use crate::metrics::Metrics;
use callers::Callers;
use group::Group;
use sqlx::any::{AnyPoolOptions, install_default_drivers};
use sqlx::{Any, AnyConnection, AnyPool, AssertSqlSafe, Connection, Transaction};
use std::path::Path;

/// Connections that read at the same time.
const CONNECTIONS: u32 = 5;
/// Connections that write at the same time, where there may be several.
const WRITERS: u32 = 5;

/// Which kind of database it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    /// A file in the data folder, which one process uses.
    Sqlite,
    /// A server, which several processes may use.
    Postgres,
}

impl Dialect {
    /// The time of the database, in milliseconds since 1970: processes need not have the same clock.
    fn time(self) -> &'static str {
        match self {
            Dialect::Sqlite => "select cast(unixepoch('subsec') * 1000 as integer)",
            Dialect::Postgres => "select cast(extract(epoch from clock_timestamp()) * 1000 as bigint)",
        }
    }
}

/// The database. Clones share it.
#[derive(Clone)]
pub(crate) struct Store {
    dialect: Dialect,
    pool: AnyPool,
    callers: Callers,
    writer: Writer,
    /// Takes the time of transactions.
    metrics: Metrics,
}

/// What writes.
#[derive(Clone)]
enum Writer {
    /// With SQLite one connection: it has one writer, and waiting for it here is fair and never ends in "database is
    /// locked". The data folder has one process, so nobody else writes, but for the command line.
    One(Group),
    /// With PostgreSQL connections of their own, so that transactions that wait for each other leave some to readers.
    Several(AnyPool),
}

impl Store {
    /// Opens the database, making its file when it is missing and bringing it to the present schema.
    pub(crate) async fn open(file: &Path, storage: &Storage) -> Result<Store, sqlx::Error> {
        Store::open_at(file, storage, None).await
    }

    /// As [`Store::open`], but a database of another version is left as it is: a service may be using it.
    pub(crate) async fn open_as_it_is(file: &Path, storage: &Storage) -> Result<Store, sqlx::Error> {
        let store = Store::connect(file, storage).await?;
        match store.is_empty().await {
            Ok(false) => Ok(store),
            Ok(true) => {
                store.close().await;
                Store::open(file, storage).await
            }
            Err(error) => {
                store.close().await;
                Err(error)
            }
        }
    }

    /// As [`Store::open`], with a version of the schema that may be an older one.
    pub(crate) async fn open_at(file: &Path, storage: &Storage, version: Option<i64>) -> Result<Store, sqlx::Error> {
        install_default_drivers();
        let (dialect, url) = address(file, &storage.database);
        try_once(&url, storage).await?;
        // Without bounds of time: another process may be at it, and tables may be large.
        let migrating = AnyPoolOptions::new().max_connections(1).acquire_timeout(storage.times.connection);
        let migrating = migrating.after_connect(move |connection, _| {
            let setup = if dialect == Dialect::Sqlite { PRAGMAS } else { "select 1" };
            Box::pin(async move { sqlx::raw_sql(setup).execute(connection).await.map(drop) })
        });
        let migrating = migrating.connect(&url).await?;
        let migrated = schema::migrate(&migrating, dialect, version, storage.times.lease).await;
        migrating.close().await;
        migrated?;
        Store::connect(file, storage).await
    }

    /// Connects to a database as it is.
    pub(crate) async fn connect(file: &Path, storage: &Storage) -> Result<Store, sqlx::Error> {
        install_default_drivers();
        let (dialect, url) = address(file, &storage.database);
        try_once(&url, storage).await?;
        let times = &storage.times;
        let setup = match dialect {
            Dialect::Sqlite => PRAGMAS.to_owned(),
            Dialect::Postgres => format!(
                "set statement_timeout = {}; set lock_timeout = {}; set idle_in_transaction_session_timeout = {};
                 set default_transaction_isolation = 'read committed'",
                times.statement.as_millis().max(1),
                times.lock.as_millis().max(1),
                times.statement.as_millis().max(1),
            ),
        };
        let options = AnyPoolOptions::new().acquire_timeout(times.connection).after_connect(move |connection, _| {
            let setup = setup.clone();
            Box::pin(async move { sqlx::raw_sql(AssertSqlSafe(setup)).execute(connection).await.map(drop) })
        });
        // SQLite ends a transaction by itself when its disk is full; the driver believes that it goes on, and would never
        // begin another one on that connection.
        let options =
            options.before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }));
        let writer = options.clone().max_connections(WRITERS).connect(&url).await?;
        let writer = match dialect {
            Dialect::Sqlite => Writer::One(Group::open(writer, times.connection).await?),
            Dialect::Postgres => Writer::Several(writer),
        };
        let pool = options.max_connections(CONNECTIONS).connect(&url).await?;
        let group = match &writer {
            Writer::One(group) => Some(group.clone()),
            Writer::Several(_) => None,
        };
        let callers = Callers::new(pool.clone(), group, times.connection);
        Ok(Store { dialect, pool, callers, writer, metrics: Metrics::new() })
    }

    /// Counts its transactions from now on.
    pub(crate) fn counted(self, metrics: Metrics) -> Store {
        Store { metrics, ..self }
    }

    /// A transaction that reads everything as it was at one moment.
    pub(super) async fn read(&self) -> Result<Transaction<'static, Any>, sqlx::Error> {
        match self.dialect {
            Dialect::Sqlite => self.pool.begin().await,
            Dialect::Postgres => self.pool.begin_with("begin isolation level repeatable read read only").await,
        }
    }

    /// Whether several processes may use it.
    pub(crate) fn is_shared(&self) -> bool {
        self.dialect == Dialect::Postgres
    }

    /// Whether the database answers.
    pub(crate) async fn ping(&self) -> Result<(), sqlx::Error> {
        sqlx::query("select 1").execute(&self.pool).await.map(drop)
    }

    /// Ends all connections.
    pub(crate) async fn close(&self) {
        self.callers.close().await;
        self.pool.close().await;
        match &self.writer {
            Writer::One(group) => group.close().await,
            Writer::Several(pool) => pool.close().await,
        }
    }
}

const PRAGMAS: &str = "pragma journal_mode = wal; pragma foreign_keys = on; pragma busy_timeout = 5000;";

/// Says why a database cannot be used: a pool tries again until its time is over, and then tells that alone.
async fn try_once(url: &str, storage: &Storage) -> Result<(), sqlx::Error> {
    if let Database::Postgres(url) = &storage.database {
        return reach::reach(url, storage.times.connection).await;
    }
    let mut connection = AnyConnection::connect(url).await?;
    let tried = sqlx::raw_sql(PRAGMAS).execute(&mut connection).await;
    connection.close().await?;
    tried.map(drop)
}

/// Kind and address of a database.
fn address(file: &Path, database: &Database) -> (Dialect, String) {
    match database {
        Database::Embedded => (Dialect::Sqlite, url(file)),
        Database::Postgres(url) => (Dialect::Postgres, url.expose().to_owned()),
    }
}

/// The address of a database file; any byte may be in a path.
fn url(file: &Path) -> String {
    let mut url = "sqlite://".to_owned();
    for byte in file.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => url.push(char::from(*byte)),
            other => url.push_str(&format!("%{other:02X}")),
        }
    }
    url.push_str("?mode=rwc");
    url
}

fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
