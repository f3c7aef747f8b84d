//! `/zones/{zone_id}/settings/{setting}`

use crate::app::TestApp;
use serde_json::json;

#[tokio::test]
async fn the_switch_is_on_until_it_is_switched_off() {
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
async fn what_is_refused() {
    let app = TestApp::start().await;
    let path = app.zone("/settings/waf");
    for body in [json!({}), json!({"value": true}), json!({"value": "On"}), json!({"value": null})] {
        let refused = app.patch(&path, body).await;
        refused.assert_errors(400, &[(1007, "/value")]);
        assert!(refused.message().starts_with("Invalid value for zone setting waf"), "{}", refused.message());
    }
    app.patch(&path, json!("on")).await.assert_errors(400, &[(10014, "")]);
    app.patch(&path, json!({"value": "off", "enabled": false})).await.assert_errors(400, &[(10014, "/enabled")]);
    assert_eq!(app.get(&path).await.body["result"]["value"], json!("on"));
}

#[tokio::test]
async fn other_settings_are_not_there() {
    let app = TestApp::start().await;
    for name in ["ssl", "WAF", "%00", "wafs"] {
        let path = app.zone(&format!("/settings/{name}"));
        for answer in [app.get(&path).await, app.patch(&path, json!({"value": "on"})).await] {
            answer.assert_errors(400, &[(1003, "")]);
            assert!(answer.message().starts_with("Undefined zone setting: "), "{}", answer.message());
        }
    }
    app.get(&app.zone("/settings")).await.assert_errors(404, &[(7003, ""), (7000, "")]);
}

#[tokio::test]
async fn on_the_free_plan_there_is_nothing_to_switch() {
    let app = TestApp::start().await;
    let path = app.zone_of("free", "/settings/waf");
    app.get(&path).await.assert_result(json!({"id": "waf", "value": "off", "editable": false, "modified_on": null}));
    app.patch(&path, json!({"value": "on"})).await.assert_errors(400, &[(1015, "")]);
}
