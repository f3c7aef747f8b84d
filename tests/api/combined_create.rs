//! `POST /zones/{zone_id}/firewall/rules`: the numbered rules of the specification.

use crate::app::TestApp;
use serde_json::{Value, json};

fn rule(expression: &str) -> Value {
    json!({"filter": {"expression": expression}, "action": "block"})
}

#[tokio::test]
async fn spec_2_4_response_has_the_specified_shape() {
    let app = TestApp::start().await;
    let expression = "http.request.uri.path contains \"/autodiscover.xml\" and ip.src eq 192.0.2.1";
    let response = app.post(&app.zone("/firewall/rules"), json!([rule(expression)])).await;
    response.assert_result(json!([{
        "id": "[id]",
        "paused": false,
        "action": "block",
        "priority": null,
        "filter": {"id": "[id]", "expression": expression, "paused": false},
        "created_on": "[time]",
        "modified_on": "[time]"
    }]));
}

#[tokio::test]
async fn spec_4_2_1_filter_is_created_as_through_the_filters_api() {
    let app = TestApp::start().await;
    let response = app.post(&app.zone("/firewall/rules"), json!([rule("ssl")])).await;
    let filter = &response.body["result"][0]["filter"];
    let listed = app.get(&app.zone("/filters")).await;
    assert_eq!(listed.body["result"], json!([filter]));
}

#[tokio::test]
async fn spec_4_2_2_deleting_the_rule_keeps_the_filter() {
    let app = TestApp::start().await;
    let created = app.post(&app.zone("/firewall/rules"), json!([rule("ssl")])).await;
    let path = app.zone(&format!("/firewall/rules/{}", created.id()));
    app.delete(&path).await.assert_result(json!({"id": "[id]"}));
    assert_eq!((app.total("/firewall/rules").await, app.total("/filters").await), (0, 1));
}

#[tokio::test]
async fn spec_4_2_2_updating_the_rule_never_changes_the_filter() {
    let app = TestApp::start().await;
    let created = app.post(&app.zone("/firewall/rules"), json!([rule("ssl")])).await;
    let mut sent = created.body["result"][0].clone();
    let filter = sent["filter"].clone();
    sent["filter"]["expression"] = json!("not ssl");
    sent["filter"]["paused"] = json!(true);
    let updated = app.put(&app.zone(&format!("/firewall/rules/{}", created.id())), sent.clone()).await;
    assert_eq!((updated.status, &updated.body["result"]["filter"]), (200, &filter));
    let updated = app.put(&app.zone("/firewall/rules"), json!([sent])).await;
    assert_eq!((updated.status, &updated.body["result"][0]["filter"]), (200, &filter));
    assert_eq!(app.get(&app.zone("/filters")).await.body["result"], json!([filter]));
}

#[tokio::test]
async fn spec_4_2_3_rule_and_filter_errors_have_distinct_pointers() {
    let app = TestApp::start().await;
    let body = json!([
        {"filter": {"expression": "http.hots eq \"a\""}, "action": "blok"},
        {"filter": {"where": 1}, "actoin": "block"},
    ]);
    app.post(&app.zone("/firewall/rules"), body).await.assert_errors(
        400,
        &[
            (10016, "/0/filter/expression"),
            (10015, "/0/action"),
            (10014, "/1/actoin"),
            (10014, "/1/filter/where"),
            (10014, "/1/filter/expression"),
            (10014, "/1/action"),
        ],
    );
}

#[tokio::test]
async fn spec_4_2_4_one_filter_serves_many_rules() {
    let app = TestApp::start().await;
    let id = app.create_filter("ssl").await;
    let body = json!([
        {"filter": {"id": id}, "action": "log", "priority": 5},
        {"filter": {"id": id, "expression": "", "paused": true}, "action": "bypass", "products": ["waf", "hot"]},
    ]);
    let filter = json!({"id": "[id]", "expression": "ssl", "paused": false});
    app.post(&app.zone("/firewall/rules"), body).await.assert_result(json!([
        {
            "id": "[id]", "paused": false, "action": "log", "priority": 5, "filter": filter,
            "created_on": "[time]", "modified_on": "[time]"
        },
        {
            "id": "[id]", "paused": false, "action": "bypass", "priority": null, "filter": filter,
            "products": ["waf", "hot"], "created_on": "[time]", "modified_on": "[time]"
        }
    ]));
    assert_eq!(app.total("/filters").await, 1);
}

