//! `/accounts/{account_id}/rulesets`, and behavior that zones share: creation, versions and deletion.

use crate::app::{TestApp, TestResponse};
use serde_json::{Value, json};

const MANAGED: &str = "efb7b8c949ac4650a09736fc376e9aee";
const DDOS: &str = "4d21379b4f9f4bb088e0729962c8b3cf";

fn custom(name: &str) -> Value {
    json!({"name": name, "kind": "custom", "phase": "http_request_firewall_custom", "description": "d",
        "rules": [{"action": "block", "expression": "ssl"}]})
}

fn executing(id: &str) -> Value {
    json!({"rules": [{"action": "execute", "expression": "true", "action_parameters": {"id": id}}]})
}

async fn create(app: &TestApp, body: Value) -> TestResponse {
    app.post(&app.account("/rulesets"), body).await
}

fn entry_point(phase: &str) -> String {
    format!("/rulesets/phases/{phase}/entrypoint")
}

#[tokio::test]
async fn executed_custom_ruleset_cannot_be_deleted() {
    let app = TestApp::start().await;
    let created = create(&app, custom("mine")).await;
    created.assert_result(json!({
        "id": "[id]", "name": "mine", "description": "d", "kind": "custom", "phase": "http_request_firewall_custom",
        "version": "1", "last_updated": "[time]",
        "rules": [{"id": "[id]", "version": "1", "action": "block", "expression": "ssl", "description": "",
            "ref": "[id]", "enabled": true, "last_updated": "[time]"}]
    }));
    let id = created.id();
    let path = app.account(&format!("/rulesets/{id}"));
    assert_eq!(app.get(&path).await.body, created.body);
    let root = app.account(&entry_point("http_request_firewall_custom"));
    let executed = app.put(&root, executing(&id)).await;
    assert_eq!(executed.body["result"]["kind"], "root");
    assert_eq!(executed.body["result"]["rules"][0]["action_parameters"], json!({"id": id, "version": "latest"}));
    let listed = app.get(&app.account("/rulesets")).await;
    let own: Vec<Value> = listed.pluck("kind").into_iter().filter(|kind| kind != "managed").collect();
    assert_eq!(own, ["custom", "root"]);
    assert!(listed.pluck("rules").iter().all(Value::is_null));
    let rejection = app.delete(&path).await;
    rejection.assert_errors(400, &[(20120, "")]);
    assert!(
        rejection.message().ends_with("` executes this ruleset; delete that rule first"),
        "{}",
        rejection.message()
    );
    app.put(&root, json!({"rules": []})).await;
    let deletion = app.delete(&path).await;
    assert_eq!((deletion.status, &deletion.body), (204, &json!("")));
    app.get(&path).await.assert_errors(404, &[(10001, "")]);
    app.delete(&path).await.assert_errors(404, &[(10001, "")]);
    app.put(&root, executing(&id)).await.assert_errors(400, &[(20120, "/rules/0/action_parameters/id")]);
    // Zones have no custom rulesets, and custom rulesets execute nothing themselves.
    app.get(&app.zone(&format!("/rulesets/{id}"))).await.assert_errors(404, &[(10001, "")]);
    let mut nested = custom("nested");
    nested["rules"] = executing(&id)["rules"].clone();
    create(&app, nested).await.assert_errors(400, &[(20120, "/rules/0/action")]);
}

#[tokio::test]
async fn update_changes_only_the_sent_members() {
    let app = TestApp::start().await;
    let created = create(&app, custom("mine")).await;
    let path = app.account(&format!("/rulesets/{}", created.id()));
    let described = app.put(&path, json!({"description": "new"})).await.body["result"].clone();
    assert_eq!((&described["description"], &described["version"]), (&json!("new"), &json!("2")));
    assert_eq!(described["rules"], created.body["result"]["rules"]);
    // The response can be sent back.
    let updated_again = app.put(&path, described.clone()).await.body["result"].clone();
    assert_eq!((&updated_again["rules"], &updated_again["version"]), (&described["rules"], &json!("3")));
    let emptied = app.put(&path, json!({"rules": [], "description": ""})).await.body["result"].clone();
    assert_eq!(
        (&emptied["name"], &emptied["description"], &emptied["rules"]),
        (&json!("mine"), &json!(""), &json!([]))
    );
    app.put(&path, json!({})).await.assert_errors(400, &[(10014, "/rules")]);
    app.put(&path, json!({"kind": "root", "rules": []})).await.assert_errors(400, &[(20120, "/kind")]);
    app.put(&path, json!({"descripton": "x"})).await.assert_errors(400, &[(10014, "/descripton"), (10014, "/rules")]);
}

