//! The complete document of a server, as JSON and as a page.

use super::servers::remove_extensions;
use super::{BASE, ServerKind, complete_document, page};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::mem::take;
use utoipa::openapi::OpenApi;

/// A document in its two formats.
pub(crate) struct Document {
    text: HashedText,
    page: HashedText,
}

/// A text with its SHA-256 hash, which is computed once.
pub(crate) struct HashedText {
    pub(crate) text: String,
    pub(crate) hash: [u8; 32],
}

impl From<String> for HashedText {
    fn from(text: String) -> Self {
        HashedText { hash: Sha256::digest(&text).into(), text }
    }
}

impl Document {
    /// Generates the document of a server from the API and the server's own operations.
    pub(crate) fn new(server: ServerKind, interface: OpenApi, own: OpenApi) -> Document {
        let document = complete_document(described(server, interface, own), server);
        Document { text: document.to_string().into(), page: page::page(&document).into() }
    }

    /// Returns the document as JSON.
    pub(crate) fn text(&self) -> &HashedText {
        &self.text
    }

    /// Returns the document as an HTML page.
    pub(crate) fn page(&self) -> &HashedText {
        &self.page
    }
}

/// Merges the annotations of the handlers into one value.
fn described(server: ServerKind, interface: OpenApi, own: OpenApi) -> Value {
    let mut described = serde_json::to_value(interface).unwrap_or_default();
    if server != ServerKind::Service {
        remove_extensions(&mut described);
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
        // Paths in the document are relative to the URL of the API.
        let short = |path: String| path.strip_prefix(BASE).map(str::to_owned).unwrap_or(path);
        *paths = take(paths).into_iter().map(|(path, item)| (short(path), item)).collect();
    }
    described
}
