//! Classifies errors of the database.

use sqlx::Error;
use std::fmt;
use std::sync::Arc;

/// The class of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoreErrorKind {
    /// The database is unreachable or closed the connection. Uncommitted work is rolled back.
    Unavailable,
    /// Other transactions change the same objects. Uncommitted work is rolled back.
    Busy,
    /// The disk is full, read-only or failing. Nothing changed.
    Unwritable,
    /// The zone or the account was deleted. Nothing changed.
    ScopeDeleted,
    /// A text contains the character U+0000, which PostgreSQL cannot store.
    NulCharacter,
    /// A bug of the service.
    Other,
}

impl StoreErrorKind {
    /// Classifies an error of the database.
    pub(crate) fn classify(error: &Error) -> StoreErrorKind {
        match error {
            Error::Io(_) | Error::Tls(_) | Error::Protocol(_) | Error::PoolTimedOut | Error::PoolClosed => {
                StoreErrorKind::Unavailable
            }
            Error::WorkerCrashed | Error::BeginFailed => StoreErrorKind::Unavailable,
            Error::AnyDriverError(reason) => reason
                .downcast_ref()
                .map_or(StoreErrorKind::Other, |SharedError(error)| StoreErrorKind::classify(error)),
            Error::Database(error) => {
                error.code().map_or(StoreErrorKind::Other, |code| StoreErrorKind::classify_code(&code))
            }
            _ => StoreErrorKind::Other,
        }
    }

    /// Classifies a code. Codes of SQLite are numbers, possibly with a subtype in their upper bits. Codes of PostgreSQL
    /// have five characters.
    fn classify_code(code: &str) -> StoreErrorKind {
        if code.len() < 5 {
            let code = code.parse::<u32>();
            // SQLITE_CONSTRAINT_FOREIGNKEY
            if code == Ok(787) {
                return StoreErrorKind::ScopeDeleted;
            }
            return match code.map(|code| code & 0xFF) {
                // SQLITE_BUSY, SQLITE_LOCKED
                Ok(5 | 6) => StoreErrorKind::Busy,
                // SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN
                Ok(8 | 10 | 13 | 14) => StoreErrorKind::Unwritable,
                _ => StoreErrorKind::Other,
            };
        }
        match code {
            // Serialization failure, deadlock, lock timeout, statement timeout.
            "40001" | "40P01" | "55P03" | "57014" => StoreErrorKind::Busy,
            "22021" => StoreErrorKind::NulCharacter,
            // Changed objects are locked and cannot disappear, so a missing referenced row is the owner of a new row.
            "23503" => StoreErrorKind::ScopeDeleted,
            // Read-only, such as a replica or a former primary server; disk full.
            "25006" | "53100" => StoreErrorKind::Unwritable,
            // Timeout of an idle transaction.
            "25P03" => StoreErrorKind::Unavailable,
            // Connection errors, insufficient resources, shutdown of the server.
            _ if ["08", "53", "57P"].iter().any(|class| code.starts_with(class)) => StoreErrorKind::Unavailable,
            _ => StoreErrorKind::Other,
        }
    }
}

/// Returns whether the error means that the connection was lost, so that another connection may succeed.
pub(crate) fn is_connection_lost(error: &Error) -> bool {
    StoreErrorKind::classify(error) == StoreErrorKind::Unavailable && !matches!(error, Error::PoolTimedOut)
}

/// An error that all lookups of a batch, or all members of a group, share.
#[derive(Debug)]
pub(crate) struct SharedError(pub(crate) Arc<Error>);

impl fmt::Display for SharedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for SharedError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_codes_of_both_databases_are_classified() {
        let cases = [
            ("5", StoreErrorKind::Busy),
            ("517", StoreErrorKind::Busy),
            ("13", StoreErrorKind::Unwritable),
            ("1544", StoreErrorKind::Unwritable),
            ("2067", StoreErrorKind::Other),
            ("787", StoreErrorKind::ScopeDeleted),
            ("23503", StoreErrorKind::ScopeDeleted),
            ("40001", StoreErrorKind::Busy),
            ("57014", StoreErrorKind::Busy),
            ("57P01", StoreErrorKind::Unavailable),
            ("53300", StoreErrorKind::Unavailable),
            ("53100", StoreErrorKind::Unwritable),
            ("23505", StoreErrorKind::Other),
        ];
        for (code, expected) in cases {
            assert_eq!(StoreErrorKind::classify_code(code), expected, "{code}");
        }
        let shared = Error::AnyDriverError(Box::new(SharedError(Arc::new(Error::WorkerCrashed))));
        assert_eq!(StoreErrorKind::classify(&shared), StoreErrorKind::Unavailable);
        assert_eq!(StoreErrorKind::classify(&Error::PoolTimedOut), StoreErrorKind::Unavailable);
    }
}
