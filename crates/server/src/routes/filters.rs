//! `/zones/{zone_id}/filters`: filters. The specification names this API and leaves its paths and bodies open (§4.2
//! rule 4); these are the observed ones.

use super::{Answer, cached, paginated, parse_validated, single, success_response};
use crate::app::App;
use crate::error::Error;
use crate::request::{JsonBody, ObjectId, OptionalJsonBody, QueryParams};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use zonewright_api::Envelope;
use zonewright_api::firewall::{DeletedObject, DeletionRequest, Filter, NewFilter};
use zonewright_firewall::{read_filter_removals, read_filter_update, read_filter_updates, read_filters};
use zonewright_store::{FilterSearch, Zone};

/// Creates filters: an array of them, all or none.
///
/// A zone has each expression once: another filter with the same one is refused, and `meta.id` of the error names
/// the filter that is there. A single object counts as an array of one.
#[utoipa::path(
    post,
    path = "/filters",
    tag = "Filters",
    request_body(
        content = Vec<NewFilter>,
        example = json!([{"expression": "ip.src in {192.0.2.0/24}", "description": "office", "ref": "FIL-1"}])
    ),
    responses(
        (status = 200, description = "The new filters, in the order they were sent", body = Envelope<Vec<Filter>>),
        (
            status = 400,
            description = "Nothing was created. 10016: an expression is refused; 10102: a filter is there already; \
                           10103: the zone has as many filters as it may; 10014, 10015: the shape of the body, a value"
        ),
    )
)]
pub(crate) async fn create(zone: Zone, State(app): State<App>, JsonBody(body): JsonBody) -> Answer<Vec<Filter>> {
    let batch = parse_validated(body, zone.tier, read_filters).await?;
    success_response(app.store.create_filters(&zone, &batch).await?)
}

/// Lists filters, in the order of creation.
#[utoipa::path(
    get,
    path = "/filters",
    tag = "Filters",
    params(
        ("id" = Option<String>, Query, description = "The filter with this identifier"),
        ("expression" = Option<String>, Query, description = "Filters whose expression has this text in it, in any letter case"),
        ("description" = Option<String>, Query, description = "Filters whose description has this text in it, in any letter case"),
        ("ref" = Option<String>, Query, description = "Filters with exactly this `ref`"),
        ("paused" = Option<bool>, Query, description = "Filters that are paused, or that are not"),
        ("page" = Option<u64>, Query, description = "Number of the page, from 1; behind the last one the list is empty", minimum = 1, example = 1),
        ("per_page" = Option<u64>, Query, description = "Most filters of a page; 25 when it is left out", minimum = 5, maximum = 100, example = 25),
    ),
    responses(
        (status = 200, description = "A page of the filters", body = Envelope<Vec<Filter>>),
    )
)]
pub(crate) async fn list(zone: Zone, State(app): State<App>, uri: Uri) -> Result<Response, Error> {
    let answer = async {
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
        paginated(app.store.filters(zone.id(), &search, page).await?, page)
    };
    cached(&app, &zone, &uri, answer).await
}

/// Updates filters: an array of them with their identifiers, all or none.
///
/// Each becomes what is sent: what is left out is what it is in a new filter. The rules that use a filter use what it
/// has become.
#[utoipa::path(
    put,
    path = "/filters",
    tag = "Filters",
    request_body(
        content = Vec<Filter>,
        example = json!([{"id": "372e67954025e0ba6aaa6d586b9e0b61", "expression": "ip.src in {198.51.100.0/24}"}])
    ),
    responses(
        (status = 200, description = "The filters, in the order they were sent", body = Envelope<Vec<Filter>>),
        (
            status = 400,
            description = "Nothing was changed. 10303: the pending migration of the zone does not allow it; \
                           10001: there is no such filter; 10016: an expression is refused; \
                           10102: another filter has it; 10014, 10015: the shape of the body, a value, the same \
                           filter twice"
        ),
    )
)]
pub(crate) async fn update_many(zone: Zone, State(app): State<App>, JsonBody(body): JsonBody) -> Answer<Vec<Filter>> {
    let batch = parse_validated(body, zone.tier, read_filter_updates).await?;
    success_response(app.store.update_filters(&zone, &batch).await?)
}

