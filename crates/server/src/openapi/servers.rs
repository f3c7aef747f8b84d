//! The documents of the servers. The service has all operations; a relay has those that it forwards and its own.

use super::{is_extension, set_member};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The server that a document describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ServerKind {
    /// The service.
    Service,
    /// A relay whose clients send their credentials.
    PassThroughRelay,
    /// A relay that stores the credentials.
    CredentialRelay,
}

impl ServerKind {
    pub(super) fn title(self) -> &'static str {
        match self {
            ServerKind::Service => "Zonewright",
            ServerKind::PassThroughRelay | ServerKind::CredentialRelay => "Zonewright relay",
        }
    }

    /// Returns the beginning of the description; a shared text follows.
    pub(super) fn description_prefix(self) -> &'static str {
        match self {
            ServerKind::Service => "",
            ServerKind::PassThroughRelay | ServerKind::CredentialRelay => {
                "A relay validates requests below `/client/v4` and forwards them to an upstream, which responds. This \
                document describes the responses of Zonewright itself; an upstream may return other members and other \
                errors.\n\n"
            }
        }
    }

    /// Returns the credentials that an operation requires by default.
    pub(super) fn credentials(self) -> Value {
        match self {
            ServerKind::Service | ServerKind::PassThroughRelay => json!([{"token": []}, {"email": [], "key": []}]),
            ServerKind::CredentialRelay => json!([{"session": []}]),
        }
    }

    /// Sets the credentials of an operation if they differ from those that its handler declares.
    pub(super) fn set_security(self, method: &str, operation: &mut Value) {
        if self == ServerKind::CredentialRelay && !is_extension(operation) {
            let required =
                if method == "get" { json!([{"session": []}]) } else { json!([{"session": [], "csrf": []}]) };
            set_member(operation, "security", required);
        }
    }

    pub(super) fn security_schemes(self) -> Value {
        let api_key = |location: &str, name: &str, description: &str| json!({"type": "apiKey", "in": location, "name": name, "description": description});
        match self {
            ServerKind::Service | ServerKind::PassThroughRelay => json!({
                "token": {
                    "type": "http", "scheme": "bearer",
                    "description":
                        "A token; it must have one of the permission groups that the operation lists",
                },
                "email": api_key(
                    "header", "X-Auth-Email",
                    "The email address of a user, who has all permissions in their own account",
                ),
                "key": api_key("header", "X-Auth-Key", "The key of the user"),
            }),
            ServerKind::CredentialRelay => json!({
                "session": api_key("cookie", SESSION_COOKIE, "The session cookie that `POST /relay/session` sets"),
                "csrf": api_key(
                    "header", "X-CSRF-Token",
                    "The `csrf_token` that `GET /relay/session` returns; required for requests that change something",
                ),
            }),
        }
    }
}

/// Name of the relay's cookie with the secret of a session.
pub(crate) const SESSION_COOKIE: &str = "zonewright-relay";

/// Removes the operations that a relay does not forward. A test in `relay/route_table.rs` checks that every documented
/// operation remains.
pub(super) fn remove_extensions(document: &mut Value) {
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    for item in paths.values_mut().filter_map(Value::as_object_mut) {
        item.retain(|_, operation| !is_extension(operation));
    }
    paths.retain(|_, item| item.as_object().is_some_and(|operations| !operations.is_empty()));
}

/// Returns whether any operation has this tag.
pub(super) fn has_tag(document: &Value, name: &str) -> bool {
    let items = document.get("paths").and_then(Value::as_object).into_iter().flatten();
    let mut operations = items.flat_map(|(_, item)| item.as_object().into_iter().flatten());
    operations.any(|(_, operation)| operation.pointer("/tags/0").is_some_and(|tag| tag == name))
}

/// Removes unused schemas. Repeats this because the last reference to a schema may be in a removed one.
pub(super) fn remove_unused_schemas(document: &mut Value) {
    loop {
        let mut used = BTreeSet::new();
        collect_references(document, &mut used);
        let used: BTreeSet<String> = used.into_iter().map(str::to_owned).collect();
        let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut) else { return };
        let before = schemas.len();
        schemas.retain(|name, _| used.contains(&format!("#/components/schemas/{name}")));
        if schemas.len() == before {
            return;
        }
    }
}

fn collect_references<'a>(value: &'a Value, names: &mut BTreeSet<&'a str>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_references(item, names)),
        Value::Object(members) => {
            names.extend(members.get("$ref").and_then(Value::as_str));
            members.values().for_each(|member| collect_references(member, names));
        }
        _ => {}
    }
}
