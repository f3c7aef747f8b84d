//! `/zones/{zone_id}/settings/{setting}`

use crate::app::TestApp;
use serde_json::json;

#[tokio::test]
async fn waf_setting_is_on_by_default_and_can_be_changed() {
    let app = TestApp::start().await;
    let path = app.zone("/settings/waf");
    app.get(&path).await.assert_result(json!({"id": "waf", "value": "on", "editable": true, "modified_on": null}));
    for value in ["off", "on"] {
        let expected = json!({"id": "waf", "value": value, "editable": true, "modified_on": "[time]"});
        app.patch(&path, json!({"value": value})).await.assert_result(expected.clone());
        app.get(&path).await.assert_result(expected);
    }
    app.patch(&path, json!({"value": "off", "id": "waf", "editable": true, "modified_on": null})).await;
    let app = app.restart().await;
    assert_eq!(app.get(&path).await.body["result"]["value"], json!("off"));
}

#[tokio::test]
async fn invalid_setting_values_are_rejected() {
    let app = TestApp::start().await;
    let path = app.zone("/settings/waf");
    for body in [json!({}), json!({"value": true}), json!({"value": "On"}), json!({"value": null})] {
        let rejection = app.patch(&path, body).await;
        rejection.assert_errors(400, &[(1007, "/value")]);
        assert!(rejection.message().starts_with("Invalid value for zone setting waf"), "{}", rejection.message());
    }
    app.patch(&path, json!("on")).await.assert_errors(400, &[(10014, "")]);
    app.patch(&path, json!({"value": "off", "enabled": false})).await.assert_errors(400, &[(10014, "/enabled")]);
    assert_eq!(app.get(&path).await.body["result"]["value"], json!("on"));
}

#[tokio::test]
async fn unknown_setting_is_rejected() {
    let app = TestApp::start().await;
    for name in ["ssl", "WAF", "%00", "wafs"] {
        let path = app.zone(&format!("/settings/{name}"));
        for response in [app.get(&path).await, app.patch(&path, json!({"value": "on"})).await] {
            response.assert_errors(400, &[(1003, "")]);
            assert!(response.message().starts_with("Undefined zone setting: "), "{}", response.message());
        }
    }
    app.get(&app.zone("/settings")).await.assert_errors(404, &[(7003, ""), (7000, "")]);
}

#[tokio::test]
async fn free_plan_cannot_change_the_waf_setting() {
    let app = TestApp::start().await;
    let path = app.zone_on_plan("free", "/settings/waf");
    app.get(&path).await.assert_result(json!({"id": "waf", "value": "off", "editable": false, "modified_on": null}));
    app.patch(&path, json!({"value": "on"})).await.assert_errors(400, &[(1015, "")]);
}
