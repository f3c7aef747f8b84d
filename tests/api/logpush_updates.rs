//! Concurrent updates of one log push job are serialized; none fails and none is lost.

use crate::app::{TestApp, TestResponse, send_request};
use axum::http::Method;
use serde_json::{Value, json};
use sqlx::Executor;
use std::time::Duration;
use tokio::task::JoinSet;

/// Clients that update one job concurrently.
const WRITERS: u64 = 50;

/// The update of one writer. Writers change different members, so that a lost update is visible.
pub(crate) fn update_by_writer(writer: u64) -> Value {
    match writer % 5 {
        0 => json!({ "name": format!("writer-{writer}") }),
        1 => json!({ "max_upload_records": 1000 + writer }),
        2 => json!({ "max_upload_bytes": 5_000_000 + writer }),
        3 => json!({ "max_upload_interval_seconds": 30 + writer }),
        _ => json!({ "output_options": { "field_names": ["RayID"], "record_prefix": writer.to_string() } }),
    }
}

/// Panics unless the audit entries of a job's updates, oldest first, form a chain: every update starts from the
/// previous result and changes only the members that its writer sent.
pub(crate) fn assert_chain(entries: &[Value], writers: u64) {
    assert_eq!(entries.len() as u64, writers);
    for (earlier, later) in entries.iter().zip(entries.iter().skip(1)) {
        assert_eq!(earlier["newValueJson"], later["oldValueJson"], "{later:#}");
    }
    for entry in entries {
        let (old, new) = (entry["oldValueJson"].as_object().unwrap(), entry["newValueJson"].as_object().unwrap());
        let changed: Vec<_> = new.iter().filter(|(name, value)| old.get(*name) != Some(value)).collect();
        let one_update = (0..writers).any(|writer| {
            let update = update_by_writer(writer);
            changed.len() == 1 && update.get(changed[0].0) == Some(changed[0].1)
        });
        assert!(one_update, "{changed:#?}");
    }
}

async fn create_job(app: &TestApp, settings: Value) -> String {
    let created = app.post(&app.zone("/logpush/jobs"), settings).await;
    assert_eq!(created.status, 200, "{created:?}");
    format!("{}/{}", app.zone("/logpush/jobs"), created.body["result"]["id"])
}

/// Sends the updates concurrently; every response is 200.
async fn send_concurrent_updates(app: &TestApp, path: &str, updates: impl Iterator<Item = Value>) {
    let mut requests = JoinSet::new();
    for update in updates {
        let (router, request) = (app.router.clone(), app.request(Method::PUT, path, update.to_string()));
        requests.spawn(async move { send_request(&router, request).await });
    }
    for response in requests.join_all().await {
        assert_eq!(response.status, 200, "{response:?}");
    }
}

async fn logged_updates(app: &TestApp) -> Vec<Value> {
    let query = "/audit_logs?action.type=logpush_job.update&direction=asc&per_page=1000";
    app.get(&app.account(query)).await.body["result"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_concurrent_updates_succeed_and_none_is_lost() {
    let app = TestApp::start_with_log_push(|config, folder| config.file_root = Some(folder.to_owned())).await;
    for enabled in [false, true] {
        let settings = json!({"dataset": "http_requests", "enabled": enabled, "destination_conf": "file:///logs"});
        let path = create_job(&app, settings).await;
        let before = logged_updates(&app).await.len();
        send_concurrent_updates(&app, &path, (0..WRITERS).map(update_by_writer)).await;
        let entries = logged_updates(&app).await.split_off(before);
        assert_chain(&entries, WRITERS);
        assert_eq!(app.get(&path).await.body["result"], entries[entries.len() - 1]["newValueJson"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_changes_of_a_tested_destination_succeed() {
    let app = TestApp::start_with_log_push(|config, folder| {
        config.file_root = Some(folder.join("pushed"));
        config.test_destination = true;
    });
    let app = app.await;
    let settings = json!({"dataset": "http_requests", "enabled": true, "destination_conf": "file:///logs"});
    let path = create_job(&app, settings).await;
    let update = |writer: u64| match writer % 2 {
        0 => json!({ "name": format!("writer-{writer}") }),
        _ => json!({ "destination_conf": format!("file:///logs-{writer}") }),
    };
    send_concurrent_updates(&app, &path, (0..WRITERS).map(update)).await;
    assert_eq!(logged_updates(&app).await.len() as u64, WRITERS);
}

/// Sends an update while another transaction holds the lock of the zone and commits `change` before the update can be
/// saved.
async fn update_after_concurrent_commit(
    app: &TestApp,
    path: &str,
    update: Value,
    change: &'static str,
) -> TestResponse {
    let zone = app.demo.zones.iter().find(|zone| path.contains(&zone.id)).unwrap();
    let mut other = app.lock_row("zones", &zone.id).await;
    let sent = app.put(path, update);
    let concurrent_commit = async {
        // By then the update was validated and waits for the lock.
        tokio::time::sleep(Duration::from_millis(500)).await;
        other.execute(change).await.unwrap();
        other.execute("commit").await.unwrap();
    };
    tokio::join!(sent, concurrent_commit).0
}

#[tokio::test]
async fn update_after_a_concurrent_commit_is_validated_against_the_newer_job() {
    let app = TestApp::start_with_log_push(|config, folder| {
        config.file_root = Some(folder.join("pushed"));
        config.test_destination = true;
    });
    let app = app.await;
    let root = app.data_dir.path().join("pushed");
    std::fs::create_dir(&root).unwrap();
    std::fs::write(root.join("blocked"), "a file where the folder would be").unwrap();
    let settings = json!({"dataset": "http_requests", "destination_conf": "file:///logs", "name": "old"});
    let path = create_job(&app, settings).await;

    let rename = "update logpush_jobs set settings = replace(settings, '\"old\"', '\"new\"')";
    let response = update_after_concurrent_commit(&app, &path, json!({"frequency": "low"}), rename).await;
    let result = &response.body["result"];
    assert_eq!((response.status, &result["name"], &result["frequency"]), (200, &json!("new"), &json!("low")));

    let block = "update logpush_jobs set settings = replace(settings, 'file:///logs', 'file:///blocked')";
    let response = update_after_concurrent_commit(&app, &path, json!({"enabled": true}), block).await;
    response.assert_errors(400, &[(1002, "/destination_conf")]);
    assert_eq!(app.get(&path).await.body["result"]["enabled"], json!(false));

    let delete = "delete from logpush_jobs";
    let response = update_after_concurrent_commit(&app, &path, json!({"name": "late"}), delete).await;
    response.assert_errors(404, &[(10001, "")]);
}

#[tokio::test]
async fn update_after_a_concurrent_commit_needs_the_challenge_of_the_newer_job() {
    let app = TestApp::start_with_log_push(|config, _| config.require_challenge = true).await;
    let path =
        create_job(&app, json!({"dataset": "http_requests", "destination_conf": "https://logs.example/in"})).await;
    let move_to_bucket =
        "update logpush_jobs set settings = replace(settings, 'https://logs.example/in', 's3://b/a?region=eu-1')";
    let move_to_https =
        "update logpush_jobs set settings = replace(settings, 's3://b/a?region=eu-1', 'https://logs.example/in')";
    app.execute(move_to_bucket).await;
    let same_destination = json!({"destination_conf": "s3://b/a?region=eu-1"});
    assert_eq!(app.put(&path, same_destination.clone()).await.status, 200);
    let response = update_after_concurrent_commit(&app, &path, same_destination, move_to_https).await;
    response.assert_errors(400, &[(1002, "/ownership_challenge")]);
}