#[tokio::test]
async fn second_entry_point_of_a_phase_is_rejected() {
    let app = TestApp::start().await;
    for (path, kind) in [(app.zone("/rulesets"), "zone"), (app.account("/rulesets"), "root")] {
        let body = json!({"name": "mine", "kind": kind, "phase": "http_ratelimit", "rules": []});
        let created = app.post(&path, body.clone()).await;
        assert_eq!(created.status, 200, "{created:?}");
        let rejection = app.post(&path, body).await;
        rejection.assert_errors(400, &[(20217, "/kind")]);
        let message = format!(
            "'{kind}' is not a valid value for kind because exceeded maximum number of {kind} rulesets for phase \
             http_ratelimit"
        );
        assert_eq!(rejection.message(), message);
        let by_phase =
            app.get(&format!("{}{}", path.trim_end_matches("/rulesets"), entry_point("http_ratelimit"))).await;
        assert_eq!(by_phase.id(), created.id());
        // A deleted entry point can be created again.
        assert_eq!(app.delete(&format!("{path}/{}", created.id())).await.status, 204);
        assert_eq!(app.get(&path).await.pluck("kind").iter().filter(|other| *other == kind).count(), 0);
    }
}

#[tokio::test]
async fn entry_points_exist_in_the_documented_scopes() {
    let app = TestApp::start().await;
    for (phase, zone, account) in [
        ("ddos_l4", false, true),
        ("magic_transit", false, true),
        ("http_request_redirect", false, true),
        ("ddos_l7", true, true),
        ("http_request_firewall_managed", true, true),
        ("http_request_firewall_custom", true, true),
        ("http_custom_errors", true, true),
        ("http_request_transform", true, false),
        ("http_config_settings", true, false),
        ("http_log_custom_fields", true, false),
    ] {
        for (path, allowed) in [(app.zone(&entry_point(phase)), zone), (app.account(&entry_point(phase)), account)] {
            let put = app.put(&path, json!({"rules": []})).await;
            if allowed {
                assert_eq!((put.status, &put.body["result"]["phase"]), (200, &json!(phase)), "{path}");
                assert_eq!(app.get(&path).await.body["result"], put.body["result"]);
            } else {
                put.assert_errors(400, &[(20120, "/phase")]);
                app.get(&path).await.assert_errors(404, &[(10003, "")]);
            }
        }
    }
}

#[tokio::test]
async fn invalid_rulesets_are_rejected_with_pointers() {
    let app = TestApp::start().await;
    let body = |kind: &str, phase: &str| json!({"name": "x", "kind": kind, "phase": phase, "rules": []});
    let zone = app.zone("/rulesets");
    // The rule reads only requests; its counting expression reads responses too.
    let limit = |expression: &str, counting: &str| {
        let limit = json!({
            "characteristics": ["ip.src"], "period": 60, "requests_per_period": 10, "counting_expression": counting
        });
        let rules = json!([{"action": "block", "expression": expression, "ratelimit": limit}]);
        json!({"name": "x", "kind": "zone", "phase": "http_ratelimit", "rules": rules})
    };
    let cases = [
        (&zone, json!([]), vec![(10014, "")]),
        (&zone, json!({}), vec![(10014, "/name"), (10014, "/kind"), (10014, "/phase"), (10014, "/rules")]),
        (&zone, json!({"name": "", "kind": "zone", "phase": "http_ratelimit", "rules": []}), vec![(10014, "/name")]),
        (&zone, body("custom", "http_ratelimit"), vec![(20120, "/kind")]),
        (&zone, body("root", "http_ratelimit"), vec![(20120, "/kind")]),
        (&zone, body("managed", "http_ratelimit"), vec![(20120, "/kind")]),
        (&zone, body("zone", "http_ratelimits"), vec![(20120, "/phase")]),
        (&zone, body("zone", "magic_transit"), vec![(20120, "/phase")]),
        (
            &zone,
            json!({"name": 1, "kind": 2, "phase": 3, "rules": 4}),
            vec![(10014, "/name"), (10014, "/kind"), (10014, "/phase")],
        ),
        (
            &zone,
            json!({"name": "x", "kind": "zone", "phase": "http_ratelimit", "rules": [{"action": "block", "expression": "ssl"}]}),
            vec![(10014, "/rules/0/ratelimit")],
        ),
        (&zone, limit("http.response.code eq 401", "ssl"), vec![(20127, "/rules/0/expression")]),
    ];
    assert_eq!(app.post(&zone, limit("ssl", "http.response.code eq 401")).await.status, 200);
    for (path, sent, errors) in cases {
        app.post(path, sent).await.assert_errors(400, &errors);
    }
    let account = app.account("/rulesets");
    app.post(&account, body("zone", "http_ratelimit")).await.assert_errors(400, &[(20120, "/kind")]);
    app.post(&account, body("custom", "http_request_firewall_managed")).await.assert_errors(400, &[(20120, "/phase")]);
    let elsewhere = format!("/client/v4/accounts/{}/rulesets", "0".repeat(32));
    app.get(&elsewhere).await.assert_errors(404, &[(7003, "")]);
}

