//! `/zones/{zone_id}/rulesets`

use crate::app::TestApp;
use serde_json::{Value, json};

const ENTRY_POINT: &str = "/rulesets/phases/http_request_firewall_managed/entrypoint";
const MANAGED: &str = "efb7b8c949ac4650a09736fc376e9aee";
const CORE: &str = "4814384a9e5d4991b9815dcfc25d2f1f";
const DDOS: &str = "4d21379b4f9f4bb088e0729962c8b3cf";
const EXPOSED: &str = "c2e184081120413c86c3ab7e14069605";
const NORMALIZATION: &str = "70339d97bdb34195bbf054b1ebe81f76";
const SENSITIVE: &str = "e22d83c647c64a3eae91b71b499d988e";
const FREE: &str = "77454fe2d30c4220b5701f6fdfb893ba";
const SCORE: &str = "6179ae15870a4bb7b2d480d4843b323c";

fn path(app: &TestApp) -> String {
    app.zone_named("enterprise.example", ENTRY_POINT)
}

fn skip(expression: &str) -> Value {
    json!({"action": "skip", "expression": expression, "action_parameters": {"ruleset": "current"}})
}

#[tokio::test]
async fn entry_point_is_created_read_and_replaced() {
    let app = TestApp::start().await;
    app.get(&path(&app)).await.assert_errors(404, &[(10003, "")]);
    let body = json!({"name": "mine", "description": "why", "rules": [
        {"id": "", "version": "", "ref": "", "action": "skip", "expression": "ssl", "description": "d",
         "action_parameters": {"products": ["bic"], "phases": ["http_ratelimit"]}, "logging": {"enabled": true}},
        {"action": "execute", "expression": "true", "ref": "managed", "enabled": false,
         "action_parameters": {"id": MANAGED, "overrides": {"rules":
            [{"id": "23ee7cebe6e8443e99ecf932ab579455", "action": "log", "enabled": false}]}}}
    ]});
    let saved = app.put(&path(&app), body).await;
    let (first, second) =
        (saved.body["result"]["rules"][0]["id"].clone(), saved.body["result"]["rules"][1]["id"].clone());
    assert_eq!(saved.body["result"]["rules"][0]["ref"], first, "the reference defaults to the ID");
    saved.assert_result(json!({
        "id": "[id]", "name": "mine", "description": "why", "kind": "zone", "version": "1", "last_updated": "[time]",
        "phase": "http_request_firewall_managed",
        "rules": [
            {"id": "[id]", "version": "1", "action": "skip", "expression": "ssl", "description": "d", "ref": "[id]",
             "enabled": true, "last_updated": "[time]", "logging": {"enabled": true},
             "action_parameters": {"products": ["bic"], "phases": ["http_ratelimit"]}},
            {"id": "[id]", "version": "1", "action": "execute", "expression": "true", "description": "",
             "ref": "managed", "enabled": false, "last_updated": "[time]",
             "action_parameters": {"id": "[id]", "version": "latest", "overrides": {"rules":
                [{"id": "[id]", "action": "log", "enabled": false}]}}}
        ]
    }));
    let id = saved.id();
    for rest in [ENTRY_POINT.to_owned(), format!("/rulesets/{id}")] {
        assert_eq!(app.get(&app.zone_named("enterprise.example", &rest)).await.body["result"], saved.body["result"]);
    }
    // The response can be sent back; members that are not sent are reset.
    let mut resent_ruleset = saved.body["result"].clone();
    resent_ruleset["rules"].as_array_mut().unwrap().swap(0, 1);
    resent_ruleset["rules"][1]["enabled"] = json!(false);
    resent_ruleset["rules"].as_array_mut().unwrap().push(skip("not ssl"));
    let replaced = app.put(&path(&app), resent_ruleset).await;
    let rules = replaced.body["result"]["rules"].as_array().unwrap().clone();
    assert_eq!((replaced.id(), &replaced.body["result"]["version"]), (id, &json!("2")));
    assert_eq!([&rules[0]["id"], &rules[1]["id"]], [&second, &first]);
    assert_eq!([&rules[0]["version"], &rules[1]["version"], &rules[2]["version"]], ["1", "2", "1"]);
    // The reference identifies a rule too.
    let by_reference = json!({"rules": [{"ref": "managed", "action": "execute", "expression": "ssl",
        "action_parameters": {"id": CORE, "version": "latest"}}]});
    let expected = app.put(&path(&app), by_reference).await.body["result"].clone();
    assert_eq!((&expected["rules"][0]["id"], &expected["rules"][0]["version"]), (&second, &json!("2")));
    assert_eq!(
        (&expected["name"], &expected["description"], &expected["version"]),
        (&json!("mine"), &json!("why"), &json!("3"))
    );
    let app = app.restart().await;
    assert_eq!(app.get(&path(&app)).await.body["result"], expected);
}

