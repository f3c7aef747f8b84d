//! Provokes the error examples that many operations share, and those of paths outside of `/client/v4`.

use crate::app::{TestApp, TestResponse};
use crate::contract::{DOCUMENT, check};
use crate::migration_client::{PENDING, ZoneClient};
use crate::openapi::EXAMPLE_ZONE as ZONE;
use crate::openapi_examples::ExampleFixture;
use crate::relay::harness::{PASSPHRASE, TestRelay, UpstreamBehavior, listen, start_hostile_upstream};
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use zonewright_server::RateLimit;

/// Errors that many operations share, by status.
pub(crate) async fn common_errors() -> Map<String, Value> {
    // This request lasts as long as the timeout of a body.
    let slow = tokio::spawn(trigger_408());
    let fixture = ExampleFixture::create("/zones/{zone_id}/filters").await;
    let path = fixture.to_actual(&format!("/client/v4/zones/{ZONE}/filters"));
    let plain = || Request::builder().uri(&path).header("host", "localhost");
    let token = format!("Bearer {}", fixture.app.demo.token);
    let known = || plain().header("authorization", &token);
    let elsewhere = "/client/v4/zones/00000000000000000000000000000000/filters";
    let entry_point = path.replace("filters", "rulesets/phases/http_request_firewall_custom/entrypoint");
    let requests = [
        plain().body(Body::empty()),
        plain().header("authorization", format!("Bearer {}", "a".repeat(40))).body(Body::empty()),
        known().uri(elsewhere).body(Body::empty()),
        known().uri(entry_point).method("PUT").header("if-match", "\"1\"").body(Body::from("{\"rules\": []}")),
        known().method("POST").body(Body::from(vec![b' '; 5 << 20])),
        known().method("POST").header("content-encoding", "br").body(Body::from("[]")),
        Request::builder().uri(&path).header("host", "rules.example.com").body(Body::empty()),
    ];
    let mut responses = Vec::new();
    for request in requests {
        responses.push(fixture.app.send(request.unwrap()).await);
    }
    responses.extend([
        trigger_410().await,
        trigger_429().await,
        trigger_500().await,
        trigger_503().await,
        slow.await.unwrap(),
    ]);
    let mut found = Map::new();
    for response in responses {
        let documented = fixture.to_documented(&response).await;
        assert!(response.status >= 400, "{response:?}");
        assert!(found.insert(response.status.to_string(), documented).is_none(), "{response:?}");
    }
    found.extend(trigger_relay_errors().await);
    let described = [&*DOCUMENT].into_iter().chain(&*crate::contract::RELAYS);
    for (name, response) in described.flat_map(|document| document["components"]["responses"].as_object().unwrap()) {
        let content = &response["content"]["application/json"];
        assert!(content.get("example").is_some() || std::env::var_os("UPDATE").is_some(), "{name} has no example");
    }
    found
}

