//! The migration rules of the entry point for managed rules apply to every way of changing it.

use crate::app::TestApp;
use crate::migration_client::{ENTRY_POINT, NEVER_COMPLETES, PENDING, VALIDATION, zone};
use serde_json::{Value, json};

const MANAGED: &str = "efb7b8c949ac4650a09736fc376e9aee";

fn execute(enabled: bool) -> Value {
    json!({"action": "execute", "expression": "true", "enabled": enabled, "action_parameters": {"id": MANAGED}})
}

#[tokio::test]
async fn before_a_migration_only_disabled_rules_are_accepted() {
    let app = TestApp::start_migrating(NEVER_COMPLETES).await;
    for name in ["pro.example", "business.example"] {
        let rulesets = app.zone_named(name, "/rulesets");
        let new = |enabled: bool| json!({"name": "x", "kind": "zone", "phase": "http_request_firewall_managed", "rules": [execute(enabled)]});
        app.post(&rulesets, new(true)).await.assert_errors(400, &[(10304, "/rules/0/enabled")]);
        let created = app.post(&rulesets, new(false)).await;
        assert_eq!(created.status, 200, "{created:?}");
        let (path, rule) = (format!("{rulesets}/{}", created.id()), created.body["result"]["rules"][0]["id"].clone());
        let rule = format!("{path}/rules/{}", rule.as_str().unwrap());
        app.put(&path, json!({"rules": [execute(false), execute(true)]}))
            .await
            .assert_errors(400, &[(10304, "/rules/1/enabled")]);
        app.post(&format!("{path}/rules"), execute(true)).await.assert_errors(400, &[(10304, "/enabled")]);
        app.patch(&rule, json!({"enabled": true})).await.assert_errors(400, &[(10304, "/enabled")]);
        app.patch(&rule, execute(true)).await.assert_errors(400, &[(10304, "/enabled")]);
        // A rule without `enabled` is enabled.
        let bare = json!({"action": "execute", "expression": "true", "action_parameters": {"id": MANAGED}});
        app.patch(&rule, bare).await.assert_errors(400, &[(10304, "/enabled")]);
        assert_eq!(app.get(&path).await.body["result"], created.body["result"]);
        assert_eq!(app.post(&format!("{path}/rules"), execute(false)).await.status, 200);
        assert_eq!(app.patch(&rule, json!({"position": {"after": ""}})).await.status, 200);
        assert_eq!(app.delete(&rule).await.status, 200);
        assert_eq!(app.delete(&path).await.status, 204);
        assert_eq!(zone(&app, name).status().await, ["start", "enabled", "disabled"]);
    }
}

#[tokio::test]
async fn enterprise_zone_saves_rules_without_starting_a_migration() {
    let app = TestApp::start_migrating(NEVER_COMPLETES).await;
    let zone = zone(&app, "enterprise.example");
    let created = zone.put("", &json!({"rules": [execute(true)]})).await;
    let path = app.zone_named("enterprise.example", &format!("/rulesets/{}", created.id()));
    assert_eq!(app.post(&format!("{path}/rules"), execute(true)).await.status, 200);
    assert_eq!(zone.status().await, ["start", "enabled", "enabled"]);
    // Only the path of the entry point accepts migration steps.
    let step = app.put(&format!("{path}{PENDING}"), json!({"rules": [execute(true)]})).await;
    step.assert_errors(400, &[(10015, "")]);
    assert_eq!(zone.status().await[0], "start");
    assert_eq!(zone.put(VALIDATION, &zone.config().await).await.status, 200);
    assert_eq!(zone.status().await, ["validation", "enabled", "enabled"]);
}

#[tokio::test]
async fn other_phases_do_not_affect_the_migration() {
    let app = TestApp::start_migrating(NEVER_COMPLETES).await;
    let rules = json!({"rules": [{"action": "block", "expression": "ssl"}]});
    let path = app.zone_named("pro.example", "/rulesets/phases/http_request_firewall_custom/entrypoint");
    assert_eq!(app.put(&format!("{path}{PENDING}"), rules.clone()).await.status, 400);
    assert_eq!(app.put(&path, rules).await.status, 200);
    assert_eq!(zone(&app, "pro.example").status().await, ["start", "enabled", "disabled"]);
    let account = app.account(ENTRY_POINT);
    assert_eq!(app.put(&account, json!({"rules": [execute(true)]})).await.status, 200);
    assert_eq!(zone(&app, "pro.example").status().await, ["start", "enabled", "disabled"]);
}

#[tokio::test]
async fn etag_of_the_configuration_is_checked_at_the_entry_point() {
    let app = TestApp::start_migrating(NEVER_COMPLETES).await;
    let zone = zone(&app, "enterprise.example");
    let created = zone.put("", &json!({"rules": [execute(true)]})).await;
    let path = app.zone_named("enterprise.example", &format!("/rulesets/{}", created.id()));
    let tag = created.headers["etag"].clone();
    assert_eq!(app.get(&path).await.headers["etag"], tag);
    assert_eq!(app.put(&path, json!({"description": "x"})).await.status, 200);
    zone.put_if_match(tag.to_str().unwrap(), "", &json!({"rules": []})).await.assert_errors(412, &[(10412, "")]);
}
