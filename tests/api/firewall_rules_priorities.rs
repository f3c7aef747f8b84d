//! `PATCH /zones/{zone_id}/firewall/rules`: the priority of one rule, and those of several.

use crate::app::TestApp;
use axum::http::Method;
use serde_json::{Value, json};

const UNKNOWN_ID: &str = "0123456789abcdef0123456789abcdef";

async fn create_rules(app: &TestApp) -> Vec<Value> {
    let rule = |port: u32| json!({"filter": {"expression": format!("cf.edge.server_port eq {port}")}, "action": "block", "priority": port, "description": "d", "paused": true});
    let response = app.post(&app.zone("/firewall/rules"), json!([rule(1), rule(2)])).await;
    response.body["result"].as_array().unwrap().clone()
}

#[tokio::test]
async fn patch_changes_only_the_priority_and_returns_an_array() {
    let app = TestApp::start().await;
    let before = create_rules(&app).await;
    let path = app.zone(&format!("/firewall/rules/{}", before[0]["id"].as_str().unwrap()));
    for (body, expected) in [
        (json!({"priority": 0}), json!(0)),
        (json!({"id": before[0]["id"], "priority": 2_147_483_647}), json!(2_147_483_647)),
        (json!({"priority": null}), json!(null)),
    ] {
        let response = app.patch(&path, body).await;
        let mut rule = before[0].clone();
        rule["priority"] = expected;
        rule["modified_on"] = response.body["result"][0]["modified_on"].clone();
        assert_eq!((response.status, &response.body["result"]), (200, &json!([rule])));
        assert_eq!(app.get(&path).await.body["result"], rule);
    }
}

#[tokio::test]
async fn patch_without_a_priority_changes_nothing() {
    let app = TestApp::start().await;
    let before = create_rules(&app).await;
    let id = before[0]["id"].as_str().unwrap();
    let path = app.zone(&format!("/firewall/rules/{id}"));
    for response in [
        app.patch(&path, json!({})).await,
        app.send(app.request(Method::PATCH, &path, "")).await,
        app.patch(&app.zone("/firewall/rules"), json!({ "id": id })).await,
    ] {
        assert_eq!((response.status, &response.body["result"]), (200, &json!([before[0]])));
    }
}

#[tokio::test]
async fn bulk_patch_is_atomic() {
    let app = TestApp::start().await;
    let before = create_rules(&app).await;
    let path = app.zone("/firewall/rules");
    let change = |index: usize, priority: Value| json!({"id": before[index]["id"], "priority": priority});
    let cases = [
        (json!([change(0, json!(9)), {"id": UNKNOWN_ID, "priority": 1}]), (10001, "/1/id")),
        (json!([change(0, json!(9)), change(0, json!(8))]), (10015, "/1/id")),
        (json!([change(0, json!(9)), {"priority": 1}]), (10014, "/1/id")),
        (json!([change(0, json!(9)), change(1, json!("1"))]), (10014, "/1/priority")),
        (json!([change(0, json!(9)), change(1, json!(-1))]), (10014, "/1/priority")),
        (json!([change(0, json!(9)), change(1, json!(2_147_483_648_u32))]), (10015, "/1/priority")),
        (json!([{"id": before[0]["id"], "paused": false}]), (10014, "/0/paused")),
        (json!([]), (10014, "")),
    ];
    for (body, expected) in cases {
        app.patch(&path, body).await.assert_errors(400, &[expected]);
        assert_eq!(app.get(&path).await.body["result"], json!(before));
    }
    let response = app.patch(&path, json!([change(1, json!(1)), change(0, json!(2))])).await;
    assert_eq!(response.pluck("id"), [before[1]["id"].clone(), before[0]["id"].clone()]);
    assert_eq!(app.get(&path).await.pluck("priority"), [json!(2), json!(1)]);
}

#[tokio::test]
async fn patch_of_an_unknown_or_mismatched_rule_is_rejected() {
    let app = TestApp::start().await;
    let before = create_rules(&app).await;
    let id = before[0]["id"].as_str().unwrap();
    for path in
        [app.zone(&format!("/firewall/rules/{UNKNOWN_ID}")), app.zone_on_plan("free", &format!("/firewall/rules/{id}"))]
    {
        app.patch(&path, json!({"priority": 1})).await.assert_errors(404, &[(10001, "")]);
    }
    let path = app.zone(&format!("/firewall/rules/{id}"));
    app.patch(&path, json!({"id": UNKNOWN_ID, "priority": 1})).await.assert_errors(400, &[(10015, "/id")]);
    app.patch(&path, json!([])).await.assert_errors(400, &[(10014, "")]);
    app.patch(&app.zone("/filters"), json!([])).await.assert_errors(405, &[(10405, "")]);
}
