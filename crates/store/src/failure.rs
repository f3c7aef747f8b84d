//! What it means that the database failed.

use sqlx::Error;
use std::fmt;
use std::sync::Arc;

/// Why a request could not be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The database is away, or ended the connection: what was not committed has not happened.
    Away,
    /// Others change the same thing: what was not committed has not happened.
    Busy,
    /// There is no room on its disk, or it cannot be written: nothing has happened.
    Full,
    /// The zone or the account that was to be changed is not there any more: nothing has happened.
    Gone,
    /// A text has the character U+0000, which PostgreSQL does not keep.
    Nul,
    /// The service made a mistake.
    Other,
}

impl Failure {
    /// What an error of the database means.
    pub(crate) fn of(error: &Error) -> Failure {
        match error {
            Error::Io(_) | Error::Tls(_) | Error::Protocol(_) | Error::PoolTimedOut | Error::PoolClosed => {
                Failure::Away
            }
            Error::WorkerCrashed | Error::BeginFailed => Failure::Away,
            Error::AnyDriverError(reason) => {
                reason.downcast_ref().map_or(Failure::Other, |Shared(error)| Failure::of(error))
            }
            Error::Database(error) => error.code().map_or(Failure::Other, |code| Failure::of_code(&code)),
            _ => Failure::Other,
        }
    }

    /// A code of SQLite is a number, perhaps with a subtype in its upper bits; one of PostgreSQL has five letters and
    /// digits.
    fn of_code(code: &str) -> Failure {
        if code.len() < 5 {
            let code = code.parse::<u32>();
            // SQLITE_CONSTRAINT_FOREIGNKEY
            if code == Ok(787) {
                return Failure::Gone;
            }
            return match code.map(|code| code & 0xFF) {
                // SQLITE_BUSY, SQLITE_LOCKED
                Ok(5 | 6) => Failure::Busy,
                // SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN
                Ok(8 | 10 | 13 | 14) => Failure::Full,
                _ => Failure::Other,
            };
        }
        match code {
            // Could not be serialized, deadlock, lock or statement took too long.
            "40001" | "40P01" | "55P03" | "57014" => Failure::Busy,
            "22021" => Failure::Nul,
            // What is changed is locked and stays there, so what a new row refers to and is missing is its owner.
            "23503" => Failure::Gone,
            // Read-only, as a server that others follow no more.
            "25006" | "53100" => Failure::Full,
            // The session waited too long inside a transaction.
            "25P03" => Failure::Away,
            // Connections, resources, the end of the server.
            _ if ["08", "53", "57P"].iter().any(|class| code.starts_with(class)) => Failure::Away,
            _ => Failure::Other,
        }
    }
}

/// The failure of a commit that was for several.
#[derive(Debug)]
pub(crate) struct Shared(pub(crate) Arc<Error>);

impl fmt::Display for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Shared {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_both_databases() {
        let cases = [
            ("5", Failure::Busy),
            ("517", Failure::Busy),
            ("13", Failure::Full),
            ("1544", Failure::Full),
            ("2067", Failure::Other),
            ("787", Failure::Gone),
            ("23503", Failure::Gone),
            ("40001", Failure::Busy),
            ("57014", Failure::Busy),
            ("57P01", Failure::Away),
            ("53300", Failure::Away),
            ("53100", Failure::Full),
            ("23505", Failure::Other),
        ];
        for (code, expected) in cases {
            assert_eq!(Failure::of_code(code), expected, "{code}");
        }
        let shared = Error::AnyDriverError(Box::new(Shared(Arc::new(Error::WorkerCrashed))));
        assert_eq!(Failure::of(&shared), Failure::Away);
        assert_eq!(Failure::of(&Error::PoolTimedOut), Failure::Away);
    }
}
