//! The database. Every statement of the service is in this folder; each is written so that SQLite
//! and PostgreSQL understand it the same.

mod accounts;
mod audit;
mod filters;
mod jobs;
mod keys;
pub(crate) mod migration;
mod overrides;
mod page_rules;
mod rules;
mod rulesets;
mod start;
mod tokens;
mod waf;
mod writing;
mod zone_config;
mod zones;

pub(crate) use accounts::{NewAccount, NewZone};
pub(crate) use filters::FilterSearch;
pub(crate) use rules::RuleSearch;
pub(crate) use start::Start;
pub(crate) use tokens::Token;
pub use tokens::TokenRecord;
pub(crate) use waf::{Change, Kind, WafSettings};
pub(crate) use writing::Scope;

use sqlx::AnyPool;
use sqlx::any::{AnyPoolOptions, install_default_drivers};
use std::path::Path;

/// Connections that read at the same time.
const CONNECTIONS: u32 = 5;

/// Which database it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Database {
    /// A file in the data folder, which one process uses.
    Sqlite,
    /// A server, which several processes may use.
    Postgres,
}

/// The database of one data folder. Clones share it.
#[derive(Clone)]
pub(crate) struct Store {
    database: Database,
    pool: AnyPool,
    /// The one connection that writes: SQLite has one writer, and waiting for it here is fair and never
    /// ends in "database is locked". A transaction that is dropped without a commit is rolled back
    /// before the connection does anything else, so the next one never meets it. The data folder has
    /// one process, so nobody else writes.
    writer: AnyPool,
}

impl Store {
    /// Opens the database file, making it when it is missing and bringing it to the present schema.
    pub(crate) async fn open(file: &Path) -> Result<Store, sqlx::Error> {
        install_default_drivers();
        let options = AnyPoolOptions::new().after_connect(|connection, _| {
            Box::pin(async move {
                let pragmas = "pragma journal_mode = wal; pragma foreign_keys = on; pragma busy_timeout = 5000;";
                sqlx::raw_sql(pragmas).execute(connection).await.map(drop)
            })
        });
        let writer = options.clone().max_connections(1).connect(&url(file)).await?;
        sqlx::migrate!("src/store/migrations").run(&writer).await?;
        let pool = options.max_connections(CONNECTIONS).connect(&url(file)).await?;
        Ok(Store { database: Database::Sqlite, pool, writer })
    }

    /// Whether the database answers.
    pub(crate) async fn ping(&self) -> Result<(), sqlx::Error> {
        sqlx::query("select 1").execute(&self.pool).await.map(drop)
    }

    /// Ends all connections.
    pub(crate) async fn close(&self) {
        self.pool.close().await;
        self.writer.close().await;
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

/// A pattern for `like … escape '\'` that finds `text` anywhere; the empty text finds everything.
fn containing(text: &str) -> String {
    let escaped = text.to_ascii_lowercase().replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

/// A flag to search for as the statements take it: -1 finds both.
fn searched(flag: Option<bool>) -> i64 {
    flag.map_or(-1, i64::from)
}

fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
