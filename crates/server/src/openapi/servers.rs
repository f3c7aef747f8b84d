//! The documents of the servers: the service has all that is here, a relay what it passes on and its own.

use super::{complete, is_ours, page, put};
use crate::routes::openapi::interface;
use crate::{BASE, api, operation, relay};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::mem::take;
use std::sync::LazyLock;

/// Whose document it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Server {
    /// The service.
    Service,
    /// A relay whose callers bring their credentials.
    Passing,
    /// A relay that keeps the credentials.
    Keeping,
}

/// A document in its forms.
struct Document {
    text: String,
    page: String,
}

static SERVICE: LazyLock<Document> = LazyLock::new(|| Document::of(Server::Service));
static PASSING: LazyLock<Document> = LazyLock::new(|| Document::of(Server::Passing));
static KEEPING: LazyLock<Document> = LazyLock::new(|| Document::of(Server::Keeping));

impl Document {
    fn of(server: Server) -> Document {
        let document = complete(server.described(), server);
        Document { text: document.to_string(), page: page::page(&document) }
    }
}

impl Server {
    /// That of a relay.
    pub(crate) fn relay(keeps_credentials: bool) -> Server {
        if keeps_credentials { Server::Keeping } else { Server::Passing }
    }

    /// The document as JSON.
    pub(crate) fn text(self) -> &'static str {
        &self.document().text
    }

    /// The document as a page.
    pub(crate) fn page(self) -> &'static str {
        &self.document().page
    }

    fn document(self) -> &'static Document {
        match self {
            Server::Service => &SERVICE,
            Server::Passing => &PASSING,
            Server::Keeping => &KEEPING,
        }
    }

    /// What stands at the handlers.
    fn described(self) -> Value {
        let own = match self {
            Server::Service => operation().merge(interface()).into_openapi(),
            Server::Passing | Server::Keeping => relay::own().merge(interface()).into_openapi(),
        };
        let mut described = serde_json::to_value(api().into_openapi()).unwrap_or_default();
        if self != Server::Service {
            without_ours(&mut described);
        }
        let mut own = serde_json::to_value(own).unwrap_or_default();
        for part in ["/paths", "/components/schemas"] {
            let added = own.pointer_mut(part).map(Value::take);
            let all = described.pointer_mut(part).and_then(Value::as_object_mut);
            if let (Some(all), Some(Value::Object(added))) = (all, added) {
                all.extend(added);
            }
        }
        if let Some(paths) = described.pointer_mut("/paths").and_then(Value::as_object_mut) {
            // They are told from the address of the interface on.
            let short = |path: String| path.strip_prefix(BASE).map(str::to_owned).unwrap_or(path);
            *paths = take(paths).into_iter().map(|(path, item)| (short(path), item)).collect();
        }
        described
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Server::Service => "Zonewright",
            Server::Passing | Server::Keeping => "Zonewright relay",
        }
    }

    /// What comes before what is said of every server.
    pub(super) fn about(self) -> &'static str {
        match self {
            Server::Service => "",
            Server::Passing | Server::Keeping => {
                "A relay: what is below `/client/v4` is passed on to an upstream and answered there, unless it would be \
                refused for what stands in the request itself. Described is what a service of ours answers; an upstream \
                may have other members and other refusals.\n\n"
            }
        }
    }

    /// What a request needs when nothing else is said.
    pub(super) fn credentials(self) -> Value {
        match self {
            Server::Service | Server::Passing => json!([{"token": []}, {"email": [], "key": []}]),
            Server::Keeping => json!([{"session": []}]),
        }
    }

    /// Says of an operation what a caller needs, where that is not what stands at the handler.
    pub(super) fn ask_for_credentials(self, method: &str, operation: &mut Value) {
        if self == Server::Keeping && !is_ours(operation) {
            let needed = if method == "get" { json!([{"session": []}]) } else { json!([{"session": [], "csrf": []}]) };
            put(operation, "security", needed);
        }
    }

    pub(super) fn schemes(self) -> Value {
        let key = |place: &str, name: &str, about: &str| json!({"type": "apiKey", "in": place, "name": name, "description": about});
        match self {
            Server::Service | Server::Passing => json!({
                "token": {
                    "type": "http", "scheme": "bearer",
                    "description":
                        "A token; each operation names the permission groups of which the token has to have one",
                },
                "email":
                    key("header", "X-Auth-Email", "The e-mail address of a user, who may do everything in the own account"),
                "key": key("header", "X-Auth-Key", "The key of that user"),
            }),
            Server::Keeping => json!({
                "session": key("cookie", relay::COOKIE, "A session, which `POST /relay/session` begins"),
                "csrf": key(
                    "header", "X-CSRF-Token",
                    "What `GET /relay/session` gives as `csrf_token`; needed for what changes something",
                ),
            }),
        }
    }
}

/// Leaves what a relay passes on: all that is documented, as a test of `relay/table.rs` sees to.
fn without_ours(document: &mut Value) {
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    for item in paths.values_mut().filter_map(Value::as_object_mut) {
        item.retain(|_, operation| !is_ours(operation));
    }
    paths.retain(|_, item| item.as_object().is_some_and(|operations| !operations.is_empty()));
}

/// Whether an operation has a tag.
pub(super) fn has_tag(document: &Value, name: &str) -> bool {
    let items = document.get("paths").and_then(Value::as_object).into_iter().flatten();
    let mut operations = items.flat_map(|(_, item)| item.as_object().into_iter().flatten());
    operations.any(|(_, operation)| operation.pointer("/tags/0").is_some_and(|tag| tag == name))
}

/// Drops the shapes that nothing has, until all are used.
pub(super) fn drop_unused(document: &mut Value) {
    loop {
        let mut used = BTreeSet::new();
        references(document, &mut used);
        let used: BTreeSet<String> = used.into_iter().map(str::to_owned).collect();
        let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut) else { return };
        let before = schemas.len();
        schemas.retain(|name, _| used.contains(&format!("#/components/schemas/{name}")));
        if schemas.len() == before {
            return;
        }
    }
}

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
