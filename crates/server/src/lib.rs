//! The HTTP service: the documented endpoints over a store, log push, the web app, and the relay.
//!
//! A handler reads the request, calls the store or the engine, and answers with an envelope. Start with the table of
//! contents ([`App::router`], in `router.rs`), then [`serve()`], which composes everything, then one of the `routes`.
//! Errors of the store and the delivery become envelopes in `error.rs` and nowhere else.

mod access;
mod admission;
mod answers;
mod app;
mod assets;
mod auth;
mod blocking;
mod body_budget;
mod challenge;
mod completion;
mod config;
mod connections;
mod demo;
mod encoding;
mod error;
mod legacy;
mod listing;
mod log;
mod metrics;
mod middleware;
mod openapi;
mod readiness;
mod relay;
mod request;
mod router;
mod routes;
mod serve;
mod serve_error;
mod store_jobs;
#[cfg(test)]
mod tests;

pub use app::App;
pub use config::relay::{RelayConfig, RelayPace, WrongRelay};
pub use config::{Config, MIGRATION_DELAY};
pub use connections::ConnectionLimits;
pub use demo::{Demo, DemoZone};
pub use log::{LogConfig, LogFilter, LogFormat, start_log};
pub use middleware::{HostName, MiddlewareConfig, Network, Origin, RateLimit};
pub use relay::{Relay, relay_openapi};
pub use router::openapi;
pub use serve::serve;
#[doc(hidden)]
pub use serve::serve_with;
pub use serve_error::ServeError;
