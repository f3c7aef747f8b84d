//! The rate limit: the documented 1,200 requests in five minutes (assumption rate-limit).
//!
//! Requests with valid credentials are counted by their credentials, from any IP address. Other requests are counted by
//! the IP address. This limits guessing, and no client can exhaust the limit of another client's credentials.

mod buckets;

use super::{Middleware, client};
use crate::error::Error;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use buckets::{Buckets, Count};
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Path prefix of the API; requests for files of the app are not counted.
const INTERFACE: &str = "/client/";
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
pub(crate) struct Limiter {
    limit: RateLimit,
    start: Instant,
    /// Random keys, so that no client can choose which clients share a bucket.
    hasher: RandomState,
    /// Counters by valid credentials.
    callers: Buckets,
    /// Counters by IP address, for all other requests.
    addresses: Buckets,
}

impl Limiter {
    pub(crate) fn new(limit: RateLimit) -> Limiter {
        let buckets = || Buckets::new(limit);
        let (callers, addresses) = (buckets(), buckets());
        Limiter { limit, start: Instant::now(), hasher: RandomState::new(), callers, addresses }
    }

    /// Adds the headers of the rate limit to a response.
    fn tell(&self, response: &mut Response, count: Count) {
        let seconds = |time: Duration| time.as_millis().div_ceil(1000);
        let left = format!("\"default\";r={};t={}", count.left, seconds(count.wait));
        let policy = format!("\"default\";q={};w={}", self.limit.requests, self.limit.period.as_secs());
        for (name, value) in [(RATE_LIMIT, left), (RATE_LIMIT_POLICY, policy)] {
            if let Ok(value) = HeaderValue::from_str(&value) {
                response.headers_mut().insert(name, value);
            }
        }
        if count.over {
            let wait = u64::try_from(seconds(count.wait)).unwrap_or(u64::MAX).max(1);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait));
        }
    }

    /// Returns a hash of the credentials of a request, or `None` without credentials.
    fn caller(&self, headers: &HeaderMap) -> Option<u64> {
        const CREDENTIALS: [HeaderName; 3] =
            [header::AUTHORIZATION, HeaderName::from_static("x-auth-email"), HeaderName::from_static("x-auth-key")];
        let sent = CREDENTIALS.map(|name| headers.get(name).map(HeaderValue::as_bytes));
        // With a token, e-mail and key are ignored (assumption both-schemes).
        match sent {
            [None, None, None] => None,
            [Some(token), ..] => Some(self.hasher.hash_one(token.trim_ascii())),
            others => Some(self.hasher.hash_one(others)),
        }
    }

    /// Returns a hash of the client's network. An IPv6 site has many addresses in one network of 64 bits.
    fn address(&self, address: IpAddr) -> u64 {
        match address {
            IpAddr::V4(address) => self.hasher.hash_one(address),
            IpAddr::V6(address) => self.hasher.hash_one(address.to_bits() >> 64),
        }
    }
}

/// Whether the credentials of the request are valid; the auth extractors set it.
#[derive(Clone)]
struct Proof(Arc<AtomicBool>);

/// Records that the credentials of a request are valid, so that it is counted by them.
pub(crate) fn proved(parts: &Parts) {
    if let Some(Proof(proved)) = parts.extensions.get::<Proof>() {
        proved.store(true, Ordering::Relaxed);
    }
}

/// Counts a request, and rejects it when its client has exceeded the limit.
pub(crate) async fn check(State(middleware): State<Arc<Middleware>>, mut request: Request, next: Next) -> Response {
    let Some(limiter) = middleware.limiter.as_ref().filter(|_| request.uri().path().starts_with(INTERFACE)) else {
        return next.run(request).await;
    };
    let now = || limiter.start.elapsed();
    let caller = limiter.caller(request.headers());
    if let Some(caller) = caller.filter(|caller| limiter.callers.knows(*caller)) {
        let count = limiter.callers.count(caller, now());
        return answer(&middleware, limiter, count, next.run(request)).await;
    }
    let address = limiter.address(client::address(&request, &middleware.config.trusted_proxies));
    let before = limiter.addresses.look(address, now());
    if before.over {
        return answer(&middleware, limiter, before, next.run(request)).await;
    }
    let proof = Arc::new(AtomicBool::new(false));
    request.extensions_mut().insert(Proof(Arc::clone(&proof)));
    let mut response = next.run(request).await;
    let count = match caller.filter(|_| proof.load(Ordering::Relaxed)) {
        Some(caller) => limiter.callers.count(caller, now()),
        None => limiter.addresses.count(address, now()),
    };
    limiter.tell(&mut response, Count { over: false, ..count });
    response
}

/// Returns the response of the routes, or the rejection when the limit is exceeded.
async fn answer(
    middleware: &Middleware,
    limiter: &Limiter,
    count: Count,
    routes: impl Future<Output = Response>,
) -> Response {
    let mut response = if count.over {
        middleware.metrics.limited.inc();
        Error::TooManyRequests.into_response()
    } else {
        routes.await
    };
    limiter.tell(&mut response, count);
    response
}
