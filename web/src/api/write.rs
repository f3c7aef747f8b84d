//! The outcome of a write, and the look-up of a write whose response was lost.
//!
//! A response can be lost after the service applied the write. Such a write is never reported as refused and never
//! retried automatically: [`Write::judge`] reads the current state of the service and decides from it.

use super::{Client, Problem};
use crate::connection::Connection;
use zonewright_api::error_code;

/// The outcome of a write.
pub(crate) enum Write<L: Look> {
    /// The service applied it.
    Made(L::Made),
    /// The service did not apply it.
    Refused(Problem),
    /// No response tells whether the service applied it.
    Unknown(Lost<L>),
}

/// A write whose response was lost.
#[derive(Clone, PartialEq)]
pub(crate) struct Lost<L> {
    connection: Connection,
    look: L,
    /// The problem that arrived in place of a response.
    pub(crate) problem: Problem,
    /// The state of the service at the last look-up; `None` if it could not be read.
    pub(crate) seen: Option<Seen>,
}

/// The state of the service when a look-up does not show the write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// The state before the write: it was not applied, or is still in flight.
    Unchanged,
    /// Neither the state before the write nor the one that was sent.
    Other,
}

/// The result of a look-up.
pub(crate) enum Found<T> {
    /// The service has what was sent.
    Made(T),
    /// The service has something else.
    Not(Seen),
}

/// Looks up whether the service applied a write.
pub(crate) trait Look: Clone {
    /// The response to an applied write.
    type Made;

    /// Reads the current state of the service.
    async fn look(&self, client: &Client) -> Result<Found<Self::Made>, Problem>;
}

impl<L: Look> Write<L> {
    /// Derives the outcome from an answer. If the answer is inconclusive, looks the write up.
    pub(super) async fn judge(client: &Client, answer: Result<L::Made, Problem>, look: L) -> Write<L> {
        match answer {
            Ok(made) => Write::Made(made),
            Err(problem) if problem.leaves_write_unknown() => {
                let connection = client.connection.clone();
                Lost { connection, look, problem, seen: None }.look_up().await
            }
            Err(problem) => Write::Refused(problem),
        }
    }
}

impl<L: Look> Lost<L> {
    /// Looks the write up again.
    pub(crate) async fn look_up(self) -> Write<L> {
        // The deadline of the client that sent the write may have passed.
        let client = Client::timed(self.connection.clone());
        match self.look.look(&client).await {
            Ok(Found::Made(made)) => Write::Made(made),
            Ok(Found::Not(seen)) => Write::Unknown(Lost { seen: Some(seen), ..self }),
            Err(_) => Write::Unknown(Lost { seen: None, ..self }),
        }
    }
}

impl Problem {
    /// Whether a write may have been applied despite this problem. A status below 500 answers the request, whichever
    /// server sends it. A higher one is inconclusive, because a gateway also sends it when the service behind it times
    /// out. The exceptions are codes that say that nothing was applied.
    pub(crate) fn leaves_write_unknown(&self) -> bool {
        match self {
            Problem::BadAddress => false,
            Problem::Unreachable | Problem::TimedOut | Problem::Cancelled => true,
            Problem::NotAnEnvelope { status, .. } => !(400..500).contains(status),
            Problem::Refused { status, errors } => {
                let not_applied = [error_code::UNAVAILABLE, error_code::RELAY_BUSY];
                *status >= 500 && !errors.iter().any(|error| not_applied.contains(&error.code))
            }
        }
    }
}

/// Looks up a deletion: the service refuses to read a deleted object with 404.
pub(super) fn gone<T>(read: Result<T, Problem>) -> Result<Found<()>, Problem> {
    match read {
        Ok(_) => Ok(Found::Not(Seen::Unchanged)),
        Err(Problem::Refused { status: 404, .. }) => Ok(Found::Made(())),
        Err(other) => Err(other),
    }
}
