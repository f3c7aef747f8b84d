//! `/openapi.json` and `/docs/api`: the document is complete and describes exactly the routes.

use crate::app::{TestApp, TestResponse};
use crate::contract::{DOCUMENT, Operation, RELAYS, operations, operations_of, response, validate};
use crate::relay::harness::TestRelay;
use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use zonewright_store::Permission;

/// The zone and the account of the examples.
pub(crate) const EXAMPLE_ZONE: &str = "5c1e0b7d9f3a4e62a8d0c4b6f1e39725";
pub(crate) const EXAMPLE_ACCOUNT: &str = "0f9b3d5e7a1c4826b4d8f0a2c6e1357b";

/// The documents of the service and of both kinds of relays.
fn documents() -> impl Iterator<Item = &'static Value> {
    [&*DOCUMENT].into_iter().chain(&*RELAYS)
}

/// The path of an operation, with the examples of its parameters.
pub(crate) fn address(operation: Operation) -> String {
    let mut address = operation.address();
    for parameter in operation.definition["parameters"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|parameter| parameter["in"] == "path")
    {
        let example = parameter["example"].to_string();
        let name = parameter["name"].as_str().unwrap();
        address = address.replace(&format!("{{{name}}}"), example.trim_matches('"'));
    }
    assert!(!address.contains('{'), "{address} has an undescribed parameter");
    address
}

#[tokio::test]
async fn document_is_served_without_credentials() {
    let app = TestApp::start().await;
    let request = axum::http::Request::builder().uri("/client/v4/openapi.json").header("host", "localhost");
    let response = app.send(request.body(axum::body::Body::empty()).unwrap()).await;
    assert_eq!((response.status, &response.body), (200, &*DOCUMENT));
    assert_eq!(response.body["openapi"], "3.1.0");
}

#[tokio::test]
async fn document_has_every_method_of_every_path() {
    let app = TestApp::start_with_config(|config| config.middleware.metrics = true).await;
    for operation in operations() {
        let path = operation.path;
        for method in ["get", "post", "put", "patch", "delete"] {
            let request = app.request(method.to_uppercase().parse().unwrap(), &address(operation), "");
            let response = app.send(request).await;
            let is_there = response.status != 405;
            // Transformers have one response for every request.
            let described = DOCUMENT["paths"][path].get(method).is_some() || path.ends_with("/transformers");
            assert_eq!(is_there, described, "{method} {path}: {response:?}");
            let routed = response.body["errors"][1]["code"] != 7000;
            assert!(routed, "{method} {path}: {response:?}");
        }
    }
}

/// Operations outside of `/client/v4` that the document of a relay lists exist in all relays.
#[tokio::test]
async fn relay_documents_have_every_method_of_every_path() {
    let relays = [
        TestRelay::with_client_credentials("http://127.0.0.1:1"),
        TestRelay::with_stored_credentials("http://127.0.0.1:1"),
    ];
    for relay in relays {
        for operation in operations_of(relay.document) {
            for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
                let request = Request::builder().method(method).uri(address(operation)).header("host", "127.0.0.1:1");
                let response = relay.send(request.body(Body::empty()).unwrap()).await;
                let is_there = response.status != 405;
                let described = relay.document["paths"][operation.path].get(method.to_lowercase()).is_some();
                assert_eq!(is_there, described, "{method} {}: {response:?}", operation.path);
            }
        }
    }
}

#[test]
fn relay_documents_list_forwarded_and_own_operations() {
    let names = |document| -> BTreeSet<String> {
        let is_extension = |operation: &Operation| {
            operation.definition["tags"][0] == "Extensions" || operation.is_outside_client_api()
        };
        operations_of(document)
            .filter(|operation| !is_extension(operation))
            .map(|operation| format!("{} {}", operation.method, operation.address()))
            .collect()
    };
    for relay in &*RELAYS {
        assert_eq!(names(relay), names(&DOCUMENT));
        let schemas = relay["components"]["schemas"].as_object().unwrap();
        for (name, schema) in schemas {
            let other = &DOCUMENT["components"]["schemas"][name];
            assert!(other.is_null() || other == schema, "{name} differs from the service's schema");
        }
        let own_operations = operations_of(relay)
            .filter(Operation::is_outside_client_api)
            .map(|operation| format!("{} {}", operation.method, operation.path));
        let session = ["get", "post", "delete"].map(|method| format!("{method} /relay/session"));
        let monitoring = ["docs/api", "healthz", "metrics", "readyz"].map(|path| format!("get /{path}"));
        assert_eq!(own_operations.collect::<BTreeSet<_>>(), session.into_iter().chain(monitoring).collect());
    }
}

