//! The relay rejects requests that the upstream would reject, with the messages of the service, and does not forward
//! them.

use super::harness::{ID, RecordingUpstream, TestRelay, success};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde_json::{Value, json};

/// An upstream that responds to reads like a service with a zone on this plan.
async fn start_upstream(plan: &'static str) -> RecordingUpstream {
    RecordingUpstream::with_handler(move |request| {
        let path = request.path_and_query.trim_start_matches(&format!("/client/v4/zones/{ID}")).to_owned();
        let anomaly = json!({"id": ID, "name": "p", "description": "", "detection_mode": "anomaly", "zone_id": ID,
            "status": "active", "sensitivity": "high", "action_mode": "challenge"});
        let group = json!({"id": ID, "name": "g", "description": null, "rules_count": 1, "modified_rules_count": 0,
            "package_id": ID, "mode": "on", "allowed_modes": ["on", "off"]});
        let rule = json!({"id": "100015", "description": "", "priority": "1", "package_id": ID,
            "group": {"id": ID, "name": "g"}, "mode": "on", "allowed_modes": ["on", "off"]});
        let page_rule = json!({"id": ID, "priority": 1, "status": "active", "actions": [{"id": "disable_security"}],
            "targets": [{"target": "url", "constraint": {"operator": "matches", "value": "a.example/*"}}],
            "created_on": "2022-01-01T00:00:00Z", "modified_on": "2022-01-01T00:00:00Z"});
        let job = json!({"id": 7, "dataset": "firewall_events", "name": null, "enabled": true, "kind": "",
            "destination_conf": "gs://bucket", "last_complete": null, "last_error": null, "error_message": null,
            "frequency": "high", "unknown_member": {}});
        success(match path.as_str() {
            "" => json!({"id": ID, "plan": {"legacy_id": plan, "price": 0}, "name_servers": []}),
            path if path.ends_with("/rules/100015") => rule,
            path if path.contains("/groups/") => group,
            path if path.starts_with("/firewall/waf/packages/") => anomaly,
            path if path.starts_with("/pagerules/") => page_rule,
            path if path.starts_with("/logpush/jobs/") => job,
            path if path.starts_with("/rulesets/") => {
                json!({"id": ID, "kind": "zone", "phase": "http_ratelimit", "rules": []})
            }
            _ => Value::Null,
        })
    })
    .await
}

/// Method, path, body, and its errors.
type Case = (&'static str, &'static str, Value, &'static [(u64, &'static str)]);

