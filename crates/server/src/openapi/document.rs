//! The complete document of a server, as JSON and as a page.

use super::servers::remove_extensions;
use super::{API_PATH, ServerKind, complete_document, page};
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
    pub(crate) fn new(server: ServerKind, api: OpenApi, own_operations: OpenApi) -> Document {
        let document = complete_document(merge_documents(server, api, own_operations), server);
        Document { text: document.to_string().into(), page: page::render_page(&document).into() }
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

/// Merges the documents of the API and of the server's own operations. For a relay, removes the operations of the API
/// that it does not forward.
fn merge_documents(server: ServerKind, api: OpenApi, own_operations: OpenApi) -> Value {
    let mut merged = serde_json::to_value(api).unwrap_or_default();
    if server != ServerKind::Service {
        remove_extensions(&mut merged);
    }
    let mut own_operations = serde_json::to_value(own_operations).unwrap_or_default();
    for pointer in ["/paths", "/components/schemas"] {
        let added = own_operations.pointer_mut(pointer).map(Value::take);
        let all = merged.pointer_mut(pointer).and_then(Value::as_object_mut);
        if let (Some(all), Some(Value::Object(added))) = (all, added) {
            all.extend(added);
        }
    }
    if let Some(paths) = merged.pointer_mut("/paths").and_then(Value::as_object_mut) {
        // Paths in the document are relative to the URL of the API.
        let relative = |path: String| path.strip_prefix(API_PATH).map(str::to_owned).unwrap_or(path);
        *paths = take(paths).into_iter().map(|(path, item)| (relative(path), item)).collect();
    }
    merged
}
