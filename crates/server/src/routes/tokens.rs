//! `/user/tokens/verify` and `/accounts/{account_id}/tokens/verify`: the validity of a token (observed).

use super::ApiResult;
use crate::error::Error;
use crate::request::AccountId;
use axum::Json;
use zonewright_api::zone::TokenStatus;
use zonewright_api::{Envelope, ErrorObject, error_code};
use zonewright_store::Caller;

/// Verifies the token. An email address with a key is rejected as an invalid token.
#[utoipa::path(get, path = "/user/tokens/verify", tag = "Tokens", security(("token" = [])),
    responses((status = 200, description = "The token is valid", body = Envelope<TokenStatus>),
        (status = 401, description = "1000: the token is invalid or revoked")))]
pub(crate) async fn verify(caller: Result<Caller, Error>) -> ApiResult<TokenStatus> {
    active_status(require_valid_token(caller)?)
}

/// Verifies that the token is valid and belongs to this account. An email address with a key is rejected as an invalid
/// token.
#[utoipa::path(get, path = "/accounts/{account_id}/tokens/verify", tag = "Tokens", security(("token" = [])),
    responses((status = 200, description = "The token is valid", body = Envelope<TokenStatus>),
        (status = 401, description = "1000: the token is invalid or revoked")))]
pub(crate) async fn verify_of_account(
    AccountId(account): AccountId,
    caller: Result<Caller, Error>,
) -> ApiResult<TokenStatus> {
    let caller = require_valid_token(caller)?;
    if caller.account_id != account {
        return Err(Error::AccountNotFound(account));
    }
    active_status(caller)
}

fn require_valid_token(caller: Result<Caller, Error>) -> Result<Caller, Error> {
    caller.map_err(|error| match error {
        Error::UnknownToken | Error::UnknownKey => Error::InvalidToken,
        other => other,
    })
}

fn active_status(caller: Caller) -> ApiResult<TokenStatus> {
    let token = caller.token.ok_or(Error::InvalidToken)?;
    let status = TokenStatus::active(token.id.clone(), token.expires_on.clone());
    let message = ErrorObject::new(error_code::AUTHENTICATION_FAILED, "This API Token is valid and active");
    Ok(Json(Envelope { messages: vec![message], ..Envelope::success(status) }))
}
