//! The web app, embedded in a release build and read from `dist/` in a debug build. The build of the app compresses its
//! files.
//! [`serve_content`] serves generated content, which it compresses.

use crate::content_coding::{Coding, accepted_codings, gzip};
use crate::error::{Error, route_not_found};
use axum::body::Bytes;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use flate2::Compression;
use rust_embed::{EmbeddedFile, RustEmbed};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OnceCell;
use zonewright_store::hex;

#[derive(RustEmbed)]
#[cfg_attr(not(test), folder = "../../dist")]
#[cfg_attr(test, folder = "tests/dist")]
#[allow_missing = true]
struct Dist;

/// Page that is shown when the app was not built.
const MISSING_APP_PAGE: &str = "<!doctype html><html lang=\"en\"><meta \
charset=\"utf-8\"><title>Zonewright</title><h1>Zonewright</h1><p>The service is running, but the web app was not \
built.</p><p>Stop the service and run <code>./run</code> in the project directory to build and serve the app.</p>";

/// The content security policy: load from this origin, run no inline script, call any service. Static hosts send it too.
const CONTENT_SECURITY_POLICY_VALUE: &str = include_str!("../../../web/content-security-policy.txt").trim_ascii_end();

/// Serves a file of the app. This is the fallback for every path without a route.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Result<Response, Error> {
    if method != Method::GET && method != Method::HEAD {
        return Err(route_not_found(&uri));
    }
    let name = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    // A debug build reads from disk, where such a path would leave the directory.
    if name.split('/').any(|part| part == "..") {
        return Err(route_not_found(&uri));
    }
    match Dist::get(name) {
        Some(file) => Ok(serve_file(name, file, &headers)),
        None if name == "index.html" => Ok(Html(MISSING_APP_PAGE).into_response()),
        None => Err(route_not_found(&uri)),
    }
}

/// Returns the response for a file of the app, in the best encoding that the build has written and the client accepts.
fn serve_file(name: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let encoded = |coding: Coding| Some((coding, Dist::get(&format!("{name}.{}", coding.extension()))?.data));
    let encoded = accepted_codings(headers).into_iter().find_map(encoded);
    let (coding, content) = encoded.map_or((None, file.data), |(coding, content)| (Some(coding), content));
    let tag = entity_tag(file.metadata.sha256_hash(), coding);
    let body = if is_not_modified(&tag, headers) { None } else { Some(content.into_response()) };
    with_content_headers(name, coding, &tag, body)
}

/// Returns the response for generated content with this SHA-256 hash, compressed with gzip if the client accepts that.
/// A client that already has the content gets 304 and causes no compression.
pub(crate) async fn serve_content(
    cache: &GzipCache,
    name: &str,
    content: Cow<'static, [u8]>,
    hash: [u8; 32],
    headers: &HeaderMap,
) -> Result<Response, Error> {
    let coding = accepted_codings(headers).into_iter().find(|coding| *coding == Coding::Gzip);
    let tag = entity_tag(hash, coding);
    let body = if is_not_modified(&tag, headers) {
        None
    } else if coding.is_some() {
        Some(cache.get_or_compress(name, hash, move || gzip(&content, Compression::best())).await?.into_response())
    } else {
        Some(content.into_response())
    };
    Ok(with_content_headers(name, coding, &tag, body))
}

/// Returns the entity tag of content with this SHA-256 hash. Each encoding is a separate representation, so it needs
/// its own tag.
fn entity_tag(hash: [u8; 32], coding: Option<Coding>) -> String {
    let suffix = coding.map(|coding| format!("-{}", coding.name())).unwrap_or_default();
    format!("\"{}{suffix}\"", hex(&hash))
}