fn invalid_cases() -> Vec<Case> {
    let filter = json!({"expression": "http.host eq 'a'"});
    let log = json!({"action": "log", "filter": {"expression": "ssl"}});
    let execute = |action: &str| json!({"name": "default", "rules": [{"action": action, "expression": "true"}]});
    vec![
        ("POST", "/z/filters", json!([filter, {}]), &[(10016, "/0/expression"), (10014, "/1/expression")]),
        ("PUT", "/z/filters", json!([{"expression": "ssl"}]), &[(10014, "/0/id")]),
        ("PUT", "/z/filters/ID", filter.clone(), &[(10016, "/expression")]),
        ("POST", "/z/firewall/rules", json!([log]), &[(10015, "/0/action")]),
        (
            "PUT",
            "/z/firewall/rules/ID",
            json!({"action": "block", "filter": {"expression": "ssl"}}),
            &[(10014, "/filter/id")],
        ),
        ("PATCH", "/z/firewall/rules", json!([{"id": ID, "priority": "1"}]), &[(10014, "/0/priority")]),
        ("PATCH", "/z/firewall/rules/ID", json!({"priority": -1}), &[(10014, "/priority")]),
        ("DELETE", "/z/firewall/rules/ID", json!({"delete_filter": true}), &[(10014, "/delete_filter")]),
        ("DELETE", "/z/filters", json!([7]), &[(10014, "/0")]),
        ("PATCH", "/z/firewall/waf/packages/ID", json!({"sensitivity": "highest"}), &[(10015, "/sensitivity")]),
        ("PATCH", "/z/firewall/waf/packages/ID/groups/ID", json!({"mode": "none"}), &[(10015, "/mode")]),
        ("PATCH", "/z/firewall/waf/packages/ID/rules/100015", json!({"mode": "block"}), &[(10015, "/mode")]),
        ("PATCH", "/z/settings/waf", json!({"value": 1}), &[(1007, "/value")]),
        ("POST", "/z/pagerules", json!({"targets": []}), &[(1004, "/targets"), (1004, "/actions")]),
        ("PATCH", "/z/pagerules/ID", json!({"status": "on"}), &[(1004, "/status")]),
        (
            "PUT",
            "/z/rulesets/phases/http_request_firewall_managed/entrypoint",
            execute("block"),
            &[(20120, "/rules/0/action")],
        ),
        (
            "PUT",
            "/z/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=now&phase_two=1",
            json!({}),
            &[(10015, "")],
        ),
        (
            "PUT",
            "/z/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=pending&waf_migration=validation",
            json!({}),
            &[(10015, "")],
        ),
        ("PUT", "/z/rulesets/phases/http_ratelimit/entrypoint", execute("skip"), &[(20120, "/rules/0/action")]),
        ("POST", "/z/rulesets", json!({"name": "a", "kind": "zone"}), &[(10014, "/phase"), (10014, "/rules")]),
        ("POST", "/z/rulesets?waf_migration=pending", json!({}), &[(10015, "")]),
        ("PUT", "/z/rulesets/ID?dry_run=yes", json!({"rules": []}), &[(10015, "")]),
        (
            "PUT",
            "/z/rulesets/ID",
            json!({"rules": [{"action": "block", "expression": "a.b"}]}),
            &[(20127, "/rules/0/expression"), (10014, "/rules/0/ratelimit")],
        ),
        ("POST", "/z/rulesets/ID/rules", json!({"action": "block"}), &[(10014, "/expression"), (10014, "/ratelimit")]),
        ("PATCH", "/z/rulesets/ID/rules/ID", json!({"position": {"index": 0}}), &[(20120, "/position/index")]),
        ("POST", "/z/logpush/jobs", json!({"name": "a b"}), &[(1002, "/destination_conf"), (1002, "/name")]),
        ("POST", "/z/logpush/jobs", json!({"destination_conf": "file:///etc"}), &[(1002, "/destination_conf")]),
        ("PUT", "/z/logpush/jobs/7", json!({"dataset": "http_requests"}), &[(1002, "/dataset")]),
        ("POST", "/z/logpush/edge/jobs", json!({"sample": 0}), &[(1002, "/sample")]),
        ("POST", "/z/logpush/ownership", json!([]), &[(1002, "")]),
        ("POST", "/accounts/ID/logpush/jobs", json!({}), &[(1002, "/destination_conf"), (1002, "/dataset")]),
        ("POST", "/accounts/ID/logpush/transformers", json!({"name": "n".repeat(256)}), &[(10015, "/name")]),
    ]
}

#[tokio::test]
async fn invalid_bodies_are_rejected_and_not_forwarded() {
    let upstream = start_upstream("pro").await;
    let relay = TestRelay::with_client_credentials(&upstream.address);
    for (method, path, body, errors) in invalid_cases() {
        let response = relay.call(method, &path.replace("ID", ID), body.to_string()).await;
        assert_eq!(response.status, 400, "{method} {path}");
        response.assert_errors(400, errors);
    }
    for body in ["", "{", "[1,]", "\u{feff}[]", "[{\"expression\":\"ssl\",\"expression\":\"ssl\"}]"] {
        let response = relay.call("POST", "/z/filters", body).await;
        assert_eq!(response.status, 400, "{body}");
    }
    let forwarded_writes: Vec<String> =
        upstream.drain_calls().into_iter().filter(|call| !call.starts_with("GET ")).collect();
    assert_eq!(forwarded_writes, Vec::<String>::new());
}

#[tokio::test]
async fn valid_bodies_are_forwarded_unchanged() {
    let upstream = start_upstream("enterprise").await;
    let relay = TestRelay::with_client_credentials(&upstream.address);
    let rule = json!({"id": ID, "filter": {"id": ID}, "action": "log"});
    let limit = json!({"characteristics": ["ip.src", "cf.colo.id"], "period": 60, "requests_per_period": 10});
    let ruleset = json!({"rules": [{"action": "block", "expression": "ssl", "ratelimit": limit}]});
    let other = "f".repeat(32);
    let execute = json!({"rules": [{"action": "execute", "expression": "true", "action_parameters": {"id": other}}]});
    for (method, path, body) in [
        ("PUT", "/z/filters", json!([{"id": ID, "expression": "ssl"}])),
        ("PUT", "/z/filters/ID", json!({"id": ID, "expression": "ssl"})),
        ("PUT", "/z/firewall/rules", json!([rule])),
        ("PUT", "/z/firewall/rules/ID", rule.clone()),
        ("PATCH", "/z/firewall/rules", json!([{"id": ID, "priority": null}])),
        ("DELETE", "/z/firewall/rules", json!({"id": ID})),
        ("PATCH", "/z/firewall/waf/packages/ID/rules/100015", json!({"mode": "off"})),
        ("PATCH", "/z/pagerules/ID", json!({"status": "disabled"})),
        ("PUT", "/z/rulesets/ID", ruleset),
        (
            "PUT",
            "/z/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=validation&phase_two=1",
            execute,
        ),
        ("PATCH", "/z/rulesets/ID/rules/ID", json!({"enabled": false})),
        ("PUT", "/z/logpush/jobs/7", json!({"enabled": false})),
        ("POST", "/z/logpush/validate/destination", json!({"destination_conf": "nonsense"})),
        ("POST", "/filters/validate-expr", json!({"expression": "(("})),
    ] {
        upstream.drain_requests();
        let path = path.replace("ID", ID);
        let response = relay.call(method, &path, body.to_string()).await;
        assert_eq!(response.status, 200, "{method} {path}: {response:?}");
        let sent = upstream.drain_requests().into_iter().filter(|request| request.method != "GET").collect::<Vec<_>>();
        assert_eq!(sent.len(), 1, "{method} {path}");
        assert_eq!(sent[0].body, body.to_string());
    }
}

