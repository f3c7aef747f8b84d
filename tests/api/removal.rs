//! Plan changes, and deletion of zones and accounts while the service runs.

use crate::app::TestApp;
use axum::http::Method;
use serde_json::json;
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor};
use std::time::Duration;
use tokio::time::sleep;
use zonewright_expression::schema::Tier;
use zonewright_store::{Admin, LogQuery, NewToken, Permission, check, read_log, verify_audit_log};

/// The administration commands, which run while the service runs.
async fn admin(app: &TestApp) -> Admin {
    Admin::open(app.data_dir.path(), &app.storage()).await.unwrap()
}

async fn assert_consistent(app: &TestApp) {
    assert_eq!(check(app.data_dir.path(), &app.storage()).await, Ok(Vec::new()));
}

/// The number of entries of all audit logs.
async fn entries(app: &TestApp) -> u64 {
    verify_audit_log(app.data_dir.path(), &app.storage(), &[]).await.unwrap().entries
}

#[tokio::test]
async fn downgrade_keeps_objects_over_the_quota() {
    let app = TestApp::start().await;
    let rule =
        |number: u64| json!({"filter": {"expression": format!("cf.edge.server_port eq {number}")}, "action": "block"});
    let rules: Vec<_> = (0..8).map(rule).collect();
    let created = app.post(&app.zone("/firewall/rules"), json!(rules)).await;
    assert_eq!(created.status, 200, "{created:?}");
    let admin = admin(&app).await;
    let zone = admin.zone("blocked.example").await.unwrap();
    admin.set_plan(&zone, Tier::Free).await.unwrap();
    assert!(admin.set_plan(&admin.zone(&zone.id).await.unwrap(), Tier::Free).await.is_err());
    assert_eq!(app.get(&app.zone("")).await.body["result"]["plan"]["legacy_id"], json!("free"));
    assert_eq!(app.total("/firewall/rules").await, 8);
    let rejection = app.post(&app.zone("/firewall/rules"), json!([rule(9)])).await;
    assert_eq!(rejection.status, 400, "{rejection:?}");
    let rule_path = format!("/firewall/rules/{}", created.id());
    assert_eq!(app.delete(&app.zone(&rule_path)).await.status, 200);
    admin.set_plan(&admin.zone(&zone.id).await.unwrap(), Tier::Business).await.unwrap();
    admin.close().await;
    assert_eq!(app.post(&app.zone("/firewall/rules"), json!([rule(10)])).await.status, 200);
    let log =
        read_log(app.data_dir.path(), &app.storage(), LogQuery { limit: 100, ..Default::default() }).await.unwrap();
    assert_eq!(log.iter().filter(|entry| entry.action.kind == "zone.change_plan").count(), 2);
    assert_consistent(&app).await;
}

#[tokio::test]
async fn zone_deletion_deletes_everything_but_its_audit_log() {
    let app = TestApp::start_with_log_push(|config, folder| config.file_root = Some(folder.join("pushed"))).await;
    std::fs::create_dir(app.data_dir.path().join("pushed")).unwrap();
    let destination = format!("file://{}", app.data_dir.path().join("pushed").display());
    let path = |rest: &str| app.zone_named("enterprise.example", rest);
    let job = json!({"dataset": "http_requests", "destination_conf": destination, "enabled": true});
    assert_eq!(app.post(&path("/logpush/jobs"), job).await.status, 200);
    let entry_point = path("/rulesets/phases/http_request_firewall_custom/entrypoint");
    let rules = json!({"rules": [{"action": "block", "expression": "ssl"}]});
    assert_eq!(app.put(&entry_point, rules.clone()).await.status, 200);
    assert_eq!(app.put(&entry_point, rules).await.status, 200);
    assert_eq!(app.post(&path("/filters"), json!([{"expression": "ssl and ssl"}])).await.status, 200);
    let entries = entries(&app).await;

    let admin = admin(&app).await;
    let zone = admin.zone("enterprise.example").await.unwrap();
    assert!(admin.find_empty_account(&app.demo.account_id).await.is_err(), "it has zones");
    admin.delete_zone(&zone).await.unwrap();
    assert!(admin.delete_zone(&zone).await.is_err() && admin.zone("enterprise.example").await.is_err());
    for rest in ["", "/filters", "/firewall/rules", "/logpush/jobs", "/rulesets"] {
        app.get(&path(rest)).await.assert_errors(404, &[(7003, "")]);
    }
    assert_eq!(app.get("/client/v4/zones").await.body["result_info"]["total_count"], json!(5));
    let log = read_log(app.data_dir.path(), &app.storage(), LogQuery { limit: 1, ..Default::default() }).await.unwrap();
    assert_eq!(log[0].action.kind, "zone.delete");
    assert_eq!(self::entries(&app).await, entries + 1, "its audit log stays");
    assert_consistent(&app).await;
    let listed = app.get(&app.account("/audit_logs?per_page=1000")).await.body;
    let count = listed["result"].as_array().unwrap().len();
    assert!(count >= 5, "{listed:#}");
    assert_eq!(listed["result_info"]["total_count"], json!(count));
    let of_zone = app.get(&app.account("/audit_logs?zone.name=enterprise.example")).await.body;
    assert_eq!(of_zone["result_info"]["total_count"], json!(count - 1), "{of_zone:#}");
    for entry in of_zone["result"].as_array().unwrap() {
        let (id, name) = (&entry["metadata"]["zone_id"], &entry["metadata"]["zone_name"]);
        assert_eq!((id, name), (&json!(zone.id), &json!("enterprise.example")), "{entry:#}");
    }

    for zone in admin.zones().await.unwrap() {
        admin.delete_zone(&zone).await.unwrap();
    }
    let account = admin.find_empty_account(&app.demo.account_id).await.unwrap();
    admin.delete_account(&account).await.unwrap();
    assert!(admin.delete_account(&account).await.is_err());
    assert!(admin.accounts().await.unwrap().is_empty() && admin.tokens().await.unwrap().is_empty());
    admin.close().await;
    assert_eq!(app.get("/client/v4/zones").await.status, 403);
    assert_consistent(&app).await;
}

