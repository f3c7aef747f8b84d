//! Errors between the client of the relay and its upstream.

use crate::metrics::Outcome;
use axum::http::StatusCode;
use zonewright_api::{ErrorObject, error_code};

/// An error between the client of the relay and its upstream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RelayError {
    /// 403: a page of another site sent the request.
    Foreign,
    /// 403: the log-in is not JSON. A form of another site can never send JSON.
    NoJson,
    /// 401: the request has no session.
    NoSession,
    /// 403: the CSRF token of the session is missing.
    NoCsrf,
    /// 403: the passphrase is wrong.
    WrongPassphrase,
    /// 429: too many wrong passphrases; seconds to wait.
    TooManyAttempts(u64),
    /// 503: too many concurrent requests; nothing was sent.
    Busy,
    /// 502: connecting to the upstream failed, so nothing was sent; the reason.
    Unreachable(String),
    /// 502: the response of the upstream cannot be passed on; the reason.
    BadAnswer(String, Effect),
    /// 504: the upstream did not respond in time.
    Slow(Effect),
}

/// The possible effect of a request whose response was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The request only reads.
    None,
    /// The request writes, and its outcome is unknown.
    Unknown,
}

impl Effect {
    fn words(self) -> &'static str {
        match self {
            Effect::None => "",
            Effect::Unknown => {
                "; it is UNKNOWN whether the change was made: look at what is there now before sending it again"
            }
        }
    }
}

impl RelayError {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            RelayError::Foreign | RelayError::NoJson | RelayError::NoCsrf | RelayError::WrongPassphrase => {
                StatusCode::FORBIDDEN
            }
            RelayError::NoSession => StatusCode::UNAUTHORIZED,
            RelayError::TooManyAttempts(_) => StatusCode::TOO_MANY_REQUESTS,
            RelayError::Busy => StatusCode::SERVICE_UNAVAILABLE,
            RelayError::Unreachable(_) | RelayError::BadAnswer(..) => StatusCode::BAD_GATEWAY,
            RelayError::Slow(_) => StatusCode::GATEWAY_TIMEOUT,
        }
    }

    pub(crate) fn object(&self) -> ErrorObject {
        let (code, message) = match self {
            RelayError::Foreign => (
                error_code::RELAY_REFUSED,
                "a page of another site sent this; only pages of this server may".to_owned(),
            ),
            RelayError::NoJson => (
                error_code::RELAY_REFUSED,
                "a passphrase is sent with `Content-Type: application/json`, as no page of another site can".to_owned(),
            ),
            RelayError::NoSession => (
                error_code::NO_SESSION,
                "this server keeps the credentials, and nobody is logged in: `POST /relay/session`".to_owned(),
            ),
            RelayError::NoCsrf => (
                error_code::RELAY_REFUSED,
                "the header `X-CSRF-Token` is missing or not that of the session: `GET /relay/session` has it"
                    .to_owned(),
            ),
            RelayError::WrongPassphrase => (error_code::RELAY_REFUSED, "the passphrase is wrong".to_owned()),
            RelayError::TooManyAttempts(seconds) => (
                error_code::TOO_MANY_ATTEMPTS,
                format!("there were too many wrong passphrases; try again in {seconds} s"),
            ),
            RelayError::Busy => (
                error_code::RELAY_BUSY,
                "too many requests are on their way to the upstream; this one was not sent".to_owned(),
            ),
            RelayError::Unreachable(reason) => {
                (error_code::UPSTREAM_FAILED, format!("the upstream could not be reached: {reason}; nothing was sent"))
            }
            RelayError::BadAnswer(reason, effect) => {
                (error_code::UPSTREAM_FAILED, format!("the upstream {reason}{}", effect.words()))
            }
            RelayError::Slow(effect) => {
                (error_code::UPSTREAM_SLOW, format!("the upstream did not answer in time{}", effect.words()))
            }
        };
        ErrorObject::new(code, message)
    }

    /// Returns the outcome of the request for the metrics.
    pub(crate) fn outcome(&self) -> Outcome {
        match self {
            RelayError::Unreachable(_) => Outcome::Unreachable,
            RelayError::Slow(_) => Outcome::Slow,
            RelayError::BadAnswer(..) => Outcome::BadAnswer,
            _ => Outcome::Refused,
        }
    }

    /// Returns the number of seconds after which the client may retry.
    pub(crate) fn retry_after(&self) -> Option<u64> {
        match self {
            RelayError::TooManyAttempts(seconds) => Some(*seconds),
            RelayError::Busy => Some(5),
            _ => None,
        }
    }

    /// Whether clients must not retry automatically, as they do after such statuses.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, RelayError::BadAnswer(_, Effect::Unknown) | RelayError::Slow(Effect::Unknown))
    }
}
