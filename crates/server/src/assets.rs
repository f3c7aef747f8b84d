//! The web app, embedded in a release build and read from `dist/` in a debug build.

use crate::error::{Error, unknown};
use crate::secret::hex;
use axum::body::Bytes;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;
use std::sync::{LazyLock, Mutex, PoisonError};

#[derive(RustEmbed)]
#[cfg_attr(not(test), folder = "../../dist")]
#[cfg_attr(test, folder = "tests/dist")]
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
        Some(file) => {
            let packed = match is_compressible(name) && accepts_gzip(&headers) {
                true => Some(compress_cached(name, file.metadata.sha256_hash(), &file.data).await?),
                false => None,
            };
            Ok(answer(name, file.data, packed, &file.metadata.sha256_hash(), &headers))
        }
        None if name == "index.html" => Ok(Html(NOT_BUILT).into_response()),
        None => Err(unknown(&uri)),
    }
}

/// The response for a file: compressed if `packed` is given, else as is.
fn answer(
    name: &str,
    content: Cow<'static, [u8]>,
    packed: Option<Bytes>,
    hash: &[u8],
    headers: &HeaderMap,
) -> Response {
    // Each encoding is a separate representation, so it needs its own entity tag.
    let encoding = if packed.is_some() { "-gzip" } else { "" };
    let tag = format!("\"{}{encoding}\"", hex(hash));
    let caching = if has_hash(name) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let is_known = is_known(&tag, headers);
    let is_packed = packed.is_some();
    let mut response = match packed {
        _ if is_known => StatusCode::NOT_MODIFIED.into_response(),
        Some(packed) => ([(CONTENT_TYPE, content_type(name))], packed).into_response(),
        None => ([(CONTENT_TYPE, content_type(name))], content).into_response(),
    };
    let added = response.headers_mut();
    added.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    if is_compressible(name) {
        added.insert(VARY, HeaderValue::from_static("accept-encoding"));
    }
    if is_packed && !is_known {
        added.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        added.insert(ETAG, tag);
    }
    if name.ends_with(".html") {
        added.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    }
    response
}

/// A file in gzip, with the hash of its uncompressed content.
#[derive(Clone)]
struct CacheEntry {
    source_hash: [u8; 32],
    content: Bytes,
}

/// Returns a file in gzip from a cache. The first request for a file compresses it. A file that has changed, which
/// happens only in debug builds, is compressed again.
async fn compress_cached(name: &str, hash: [u8; 32], content: &[u8]) -> Result<Bytes, Error> {
    static CACHE: LazyLock<Mutex<HashMap<String, CacheEntry>>> = LazyLock::new(Mutex::default);
    let found = CACHE.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
    if let Some(found) = found.filter(|found| found.source_hash == hash) {
        return Ok(found.content);
    }
    let content = content.to_vec();
    // Compressing a large file takes most of a second, so it runs on the pool of blocking threads.
    let packed = tokio::task::spawn_blocking(move || gzip(&content)).await;
    let packed =
        packed.map_err(|error| Error::Internal(error.into()))?.map_err(|error| Error::Internal(error.into()))?;
    let entry = CacheEntry { source_hash: hash, content: packed.clone() };
    CACHE.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), entry);
    Ok(packed)
}

fn gzip(content: &[u8]) -> std::io::Result<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    Ok(Bytes::from(encoder.finish()?))
}

/// Whether gzip makes a file smaller, by its extension. Images and fonts are already compressed.
fn is_compressible(name: &str) -> bool {
    !matches!(name.rsplit('.').next().unwrap_or_default(), "png" | "ico" | "woff2")
}

