//! The audit log: every change of a client adds entries with actor, action, old value, new value, and request ID. No
//! entry contains a secret.

use crate::app::{TestApp, TestResponse};
use crate::logpush_delivery::secrets::{DESTINATIONS, SECRET_MARKER};
use crate::migration_client::{ENTRY_POINT, PENDING, VALIDATION};
use crate::waf_packages::{CORE, MANAGED, package_path};
use axum::http::Method;
use serde_json::{Value, json};
use std::time::Duration;
use zonewright_store::{Admin, NewToken, Permission, back_up, check, verify_audit_log};

/// All entries of the account and its zones, oldest first.
pub(crate) async fn entries(app: &TestApp) -> Vec<Value> {
    let response = app.get(&app.account("/audit_logs?direction=asc&per_page=1000")).await;
    assert_eq!(response.status, 200, "{response:?}");
    response.body["result"].as_array().unwrap().clone()
}

/// Sends a change and asserts that it adds entries with these actions; returns the response.
async fn send_and_assert_audit_actions(
    app: &TestApp,
    method: Method,
    path: &str,
    body: Value,
    actions: &[&str],
) -> TestResponse {
    let before = entries(app).await.len();
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let response = app.send(app.request(method.clone(), path, body)).await;
    assert!([200, 204].contains(&response.status), "{method} {path}: {response:?}");
    let new = entries(app).await.split_off(before);
    let found: Vec<&str> = new.iter().map(|entry| entry["action"]["type"].as_str().unwrap()).collect();
    assert_eq!(found, actions, "{method} {path}");
    for entry in &new {
        assert_eq!(entry["metadata"]["request_id"], response.headers["cf-ray"].to_str().unwrap(), "{entry:#}");
        assert_eq!((&entry["actor"]["type"], &entry["interface"]), (&json!("user"), &json!("API")));
        assert_eq!(entry["owner"]["id"], app.demo.account_id);
        let [before, after] = ["oldValue", "newValue"].map(|name| entry.get(name).is_some());
        let expected = match entry["action"]["type"].as_str().unwrap().rsplit('.').next().unwrap() {
            "create" => (false, true),
            "delete" => (true, false),
            _ => (true, true),
        };
        assert_eq!((before, after), expected, "{entry:#}");
    }
    response
}

use Method as M;

#[tokio::test]
async fn filter_and_rule_changes_are_logged() {
    let app = TestApp::start().await;
    let (filters, rules) = (app.zone("/filters"), app.zone("/firewall/rules"));
    let created =
        send_and_assert_audit_actions(&app, M::POST, &filters, json!([{"expression": "ssl"}]), &["filter.create"])
            .await;
    let id = created.id();
    let object_path = format!("{filters}/{id}");
    let paused = json!({"id": id, "expression": "ssl", "paused": true});
    send_and_assert_audit_actions(&app, M::PUT, &object_path, paused.clone(), &["filter.update"]).await;
    let entry = entries(&app).await.pop().unwrap();
    assert_eq!((&entry["oldValueJson"]["paused"], &entry["newValueJson"]["paused"]), (&json!(false), &json!(true)));
    assert_eq!(entry["resource"], json!({"id": id, "type": "filter"}));
    assert_eq!(entry["metadata"]["zone_name"], "blocked.example");
    send_and_assert_audit_actions(&app, M::PUT, &filters, json!([paused]), &["filter.update"]).await;
    send_and_assert_audit_actions(&app, M::DELETE, &object_path, Value::Null, &["filter.delete"]).await;
    let id =
        send_and_assert_audit_actions(&app, M::POST, &filters, json!([{"expression": "not ssl"}]), &["filter.create"])
            .await
            .id();
    send_and_assert_audit_actions(&app, M::DELETE, &format!("{filters}?id={id}"), Value::Null, &["filter.delete"])
        .await;
    send_and_assert_audit_actions(&app, M::DELETE, &format!("{filters}?id={id}"), Value::Null, &[]).await;

    let both = ["filter.create", "firewall_rule.create"];
    let new = |expression: &str| json!([{"filter": {"expression": expression}, "action": "block"}]);
    let created = send_and_assert_audit_actions(&app, M::POST, &rules, new("ssl"), &both).await;
    let (id, filter) = (created.id(), created.body["result"][0]["filter"].clone());
    let object_path = format!("{rules}/{id}");
    let update = json!({"id": id, "filter": filter, "action": "allow"});
    send_and_assert_audit_actions(&app, M::PUT, &object_path, update.clone(), &["firewall_rule.update"]).await;
    send_and_assert_audit_actions(&app, M::PUT, &rules, json!([update]), &["firewall_rule.update"]).await;
    send_and_assert_audit_actions(&app, M::PATCH, &object_path, json!({"priority": 3}), &["firewall_rule.update"])
        .await;
    send_and_assert_audit_actions(
        &app,
        M::PATCH,
        &rules,
        json!([{"id": id, "priority": 4}]),
        &["firewall_rule.update"],
    )
    .await;
    let deletions = ["firewall_rule.delete", "filter.delete"];
    send_and_assert_audit_actions(&app, M::DELETE, &object_path, json!({"delete_filter_if_unused": true}), &deletions)
        .await;
    let id = send_and_assert_audit_actions(&app, M::POST, &rules, new("ssl"), &both).await.id();
    send_and_assert_audit_actions(&app, M::DELETE, &format!("{rules}?id={id}"), Value::Null, &deletions[..1]).await;
    send_and_assert_audit_actions(&app, M::DELETE, &format!("{rules}?id={id}"), Value::Null, &[]).await;
    send_and_assert_audit_actions(&app, M::POST, "/client/v4/filters/validate-expr", json!({"expression": "ssl"}), &[])
        .await;
}

