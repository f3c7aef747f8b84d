//! The service in a separate process.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::routing::post;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, RwLock};
use tempfile::TempDir;
use zonewright_expression::schema::Tier;
use zonewright_server::{Config, serve_with};
use zonewright_store::{Admin, NewToken};
use zonewright_store::{Database, StoreConfig};

/// Number of zones among which the creates are distributed, because each zone can have at most 10,000 filters.
const ZONES: usize = 64;

/// The database to measure.
pub(crate) enum Target {
    Sqlite,
    /// URL of the database.
    Postgres(String),
}

impl Target {
    /// Creates an empty database of this name on the server, and drops an existing one first. Without a server the
    /// target is SQLite.
    pub(crate) async fn create(server: Option<&str>, name: &str) -> Target {
        let Some(server) = server else { return Target::Sqlite };
        let mut connection = PgConnection::connect(server).await.unwrap();
        for statement in [format!("drop database if exists {name}"), format!("create database {name}")] {
            sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
        }
        connection.close().await.unwrap();
        let (base, query) = server.split_once('?').unwrap_or((server, ""));
        let (host, _) = base.rsplit_once('/').expect("the URL names a database");
        Target::Postgres(format!("{host}/{name}?{query}"))
    }

    fn storage(&self) -> StoreConfig {
        let database = match self {
            Target::Sqlite => Database::Sqlite,
            Target::Postgres(url) => Database::Postgres(url.parse().unwrap()),
        };
        StoreConfig { database, ..StoreConfig::default() }
    }
}

impl From<Option<&String>> for Target {
    fn from(url: Option<&String>) -> Target {
        url.map_or(Target::Sqlite, |url| Target::Postgres(url.clone()))
    }
}

/// A running service. Dropping this value ends the process.
pub(crate) struct Service {
    child: Child,
    _folder: TempDir,
    /// Address that the service listens on.
    pub(crate) address: String,
    pub(crate) token: String,
    pub(crate) zones: Vec<String>,
}

impl Service {
    pub(crate) async fn start(target: &Target) -> Service {
        let folder = TempDir::new().unwrap();
        let (token, zones) = create_benchmark_account(folder.path(), target).await;
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.arg("serve").arg(folder.path());
        if let Target::Postgres(url) = target {
            command.arg(url);
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://").expect("the service starts").to_owned();
        Service { child, _folder: folder, address, token, zones }
    }

    /// Returns the resident memory in KiB, or 0 where the system does not report it.
    pub(crate) fn resident_memory_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Creates an account with a token and zones. Returns the token and the IDs of the zones.
pub(crate) async fn create_benchmark_account(folder: &Path, target: &Target) -> (String, Vec<String>) {
    let admin = Admin::open(folder, &target.storage()).await.unwrap();
    let account = admin.create_account("Benchmark").await.unwrap();
    let mut zones = Vec::new();
    for number in 0..ZONES {
        zones.push(admin.create_zone(&account.id, &format!("{number}.example"), Tier::Enterprise).await.unwrap());
    }
    let new = NewToken { name: "Benchmark", account_id: &account.id, permissions: &[], zones: &[], expires: None };
    let (_, token) = admin.create_token(&new).await.unwrap();
    admin.close().await;
    (token, zones)
}

/// Runs the service in the second process. Its extra route `/memory` returns the body that was posted to it.
pub(crate) fn serve(folder: &Path, target: &Target) {
    let listen = "127.0.0.1:0".parse().unwrap();
    let storage = target.storage();
    let config = Config { listen, data_dir: folder.to_owned(), demo: false, storage, ..Config::default() };
    let stored: Arc<RwLock<Bytes>> = Arc::default();
    let read = |State(stored): State<Arc<RwLock<Bytes>>>| async move {
        ([(CONTENT_TYPE, "application/json")], stored.read().unwrap().clone())
    };
    let write = |State(stored): State<Arc<RwLock<Bytes>>>, body: Bytes| async move { *stored.write().unwrap() = body };
    let memory = Router::new().route("/memory", post(write).get(read)).with_state(stored);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(serve_with(config, memory)).unwrap();
}
