//! The zone security service: its documented endpoints over an embedded database, and the web app.
//!
//! A handler is extract → engine → store → envelope: `auth` and `request` take a request apart,
//! `zonewright_firewall` judges it, `store` keeps it, `error` turns every failure into an envelope.
//! Read in this order: [`App::router`], [`serve()`], then one of the `routes`.

mod admission;
mod app;
mod assets;
mod auth;
mod challenge;
mod clock;
mod delivery;
mod demo;
mod error;
mod host;
mod json;
mod request;
mod routes;
mod secret;
mod serve;
mod store;

pub use app::App;
pub use delivery::{LogPushConfig, Pace};
pub use demo::{Demo, DemoZone};
pub use serve::{Config, ServeError, serve};

use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::middleware::from_fn;
use axum::routing::{any, get, post};
use routes::{filters, firewall_rules, health, tokens, zones};
use routes::{
    logpush_datasets, logpush_destinations, logpush_edge, logpush_ingest, logpush_jobs, logpush_transformers,
};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;

impl App {
    /// Every address of the service.
    pub fn router(&self) -> Router {
        let zone = Router::new()
            .route("/filters", get(filters::list).post(filters::create))
            .route("/filters/{id}", get(filters::get).delete(filters::delete))
            .route("/firewall/rules", get(firewall_rules::list).post(firewall_rules::create))
            .route("/firewall/rules/{id}", get(firewall_rules::get).delete(firewall_rules::delete))
            .route("/logpush/edge", get(logpush_edge::list).post(logpush_edge::create))
            .route("/logpush/edge/jobs", get(logpush_edge::list).post(logpush_edge::create));
        let log_push = Router::new()
            .route("/jobs", get(logpush_jobs::list).post(logpush_jobs::create))
            .route("/jobs/{job_id}", get(logpush_jobs::get).put(logpush_jobs::update).delete(logpush_jobs::delete))
            .route("/ingest/{dataset}", post(logpush_ingest::ingest))
            .route("/datasets/{dataset}/jobs", get(logpush_datasets::jobs))
            .route("/datasets/{dataset}/fields", get(logpush_datasets::fields))
            .route("/datasets/{dataset}/fields/default", get(logpush_datasets::default_fields))
            .route("/ownership", post(logpush_destinations::challenge))
            .route("/ownership/validate", post(logpush_destinations::check_challenge))
            .route("/validate/destination", post(logpush_destinations::check_destination))
            .route("/validate/destination/exists", post(logpush_destinations::exists))
            .route("/validate/origin", post(logpush_destinations::check_origin));
        let transformers = Router::new()
            .route("/", any(logpush_transformers::refuse))
            .route("/{*rest}", any(logpush_transformers::refuse));
        let api = Router::new()
            .route("/user/tokens/verify", get(tokens::verify))
            .route("/zones", get(zones::list))
            .route("/zones/{zone_id}", get(zones::get))
            .nest("/zones/{zone_id}", zone)
            .nest("/zones/{zone_id}/logpush", log_push.clone())
            .nest("/accounts/{account_id}/logpush", log_push)
            .nest("/accounts/{account_id}/logpush/transformers", transformers);
        Router::new()
            .route("/healthz", get(health::check))
            .nest("/client/v4", api)
            .fallback(assets::serve)
            .method_not_allowed_fallback(error::method_not_allowed)
            .layer(from_fn(host::check))
            .layer(header(X_CONTENT_TYPE_OPTIONS, "nosniff"))
            .layer(header(REFERRER_POLICY, "no-referrer"))
            .layer(header(CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"))
            .layer(CatchPanicLayer::custom(error::panicked))
            .with_state(self.clone())
    }
}

/// Sets a header of every answer that does not have it.
fn header(name: axum::http::HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}
