//! `/zones/{zone_id}/firewall/waf/overrides`: overrides of the previous managed rules by URL. Deletion is specified
//! (`zone-security-service` §4.7); the rest is observed.

use super::bodies::{NewOverride, OverrideUpdate};
use super::{ApiResult, page_response, success_response};
use crate::app::App;
use crate::legacy_waf::LegacyWaf;
use crate::request::{JsonBody, ObjectId, QueryParams};
use axum::extract::State;
use zonewright_api::Envelope;
use zonewright_api::firewall::DeletedObject;
use zonewright_api::legacy_waf::UrlOverride;
use zonewright_migration::read::{read_override, read_override_update};

/// Creates an override.
#[utoipa::path(
    post,
    path = "/overrides",
    tag = "Previous managed rules",
    request_body(content = NewOverride, example = json!({
        "urls": ["example.com/shop/*"], "rules": {"100015": "disable"}, "rewrite_action": {"block": "challenge"}, "priority": -7
    })),
    responses(
        (status = 200, description = "The new override", body = Envelope<UrlOverride>),
        (status = 400, description = "10014, 10015: invalid body or value, or not available on the plan; 10103: the zone has the maximum number of overrides"),
    )
)]
pub(crate) async fn create(
    LegacyWaf(zone): LegacyWaf,
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> ApiResult<UrlOverride> {
    let new = read_override(&body, zone.tier)?;
    success_response(app.store.create_override(&zone, new).await?)
}

/// Lists overrides, lowest priority number first.
#[utoipa::path(
    get,
    path = "/overrides",
    tag = "Previous managed rules",
    params(
        ("page" = Option<u64>, Query, description = "Page number, starting at 1; pages after the last one are empty", minimum = 1, example = 1),
        ("per_page" = Option<u64>, Query, description = "Maximum number of items per page; default 50", minimum = 5, maximum = 100, example = 50),
    ),
    responses(
        (status = 200, description = "A page of the overrides", body = Envelope<Vec<UrlOverride>>),
    )
)]
pub(crate) async fn list(
    LegacyWaf(zone): LegacyWaf,
    State(app): State<App>,
    mut query: QueryParams,
) -> ApiResult<Vec<UrlOverride>> {
    let page = query.page(50, 5..=100);
    query.finish()?;
    page_response(app.store.overrides(zone.id(), page).await?, page)
}

/// Returns one override.
#[utoipa::path(
    get,
    path = "/overrides/{id}",
    tag = "Previous managed rules",
    responses(
        (status = 200, description = "The override", body = Envelope<UrlOverride>),
        (status = 404, description = "1002: override not found"),
    )
)]
pub(crate) async fn get(
    LegacyWaf(zone): LegacyWaf,
    State(app): State<App>,
    ObjectId(id): ObjectId,
) -> ApiResult<UrlOverride> {
    success_response(app.store.waf_override(zone.id(), &id).await?)
}

/// Replaces one override.
#[utoipa::path(
    put,
    path = "/overrides/{id}",
    tag = "Previous managed rules",
    request_body(content = OverrideUpdate, example = json!({
        "id": "7a1c5b3e9d2f48c6a0e4b8d1f3579bce", "urls": ["example.com/shop/*"], "rules": {"100015": "challenge"}, "rewrite_action": {}
    })),
    responses(
        (status = 200, description = "The changed override", body = Envelope<UrlOverride>),
        (status = 400, description = "10014, 10015: invalid body or value, or the `id` of another override"),
        (status = 404, description = "1002: override not found"),
    )
)]
pub(crate) async fn replace(
    LegacyWaf(zone): LegacyWaf,
    State(app): State<App>,
    ObjectId(id): ObjectId,
    JsonBody(body): JsonBody,
) -> ApiResult<UrlOverride> {
    app.store.waf_override(zone.id(), &id).await?;
    let new = read_override_update(&body, &id, zone.tier)?;
    success_response(app.store.replace_override(&zone, new).await?)
}

/// Deletes one override.
#[utoipa::path(
    delete,
    path = "/overrides/{id}",
    tag = "Previous managed rules",
    responses(
        (status = 200, description = "Deleted", body = Envelope<DeletedObject>),
        (status = 404, description = "1002: override not found"),
    )
)]
pub(crate) async fn delete(
    LegacyWaf(zone): LegacyWaf,
    State(app): State<App>,
    ObjectId(id): ObjectId,
) -> ApiResult<DeletedObject> {
    app.store.delete_override(&zone, &id).await?;
    success_response(DeletedObject { id })
}
