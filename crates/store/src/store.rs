//! The database: how it is opened, and its connections.
//!
//! [`Store`] is the entry point; every resource adds its statements to it as methods. Every statement is written so
//! that SQLite and PostgreSQL understand it the same.

use crate::auth_lookup::AuthLookup;
use crate::config::{Database, StoreConfig};
use crate::dialect::{Dialect, SQLITE_PRAGMAS, sqlite_url};
use crate::error::Error;
use crate::group_commit::GroupCommit;
use crate::{reach, schema};
use sqlx::any::{AnyPoolOptions, install_default_drivers};
use sqlx::migrate::MigrateError;
use sqlx::{Any, AnyConnection, AnyPool, AssertSqlSafe, Connection, Transaction};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Is told how long each transaction that writes took.
pub type TransactionObserver = Arc<dyn Fn(Duration) + Send + Sync>;

/// Connections that read at the same time.
const CONNECTIONS: u32 = 5;
/// Connections that write at the same time, where there may be several.
const WRITERS: u32 = 5;

/// The database. Clones share it.
#[derive(Clone)]
pub struct Store {
    pub(crate) dialect: Dialect,
    pub(crate) pool: AnyPool,
    pub(crate) auth_lookup: AuthLookup,
    pub(crate) writer: Writer,
    pub(crate) observer: TransactionObserver,
}

/// The connections that write.
#[derive(Clone)]
pub(crate) enum Writer {
    /// With SQLite one connection: it has one writer, and waiting for it here is fair and never ends in "database is
    /// locked". The data folder has one process, so nobody else writes, but for the command line.
    One(GroupCommit),
    /// With PostgreSQL connections of their own, so that transactions that wait for each other leave some to readers.
    Several(AnyPool),
}

impl Store {
    /// Opens the database, making its file when it is missing and bringing it to the present schema.
    pub async fn open(file: &Path, storage: &StoreConfig) -> Result<Store, Error> {
        Store::open_at(file, storage, None).await
    }

    /// As [`Store::open`], but a database of another version is left as it is: a service may be using it.
    pub async fn open_as_it_is(file: &Path, storage: &StoreConfig) -> Result<Store, Error> {
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
    pub async fn open_at(file: &Path, storage: &StoreConfig, version: Option<i64>) -> Result<Store, Error> {
        install_default_drivers();
        let (dialect, url) = address(file, &storage.database);
        try_once(&url, storage).await?;
        // Without bounds of time: another process may be at it, and tables may be large.
        let migrating = AnyPoolOptions::new().max_connections(1).acquire_timeout(storage.times.connection);
        let migrating = migrating.after_connect(move |connection, _| {
            let setup = if dialect == Dialect::Sqlite { SQLITE_PRAGMAS } else { "select 1" };
            Box::pin(async move { sqlx::raw_sql(setup).execute(connection).await.map(drop) })
        });
        let migrating = migrating.connect(&url).await?;
        let migrated = schema::migrate(&migrating, dialect, version, storage.times.lease).await;
        migrating.close().await;
        migrated?;
        Store::connect(file, storage).await
    }

    /// Connects to a database as it is.
    pub async fn connect(file: &Path, storage: &StoreConfig) -> Result<Store, Error> {
        install_default_drivers();
        let (dialect, url) = address(file, &storage.database);
        try_once(&url, storage).await?;
        let times = &storage.times;
        let setup = match dialect {
            Dialect::Sqlite => SQLITE_PRAGMAS.to_owned(),
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
            Dialect::Sqlite => Writer::One(GroupCommit::open(writer, times.connection).await?),
            Dialect::Postgres => Writer::Several(writer),
        };
        let pool = options.max_connections(CONNECTIONS).connect(&url).await?;
        let group = match &writer {
            Writer::One(group) => Some(group.clone()),
            Writer::Several(_) => None,
        };
        let auth_lookup = AuthLookup::new(pool.clone(), group, times.connection);
        Ok(Store { dialect, pool, auth_lookup, writer, observer: Arc::new(|_| ()) })
    }

    /// The same store, whose transactions the observer is told of.
    pub fn observed(self, observer: TransactionObserver) -> Store {
        Store { observer, ..self }
    }

    /// A transaction that reads everything as it was at one moment.
    pub(crate) async fn read(&self) -> Result<Transaction<'static, Any>, sqlx::Error> {
        match self.dialect {
            Dialect::Sqlite => self.pool.begin().await,
            Dialect::Postgres => self.pool.begin_with("begin isolation level repeatable read read only").await,
        }
    }

    /// Whether several processes may use it.
    pub fn is_shared(&self) -> bool {
        self.dialect == Dialect::Postgres
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), Error> {
        sqlx::query("select 1").execute(&self.pool).await?;
        Ok(())
    }

    /// Ends all connections.
    pub async fn close(&self) {
        self.auth_lookup.close().await;
        self.pool.close().await;
        match &self.writer {
            Writer::One(group) => group.close().await,
            Writer::Several(pool) => pool.close().await,
        }
    }
}

impl Store {
    /// Whether there is nothing in the database, not even tables. One of another version is an error, which says what
    /// to do.
    pub async fn is_empty(&self) -> Result<bool, Error> {
        let (present, newest) =
            (schema::version_of(&mut *self.pool.acquire().await?, self.dialect).await?, schema::newest());
        if present > newest {
            return Err(sqlx::Error::Migrate(Box::new(MigrateError::VersionMissing(present))).into());
        }
        if present > 0 && present < newest {
            return Err(schema::stays(format!(
                "it has version {present} of the schema, this zonewright works with {newest}: stop all processes that \
                 use it and start the service once, which brings it up to date"
            ))
            .into());
        }
        Ok(present == 0)
    }
}

/// Says why a database cannot be used: a pool tries again until its time is over, and then tells that alone.
async fn try_once(url: &str, storage: &StoreConfig) -> Result<(), sqlx::Error> {
    if let Database::Postgres(url) = &storage.database {
        return reach::reach(url, storage.times.connection).await;
    }
    let mut connection = AnyConnection::connect(url).await?;
    let tried = sqlx::raw_sql(SQLITE_PRAGMAS).execute(&mut connection).await;
    connection.close().await?;
    tried.map(drop)
}

/// Kind and address of a database.
fn address(file: &Path, database: &Database) -> (Dialect, String) {
    match database {
        Database::Embedded => (Dialect::Sqlite, sqlite_url(file)),
        Database::Postgres(url) => (Dialect::Postgres, url.expose().to_owned()),
    }
}
