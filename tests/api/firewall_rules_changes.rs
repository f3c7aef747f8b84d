//! `PUT /zones/{zone_id}/firewall/rules`, one and many.

use crate::app::TestApp;
use serde_json::{Value, json};
use std::time::Duration;

const UNKNOWN_ID: &str = "0123456789abcdef0123456789abcdef";

/// Creates a rule in the zone of a plan; returns its ID and that of its filter.
async fn create_rule(app: &TestApp, plan: &str, rule: Value) -> (String, String) {
    let response = app.post(&app.zone_on_plan(plan, "/firewall/rules"), json!([rule])).await;
    let filter = response.body["result"][0]["filter"]["id"].as_str().unwrap_or_else(|| panic!("{response:?}"));
    (response.id(), filter.to_owned())
}

fn rule(port: usize) -> Value {
    json!({"filter": {"expression": format!("cf.edge.server_port eq {port}")}, "action": "block"})
}

#[tokio::test]
async fn put_replaces_the_rule_and_preserves_created_on() {
    let app = TestApp::start().await;
    let body = json!([{
        "filter": {"expression": "ssl", "description": "d"}, "action": "bypass", "priority": 7, "paused": true,
        "description": "why", "ref": "r", "products": ["waf"]
    }]);
    let before = app.post(&app.zone("/firewall/rules"), body).await;
    let filter = before.body["result"][0]["filter"].clone();
    let path = app.zone(&format!("/firewall/rules/{}", before.id()));
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let updated = app.put(&path, json!({"filter": {"id": filter["id"]}, "action": "log"})).await;
    updated.assert_result(json!({
        "id": "[id]", "paused": false, "action": "log", "priority": null,
        "filter": {"id": "[id]", "expression": "ssl", "paused": false, "description": "d"},
        "created_on": "[time]", "modified_on": "[time]"
    }));
    let time = |response: &Value, name: &str| response[name].as_str().unwrap().to_owned();
    let (old, new) = (&before.body["result"][0], &updated.body["result"]);
    assert_eq!((&old["id"], &old["filter"]), (&new["id"], &new["filter"]));
    assert_eq!(time(old, "created_on"), time(new, "created_on"));
    assert!(time(old, "modified_on") < time(new, "modified_on"));
    assert_eq!(&app.get(&path).await.body["result"], new);
}

#[tokio::test]
async fn put_can_switch_to_another_filter() {
    let app = TestApp::start().await;
    let other = app.create_filter("not ssl").await;
    let rule = app.post(&app.zone("/firewall/rules"), json!([rule(1)])).await;
    let (id, first) = (rule.id(), rule.body["result"][0]["filter"]["id"].clone());
    let path = app.zone(&format!("/firewall/rules/{id}"));
    let response = app.put(&path, json!({"id": id, "filter": {"id": other}, "action": "allow"})).await;
    let filter = json!({"id": other, "expression": "not ssl", "paused": false});
    assert_eq!(response.body["result"]["filter"], filter);
    // The first filter still exists and is unused.
    let first = app.zone(&format!("/filters/{}", first.as_str().unwrap()));
    assert_eq!(app.delete(&first).await.status, 200);
}

