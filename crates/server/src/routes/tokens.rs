//! `/user/tokens/verify` and `/accounts/{account_id}/tokens/verify`: the validity of a token (observed).

use super::ApiResult;
use crate::error::Error;
use crate::request::AccountId;
use axum::Json;
use zonewright_api::zone::TokenStatus;
use zonewright_api::{Envelope, ErrorObject, error_code};
use zonewright_store::Principal;

/// Verifies the token. An email address with a key is rejected as an invalid token.
#[utoipa::path(get, path = "/user/tokens/verify", tag = "Tokens", security(("token" = [])),
    responses((status = 200, description = "The token is valid", body = Envelope<TokenStatus>),
        (status = 401, description = "1000: the token is invalid or revoked")))]
pub(crate) async fn verify(principal: Result<Principal, Error>) -> ApiResult<TokenStatus> {
    active_status(require_valid_token(principal)?)
}

/// Verifies that the token is valid and belongs to this account. An email address with a key is rejected as an invalid
/// token.
#[utoipa::path(get, path = "/accounts/{account_id}/tokens/verify", tag = "Tokens", security(("token" = [])),
    responses((status = 200, description = "The token is valid", body = Envelope<TokenStatus>),
        (status = 401, description = "1000: the token is invalid or revoked")))]
pub(crate) async fn verify_of_account(
    AccountId(account): AccountId,
    principal: Result<Principal, Error>,
) -> ApiResult<TokenStatus> {
    let principal = require_valid_token(principal)?;
    if principal.account_id != account {
        return Err(Error::AccountNotFound(account));
    }
    active_status(principal)
}

fn require_valid_token(principal: Result<Principal, Error>) -> Result<Principal, Error> {
    principal.map_err(|error| match error {
        Error::AuthenticationFailed | Error::UnknownKey => Error::InvalidToken,
        other => other,
    })
}

fn active_status(principal: Principal) -> ApiResult<TokenStatus> {
    let token = principal.token.ok_or(Error::InvalidToken)?;
    let status = TokenStatus::active(token.id.clone(), token.expires_on.clone());
    let message = ErrorObject::new(error_code::AUTHENTICATION_FAILED, "This API Token is valid and active");
    Ok(Json(Envelope { messages: vec![message], ..Envelope::success(status) }))
}
