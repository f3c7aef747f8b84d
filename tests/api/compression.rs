//! Compression of responses: which responses, for which clients, and the headers that go with it.

use crate::app::TestApp;
use crate::relay::harness::{PASSPHRASE, RecordingUpstream, TOKEN, TestRelay, request, success};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::{ACCEPT_ENCODING, HOST};
use axum::http::{HeaderMap, HeaderValue, Method, Request};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::io::Read;
use tower::ServiceExt;

const GZIP: Option<&str> = Some("gzip");

/// A response with its body as it was sent.
struct RawResponse {
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl RawResponse {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    fn encoding(&self) -> &str {
        self.header("content-encoding")
    }

    fn varies_by_encoding(&self) -> bool {
        self.headers.get_all("vary").iter().any(|value| value.to_str().unwrap().contains("accept-encoding"))
    }

    /// The body without its content encoding. Fails unless the length in the headers is right.
    fn decoded(&self) -> Vec<u8> {
        assert_eq!(self.header("content-length"), self.body.len().to_string());
        if self.encoding().is_empty() {
            return self.body.clone();
        }
        assert_eq!((self.encoding(), self.varies_by_encoding()), ("gzip", true));
        let mut decoded = Vec::new();
        GzDecoder::new(self.body.as_slice()).read_to_end(&mut decoded).unwrap();
        decoded
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.decoded()).unwrap()
    }
}

async fn send(router: &Router, mut request: Request<Body>, accepted: Option<&str>) -> RawResponse {
    request.headers_mut().entry(HOST).or_insert(HeaderValue::from_static("127.0.0.1:1"));
    request.headers_mut().extend(accepted.map(|accepted| (ACCEPT_ENCODING, accepted.parse::<HeaderValue>().unwrap())));
    let response = router.clone().oneshot(request).await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    RawResponse { status, headers, body: to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec() }
}

async fn get(app: &TestApp, path: &str, accepted: Option<&str>) -> RawResponse {
    send(&app.router, app.request(Method::GET, path, ""), accepted).await
}

/// A service whose list of filters, which is returned, is long.
async fn app_with_filters() -> (TestApp, String) {
    let app = TestApp::start().await;
    let filters: Vec<Value> = (0..20).map(|n| json!({"expression": format!("http.host eq \"{n}.example\"")})).collect();
    assert_eq!(app.post(&app.zone("/filters"), json!(filters)).await.status, 200);
    let path = app.zone("/filters");
    (app, path)
}

/// A relay in front of an upstream that responds with a text of this length, and with this entity tag.
async fn relay_with_response_of(length: usize) -> (TestRelay, RecordingUpstream) {
    let upstream = RecordingUpstream::with_handler(move |_| {
        let mut response = success(json!("a".repeat(length)));
        response.headers_mut().insert("etag", HeaderValue::from_static("\"v1\""));
        response
    })
    .await;
    (TestRelay::with_client_credentials(&upstream.address), upstream)
}

fn relayed(method: &str, path: &str) -> Request<Body> {
    request(method, path, &[("authorization", TOKEN)], "")
}

#[tokio::test]
async fn gzip_response_of_a_list_decodes_to_the_plain_response() {
    let (app, path) = app_with_filters().await;
    let plain = get(&app, &path, None).await;
    // The list is cached: the first and the second response are compressed from the same body.
    for _ in 0..2 {
        let compressed = get(&app, &path, GZIP).await;
        assert_eq!((compressed.status, compressed.encoding()), (200, "gzip"));
        assert_eq!(compressed.decoded(), plain.decoded());
        assert!(compressed.body.len() < plain.body.len() / 2, "{} of {}", compressed.body.len(), plain.body.len());
        for name in ["content-type", "cache-control"] {
            assert_eq!(compressed.header(name), plain.header(name), "{name}");
        }
    }
    assert!(plain.encoding().is_empty() && plain.varies_by_encoding());
}

#[tokio::test]
async fn compressed_list_after_a_change_contains_the_change() {
    let (app, path) = app_with_filters().await;
    let before = get(&app, &path, GZIP).await.json();
    app.create_filter("ssl").await;
    let after = get(&app, &path, GZIP).await.json();
    let total = |body: &Value| body["result_info"]["total_count"].as_u64().unwrap();
    assert_eq!(total(&after), total(&before) + 1);
}

