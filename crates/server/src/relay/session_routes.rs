//! `/relay/session`: log-in and log-out at a relay that stores the credentials. This API belongs to the relay, not to
//! the documented API. The browser receives a cookie that scripts cannot read, and a CSRF token that only pages of this
//! server can read.

use super::session::{ActiveSession, LoginAttempt, PassphraseCheck, Sessions};
use super::{Relay, StoredCredentials, origin};
use crate::encoding;
use crate::error::RelayError;
use crate::error::{Error, route_not_found};
use crate::openapi::SESSION_COOKIE;
use crate::request::{parse_json, read_body};
use crate::routes::{ApiResult, success_response};
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, COOKIE, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use std::time::Duration;
use zonewright_api::relay::{Passphrase, RelaySession};
use zonewright_api::{Envelope, ObjectReader};
use zonewright_store::constant_time_eq;

/// Header with the CSRF token, which unsafe requests send besides the cookie. A page of another site cannot know it.
pub(super) const CSRF_HEADER: HeaderName = HeaderName::from_static("x-csrf-token");
/// Maximum bytes of a log-in request. The longest passphrase takes 6 KiB if every byte is escaped.
const MAX_LOGIN_BODY_BYTES: usize = 8 << 10;
/// Maximum number of session cookies that are checked.
const MAX_SESSION_COOKIES: usize = 8;

/// Guards the stored credentials.
pub(super) struct CredentialGuard {
    pub(super) passphrase: PassphraseCheck,
    pub(super) sessions: Sessions,
}

impl CredentialGuard {
    /// Returns the session of the cookie, and restarts its idle timeout.
    pub(super) fn session(&self, headers: &HeaderMap) -> Option<ActiveSession> {
        session_secrets(headers).find_map(|secret| self.sessions.find(secret))
    }

    /// Returns the session of an unsafe request, which has to send the CSRF token. Restarts its idle timeout.
    pub(super) fn session_with_csrf(&self, headers: &HeaderMap) -> Result<ActiveSession, RelayError> {
        let session = self.session(headers).ok_or(RelayError::NotLoggedIn)?;
        let sent = headers.get(CSRF_HEADER).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if constant_time_eq(sent, &session.csrf) { Ok(session) } else { Err(RelayError::MissingCsrf) }
    }

    fn end_sessions(&self, headers: &HeaderMap) {
        session_secrets(headers).for_each(|secret| self.sessions.end(secret));
    }
}

/// Returns the secrets in the cookies of a request.
fn session_secrets(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(name, _)| *name == SESSION_COOKIE).map(|(_, secret)| secret).take(MAX_SESSION_COOKIES)
}

/// Returns whether this server stores the credentials, and whether the client is logged in.
#[utoipa::path(
    get,
    path = "/relay/session",
    tag = "Operations",
    security(()),
    responses((status = 200, description = "The state of the session", body = Envelope<RelaySession>))
)]
pub(super) async fn session_status(State(relay): State<Relay>, headers: HeaderMap) -> Response {
    let session = relay.stored_credentials().and_then(|stored| stored.guard.session(&headers));
    session_response(&relay, session, None)
}

/// Logs in with the passphrase.
///
/// The response sets the session cookie. Only pages of this server can send the request, as `application/json`.
#[utoipa::path(
    post,
    path = "/relay/session",
    tag = "Operations",
    security(()),
    request_body(content = Passphrase, example = json!({"passphrase": "the passphrase of this server"})),
    responses(
        (status = 200, description = "The new session", body = Envelope<RelaySession>),
        (status = 400, description = "10014: invalid body"),
        (status = 403, description = "10403: the passphrase is wrong, the body is not `application/json`, or a page of another site sent the request"),
        (status = 404, description = "7003 and 7000: clients send their credentials, so there is no log-in"),
        (status = 429, description = "10430: too many wrong passphrases; retry after `Retry-After` seconds"),
    )
)]
pub(super) async fn log_in(State(relay): State<Relay>, uri: Uri, request: Request) -> Result<Response, Error> {
    let stored = require_stored_credentials(&relay, &uri)?;
    let headers = request.headers().clone();
    origin::check_same_origin(&headers)?;
    if !is_json(&headers) {
        return Err(RelayError::NotJson.into());
    }
    encoding::check_content_headers(&headers)?;
    let body = parse_json(read_body(request, MAX_LOGIN_BODY_BYTES).await?).await?;
    match stored.guard.passphrase.try_passphrase(&read_passphrase(&body)?) {
        LoginAttempt::Accepted => {}
        LoginAttempt::Rejected => {
            tracing::warn!("relay login failed: wrong passphrase");
            return Err(RelayError::WrongPassphrase.into());
        }
        LoginAttempt::Throttled(wait) => return Err(RelayError::TooManyAttempts(wait.as_secs().max(1)).into()),
    }
    stored.guard.end_sessions(&headers);
    let (secret, session) = stored.guard.sessions.create()?;
    let max_age = relay.config().limits.session_lifetime;
    Ok(session_response(&relay, Some(session), Some(session_cookie(&secret, max_age, &headers))))
}