#[test]
fn every_route_is_in_the_document() {
    let source = include_str!("../../crates/server/src/router.rs");
    let plain: Vec<&str> = source.lines().filter(|line| line.contains(".route(")).map(str::trim).collect();
    let known = [
        // The document omits the style sheet of the page.
        r#".route("/docs/api.css", get(document::stylesheet))"#,
        // The same document as at the path of the service.
        r#".route("/healthz", get(monitoring::health))"#,
        r#".route("/readyz", get(monitoring::ready))"#,
        r#".route("/metrics", get(monitoring::metrics_on_monitoring_listener))"#,
        // Paths below the transformers are described by their prefix.
        r#".route(&path, any(logpush_transformers::refuse))"#,
        r#".route(&format!("{path}/{{*rest}}"), any(logpush_transformers::refuse));"#,
    ];
    assert_eq!(plain, known);
}

#[test]
fn each_operation_has_a_unique_id_a_summary_and_one_tag() {
    documents().for_each(assert_names_and_tags);
}

fn assert_names_and_tags(document: &'static Value) {
    let tags: BTreeSet<&str> =
        document["tags"].as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap()).collect();
    let mut names = BTreeSet::new();
    let mut used = BTreeSet::new();
    for operation in operations_of(document) {
        let name = operation.definition["operationId"].as_str().unwrap();
        assert!(names.insert(name), "{name} is used twice");
        let summary = operation.definition["summary"].as_str().unwrap_or_else(|| panic!("{name} has no summary"));
        assert!(!summary.contains('§') && !summary.contains('\n'), "{name}: {summary}");
        let [tag] = operation.definition["tags"].as_array().unwrap().as_slice() else {
            panic!("{name} has several tags")
        };
        used.insert(tag.as_str().unwrap());
        for parameter in operation.definition["parameters"].as_array().into_iter().flatten() {
            assert!(parameter["description"].is_string() && parameter["schema"].is_object(), "{name}: {parameter}");
        }
    }
    assert_eq!(used, tags);
}

#[test]
fn each_operation_lists_its_permissions() {
    let known: BTreeSet<&str> = Permission::ALL.iter().map(|permission| permission.name()).collect();
    for operation in operations() {
        let requirements = operation.definition.get("security").unwrap_or(&DOCUMENT["security"]).as_array().unwrap();
        let named = requirements.iter().filter_map(|requirement| requirement.get("token")?.as_array()).flatten();
        let named: Vec<&str> = named.map(|name| name.as_str().unwrap()).collect();
        assert!(named.iter().all(|name| known.contains(name)), "{named:?}");
        let has_owner = operation.path.starts_with("/zones/") || operation.path.starts_with("/accounts/");
        // Every token may verify itself.
        let has_owner = has_owner && !operation.path.ends_with("/tokens/verify");
        assert_eq!(!named.is_empty(), has_owner, "{} {}", operation.method, operation.path);
        let writes: Vec<&&str> = named.iter().filter(|name| name.ends_with(" Write")).collect();
        // Accounts and the audit log are read-only.
        let is_writable =
            has_owner && !["/{account_id}", "/audit_logs"].iter().any(|end| operation.path.ends_with(end));
        assert!(!is_writable || !writes.is_empty(), "{} {}", operation.method, operation.path);
    }
}

#[test]
fn references_resolve_and_every_schema_is_used() {
    fn collect_references<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| collect_references(item, found)),
            Value::Object(members) => {
                found.extend(members.get("$ref").and_then(Value::as_str));
                members.values().for_each(|member| collect_references(member, found));
            }
            _ => {}
        }
    }
    for document in documents() {
        let mut found = BTreeSet::new();
        collect_references(document, &mut found);
        for reference in &found {
            assert!(document.pointer(reference.strip_prefix('#').unwrap()).is_some(), "{reference} leads nowhere");
        }
        for name in document["components"]["schemas"].as_object().unwrap().keys() {
            assert!(found.contains(format!("#/components/schemas/{name}").as_str()), "no reference to {name}");
        }
    }
}

/// Types with equal names would share one schema in the document.
#[test]
fn schema_names_are_unique() {
    let mut locations: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let mut folders = vec![root.join("api/src"), root.join("server/src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                for name in schema_names(&text) {
                    locations.entry(name).or_default().push(path.display().to_string());
                }
            }
        }
    }
    assert!(locations.len() > 50, "{locations:?}");
    for (name, locations) in locations {
        assert_eq!(
            locations.len(),
            1,
            "{name} is a schema in {locations:?}: give one of them another name with `schema(as = …)`"
        );
    }
}

/// Names of the types of a file that are schemas of the document.
fn schema_names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_schema = false;
    let mut other_name = None;
    for line in text.lines().map(str::trim) {
        is_schema |= line.contains("ToSchema)") || line == "names! {";
        if let Some((_, rest)) = line.split_once("schema(as = ") {
            other_name = rest.split(')').next();
        }
        let name = line.split(' ').skip_while(|word| !["struct", "enum"].contains(word)).nth(1);
        let name = name
            .or(line.strip_suffix(" {").filter(|word| !word.contains([' ', '!', '('])))
            .filter(|_| !line.starts_with("//"));
        if let (true, Some(name)) = (is_schema, name) {
            let word: String = name.chars().take_while(char::is_ascii_alphanumeric).collect();
            names.push(other_name.take().map_or(word, str::to_owned));
            is_schema = false;
        }
    }
    names
}

