//! Errors between the client of the relay and its upstream.

use crate::metrics::RelayOutcome;
use axum::http::StatusCode;
use zonewright_api::{ErrorObject, error_code};

/// An error between the client of the relay and its upstream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RelayError {
    /// 403: a page of another site sent the request.
    CrossOrigin,
    /// 403: the log-in is not JSON. A form of another site can never send JSON.
    NotJson,
    /// 401: the request has no session.
    NotLoggedIn,
    /// 403: the CSRF token of the session is missing.
    MissingCsrf,
    /// 403: the passphrase is wrong.
    WrongPassphrase,
    /// 429: too many wrong passphrases; seconds to wait.
    TooManyAttempts(u64),
    /// 503: too many concurrent requests; nothing was sent.
    TooManyRequests,
    /// 502: connecting to the upstream failed, so nothing was sent; the reason.
    Unreachable(String),
    /// 502: the response of the upstream cannot be passed on; the reason.
    InvalidResponse(String, WriteOutcome),
    /// 504: the upstream did not respond in time.
    Timeout(WriteOutcome),
}

/// The possible effect of a request whose response was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteOutcome {
    /// The request only reads.
    None,
    /// The request writes, and its outcome is unknown.
    Unknown,
}

impl WriteOutcome {
    fn message_suffix(self) -> &'static str {
        match self {
            WriteOutcome::None => "",
            WriteOutcome::Unknown => {
                "; it is UNKNOWN whether the change was made; check the current state before you retry"
            }
        }
    }
}

impl RelayError {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            RelayError::CrossOrigin | RelayError::NotJson | RelayError::MissingCsrf | RelayError::WrongPassphrase => {
                StatusCode::FORBIDDEN
            }
            RelayError::NotLoggedIn => StatusCode::UNAUTHORIZED,
            RelayError::TooManyAttempts(_) => StatusCode::TOO_MANY_REQUESTS,
            RelayError::TooManyRequests => StatusCode::SERVICE_UNAVAILABLE,
            RelayError::Unreachable(_) | RelayError::InvalidResponse(..) => StatusCode::BAD_GATEWAY,
            RelayError::Timeout(_) => StatusCode::GATEWAY_TIMEOUT,
        }
    }

    pub(crate) fn to_error_object(&self) -> ErrorObject {
        let (code, message) = match self {
            RelayError::CrossOrigin => (
                error_code::RELAY_FORBIDDEN,
                "a page of another site sent this request; only pages of this server can send it".to_owned(),
            ),
            RelayError::NotJson => {
                (error_code::RELAY_FORBIDDEN, "send the passphrase with `Content-Type: application/json`".to_owned())
            }
            RelayError::NotLoggedIn => (
                error_code::NOT_LOGGED_IN,
                "this server stores the credentials and you are not logged in; log in with `POST /relay/session`"
                    .to_owned(),
            ),
            RelayError::MissingCsrf => (
                error_code::RELAY_FORBIDDEN,
                "the header `X-CSRF-Token` is missing or does not match the session; get the token from `GET \
                /relay/session`"
                    .to_owned(),
            ),
            RelayError::WrongPassphrase => (error_code::RELAY_FORBIDDEN, "the passphrase is wrong".to_owned()),
            RelayError::TooManyAttempts(seconds) => {
                (error_code::TOO_MANY_ATTEMPTS, format!("too many wrong passphrases; try again in {seconds} s"))
            }
            RelayError::TooManyRequests => (
                error_code::RELAY_BUSY,
                "too many concurrent requests to the upstream; this one was not sent".to_owned(),
            ),
            RelayError::Unreachable(reason) => {
                (error_code::UPSTREAM_FAILED, format!("the upstream could not be reached: {reason}; nothing was sent"))
            }
            RelayError::InvalidResponse(reason, outcome) => {
                (error_code::UPSTREAM_FAILED, format!("the upstream {reason}{}", outcome.message_suffix()))
            }
            RelayError::Timeout(outcome) => (
                error_code::UPSTREAM_TIMEOUT,
                format!("the upstream did not respond in time{}", outcome.message_suffix()),
            ),
        };
        ErrorObject::new(code, message)
    }

    /// Returns the outcome of the request for the metrics.
    pub(crate) fn outcome(&self) -> RelayOutcome {
        match self {
            RelayError::Unreachable(_) => RelayOutcome::Unreachable,
            RelayError::Timeout(_) => RelayOutcome::Timeout,
            RelayError::InvalidResponse(..) => RelayOutcome::InvalidResponse,
            _ => RelayOutcome::Rejected,
        }
    }

    /// Returns the number of seconds after which the client may retry.
    pub(crate) fn retry_after_seconds(&self) -> Option<u64> {
        match self {
            RelayError::TooManyAttempts(seconds) => Some(*seconds),
            RelayError::TooManyRequests => Some(5),
            _ => None,
        }
    }

    /// Returns whether the response has to forbid the automatic retry that clients attempt after its status.
    pub(crate) fn is_not_retryable(&self) -> bool {
        matches!(
            self,
            RelayError::InvalidResponse(_, WriteOutcome::Unknown) | RelayError::Timeout(WriteOutcome::Unknown)
        )
    }
}
