//! The database of a test: a file in its directory, or with `ZONEWRIGHT_TEST_DATABASE=postgres` a separate database
//! on the server that `ZONEWRIGHT_TEST_POSTGRES` names (`tests/postgres` starts one).

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::OnceCell;
use zonewright_store::{Database, StoreConfig, Timeouts};

/// A database that is deleted on drop.
pub(crate) struct TestDatabase(Option<PostgresTestDatabase>);

struct PostgresTestDatabase {
    server: String,
    name: String,
}

/// An empty database with all tables; copying it is faster than creating the tables.
static TEMPLATE: OnceCell<String> = OnceCell::const_new();
static COUNT: AtomicU64 = AtomicU64::new(0);

/// The server for tests, if one is configured.
pub(crate) fn server() -> Option<String> {
    std::env::var("ZONEWRIGHT_TEST_POSTGRES").ok()
}

impl TestDatabase {
    /// Creates a database of the kind that this test run uses.
    pub(crate) async fn new() -> TestDatabase {
        match std::env::var("ZONEWRIGHT_TEST_DATABASE").as_deref() {
            Ok("postgres") => TestDatabase::postgres(&server().expect("ZONEWRIGHT_TEST_POSTGRES")).await,
            Ok(other) => panic!("ZONEWRIGHT_TEST_DATABASE is {other}, not postgres"),
            Err(_) => TestDatabase(None),
        }
    }

    /// Creates an empty database on the server.
    pub(crate) async fn postgres(server: &str) -> TestDatabase {
        let named = PostgresTestDatabase { server: server.to_owned(), name: name() };
        let template = TEMPLATE.get_or_init(|| template(server)).await;
        // The template must have no other user while it is copied.
        static CREATE_LOCK: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
        let _one = CREATE_LOCK.lock().await;
        execute(server, format!("create database {} template {template}", named.name)).await;
        TestDatabase(Some(named))
    }

    pub(crate) fn is_postgres(&self) -> bool {
        self.0.is_some()
    }

    /// The storage option of a service.
    pub(crate) fn storage(&self, timeouts: Timeouts) -> StoreConfig {
        let database = match &self.0 {
            None => Database::Sqlite,
            Some(named) => Database::Postgres(named.url().parse().unwrap()),
        };
        StoreConfig { database, timeouts }
    }

    /// The URL of a database on a server; `None` for SQLite.
    pub(crate) fn url(&self) -> Option<String> {
        self.0.as_ref().map(PostgresTestDatabase::url)
    }
}

impl PostgresTestDatabase {
    /// The URL of the server with the name of this database.
    fn url(&self) -> String {
        with_name(&self.server, &self.name)
    }
}

fn with_name(server: &str, name: &str) -> String {
    let (base, query) = server.split_once('?').unwrap_or((server, ""));
    let (base, _) = base.rsplit_once('/').unwrap();
    format!("{base}/{name}?{query}")
}

fn name() -> String {
    format!("test_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

async fn template(server: &str) -> String {
    let template = name();
    execute(server, format!("create database {template} locale_provider icu icu_locale 'sv' template template0")).await;
    let url = with_name(server, &template);
    zonewright_store::migrate_schema(&StoreConfig {
        database: Database::Postgres(url.parse().unwrap()),
        ..StoreConfig::default()
    })
    .await
    .unwrap();
    template
}

async fn execute(server: &str, statement: String) {
    let mut connection = PgConnection::connect(server).await.unwrap();
    connection.execute(AssertSqlSafe(statement)).await.unwrap();
    connection.close().await.unwrap();
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let Some(PostgresTestDatabase { server, name }) = self.0.take() else { return };
        // The runtime of the test is about to end, and its services may still be connected.
        let remove = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(execute(&server, format!("drop database {name} with (force)")));
        };
        let _ = std::thread::spawn(remove).join();
    }
}
