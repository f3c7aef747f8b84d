//! What became of a write, and how it is looked up when no answer tells.
//!
//! An answer can be lost after the service did what was asked. Such a write is never reported as refused and never sent
//! again by itself: [`Write::judge`] reads what the service has now and decides by that.

use super::{Client, Problem};
use crate::connection::Connection;
use zonewright_api::error_code;

/// What became of a write.
pub(crate) enum Write<L: Look> {
    /// The service did it.
    Made(L::Made),
    /// The service did not do it.
    Refused(Problem),
    /// No answer tells whether the service did it.
    Unknown(Lost<L>),
}

/// A write whose answer was lost.
#[derive(Clone, PartialEq)]
pub(crate) struct Lost<L> {
    connection: Connection,
    look: L,
    /// What came in place of an answer.
    pub(crate) problem: Problem,
    /// What the service has now; `None` while it could not be read.
    pub(crate) seen: Option<Seen>,
}

/// What the service has where a write did not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// All is as before: it was not done, or is still on its way.
    Unchanged,
    /// Neither what was before nor what was sent.
    Other,
}

/// What a look-up found.
pub(crate) enum Found<T> {
    /// What was sent.
    Made(T),
    /// Something else.
    Not(Seen),
}

/// How a write is looked up.
pub(crate) trait Look: Clone {
    /// What the service answers when it did it.
    type Made;

    /// Reads what the service has now.
    async fn look(&self, client: &Client) -> Result<Found<Self::Made>, Problem>;
}

impl<L: Look> Write<L> {
    /// Judges an answer, and looks the write up when the answer does not tell.
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
    /// Looks it up once more.
    pub(crate) async fn look_up(self) -> Write<L> {
        // The time of the client that sent it may be over.
        let client = Client::timed(self.connection.clone());
        match self.look.look(&client).await {
            Ok(Found::Made(made)) => Write::Made(made),
            Ok(Found::Not(seen)) => Write::Unknown(Lost { seen: Some(seen), ..self }),
            Err(_) => Write::Unknown(Lost { seen: None, ..self }),
        }
    }
}

impl Problem {
    /// Whether a write that ended so may have been done. A status below 500 is an answer to the request, whoever gives
    /// it. One from 500 on says nothing of what was done, unless its code says that nothing was: a gateway gives it too
    /// when the service behind it did not answer in time.
    pub(crate) fn leaves_write_unknown(&self) -> bool {
        match self {
            Problem::BadAddress => false,
            Problem::Unreachable | Problem::TimedOut | Problem::Cancelled => true,
            Problem::NotAnEnvelope { status, .. } => !(400..500).contains(status),
            Problem::Refused { status, errors } => {
                let nothing_done = [error_code::UNAVAILABLE, error_code::RELAY_BUSY];
                *status >= 500 && !errors.iter().any(|error| nothing_done.contains(&error.code))
            }
        }
    }
}

/// Looks for something that was deleted: reading it is refused with 404.
pub(super) fn gone<T>(read: Result<T, Problem>) -> Result<Found<()>, Problem> {
    match read {
        Ok(_) => Ok(Found::Not(Seen::Unchanged)),
        Err(Problem::Refused { status: 404, .. }) => Ok(Found::Made(())),
        Err(other) => Err(other),
    }
}
