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
    params(("name" = String, Query, description = "Exact name."),
        ("page" = u64, Query, description = "From 1."), ("per_page" = u64, Query, description = "5 to 50, 20 by default.")),
    responses((status = 200, body = Envelope<Vec<Zone>>)))]
pub(crate) async fn list(caller: Caller, State(app): State<App>, mut query: Parameters) -> Answer<Vec<Zone>> {
    let page = query.page(20, 5..=50);
    let name = query.text("name");
    query.finish()?;
    listed(app.store.zones(&caller, &name, page).await?, page)
}

/// Gives one zone.
#[utoipa::path(get, path = "/zones/{zone_id}", tag = "Zones", responses((status = 200, body = Envelope<Zone>)))]
pub(crate) async fn get(auth::Zone { zone, .. }: auth::Zone) -> Answer<Zone> {
    success(zone)
}
