//! Several processes on one PostgreSQL. Skipped without a server for tests (`tests/postgres`).

use crate::database::{TestDatabase, server};
use crate::logpush_updates::{assert_chain, update_by_writer};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;
use tower::ServiceExt;
use zonewright_delivery::{DeliveryLimits, LogPushConfig};
use zonewright_server::{App, Config, Demo};
use zonewright_store::{StoreConfig, Timeouts, check};

struct ProcessGroup {
    apps: Vec<(App, Router)>,
    demo: Demo,
    folder: TempDir,
    storage: StoreConfig,
    database: TestDatabase,
}

fn config(folder: &Path) -> LogPushConfig {
    let limits = DeliveryLimits { batch_interval: Duration::from_millis(100), ..DeliveryLimits::default() };
    LogPushConfig { file_root: Some(folder.join("files")), limits, ..LogPushConfig::default() }
}

fn test_config(data: PathBuf, storage: &StoreConfig, log_push: LogPushConfig, migration_delay: Duration) -> Config {
    Config { data_dir: data, storage: storage.clone(), log_push, migration_delay, ..Config::default() }
}

async fn open(folder: &Path, name: &str, storage: &StoreConfig) -> (App, Option<Demo>) {
    let delay = Duration::from_millis(300);
    App::open_with_config(&test_config(folder.join(name), storage, config(folder), delay), "").await.unwrap()
}

impl ProcessGroup {
    /// Starts three services; `None` without a server.
    async fn start() -> Option<ProcessGroup> {
        let database = TestDatabase::postgres(&server()?).await;
        let times = Timeouts {
            lease_term: Duration::from_secs(1),
            connect_timeout: Duration::from_secs(5),
            ..Timeouts::default()
        };
        let (folder, storage) = (TempDir::new().unwrap(), database.storage(times));
        std::fs::create_dir(folder.path().join("files")).unwrap();
        let path = folder.path();
        let (a, b, c) = tokio::join!(open(path, "a", &storage), open(path, "b", &storage), open(path, "c", &storage));
        let mut demos = Vec::new();
        let mut apps = Vec::new();
        for (app, demo) in [a, b, c] {
            demos.extend(demo);
            apps.push((app.clone(), app.router()));
        }
        assert_eq!(demos.len(), 1, "exactly one process creates the demo account");
        Some(ProcessGroup { apps, demo: demos.remove(0), folder, storage, database })
    }

    async fn send(&self, index: usize, method: Method, path: &str, body: String) -> (u16, Value) {
        let builder = Request::builder().method(method).uri(path).header("host", "127.0.0.1");
        let builder = builder.header("authorization", format!("Bearer {}", self.demo.token));
        let router = self.apps[index % self.apps.len()].1.clone();
        let response = router.oneshot(builder.body(Body::from(body)).unwrap()).await.unwrap();
        let status = response.status().as_u16();
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (status, serde_json::from_slice(&bytes).unwrap())
    }

    fn zone(&self, name: &str, rest: &str) -> String {
        let zone = self.demo.zones.iter().find(|zone| zone.name == name).unwrap();
        format!("/client/v4/zones/{}{rest}", zone.id)
    }

    async fn create(&self, index: usize, expression: &str) -> (u16, Value) {
        let rule = json!([{"filter": {"expression": expression}, "action": "block"}]);
        self.send(index, Method::POST, &self.zone("blocked.example", "/firewall/rules"), rule.to_string()).await
    }

    async fn query_count(&self, statement: &'static str) -> i64 {
        let mut connection = PgConnection::connect(&self.database.url().unwrap()).await.unwrap();
        let number = sqlx::query_scalar(statement).fetch_one(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        number
    }

    async fn assert_consistent(&self) {
        assert_eq!(check(self.folder.path(), &self.storage).await, Ok(Vec::new()));
    }

    fn delivered(&self) -> Vec<String> {
        delivered(&self.folder.path().join("files"))
    }
}

/// The IDs of all lines in the objects of a directory, as JSON.
pub(crate) fn delivered(folder: &Path) -> Vec<String> {
    let mut rays = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rays.extend(delivered(&path));
        } else if path.extension().is_some_and(|end| end == "gz") {
            let mut text = String::new();
            let file = std::fs::File::open(&path).unwrap();
            std::io::Read::read_to_string(&mut flate2::read::MultiGzDecoder::new(file), &mut text).unwrap();
            let ray = |line: &str| serde_json::from_str::<Value>(line).unwrap()["RayID"].to_string();
            rays.extend(text.lines().map(ray));
        }
    }
    rays
}