/// Adds the headers of a file to its response. Without a body, the response is 304 Not Modified.
fn with_content_headers(name: &str, coding: Option<Coding>, tag: &str, body: Option<Response>) -> Response {
    let has_body = body.is_some();
    let mut response = body.unwrap_or_else(|| StatusCode::NOT_MODIFIED.into_response());
    let headers = response.headers_mut();
    if has_body {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type(name)));
        if let Some(coding) = coding {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
        }
    }
    let caching = if has_hash(name) { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    if is_compressible(name) {
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    }
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(ETAG, tag);
    }
    // A worker has the policy of its own script, not that of the page.
    if name.ends_with(".html") || name.ends_with(".js") {
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONTENT_SECURITY_POLICY_VALUE));
    }
    response
}

/// Compressed files by name. Each file is compressed once; concurrent requests for it wait for the result.
#[derive(Default)]
pub(crate) struct GzipCache(Mutex<HashMap<String, CacheEntry>>);

/// A compressed file with the hash of its uncompressed content. The cell is empty until the file is compressed.
#[derive(Clone)]
struct CacheEntry {
    source_hash: [u8; 32],
    content: Arc<OnceCell<Bytes>>,
}

impl GzipCache {
    /// Returns a compressed file. The first request for it compresses it. A file that has changed, which happens only
    /// in debug builds, is compressed again.
    async fn get_or_compress(
        &self,
        name: &str,
        source_hash: [u8; 32],
        compress: impl FnOnce() -> std::io::Result<Bytes> + Send + 'static,
    ) -> Result<Bytes, Error> {
        let cell = self.cell(name, source_hash);
        if let Some(content) = cell.get() {
            return Ok(content.clone());
        }
        // The spawned task finishes even if the request is canceled.
        let compressed = tokio::spawn(async move {
            // Compressing a large file takes most of a second, so it runs on the pool of blocking threads.
            let compress = || async move { tokio::task::spawn_blocking(compress).await? };
            cell.get_or_try_init(compress).await.cloned()
        });
        let compressed = compressed.await.map_err(|error| Error::Internal(error.into()))?;
        compressed.map_err(|error: std::io::Error| Error::Internal(error.into()))
    }

    fn cell(&self, name: &str, source_hash: [u8; 32]) -> Arc<OnceCell<Bytes>> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = entries.get(name).filter(|entry| entry.source_hash == source_hash).cloned();
        let entry = entry.unwrap_or_else(|| {
            let entry = CacheEntry { source_hash, content: Arc::default() };
            entries.insert(name.to_owned(), entry.clone());
            entry
        });
        entry.content
    }
}

/// Returns whether gzip makes a file smaller, by its extension. Images and fonts are already compressed.
fn is_compressible(name: &str) -> bool {
    !matches!(name.rsplit('.').next().unwrap_or_default(), "png" | "ico" | "woff2")
}

