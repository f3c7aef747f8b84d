//! `/zones/{zone_id}/filters`: filters. The specification names this API but not its paths and bodies (§4.2 rule 4),
//! which are observed.

use super::{ApiResult, cached_response, page_response, parse_validated, single_response, success_response};
use crate::app::App;
use crate::error::Error;
use crate::request::{JsonBody, ObjectId, OptionalJsonBody, QueryParams};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use zonewright_api::Envelope;
use zonewright_api::firewall::{DeletedObject, DeletionRequest, Filter, NewFilter};
use zonewright_firewall::{read_filter_deletions, read_filter_update, read_filter_updates, read_filters};
use zonewright_store::{FilterSearch, Resource, Zone};

/// Creates filters from an array, as one atomic batch.
///
/// Each expression is unique in its zone: a second filter with the same expression is rejected, and `meta.id` of the
/// error is the ID of the existing filter. A single object is treated as an array of one.
#[utoipa::path(
    post,
    path = "/filters",
    tag = "Filters",
    request_body(
        content = Vec<NewFilter>,
        example = json!([{"expression": "ip.src in {192.0.2.0/24}", "description": "office", "ref": "FIL-1"}])
    ),
    responses(
        (status = 200, description = "The new filters, in the order of the request", body = Envelope<Vec<Filter>>),
        (
            status = 400,
            description = "Nothing was created. 10016: an expression is invalid; 10102: a filter already exists; \
                           10103: the zone would have too many filters; 10014, 10015: invalid body or value"
        ),
    )
)]
pub(crate) async fn create(zone: Zone, State(app): State<App>, JsonBody(body): JsonBody) -> ApiResult<Vec<Filter>> {
    let batch = parse_validated(body, zone.tier, read_filters).await?;
    success_response(app.store.create_filters(&zone, &batch).await?)
}

/// Lists filters in creation order.
#[utoipa::path(
    get,
    path = "/filters",
    tag = "Filters",
    params(
        ("id" = Option<String>, Query, description = "Only the filter with this ID"),
        ("expression" = Option<String>, Query, description = "Filters whose expression contains this text; case-insensitive"),
        ("description" = Option<String>, Query, description = "Filters whose description contains this text; case-insensitive"),
        ("ref" = Option<String>, Query, description = "Filters with exactly this `ref`"),
        ("paused" = Option<bool>, Query, description = "Only filters that are paused, or only filters that are not"),
        ("page" = Option<u64>, Query, description = "Page number, starting at 1; pages after the last one are empty", minimum = 1, example = 1),
        ("per_page" = Option<u64>, Query, description = "Maximum number of filters per page; default 25", minimum = 5, maximum = 100, example = 25),
    ),
    responses(
        (status = 200, description = "A page of the filters", body = Envelope<Vec<Filter>>),
    )
)]
pub(crate) async fn list(zone: Zone, State(app): State<App>, uri: Uri) -> Result<Response, Error> {
    let response = async {
        let mut query = QueryParams::from_uri(&uri)?;
        let page = query.page(25, 5..=100);
        let search = FilterSearch {
            id: query.text("id"),
            expression: query.text("expression"),
            description: query.text("description"),
            reference: query.text("ref"),
            paused: query.bool("paused"),
        };
        query.finish()?;
        page_response(app.store.filters(zone.id(), &search, page).await?, page)
    };
    cached_response(&app, &zone, &uri, response).await
}