#[tokio::test]
async fn list_has_no_rules_and_includes_executable_rulesets() {
    let app = TestApp::start().await;
    let listed = app.get(&app.zone_named("enterprise.example", "/rulesets")).await;
    assert_eq!(listed.pluck("id"), [MANAGED, CORE, FREE, EXPOSED, DDOS, NORMALIZATION, SENSITIVE]);
    app.put(&path(&app), json!({"rules": []})).await;
    let listed = app.get(&app.zone_named("enterprise.example", "/rulesets")).await;
    let kinds = listed.pluck("kind");
    assert_eq!((kinds.iter().filter(|kind| **kind == "managed").count(), &kinds[7..]), (7, &[json!("zone")][..]));
    assert!(listed.pluck("rules").iter().all(Value::is_null));
    assert_eq!(app.get(&app.zone_on_plan("free", "/rulesets")).await.pluck("id"), [FREE, DDOS, NORMALIZATION]);
    app.get(&app.zone_on_plan("free", &format!("/rulesets/{CORE}"))).await.assert_errors(404, &[(10001, "")]);
}

#[tokio::test]
async fn managed_ruleset_lists_rules_without_expressions() {
    let app = TestApp::start().await;
    for (id, least) in [(MANAGED, 80), (CORE, 30)] {
        let response = app.get(&app.zone_on_plan("pro", &format!("/rulesets/{id}"))).await;
        let result = &response.body["result"];
        assert_eq!((&result["id"], &result["kind"], &result["version"]), (&json!(id), &json!("managed"), &json!("1")));
        let rules = result["rules"].as_array().unwrap();
        assert!(rules.len() > least, "{}", rules.len());
        assert!(rules.iter().all(|rule| rule["expression"].is_null() && rule["id"].as_str().unwrap().len() == 32));
        let scores: Vec<_> = rules.iter().filter(|rule| !rule["score_threshold"].is_null()).collect();
        assert_eq!(scores.len(), usize::from(id == CORE));
    }
}

#[tokio::test]
async fn missing_entry_point_or_ruleset_is_404() {
    let app = TestApp::start().await;
    for phase in ["http_request_firewall_custom", "http_ratelimit", "ddos_l4", "nothing"] {
        let path = app.zone_named("enterprise.example", &format!("/rulesets/phases/{phase}/entrypoint"));
        let response = app.get(&path).await;
        response.assert_errors(404, &[(10003, "")]);
        let expected = format!("could not find entrypoint ruleset in the {phase} phase");
        assert!(response.message().starts_with(&expected), "{response:?}");
    }
    let close = app.zone_named("enterprise.example", "/rulesets/phases/http_ratelimits/entrypoint");
    let response = app.put(&close, json!({"rules": []})).await;
    assert!(response.message().ends_with("there is no such phase; did you mean `http_ratelimit`?"), "{response:?}");
    let nothing = app.zone_named("enterprise.example", "/rulesets/phases/nothing/entrypoint");
    app.put(&nothing, json!({"rules": []})).await.assert_errors(404, &[(10003, "")]);
    let unknown = app.zone_named("enterprise.example", "/rulesets/0123456789abcdef0123456789abcdef");
    app.get(&unknown).await.assert_errors(404, &[(10001, "")]);
    app.get(&app.zone_named("enterprise.example", "/rulesets/abc")).await.assert_errors(404, &[(7003, ""), (7000, "")]);
    app.patch(&app.zone_named("enterprise.example", "/rulesets"), json!({})).await.assert_errors(405, &[(10405, "")]);
    app.delete(&path(&app)).await.assert_errors(405, &[(10405, "")]);
    // A ruleset of another zone is not part of this one.
    let id = app.put(&path(&app), json!({"rules": []})).await.id();
    app.get(&app.zone_on_plan("pro", &format!("/rulesets/{id}"))).await.assert_errors(404, &[(10001, "")]);
}

