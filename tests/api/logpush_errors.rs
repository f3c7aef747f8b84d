//! Errors of log push jobs: one test for each error that clients of the provider have received, and invalid bodies.

use crate::app::TestApp;
use serde_json::{Value, json};

const JOBS: &str = "/logpush/jobs";
const DESTINATION: &str = "https://logs.example.com/in?header_Authorization=Basic%20hunter2";

/// A valid job with these members.
fn job_with(members: Value) -> Value {
    let mut job = json!({"destination_conf": DESTINATION});
    job.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    job
}

#[tokio::test]
async fn wrong_challenge_is_1002_incorrect_ownership_challenge() {
    let app = TestApp::start().await;
    let response = app.post(&app.zone(JOBS), job_with(json!({"ownership_challenge": "eyJ.x.y"}))).await;
    response.assert_errors(400, &[(1002, "/ownership_challenge")]);
    assert_eq!(response.message(), "incorrect ownership challenge");
}

#[tokio::test]
async fn instant_logs_job_with_a_bad_predicate_is_1004() {
    let app = TestApp::start().await;
    let filter = r#"{"where":{"key":"EdgeResponseStatus","operator":"in","value":"200,201"}}"#;
    let body = json!({"fields": "ClientIP", "sample": 1, "filter": filter, "kind": "instant-logs"});
    let response = app.post(&app.zone("/logpush/edge/jobs"), body).await;
    response.assert_errors(400, &[(1004, "/filter")]);
    let expected = "creating a new instant logs job is not allowed: bad predicate: ";
    assert!(response.message().starts_with(expected), "{}", response.message());
}

#[tokio::test]
async fn fifth_job_is_1004_exceeded_max_jobs_allowed() {
    let app = TestApp::start().await;
    for (path, dataset) in [(app.zone(JOBS), "http_requests"), (app.account(JOBS), "audit_logs")] {
        let job = job_with(json!({"dataset": dataset}));
        for _ in 0..4 {
            assert_eq!(app.post(&path, job.clone()).await.status, 200);
        }
        let response = app.post(&path, job.clone()).await;
        response.assert_errors(400, &[(1004, "")]);
        assert_eq!(response.message(), "creating a new job is not allowed: exceeded max jobs allowed");
        let id = app.get(&path).await.body["result"][0]["id"].clone();
        assert_eq!(app.delete(&format!("{path}/{id}")).await.status, 200);
        assert_eq!(app.post(&path, job).await.status, 200);
    }
    assert_eq!(
        app.post(&app.zone_on_plan("free", JOBS), job_with(json!({}))).await.status,
        200,
        "each zone has its own limit"
    );
}

#[tokio::test]
async fn invalid_filter_is_1004_bad_predicate() {
    let app = TestApp::start().await;
    let filters = [
        r#"{"where":{"key":"EdgeResponseStatus","operator":"in","value":"200,201"}}"#,
        r#"{"where":{"key":"NoSuchField","operator":"eq","value":"x"}}"#,
        r#"{"key":"ClientIP","operator":"eq","value":"x"}"#,
        "not json",
    ];
    for filter in filters {
        let response = app.post(&app.zone(JOBS), job_with(json!({"filter": filter}))).await;
        response.assert_errors(400, &[(1004, "/filter")]);
        let expected = "creating a new job is not allowed: bad predicate: ";
        assert!(response.message().starts_with(expected), "{}", response.message());
    }
}

#[tokio::test]
async fn section_7_1_filter_over_the_limits_of_section_8_is_rejected() {
    let app = TestApp::start().await;
    let condition = json!({"key": "ClientASN", "operator": "eq", "value": 1});
    let operators = json!({"where": {"or": vec![condition; 31]}}).to_string();
    let bytes = json!({"where": {"key": "ClientIP", "operator": "eq", "value": "x".repeat(1000)}}).to_string();
    for filter in [operators, bytes] {
        let response = app.post(&app.zone(JOBS), job_with(json!({"filter": filter}))).await;
        response.assert_errors(400, &[(1004, "/filter")]);
    }
}

