//! `/openapi.json` and `/docs/api`: the document is whole, and is about what is there.

use crate::app::TestApp;
use crate::contract::{DOCUMENT, operations, response, validate};
use axum::http::Method;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use zonewright_server::Permission;

/// The zone and the account of the examples.
pub(crate) const EXAMPLE_ZONE: &str = "5c1e0b7d9f3a4e62a8d0c4b6f1e39725";
pub(crate) const EXAMPLE_ACCOUNT: &str = "0f9b3d5e7a1c4826b4d8f0a2c6e1357b";

/// An address of the document, with the examples of its parts.
pub(crate) fn address(path: &str, what: &Value) -> String {
    let mut address = format!("/client/v4{path}");
    for parameter in what["parameters"].as_array().into_iter().flatten().filter(|one| one["in"] == "path") {
        let example = parameter["example"].to_string();
        let name = parameter["name"].as_str().unwrap();
        address = address.replace(&format!("{{{name}}}"), example.trim_matches('"'));
    }
    assert!(!address.contains('{'), "{address} has a part that is not described");
    address
}

#[tokio::test]
async fn it_is_served_to_everybody() {
    let app = TestApp::start().await;
    let request = axum::http::Request::builder().uri("/client/v4/openapi.json").header("host", "localhost");
    let answer = app.send(request.body(axum::body::Body::empty()).unwrap()).await;
    assert_eq!((answer.status, &answer.body), (200, &*DOCUMENT));
    assert_eq!(answer.body["openapi"], "3.1.0");
}

#[tokio::test]
async fn it_has_every_method_of_every_address() {
    let app = TestApp::start().await;
    let paths = DOCUMENT["paths"].as_object().unwrap();
    for (path, item) in paths {
        let first = item.as_object().unwrap().values().next().unwrap();
        for method in ["get", "post", "put", "patch", "delete"] {
            let request = app.request(method.to_uppercase().parse().unwrap(), &address(path, first), "");
            let answer = app.send(request).await;
            let is_there = answer.status != 405;
            // Transformers have one answer to everything.
            let described = item.get(method).is_some() || path.ends_with("/transformers");
            assert_eq!(is_there, described, "{method} {path}: {answer:?}");
            let routed = answer.body["errors"][1]["code"] != 7000;
            assert!(routed, "{method} {path}: {answer:?}");
        }
    }
}

#[test]
fn no_address_goes_round_the_document() {
    let source = include_str!("../../crates/server/src/lib.rs");
    let (_, groups) = source.split_once("\nfn api()").unwrap();
    let plain: Vec<&str> = groups.lines().filter(|line| line.contains(".route(")).map(str::trim).collect();
    // What transformers are asked is described where they begin.
    let transformers = [
        r#".route("/", any(logpush_transformers::refuse))"#,
        r#".route("/{*rest}", any(logpush_transformers::refuse));"#,
    ];
    assert_eq!(plain, transformers);
}

#[test]
fn each_operation_has_a_name_of_its_own_words_and_a_tag() {
    let tags: BTreeSet<&str> =
        DOCUMENT["tags"].as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap()).collect();
    let mut names = BTreeSet::new();
    let mut used = BTreeSet::new();
    for one in operations() {
        let name = one.what["operationId"].as_str().unwrap();
        assert!(names.insert(name), "{name} is there twice");
        let summary = one.what["summary"].as_str().unwrap_or_else(|| panic!("{name} has no summary"));
        assert!(!summary.contains('§') && !summary.contains('\n'), "{name}: {summary}");
        let [tag] = one.what["tags"].as_array().unwrap().as_slice() else { panic!("{name} has several tags") };
        used.insert(tag.as_str().unwrap());
        for parameter in one.what["parameters"].as_array().into_iter().flatten() {
            assert!(parameter["description"].is_string() && parameter["schema"].is_object(), "{name}: {parameter}");
        }
    }
    assert_eq!(used, tags);
}

#[test]
fn each_operation_names_its_permissions() {
    let known: BTreeSet<&str> = Permission::ALL.iter().map(|one| one.name()).collect();
    for one in operations() {
        let requirements = one.what.get("security").unwrap_or(&DOCUMENT["security"]).as_array().unwrap();
        let named = requirements.iter().filter_map(|one| one.get("token")?.as_array()).flatten();
        let named: Vec<&str> = named.map(|name| name.as_str().unwrap()).collect();
        assert!(named.iter().all(|name| known.contains(name)), "{named:?}");
        let owned = one.path.starts_with("/zones/") || one.path.starts_with("/accounts/");
        assert_eq!(!named.is_empty(), owned, "{} {}", one.method, one.path);
        let writes: Vec<&&str> = named.iter().filter(|name| name.ends_with(" Write")).collect();
        // Nobody writes the audit log.
        let written = owned && !one.path.ends_with("/audit_logs");
        assert!(!written || !writes.is_empty(), "{} {}", one.method, one.path);
    }
}

