//! `/accounts/{account_id}/audit_logs`: who changed what (assumption audit-log-page).

use super::{Answer, listed};
use crate::App;
use crate::auth::Owner;
use crate::error::Error;
use crate::request::Parameters;
use crate::store::LogSearch;
use axum::extract::State;
use zonewright_api::audit_log::AuditLog;
use zonewright_api::{Envelope, ErrorObject, error_code};

/// Lists the changes of the account and its zones, the newest first.
///
/// Nothing in the log is ever changed. Secrets of destinations are hidden in it, and tokens and keys never get there.
#[utoipa::path(
    get,
    path = "/audit_logs",
    tag = "Audit log",
    params(
        ("account_id" = String, Path, description = "Identifier of the account"),
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
        (
            status = 200,
            description = "A page of the entries",
            body = Envelope<Vec<AuditLog>>,
            example = json!({
                "result": [{
                    "id": "023e105f4ecef8ad9ca31a8372d0c353-17",
                    "action": {"result": true, "type": "filter.update"},
                    "actor": {"id": "ed17574386854bf78a67040be0a770b0", "type": "user"},
                    "interface": "API",
                    "metadata": {
                        "request_id": "7d8ae1a2b3c4d5e6f708192a3b4c5d6e",
                        "zone_id": "023e105f4ecef8ad9ca31a8372d0c353",
                        "zone_name": "example.com",
                        "log": "023e105f4ecef8ad9ca31a8372d0c353",
                        "entry": 17,
                        "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                    },
                    "oldValue": "{\"expression\":\"ssl\",\"id\":\"372e67954025e0ba6aaa6d586b9e0b61\",\"paused\":false}",
                    "oldValueJson": {"expression": "ssl", "id": "372e67954025e0ba6aaa6d586b9e0b61", "paused": false},
                    "newValue": "{\"expression\":\"ssl\",\"id\":\"372e67954025e0ba6aaa6d586b9e0b61\",\"paused\":true}",
                    "newValueJson": {"expression": "ssl", "id": "372e67954025e0ba6aaa6d586b9e0b61", "paused": true},
                    "owner": {"id": "01a7362d577a6c3019a474fd6f485823"},
                    "resource": {"id": "372e67954025e0ba6aaa6d586b9e0b61", "type": "filter"},
                    "when": "2026-11-22T10:00:00.123456Z"
                }],
                "success": true,
                "errors": [],
                "messages": [],
                "result_info": {"page": 1, "per_page": 100, "count": 1, "total_count": 1, "total_pages": 1}
            })
        ),
        (status = 400, description = "10015: a parameter has a wrong value; the message names it", body = Envelope<Vec<AuditLog>>),
        (status = 403, description = "9109: the token has no `Account Settings Read` for the account", body = Envelope<Vec<AuditLog>>),
    )
)]
pub(crate) async fn list(owner: Owner, State(app): State<App>, mut query: Parameters) -> Answer<Vec<AuditLog>> {
    let page = query.page(100, 1..=1000);
    let search = LogSearch {
        account: owner.columns().1,
        zone: query.text("zone.name"),
        id: query.text("id"),
        since: query.time("since"),
        before: query.time("before"),
        email: query.text("actor.email"),
        action: query.text("action.type"),
        hide_users: query.flag("hide_user_logs").unwrap_or_default(),
        oldest_first: query.choice("direction", &["desc", "asc"]) == Some("asc"),
    };
    let export = query.flag("export").unwrap_or_default();
    let address = query.raw("actor.ip").is_some();
    query.finish()?;
    // What would answer something else than was asked for is refused.
    for (asked, message) in [
        (export, "`export` is not available: the log is answered as JSON only"),
        (address, "`actor.ip` is not available: addresses of callers are not kept"),
    ] {
        if asked {
            return Err(Error::Refused(vec![ErrorObject::new(error_code::WRONG_VALUE, message)]));
        }
    }
    listed(app.store.log(&search, page).await?, page)
}
