//! The client of the upstream, whose base URL is fixed when the server starts. It uses no proxy, follows no redirect
//! and never retries. Only headers and bodies that are known to be harmless are returned.

use crate::config::relay::RelayConfig;
use crate::error::{RelayError, WriteOutcome};
use axum::body::Bytes;
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, RETRY_AFTER,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use serde::de::IgnoredAny;
use std::collections::HashMap;
use std::error::Error;
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};

/// Idle timeout of connections: shorter than that of servers, so that no request uses a connection that is being
/// closed.
const POOL_IDLE_TIMEOUT: Duration = Duration::from_secs(15);
const CF_RAY: HeaderName = HeaderName::from_static("cf-ray");

/// The HTTP client with the base URL of the upstream.
pub(super) struct Upstream {
    base: Url,
    client: Client,
    /// One permit for each request that may be in progress at the upstream.
    slots: Semaphore,
    config: RelayConfig,
}

/// A request to the upstream. Only these parts of the client's request are sent.
#[derive(Clone)]
pub(super) struct UpstreamRequest<'a> {
    pub(super) method: Method,
    /// Path segments after the base.
    pub(super) segments: &'a [String],
    pub(super) query: &'a [(String, String)],
    /// Credentials and conditional headers.
    pub(super) headers: HeaderMap,
    /// Body in JSON.
    pub(super) body: Option<Bytes>,
    /// Timeout of the response.
    pub(super) timeout: Duration,
}

/// A response that can be forwarded.
pub(super) struct UpstreamResponse {
    pub(super) status: StatusCode,
    /// Headers that may be forwarded.
    pub(super) headers: HeaderMap,
    /// A JSON object; empty for status 204.
    pub(super) body: Bytes,
}

impl Upstream {
    pub(super) fn new(config: RelayConfig) -> Result<Upstream, reqwest::Error> {
        // Fails if the process already has a provider, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .no_proxy()
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .user_agent(concat!("zonewright/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(config.limits.connect_timeout)
            .pool_idle_timeout(POOL_IDLE_TIMEOUT)
            .build()?;
        let slots = Semaphore::new(config.limits.max_concurrent_requests);
        Ok(Upstream { base: config.upstream.clone(), client, slots, config })
    }

    /// Acquires a slot for a request. Fails with [`RelayError::TooManyRequests`] after a timeout.
    pub(super) async fn acquire_slot(&self) -> Result<SemaphorePermit<'_>, RelayError> {
        let permit = tokio::time::timeout(self.config.limits.connect_timeout, self.slots.acquire()).await;
        permit.ok().and_then(Result::ok).ok_or(RelayError::TooManyRequests)
    }

    /// Sends a request at most once: nothing is retried. If this call is canceled, the upstream may still execute a
    /// request that was sent.
    pub(super) async fn send(&self, outgoing: UpstreamRequest<'_>) -> Result<UpstreamResponse, RelayError> {
        let outcome = if outgoing.method.is_safe() { WriteOutcome::None } else { WriteOutcome::Unknown };
        let request = self.build_request(outgoing);
        let response = self.client.execute(request).await.map_err(|error| to_relay_error(error, outcome))?;
        let invalid_response = |reason: &str| RelayError::InvalidResponse(reason.to_owned(), outcome);
        let status = response.status();
        if !(status.is_success() || status.is_client_error() || status.is_server_error()) {
            return Err(invalid_response(&format!("responded with {}; redirects are not followed", status.as_u16())));
        }
        if response.headers().get(CONTENT_ENCODING).is_some_and(|encoding| encoding != "identity") {
            return Err(invalid_response("sent a compressed response that was not requested"));
        }
        let (headers, body) = (forwardable_headers(response.headers()), self.read_body(response, outcome).await?);
        if body.is_empty() && status == StatusCode::NO_CONTENT {
            return Ok(UpstreamResponse { status, headers, body });
        }
        // Only the syntax of the object is checked, up to its last byte.
        match serde_json::from_slice::<HashMap<String, IgnoredAny>>(&body) {
            Ok(_) => Ok(UpstreamResponse { status, headers, body }),
            Err(_) => Err(invalid_response(&format!(
                "responded with {} and a body that is not a JSON object",
                status.as_u16()
            ))),
        }
    }

    fn build_request(&self, outgoing: UpstreamRequest) -> reqwest::Request {
        let mut url = self.base.clone();
        // Fails only for URLs without a path, and the base has one.
        if let Ok(mut path) = url.path_segments_mut() {
            path.extend(outgoing.segments);
        }
        if !outgoing.query.is_empty() {
            url.query_pairs_mut().extend_pairs(outgoing.query);
        }
        let mut request = reqwest::Request::new(outgoing.method, url);
        *request.headers_mut() = outgoing.headers;
        request.headers_mut().insert(ACCEPT, HeaderValue::from_static("application/json"));
        request.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        if let Some(body) = outgoing.body {
            request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            *request.body_mut() = Some(body.into());
        }
        *request.timeout_mut() = Some(outgoing.timeout);
        request
    }

    async fn read_body(&self, response: reqwest::Response, outcome: WriteOutcome) -> Result<Bytes, RelayError> {
        let max_bytes = self.config.limits.max_response_bytes;
        let too_large =
            || RelayError::InvalidResponse(format!("sent a response of more than {max_bytes} bytes"), outcome);
        let length = response.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if length.is_some_and(|length: usize| length > max_bytes) {
            return Err(too_large());
        }
        match Limited::new(reqwest::Body::from(response), max_bytes).collect().await {
            Ok(body) => Ok(body.to_bytes()),
            Err(error) if error.is::<LengthLimitError>() => Err(too_large()),
            Err(error) => match error.downcast::<reqwest::Error>() {
                Ok(error) => Err(to_relay_error(*error, outcome)),
                Err(error) => Err(incomplete_response_error(&*error, outcome)),
            },
        }
    }

    /// Returns the configuration.
    pub(super) fn config(&self) -> &RelayConfig {
        &self.config
    }
}

/// Converts a failed request, or an interrupted response, to an error.
fn to_relay_error(error: reqwest::Error, outcome: WriteOutcome) -> RelayError {
    let error = error.without_url();
    if error.is_connect() {
        return RelayError::Unreachable(if error.is_timeout() {
            "the connection timed out".to_owned()
        } else {
            root_cause(&error)
        });
    }
    if error.is_timeout() { RelayError::Timeout(outcome) } else { incomplete_response_error(&error, outcome) }
}

fn incomplete_response_error(error: &(dyn Error + 'static), outcome: WriteOutcome) -> RelayError {
    RelayError::InvalidResponse(format!("did not complete its response: {}", root_cause(error)), outcome)
}

/// Returns the message of the root cause of an error.
fn root_cause(error: &(dyn Error + 'static)) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

/// Returns the headers that clients read and that are harmless.
fn forwardable_headers(headers: &HeaderMap) -> HeaderMap {
    let is_forwardable = |name: &HeaderName| {
        [ETAG, RETRY_AFTER, CF_RAY].contains(name)
            || name.as_str() == "x-should-retry"
            || name.as_str().starts_with("ratelimit")
            || name.as_str().starts_with("x-ratelimit")
    };
    let mut forwarded: HeaderMap = headers
        .iter()
        .filter(|(name, _)| is_forwardable(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    forwarded.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    forwarded.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    forwarded
}
