//! Errors of a migration: invalid or repeated parameters, invalid rules, and the previous endpoints after its
//! completion.

use crate::app::TestApp;
use crate::migration_client::{ENTRY_POINT, NEVER_COMPLETES, PENDING, VALIDATION, zone};
use axum::http::Method;
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test]
async fn invalid_parameters_are_rejected() {
    let app = TestApp::start().await;
    let zone = zone(&app, "pro.example");
    for rest in ["check", "config"] {
        for value in ["2", "0", "true", "01"] {
            let response = zone.get(&format!("/waf_migration/{rest}?phase_two={value}")).await;
            response.assert_errors(400, &[(10015, "")]);
        }
    }
    let body = json!({"rules": []});
    for query in ["?waf_migration=3", "?waf_migration=complete", "?waf_migration=Pending&phase_two=1"] {
        zone.put(query, &body).await.assert_errors(400, &[(10015, "")]);
    }
    zone.put("?waf_migration=0&phase_two=2", &body).await.assert_errors(400, &[(10015, ""), (10015, "")]);
    assert_eq!(zone.status().await, ["start", "enabled", "disabled"]);
}

#[tokio::test]
async fn repeated_or_misspelled_migration_parameters_are_rejected() {
    let app = TestApp::start_migrating(NEVER_COMPLETES).await;
    let zone = zone(&app, "enterprise.example");
    let body = zone.config().await;
    let cases = [
        ("waf_migration", ""),
        ("waf_migration=", "&phase_two=1"),
        ("waf_migration", "=pending&waf_migration=validation&phase_two=1"),
        ("waf_migration", "=pending&waf_migration=pending&phase_two=1"),
        ("waf_migration", "=pending&waf_migration=&phase_two=1"),
        ("waf_migration", "=&waf_migration=pending&phase_two=1"),
        ("waf_migration", "=3&waf_migration=pending&phase_two=1"),
        ("phase_two", ""),
        ("phase_two", "=&waf_migration=validation"),
        ("phase_two", "=1&waf_migration=pending&phase_two=1"),
        ("phase_two", "=1&phase_two=&waf_migration=pending"),
        ("dry_run", "=&waf_migration=pending&phase_two=1"),
        ("dry_run", "=true&waf_migration=pending&phase_two=1&dry_run=false"),
    ];
    for (first, rest) in cases {
        let response = zone.put(&format!("?{first}{rest}"), &body).await;
        response.assert_errors(400, &[(10015, "")]);
        let name = first.trim_end_matches('=');
        assert!(response.message().contains(&format!("`{name}`")), "{}", response.message());
        assert_eq!(zone.status().await, ["start", "enabled", "disabled"], "{first}{rest}");
        zone.get(ENTRY_POINT).await.assert_errors(404, &[(10003, "")]);
    }
    // One of two values would be ignored otherwise, and a dry run would be applied.
    let misspelled_parameters = [
        ("dryrun", "dry_run", "true"),
        ("dry-run", "dry_run", "true"),
        ("Dry_Run", "dry_run", "true"),
        ("waf_migration[]", "waf_migration", "pending"),
        ("waf_migraton", "waf_migration", "1"),
        ("phase2", "phase_two", "1"),
    ];
    for (written, name, value) in misspelled_parameters {
        let text = format!("unknown parameter `{written}`; did you mean `{name}`?");
        for rest in ["", "&waf_migration=pending&phase_two=1"] {
            let response = zone.put(&format!("?{written}={value}{rest}"), &body).await;
            response.assert_errors(400, &[(10015, "")]);
            assert_eq!(response.message(), text);
        }
    }
    assert_eq!(zone.put("?_=1&page=2&dry_run=true", &body).await.status, 200, "other parameters are ignored");
    assert_eq!(zone.status().await, ["start", "enabled", "disabled"]);
    let response = zone.get("/waf_migration/check?phase_two=2").await;
    assert_eq!(response.message(), "`phase_two` must be `1`");
    for rest in ["check", "config"] {
        for query in ["phase_two", "phase_two=", "phase_two=1&phase_two=1", "phase_two=1&phase_two="] {
            let response = zone.get(&format!("/waf_migration/{rest}?{query}")).await;
            response.assert_errors(400, &[(10015, "")]);
            assert!(response.message().contains("`phase_two`"), "{}", response.message());
        }
    }
}

#[tokio::test]
async fn invalid_rules_do_not_advance_the_migration() {
    let app = TestApp::start_migrating(NEVER_COMPLETES).await;
    let zone = zone(&app, "enterprise.example");
    let mut body = zone.config().await;
    let last = body["rules"].as_array().unwrap().len() - 1;
    body["rules"][last]["action_parameters"]["id"] = json!("0123456789abcdef0123456789abcdef");
    let pointer = format!("/rules/{last}/action_parameters/id");
    for query in [VALIDATION, PENDING, ""] {
        let rejection = zone.put(query, &body).await;
        assert_eq!(
            (rejection.status, rejection.body["errors"][0]["code"].as_u64()),
            (400, Some(20120)),
            "{rejection:?}"
        );
        assert_eq!(rejection.body["errors"][0]["source"]["pointer"], pointer);
        assert_eq!(zone.status().await, ["start", "enabled", "disabled"]);
        zone.get(ENTRY_POINT).await.assert_errors(404, &[(10003, "")]);
    }
}

