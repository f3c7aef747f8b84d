//! `/zones/{zone_id}/firewall/waf/packages`: packages of the previous managed rules (observed).

use super::bodies::PackageChange;
use super::{ApiResult, page_response, success_response};
use crate::app::App;
use crate::legacy_waf::{LegacyPackage, LegacyWaf, legacy_not_found};
use crate::list_query::ListQuery;
use crate::request::{JsonBody, QueryParams};
use axum::extract::State;
use zonewright_api::Envelope;
use zonewright_api::legacy_waf::{ActionMode, DetectionMode, Package, Sensitivity};
use zonewright_migration::read::read_package_change;
use zonewright_store::{WafSettingChange, WafSettingKind};

/// Lists the zone's packages.
#[utoipa::path(
    get,
    path = "/packages",
    tag = "Previous managed rules",
    params(
        ("page" = Option<u64>, Query, description = "Page number, starting at 1; pages after the last one are empty", minimum = 1, example = 1),
        ("per_page" = Option<u64>, Query, description = "Maximum number of items per page; default 50", minimum = 5, maximum = 100, example = 50),
        ("match" = Option<String>, Query, description = "`all`, the default: items match every condition; `any`: items match at least one condition", example = "all"),
        ("order" = Option<String>, Query, description = "Sort by `name`"),
        ("direction" = Option<String>, Query, description = "Sort order: `asc` or `desc`"),
        ("name" = Option<String>, Query, description = "Packages with exactly this name"),
        ("detection_mode" = Option<DetectionMode>, Query, description = "Packages with this detection mode"),
        ("sensitivity" = Option<Sensitivity>, Query, description = "Packages with this sensitivity"),
        ("action_mode" = Option<ActionMode>, Query, description = "Packages with this action"),
    ),
    responses(
        (status = 200, description = "A page of the packages", body = Envelope<Vec<Package>>),
    )
)]
pub(crate) async fn list(
    LegacyWaf(zone): LegacyWaf,
    State(app): State<App>,
    mut query: QueryParams,
) -> ApiResult<Vec<Package>> {
    let page = query.page(50, 5..=100);
    let mut list_query = ListQuery::<Package>::read(&mut query, &[("name", |left, right| left.name.cmp(&right.name))]);
    list_query.filter_equal(&mut query, "name", |package| package.name.clone());
    let modes: Vec<_> = DetectionMode::ALL.iter().map(|mode| (mode.name(), *mode)).collect();
    if let Some(mode) = query.choice("detection_mode", &modes) {
        list_query.add_condition(move |package| package.detection_mode == mode);
    }
    list_query.filter_equal(&mut query, "sensitivity", |package| {
        package.sensitivity.map_or("", Sensitivity::name).to_owned()
    });
    list_query
        .filter_equal(&mut query, "action_mode", |package| package.action_mode.map_or("", ActionMode::name).to_owned());
    query.finish()?;
    let packages = app.store.waf_settings(zone.id()).await?.packages(&zone);
    page_response(list_query.apply_page(packages, page), page)
}

/// Returns one package.
#[utoipa::path(
    get,
    path = "/packages/{package}",
    tag = "Previous managed rules",
    responses(
        (status = 200, description = "The package", body = Envelope<Package>),
        (status = 404, description = "1002: package not found"),
    )
)]
pub(crate) async fn get(LegacyPackage { package, .. }: LegacyPackage) -> ApiResult<Package> {
    success_response(package)
}

/// Changes the sensitivity and the action of an anomaly package.
#[utoipa::path(
    patch,
    path = "/packages/{package}",
    tag = "Previous managed rules",
    request_body(content = PackageChange, example = json!({"sensitivity": "low", "action_mode": "simulate"})),
    responses(
        (status = 200, description = "The changed package", body = Envelope<Package>),
        (status = 400, description = "1027: not an anomaly package; 10014, 10015: invalid body or value; 10303: not allowed while the migration of the zone is pending"),
        (status = 404, description = "1002: package not found"),
    )
)]
pub(crate) async fn edit(
    LegacyPackage { zone, package, .. }: LegacyPackage,
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> ApiResult<Package> {
    let change = read_package_change(&body, &package)?;
    let set = |kind, value| WafSettingChange { kind, object_id: package.id.clone(), value };
    let sensitivity = change.sensitivity.map(|value| set(WafSettingKind::Sensitivity, value.name()));
    let action = change.action_mode.map(|value| set(WafSettingKind::ActionMode, value.name()));
    let changes: Vec<WafSettingChange> = sensitivity.into_iter().chain(action).collect();
    let packages = app.store.change_waf(&zone, &changes).await?.packages(&zone);
    let changed = packages.into_iter().find(|other| other.id == package.id);
    success_response(changed.ok_or_else(|| legacy_not_found("package", &package.id))?)
}