#[tokio::test]
async fn managed_rulesets_are_read_only() {
    let app = TestApp::start().await;
    let expected = app.get(&app.zone(&format!("/rulesets/{MANAGED}"))).await.body["result"].clone();
    for owner in [app.zone("/rulesets"), app.account("/rulesets")] {
        let path = format!("{owner}/{MANAGED}");
        assert_eq!(app.get(&path).await.body["result"], expected);
        assert_eq!(app.get(&format!("{path}/versions")).await.pluck("version"), ["1"]);
        assert_eq!(app.get(&format!("{path}/versions/1")).await.body["result"], expected);
        app.get(&format!("{path}/versions/2")).await.assert_errors(404, &[(10001, "")]);
        let rule = expected["rules"][0]["id"].as_str().unwrap();
        for response in [
            app.put(&path, json!({"description": "x"})).await,
            app.delete(&path).await,
            app.post(&format!("{path}/rules"), json!({"action": "block", "expression": "ssl"})).await,
            app.patch(&format!("{path}/rules/{rule}"), json!({"enabled": false})).await,
            app.delete(&format!("{path}/rules/{rule}")).await,
            app.delete(&format!("{path}/versions/1")).await,
        ] {
            response.assert_errors(400, &[(20120, "")]);
        }
    }
    let by_tag = |tag: &str| app.account(&format!("/rulesets/{MANAGED}/versions/1/by_tag/{tag}"));
    let tagged = app.get(&by_tag("wordpress")).await;
    let rules = tagged.body["result"]["rules"].as_array().unwrap();
    assert!(!rules.is_empty() && rules.len() < expected["rules"].as_array().unwrap().len());
    assert!(rules.iter().all(|rule| rule["categories"].as_array().unwrap().contains(&json!("wordpress"))));
    assert_eq!(app.get(&by_tag("nothing")).await.body["result"]["rules"], json!([]));
    let in_zone = app.zone(&format!("/rulesets/{MANAGED}/versions/1/by_tag/wordpress"));
    app.get(&in_zone).await.assert_errors(404, &[(7003, ""), (7000, "")]);
    // The rules of this ruleset are not published, so any ID is accepted; only this ruleset has a sensitivity.
    let ddos = json!({"rules": [{"action": "execute", "expression": "true", "action_parameters": {"id": DDOS,
        "overrides": {"sensitivity_level": "low", "rules": [{"id": "fdfdac75430c4c47a959592f0aa5e68a", "action": "log"}]}}}]});
    let saved = app.put(&app.zone(&entry_point("ddos_l7")), ddos).await;
    assert_eq!(saved.body["result"]["rules"][0]["action_parameters"]["overrides"]["sensitivity_level"], "low");
}

#[tokio::test]
async fn unrelated_rulesets_are_not_read() {
    let app = TestApp::start().await;
    let [large, small] = [create(&app, custom("large")).await, create(&app, custom("small")).await];
    let small_rule = small.body["result"]["rules"][0]["id"].as_str().unwrap().to_owned();
    let (large, small) = (large.id(), small.id());
    // Any request that reads these rules fails.
    crate::audit_tampering::tamper(&app, &format!("update rulesets set rules = 'no rules' where id = '{large}'")).await;
    let root = app.account(&entry_point("http_request_firewall_custom"));
    let mut both = executing(&large);
    both["rules"].as_array_mut().unwrap().push(executing(&small)["rules"][0].clone());
    both["rules"][1]["action_parameters"]["overrides"] = json!({"rules": [{"id": small_rule, "enabled": false}]});
    let responses = [
        app.get(&app.account("/rulesets")).await,
        create(&app, custom("another")).await,
        app.put(&root, both).await,
        app.post(
            &app.account("/rulesets"),
            json!({"name": "r", "kind": "root", "phase": "http_ratelimit", "rules": []}),
        )
        .await,
        app.get(&app.account(&format!("/rulesets/{large}/versions"))).await,
        app.get(&app.account(&format!("/rulesets/{large}/versions/1"))).await,
        app.put(&app.account(&format!("/rulesets/{small}")), json!({"description": "x"})).await,
    ];
    for response in responses {
        assert_eq!(response.status, 200, "{response:?}");
    }
    // References are still validated.
    let mut invalid = executing(&small);
    invalid["rules"][0]["action_parameters"]["overrides"] =
        json!({"rules": [{"id": "0".repeat(32), "enabled": false}]});
    app.put(&root, invalid).await.assert_errors(400, &[(20120, "/rules/0/action_parameters/overrides/rules/0/id")]);
    let skip =
        json!({"action": "skip", "expression": "ssl", "action_parameters": {"rules": {small: ["0".repeat(32)]}}});
    let rejection = app.put(&root, json!({"rules": [skip]})).await;
    assert_eq!((rejection.status, &rejection.body["errors"][0]["code"]), (400, &json!(20120)), "{rejection:?}");
}

