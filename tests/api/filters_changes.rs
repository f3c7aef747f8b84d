//! `/zones/{zone_id}/filters`: update and delete, one and many.

use crate::app::TestApp;
use axum::http::Method;
use serde_json::{Value, json};

const UNKNOWN: &str = "0123456789abcdef0123456789abcdef";

#[tokio::test]
async fn an_update_overwrites_the_whole_filter() {
    let app = TestApp::start().await;
    let body = json!([{"expression": "ssl", "paused": true, "description": "why", "ref": "F-2"}]);
    let id = app.post(&app.zone("/filters"), body).await.id();
    let path = app.zone(&format!("/filters/{id}"));
    let full = json!({"id": id, "expression": "not ssl", "paused": true, "description": "because", "ref": "F-3"});
    let answer = app.put(&path, full.clone()).await;
    assert_eq!((answer.status, &answer.body["result"]), (200, &full));
    app.put(&path, json!({"expression": "ssl"})).await.assert_result(json!({
        "id": "[id]", "expression": "ssl", "paused": false
    }));
    assert_eq!(app.get(&path).await.body["result"], json!({"id": id, "expression": "ssl", "paused": false}));
    // What it was is free again, and what it is belongs to it.
    app.filter("not ssl").await;
    app.put(&path, json!({"expression": " ssl "})).await.assert_result(json!({
        "id": "[id]", "expression": " ssl ", "paused": false
    }));
}

#[tokio::test]
async fn rules_use_what_their_filter_has_become() {
    let app = TestApp::start().await;
    let id = app.filter("ssl").await;
    app.post(&app.zone("/firewall/rules"), json!([{"filter": {"id": id}, "action": "block"}])).await;
    let filter = json!({"id": id, "expression": "not ssl", "paused": true});
    app.put(&app.zone("/filters"), json!([filter])).await;
    assert_eq!(app.get(&app.zone("/firewall/rules")).await.each("filter"), [filter]);
}

