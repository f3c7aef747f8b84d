//! Single rules of a ruleset: `/zones/{zone_id}/rulesets/{id}/rules`

use crate::app::{TestApp, TestResponse};
use axum::http::Method;
use serde_json::{Value, json};

const CUSTOM: &str = "/rulesets/phases/http_request_firewall_custom/entrypoint";

/// An entry point for custom rules in an Enterprise zone.
struct CustomRules {
    app: TestApp,
    id: String,
}

impl CustomRules {
    /// Creates the entry point with rules `a`, `b` and `c`, named by their references.
    async fn start() -> CustomRules {
        let app = TestApp::start().await;
        let rules: Vec<Value> = ["a", "b", "c"].map(rule).to_vec();
        let created = app.put(&app.zone(CUSTOM), json!({ "rules": rules })).await;
        assert_eq!(created.status, 200, "{created:?}");
        let id = created.id();
        CustomRules { app, id }
    }

    fn path(&self, rest: &str) -> String {
        self.app.zone(&format!("/rulesets/{}{rest}", self.id))
    }

    async fn fetch_ruleset(&self) -> Value {
        self.app.get(&self.path("")).await.body["result"].clone()
    }

    /// The ID of the rule with this reference.
    async fn rule(&self, reference: &str) -> String {
        let ruleset = self.fetch_ruleset().await;
        let rules = ruleset["rules"].as_array().unwrap();
        rules.iter().find(|rule| rule["ref"] == reference).unwrap()["id"].as_str().unwrap().to_owned()
    }

    async fn post(&self, body: Value) -> TestResponse {
        self.app.post(&self.path("/rules"), body).await
    }

    async fn patch(&self, reference: &str, body: Value) -> TestResponse {
        let id = self.rule(reference).await;
        self.app.patch(&self.path(&format!("/rules/{id}")), body).await
    }
}

fn rule(reference: &str) -> Value {
    json!({"action": "block", "expression": "ssl", "ref": reference})
}