#[tokio::test]
async fn every_error_has_a_code_and_pointer() {
    let app = TestApp::start().await;
    let rule = |rule: Value| json!({"rules": [rule]});
    let skipping =
        |parameters: Value| rule(json!({"action": "skip", "expression": "ssl", "action_parameters": parameters}));
    let executing =
        |parameters: Value| rule(json!({"action": "execute", "expression": "true", "action_parameters": parameters}));
    let with = |name: &str, value: Value| {
        let mut rule = skip("ssl");
        rule[name] = value;
        json!({"rules": [rule]})
    };
    let overriding = |id: &str, overrides: Value| executing(json!({"id": id, "overrides": overrides}));
    let id = "0123456789abcdef0123456789abcdef";
    let pointer = "/rules/0/action_parameters";
    let cases: Vec<(Value, Vec<(u64, String)>)> = vec![
        (json!([]), vec![(10014, String::new())]),
        (json!({}), vec![(10014, "/rules".into())]),
        (json!({"rules": {}, "rule": 1}), vec![(10014, "/rule".into()), (10014, "/rules".into())]),
        (
            json!({"rules": [], "name": 3, "kind": "root", "phase": "x"}),
            vec![(10014, "/name".into()), (20120, "/kind".into()), (20120, "/phase".into())],
        ),
        (
            json!({"rules": [], "name": "n".repeat(201), "description": "\0"}),
            vec![(20120, "/name".into()), (10015, "/description".into())],
        ),
        (json!({"rules": vec![json!(1); 1001]}), vec![(10014, "/rules".into())]),
        (rule(json!(3)), vec![(10014, "/rules/0".into())]),
        (rule(json!({})), vec![(10014, "/rules/0/action".into()), (10014, "/rules/0/expression".into())]),
        (with("enabled", json!("yes")), vec![(10014, "/rules/0/enabled".into())]),
        (with("position", json!({})), vec![(10014, "/rules/0/position".into())]),
        (with("id", json!("x")), vec![(20120, "/rules/0/id".into())]),
        (with("ref", json!("r".repeat(101))), vec![(20120, "/rules/0/ref".into())]),
        (with("expression", json!("ip.src eq")), vec![(20127, "/rules/0/expression".into())]),
        (with("expression", json!("http.response.code eq 1")), vec![(20127, "/rules/0/expression".into())]),
        (
            with("expression", json!(format!("http.host eq \"{}\"", "a".repeat(4096)))),
            vec![(20127, "/rules/0/expression".into())],
        ),
        (with("action", json!("block")), vec![(20120, "/rules/0/action".into())]),
        (with("action", json!("allow")), vec![(20120, "/rules/0/action".into())]),
        (with("action", json!("bypass")), vec![(20120, "/rules/0/action".into())]),
        (with("action_parameters", Value::Null), vec![(20113, pointer.into())]),
        (with("action_parameters", json!([])), vec![(10014, pointer.into())]),
        (with("logging", json!({"enabled": 1})), vec![(10014, "/rules/0/logging/enabled".into())]),
        (with("ratelimit", json!({})), vec![(20120, "/rules/0/ratelimit".into())]),
        (with("exposed_credential_check", json!({})), vec![(20120, "/rules/0/exposed_credential_check".into())]),
        (
            rule(json!({"action": "execute", "expression": "true", "action_parameters": {"id": CORE}, "logging": {}})),
            vec![(20018, "/rules/0/logging".into())],
        ),
        (executing(json!({})), vec![(10014, format!("{pointer}/id"))]),
        (
            executing(json!({"id": id, "version": "3", "matched_data": {}, "ruleset": "current"})),
            vec![
                (10014, format!("{pointer}/ruleset")),
                (20120, format!("{pointer}/id")),
                (20120, format!("{pointer}/version")),
                (10014, format!("{pointer}/matched_data/public_key")),
            ],
        ),
        (
            overriding(MANAGED, json!({"action": "execute", "enabled": 1, "sensitivity_level": "low"})),
            vec![
                (20120, format!("{pointer}/overrides/sensitivity_level")),
                (20120, format!("{pointer}/overrides/action")),
                (10014, format!("{pointer}/overrides/enabled")),
            ],
        ),
        (
            overriding(
                MANAGED,
                json!({"categories": [{"category": ""}, {}, {"category": "php"},
            {"category": "php"}], "rules": 1}),
            ),
            vec![
                (20120, format!("{pointer}/overrides/categories/0/category")),
                (10014, format!("{pointer}/overrides/categories/1/category")),
                (20120, format!("{pointer}/overrides/categories/3/category")),
                (10014, format!("{pointer}/overrides/rules")),
            ],
        ),
        (
            overriding(
                CORE,
                json!({"rules": [{"id": "981176"}, {"id": SCORE, "score_threshold": 0},
            {"id": SCORE, "action": "simulate"}]}),
            ),
            vec![
                (20120, format!("{pointer}/overrides/rules/0/id")),
                (20120, format!("{pointer}/overrides/rules/1/score_threshold")),
                (20120, format!("{pointer}/overrides/rules/2/action")),
                (20120, format!("{pointer}/overrides/rules/2/id")),
            ],
        ),
        (
            overriding(MANAGED, json!({"rules": [{"id": "23ee7cebe6e8443e99ecf932ab579455", "score_threshold": 5}]})),
            vec![(20120, format!("{pointer}/overrides/rules/0/score_threshold"))],
        ),
        (skipping(json!({})), vec![(10014, pointer.into())]),
        (skipping(json!({"ruleset": "all"})), vec![(20120, format!("{pointer}/ruleset"))]),
        (
            skipping(json!({"ruleset": "current", "rulesets": [CORE], "rules": {}})),
            vec![(20120, format!("{pointer}/rulesets")), (20120, format!("{pointer}/rules"))],
        ),
        (
            skipping(json!({"rulesets": [CORE, CORE, id, 1], "phases": ["http_ratelimit"]})),
            vec![
                (20120, format!("{pointer}/rulesets/1")),
                (20120, format!("{pointer}/rulesets/2")),
                (10014, format!("{pointer}/rulesets/3")),
                (20120, format!("{pointer}/phases")),
            ],
        ),
        (
            skipping(json!({"rules": {id: [], CORE: [SCORE, "981176"], MANAGED: 1}})),
            vec![
                (20120, format!("{pointer}/rules/{id}")),
                (20120, format!("{pointer}/rules/{CORE}/1")),
                (10014, format!("{pointer}/rules/{MANAGED}")),
            ],
        ),
        (
            skipping(json!({"phases": ["x"], "products": ["WAF"]})),
            vec![(20120, format!("{pointer}/phases/0")), (20120, format!("{pointer}/products/0"))],
        ),
        (
            json!({"rules": [{"id": id, "action": "skip", "expression": "ssl", "action_parameters": {"ruleset": "current"}},
            {"id": id, "action": "skip", "expression": "ssl", "action_parameters": {"ruleset": "current"}},
            {"ref": id, "action": "skip", "expression": "ssl", "action_parameters": {"ruleset": "current"}}]}),
            vec![(20120, "/rules/1/id".into()), (20120, "/rules/2/ref".into())],
        ),
    ];
    for (body, expected) in cases {
        let response = app.put(&path(&app), body).await;
        let mut expected: Vec<(u64, &str)> = expected.iter().map(|(code, pointer)| (*code, pointer.as_str())).collect();
        let mut found: Vec<(u64, &str)> = response.body["errors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|error| (error["code"].as_u64().unwrap(), error["source"]["pointer"].as_str().unwrap()))
            .collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!((response.status, found), (400, expected), "{:#}", response.body["errors"]);
    }
    app.get(&path(&app)).await.assert_errors(404, &[(10003, "")]);
}

#[tokio::test]
async fn invalid_values_have_the_documented_messages() {
    let app = TestApp::start().await;
    let cases = [
        (
            json!({"rules": [{"action": "allow", "expression": "ssl", "action_parameters": {"ruleset": "current"}}]}),
            "unknown variant for action: allow; rulesets do not support this action; use `skip` instead",
        ),
        (
            json!({"rules": [{"action": "skip", "expression": "ssl"}]}),
            "action parameters are required for the skip action",
        ),
        (
            json!({"rules": [{"action": "execute", "expression": "ssl and\n http.hots", "action_parameters": {"id": MANAGED}}]}),
            "'ssl and  http.hots' is not a valid value for expression because could not parse filter expression: \
             Filter parsing error (2:2):\n http.hots\n ^^^^^^^^^ unknown field `http.hots`\n\nerror[unknown-field]",
        ),
        (
            json!({"rules": [{"action": "execute", "expression": "true", "action_parameters": {"id": MANAGED,
            "overrides": {"categories": [{"category": ""}]}}}]}),
            "'' is not a valid value for category because it has 0 characters; 1 to 100 are allowed",
        ),
    ];
    for (body, message) in cases {
        let response = app.put(&path(&app), body).await;
        assert!(response.message().starts_with(message), "{}", response.message());
    }
}

#[tokio::test]
async fn validation_stops_after_a_hundred_errors() {
    let app = TestApp::start().await;
    let bodies = [
        json!({"rules": vec![json!(1); 1000]}),
        json!({"rules": [{"action": "execute", "expression": "true",
            "action_parameters": {"id": CORE, "overrides": {"rules": vec![json!({"id": "x"}); 40_000]}}}]}),
        json!({"rules": [{"action": "skip", "expression": "true",
            "action_parameters": {"rulesets": vec![json!("x"); 90_000]}}]}),
    ];
    for body in bodies {
        let response = app.put(&path(&app), body).await;
        let count = response.body["errors"].as_array().unwrap().len();
        assert!(response.status == 400 && (100..=102).contains(&count), "{count}");
    }
}

#[tokio::test]
async fn managed_rulesets_and_operators_depend_on_the_plan() {
    let app = TestApp::start().await;
    let body = |id: &str| {
        json!({"rules": [{"action": "execute", "expression": "true", "enabled": false,
        "action_parameters": {"id": id}}]})
    };
    let free = app.zone_on_plan("free", ENTRY_POINT);
    app.put(&free, body(MANAGED)).await.assert_errors(400, &[(20120, "/rules/0/action_parameters/id")]);
    assert_eq!(app.put(&free, json!({"rules": []})).await.status, 200);
    // The Free ruleset is available on all plans, and needs no migration in a zone without previous managed rules.
    let mut on = body(FREE);
    on["rules"][0]["enabled"] = json!(true);
    let saved = app.put(&free, on).await;
    assert_eq!((saved.status, &saved.body["result"]["rules"][0]["enabled"]), (200, &json!(true)));
    let status = app.get(&app.zone_on_plan("free", "/waf_migration/status")).await;
    assert_eq!(status.body["result"]["new_waf_status"], "enabled");
    let regular = json!({"rules": [skip("http.host matches \"a\"")]});
    app.put(&app.zone_on_plan("pro", ENTRY_POINT), regular.clone())
        .await
        .assert_errors(400, &[(20127, "/rules/0/expression")]);
    assert_eq!(app.put(&path(&app), regular).await.status, 200);
}