#[tokio::test]
async fn change_of_kind_or_dataset_is_400() {
    let app = TestApp::start().await;
    assert_eq!(app.post(&app.zone(JOBS), job_with(json!({}))).await.status, 200);
    let path = app.zone("/logpush/jobs/1");
    for (name, value) in [("kind", "edge"), ("dataset", "firewall_events")] {
        let pointer = format!("/{name}");
        app.put(&path, json!({ name: value })).await.assert_errors(400, &[(1002, &pointer)]);
    }
    let same = json!({"kind": "", "dataset": "http_requests"});
    assert_eq!(app.put(&path, same).await.status, 200, "equal values are accepted");
}

#[tokio::test]
async fn unknown_transformer_is_rejected() {
    let app = TestApp::start().await;
    let response = app.post(&app.zone(JOBS), job_with(json!({"transformer_id": 7}))).await;
    response.assert_errors(400, &[(1002, "/transformer_id")]);
    assert!(response.message().starts_with("transformer 7 not found for this account"), "{}", response.message());
}

#[tokio::test]
async fn unknown_job_is_404() {
    let app = TestApp::start().await;
    for (owner, jobs) in [("zone", app.zone(JOBS)), ("account", app.account(JOBS))] {
        let path = format!("{jobs}/235658");
        for response in [app.get(&path).await, app.put(&path, json!({})).await, app.delete(&path).await] {
            response.assert_errors(404, &[(10001, "")]);
            assert_eq!(response.message(), format!("there is no job `235658` in this {owner}"));
        }
        for id in ["x", "-1", "+1", "01", "1.0", "18446744073709551616", "0123456789abcdef0123456789abcdef"] {
            app.get(&format!("{jobs}/{id}")).await.assert_errors(404, &[(7003, ""), (7000, "")]);
        }
        app.get(&format!("{jobs}/18446744073709551615")).await.assert_errors(404, &[(10001, "")]);
    }
}

#[tokio::test]
async fn unknown_account_or_zone_is_404() {
    let app = TestApp::start().await;
    let id = "0123456789abcdef0123456789abcdef";
    for scope in ["zones", "accounts"] {
        let response = app.get(&format!("/client/v4/{scope}/{id}/logpush/jobs")).await;
        response.assert_errors(404, &[(7003, "")]);
        assert!(
            response.message().starts_with(&format!("Could not route to /{scope}/{id},")),
            "{}",
            response.message()
        );
        let response = app.get(&format!("/client/v4/{scope}/x/logpush/jobs")).await;
        response.assert_errors(404, &[(7003, ""), (7000, "")]);
    }
    // The ID of a zone is not the ID of an account, and the reverse.
    let swapped = app.zone(JOBS).replace("/zones/", "/accounts/");
    app.get(&swapped).await.assert_errors(404, &[(7003, "")]);
    app.get(&app.account(JOBS).replace("/accounts/", "/zones/")).await.assert_errors(404, &[(7003, "")]);
}

#[tokio::test]
async fn dataset_of_the_other_scope_is_rejected() {
    let app = TestApp::start().await;
    for (path, dataset) in [(app.zone(JOBS), "audit_logs"), (app.account(JOBS), "http_requests")] {
        app.post(&path, job_with(json!({"dataset": dataset}))).await.assert_errors(400, &[(1002, "/dataset")]);
    }
    for path in [app.zone(JOBS), app.account(JOBS)] {
        assert_eq!(
            app.post(&path, job_with(json!({"dataset": "firewall_events"}))).await.status,
            200,
            "both scopes have it"
        );
    }
}

#[tokio::test]
async fn every_error_of_a_job_is_reported() {
    let app = TestApp::start().await;
    let body = json!({
        "name": "a b", "dataset": "http_request", "enabled": "yes", "frequency": "often", "max_upload_bytes": 1,
        "max_upload_interval_seconds": 29, "max_upload_records": 999, "extra": 1
    });
    let response = app.post(&app.zone(JOBS), body).await;
    let errors = response.body["errors"].as_array().unwrap().clone();
    let mut pointers: Vec<_> = errors.iter().map(|error| error["source"]["pointer"].as_str().unwrap()).collect();
    pointers.sort_unstable();
    let expected = [
        "/dataset",
        "/destination_conf",
        "/enabled",
        "/extra",
        "/frequency",
        "/max_upload_bytes",
        "/max_upload_interval_seconds",
        "/max_upload_records",
        "/name",
    ];
    assert_eq!((response.status, pointers.as_slice()), (400, expected.as_slice()));
    assert!(errors.iter().all(|error| error["code"] == 1002));
}

