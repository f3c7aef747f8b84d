//! The database: opens it and owns its connections.
//!
//! Start with [`Store`]; every resource adds its statements to it as methods. Every statement has the same meaning on
//! SQLite and PostgreSQL.

use crate::auth_lookup::AuthLookup;
use crate::config::{Database, StoreConfig};
use crate::dialect::{Dialect, SQLITE_PRAGMAS, sqlite_url};
use crate::error::Error;
use crate::group_commit::GroupCommit;
use crate::{schema, server_connection};
use sqlx::any::{AnyPoolOptions, install_default_drivers};
use sqlx::migrate::MigrateError;
use sqlx::{Any, AnyConnection, AnyPool, AssertSqlSafe, Connection, Transaction};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A callback that receives the duration of each write transaction, including its wait for the lock.
pub type TransactionObserver = Arc<dyn Fn(Duration) + Send + Sync>;

/// The maximum number of connections for reading.
const MAX_READER_CONNECTIONS: u32 = 5;
/// The maximum number of connections for writing on PostgreSQL.
const MAX_WRITER_CONNECTIONS: u32 = 5;

/// The database. Clones share its connections.
#[derive(Clone)]
pub struct Store {
    pub(crate) dialect: Dialect,
    pub(crate) pool: AnyPool,
    pub(crate) auth_lookup: AuthLookup,
    pub(crate) writer: Writer,
    pub(crate) observer: TransactionObserver,
}

/// The connections for writing.
#[derive(Clone)]
pub(crate) enum Writer {
    /// One connection for SQLite, which has one writer. The queue of this connection is fair, and a wait in it never
    /// fails with "database is locked". Besides this process, only the command line may write, because one service
    /// process holds the lock of the data directory.
    Group(GroupCommit),
    /// A separate pool for PostgreSQL, so that transactions that wait for locks leave connections to readers.
    Pool(AnyPool),
}

impl Store {
    /// Opens the database. Creates its file if it is missing, and migrates it to the latest schema.
    pub async fn open(file: &Path, storage: &StoreConfig) -> Result<Store, Error> {
        Store::open_at_version(file, storage, None).await
    }

    /// Does the same as [`Store::open`], but migrates only an empty database, because a service may be using a
    /// database with contents. Another schema version is then an error.
    pub async fn open_or_create(file: &Path, storage: &StoreConfig) -> Result<Store, Error> {
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

    /// Does the same as [`Store::open`] with a schema version, which may be older than the latest.
    pub async fn open_at_version(file: &Path, storage: &StoreConfig, version: Option<i64>) -> Result<Store, Error> {
        install_default_drivers();
        let (dialect, url) = dialect_and_url(file, &storage.database);
        check_connection(&url, storage).await?;
        // Statements have no timeout here, because another process may be migrating, and tables may be large.
        let options = AnyPoolOptions::new().max_connections(1).acquire_timeout(storage.timeouts.connect_timeout);
        let options = options.after_connect(move |connection, _| {
            let setup = if dialect == Dialect::Sqlite { SQLITE_PRAGMAS } else { "select 1" };
            Box::pin(async move { sqlx::raw_sql(setup).execute(connection).await.map(drop) })
        });
        let migration_pool = options.connect(&url).await?;
        let migrated = schema::migrate(&migration_pool, dialect, version, storage.timeouts.lease_term).await;
        migration_pool.close().await;
        migrated?;
        Store::connect(file, storage).await
    }

    /// Connects to a database without migrating it.
    pub async fn connect(file: &Path, storage: &StoreConfig) -> Result<Store, Error> {
        install_default_drivers();
        let (dialect, url) = dialect_and_url(file, &storage.database);
        check_connection(&url, storage).await?;
        let timeouts = &storage.timeouts;
        let setup = match dialect {
            Dialect::Sqlite => SQLITE_PRAGMAS.to_owned(),
            Dialect::Postgres => format!(
                "set statement_timeout = {}; set lock_timeout = {}; set idle_in_transaction_session_timeout = {};
                 set default_transaction_isolation = 'read committed'",
                timeouts.statement_timeout.as_millis().max(1),
                timeouts.lock_timeout.as_millis().max(1),
                timeouts.statement_timeout.as_millis().max(1),
            ),
        };
        let options =
            AnyPoolOptions::new().acquire_timeout(timeouts.connect_timeout).after_connect(move |connection, _| {
                let setup = setup.clone();
                Box::pin(async move { sqlx::raw_sql(AssertSqlSafe(setup)).execute(connection).await.map(drop) })
            });
        // SQLite rolls back a transaction when its disk is full. The driver counts the transaction as open and would
        // never begin another one on that connection.
        let options =
            options.before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }));
        let writer = options.clone().max_connections(MAX_WRITER_CONNECTIONS).connect(&url).await?;
        let writer = match dialect {
            Dialect::Sqlite => Writer::Group(GroupCommit::open(writer, timeouts.connect_timeout).await?),
            Dialect::Postgres => Writer::Pool(writer),
        };
        let pool = options.max_connections(MAX_READER_CONNECTIONS).connect(&url).await?;
        let group = match &writer {
            Writer::Group(group) => Some(group.clone()),
            Writer::Pool(_) => None,
        };
        let auth_lookup = AuthLookup::new(pool.clone(), group, timeouts.connect_timeout);
        Ok(Store { dialect, pool, auth_lookup, writer, observer: Arc::new(|_| ()) })
    }

    /// Returns the same store with a callback for the durations of transactions.
    pub fn with_observer(self, observer: TransactionObserver) -> Store {
        Store { observer, ..self }
    }

    /// Begins a transaction that reads a single state of the database.
    pub(crate) async fn read(&self) -> Result<Transaction<'static, Any>, sqlx::Error> {
        match self.dialect {
            Dialect::Sqlite => self.pool.begin().await,
            Dialect::Postgres => begin(&self.pool, "begin isolation level repeatable read read only").await,
        }
    }

    /// Returns whether several processes may use the database.
    pub fn is_shared(&self) -> bool {
        self.dialect == Dialect::Postgres
    }

    /// Returns the clock of the database in milliseconds since 1970.
    pub(crate) async fn database_time(&self) -> Result<i64, Error> {
        Ok(sqlx::query_scalar(self.dialect.clock_sql()).fetch_one(&self.pool).await?)
    }

    /// Checks whether the database responds.
    pub async fn ping(&self) -> Result<(), Error> {
        sqlx::query("select 1").execute(&self.pool).await?;
        Ok(())
    }

    /// Closes all connections, after the open group was committed.
    pub async fn close(&self) {
        self.auth_lookup.close().await;
        self.pool.close().await;
        match &self.writer {
            Writer::Group(group) => group.close().await,
            Writer::Pool(pool) => pool.close().await,
        }
    }
}

