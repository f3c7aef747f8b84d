//! Monitoring: health, readiness and metrics.

use crate::app::TestApp;
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

async fn metrics(app: &TestApp) -> String {
    let answer = app.send(Request::get("/metrics").header("host", "localhost").body(Body::empty()).unwrap()).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.headers["content-type"].to_str().unwrap().starts_with("application/openmetrics-text"));
    let Value::String(text) = answer.body else { panic!("{:?}", answer.body) };
    text
}

/// The value of a sample, by its name and labels as text.
#[track_caller]
fn value(metrics: &str, sample: &str) -> f64 {
    let found = metrics.lines().find_map(|line| line.strip_prefix(sample)?.strip_prefix(' '));
    found.unwrap_or_else(|| panic!("no {sample} in\n{metrics}")).parse().unwrap()
}

#[tokio::test]
async fn working_service_is_healthy_and_ready() {
    let app = TestApp::start().await;
    for path in ["/healthz", "/readyz"] {
        let answer = app.get(path).await;
        assert_eq!((answer.status, answer.body), (200, json!("ok\n")), "{path}");
    }
}

#[tokio::test]
async fn service_without_its_data_directory_is_healthy_but_not_ready() {
    let app = TestApp::start().await;
    let moved = app.folder.path().with_extension("moved");
    std::fs::rename(app.folder.path(), &moved).unwrap();
    let answer = app.get("/readyz").await;
    std::fs::rename(&moved, app.folder.path()).unwrap();
    assert_eq!((answer.status, answer.body), (503, json!("the data directory is not writable\n")));
    assert_eq!(app.get("/healthz").await.status, 200);
    // The readiness result is cached for a second.
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    assert_eq!(app.get("/readyz").await.status, 200);
}

#[tokio::test]
async fn request_metrics_are_labeled_with_the_route_template() {
    let app = TestApp::start_with_config(|config| config.middleware.metrics = true).await;
    app.create_filter("ssl").await;
    app.get(&app.zone("/filters?description=secret")).await;
    app.get(&app.zone("/filters/nonsense")).await;
    app.get("/client/v4/secret").await;
    let text = metrics(&app).await;
    let requests = "zonewright_http_requests_total";
    let template = "/client/v4/zones/{zone_id}/filters";
    assert_eq!(value(&text, &format!("{requests}{{method=\"POST\",route=\"{template}\",status=\"200\"}}")), 1.0);
    assert_eq!(value(&text, &format!("{requests}{{method=\"GET\",route=\"{template}\",status=\"200\"}}")), 1.0);
    assert_eq!(value(&text, &format!("{requests}{{method=\"GET\",route=\"{template}/{{id}}\",status=\"404\"}}")), 1.0);
    assert_eq!(value(&text, &format!("{requests}{{method=\"GET\",route=\"unmatched\",status=\"404\"}}")), 1.0);
    let duration = format!("zonewright_http_request_duration_seconds_count{{route=\"{template}\"}}");
    assert_eq!(value(&text, &duration), 2.0);
    assert!(value(&text, "zonewright_store_transaction_seconds_count") >= 1.0);
    assert_eq!(value(&text, "zonewright_migrations_pending"), 0.0);
    assert_eq!(value(&text, "zonewright_log_push_spool_bytes"), 0.0);
    assert!(!text.contains("secret") && text.ends_with("# EOF\n"), "{text}");
}

#[tokio::test]
async fn log_line_metrics_count_lines_by_outcome() {
    let app = TestApp::start_with_config(|config| {
        config.middleware.metrics = true;
        config.log_push.file_root = Some(config.data_dir.join("pushed"));
        config.log_push.limits.batch_interval = std::time::Duration::from_millis(50);
    })
    .await;
    let job = json!({"dataset": "http_requests", "enabled": true, "destination_conf": "file:///{DATE}"});
    assert_eq!(app.post(&app.zone("/logpush/jobs"), job).await.status, 200);
    let lines = "{\"ClientIP\":\"192.0.2.1\"}\n{\"ClientIP\":\"192.0.2.2\"}\nno line\n";
    assert_eq!(app.post_bytes(&app.zone("/logpush/ingest/http_requests"), lines).await.status, 200);
    for _ in 0..200 {
        if metrics(&app).await.contains("zonewright_log_push_deliveries_total{state=\"delivered\"} 1") {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    let text = metrics(&app).await;
    for (state, count) in [("accepted", 2.0), ("rejected", 1.0), ("delivered", 2.0)] {
        assert_eq!(value(&text, &format!("zonewright_log_push_lines_total{{state=\"{state}\"}}")), count);
    }
}

#[tokio::test]
async fn metrics_are_restricted_to_loopback() {
    let request = |host: &str| Request::get("/metrics").header("host", host);
    let app = TestApp::start().await;
    assert_eq!(app.send(request("localhost").body(Body::empty()).unwrap()).await.status, 404);
    let app = TestApp::start_with_config(|config| {
        config.middleware.metrics = true;
        config.middleware.hosts = vec!["rules.example.com".parse().unwrap()];
    })
    .await;
    assert_eq!(app.send(request("localhost").body(Body::empty()).unwrap()).await.status, 200);
    assert_eq!(app.send(request("rules.example.com").body(Body::empty()).unwrap()).await.status, 404);
    let passed_on = request("localhost").header("x-forwarded-for", "192.0.2.1").body(Body::empty()).unwrap();
    assert_eq!(app.send(passed_on).await.status, 404);
}
