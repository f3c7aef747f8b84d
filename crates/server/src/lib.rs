//! The HTTP service: the documented endpoints over a store, log push, the web app, and the relay.
//!
//! A handler reads the request, calls the store or the engine, and responds with an envelope. Modules in reading order:
//!
//! - `router`: the table of contents, [`App::router`].
//! - `serve`, `serve_error`, `config`: from a configuration to a listening service; start with [`serve()`].
//! - `app`: the running service, [`App`]; `store_jobs` connects the store and the delivery.
//! - `connections`: accepts connections and shuts them down.
//! - `middleware`, `body_budget`: what every request passes before a route.
//! - `auth`, `authorization`: principals, zones and permissions.
//! - `request`, `encoding`, `list_query`, `blocking`: helpers of handlers.
//! - `routes`: one file for each resource.
//! - `job_checks`, `challenge`: checks of log push jobs and ownership challenges.
//! - `legacy_waf`, `migration_completion`: the previous managed rules and the end of a migration.
//! - `response_cache`: the cache of responses.
//! - `error`: errors of the store and the delivery become envelopes here and nowhere else.
//! - `openapi`: the OpenAPI document and its page.
//! - `relay`: forwards documented requests to a real API.
//! - `assets`: the web app.
//! - `log`, `metrics`, `readiness`: observability.
//! - `demo`: the demo account.

mod app;
mod assets;
mod auth;
mod authorization;
mod blocking;
mod body_budget;
mod challenge;
mod config;
mod connections;
mod demo;
mod encoding;
mod error;
mod job_checks;
mod legacy_waf;
mod list_query;
mod log;
mod metrics;
mod middleware;
mod migration_completion;
mod openapi;
mod readiness;
mod relay;
mod request;
mod response_cache;
mod router;
mod routes;
mod serve;
mod serve_error;
mod store_jobs;
#[cfg(test)]
mod tests;

pub use app::App;
pub use config::relay::{RelayConfig, RelayLimits, WrongRelay};
pub use config::{Config, MIGRATION_DELAY};
pub use connections::ConnectionLimits;
pub use demo::{Demo, DemoZone};
pub use log::{LogConfig, LogFilter, LogFormat, start_log};
pub use middleware::{HostName, MiddlewareConfig, Origin, RateLimit, TrustedProxy};
pub use relay::{Relay, relay_openapi};
pub use router::openapi;
pub use serve::serve;
#[doc(hidden)]
pub use serve::serve_with;
pub use serve_error::{ServeError, open_error_text};
