//! `/user`: the user of the request's credentials (assumption own-account).

use super::{ApiResult, success_response};
use crate::error::Error;
use zonewright_api::{Envelope, account};
use zonewright_store::{Principal, digest};

/// Returns the user of the client.
///
/// A token belongs to an account and not to a user, so it is rejected.
#[utoipa::path(get, path = "/user", tag = "Accounts", security(("email" = [], "key" = [])),
    responses((status = 200, description = "The user", body = Envelope<account::User>)))]
pub(crate) async fn get(principal: Principal) -> ApiResult<account::User> {
    let email = principal.actor.email().ok_or(Error::NotPermitted)?;
    let id = digest(&format!("user:{email}")).chars().take(32).collect();
    success_response(account::User { id, email: email.to_owned(), suspended: false })
}
