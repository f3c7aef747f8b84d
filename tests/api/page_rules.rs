//! `/zones/{zone_id}/pagerules`

use crate::app::TestApp;
use serde_json::{Value, json};

const UNKNOWN_ID: &str = "0123456789abcdef0123456789abcdef";

fn page_rule_body(pattern: &str) -> Value {
    json!({
        "targets": [{"target": "url", "constraint": {"operator": "matches", "value": pattern}}],
        "actions": [{"id": "waf", "value": "off"}], "status": "active"
    })
}

fn path(app: &TestApp, rest: &str) -> String {
    app.zone(&format!("/pagerules{rest}"))
}

#[tokio::test]
async fn page_rule_is_created_changed_replaced_and_deleted() {
    let app = TestApp::start().await;
    let created = app.post(&path(&app, ""), page_rule_body("*example.com/images/*")).await;
    created.assert_result(json!({
        "id": "[id]",
        "targets": [{"target": "url", "constraint": {"operator": "matches", "value": "*example.com/images/*"}}],
        "actions": [{"id": "waf", "value": "off"}],
        "priority": 1, "status": "active", "created_on": "[time]", "modified_on": "[time]"
    }));
    let item_path = path(&app, &format!("/{}", created.id()));
    assert_eq!(app.get(&item_path).await.body["result"], created.body["result"]);
    // PATCH preserves members that are not sent; PUT resets them.
    let changed = app.patch(&item_path, json!({"priority": 7, "actions": [{"id": "disable_security"}]})).await;
    let mut expected = created.body["result"].clone();
    expected["priority"] = json!(7);
    expected["actions"] = json!([{"id": "disable_security"}]);
    expected["modified_on"] = changed.body["result"]["modified_on"].clone();
    assert_eq!((changed.status, &changed.body["result"]), (200, &expected));
    let mut body = page_rule_body("b.example/*");
    body["id"] = json!(UNKNOWN_ID);
    body["created_on"] = json!("0001-01-01T00:00:00Z");
    body.as_object_mut().unwrap().remove("status");
    let replaced = app.put(&item_path, body).await;
    let result = &replaced.body["result"];
    assert_eq!((replaced.status, &result["priority"], &result["status"]), (200, &json!(1), &json!("disabled")));
    assert_eq!((&result["id"], &result["created_on"]), (&expected["id"], &expected["created_on"]));
    let app = app.restart().await;
    assert_eq!(app.get(&item_path).await.body["result"], *result);
    app.delete(&item_path).await.assert_result(json!({"id": "[id]"}));
    let responses = [
        app.get(&item_path).await,
        app.delete(&item_path).await,
        app.put(&item_path, page_rule_body("c")).await,
        app.patch(&item_path, json!({"priority": 1})).await,
    ];
    for response in responses {
        response.assert_errors(404, &[(1002, "")]);
        assert_eq!(response.message(), "Invalid Page Rule identifier");
    }
}

#[tokio::test]
async fn list_is_not_paginated() {
    let app = TestApp::start().await;
    for (pattern, priority, status) in
        [("a", 2, "active"), ("b", 9, "disabled"), ("c", 2, "disabled"), ("d", 5, "active")]
    {
        let mut body = page_rule_body(pattern);
        body["priority"] = json!(priority);
        body["status"] = json!(status);
        assert_eq!(app.post(&path(&app, ""), body).await.status, 200);
    }
    let listed = app.get(&path(&app, "?per_page=2")).await;
    assert_eq!(listed.pluck("priority"), [9, 5, 2, 2]);
    assert_eq!(listed.body.get("result_info"), None);
    let patterns = |response: crate::app::TestResponse| -> String {
        response.pluck("targets").iter().map(|targets| targets[0]["constraint"]["value"].as_str().unwrap()).collect()
    };
    let cases = [
        ("", "bdac"),
        ("?status=active", "da"),
        ("?status=disabled", "bc"),
        ("?order=priority", "acdb"),
        ("?order=priority&direction=desc", "bdac"),
        ("?order=status&match=any", "dabc"),
    ];
    for (query, expected) in cases {
        assert_eq!(patterns(app.get(&path(&app, query)).await), expected, "{query}");
    }
    app.get(&path(&app, "?status=on&order=id")).await.assert_errors(400, &[(10015, ""), (10015, "")]);
}

