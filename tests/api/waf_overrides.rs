//! `/zones/{zone_id}/firewall/waf/overrides`

use crate::app::TestApp;
use serde_json::{Value, json};

const PATH: &str = "/firewall/waf/overrides";
const UNKNOWN_ID: &str = "0123456789abcdef0123456789abcdef";

/// A path in an Enterprise zone without overrides.
fn zone(app: &TestApp, rest: &str) -> String {
    app.zone_named("support.example", &format!("{PATH}{rest}"))
}

fn override_body(url: &str, priority: i64) -> Value {
    json!({"urls": [url], "rules": {"100015": "disable"}, "priority": priority})
}

#[tokio::test]
async fn override_is_created_changed_and_deleted() {
    let app = TestApp::start().await;
    let body = json!({
        "urls": ["example.com/shop/*", "*.example.com/*"], "groups": {"ea8687e59929c1fd05ba97574ad43f77": "default"},
        "rules": {"100015": "disable"}, "rewrite_action": {"block": "challenge"}, "priority": -7,
        "description": "why", "paused": true
    });
    let created = app.post(&zone(&app, ""), body.clone()).await;
    let mut expected = body.clone();
    expected["id"] = created.body["result"]["id"].clone();
    assert_eq!((created.status, &created.body["result"]), (200, &expected));
    let path = zone(&app, &format!("/{}", created.id()));
    assert_eq!(app.get(&path).await.body["result"], expected);
    expected["priority"] = json!(3);
    expected["groups"] = json!({});
    let replaced = app.put(&path, expected.clone()).await;
    assert_eq!((replaced.status, &replaced.body["result"]), (200, &expected));
    let app = app.restart().await;
    assert_eq!(app.get(&path).await.body["result"], expected);
    app.delete(&path).await.assert_result(json!({"id": "[id]"}));
    for response in [app.get(&path).await, app.delete(&path).await, app.put(&path, expected).await] {
        response.assert_errors(404, &[(1002, "")]);
        assert_eq!(response.message(), "wafuriconfig.api.not_found");
    }
}

#[tokio::test]
async fn omitted_members_have_defaults() {
    let app = TestApp::start().await;
    let created = app.post(&zone(&app, ""), json!({"urls": ["a.example/*"], "groups": {}})).await;
    created.assert_result(json!({
        "id": "[id]", "description": null, "urls": ["a.example/*"], "priority": 1, "groups": {}, "rules": {},
        "rewrite_action": {}, "paused": false
    }));
}

#[tokio::test]
async fn list_is_paginated_and_ordered_by_priority() {
    let app = TestApp::start().await;
    for (url, priority) in [("a/*", 5), ("b/*", -5), ("c/*", 5), ("d/*", 0), ("e/*", 9), ("f/*", 9)] {
        assert_eq!(app.post(&zone(&app, ""), override_body(url, priority)).await.status, 200);
    }
    let listed = app.get(&zone(&app, "?per_page=5")).await;
    assert_eq!(listed.pluck("urls"), [json!(["b/*"]), json!(["d/*"]), json!(["a/*"]), json!(["c/*"]), json!(["e/*"])]);
    assert_eq!(listed.body["result_info"]["total_pages"], json!(2));
    assert_eq!(app.get(&zone(&app, "?per_page=5&page=2")).await.pluck("urls"), [json!(["f/*"])]);
    assert_eq!(app.get(&zone(&app, "?per_page=5&page=3")).await.pluck("urls"), Vec::<Value>::new());
    app.get(&zone(&app, "?per_page=3")).await.assert_errors(400, &[(10015, "")]);
    assert_eq!(app.get(&app.zone_named("blocked.example", PATH)).await.pluck("id").len(), 2);
}

#[tokio::test]
async fn overrides_require_enterprise() {
    let app = TestApp::start().await;
    for plan in ["free", "pro", "business"] {
        let path = app.zone_on_plan(plan, PATH);
        app.post(&path, override_body("a/*", 1)).await.assert_errors(400, &[(10015, "")]);
        assert_eq!(app.get(&path).await.pluck("id").len(), 0);
    }
}

#[tokio::test]
async fn invalid_overrides_are_rejected() {
    let app = TestApp::start().await;
    let with = |name: &str, value: Value| {
        let mut body = override_body("a/*", 1);
        body[name] = value;
        body
    };
    let cases = [
        (json!([]), vec![(10014, "")]),
        (json!({}), vec![(10014, "/urls"), (10014, "/rules")]),
        (with("urls", json!([])), vec![(10014, "/urls")]),
        (with("urls", json!(["", 1, "http://a/"])), vec![(10015, "/urls/0"), (10014, "/urls/1"), (10015, "/urls/2")]),
        (with("urls", json!(vec!["a"; 101])), vec![(10015, "/urls")]),
        (with("rules", json!(["100015"])), vec![(10014, "/rules")]),
        (with("rules", json!({"100015": "off"})), vec![(10015, "/rules/100015")]),
        (with("groups", json!({"a": null})), vec![(10015, "/groups/a")]),
        (with("rewrite_action", json!({"allow": "block"})), vec![(10015, "/rewrite_action/allow")]),
        (with("priority", json!(-1_000_000_001)), vec![(10014, "/priority")]),
        (with("description", json!("d".repeat(1025))), vec![(10015, "/description")]),
        (with("description", json!("\0")), vec![(10015, "/description")]),
        (with("paused", json!("no")), vec![(10014, "/paused")]),
        (with("url", json!("a")), vec![(10014, "/url")]),
    ];
    for (body, errors) in cases {
        app.post(&zone(&app, ""), body).await.assert_errors(400, &errors);
    }
    app.post_bytes(&zone(&app, ""), "{").await.assert_errors(400, &[(10019, "")]);
    assert_eq!(app.get(&zone(&app, "")).await.pluck("id").len(), 0);

    let id = app.post(&zone(&app, ""), override_body("a/*", 1)).await.id();
    let path = zone(&app, &format!("/{id}"));
    let missing = [(10014, "/id"), (10014, "/rewrite_action")];
    app.put(&path, override_body("b/*", 1)).await.assert_errors(400, &missing);
    let other = json!({"id": UNKNOWN_ID, "urls": ["a"], "rules": {}, "rewrite_action": {}});
    app.put(&path, other).await.assert_errors(400, &[(10015, "/id")]);
    app.patch(&path, json!({})).await.assert_errors(405, &[(10405, "")]);
    app.get(&zone(&app, "/x")).await.assert_errors(404, &[(7003, ""), (7000, "")]);
    assert_eq!(app.get(&path).await.body["result"]["urls"], json!(["a/*"]));
    app.get(&app.zone(&format!("{PATH}/{id}"))).await.assert_errors(404, &[(1002, "")]);
}

#[tokio::test]
async fn override_limit_of_a_zone_is_five_hundred() {
    let app = TestApp::start().await;
    for number in 0..500 {
        assert_eq!(app.post(&zone(&app, ""), override_body(&format!("a/{number}"), 1)).await.status, 200);
    }
    app.post(&zone(&app, ""), override_body("b/*", 1)).await.assert_errors(400, &[(10103, "")]);
    assert_eq!(app.get(&zone(&app, "")).await.body["result_info"]["total_count"], json!(500));
}