#[tokio::test]
async fn ruleset_changes_are_logged() {
    let app = TestApp::start().await;
    let rule = json!({"action": "block", "expression": "ssl"});
    for root in [app.zone("/rulesets"), app.account("/rulesets")] {
        let custom = |kind: &str| json!({"name": "x", "kind": kind, "phase": "http_request_firewall_custom", "rules": [rule.clone()]});
        let kind = if root.contains("/zones/") { "zone" } else { "custom" };
        let id = send_and_assert_audit_actions(&app, M::POST, &root, custom(kind), &["ruleset.create"]).await.id();
        let object_path = format!("{root}/{id}");
        send_and_assert_audit_actions(&app, M::PUT, &object_path, json!({"rules": []}), &["ruleset.update"]).await;
        let created = send_and_assert_audit_actions(
            &app,
            M::POST,
            &format!("{object_path}/rules"),
            rule.clone(),
            &["ruleset_rule.create"],
        )
        .await;
        let rule = format!("{object_path}/rules/{}", created.body["result"]["rules"][0]["id"].as_str().unwrap());
        send_and_assert_audit_actions(&app, M::PATCH, &rule, json!({"enabled": false}), &["ruleset_rule.update"]).await;
        send_and_assert_audit_actions(&app, M::DELETE, &rule, Value::Null, &["ruleset_rule.delete"]).await;
        send_and_assert_audit_actions(
            &app,
            M::DELETE,
            &format!("{object_path}/versions/1"),
            Value::Null,
            &["ruleset_version.delete"],
        )
        .await;
        send_and_assert_audit_actions(&app, M::DELETE, &format!("{object_path}?dry_run=true"), Value::Null, &[]).await;
        send_and_assert_audit_actions(&app, M::DELETE, &object_path, Value::Null, &["ruleset.delete"]).await;
        let entry = format!("{root}/phases/http_request_firewall_custom/entrypoint");
        send_and_assert_audit_actions(&app, M::PUT, &entry, json!({"rules": []}), &["ruleset.create"]).await;
        send_and_assert_audit_actions(&app, M::PUT, &entry, json!({"description": "d"}), &["ruleset.update"]).await;
    }
}

