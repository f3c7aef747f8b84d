//! Compares responses with the OpenAPI document. Every response of [`TestApp::send`] (`app.rs`) has a documented
//! status and shape, and no undescribed member. Each error code appears in the description of its status. Relays have
//! separate documents, which are compared with their own responses (`relay/harness.rs`). Where this service is the
//! upstream (`relay/transparency.rs`), all responses are compared.
//!
//! [`TestApp::send`]: crate::app::TestApp::send

use crate::app::TestResponse;
use axum::http::{HeaderMap, Method};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The OpenAPI document of the service.
pub(crate) static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(zonewright_server::openapi()).unwrap());

/// The documents of relays in pass-through mode and in stored-credentials mode.
pub(crate) static RELAYS: LazyLock<[Value; 2]> =
    LazyLock::new(|| [false, true].map(|keeps| serde_json::from_str(zonewright_server::relay_openapi(keeps)).unwrap()));

/// Keywords of a schema that constrain nothing.
const ANNOTATIONS: [&str; 6] = ["description", "title", "default", "example", "format", "deprecated"];

/// An operation of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operation {
    pub(crate) document: &'static Value,
    pub(crate) path: &'static str,
    pub(crate) method: &'static str,
    pub(crate) definition: &'static Value,
}

impl Operation {
    /// The path of the operation with the names of its parameters.
    pub(crate) fn address(&self) -> String {
        let base = self.definition.pointer("/servers/0/url").unwrap_or(&self.document["servers"][0]["url"]);
        format!("{}{}", base.as_str().unwrap().trim_end_matches('/'), self.path)
    }

    /// Whether the operation is outside of `/client/v4`.
    pub(crate) fn is_outside_client_api(&self) -> bool {
        self.definition.get("servers").is_some()
    }
}

/// All operations in the document of the service.
pub(crate) fn operations() -> impl Iterator<Item = Operation> {
    operations_of(&DOCUMENT)
}

/// All operations in a document.
pub(crate) fn operations_of(document: &'static Value) -> impl Iterator<Item = Operation> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths.flat_map(move |(path, item)| {
        item.as_object().unwrap().iter().map(move |(method, definition)| Operation {
            document,
            path,
            method,
            definition,
        })
    })
}

/// The operation for a path and a method; of two matches, the one with more literal segments.
fn find(document: &'static Value, method: &Method, path: &str) -> Option<Operation> {
    let segments: Vec<&str> = path.split('/').collect();
    let fits = |template: &str| {
        let parts: Vec<&str> = template.split('/').collect();
        let fit = |(part, segment): (&&str, &&str)| part == segment || (part.starts_with('{') && !segment.is_empty());
        parts.len() == segments.len() && parts.iter().zip(&segments).all(fit)
    };
    let method = method.as_str().to_lowercase();
    let fitting = operations_of(document).filter(|operation| operation.method == method && fits(&operation.address()));
    fitting.min_by_key(|operation| operation.path.matches('{').count())
}

/// Panics when a response does not match the document. Operations that are not in the document, such as other
/// methods, are skipped.
pub(crate) fn check(document: &'static Value, method: &Method, uri: &str, response: &TestResponse) {
    let path = uri.split('?').next().unwrap();
    let Some(operation) = find(document, method, path) else { return };
    let TestResponse { status, headers, body } = response;
    let problems = problems_of(operation, *status, headers, body);
    assert!(problems.is_empty(), "{method} {uri} answered {status} {body:#}\n{}", problems.join("\n"));
}

/// The same as [`check`] for the responses that a relay produces itself.
pub(crate) fn check_relay_response(document: &'static Value, method: &Method, uri: &str, response: &TestResponse) {
    let path = uri.split('?').next().unwrap();
    if find(document, method, path).is_some_and(|operation| operation.definition["tags"][0] == "Operations") {
        check(document, method, uri, response);
    }
}

fn problems_of(operation: Operation, status: u16, headers: &HeaderMap, body: &Value) -> Vec<String> {
    let Some(response) = response(operation, status) else {
        return vec![format!("{} does not describe {status}", operation.definition["operationId"])];
    };
    let Some(content) = response.get("content") else {
        let empty = *body == Value::String(String::new());
        return if empty { Vec::new() } else { vec!["there is a body, and none is described".to_owned()] };
    };
    let media = headers["content-type"].to_str().unwrap().split(';').next().unwrap();
    let Some(described) = content.get(media) else { return vec![format!("{media} is not described")] };
    let mut found = Vec::new();
    validate(&described["schema"], body, "", &mut found);
    let description = response["description"].as_str().unwrap();
    for error in body.get("errors").and_then(Value::as_array).into_iter().flatten() {
        let code = error["code"].to_string();
        if !description.contains(&code) {
            found.push(format!(
                "{} does not name the code {code} at {status}: {description}",
                operation.definition["operationId"]
            ));
        }
    }
    found
}

/// The description of a status of an operation.
pub(crate) fn response(operation: Operation, status: u16) -> Option<&'static Value> {
    let response = operation.definition["responses"].get(status.to_string())?;
    Some(response.get("$ref").map_or(response, |reference| follow_reference(operation.document, reference).unwrap()))
}

