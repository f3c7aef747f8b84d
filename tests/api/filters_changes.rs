//! `/zones/{zone_id}/filters`: update and delete, one and many.

use crate::app::TestApp;
use axum::http::Method;
use serde_json::{Value, json};

const UNKNOWN_ID: &str = "0123456789abcdef0123456789abcdef";

#[tokio::test]
async fn put_replaces_the_whole_filter() {
    let app = TestApp::start().await;
    let body = json!([{"expression": "ssl", "paused": true, "description": "why", "ref": "F-2"}]);
    let id = app.post(&app.zone("/filters"), body).await.id();
    let path = app.zone(&format!("/filters/{id}"));
    let full = json!({"id": id, "expression": "not ssl", "paused": true, "description": "because", "ref": "F-3"});
    let response = app.put(&path, full.clone()).await;
    assert_eq!((response.status, &response.body["result"]), (200, &full));
    app.put(&path, json!({"expression": "ssl"})).await.assert_result(json!({
        "id": "[id]", "expression": "ssl", "paused": false
    }));
    assert_eq!(app.get(&path).await.body["result"], json!({"id": id, "expression": "ssl", "paused": false}));
    // The old expression is available again, and the new one is taken by this filter.
    app.create_filter("not ssl").await;
    app.put(&path, json!({"expression": " ssl "})).await.assert_result(json!({
        "id": "[id]", "expression": " ssl ", "paused": false
    }));
}

#[tokio::test]
async fn rules_see_the_updated_filter_expression() {
    let app = TestApp::start().await;
    let id = app.create_filter("ssl").await;
    app.post(&app.zone("/firewall/rules"), json!([{"filter": {"id": id}, "action": "block"}])).await;
    let filter = json!({"id": id, "expression": "not ssl", "paused": true});
    app.put(&app.zone("/filters"), json!([filter])).await;
    assert_eq!(app.get(&app.zone("/firewall/rules")).await.pluck("filter"), [filter]);
}

#[tokio::test]
async fn bulk_update_is_atomic() {
    let app = TestApp::start().await;
    let ids = [app.create_filter("ssl").await, app.create_filter("not ssl").await];
    let update = |index: usize, expression: &str| json!({"id": ids[index], "expression": expression});
    let before = app.get(&app.zone("/filters")).await.body["result"].clone();
    let port = "cf.edge.server_port eq 1";
    let cases = [
        (json!([update(0, port), {"id": UNKNOWN_ID, "expression": "http.host eq \"a\""}]), (10001, "/1/id")),
        (json!([update(0, port), {"expression": "http.host eq \"a\""}]), (10014, "/1/id")),
        (json!([update(0, port), {"id": "x", "expression": "http.host eq \"a\""}]), (10015, "/1/id")),
        (json!([update(0, port), update(0, "http.host eq \"a\"")]), (10015, "/1/id")),
        (json!([update(1, port), update(0, port)]), (10102, "/1/expression")),
        (json!([update(1, "hots")]), (10016, "/0/expression")),
        (json!([update(1, "ssl")]), (10102, "/0/expression")),
        (update(1, "ssl"), (10102, "/expression")),
        (json!([]), (10014, "")),
        (json!(5), (10014, "")),
        (json!(vec![json!({}); 1001]), (10014, "")),
    ];
    for (body, expected) in cases {
        app.put(&app.zone("/filters"), body).await.assert_errors(400, &[expected]);
        assert_eq!(app.get(&app.zone("/filters")).await.body["result"], before);
    }
    let swapped = json!([update(1, "ssl"), update(0, "not ssl")]);
    let response = app.put(&app.zone("/filters"), swapped).await;
    assert_eq!(response.pluck("id"), [json!(ids[1]), json!(ids[0])]);
    assert_eq!(app.get(&app.zone("/filters")).await.pluck("expression"), ["not ssl", "ssl"]);
    app.post(&app.zone("/filters"), json!([{"expression": "ssl"}]))
        .await
        .assert_errors(400, &[(10102, "/0/expression")]);
}

#[tokio::test]
async fn update_to_a_duplicate_names_the_other_filter() {
    let app = TestApp::start().await;
    let (first, second) = (app.create_filter("ssl").await, app.create_filter("not ssl").await);
    let path = app.zone(&format!("/filters/{second}"));
    let response = app.put(&path, json!({"expression": "ssl\n"})).await;
    response.assert_errors(400, &[(10102, "/expression")]);
    assert_eq!(response.message(), "config duplicates an already existing config");
    assert_eq!(response.body["errors"][0]["meta"], json!({ "id": first }));
}

