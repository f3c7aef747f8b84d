//! `/zones/{zone_id}/firewall/waf/packages/{package}/groups`: groups of rules of a package (observed).

use super::bodies::GroupChange;
use super::{ApiResult, page_response, success_response};
use crate::app::App;
use crate::legacy_waf::{LegacyPackage, legacy_not_found};
use crate::list_query::ListQuery;
use crate::request::{JsonBody, ObjectId, QueryParams};
use axum::extract::State;
use zonewright_api::Envelope;
use zonewright_api::legacy_waf::{Group, Switch};
use zonewright_migration::read::read_group_mode;
use zonewright_store::{WafSettingChange, WafSettingKind};

/// Lists the groups of a package.
#[utoipa::path(
    get,
    path = "/packages/{package}/groups",
    tag = "Previous managed rules",
    params(
        ("page" = Option<u64>, Query, description = "Page number, starting at 1; pages after the last one are empty", minimum = 1, example = 1),
        ("per_page" = Option<u64>, Query, description = "Maximum number of items per page; default 50", minimum = 5, maximum = 100, example = 50),
        ("match" = Option<String>, Query, description = "`all`, the default: items match every condition; `any`: items match at least one condition", example = "all"),
        ("order" = Option<String>, Query, description = "Sort by `mode` or `rules_count`"),
        ("direction" = Option<String>, Query, description = "Sort order: `asc` or `desc`"),
        ("name" = Option<String>, Query, description = "Groups with exactly this name"),
        ("mode" = Option<Switch>, Query, description = "Groups in this mode"),
        ("rules_count" = Option<u64>, Query, description = "Groups with this number of rules"),
    ),
    responses(
        (status = 200, description = "A page of the groups", body = Envelope<Vec<Group>>),
        (status = 404, description = "1002: package not found"),
    )
)]
pub(crate) async fn list(
    LegacyPackage { package, settings, .. }: LegacyPackage,
    mut query: QueryParams,
) -> ApiResult<Vec<Group>> {
    let page = query.page(50, 5..=100);
    let mut list_query = ListQuery::<Group>::read(
        &mut query,
        &[
            ("mode", |left, right| left.mode.name().cmp(right.mode.name())),
            ("rules_count", |left, right| left.rules_count.cmp(&right.rules_count)),
        ],
    );
    if let Some(mode) = query.choice("mode", &[Switch::On, Switch::Off].map(|mode| (mode.name(), mode))) {
        list_query.add_condition(move |group| group.mode == mode);
    }
    list_query.filter_equal(&mut query, "name", |group| group.name.clone());
    if let Some(count) = query.integer("rules_count") {
        list_query.add_condition(move |group| group.rules_count == count);
    }
    query.finish()?;
    let groups = settings.groups().into_iter().filter(|group| group.package_id == package.id);
    page_response(list_query.apply_page(groups.collect(), page), page)
}

/// Returns one group.
#[utoipa::path(
    get,
    path = "/packages/{package}/groups/{id}",
    tag = "Previous managed rules",
    responses(
        (status = 200, description = "The group", body = Envelope<Group>),
        (status = 404, description = "1002: package or group not found"),
    )
)]
pub(crate) async fn get(
    LegacyPackage { package, settings, .. }: LegacyPackage,
    ObjectId(id): ObjectId,
) -> ApiResult<Group> {
    success_response(settings.group(&package.id, &id).ok_or_else(|| legacy_not_found("group", &id))?)
}

/// Turns a group on or off.
#[utoipa::path(
    patch,
    path = "/packages/{package}/groups/{id}",
    tag = "Previous managed rules",
    request_body(content = GroupChange, example = json!({"mode": "off"})),
    responses(
        (status = 200, description = "The changed group", body = Envelope<Group>),
        (status = 400, description = "10014, 10015: invalid body or value; 10303: not allowed while the migration of the zone is pending"),
        (status = 404, description = "1002: package or group not found"),
    )
)]
pub(crate) async fn edit(
    LegacyPackage { zone, package, settings }: LegacyPackage,
    State(app): State<App>,
    ObjectId(id): ObjectId,
    JsonBody(body): JsonBody,
) -> ApiResult<Group> {
    let group = settings.group(&package.id, &id).ok_or_else(|| legacy_not_found("group", &id))?;
    let mode = read_group_mode(&body, &group)?;
    let change = WafSettingChange { kind: WafSettingKind::Group, object_id: id.clone(), value: mode.name() };
    let settings = app.store.change_waf(&zone, &[change]).await?;
    success_response(settings.group(&package.id, &id).ok_or_else(|| legacy_not_found("group", &id))?)
}