/// Resolves a reference to a schema. Schemas with equal names are the same in all documents (`openapi.rs`).
pub(crate) fn resolve_reference(value: &'static Value) -> &'static Value {
    let Some(reference) = value.get("$ref") else { return value };
    let mut documents = [&*DOCUMENT].into_iter().chain(&*RELAYS);
    documents
        .find_map(|document| follow_reference(document, reference))
        .unwrap_or_else(|| panic!("{reference} leads nowhere"))
}

fn follow_reference(document: &'static Value, reference: &Value) -> Option<&'static Value> {
    document.pointer(reference.as_str().unwrap().strip_prefix('#').unwrap())
}

/// Adds the violations of a schema by a value. An unknown keyword is a panic, so that none is skipped.
pub(crate) fn validate(schema: &'static Value, value: &Value, pointer: &str, found: &mut Vec<String>) {
    if let (Some(names), Some(members)) = (property_names(schema), value.as_object()) {
        let unknown = members.keys().filter(|name| !names.contains(name.as_str()));
        found.extend(unknown.map(|name| format!("{pointer}/{name} is not described")));
    }
    each_keyword(schema, value, pointer, found);
}

fn each_keyword(schema: &'static Value, value: &Value, pointer: &str, found: &mut Vec<String>) {
    let Some(keywords) = schema.as_object() else { return };
    for (keyword, constraint) in keywords {
        let count =
            || value.as_str().map(|text| text.chars().count()).or(value.as_array().map(Vec::len)).unwrap_or(0) as u64;
        let right = match keyword.as_str() {
            "$ref" => {
                each_keyword(resolve_reference(schema), value, pointer, found);
                true
            }
            "type" => match constraint {
                Value::Array(kinds) => kinds.iter().any(|kind| has_type(kind, value)),
                kind => has_type(kind, value),
            },
            "const" => constraint == value,
            "enum" => constraint.as_array().unwrap().contains(value),
            "minimum" => value.as_f64().is_none_or(|number| number >= constraint.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= constraint.as_f64().unwrap()),
            "minLength" => !value.is_string() || count() >= constraint.as_u64().unwrap(),
            "maxLength" => !value.is_string() || count() <= constraint.as_u64().unwrap(),
            "minItems" => !value.is_array() || count() >= constraint.as_u64().unwrap(),
            "maxItems" => !value.is_array() || count() <= constraint.as_u64().unwrap(),
            "required" => value.as_object().is_none_or(|members| {
                constraint.as_array().unwrap().iter().all(|name| members.contains_key(name.as_str().unwrap()))
            }),
            "oneOf" => constraint.as_array().unwrap().iter().filter(|choice| is_valid(choice, value)).count() == 1,
            "anyOf" => constraint.as_array().unwrap().iter().any(|choice| is_valid(choice, value)),
            "allOf" => {
                constraint.as_array().unwrap().iter().for_each(|part| each_keyword(part, value, pointer, found));
                true
            }
            "properties" | "additionalProperties" | "propertyNames" | "items" => {
                validate_children(keyword, keywords, constraint, value, pointer, found);
                true
            }
            keyword => {
                assert!(ANNOTATIONS.contains(&keyword), "an unknown keyword: {keyword}");
                true
            }
        };
        if !right {
            found.push(format!("{pointer} is {value}, which violates {keyword} {constraint}"));
        }
    }
}

fn validate_children(
    keyword: &str,
    keywords: &'static Map<String, Value>,
    constraint: &'static Value,
    value: &Value,
    pointer: &str,
    found: &mut Vec<String>,
) {
    let own = keywords.get("properties").and_then(Value::as_object);
    for (name, member) in value.as_object().into_iter().flatten() {
        let pointer = format!("{pointer}/{name}");
        match keyword {
            "properties" if constraint.get(name).is_some() => validate(&constraint[name], member, &pointer, found),
            "additionalProperties" if own.is_none_or(|own| !own.contains_key(name)) => {
                validate(constraint, member, &pointer, found)
            }
            "propertyNames" => validate(constraint, &Value::String(name.clone()), &pointer, found),
            _ => {}
        }
    }
    for (number, item) in value.as_array().into_iter().flatten().enumerate().filter(|_| keyword == "items") {
        validate(constraint, item, &format!("{pointer}/{number}"), found);
    }
}

fn is_valid(schema: &'static Value, value: &Value) -> bool {
    let mut found = Vec::new();
    each_keyword(schema, value, "", &mut found);
    found.is_empty()
}

fn has_type(kind: &Value, value: &Value) -> bool {
    match kind.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("an unknown type: {other}"),
    }
}

/// The names of all members that an object may have; `None` if the object may have any member.
fn property_names(schema: &'static Value) -> Option<BTreeSet<&'static str>> {
    let schema = resolve_reference(schema);
    let (own, parts) = (schema.get("properties"), schema.get("allOf"));
    if schema.get("additionalProperties").is_some() || (own.is_none() && parts.is_none()) {
        return None;
    }
    let mut names: BTreeSet<&str> = BTreeSet::new();
    names.extend(own.and_then(Value::as_object).into_iter().flat_map(Map::keys).map(String::as_str));
    for part in parts.and_then(Value::as_array).into_iter().flatten() {
        names.extend(self::property_names(part)?);
    }
    Some(names)
}