#[tokio::test]
async fn many_are_updated_or_none() {
    let app = TestApp::start().await;
    let ids = [app.filter("ssl").await, app.filter("not ssl").await];
    let update = |index: usize, expression: &str| json!({"id": ids[index], "expression": expression});
    let before = app.get(&app.zone("/filters")).await.body["result"].clone();
    let port = "cf.edge.server_port eq 1";
    let cases = [
        (json!([update(0, port), {"id": UNKNOWN, "expression": "http.host eq \"a\""}]), (10001, "/1/id")),
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
    let answer = app.put(&app.zone("/filters"), swapped).await;
    assert_eq!(answer.each("id"), [json!(ids[1]), json!(ids[0])]);
    assert_eq!(app.get(&app.zone("/filters")).await.each("expression"), ["not ssl", "ssl"]);
    app.post(&app.zone("/filters"), json!([{"expression": "ssl"}]))
        .await
        .assert_errors(400, &[(10102, "/0/expression")]);
}

#[tokio::test]
async fn an_update_into_a_duplicate_names_the_other() {
    let app = TestApp::start().await;
    let (first, second) = (app.filter("ssl").await, app.filter("not ssl").await);
    let path = app.zone(&format!("/filters/{second}"));
    let answer = app.put(&path, json!({"expression": "ssl\n"})).await;
    answer.assert_errors(400, &[(10102, "/expression")]);
    assert_eq!(answer.message(), "config duplicates an already existing config");
    assert_eq!(answer.body["errors"][0]["meta"], json!({ "id": first }));
}

#[tokio::test]
async fn an_update_of_what_is_not_there() {
    let app = TestApp::start().await;
    let id = app.filter("ssl").await;
    let body = json!({"expression": "not ssl"});
    app.put(&app.zone(&format!("/filters/{UNKNOWN}")), body.clone()).await.assert_errors(404, &[(10001, "")]);
    app.put(&app.zone_of("free", &format!("/filters/{id}")), body.clone()).await.assert_errors(404, &[(10001, "")]);
    app.put(&app.zone_of("free", "/filters"), json!([{"id": id, "expression": "not ssl"}]))
        .await
        .assert_errors(400, &[(10001, "/0/id")]);
    app.put(&app.zone("/filters/x"), body).await.assert_errors(404, &[(7003, ""), (7000, "")]);
    let path = app.zone(&format!("/filters/{id}"));
    let other = json!({"id": UNKNOWN, "expression": "not ssl"});
    app.put(&path, other).await.assert_errors(400, &[(10015, "/id")]);
    app.put(&path, json!([{"expression": "not ssl"}])).await.assert_errors(400, &[(10014, "")]);
    app.put(&path, json!({})).await.assert_errors(400, &[(10014, "/expression")]);
    assert_eq!(app.get(&path).await.body["result"]["expression"], json!("ssl"));
}

#[tokio::test]
async fn the_plan_decides_about_matches_in_updates_too() {
    let app = TestApp::start().await;
    for (plan, status) in [("free", 400), ("pro", 400), ("business", 200), ("enterprise", 200)] {
        let id =
            app.post(&app.zone_of(plan, "/filters"), json!([{"expression": "cf.edge.server_port eq 4"}])).await.id();
        let path = app.zone_of(plan, &format!("/filters/{id}"));
        let answer = app.put(&path, json!({"expression": "http.host matches \"^a\""})).await;
        assert_eq!(answer.status, status, "{plan}");
    }
}

#[tokio::test]
async fn many_are_deleted_by_the_query_or_the_body() {
    let app = TestApp::start().await;
    let mut ids = Vec::new();
    for port in 0..6 {
        ids.push(app.filter(&format!("cf.edge.server_port eq {port}")).await);
    }
    let path = app.zone("/filters");
    app.delete(&path).await.assert_result(json!([]));
    app.delete(&format!("{path}?id=")).await.assert_result(json!([]));
    app.delete(&format!("{path}?id={UNKNOWN}")).await.assert_result(json!([]));
    for (query, expected) in [("id=xyz", 1), (&*format!("id={}&id=xyz&id=%00", ids[0]), 2)] {
        let refused = app.delete(&format!("{path}?{query}")).await;
        refused.assert_errors(400, &vec![(10015, ""); expected]);
        assert!(refused.message().contains("`id` must be 32 lower-case hexadecimal digits, not `xyz`"));
    }
    assert_eq!(app.total("/filters").await, 6);
    let answer = app.delete(&format!("{path}?id={}&id={UNKNOWN}&id={}&id={}", ids[1], ids[0], ids[1])).await;
    assert_eq!((answer.status, &answer.body["result"]), (200, &json!([{"id": ids[1]}, {"id": ids[0]}])));
    let with = |body: Value| app.send(app.request(Method::DELETE, &path, body.to_string()));
    assert_eq!(with(json!({"id": ids[2]})).await.each("id"), [json!(ids[2])]);
    assert_eq!(with(json!({"id": [ids[3]]})).await.each("id"), [json!(ids[3])]);
    assert_eq!(with(json!([{"id": ids[4]}, UNKNOWN])).await.each("id"), [json!(ids[4])]);
    with(json!({})).await.assert_result(json!([]));
    with(json!(7)).await.assert_errors(400, &[(10014, "")]);
    with(json!([ids[5], {"id": [ids[5], "xyz"]}])).await.assert_errors(400, &[(10015, "/1/id/1")]);
    with(json!({"id": 7})).await.assert_errors(400, &[(10014, "/id")]);
    with(json!({"ids": []})).await.assert_errors(400, &[(10014, "/ids")]);
    with(json!(vec![UNKNOWN; 1001])).await.assert_errors(400, &[(10014, "")]);
    let broken = app.send(app.request(Method::DELETE, &path, "{")).await;
    broken.assert_errors(400, &[(10019, "")]);
    let other = app.zone_of("free", &format!("/filters?id={}", ids[5]));
    app.delete(&other).await.assert_result(json!([]));
    assert_eq!(app.get(&path).await.each("id"), [json!(ids[5])]);
}

#[tokio::test]
async fn of_many_none_is_deleted_when_a_rule_uses_one() {
    let app = TestApp::start().await;
    let (free, used) = (app.filter("ssl").await, app.filter("not ssl").await);
    let rule = json!({"filter": {"id": used}, "action": "block"});
    app.post(&app.zone("/firewall/rules"), json!([rule, rule])).await;
    let refused = app.delete(&app.zone(&format!("/filters?id={free}&id={used}"))).await;
    refused.assert_errors(400, &[(10104, "")]);
    assert_eq!(refused.message(), "the filter is in use by 2 firewall rules; delete the rules first");
    assert_eq!(refused.body["errors"][0]["meta"], json!({ "id": used }));
    assert_eq!(app.total("/filters").await, 2);
}