#[tokio::test]
async fn small_ruleset_change_writes_a_small_audit_entry() {
    let app = TestApp::start().await;
    let path = app.zone("/rulesets/phases/http_request_firewall_custom/entrypoint");
    let rule = |number: usize| json!({"action": "block", "expression": format!("http.host eq \"{}\"", "a".repeat(2_000)), "ref": format!("{number}")});
    let created = app.put(&path, json!({"rules": (0..50).map(rule).collect::<Vec<_>>()})).await;
    assert_eq!(created.status, 200, "{created:?}");
    send_and_assert_audit_actions(&app, M::PUT, &path, json!({"name": "n1"}), &["ruleset.update"]).await;
    let entry = entries(&app).await.pop().unwrap();
    assert!(entry.to_string().len() < 4_000, "{}", entry.to_string().len());
    let (old, new) = (&entry["oldValueJson"], &entry["newValueJson"]);
    assert_eq!((&old["name"], &new["name"]), (&json!("default"), &json!("n1")));
    assert_eq!((&old["version"], &new["version"]), (&json!("1"), &json!("2")));
    for side in [old, new] {
        assert_eq!((&side["id"], &side["rules"], &side["rules_count"]), (&json!(created.id()), &json!([]), &json!(50)));
    }
    assert_eq!(old["rules_digest"], new["rules_digest"]);
    // One rule is changed, one deleted, one added.
    let mut rules = created.body["result"]["rules"].as_array().unwrap().clone();
    rules[3]["enabled"] = json!(false);
    let removed = rules.remove(7);
    rules.push(rule(50));
    send_and_assert_audit_actions(&app, M::PUT, &path, json!({ "rules": rules }), &["ruleset.update"]).await;
    let entry = entries(&app).await.pop().unwrap();
    assert!(entry.to_string().len() < 20_000, "{}", entry.to_string().len());
    let (old, new) = (&entry["oldValueJson"]["rules"], &entry["newValueJson"]["rules"]);
    assert_eq!((&old[0]["enabled"], &new[0]["enabled"], &old[1]), (&json!(true), &json!(false), &removed));
    assert_eq!((&new[1]["ref"], &new[2]), (&json!("50"), &Value::Null));
    assert_ne!(entry["oldValueJson"]["rules_digest"], entry["newValueJson"]["rules_digest"]);
    let report = verify_audit_log(app.data_dir.path(), &app.storage(), &[]).await.unwrap();
    assert_eq!(report.problems, Vec::<String>::new());
}

#[tokio::test]
async fn page_rule_and_legacy_waf_changes_are_logged() {
    let app = TestApp::start().await;
    let rules = app.zone("/pagerules");
    let new = json!({
        "targets": [{"target": "url", "constraint": {"operator": "matches", "value": "a.example/*"}}],
        "actions": [{"id": "waf", "value": "off"}]
    });
    let id = send_and_assert_audit_actions(&app, M::POST, &rules, new.clone(), &["page_rule.create"]).await.id();
    let object_path = format!("{rules}/{id}");
    send_and_assert_audit_actions(&app, M::PUT, &object_path, new, &["page_rule.update"]).await;
    send_and_assert_audit_actions(&app, M::PATCH, &object_path, json!({"priority": 2}), &["page_rule.update"]).await;
    send_and_assert_audit_actions(&app, M::DELETE, &object_path, Value::Null, &["page_rule.delete"]).await;

    let packages = [
        (package_path(&app, CORE, ""), json!({"sensitivity": "low", "action_mode": "simulate"}), "waf_package.update"),
        (
            package_path(&app, MANAGED, "/groups/c8485e461f935bead889fa0fe87dd76e"),
            json!({"mode": "off"}),
            "waf_group.update",
        ),
        (package_path(&app, MANAGED, "/rules/100531"), json!({"mode": "simulate"}), "waf_rule.update"),
        (app.zone("/settings/waf"), json!({"value": "off"}), "zone_setting.update"),
    ];
    for (path, body, action) in packages {
        send_and_assert_audit_actions(&app, M::PATCH, &path, body.clone(), &[action]).await;
        let entry = entries(&app).await.pop().unwrap();
        for (name, value) in body.as_object().unwrap() {
            assert_eq!(entry["newValueJson"][name], *value, "{entry:#}");
            assert_ne!(entry["oldValueJson"][name], *value, "{entry:#}");
        }
    }
    let overrides = app.zone("/firewall/waf/overrides");
    let new = json!({"urls": ["a.example/*"], "rules": {"100015": "disable"}});
    let created = send_and_assert_audit_actions(&app, M::POST, &overrides, new, &["waf_override.create"]).await;
    let object_path = format!("{overrides}/{}", created.id());
    send_and_assert_audit_actions(&app, M::PUT, &object_path, created.body["result"].clone(), &["waf_override.update"])
        .await;
    send_and_assert_audit_actions(&app, M::DELETE, &object_path, Value::Null, &["waf_override.delete"]).await;
}

