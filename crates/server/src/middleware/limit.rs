//! How many requests a caller may send: the documented 1,200 in five minutes (assumption rate-limit).
//!
//! Credentials that were right are counted by themselves, whoever sends them from wherever. Everything else is
//! counted by the address it came from, so that guessing is bounded and nobody's credentials are used up by others.

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

/// Addresses of the interface; the app's own files are not counted.
const INTERFACE: &str = "/client/";
const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// How many requests a caller may send in how long a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// Most requests.
    pub requests: u32,
    /// Counted from the first of them.
    pub period: Duration,
}

impl Default for RateLimit {
    /// The documented limit.
    fn default() -> Self {
        RateLimit { requests: 1200, period: Duration::from_secs(300) }
    }
}

/// Everybody's requests, in a fixed amount of memory.
pub(crate) struct Limiter {
    limit: RateLimit,
    start: Instant,
    /// Random, so that nobody can choose who shares a bucket.
    hasher: RandomState,
    /// By credentials that were right.
    callers: Buckets,
    /// By address, for everything else.
    addresses: Buckets,
}

impl Limiter {
    pub(crate) fn new(limit: RateLimit) -> Limiter {
        let buckets = || Buckets::new(limit);
        let (callers, addresses) = (buckets(), buckets());
        Limiter { limit, start: Instant::now(), hasher: RandomState::new(), callers, addresses }
    }

    /// Says on an answer how much is left.
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

    /// What tells these credentials from others; nothing when there are none.
    fn caller(&self, headers: &HeaderMap) -> Option<u64> {
        const CREDENTIALS: [HeaderName; 3] =
            [header::AUTHORIZATION, HeaderName::from_static("x-auth-email"), HeaderName::from_static("x-auth-key")];
        let sent = CREDENTIALS.map(|name| headers.get(name).map(HeaderValue::as_bytes));
        // With a token, e-mail and key are not looked at (assumption both-schemes).
        match sent {
            [None, None, None] => None,
            [Some(token), ..] => Some(self.hasher.hash_one(token.trim_ascii())),
            others => Some(self.hasher.hash_one(others)),
        }
    }

    /// What tells the sender from others. One site has as many IPv6 addresses as it likes, in one network.
    fn address(&self, address: IpAddr) -> u64 {
        match address {
            IpAddr::V4(address) => self.hasher.hash_one(address),
            IpAddr::V6(address) => self.hasher.hash_one(address.to_bits() >> 64),
        }
    }
}

/// Set by whoever finds the credentials of a request to be right.
#[derive(Clone)]
struct Proof(Arc<AtomicBool>);

/// To be called when the credentials of a request were right: it is counted by them.
pub(crate) fn proved(parts: &Parts) {
    if let Some(Proof(proved)) = parts.extensions.get::<Proof>() {
        proved.store(true, Ordering::Relaxed);
    }
}

/// Counts a request, and refuses it when there were too many.
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

/// The answer of the routes, or the refusal when there were too many.
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