#[tokio::test]
async fn invalid_page_rules_are_rejected() {
    let app = TestApp::start().await;
    let with = |name: &str, value: Value| {
        let mut body = page_rule_body("a");
        body[name] = value;
        body
    };
    let cases = [
        (json!([]), vec![(1004, "")]),
        (json!({}), vec![(1004, "/targets"), (1004, "/actions")]),
        (with("targets", json!([])), vec![(1004, "/targets")]),
        (
            with("targets", json!([{"target": "host", "constraint": {"operator": "equals", "value": ""}}])),
            vec![
                (1004, "/targets/0/target"),
                (1004, "/targets/0/constraint/operator"),
                (1004, "/targets/0/constraint/value"),
            ],
        ),
        (with("actions", json!([])), vec![(1004, "/actions")]),
        (with("actions", json!([{"id": "wav"}])), vec![(1004, "/actions/0/id")]),
        (with("actions", json!([{"id": "waf", "value": "maybe"}])), vec![(1004, "/actions/0/value")]),
        (with("actions", json!([{"id": "disable_security", "value": true}])), vec![(1004, "/actions/0/value")]),
        (with("actions", json!([{"id": "security_level", "value": "max"}])), vec![(1004, "/actions/0/value")]),
        (
            with("actions", json!([{"id": "waf", "value": "on"}, {"id": "waf", "value": "off"}])),
            vec![(1004, "/actions/1/id")],
        ),
        (
            with("actions", json!([{"id": "waf", "value": "on"}, {"id": "forwarding_url", "value": {}}])),
            vec![(1004, "/actions")],
        ),
        (with("priority", json!("1")), vec![(1004, "/priority")]),
        (with("status", json!("on")), vec![(1004, "/status")]),
        (with("enabled", json!(true)), vec![(1004, "/enabled")]),
    ];
    for (body, errors) in cases {
        app.post(&path(&app, ""), body).await.assert_errors(400, &errors);
    }
    app.post_bytes(&path(&app, ""), "").await.assert_errors(400, &[(10019, "")]);
    app.post_bytes(&path(&app, ""), r#"{"status": "active", "status": "disabled"}"#)
        .await
        .assert_errors(400, &[(10014, "/status")]);
    assert_eq!(app.get(&path(&app, "")).await.pluck("id").len(), 0);

    let item_path = path(&app, &format!("/{}", app.post(&path(&app, ""), page_rule_body("a")).await.id()));
    app.patch(&item_path, json!({})).await.assert_errors(400, &[(1004, "")]);
    app.patch(&item_path, json!({"status": "off", "actions": null})).await.assert_errors(400, &[(1004, "/status")]);
    app.put(&item_path, json!({"status": "active"}))
        .await
        .assert_errors(400, &[(1004, "/targets"), (1004, "/actions")]);
    app.get(&path(&app, "/x")).await.assert_errors(404, &[(7003, ""), (7000, "")]);
    app.get(&app.zone_on_plan("pro", &item_path[item_path.find("/pagerules").unwrap()..]))
        .await
        .assert_errors(404, &[(1002, "")]);
}

#[tokio::test]
async fn duplicate_pattern_is_rejected() {
    let app = TestApp::start().await;
    let first = app.post(&path(&app, ""), page_rule_body("a/*")).await.id();
    let rejection = app.post(&path(&app, ""), page_rule_body("a/*")).await;
    rejection.assert_errors(400, &[(1004, "/targets/0/constraint/value")]);
    let expected = format!("Your zone already has an existing page rule with that URL: `{first}`");
    assert_eq!(rejection.message(), expected);
    let second = path(&app, &format!("/{}", app.post(&path(&app, ""), page_rule_body("b/*")).await.id()));
    app.put(&second, page_rule_body("a/*")).await.assert_errors(400, &[(1004, "/targets/0/constraint/value")]);
    assert_eq!(app.put(&second, page_rule_body("b/*")).await.status, 200, "the pattern of the rule itself is accepted");
}

#[tokio::test]
async fn page_rule_limit_depends_on_the_plan() {
    let app = TestApp::start().await;
    let mut rule = page_rule_body("a");
    let path = app.zone_on_plan("free", "/pagerules");
    app.post(&path, rule.clone()).await.assert_errors(400, &[(1004, "/actions/0/id")]);
    rule["actions"] = json!([{"id": "security_level", "value": "low"}]);
    for (plan, quota) in [("free", 3), ("business", 50)] {
        let path = app.zone_on_plan(plan, "/pagerules");
        for number in 0..quota {
            rule["targets"][0]["constraint"]["value"] = json!(format!("a/{number}"));
            assert_eq!(app.post(&path, rule.clone()).await.status, 200, "{plan} {number}");
        }
        rule["targets"][0]["constraint"]["value"] = json!("b");
        app.post(&path, rule.clone()).await.assert_errors(400, &[(1004, "")]);
    }
}