#[tokio::test]
async fn disallowed_destinations_are_rejected() {
    let app = TestApp::start().await;
    for destination in ["file:///logs", "http://example.com/in", "loki://example.com", "", "not an address"] {
        let response = app.post(&app.zone(JOBS), json!({"destination_conf": destination})).await;
        response.assert_errors(400, &[(1002, "/destination_conf")]);
    }
    let app = TestApp::start_with_log_push(|config, folder| {
        config.file_root = Some(folder.join("pushed"));
        config.allow_http = true;
    })
    .await;
    for destination in ["file:///logs", "http://example.com/in"] {
        let response = app.post(&app.zone(JOBS), json!({"destination_conf": destination})).await;
        assert_eq!(response.status, 200, "{response:?}");
    }
}

#[tokio::test]
async fn errors_contain_no_secret() {
    let app = TestApp::start().await;
    let destinations = [
        "s3://b?region=us-west-2&access-key-id=hunter2&secret-access-key=hunter2&endpoint=a b",
        "https://user:hunter2@example.com:99999/x?header_Authorization=hunter2",
        "datadog://x?header_DD-API-KEY=hunter2&y",
        "r2://b/x?account-id=1&access-key-id=hunter2&secret-access-key=hunter2&secret-access-key=hunter2",
        "azure://x?sig=hunter2",
        "s3//b?secret-access-key=hunter2",
        "hunter2scheme+://secret-access-key=hunter2",
    ];
    for destination in destinations {
        for path in [JOBS, "/logpush/ownership", "/logpush/validate/destination"] {
            let response = app.post(&app.zone(path), json!({"destination_conf": destination})).await;
            if response.status == 200 && path == JOBS {
                continue;
            }
            assert!(!response.body.to_string().contains("=hunter2"), "{destination}: {}", response.body);
        }
    }
}

#[tokio::test]
async fn malformed_bodies_are_rejected() {
    let app = TestApp::start().await;
    let path = app.zone(JOBS);
    for body in [&b""[..], b"{", b"\xff\xfe", b"{\"name\": NaN}", b"{\"max_upload_bytes\": 1e400}"] {
        app.post_bytes(&path, body.to_vec()).await.assert_errors(400, &[(10019, "")]);
    }
    let twice = format!(r#"{{"destination_conf": "{DESTINATION}", "name": "a", "name": "b"}}"#);
    app.post_bytes(&path, twice).await.assert_errors(400, &[(10014, "/name")]);
    app.post_bytes(&path, " ".repeat(4 * 1024 * 1024 + 1)).await.assert_errors(413, &[(10413, "")]);
    let hostile = [
        ("filter", json!("[".repeat(1_000_000))),
        ("filter", json!(r#"{"where":"#.repeat(100_000))),
        ("filter", json!("\0")),
        ("name", json!("a\0")),
        ("destination_conf", json!("https://example.com/".to_owned() + &"a".repeat(5000))),
        ("destination_conf", json!("s3://b\0?region=x")),
        ("logpull_options", json!("fields=".to_owned() + &"a".repeat(5000))),
        ("output_options", json!({"record_prefix": "\0"})),
        ("output_options", json!([])),
        ("max_upload_bytes", json!(-1)),
        ("max_upload_bytes", json!(1e30)),
        ("max_upload_records", json!(18_446_744_073_709_551_615_u64)),
    ];
    for (name, value) in hostile {
        let response = app.post(&path, job_with(json!({ name: value }))).await;
        let excerpt: String = value.to_string().chars().take(60).collect();
        assert_eq!(response.status, 400, "{name} {excerpt}");
        assert!(response.body.to_string().len() < 50_000, "{name} {excerpt}");
    }
    app.get(&path).await.assert_result(json!([]));
}
