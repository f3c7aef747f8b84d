//! Both authentication schemes (specification §5), with valid and invalid credentials.

use crate::app::{TestApp, TestResponse};
use axum::body::Body;
use axum::http::Request;
use serde_json::json;

type Headers<'a> = [(&'a str, &'a str)];

/// Gets a path with these headers only.
async fn get_with_headers(app: &TestApp, path: &str, headers: &Headers<'_>) -> TestResponse {
    let mut request = Request::builder().uri(path).header("host", "localhost");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    app.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn token_and_key_both_authenticate() {
    let app = TestApp::start().await;
    let path = app.zone("/filters");
    let bearer = format!("Bearer {}", app.demo.token);
    let lower = format!("bearer {}", app.demo.token);
    let uppercase_email = app.demo.email.to_uppercase();
    let valid: [&Headers; 5] = [
        &[("authorization", &bearer)],
        &[("Authorization", &lower)],
        &[("X-Auth-Email", &app.demo.email), ("X-Auth-Key", &app.demo.key)],
        &[("x-auth-email", &uppercase_email), ("x-auth-key", &app.demo.key)],
        &[("authorization", &bearer), ("x-auth-email", "nonsense")],
    ];
    for headers in valid {
        assert_eq!(get_with_headers(&app, &path, headers).await.status, 200, "{headers:?}");
    }
}

#[tokio::test]
async fn missing_credentials_are_rejected() {
    let app = TestApp::start().await;
    let missing: [&Headers; 3] = [&[], &[("x-auth-email", &app.demo.email)], &[("x-auth-key", &app.demo.key)]];
    for headers in missing {
        let response = get_with_headers(&app, &app.zone("/filters"), headers).await;
        response.assert_errors(400, &[(9106, "")]);
        assert_eq!(response.message(), "Missing X-Auth-Key, X-Auth-Email or Authorization headers");
    }
}

#[tokio::test]
async fn malformed_credentials_return_an_error_chain() {
    let app = TestApp::start().await;
    let short = format!("Bearer {}", &app.demo.token[1..]);
    let basic = format!("Basic {}", app.demo.token);
    let cases: [(&Headers, &[u64]); 8] = [
        (&[("authorization", "")], &[6111]),
        (&[("authorization", "Bearer")], &[6111]),
        (&[("authorization", &app.demo.token)], &[6111]),
        (&[("authorization", &short)], &[6111]),
        (&[("authorization", &basic)], &[6111]),
        (&[("x-auth-email", &app.demo.email), ("x-auth-key", "é")], &[6103]),
        (&[("x-auth-email", "demo"), ("x-auth-key", &app.demo.key)], &[6102]),
        (&[("x-auth-email", ""), ("x-auth-key", "")], &[6102, 6103]),
    ];
    for (headers, chain) in cases {
        let response = get_with_headers(&app, &app.zone("/filters"), headers).await;
        response.assert_errors(400, &[(6003, "")]);
        let found = response.body["errors"][0]["error_chain"].as_array().unwrap();
        let codes: Vec<u64> = found.iter().map(|link| link["code"].as_u64().unwrap()).collect();
        assert_eq!(codes, chain, "{headers:?}");
    }
}

#[tokio::test]
async fn wrong_credentials_are_rejected() {
    let app = TestApp::start().await;
    let token = format!("Bearer {}", "x".repeat(40));
    let key = "0".repeat(37);
    let path = app.zone("/filters");
    get_with_headers(&app, &path, &[("authorization", &token)]).await.assert_errors(403, &[(10000, "")]);
    let invalid: [&Headers; 2] = [
        &[("x-auth-email", &app.demo.email), ("x-auth-key", &key)],
        &[("x-auth-email", "other@example.com"), ("x-auth-key", &app.demo.key)],
    ];
    for headers in invalid {
        get_with_headers(&app, &path, headers).await.assert_errors(403, &[(9103, "")]);
    }
}

#[tokio::test]
async fn token_verification_uses_its_own_error_code() {
    let app = TestApp::start().await;
    let path = "/client/v4/user/tokens/verify";
    let token = format!("Bearer {}", "x".repeat(40));
    let key: &Headers = &[("x-auth-email", &app.demo.email), ("x-auth-key", &app.demo.key)];
    for headers in [&[("authorization", token.as_str())], key] {
        let response = get_with_headers(&app, path, headers).await;
        response.assert(
            401,
            json!({
                "result": null, "success": false, "messages": [],
                "errors": [{"code": 1000, "message": "Invalid API Token"}]
            }),
        );
    }
    get_with_headers(&app, path, &[]).await.assert_errors(400, &[(9106, "")]);
}

#[tokio::test]
async fn unauthenticated_request_does_not_reveal_zone_existence() {
    let app = TestApp::start().await;
    for path in
        [app.zone(""), "/client/v4/zones/0123456789abcdef0123456789abcdef".to_owned(), "/client/v4/zones/x".to_owned()]
    {
        get_with_headers(&app, &path, &[]).await.assert_errors(400, &[(9106, "")]);
    }
}

#[tokio::test]
async fn secrets_are_stored_as_digests_only() {
    let app = TestApp::start().await;
    let app = app.restart().await;
    let mut files = 0;
    for file in std::fs::read_dir(app.data_dir.path()).unwrap() {
        let path = file.unwrap().path();
        if path.file_name().is_some_and(|name| name == "demo-credentials.json") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        for secret in [&app.demo.key, &app.demo.token] {
            assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{path:?}");
        }
        files += 1;
    }
    assert!(files >= if app.database.is_postgres() { 1 } else { 2 });
}
