//! `/zones/{zone_id}/firewall/waf/packages`

use crate::app::TestApp;
use serde_json::json;

/// Published IDs.
pub(crate) const MANAGED: &str = "1e334934fd7ae32ad705667f8c1057aa";
pub(crate) const CORE: &str = "c504870194831cd12c3fc0284f294abb";
const UNKNOWN_ID: &str = "0123456789abcdef0123456789abcdef";

/// The path of a package in the zone of [`TestApp::zone`].
pub(crate) fn package_path(app: &TestApp, id: &str, rest: &str) -> String {
    app.zone(&format!("/firewall/waf/packages/{id}{rest}"))
}

#[tokio::test]
async fn zone_has_three_packages() {
    let app = TestApp::start().await;
    let listed = app.get(&app.zone("/firewall/waf/packages")).await;
    assert_eq!(listed.pluck("name"), ["CloudFlare", "OWASP ModSecurity Core Rule Set", "USER"]);
    assert_eq!(listed.pluck("id")[..2], [MANAGED, CORE]);
    let info = json!({"page": 1, "per_page": 50, "count": 3, "total_count": 3, "total_pages": 1});
    assert_eq!(listed.body["result_info"], info);
    for plan in ["pro", "business"] {
        let listed = app.get(&app.zone_on_plan(plan, "/firewall/waf/packages")).await;
        assert_eq!(listed.pluck("name").len(), 3, "{plan}");
    }
    assert_eq!(app.get(&app.zone_on_plan("free", "/firewall/waf/packages")).await.pluck("name").len(), 0);
}

#[tokio::test]
async fn package_of_either_detection_mode_is_returned() {
    let app = TestApp::start().await;
    let traditional = app.get(&package_path(&app, MANAGED, "")).await;
    traditional.assert_result(json!({
        "id": "[id]", "name": "CloudFlare", "description": traditional.body["result"]["description"],
        "detection_mode": "traditional", "zone_id": "[id]", "status": "active"
    }));
    let anomaly = app.get(&package_path(&app, CORE, "")).await;
    anomaly.assert_result(json!({
        "id": "[id]", "name": "OWASP ModSecurity Core Rule Set", "description": anomaly.body["result"]["description"],
        "detection_mode": "anomaly", "zone_id": "[id]", "status": "active", "sensitivity": "high",
        "action_mode": "challenge"
    }));
    for id in [UNKNOWN_ID, "c53eaee85b3752f05482fdad93a5f921"] {
        app.get(&app.zone_on_plan("free", &format!("/firewall/waf/packages/{id}")))
            .await
            .assert_errors(404, &[(1002, "")]);
    }
    app.get(&package_path(&app, UNKNOWN_ID, "")).await.assert_errors(404, &[(1002, "")]);
    app.get(&package_path(&app, "x", "")).await.assert_errors(404, &[(7003, ""), (7000, "")]);
}

#[tokio::test]
async fn sensitivity_and_action_change_together_or_alone() {
    let app = TestApp::start().await;
    let path = package_path(&app, CORE, "");
    let changed = app.patch(&path, json!({"sensitivity": "low", "action_mode": "simulate"})).await;
    let settings = |response: &crate::app::TestResponse| {
        let result = &response.body["result"];
        (result["sensitivity"].clone(), result["action_mode"].clone())
    };
    assert_eq!((changed.status, settings(&changed)), (200, (json!("low"), json!("simulate"))));
    let changed = app.patch(&path, json!({"sensitivity": "off"})).await;
    assert_eq!(settings(&changed), (json!("off"), json!("simulate")));
    let app = app.restart().await;
    let path = package_path(&app, CORE, "");
    assert_eq!(settings(&app.get(&path).await), (json!("off"), json!("simulate")));
    // Sending back the response changes nothing.
    let mut package_body = app.get(&path).await.body["result"].clone();
    package_body["sensitivity"] = json!("high");
    package_body["action_mode"] = json!("challenge");
    assert_eq!(settings(&app.patch(&path, package_body).await), (json!("high"), json!("challenge")));
    let response = app.get(&app.zone_named("support.example", &format!("/firewall/waf/packages/{CORE}"))).await;
    assert_eq!(settings(&response), (json!("high"), json!("challenge")), "zones do not share settings");
}

#[tokio::test]
async fn invalid_package_changes_are_rejected() {
    let app = TestApp::start().await;
    let rejection = app.patch(&package_path(&app, MANAGED, ""), json!({"sensitivity": "low"})).await;
    rejection.assert_errors(400, &[(1027, "")]);
    assert_eq!(rejection.message(), "Only anomaly WAF packages can have their package attributes updated");
    let path = package_path(&app, CORE, "");
    let cases = [
        (json!([]), vec![(10014, "")]),
        (json!({}), vec![(10014, "")]),
        (json!({"sensitivity": "max"}), vec![(10015, "/sensitivity")]),
        (json!({"action_mode": 3}), vec![(10014, "/action_mode")]),
        (json!({"sensitivity": "low", "mode": "off"}), vec![(10014, "/mode")]),
    ];
    for (body, errors) in cases {
        app.patch(&path, body).await.assert_errors(400, &errors);
    }
    let repeated = app.request(axum::http::Method::PATCH, &path, r#"{"sensitivity": "low", "sensitivity": "off"}"#);
    app.send(repeated).await.assert_errors(400, &[(10014, "/sensitivity")]);
    app.send(app.request(axum::http::Method::PATCH, &path, "{")).await.assert_errors(400, &[(10019, "")]);
    app.put(&path, json!({})).await.assert_errors(405, &[(10405, "")]);
    assert_eq!(app.get(&path).await.body["result"]["sensitivity"], json!("high"));
}

#[tokio::test]
async fn package_list_can_be_filtered_and_ordered() {
    let app = TestApp::start().await;
    let cases = [
        ("name=USER", vec!["USER"]),
        ("name=user", vec![]),
        ("detection_mode=anomaly", vec!["OWASP ModSecurity Core Rule Set"]),
        ("sensitivity=high&name=USER", vec![]),
        ("sensitivity=high&name=USER&match=any", vec!["OWASP ModSecurity Core Rule Set", "USER"]),
        ("order=name&direction=desc", vec!["USER", "OWASP ModSecurity Core Rule Set", "CloudFlare"]),
        ("page=2", vec![]),
        ("match=any", vec!["CloudFlare", "OWASP ModSecurity Core Rule Set", "USER"]),
    ];
    for (query, names) in cases {
        assert_eq!(
            app.get(&app.zone(&format!("/firewall/waf/packages?{query}"))).await.pluck("name"),
            names,
            "{query}"
        );
    }
    for query in ["per_page=4", "per_page=101", "order=id", "direction=up", "match=some", "detection_mode=x"] {
        app.get(&app.zone(&format!("/firewall/waf/packages?{query}"))).await.assert_errors(400, &[(10015, "")]);
    }
}
