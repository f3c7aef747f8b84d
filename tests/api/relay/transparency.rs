//! The relay in front of another instance of this service: both return the same responses.

use super::harness::{TestRelay, listen};
use crate::app::{TestApp, TestResponse};
use crate::contract::check;
use axum::http::Method;
use serde_json::{Value, json};
use std::time::Duration;

/// A service, and a relay in front of it.
struct ServiceBehindRelay {
    app: TestApp,
    relay: TestRelay,
}

impl ServiceBehindRelay {
    async fn start() -> ServiceBehindRelay {
        let app = TestApp::start_migrating(Duration::from_millis(50)).await;
        let relay = TestRelay::with_client_credentials(&listen(app.router.clone()).await);
        ServiceBehindRelay { app, relay }
    }

    async fn call(&self, method: Method, path: &str, body: impl Into<axum::body::Body>) -> TestResponse {
        let response = self.relay.send(self.app.request(method.clone(), path, body)).await;
        check(self.relay.document, &method, path, &response);
        response
    }

    async fn send(&self, method: Method, path: &str, body: Value) -> TestResponse {
        self.call(method, path, body.to_string()).await
    }

    /// A read through the relay; the response must equal that of the service.
    async fn get(&self, path: &str) -> TestResponse {
        let (through, direct) = (self.call(Method::GET, path, "").await, self.app.get(path).await);
        assert_eq!((through.status, &through.body), (direct.status, &direct.body), "{path}");
        assert_eq!(through.headers.get("etag"), direct.headers.get("etag"), "{path}");
        through
    }
}

#[tokio::test]
async fn reads_return_the_response_of_the_service() {
    let pair = ServiceBehindRelay::start().await;
    let package = pair.app.get(&pair.app.zone("/firewall/waf/packages")).await.id();
    for path in ["/client/v4/zones?per_page=5", "/client/v4/user/tokens/verify", "/client/v4/accounts"] {
        assert_eq!(pair.get(path).await.status, 200);
    }
    for rest in [
        "",
        "/filters?page=2&per_page=5",
        "/firewall/rules?action=block",
        "/firewall/waf/packages?order=name&direction=desc",
        &format!("/firewall/waf/packages/{package}/groups?mode=on"),
        &format!("/firewall/waf/packages/{package}/rules?per_page=100"),
        "/firewall/waf/overrides",
        "/settings/waf",
        "/pagerules?status=active",
        "/rulesets",
        "/waf_migration/check?phase_two=1",
        "/waf_migration/status",
        "/logpush/jobs",
        "/logpush/datasets/http_requests/fields/default",
        "/logpush/edge",
    ] {
        assert_eq!(pair.get(&pair.app.zone(rest)).await.status, 200, "{rest}");
    }
    for rest in ["", "/tokens/verify", "/logpush/jobs"] {
        assert_eq!(pair.get(&pair.app.account(rest)).await.status, 200, "{rest}");
    }
    assert_eq!(pair.get("/client/v4/user").await.status, 403);
    // Errors as well.
    assert_eq!(pair.get(&pair.app.zone("/waf_migration/config?phase_two=1")).await.status, 400);
    assert_eq!(pair.get(&pair.app.zone("/filters?per_page=1000")).await.status, 400);
    assert_eq!(pair.get(&pair.app.zone("/rulesets/phases/http_ratelimit/entrypoint")).await.status, 404);
    assert_eq!(pair.get(&format!("/client/v4/zones/{}", "0".repeat(32))).await.status, 404);
    let mut request = pair.app.request(Method::GET, "/client/v4/zones", "");
    request.headers_mut().insert("authorization", format!("Bearer {}", "x".repeat(40)).parse().unwrap());
    pair.relay.send(request).await.assert_errors(403, &[(10000, "")]);
}