/// References of the rules in a response, in order.
#[track_caller]
fn order(response: &TestResponse) -> String {
    assert_eq!(response.status, 200, "{response:?}");
    let rules = response.body["result"]["rules"].as_array().unwrap();
    rules.iter().map(|rule| rule["ref"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn position_determines_the_index_of_a_rule() {
    let rules = CustomRules::start().await;
    let [a, b, c] = [rules.rule("a").await, rules.rule("b").await, rules.rule("c").await];
    let rule_at_position = |name: &str, position: Value| {
        let mut rule = rule(name);
        rule["position"] = position;
        rule
    };
    assert_eq!(order(&rules.post(rule("d")).await), "abcd");
    assert_eq!(order(&rules.post(rule_at_position("e", json!({"before": ""}))).await), "eabcd");
    assert_eq!(order(&rules.post(rule_at_position("f", json!({"after": ""}))).await), "eabcdf");
    assert_eq!(order(&rules.post(rule_at_position("g", json!({"before": b}))).await), "eagbcdf");
    assert_eq!(order(&rules.post(rule_at_position("h", json!({"after": b}))).await), "eagbhcdf");
    assert_eq!(order(&rules.post(rule_at_position("i", json!({"index": 1}))).await), "ieagbhcdf");
    assert_eq!(order(&rules.post(rule_at_position("j", json!({"index": 10}))).await), "ieagbhcdfj");
    assert_eq!(order(&rules.patch("a", json!({"position": {"after": c}})).await), "iegbhcadfj");
    assert_eq!(order(&rules.patch("j", json!({"position": {"index": 2}})).await), "ijegbhcadf");
    assert_eq!(order(&rules.patch("i", json!({"position": {"after": ""}})).await), "jegbhcadfi");
    assert_eq!(order(&rules.patch("i", json!({"position": {"before": a}})).await), "jegbhciadf");
    let whole = rules.fetch_ruleset().await;
    assert_eq!(whole["version"], "12");
    assert!(
        whole["rules"].as_array().unwrap().iter().all(|rule| rule["version"] == "1"),
        "a new order does not change the rules"
    );
    let unknown = "0".repeat(32);
    for (position, pointer) in [
        (json!({}), "/position"),
        (json!({"before": a, "after": b}), "/position"),
        (json!({"before": unknown}), "/position/before"),
        (json!({"after": unknown}), "/position/after"),
        (json!({"index": 0}), "/position/index"),
        (json!({"index": 12}), "/position/index"),
    ] {
        rules.post(rule_at_position("k", position.clone())).await.assert_errors(400, &[(20120, pointer)]);
    }
    rules.patch("a", json!({"position": {"before": a}})).await.assert_errors(400, &[(20120, "/position/before")]);
    rules.patch("a", json!({"position": {"index": 11}})).await.assert_errors(400, &[(20120, "/position/index")]);
    assert_eq!(rules.fetch_ruleset().await, whole);
}

#[tokio::test]
async fn definition_replaces_the_rule_and_enabled_alone_does_not() {
    let rules = CustomRules::start().await;
    let id = rules.rule("b").await;
    let full = json!({"action": "skip", "expression": "not ssl", "description": "why", "ref": "b", "enabled": false,
        "action_parameters": {"ruleset": "current", "products": ["waf"]}, "logging": {"enabled": false}});
    let changed = rules.patch("b", full.clone()).await.body["result"]["rules"][1].clone();
    let mut expected = full;
    expected["id"] = json!(id);
    expected["version"] = json!("2");
    expected["last_updated"] = changed["last_updated"].clone();
    assert_eq!(changed, expected);
    let on = rules.patch("b", json!({"enabled": true})).await.body["result"]["rules"][1].clone();
    assert_eq!((&on["enabled"], &on["version"], &on["action"]), (&json!(true), &json!("3"), &json!("skip")));
    let same = rules.patch("b", json!({"enabled": true})).await.body["result"].clone();
    assert_eq!((&same["rules"][1], &same["version"]), (&on, &json!("4")));
    // Members that the definition lacks are reset.
    let bare =
        rules.patch("b", json!({"action": "block", "expression": "ssl"})).await.body["result"]["rules"][1].clone();
    assert_eq!((&bare["description"], &bare["ref"], &bare["logging"]), (&json!(""), &json!(id), &Value::Null));
    for (body, errors) in [
        (json!({}), vec![(10014, "")]),
        (json!({"description": "x"}), vec![(10014, "/action"), (10014, "/expression")]),
        (json!({"action": "block", "expression": "ssl", "ref": "a"}), vec![(20120, "/ref")]),
        (json!({"id": rules.rule("a").await, "enabled": true}), vec![(20120, "/id")]),
    ] {
        let path = rules.path(&format!("/rules/{id}"));
        rules.app.patch(&path, body).await.assert_errors(400, &errors);
    }
    rules.post(rule("a")).await.assert_errors(400, &[(20120, "/ref")]);
}

#[tokio::test]
async fn deletion_returns_the_remaining_rules() {
    let rules = CustomRules::start().await;
    let id = rules.rule("b").await;
    let path = rules.path(&format!("/rules/{id}"));
    rules.app.delete(&format!("{path}?dry_run=true")).await.assert_result(Value::Null);
    assert_eq!(order(&rules.app.delete(&path).await), "ac");
    assert_eq!(rules.fetch_ruleset().await["version"], "2");
    rules.app.delete(&path).await.assert_errors(404, &[(10001, "")]);
    rules.app.patch(&path, json!({"enabled": true})).await.assert_errors(404, &[(10001, "")]);
    rules.app.delete(&rules.path("/rules/b")).await.assert_errors(404, &[(7003, ""), (7000, "")]);
    let elsewhere = rules.app.zone_on_plan("pro", &format!("/rulesets/{}/rules/{}", rules.id, rules.rule("a").await));
    rules.app.delete(&elsewhere).await.assert_errors(404, &[(10001, "")]);
}

#[tokio::test]
async fn dry_run_returns_and_persists_nothing() {
    let rules = CustomRules::start().await;
    let before = rules.fetch_ruleset().await;
    let (id, b) = (rules.id.clone(), rules.rule("b").await);
    let app = &rules.app;
    let new = json!({"name": "x", "kind": "zone", "phase": "http_ratelimit", "rules": []});
    let tried = [
        app.post(&rules.path("/rules?dry_run=true"), rule("d")).await,
        app.patch(&rules.path(&format!("/rules/{b}?dry_run=true")), json!({"position": {"before": ""}})).await,
        app.delete(&rules.path(&format!("/rules/{b}?dry_run=true"))).await,
        app.put(&rules.path("?dry_run=true"), json!({"rules": []})).await,
        app.put(&app.zone(&format!("{CUSTOM}?dry_run=true")), json!({"rules": []})).await,
        app.post(&app.zone("/rulesets?dry_run=true"), new).await,
    ];
    for response in tried {
        // The parameter in the notation of official clients.
        assert_eq!(response.status, 200, "{response:?}");
        assert_eq!(response.body, json!({"result": null, "success": true, "errors": [], "messages": []}));
        assert!(!response.headers.contains_key("etag"), "a dry run has no entity tag");
    }
    assert_eq!(app.delete(&rules.path("?dry_run=true")).await.status, 204);
    assert_eq!(rules.fetch_ruleset().await, before);
    let listed = app.get(&app.zone("/rulesets")).await.pluck("id");
    assert_eq!(listed.iter().filter(|other| **other == id).count(), 1);
    app.get(&app.zone("/rulesets/phases/http_ratelimit/entrypoint")).await.assert_errors(404, &[(10003, "")]);
    assert_eq!(app.get(&rules.path("/versions")).await.pluck("version"), ["1"]);
    // Invalid changes are rejected.
    app.post(&rules.path("/rules?dry_run=true"), rule("a")).await.assert_errors(400, &[(20120, "/ref")]);
    app.post(&rules.path("/rules?dry_run=maybe"), rule("d")).await.assert_errors(400, &[(10015, "")]);
}

#[tokio::test]
async fn stale_if_match_is_412() {
    let rules = CustomRules::start().await;
    let path = rules.path(&format!("/rules/{}", rules.rule("a").await));
    let tag = rules.app.get(&rules.path("")).await.headers["etag"].clone();
    let send = |method: Method, path: String, body: Value, tag: &str| {
        let mut request = rules.app.request(method, &path, body.to_string());
        request.headers_mut().insert("if-match", tag.parse().unwrap());
        rules.app.send(request)
    };
    let tag = tag.to_str().unwrap();
    let changed = send(Method::PATCH, path.clone(), json!({"enabled": false}), tag).await;
    assert_eq!(changed.status, 200);
    assert_ne!(changed.headers["etag"], tag);
    for (method, path) in [
        (Method::PATCH, path.clone()),
        (Method::DELETE, path),
        (Method::PUT, rules.path("")),
        (Method::PUT, rules.app.zone(CUSTOM)),
        (Method::DELETE, rules.path("")),
    ] {
        let body = if method == Method::PUT { json!({"rules": []}) } else { json!({"enabled": true}) };
        send(method, path, body, tag).await.assert_errors(412, &[(10412, "")]);
    }
    assert_eq!(send(Method::PUT, rules.path(""), json!({"rules": []}), "*").await.status, 200);
    let none = rules.app.zone("/rulesets/phases/http_ratelimit/entrypoint");
    send(Method::PUT, none, json!({"rules": []}), "*").await.assert_errors(412, &[(10412, "")]);
}

#[tokio::test]
async fn every_change_honors_if_match() {
    let app = TestApp::start().await;
    let send = |method: Method, path: String, body: Value, tag: String| {
        let mut request = app.request(method, &path, body.to_string());
        request.headers_mut().insert("if-match", tag.parse().unwrap());
        app.send(request)
    };
    let managed = "http_request_firewall_managed";
    let custom = "http_request_firewall_custom";
    let roots = [
        (app.zone("/rulesets"), custom, "zone"),
        (app.zone_named("enterprise.example", "/rulesets"), managed, "zone"),
        (app.account("/rulesets"), custom, "root"),
        (app.account("/rulesets"), custom, "custom"),
    ];
    for (root, phase, kind) in roots {
        let skip = json!({"action": "skip", "expression": "ssl", "action_parameters": {"ruleset": "current"}});
        let new = |name: &str| json!({"name": name, "kind": kind, "phase": phase, "rules": [skip]});
        for tag in ["\"x\"", "*"] {
            send(Method::POST, root.clone(), new("n"), tag.to_owned()).await.assert_errors(412, &[(10412, "")]);
        }
        let created = app.post(&root, new("n")).await;
        assert_eq!(created.status, 200, "{created:?}");
        let rule_path = format!("{root}/{}", created.id());
        let rule = format!("{rule_path}/rules/{}", created.body["result"]["rules"][0]["id"].as_str().unwrap());
        let changed = app.put(&rule_path, json!({"description": "d"})).await;
        let tag = |response: &TestResponse| response.headers["etag"].to_str().unwrap().to_owned();
        let mut changes = vec![
            (Method::PUT, rule_path.clone(), json!({"rules": []})),
            (Method::DELETE, rule_path.clone(), Value::Null),
            (Method::POST, format!("{rule_path}/rules"), skip.clone()),
            (Method::PATCH, rule.clone(), json!({"enabled": false})),
            (Method::DELETE, rule, Value::Null),
        ];
        if kind != "custom" {
            changes.push((Method::PUT, format!("{root}/phases/{phase}/entrypoint"), json!({"rules": []})));
        }
        for (method, path, body) in changes {
            for tag in ["\"x\"".to_owned(), tag(&created), String::new()] {
                send(method.clone(), path.clone(), body.clone(), tag).await.assert_errors(412, &[(10412, "")]);
            }
        }
        // To delete a version, the tag of that version or of the current ruleset must match.
        for if_match in ["\"x\"", ""] {
            let deleted =
                send(Method::DELETE, format!("{rule_path}/versions/1"), Value::Null, if_match.to_owned()).await;
            deleted.assert_errors(412, &[(10412, "")]);
        }
        assert_eq!(app.get(&rule_path).await.body["result"], changed.body["result"], "{kind}");
        assert_eq!(app.get(&format!("{rule_path}/versions")).await.pluck("version"), ["1", "2"]);
        assert_eq!(app.put(&rule_path, json!({"description": "e"})).await.status, 200);
        let version = app.get(&format!("{rule_path}/versions/1")).await;
        for (number, etag) in [("1", tag(&version)), ("2", tag(&app.get(&rule_path).await))] {
            let path = format!("{rule_path}/versions/{number}");
            assert_eq!(send(Method::DELETE, path, Value::Null, etag).await.status, 204, "{kind}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_rule_changes_are_all_persisted() {
    let rules = CustomRules::start().await;
    let mut tasks = Vec::new();
    for number in 0..12 {
        let name = ["a", "b", "c"][number % 3];
        let path = rules.path(&format!("/rules/{}", rules.rule(name).await));
        let body = match number {
            0..3 => json!({"enabled": false}),
            _ => {
                json!({"action": "log", "expression": "ssl", "ref": name, "enabled": false, "description": number.to_string()})
            }
        };
        let request = rules.app.request(Method::PATCH, &path, body.to_string());
        let router = rules.app.router.clone();
        tasks.push(tokio::spawn(async move { tower::ServiceExt::oneshot(router, request).await.unwrap().status() }));
    }
    for task in tasks {
        assert_eq!(task.await.unwrap(), 200);
    }
    let whole = rules.fetch_ruleset().await;
    assert_eq!(whole["version"], "13", "each change creates a version");
    for rule in whole["rules"].as_array().unwrap() {
        assert_eq!((&rule["enabled"], &rule["action"]), (&json!(false), &json!("log")), "{rule}");
    }
    assert_eq!(rules.app.get(&rules.path("/versions")).await.pluck("version").len(), 13);
}

#[tokio::test]
async fn custom_rule_limit_depends_on_the_plan() {
    let app = TestApp::start().await;
    let path = app.zone_on_plan("free", CUSTOM);
    let rules = |count: usize| json!({"rules": (0..count).map(|n| rule(&n.to_string())).collect::<Vec<_>>()});
    let rejection = app.put(&path, rules(6)).await;
    rejection.assert_errors(400, &[(20217, "/rules")]);
    let message = "exceeded maximum number of rules for phase 'http_request_firewall_custom': 6 out of 5";
    assert_eq!(rejection.message(), message);
    let id = app.put(&path, rules(5)).await.id();
    let one_more = app.zone_on_plan("free", &format!("/rulesets/{id}/rules"));
    app.post(&one_more, rule("x")).await.assert_errors(400, &[(20217, "")]);
    assert_eq!(app.put(&app.zone(CUSTOM), rules(101)).await.status, 200);
    let log = json!({"rules": [{"action": "log", "expression": "ssl"}]});
    app.put(&path, log).await.assert_errors(400, &[(20120, "/rules/0/action")]);
}
