//! The outcome of a write, and the probe of a write whose response was lost.
//!
//! A response can be lost after the service applied the write. Such a write is never reported as rejected and never
//! retried automatically. Instead, [`WriteOutcome::resolve`] reads the current state of the service with a
//! [`WriteProbe`] and decides from it.

use super::{ApiError, Client};
use crate::connection::Connection;
use zonewright_api::error_code;

/// The outcome of a write.
pub(crate) enum WriteOutcome<P: WriteProbe> {
    /// The service applied the write.
    Applied(P::Response),
    /// The service did not apply the write.
    Rejected(ApiError),
    /// It is unknown whether the service applied the write.
    InDoubt(InDoubtWrite<P>),
}

/// A write whose response was lost.
#[derive(Clone, PartialEq)]
pub(crate) struct InDoubtWrite<P> {
    connection: Connection,
    write_probe: P,
    /// The error that left the outcome unknown.
    pub(crate) error: ApiError,
    /// The state of the service at the last probe; `None` if it could not be read.
    pub(crate) observed_state: Option<ObservedState>,
}

/// The state of the service when a probe does not find the write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObservedState {
    /// The state before the write: it was not applied, or is still in flight.
    Unchanged,
    /// Neither the state before the write nor the one that was sent.
    Diverged,
}

/// The result of a probe.
pub(crate) enum ProbeResult<T> {
    /// The service has the state that was sent.
    Applied(T),
    /// The service has another state.
    NotApplied(ObservedState),
}

/// A probe that determines whether the service applied a write.
pub(crate) trait WriteProbe: Clone {
    /// The response to an applied write.
    type Response;

    /// Reads the current state of the service.
    async fn probe(&self, client: &Client) -> Result<ProbeResult<Self::Response>, ApiError>;
}

impl<P: WriteProbe> WriteOutcome<P> {
    /// Derives the outcome from a response. If the response is inconclusive, probes the service.
    pub(super) async fn resolve(
        client: &Client,
        response: Result<P::Response, ApiError>,
        write_probe: P,
    ) -> WriteOutcome<P> {
        match response {
            Ok(response) => WriteOutcome::Applied(response),
            Err(error) if error.leaves_write_in_doubt() => {
                let connection = client.connection.clone();
                InDoubtWrite { connection, write_probe, error, observed_state: None }.probe().await
            }
            Err(error) => WriteOutcome::Rejected(error),
        }
    }
}

impl<P: WriteProbe> InDoubtWrite<P> {
    /// Probes the service again.
    pub(crate) async fn probe(self) -> WriteOutcome<P> {
        // The signal of the client that sent the write may have aborted its calls.
        let client = Client::detached(self.connection.clone());
        match self.write_probe.probe(&client).await {
            Ok(ProbeResult::Applied(response)) => WriteOutcome::Applied(response),
            Ok(ProbeResult::NotApplied(state)) => {
                WriteOutcome::InDoubt(InDoubtWrite { observed_state: Some(state), ..self })
            }
            Err(_) => WriteOutcome::InDoubt(InDoubtWrite { observed_state: None, ..self }),
        }
    }
}

impl ApiError {
    /// Returns whether a write may have been applied despite this error. An envelope with a status below 500 is
    /// conclusive. A status of 500 or above is inconclusive, because a gateway sends one when its service times out.
    /// The exceptions are error codes that mean that nothing was applied. A body that is not an envelope is conclusive
    /// only with a status from 400 to 499, because a status below 400 may be the success of a write.
    pub(crate) fn leaves_write_in_doubt(&self) -> bool {
        match self {
            ApiError::InvalidBaseUrl => false,
            ApiError::Unreachable | ApiError::TimedOut | ApiError::Cancelled => true,
            ApiError::UnexpectedBody { status, .. } => !(400..500).contains(status),
            ApiError::Response { status, errors } => {
                let not_applied = [error_code::UNAVAILABLE, error_code::RELAY_BUSY];
                *status >= 500 && !errors.iter().any(|error| not_applied.contains(&error.code))
            }
        }
    }
}

/// Interprets a read of a deleted object: 404 means that the deletion was applied.
pub(super) fn deletion_probe_result<T>(read: Result<T, ApiError>) -> Result<ProbeResult<()>, ApiError> {
    match read {
        Ok(_) => Ok(ProbeResult::NotApplied(ObservedState::Unchanged)),
        Err(ApiError::Response { status: 404, .. }) => Ok(ProbeResult::Applied(())),
        Err(other) => Err(other),
    }
}