#[tokio::test]
async fn put_rejects_malformed_rules() {
    let app = TestApp::start().await;
    let response = app.post(&app.zone("/firewall/rules"), json!([rule(1)])).await;
    let (id, before) = (response.id(), response.body["result"][0].clone());
    let filter = json!({"id": before["filter"]["id"]});
    let cases: [(Value, &[(u64, &str)]); 11] = [
        (json!({}), &[(10014, "/filter"), (10014, "/action")]),
        (json!({"action": "block", "filter": {"expression": "ssl"}}), &[(10014, "/filter/id")]),
        (json!({"action": "block", "filter": {"id": "x"}}), &[(10015, "/filter/id")]),
        (json!({"action": "block", "filter": {"id": UNKNOWN_ID}}), &[(10001, "/filter/id")]),
        (json!({"id": UNKNOWN_ID, "action": "block", "filter": filter}), &[(10015, "/id")]),
        (json!({"id": 7, "action": "block", "filter": filter}), &[(10014, "/id")]),
        (json!({"action": "simulate", "filter": filter}), &[(10015, "/action")]),
        (json!({"action": "bypass", "filter": filter}), &[(10015, "/products")]),
        (json!({"action": "block", "filter": filter, "priority": 2_147_483_648_u32}), &[(10015, "/priority")]),
        (json!({"action": "block", "filter": filter, "description": "d".repeat(501)}), &[(10015, "/description")]),
        (json!([{"action": "block", "filter": filter}]), &[(10014, "")]),
    ];
    let path = app.zone(&format!("/firewall/rules/{id}"));
    for (body, expected) in cases {
        app.put(&path, body).await.assert_errors(400, expected);
    }
    let valid = json!({"action": "block", "filter": filter});
    app.put(&app.zone(&format!("/firewall/rules/{UNKNOWN_ID}")), valid.clone())
        .await
        .assert_errors(404, &[(10001, "")]);
    app.put(&app.zone_on_plan("free", &format!("/firewall/rules/{id}")), valid)
        .await
        .assert_errors(404, &[(10001, "")]);
    assert_eq!(app.get(&path).await.body["result"], before);
}

#[tokio::test]
async fn bulk_update_is_atomic() {
    let app = TestApp::start().await;
    let response = app.post(&app.zone("/firewall/rules"), json!([rule(1), rule(2)])).await;
    let before = response.body["result"].clone();
    let update = |index: usize| json!({"id": before[index]["id"], "filter": {"id": before[0]["filter"]["id"]}, "action": "allow"});
    let update_with = |index: usize, name: &str, value: Value| {
        let mut rule = update(index);
        rule[name] = value;
        rule
    };
    let cases: [(Value, &[(u64, &str)]); 9] = [
        (json!([update(0), update_with(1, "id", json!(UNKNOWN_ID))]), &[(10001, "/1/id")]),
        (json!([update(0), update_with(1, "id", json!(null))]), &[(10014, "/1/id")]),
        (json!([update(0), update_with(1, "filter", json!({"id": UNKNOWN_ID}))]), &[(10001, "/1/filter/id")]),
        (json!([update(0), update(1), update(0)]), &[(10015, "/2/id")]),
        (
            json!([update(0), update_with(1, "action", json!("x")), update_with(1, "mode", json!(1))]),
            &[(10015, "/1/action"), (10014, "/2/mode")],
        ),
        (update_with(1, "id", json!(UNKNOWN_ID)), &[(10001, "/id")]),
        (json!([]), &[(10014, "")]),
        (json!(vec![update(0); 26]), &[(10014, "")]),
        (json!("x"), &[(10014, "")]),
    ];
    let path = app.zone("/firewall/rules");
    for (body, expected) in cases {
        app.put(&path, body).await.assert_errors(400, expected);
        assert_eq!(app.get(&path).await.body["result"], before);
    }
    let updated = app.put(&path, json!([update(1), update_with(0, "priority", json!(3))])).await;
    assert_eq!(updated.pluck("id"), [before[1]["id"].clone(), before[0]["id"].clone()]);
    assert_eq!(updated.pluck("priority"), [json!(null), json!(3)]);
    assert_eq!(updated.pluck("filter"), [before[0]["filter"].clone(), before[0]["filter"].clone()]);
}

#[tokio::test]
async fn bulk_update_accepts_twenty_five_rules() {
    let app = TestApp::start().await;
    let filter = app.create_filter("ssl").await;
    let rules: Vec<Value> = (0..25).map(|_| json!({"filter": {"id": filter}, "action": "block"})).collect();
    let created = app.post(&app.zone("/firewall/rules"), json!(rules)).await;
    let updates: Vec<Value> = created
        .pluck("id")
        .into_iter()
        .map(|id| json!({"id": id, "filter": {"id": filter}, "action": "log"}))
        .collect();
    let updated = app.put(&app.zone("/firewall/rules"), json!(updates)).await;
    assert_eq!((updated.status, updated.pluck("id")), (200, created.pluck("id")));
}

