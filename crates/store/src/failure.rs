//! Classifies errors of the database.

use sqlx::Error;
use std::fmt;
use std::sync::Arc;

/// The class of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The database is unreachable or closed the connection. Uncommitted work is rolled back.
    Away,
    /// Other transactions change the same objects. Uncommitted work is rolled back.
    Busy,
    /// The disk is full or read-only. Nothing changed.
    Full,
    /// The zone or the account was deleted. Nothing changed.
    Gone,
    /// A text contains the character U+0000, which PostgreSQL cannot store.
    Nul,
    /// A bug of the service.
    Other,
}

impl Failure {
    /// Classifies an error of the database.
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

    /// Classifies a code. Codes of SQLite are numbers, possibly with a subtype in their upper bits. Codes of PostgreSQL
    /// have five letters and digits.
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
            // Serialization failure, deadlock, lock timeout, statement timeout.
            "40001" | "40P01" | "55P03" | "57014" => Failure::Busy,
            "22021" => Failure::Nul,
            // Changed objects are locked and cannot disappear, so a missing referenced row is the owner of a new row.
            "23503" => Failure::Gone,
            // Read-only, such as a replica or a former primary server; disk full.
            "25006" | "53100" => Failure::Full,
            // Timeout of an idle transaction.
            "25P03" => Failure::Away,
            // Connection errors, insufficient resources, shutdown of the server.
            _ if ["08", "53", "57P"].iter().any(|class| code.starts_with(class)) => Failure::Away,
            _ => Failure::Other,
        }
    }
}

/// An error that all members of a batch or a group share.
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