/// Logs out. If there is a session, the request must have `X-CSRF-Token`.
#[utoipa::path(
    delete,
    path = "/relay/session",
    tag = "Operations",
    security(()),
    params(("X-CSRF-Token" = Option<String>, Header, description = "The CSRF token of the session")),
    responses(
        (status = 200, description = "Logged out", body = Envelope<RelaySession>),
        (status = 403, description = "10403: the header `X-CSRF-Token` is missing or wrong, or a page of another site sent the request"),
        (status = 404, description = "7003 and 7000: clients send their credentials, so there is no log-in"),
    )
)]
pub(super) async fn log_out(State(relay): State<Relay>, uri: Uri, headers: HeaderMap) -> Result<Response, Error> {
    let stored = require_stored_credentials(&relay, &uri)?;
    origin::check_same_origin(&headers)?;
    match stored.guard.session_with_csrf(&headers) {
        Ok(_) => stored.guard.end_sessions(&headers),
        // There is nothing to end.
        Err(RelayError::NotLoggedIn) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(session_response(&relay, None, Some(session_cookie("", Duration::ZERO, &headers))))
}

/// Returns the stored credentials. Without them the path does not exist.
fn require_stored_credentials<'a>(relay: &'a Relay, uri: &Uri) -> Result<&'a StoredCredentials, Error> {
    relay.stored_credentials().ok_or_else(|| route_not_found(uri))
}

fn read_passphrase(body: &Value) -> Result<String, Error> {
    let mut reader = ObjectReader::new(body, "the request", &["passphrase"], &[])?;
    let text = reader.required("passphrase").and_then(|value| match value {
        Value::String(text) => Some(text.clone()),
        other => reader.type_error("passphrase", "a string", other),
    });
    Ok(text.ok_or(reader.errors)?)
}

fn session_cookie(secret: &str, max_age: Duration, headers: &HeaderMap) -> String {
    let secure = if origin::is_over_tls(headers) { "; Secure" } else { "" };
    format!("{SESSION_COOKIE}={secret}; Path=/; Max-Age={}; HttpOnly; SameSite=Strict{secure}", max_age.as_secs())
}

fn session_response(relay: &Relay, session: Option<ActiveSession>, cookie: Option<String>) -> Response {
    let session = RelaySession {
        keeps_credentials: relay.stored_credentials().is_some(),
        signed_in: session.is_some(),
        seconds_left: session.as_ref().map(|session| session.expires_in.as_secs()),
        csrf_token: session.map(|session| session.csrf),
    };
    let result: ApiResult<RelaySession> = success_response(session);
    let mut response = result.into_response();
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(mut value) = cookie.and_then(|cookie| HeaderValue::try_from(cookie).ok()) {
        value.set_sensitive(true);
        response.headers_mut().insert(SET_COOKIE, value);
    }
    response
}

/// Returns whether the body is JSON. Media types are compared without regard to case (RFC 9110).
fn is_json(headers: &HeaderMap) -> bool {
    const JSON: &[u8] = b"application/json";
    let media_type = headers.get(CONTENT_TYPE).and_then(|value| value.as_bytes().get(..JSON.len()));
    media_type.is_some_and(|media_type| media_type.eq_ignore_ascii_case(JSON))
}
