//! Every example of the document is sent as a request, and every shown response equals the received one. `UPDATE=1`
//! writes the responses into the document; read the diff.
//!
//! Requests refer to objects that [`ExampleFixture`] creates, whose IDs differ from those in the document.

use crate::app::{TestApp, TestResponse};
use crate::contract::{Operation, operations};
use crate::openapi::{EXAMPLE_ACCOUNT as ACCOUNT, EXAMPLE_ZONE as ZONE};
use crate::openapi_errors::{common_errors, relay_session_responses, trigger_unready};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use tokio::sync::OnceCell;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/server/src/openapi/examples.json");
/// The timestamp that replaces all timestamps in the document.
const TIME: &str = "2026-11-22T07:00:00Z";
/// The number of items of a list, and of members of a map, that the document shows.
const MAX_SHOWN_ITEMS: usize = 2;
const MAX_SHOWN_MEMBERS: usize = 17;

/// A service with the objects of the examples.
pub(crate) struct ExampleFixture {
    pub(crate) app: TestApp,
    /// The path of the zone or of the account.
    base: String,
    /// IDs in the document, with the actual IDs.
    names: Vec<(&'static str, String)>,
}

const FILTER: &str = "372e67954025e0ba6aaa6d586b9e0b61";
const RULES: [&str; 2] = ["f2d427378e7542acb295380d352e2ebd", "cbf4b7a5a2a24e59a03044d6d44ceb09"];
const FILTER_OF_RULE: &str = "b7ff25282d394be7b945e23c7106ce8a";
const OVERRIDE: &str = "7a1c5b3e9d2f48c6a0e4b8d1f3579bce";
const PAGE_RULE: &str = "9e4d2b8f6a0c4173b5d9e1f7a3c5082d";
const RULESET: &str = "2f8c6a4e0b1d4975c3e7a9f5d1b60284";
const RULESET_RULE: &str = "3a5f7c9e1b4d4068a2c6e0f8d2b41937";

impl ExampleFixture {
    pub(crate) async fn create(path: &str) -> ExampleFixture {
        let app = TestApp::start_with_config(|config| {
            config.log_push.file_root = Some(config.data_dir.join("pushed"));
            config.middleware.metrics = true;
        })
        .await;
        std::fs::create_dir(app.data_dir.path().join("pushed")).unwrap();
        let in_zone = !path.starts_with("/accounts/");
        let base = if in_zone { app.zone_named("enterprise.example", "") } else { app.account("") };
        let zone = app.zone_named("enterprise.example", "").rsplit('/').next().unwrap().to_owned();
        let names = vec![(ZONE, zone), (ACCOUNT, app.demo.account_id.clone())];
        let mut fixture = ExampleFixture { app, base, names };
        if in_zone {
            fixture.fill_zone(path).await;
        }
        fixture.fill_rulesets(in_zone).await;
        let dataset = if in_zone { "http_requests" } else { "audit_logs" };
        let job = json!({"name": "all", "dataset": dataset, "destination_conf": "s3://logs/{DATE}?region=us-west-2"});
        assert_eq!(fixture.post("/logpush/jobs", job).await.body["result"]["id"], 1);
        fixture
    }

    async fn fill_zone(&mut self, path: &str) {
        let filter = self.post("/filters", json!([{"expression": "ip.src in {203.0.113.0/24}"}])).await;
        self.names.push((FILTER, filter.id()));
        for (number, name) in RULES.into_iter().enumerate() {
            let expression = format!("http.request.uri.path eq \"/{number}\"");
            let body = json!([{"filter": {"expression": expression}, "action": "block", "priority": number + 10}]);
            let rule = self.post("/firewall/rules", body).await;
            self.names.push((name, rule.id()));
            if number == 0 {
                self.names.push((FILTER_OF_RULE, rule.body["result"][0]["filter"]["id"].as_str().unwrap().to_owned()));
            }
        }
        // With an override, the zone could not migrate.
        if path.contains("/overrides") {
            let body = json!({"urls": ["example.com/*"], "rules": {"100015": "disable"}});
            let id = self.post("/firewall/waf/overrides", body).await.id();
            self.names.push((OVERRIDE, id));
        }
        let page_rule = json!({
            "targets": [{"target": "url", "constraint": {"operator": "matches", "value": "*example.com/*"}}],
            "actions": [{"id": "security_level", "value": "high"}], "status": "active"
        });
        let id = self.post("/pagerules", page_rule).await.id();
        self.names.push((PAGE_RULE, id));
    }

