//! Cross-origin requests: rejected by default, allowed for a list of origins, never for all.

use crate::app::{TestApp, TestResponse};
use axum::body::Body;
use axum::http::{Method, Request};

const PAGE: &str = "https://app.example.com";

async fn start() -> TestApp {
    TestApp::start_with_config(|config| config.middleware.allow_origins = vec![PAGE.parse().unwrap()]).await
}

/// The request that a browser sends before it sends credentials.
fn preflight(app: &TestApp, origin: &str) -> Request<Body> {
    Request::options(app.zone("/filters"))
        .header("host", "127.0.0.1:1")
        .header("origin", origin)
        .header("access-control-request-method", "PATCH")
        .header("access-control-request-headers", "authorization,content-type,x-stainless-lang")
        .body(Body::empty())
        .unwrap()
}

fn header<'a>(response: &'a TestResponse, name: &str) -> Option<&'a str> {
    response.headers.get(name).map(|value| value.to_str().unwrap())
}

#[tokio::test]
async fn cross_origin_requests_are_denied_by_default() {
    let app = TestApp::start().await;
    let response = app.send(preflight(&app, PAGE)).await;
    assert_eq!(response.status, 405);
    assert_eq!(header(&response, "access-control-allow-origin"), None);
}

#[tokio::test]
async fn listed_origin_may_send_the_headers_of_clients() {
    let app = start().await;
    let response = app.send(preflight(&app, PAGE)).await;
    assert_eq!(response.status, 200);
    assert_eq!(header(&response, "access-control-allow-origin"), Some(PAGE));
    assert_eq!(header(&response, "access-control-allow-credentials"), None, "cookies are not allowed");
    let methods = header(&response, "access-control-allow-methods").unwrap();
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
        assert!(methods.contains(method), "{methods}");
    }
    let headers = header(&response, "access-control-allow-headers").unwrap();
    for name in ["authorization", "x-auth-email", "x-auth-key", "content-type", "if-match", "x-stainless-retry-count"] {
        assert!(headers.split(',').any(|allowed| allowed == name), "{name}: {headers}");
    }
    assert!(!headers.contains('*') && !methods.contains('*'));
    assert!(header(&response, "vary").unwrap().contains("origin"));
}

#[tokio::test]
async fn listed_origin_may_read_successes_and_errors() {
    let app = start().await;
    for path in [app.zone("/filters"), app.zone("/nonsense"), "/client/v4/nonsense".to_owned()] {
        let mut request = app.request(Method::GET, &path, "");
        request.headers_mut().insert("origin", PAGE.parse().unwrap());
        let response = app.send(request).await;
        assert_eq!(header(&response, "access-control-allow-origin"), Some(PAGE), "{path}");
        let exposed = header(&response, "access-control-expose-headers").unwrap();
        for name in ["etag", "cf-ray", "retry-after", "ratelimit"] {
            assert!(exposed.contains(name), "{exposed}");
        }
    }
}

#[tokio::test]
async fn unlisted_origin_gets_no_cors_headers() {
    let app = start().await;
    for origin in ["https://evil.example", "https://app.example.com.evil.example", "http://app.example.com", "null"] {
        let response = app.send(preflight(&app, origin)).await;
        assert_eq!(header(&response, "access-control-allow-origin"), None, "{origin}");
    }
}
