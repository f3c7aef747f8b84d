//! Errors of the store.
//!
//! Rejections contain the error objects of `zonewright_api`. They are plain data without HTTP: the browser validates
//! with the same types, so a rejection by the database reads like one by the validation.

use crate::failure::StoreErrorKind;
use crate::schema::SchemaInUse;
use crate::server_connection::ConnectError;
use sqlx::migrate::MigrateError;
use std::fmt;
use std::io::ErrorKind;
use std::path::PathBuf;
use zonewright_api::waf_migration::MigrationState;
use zonewright_api::{ErrorObject, ValidationError, error_code};
use zonewright_firewall::Batch;
use zonewright_firewall::ruleset::Level;

/// An error of a call of the store. Unless a variant says otherwise, nothing changed.
#[derive(Debug)]
pub enum Error {
    /// The change is rejected: a value is invalid, a quota is exceeded, or objects conflict.
    Refused(Vec<ErrorObject>),
    /// The change is rejected with these errors, but some objects were persisted, which the messages name.
    PartlyRefused(Vec<ErrorObject>, Vec<ErrorObject>),
    /// The object does not exist.
    NotFound(Resource),
    /// The zone or the account was deleted concurrently.
    ScopeGone,
    /// The zone's previous managed rules are retired because its migration is complete.
    Retired,
    /// The migration of the zone has reached this state concurrently.
    MigrationMoved(MigrationState),
    /// The precondition of the change is not met. Contains the parts that changed since, where they are known.
    Stale(Vec<&'static str>),
    /// A text contains the character U+0000, which PostgreSQL cannot store.
    NulCharacter,
    /// The database is unavailable.
    Unavailable(Unavailability, DatabaseError),
    /// The connection was lost during a commit, so it is unknown whether the change was persisted.
    OutcomeUnknown(DatabaseError),
    /// The database rejected a statement, which is a bug of the service.
    Database(DatabaseError),
    /// Another bug of the service.
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

/// An object that may not exist, with its ID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resource {
    /// A filter of a zone.
    Filter(String),
    /// A firewall rule of a zone.
    FirewallRule(String),
    /// An override of the previous managed rules of a zone.
    UrlOverride(String),
    /// A page rule of a zone.
    PageRule(String),
    /// A ruleset of a zone or an account.
    Ruleset(Level, String),
    /// A rule of a ruleset of a zone or an account.
    RulesetRule(Level, String),
    /// A version of the ruleset with this ID.
    RulesetVersion(String, i64),
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Resource::Filter(id) => write!(f, "filter `{id}` in this zone"),
            Resource::FirewallRule(id) => write!(f, "firewall rule `{id}` in this zone"),
            Resource::UrlOverride(id) => write!(f, "override `{id}` in this zone"),
            Resource::PageRule(id) => write!(f, "page rule `{id}` in this zone"),
            Resource::Ruleset(level, id) => write!(f, "ruleset `{id}` in this {}", level.name()),
            Resource::RulesetRule(level, id) => write!(f, "rule `{id}` in this {}", level.name()),
            Resource::RulesetVersion(id, version) => write!(f, "version `{version}` of the ruleset `{id}`"),
        }
    }
}

/// The reason why the database is unavailable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unavailability {
    /// It does not respond, or it closed the connection.
    Unreachable,
    /// Other transactions change the same objects.
    Busy,
    /// Its disk is full or read-only.
    Full,
}

/// An error of the database or of its driver.
#[derive(Debug)]
pub struct DatabaseError(sqlx::Error);

impl Error {
    /// Returns whether the store was closed.
    pub fn is_closed(&self) -> bool {
        matches!(self, Error::Unavailable(_, DatabaseError(sqlx::Error::PoolClosed)))
    }

    /// Returns the reason why the database cannot be used, for people, with the remedy where it is known.
    pub fn reason(&self) -> String {
        match self {
            Error::Unavailable(_, error) | Error::Database(error) => reason(&error.0),
            Error::OutcomeUnknown(error) => describe_unknown_outcome(&reason(&error.0)),
            other => other.to_string(),
        }
    }

    /// Returns whether a statement named a missing table (PostgreSQL).
    pub(crate) fn is_missing_table(&self) -> bool {
        const UNDEFINED_TABLE: &str = "42P01";
        matches!(self, Error::Database(DatabaseError(sqlx::Error::Database(error)))
            if error.code().as_deref() == Some(UNDEFINED_TABLE))
    }
}

impl From<sqlx::Error> for DatabaseError {
    fn from(error: sqlx::Error) -> Self {
        DatabaseError(error)
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        match StoreErrorKind::classify(&error) {
            StoreErrorKind::Unavailable => Error::Unavailable(Unavailability::Unreachable, DatabaseError(error)),
            StoreErrorKind::Busy => Error::Unavailable(Unavailability::Busy, DatabaseError(error)),
            StoreErrorKind::Unwritable => Error::Unavailable(Unavailability::Full, DatabaseError(error)),
            StoreErrorKind::ScopeDeleted => Error::ScopeGone,
            StoreErrorKind::NulCharacter => Error::NulCharacter,
            StoreErrorKind::Other => Error::Database(DatabaseError(error)),
        }
    }
}

impl From<Vec<ValidationError>> for Error {
    fn from(rejections: Vec<ValidationError>) -> Self {
        Error::Refused(rejections.into_iter().map(ErrorObject::from).collect())
    }
}

