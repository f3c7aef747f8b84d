//! The OpenAPI 3.1 document of the API, generated from the annotations of the handlers. Shared descriptions are written
//! once and added here: path parameters (`path_parameters.rs`), common errors (`common_errors.rs`), permissions
//! ([`document_permissions`]) and real responses (`examples.json`, which `tests/api/openapi_examples.rs` writes and
//! checks).
//!
//! Each [`ServerKind`] has a separate document. It includes operations outside `/client/v4`, which have their own
//! `servers` ([`mark_outside_api`]). Operations that are not part of the documented API have one of the tags
//! [`EXTENSION_TAGS`].

mod common_errors;
mod descriptions;
mod document;
mod operation;
mod page;
mod path_parameters;
mod servers;

pub(crate) use document::{Document, HashedText};
pub(crate) use servers::{SESSION_COOKIE, ServerKind};

use crate::authorization::ResourceKind;
use common_errors::ErrorResponses;
use serde_json::{Map, Value, json};
use utoipa::openapi::{OpenApi, PathItem, SecurityRequirement};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

/// Style sheet of the page, with the tokens of the app.
pub(crate) const STYLESHEET: &str = concat!(
    include_str!("../../../web/styles/tokens.css"),
    include_str!("../../../web/styles/base.css"),
    include_str!("openapi/page.css")
);

/// The tags in display order, with their descriptions.
const TAGS: [(&str, &str); 14] = [
    ("Zones", "Zones with their plans."),
    ("Accounts", "The account and the user that the credentials belong to."),
    ("Tokens", "Token verification."),
    ("Filters", "Expressions in the Rules language; each one is unique in its zone."),
    ("Firewall rules", "Actions for the requests that a filter matches."),
    ("Rulesets", "Lists of rules that run in the phases of zones and accounts, with all their versions."),
    ("Migration to rulesets", "Migration from the previous managed rules to rulesets. It is irreversible."),
    (
        "Previous managed rules",
        "Packages, groups, and rules. After the zone has migrated, every operation returns 410.",
    ),
    ("Settings", "Zone settings: the switch for all previous managed rules."),
    ("Page rules", "Settings for URLs that match a pattern."),
    ("Log push", "Jobs that deliver the log lines of zones and accounts."),
    ("Audit log", "Changes in an account and its zones. Entries are immutable."),
    ("Extensions", "Operations that only this service has."),
    (
        "Operations",
        "Health, metrics, and documentation of this server. These operations need no credentials, and most of them are \
        outside `/client/v4`.",
    ),
];

/// Tags of operations that the documented API does not have. Relays do not forward them, and official clients do not
/// call them.
const EXTENSION_TAGS: [&str; 2] = ["Extensions", "Operations"];

const DESCRIPTION: &str = "Every response is an envelope: `result` if the request succeeded, `errors` if it failed, and \
    always `success` and `messages`. Each error has a `code` and a `message`, and if a part of the body caused it, a \
    JSON pointer to that part in `source.pointer`. Batch requests are atomic: either all items are applied or \
    none.\n\nPaginated lists describe the page in `result_info`; pages after the last one are empty. In request \
    bodies, `null` means omitted, and unknown members are rejected.";

/// Path prefix of the API.
pub(crate) const API_PATH: &str = "/client/v4";

/// Marks routes as outside the API.
pub(crate) fn mark_outside_api<S: Clone + Send + Sync + 'static>(mut routes: OpenApiRouter<S>) -> OpenApiRouter<S> {
    for item in routes.get_openapi_mut().paths.paths.values_mut() {
        let PathItem { get, post, put, patch, delete, .. } = item;
        for operation in [get, post, put, patch, delete].into_iter().flatten() {
            operation.servers = Some(vec![utoipa::openapi::Server::new("/")]);
        }
    }
    routes
}

/// Returns whether an operation is not part of the documented API.
pub(crate) fn is_extension(operation: &Value) -> bool {
    let mut tags = operation.get("tags").and_then(Value::as_array).into_iter().flatten();
    tags.any(|tag| EXTENSION_TAGS.iter().any(|extension| tag == extension))
}

