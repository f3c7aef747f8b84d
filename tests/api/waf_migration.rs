//! `/zones/{zone_id}/waf_migration/{check,config,status}`, and the effect of an update of the entry point on a
//! migration: the rows of the table of §3, and its numbered rules.

use crate::app::TestApp;
use crate::migration_client::{ENTRY_POINT, NEVER_COMPLETES, PENDING, VALIDATION, zone};
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn check_reports_whether_a_zone_can_migrate() {
    let app = TestApp::start().await;
    // Zone, eligibility in phase one and two, codes of the messages in phase two.
    let cases = [
        ("enterprise.example", false, true, vec![]),
        ("business.example", false, true, vec![]),
        ("pro.example", false, true, vec![]),
        ("free.example", false, false, vec![(10301, "/plan")]),
        ("blocked.example", false, false, vec![(10301, "/overrides/0"), (10301, "/overrides/1")]),
        ("support.example", false, true, vec![(10302, "/firewall_rules/0")]),
    ];
    for (name, phase_one, phase_two, messages) in cases {
        let zone = zone(&app, name);
        let first = zone.get("/waf_migration/check").await;
        assert_eq!(first.body["result"], json!({"compatible": phase_one, "migration_state": "start"}), "{name}");
        let second = zone.get("/waf_migration/check?phase_two=1").await;
        assert_eq!((second.status, &second.body["errors"]), (200, &json!([])), "{name}");
        assert_eq!(second.body["result"], json!({"compatible": phase_two, "migration_state": "start"}), "{name}");
        let found = second.body["messages"].as_array().unwrap().iter();
        let found: Vec<_> = found
            .map(|message| (message["code"].as_u64().unwrap(), message["source"]["pointer"].as_str().unwrap()))
            .collect();
        assert_eq!(found, messages, "{name}");
    }
}

#[tokio::test]
async fn config_returns_the_planned_entry_point_with_its_etag() {
    let app = TestApp::start().await;
    let zone = zone(&app, "pro.example");
    let first = zone.get("/waf_migration/config?phase_two=1").await;
    let tag = first.headers["etag"].to_str().unwrap().to_owned();
    let parts: Vec<&str> = tag.trim_matches('"').split('-').collect();
    assert_eq!((parts[0].len(), &parts[1..]), (64, &["start", "none"][..]), "{tag}");
    let result = &first.body["result"];
    assert_eq!(result["name"], "default");
    let actions: Vec<_> = result["rules"].as_array().unwrap().iter().map(|rule| rule["action"].clone()).collect();
    assert_eq!(actions, ["skip", "skip", "execute", "execute"]);
    for rule in result["rules"].as_array().unwrap() {
        assert_eq!((&rule["id"], &rule["version"], &rule["ref"]), (&json!(""), &json!(""), &json!("")));
    }
    assert_eq!(zone.get("/waf_migration/config?phase_two=1").await.headers["etag"], tag);
    app.patch(&app.zone_named("pro.example", "/settings/waf"), json!({"value": "off"})).await;
    assert_ne!(zone.get("/waf_migration/config?phase_two=1").await.headers["etag"], tag);
}

#[tokio::test]
async fn config_of_an_ineligible_zone_is_rejected() {
    let app = TestApp::start().await;
    let blocked = zone(&app, "blocked.example").get("/waf_migration/config?phase_two=1").await;
    blocked.assert_errors(400, &[(10301, "/overrides/0"), (10301, "/overrides/1")]);
    let support = zone(&app, "support.example").get("/waf_migration/config?phase_two=1").await;
    support.assert_errors(400, &[(10302, "/firewall_rules/0")]);
    assert!(support.message().contains("201"), "{}", support.message());
    let free = zone(&app, "free.example").get("/waf_migration/config?phase_two=1").await;
    free.assert_errors(400, &[(10301, "/plan")]);
}

