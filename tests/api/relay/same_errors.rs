//! The relay rejects a body or parameter with the same response as the service, and does not forward it.

use super::harness::{TestRelay, listen};
use crate::app::TestApp;
use axum::extract::Request;
use axum::http::Method;
use axum::middleware::{Next, from_fn};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A service that counts writes, and a relay in front of it.
struct ServiceBehindRelay {
    app: TestApp,
    relay: TestRelay,
    write_count: Arc<AtomicUsize>,
}

impl ServiceBehindRelay {
    async fn start() -> ServiceBehindRelay {
        let app = TestApp::start().await;
        let write_count = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&write_count);
        let counted = app.router.clone().layer(from_fn(move |request: Request, next: Next| {
            counter.fetch_add(usize::from(!request.method().is_safe()), Ordering::Relaxed);
            next.run(request)
        }));
        let relay = TestRelay::with_client_credentials(&listen(counted).await);
        ServiceBehindRelay { app, relay, write_count }
    }

    /// Sends the request to both: `None` when the errors are equal and nothing is forwarded, else the difference.
    async fn difference(&self, method: &str, path: &str, body: &str) -> Option<String> {
        let request = || self.app.request(Method::from_bytes(method.as_bytes()).unwrap(), path, body.to_owned());
        let (direct, relayed) = (self.app.send(request()).await, self.relay.send(request()).await);
        let sent = self.write_count.swap(0, Ordering::Relaxed);
        let is_rejected = (400..500).contains(&direct.status);
        let is_same = (relayed.status, &relayed.body) == (direct.status, &direct.body);
        (!is_rejected || !is_same || sent > 0)
            .then(|| format!("{method} {path} {body}\n  {direct:?}\n  {relayed:?}\n  forwarded: {sent}"))
    }
}

/// The values of the placeholders in the table.
async fn objects(app: &TestApp) -> Vec<(&'static str, String)> {
    let filter = app.create_filter("ssl").await;
    let rule =
        app.post(&app.zone("/firewall/rules"), json!([{"filter": {"id": filter}, "action": "block"}])).await.id();
    let first = json!({"action": "block", "expression": "ssl"});
    let phase = "http_request_firewall_custom";
    let ruleset = json!({"name": "a", "kind": "zone", "phase": phase, "rules": [first]});
    let ruleset = app.post(&app.zone("/rulesets"), ruleset).await;
    let custom = json!({"name": "a", "kind": "custom", "phase": phase, "rules": [first]});
    let custom = app.post(&app.account("/rulesets"), custom).await;
    let inner = ruleset.body["result"]["rules"][0]["id"].as_str().unwrap().to_owned();
    let destination = json!({"dataset": "http_requests", "destination_conf": "gs://bucket/a"});
    let job = app.post(&app.zone("/logpush/jobs"), destination).await.body["result"]["id"].to_string();
    let target = json!({"target": "url", "constraint": {"operator": "matches", "value": "a.example/*"}});
    let page = json!({"targets": [target], "actions": [{"id": "disable_security"}]});
    let page = app.post(&app.zone("/pagerules"), page).await.id();
    let package =
        app.get(&app.zone("/firewall/waf/packages")).await.body["result"][1]["id"].as_str().unwrap().to_owned();
    vec![
        ("FILTER", filter),
        ("INNER", inner),
        ("RULESET", ruleset.id()),
        ("CUSTOM", custom.id()),
        ("RULE", rule),
        ("JOB", job),
        ("PAGE", page),
        ("PACKAGE", package),
        ("PHASES", "rulesets/phases".to_owned()),
        ("UNKNOWN", "f".repeat(32)),
    ]
}

fn ruleset(rules: Value) -> Value {
    json!({"name": "a", "kind": "zone", "phase": "http_request_firewall_custom", "rules": rules})
}

