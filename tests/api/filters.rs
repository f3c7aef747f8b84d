//! `/zones/{zone_id}/filters`: create, list and get. `filters_changes.rs` tests updates and deletions.

use crate::app::TestApp;
use serde_json::json;

#[tokio::test]
async fn created_filters_are_returned_in_order_without_unset_members() {
    let app = TestApp::start().await;
    let body = json!([
        {"expression": "ip.src eq 192.0.2.1"},
        {"expression": "http.host contains \"b\"", "paused": true, "description": "why", "ref": "F-2"}
    ]);
    app.post(&app.zone("/filters"), body).await.assert_result(json!([
        {"id": "[id]", "expression": "ip.src eq 192.0.2.1", "paused": false},
        {"id": "[id]", "expression": "http.host contains \"b\"", "paused": true, "description": "why", "ref": "F-2"}
    ]));
}

#[tokio::test]
async fn single_object_is_accepted_as_an_array_of_one() {
    let app = TestApp::start().await;
    let response = app.post(&app.zone("/filters"), json!({"expression": "ssl"})).await;
    response.assert_result(json!([{"id": "[id]", "expression": "ssl", "paused": false}]));
    let rejection = app.post(&app.zone("/filters"), json!({"expression": "http.hots eq \"a\""})).await;
    rejection.assert_errors(400, &[(10016, "/expression")]);
}

#[tokio::test]
async fn invalid_expression_is_reported_with_a_code_frame() {
    let app = TestApp::start().await;
    // Control characters of the expression are not returned.
    let odd = app.post(&app.zone("/filters"), json!([{"expression": "http.hots eq \"\u{1b}[31m\u{202e}\""}])).await;
    assert!(!odd.message().contains(['\u{1b}', '\u{202e}']), "{}", odd.message());
    let response = app.post(&app.zone("/filters"), json!([{"expression": "http.hots eq \"a\""}])).await;
    response.assert_errors(400, &[(10016, "/0/expression")]);
    let message = response.message();
    let first = "Filter parsing error (1:1):\nhttp.hots eq \"a\"\n^^^^^^^^^ unknown field `http.hots`\n\nerror[unknown-field]: ";
    assert!(message.starts_with(first), "{message}");
    assert!(message.contains("1 | http.hots eq \"a\"\n   | ^^^^^^^^^"), "{message}");
}

#[tokio::test]
async fn batch_create_reports_all_errors_and_persists_nothing() {
    let app = TestApp::start().await;
    let body = json!([
        {"expression": "ssl"},
        {"expression": "http.hots eq \"a\"", "description": "d".repeat(501)},
        {"expresion": "ssl", "paused": 1},
        7
    ]);
    app.post(&app.zone("/filters"), body).await.assert_errors(
        400,
        &[
            (10016, "/1/expression"),
            (10015, "/1/description"),
            (10014, "/2/expresion"),
            (10014, "/2/expression"),
            (10014, "/2/paused"),
            (10014, "/3"),
        ],
    );
    assert_eq!(app.total("/filters").await, 0);
}

#[tokio::test]
async fn duplicate_error_names_the_existing_filter() {
    let app = TestApp::start().await;
    let id = app.create_filter("ssl").await;
    let body = json!([{"expression": "not ssl"}, {"expression": "ssl"}, {"expression": "not ssl"}]);
    let response = app.post(&app.zone("/filters"), body).await;
    response.assert_errors(400, &[(10102, "/1/expression"), (10102, "/2/expression")]);
    assert_eq!(response.message(), "config duplicates an already existing config");
    assert_eq!(response.body["errors"][0]["meta"], json!({ "id": id }));
    assert_eq!(response.body["errors"][1].get("meta"), None);
    assert_eq!(app.total("/filters").await, 1);
}

#[tokio::test]
async fn filters_belong_to_one_zone() {
    let app = TestApp::start().await;
    let id = app.create_filter("ssl").await;
    let created = app.post(&app.zone_on_plan("free", "/filters"), json!([{"expression": "ssl"}])).await;
    assert_eq!(created.status, 200);
    app.get(&app.zone_on_plan("free", &format!("/filters/{id}"))).await.assert_errors(404, &[(10001, "")]);
    app.delete(&app.zone_on_plan("free", &format!("/filters/{id}"))).await.assert_errors(404, &[(10001, "")]);
    assert_eq!(app.get(&app.zone(&format!("/filters/{id}"))).await.id(), id);
}

#[tokio::test]
async fn matches_operator_requires_a_plan_that_has_it() {
    let app = TestApp::start().await;
    let body = json!([{"expression": "http.host matches \"^a\""}]);
    for (plan, status) in [("free", 400), ("pro", 400), ("business", 200), ("enterprise", 200)] {
        assert_eq!(app.post(&app.zone_on_plan(plan, "/filters"), body.clone()).await.status, status, "{plan}");
    }
}

#[tokio::test]
async fn get_returns_one_filter_as_an_object() {
    let app = TestApp::start().await;
    let id = app.create_filter("ssl").await;
    let response = app.get(&app.zone(&format!("/filters/{id}"))).await;
    response.assert_result(json!({"id": "[id]", "expression": "ssl", "paused": false}));
}