#[tokio::test]
async fn table_start_to_validation_runs_both_generations_of_rules() {
    let app = TestApp::start_migrating(Duration::ZERO).await;
    for (name, query) in [("enterprise.example", VALIDATION), ("blocked.example", "?waf_migration=2&phase_two=1")] {
        let zone = zone(&app, name);
        for id in app.get(&app.zone_named(name, "/firewall/waf/overrides")).await.pluck("id") {
            app.delete(&app.zone_named(name, &format!("/firewall/waf/overrides/{}", id.as_str().unwrap()))).await;
        }
        assert_eq!(zone.status().await, ["start", "enabled", "disabled"]);
        let config = zone.config().await;
        let saved = zone.put(query, &config).await;
        assert_eq!(saved.status, 200, "{saved:?}");
        assert_eq!(zone.status().await, ["validation", "enabled", "enabled"]);
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(zone.status().await, ["validation", "enabled", "enabled"], "validation ends only on request");
        assert_eq!(zone.get("/firewall/waf/packages").await.status, 200);
        // The body of the validation update may omit ID, version and reference.
        let mut adjusted = config.clone();
        adjusted["rules"].as_array_mut().unwrap().truncate(2);
        for rule in adjusted["rules"].as_array_mut().unwrap() {
            for member in ["id", "version", "ref"] {
                rule.as_object_mut().unwrap().remove(member);
            }
        }
        assert_eq!(zone.put(query, &adjusted).await.body["result"]["version"], "2", "validation can be adjusted");
        assert_eq!(zone.status().await[0], "validation");
    }
}

#[tokio::test]
async fn table_start_to_pending_completes_and_disables_the_previous_rules() {
    let app = TestApp::start_migrating(Duration::from_millis(600)).await;
    let cases = [
        ("enterprise.example", PENDING),
        ("business.example", "?waf_migration=1&phase_two=1"),
        ("pro.example", PENDING),
    ];
    for (name, query) in cases {
        let zone = zone(&app, name);
        let saved = zone.put(query, &zone.config().await).await;
        assert_eq!(saved.status, 200, "{saved:?}");
        assert_eq!(zone.status().await, ["pending", "enabled", "enabled"], "{name}");
        assert_eq!(zone.get("/firewall/waf/packages").await.status, 200, "{name}");
        zone.until_complete().await;
        assert_eq!(zone.status().await, ["complete", "disabled", "enabled"], "{name}");
        for family in ["packages", "overrides"] {
            zone.get(&format!("/firewall/waf/{family}")).await.assert_errors(410, &[(10410, "")]);
        }
        let entry_point = zone.get(ENTRY_POINT).await;
        assert_eq!(entry_point.body["result"], saved.body["result"], "{name}");
        let check = zone.get("/waf_migration/check?phase_two=1").await;
        assert_eq!(check.body["result"], json!({"compatible": true, "migration_state": "complete"}));
    }
}

#[tokio::test]
async fn table_validation_to_pending_accepts_an_adjusted_configuration() {
    let app = TestApp::start_migrating(Duration::ZERO).await;
    let zone = zone(&app, "enterprise.example");
    let created = zone.put(VALIDATION, &zone.config().await).await;
    let began = zone.get("/waf_migration/status").await.body["result"]["created"].clone();
    let mut adjusted = created.body["result"].clone();
    adjusted["rules"][0]["enabled"] = json!(false);
    let saved = zone.put(PENDING, &adjusted).await;
    assert_eq!(saved.status, 200, "{saved:?}");
    assert_eq!(saved.body["result"]["rules"][0]["version"], "2");
    assert_eq!(saved.body["result"]["rules"][1], created.body["result"]["rules"][1]);
    zone.until_complete().await;
    assert_eq!(zone.status().await, ["complete", "disabled", "enabled"]);
    let status = zone.get("/waf_migration/status").await.body["result"].clone();
    assert_eq!((&status["created"], &status["source"]), (&began, &json!("zone")));
}

#[tokio::test]
async fn table_pending_requires_new_rules_where_previous_rules_are_active() {
    let app = TestApp::start().await;
    let zone = zone(&app, "pro.example");
    let disabled = json!({"action": "execute", "expression": "true", "enabled": false,
        "action_parameters": {"id": "efb7b8c949ac4650a09736fc376e9aee"}});
    for rules in [json!([]), json!([disabled])] {
        let body = json!({"name": "default", "rules": rules});
        zone.put(PENDING, &body).await.assert_errors(400, &[(20120, "/rules")]);
        assert_eq!(zone.status().await, ["start", "enabled", "disabled"]);
    }
    // A zone without active rules loses no protection.
    app.patch(&app.zone_named("pro.example", "/settings/waf"), json!({"value": "off"})).await;
    assert_eq!(zone.put(PENDING, &json!({"name": "default", "rules": []})).await.status, 200);
}

