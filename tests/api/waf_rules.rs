//! `/zones/{zone_id}/firewall/waf/packages/{package}/rules`

use crate::app::TestApp;
use crate::waf_packages::{CORE, MANAGED, package};
use serde_json::{Value, json};

#[tokio::test]
async fn rule_of_either_detection_mode_is_returned() {
    let app = TestApp::start().await;
    let answer = app.get(&package(&app, MANAGED, "/rules/100531")).await;
    let result = &answer.body["result"];
    answer.assert_result(json!({
        "id": "100531", "description": result["description"], "priority": result["priority"], "package_id": "[id]",
        "group": {"id": "[id]", "name": "Cloudflare Specials"}, "mode": "default",
        "allowed_modes": ["default", "disable", "simulate", "block", "challenge"], "default_mode": "block"
    }));
    assert!(result["priority"].is_string());
    let anomaly = app.get(&package(&app, CORE, "/rules/960032")).await;
    let result = &anomaly.body["result"];
    assert_eq!((&result["mode"], &result["allowed_modes"]), (&json!("on"), &json!(["on", "off"])));
    assert_eq!(result.get("default_mode"), None);
    for (parent, id) in [(MANAGED, "960032"), (CORE, "100531"), (MANAGED, "x"), (MANAGED, "%00"), (MANAGED, "0")] {
        app.get(&package(&app, parent, &format!("/rules/{id}"))).await.assert_errors(404, &[(1002, "")]);
    }
}

#[tokio::test]
async fn group_counts_modified_rules_until_they_are_reset() {
    let app = TestApp::start().await;
    let path = package(&app, MANAGED, "/rules/100531");
    let group = app.get(&path).await.body["result"]["group"]["id"].as_str().unwrap().to_owned();
    let group = package(&app, MANAGED, &format!("/groups/{group}"));
    for (mode, modified) in [("challenge", 1), ("disable", 1), ("default", 0)] {
        let changed = app.patch(&path, json!({"mode": mode})).await;
        assert_eq!((changed.status, &changed.body["result"]["mode"]), (200, &json!(mode)));
        assert_eq!(app.get(&path).await.body["result"], changed.body["result"]);
        assert_eq!(app.get(&group).await.body["result"]["modified_rules_count"], json!(modified), "{mode}");
    }
    let path = package(&app, CORE, "/rules/960032");
    assert_eq!(app.patch(&path, json!({"mode": "off"})).await.body["result"]["mode"], json!("off"));
    let app = app.restart().await;
    assert_eq!(app.get(&package(&app, CORE, "/rules/960032")).await.body["result"]["mode"], json!("off"));
}

#[tokio::test]
async fn invalid_rule_changes_are_rejected() {
    let app = TestApp::start().await;
    let cases = [
        (MANAGED, "100531", json!({}), (10014, "/mode")),
        (MANAGED, "100531", json!({"mode": 1}), (10014, "/mode")),
        (MANAGED, "100531", json!({"mode": "on"}), (10015, "/mode")),
        (MANAGED, "100531", json!({"mode": "BLK"}), (10015, "/mode")),
        (CORE, "960032", json!({"mode": "default"}), (10015, "/mode")),
        (CORE, "960032", json!({"mode": "block"}), (10015, "/mode")),
    ];
    for (parent, id, body, error) in cases {
        let rejection = app.patch(&package(&app, parent, &format!("/rules/{id}")), body).await;
        rejection.assert_errors(400, &[error]);
        assert!(rejection.message().starts_with("Invalid or missing WAF Rule mode"), "{}", rejection.message());
    }
    app.patch(&package(&app, MANAGED, "/rules/100531"), json!(null)).await.assert_errors(400, &[(10014, "")]);
    let unknown = app.patch(&package(&app, MANAGED, "/rules/1"), json!({"mode": "block"})).await;
    unknown.assert_errors(404, &[(1002, "")]);
    assert_eq!(unknown.message(), "rule `1` not found");
}

#[tokio::test]
async fn rule_list_can_be_filtered_and_ordered() {
    let app = TestApp::start().await;
    app.patch(&package(&app, MANAGED, "/rules/100531"), json!({"mode": "simulate"})).await;
    let get = async |query: &str| app.get(&package(&app, MANAGED, &format!("/rules?{query}"))).await;
    assert_eq!(get("mode=SIM&description=confluence").await.pluck("id"), ["100531"]);
    assert_eq!(get("mode=simulate").await.pluck("id"), ["100531"]);
    assert!(get("mode=BLK&per_page=100").await.pluck("default_mode").iter().all(|mode| *mode == "block"));
    assert!(get("mode=DIS").await.pluck("mode").iter().all(|mode| *mode == "default"), "default modes");
    let group = get("").await.body["result"][0]["group"]["id"].as_str().unwrap().to_owned();
    let of_group = get(&format!("group_id={group}&order=priority&per_page=100")).await;
    let priorities: Vec<u64> =
        of_group.pluck("priority").iter().map(|text: &Value| text.as_str().unwrap().parse().unwrap()).collect();
    assert!(!priorities.is_empty() && priorities.is_sorted(), "{priorities:?}");
    assert!(get(&format!("group_id={group}&priority=1")).await.pluck("id").len() == 1);
    let descriptions = get("order=description&direction=desc&per_page=100").await.pluck("description");
    let descriptions: Vec<&str> = descriptions.iter().map(|text| text.as_str().unwrap()).collect();
    assert!(descriptions.is_sorted_by(|left, right| left >= right));
    get("mode=ON&order=mode").await.assert_errors(400, &[(10015, ""), (10015, "")]);
}

#[tokio::test]
async fn pages_contain_every_rule_once() {
    let app = TestApp::start().await;
    let mut ids = Vec::new();
    for page in 1.. {
        let answer = app.get(&package(&app, CORE, &format!("/rules?per_page=20&page={page}"))).await;
        let found = answer.pluck("id");
        if found.is_empty() {
            assert_eq!(answer.body["result_info"]["total_count"], json!(ids.len()));
            break;
        }
        ids.extend(found.iter().map(|id| id.as_str().unwrap().to_owned()));
    }
    let all: std::collections::BTreeSet<&String> = ids.iter().collect();
    assert_eq!(all.len(), ids.len());
}

#[tokio::test]
async fn concurrent_rule_changes_are_all_persisted() {
    let app = std::sync::Arc::new(TestApp::start().await);
    let listed = app.get(&package(&app, CORE, "/rules?per_page=20")).await.pluck("id");
    let work = listed.iter().map(|id| {
        let (app, path) = (app.clone(), package(&app, CORE, &format!("/rules/{}", id.as_str().unwrap())));
        tokio::spawn(async move { app.patch(&path, json!({"mode": "off"})).await.status })
    });
    for done in work.collect::<Vec<_>>() {
        assert_eq!(done.await.unwrap(), 200);
    }
    assert_eq!(app.get(&package(&app, CORE, "/rules?mode=off")).await.pluck("id"), listed);
}