/// Method, path below a zone, and an invalid body.
fn bodies() -> Vec<(&'static str, &'static str, Value)> {
    let block = json!({"action": "block", "expression": "ssl"});
    let with = |name: &str, value: Value| {
        let mut rule = block.clone();
        rule[name] = value;
        json!({"rules": [rule]})
    };
    let rule = json!({"id": "RULE", "filter": {"id": "FILTER"}, "action": "block"});
    let many = Value::Array(vec![json!({"id": "RULE"}); 26]);
    let (custom, managed) =
        ("/PHASES/http_request_firewall_custom/entrypoint", "/PHASES/http_request_firewall_managed/entrypoint");
    let execute = |overrides: Value| {
        let parameters = json!({"id": "efb7b8c949ac4650a09736fc376e9aee", "overrides": overrides});
        json!({"rules": [{"action": "execute", "expression": "true", "action_parameters": parameters}]})
    };
    vec![
        ("POST", "/filters", json!([])),
        (
            "POST",
            "/filters",
            json!([{"expression": "ssl", "paused": "yes", "description": "d".repeat(501), "nonsense": 1}]),
        ),
        ("POST", "/filters", json!([{"expression": "http.host eq 'a'"}, {}, 7])),
        ("PUT", "/filters", json!([{"expression": "ssl"}])),
        ("PUT", "/filters", json!([{"id": "FILTER", "expression": "ssl"}, {"id": "FILTER", "expression": "not ssl"}])),
        ("PUT", "/filters/FILTER", json!({"id": "UNKNOWN", "expression": "ssl"})),
        ("PUT", "/filters/FILTER", json!([{"expression": "ssl"}])),
        ("DELETE", "/filters", json!([7])),
        ("DELETE", "/filters?id=7", Value::Null),
        ("DELETE", "/filters", json!({"id": 7})),
        ("POST", "/firewall/rules", json!([{"action": "drop", "filter": {"expression": "((" }}])),
        ("POST", "/firewall/rules", json!([{"action": "bypass", "filter": {"expression": "ssl"}}])),
        ("PUT", "/firewall/rules", many),
        ("PUT", "/firewall/rules", json!([rule, rule])),
        ("PUT", "/firewall/rules", json!([{"filter": {"id": "FILTER"}, "action": "block"}])),
        ("PUT", "/firewall/rules/RULE", json!({"action": "block", "filter": {"expression": "ssl"}})),
        ("PUT", "/firewall/rules/RULE", json!({"id": "UNKNOWN", "action": "block", "filter": {"id": "FILTER"}})),
        ("PATCH", "/firewall/rules", json!([{"id": "RULE"}, {"id": "x", "priority": 1}])),
        ("PATCH", "/firewall/rules", json!([{"id": "RULE", "priority": 1}, {"id": "RULE", "priority": 2}])),
        ("PATCH", "/firewall/rules/RULE", json!({"priority": "1"})),
        ("PATCH", "/firewall/rules/RULE", json!({"priority": 1, "paused": true})),
        ("DELETE", "/firewall/rules", json!({"delete_filter_if_unused": 1})),
        ("DELETE", "/firewall/rules?id=RULE&id=7", Value::Null),
        ("DELETE", "/firewall/rules/RULE", json!({"delete_filter": true})),
        ("PATCH", "/firewall/waf/packages/PACKAGE", json!({"sensitivity": "highest"})),
        ("POST", "/firewall/waf/overrides", json!({"urls": []})),
        ("PATCH", "/settings/waf", json!({"value": 1})),
        ("POST", "/pagerules", json!({"targets": [], "priority": "1"})),
        ("PATCH", "/pagerules/PAGE", json!({"status": "on"})),
        ("POST", "/rulesets", json!({})),
        ("POST", "/rulesets", json!([])),
        ("POST", "/rulesets", json!({"name": "a", "kind": "custom", "phase": "http_ratelimit", "rules": []})),
        ("POST", "/rulesets", json!({"name": "a", "kind": "zone", "phase": "http_request_fire", "rules": []})),
        (
            "POST",
            "/rulesets",
            ruleset(
                json!([{"action": "allow", "expression": "ip.src eq"}, 3, {"action": "skip", "expression": "true"}]),
            ),
        ),
        ("POST", "/rulesets", ruleset(json!([{"action": "log", "expression": "ssl", "nonsense": 1}]))),
        ("PUT", "/rulesets/RULESET", json!({})),
        ("PUT", "/rulesets/RULESET", json!({"kind": "root", "rules": {}})),
        ("PUT", "/rulesets/RULESET", with("logging", json!({"enabled": true}))),
        ("PUT", custom, with("ratelimit", json!({}))),
        ("PUT", custom, with("action_parameters", json!({"response": {"status_code": 200}}))),
        (
            "PUT",
            custom,
            json!({"rules": [{"action": "skip", "expression": "true", "action_parameters": {"ruleset": "other", "products": ["none"]}}]}),
        ),
        ("PUT", managed, json!({"rules": [block]})),
        ("PUT", managed, execute(json!({"action": "simulate", "rules": [{"action": "allow"}]}))),
        ("PUT", managed, execute(json!({"sensitivity_level": "low", "categories": [{}]}))),
        ("PUT", "/PHASES/magic_transit/entrypoint", json!({"rules": []})),
        ("PUT", "/PHASES/http_ratelimit/entrypoint", json!({"rules": [block]})),
        (
            "PUT",
            "/PHASES/http_request_transform/entrypoint",
            json!({"rules": [{"action": "rewrite", "expression": "true", "action_parameters": {"uri": {}}}]}),
        ),
        ("POST", "/rulesets/RULESET/rules", json!({"action": "block", "position": {}})),
        ("POST", "/rulesets/RULESET/rules", json!({"action": "execute", "expression": "true"})),
        ("PATCH", "/rulesets/RULESET/rules/INNER", json!({})),
        ("PATCH", "/rulesets/RULESET/rules/INNER", json!({"id": "UNKNOWN", "enabled": 1})),
        ("PATCH", "/rulesets/RULESET/rules/INNER", json!({"position": {"index": 0}})),
        ("PATCH", "/rulesets/RULESET/rules/INNER", json!({"expression": "http.response.code eq 1", "action": "log"})),
        ("PUT", "/rulesets/phases/http_request_firewall_custom/entrypoint?waf_migration=pending", json!({"rules": []})),
        (
            "PUT",
            "/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migratoin=pending",
            json!({"rules": []}),
        ),
        ("PUT", "/rulesets/RULESET?dry_run=1", json!({"rules": []})),
        ("POST", "/logpush/jobs", json!({"name": "a b"})),
        ("PUT", "/logpush/jobs/JOB", json!({"dataset": "firewall_events", "frequency": "often"})),
        ("POST", "/logpush/ownership", json!([])),
        ("POST", "/logpush/edge/jobs", json!({"sample": 0})),
    ]
}

