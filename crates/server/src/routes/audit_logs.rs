//! `/accounts/{account_id}/audit_logs`: the audit log (assumption audit-log-page).

use super::{ApiResult, page_response};
use crate::app::App;
use crate::error::Error;
use crate::request::{QueryParams, SortDirection};
use axum::extract::State;
use zonewright_api::audit_log::AuditLog;
use zonewright_api::{Envelope, ErrorObject, error_code};
use zonewright_store::{AuditSearch, Owner};

/// The texts of the parameter `direction`, the default first.
const NEWEST_FIRST_CHOICES: [(&str, SortDirection); 2] =
    [("desc", SortDirection::Descending), ("asc", SortDirection::Ascending)];

/// Lists the changes in an account and its zones, newest first.
///
/// Entries are immutable. Secrets of destinations are redacted, and tokens and keys are never logged.
///
/// The objects of a page, before and after each change, have at most 8 MiB together. If a page has more, the largest
/// objects are omitted, and `metadata.omitted` of their entries says so. An entry that is requested by `id` always
/// includes them.
#[utoipa::path(
    get,
    path = "/audit_logs",
    tag = "Audit log",
    params(
        ("id" = Option<String>, Query, description = "Only the entry with this ID; of the other parameters, only `zone.name` is used then"),
        ("since" = Option<String>, Query, description = "Entries at or after this time: RFC 3339, or a date, which means its start in UTC"),
        ("before" = Option<String>, Query, description = "Entries before this time: RFC 3339, or a date, which means its start in UTC"),
        ("actor.email" = Option<String>, Query, description = "Entries of the user with this email address"),
        ("action.type" = Option<String>, Query, description = "Entries with this action, such as `filter.create`"),
        ("zone.name" = Option<String>, Query, description = "Entries of the zone with this name"),
        ("hide_user_logs" = Option<bool>, Query, description = "Whether to exclude entries about users"),
        ("direction" = Option<String>, Query, description = "Sort order: `desc`, the default, starts with the newest \
            entry; `asc` with the oldest"),
        ("page" = Option<u64>, Query, description = "Page number, starting at 1; pages after the last one are empty", minimum = 1, example = 1),
        ("per_page" = Option<u64>, Query, description = "Maximum number of entries per page; default 100", minimum = 1, maximum = 1000, example = 100),
    ),
    responses(
        (status = 200, description = "A page of the entries", body = Envelope<Vec<AuditLog>>),
        (status = 400, description = "10015: the log cannot be exported or searched by IP address"),
    )
)]
pub(crate) async fn list(owner: Owner, State(app): State<App>, mut query: QueryParams) -> ApiResult<Vec<AuditLog>> {
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
        oldest_first: query.choice("direction", &NEWEST_FIRST_CHOICES) == Some(SortDirection::Ascending),
        include_large_objects: false,
    };
    let has_export = query.bool("export").unwrap_or_default();
    let has_address = query.value("actor.ip").is_some();
    query.finish()?;
    // Parameters that would be ignored are rejected, because the response would be misleading.
    for (is_unsupported, message) in [
        (has_export, "`export` is not supported; the audit log is available as JSON only"),
        (has_address, "`actor.ip` is not supported; the addresses of clients are not stored"),
    ] {
        if is_unsupported {
            return Err(Error::Invalid(vec![ErrorObject::new(error_code::INVALID_VALUE, message)]));
        }
    }
    page_response(app.store.audit_entries(&search, page).await?, page)
}
