//! `/zones/{zone_id}/firewall/rules`: list and get. Other files test creation, changes and deletion.

use crate::app::TestApp;
use serde_json::json;

#[tokio::test]
async fn list_is_in_order_of_creation() {
    let app = TestApp::start().await;
    for (expression, priority) in [("ssl", json!(9)), ("not ssl", json!(1)), ("ip.src eq 192.0.2.1", json!(null))] {
        let body = json!([{"filter": {"expression": expression}, "action": "block", "priority": priority}]);
        assert_eq!(app.post(&app.zone("/firewall/rules"), body).await.status, 200);
    }
    let listed = app.get(&app.zone("/firewall/rules")).await;
    let rules = listed.body["result"].as_array().unwrap();
    let expressions: Vec<_> = rules.iter().map(|rule| rule["filter"]["expression"].as_str().unwrap()).collect();
    assert_eq!(expressions, ["ssl", "not ssl", "ip.src eq 192.0.2.1"]);
}

#[tokio::test]
async fn get_returns_the_rule_as_created() {
    let app = TestApp::start().await;
    let body = json!([{
        "filter": {"expression": "ssl", "description": "d", "ref": "f"}, "action": "bypass", "priority": 2_147_483_647,
        "paused": true, "description": "é \"quoted\"", "ref": "r", "products": ["zoneLockdown"]
    }]);
    let created = app.post(&app.zone("/firewall/rules"), body).await;
    let read = app.get(&app.zone(&format!("/firewall/rules/{}", created.id()))).await;
    assert_eq!((read.status, &read.body["result"]), (200, &created.body["result"][0]));
    assert_eq!(app.get(&app.zone("/firewall/rules")).await.body["result"], created.body["result"]);
}

#[tokio::test]
async fn unknown_rule_is_404() {
    let app = TestApp::start().await;
    let path = app.zone("/firewall/rules/0123456789abcdef0123456789abcdef");
    for response in [app.get(&path).await, app.delete(&path).await] {
        response.assert_errors(404, &[(10001, "")]);
        let expected = "there is no firewall rule `0123456789abcdef0123456789abcdef` in this zone";
        assert_eq!(response.message(), expected);
    }
}

#[tokio::test]
async fn deleted_rule_is_404() {
    let app = TestApp::start().await;
    let body = json!([{"filter": {"expression": "ssl"}, "action": "block"}]);
    let path = app.zone(&format!("/firewall/rules/{}", app.post(&app.zone("/firewall/rules"), body).await.id()));
    app.delete(&path).await.assert_result(json!({"id": "[id]"}));
    app.get(&path).await.assert_errors(404, &[(10001, "")]);
}

#[tokio::test]
async fn list_filters_by_query_parameters() {
    let app = TestApp::start().await;
    let body = json!([
        {"filter": {"expression": "ssl"}, "action": "block", "description": "Bots Éa"},
        {"filter": {"expression": "not ssl"}, "action": "allow", "paused": true},
    ]);
    let first = app.post(&app.zone("/firewall/rules"), body).await.id();
    let cases = [
        ("action=block", 1),
        ("action=allow&paused=true", 1),
        ("action=log", 0),
        ("description=bot", 1),
        ("description=bOTS+%C3%89A", 1),
        ("description=b%25t", 0),
        ("paused=true", 1),
        ("paused=true&paused=false", 1),
        (&format!("id={first}&action=block"), 1),
        (&format!("id={first}&action=allow"), 0),
        ("id=nobody", 0),
        ("phase_two=1", 2),
    ];
    for (query, expected) in cases {
        let response = app.get(&app.zone(&format!("/firewall/rules?{query}"))).await;
        assert_eq!(response.body["result"].as_array().map(Vec::len), Some(expected), "{query}");
        assert_eq!(response.body["result_info"]["total_count"], json!(expected), "{query}");
    }
    let invalid = [("action=blo", "action"), ("paused=1", "paused"), ("description=a%00", "description")];
    for (query, name) in invalid {
        let response = app.get(&app.zone(&format!("/firewall/rules?{query}"))).await;
        response.assert_errors(400, &[(10015, "")]);
        assert!(response.message().starts_with(&format!("`{name}` ")), "{}", response.message());
    }
}
