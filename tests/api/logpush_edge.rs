//! `/zones/{zone_id}/logpush/edge/jobs`: instant logs, which are not available.

use crate::app::TestApp;
use serde_json::json;

const EDGE: &str = "/logpush/edge/jobs";

#[tokio::test]
async fn instant_logs_list_is_empty_and_post_is_10501() {
    let app = TestApp::start().await;
    for path in [EDGE, "/logpush/edge"] {
        app.get(&app.zone(path)).await.assert_result(json!([]));
        app.post(&app.zone(path), json!({"fields": "ClientIP"})).await.assert_errors(400, &[(10501, "")]);
    }
}

#[tokio::test]
async fn valid_instant_log_request_is_10501() {
    let app = TestApp::start().await;
    let filter = r#"{"where":{"key":"ClientCountry","operator":"neq","value":"ca"}}"#;
    let full = json!({"fields": "ClientIP,ClientRequestHost", "sample": 100, "filter": filter, "kind": "instant-logs"});
    for body in [full, json!({}), json!({"fields": "ClientIP", "filter": "", "sample": null})] {
        let response = app.post(&app.zone(EDGE), body.clone()).await;
        // The documentation itself uses `neq`; the operator is `!eq`.
        if body["filter"] == json!(filter) {
            response.assert_errors(400, &[(1004, "/filter")]);
            continue;
        }
        response.assert_errors(400, &[(10501, "")]);
        let expected = "instant logs are not available; this service delivers logs in batches, with log push jobs";
        assert_eq!(response.message(), expected);
    }
}

#[tokio::test]
async fn invalid_instant_log_request_reports_its_errors() {
    let app = TestApp::start().await;
    let cases = [
        (json!([]), (1002, "")),
        (json!({"fields": ["ClientIP"]}), (1002, "/fields")),
        (json!({"fields": "ClientIP, NoSuchField"}), (1002, "/fields")),
        (json!({"kind": "edge"}), (1002, "/kind")),
        (json!({"sample": 0}), (1002, "/sample")),
        (json!({"sample": 0.5}), (1002, "/sample")),
        (json!({"filter": "{}"}), (1004, "/filter")),
        (json!({"smaple": 1}), (1002, "/smaple")),
    ];
    for (body, expected) in cases {
        app.post(&app.zone(EDGE), body).await.assert_errors(400, &[expected]);
    }
}

#[tokio::test]
async fn transformers_are_not_available() {
    let app = TestApp::start().await;
    for rest in ["", "/1", "/preview", "/1/content", "/1/versions"] {
        let path = app.account(&format!("/logpush/transformers{rest}"));
        let body = json!({"name": "a", "code": "select 1"});
        for response in [app.get(&path).await, app.post(&path, body).await, app.delete(&path).await] {
            response.assert_errors(403, &[(10501, "")]);
            assert_eq!(response.message(), "transformer feature is not available for this account");
        }
    }
    app.get(&app.zone("/logpush/transformers")).await.assert_errors(404, &[(7003, ""), (7000, "")]);
}

#[tokio::test]
async fn account_instant_logs_are_404() {
    let app = TestApp::start().await;
    app.get(&app.account(EDGE)).await.assert_errors(404, &[(7003, ""), (7000, "")]);
}