    /// Creates a ruleset with two versions: the entry point of a zone, or a custom ruleset of the account.
    async fn fill_rulesets(&mut self, in_zone: bool) {
        let rules =
            json!([{"action": "block", "expression": "http.host eq \"old.example.com\"", "description": "Old"}]);
        let entry_point = "/rulesets/phases/http_request_firewall_custom/entrypoint";
        let mut response = self.put(entry_point, json!({"rules": rules})).await;
        let mut path = entry_point.to_owned();
        if !in_zone {
            self.put(entry_point, json!({"description": "First"})).await;
            let body =
                json!({"name": "Mine", "kind": "custom", "phase": "http_request_firewall_custom", "rules": rules});
            response = self.post("/rulesets", body).await;
            path = format!("/rulesets/{}", response.id());
        }
        self.put(&path, json!({"description": "Second"})).await;
        self.names.push((RULESET, response.id()));
        self.names.push((RULESET_RULE, response.body["result"]["rules"][0]["id"].as_str().unwrap().to_owned()));
    }

    async fn post(&self, rest: &str, body: Value) -> TestResponse {
        let response = self.app.post(&format!("{}{rest}", self.base), body).await;
        assert_eq!(response.status, 200, "{response:?}");
        response
    }

    async fn put(&self, rest: &str, body: Value) -> TestResponse {
        let response = self.app.put(&format!("{}{rest}", self.base), body).await;
        assert_eq!(response.status, 200, "{response:?}");
        response
    }

    /// Replaces the IDs of the document by the actual ones.
    pub(crate) fn to_actual(&self, text: &str) -> String {
        self.names.iter().fold(text.to_owned(), |text, (example_name, real)| text.replace(example_name, real))
    }

    /// Replaces the actual values of a response by those of the document.
    pub(crate) async fn to_documented(&self, response: &TestResponse) -> Value {
        let text = self
            .names
            .iter()
            .fold(response.body.to_string(), |text, (example_name, real)| text.replace(real, example_name));
        let mut constant: BTreeSet<String> = CATALOG.get_or_init(|| self.catalog()).await.clone();
        constant.extend(self.names.iter().map(|(example_name, _)| (*example_name).to_owned()));
        let mut generated = BTreeMap::new();
        normalize(&serde_json::from_str(&text).unwrap(), &constant, &mut generated)
    }