#[test]
fn request_examples_match_their_schemas() {
    let mut bodies = 0;
    for operation in documents().flat_map(operations_of) {
        let name = operation.definition["operationId"].as_str().unwrap();
        for parameter in operation.definition["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|parameter| parameter.get("example").is_some())
        {
            // Parameters are text, so their pattern does not apply to examples that are numbers.
            let mut found = Vec::new();
            let mut schema = parameter["schema"].clone();
            schema.as_object_mut().unwrap().remove("pattern");
            validate(Box::leak(Box::new(schema)), &parameter["example"], "", &mut found);
            assert!(found.is_empty(), "{name} {}: {found:?}", parameter["name"]);
        }
        let Some(content) = operation.definition.pointer("/requestBody/content/application~1json") else {
            let is_plain = operation.definition.get("requestBody").is_none_or(|_| name.ends_with("ingest"));
            assert!(is_plain, "{name} has a different body");
            continue;
        };
        let mut found = Vec::new();
        validate(&content["schema"], &content["example"], "", &mut found);
        assert!(found.is_empty(), "{name}: {found:?}");
        bodies += 1;
    }
    assert!(bodies > 40, "{bodies}");
}

#[test]
fn response_examples_match_their_schemas() {
    let mut count = 0;
    for operation in documents().flat_map(operations_of) {
        let name = operation.definition["operationId"].as_str().unwrap();
        for status in operation.definition["responses"].as_object().unwrap().keys() {
            let described = response(operation, status.parse().unwrap()).unwrap();
            assert!(described["description"].is_string(), "{name} {status}");
            for content in
                described.get("content").and_then(Value::as_object).into_iter().flat_map(|content| content.values())
            {
                let Some(example) = content.get("example") else { continue };
                let mut found = Vec::new();
                validate(&content["schema"], example, "", &mut found);
                assert!(found.is_empty(), "{name} {status}: {found:?}");
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count}");
}

#[tokio::test]
async fn docs_page_shows_the_whole_document_without_scripts() {
    let app = TestApp::start().await;
    let page = async |path: &str| app.send(app.request(Method::GET, path, "")).await;
    assert_shows_all(&DOCUMENT, page("/docs/api").await, page("/docs/api.css").await);
    assert_eq!(app.send(app.request(Method::POST, "/docs/api", "")).await.status, 405);
}

#[tokio::test]
async fn relays_serve_their_own_document_and_page() {
    for relay in [
        TestRelay::with_client_credentials("http://127.0.0.1:1"),
        TestRelay::with_stored_credentials("http://127.0.0.1:1"),
    ] {
        let get = |path: &str| Request::get(path).header("host", "localhost").body(Body::empty()).unwrap();
        let document = relay.send(get("/client/v4/openapi.json")).await;
        assert_eq!((document.status, &document.body), (200, relay.document));
        assert_shows_all(relay.document, relay.send(get("/docs/api")).await, relay.send(get("/docs/api.css")).await);
    }
}

fn assert_shows_all(document: &'static Value, page: TestResponse, style: TestResponse) {
    let html = page.body.as_str().unwrap();
    assert_eq!((page.status, page.headers["content-type"].to_str().unwrap()), (200, "text/html; charset=utf-8"));
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'self';") && !policy.contains("script"), "{policy}");
    for forbidden in ["<script", " style=", " onclick", "http://", "https://"] {
        assert!(!html.contains(forbidden), "{forbidden}");
    }
    for operation in operations_of(document) {
        let id = operation.definition["operationId"].as_str().unwrap();
        assert_eq!(html.matches(&format!("<article id=\"{id}\">")).count(), 1, "{id}");
    }
    let mut ids = BTreeSet::new();
    for part in html.split(" id=\"").skip(1) {
        let id = part.split('"').next().unwrap();
        assert!(ids.insert(id), "{id} is used twice");
    }
    for part in html.split("href=\"#").skip(1) {
        let id = part.split('"').next().unwrap();
        assert!(ids.contains(id), "#{id} leads nowhere");
    }
    assert_eq!((style.status, style.headers["content-type"].to_str().unwrap()), (200, "text/css; charset=utf-8"));
}

#[tokio::test]
async fn request_with_the_current_tag_gets_304() {
    let app = TestApp::start().await;
    for path in ["/client/v4/openapi.json", "/docs/api"] {
        let current = app.get(path).await;
        let mut request = app.request(Method::GET, path, "");
        request.headers_mut().insert("if-none-match", current.headers["etag"].clone());
        let unchanged = app.send(request).await;
        assert_eq!((current.status, unchanged.status), (200, 304), "{path}");
    }
}
