//! The zone security service: its documented endpoints over an embedded database, and the web app.
//!
//! A handler is extract → engine → store → envelope: `auth` and `request` take a request apart,
//! an engine such as `zonewright_firewall` judges it, `store` keeps it, `error` turns every failure into an
//! envelope. Read in this order: [`App::router`], [`serve()`], then one of the `routes`.

mod access;
mod actor;
pub mod admin;
mod admission;
mod app;
mod assets;
mod auth;
mod challenge;
mod clock;
mod completion;
mod config;
mod connections;
mod database;
mod delivery;
mod demo;
mod encoding;
mod error;
mod front;
mod lease;
mod legacy;
mod listing;
mod log;
mod maintenance;
mod metrics;
mod readiness;
mod relay;
mod request;
mod request_id;
mod routes;
mod ruleset_owner;
mod secret;
mod serve;
mod store;

pub use access::Permission;
pub use app::{App, MIGRATION_DELAY};
pub use config::Config;
pub use connections::ConnectionLimits;
pub use database::{Database, PostgresUrl, Storage, Times};
pub use delivery::{LogPushConfig, Pace};
pub use demo::{Demo, DemoZone};
pub use front::{FrontConfig, HostName, Network, Origin, RateLimit};
pub use log::{LogConfig, LogFilter, LogFormat};
pub use maintenance::{back_up, check, read_log, restore, verify_log};
pub use relay::{Relay, RelayConfig, RelayPace, WrongRelay};
pub use serve::{ServeError, prepare, serve};
pub use store::{LogHead, LogReport, Problem};

use access::Access;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::routing::{any, get, post};
use axum::{Extension, Router};
use front::Front;
use routes::{audit_logs, filters, firewall_rules, tokens, validate_expr, zones};
use routes::{
    logpush_datasets, logpush_destinations, logpush_edge, logpush_ingest, logpush_jobs, logpush_transformers,
};
use routes::{page_rules, rulesets, settings, waf_groups, waf_migration, waf_overrides, waf_packages, waf_rules};
use std::sync::Arc;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

impl App {
    /// Every address of the service.
    pub fn router(&self) -> Router {
        let (api, _document) = api().split_for_parts();
        let routes = Router::new()
            .route("/healthz", get(readiness::health))
            .route("/readyz", get(readiness::ready))
            .route("/metrics", get(metrics::here))
            .nest("/client/v4", api)
            .fallback(assets::serve)
            .method_not_allowed_fallback(error::method_not_allowed);
        dressed(routes, &self.front).with_state(self.clone())
    }
}

impl App {
    /// What watchers ask, on an address of its own.
    pub(crate) fn watch_router(&self) -> Router {
        Router::new()
            .route("/healthz", get(readiness::health))
            .route("/readyz", get(readiness::ready))
            .route("/metrics", get(metrics::show))
            .with_state(self.clone())
    }
}

/// What every request goes through and every answer carries, whatever the routes.
fn dressed<S: Clone + Send + Sync + 'static>(routes: Router<S>, front: &Arc<Front>) -> Router<S> {
    front::around(routes.layer(CatchPanicLayer::custom(error::panicked)), front)
        .layer(header(CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"))
}

/// The interface. Each group of routes names what it is about, which decides who may use it (`access.rs`).
fn api() -> OpenApiRouter<App> {
    OpenApiRouter::default()
        .routes(routes!(tokens::verify))
        .routes(routes!(validate_expr::check_query, validate_expr::check_body))
        .routes(routes!(zones::list))
        .merge(OpenApiRouter::new().routes(routes!(zones::get)).layer(Extension(Access::Zone)))
        .nest("/accounts/{account_id}", audit_log().layer(Extension(Access::AuditLog)))
        .nest("/zones/{zone_id}", firewall().layer(Extension(Access::Firewall)))
        .nest("/zones/{zone_id}", rulesets().merge(waf_migration()).layer(Extension(Access::Rulesets)))
        .nest("/accounts/{account_id}", rulesets().merge(managed_rulesets()).layer(Extension(Access::Rulesets)))
        .nest("/zones/{zone_id}", page_rules().layer(Extension(Access::PageRules)))
        .nest("/zones/{zone_id}", zone_settings().layer(Extension(Access::ZoneSettings)))
        .nest("/zones/{zone_id}/firewall/waf", waf().layer(Extension(Access::Firewall)))
        .nest("/zones/{zone_id}/logpush", instant_logs().layer(Extension(Access::Logs)))
        .nest("/zones/{zone_id}/logpush", log_push().layer(Extension(Access::Logs)))
        .nest("/accounts/{account_id}/logpush", log_push().layer(Extension(Access::Logs)))
        .nest("/accounts/{account_id}/logpush/transformers", transformers().layer(Extension(Access::Logs)))
}

/// Who changed what.
fn audit_log() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(audit_logs::list))
}