impl From<getrandom::Error> for Error {
    fn from(error: getrandom::Error) -> Self {
        Error::Internal(error.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Refused(errors) | Error::PartlyRefused(errors, _) => {
                let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
                f.write_str(&messages.join("; "))
            }
            Error::NotFound(resource) => write!(f, "there is no {resource}"),
            Error::ScopeGone => f.write_str("the zone or the account no longer exists"),
            Error::Retired => f.write_str("the previous managed rules of the zone were removed"),
            Error::MigrationMoved(state) => write!(f, "the migration is now in the state {}", state.name()),
            Error::Stale(_) => f.write_str("it was changed in the meantime"),
            Error::NulCharacter => f.write_str("a string contains the character U+0000, which cannot be stored"),
            Error::Unavailable(_, error) | Error::Database(error) => error.fmt(f),
            Error::OutcomeUnknown(error) => f.write_str(&describe_unknown_outcome(&error.to_string())),
            Error::Internal(reason) => reason.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for DatabaseError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// An error of opening a data directory or its database.
#[derive(Debug)]
pub enum OpenError {
    /// Another process uses the data directory.
    InUse(PathBuf),
    /// A file or directory cannot be used.
    Path(PathBuf, std::io::Error),
    /// The database cannot be used.
    Database(Error),
    /// The system provides no random numbers.
    Random(getrandom::Error),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::InUse(path) => write!(f, "another service is using the data directory {}", path.display()),
            OpenError::Path(path, error) => {
                let remedy = DirectoryRemedy::from_error(error.kind()).map_or("", DirectoryRemedy::text);
                write!(f, "cannot use {}: {error}{remedy}", path.display())
            }
            OpenError::Database(error) => write!(f, "cannot use the database: {}", error.reason()),
            OpenError::Random(error) => write!(f, "cannot get random numbers from the system: {error}"),
        }
    }
}

impl std::error::Error for OpenError {}

impl OpenError {
    /// Returns whether the text ends with the advice to choose another directory. The caller may append how to do that.
    pub fn advises_another_directory(&self) -> bool {
        matches!(self, OpenError::Path(_, error) if matches!(
            DirectoryRemedy::from_error(error.kind()),
            Some(DirectoryRemedy::PermitOrChoose | DirectoryRemedy::Choose)
        ))
    }
}

impl From<Error> for OpenError {
    fn from(error: Error) -> Self {
        OpenError::Database(error)
    }
}

/// Returns the error of an item that does not exist in the zone. If the path of the request names the item, the path
/// itself does not exist, and the result is [`Error::NotFound`].
pub(crate) fn missing_item<T>(batch: &Batch<T>, index: usize, resource: Resource) -> Result<ErrorObject, Error> {
    if batch.has_path_id() {
        return Err(Error::NotFound(resource));
    }
    let message = format!("there is no {resource}");
    Ok(ErrorObject::new(error_code::NOT_FOUND, message).with_pointer(format!("{}/id", batch.pointer(index))))
}

/// The remedy for a file or directory that cannot be used.
#[derive(Clone, Copy)]
enum DirectoryRemedy {
    PermitOrChoose,
    Choose,
    FreeSpace,
}

impl DirectoryRemedy {
    /// Returns the remedy for an error, if there is one.
    fn from_error(kind: ErrorKind) -> Option<DirectoryRemedy> {
        match kind {
            ErrorKind::PermissionDenied => Some(DirectoryRemedy::PermitOrChoose),
            ErrorKind::ReadOnlyFilesystem | ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
                Some(DirectoryRemedy::Choose)
            }
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Some(DirectoryRemedy::FreeSpace),
            _ => None,
        }
    }

    /// Returns the end of the sentence about the error.
    fn text(self) -> &'static str {
        match self {
            DirectoryRemedy::PermitOrChoose => {
                "; give the user that runs zonewright write permission, or choose another directory"
            }
            DirectoryRemedy::Choose => "; choose a writable directory",
            DirectoryRemedy::FreeSpace => "; free some space on its disk",
        }
    }
}

/// Describes a commit whose outcome is unknown because of this error.
fn describe_unknown_outcome(error: &str) -> String {
    format!(
        "the connection was lost during the commit, so it is unknown whether the change was saved; check before you \
         retry: {error}"
    )
}

/// Returns the reason why the database cannot be used, for people.
fn reason(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Migrate(reason) => match &**reason {
            MigrateError::VersionMissing(version) | MigrateError::VersionNotPresent(version) => {
                format!("its schema version {version} is newer than this version of zonewright supports")
            }
            other => other.to_string(),
        },
        sqlx::Error::PoolTimedOut => "it does not respond".to_owned(),
        sqlx::Error::AnyDriverError(reason) if reason.is::<SchemaInUse>() || reason.is::<ConnectError>() => {
            reason.to_string()
        }
        sqlx::Error::Database(error) => {
            format!("{error}{}", sqlite_remedy(error.code().as_deref().unwrap_or_default()))
        }
        other => other.to_string(),
    }
}

/// Returns the remedy for an error code of SQLite, as the end of a sentence.
fn sqlite_remedy(code: &str) -> &'static str {
    match code.parse::<u32>().map(|code| code & 0xFF) {
        // SQLITE_READONLY, SQLITE_CANTOPEN
        Ok(8 | 14) if code.len() < 5 => {
            "; the file and its directory must be writable by the user that runs zonewright"
        }
        // SQLITE_IOERR, SQLITE_FULL
        Ok(10 | 13) if code.len() < 5 => "; check the free space on its disk",
        // SQLITE_CORRUPT, SQLITE_NOTADB
        Ok(11 | 26) if code.len() < 5 => "; restore a backup into an empty data directory",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_outcome_says_so_and_names_the_error() {
        let error = Error::OutcomeUnknown(sqlx::Error::WorkerCrashed.into());
        for text in [error.to_string(), error.reason()] {
            assert!(text.contains("unknown whether the change was saved; check before you retry"), "{text}");
            assert!(text.ends_with(&format!(": {}", sqlx::Error::WorkerCrashed)), "{text}");
        }
    }
}
