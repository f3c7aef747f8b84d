//! `/zones/{zone_id}/filters`: the filters interface. The specification names it and leaves its
//! addresses and bodies open (§4.2 rule 4); these are the observed ones.

use super::{Answer, judged, listed, success};
use crate::App;
use crate::auth::Zone;
use crate::error::Error;
use crate::request::{JsonBody, ObjectId, Parameters};
use crate::store::FilterSearch;
use axum::extract::State;
use zonewright_api::Envelope;
use zonewright_api::firewall::{Deleted, Filter, NewFilter};
use zonewright_firewall::read_filters;

/// Creates filters: an array of them, all or none.
#[utoipa::path(post, path = "/filters", tag = "Filters", request_body = Vec<NewFilter>, responses((status = 200, body = Envelope<Vec<Filter>>)))]
pub(crate) async fn create(zone: Zone, State(app): State<App>, JsonBody(body): JsonBody) -> Answer<Vec<Filter>> {
    let batch = judged(body, zone.tier, read_filters).await?;
    success(app.store.create_filters(&zone, &batch).await?)
}

/// Lists filters.
#[utoipa::path(get, path = "/filters", tag = "Filters", responses((status = 200, body = Envelope<Vec<Filter>>)))]
pub(crate) async fn list(zone: Zone, State(app): State<App>, mut query: Parameters) -> Answer<Vec<Filter>> {
    let page = query.page(25, 5..=100);
    let search = FilterSearch {
        id: query.text("id"),
        expression: query.text("expression"),
        description: query.text("description"),
        reference: query.text("ref"),
        paused: query.flag("paused"),
    };
    query.finish()?;
    listed(app.store.filters(zone.id(), &search, page).await?, page)
}

/// Gives one filter.
#[utoipa::path(get, path = "/filters/{id}", tag = "Filters", responses((status = 200, body = Envelope<Filter>)))]
pub(crate) async fn get(zone: Zone, State(app): State<App>, ObjectId(id): ObjectId) -> Answer<Filter> {
    let filter = app.store.filter(zone.id(), &id).await?;
    success(filter.ok_or(Error::NotFound("filter", id))?)
}

/// Deletes one filter that no rule uses.
#[utoipa::path(delete, path = "/filters/{id}", tag = "Filters", responses((status = 200, body = Envelope<Deleted>)))]
pub(crate) async fn delete(zone: Zone, State(app): State<App>, ObjectId(id): ObjectId) -> Answer<Deleted> {
    app.store.delete_filter(&zone, &id).await?;
    success(Deleted { id })
}
