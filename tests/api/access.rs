//! Permissions of tokens: permission groups, zones and expiry. Revocation takes effect immediately.

use crate::app::{TestApp, TestResponse};
use crate::contract::operations;
use crate::openapi::{EXAMPLE_ACCOUNT, EXAMPLE_ZONE, address};
use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::json;
use std::collections::BTreeMap;
use zonewright_store::{Admin, NewToken, Permission};

async fn admin(app: &TestApp) -> Admin {
    Admin::open(app.data_dir.path(), &app.storage()).await.unwrap()
}

/// Creates a token of the demo account and returns its ID and secret.
async fn create_token(app: &TestApp, permissions: &[Permission], zones: &[String]) -> (String, String) {
    let admin = admin(app).await;
    let new = NewToken { name: "test", account_id: &app.demo.account_id, permissions, zones, expires: None };
    let (created_token, secret) = admin.create_token(&new).await.unwrap();
    admin.close().await;
    (created_token.id, secret)
}

async fn send(app: &TestApp, token: &str, method: &str, path: &str, body: &str) -> TestResponse {
    let method: Method = method.parse().unwrap();
    let request = Request::builder().method(method).uri(path).header("host", "localhost");
    let request = request.header("authorization", format!("Bearer {token}"));
    app.send(request.body(Body::from(body.to_owned())).unwrap()).await
}

fn zone_id<'a>(app: &'a TestApp, name: &str) -> &'a String {
    &app.demo.zones.iter().find(|zone| zone.name == name).unwrap().id
}

const ID: &str = "00000000000000000000000000000000";

/// The prefix of each group of routes, without the ID of the zone or account; its permission groups, without `Read` and
/// `Write`; and the error code.
const ROUTE_PERMISSIONS: [(&str, &[&str], u64); 13] = [
    ("zones/filters", &["Firewall Services"], 10000),
    ("zones/firewall/", &["Firewall Services"], 10000),
    ("zones/rulesets", &["Zone WAF"], 10000),
    ("accounts/rulesets", &["Account WAF", "Account Rulesets"], 10000),
    ("accounts/audit_logs", &["Account Settings"], 9109),
    // Every token may verify itself.
    ("accounts/tokens/verify", &[], 1000),
    ("zones/waf_migration/", &["Zone WAF", "Firewall Services"], 10000),
    ("zones/logpush/", &["Logs"], 10000),
    ("accounts/logpush/", &["Logs"], 10000),
    ("zones/pagerules", &["Page Rules"], 9109),
    ("zones/settings/", &["Zone Settings"], 9109),
    ("zones", &[], 9109),
    ("accounts", &["Account Settings"], 9109),
];

/// A token with all permission groups except `groups`, and a token with read access to the last of `groups`.
async fn tokens(app: &TestApp, groups: &[&str]) -> (String, String) {
    let is_other = |permission: &Permission| !groups.contains(&permission.name().rsplit_once(' ').unwrap().0);
    let others: Vec<Permission> = Permission::ALL.into_iter().filter(is_other).collect();
    let reads = Permission::from_name(&format!("{} Read", groups.last().unwrap())).unwrap();
    let (_, none) = create_token(app, &others, &[]).await;
    let (_, reader) = create_token(app, &[reads], &[]).await;
    (none, reader)
}

#[tokio::test]
async fn every_route_without_its_permission_is_rejected() {
    let app = TestApp::start().await;
    let mut known = BTreeMap::new();
    let mut tried = 0;
    for operation in operations() {
        let segments: Vec<&str> = operation.path.split('/').skip(1).collect();
        let rest = match segments.as_slice() {
            [owner, _, rest @ ..] if operation.path.contains("_id}") => [&[*owner][..], rest].concat().join("/"),
            _ => continue,
        };
        let found = ROUTE_PERMISSIONS.iter().find(|(start, ..)| rest.starts_with(start));
        let (_, groups, code) = found.unwrap_or_else(|| panic!("{rest} belongs to no route group"));
        // Any permission for a zone grants access to the zone itself, and the token itself needs none.
        if groups.is_empty() {
            continue;
        }
        let reads = operation.method == "get";
        let kinds = if reads { &["Read", "Write"][..] } else { &["Write"] };
        let names = groups.iter().flat_map(|group| kinds.iter().map(move |kind| format!("{group} {kind}")));
        let names: Vec<String> = names.filter(|name| Permission::from_name(name).is_some()).collect();
        let named = operation.definition["security"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|requirement| requirement.get("token"));
        assert_eq!(
            named.map(|names| names[0].as_str().unwrap()).collect::<Vec<_>>(),
            names,
            "{} {}",
            operation.method,
            operation.path
        );
        if !known.contains_key(groups) {
            known.insert(*groups, tokens(&app, groups).await);
        }
        let (none, reader) = &known[groups];
        let path = address(operation)
            .replace(EXAMPLE_ZONE, zone_id(&app, "blocked.example"))
            .replace(EXAMPLE_ACCOUNT, &app.demo.account_id);
        let method = operation.method.to_uppercase();
        send(&app, none, &method, &path, "").await.assert_errors(403, &[(*code, "")]);
        let response = send(&app, reader, &method, &path, "").await;
        let is_rejected = response.status == 403 && response.body["errors"][0]["code"] == *code;
        assert_eq!(is_rejected, !reads, "{method} {path}: {response:?}");
        tried += 1;
    }
    assert!(tried > 100, "{tried}");
}