#[tokio::test]
async fn after_completion_previous_endpoints_are_410_for_every_method() {
    let app = TestApp::start_migrating(Duration::ZERO).await;
    let zone = zone(&app, "pro.example");
    let package = zone.get("/firewall/waf/packages").await.id();
    let any = "0123456789abcdef0123456789abcdef";
    let addresses = [
        "/packages".to_owned(),
        format!("/packages/{package}"),
        "/packages/unknown".to_owned(),
        format!("/packages/{package}/groups"),
        format!("/packages/{package}/groups/{any}"),
        format!("/packages/{package}/rules"),
        format!("/packages/{package}/rules/960032"),
        "/overrides".to_owned(),
        format!("/overrides/{any}"),
        "/overrides/unknown".to_owned(),
    ];
    let path = |rest: &str| app.zone_named("pro.example", &format!("/firewall/waf{rest}"));
    app.delete(&path("/packages")).await.assert_errors(405, &[(10405, "")]);
    zone.put(PENDING, &zone.config().await).await;
    zone.until_complete().await;
    for address in &addresses {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"] {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let response = app.send(app.request(method.clone(), &path(address), "{")).await;
            assert_eq!(
                (response.status, &response.body["errors"][0]["code"]),
                (410, &json!(10410)),
                "{method} {address}"
            );
        }
        assert_eq!(app.send(app.request(Method::HEAD, &path(address), "")).await.status, 410, "HEAD {address}");
    }
    // A client without access to the zone learns nothing, and other zones are not affected.
    let mut stranger = app.request(Method::DELETE, &path("/packages"), "");
    stranger.headers_mut().remove("authorization");
    app.send(stranger).await.assert_errors(405, &[(10405, "")]);
    app.delete(&app.zone("/firewall/waf/packages")).await.assert_errors(405, &[(10405, "")]);
}

/// Migrates a zone of this plan whose `waf` setting is off, with a configuration that executes nothing.
async fn pending_zone_without_managed_rules(app: &TestApp, plan: &str) -> String {
    let off = app.patch(&app.zone_on_plan(plan, "/settings/waf"), json!({"value": "off"})).await;
    assert_eq!(off.status, 200, "{off:?}");
    let entry_point = app.zone_on_plan(plan, "/rulesets/phases/http_request_firewall_managed/entrypoint");
    let step = format!("{entry_point}?waf_migration=pending&phase_two=1");
    let pending = app.put(&step, json!({"rules": []})).await;
    assert_eq!(pending.status, 200, "{pending:?}");
    entry_point
}

#[tokio::test]
async fn changes_that_leave_a_pending_zone_unprotected_are_rejected() {
    let app = TestApp::start_migrating(Duration::from_secs(60)).await;
    let entry_point = pending_zone_without_managed_rules(&app, "pro").await;
    let switch = app.zone_on_plan("pro", "/settings/waf");
    let turn_on = || app.patch(&switch, json!({"value": "on"}));
    turn_on().await.assert_errors(400, &[(10303, "")]);
    let target = json!([{"target": "url", "constraint": {"operator": "matches", "value": "pro.example/a/*"}}]);
    let rule = json!({"targets": target, "actions": [{"id": "waf", "value": "on"}], "status": "active"});
    app.post(&app.zone_on_plan("pro", "/pagerules"), rule).await.assert_errors(400, &[(10303, "")]);
    let switch_state = app.get(&switch).await;
    assert_eq!(switch_state.body["result"]["value"], "off", "nothing was persisted");

    // Overrides and skip rules can disable all rules too.
    let execute = |overrides: Value| {
        json!({"action": "execute", "expression": "true",
            "action_parameters": {"id": "efb7b8c949ac4650a09736fc376e9aee", "overrides": overrides}})
    };
    let skip = json!({"action": "skip", "expression": "true", "action_parameters": {"ruleset": "current"}});
    // An expression that matches no request can as well.
    let mut never = execute(json!({}));
    never["expression"] = json!("not ssl and ssl");
    let off = execute(json!({"enabled": false}));
    for rules in [json!([off]), json!([skip, execute(json!({}))]), json!([never])] {
        assert_eq!(app.put(&entry_point, json!({ "rules": rules })).await.status, 200);
        turn_on().await.assert_errors(400, &[(10303, "")]);
    }
    assert_eq!(app.put(&entry_point, json!({"rules": [execute(json!({}))]})).await.status, 200);
    assert_eq!(turn_on().await.status, 200);
    let rules = json!([execute(json!({"enabled": false}))]);
    app.put(&entry_point, json!({ "rules": rules })).await.assert_errors(400, &[(20120, "/rules")]);
}

