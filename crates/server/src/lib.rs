//! The zone security service: its documented endpoints over an embedded database, and the web app.
//!
//! A handler is extract → engine → store → envelope: `auth` and `request` take a request apart,
//! an engine such as `zonewright_firewall` judges it, `store` keeps it, `error` turns every failure into an
//! envelope. Read in this order: [`App::router`], [`serve()`], then one of the `routes`.

mod access;
mod actor;
pub mod admin;
mod admission;
mod answers;
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
mod openapi;
mod readiness;
mod relay;
mod request;
mod request_id;
mod routes;
mod ruleset_owner;
mod secret;
mod serve;
mod shares;
mod store;
mod weight;

pub use access::Permission;
pub use app::{App, MIGRATION_DELAY};
pub use config::Config;
pub use connections::ConnectionLimits;
pub use database::{Database, PostgresUrl, Storage, Times};
pub use delivery::{LogPushConfig, OwnBucket, Pace};
pub use demo::{Demo, DemoZone};
pub use front::{FrontConfig, HostName, Network, Origin, RateLimit};
pub use log::{LogConfig, LogFilter, LogFormat};
pub use maintenance::{back_up, check, read_log, repair, restore, verify_log};
pub use openapi::{of_relay as relay_openapi, text as openapi};
pub use relay::{Relay, RelayConfig, RelayPace, WrongRelay};
#[doc(hidden)]
pub use serve::serve_with;
pub use serve::{ServeError, prepare, serve};
pub use store::{LogHead, LogReport, Problem};

use access::Access;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderValue, Response};
use axum::middleware::from_fn;
use axum::routing::{any, get};
use axum::{Extension, Router};
use front::Front;
use routes::openapi as document;
use routes::{accounts, audit_logs, filters, firewall_rules, tokens, user, validate_expr, zones};
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
        self.router_with(Router::new())
    }

    /// The same, and other addresses that go through the same layers: benchmarks compare with them.
    fn router_with(&self, others: Router<App>) -> Router {
        let (api, _document) = api().merge(document::interface()).split_for_parts();
        let (operation, _document) = operation().split_for_parts();
        let routes = others
            .merge(operation)
            .route("/docs/api.css", get(document::style))
            .nest("/client/v4", api)
            .fallback(assets::serve)
            .method_not_allowed_fallback(error::method_not_allowed)
            .layer(from_fn(store::settle))
            .layer(Extension(openapi::Server::Service));
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
    front::around(routes.layer(CatchPanicLayer::custom(error::panicked)), front).layer((
        header(CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
        SetResponseHeaderLayer::overriding(CONTENT_TYPE, json_in_utf8),
    ))
}

/// What stands beside the interface, for those who run the service; it is in the same document.
fn operation() -> OpenApiRouter<App> {
    let beside = OpenApiRouter::new()
        .routes(routes!(readiness::health))
        .routes(routes!(readiness::ready))
        .routes(routes!(metrics::here))
        .routes(routes!(document::page));
    openapi::beside(beside)
}

/// The interface. Each group of routes names what it is about, which decides who may use it (`access.rs`), and all of
/// them are in its document (`openapi.rs`).
fn api() -> OpenApiRouter<App> {
    OpenApiRouter::default()
        .routes(routes!(user::get))
        .routes(routes!(tokens::verify))
        .routes(routes!(tokens::verify_of_account))
        .routes(routes!(accounts::list))
        .routes(routes!(validate_expr::check_query, validate_expr::check_body))
        .routes(routes!(zones::list))
        .merge(group("/zones/{zone_id}", Access::Zone, OpenApiRouter::new().routes(routes!(zones::get))))
        .merge(group("/accounts/{account_id}", Access::Account, account()))
        .merge(group("/zones/{zone_id}", Access::Firewall, firewall()))
        .merge(group("/zones/{zone_id}", Access::Rulesets, rulesets().merge(waf_migration())))
        .merge(group("/accounts/{account_id}", Access::Rulesets, rulesets().merge(managed_rulesets())))
        .merge(group("/zones/{zone_id}", Access::PageRules, page_rules()))
        .merge(group("/zones/{zone_id}", Access::ZoneSettings, zone_settings()))
        .merge(group("/zones/{zone_id}/firewall/waf", Access::Firewall, waf()))
        .merge(group("/zones/{zone_id}/logpush", Access::Logs, instant_logs().merge(log_push())))
        .merge(group("/accounts/{account_id}/logpush", Access::Logs, log_push()))
        .merge(group("/accounts/{account_id}/logpush/transformers", Access::Logs, transformers()))
}

/// Routes behind a prefix for callers with the permissions of `access`, which their descriptions name.
fn group(prefix: &str, access: Access, routes: OpenApiRouter<App>) -> OpenApiRouter<App> {
    let mut group = OpenApiRouter::new().nest(prefix, routes.layer(Extension(access)));
    openapi::name_permissions(group.get_openapi_mut(), access);
    group
}

/// Accounts themselves, and who changed what there.
fn account() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(accounts::get)).routes(routes!(audit_logs::list))
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
        .routes(routes!(waf_migration::check))
        .routes(routes!(waf_migration::config))
        .routes(routes!(waf_migration::status))
}