/// 410: the previous endpoints of a migrated zone.
async fn trigger_410() -> TestResponse {
    let app = TestApp::start_migrating(Duration::ZERO).await;
    let zone = ZoneClient { app: &app, name: "enterprise.example" };
    let planned = zone.config().await;
    let response = zone.put(PENDING, &planned).await;
    assert_eq!(response.status, 200, "{response:?}");
    for _ in 0..200 {
        let response = zone.get("/firewall/waf/packages").await;
        if response.status != 200 {
            return response;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("the migration did not complete");
}

/// 429: one request over the limit.
async fn trigger_429() -> TestResponse {
    let app = TestApp::start_with_config(|config| {
        config.middleware.rate_limit = Some(RateLimit { requests: 1, ..RateLimit::default() });
    })
    .await;
    assert_eq!(app.get("/client/v4/zones").await.status, 200);
    app.get("/client/v4/zones").await
}

/// 500: the schema of the database is damaged.
async fn trigger_500() -> TestResponse {
    let app = TestApp::start().await;
    app.execute("alter table zones rename to zones_of_somebody").await;
    app.get(&app.zone("/filters")).await
}

/// 503: the database is closed, as during shutdown.
async fn trigger_503() -> TestResponse {
    let app = TestApp::start().await;
    app.close().await;
    app.get(&app.zone("/filters")).await
}

/// 408: a body that does not arrive.
async fn trigger_408() -> TestResponse {
    let app = TestApp::start().await;
    let address = listen(app.router.clone()).await;
    let mut stream = TcpStream::connect(address.strip_prefix("http://").unwrap()).await.unwrap();
    let path = app.zone("/filters");
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\ncontent-length: 9\r\n\
         connection: close\r\n\r\n[",
        app.demo.token
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut text = String::new();
    tokio::time::timeout(Duration::from_secs(60), stream.read_to_string(&mut text)).await.unwrap().unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let headers = HeaderMap::from_iter([("content-type".parse().unwrap(), "application/json".parse().unwrap())]);
    let response = TestResponse { status, headers, body: serde_json::from_str(body).unwrap() };
    check(&DOCUMENT, &Method::POST, &path, &response);
    response
}

/// Errors of relays only: no session, no upstream, and an upstream that does not respond.
async fn trigger_relay_errors() -> Map<String, Value> {
    let (slow, _) = start_hostile_upstream(UpstreamBehavior::Hold(Vec::new())).await;
    let relays = [
        TestRelay::with_stored_credentials("http://127.0.0.1:1"),
        TestRelay::with_client_credentials(&listen(axum::Router::new()).await.replace("127.0.0.1", "127.0.0.2")),
        TestRelay::with_limits(&slow, (None, None), |limits| limits.response_timeout = Duration::from_millis(50)),
    ];
    let mut found = Map::new();
    for relay in relays {
        let response = relay.call("GET", "/zones", "").await;
        check(relay.document, &Method::GET, "/client/v4/zones", &response);
        assert!(found.insert(response.status.to_string(), response.body.clone()).is_none(), "{response:?}");
    }
    assert_eq!(found.keys().collect::<Vec<_>>(), ["401", "502", "504"]);
    found
}

/// 503 of `/readyz`: log lines cannot be stored.
pub(crate) async fn trigger_unready() -> Value {
    let app = TestApp::start().await;
    let moved = app.data_dir.path().with_extension("moved");
    std::fs::rename(app.data_dir.path(), &moved).unwrap();
    let response = app.get("/readyz").await;
    std::fs::rename(&moved, app.data_dir.path()).unwrap();
    assert_eq!(response.status, 503);
    response.body
}

/// Responses of `/relay/session`, by operation ID.
pub(crate) async fn relay_session_responses() -> BTreeMap<String, Map<String, Value>> {
    let relay = TestRelay::with_stored_credentials("http://127.0.0.1:1");
    let send = async |method: &str, headers: &[(&str, &str)], body: Value| {
        let mut request = Request::builder().method(method).uri("/relay/session").header("host", "localhost");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        relay.send(request.body(Body::from(body.to_string())).unwrap()).await
    };
    let json = ("content-type", "application/json");
    let opened = send("POST", &[json], json!({ "passphrase": PASSPHRASE })).await;
    let cookie = opened.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap();
    let csrf = opened.body["result"]["csrf_token"].as_str().unwrap();
    let responses = [
        ("open", opened.clone()),
        ("open", send("POST", &[json], json!({"passphrase": "a guess"})).await),
        ("open", send("POST", &[json], json!({"password": "a guess"})).await),
        ("show", send("GET", &[("cookie", cookie)], Value::Null).await),
        ("close", send("DELETE", &[("cookie", cookie)], Value::Null).await),
        ("close", send("DELETE", &[("cookie", cookie), ("x-csrf-token", csrf)], Value::Null).await),
    ];
    let mut found: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    for (name, mut response) in responses {
        if let Some(secret) = response.body.pointer_mut("/result/csrf_token") {
            *secret = json!("5f".repeat(32));
        }
        let statuses = found.entry(format!("relay-session-{name}")).or_default();
        assert!(statuses.insert(response.status.to_string(), response.body.clone()).is_none(), "{response:?}");
    }
    found
}