/// Updates filters by ID, as one atomic batch.
///
/// Replaces each filter: omitted members have the defaults of a new filter. Rules that use a filter use its new
/// version.
#[utoipa::path(
    put,
    path = "/filters",
    tag = "Filters",
    request_body(
        content = Vec<Filter>,
        example = json!([{"id": "372e67954025e0ba6aaa6d586b9e0b61", "expression": "ip.src in {198.51.100.0/24}"}])
    ),
    responses(
        (status = 200, description = "The filters, in the order of the request", body = Envelope<Vec<Filter>>),
        (
            status = 400,
            description = "Nothing was changed. 10303: not allowed while the migration of the zone is pending; 10001: \
                           filter not found; 10016: an expression is invalid; 10102: another filter has the \
                           same expression; 10014, 10015: invalid body or value, or a repeated filter"
        ),
    )
)]
pub(crate) async fn update_many(
    zone: Zone,
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> ApiResult<Vec<Filter>> {
    let batch = parse_validated(body, zone.tier, read_filter_updates).await?;
    success_response(app.store.update_filters(&zone, &batch).await?)
}

/// Deletes filters that no rule uses, as one atomic batch.
///
/// Send the IDs in the query, with `id` once per ID, or in the body. Unknown IDs are ignored. Without IDs, nothing is
/// deleted.
#[utoipa::path(
    delete,
    path = "/filters",
    tag = "Filters",
    params(("id" = Option<Vec<String>>, Query, description = "IDs; repeat the parameter for each one")),
    request_body(content = Option<Vec<DeletionRequest>>, example = json!([{"id": "372e67954025e0ba6aaa6d586b9e0b61"}])),
    responses(
        (status = 200, description = "The deleted objects", body = Envelope<Vec<DeletedObject>>),
        (status = 400, description = "Nothing was deleted. 10104: a rule uses the filter with the ID `meta.id`; 10014: invalid body or too many items; 10015: malformed ID"),
    )
)]
pub(crate) async fn delete_many(
    zone: Zone,
    State(app): State<App>,
    mut query: QueryParams,
    OptionalJsonBody(body): OptionalJsonBody,
) -> ApiResult<Vec<DeletedObject>> {
    let ids = query.identifiers("id");
    query.finish()?;
    let deletions = read_filter_deletions(ids, body.as_ref())?;
    let ids: Vec<String> = deletions.into_iter().map(|deletion| deletion.id).collect();
    success_response(app.store.delete_filters(&zone, &ids).await?)
}

/// Returns one filter.
#[utoipa::path(
    get,
    path = "/filters/{id}",
    tag = "Filters",
    responses(
        (status = 200, description = "The filter", body = Envelope<Filter>),
        (status = 404, description = "10001: filter not found"),
    )
)]
pub(crate) async fn get(
    zone: Zone,
    State(app): State<App>,
    uri: Uri,
    ObjectId(id): ObjectId,
) -> Result<Response, Error> {
    let response = async {
        let filter = app.store.filter(zone.id(), &id).await?;
        success_response(filter.ok_or(Error::NotFound(Resource::Filter(id)))?)
    };
    cached_response(&app, &zone, &uri, response).await
}

/// Replaces one filter: omitted members have the defaults of a new filter.
#[utoipa::path(
    put,
    path = "/filters/{id}",
    tag = "Filters",
    request_body(content = NewFilter, example = json!({"expression": "ip.src in {198.51.100.0/24}", "paused": true})),
    responses(
        (status = 200, description = "The changed filter", body = Envelope<Filter>),
        (
            status = 400,
            description = "10303: not allowed while the migration of the zone is pending; 10016: the expression is \
                           invalid; 10102: another filter has the same expression; 10014, 10015: invalid body or \
                           value, or the `id` of another filter"
        ),
        (status = 404, description = "10001: filter not found"),
    )
)]
pub(crate) async fn update(
    zone: Zone,
    State(app): State<App>,
    ObjectId(id): ObjectId,
    JsonBody(body): JsonBody,
) -> ApiResult<Filter> {
    let batch = parse_validated(body, zone.tier, move |body, tier| read_filter_update(body, &id, tier)).await?;
    single_response(app.store.update_filters(&zone, &batch).await?)
}

/// Deletes one filter that no rule uses.
#[utoipa::path(
    delete,
    path = "/filters/{id}",
    tag = "Filters",
    responses(
        (status = 200, description = "Deleted", body = Envelope<DeletedObject>),
        (status = 400, description = "10104: rules use the filter"),
        (status = 404, description = "10001: filter not found"),
    )
)]
pub(crate) async fn delete(zone: Zone, State(app): State<App>, ObjectId(id): ObjectId) -> ApiResult<DeletedObject> {
    success_response(app.store.delete_filter(&zone, id).await?)
}
