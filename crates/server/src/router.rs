//! The router: every path of the service, as a table of contents.
//!
//! Each group of routes names its [`ResourceKind`], which determines the required permissions. All operations are in
//! the OpenAPI document.

use crate::app::App;
use crate::authorization::ResourceKind;
use crate::openapi::{self, API_PATH, Document, ServerKind, prefix_paths};
use crate::routes::openapi as document;
use crate::routes::{accounts, audit_logs, filters, firewall_rules, monitoring, tokens, user, validate_expr, zones};
use crate::routes::{
    logpush_datasets, logpush_destinations, logpush_edge, logpush_ingest, logpush_jobs, logpush_transformers,
};
use crate::routes::{
    page_rules, rulesets, settings, waf_groups, waf_migration, waf_overrides, waf_packages, waf_rules,
};
use crate::{assets, error, legacy_waf, middleware};
use axum::middleware::from_fn;
use axum::routing::{any, get};
use axum::{Extension, Router};
use std::sync::LazyLock;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
use utoipa_axum::routes;

impl App {
    /// Returns the router of the service.
    pub fn router(&self) -> Router {
        self.router_with(Router::new())
    }

    /// Returns the router with extra routes behind the same middleware. Benchmarks use it for comparison.
    pub(crate) fn router_with(&self, extra_routes: Router<App>) -> Router {
        let (routes, _document) = operations().merge(api()).merge(document::api_routes()).split_for_parts();
        let routes = extra_routes
            .merge(routes)
            .route("/docs/api.css", get(document::stylesheet))
            .fallback(assets::serve)
            .method_not_allowed_fallback(error::method_not_allowed)
            .layer((Extension(&DOCUMENT), from_fn(middleware::durable_responses::delay_until_durable)));
        middleware::apply(routes, &self.middleware).with_state(self.clone())
    }
}

impl App {
    /// Returns the router of health and metrics, for the monitoring address.
    pub(crate) fn monitoring_router(&self) -> Router {
        Router::new()
            .route("/healthz", get(monitoring::health))
            .route("/readyz", get(monitoring::ready))
            .route("/metrics", get(monitoring::metrics_on_monitoring_listener))
            .with_state(self.clone())
    }
}

const ZONE: &str = "/client/v4/zones/{zone_id}";
const ACCOUNT: &str = "/client/v4/accounts/{account_id}";

/// Routes of one group with their OpenAPI descriptions.
type Routes = Vec<UtoipaMethodRouter<App>>;

/// The OpenAPI document of the service.
static DOCUMENT: LazyLock<Document> = LazyLock::new(|| {
    let own_operations = operations().merge(document::api_routes());
    Document::new(ServerKind::Service, api().into_openapi(), own_operations.into_openapi())
});

/// Returns the OpenAPI 3.1 document of the service as JSON.
pub fn openapi() -> &'static str {
    &DOCUMENT.text().text
}

/// Returns the operations outside the API, for operators. They are in the same document.
fn operations() -> OpenApiRouter<App> {
    let routes = OpenApiRouter::new()
        .routes(routes!(monitoring::health))
        .routes(routes!(monitoring::ready))
        .routes(routes!(monitoring::metrics))
        .routes(routes!(document::document_page));
    openapi::mark_outside_api(routes)
}

/// Returns the API. Each group requires the permissions of its [`ResourceKind`].
pub(crate) fn api() -> OpenApiRouter<App> {
    prefix_paths(API_PATH, unrestricted())
        .merge(group(ResourceKind::Zone, prefix_paths(ZONE, [routes!(zones::get)])))
        .merge(group(ResourceKind::Account, prefix_paths(ACCOUNT, account())))
        .merge(group(ResourceKind::Firewall, prefix_paths(ZONE, firewall())))
        .merge(group(ResourceKind::Rulesets, prefix_paths(ZONE, rulesets())))
        .merge(group(ResourceKind::Migration, prefix_paths(ZONE, waf_migration())))
        .merge(group(ResourceKind::Rulesets, prefix_paths(ACCOUNT, rulesets().into_iter().chain(managed_rulesets()))))
        .merge(group(ResourceKind::PageRules, prefix_paths(ZONE, page_rules())))
        .merge(group(ResourceKind::ZoneSettings, prefix_paths(ZONE, zone_settings())))
        .merge(group(ResourceKind::Firewall, waf()))
        .merge(group(
            ResourceKind::Logs,
            prefix_paths(&format!("{ZONE}/logpush"), instant_logs().into_iter().chain(log_push())),
        ))
        .merge(group(ResourceKind::Logs, prefix_paths(&format!("{ACCOUNT}/logpush"), log_push())))
        .merge(group(ResourceKind::Logs, transformers()))
}