/// Adds to each operation the permissions that `authorization` requires. Any one of them is sufficient.
pub(crate) fn document_permissions(document: &mut OpenApi, resource: ResourceKind) {
    for (path, item) in &mut document.paths.paths {
        let in_zone = path.contains("{zone_id}");
        let PathItem { get, post, put, patch, delete, .. } = item;
        for (operation, is_read) in [(get, true), (post, false), (put, false), (patch, false), (delete, false)] {
            let Some(operation) = operation else { continue };
            let token = resource
                .permissions(is_read, in_zone)
                .iter()
                .map(|group| SecurityRequirement::new("token", [group.name()]));
            let key = SecurityRequirement::new("email", [""; 0]).add("key", [""; 0]);
            operation.security = Some(token.chain([key]).collect());
        }
    }
}

/// Returns the same operations at another path.
pub(crate) fn alias_path<S>(path: &str, routes: UtoipaMethodRouter<S>) -> UtoipaMethodRouter<S> {
    let (schemas, mut paths, router) = routes;
    paths.paths = paths.paths.into_values().map(|item| (path.to_owned(), item)).collect();
    (schemas, paths, router)
}

/// Moves operations below a path. Unlike a nested router, the result does not split the path of each request.
pub(crate) fn prefix_paths<S: Clone + Send + Sync + 'static>(
    prefix: &str,
    routes: impl IntoIterator<Item = UtoipaMethodRouter<S>>,
) -> OpenApiRouter<S> {
    routes.into_iter().fold(OpenApiRouter::default(), |router, (schemas, mut paths, methods)| {
        let full_path = |path: &str| format!("{prefix}{}", if path == "/" { "" } else { path });
        paths.paths = paths.paths.into_iter().map(|(path, item)| (full_path(&path), item)).collect();
        router.routes((schemas, paths, methods))
    })
}

/// Sets a member of an object.
fn set_member(object: &mut Value, name: &str, value: Value) {
    if let Some(members) = object.as_object_mut() {
        members.insert(name.to_owned(), value);
    }
}

/// Completes the document: adds the shared descriptions and the parts of the server, and removes unused schemas.
fn complete_document(mut document: Value, server: ServerKind) -> Value {
    let errors = ErrorResponses::for_server(server);
    let examples: Value = serde_json::from_str(include_str!("openapi/examples.json")).unwrap_or_default();
    if let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) {
        for (path, item) in paths {
            for (method, operation) in item.as_object_mut().into_iter().flatten() {
                operation::complete(path, method, operation, &errors, &examples);
                server.set_security(method, operation);
            }
        }
    }
    let mut schemas = document.pointer_mut("/components/schemas").map(Value::take).unwrap_or_default();
    let named_schemas = schemas.clone();
    for (name, schema) in schemas.as_object_mut().into_iter().flatten() {
        if name.starts_with("Envelope_") {
            describe_success_envelope(schema, &named_schemas);
        }
    }
    if let Some(schemas) = schemas.as_object_mut() {
        allow_null_result_for_dry_run(&mut document, schemas);
        schemas.insert("Failure".to_owned(), common_errors::error_schema());
    }
    set_member(&mut document, "openapi", json!("3.1.0"));
    set_member(
        &mut document,
        "info",
        json!({
            "title": server.title(),
            "version": env!("CARGO_PKG_VERSION"),
            "description": format!("{}{DESCRIPTION}", server.description_prefix()),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        }),
    );
    set_member(&mut document, "servers", json!([{"url": "/client/v4", "description": "This service"}]));
    let tags = TAGS.iter().filter(|(name, _)| servers::has_tag(&document, name));
    let tags = tags.map(|(name, description)| json!({"name": name, "description": description})).collect();
    set_member(&mut document, "tags", tags);
    set_member(&mut document, "security", server.credentials());
    set_member(
        &mut document,
        "components",
        json!({
            "schemas": schemas,
            "responses": errors.responses(&examples),
            "securitySchemes": server.security_schemes(),
        }),
    );
    servers::remove_unused_schemas(&mut document);
    descriptions::simplify_descriptions(&mut document);
    document
}