#[tokio::test]
async fn bypass_of_all_requests_in_a_pending_zone_cannot_be_removed() {
    let app = TestApp::start_migrating(Duration::from_secs(60)).await;
    let rules = app.zone_on_plan("pro", "/firewall/rules");
    let bypass = json!([{"action": "bypass", "products": ["waf"], "filter": {"expression": "ssl or not ssl"}}]);
    let created_object = app.post(&rules, bypass).await;
    assert_eq!(created_object.status, 200, "{created_object:?}");
    let rule = created_object.body["result"][0].clone();
    let (id, filter) = (rule["id"].as_str().unwrap(), rule["filter"].clone());
    let entry_point = app.zone_on_plan("pro", "/rulesets/phases/http_request_firewall_managed/entrypoint");
    let pending = app.put(&format!("{entry_point}?waf_migration=pending&phase_two=1"), json!({"rules": []})).await;
    assert_eq!(pending.status, 200, "{pending:?}");

    let rule_path = format!("{rules}/{id}");
    app.delete(&rule_path).await.assert_errors(400, &[(10303, "")]);
    let mut paused = rule.clone();
    paused["paused"] = json!(true);
    app.put(&rule_path, paused).await.assert_errors(400, &[(10303, "")]);
    let mut narrow = filter.clone();
    narrow["expression"] = json!("ssl");
    let filter = app.zone_on_plan("pro", &format!("/filters/{}", filter["id"].as_str().unwrap()));
    app.put(&filter, narrow.clone()).await.assert_errors(400, &[(10303, "")]);

    let execute = json!({"action": "execute", "expression": "true",
        "action_parameters": {"id": "efb7b8c949ac4650a09736fc376e9aee"}});
    assert_eq!(app.put(&entry_point, json!({"rules": [execute]})).await.status, 200);
    assert_eq!(app.put(&filter, narrow).await.status, 200);
    assert_eq!(app.delete(&rule_path).await.status, 200);
}

#[tokio::test]
async fn bypass_rules_over_the_skip_limit_do_not_unprotect_a_pending_zone() {
    let app = TestApp::start_migrating(Duration::from_secs(60)).await;
    let rules = app.zone_named("enterprise.example", "/firewall/rules");
    let bypass = |number: usize| {
        let expression = if number == 0 { "ssl or not ssl".to_owned() } else { format!("ip.src eq 192.0.2.{number}") };
        json!({"action": "bypass", "products": ["waf"], "filter": {"expression": expression}})
    };
    let existing = app.get(&format!("{rules}?per_page=100")).await.body["result"].as_array().unwrap().clone();
    let bypasses_waf =
        |rule: &&Value| rule["products"].as_array().is_some_and(|products| products.contains(&json!("waf")));
    let count = existing.iter().filter(bypasses_waf).count();
    // The maximum that can be migrated, one of which matches all requests; with one more, none would become a skip
    // rule.
    let created_object = app.post(&rules, (count..200).map(|number| bypass(number - count)).collect()).await;
    assert_eq!(created_object.status, 200, "{created_object:?}");
    let entry_point = app.zone_named("enterprise.example", "/rulesets/phases/http_request_firewall_managed/entrypoint");
    let step = format!("{entry_point}?waf_migration=pending&phase_two=1");
    let pending = app.put(&step, json!({"rules": []})).await;
    assert_eq!(pending.status, 200, "{pending:?}");
    app.post(&rules, json!([bypass(255)])).await.assert_errors(400, &[(10303, "")]);
    assert_eq!(
        app.get(&format!("{rules}?per_page=5")).await.body["result_info"]["total_count"],
        existing.len() + 200 - count
    );
    // Other rules are not affected.
    let block = json!([{"action": "block", "filter": {"expression": "ip.src eq 192.0.2.255"}}]);
    assert_eq!(app.post(&rules, block).await.status, 200);
    // With a ruleset to execute, their number is not limited.
    let execute = json!({"action": "execute", "expression": "true",
        "action_parameters": {"id": "efb7b8c949ac4650a09736fc376e9aee"}});
    assert_eq!(app.put(&entry_point, json!({"rules": [execute]})).await.status, 200);
    assert_eq!(app.post(&rules, json!([bypass(254)])).await.status, 200);
}

#[tokio::test]
async fn migration_step_is_rejected_on_other_paths() {
    let app = TestApp::start().await;
    let created =
        app.put(&app.zone("/rulesets/phases/http_request_firewall_managed/entrypoint"), json!({"rules": []})).await;
    let ruleset = app.zone(&format!("/rulesets/{}?waf_migration=pending", created.id()));
    let other = app.zone("/rulesets/phases/http_request_firewall_custom/entrypoint?waf_migration=pending");
    for path in [ruleset, other] {
        let rejection = app.put(&path, json!({"rules": []})).await;
        rejection.assert_errors(400, &[(10015, "")]);
        assert!(rejection.message().contains("`waf_migration` has no effect here"), "{rejection:?}");
    }
}