#[tokio::test]
async fn unknown_filter_id_is_rejected() {
    let app = TestApp::start().await;
    let unknown = "0123456789abcdef0123456789abcdef";
    let body = json!([rule("ssl"), {"filter": {"id": unknown}, "action": "block"}]);
    app.post(&app.zone("/firewall/rules"), body).await.assert_errors(400, &[(10001, "/1/filter/id")]);
    assert_eq!(app.total("/filters").await, 0, "the transaction is rolled back");
}

#[tokio::test]
async fn spec_3_6_nothing_is_persisted_when_the_filter_is_invalid() {
    let app = TestApp::start().await;
    let body = json!([rule("ssl"), rule("http.hots eq \"a\"")]);
    app.post(&app.zone("/firewall/rules"), body).await.assert_errors(400, &[(10016, "/1/filter/expression")]);
    assert_eq!((app.total("/firewall/rules").await, app.total("/filters").await), (0, 0));
}

#[tokio::test]
async fn spec_3_6_nothing_is_persisted_when_the_rule_is_invalid() {
    let app = TestApp::start().await;
    let body = json!([rule("ssl"), {"filter": {"expression": "not ssl"}, "action": "bypass"}]);
    app.post(&app.zone("/firewall/rules"), body).await.assert_errors(400, &[(10015, "/1/products")]);
    assert_eq!((app.total("/firewall/rules").await, app.total("/filters").await), (0, 0));
}

#[tokio::test]
async fn spec_3_6_nothing_is_persisted_when_the_filter_is_a_duplicate() {
    let app = TestApp::start().await;
    let id = app.create_filter("ssl").await;
    let response = app.post(&app.zone("/firewall/rules"), json!([rule("not ssl"), rule("ssl")])).await;
    response.assert_errors(400, &[(10202, "/1/filter/expression")]);
    assert_eq!(response.message(), "filter at index 1: config duplicates an already existing config");
    assert_eq!(response.body["errors"][0]["meta"], json!({ "id": id }));
    assert_eq!((app.total("/firewall/rules").await, app.total("/filters").await), (0, 1));
}

#[tokio::test]
async fn spec_3_6_filter_is_persisted_when_the_rule_quota_is_exceeded() {
    let app = TestApp::start().await;
    let rules = app.zone_on_plan("free", "/firewall/rules");
    let initial_rules: Vec<Value> = (1..=4).map(|n| rule(&format!("ip.src eq 192.0.2.{n}"))).collect();
    assert_eq!(app.post(&rules, json!(initial_rules)).await.status, 200);

    let response = app.post(&rules, json!([rule("ip.src eq 192.0.2.5"), rule("ip.src eq 192.0.2.6")])).await;
    response.assert_errors(400, &[(10103, "/1")]);
    assert_eq!(response.message(), "exceeded the maximum number of active firewall rules (5) of the Free plan");
    let filter_id = app.get(&app.zone_on_plan("free", "/filters?expression=192.0.2.6")).await.id();
    assert_eq!(response.body["errors"][0]["meta"], json!({ "filter_id": filter_id }));
    let pointers: Vec<&Value> =
        response.body["messages"].as_array().unwrap().iter().map(|message| &message["source"]["pointer"]).collect();
    assert_eq!(pointers, ["/0/filter", "/1/filter"]);
    assert_eq!(response.body["messages"][1]["meta"]["filter_id"], json!(filter_id));
    assert_eq!(app.get(&rules).await.body["result_info"]["total_count"], json!(4));

    // Rule 7.3: the client continues with the existing filter.
    let by_id = json!([{"filter": {"id": filter_id}, "action": "block"}]);
    assert_eq!(app.post(&rules, by_id.clone()).await.status, 200);
    let full = app.post(&rules, by_id).await;
    full.assert_errors(400, &[(10103, "/0")]);
    assert_eq!(full.body["messages"], json!([]), "no filter was created");
}

