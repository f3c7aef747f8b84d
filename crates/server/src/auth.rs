//! Authentication: extractors for the principal, the zone and the owner of a request (`zone-security-service` §5).
//!
//! The syntax of the headers is checked first (observed). When both schemes are sent, the token takes precedence
//! (assumption both-schemes).

use crate::error::Error;
use crate::middleware::request_id::RequestId;
use crate::request::{path_identifier, path_parameter};
use crate::{App, authorization, middleware};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};
use std::sync::Arc;
use zonewright_api::error_code;
use zonewright_store::{
    Actor, Authentication, FoundZone, KEY_DIGITS, Owner, Principal, RulesetOwner, TOKEN_CHARS, Token, Zone, is_email,
};

/// Credentials with valid syntax.
enum Credentials {
    Token(String),
    Key { email: String, key: String },
}

impl FromRequestParts<App> for Principal {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        // Several extractors of a handler need the principal.
        if let Some(principal) = parts.extensions.get::<Principal>() {
            return Ok(principal.clone());
        }
        let principal = authenticate(parts, app).await?;
        middleware::mark_authenticated(parts);
        parts.extensions.insert(principal.clone());
        Ok(principal)
    }
}

async fn authenticate(parts: &Parts, app: &App) -> Result<Principal, Error> {
    match read_credentials(&parts.headers)? {
        Credentials::Token(token) => {
            let token = app.store.token(&token).await?.ok_or(Error::AuthenticationFailed)?;
            Ok(principal_from_token(token, parts))
        }
        Credentials::Key { email, key } => {
            let account_id = app.store.authenticate_key(&email, &key).await?.ok_or(Error::UnknownKey)?;
            let actor = Actor::user(&email, request_id(parts));
            Ok(Principal { account_id, token: None, actor })
        }
    }
}

fn principal_from_token(token: Arc<Token>, parts: &Parts) -> Principal {
    let actor = Actor::token(&token.id, request_id(parts));
    Principal { account_id: token.account_id.clone(), token: Some(token), actor }
}

fn request_id(parts: &Parts) -> Arc<str> {
    let RequestId(request_id) = parts.extensions.get().cloned().unwrap_or_default();
    request_id
}

/// Returns the principal, and the zone in the path if the principal's account has it. With a token, which nearly all
/// requests have, one query of the database returns both.
async fn principal_and_zone(parts: &mut Parts, app: &App) -> Result<(Principal, String, Option<FoundZone>), Error> {
    let id = path_identifier(parts, "zone_id").await;
    if let (None, Ok(id), Ok(Credentials::Token(token))) =
        (parts.extensions.get::<Principal>(), &id, read_credentials(&parts.headers))
    {
        let Authentication { token, zone } =
            app.store.token_and_zone(&token, id).await?.ok_or(Error::AuthenticationFailed)?;
        let principal = principal_from_token(token, parts);
        middleware::mark_authenticated(parts);
        parts.extensions.insert(principal.clone());
        return Ok((principal, id.clone(), zone));
    }
    let principal = Principal::from_request_parts(parts, app).await?;
    let id = id?;
    let zone = app.store.zone(&principal.account_id, &id).await?;
    Ok((principal, id, zone))
}

impl FromRequestParts<App> for Actor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        Ok(Principal::from_request_parts(parts, app).await?.actor)
    }
}

impl FromRequestParts<App> for Zone {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let (principal, id, zone) = principal_and_zone(parts, app).await?;
        // A zone of another account, or one that the token does not cover, is reported like an unknown zone (assumption
        // unknown-zone).
        match zone {
            Some(FoundZone { zone, tier, revision }) if principal.grants().can_see_zone(&id) => {
                authorization::authorize(parts, principal.grants(), Some(&id))?;
                Ok(Zone { zone, tier, actor: principal.actor, revision })
            }
            _ => Err(Error::ZoneNotFound(id)),
        }
    }
}

impl FromRequestParts<App> for Owner {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        if path_parameter(parts, "zone_id").await.is_some() {
            let zone = Zone::from_request_parts(parts, app).await?;
            return Ok(Owner::Zone(zone.zone.id.clone()));
        }
        let principal = Principal::from_request_parts(parts, app).await?;
        let id = path_identifier(parts, "account_id").await?;
        // Another account is reported like an unknown one (assumption unknown-zone).
        if id != principal.account_id {
            return Err(Error::AccountNotFound(id));
        }
        authorization::authorize(parts, principal.grants(), None)?;
        Ok(Owner::Account(id))
    }
}

impl FromRequestParts<App> for RulesetOwner {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        if path_parameter(parts, "zone_id").await.is_some() {
            return Ok(RulesetOwner::Zone(Box::new(Zone::from_request_parts(parts, app).await?)));
        }
        match Owner::from_request_parts(parts, app).await? {
            Owner::Account(id) => Ok(RulesetOwner::Account(id, Actor::from_request_parts(parts, app).await?)),
            Owner::Zone(id) => Err(Error::ZoneNotFound(id)),
        }
    }
}

const X_AUTH_EMAIL: HeaderName = HeaderName::from_static("x-auth-email");
const X_AUTH_KEY: HeaderName = HeaderName::from_static("x-auth-key");

fn read_credentials(headers: &HeaderMap) -> Result<Credentials, Error> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default().trim());
    if let Some(authorization) = text(header::AUTHORIZATION) {
        let malformed = (error_code::MALFORMED_AUTHORIZATION, "Invalid format for Authorization header");
        let token = parse_bearer_token(authorization).ok_or(Error::MalformedCredentials(vec![malformed]))?;
        return Ok(Credentials::Token(token.to_owned()));
    }
    let (Some(email), Some(key)) = (text(X_AUTH_EMAIL), text(X_AUTH_KEY)) else {
        return Err(Error::MissingCredentials);
    };
    let mut malformed = Vec::new();
    if !is_email(email) {
        malformed.push((error_code::MALFORMED_EMAIL, "Invalid format for X-Auth-Email header"));
    }
    if !is_key(key) {
        malformed.push((error_code::MALFORMED_KEY, "Invalid format for X-Auth-Key header"));
    }
    if !malformed.is_empty() {
        return Err(Error::MalformedCredentials(malformed));
    }
    Ok(Credentials::Key { email: email.to_ascii_lowercase(), key: key.to_owned() })
}

/// Returns the token of an `Authorization` header.
fn parse_bearer_token(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    let token = token.trim_start();
    let has_token_chars = token.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    (scheme.eq_ignore_ascii_case("bearer") && token.len() == TOKEN_CHARS && has_token_chars).then_some(token)
}

fn is_key(key: &str) -> bool {
    key.len() == KEY_DIGITS && key.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_well_formed_credentials_are_parsed() {
        let token = "Ab-_".repeat(10);
        for scheme in ["Bearer", "bearer", "BEARER"] {
            assert_eq!(parse_bearer_token(&format!("{scheme} {token}")), Some(token.as_str()));
        }
        for wrong in
            ["", "Bearer", "Bearer ", "Bearer abc", &token, &format!("Basic {token}"), &format!("Bearer {token}.")]
        {
            assert_eq!(parse_bearer_token(wrong), None, "{wrong}");
        }
        assert!(is_key(&"a".repeat(37)));
        assert!(!is_key(&"A".repeat(37)) && !is_key("") && !is_key(&"a".repeat(38)) && !is_key(&"g".repeat(37)));
    }
}
