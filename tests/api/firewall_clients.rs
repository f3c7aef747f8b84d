//! Filters and firewall rules in the formats that published clients send and read.

use crate::app::TestApp;
use axum::http::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn generated_client_creates_from_one_object_and_reads_a_list() {
    let app = TestApp::start().await;
    let filters = app.post(&app.zone("/filters"), json!([{"expression": "ssl"}])).await;
    let body = json!({"action": "block", "filter": {"id": filters.id()}});
    let rules = app.post(&app.zone("/firewall/rules"), body).await;
    assert_eq!((rules.status, rules.pluck("action")), (200, vec![json!("block")]));
}

#[tokio::test]
async fn generated_client_pages_until_an_empty_page() {
    let app = TestApp::start().await;
    let id = app.create_filter("ssl").await;
    let rules: Vec<Value> = (0..12).map(|_| json!({"filter": {"id": id}, "action": "block"})).collect();
    app.post(&app.zone("/firewall/rules"), json!(rules)).await;
    let mut all = Vec::new();
    for page in 1.. {
        let response = app.get(&app.zone(&format!("/firewall/rules?page={page}&per_page=5&paused=false"))).await;
        assert_eq!(response.status, 200);
        let items = response.pluck("id");
        if items.is_empty() {
            break;
        }
        all.extend(items);
    }
    assert_eq!(all.len(), 12);
}

#[tokio::test]
async fn generated_client_with_an_empty_body_is_accepted() {
    let app = TestApp::start().await;
    let id = app.create_filter("ssl").await;
    let rule = app.post(&app.zone("/firewall/rules"), json!({"action": "block", "filter": {"id": id}})).await.id();
    let path = app.zone(&format!("/firewall/rules/{rule}"));
    for (method, path, is_list) in [
        // Its bulk deletion sends no IDs, and its priority update no priority.
        (Method::DELETE, app.zone("/firewall/rules"), true),
        (Method::PATCH, path.clone(), true),
        (Method::GET, path.clone(), false),
        (Method::DELETE, path.clone(), false),
    ] {
        let mut request = app.request(method.clone(), &path, "");
        let headers = request.headers_mut();
        headers.insert("content-type", "application/json".parse().unwrap());
        headers.insert("x-stainless-lang", "python".parse().unwrap());
        let response = app.send(request).await;
        assert_eq!((response.status, response.body["result"].is_array()), (200, is_list), "{method} {path}");
        // Typed clients read these members from one object.
        assert!(is_list || response.body["result"]["id"].is_string(), "{method} {path}");
    }
}

#[tokio::test]
async fn client_can_send_back_a_rule_that_it_read() {
    let app = TestApp::start().await;
    let body = json!([{
        "filter": {"expression": "ssl", "ref": "f"}, "action": "bypass", "products": ["waf"], "paused": true,
        "description": "d", "ref": "r", "priority": 3
    }]);
    app.post(&app.zone("/firewall/rules"), body).await;
    for list in ["/filters", "/firewall/rules"] {
        let read = app.get(&app.zone(list)).await.body["result"].clone();
        let response =
            app.put(&app.zone(&format!("{list}/{}", read[0]["id"].as_str().unwrap())), read[0].clone()).await;
        assert_eq!(response.status, 200, "{response:?}");
        let updated = app.put(&app.zone(list), read.clone()).await;
        assert_eq!(updated.status, 200, "{updated:?}");
        let without_time = |mut rule: Value| {
            rule.as_object_mut().unwrap().remove("modified_on");
            rule
        };
        assert_eq!(without_time(response.body["result"].clone()), without_time(read[0].clone()));
        assert_eq!(without_time(updated.body["result"][0].clone()), without_time(read[0].clone()));
    }
}

#[tokio::test]
async fn array_create_reports_the_duplicate_in_error_meta() {
    let app = TestApp::start().await;
    let body = json!([{"filter": {"expression": "ssl"}, "action": "block"}]);
    app.post(&app.zone("/firewall/rules"), body.clone()).await;
    let rejection = app.post(&app.zone("/filters"), json!([{"expression": "ssl"}])).await;
    rejection.assert_errors(400, &[(10102, "/0/expression")]);
    let id = &rejection.body["errors"][0]["meta"]["id"];
    let retried = app.post(&app.zone("/firewall/rules"), json!([{"filter": {"id": id}, "action": "block"}])).await;
    assert_eq!(retried.status, 200);
}