/// Restricts an envelope with a result to successes, because failures have a separate schema.
fn describe_success_envelope(envelope: &mut Value, named_schemas: &Value) {
    let Some(members) = envelope.get_mut("properties").and_then(Value::as_object_mut) else { return };
    members.insert("success".to_owned(), json!({"type": "boolean", "const": true, "description": "Always true"}));
    if let Some(errors) = members.get_mut("errors").and_then(Value::as_object_mut) {
        errors.insert("maxItems".to_owned(), json!(0));
        errors.insert("description".to_owned(), json!("Always empty"));
    }
    if let Some(result) = members.get_mut("result") {
        remove_null(result);
        replace_with_reference(result, named_schemas);
    }
    set_member(envelope, "description", json!("Successful response"));
    set_member(envelope, "required", json!(["result", "success", "errors", "messages"]));
}

/// Makes the result nullable in responses to changes that have a dry run.
fn allow_null_result_for_dry_run(document: &mut Value, schemas: &mut Map<String, Value>) {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    let operations =
        paths.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut).flat_map(Map::values_mut);
    for operation in operations {
        let parameters = operation.get("parameters").and_then(Value::as_array);
        let is_dry_run = |parameter: &Value| parameter.get("name").is_some_and(|name| name == "dry_run");
        if !parameters.is_some_and(|parameters| parameters.iter().any(is_dry_run)) {
            continue;
        }
        let Some(schema) = operation.pointer_mut("/responses/200/content/application~1json/schema") else { continue };
        let Some(name) = operation::reference_name(schema).map(str::to_owned) else { continue };
        let Some(mut envelope) = schemas.get(&name).cloned() else { continue };
        if let Some(result) = envelope.pointer_mut("/properties/result") {
            let description = "`null` for a dry run";
            *result = json!({"anyOf": [result.take(), {"type": "null"}], "description": description});
        }
        let name = format!("{name}_or_null");
        *schema = json!({"$ref": format!("#/components/schemas/{name}")});
        schemas.insert(name, envelope);
    }
}

/// Replaces an inline schema, or that of the items of a list, with a reference to the named schema that equals it.
fn replace_with_reference(schema: &mut Value, named_schemas: &Value) {
    let item = if schema.get("items").is_some() { schema.pointer_mut("/items") } else { Some(schema) };
    let Some(item) = item else { return };
    if let Some((name, _)) = members(Some(named_schemas)).find(|(_, schema)| *schema == item) {
        *item = json!({"$ref": format!("#/components/schemas/{name}")});
    }
}

/// Removes `null` from the alternatives of a schema.
fn remove_null(schema: &mut Value) {
    let is_null = |choice: &Value| choice.get("type").is_some_and(|kind| kind == "null");
    if let Some(choices) = schema.get_mut("oneOf").and_then(Value::as_array_mut) {
        choices.retain(|choice| !is_null(choice));
        if let [only] = choices.as_mut_slice() {
            *schema = only.take();
        }
    } else if let Some(kinds) = schema.get_mut("type").and_then(Value::as_array_mut) {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_mut_slice() {
            let only = only.take();
            set_member(schema, "type", only);
        }
    }
}

/// Returns whether the operation accepts a body.
fn has_body(operation: &Value) -> bool {
    members(operation.get("requestBody")).next().is_some()
}

/// Returns whether the operation is outside the API.
fn is_outside_api(operation: &Value) -> bool {
    operation.get("servers").is_some()
}

/// Returns whether the operation needs no credentials.
fn is_public(operation: &Value) -> bool {
    let requirements = operation.get("security").and_then(Value::as_array);
    requirements.is_some_and(|all| all.iter().any(|required| required.as_object().is_some_and(Map::is_empty)))
}

/// Iterates over the members of an object; empty for other values.
fn members(value: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    value.and_then(Value::as_object).into_iter().flat_map(Map::iter)
}