#[tokio::test]
async fn migration_steps_are_logged() {
    let app = TestApp::start_migrating(Duration::ZERO).await;
    let zone = crate::migration_client::zone(&app, "enterprise.example");
    let config = zone.config().await;
    let path = |query: &str| app.zone_named("enterprise.example", &format!("{ENTRY_POINT}{query}"));
    let steps = ["migration.update", "ruleset.create"];
    send_and_assert_audit_actions(&app, M::PUT, &path(VALIDATION), config.clone(), &steps).await;
    send_and_assert_audit_actions(&app, M::PUT, &path(&format!("{PENDING}&dry_run=true")), config.clone(), &[]).await;
    assert_eq!(zone.put(PENDING, &config).await.status, 200);
    zone.until_complete().await;
    let entries = entries(&app).await;
    let states: Vec<[&Value; 3]> = entries
        .iter()
        .filter(|entry| entry["action"]["type"] == "migration.update")
        .map(|entry| {
            let state = |name: &str| &entry[name]["migration_state"];
            [state("oldValueJson"), state("newValueJson"), &entry["actor"]["type"]]
        })
        .collect();
    let step = |before, after, actor| [before, after, actor].map(|text: &str| json!(text));
    let expected = [
        step("start", "validation", "user"),
        step("validation", "pending", "user"),
        step("pending", "complete", "system"),
    ];
    assert_eq!(states, expected.each_ref().map(|step| step.each_ref()));
}

#[tokio::test]
async fn log_push_job_changes_are_logged() {
    let app = TestApp::start().await;
    let destination = "s3://logs/a?region=us-west-2&access-key-id=AKID&secret-access-key=hunter2";
    for (jobs, dataset) in [(app.zone("/logpush/jobs"), "http_requests"), (app.account("/logpush/jobs"), "audit_logs")]
    {
        let new = json!({"dataset": dataset, "destination_conf": destination});
        let created = send_and_assert_audit_actions(&app, M::POST, &jobs, new, &["logpush_job.create"]).await;
        let object_path = format!("{jobs}/{}", created.body["result"]["id"]);
        send_and_assert_audit_actions(&app, M::PUT, &object_path, json!({"name": "x"}), &["logpush_job.update"]).await;
        let entry = entries(&app).await.pop().unwrap();
        let redacted = "s3://logs/a?region=us-west-2&access-key-id=***&secret-access-key=***";
        assert_eq!(entry["newValueJson"]["destination_conf"], redacted);
        assert_eq!((&entry["oldValueJson"]["name"], &entry["newValueJson"]["name"]), (&Value::Null, &json!("x")));
        send_and_assert_audit_actions(&app, M::DELETE, &object_path, Value::Null, &["logpush_job.delete"]).await;
        assert_eq!(app.delete(&object_path).await.status, 404);
    }
    // Read requests change nothing.
    let body = json!({ "destination_conf": destination });
    for rest in ["/ownership", "/validate/destination", "/validate/destination/exists"] {
        send_and_assert_audit_actions(&app, M::POST, &app.zone(&format!("/logpush{rest}")), body.clone(), &[]).await;
    }
    app.delete(&app.zone("/logpush/jobs/1")).await;
    let all = entries(&app).await;
    assert_eq!(all.len(), 6, "{all:#?}");
}

#[tokio::test]
async fn rejected_request_writes_no_audit_entry() {
    let app = TestApp::start().await;
    app.create_filter("ssl").await;
    let before = entries(&app).await;
    let rejection = [
        app.post(&app.zone("/filters"), json!([{"expression": "ssl"}])).await,
        app.post(&app.zone("/firewall/rules"), json!([{"filter": {"expression": "nonsense"}, "action": "block"}]))
            .await,
        app.patch(&app.zone("/settings/waf"), json!({"value": "maybe"})).await,
        app.delete(&app.zone("/pagerules/0123456789abcdef0123456789abcdef")).await,
        app.delete(&app.zone("/firewall/waf/overrides/0123456789abcdef0123456789abcdef")).await,
        app.delete(&app.zone("/logpush/jobs/99")).await,
    ];
    assert!(rejection.iter().all(|response| response.status >= 400), "{rejection:?}");
    // A request without an effect writes no entry either.
    for path in [app.zone("/filters"), app.zone("/firewall/rules")] {
        for method in [M::POST, M::PUT, M::PATCH, M::DELETE] {
            let response = app.send(app.request(method.clone(), &path, "[]")).await;
            assert!(response.status < 500, "{method} {path}: {response:?}");
        }
    }
    assert_eq!(entries(&app).await, before);
}

/// Destinations with secrets in other parts than those of the delivery tests.
const EXTRA_DESTINATIONS: [&str; 2] = [
    "https://me:hush1password@nowhere.invalid/in",
    "https://nowhere.invalid/in?token=hush1token&header_X-Token=hush2%20token&header_Authorization=Basic%20hush3",
];

