//! `/zones`: the zones of the caller, so that a client can show their names and plans (observed).

use super::{Answer, listed, success};
use crate::App;
use crate::auth::{self, Caller};
use crate::request::Parameters;
use axum::extract::State;
use zonewright_api::zone::Zone;

/// Lists the caller's zones.
pub(crate) async fn list(caller: Caller, State(app): State<App>, mut query: Parameters) -> Answer<Vec<Zone>> {
    let page = query.page(20, 5..=50);
    let name = query.text("name");
    query.finish()?;
    listed(app.store.zones(&caller.account_id, &name, page).await?, page)
}

/// Gives one zone.
pub(crate) async fn get(auth::Zone { zone, .. }: auth::Zone) -> Answer<Zone> {
    success(zone)
}
