//! The service under test and a client for it.

use crate::database::TestDatabase;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::HOST;
use axum::http::{HeaderMap, HeaderValue, Method, Request};
use serde_json::{Value, json};
use sqlx::any::install_default_drivers;
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor, PgConnection, SqliteConnection};
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use tower::ServiceExt;
use zonewright_delivery::LogPushConfig;
use zonewright_server::{App, Config, Demo, MIGRATION_DELAY};
use zonewright_store::{StoreConfig, Timeouts};

/// A separate service with the credentials of its demo account.
pub(crate) struct TestApp {
    pub(crate) router: Router,
    pub(crate) demo: Demo,
    pub(crate) data_dir: TempDir,
    pub(crate) database: TestDatabase,
    app: App,
}

/// A response of the service.
#[derive(Clone, Debug)]
pub(crate) struct TestResponse {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl TestApp {
    /// Starts a service on a new directory.
    pub(crate) async fn start() -> TestApp {
        TestApp::start_with_log_push(|_, _| {}).await
    }

    /// Starts a service on a new directory with a log push configuration, which may use the directory.
    pub(crate) async fn start_with_log_push(configure: impl FnOnce(&mut LogPushConfig, &Path)) -> TestApp {
        let data_dir = TempDir::new().unwrap();
        let mut config = LogPushConfig::default();
        configure(&mut config, data_dir.path());
        TestApp::open(data_dir, config, MIGRATION_DELAY).await
    }

    /// Starts a service on a new directory; pending migrations take this long.
    pub(crate) async fn start_migrating(delay: Duration) -> TestApp {
        TestApp::open(TempDir::new().unwrap(), LogPushConfig::default(), delay).await
    }

    /// Starts a service on a new directory with a changed configuration.
    pub(crate) async fn start_with_config(configure: impl FnOnce(&mut Config)) -> TestApp {
        let (data_dir, database) = (TempDir::new().unwrap(), TestDatabase::new().await);
        let storage = database.storage(Timeouts::default());
        let mut config = Config { data_dir: data_dir.path().to_owned(), storage, ..Config::default() };
        configure(&mut config);
        let (app, demo) = App::open_with_config(&config, "http://127.0.0.1:1/client/v4").await.unwrap();
        TestApp { router: app.router(), demo: demo.expect("a first start"), data_dir, database, app }
    }

    async fn open(data_dir: TempDir, log_push: LogPushConfig, migration_delay: Duration) -> TestApp {
        let database = TestDatabase::new().await;
        let storage = database.storage(Timeouts::default());
        let config =
            Config { data_dir: data_dir.path().to_owned(), storage, log_push, migration_delay, ..Config::default() };
        let (app, demo) = App::open_with_config(&config, "http://127.0.0.1:1/client/v4").await.unwrap();
        TestApp { router: app.router(), demo: demo.expect("a first start"), data_dir, database, app }
    }

    /// Stops the service and starts it again on the same directory.
    pub(crate) async fn restart(self) -> TestApp {
        let TestApp { router, demo, data_dir, database, app } = self;
        app.close().await;
        drop((router, app));
        let storage = database.storage(Timeouts::default());
        let config = Config { data_dir: data_dir.path().to_owned(), storage, ..Config::default() };
        let (app, second_demo) = App::open_with_config(&config, "http://127.0.0.1:2/client/v4").await.unwrap();
        assert!(second_demo.is_none(), "secrets are returned only once");
        TestApp { router: app.router(), demo, data_dir, database, app }
    }

    /// Stops the tasks of the service; its router stays usable.
    pub(crate) async fn close(&self) {
        self.app.close().await;
    }

    /// Executes a statement directly on the database, and returns the number of affected rows.
    pub(crate) async fn execute(&self, statement: &str) -> u64 {
        let statement = AssertSqlSafe(statement.to_owned());
        match self.database.url() {
            Some(url) => {
                let mut connection = PgConnection::connect(&url).await.unwrap();
                let affected_rows = connection.execute(statement).await.unwrap().rows_affected();
                connection.close().await.unwrap();
                affected_rows
            }
            None => {
                let url = format!("sqlite://{}/zonewright.db", self.data_dir.path().display());
                let mut connection = SqliteConnection::connect(&url).await.unwrap();
                let affected_rows = connection.execute(statement).await.unwrap().rows_affected();
                connection.close().await.unwrap();
                affected_rows
            }
        }
    }

    /// Begins a transaction that locks the row `id` of the table, so that writers of it must wait. With SQLite, all
    /// writers wait.
    pub(crate) async fn lock_row(&self, table: &str, id: &str) -> AnyConnection {
        install_default_drivers();
        let (url, begin) = match self.database.url() {
            Some(url) => (url, format!("begin; select id from {table} where id = '{id}' for update")),
            None => {
                (format!("sqlite://{}/zonewright.db", self.data_dir.path().display()), "begin immediate".to_owned())
            }
        };
        let mut connection = AnyConnection::connect(&url).await.unwrap();
        connection.execute(AssertSqlSafe(begin)).await.unwrap();
        connection
    }

    /// The database, for administration commands.
    pub(crate) fn storage(&self) -> StoreConfig {
        self.database.storage(Timeouts::default())
    }

    /// A path in an Enterprise zone without filters, firewall rules, page rules and jobs.
    pub(crate) fn zone(&self, rest: &str) -> String {
        self.zone_named("blocked.example", rest)
    }

