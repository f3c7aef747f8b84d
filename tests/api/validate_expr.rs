//! `/filters/validate-expr`, which has no zone.

use crate::app::TestApp;
use axum::body::Body;
use axum::http::Request;
use serde_json::json;

const PATH: &str = "/client/v4/filters/validate-expr";

#[tokio::test]
async fn valid_expression_returns_no_result() {
    let app = TestApp::start().await;
    let expected = json!({"result": null, "success": true, "errors": [], "messages": []});
    app.get(&format!("{PATH}?expression=ip.src%20eq%20192.0.2.1")).await.assert(200, expected.clone());
    // Features of the largest plan are valid.
    app.get(&format!("{PATH}?expression=http.host+matches+%22%5Ea%22")).await.assert(200, expected.clone());
    app.post(PATH, json!({"expression": "http.host matches \"^a\""})).await.assert(200, expected);
}

#[tokio::test]
async fn invalid_expression_is_reported_with_a_code_frame() {
    let app = TestApp::start().await;
    let response = app.get(&format!("{PATH}?expression=ip.src%20eq%20192.0.2.300")).await;
    response.assert_errors(400, &[(10016, "")]);
    let posted = app.post(PATH, json!({"expression": "ip.src eq 192.0.2.300"})).await;
    posted.assert_errors(400, &[(10016, "/expression")]);
    assert_eq!(response.message(), posted.message());
    let first = "Filter parsing error (1:11):\nip.src eq 192.0.2.300\n          ^^^^^^^^^^^ ";
    assert!(response.message().starts_with(first), "{}", response.message());
    assert!(response.message().contains("1 | ip.src eq 192.0.2.300\n"), "{}", response.message());
}

#[tokio::test]
async fn malformed_requests_are_rejected() {
    let app = TestApp::start().await;
    for query in ["", "?expression=", "?expr=ssl"] {
        app.get(&format!("{PATH}{query}")).await.assert_errors(400, &[(10014, "")]);
    }
    let cases = [
        (json!({}), "/expression"),
        (json!({"expression": 1}), "/expression"),
        (json!(["ssl"]), ""),
        (json!({"expression": "ssl", "zone": 1}), "/zone"),
    ];
    for (body, pointer) in cases {
        app.post(PATH, body).await.assert_errors(400, &[(10014, pointer)]);
    }
    app.post(PATH, json!({"expression": ""})).await.assert_errors(400, &[(10016, "/expression")]);
    app.post_bytes(PATH, "").await.assert_errors(400, &[(10019, "")]);
    let long = format!("http.host eq \"{}\"", "a".repeat(4096));
    app.post(PATH, json!({ "expression": long })).await.assert_errors(400, &[(10016, "/expression")]);
    app.delete(PATH).await.assert_errors(405, &[(10405, "")]);
}

#[tokio::test]
async fn validation_requires_credentials_but_no_zone() {
    let app = TestApp::start().await;
    let request = Request::get(format!("{PATH}?expression=ssl")).header("host", "localhost").body(Body::empty());
    app.send(request.unwrap()).await.assert_errors(400, &[(9106, "")]);
}