#[tokio::test]
async fn content_coding_follows_accept_encoding() {
    let (app, path) = app_with_filters().await;
    for (accepted, encoding) in [
        (None, ""),
        (Some(""), ""),
        (Some("gzip"), "gzip"),
        (Some("GZip, deflate"), "gzip"),
        (Some("gzip, deflate, br, zstd"), "gzip"),
        (Some("br"), ""),
        (Some("*"), "gzip"),
        (Some("gzip;q=0, *"), ""),
        (Some("gzip; q=0.000"), ""),
        (Some("gzip;q=0.001"), "gzip"),
        (Some("gzip;q=0.5, identity"), ""),
        (Some("gzip, identity;q=0.5"), "gzip"),
        (Some("identity;q=0, gzip;q=0.1"), "gzip"),
        (Some("identity;q=0, *;q=0.1"), "gzip"),
        // The client accepts nothing, so the header is ignored.
        (Some("identity;q=0"), ""),
        (Some("*;q=0"), ""),
    ] {
        let response = get(&app, &path, accepted).await;
        assert_eq!((response.status, response.encoding()), (200, encoding), "{accepted:?}");
        assert!(response.varies_by_encoding(), "{accepted:?}");
    }
}

#[tokio::test]
async fn only_body_above_one_kibibyte_is_compressed() {
    let envelope = r#"{"result":"","success":true,"errors":[],"messages":[]}"#.len();
    for (length, encoding) in [(1024, ""), (1025, "gzip"), (100_000, "gzip")] {
        let (relay, _upstream) = relay_with_response_of(length - envelope).await;
        let response = send(&relay.router, relayed("GET", "/zones"), GZIP).await;
        assert_eq!((response.encoding(), response.varies_by_encoding()), (encoding, !encoding.is_empty()), "{length}");
        assert_eq!(response.decoded().len(), length);
    }
}

#[tokio::test]
async fn head_response_has_the_headers_of_get_and_no_body() {
    let (app, path) = app_with_filters().await;
    let (relay, _upstream) = relay_with_response_of(5000).await;
    for accepted in [None, GZIP] {
        for (router, path, get, head) in [
            (&app.router, path.as_str(), app.request(Method::GET, &path, ""), app.request(Method::HEAD, &path, "")),
            (&relay.router, "/zones", relayed("GET", "/zones"), relayed("HEAD", "/zones")),
        ] {
            let (get, head) = (send(router, get, accepted).await, send(router, head, accepted).await);
            assert_eq!((head.status, head.body.len()), (200, 0), "{path} {accepted:?}");
            assert_eq!(get.encoding(), accepted.unwrap_or_default());
            for name in ["content-type", "content-length", "content-encoding", "vary", "etag"] {
                assert_eq!(head.header(name), get.header(name), "{path} {accepted:?}: {name}");
            }
        }
    }
}

#[tokio::test]
async fn openapi_document_is_compressed_once_and_keeps_its_304() {
    let app = TestApp::start().await;
    let path = "/client/v4/openapi.json";
    let (plain, compressed) = (get(&app, path, None).await, get(&app, path, GZIP).await);
    assert_eq!((compressed.encoding(), compressed.decoded() == plain.decoded()), ("gzip", true));
    assert_eq!(compressed.headers.get_all("vary").iter().count(), 1, "{:?}", compressed.headers);
    for (accepted, known, status) in
        [(GZIP, compressed.header("etag"), 304), (GZIP, plain.header("etag"), 200), (None, plain.header("etag"), 304)]
    {
        let mut request = app.request(Method::GET, path, "");
        request.headers_mut().insert("if-none-match", known.parse().unwrap());
        let response = send(&app.router, request, accepted).await;
        assert_eq!((response.status, response.varies_by_encoding()), (status, true), "{accepted:?} {known}");
        if status == 304 {
            assert_eq!((response.encoding(), response.body.len()), ("", 0), "{accepted:?} {known}");
        }
    }
}

