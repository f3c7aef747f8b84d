//! Middleware, in the order in which a request passes it: the request log ([`request_log`]), security headers, the
//! request ID, the host check, CORS, the rate limit, compression of the response, the memory budget of the body, and the
//! panic handler.
//!
//! Start with [`Middleware`] and [`apply`]. Every route of the service and of the relay goes through it.

mod body_budget;
mod client_address;
mod compression;
mod cors;
pub(crate) mod durable_responses;
mod host;
mod rate_limit;
pub(crate) mod request_id;
mod request_log;
mod security_headers;

pub(crate) use client_address::Peer;
pub use client_address::TrustedProxy;
pub use cors::Origin;
pub use host::HostName;
pub use rate_limit::RateLimit;
pub(crate) use rate_limit::mark_authenticated;

use crate::body_budget::BodyBudget;
use crate::error;
use crate::metrics::Metrics;
use axum::Router;
use axum::extract::Request;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue, Response};
use axum::middleware::{from_fn, from_fn_with_state};
use rate_limit::RateLimiter;
use std::net::IpAddr;
use std::sync::Arc;
use tower::util::option_layer;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;

/// The configuration of the middleware.
#[derive(Clone, Debug, Default)]
pub struct MiddlewareConfig {
    /// Host names of the service besides the loopback names, without ports.
    pub hosts: Vec<HostName>,
    /// Origins of pages that may read responses.
    pub allow_origins: Vec<Origin>,
    /// Proxies whose forwarding headers are trusted.
    pub trusted_proxies: Vec<TrustedProxy>,
    /// Rate limit of each client; `None` means no limit.
    pub rate_limit: Option<RateLimit>,
    /// Whether the main address of the service serves `/metrics`.
    pub metrics: bool,
}

/// The state of the middleware.
pub(crate) struct Middleware {
    config: MiddlewareConfig,
    limiter: Option<RateLimiter>,
    metrics: Metrics,
    budget: BodyBudget,
}

impl Middleware {
    pub(crate) fn new(config: MiddlewareConfig, metrics: Metrics) -> Middleware {
        let limiter = config.rate_limit.map(RateLimiter::new);
        Middleware { config, limiter, metrics, budget: BodyBudget::default() }
    }

    /// Returns the memory budget for bodies.
    pub(crate) fn budget(&self) -> &BodyBudget {
        &self.budget
    }

    /// Returns the IP address of the client of a request.
    pub(crate) fn address(&self, request: &Request) -> IpAddr {
        client_address::address(request, &self.config.trusted_proxies)
    }

    /// Returns whether the main address serves the metrics to this request. The request has to name a loopback host and
    /// must not have the headers of a proxy.
    pub(crate) fn has_metrics_for(&self, request: &Request) -> bool {
        self.config.metrics && host::is_for_loopback(request) && !client_address::is_forwarded(request)
    }
}

/// Wraps routes in the middleware and sets the default headers of their responses.
pub(crate) fn apply<S: Clone + Send + Sync + 'static>(routes: Router<S>, middleware: &Arc<Middleware>) -> Router<S> {
    wrap_in_middleware(routes, middleware).layer((
        default_header(CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
        SetResponseHeaderLayer::overriding(CONTENT_TYPE, json_content_type),
    ))
}

/// Returns the content type of JSON responses with their charset (observed). Other responses keep their type.
fn json_content_type<B>(response: &Response<B>) -> Option<HeaderValue> {
    let is_json = response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    is_json.then_some(HeaderValue::from_static("application/json; charset=UTF-8"))
}

/// Returns a layer that sets a header of every response that does not have it.
fn default_header(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}

/// Wraps routes in the middleware as one layer, because axum clones the box of each layer of a router for every
/// request.
fn wrap_in_middleware<S: Clone + Send + Sync + 'static>(routes: Router<S>, middleware: &Arc<Middleware>) -> Router<S> {
    let config = &middleware.config;
    let limit = middleware.limiter.is_some().then(|| from_fn_with_state(Arc::clone(middleware), rate_limit::enforce));
    let cors = (!config.allow_origins.is_empty()).then(|| cors::layer(&config.allow_origins));
    routes.layer((
        from_fn_with_state(Arc::clone(middleware), request_log::log_request),
        from_fn_with_state(Arc::clone(middleware), security_headers::add_security_headers),
        from_fn(request_id::assign_request_id),
        from_fn_with_state(Arc::clone(middleware), host::check_host),
        option_layer(cors),
        option_layer(limit),
        from_fn(compression::compress_response),
        from_fn_with_state(Arc::clone(middleware), body_budget::run_with_guard),
        CatchPanicLayer::custom(error::panic_response),
    ))
}
