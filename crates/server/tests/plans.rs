//! Query plans of requests on long lists: every SQLite statement finds its rows by an index, so that its cost grows
//! with the logarithm of the table. The statements are captured from the log of the service.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, Row, SqliteConnection};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use tower::ServiceExt;
use tracing::field::{Field, Visit};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use zonewright_server::App;

/// The captured statements.
#[derive(Clone, Default)]
struct StatementRecorder(Arc<Mutex<BTreeSet<String>>>);

/// A statement in the log. `full_text` is empty if `summary` is the full text.
#[derive(Default)]
struct StatementEvent {
    summary: String,
    full_text: String,
}

impl Visit for StatementEvent {
    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "summary" => value.clone_into(&mut self.summary),
            "db.statement" => value.clone_into(&mut self.full_text),
            _ => {}
        }
    }
}

impl<S: tracing::Subscriber> Layer<S> for StatementRecorder {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        if event.metadata().target() == "sqlx::query" {
            let mut statement = StatementEvent::default();
            event.record(&mut statement);
            let text = if statement.full_text.is_empty() { statement.summary } else { statement.full_text };
            self.0.lock().unwrap().insert(text.trim().to_owned());
        }
    }
}

struct Client {
    router: Router,
    token: String,
    statements: StatementRecorder,
}

impl Client {
    /// Returns the result of a request and the statements that it ran.
    async fn call(&self, method: &str, path: &str, body: Value) -> (Value, BTreeSet<String>) {
        self.statements.0.lock().unwrap().clear();
        let request = Request::builder().method(method).uri(path).header("host", "localhost");
        let request = request.header("authorization", format!("Bearer {}", self.token));
        let response = self.router.clone().oneshot(request.body(Body::from(body.to_string())).unwrap()).await.unwrap();
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let mut response: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(response["success"], json!(true), "{method} {path}: {response:#}");
        (response["result"].take(), self.statements.0.lock().unwrap().clone())
    }
}

#[tokio::test]
async fn requests_on_long_lists_use_indexes() {
    let statements = StatementRecorder::default();
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(statements.clone())).unwrap();
    let folder = tempfile::TempDir::new().unwrap();
    let (app, demo) = App::open(folder.path(), "").await.unwrap();
    let demo = demo.unwrap();
    let zone = demo.zones.iter().find(|zone| zone.name == "enterprise.example").unwrap();
    let client = Client { router: app.router(), token: demo.token.clone(), statements };
    let base = format!("/client/v4/zones/{}", zone.id);
    let rules = format!("{base}/firewall/rules");
    let filters = format!("{base}/filters");
    let new = json!([{"filter": {"expression": "ip.src eq 192.0.2.1"}, "action": "log", "paused": true}]);
    let (created, _) = client.call("POST", &rules, new.clone()).await;
    let (rule, filter) = (created[0]["id"].as_str().unwrap(), created[0]["filter"]["id"].as_str().unwrap());
    let mut connection =
        SqliteConnection::connect(&format!("sqlite://{}/zonewright.db", folder.path().display())).await;
    let connection = connection.as_mut().unwrap();

    let another = json!([{"filter": {"expression": "ip.src eq 192.0.2.2"}, "action": "log"}]);
    let changed = json!({"id": rule, "filter": {"id": filter}, "action": "block"});
    let cases = [
        ("GET", format!("{rules}?page=2&per_page=100"), Value::Null),
        ("GET", format!("{rules}?id={rule}"), Value::Null),
        ("GET", format!("{rules}/{rule}"), Value::Null),
        ("GET", format!("{filters}?page=2&per_page=100"), Value::Null),
        ("GET", format!("{filters}?ref=a"), Value::Null),
        ("GET", format!("{filters}/{filter}"), Value::Null),
        ("GET", "/client/v4/zones?page=2&per_page=5".to_owned(), Value::Null),
        ("GET", "/client/v4/zones?name=enterprise.example".to_owned(), Value::Null),
        ("POST", rules.clone(), another),
        ("PUT", format!("{rules}/{rule}"), changed),
        ("DELETE", format!("{rules}/{rule}"), json!({"delete_filter_if_unused": true})),
    ];
    for (method, path, body) in cases {
        let (_, statements) = client.call(method, &path, body).await;
        let mut explained = 0;
        // Some statements were sent as one batch.
        for statement in statements.iter().flat_map(|text| text.split(';')) {
            let begins = |word: &str| statement.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
            if !["with", "select", "insert", "update", "delete"].into_iter().any(begins) {
                continue;
            }
            explained += 1;
            let explain = AssertSqlSafe(format!("explain query plan {statement}"));
            for row in sqlx::raw_sql(explain).fetch_all(&mut *connection).await.unwrap() {
                let step: String = row.get("detail");
                let has_few_rows = step.contains("CONSTANT ROW") || step == "SCAN asked";
                let is_linear = step.starts_with("SCAN") && !has_few_rows || step.contains("TEMP B-TREE");
                assert!(!is_linear, "{method} {path}: {step} in\n{statement}");
            }
        }
        assert!(explained >= 2, "{method} {path}: too few statements were captured");
    }
    assert_audit_pages_use_index_ranges(&client, connection, &demo.account_id).await;
}

/// Checks the plans of the statements that read the audit log. The service sorts the page afterwards.
async fn assert_audit_pages_use_index_ranges(client: &Client, connection: &mut SqliteConnection, account: &str) {
    for query in ["", "since=2020-01-01", "since=2020-01-01&before=2999-01-01&direction=asc"] {
        let path = format!("/client/v4/accounts/{account}/audit_logs?page=2&per_page=2&{query}");
        let (_, statements) = client.call("GET", &path, Value::Null).await;
        for statement in statements.iter().filter(|one| one.starts_with("with scopes")) {
            let explain = AssertSqlSafe(format!("explain query plan {statement}"));
            for row in sqlx::raw_sql(explain).fetch_all(&mut *connection).await.unwrap() {
                let step: String = row.get("detail");
                assert!(
                    !step.starts_with("SCAN") || step.starts_with("SCAN scopes") || step.contains("CONSTANT"),
                    "{step}"
                );
                assert!(!step.starts_with("SEARCH d") || step.contains("audit_log_of_gone_zones"), "{step}");
            }
        }
        let statements: Vec<String> =
            statements.into_iter().filter(|one| one.contains("from audit_log l where l.account_id")).collect();
        // Without a time range, the total comes from the lengths of the logs, so only the page is a statement on
        // entries.
        assert_eq!(statements.len(), if query.is_empty() { 1 } else { 2 }, "{query}: the number and the page");
        for statement in statements {
            let explain = AssertSqlSafe(format!("explain query plan {statement}"));
            let rows = sqlx::raw_sql(explain).fetch_all(&mut *connection).await.unwrap();
            let steps: Vec<String> = rows.iter().map(|row| row.get("detail")).collect();
            let range = "SEARCH l USING COVERING INDEX audit_log_in_order (account_id=?";
            assert!(steps.iter().any(|step| step.starts_with(range)), "{query}: {steps:#?} in\n{statement}");
            assert!(!steps.iter().any(|step| step.starts_with("SCAN l")), "{query}: {steps:#?} in\n{statement}");
            let uses_index = |step: &String| !step.contains(" d ") || step.contains("audit_log_of_gone_zones");
            assert!(steps.iter().all(uses_index), "{query}: {steps:#?} in\n{statement}");
        }
    }
}