#[tokio::test]
async fn entity_tag_of_a_compressed_ruleset_is_accepted_by_if_match() {
    let app = TestApp::start().await;
    let path = app.zone("/rulesets/phases/http_request_firewall_custom/entrypoint");
    let rules: Vec<Value> =
        (0..20).map(|n| json!({"action": "block", "expression": format!("http.host eq \"{n}.example\"")})).collect();
    assert_eq!(app.put(&path, json!({ "rules": rules })).await.status, 200);
    let (plain, compressed) = (get(&app, &path, None).await, get(&app, &path, GZIP).await);
    assert_eq!((compressed.encoding(), compressed.header("etag")), ("gzip", plain.header("etag")));
    for (tag, status) in [("\"other\"", 412), (compressed.header("etag"), 200), (compressed.header("etag"), 412)] {
        let body = json!({"rules": [], "description": "changed"}).to_string();
        let mut request = app.request(Method::PUT, &path, body);
        request.headers_mut().insert("if-match", tag.parse().unwrap());
        assert_eq!(send(&app.router, request, GZIP).await.status, status, "{tag}");
    }
}

#[tokio::test]
async fn response_to_a_write_and_long_error_are_compressed() {
    let app = TestApp::start().await;
    for (end, status) in [("\"", 200), ("", 400)] {
        let filters: Vec<Value> = (0..20).map(|n| json!({"expression": format!("http.host eq \"{n}{end}")})).collect();
        let request = app.request(Method::POST, &app.zone("/filters"), json!(filters).to_string());
        let response = send(&app.router, request, GZIP).await;
        assert_eq!((response.status, response.encoding()), (status, "gzip"));
        assert_eq!(response.json()["success"], json!(status == 200));
    }
    let short_error = get(&app, "/client/v4/nothing", GZIP).await;
    assert_eq!((short_error.status, short_error.encoding()), (404, ""));
}

#[tokio::test]
async fn response_that_may_contain_secrets_is_not_compressed() {
    let app = TestApp::start().await;
    for path in [app.zone("/logpush/datasets/http_requests/fields"), app.account("/logpush/datasets/audit_logs/fields")]
    {
        let response = get(&app, &path, GZIP).await;
        assert_eq!((response.encoding(), response.varies_by_encoding()), ("", false), "{path}");
    }
    let (relay, _upstream) = relay_with_response_of(5000).await;
    for (path, encoding) in [
        ("/z/logpush/jobs", ""),
        ("/z/logpush/jobs/1", ""),
        ("/user/tokens/verify", ""),
        ("/accounts/0123456789abcdef0123456789abcdef/tokens/verify", ""),
        ("/z/filters?name=logpush", "gzip"),
    ] {
        let response = send(&relay.router, relayed("GET", path), GZIP).await;
        assert_eq!((response.status, response.encoding()), (200, encoding), "{path}");
        assert!(response.decoded().len() > 5000);
    }
}

#[tokio::test]
async fn session_response_with_csrf_token_is_not_compressed() {
    let (_, upstream) = relay_with_response_of(0).await;
    let relay = TestRelay::with_stored_credentials(&upstream.address);
    let body = json!({ "passphrase": PASSPHRASE }).to_string();
    let log_in = request("POST", "/relay/session", &[("content-type", "application/json")], body);
    let response = send(&relay.router, log_in, GZIP).await;
    assert_eq!((response.status, response.encoding(), response.varies_by_encoding()), (200, "", false));
    assert!(response.json()["result"]["csrf_token"].is_string());
}

#[tokio::test]
async fn relay_compresses_for_the_client_and_requests_uncompressed_bodies() {
    let (relay, upstream) = relay_with_response_of(100_000).await;
    let (plain, compressed) = (
        send(&relay.router, relayed("GET", "/zones"), None).await,
        send(&relay.router, relayed("GET", "/zones"), GZIP).await,
    );
    assert_eq!((compressed.status, compressed.encoding(), compressed.header("etag")), (200, "gzip", "\"v1\""));
    assert_eq!(compressed.decoded(), plain.decoded());
    let sent = upstream.drain_requests();
    assert!(sent.iter().all(|received| received.headers[ACCEPT_ENCODING] == "identity"), "{sent:?}");
}