#[tokio::test]
async fn update_validates_actions_and_products_against_the_plan() {
    let app = TestApp::start().await;
    let cases = [
        ("free", json!({"action": "log"}), Some("/action")),
        ("business", json!({"action": "log"}), Some("/action")),
        ("enterprise", json!({"action": "log"}), None),
        ("free", json!({"action": "bypass", "products": ["hot", "waf"]}), Some("/products/1")),
        ("free", json!({"action": "bypass", "products": ["zoneLockdown"]}), Some("/products/0")),
        ("free", json!({"action": "bypass", "products": ["rateLimit"]}), None),
        ("pro", json!({"action": "bypass", "products": ["waf", "zoneLockdown"]}), None),
    ];
    for (number, (plan, mut update, is_rejected)) in cases.into_iter().enumerate() {
        let (id, filter) = create_rule(&app, plan, rule(number)).await;
        update["filter"] = json!({"id": filter});
        update["id"] = json!(id);
        let path = app.zone_on_plan(plan, "/firewall/rules");
        let responses = [
            (app.put(&path, json!([update])).await, "/0"),
            (app.put(&format!("{path}/{id}"), update.clone()).await, ""),
        ];
        for (response, before) in responses {
            match is_rejected {
                Some(pointer) => response.assert_errors(400, &[(10015, &format!("{before}{pointer}"))]),
                None => assert_eq!(response.status, 200, "{plan} {update}"),
            }
        }
    }
}

#[tokio::test]
async fn resumed_rules_count_toward_the_quota() {
    let app = TestApp::start().await;
    let rules = app.zone_on_plan("free", "/firewall/rules");
    let five: Vec<Value> = (1..=5).map(rule).collect();
    let active = app.post(&rules, json!(five)).await.body["result"].clone();
    let mut paused = Vec::new();
    for port in 6..=7 {
        let mut new = rule(port);
        new["paused"] = json!(true);
        paused.push(create_rule(&app, "free", new).await);
    }
    let update = |rule: &Value, paused: bool| json!({"id": rule["id"], "filter": rule["filter"], "action": "block", "paused": paused});
    let resumed = |index: usize| {
        let (id, filter) = &paused[index];
        json!({"id": id, "filter": {"id": filter}, "action": "block"})
    };
    let rejection = app.put(&format!("{rules}/{}", paused[0].0), resumed(0)).await;
    rejection.assert_errors(400, &[(10103, "")]);
    assert_eq!(rejection.message(), "exceeded the maximum number of active firewall rules (5) of the Free plan");
    // In a full zone, active rules can stay active.
    assert_eq!(app.put(&rules, json!([update(&active[0], false)])).await.status, 200);
    // Pausing one rule frees space for one rule, in any order, and not for two.
    let body = json!([resumed(0), update(&active[0], true), resumed(1)]);
    app.put(&rules, body).await.assert_errors(400, &[(10103, "/2")]);
    assert_eq!(
        app.get(&format!("{rules}?paused=true")).await.pluck("id"),
        paused.iter().map(|(id, _)| json!(id)).collect::<Vec<_>>()
    );
    let body = json!([resumed(0), update(&active[0], true)]);
    assert_eq!(app.put(&rules, body).await.status, 200);
    assert_eq!(app.get(&format!("{rules}?paused=false")).await.body["result_info"]["total_count"], json!(5));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_resumes_never_exceed_the_quota() {
    let app = std::sync::Arc::new(TestApp::start().await);
    let mut tasks = Vec::new();
    for port in 0..12 {
        let mut new = rule(port);
        new["paused"] = json!(true);
        let (id, filter) = create_rule(&app, "free", new).await;
        let app = std::sync::Arc::clone(&app);
        let body = json!({"filter": {"id": filter}, "action": "block"});
        let path = app.zone_on_plan("free", &format!("/firewall/rules/{id}"));
        tasks.push(tokio::spawn(async move { app.put(&path, body).await.status }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    let active = app.get(&app.zone_on_plan("free", "/firewall/rules?paused=false")).await;
    assert_eq!(active.body["result_info"]["total_count"], json!(5));
}
