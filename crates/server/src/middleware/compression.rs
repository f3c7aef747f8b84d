//! Compresses responses of the API with gzip, for clients that accept it. Start with [`compress_response`].
//!
//! # Responses that stay uncompressed
//!
//! A compressed length reveals whether a secret resembles other text of the same response. An attacker who chooses that
//! text and observes the connection learns the secret step by step (BREACH). Two kinds of responses contain secrets:
//!
//! - Log push: destinations contain access keys, also in lists and errors, and ownership challenges are secrets. The
//!   upstream of a relay may return more of them than the service. All paths with the segment `logpush` are excluded,
//!   because a rule for single routes would miss new ones.
//! - Tokens: all paths with the segment `tokens`. Today they only verify tokens, but a response that creates or renews
//!   one contains its value.
//!
//! The session routes of a relay return a CSRF token. They are outside of [`API_PATH`], so they stay uncompressed too.
//! No other response contains credentials, and none contains those of its request. A rule may contain a secret value,
//! but the attack needs text in the same list. The permission to write that text includes the permission to read the
//! value.
//!
//! # Entity tags
//!
//! The tag of a ruleset or of a migration is the revision of the stored object. Clients send it back in `If-Match`,
//! which compares strongly (RFC 9110, 13.1.1): a weakened tag would never match, and a tag with a suffix would be
//! unknown to the upstream of a relay. The compressed response therefore has the tag of the uncompressed response.
//! Sharing a strong tag is harmless here. `Vary` keeps the two apart, `no-store` forbids caches to store either, and
//! there are no range requests, which could combine them. The API does not evaluate `If-None-Match`, except for the
//! OpenAPI document, which has a tag for each coding and is already compressed (`assets.rs`).
//!
//! # Why not the layer of tower-http
//!
//! It replaces the status of a response by 406 if the client rejects `identity` and gzip, even if the request has
//! already changed something. Here such a client gets the uncompressed response, which RFC 9110 (12.5.3) allows. The
//! layer also omits `Content-Length`, cannot reuse a compressed body, and adds four crates and a second implementation
//! of deflate.

use crate::blocking::run_blocking;
use crate::content_coding::{Coding, accepted_codings, gzip};
use crate::error::Error;
use crate::openapi::API_PATH;
use crate::response_cache::CompressedBody;
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, VARY};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use tokio::sync::Semaphore;

/// Maximum length in bytes of a body that stays uncompressed: it fits into a single packet, so compression saves no
/// time.
const MAX_UNCOMPRESSED_BYTES: usize = 1 << 10;
/// Maximum length in bytes of a body that is compressed on the thread of the request, in less than 0.1 ms.
const MAX_INLINE_BYTES: usize = 32 << 10;
/// The maximum number of long bodies that are compressed at the same time. Further responses stay uncompressed.
static COMPRESSION_PERMITS: Semaphore = Semaphore::const_new(16);
/// Path segments of responses that may contain secrets.
const SECRET_SEGMENTS: [&str; 2] = ["logpush", "tokens"];

/// Compresses the response to a request of the API if it is JSON of more than 1 KiB, not compressed yet, and free of
/// secrets.
///
/// The response to `HEAD` still has the body of `GET` here, so both have the same headers. The router removes the body.
pub(crate) async fn compress_response(request: Request, next: Next) -> Response {
    if !is_compressible_path(request.uri().path()) {
        return next.run(request).await;
    }
    let accepts_gzip = accepted_codings(request.headers()).contains(&Coding::Gzip);
    let mut response = next.run(request).await;
    if !is_compressible(&response) {
        return response;
    }
    response.headers_mut().append(VARY, HeaderValue::from_static("accept-encoding"));
    if accepts_gzip { compress(response).await } else { response }
}

/// Returns whether this is a path of the API whose responses contain no secrets. Routes match a path as it was sent, so
/// escapes cannot hide a segment.
fn is_compressible_path(path: &str) -> bool {
    let rest = path.strip_prefix(API_PATH).filter(|rest| rest.starts_with('/'));
    rest.is_some_and(|rest| !rest.split('/').any(|segment| SECRET_SEGMENTS.contains(&segment)))
}

fn is_compressible(response: &Response) -> bool {
    let headers = response.headers();
    let is_json = headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let is_long = response.body().size_hint().exact().is_some_and(|length| length > MAX_UNCOMPRESSED_BYTES as u64);
    is_json && is_long && !headers.contains_key(CONTENT_ENCODING)
}

/// Replaces the body of a response by its compressed form. If compression fails, the response stays uncompressed,
/// because the request may have changed something.
async fn compress(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let cached = parts.extensions.remove::<CompressedBody>().unwrap_or_default();
    // A body of known length is in memory already.
    let body = match to_bytes(body, usize::MAX).await {
        Ok(body) => body,
        Err(error) => return Error::Internal(error.into()).into_response(),
    };
    let compressed = match cached.0.get() {
        Some(compressed) => compressed.clone(),
        None => match gzip_body(body.clone()).await {
            Some(compressed) => cached.0.get_or_init(|| compressed).clone(),
            None => return Response::from_parts(parts, Body::from(body)),
        },
    };
    parts.headers.insert(CONTENT_ENCODING, HeaderValue::from_static(Coding::Gzip.name()));
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(compressed))
}

/// Compresses a body fast. A long body is compressed on the pool of blocking threads. Returns `None` if too many bodies
/// are compressed already: a canceled request leaves its task and its body behind, so their number is limited.
async fn gzip_body(body: Bytes) -> Option<Bytes> {
    if body.len() <= MAX_INLINE_BYTES {
        return gzip(&body, Compression::fast()).ok();
    }
    let permit = COMPRESSION_PERMITS.try_acquire().ok()?;
    let compress = move || {
        let compressed = gzip(&body, Compression::fast()).ok();
        drop(permit);
        compressed
    };
    run_blocking(compress).await.ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::middleware::from_fn;
    use axum::routing::get;
    use axum::{Extension, Router};
    use tower::ServiceExt;

    #[tokio::test]
    async fn cached_body_is_compressed_once() {
        let cached = CompressedBody::default();
        let shared = cached.clone();
        let handler = async move || {
            ([(CONTENT_TYPE, "application/json")], Extension(shared.clone()), "1".repeat(MAX_UNCOMPRESSED_BYTES + 1))
        };
        let router = Router::new().route("/client/v4/a", get(handler)).layer(from_fn(compress_response));
        let send = async || {
            let request = Request::builder().uri("/client/v4/a").header("accept-encoding", "gzip");
            let response = router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
            to_bytes(response.into_body(), usize::MAX).await.unwrap()
        };
        let first = send().await;
        assert_eq!(cached.0.get(), Some(&first));
        // The second response is the same allocation.
        assert_eq!(send().await.as_ptr(), first.as_ptr());
    }

    #[test]
    fn only_api_paths_without_secrets_are_compressible() {
        for (path, expected) in [
            ("/client/v4/zones", true),
            ("/client/v4/zones/1/logpush_not", true),
            ("/client/v4/zones/1/logpush", false),
            ("/client/v4/zones/1/logpush/jobs", false),
            ("/client/v4/user/tokens/verify", false),
            ("/client/v4tokens", false),
            ("/relay/session", false),
            ("/metrics", false),
            ("/", false),
        ] {
            assert_eq!(is_compressible_path(path), expected, "{path}");
        }
    }
}