/// Returns whether the client has the file with this tag. A proxy may have weakened the tag, and the client may have
/// sent several header lines of tags (RFC 9110, 13.1.2).
fn is_not_modified(tag: &str, headers: &HeaderMap) -> bool {
    let lines = headers.get_all(IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    let tags = lines.flat_map(|line| line.split(',')).map(str::trim);
    tags.map(|sent| sent.strip_prefix("W/").unwrap_or(sent)).any(|sent| sent == "*" || sent == tag)
}

/// Returns whether the path of a file contains a content hash: 64 bits in lowercase hexadecimal. Trunk and wasm-bindgen
/// omit leading zeros.
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
mod tests {
    use super::*;
    use axum::http::header::ACCEPT_ENCODING;
    use std::sync::atomic::{AtomicUsize, Ordering};

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

    const PAGE: &[u8] = b"<p>";

    fn accepts() -> HeaderMap {
        HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static("gzip"))])
    }

    #[tokio::test]
    async fn responses_have_type_tag_and_policy() {
        let cache = GzipCache::default();
        let get = async |name: &str, hash: u8, headers: &HeaderMap| {
            serve_content(&cache, name, Cow::Borrowed(PAGE), [hash; 32], headers).await.unwrap()
        };
        let first = get("index.html", 7, &HeaderMap::new()).await;
        assert_eq!(first.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
        assert_eq!(first.headers()[CACHE_CONTROL], "no-cache");
        assert!(first.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().contains("wasm-unsafe-eval"));
        let mut known = HeaderMap::new();
        known.insert(IF_NONE_MATCH, first.headers()[ETAG].clone());
        assert_eq!(get("index.html", 7, &known).await.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(get("a.wasm", 8, &known).await.headers()[CONTENT_TYPE], "application/wasm");
        let worker = get("service-worker.js", 9, &known).await;
        assert_eq!(worker.headers()[CONTENT_SECURITY_POLICY], CONTENT_SECURITY_POLICY_VALUE);
    }

    #[tokio::test]
    async fn gzip_responses_have_their_own_etag_and_vary() {
        let cache = GzipCache::default();
        let get = async |headers: HeaderMap| {
            serve_content(&cache, "a.html", Cow::Owned(PAGE.repeat(1000)), [7; 32], &headers).await.unwrap()
        };
        let (plain, gzip) = (get(HeaderMap::new()).await, get(accepts()).await);
        assert_eq!(
            (&gzip.headers()[CONTENT_ENCODING], &gzip.headers()[VARY]),
            (&"gzip".parse().unwrap(), &plain.headers()[VARY])
        );
        assert!(!plain.headers().contains_key(CONTENT_ENCODING));
        assert_ne!(plain.headers()[ETAG], gzip.headers()[ETAG]);
        let known = || (IF_NONE_MATCH, gzip.headers()[ETAG].clone());
        let not_modified =
            get(accepts().into_iter().filter_map(|(name, value)| Some((name?, value))).chain([known()]).collect())
                .await;
        assert_eq!(not_modified.status(), StatusCode::NOT_MODIFIED);
        assert!(!not_modified.headers().contains_key(CONTENT_ENCODING));
        assert_eq!(get(HeaderMap::from_iter([known()])).await.status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn client_that_has_the_file_causes_no_compression() {
        let cache = GzipCache::default();
        let mut headers = accepts();
        headers.insert(IF_NONE_MATCH, format!("\"{}-gzip\"", hex(&[7; 32])).parse().unwrap());
        let response = serve_content(&cache, "a.html", Cow::Borrowed(PAGE), [7; 32], &headers).await.unwrap();
        assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
        assert!(cache.0.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn concurrent_requests_compress_a_file_once() {
        let (cache, count) = (Arc::new(GzipCache::default()), Arc::new(AtomicUsize::new(0)));
        let requests = (0..8).map(|_| {
            let (cache, count) = (Arc::clone(&cache), Arc::clone(&count));
            tokio::spawn(async move {
                let compress = move || {
                    count.fetch_add(1, Ordering::Relaxed);
                    gzip(PAGE, Compression::best())
                };
                cache.get_or_compress("a.html", [7; 32], compress).await.unwrap()
            })
        });
        for request in requests.collect::<Vec<_>>() {
            assert_eq!(request.await.unwrap(), gzip(PAGE, Compression::best()).unwrap());
        }
        assert_eq!(count.load(Ordering::Relaxed), 1);
        let other = cache.get_or_compress("a.html", [8; 32], || gzip(b"<b>", Compression::best())).await.unwrap();
        assert_eq!(other, gzip(b"<b>", Compression::best()).unwrap(), "the file has changed");
    }

    #[tokio::test]
    async fn compression_continues_after_its_request_is_canceled() {
        let cache = Arc::new(GzipCache::default());
        let (started, has_started) = tokio::sync::oneshot::channel();
        let (release, released) = std::sync::mpsc::channel::<()>();
        let first = Arc::clone(&cache);
        let first = tokio::spawn(async move {
            let compress = move || {
                started.send(()).unwrap();
                released.recv().unwrap();
                gzip(PAGE, Compression::best())
            };
            first.get_or_compress("a.html", [7; 32], compress).await
        });
        has_started.await.unwrap();
        first.abort();
        assert!(first.await.unwrap_err().is_cancelled());
        release.send(()).unwrap();
        let again = || Err(std::io::Error::other("compressed again"));
        assert_eq!(
            cache.get_or_compress("a.html", [7; 32], again).await.unwrap(),
            gzip(PAGE, Compression::best()).unwrap()
        );
    }
}