#[tokio::test]
async fn old_versions_are_stored_and_deletable() {
    let app = TestApp::start().await;
    let path = app.zone(&entry_point("http_request_firewall_custom"));
    assert_eq!(app.get(&format!("{path}/versions")).await.pluck("version"), Vec::<Value>::new());
    app.get(&format!("{path}/versions/1")).await.assert_errors(404, &[(10003, "")]);
    let mut saved_versions = Vec::new();
    for number in 0..3 {
        let body =
            json!({"description": number.to_string(), "rules": [{"action": "block", "expression": "ssl", "ref": "a"}]});
        saved_versions.push(app.put(&path, body).await.body["result"].clone());
    }
    let by_id = app.zone(&format!("/rulesets/{}", saved_versions[0]["id"].as_str().unwrap()));
    for base in [&path, &by_id] {
        let listed = app.get(&format!("{base}/versions")).await;
        assert_eq!(listed.pluck("version"), ["1", "2", "3"]);
        assert_eq!(listed.pluck("description"), ["0", "1", "2"]);
        assert!(listed.pluck("rules").iter().all(Value::is_null));
        for (number, expected) in (1..).zip(&saved_versions) {
            assert_eq!(&app.get(&format!("{base}/versions/{number}")).await.body["result"], expected);
        }
        app.get(&format!("{base}/versions/4")).await.assert_errors(404, &[(10001, "")]);
        app.get(&format!("{base}/versions/01")).await.assert_errors(404, &[(7003, ""), (7000, "")]);
    }
    app.delete(&format!("{by_id}/versions/3")).await.assert_errors(400, &[(20120, "")]);
    assert_eq!(app.delete(&format!("{by_id}/versions/2?dry_run=true")).await.status, 204);
    let deletion = app.delete(&format!("{by_id}/versions/2")).await;
    assert_eq!((deletion.status, &deletion.body), (204, &json!("")));
    app.delete(&format!("{by_id}/versions/2")).await.assert_errors(404, &[(10001, "")]);
    app.delete(&format!("{path}/versions/1")).await.assert_errors(405, &[(10405, "")]);
    assert_eq!(app.get(&format!("{by_id}/versions")).await.pluck("version"), ["1", "3"]);
    // The oldest versions are dropped.
    for _ in 0..60 {
        assert_eq!(app.put(&by_id, json!({"description": "again"})).await.status, 200);
    }
    let versions = app.get(&format!("{by_id}/versions")).await.pluck("version");
    assert_eq!((versions.len(), &versions[0], &versions[49]), (50, &json!("14"), &json!("63")));
    let app = app.restart().await;
    assert_eq!(app.get(&format!("{by_id}/versions/14")).await.status, 200);
}

#[tokio::test]
async fn unknown_ruleset_is_404() {
    let app = TestApp::start().await;
    let id = "0123456789abcdef0123456789abcdef";
    for owner in [app.zone("/rulesets"), app.account("/rulesets")] {
        let path = format!("{owner}/{id}");
        for response in [
            app.get(&path).await,
            app.put(&path, json!({"rules": []})).await,
            app.delete(&path).await,
            app.get(&format!("{path}/versions")).await,
            app.get(&format!("{path}/versions/1")).await,
            app.delete(&format!("{path}/versions/1")).await,
            app.post(&format!("{path}/rules"), json!({"action": "block", "expression": "ssl"})).await,
            app.patch(&format!("{path}/rules/{id}"), json!({"enabled": true})).await,
            app.delete(&format!("{path}/rules/{id}")).await,
        ] {
            response.assert_errors(404, &[(10001, "")]);
        }
    }
}