fn page_rules() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(page_rules::list, page_rules::create)).routes(routes!(
        page_rules::get,
        page_rules::replace,
        page_rules::edit,
        page_rules::delete
    ))
}

fn zone_settings() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(settings::get, settings::edit))
}

/// The previous managed rules: all of it goes through `legacy`, and is gone after the migration.
fn waf() -> OpenApiRouter<App> {
    let (router, document) = OpenApiRouter::new()
        .routes(routes!(waf_packages::list))
        .routes(routes!(waf_packages::get, waf_packages::edit))
        .routes(routes!(waf_groups::list))
        .routes(routes!(waf_groups::get, waf_groups::edit))
        .routes(routes!(waf_rules::list))
        .routes(routes!(waf_rules::get, waf_rules::edit))
        .routes(routes!(waf_overrides::list, waf_overrides::create))
        .routes(routes!(waf_overrides::get, waf_overrides::replace, waf_overrides::delete))
        .split_for_parts();
    let mut waf = OpenApiRouter::from(router.method_not_allowed_fallback(legacy::method_not_allowed));
    *waf.get_openapi_mut() = document;
    waf
}

/// The first address is the documented one, the second that of the official clients.
fn instant_logs() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(openapi::also_at("/edge", routes!(logpush_edge::list, logpush_edge::create)))
        .routes(routes!(logpush_edge::list, logpush_edge::create))
}

fn log_push() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(logpush_jobs::list, logpush_jobs::create))
        .routes(routes!(logpush_jobs::get, logpush_jobs::update, logpush_jobs::delete))
        .routes(routes!(logpush_ingest::ingest))
        .routes(routes!(logpush_datasets::jobs))
        .routes(routes!(logpush_datasets::fields))
        .routes(routes!(logpush_datasets::default_fields))
        .routes(routes!(logpush_destinations::challenge))
        .routes(routes!(logpush_destinations::check_challenge))
        .routes(routes!(logpush_destinations::check_destination))
        .routes(routes!(logpush_destinations::exists))
        .routes(routes!(logpush_destinations::check_origin))
}

/// Whatever is asked of transformers has the same answer; the document has the address that all begin with.
fn transformers() -> OpenApiRouter<App> {
    let document = OpenApiRouter::new().routes(routes!(logpush_transformers::refuse)).into_openapi();
    let mut transformers = OpenApiRouter::new()
        .route("/", any(logpush_transformers::refuse))
        .route("/{*rest}", any(logpush_transformers::refuse));
    *transformers.get_openapi_mut() = document;
    transformers
}

/// The type of answers in JSON with their encoding (observed); none for others, which keep theirs.
fn json_in_utf8<B>(answer: &Response<B>) -> Option<HeaderValue> {
    let is_json = answer.headers().get(CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    is_json.then_some(HeaderValue::from_static("application/json; charset=UTF-8"))
}

/// Sets a header of every answer that does not have it.
fn header(name: axum::http::HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}