#[tokio::test]
async fn relay_and_service_reject_bodies_equally() {
    let (pair, mut found) = (ServiceBehindRelay::start().await, Vec::new());
    let objects = objects(&pair.app).await;
    let named = |text: &str| objects.iter().fold(text.to_owned(), |text, (name, id)| text.replace(name, id));
    for (method, path, body) in bodies() {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        found.extend(pair.difference(method, &pair.app.zone(&named(path)), &named(&body)).await);
    }
    for (method, path, body) in [
        ("POST", "/rulesets", json!({"name": "a", "kind": "zone", "phase": "http_request_transform", "rules": []})),
        ("PUT", "/PHASES/http_request_transform/entrypoint", json!({"rules": []})),
        (
            "PUT",
            "/rulesets/CUSTOM",
            json!({"phase": "http_ratelimit", "rules": [{"action": "execute", "expression": "true"}]}),
        ),
        ("POST", "/rulesets/CUSTOM/rules", json!({"action": "block", "expression": "a.b"})),
        ("POST", "/logpush/jobs", json!({})),
    ] {
        found.extend(pair.difference(method, &pair.app.account(&named(path)), &named(&body.to_string())).await);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[tokio::test]
async fn relay_and_service_reject_bodies_equally_on_each_plan() {
    let (pair, mut found) = (ServiceBehindRelay::start().await, Vec::new());
    let log = json!({"action": "log", "expression": "ssl"});
    for plan in ["free", "pro", "business"] {
        for (path, body) in [
            ("/filters", json!([{"expression": "http.host matches \"a\"", "paused": 1}])),
            ("/firewall/rules", json!([{"filter": {"expression": "ssl"}, "action": "log"}])),
            ("/rulesets", ruleset(json!([log]))),
        ] {
            found.extend(pair.difference("POST", &pair.app.zone_on_plan(plan, path), &body.to_string()).await);
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[tokio::test]
async fn relay_and_service_reject_malformed_json_equally() {
    let (pair, mut found) = (ServiceBehindRelay::start().await, Vec::new());
    for body in ["", "{", "[1,]", "\u{feff}[]", "[{\"expression\":\"ssl\",\"expression\":\"ssl\"}]", "null", "3"] {
        for (method, path) in [("POST", "/filters"), ("PATCH", "/firewall/rules"), ("POST", "/rulesets")] {
            found.extend(pair.difference(method, &pair.app.zone(path), body).await);
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