#[tokio::test]
async fn paused_rules_do_not_count_toward_the_quota() {
    let app = TestApp::start().await;
    let rules = app.zone_on_plan("free", "/firewall/rules");
    let paused =
        |n| json!({"filter": {"expression": format!("ip.src eq 192.0.2.{n}")}, "action": "block", "paused": true});
    let paused_rules: Vec<Value> = (1..=6).map(paused).collect();
    assert_eq!(app.post(&rules, json!(paused_rules)).await.status, 200);
    assert_eq!(app.post(&rules, json!([rule("ssl")])).await.status, 200);
}

#[tokio::test]
async fn features_outside_the_plan_are_rejected_for_rule_and_filter() {
    let app = TestApp::start().await;
    let body = json!([
        {"filter": {"expression": "ssl"}, "action": "log"},
        {"filter": {"expression": "not ssl"}, "action": "bypass", "products": ["hot", "waf"]},
    ]);
    let response = app.post(&app.zone_on_plan("free", "/firewall/rules"), body).await;
    response.assert_errors(400, &[(10015, "/0/action"), (10015, "/1/products/1")]);
    assert_eq!(app.get(&app.zone_on_plan("free", "/filters")).await.body["result"], json!([]));
}

#[tokio::test]
async fn single_object_is_accepted_as_an_array_of_one() {
    let app = TestApp::start().await;
    let response = app.post(&app.zone("/firewall/rules"), rule("ssl")).await;
    assert_eq!((response.status, response.body["result"].as_array().map(Vec::len)), (200, Some(1)));
    let rejection = app.post(&app.zone("/firewall/rules"), rule("ssl")).await;
    rejection.assert_errors(400, &[(10202, "/filter/expression")]);
}

#[tokio::test]
async fn read_only_members_are_ignored() {
    let app = TestApp::start().await;
    let body = json!([{
        "id": "", "paused": false, "description": "", "action": "allow", "priority": null,
        "filter": {"expression": "ssl", "paused": false, "description": ""},
        "created_on": "0001-01-01T00:00:00Z", "modified_on": "0001-01-01T00:00:00Z"
    }]);
    app.post(&app.zone("/firewall/rules"), body).await.assert_result(json!([{
        "id": "[id]", "paused": false, "action": "allow", "priority": null,
        "filter": {"id": "[id]", "expression": "ssl", "paused": false},
        "created_on": "[time]", "modified_on": "[time]"
    }]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_creates_persist_each_rule_once() {
    let app = std::sync::Arc::new(TestApp::start().await);
    let tasks: Vec<_> = (0..40)
        .map(|n| {
            let app = std::sync::Arc::clone(&app);
            // Every expression is sent twice: one of the two is a duplicate.
            let body = json!([rule(&format!("ip.src eq 192.0.2.{}", n / 2))]);
            tokio::spawn(async move { app.post(&app.zone("/firewall/rules"), body).await.status })
        })
        .collect();
    let mut created = 0;
    for task in tasks {
        match task.await.unwrap() {
            200 => created += 1,
            status => assert_eq!(status, 400),
        }
    }
    assert_eq!((created, app.total("/firewall/rules").await, app.total("/filters").await), (20, 20, 20));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_creates_never_exceed_the_quota() {
    let app = std::sync::Arc::new(TestApp::start().await);
    let tasks: Vec<_> = (0..20)
        .map(|n| {
            let app = std::sync::Arc::clone(&app);
            let body = json!([rule(&format!("ip.src eq 192.0.2.{n}"))]);
            tokio::spawn(async move { app.post(&app.zone_on_plan("free", "/firewall/rules"), body).await.status })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let rules = app.get(&app.zone_on_plan("free", "/firewall/rules")).await;
    assert_eq!(rules.body["result_info"]["total_count"], json!(5));
}