    /// IDs that are the same in every service.
    async fn catalog(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let zone = self.app.zone_named("enterprise.example", "");
        let lists = [
            "/firewall/waf/packages",
            "/firewall/waf/packages/c504870194831cd12c3fc0284f294abb/groups?per_page=100",
            "/rulesets/efb7b8c949ac4650a09736fc376e9aee",
            "/waf_migration/config?phase_two=1",
        ];
        for path in lists {
            collect_ids(&self.app.get(&format!("{zone}{path}")).await.body["result"], &mut found);
        }
        let rulesets = self.app.get(&format!("{zone}/rulesets")).await;
        let managed = rulesets.body["result"].as_array().unwrap().iter().filter(|ruleset| ruleset["kind"] == "managed");
        managed.for_each(|id| collect_ids(id, &mut found));
        found.retain(|id| !zone.contains(id));
        found
    }
}

/// Loaded once.
static CATALOG: OnceCell<BTreeSet<String>> = OnceCell::const_new();

fn is_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// All IDs in a response.
fn collect_ids(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if is_id(text) => {
            found.insert(text.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| collect_ids(item, found)),
        Value::Object(members) => {
            found.extend(members.keys().filter(|name| is_id(name)).cloned());
            members.values().for_each(|member| collect_ids(member, found));
        }
        _ => {}
    }
}

/// Replaces the varying values of a response, and truncates long lists and maps.
fn normalize(value: &Value, constant: &BTreeSet<String>, generated: &mut BTreeMap<String, String>) -> Value {
    match value {
        Value::String(text) if is_id(text) && !constant.contains(text) => {
            // Any text in the format of an ID that is not constant.
            let number = (generated.len() as u128 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
            json!(generated.entry(text.clone()).or_insert_with(|| format!("{number:032x}")))
        }
        Value::String(text)
            if [20, 24, 27, 30].contains(&text.len()) && text.starts_with("20") && text.ends_with('Z') =>
        {
            json!(TIME)
        }
        Value::String(text) if text.contains("/ownership-challenge-") => {
            json!("team/20261122/ownership-challenge-4d7a9c1e.txt")
        }
        Value::Array(items) => {
            items.iter().take(MAX_SHOWN_ITEMS).map(|item| normalize(item, constant, generated)).collect()
        }
        Value::Object(members) => {
            let max_members = if members.len() > MAX_SHOWN_MEMBERS { 2 } else { MAX_SHOWN_MEMBERS };
            let mut members: Map<String, Value> = members
                .iter()
                .take(max_members)
                .map(|(name, member)| (name.clone(), normalize(member, constant, generated)))
                .collect();
            normalize_audit_entry(&mut members);
            Value::Object(members)
        }
        other => other.clone(),
    }
}

/// Replaces the varying values of an audit entry.
fn normalize_audit_entry(members: &mut Map<String, Value>) {
    let example_value = ["5f".repeat(32), "3d".repeat(32), "9f2c4e6a8b0d1357".to_owned()];
    for (name, example_value) in ["hash", "rules_digest", "request_id"].into_iter().zip(example_value) {
        members.entry(name).and_modify(|text| *text = json!(example_value));
    }
    for (text, value) in [("oldValue", "oldValueJson"), ("newValue", "newValueJson")] {
        if let Some(value) = members.get(value).map(Value::to_string) {
            members.insert(text.to_owned(), json!(value));
        }
    }
}

/// A deviation from the request of the example.
#[derive(Default)]
struct Change {
    /// Replaces the body.
    body: Option<Value>,
    /// Replaces the query, including its question mark.
    query: Option<&'static str>,
    /// Replaced in the path.
    address: Option<(&'static str, &'static str)>,
}

/// Sends the example of an operation.
async fn send(fixture: &ExampleFixture, operation: Operation, change: &Change) -> TestResponse {
    let mut address = operation.address();
    let mut query = String::new();
    for parameter in operation.definition["parameters"].as_array().into_iter().flatten() {
        let Some(example) = parameter.get("example") else { continue };
        let (name, text) =
            (parameter["name"].as_str().unwrap(), example.as_str().map_or_else(|| example.to_string(), str::to_owned));
        if parameter["in"] == "path" {
            address = address.replace(&format!("{{{name}}}"), &text);
        } else {
            query.push(if query.is_empty() { '?' } else { '&' });
            query.push_str(&format!("{name}={}", text.replace(' ', "+")));
        }
    }
    if let Some((from, to)) = change.address {
        assert!(address.contains(from), "{address}");
        address = address.replace(from, to);
    }
    let query = change.query.map_or(query, str::to_owned);
    let content = operation
        .definition
        .pointer("/requestBody/content")
        .and_then(Value::as_object)
        .and_then(|content| content.values().next());
    let example = change.body.as_ref().or_else(|| content.map(|content| &content["example"]));
    let body = example.map(|example| example.as_str().map_or_else(|| example.to_string(), str::to_owned));
    let method = operation.method.to_uppercase().parse().unwrap();
    let mut request = fixture.app.request(
        method,
        &format!("{}{query}", fixture.to_actual(&address)),
        fixture.to_actual(&body.unwrap_or_default()),
    );
    // Operations that tokens may not call are sent with an API key.
    if operation.definition["security"] == json!([{"email": [], "key": []}]) {
        let demo = &fixture.app.demo;
        request.headers_mut().remove("authorization");
        request.headers_mut().insert("x-auth-email", demo.email.parse().unwrap());
        request.headers_mut().insert("x-auth-key", demo.key.parse().unwrap());
    }
    fixture.app.send(request).await
}

/// Errors that the document shows: the operation, its status and the deviation that provokes it.
fn documented_errors() -> Vec<(&'static str, u16, Change)> {
    let body = |body: Value| Change { body: Some(body), ..Change::default() };
    let elsewhere = |from, to| Change { address: Some((from, to)), ..Change::default() };
    let any = "00000000000000000000000000000000";
    vec![
        ("zones-filters-create", 400, body(json!([{"expression": "ip.src in {203.0.113.0/24}"}]))),
        ("zones-filters-list", 400, Change { query: Some("?per_page=1000"), ..Change::default() }),
        ("zones-filters-get", 404, elsewhere(FILTER, any)),
        ("zones-filters-update", 400, body(json!({"expression": "ip.scr eq 192.0.2.1"}))),
        ("zones-filters-delete", 400, elsewhere(FILTER, FILTER_OF_RULE)),
        ("zones-filters-delete_many", 400, body(json!([{"id": FILTER_OF_RULE}]))),
        ("filters-validate_expr-check_body", 400, body(json!({"expression": "ip.src eq 192.0.2.1 or"}))),
        ("zones-firewall-rules-create", 400, body(json!([{"filter": {"id": FILTER}, "action": "blok"}]))),
        ("zones-firewall-rules-update", 400, body(json!({"action": "block", "filter": {"expression": "ssl"}}))),
        ("zones-firewall-rules-get", 404, elsewhere(RULES[0], any)),
        (
            "zones-rulesets-create",
            400,
            body(json!({"name": "Mine", "kind": "zone", "phase": "http_request_firewall_custom", "rules": []})),
        ),
        ("zones-rulesets-rules-create", 400, body(json!({"action": "execute", "expression": "true"}))),
        ("zones-rulesets-get", 404, elsewhere(RULESET, any)),
        ("zones-rulesets-phases-entrypoint-get", 404, elsewhere("http_request_firewall_custom", "http_ratelimit")),
        ("zones-waf_migration-config", 400, Change { query: Some(""), ..Change::default() }),
        (
            "zones-firewall-waf-packages-edit",
            400,
            elsewhere("c504870194831cd12c3fc0284f294abb", "1e334934fd7ae32ad705667f8c1057aa"),
        ),
        ("zones-firewall-waf-packages-get", 404, elsewhere("c504870194831cd12c3fc0284f294abb", any)),
        ("zones-firewall-waf-overrides-create", 400, body(json!({"urls": ["example.com/*"]}))),
        ("zones-settings-edit", 400, body(json!({"value": "maybe"}))),
        ("zones-pagerules-create", 400, body(json!({"targets": [], "actions": []}))),
        ("zones-pagerules-get", 404, elsewhere(PAGE_RULE, any)),
        (
            "zones-logpush-jobs-create",
            400,
            body(json!({"destination_conf": "s3://logs?region=us-west-2", "filter": "{}"})),
        ),
        ("zones-logpush-jobs-get", 404, elsewhere("jobs/1", "jobs/9")),
        ("zones-logpush-edge-create", 400, Change::default()),
        ("zones-logpush-edge-jobs-create", 400, Change::default()),
        ("accounts-logpush-transformers-get", 403, Change::default()),
        ("accounts-logpush-transformers-post", 403, Change::default()),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn every_example_gets_the_documented_response() {
    let mut examples: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    let mut fixtures: BTreeMap<String, ExampleFixture> = BTreeMap::new();
    let errors = documented_errors();
    // Reads come first and deletions last; changes and deletions of rulesets have a separate fixture.
    let mut all: Vec<Operation> = operations().collect();
    all.sort_by_key(|operation| (operation.method != "get", operation.method == "delete"));
    for operation in all {
        let name = operation.definition["operationId"].as_str().unwrap();
        let own_errors: Vec<&(&str, u16, Change)> =
            errors.iter().filter(|(operation, ..)| *operation == name).collect();
        let is_destructive =
            operation.method == "delete" || (operation.method != "get" && operation.path.contains("/rulesets"));
        let kind = format!("{} {}", operation.path.starts_with("/accounts/"), operation.path.contains("/overrides"));
        if is_destructive || !fixtures.contains_key(&kind) {
            fixtures.insert(kind.clone(), ExampleFixture::create(operation.path).await);
        }
        let fixture = &fixtures[&kind];
        for (_, status, change) in &own_errors {
            let response = send(fixture, operation, change).await;
            assert_eq!(response.status, *status, "{name}: {response:?}");
            let documented = fixture.to_documented(&response).await;
            examples.entry(name.to_owned()).or_default().insert(status.to_string(), documented);
        }
        let successes: Vec<&String> = operation.definition["responses"]
            .as_object()
            .unwrap()
            .keys()
            .filter(|status| status.starts_with('2'))
            .collect();
        assert!(successes.len() == 1 || !own_errors.is_empty(), "{name} is never answered");
        for status in successes {
            let response = send(fixture, operation, &Change::default()).await;
            assert_eq!(response.status.to_string(), *status, "{name}: {response:?}");
            // The document, its page and the metrics are excluded.
            let is_short = response.body.as_str().is_none_or(|text| text.len() < 100);
            if *status != "204" && is_short && name != "openapi_json-document_json" {
                examples
                    .entry(name.to_owned())
                    .or_default()
                    .insert(status.clone(), fixture.to_documented(&response).await);
            }
        }
        if is_destructive {
            fixtures.remove(&kind);
        }
    }
    examples.insert("errors".to_owned(), common_errors().await);
    examples.extend(relay_session_responses().await);
    let unready = Map::from_iter([("503".to_owned(), trigger_unready().await)]);
    examples.entry("readyz-ready".to_owned()).or_default().extend(unready);
    let mut text = serde_json::to_string_pretty(&examples).unwrap();
    text.push('\n');
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(FILE, text).unwrap();
        return;
    }
    let stored_examples: BTreeMap<String, Map<String, Value>> =
        serde_json::from_str(&std::fs::read_to_string(FILE).unwrap()).unwrap();
    for (name, statuses) in &examples {
        assert_eq!(stored_examples.get(name), Some(statuses), "{name}: `UPDATE=1` writes what is answered");
    }
    assert_eq!(stored_examples.keys().collect::<Vec<_>>(), examples.keys().collect::<Vec<_>>());
}