impl Store {
    /// Returns whether the database has no tables. Another schema version is an error that explains what to do.
    pub async fn is_empty(&self) -> Result<bool, Error> {
        let (current, newest) =
            (schema::schema_version(&mut *self.pool.acquire().await?, self.dialect).await?, schema::latest_version());
        if current > newest {
            return Err(sqlx::Error::Migrate(Box::new(MigrateError::VersionMissing(current))).into());
        }
        if current > 0 && current < newest {
            return Err(schema::schema_in_use_error(format!(
                "its schema version is {current}, but this version of zonewright needs {newest}; stop all processes \
                 that use it, then start the service once to upgrade it"
            ))
            .into());
        }
        Ok(current == 0)
    }
}

/// Begins a transaction in a task that no request can cancel. The driver counts a transaction as open after the
/// database has confirmed it, so a cancellation before that would return a connection with an open transaction.
pub(crate) async fn begin(pool: &AnyPool, statement: &'static str) -> Result<Transaction<'static, Any>, sqlx::Error> {
    let pool = pool.clone();
    let begin = tokio::spawn(async move { pool.begin_with(statement).await });
    begin.await.unwrap_or(Err(sqlx::Error::WorkerCrashed))
}

/// Opens and closes one connection, and returns its error. A pool would retry until its timeout and then report only
/// the timeout.
async fn check_connection(url: &str, storage: &StoreConfig) -> Result<(), sqlx::Error> {
    if let Database::Postgres(url) = &storage.database {
        return server_connection::connect_with_retry(url, storage.timeouts.connect_timeout).await;
    }
    let mut connection = AnyConnection::connect(url).await?;
    let outcome = sqlx::raw_sql(SQLITE_PRAGMAS).execute(&mut connection).await;
    connection.close().await?;
    outcome.map(drop)
}

/// Returns the dialect and the URL of a database.
fn dialect_and_url(file: &Path, database: &Database) -> (Dialect, String) {
    match database {
        Database::Sqlite => (Dialect::Sqlite, sqlite_url(file)),
        Database::Postgres(url) => (Dialect::Postgres, url.expose().to_owned()),
    }
}