#[tokio::test]
async fn write_permission_includes_read() {
    let app = TestApp::start().await;
    let (_, writer) = create_token(&app, &[Permission::FirewallServicesWrite], &[]).await;
    let created = send(&app, &writer, "POST", &app.zone("/filters"), r#"[{"expression": "ssl"}]"#).await;
    assert_eq!(created.status, 200, "{created:?}");
    assert_eq!(send(&app, &writer, "GET", &app.zone("/filters"), "").await.status, 200);
}

#[tokio::test]
async fn token_for_one_zone_sees_no_other_zone() {
    let app = TestApp::start().await;
    let [first, second] = ["enterprise.example", "blocked.example"].map(|name| zone_id(&app, name).clone());
    let grants = [Permission::FirewallServicesRead, Permission::LogsRead];
    let (_, secret) = create_token(&app, &grants, std::slice::from_ref(&first)).await;
    let zones = send(&app, &secret, "GET", "/client/v4/zones", "").await;
    assert_eq!((zones.pluck("id"), &zones.body["result_info"]["total_count"]), (vec![json!(first)], &json!(1)));
    assert_eq!(send(&app, &secret, "GET", &format!("/client/v4/zones/{first}/filters"), "").await.status, 200);
    for path in ["", "/filters"] {
        let response = send(&app, &secret, "GET", &format!("/client/v4/zones/{second}{path}"), "").await;
        response.assert_errors(404, &[(7003, "")]);
    }
    // It does not see jobs of the account either.
    send(&app, &secret, "GET", &app.account("/logpush/jobs"), "").await.assert_errors(403, &[(10000, "")]);
}

#[tokio::test]
async fn token_for_the_account_reads_account_jobs() {
    let app = TestApp::start().await;
    let (_, reader) = create_token(&app, &[Permission::LogsRead], &[]).await;
    assert_eq!(send(&app, &reader, "GET", &app.account("/logpush/jobs"), "").await.status, 200);
    let rejection = send(&app, &reader, "POST", &app.account("/logpush/jobs"), "{}").await;
    rejection.assert_errors(403, &[(10000, "")]);
}

#[tokio::test]
async fn either_permission_group_grants_account_rulesets() {
    let app = TestApp::start().await;
    let new =
        json!({"name": "mine", "kind": "custom", "phase": "http_request_firewall_custom", "rules": []}).to_string();
    for (permission, reads, writes) in [
        (Permission::AccountWafRead, 200, 403),
        (Permission::AccountWafWrite, 200, 200),
        (Permission::AccountRulesetsRead, 200, 403),
        (Permission::AccountRulesetsWrite, 200, 200),
        (Permission::ZoneWafWrite, 403, 403),
    ] {
        let (_, token) = create_token(&app, &[permission], &[]).await;
        let path = app.account("/rulesets");
        assert_eq!(send(&app, &token, "GET", &path, "").await.status, reads, "{permission:?}");
        assert_eq!(send(&app, &token, "POST", &path, &new).await.status, writes, "{permission:?}");
    }
}

#[tokio::test]
async fn revoked_or_expired_token_is_rejected() {
    let app = TestApp::start().await;
    let (id, secret) = create_token(&app, &[Permission::ZoneRead], &[]).await;
    let verify = "/client/v4/user/tokens/verify";
    let response = send(&app, &secret, "GET", verify, "").await;
    assert_eq!(response.body["result"], json!({"id": id, "status": "active"}));
    let admin = admin(&app).await;
    admin.revoke_token(&id).await.unwrap();
    assert!(admin.revoke_token(&id).await.is_err(), "a token can be revoked only once");
    send(&app, &secret, "GET", verify, "").await.assert_errors(401, &[(1000, "")]);
    send(&app, &secret, "GET", &app.zone(""), "").await.assert_errors(403, &[(10000, "")]);

    let soon = (jiff::Timestamp::now() + jiff::SignedDuration::from_secs(2)).to_string();
    let new = NewToken {
        name: "short",
        account_id: &app.demo.account_id,
        permissions: &[],
        zones: &[],
        expires: Some(&soon),
    };
    let (created_token, secret) = admin.create_token(&new).await.unwrap();
    assert!(created_token.expires_on.is_some());
    let mut statuses = Vec::new();
    for _ in 0..40 {
        statuses.push(send(&app, &secret, "GET", verify, "").await.status);
        if statuses.last() == Some(&401) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert_eq!(statuses.last(), Some(&401), "{statuses:?}");
}

#[tokio::test]
async fn concurrent_revocations_succeed_once() {
    let app = TestApp::start().await;
    let (id, _) = create_token(&app, &[Permission::ZoneRead], &[]).await;
    let admin = admin(&app).await;
    admin.set_user(&app.demo.account_id, "me@a.example").await.unwrap();
    let token = || admin.revoke_token(&id);
    let user = || admin.revoke_user("me@a.example");
    let (tokens, users) = (tokio::join!(token(), token(), token()), tokio::join!(user(), user(), user()));
    for (revoked, action) in [(tokens, "token.revoke"), (users, "user.revoke")] {
        let revoked = [revoked.0, revoked.1, revoked.2];
        assert_eq!(revoked.iter().filter(|result| result.is_ok()).count(), 1, "{action}: {revoked:?}");
        let logged = app.get(&app.account(&format!("/audit_logs?action.type={action}"))).await;
        assert_eq!(logged.body["result_info"]["total_count"], json!(1), "{action}");
    }
}

#[tokio::test]
async fn audit_log_records_token_permissions() {
    let app = TestApp::start().await;
    let admin = admin(&app).await;
    let (account, zones) = (&app.demo.account_id, std::slice::from_ref(&app.demo.zone_id));
    let permissions = [Permission::ZoneRead];
    let cases = [
        (&[][..], &[][..], json!({"everything": true, "permissions": null, "zones": null})),
        (&permissions[..], &[], json!({"everything": false, "permissions": ["Zone Read"], "zones": null})),
        (&permissions, zones, json!({"everything": false, "permissions": ["Zone Read"], "zones": zones})),
    ];
    for (permissions, zones, expected) in cases {
        let new = NewToken { name: "t", account_id: account, permissions, zones, expires: None };
        let (created_token, _) = admin.create_token(&new).await.unwrap();
        let listed = admin.tokens().await.unwrap().into_iter().find(|token| token.id == created_token.id).unwrap();
        assert_eq!(
            (listed.everything, &listed.permissions, &listed.zones),
            (created_token.everything, &created_token.permissions, &created_token.zones)
        );
        admin.revoke_token(&created_token.id).await.unwrap();
        let log = app.get(&app.account("/audit_logs?per_page=2")).await;
        for (entry, value) in [(1, "newValueJson"), (0, "oldValueJson")] {
            let logged = &log.body["result"][entry][value];
            let policies = json!({
                "everything": logged["everything"], "permissions": logged["permissions"], "zones": logged["zones"]
            });
            assert_eq!(policies, expected, "{log:?}");
        }
    }
}

#[tokio::test]
async fn user_has_all_permissions_in_own_account_only() {
    let app = TestApp::start().await;
    let admin = admin(&app).await;
    let account = admin.create_account(" Mine ").await.unwrap();
    assert_eq!(account.name, "Mine");
    let zone = admin.create_zone(&account.id, "Mine.Example", zonewright_expression::schema::Tier::Pro).await.unwrap();
    let first = admin.set_user(&account.id, "Me@mine.example").await.unwrap();
    let second = admin.set_user(&account.id, "me@mine.example").await.unwrap();
    let get_with_key = async |key: &str, path: String| {
        let request =
            Request::builder().uri(path).header("host", "localhost").header("x-auth-email", "me@mine.example");
        app.send(request.header("x-auth-key", key).body(Body::empty()).unwrap()).await
    };
    get_with_key(&first, format!("/client/v4/zones/{zone}")).await.assert_errors(403, &[(9103, "")]);
    let own_zone = get_with_key(&second, format!("/client/v4/zones/{zone}")).await;
    assert_eq!(own_zone.body["result"]["name"], "mine.example");
    get_with_key(&second, app.zone("")).await.assert_errors(404, &[(7003, "")]);
    app.get(&format!("/client/v4/zones/{zone}")).await.assert_errors(404, &[(7003, "")]);
    admin.revoke_user("me@mine.example").await.unwrap();
    get_with_key(&second, format!("/client/v4/zones/{zone}")).await.assert_errors(403, &[(9103, "")]);
}

#[tokio::test]
async fn admin_rejects_invalid_or_duplicate_objects() {
    let app = TestApp::start().await;
    let admin = admin(&app).await;
    let account = &app.demo.account_id;
    let foreign = admin.create_account("Other").await.unwrap().id;
    let pro = zonewright_expression::schema::Tier::Pro;
    let zone = admin.create_zone(&foreign, "other.example", pro).await.unwrap();
    let results = [
        admin.create_account("a\nb").await.map(drop),
        admin.create_zone(account, "enterprise.example", pro).await.map(drop),
        admin.create_zone(ID, "a.example", pro).await.map(drop),
        admin.set_user(account, "nobody").await.map(drop),
        admin.set_user(&foreign, &app.demo.email).await.map(drop),
        admin.revoke_user("nobody@example.com").await,
    ];
    for result in results {
        assert!(result.is_err(), "{result:?}");
    }
    let reads = [Permission::ZoneRead];
    for (permissions, zones, expires) in [
        (&reads[..], vec![zone], None),
        (&[][..], vec![zone_id(&app, "pro.example").clone()], None),
        (&reads[..], Vec::new(), Some("2001-01-01")),
    ] {
        let new = NewToken { name: "x", account_id: account, permissions, zones: &zones, expires };
        assert!(admin.create_token(&new).await.is_err(), "{zones:?} {expires:?}");
    }
}
