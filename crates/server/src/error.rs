//! The errors of requests and their responses.
//!
//! [`Error`] is the only error type of handlers. Its `IntoResponse` implementation is the only conversion of an error
//! to an envelope.

mod messages;
mod relay;

pub(crate) use relay::{RelayError, WriteOutcome};

use axum::Json;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use messages::{
    add_accepted_lines, could_not_route_message, malformed_credentials_error, precondition_failed_message,
    resource_not_found, route_not_found_errors, spool_full_message, unavailable_message, unknown_dataset_message,
};
use std::any::Any;
use zonewright_api::waf_migration::MigrationState;
use zonewright_api::{Envelope, ErrorObject, error_code};
use zonewright_delivery as delivery;
use zonewright_firewall::ValidationError;
use zonewright_store::{self as store, Owner, Resource, Unavailability};

/// An error of a request. Each variant has one status, except [`Error::PartiallyIngested`] and [`Error::Relay`], which
/// have the status of the error that they contain. The codes are those of [`error_code`]. An error of the real API has
/// the status that its clients receive (observed).
#[derive(Debug)]
pub enum Error {
    /// 400: the request is invalid, for these reasons.
    Invalid(Vec<ErrorObject>),
    /// 400: rejected with these errors, but something was stored; the messages name it.
    InvalidWithMessages(Vec<ErrorObject>, Vec<ErrorObject>),
    /// 400: the body is not JSON.
    BadJson(String),
    /// 400: the request has no credentials.
    MissingCredentials,
    /// 400: malformed credentials; code and message of each header.
    MalformedCredentials(Vec<(u32, &'static str)>),
    /// 403: no user has this email address and key.
    UnknownKey,
    /// 403: the token is unknown, or the principal lacks a permission of an API that reports both alike (observed).
    AuthenticationFailed,
    /// 403: the principal lacks a permission for page rules, zones, accounts, or settings, or a token requests the user.
    NotPermitted,
    /// 401: the token check received no valid token.
    InvalidToken,
    /// 403: the API is documented, but this service does not implement it; the documented message.
    NotAvailable(&'static str),
    /// 404: no such path.
    RouteNotFound(String),
    /// 404: no such zone for this principal.
    ZoneNotFound(String),
    /// 404: no such account for this principal.
    AccountNotFound(String),
    /// 404: the zone or the account was deleted during the request.
    OwnerGone,
    /// 404: no such log push job of this owner.
    JobNotFound(Owner, u64),
    /// 404: no dataset has this name.
    DatasetNotFound(String),
    /// 404: the object does not exist.
    NotFound(Resource),
    /// 404: no such object, with a code and a message of its API.
    NotFoundWithCode(u32, String),
    /// 405.
    MethodNotAllowed(Method),
    /// 410: the zone has no previous managed rules any more (assumption legacy-gone).
    LegacyGone,
    /// 409: the migration of the zone has advanced to this state during the request.
    MigrationConflict(MigrationState),
    /// 412: `If-Match` does not match; the parts that have changed, if known.
    PreconditionFailed(Vec<&'static str>),
    /// 408: the body did not arrive in time.
    BodyTimeout,
    /// 413: the body is too large; the limit in bytes.
    BodyTooLarge(usize),
    /// 413: the body has too many JSON values; the limit.
    TooManyValues(usize),
    /// 503: the memory budget for bodies is exhausted.
    BodyBudgetExhausted,
    /// 429: the spool is full; the number of lines of the request that were stored before.
    SpoolFull(u64),
    /// 429: too many bodies of log lines are being read, of this account or in total.
    IngestLimited,
    /// 503: the spool cannot be written.
    SpoolUnwritable(std::io::Error),
    /// 503: this process does not hold the lease on its spools, so it cannot accept lines.
    SpoolLeaseNotHeld,
    /// An error in a body after this many of its lines were accepted.
    PartiallyIngested(u64, Box<Error>),
    /// 415: the body has an unsupported encoding or charset; the reason.
    UnsupportedEncoding(String),
    /// 429: the client has sent too many requests.
    RateLimited,
    /// 421: the request is for another host.
    MisdirectedRequest(String),
    /// 503: the database is unavailable, and nothing was changed.
    Unavailable(Unavailability),
    /// 500: the database connection was lost during a commit, so the outcome of the change is unknown.
    OutcomeUnknown,
    /// An error of the relay.
    Relay(RelayError),
    /// 500: an internal error. The reason is logged, not sent.
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    fn status(&self) -> StatusCode {
        match self {
            Error::Invalid(_)
            | Error::InvalidWithMessages(..)
            | Error::BadJson(_)
            | Error::MissingCredentials
            | Error::MalformedCredentials(_) => StatusCode::BAD_REQUEST,
            Error::InvalidToken => StatusCode::UNAUTHORIZED,
            Error::UnknownKey | Error::AuthenticationFailed | Error::NotPermitted | Error::NotAvailable(_) => {
                StatusCode::FORBIDDEN
            }
            Error::RouteNotFound(_)
            | Error::ZoneNotFound(_)
            | Error::AccountNotFound(_)
            | Error::OwnerGone
            | Error::DatasetNotFound(_)
            | Error::JobNotFound(..)
            | Error::NotFound(..)
            | Error::NotFoundWithCode(..) => StatusCode::NOT_FOUND,
            Error::MethodNotAllowed(_) => StatusCode::METHOD_NOT_ALLOWED,
            Error::LegacyGone => StatusCode::GONE,
            Error::MigrationConflict(_) => StatusCode::CONFLICT,
            Error::PreconditionFailed(_) => StatusCode::PRECONDITION_FAILED,
            Error::BodyTimeout => StatusCode::REQUEST_TIMEOUT,
            Error::BodyTooLarge(_) | Error::TooManyValues(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Error::UnsupportedEncoding(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Error::SpoolFull(_) | Error::IngestLimited | Error::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            Error::PartiallyIngested(_, error) => error.status(),
            Error::MisdirectedRequest(_) => StatusCode::MISDIRECTED_REQUEST,
            Error::Unavailable(_)
            | Error::SpoolUnwritable(_)
            | Error::SpoolLeaseNotHeld
            | Error::BodyBudgetExhausted => StatusCode::SERVICE_UNAVAILABLE,
            Error::Relay(error) => error.status(),
            Error::OutcomeUnknown | Error::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn errors(self) -> Vec<ErrorObject> {
        let (code, message) = match self {
            Error::Invalid(errors) | Error::InvalidWithMessages(errors, _) => return errors,
            Error::MalformedCredentials(chain) => return vec![malformed_credentials_error(chain)],
            Error::RouteNotFound(path) => return route_not_found_errors(&path),
            Error::PartiallyIngested(accepted_lines, error) => return add_accepted_lines(accepted_lines, *error),
            Error::Relay(error) => return vec![error.to_error_object()],
            Error::BadJson(reason) => (error_code::INVALID_JSON, format!("the body is not valid JSON: {reason}")),
            Error::MissingCredentials => (
                error_code::MISSING_CREDENTIALS,
                "Missing X-Auth-Key, X-Auth-Email or Authorization headers".to_owned(),
            ),
            Error::UnknownKey => (error_code::UNKNOWN_API_KEY, "Unknown X-Auth-Key or X-Auth-Email".to_owned()),
            Error::AuthenticationFailed => (error_code::AUTHENTICATION_FAILED, "Authentication error".to_owned()),
            Error::NotPermitted => (error_code::UNAUTHORIZED, "Unauthorized to access requested resource".to_owned()),
            Error::InvalidToken => (error_code::INVALID_TOKEN, "Invalid API Token".to_owned()),
            Error::NotAvailable(message) => (error_code::NOT_SUPPORTED, message.to_owned()),
            Error::ZoneNotFound(id) => (error_code::INVALID_ROUTE, could_not_route_message(&format!("/zones/{id}"))),
            Error::AccountNotFound(id) => {
                (error_code::INVALID_ROUTE, could_not_route_message(&format!("/accounts/{id}")))
            }
            Error::OwnerGone => (error_code::INVALID_ROUTE, "the zone or the account has been deleted".to_owned()),
            Error::JobNotFound(Owner::Zone(_), id) => {
                (error_code::NOT_FOUND, format!("there is no job `{id}` in this zone"))
            }
            Error::JobNotFound(Owner::Account(_), id) => {
                (error_code::NOT_FOUND, format!("there is no job `{id}` in this account"))
            }
            Error::DatasetNotFound(name) => (error_code::NOT_FOUND, unknown_dataset_message(&name)),
            Error::NotFound(resource) => resource_not_found(&resource),
            Error::NotFoundWithCode(code, message) => (code, message),
            Error::LegacyGone => (
                error_code::LEGACY_WAF_GONE,
                "this zone has migrated and its previous managed rules were removed; use the Rulesets API, \
                 `/zones/{zone_id}/rulesets/phases/http_request_firewall_managed/entrypoint`"
                    .to_owned(),
            ),
            Error::MigrationConflict(state) => (
                error_code::MIGRATION_CONFLICT,
                format!(
                    "the migration of the zone is now in the state {}; check its status before you retry",
                    state.name()
                ),
            ),
            Error::PreconditionFailed(changed) => {
                (error_code::PRECONDITION_FAILED, precondition_failed_message(&changed))
            }
            Error::MethodNotAllowed(method) => {
                (error_code::METHOD_NOT_ALLOWED, format!("the method {method} is not allowed here"))
            }
            Error::BodyTimeout => (error_code::REQUEST_TIMEOUT, "the body did not arrive in time".to_owned()),
            Error::BodyTooLarge(limit) => {
                (error_code::BODY_TOO_LARGE, format!("the body is too large: at most {limit} bytes are allowed"))
            }
            Error::TooManyValues(limit) => {
                (error_code::BODY_TOO_LARGE, format!("the body is too large: at most {limit} JSON values are allowed"))
            }
            Error::BodyBudgetExhausted => (
                error_code::UNAVAILABLE,
                "too many large request bodies are being processed; nothing was changed, retry later".to_owned(),
            ),
            Error::UnsupportedEncoding(reason) => (error_code::UNSUPPORTED_ENCODING, reason),
            Error::RateLimited => {
                (error_code::TOO_MANY_REQUESTS, "Please wait and consider throttling your request speed".to_owned())
            }
            Error::SpoolUnwritable(_) => {
                (error_code::UNAVAILABLE, "the service cannot write to its disk; send the lines again later".to_owned())
            }
            Error::SpoolLeaseNotHeld => {
                (error_code::UNAVAILABLE, format!("{}; send the lines again later", delivery::Error::NoLease))
            }
            Error::SpoolFull(accepted_lines) => (error_code::SPOOL_FULL, spool_full_message(accepted_lines)),
            Error::IngestLimited => {
                (error_code::SPOOL_FULL, "too many concurrent uploads; send these lines again later".to_owned())
            }
            Error::MisdirectedRequest(host) => (
                error_code::MISDIRECTED_REQUEST,
                format!(
                    "this service does not serve the host `{host}`; it serves loopback names and the names set with \
                    --host"
                ),
            ),
            Error::Unavailable(reason) => (error_code::UNAVAILABLE, unavailable_message(reason)),
            Error::OutcomeUnknown => (
                error_code::COMMIT_OUTCOME_UNKNOWN,
                "the connection to the database was lost during the commit, so it is unknown whether the change was \
                 saved; check before you retry"
                    .to_owned(),
            ),
            Error::Internal(_) => (error_code::INTERNAL_ERROR, "internal error; you can retry the request".to_owned()),
        };
        vec![ErrorObject::new(code, message)]
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        if let Error::Internal(reason) = &self {
            tracing::error!("request failed: {reason}");
        }
        if let Error::SpoolUnwritable(reason) = &self {
            tracing::error!("cannot store log lines: {reason}");
        }
        if let Error::SpoolLeaseNotHeld = &self {
            tracing::error!("cannot store log lines: {}", delivery::Error::NoLease);
        }
        let status = self.status();
        let messages = match &self {
            Error::InvalidWithMessages(_, messages) => messages.clone(),
            _ => Vec::new(),
        };
        let retry_after_seconds = match &self {
            Error::SpoolFull(_) | Error::SpoolUnwritable(_) | Error::SpoolLeaseNotHeld => Some(30),
            Error::IngestLimited => Some(5),
            Error::Unavailable(_) | Error::BodyBudgetExhausted => Some(1),
            Error::Relay(error) => error.retry_after_seconds(),
            _ => None,
        };
        let retry_after = retry_after_seconds.map(|seconds| [(RETRY_AFTER, HeaderValue::from(seconds))]);
        // Official clients retry after 409 and 5xx unless this header forbids it (observed). A retried migration step
        // would find the new state, and overwrite the change that came first.
        let is_final = match &self {
            Error::OutcomeUnknown | Error::MigrationConflict(_) => true,
            Error::Relay(error) => error.is_not_retryable(),
            _ => false,
        };
        let no_retry = is_final.then_some([("x-should-retry", "false")]);
        let envelope = Envelope::<()> { messages, ..Envelope::failure(self.errors()) };
        (status, retry_after, no_retry, Json(envelope)).into_response()
    }
}

impl Error {
    /// Converts errors of log push, which has only two codes: `JOB_NOT_ALLOWED` stays, and every other code becomes
    /// `INVALID_JOB`.
    pub(crate) fn from_job_errors(mut rejections: Vec<ValidationError>) -> Error {
        let is_other = |rejection: &&mut ValidationError| rejection.code != error_code::JOB_NOT_ALLOWED;
        rejections.iter_mut().filter(is_other).for_each(|rejection| rejection.code = error_code::INVALID_JOB);
        rejections.into()
    }
}

impl From<Vec<ValidationError>> for Error {
    fn from(rejections: Vec<ValidationError>) -> Self {
        Error::Invalid(rejections.into_iter().map(ErrorObject::from).collect())
    }
}

impl From<RelayError> for Error {
    fn from(error: RelayError) -> Self {
        Error::Relay(error)
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        if matches!(error, store::Error::Unavailable(..) | store::Error::OutcomeUnknown(_)) {
            tracing::error!("database error: {error}");
        }
        match error {
            store::Error::Refused(errors) => Error::Invalid(errors),
            store::Error::PartlyRefused(errors, messages) => Error::InvalidWithMessages(errors, messages),
            store::Error::NotFound(resource) => Error::NotFound(resource),
            store::Error::ScopeGone => Error::OwnerGone,
            store::Error::Retired => Error::LegacyGone,
            store::Error::MigrationMoved(state) => Error::MigrationConflict(state),
            store::Error::Stale(changed) => Error::PreconditionFailed(changed),
            store::Error::NulCharacter => {
                let message = "a string contains the character U+0000, which cannot be stored";
                Error::Invalid(vec![ErrorObject::new(error_code::INVALID_VALUE, message)])
            }
            store::Error::Unavailable(reason, _) => Error::Unavailable(reason),
            store::Error::OutcomeUnknown(_) => Error::OutcomeUnknown,
            store::Error::Database(error) => Error::Internal(error.into()),
            store::Error::Internal(reason) => Error::Internal(reason),
        }
    }
}

impl From<delivery::Error> for Error {
    fn from(error: delivery::Error) -> Self {
        match error {
            // The store is the source of the jobs, so their errors are errors of the store.
            delivery::Error::Jobs(error) => match error.downcast::<store::Error>() {
                Ok(error) => Error::from(*error),
                Err(error) => Error::Internal(error),
            },
            delivery::Error::NoLease => Error::SpoolLeaseNotHeld,
            delivery::Error::Unwritable(error) => Error::SpoolUnwritable(error),
            delivery::Error::TooManyBodies => Error::IngestLimited,
            delivery::Error::Task(error) => Error::Internal(error.into()),
        }
    }
}

impl From<getrandom::Error> for Error {
    fn from(error: getrandom::Error) -> Self {
        Error::Internal(error.into())
    }
}

/// Responds to a method that a path does not have.
pub(crate) async fn method_not_allowed(method: Method) -> Error {
    Error::MethodNotAllowed(method)
}

/// Returns the error of an unknown path.
pub(crate) fn route_not_found(uri: &Uri) -> Error {
    let path = uri.path().strip_prefix("/client/v4").unwrap_or(uri.path());
    Error::RouteNotFound(if path.is_empty() { "/" } else { path }.to_owned())
}

/// Returns the response after a handler panicked.
pub(crate) fn panic_response(payload: Box<dyn Any + Send + 'static>) -> Response {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let reason = text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("a handler panicked");
    Error::Internal(reason.into()).into_response()
}

#[cfg(test)]
mod tests;
