//! `/zones`: the zones of the principal, so that clients can show their names and plans (observed; assumption
//! zones-searched).

use super::{ApiResult, page_response, success_response};
use crate::app::App;
use crate::list_query::{ListQuery, TextFilter};
use crate::request::QueryParams;
use axum::extract::State;
use zonewright_api::Envelope;
use zonewright_api::zone::Zone;
use zonewright_expression::schema::Tier;
use zonewright_store::{Page, Principal};

/// The states of zones (documented). All zones of this service are active.
const STATES: [&str; 4] = ["initializing", "pending", "active", "moved"];
/// The types of zones (documented). All zones of this service are full.
const TYPES: [&str; 4] = ["full", "partial", "secondary", "internal"];

/// Lists the zones of the client; for a token, the zones that it has access to.
#[utoipa::path(get, path = "/zones", tag = "Zones",
    params(
        ("name" = Option<String>, Query, description = "Zones with this name; case-insensitive. An operator and a colon can precede the name: `equal`, `not_equal`, `starts_with`, `ends_with` or `contains`; the last three also exist with the suffix `_case_sensitive`"),
        ("account.id" = Option<String>, Query, description = "Zones of the account with this ID"),
        ("account.name" = Option<String>, Query, description = "Zones of the account with this name; accepts the operators of `name`"),
        ("status" = Option<String>, Query, description = "Zones with this status: `initializing`, `pending`, `active` or `moved`; all zones of this service are active"),
        ("type" = Option<String>, Query, description = "Zones with one of these types, separated by commas: `full`, `partial`, `secondary`, `internal`; all zones of this service are full"),
        ("match" = Option<String>, Query, description = "`all`, the default: items match every condition; `any`: items match at least one condition", example = "all"),
        ("order" = Option<String>, Query, description = "Sort by `name`, `status`, `account.id`, `account.name` or `plan.id`; default: creation order"),
        ("direction" = Option<String>, Query, description = "Sort order: `asc` or `desc`"),
        ("page" = Option<u64>, Query, description = "Page number, starting at 1; pages after the last one are empty", minimum = 1, example = 1),
        ("per_page" = Option<u64>, Query, description = "Maximum number of zones per page; default 20", minimum = 5, maximum = 50, example = 20)),
    responses((status = 200, description = "A page of the zones", body = Envelope<Vec<Zone>>)))]
pub(crate) async fn list(principal: Principal, State(app): State<App>, mut query: QueryParams) -> ApiResult<Vec<Zone>> {
    let page = query.page(20, 5..=50);
    let (mut list_query, name) = (read_list_query(&mut query), TextFilter::read(&mut query, "name"));
    query.finish()?;
    let exact = name.as_ref().map_or(Some(""), TextFilter::exact_value);
    if let Some(exact) = exact.filter(|_| list_query.is_unfiltered()) {
        return page_response(app.store.zones(&principal, exact, page).await?, page);
    }
    list_query.filter_text(name, |zone| &zone.name);
    let (zones, _) = app.store.zones(&principal, "", Page::first(u64::MAX)).await?;
    page_response(list_query.apply_page(zones, page), page)
}

/// Reads the filters and the sort order of the list, except `name`.
fn read_list_query(query: &mut QueryParams) -> ListQuery<Zone> {
    let mut list_query = ListQuery::<Zone>::read(
        query,
        &[
            ("name", |left, right| left.name.cmp(&right.name)),
            ("status", |left, right| left.status.cmp(&right.status)),
            ("account.id", |left, right| left.account.id.cmp(&right.account.id)),
            ("account.name", |left, right| left.account.name.cmp(&right.account.name)),
            ("plan.id", |left, right| tier(left).cmp(&tier(right))),
        ],
    );
    list_query.filter_equal(query, "account.id", |zone| zone.account.id.clone());
    list_query.filter_text(TextFilter::read(query, "account.name"), |zone| &zone.account.name);
    if let Some(status) = query.choice("status", &STATES.map(|state| (state, state))) {
        list_query.add_condition(move |zone| zone.status == status);
    }
    let types = query.values("type").join(",");
    let mut types = types.split(',').map(str::trim).filter(|one| !one.is_empty()).peekable();
    if types.peek().is_some() {
        let mut includes_full = false;
        for zone_type in types {
            includes_full |= zone_type == "full";
            if !TYPES.contains(&zone_type) {
                query.add_error("`type` must be one of `full`, `partial`, `secondary`, or `internal`".to_owned());
            }
        }
        list_query.add_condition(move |_| includes_full);
    }
    list_query
}

fn tier(zone: &Zone) -> Option<Tier> {
    Tier::from_name(&zone.plan.legacy_id)
}

/// Returns one zone.
#[utoipa::path(get, path = "/", tag = "Zones", responses((status = 200, description = "The zone", body = Envelope<Zone>)))]
pub(crate) async fn get(zonewright_store::Zone { zone, .. }: zonewright_store::Zone) -> ApiResult<Zone> {
    success_response(Zone::clone(&zone))
}