#[tokio::test]
async fn deleted_filter_is_404() {
    let app = TestApp::start().await;
    let path = app.zone(&format!("/filters/{}", app.create_filter("ssl").await));
    app.delete(&path).await.assert_result(json!({"id": "[id]"}));
    app.delete(&path).await.assert_errors(404, &[(10001, "")]);
    app.get(&path).await.assert_errors(404, &[(10001, "")]);
}

#[tokio::test]
async fn filter_in_use_cannot_be_deleted() {
    let app = TestApp::start().await;
    let id = app.create_filter("ssl").await;
    let path = app.zone(&format!("/filters/{id}"));
    let rule = app.post(&app.zone("/firewall/rules"), json!([{"filter": {"id": id}, "action": "block"}])).await.id();
    let rejection = app.delete(&path).await;
    rejection.assert_errors(400, &[(10104, "")]);
    assert_eq!(rejection.message(), "the filter is in use by 1 firewall rule; delete the rules first");
    assert_eq!(rejection.body["errors"][0]["meta"], json!({ "id": id }));
    app.delete(&app.zone(&format!("/firewall/rules/{rule}"))).await;
    assert_eq!(app.delete(&path).await.status, 200);
}

#[tokio::test]
async fn list_filters_by_query_parameters() {
    let app = TestApp::start().await;
    let body = json!([
        {"expression": "http.host contains \"100%_a\"", "description": "Shop", "ref": "r1"},
        {"expression": "http.host contains \"100xxa\"", "paused": true, "description": "Übung ÄÖ"},
    ]);
    let first = app.post(&app.zone("/filters"), body).await.id();
    let cases = [
        ("expression=HTTP.host", 2),
        ("expression=100%25_A", 1),
        ("description=shop", 1),
        // A to Z match in any case; other letters match exactly, whatever the locale of the database.
        ("description=%C3%9Cbung", 1),
        ("description=%C3%9CBUNG+%C3%84%C3%96", 1),
        ("description=%C3%BCbung", 0),
        ("ref=r1", 1),
        ("ref=r", 0),
        ("paused=true", 1),
        ("paused=false", 1),
        (&format!("id={first}"), 1),
        (&format!("id={first}&paused=true"), 0),
        ("ref=r1&expression=xx", 0),
        ("ref=r2&ref=r1", 1),
        ("waf_migration=1&expression=", 2),
    ];
    for (query, expected) in cases {
        let response = app.get(&app.zone(&format!("/filters?{query}"))).await;
        assert_eq!(response.body["result"].as_array().map(Vec::len), Some(expected), "{query} {response:?}");
        assert_eq!(response.body["result_info"]["total_count"], json!(expected), "{query}");
    }
    let rejection = app.get(&app.zone(&format!("/filters?paused=maybe&page=x&expression={}", "a".repeat(5000)))).await;
    rejection.assert_errors(400, &[(10015, ""), (10015, ""), (10015, "")]);
}

#[tokio::test]
async fn surrounding_whitespace_counts_as_a_duplicate() {
    let app = TestApp::start().await;
    let body = json!([{"expression": " ssl\n"}]);
    let response = app.post(&app.zone("/filters"), body).await;
    response.assert_result(json!([{"id": "[id]", "expression": " ssl\n", "paused": false}]));
    app.post(&app.zone("/filters"), json!([{"expression": "ssl"}]))
        .await
        .assert_errors(400, &[(10102, "/0/expression")]);
    let body = json!([{"expression": "not ssl"}, {"expression": "not ssl "}]);
    app.post(&app.zone("/filters"), body).await.assert_errors(400, &[(10102, "/1/expression")]);
}

#[tokio::test]
async fn filter_limit_of_a_zone_is_enforced() {
    let app = TestApp::start().await;
    let filter = |number: u64| json!({ "expression": format!("cf.edge.server_port eq {number}") });
    let filters: Vec<_> = (0..999).map(filter).collect();
    let path = app.zone_on_plan("free", "/filters");
    assert_eq!(app.post(&path, json!(filters)).await.status, 200);
    let rejection = app.post(&path, json!([filter(1000), filter(1001)])).await;
    rejection.assert_errors(400, &[(10103, "/1")]);
    let limit = "exceeded the maximum number of filters (1000) of the Free plan; delete filters that no rule uses";
    assert_eq!(rejection.message(), limit);
    let id = app.post(&path, json!([filter(1000)])).await.id();
    let rules = app.zone_on_plan("free", "/firewall/rules");
    let rule = json!([
        {"filter": {"id": id}, "action": "block"},
        {"filter": filter(1001), "action": "block"},
    ]);
    app.post(&rules, rule.clone()).await.assert_errors(400, &[(10103, "/1/filter")]);
    app.delete(&format!("{path}/{id}")).await.assert_result(json!({"id": "[id]"}));
    app.post(&rules, json!([rule[1]])).await.assert_result(json!([{
        "id": "[id]", "paused": false, "action": "block", "priority": null,
        "filter": {"id": "[id]", "expression": "cf.edge.server_port eq 1001", "paused": false},
        "created_on": "[time]", "modified_on": "[time]"
    }]));
}