#[tokio::test]
async fn filters_rules_and_page_rules_are_created_through_the_relay() {
    let pair = ServiceBehindRelay::start().await;
    let zone = |rest: &str| pair.app.zone(rest);
    let filters = pair.send(Method::POST, &zone("/filters"), json!([{"expression": "ssl", "paused": true}])).await;
    assert_eq!(filters.status, 200, "{filters:?}");
    let rule = json!([{"filter": {"id": filters.id()}, "action": "block"}]);
    let rules = pair.send(Method::POST, &zone("/firewall/rules"), rule).await;
    assert_eq!(pair.get(&zone(&format!("/firewall/rules/{}", rules.id()))).await.id(), rules.id());
    // An error that only the upstream can detect.
    let repeated = pair.send(Method::POST, &zone("/filters"), json!([{"expression": "ssl"}])).await;
    repeated.assert_errors(400, &[(10102, "/0/expression")]);
    assert_eq!(repeated.body["errors"][0]["meta"]["id"], json!(filters.id()));
    let in_use = pair.call(Method::DELETE, &zone(&format!("/filters/{}", filters.id())), "").await;
    in_use.assert_errors(400, &[(10104, "")]);
    // The relay rejects this, with the message of the service.
    let body = json!([{"expression": "http.host eq 'a'"}]);
    let rejection = pair.send(Method::POST, &zone("/filters"), body.clone()).await;
    assert_eq!(rejection.body, pair.app.post(&zone("/filters"), body).await.body);
    let log = json!([{"filter": {"expression": "not ssl"}, "action": "log"}]);
    let pro = pair.app.zone_on_plan("pro", "/firewall/rules");
    let rejection = pair.send(Method::POST, &pro, log.clone()).await;
    rejection.assert_errors(400, &[(10015, "/0/action")]);
    assert_eq!(rejection.body, pair.app.post(&pro, log).await.body);
    assert_eq!(pair.call(Method::DELETE, &zone(&format!("/firewall/rules/{}", rules.id())), "").await.status, 200);
    assert_eq!(pair.call(Method::DELETE, &zone(&format!("/filters/{}", filters.id())), "").await.status, 200);

    let target = json!([{"target": "url", "constraint": {"operator": "matches", "value": "a.example/*"}}]);
    let page_rule = json!({"targets": target, "actions": [{"id": "disable_security"}]});
    let created = pair.send(Method::POST, &zone("/pagerules"), page_rule).await;
    let path = zone(&format!("/pagerules/{}", created.id()));
    let changed = pair.send(Method::PATCH, &path, json!({"status": "active"})).await;
    assert_eq!(changed.body["result"]["status"], json!("active"), "{changed:?}");
    assert_eq!(pair.call(Method::DELETE, &path, "").await.status, 200);
    let switched = pair.send(Method::PATCH, &zone("/settings/waf"), json!({"value": "off"})).await;
    assert_eq!(switched.body["result"]["value"], json!("off"), "{switched:?}");
}

#[tokio::test]
async fn jobs_are_created_and_changed_through_the_relay() {
    let pair = ServiceBehindRelay::start().await;
    for owner in [pair.app.zone("/logpush/jobs"), pair.app.account("/logpush/jobs")] {
        let dataset = if owner.contains("accounts") { "audit_logs" } else { "http_requests" };
        let body = json!({"dataset": dataset, "destination_conf": "gs://bucket/a", "name": "a"});
        let created = pair.send(Method::POST, &owner, body).await;
        let id = created.body["result"]["id"].as_u64().unwrap_or_else(|| panic!("{created:?}"));
        let path = format!("{owner}/{id}");
        let changed = pair.send(Method::PUT, &path, json!({"name": "b"})).await;
        assert_eq!(changed.body["result"]["name"], json!("b"), "{changed:?}");
        pair.send(Method::PUT, &path, json!({"dataset": "spectrum_events"}))
            .await
            .assert_errors(400, &[(1002, "/dataset")]);
        assert_eq!(pair.call(Method::DELETE, &path, "").await.body["result"]["id"], json!(id));
    }
    let path = pair.app.zone("/logpush/validate/destination");
    let response = pair.send(Method::POST, &path, json!({"destination_conf": "nonsense"})).await;
    assert_eq!(response.body["result"]["valid"], json!(false));
}

#[tokio::test]
async fn unlisted_managed_rule_is_warned_about_once() {
    let pair = ServiceBehindRelay::start().await;
    let overrides = json!({"rules": [{"id": "0123456789abcdef0123456789abcdef", "action": "log"}]});
    let parameters = json!({"id": "efb7b8c949ac4650a09736fc376e9aee", "overrides": overrides});
    let body = json!({"rules": [{"action": "execute", "expression": "true", "action_parameters": parameters}]});
    let path = pair.app.zone_on_plan("enterprise", "/rulesets/phases/http_request_firewall_managed/entrypoint");
    let through = pair.send(Method::PUT, &path, body.clone()).await;
    let direct = pair.app.put(&path, body).await;
    assert_eq!(through.body["messages"].as_array().unwrap().len(), 1, "{through:?}");
    assert_eq!(through.body["messages"], direct.body["messages"]);
}

#[tokio::test]
async fn zone_migrates_through_the_relay() {
    let pair = ServiceBehindRelay::start().await;
    let zone = |rest: &str| pair.app.zone_on_plan("pro", rest);
    let config = pair.get(&zone("/waf_migration/config?phase_two=1")).await;
    assert_eq!(config.status, 200, "{config:?}");
    let path = zone("/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=pending&phase_two=1");
    let mut stale = pair.app.request(Method::PUT, &path, config.body["result"].to_string());
    stale.headers_mut().insert("if-match", "\"stale\"".parse().unwrap());
    pair.relay.send(stale).await.assert_errors(412, &[(10412, "")]);
    let mut update = pair.app.request(Method::PUT, &path, config.body["result"].to_string());
    update.headers_mut().insert("if-match", config.headers["etag"].clone());
    let saved = pair.relay.send(update).await;
    assert_eq!(saved.status, 200, "{saved:?}");
    for _ in 0..100 {
        // The state may change between two requests, so the responses are not compared.
        let status = pair.call(Method::GET, &zone("/waf_migration/status"), "").await;
        if status.body["result"]["migration_state"] == json!("complete") {
            pair.get(&zone("/firewall/waf/packages")).await.assert_errors(410, &[(10410, "")]);
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the migration did not complete");
}
