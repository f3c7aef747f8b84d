//! `/zones/{zone_id}/firewall/waf/packages/{package}/groups`

use crate::app::TestApp;
use crate::waf_packages::{CORE, MANAGED, package_path};
use serde_json::json;

/// Published IDs.
const DRUPAL: &str = "8df6c9aaddcbdf0eceb047bc50873697";
const PHP: &str = "c8485e461f935bead889fa0fe87dd76e";
const UNKNOWN_ID: &str = "0123456789abcdef0123456789abcdef";

#[tokio::test]
async fn group_is_returned_by_id_and_unknown_ids_are_not_found() {
    let app = TestApp::start().await;
    let response = app.get(&package_path(&app, MANAGED, &format!("/groups/{PHP}"))).await;
    let result = &response.body["result"];
    response.assert_result(json!({
        "id": "[id]", "name": "Cloudflare Php", "description": result["description"],
        "rules_count": result["rules_count"], "modified_rules_count": 0, "package_id": "[id]", "mode": "on",
        "allowed_modes": ["on", "off"]
    }));
    assert!(result["rules_count"].as_u64().unwrap() > 0);
    for (parent, id) in [(MANAGED, UNKNOWN_ID), (CORE, PHP)] {
        app.get(&package_path(&app, parent, &format!("/groups/{id}"))).await.assert_errors(404, &[(1002, "")]);
    }
    app.get(&package_path(&app, UNKNOWN_ID, &format!("/groups/{PHP}"))).await.assert_errors(404, &[(1002, "")]);
    app.get(&package_path(&app, MANAGED, "/groups/x")).await.assert_errors(404, &[(7003, ""), (7000, "")]);
}

#[tokio::test]
async fn rules_counts_of_groups_add_up_to_rules_of_package() {
    let app = TestApp::start().await;
    for id in [MANAGED, CORE] {
        let groups = app.get(&package_path(&app, id, "/groups?per_page=100")).await;
        let counted: u64 = groups.pluck("rules_count").iter().map(|count| count.as_u64().unwrap()).sum();
        let rules = app.get(&package_path(&app, id, "/rules")).await;
        assert_eq!(rules.body["result_info"]["total_count"], json!(counted));
    }
}

#[tokio::test]
async fn group_can_be_turned_off_and_on() {
    let app = TestApp::start().await;
    let path = package_path(&app, MANAGED, &format!("/groups/{DRUPAL}"));
    for mode in ["off", "off", "on"] {
        let changed = app.patch(&path, json!({"mode": mode})).await;
        assert_eq!((changed.status, &changed.body["result"]["mode"]), (200, &json!(mode)));
        assert_eq!(app.get(&path).await.body["result"], changed.body["result"]);
    }
}

#[tokio::test]
async fn invalid_group_changes_are_rejected() {
    let app = TestApp::start().await;
    let path = package_path(&app, MANAGED, &format!("/groups/{DRUPAL}"));
    let cases = [
        (json!(1), (10014, "")),
        (json!({}), (10014, "/mode")),
        (json!({"mode": "default"}), (10015, "/mode")),
        (json!({"mode": true}), (10014, "/mode")),
        (json!({"mode": "off", "on": 1}), (10014, "/on")),
    ];
    for (body, error) in cases {
        app.patch(&path, body).await.assert_errors(400, &[error]);
    }
    let unknown = package_path(&app, MANAGED, &format!("/groups/{UNKNOWN_ID}"));
    app.patch(&unknown, json!({"mode": "off"})).await.assert_errors(404, &[(1002, "")]);
    assert_eq!(app.get(&path).await.body["result"]["mode"], json!("on"));
}

#[tokio::test]
async fn group_list_can_be_filtered_and_ordered() {
    let app = TestApp::start().await;
    app.patch(&package_path(&app, MANAGED, &format!("/groups/{DRUPAL}")), json!({"mode": "off"})).await;
    let get = async |query: &str| app.get(&package_path(&app, MANAGED, &format!("/groups?{query}"))).await;
    assert_eq!(get("mode=off").await.pluck("name"), ["Cloudflare Drupal"]);
    assert_eq!(get("name=Cloudflare%20Php").await.pluck("id"), [PHP]);
    assert_eq!(get("mode=off&name=Cloudflare%20Php&match=any").await.pluck("name").len(), 2);
    assert_eq!(get("order=mode&per_page=5").await.pluck("name")[0], json!("Cloudflare Drupal"));
    let counts = get("order=rules_count&direction=desc").await.pluck("rules_count");
    let counts: Vec<u64> = counts.iter().map(|count| count.as_u64().unwrap()).collect();
    assert!(counts.is_sorted_by(|left, right| left >= right), "{counts:?}");
    let second = get("per_page=5&page=2").await;
    assert_eq!(second.pluck("name"), get("").await.pluck("name")[5..10]);
    get("order=name&mode=default").await.assert_errors(400, &[(10015, ""), (10015, "")]);
}
