//! The HTTP service: the documented endpoints over a store, log push, the web app, and the relay.
//!
//! A handler reads the request, calls the store or the engine, and responds with an envelope. Modules in reading order:
//!
//! - `router`: the table of contents, [`App::router`].
//! - `serve`: runs a service with a listener; start with [`serve()`].
//! - `config`: the configuration of a service and of a relay.
//! - `serve_error`: the errors that prevent a start.
//! - `app`: the running service, [`App`].
//! - `store_jobs`: provides the jobs of the store to the delivery.
//! - `connections`: accepts connections and shuts them down.
//! - `middleware`: the steps that every request passes before a route.
//! - `body_budget`: the limit of memory for request bodies.
//! - `auth`: finds the principal of a request, and its zone or account.
//! - `authorization`: checks the permissions of the principal.
//! - `request`: extractors of bodies, query parameters and path parameters.
//! - `encoding`: content encodings and charsets of requests.
//! - `content_coding`: content codings of responses.
//! - `list_query`: filters and sort orders of lists in memory.
//! - `blocking`: runs long CPU work on blocking threads.
//! - `routes`: one file for each resource.
//! - `job_checks`: checks of log push jobs that need I/O.
//! - `challenge`: ownership challenges of destinations.
//! - `legacy_waf`: extractors of the previous managed rules.
//! - `migration_completion`: completes pending migrations in the background.
//! - `response_cache`: the cache of responses.
//! - `error`: the only place that converts errors of the store and the delivery to envelopes.
//! - `openapi`: the OpenAPI document and its page.
//! - `relay`: forwards documented requests to a real API.
//! - `assets`: serves the web app.
//! - `log`: the log of the process.
//! - `metrics`: the metrics of the process.
//! - `readiness`: the readiness check.
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
mod content_coding;
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
pub use config::relay::{RelayConfig, RelayConfigError, RelayLimits};
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
