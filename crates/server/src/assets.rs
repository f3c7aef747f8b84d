//! The web app, embedded in a release build and read from `dist/` in a debug build.

use crate::error::{Error, unknown};
use crate::secret::hex;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../dist"]
#[allow_missing = true]
struct Dist;

/// Shown in place of an app that was not built.
const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Zonewright</title>\
<h1>Zonewright</h1><p>The service is running, but the web app was not built.</p>\
<p>Stop it and call <code>./run</code> in the folder of the project: it builds the app and serves it.</p>";

/// What a page may do: load from here, run no inline script, call any service.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    connect-src 'self' https: http://127.0.0.1:* http://localhost:*; img-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Answers every address that no route has.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Result<Response, Error> {
    if method != Method::GET && method != Method::HEAD {
        return Err(unknown(&uri));
    }
    let name = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    // A debug build reads from disk, where this would lead out of the folder.
    if name.split('/').any(|part| part == "..") {
        return Err(unknown(&uri));
    }
    match Dist::get(name) {
        Some(file) => Ok(answer(name, &file.data, &file.metadata.sha256_hash(), &headers)),
        None if name == "index.html" => Ok(Html(NOT_BUILT).into_response()),
        None => Err(unknown(&uri)),
    }
}

fn answer(name: &str, content: &[u8], hash: &[u8], headers: &HeaderMap) -> Response {
    let tag = format!("\"{}\"", hex(hash));
    let caching = if has_hash(name) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut response = if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(CONTENT_TYPE, content_type(name))], content.to_vec()).into_response()
    };
    let added = response.headers_mut();
    added.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        added.insert(ETAG, tag);
    }
    if name.ends_with(".html") {
        added.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    }
    response
}

/// Whether the name of a file, or of a folder that it is in, carries the hash of its content.
fn has_hash(name: &str) -> bool {
    let is_hash = |word: &str| word.len() == 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    name.split(['/', '-', '_', '.']).any(is_hash)
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_hashes_are_kept_for_good() {
        for name in ["web-0123456789abcdef.js", "web-0123456789abcdef_bg.wasm", "snippets/a-0123456789abcdef/b.js"] {
            assert!(has_hash(name), "{name}");
        }
        for name in ["index.html", "style.css", "web-0123.js"] {
            assert!(!has_hash(name), "{name}");
        }
    }

    #[test]
    fn answers_carry_type_tag_and_policy() {
        let first = answer("index.html", b"<p>", &[7], &HeaderMap::new());
        assert_eq!(first.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
        assert_eq!(first.headers()[CACHE_CONTROL], "no-cache");
        assert!(first.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().contains("wasm-unsafe-eval"));
        let mut known = HeaderMap::new();
        known.insert(IF_NONE_MATCH, first.headers()[ETAG].clone());
        assert_eq!(answer("index.html", b"<p>", &[7], &known).status(), StatusCode::NOT_MODIFIED);
        assert_eq!(answer("a.wasm", b"", &[8], &known).headers()[CONTENT_TYPE], "application/wasm");
    }
}
