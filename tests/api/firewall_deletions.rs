//! `DELETE /zones/{zone_id}/firewall/rules`, one and many, with and without filters.

use crate::app::{TestApp, TestResponse};
use axum::http::Method;
use serde_json::{Value, json};

const UNKNOWN_ID: &str = "0123456789abcdef0123456789abcdef";

async fn delete_with_body(app: &TestApp, path: &str, body: Value) -> TestResponse {
    app.send(app.request(Method::DELETE, path, body.to_string())).await
}

/// Creates rules for one filter; returns the ID of the filter and those of the rules.
async fn create_rules(app: &TestApp, number: usize) -> (String, Vec<String>) {
    let filter = app.create_filter("ssl").await;
    let rules: Vec<Value> = (0..number).map(|_| json!({"filter": {"id": filter}, "action": "block"})).collect();
    let created = app.post(&app.zone("/firewall/rules"), json!(rules)).await;
    (filter, created.pluck("id").iter().map(|id| id.as_str().unwrap().to_owned()).collect())
}

#[tokio::test]
async fn delete_filter_if_unused_deletes_the_filter_with_its_last_rule() {
    let app = TestApp::start().await;
    let (filter, rules) = create_rules(&app, 3).await;
    let path = |index: usize| app.zone(&format!("/firewall/rules/{}", rules[index]));
    let options = json!({"delete_filter_if_unused": true});
    // Other rules still use it.
    let response = delete_with_body(&app, &path(0), options.clone()).await;
    assert_eq!((response.status, &response.body["result"]), (200, &json!({"id": rules[0]})));
    assert_eq!(delete_with_body(&app, &path(1), json!({"delete_filter_if_unused": false})).await.status, 200);
    assert_eq!(app.total("/filters").await, 1);
    let response = delete_with_body(&app, &path(2), options).await;
    let expected = json!({"id": rules[2], "filter": {"id": filter, "deleted": true}});
    assert_eq!((response.status, &response.body["result"]), (200, &expected));
    assert_eq!(app.total("/filters").await, 0);
    app.get(&app.zone(&format!("/filters/{filter}"))).await.assert_errors(404, &[(10001, "")]);
}

#[tokio::test]
async fn delete_with_a_malformed_body_is_rejected_and_deletes_nothing() {
    let app = TestApp::start().await;
    let (_, rules) = create_rules(&app, 1).await;
    let path = app.zone(&format!("/firewall/rules/{}", rules[0]));
    let cases = [
        (json!({"delete_filter_if_unused": "yes"}), "/delete_filter_if_unused"),
        (json!({"delete_filter": true}), "/delete_filter"),
        (json!([]), ""),
    ];
    for (body, pointer) in cases {
        delete_with_body(&app, &path, body).await.assert_errors(400, &[(10014, pointer)]);
    }
    app.send(app.request(Method::DELETE, &path, "{")).await.assert_errors(400, &[(10019, "")]);
    assert_eq!(app.total("/firewall/rules").await, 1);
    delete_with_body(&app, &path, json!({})).await.assert_result(json!({"id": "[id]"}));
}

#[tokio::test]
async fn bulk_delete_ignores_unknown_ids() {
    let app = TestApp::start().await;
    let (_, rules) = create_rules(&app, 4).await;
    let path = app.zone("/firewall/rules");
    app.delete(&path).await.assert_result(json!([]));
    app.delete(&format!("{path}?id={UNKNOWN_ID}&id=")).await.assert_result(json!([]));
    let rejection = app.delete(&format!("{path}?id={}&id=nobody&id=%00", rules[0])).await;
    rejection.assert_errors(400, &[(10015, ""), (10015, "")]);
    delete_with_body(&app, &path, json!({"id": [rules[0], "nobody"]})).await.assert_errors(400, &[(10015, "/id/1")]);
    assert_eq!(app.total("/firewall/rules").await, 4);
    let response = app.delete(&format!("{path}?id={}&id={UNKNOWN_ID}&id={}", rules[2], rules[0])).await;
    assert_eq!((response.status, &response.body["result"]), (200, &json!([{"id": rules[2]}, {"id": rules[0]}])));
    assert_eq!(delete_with_body(&app, &path, json!({"id": rules[1]})).await.pluck("id"), [json!(rules[1])]);
    app.delete(&app.zone_on_plan("free", &format!("/firewall/rules?id={}", rules[3]))).await.assert_result(json!([]));
    assert_eq!(app.get(&path).await.pluck("id"), [json!(rules[3])]);
    assert_eq!(app.total("/filters").await, 1);
}

#[tokio::test]
async fn bulk_delete_deletes_unused_filters_on_request() {
    let app = TestApp::start().await;
    let (filter, rules) = create_rules(&app, 3).await;
    let path = app.zone("/firewall/rules");
    let body = json!({"delete_filter_if_unused": true});
    let response = delete_with_body(&app, &format!("{path}?id={}", rules[0]), body).await;
    assert_eq!(response.body["result"], json!([{"id": rules[0]}]));
    // The filter is deleted once, even if the entry of its last rule does not request it.
    let body = json!([{"id": rules[1], "delete_filter_if_unused": true}, {"id": rules[2]}]);
    let response = delete_with_body(&app, &path, body).await;
    let expected = json!([{"id": rules[1], "filter": {"id": filter, "deleted": true}}, {"id": rules[2]}]);
    assert_eq!((response.status, &response.body["result"]), (200, &expected));
    assert_eq!((app.total("/firewall/rules").await, app.total("/filters").await), (0, 0));
}