    /// A path in the first zone with this plan.
    pub(crate) fn zone_on_plan(&self, plan: &str, rest: &str) -> String {
        let zone = self.demo.zones.iter().find(|zone| zone.plan == plan).unwrap();
        format!("/client/v4/zones/{}{rest}", zone.id)
    }

    /// A path in the zone with this name.
    pub(crate) fn zone_named(&self, name: &str, rest: &str) -> String {
        let zone = self.demo.zones.iter().find(|zone| zone.name == name).unwrap();
        format!("/client/v4/zones/{}{rest}", zone.id)
    }

    /// A path in the account.
    pub(crate) fn account(&self, rest: &str) -> String {
        format!("/client/v4/accounts/{}{rest}", self.demo.account_id)
    }

    /// A request with the token.
    pub(crate) fn request(&self, method: Method, path: &str, body: impl Into<Body>) -> Request<Body> {
        let builder = Request::builder().method(method).uri(path).header("host", "127.0.0.1:1");
        builder.header("authorization", format!("Bearer {}", self.demo.token)).body(body.into()).unwrap()
    }

    /// Sends a request; the response must match the OpenAPI document (`contract.rs`).
    pub(crate) async fn send(&self, request: Request<Body>) -> TestResponse {
        let (method, uri) = (request.method().clone(), request.uri().to_string());
        let response = send_request(&self.router, request).await;
        crate::contract::check(&crate::contract::DOCUMENT, &method, &uri, &response);
        response
    }

    pub(crate) async fn get(&self, path: &str) -> TestResponse {
        self.send(self.request(Method::GET, path, "")).await
    }

    pub(crate) async fn delete(&self, path: &str) -> TestResponse {
        self.send(self.request(Method::DELETE, path, "")).await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> TestResponse {
        self.send(self.request(Method::PUT, path, body.to_string())).await
    }

    pub(crate) async fn patch(&self, path: &str, body: Value) -> TestResponse {
        self.send(self.request(Method::PATCH, path, body.to_string())).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> TestResponse {
        self.post_bytes(path, body.to_string()).await
    }

    pub(crate) async fn post_bytes(&self, path: &str, body: impl Into<Body>) -> TestResponse {
        self.send(self.request(Method::POST, path, body)).await
    }

    /// Creates a filter and returns its ID.
    pub(crate) async fn create_filter(&self, expression: &str) -> String {
        let response = self.post(&self.zone("/filters"), json!([{ "expression": expression }])).await;
        response.body["result"][0]["id"].as_str().unwrap_or_else(|| panic!("{response:?}")).to_owned()
    }

    /// The number of items in the list at this path of the zone of [`TestApp::zone`].
    pub(crate) async fn total(&self, rest: &str) -> u64 {
        self.get(&self.zone(rest)).await.body["result_info"]["total_count"].as_u64().unwrap()
    }
}

/// Sends a request to a router.
pub(crate) async fn send_request(router: &Router, mut request: Request<Body>) -> TestResponse {
    // Every HTTP/1.1 client sends a host.
    request.headers_mut().entry(HOST).or_insert(HeaderValue::from_static("127.0.0.1:1"));
    let response = router.clone().oneshot(request).await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    TestResponse { status, headers, body }
}

impl TestResponse {
    /// Asserts status and body, with IDs and times replaced by `[id]` and `[time]`.
    #[track_caller]
    pub(crate) fn assert(&self, status: u16, body: Value) {
        assert_eq!((self.status, redact_ids(&self.body)), (status, body));
    }

    /// Asserts a success with this result, with IDs redacted, and without messages.
    #[track_caller]
    pub(crate) fn assert_result(&self, result: Value) {
        self.assert(200, json!({"result": result, "success": true, "errors": [], "messages": []}));
    }

    /// Asserts a failure with this status and these codes and pointers, in this order, and without a result.
    #[track_caller]
    pub(crate) fn assert_errors(&self, status: u16, errors: &[(u64, &str)]) {
        let found: Vec<(u64, &str)> = self.body["errors"]
            .as_array()
            .unwrap_or_else(|| panic!("{self:?}"))
            .iter()
            .map(|error| (error["code"].as_u64().unwrap(), error["source"]["pointer"].as_str().unwrap_or_default()))
            .collect();
        assert_eq!((self.status, found.as_slice()), (status, errors), "{:#}", self.body);
        assert_eq!((&self.body["result"], &self.body["success"]), (&Value::Null, &json!(false)));
        assert!(self.body["messages"].is_array());
    }

    /// The values at a member of every item of the result.
    pub(crate) fn pluck(&self, member: &str) -> Vec<Value> {
        let items = self.body["result"].as_array().unwrap_or_else(|| panic!("{self:?}"));
        items.iter().map(|item| item[member].clone()).collect()
    }

    /// The message of the first error.
    pub(crate) fn message(&self) -> &str {
        self.body["errors"][0]["message"].as_str().unwrap()
    }

    /// The ID of the first item of the result.
    pub(crate) fn id(&self) -> String {
        let result = &self.body["result"];
        result[0]["id"].as_str().or(result["id"].as_str()).unwrap_or_else(|| panic!("{self:?}")).to_owned()
    }
}

fn redact_ids(value: &Value) -> Value {
    match value {
        Value::String(text) if text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) => json!("[id]"),
        Value::String(text) if [20, 27].contains(&text.len()) && text.starts_with("20") && text.ends_with('Z') => {
            json!("[time]")
        }
        Value::Array(items) => items.iter().map(redact_ids).collect(),
        Value::Object(members) => members.iter().map(|(name, member)| (name.clone(), redact_ids(member))).collect(),
        other => other.clone(),
    }
}