#[tokio::test]
async fn update_of_an_unknown_or_mismatched_filter_is_rejected() {
    let app = TestApp::start().await;
    let id = app.create_filter("ssl").await;
    let body = json!({"expression": "not ssl"});
    app.put(&app.zone(&format!("/filters/{UNKNOWN_ID}")), body.clone()).await.assert_errors(404, &[(10001, "")]);
    app.put(&app.zone_on_plan("free", &format!("/filters/{id}")), body.clone())
        .await
        .assert_errors(404, &[(10001, "")]);
    app.put(&app.zone_on_plan("free", "/filters"), json!([{"id": id, "expression": "not ssl"}]))
        .await
        .assert_errors(400, &[(10001, "/0/id")]);
    app.put(&app.zone("/filters/x"), body).await.assert_errors(404, &[(7003, ""), (7000, "")]);
    let path = app.zone(&format!("/filters/{id}"));
    let other = json!({"id": UNKNOWN_ID, "expression": "not ssl"});
    app.put(&path, other).await.assert_errors(400, &[(10015, "/id")]);
    app.put(&path, json!([{"expression": "not ssl"}])).await.assert_errors(400, &[(10014, "")]);
    app.put(&path, json!({})).await.assert_errors(400, &[(10014, "/expression")]);
    assert_eq!(app.get(&path).await.body["result"]["expression"], json!("ssl"));
}

#[tokio::test]
async fn update_with_matches_requires_a_plan_that_has_it() {
    let app = TestApp::start().await;
    for (plan, status) in [("free", 400), ("pro", 400), ("business", 200), ("enterprise", 200)] {
        let id = app
            .post(&app.zone_on_plan(plan, "/filters"), json!([{"expression": "cf.edge.server_port eq 4"}]))
            .await
            .id();
        let path = app.zone_on_plan(plan, &format!("/filters/{id}"));
        let response = app.put(&path, json!({"expression": "http.host matches \"^a\""})).await;
        assert_eq!(response.status, status, "{plan}");
    }
}

#[tokio::test]
async fn bulk_delete_reads_ids_from_query_or_body() {
    let app = TestApp::start().await;
    let mut ids = Vec::new();
    for port in 0..6 {
        ids.push(app.create_filter(&format!("cf.edge.server_port eq {port}")).await);
    }
    let path = app.zone("/filters");
    app.delete(&path).await.assert_result(json!([]));
    app.delete(&format!("{path}?id=")).await.assert_result(json!([]));
    app.delete(&format!("{path}?id={UNKNOWN_ID}")).await.assert_result(json!([]));
    for (query, expected) in [("id=xyz", 1), (&*format!("id={}&id=xyz&id=%00", ids[0]), 2)] {
        let rejection = app.delete(&format!("{path}?{query}")).await;
        rejection.assert_errors(400, &vec![(10015, ""); expected]);
        assert!(rejection.message().contains("`id` must be 32 lowercase hexadecimal digits, not `xyz`"));
    }
    assert_eq!(app.total("/filters").await, 6);
    let response = app.delete(&format!("{path}?id={}&id={UNKNOWN_ID}&id={}&id={}", ids[1], ids[0], ids[1])).await;
    assert_eq!((response.status, &response.body["result"]), (200, &json!([{"id": ids[1]}, {"id": ids[0]}])));
    let delete_with_body = |body: Value| app.send(app.request(Method::DELETE, &path, body.to_string()));
    assert_eq!(delete_with_body(json!({"id": ids[2]})).await.pluck("id"), [json!(ids[2])]);
    assert_eq!(delete_with_body(json!({"id": [ids[3]]})).await.pluck("id"), [json!(ids[3])]);
    assert_eq!(delete_with_body(json!([{"id": ids[4]}, UNKNOWN_ID])).await.pluck("id"), [json!(ids[4])]);
    delete_with_body(json!({})).await.assert_result(json!([]));
    delete_with_body(json!(7)).await.assert_errors(400, &[(10014, "")]);
    delete_with_body(json!([ids[5], {"id": [ids[5], "xyz"]}])).await.assert_errors(400, &[(10015, "/1/id/1")]);
    delete_with_body(json!({"id": 7})).await.assert_errors(400, &[(10014, "/id")]);
    delete_with_body(json!({"ids": []})).await.assert_errors(400, &[(10014, "/ids")]);
    delete_with_body(json!(vec![UNKNOWN_ID; 1001])).await.assert_errors(400, &[(10014, "")]);
    let broken = app.send(app.request(Method::DELETE, &path, "{")).await;
    broken.assert_errors(400, &[(10019, "")]);
    let other = app.zone_on_plan("free", &format!("/filters?id={}", ids[5]));
    app.delete(&other).await.assert_result(json!([]));
    assert_eq!(app.get(&path).await.pluck("id"), [json!(ids[5])]);
}

#[tokio::test]
async fn bulk_delete_with_a_used_filter_deletes_none() {
    let app = TestApp::start().await;
    let (free, used) = (app.create_filter("ssl").await, app.create_filter("not ssl").await);
    let rule = json!({"filter": {"id": used}, "action": "block"});
    app.post(&app.zone("/firewall/rules"), json!([rule, rule])).await;
    let rejection = app.delete(&app.zone(&format!("/filters?id={free}&id={used}"))).await;
    rejection.assert_errors(400, &[(10104, "")]);
    assert_eq!(rejection.message(), "the filter is in use by 2 firewall rules; delete the rules first");
    assert_eq!(rejection.body["errors"][0]["meta"], json!({ "id": used }));
    assert_eq!(app.total("/filters").await, 2);
}
