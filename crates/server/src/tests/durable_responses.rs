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

    /// Returns the number of committed filters. The statement is here because every read of the store waits for the
    /// commit, and this test observes the database before it.
    async fn filters(&self) -> i64 {
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
    let one = format!("/filters/{}", created["result"][0]["id"].as_str().unwrap());
    let many = format!("/filters?id={}", created["result"][0]["id"].as_str().unwrap());
    let new = json!([{"expression": "not ssl"}, {"expression": "http.host eq \"a\""}]);
    let calls = [
        ("DELETE", &*one, json!({}), 200, 0),
        ("DELETE", &*one, json!({}), 404, 0),
        ("DELETE", &*many, json!({}), 200, 0),
        ("POST", "/filters", new.clone(), 200, 2),
        ("POST", "/filters", new, 400, 2),
    ];
    // All calls wait in the writer queue between a first writer and a last writer, which delays the commit.
    let actor = Actor::service();
    let begin = client.app.store.write(Scope::Service, &actor).await.unwrap();
    let calls = calls.into_iter().enumerate().map(|(index, (method, rest, body, status, min_filters))| {
        let client = &client;
        async move {
            sleep(Duration::from_millis(100 * index as u64)).await;
            let (response_status, body) = client.call(method, rest, body).await;
            assert_eq!(response_status, status, "{method} {rest}: {body:#}");
            assert!(
                client.filters().await >= min_filters && (min_filters > 0 || client.filters().await != 1),
                "{method} {rest}"
            );
        }
    });
    let line = async {
        sleep(Duration::from_millis(600)).await;
        let last = client.app.store.write(Scope::Service, &actor);
        let go = async {
            sleep(Duration::from_millis(50)).await;
            drop(begin);
        };
        let (last, ()) = tokio::join!(last, go);
        sleep(Duration::from_millis(100)).await;
        last.unwrap().rollback().await.unwrap();
    };
    tokio::join!(futures_util::future::join_all(calls), line);
}