/// Returns routes that require the permissions of a resource, and lists the permissions in their descriptions.
fn group(resource: ResourceKind, routes: OpenApiRouter<App>) -> OpenApiRouter<App> {
    let mut group = routes.layer(Extension(resource));
    openapi::document_permissions(group.get_openapi_mut(), resource);
    group
}

/// Routes without a required permission: each response contains only data that the principal may read.
fn unrestricted() -> Routes {
    vec![
        routes!(user::get),
        routes!(tokens::verify),
        routes!(tokens::verify_of_account),
        routes!(accounts::list),
        routes!(validate_expr::check_query, validate_expr::check_body),
        routes!(zones::list),
    ]
}

/// Accounts and their audit logs.
fn account() -> Routes {
    vec![routes!(accounts::get), routes!(audit_logs::list)]
}

/// Filters and firewall rules.
fn firewall() -> Routes {
    vec![
        routes!(filters::list, filters::create, filters::update_many, filters::delete_many),
        routes!(filters::get, filters::update, filters::delete),
        routes!(
            firewall_rules::list,
            firewall_rules::create,
            firewall_rules::update_many,
            firewall_rules::edit_many,
            firewall_rules::delete_many
        ),
        routes!(firewall_rules::get, firewall_rules::update, firewall_rules::edit, firewall_rules::delete),
    ]
}

/// Rulesets.
fn rulesets() -> Routes {
    use rulesets::{entry_points, rules, versions};
    vec![
        routes!(rulesets::list, rulesets::create),
        routes!(rulesets::get, rulesets::update, rulesets::delete),
        routes!(rules::create),
        routes!(rules::update, rules::delete),
        routes!(versions::list),
        routes!(versions::get, versions::delete),
        routes!(entry_points::get, entry_points::update),
        routes!(versions::list_of_entry_point),
        routes!(versions::get_of_entry_point),
    ]
}

/// Routes of rulesets that only accounts have.
fn managed_rulesets() -> Routes {
    vec![routes!(rulesets::versions::by_tag)]
}

/// The migration to rulesets.
fn waf_migration() -> Routes {
    vec![routes!(waf_migration::check), routes!(waf_migration::config), routes!(waf_migration::status)]
}

fn page_rules() -> Routes {
    vec![
        routes!(page_rules::list, page_rules::create),
        routes!(page_rules::get, page_rules::replace, page_rules::edit, page_rules::delete),
    ]
}

fn zone_settings() -> Routes {
    vec![routes!(settings::get, settings::edit)]
}

/// The previous managed rules. All routes use the extractors of `legacy_waf`, and respond 410 after the migration.
fn waf() -> OpenApiRouter<App> {
    let routes = [
        routes!(waf_packages::list),
        routes!(waf_packages::get, waf_packages::edit),
        routes!(waf_groups::list),
        routes!(waf_groups::get, waf_groups::edit),
        routes!(waf_rules::list),
        routes!(waf_rules::get, waf_rules::edit),
        routes!(waf_overrides::list, waf_overrides::create),
        routes!(waf_overrides::get, waf_overrides::replace, waf_overrides::delete),
    ];
    let (router, document) = prefix_paths(&format!("{ZONE}/firewall/waf"), routes).split_for_parts();
    let mut waf = OpenApiRouter::from(router.method_not_allowed_fallback(legacy_waf::method_not_allowed));
    *waf.get_openapi_mut() = document;
    waf
}

/// Instant logs. The first path is the documented one; the second is that of the official clients.
fn instant_logs() -> Routes {
    vec![
        openapi::alias_path("/edge", routes!(logpush_edge::list, logpush_edge::create)),
        routes!(logpush_edge::list, logpush_edge::create),
    ]
}

fn log_push() -> Routes {
    vec![
        routes!(logpush_jobs::list, logpush_jobs::create),
        routes!(logpush_jobs::get, logpush_jobs::update, logpush_jobs::delete),
        routes!(logpush_ingest::ingest),
        routes!(logpush_datasets::jobs),
        routes!(logpush_datasets::fields),
        routes!(logpush_datasets::default_fields),
        routes!(logpush_destinations::request_challenge),
        routes!(logpush_destinations::check_challenge),
        routes!(logpush_destinations::check_destination),
        routes!(logpush_destinations::destination_exists),
        routes!(logpush_destinations::check_origin),
    ]
}

/// Transformers. Every request has the same response; the document has the common prefix of the paths.
fn transformers() -> OpenApiRouter<App> {
    let path = format!("{ACCOUNT}/logpush/transformers");
    let document = prefix_paths(&path, [routes!(logpush_transformers::refuse)]).into_openapi();
    let mut transformers = OpenApiRouter::new()
        .route(&path, any(logpush_transformers::refuse))
        .route(&format!("{path}/{{*rest}}"), any(logpush_transformers::refuse));
    *transformers.get_openapi_mut() = document;
    transformers
}
