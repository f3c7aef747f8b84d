//! `/zones`: the zones of the caller, so that a client can show their names and plans (observed).

use super::{Answer, listed, success};
use crate::App;
use crate::auth::{self, Caller};
use crate::request::Parameters;
use axum::extract::State;
use zonewright_api::Envelope;
use zonewright_api::zone::Zone;

/// Lists the caller's zones; of a token, those that it is for.
#[utoipa::path(get, path = "/zones", tag = "Zones",
    params(
        ("name" = Option<String>, Query, description = "The zone of exactly this name"),
        ("page" = Option<u64>, Query, description = "Number of the page, from 1; behind the last one the list is empty", minimum = 1, example = 1),
        ("per_page" = Option<u64>, Query, description = "Most zones of a page; 20 when it is left out", minimum = 5, maximum = 50, example = 20)),
    responses((status = 200, description = "A page of the zones", body = Envelope<Vec<Zone>>)))]
pub(crate) async fn list(caller: Caller, State(app): State<App>, mut query: Parameters) -> Answer<Vec<Zone>> {
    let page = query.page(20, 5..=50);
    let name = query.text("name");
    query.finish()?;
    listed(app.store.zones(&caller, &name, page).await?, page)
}

/// Gives one zone.
#[utoipa::path(get, path = "/", tag = "Zones", responses((status = 200, description = "The zone", body = Envelope<Zone>)))]
pub(crate) async fn get(auth::Zone { zone, .. }: auth::Zone) -> Answer<Zone> {
    success(zone)
}
