//! The database of a test: a file in its folder, or with `ZONEWRIGHT_TEST_DATABASE=postgres` a database of its own on
//! the server that `ZONEWRIGHT_TEST_POSTGRES` names (`tests/postgres` starts one).

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::OnceCell;
use zonewright_server::{Database, Storage, Times};

/// Removed when it is dropped.
pub(crate) struct TestDatabase(Option<Named>);

struct Named {
    server: String,
    name: String,
}

/// A database with all tables and nothing in them, which the others are copied from: that is faster.
static TEMPLATE: OnceCell<String> = OnceCell::const_new();
static COUNT: AtomicU64 = AtomicU64::new(0);

/// The server that is there for tests.
pub(crate) fn server() -> Option<String> {
    std::env::var("ZONEWRIGHT_TEST_POSTGRES").ok()
}

impl TestDatabase {
    /// The kind that this run of the tests is about.
    pub(crate) async fn new() -> TestDatabase {
        match std::env::var("ZONEWRIGHT_TEST_DATABASE").as_deref() {
            Ok("postgres") => TestDatabase::postgres(&server().expect("ZONEWRIGHT_TEST_POSTGRES")).await,
            Ok(other) => panic!("ZONEWRIGHT_TEST_DATABASE is {other}, not postgres"),
            Err(_) => TestDatabase(None),
        }
    }

    /// An empty database on the server.
    pub(crate) async fn postgres(server: &str) -> TestDatabase {
        let named = Named { server: server.to_owned(), name: name() };
        let template = TEMPLATE.get_or_init(|| template(server)).await;
        // The template may have no other user while it is copied.
        static ONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
        let _one = ONE.lock().await;
        execute(server, format!("create database {} template {template}", named.name)).await;
        TestDatabase(Some(named))
    }

    pub(crate) fn is_postgres(&self) -> bool {
        self.0.is_some()
    }

    /// What a service is started with.
    pub(crate) fn storage(&self, times: Times) -> Storage {
        let database = match &self.0 {
            None => Database::Embedded,
            Some(named) => Database::Postgres(named.url().parse().unwrap()),
        };
        Storage { database, times }
    }

    /// Its address, on a server.
    pub(crate) fn url(&self) -> Option<String> {
        self.0.as_ref().map(Named::url)
    }
}

impl Named {
    /// The server's address with this database in place of its own.
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
    zonewright_server::prepare(&Storage { database: Database::Postgres(url.parse().unwrap()), ..Storage::default() })
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
        let Some(Named { server, name }) = self.0.take() else { return };
        // The runtime of the test is about to end, and its services may still be connected.
        let remove = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(execute(&server, format!("drop database {name} with (force)")));
        };
        let _ = std::thread::spawn(remove).join();
    }
}
