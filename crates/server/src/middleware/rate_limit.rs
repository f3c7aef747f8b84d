//! The rate limit, by default the documented 1,200 requests in five minutes (assumption rate-limit).
//!
//! Requests with valid credentials are counted by their credentials, from any IP address. Other requests are counted by
//! the network of the IP address. This limits guessing, and no client can exhaust the limit of another client's
//! credentials. Credentials count as valid once a request with them was authenticated.

mod window_counters;

use super::{Middleware, client_address};
use crate::error::Error;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use window_counters::{WindowCounters, WindowState};

/// Path prefix of the API; requests for files of the app are not counted.
const API_PREFIX: &str = "/client/";
const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// The rate limit of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// Maximum number of requests.
    pub requests: u32,
    /// Length of the period, which starts with its first request.
    pub period: Duration,
}

impl Default for RateLimit {
    /// The documented limit.
    fn default() -> Self {
        RateLimit { requests: 1200, period: Duration::from_secs(300) }
    }
}

/// The counters of all clients, in a fixed amount of memory.
pub(crate) struct RateLimiter {
    limit: RateLimit,
    start: Instant,
    /// Random keys, so that no client can choose which clients share a set of slots.
    hasher: RandomState,
    /// Counters by valid credentials.
    by_credentials: WindowCounters,
    /// Counters by IP address, for all other requests.
    by_address: WindowCounters,
}

impl RateLimiter {
    pub(crate) fn new(limit: RateLimit) -> RateLimiter {
        RateLimiter {
            limit,
            start: Instant::now(),
            hasher: RandomState::new(),
            by_credentials: WindowCounters::new(limit),
            by_address: WindowCounters::new(limit),
        }
    }

    /// Adds the headers of the rate limit to a response.
    fn add_rate_limit_headers(&self, response: &mut Response, state: WindowState) {
        let seconds = |time: Duration| time.as_millis().div_ceil(1000);
        let remaining = format!("\"default\";r={};t={}", state.remaining, seconds(state.reset_after));
        let policy = format!("\"default\";q={};w={}", self.limit.requests, self.limit.period.as_secs());
        for (name, value) in [(RATE_LIMIT, remaining), (RATE_LIMIT_POLICY, policy)] {
            if let Ok(value) = HeaderValue::from_str(&value) {
                response.headers_mut().insert(name, value);
            }
        }
        if state.is_exceeded {
            let wait = u64::try_from(seconds(state.reset_after)).unwrap_or(u64::MAX).max(1);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait));
        }
    }

    /// Returns a hash of the credentials of a request, or `None` without credentials.
    fn credential_key(&self, headers: &HeaderMap) -> Option<u64> {
        const CREDENTIALS: [HeaderName; 3] =
            [header::AUTHORIZATION, HeaderName::from_static("x-auth-email"), HeaderName::from_static("x-auth-key")];
        let sent = CREDENTIALS.map(|name| headers.get(name).map(HeaderValue::as_bytes));
        // With a token, email and key are ignored (assumption both-schemes).
        match sent {
            [None, None, None] => None,
            [Some(token), ..] => Some(self.hasher.hash_one(token.trim_ascii())),
            email_and_key => Some(self.hasher.hash_one(email_and_key)),
        }
    }

    /// Returns a hash of the client's network. An IPv6 site has many addresses in one network of 64 bits.
    fn address_key(&self, address: IpAddr) -> u64 {
        match address {
            IpAddr::V4(address) => self.hasher.hash_one(address),
            IpAddr::V6(address) => self.hasher.hash_one(address.to_bits() >> 64),
        }
    }
}

/// Whether the credentials of the request are valid; the auth extractors set it.
#[derive(Clone)]
struct AuthenticatedFlag(Arc<AtomicBool>);

/// Records that the credentials of a request are valid, so that it is counted by them.
pub(crate) fn mark_authenticated(parts: &Parts) {
    if let Some(AuthenticatedFlag(is_authenticated)) = parts.extensions.get::<AuthenticatedFlag>() {
        is_authenticated.store(true, Ordering::Relaxed);
    }
}

/// Counts a request, and rejects it when its client has exceeded the limit.
pub(crate) async fn enforce(State(middleware): State<Arc<Middleware>>, mut request: Request, next: Next) -> Response {
    let Some(limiter) = middleware.limiter.as_ref().filter(|_| request.uri().path().starts_with(API_PREFIX)) else {
        return next.run(request).await;
    };
    let now = || limiter.start.elapsed();
    let credentials = limiter.credential_key(request.headers());
    if let Some(key) = credentials.filter(|key| limiter.by_credentials.contains(*key)) {
        let state = limiter.by_credentials.count(key, now());
        return respond_within_limit(&middleware, limiter, state, next.run(request)).await;
    }
    let address = limiter.address_key(client_address::address(&request, &middleware.config.trusted_proxies));
    let state = limiter.by_address.peek(address, now());
    if state.is_exceeded {
        return respond_within_limit(&middleware, limiter, state, next.run(request)).await;
    }
    let is_authenticated = Arc::new(AtomicBool::new(false));
    request.extensions_mut().insert(AuthenticatedFlag(Arc::clone(&is_authenticated)));
    let mut response = next.run(request).await;
    let state = match credentials.filter(|_| is_authenticated.load(Ordering::Relaxed)) {
        Some(key) => limiter.by_credentials.count(key, now()),
        None => limiter.by_address.count(address, now()),
    };
    limiter.add_rate_limit_headers(&mut response, WindowState { is_exceeded: false, ..state });
    response
}

/// Returns the response of the routes, or the rejection when the limit is exceeded.
async fn respond_within_limit(
    middleware: &Middleware,
    limiter: &RateLimiter,
    state: WindowState,
    routes: impl Future<Output = Response>,
) -> Response {
    let mut response = if state.is_exceeded {
        middleware.metrics.rate_limited.inc();
        Error::RateLimited.into_response()
    } else {
        routes.await
    };
    limiter.add_rate_limit_headers(&mut response, state);
    response
}