/// Filters and firewall rules.
fn firewall() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(filters::list, filters::create, filters::update_many, filters::delete_many))
        .routes(routes!(filters::get, filters::update, filters::delete))
        .routes(routes!(
            firewall_rules::list,
            firewall_rules::create,
            firewall_rules::update_many,
            firewall_rules::edit_many,
            firewall_rules::delete_many
        ))
        .routes(routes!(firewall_rules::get, firewall_rules::update, firewall_rules::edit, firewall_rules::delete))
}

/// Rulesets.
fn rulesets() -> OpenApiRouter<App> {
    use rulesets::{entry_points, rules, versions};
    OpenApiRouter::new()
        .routes(routes!(rulesets::list, rulesets::create))
        .routes(routes!(rulesets::get, rulesets::update, rulesets::delete))
        .routes(routes!(rules::create))
        .routes(routes!(rules::update, rules::delete))
        .routes(routes!(versions::list))
        .routes(routes!(versions::get, versions::delete))
        .routes(routes!(entry_points::get, entry_points::update))
        .routes(routes!(versions::list_of_entry_point))
        .routes(routes!(versions::get_of_entry_point))
}

/// What accounts alone can ask of rulesets.
fn managed_rulesets() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(rulesets::versions::by_tag))
}

/// The migration to rulesets.
fn waf_migration() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .route("/waf_migration/check", get(waf_migration::check))
        .route("/waf_migration/config", get(waf_migration::config))
        .route("/waf_migration/status", get(waf_migration::status))
}

fn page_rules() -> OpenApiRouter<App> {
    OpenApiRouter::new().route("/pagerules", get(page_rules::list).post(page_rules::create)).route(
        "/pagerules/{id}",
        get(page_rules::get).put(page_rules::replace).patch(page_rules::edit).delete(page_rules::delete),
    )
}

fn zone_settings() -> OpenApiRouter<App> {
    OpenApiRouter::new().route("/settings/{setting}", get(settings::get).patch(settings::edit))
}

/// The previous managed rules: all of it goes through `legacy`, and is gone after the migration.
fn waf() -> OpenApiRouter<App> {
    let (router, document) = OpenApiRouter::new()
        .route("/packages", get(waf_packages::list))
        .route("/packages/{package}", get(waf_packages::get).patch(waf_packages::edit))
        .route("/packages/{package}/groups", get(waf_groups::list))
        .route("/packages/{package}/groups/{id}", get(waf_groups::get).patch(waf_groups::edit))
        .route("/packages/{package}/rules", get(waf_rules::list))
        .route("/packages/{package}/rules/{rule}", get(waf_rules::get).patch(waf_rules::edit))
        .route("/overrides", get(waf_overrides::list).post(waf_overrides::create))
        .route("/overrides/{id}", get(waf_overrides::get).put(waf_overrides::replace).delete(waf_overrides::delete))
        .split_for_parts();
    let mut waf = OpenApiRouter::from(router.method_not_allowed_fallback(legacy::method_not_allowed));
    *waf.get_openapi_mut() = document;
    waf
}

fn instant_logs() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .route("/edge", get(logpush_edge::list).post(logpush_edge::create))
        .route("/edge/jobs", get(logpush_edge::list).post(logpush_edge::create))
}

fn log_push() -> OpenApiRouter<App> {
    OpenApiRouter::new()
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
        .route("/validate/origin", post(logpush_destinations::check_origin))
}

fn transformers() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .route("/", any(logpush_transformers::refuse))
        .route("/{*rest}", any(logpush_transformers::refuse))
}

/// Sets a header of every answer that does not have it.
fn header(name: axum::http::HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}