/// Deletes filters that no rule uses, all or none.
///
/// Identifiers stand in the query, which may have `id` many times, or in the body. What does not exist is not spoken
/// of, and without any identifier nothing is deleted.
#[utoipa::path(
    delete,
    path = "/filters",
    tag = "Filters",
    params(("id" = Option<Vec<String>>, Query, description = "Identifiers, each in a parameter of its own")),
    request_body(content = Option<Vec<DeletionRequest>>, example = json!([{"id": "372e67954025e0ba6aaa6d586b9e0b61"}])),
    responses(
        (status = 200, description = "What was deleted", body = Envelope<Vec<DeletedObject>>),
        (status = 400, description = "Nothing was deleted. 10104: a rule uses the filter that `meta.id` names; 10014: the shape of the body, or too many items; 10015: an identifier cannot be one"),
    )
)]
pub(crate) async fn delete_many(
    zone: Zone,
    State(app): State<App>,
    mut query: QueryParams,
    OptionalJsonBody(body): OptionalJsonBody,
) -> Answer<Vec<DeletedObject>> {
    let ids = query.identifiers("id");
    query.finish()?;
    let removals = read_filter_removals(ids, body.as_ref())?;
    let ids: Vec<String> = removals.into_iter().map(|removal| removal.id).collect();
    success_response(app.store.delete_filters(&zone, &ids).await?)
}

/// Gives one filter.
#[utoipa::path(
    get,
    path = "/filters/{id}",
    tag = "Filters",
    responses(
        (status = 200, description = "The filter", body = Envelope<Filter>),
        (status = 404, description = "10001: there is no such filter"),
    )
)]
pub(crate) async fn get(
    zone: Zone,
    State(app): State<App>,
    uri: Uri,
    ObjectId(id): ObjectId,
) -> Result<Response, Error> {
    let answer = async {
        let filter = app.store.filter(zone.id(), &id).await?;
        success_response(filter.ok_or(Error::NotFound("filter", id))?)
    };
    cached(&app, &zone, &uri, answer).await
}

/// Updates one filter: it becomes what is sent, and what is left out is what it is in a new filter.
#[utoipa::path(
    put,
    path = "/filters/{id}",
    tag = "Filters",
    request_body(content = NewFilter, example = json!({"expression": "ip.src in {198.51.100.0/24}", "paused": true})),
    responses(
        (status = 200, description = "The filter as it is now", body = Envelope<Filter>),
        (
            status = 400,
            description = "10303: the pending migration of the zone does not allow it; \
                           10016: the expression is refused; 10102: another filter has it; 10014, 10015: the shape of \
                           the body, a value, the `id` of another filter"
        ),
        (status = 404, description = "10001: there is no such filter"),
    )
)]
pub(crate) async fn update(
    zone: Zone,
    State(app): State<App>,
    ObjectId(id): ObjectId,
    JsonBody(body): JsonBody,
) -> Answer<Filter> {
    let batch = parse_validated(body, zone.tier, move |body, tier| read_filter_update(body, &id, tier)).await?;
    single(app.store.update_filters(&zone, &batch).await?)
}

/// Deletes one filter that no rule uses.
#[utoipa::path(
    delete,
    path = "/filters/{id}",
    tag = "Filters",
    responses(
        (status = 200, description = "It is gone", body = Envelope<DeletedObject>),
        (status = 400, description = "10104: rules use it"),
        (status = 404, description = "10001: there is no such filter"),
    )
)]
pub(crate) async fn delete(zone: Zone, State(app): State<App>, ObjectId(id): ObjectId) -> Answer<DeletedObject> {
    success_response(app.store.delete_filter(&zone, id).await?)
}
