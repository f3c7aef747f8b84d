//! Monitoring of a relay.

use super::harness::{ID, RecordingUpstream, TestRelay, listen, request, success};
use axum::Router;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde_json::{Value, json};

async fn metrics(relay: &TestRelay) -> String {
    let request = axum::http::Request::get("/metrics").header("host", "127.0.0.1:1").body(axum::body::Body::empty());
    let response = relay.send(request.unwrap()).await;
    assert_eq!(response.status, 200, "{response:?}");
    let Value::String(text) = response.body else { panic!("{:?}", response.body) };
    text
}

#[tokio::test]
async fn metrics_count_requests_by_outcome() {
    let upstream = RecordingUpstream::with_handler(|request| match request.path_and_query.contains("/logpush") {
        true => (StatusCode::FORBIDDEN, r#"{"success":false}"#).into_response(),
        false => success(json!([])),
    })
    .await;
    let relay = TestRelay::with_client_credentials(&upstream.address);
    relay.call("GET", "/z/filters?description=secret", "").await;
    relay.call("GET", "/z/logpush/jobs", "").await;
    relay.call("POST", "/z/filters", "[{}]").await;
    relay.call("GET", &format!("/zones/{ID}/secret"), "").await;
    let text = metrics(&relay).await;
    for (route, outcome, count) in
        [("filters", "Success", 1), ("logpush/jobs", "ClientError", 1), ("filters", "Rejected", 1)]
    {
        let sample = format!("zonewright_relay_requests_total{{route=\"{route}\",outcome=\"{outcome}\"}} {count}");
        assert!(text.lines().any(|line| line == sample), "no {sample} in\n{text}");
    }
    assert!(text.contains("zonewright_relay_upstream_duration_seconds_count 2\n"), "{text}");
    assert!(text.contains("zonewright_http_requests_total") && !text.contains("log_push"), "{text}");
    assert!(!text.contains("secret") && !text.contains(ID) && text.ends_with("# EOF\n"), "{text}");

    // An upstream that is unreachable.
    let unreachable = listen(Router::new()).await.replace("127.0.0.1", "127.0.0.2");
    let relay = TestRelay::with_client_credentials(&unreachable);
    assert_eq!(relay.call("GET", "/z/filters", "").await.status, 502);
    assert!(metrics(&relay).await.contains("{route=\"filters\",outcome=\"Unreachable\"} 1"));
    for path in ["/healthz", "/readyz"] {
        let request = axum::http::Request::get(path).header("host", "127.0.0.1:1").body(axum::body::Body::empty());
        assert_eq!(relay.send(request.unwrap()).await.status, 200, "the relay itself is ready");
    }
}

#[tokio::test]
async fn metrics_are_restricted_to_loopback() {
    let upstream = RecordingUpstream::start().await;
    let relay = TestRelay::with_client_credentials(&upstream.address);
    let forwarded =
        axum::http::Request::get("/metrics").header("host", "127.0.0.1:1").header("x-forwarded-for", "1.2.3.4");
    assert_eq!(relay.send(forwarded.body(axum::body::Body::empty()).unwrap()).await.status, 404);
    assert_eq!(relay.send(request("GET", "/metrics", &[], "")).await.status, 404);
    assert_eq!(upstream.drain_calls(), Vec::<String>::new());
}
