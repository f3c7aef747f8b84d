//! The zone security service: its documented endpoints over an embedded database, and the web app.
//!
//! A handler is extract → engine → store → envelope: `auth` and `request` take a request apart,
//! an engine such as `zonewright_firewall` judges it, `store` keeps it, `error` turns every failure into an
//! envelope. Read in this order: [`App::router`], [`serve()`], then one of the `routes`.

mod admission;
mod app;
mod assets;
mod auth;
mod challenge;
mod clock;
mod completion;
mod delivery;
mod demo;
mod error;
mod host;
mod json;
mod legacy;
mod listing;
mod request;
mod routes;
mod secret;
mod serve;
mod store;

pub use app::{App, MIGRATION_DELAY};
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
use routes::{page_rules, rulesets, settings, waf_groups, waf_migration, waf_overrides, waf_packages, waf_rules};
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
            .route("/logpush/edge/jobs", get(logpush_edge::list).post(logpush_edge::create))
            .route("/pagerules", get(page_rules::list).post(page_rules::create))
            .route(
                "/pagerules/{id}",
                get(page_rules::get).put(page_rules::replace).patch(page_rules::edit).delete(page_rules::delete),
            )
            .route("/rulesets", get(rulesets::list))
            .route("/rulesets/{id}", get(rulesets::get))
            .route("/rulesets/phases/{phase}/entrypoint", get(rulesets::entry_point).put(rulesets::update_entry_point))
            .route("/waf_migration/check", get(waf_migration::check))
            .route("/waf_migration/config", get(waf_migration::config))
            .route("/waf_migration/status", get(waf_migration::status))
            .route("/settings/{setting}", get(settings::get).patch(settings::edit));
        // The previous managed rules: all of it goes through `legacy`, and is gone after the migration.
        let waf = Router::new()
            .route("/packages", get(waf_packages::list))
            .route("/packages/{package}", get(waf_packages::get).patch(waf_packages::edit))
            .route("/packages/{package}/groups", get(waf_groups::list))
            .route("/packages/{package}/groups/{id}", get(waf_groups::get).patch(waf_groups::edit))
            .route("/packages/{package}/rules", get(waf_rules::list))
            .route("/packages/{package}/rules/{rule}", get(waf_rules::get).patch(waf_rules::edit))
            .route("/overrides", get(waf_overrides::list).post(waf_overrides::create))
            .route("/overrides/{id}", get(waf_overrides::get).put(waf_overrides::replace).delete(waf_overrides::delete))
            .method_not_allowed_fallback(legacy::method_not_allowed);
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
            .nest("/zones/{zone_id}/firewall/waf", waf)
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
