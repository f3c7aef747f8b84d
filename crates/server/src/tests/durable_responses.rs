//! Responses wait for the commits of the writes that their requests have observed.

use crate::app::App;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use serde_json::{Value, json};
use sqlx::Row;
use sqlx::any::AnyPoolOptions;
use std::time::Duration;
use tokio::time::sleep;
use tower::ServiceExt;
use zonewright_store::{Actor, Scope};

struct Client {
    app: App,
    router: Router,
    token: String,
    zone: String,
    /// A separate connection, which sees only committed data.
    database: sqlx::AnyPool,
}

impl Client {
    async fn call(&self, method: &str, rest: &str, body: Value) -> (u16, Value) {
        let uri = format!("/client/v4/zones/{}{rest}", self.zone);
        let request = Request::builder().method(method).uri(uri).header("host", "localhost");
        let request = request.header("authorization", format!("Bearer {}", self.token));
        let response = self.router.clone().oneshot(request.body(Body::from(body.to_string())).unwrap()).await.unwrap();
        let status = response.status().as_u16();
        (status, serde_json::from_slice(&to_bytes(response.into_body(), usize::MAX).await.unwrap()).unwrap())
    }

    /// Returns the number of committed filters. It reads the database directly, because every read of the store waits
    /// for the commit, and this test observes the database before the commit.
    async fn count_committed_filters(&self) -> i64 {
        let row = sqlx::query("select count(*) from filters where zone_id = $1").bind(self.zone.clone());
        row.fetch_one(&self.database).await.unwrap().get(0)
    }
}

#[tokio::test]
async fn responses_wait_for_the_commits_of_the_writes_that_they_observe() {
    let folder = tempfile::TempDir::new().unwrap();
    let (app, demo) = App::open(folder.path(), "").await.unwrap();
    let demo = demo.unwrap();
    let zone = demo.zones.iter().find(|zone| zone.name == "blocked.example").unwrap().id.clone();
    let url = format!("sqlite://{}", folder.path().join(zonewright_store::DATABASE_FILE).display());
    let database = AnyPoolOptions::new().max_connections(1).connect(&url).await.unwrap();
    let client = Client { router: app.router(), app, token: demo.token, zone, database };
    let (_, created) = client.call("POST", "/filters", json!([{"expression": "ssl"}])).await;
    let single_path = format!("/filters/{}", created["result"][0]["id"].as_str().unwrap());
    let batch_path = format!("/filters?id={}", created["result"][0]["id"].as_str().unwrap());
    let new = json!([{"expression": "not ssl"}, {"expression": "http.host eq \"a\""}]);
    // Method, path, body, expected status, minimum number of committed filters once the response has arrived. With 0,
    // the first filter has to be deleted by then, whether the new filters are committed or not.
    let calls = [
        ("DELETE", &*single_path, json!({}), 200, 0),
        ("DELETE", &*single_path, json!({}), 404, 0),
        ("DELETE", &*batch_path, json!({}), 200, 0),
        ("POST", "/filters", new.clone(), 200, 2),
        ("POST", "/filters", new, 400, 2),
    ];
    // All calls wait in the writer queue between a first writer and a last writer, which delays the commit.
    let actor = Actor::service();
    let first_writer = client.app.store.write(Scope::Service, &actor).await.unwrap();
    let calls = calls.into_iter().enumerate().map(|(index, (method, rest, body, status, min_filters))| {
        let client = &client;
        async move {
            sleep(Duration::from_millis(100 * index as u64)).await;
            let (response_status, body) = client.call(method, rest, body).await;
            assert_eq!(response_status, status, "{method} {rest}: {body:#}");
            assert!(
                client.count_committed_filters().await >= min_filters
                    && (min_filters > 0 || client.count_committed_filters().await != 1),
                "{method} {rest}"
            );
        }
    });
    let finish_queue = async {
        sleep(Duration::from_millis(600)).await;
        let last_writer = client.app.store.write(Scope::Service, &actor);
        let release_first = async {
            sleep(Duration::from_millis(50)).await;
            drop(first_writer);
        };
        let (last_writer, ()) = tokio::join!(last_writer, release_first);
        sleep(Duration::from_millis(100)).await;
        last_writer.unwrap().rollback().await.unwrap();
    };
    tokio::join!(futures_util::future::join_all(calls), finish_queue);
}