#[tokio::test]
async fn table_validation_and_pending_never_leave_a_zone_unprotected() {
    let app = TestApp::start_migrating(NEVER_COMPLETES).await;
    let zone = zone(&app, "enterprise.example");
    let config = zone.config().await;
    let none = json!({"name": "default", "rules": []});
    assert_eq!(zone.put(VALIDATION, &none).await.status, 200, "the previous rules stay active");
    assert_eq!(zone.status().await, ["validation", "enabled", "disabled"]);
    zone.put(PENDING, &none).await.assert_errors(400, &[(20120, "/rules")]);
    assert_eq!(zone.status().await[0], "validation");
    assert_eq!(zone.put(PENDING, &config).await.status, 200);
    // The previous rules are being disabled, so their replacement must stay.
    for query in [PENDING, "", "?waf_migration=pending&phase_two=1&dry_run=true"] {
        zone.put(query, &none).await.assert_errors(400, &[(20120, "/rules")]);
        assert_eq!(zone.status().await, ["pending", "enabled", "enabled"]);
    }
    assert_eq!(zone.get(ENTRY_POINT).await.body["result"]["version"], "2");
}

#[tokio::test]
async fn table_completed_is_irreversible() {
    let app = TestApp::start_migrating(Duration::ZERO).await;
    let zone = zone(&app, "enterprise.example");
    let config = zone.config().await;
    assert_eq!(zone.put(PENDING, &config).await.status, 200);
    zone.until_complete().await;
    zone.put(VALIDATION, &config).await.assert_errors(400, &[(10303, "")]);
    for query in ["", PENDING, "?waf_migration=pending"] {
        assert_eq!(zone.put(query, &config).await.status, 200, "{query}: a regular update");
        assert_eq!(zone.status().await, ["complete", "disabled", "enabled"]);
    }
    assert_eq!(zone.get("/waf_migration/config?phase_two=1").await.body["result"], config);
}