#[tokio::test]
async fn combined_creates_across_processes_form_one_list_and_one_log() {
    let Some(group) = ProcessGroup::start().await else { return };
    let texts: Vec<String> = (0..60).map(|number| format!("cf.edge.server_port eq {number}")).collect();
    let responses = join_all(texts.iter().enumerate().map(|(number, text)| group.create(number, text))).await;
    assert!(responses.iter().all(|(status, _)| *status == 200), "{responses:?}");
    let same = join_all((0..9).map(|index| group.create(index, "ssl"))).await;
    assert_eq!(same.iter().filter(|(status, _)| *status == 200).count(), 1, "{same:?}");
    assert!(same.iter().all(|(status, _)| [200, 400].contains(status)), "{same:?}");
    let list = group.zone("blocked.example", "/firewall/rules");
    let (_, response) = group.send(1, Method::GET, &list, String::new()).await;
    assert_eq!(response["result_info"]["total_count"], json!(61));
    let statement = "select count(distinct r.seq) from firewall_rules r join zones z on z.id = r.zone_id
                  where z.name = 'blocked.example'";
    assert_eq!(group.query_count(statement).await, 61);
    group.assert_consistent().await;
}

/// Runs the futures concurrently.
async fn join_all<F: Future>(futures: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut waiting: Vec<_> = futures.map(|future| (Box::pin(future), None)).collect();
    std::future::poll_fn(|context| {
        let mut ready = true;
        for (future, done) in &mut waiting {
            if done.is_none() {
                match future.as_mut().poll(context) {
                    std::task::Poll::Ready(output) => *done = Some(output),
                    std::task::Poll::Pending => ready = false,
                }
            }
        }
        if ready { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    waiting.into_iter().map(|(_, done)| done.unwrap()).collect()
}

#[tokio::test]
async fn migration_is_completed_by_exactly_one_process() {
    let Some(group) = ProcessGroup::start().await else { return };
    let config = group.zone("pro.example", "/waf_migration/config?phase_two=1");
    let (_, config) = group.send(0, Method::GET, &config, String::new()).await;
    let path = "/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=pending&phase_two=1";
    let (status, response) =
        group.send(0, Method::PUT, &group.zone("pro.example", path), config["result"].to_string()).await;
    assert_eq!(status, 200, "{response:#}");
    let state = group.zone("pro.example", "/waf_migration/status");
    for round in 0.. {
        let (_, response) = group.send(round, Method::GET, &state, String::new()).await;
        if response["result"]["migration_state"] == json!("complete") {
            break;
        }
        assert!(round < 400, "{response:#}");
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let completions = r#"select count(*) from audit_log where after_change = '{"migration_state":"complete"}'"#;
    assert_eq!(group.query_count(completions).await, 1);
    group.assert_consistent().await;
}

#[tokio::test]
async fn job_delivers_lines_that_any_process_ingests() {
    let Some(group) = ProcessGroup::start().await else { return };
    let jobs = group.zone("blocked.example", "/logpush/jobs");
    let ingest = group.zone("blocked.example", "/logpush/ingest/http_requests");
    let target = format!("file://{}", group.folder.path().join("files/out").display());
    let job = json!({"dataset": "http_requests", "enabled": true, "destination_conf": target,
                     "output_options": {"field_names": ["RayID"]}});
    let (status, created) = group.send(0, Method::POST, &jobs, job.to_string()).await;
    assert_eq!(status, 200, "{created:#}");
    // Each process gets the same line, because one batch must not replace another.
    for index in 0..3 {
        let line = json!({"RayID": "same"}).to_string();
        let (status, response) = group.send(index, Method::POST, &ingest, line).await;
        assert_eq!((status, &response["messages"]), (200, &json!([])), "{response:#}");
    }
    for round in 0.. {
        if group.delivered().len() >= 3 {
            break;
        }
        assert!(round < 400, "{:?}", group.delivered());
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    let job = format!("{jobs}/{}", created["result"]["id"]);
    assert_eq!(group.send(1, Method::DELETE, &job, String::new()).await.0, 200);
    for index in 0..3 {
        let (_, response) = group.send(index, Method::POST, &ingest, json!({"RayID": "late"}).to_string()).await;
        assert_eq!(response["messages"][0]["code"], json!(10001), "{response:#}");
    }
    assert_eq!(group.delivered().len(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_concurrent_updates_across_processes_all_succeed() {
    let Some(group) = ProcessGroup::start().await else { return };
    let jobs = group.zone("blocked.example", "/logpush/jobs");
    let job = json!({"dataset": "http_requests", "enabled": true, "destination_conf": "file:///out"});
    let (_, created) = group.send(0, Method::POST, &jobs, job.to_string()).await;
    let job = format!("{jobs}/{}", created["result"]["id"]);
    let update = |writer: u64| group.send(writer as usize, Method::PUT, &job, update_by_writer(writer).to_string());
    for (status, response) in join_all((0..50).map(update)).await {
        assert_eq!(status, 200, "{response:#}");
    }
    let account = &group.demo.account_id;
    let log = format!("/client/v4/accounts/{account}/audit_logs?action.type=logpush_job.update&direction=asc");
    let (_, entries) = group.send(0, Method::GET, &log, String::new()).await;
    assert_chain(entries["result"].as_array().unwrap(), 50);
}

#[tokio::test]
async fn data_directory_is_exclusive_across_machines() {
    let Some(group) = ProcessGroup::start().await else { return };
    // Holds the lease as another machine would.
    let mut connection = PgConnection::connect(&group.database.url().unwrap()).await.unwrap();
    let ProcessGroup { mut apps, folder, storage, .. } = group;
    let (app, router) = apps.remove(0);
    app.close().await;
    drop((app, router));
    let identity = std::fs::read_to_string(folder.path().join("a/lock")).unwrap();
    let insertion = "insert into leases (name, holder, until) values ($1, 'elsewhere', $2)";
    let name = format!("data folder {}", identity.trim());
    sqlx::query(insertion).bind(&name).bind(i64::MAX).execute(&mut connection).await.unwrap();
    let startup_error = App::open_with_config(
        &test_config(folder.path().join("a"), &storage, config(folder.path()), Duration::ZERO),
        "",
    )
    .await;
    assert!(startup_error.is_err_and(|error| error.to_string().contains("another service is using")));
    sqlx::query("update leases set until = 0 where name = $1").bind(&name).execute(&mut connection).await.unwrap();
    open(folder.path(), "a", &storage).await;
}

#[tokio::test]
async fn terminated_connections_lose_no_acknowledged_write() {
    let Some(group) = ProcessGroup::start().await else { return };
    let url = group.database.url().unwrap();
    let killer = tokio::spawn(async move {
        let mut connection = PgConnection::connect(&url).await.unwrap();
        let kill = "select count(pg_terminate_backend(pid)) from pg_stat_activity
                    where datname = current_database() and pid <> pg_backend_pid()";
        for _ in 0..10 {
            tokio::time::sleep(Duration::from_millis(150)).await;
            sqlx::query(kill).execute(&mut connection).await.unwrap();
        }
    });
    let (mut acknowledged_ids, mut rejected, mut number) = (Vec::new(), 0, 0);
    while !killer.is_finished() {
        let texts: Vec<String> = (0..6).map(|n| format!("cf.edge.server_port eq {}", number + n)).collect();
        for (status, response) in
            join_all(texts.iter().enumerate().map(|(index, text)| group.create(index, text))).await
        {
            match status {
                200 => acknowledged_ids.push(response["result"][0]["id"].as_str().unwrap().to_owned()),
                503 => rejected += 1,
                _ => assert_eq!(response["errors"][0]["code"], json!(10504), "{response:#}"),
            }
        }
        number += 6;
        if number > 900 {
            break;
        }
    }
    killer.await.unwrap();
    assert!(
        rejected > 0 && !acknowledged_ids.is_empty(),
        "{rejected} rejected, {} acknowledged",
        acknowledged_ids.len()
    );
    assert_eq!(group.create(0, "ssl").await.0, 200, "the next request works");
    for id in acknowledged_ids {
        let rule = group.zone("blocked.example", &format!("/firewall/rules/{id}"));
        assert_eq!(group.send(2, Method::GET, &rule, String::new()).await.0, 200, "{id} was acknowledged");
    }
    group.assert_consistent().await;
}