#[test]
fn references_lead_somewhere_and_every_shape_is_used() {
    fn references<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            Value::Object(members) => {
                found.extend(members.get("$ref").and_then(Value::as_str));
                members.values().for_each(|member| references(member, found));
            }
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    references(&DOCUMENT, &mut found);
    for reference in &found {
        assert!(DOCUMENT.pointer(reference.strip_prefix('#').unwrap()).is_some(), "{reference} leads nowhere");
    }
    for name in DOCUMENT["components"]["schemas"].as_object().unwrap().keys() {
        assert!(found.contains(format!("#/components/schemas/{name}").as_str()), "nothing has the shape {name}");
    }
}

/// Types of one name would be one shape in the document.
#[test]
fn shapes_have_names_of_their_own() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let mut folders = vec![root.join("api/src"), root.join("server/src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                for name in shapes(&text) {
                    places.entry(name).or_default().push(path.display().to_string());
                }
            }
        }
    }
    assert!(places.len() > 50, "{places:?}");
    for (name, places) in places {
        assert_eq!(
            places.len(),
            1,
            "{name} is a shape in {places:?}: give one of them another name with `schema(as = …)`"
        );
    }
}

/// Names of the types of a file that are shapes of the document.
fn shapes(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_shape = false;
    let mut other_name = None;
    for line in text.lines().map(str::trim) {
        is_shape |= line.contains("ToSchema)") || line == "names! {";
        if let Some((_, rest)) = line.split_once("schema(as = ") {
            other_name = rest.split(')').next();
        }
        let name = line.split(' ').skip_while(|word| !["struct", "enum"].contains(word)).nth(1);
        let name = name
            .or(line.strip_suffix(" {").filter(|word| !word.contains([' ', '!', '('])))
            .filter(|_| !line.starts_with("//"));
        if let (true, Some(name)) = (is_shape, name) {
            let word: String = name.chars().take_while(char::is_ascii_alphanumeric).collect();
            names.push(other_name.take().map_or(word, str::to_owned));
            is_shape = false;
        }
    }
    names
}

#[test]
fn examples_have_the_shape_that_they_are_examples_of() {
    let mut bodies = 0;
    for one in operations() {
        let name = one.what["operationId"].as_str().unwrap();
        for parameter in
            one.what["parameters"].as_array().into_iter().flatten().filter(|one| one.get("example").is_some())
        {
            // Of those that are parsed from text, numbers are numbers all the same.
            let mut found = Vec::new();
            let mut schema = parameter["schema"].clone();
            schema.as_object_mut().unwrap().remove("pattern");
            validate(Box::leak(Box::new(schema)), &parameter["example"], "", &mut found);
            assert!(found.is_empty(), "{name} {}: {found:?}", parameter["name"]);
        }
        let Some(content) = one.what.pointer("/requestBody/content/application~1json") else {
            let is_plain = one.what.get("requestBody").is_none_or(|_| name.ends_with("ingest"));
            assert!(is_plain, "{name} has another body");
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
fn every_answer_that_is_shown_has_its_shape() {
    let mut shown = 0;
    for one in operations() {
        let name = one.what["operationId"].as_str().unwrap();
        for status in one.what["responses"].as_object().unwrap().keys() {
            let described = response(one, status.parse().unwrap()).unwrap();
            assert!(described["description"].is_string(), "{name} {status}");
            for content in
                described.get("content").and_then(Value::as_object).into_iter().flat_map(|content| content.values())
            {
                let Some(example) = content.get("example") else { continue };
                let mut found = Vec::new();
                validate(&content["schema"], example, "", &mut found);
                assert!(found.is_empty(), "{name} {status}: {found:?}");
                shown += 1;
            }
        }
    }
    assert!(shown > 100, "{shown}");
}

#[tokio::test]
async fn the_page_shows_all_of_it_without_a_script() {
    let app = TestApp::start().await;
    let page = app.send(app.request(Method::GET, "/docs/api", "")).await;
    let html = page.body.as_str().unwrap();
    assert_eq!((page.status, page.headers["content-type"].to_str().unwrap()), (200, "text/html; charset=utf-8"));
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'self';") && !policy.contains("script"), "{policy}");
    for never in ["<script", " style=", " onclick", "http://", "https://"] {
        assert!(!html.contains(never), "{never}");
    }
    for one in operations() {
        let id = one.what["operationId"].as_str().unwrap();
        assert_eq!(html.matches(&format!("<article id=\"{id}\">")).count(), 1, "{id}");
    }
    let mut ids = BTreeSet::new();
    for piece in html.split(" id=\"").skip(1) {
        let id = piece.split('"').next().unwrap();
        assert!(ids.insert(id), "{id} is there twice");
    }
    for piece in html.split("href=\"#").skip(1) {
        let id = piece.split('"').next().unwrap();
        assert!(ids.contains(id), "#{id} leads nowhere");
    }
    let style = app.send(app.request(Method::GET, "/docs/api.css", "")).await;
    assert_eq!((style.status, style.headers["content-type"].to_str().unwrap()), (200, "text/css; charset=utf-8"));
    assert_eq!(app.send(app.request(Method::POST, "/docs/api", "")).await.status, 405);
}
