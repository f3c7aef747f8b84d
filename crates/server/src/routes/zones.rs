//! `/zones`: the zones of the principal, so that clients can show their names and plans (observed; assumption
//! zones-searched).

use super::{Answer, paginated, success_response};
use crate::app::App;
use crate::listing::{ListQuery, TextFilter};
use crate::request::QueryParams;
use axum::extract::State;
use zonewright_api::Envelope;
use zonewright_api::zone::Zone;
use zonewright_expression::schema::Tier;
use zonewright_store::{Caller, Page};

/// The states of zones (documented). All zones of this service are active.
const STATES: [&str; 4] = ["initializing", "pending", "active", "moved"];
/// The types of zones (documented). All zones of this service are full.
const TYPES: [&str; 4] = ["full", "partial", "secondary", "internal"];

/// Lists the caller's zones; of a token, those that it is for.
#[utoipa::path(get, path = "/zones", tag = "Zones",
    params(
        ("name" = Option<String>, Query, description = "Zones with this name, in any letter case. An operator and a colon may stand before it: `equal`, `not_equal`, `starts_with`, `ends_with`, `contains`, of the last three `starts_with_case_sensitive` and so on too"),
        ("account.id" = Option<String>, Query, description = "Zones of this account"),
        ("account.name" = Option<String>, Query, description = "Zones of the account with this name; with operators, as `name`"),
        ("status" = Option<String>, Query, description = "Zones in this state: `initializing`, `pending`, `active` or `moved`; here all are active"),
        ("type" = Option<String>, Query, description = "Zones of these types, with commas in between: `full`, `partial`, `secondary`, `internal`; here all are full"),
        ("match" = Option<String>, Query, description = "`any` when one of the conditions is enough; `all`, as without it, when all have to hold", example = "all"),
        ("order" = Option<String>, Query, description = "What the list is ordered by: `name`, `status`, `account.id`, `account.name` or `plan.id`; without it, by creation"),
        ("direction" = Option<String>, Query, description = "`asc` or `desc`"),
        ("page" = Option<u64>, Query, description = "Number of the page, from 1; behind the last one the list is empty", minimum = 1, example = 1),
        ("per_page" = Option<u64>, Query, description = "Most zones of a page; 20 when it is left out", minimum = 5, maximum = 50, example = 20)),
    responses((status = 200, description = "A page of the zones", body = Envelope<Vec<Zone>>)))]
pub(crate) async fn list(caller: Caller, State(app): State<App>, mut query: QueryParams) -> Answer<Vec<Zone>> {
    let page = query.page(20, 5..=50);
    let (mut wanted, name) = (list_query(&mut query), TextFilter::read(&mut query, "name"));
    query.finish()?;
    let exact = name.as_ref().map_or(Some(""), TextFilter::exact_value);
    if let Some(exact) = exact.filter(|_| wanted.is_unfiltered()) {
        return paginated(app.store.zones(&caller, exact, page).await?, page);
    }
    wanted.filter_text(name, |zone| &zone.name);
    let (zones, _) = app.store.zones(&caller, "", Page::first(u64::MAX)).await?;
    paginated(wanted.apply_page(zones, page), page)
}

/// Reads the filters and the sort order of the list, except `name`.
fn list_query(query: &mut QueryParams) -> ListQuery<Zone> {
    let mut wanted = ListQuery::<Zone>::read(
        query,
        &[
            ("name", |left, right| left.name.cmp(&right.name)),
            ("status", |left, right| left.status.cmp(&right.status)),
            ("account.id", |left, right| left.account.id.cmp(&right.account.id)),
            ("account.name", |left, right| left.account.name.cmp(&right.account.name)),
            ("plan.id", |left, right| tier(left).cmp(&tier(right))),
        ],
    );
    wanted.filter_equal(query, "account.id", |zone| zone.account.id.clone());
    wanted.filter_text(TextFilter::read(query, "account.name"), |zone| &zone.account.name);
    if let Some(status) = query.choice("status", &STATES) {
        wanted.filter(move |zone| zone.status == status);
    }
    let types = query.values("type").join(",");
    let mut types = types.split(',').map(str::trim).filter(|one| !one.is_empty()).peekable();
    if types.peek().is_some() {
        let mut full = false;
        for one in types {
            full |= one == "full";
            if !TYPES.contains(&one) {
                query.add_error("`type` must be of `full`, `partial`, `secondary` and `internal`".to_owned());
            }
        }
        wanted.filter(move |_| full);
    }
    wanted
}

fn tier(zone: &Zone) -> Option<Tier> {
    Tier::from_name(&zone.plan.legacy_id)
}

/// Gives one zone.
#[utoipa::path(get, path = "/", tag = "Zones", responses((status = 200, description = "The zone", body = Envelope<Zone>)))]
pub(crate) async fn get(zonewright_store::Zone { zone, .. }: zonewright_store::Zone) -> Answer<Zone> {
    success_response(Zone::clone(&zone))
}
