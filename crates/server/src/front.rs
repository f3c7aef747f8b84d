//! What stands before the routes: for every request, in this order, its line in the log (`traffic.rs`), whom it was
//! meant for (`host.rs`), which pages may read the answer (`cors.rs`), whether there were too many (`limit.rs`), and
//! the room that its body may take (`weight.rs`).

mod client;
mod cors;
mod headers;
mod host;
mod limit;
mod traffic;

pub use client::Network;
pub(crate) use client::Peer;
pub use cors::Origin;
pub use host::HostName;
pub use limit::RateLimit;
pub(crate) use limit::proved;

use crate::metrics::Metrics;
use crate::weight::{self, Room};
use crate::{error, request_id};
use axum::Router;
use axum::extract::Request;
use axum::middleware::{from_fn, from_fn_with_state};
use limit::Limiter;
use std::net::IpAddr;
use std::sync::Arc;
use tower::util::option_layer;
use tower_http::catch_panic::CatchPanicLayer;

/// What stands before the routes.
#[derive(Clone, Debug, Default)]
pub struct FrontConfig {
    /// Names that the service answers to besides loopback ones, without ports.
    pub hosts: Vec<HostName>,
    /// Origins of pages that may read answers.
    pub allow_origins: Vec<Origin>,
    /// Proxies whose word on the client's address counts.
    pub trusted_proxies: Vec<Network>,
    /// How many requests a caller may send; none: any number.
    pub rate_limit: Option<RateLimit>,
    /// Whether `/metrics` is on the address of the service.
    pub metrics: bool,
}

/// The configuration at work.
pub(crate) struct Front {
    config: FrontConfig,
    limiter: Option<Limiter>,
    metrics: Metrics,
    room: Room,
}

impl Front {
    pub(crate) fn new(config: FrontConfig, metrics: Metrics) -> Front {
        let limiter = config.rate_limit.map(Limiter::new);
        Front { config, limiter, metrics, room: Room::default() }
    }

    /// The room for bodies.
    pub(crate) fn room(&self) -> &Room {
        &self.room
    }

    /// The address of who sent a request.
    pub(crate) fn address(&self, request: &Request) -> IpAddr {
        client::address(request, &self.config.trusted_proxies)
    }

    /// Whether somebody on this machine asks for metrics, and they are here.
    pub(crate) fn has_metrics_for(&self, request: &Request) -> bool {
        self.config.metrics && host::is_for_this_machine(request) && !client::is_forwarded(request)
    }
}

/// Puts everything that stands before the routes around them: as one layer, since each layer of a router is a box that
/// is cloned for every request.
pub(crate) fn around<S: Clone + Send + Sync + 'static>(routes: Router<S>, front: &Arc<Front>) -> Router<S> {
    let config = &front.config;
    let limit = front.limiter.is_some().then(|| from_fn_with_state(Arc::clone(front), limit::check));
    let cors = (!config.allow_origins.is_empty()).then(|| cors::layer(&config.allow_origins));
    routes.layer((
        from_fn_with_state(Arc::clone(front), traffic::watch),
        from_fn_with_state(Arc::clone(front), headers::add),
        from_fn(request_id::give),
        from_fn_with_state(Arc::clone(front), host::check),
        option_layer(cors),
        option_layer(limit),
        from_fn_with_state(Arc::clone(front), weight::hold),
        CatchPanicLayer::custom(error::panicked),
    ))
}
