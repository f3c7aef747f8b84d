//! `/accounts/{account_id}/audit_logs`: the audit log (assumption audit-log-page).

use super::{Answer, paginated};
use crate::app::App;
use crate::error::Error;
use crate::request::QueryParams;
use axum::extract::State;
use zonewright_api::audit_log::AuditLog;
use zonewright_api::{Envelope, ErrorObject, error_code};
use zonewright_store::{AuditSearch, Owner};

/// Lists the changes of the account and its zones, the newest first.
///
/// Nothing in the log is ever changed. Secrets of destinations are hidden in it, and tokens and keys never get there.
///
/// Objects of a page, before and after, have at most 8 MiB together: of a page that has more, the largest are left out,
/// and `metadata.left_out` of their entries says so. An entry that is asked for by `id` has them always.
#[utoipa::path(
    get,
    path = "/audit_logs",
    tag = "Audit log",
    params(
        ("id" = Option<String>, Query, description = "The entry of this identifier; of the other parameters only `zone.name` counts then"),
        ("since" = Option<String>, Query, description = "Entries of this time and later: RFC 3339, or a date, whose beginning in UTC counts"),
        ("before" = Option<String>, Query, description = "Entries before this time: RFC 3339, or a date, whose beginning in UTC counts"),
        ("actor.email" = Option<String>, Query, description = "What the user with this e-mail address did"),
        ("action.type" = Option<String>, Query, description = "Entries of this action, such as `filter.create`"),
        ("zone.name" = Option<String>, Query, description = "Changes of the zone of this name"),
        ("hide_user_logs" = Option<bool>, Query, description = "Whether entries about users themselves are left out"),
        ("direction" = Option<String>, Query, description = "`desc` for the newest first, as without it, or `asc`"),
        ("page" = Option<u64>, Query, description = "Number of the page, from 1; behind the last one the list is empty", minimum = 1, example = 1),
        ("per_page" = Option<u64>, Query, description = "Most entries of a page; 100 when it is left out", minimum = 1, maximum = 1000, example = 100),
    ),
    responses(
        (status = 200, description = "A page of the entries", body = Envelope<Vec<AuditLog>>),
        (status = 400, description = "10015: the log cannot be exported, or searched by addresses"),
    )
)]
pub(crate) async fn list(owner: Owner, State(app): State<App>, mut query: QueryParams) -> Answer<Vec<AuditLog>> {
    let page = query.page(100, 1..=1000);
    let search = AuditSearch {
        account: owner.columns().1,
        zone: query.text("zone.name"),
        id: query.text("id"),
        since: query.time("since"),
        before: query.time("before"),
        email: query.text("actor.email"),
        action: query.text("action.type"),
        hide_user_entries: query.bool("hide_user_logs").unwrap_or_default(),
        oldest_first: query.choice("direction", &["desc", "asc"]) == Some("asc"),
        include_large_objects: false,
    };
    let export = query.bool("export").unwrap_or_default();
    let address = query.value("actor.ip").is_some();
    query.finish()?;
    // Parameters that would be ignored are rejected, because the response would be misleading.
    for (asked, message) in [
        (export, "`export` is not available: the log is answered as JSON only"),
        (address, "`actor.ip` is not available: addresses of callers are not kept"),
    ] {
        if asked {
            return Err(Error::Invalid(vec![ErrorObject::new(error_code::INVALID_VALUE, message)]));
        }
    }
    paginated(app.store.audit_entries(&search, page).await?, page)
}
