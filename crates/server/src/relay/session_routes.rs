//! `/relay/session`: log-in and log-out where the credentials stay on the server. This API is ours. The browser
//! receives a cookie that scripts cannot read, and a CSRF token that only pages of this server can read.

use super::session::{Attempt, Lock, Seen, Sessions};
use super::{Kept, Relay, origin};
use crate::encoding;
use crate::error::RelayError;
use crate::error::{Error, unknown};
use crate::openapi::SESSION_COOKIE;
use crate::request::{parse_json, read_body};
use crate::routes::{Answer, success};
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, COOKIE, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use std::time::Duration;
use zonewright_api::relay::{Passphrase, RelaySession};
use zonewright_api::{Envelope, Members};
use zonewright_store::same;

/// Header with the CSRF token, which unsafe requests send besides the cookie. A page of another site cannot know it.
pub(super) const CSRF: HeaderName = HeaderName::from_static("x-csrf-token");
/// Maximum bytes of a log-in; the longest passphrase, with every byte of it escaped, has 6 KiB.
const MOST_LOGIN: usize = 8 << 10;
/// Maximum number of session cookies that are checked.
const MOST_COOKIES: usize = 8;

/// Guards the stored credentials.
pub(super) struct CredentialGuard {
    pub(super) lock: Lock,
    pub(super) sessions: Sessions,
}

impl CredentialGuard {
    /// Returns the session of the cookie.
    pub(super) fn session(&self, headers: &HeaderMap) -> Option<Seen> {
        secrets(headers).find_map(|secret| self.sessions.find(secret))
    }

    /// Returns the session of an unsafe request, which has to send the CSRF token.
    pub(super) fn unsafe_session(&self, headers: &HeaderMap) -> Result<Seen, RelayError> {
        let seen = self.session(headers).ok_or(RelayError::NoSession)?;
        let sent = headers.get(CSRF).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if same(sent, &seen.csrf) { Ok(seen) } else { Err(RelayError::NoCsrf) }
    }

    fn end(&self, headers: &HeaderMap) {
        secrets(headers).for_each(|secret| self.sessions.end(secret));
    }
}

/// Returns the secrets in the cookies of a request.
fn secrets(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(name, _)| *name == SESSION_COOKIE).map(|(_, secret)| secret).take(MOST_COOKIES)
}

/// Says whether this server keeps the credentials, and whether the caller is logged in.
#[utoipa::path(
    get,
    path = "/relay/session",
    tag = "Operation",
    security(()),
    responses((status = 200, description = "How it is", body = Envelope<RelaySession>))
)]
pub(super) async fn show(State(relay): State<Relay>, headers: HeaderMap) -> Response {
    let seen = relay.kept().and_then(|kept| kept.guard.session(&headers));
    answer(&relay, seen, None)
}

/// Logs in with the passphrase.
///
/// The answer sets the cookie of the session. Only pages of this server may send it, as `application/json`.
#[utoipa::path(
    post,
    path = "/relay/session",
    tag = "Operation",
    security(()),
    request_body(content = Passphrase, example = json!({"passphrase": "the passphrase of this server"})),
    responses(
        (status = 200, description = "The session", body = Envelope<RelaySession>),
        (status = 400, description = "10014: the body has another shape"),
        (status = 403, description = "10403: the passphrase is wrong, came not as `application/json`, or a page of another site sent it"),
        (status = 404, description = "7003 and 7000: callers bring their credentials, and nobody logs in"),
        (status = 429, description = "10430: there were too many wrong passphrases; `Retry-After` says when to try again"),
    )
)]
pub(super) async fn open(State(relay): State<Relay>, uri: Uri, request: Request) -> Result<Response, Error> {
    let kept = kept(&relay, &uri)?;
    let headers = request.headers().clone();
    origin::check(&headers)?;
    let is_json = headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if !is_json {
        return Err(RelayError::NoJson.into());
    }
    encoding::check(&headers)?;
    let body = parse_json(read_body(request, MOST_LOGIN).await?).await?;
    match kept.guard.lock.attempt(&passphrase(&body)?) {
        Attempt::Right => {}
        Attempt::Wrong => {
            tracing::warn!("a wrong passphrase was sent to the relay");
            return Err(RelayError::WrongPassphrase.into());
        }
        Attempt::TooMany(wait) => return Err(RelayError::TooManyAttempts(wait.as_secs().max(1)).into()),
    }
    kept.guard.end(&headers);
    let (secret, seen) = kept.guard.sessions.begin()?;
    let age = relay.config().pace.session;
    Ok(answer(&relay, Some(seen), Some(cookie(&secret, age, &headers))))
}

/// Logs out, and needs `X-CSRF-Token` for it; without a session there is nothing to do.
#[utoipa::path(
    delete,
    path = "/relay/session",
    tag = "Operation",
    security(()),
    params(("X-CSRF-Token" = Option<String>, Header, description = "That of the session")),
    responses(
        (status = 200, description = "Nobody is logged in any more", body = Envelope<RelaySession>),
        (status = 403, description = "10403: the header `X-CSRF-Token` is missing or wrong, or a page of another site sent it"),
        (status = 404, description = "7003 and 7000: callers bring their credentials, and nobody logs in"),
    )
)]
pub(super) async fn close(State(relay): State<Relay>, uri: Uri, headers: HeaderMap) -> Result<Response, Error> {
    let kept = kept(&relay, &uri)?;
    origin::check(&headers)?;
    match kept.guard.unsafe_session(&headers) {
        Ok(_) => kept.guard.end(&headers),
        // There is nothing to end.
        Err(RelayError::NoSession) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(answer(&relay, None, Some(cookie("", Duration::ZERO, &headers))))
}

/// Returns the stored credentials. Without them the path does not exist.
fn kept<'a>(relay: &'a Relay, uri: &Uri) -> Result<&'a Kept, Error> {
    relay.kept().ok_or_else(|| unknown(uri))
}

fn passphrase(body: &Value) -> Result<String, Error> {
    let mut members = Members::open(body, "the request", &["passphrase"], &[])?;
    let text = members.required("passphrase").and_then(|value| match value {
        Value::String(text) => Some(text.clone()),
        other => members.wrong_type("passphrase", "a string", other),
    });
    Ok(text.ok_or(members.refusals)?)
}

fn cookie(secret: &str, age: Duration, headers: &HeaderMap) -> String {
    let secure = if origin::is_over_tls(headers) { "; Secure" } else { "" };
    format!("{SESSION_COOKIE}={secret}; Path=/; Max-Age={}; HttpOnly; SameSite=Strict{secure}", age.as_secs())
}

fn answer(relay: &Relay, seen: Option<Seen>, cookie: Option<String>) -> Response {
    let session = RelaySession {
        keeps_credentials: relay.kept().is_some(),
        signed_in: seen.is_some(),
        seconds_left: seen.as_ref().map(|seen| seen.left.as_secs()),
        csrf_token: seen.map(|seen| seen.csrf),
    };
    let result: Answer<RelaySession> = success(session);
    let mut response = result.into_response();
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(mut value) = cookie.and_then(|cookie| HeaderValue::try_from(cookie).ok()) {
        value.set_sensitive(true);
        response.headers_mut().insert(SET_COOKIE, value);
    }
    response
}
