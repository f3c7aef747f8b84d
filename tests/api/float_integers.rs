//! Clients that represent numbers as floating point send back `5.0` where they read `5`; both are equal.

use crate::app::TestApp;
use serde_json::{Value, json};

/// The same value with `.0` after each integer, as the text of a body.
fn to_floats(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64().unwrap()),
        Value::Array(items) => items.iter().map(to_floats).collect(),
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), to_floats(value))).collect(),
        other => other.clone(),
    }
}

#[tokio::test]
async fn response_with_floating_point_integers_can_be_sent_back() {
    let app = TestApp::start_with_log_push(|config, folder| config.file_root = Some(folder.to_owned())).await;
    let page_rule = json!({
        "targets": [{"target": "url", "constraint": {"operator": "matches", "value": "a.example/*"}}],
        "actions": [{"id": "edge_cache_ttl", "value": 7200}],
        "priority": 5,
    });
    let waf_override = json!({"urls": ["blocked.example/*"], "rules": {"100015": "disable"}, "priority": 5});
    let rule = json!([{"filter": {"expression": "ssl"}, "action": "block", "priority": 5}]);
    let job = json!({
        "dataset": "http_requests", "destination_conf": format!("file://{}/logs", app.data_dir.path().display()),
        "max_upload_records": 1000, "max_upload_bytes": 5_000_000, "max_upload_interval_seconds": 30,
    });
    for (path, body, edit) in [
        ("/firewall/rules", rule, false),
        ("/pagerules", page_rule, false),
        ("/pagerules", json!({"priority": 9}), true),
        ("/firewall/waf/overrides", waf_override, false),
        ("/logpush/jobs", job, false),
    ] {
        let list = app.zone(path);
        if edit {
            let id = app.get(&list).await.id();
            let response = app.patch(&format!("{list}/{id}"), to_floats(&body)).await;
            assert_eq!(
                (response.status, &response.body["result"]["priority"]),
                (200, &body["priority"]),
                "{response:?}"
            );
            continue;
        }
        let created = app.post(&list, to_floats(&body)).await;
        assert_eq!(created.status, 200, "{path} {created:?}");
        let first = |value: &Value| value.get(0).unwrap_or(value).clone();
        let created = first(&created.body["result"]);
        let id = created["id"].as_str().map_or(created["id"].to_string(), str::to_owned);
        let item_path = format!("{list}/{id}");
        let read = app.get(&item_path).await.body["result"].clone();
        assert!(!read.to_string().contains(".0,") && !read.to_string().contains(".0}"), "{read}");
        let again = app.put(&item_path, to_floats(&read)).await;
        assert_eq!(again.status, 200, "{path} {again:?}");
        let without_time = |mut value: Value| {
            value.as_object_mut().unwrap().remove("modified_on");
            value
        };
        assert_eq!(without_time(again.body["result"].clone()), without_time(read), "{path}");
    }
}

#[tokio::test]
async fn query_parameters_accept_floating_point_integers() {
    let app = TestApp::start().await;
    let packages = app.get(&app.zone_on_plan("enterprise", "/firewall/waf/packages")).await;
    let package =
        packages.body["result"].as_array().unwrap().iter().find(|package| package["detection_mode"] == "traditional");
    let groups = app.zone_on_plan(
        "enterprise",
        &format!("/firewall/waf/packages/{}/groups", package.unwrap()["id"].as_str().unwrap()),
    );
    let count = app.get(&groups).await.body["result"][0]["rules_count"].as_u64().unwrap();
    for query in [format!("rules_count={count}"), format!("rules_count={count}.0")] {
        let found = app.get(&format!("{groups}?{query}")).await.pluck("rules_count");
        assert!(!found.is_empty() && found.iter().all(|value| *value == json!(count)), "{query} {found:?}");
    }
    app.get(&format!("{groups}?rules_count=many")).await.assert_errors(400, &[(10015, "")]);
    for (query, is_valid) in [
        ("per_page=50.0&page=1.0", true),
        ("per_page=50&page=1.00", true),
        ("per_page=50.5", false),
        ("per_page=50.", false),
        ("page=0.0", false),
        ("page=1e1", false),
        ("page=-1.0", false),
    ] {
        let response = app.get(&app.zone(&format!("/filters?{query}"))).await;
        assert_eq!(response.status, if is_valid { 200 } else { 400 }, "{query}");
        if is_valid {
            assert_eq!(response.body["result_info"]["per_page"].to_string(), "50");
        }
    }
}
