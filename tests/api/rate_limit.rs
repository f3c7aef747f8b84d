//! The documented rate limit: a number of requests in five minutes, for each user.

use crate::app::{TestApp, TestResponse};
use axum::body::Body;
use axum::http::{Method, Request};
use std::time::Duration;
use zonewright_server::RateLimit;

async fn start(requests: u32) -> TestApp {
    TestApp::start_with_config(|config| {
        config.middleware.rate_limit = Some(RateLimit { requests, ..RateLimit::default() });
        config.middleware.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    })
    .await
}

fn rate_limit_headers(response: &TestResponse) -> (u16, Option<&str>) {
    (response.status, response.headers.get("ratelimit").map(|value| value.to_str().unwrap()))
}

/// A request with an unknown token from an IP address.
fn request_with_wrong_token(app: &TestApp, number: u32, address: &str) -> Request<Body> {
    let mut request = app.request(Method::GET, &app.zone("/filters"), "");
    request.headers_mut().insert("authorization", format!("Bearer {number:040}").parse().unwrap());
    request.headers_mut().insert("x-forwarded-for", address.parse().unwrap());
    request
}

#[tokio::test]
async fn rate_limit_is_off_by_default() {
    let app = TestApp::start().await;
    assert_eq!(rate_limit_headers(&app.get(&app.zone("/filters")).await), (200, None));
    let documented = RateLimit::default();
    assert_eq!((documented.requests, documented.period), (1200, Duration::from_secs(300)));
}

#[tokio::test]
async fn responses_report_the_remaining_requests_and_429_when_exhausted() {
    let app = start(3).await;
    let path = app.zone("/filters");
    for left in ["\"default\";r=2;t=300", "\"default\";r=1;t=300", "\"default\";r=0;t=300"] {
        let response = app.get(&path).await;
        assert_eq!(rate_limit_headers(&response), (200, Some(left)));
        assert_eq!(response.headers["ratelimit-policy"], "\"default\";q=3;w=300");
    }
    let response = app.get(&path).await;
    response.assert_errors(429, &[(10971, "")]);
    assert!(response.message().contains("throttling your request speed"), "{}", response.message());
    assert_eq!(response.headers["retry-after"], "300");
    assert_eq!(rate_limit_headers(&response), (429, Some("\"default\";r=0;t=300")));
    // Another principal on the same IP address has a separate limit.
    let mut request = Request::get(&path).header("host", "localhost");
    request = request.header("x-auth-email", &app.demo.email).header("x-auth-key", &app.demo.key);
    assert_eq!(app.send(request.body(Body::empty()).unwrap()).await.status, 200);
    // Paths outside of `/client/v4` are not counted.
    assert_eq!(rate_limit_headers(&app.get("/healthz").await), (200, None));
}

#[tokio::test]
async fn wrong_credentials_are_counted_by_ip_address() {
    let app = start(3).await;
    for number in 0..3 {
        assert_eq!(app.send(request_with_wrong_token(&app, number, "203.0.113.7")).await.status, 403);
    }
    app.send(request_with_wrong_token(&app, 3, "203.0.113.7")).await.assert_errors(429, &[(10971, "")]);
    assert_eq!(app.send(request_with_wrong_token(&app, 3, "203.0.113.8")).await.status, 403, "another address");
    // An IPv6 network of one site counts as one address.
    for number in 0..3 {
        assert_eq!(app.send(request_with_wrong_token(&app, number, &format!("2001:db8::{number}"))).await.status, 403);
    }
    assert_eq!(app.send(request_with_wrong_token(&app, 3, "2001:db8::9")).await.status, 429);
    assert_eq!(app.send(request_with_wrong_token(&app, 3, "2001:db8:0:1::9")).await.status, 403);
}

#[tokio::test]
async fn valid_credentials_are_not_limited_by_failed_logins_from_the_same_address() {
    let app = start(5).await;
    let mut request = app.request(Method::GET, &app.zone("/filters"), "");
    request.headers_mut().insert("x-forwarded-for", "203.0.113.7".parse().unwrap());
    assert_eq!(app.send(request).await.status, 200);
    for number in 0..6 {
        app.send(request_with_wrong_token(&app, number, "203.0.113.7")).await;
    }
    assert_eq!(app.send(request_with_wrong_token(&app, 6, "203.0.113.7")).await.status, 429);
    let mut request = app.request(Method::GET, &app.zone("/filters"), "");
    request.headers_mut().insert("x-forwarded-for", "203.0.113.7".parse().unwrap());
    assert_eq!(rate_limit_headers(&app.send(request).await), (200, Some("\"default\";r=3;t=300")));
}