#[tokio::test]
async fn spec_1_migration_starts_only_on_request() {
    let app = TestApp::start_migrating(Duration::ZERO).await;
    let zone = zone(&app, "enterprise.example");
    for rest in ["check?phase_two=1", "config?phase_two=1", "status"] {
        zone.get(&format!("/waf_migration/{rest}")).await;
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    zone.get("/waf_migration/status").await.assert_result(json!({
        "old_waf_status": "enabled", "new_waf_status": "disabled", "migration_state": "start", "created": "",
        "source": "defaults"
    }));
    zone.get(ENTRY_POINT).await.assert_errors(404, &[(10003, "")]);
}

#[tokio::test]
async fn spec_2_url_overrides_must_be_deleted_first() {
    let app = TestApp::start_migrating(NEVER_COMPLETES).await;
    let zone = zone(&app, "blocked.example");
    let body = json!({"name": "default", "rules": []});
    for query in [PENDING, VALIDATION] {
        zone.put(query, &body).await.assert_errors(400, &[(10301, "/overrides/0"), (10301, "/overrides/1")]);
        assert_eq!(zone.status().await[0], "start");
        zone.get(ENTRY_POINT).await.assert_errors(404, &[(10003, "")]);
    }
    for id in zone.get("/firewall/waf/overrides").await.pluck("id") {
        let path = app.zone_named("blocked.example", &format!("/firewall/waf/overrides/{}", id.as_str().unwrap()));
        assert_eq!(app.delete(&path).await.status, 200);
    }
    assert_eq!(zone.get("/waf_migration/check?phase_two=1").await.body["result"]["compatible"], true);
    assert_eq!(zone.put(VALIDATION, &zone.config().await).await.status, 200);
    // A new override blocks the next step.
    let path = app.zone_named("blocked.example", "/firewall/waf/overrides");
    assert_eq!(app.post(&path, json!({"urls": ["a/*"], "rules": {"100015": "disable"}})).await.status, 200);
    zone.put(PENDING, &body).await.assert_errors(400, &[(10301, "/overrides/0")]);
    assert_eq!(zone.status().await[0], "validation");
}

#[tokio::test]
async fn spec_3_without_phase_two_the_conditions_of_phase_one_apply() {
    let app = TestApp::start_migrating(NEVER_COMPLETES).await;
    let zone = zone(&app, "business.example");
    let execute = json!({"action": "execute", "expression": "true",
        "action_parameters": {"id": "efb7b8c949ac4650a09736fc376e9aee"}});
    let body = json!({"rules": [execute]});
    let rejection = zone.put("?waf_migration=pending", &body).await;
    rejection.assert_errors(400, &[(10301, "/packages/1/sensitivity")]);
    let packages = zone.get("/firewall/waf/packages").await;
    let core = packages.body["result"][1]["id"].as_str().unwrap();
    let path = app.zone_named("business.example", &format!("/firewall/waf/packages/{core}"));
    app.patch(&path, json!({"sensitivity": "off"})).await;
    assert_eq!(zone.get("/waf_migration/check").await.body["result"]["compatible"], true);
    assert_eq!(zone.put("?waf_migration=pending", &body).await.status, 200);
    assert_eq!(zone.status().await[0], "pending");
}

#[tokio::test]
async fn spec_4_validation_requires_enterprise() {
    let app = TestApp::start_migrating(NEVER_COMPLETES).await;
    for name in ["pro.example", "business.example"] {
        let zone = zone(&app, name);
        let rejection = zone.put(VALIDATION, &zone.config().await).await;
        rejection.assert_errors(400, &[(10303, "")]);
        assert!(rejection.message().contains("Enterprise"), "{}", rejection.message());
        assert_eq!(zone.status().await, ["start", "enabled", "disabled"]);
    }
    let free = zone(&app, "free.example");
    for query in [PENDING, VALIDATION] {
        free.put(query, &json!({"rules": []})).await.assert_errors(400, &[(10303, "")]);
    }
    assert_eq!(free.status().await, ["start", "disabled", "disabled"]);
}

#[tokio::test]
async fn spec_5_migrated_zone_has_no_waf_setting() {
    let app = TestApp::start_migrating(Duration::ZERO).await;
    let zone = zone(&app, "pro.example");
    assert_eq!(zone.get("/settings/waf").await.body["result"]["editable"], json!(true));
    zone.put(PENDING, &zone.config().await).await;
    zone.until_complete().await;
    for value in ["off", "on"] {
        let rejection = app.patch(&app.zone_named("pro.example", "/settings/waf"), json!({ "value": value })).await;
        rejection.assert_errors(400, &[(1015, "")]);
        assert!(rejection.message().contains("no global switch"), "{}", rejection.message());
        assert_eq!(zone.status().await, ["complete", "disabled", "enabled"]);
    }
    let setting = zone.get("/settings/waf").await.body["result"].clone();
    assert_eq!((&setting["value"], &setting["editable"]), (&json!("on"), &json!(false)));
    // Each ruleset is deployed separately.
    let mut body = zone.get(ENTRY_POINT).await.body["result"].clone();
    for rule in body["rules"].as_array_mut().unwrap() {
        rule["enabled"] = json!(false);
    }
    assert_eq!(zone.put("", &body).await.status, 200);
    assert_eq!(zone.status().await, ["complete", "disabled", "disabled"]);
}

#[tokio::test]
async fn limits_zone_that_needs_support_is_not_migrated() {
    let app = TestApp::start_migrating(NEVER_COMPLETES).await;
    let zone = zone(&app, "support.example");
    for query in [PENDING, VALIDATION] {
        zone.put(query, &json!({"rules": []})).await.assert_errors(400, &[(10302, "/firewall_rules/0")]);
    }
    assert_eq!(zone.status().await[0], "start");
    let id = zone.get("/firewall/rules?per_page=5").await.id();
    app.delete(&app.zone_named("support.example", &format!("/firewall/rules/{id}"))).await;
    let config = zone.config().await;
    assert_eq!(config["rules"].as_array().unwrap().len(), 202);
    assert_eq!(zone.put(PENDING, &config).await.status, 200);
}

#[tokio::test]
async fn without_waf_migration_only_enterprise_saves_enabled_rules() {
    let app = TestApp::start_migrating(NEVER_COMPLETES).await;
    for name in ["pro.example", "business.example", "enterprise.example"] {
        let zone = zone(&app, name);
        let mut body = json!({"rules": [
            {"action": "skip", "expression": "ssl", "action_parameters": {"ruleset": "current"}, "enabled": false},
            {"action": "execute", "expression": "true", "action_parameters": {"id": "efb7b8c949ac4650a09736fc376e9aee"}}
        ]});
        let response = zone.put("", &body).await;
        if name == "enterprise.example" {
            assert_eq!(
                (response.status, zone.status().await),
                (200, ["start", "enabled", "enabled"].map(str::to_owned))
            );
            continue;
        }
        response.assert_errors(400, &[(10304, "/rules/1/enabled")]);
        zone.get(ENTRY_POINT).await.assert_errors(404, &[(10003, "")]);
        body["rules"][1]["enabled"] = json!(false);
        assert_eq!(zone.put("?phase_two=1", &body).await.status, 200);
        assert_eq!(zone.status().await, ["start", "enabled", "disabled"]);
        body["rules"][1]["enabled"] = json!(true);
        assert_eq!(zone.put(PENDING, &body).await.status, 200);
        assert_eq!(zone.put("", &body).await.status, 200, "a regular update while the migration is pending");
    }
}
