//! The relay: the app and the documented addresses in front of a real upstream, since browsers may not call
//! it from another site. Off by default; its routes stand in place of the service's own.
//!
//! A request goes through these files: [`address`] finds it in the [`table`], [`origin`] and [`door`] look at
//! who sent it, [`judge`](mod@judge) reads its body with the engine and what is [`known`] of the upstream, and
//! [`upstream`] sends it. [`forward`](mod@forward) is all of that in its order.

mod address;
mod config;
mod door;
mod forward;
mod judge;
mod known;
mod origin;
mod session;
mod table;
mod trouble;
mod upstream;

pub use config::{RelayConfig, RelayPace, WrongRelay};
pub(crate) use trouble::Trouble;

use crate::front::{Front, FrontConfig};
use crate::metrics::Metrics;
use crate::serve::ServeError;
use crate::{assets, error};
use axum::Router;
use axum::http::HeaderMap;
use axum::routing::{any, get};
use door::Door;
use known::Plans;
use session::{Lock, Sessions};
use std::sync::Arc;
use upstream::Upstream;

/// A relay. Clones share it.
#[derive(Clone)]
pub struct Relay(Arc<Inner>);

struct Inner {
    upstream: Upstream,
    plans: Plans,
    kept: Option<Kept>,
    front: Arc<Front>,
}

/// Credentials that stay here.
struct Kept {
    headers: HeaderMap,
    door: Door,
}

impl Relay {
    /// Makes the relay; nothing is sent yet.
    pub fn open(config: RelayConfig) -> Result<Relay, ServeError> {
        Relay::behind(Arc::new(Front::new(FrontConfig::default(), Metrics::new())), config)
    }

    /// As [`Relay::open`], with what stands before it.
    pub(crate) fn behind(front: Arc<Front>, config: RelayConfig) -> Result<Relay, ServeError> {
        let kept = config.keeper.clone().map(|keeper| Kept {
            headers: keeper.headers,
            door: Door {
                lock: Lock::new(&keeper.passphrase, &config.pace),
                sessions: Sessions::new(config.pace.clone()),
            },
        });
        let upstream = Upstream::new(config).map_err(|error| ServeError::Relay(error.to_string()))?;
        Ok(Relay(Arc::new(Inner { upstream, plans: Plans::default(), kept, front })))
    }

    /// Every address of the relay.
    pub fn router(&self) -> Router {
        let routes = Router::new()
            .route("/healthz", get(async || "ok\n"))
            .route("/relay/session", get(door::show).post(door::open).delete(door::close))
            .route("/client/v4", any(forward::forward))
            .route("/client/v4/", any(forward::forward))
            .route("/client/v4/{*rest}", any(forward::forward))
            .fallback(assets::serve)
            .method_not_allowed_fallback(error::method_not_allowed);
        crate::dressed(routes, &self.0.front).with_state(self.clone())
    }

    fn upstream(&self) -> &Upstream {
        &self.0.upstream
    }

    fn config(&self) -> &RelayConfig {
        self.0.upstream.config()
    }

    fn plans(&self) -> &Plans {
        &self.0.plans
    }

    fn kept(&self) -> Option<&Kept> {
        self.0.kept.as_ref()
    }
}
