//! A whole document, made of what stands at the handlers.

use super::servers::without_ours;
use super::{BASE, Server, complete, page};
use serde_json::Value;
use std::mem::take;
use utoipa::openapi::OpenApi;

/// A document in its forms.
pub(crate) struct Document {
    text: String,
    page: String,
}

impl Document {
    /// The document of a server: of the interface, and of what is the server's own.
    pub(crate) fn new(server: Server, interface: OpenApi, own: OpenApi) -> Document {
        let document = complete(described(server, interface, own), server);
        Document { text: document.to_string(), page: page::page(&document) }
    }

    /// As JSON.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// As a page for people.
    pub(crate) fn page(&self) -> &str {
        &self.page
    }
}

/// What stands at the handlers, in one value.
fn described(server: Server, interface: OpenApi, own: OpenApi) -> Value {
    let mut described = serde_json::to_value(interface).unwrap_or_default();
    if server != Server::Service {
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