#[tokio::test]
async fn audit_log_contains_no_secret() {
    let app = TestApp::start_with_log_push(|config, folder| config.file_root = Some(folder.join("pushed"))).await;
    std::fs::create_dir(app.data_dir.path().join("pushed")).unwrap();
    let jobs = app.zone("/logpush/jobs");
    let destination = json!({"destination_conf": "file:///team/{DATE}"});
    let ownership = app.post(&app.zone("/logpush/ownership"), destination).await;
    let challenge_file =
        app.data_dir.path().join("pushed").join(ownership.body["result"]["filename"].as_str().unwrap());
    let challenge = std::fs::read_to_string(challenge_file).unwrap();
    let new = json!({
        "dataset": "http_requests", "destination_conf": "file:///team/{DATE}", "ownership_challenge": challenge
    });
    assert_eq!(app.post(&jobs, new).await.status, 200);
    let mut created_jobs = 0;
    // Only destinations that need no receiver.
    let unresolvable = DESTINATIONS.into_iter().filter(|address| !address.contains("{}"));
    for address in unresolvable.chain(EXTRA_DESTINATIONS) {
        let new = json!({"dataset": "http_requests", "destination_conf": address});
        let created = app.post(&jobs, new).await;
        // Some of them are invalid, and a rejected job leaves no audit entry.
        if created.status == 200 {
            created_jobs += 1;
            let object_path = format!("{jobs}/{}", created.body["result"]["id"]);
            assert_eq!(
                app.put(&object_path, json!({ "destination_conf": address, "name": "b" })).await.status,
                200,
                "{address}"
            );
            assert_eq!(app.delete(&object_path).await.status, 200);
        }
    }
    assert!(created_jobs >= 10, "{created_jobs}");
    let admin = Admin::open(app.data_dir.path(), &app.storage()).await.unwrap();
    let account = &app.demo.account_id;
    let permissions = [Permission::LogsRead];
    let new = NewToken { name: "a", account_id: account, permissions: &permissions, zones: &[], expires: None };
    let (token, secret) = admin.create_token(&new).await.unwrap();
    let keys = [
        admin.set_user(account, "me@a.example").await.unwrap(),
        admin.set_user(account, "me@a.example").await.unwrap(),
    ];
    admin.revoke_user("me@a.example").await.unwrap();
    admin.revoke_token(&token.id).await.unwrap();
    let (second_token, second_secret) = admin.create_token(&new).await.unwrap();
    let key = admin.set_user(account, "me@a.example").await.unwrap();
    admin.close().await;
    assert_eq!(second_token.name, "a");

    let file = app.data_dir.path().join("saved.backup");
    back_up(app.data_dir.path(), &app.storage(), &file).await.unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    let table = |name: &str| -> Vec<&str> {
        let head = format!("{{\"table\":\"{name}\"");
        text.lines()
            .skip_while(|line| !line.starts_with(&head))
            .skip(1)
            .take_while(|line| line.starts_with('['))
            .collect()
    };
    // Digests and the signing key, as other tables store them.
    let mut secrets: Vec<String> = ["tokens", "users", "signing_keys"]
        .iter()
        .flat_map(|name| table(name))
        .flat_map(|line| serde_json::from_str::<Vec<Value>>(line).unwrap())
        .filter_map(|value| value.as_str().filter(|text| text.len() >= 64).map(str::to_owned))
        .collect();
    assert!(secrets.len() >= 4, "{secrets:?}");
    secrets.extend(keys);
    secrets.extend([
        secret,
        second_secret,
        key,
        app.demo.token.clone(),
        app.demo.key.clone(),
        challenge,
        SECRET_MARKER.to_owned(),
    ]);
    let log = table("audit_log");
    assert!(log.len() >= 3 * created_jobs + 7, "{}", log.len());
    for line in log {
        // The hashes of the chain are not secrets.
        let mut values = serde_json::from_str::<Vec<Value>>(line).unwrap();
        assert_eq!(values.remove(9).as_str().unwrap().len(), 64);
        let without_hash = json!(values).to_string();
        for secret in &secrets {
            assert!(!without_hash.contains(secret.as_str()), "{secret}: {line}");
        }
    }
    assert_eq!(
        verify_audit_log(app.data_dir.path(), &app.storage(), &[]).await.unwrap().problems,
        Vec::<String>::new()
    );
    assert_eq!(check(app.data_dir.path(), &app.storage()).await, Ok(Vec::new()));
}