/// Whether the client has the file with this tag. A proxy may have made the tag weak, and the client may have sent
/// several lines of tags (RFC 9110, 13.1.2).
fn is_known(tag: &str, headers: &HeaderMap) -> bool {
    let lines = headers.get_all(IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    let known = lines.flat_map(|line| line.split(',')).map(str::trim);
    known.map(|known| known.strip_prefix("W/").unwrap_or(known)).any(|known| known == "*" || known == tag)
}

/// Whether the client takes gzip: named, or by `*`, without the weight 0, and no less than the file as it is.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let lines: Vec<&str> = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok()).collect();
    let weight = |name: &str| {
        lines.iter().flat_map(|line| line.split(',')).find_map(|item| {
            let (coding, parameters) = item.split_once(';').unwrap_or((item, ""));
            let weight = parameters.split_once('=').filter(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
            let weight = weight.and_then(|(_, weight)| weight.trim().parse().ok()).unwrap_or(1.0);
            coding.trim().eq_ignore_ascii_case(name).then_some(weight)
        })
    };
    let unchanged = weight("identity").unwrap_or(0.0);
    weight("gzip").or_else(|| weight("*")).is_some_and(|weight: f64| weight > 0.0 && weight >= unchanged)
}

/// Whether the path of a file contains a content hash: 64 bits in lower-case hexadecimal. Trunk and wasm-bindgen omit
/// leading zeros.
fn has_hash(name: &str) -> bool {
    let is_hash = |word: &str| {
        (12..=16).contains(&word.len())
            && word.bytes().all(|byte| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase())
    };
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
mod http_tests;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashed_names_are_recognized_without_their_leading_zeros() {
        let hashed = [
            "web-0123456789abcdef.js",
            "web-123456789abcdef.js",
            "web-3456789abcdef_bg.wasm",
            "snippets/a-0123456789abcdef/b.js",
        ];
        for name in hashed {
            assert!(has_hash(name), "{name}");
        }
        for name in ["index.html", "style.css", "web-0123.js", "facade.js"] {
            assert!(!has_hash(name), "{name}");
        }
    }

    #[test]
    fn answers_carry_type_tag_and_policy() {
        let plain =
            |name: &str, hash: u8, headers: &HeaderMap| answer(name, Cow::Borrowed(b"<p>"), None, &[hash], headers);
        let first = plain("index.html", 7, &HeaderMap::new());
        assert_eq!(first.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
        assert_eq!(first.headers()[CACHE_CONTROL], "no-cache");
        assert!(first.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().contains("wasm-unsafe-eval"));
        let mut known = HeaderMap::new();
        known.insert(IF_NONE_MATCH, first.headers()[ETAG].clone());
        assert_eq!(plain("index.html", 7, &known).status(), StatusCode::NOT_MODIFIED);
        assert_eq!(plain("a.wasm", 8, &known).headers()[CONTENT_TYPE], "application/wasm");
    }

    #[tokio::test]
    async fn gzip_responses_have_their_own_etag_and_vary() {
        let content = b"<p>".repeat(1000);
        let packed = compress_cached("a.html", [7; 32], &content).await.unwrap();
        assert!(packed.len() < 100);
        let answer = |packed: Option<Bytes>, headers: &HeaderMap| {
            answer("a.html", Cow::Owned(content.clone()), packed, &[7], headers)
        };
        let (plain, gzip) = (answer(None, &HeaderMap::new()), answer(Some(packed.clone()), &HeaderMap::new()));
        assert_eq!(
            (&gzip.headers()[CONTENT_ENCODING], &gzip.headers()[VARY]),
            (&"gzip".parse().unwrap(), &plain.headers()[VARY])
        );
        assert!(!plain.headers().contains_key(CONTENT_ENCODING));
        assert_ne!(plain.headers()[ETAG], gzip.headers()[ETAG]);
        let mut known = HeaderMap::new();
        known.insert(IF_NONE_MATCH, gzip.headers()[ETAG].clone());
        assert_eq!(answer(Some(packed), &known).status(), StatusCode::NOT_MODIFIED);
        assert_eq!(answer(None, &known).status(), StatusCode::OK);
    }

    #[test]
    fn gzip_is_sent_only_to_clients_that_accept_it() {
        let cases = [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("*", true),
            ("gzip;q=0, *", false),
            ("identity", false),
            ("br", false),
            ("", false),
        ];
        for (header, accepted) in cases {
            let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(header))]);
            assert_eq!(accepts_gzip(&headers), accepted, "{header}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }
}