/// Executes a statement and commits while another writer waits for the lock.
async fn commit_during_wait(mut connection: AnyConnection, statement: String) {
    sleep(Duration::from_millis(500)).await;
    connection.execute(AssertSqlSafe(format!("{statement}; commit"))).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn request_blocked_by_zone_deletion_gets_404() {
    let app = TestApp::start().await;
    let admin = admin(&app).await;
    let rule = json!({"filter": {"expression": "ssl"}, "action": "block"});
    let page_rule = json!({"targets": [{"target": "url", "constraint": {"operator": "matches", "value": "gone.example/a"}}],
        "actions": [{"id": "waf", "value": "off"}]});
    let job = json!({"dataset": "http_requests", "destination_conf": "https://logs.example/"});
    let requests = [
        (Method::POST, "/firewall/rules", json!([rule])),
        (Method::POST, "/filters", json!([{"expression": "ssl"}])),
        (Method::PUT, "/rulesets/phases/http_request_firewall_custom/entrypoint", json!({"rules": []})),
        (Method::PATCH, "/settings/waf", json!({"value": "off"})),
        (Method::POST, "/pagerules", page_rule),
        (Method::POST, "/logpush/jobs", job),
    ];
    for (method, rest, body) in requests {
        let zone = admin.create_zone(&app.demo.account_id, "gone.example", Tier::Enterprise).await.unwrap();
        let connection = app.lock_row("zones", &zone).await;
        let request = app.request(method, &format!("/client/v4/zones/{zone}{rest}"), body.to_string());
        let deletion = commit_during_wait(connection, format!("delete from zones where id = '{zone}'"));
        let (response, ()) = tokio::join!(app.send(request), deletion);
        assert_eq!(response.status, 404, "{rest}: {response:?}");
        response.assert_errors(404, &[(7003, "")]);
    }
    let zone = admin.create_zone(&app.demo.account_id, "gone.example", Tier::Enterprise).await.unwrap();
    let deletion = admin.zone(&zone).await.unwrap();
    // A cached zone may be stale.
    admin.set_plan(&deletion, Tier::Business).await.unwrap();
    admin.set_plan(&deletion, Tier::Free).await.unwrap();
    let log = read_log(app.data_dir.path(), &app.storage(), LogQuery { limit: 1, ..Default::default() }).await.unwrap();
    assert_eq!(log[0].old_value_json.as_ref().unwrap()["plan"], json!("business"));
    admin.delete_zone(&deletion).await.unwrap();
    let before = entries(&app).await;
    assert!(admin.set_plan(&deletion, Tier::Pro).await.is_err());
    assert_eq!(entries(&app).await, before, "nothing was changed");
    admin.close().await;
    assert_consistent(&app).await;
}

#[tokio::test]
async fn token_creation_racing_zone_deletion_fails() {
    let app = TestApp::start().await;
    let (admin, account) = (admin(&app).await, &app.demo.account_id);
    let zone = admin.create_zone(account, "gone.example", Tier::Enterprise).await.unwrap();
    let zones = [zone.clone()];
    let new = NewToken {
        name: "late",
        account_id: account,
        permissions: &[Permission::LogsRead],
        zones: &zones,
        expires: None,
    };
    let deletion =
        commit_during_wait(app.lock_row("accounts", account).await, format!("delete from zones where id = '{zone}'"));
    let (result, ()) = tokio::join!(admin.create_token(&new), deletion);
    assert!(result.is_err(), "{:?}", result.map(|(token, _)| token));

    // In the reverse order, a token is created while a zone is about to be deleted.
    let zone = admin.create_zone(account, "gone.example", Tier::Enterprise).await.unwrap();
    let zone_row = admin.zone(&zone).await.unwrap();
    let insertion = format!(
        "insert into tokens (id, account_id, token_digest, everything) values ('late', '{account}', 'x', 0);
         insert into token_grants (token_id, permission, zone_id) values ('late', 'Logs Read', '{zone}')"
    );
    let insertion = commit_during_wait(app.lock_row("accounts", account).await, insertion);
    let (deleted, ()) = tokio::join!(admin.delete_zone(&zone_row), insertion);
    deleted.unwrap();
    assert!(admin.tokens().await.unwrap().iter().all(|token| token.id != "late"));
    admin.close().await;
    assert_consistent(&app).await;
}

#[tokio::test]
async fn admin_on_postgresql_creates_no_data_directory() {
    let app = TestApp::start().await;
    if app.database.is_postgres() {
        let folder = app.data_dir.path().join("none");
        let admin = Admin::open(&folder, &app.storage()).await.unwrap();
        assert_eq!(admin.accounts().await.unwrap().len(), 1);
        admin.close().await;
        assert!(!folder.exists());
    }
}