#[tokio::test]
async fn unlisted_managed_rule_adds_a_warning_to_the_response() {
    let upstream = start_upstream("enterprise").await;
    let relay = TestRelay::with_client_credentials(&upstream.address);
    let id = "efb7b8c949ac4650a09736fc376e9aee";
    let overrides = json!({"categories": [{"category": "unknown-category"}, {"category": "wordpress"}],
        "rules": [{"id": ID, "action": "log"}]});
    let execute =
        json!({"action": "execute", "expression": "true", "action_parameters": {"id": id, "overrides": overrides}});
    let pointer = "/action_parameters/overrides";
    let path = "/z/rulesets/phases/http_request_firewall_managed/entrypoint?dry_run=true";
    let saved = relay.call("PUT", path, json!({"rules": [execute]}).to_string()).await;
    assert_eq!((saved.status, &saved.body["success"]), (200, &json!(true)), "{saved:?}");
    let messages = saved.body["messages"].as_array().unwrap();
    let pointers: Vec<&str> = messages.iter().map(|message| message["source"]["pointer"].as_str().unwrap()).collect();
    assert_eq!(pointers, [format!("/rules/0{pointer}/categories/0/category"), format!("/rules/0{pointer}/rules/0/id")]);
    assert!(messages[0]["message"].as_str().unwrap().contains("`unknown-category`"), "{messages:?}");
}

/// The body of a rule whose action needs Enterprise.
fn enterprise_rules() -> String {
    json!([{"action": "log", "filter": {"expression": "ssl"}}]).to_string()
}

#[tokio::test]
async fn plan_is_cached_per_client() {
    let upstream = start_upstream("pro").await;
    let relay = TestRelay::with_client_credentials(&upstream.address);
    for _ in 0..3 {
        let response = relay.call("POST", "/z/firewall/rules", enterprise_rules()).await;
        response.assert_errors(400, &[(10015, "/0/action")]);
    }
    assert_eq!(upstream.drain_calls(), [format!("GET /client/v4/zones/{ID}")]);
    let other_client = [("authorization", "Bearer of-another")];
    relay.send(super::harness::request("POST", "/z/firewall/rules", &other_client, enterprise_rules())).await;
    assert_eq!(upstream.drain_calls(), [format!("GET /client/v4/zones/{ID}")]);
}

#[tokio::test]
async fn unknown_plan_allows_every_action() {
    for plan in ["partners_plan", ""] {
        let upstream = start_upstream(plan).await;
        let relay = TestRelay::with_client_credentials(&upstream.address);
        assert_eq!(relay.call("POST", "/z/firewall/rules", enterprise_rules()).await.status, 200);
    }
}

#[tokio::test]
async fn unreadable_plan_or_object_leaves_validation_to_the_upstream() {
    let upstream = RecordingUpstream::with_handler(|request| {
        if request.method == "GET" { (StatusCode::FORBIDDEN, "{}").into_response() } else { success(json!([])) }
    })
    .await;
    let relay = TestRelay::with_client_credentials(&upstream.address);
    assert_eq!(relay.call("POST", "/z/firewall/rules", enterprise_rules()).await.status, 200);
    let calls = upstream.drain_calls();
    assert_eq!(calls.len(), 2, "{calls:?}");
    let relay = TestRelay::with_client_credentials(&upstream.address);
    let response = relay.call("PUT", "/z/logpush/jobs/7", r#"{"dataset": "x"}"#).await;
    assert_eq!(response.status, 200, "{response:?}");
}
