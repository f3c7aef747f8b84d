//! Maintenance of a database from the command line: backup, restore, check, repair, schema migration and the audit log.

use crate::audit::{AuditSearch, LogHead, LogReport};
use crate::backup::{BackupError, verify_backup};
use crate::check::Problem;
use crate::clock::to_micros_text;
use crate::config::{Database, StoreConfig, Timeouts};
use crate::data_directory::{DATABASE_FILE, create_private_directory, lock_data_directory, private_file_options};
use crate::error::{Error, OpenError};
use crate::page::Page;
use crate::principal::Actor;
use crate::secret::new_id;
use crate::store::Store;
use std::fmt;
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;
use zonewright_api::audit_log::AuditLog;

/// Writes all tables except leases to a new file that only this user can read. The file contains the key that the
/// service signs with, the secrets of log push destinations, and the digests of keys and tokens. The service may run
/// meanwhile. Undelivered log lines are not in the backup, but in the data directory.
///
/// Returns the number of rows. The error is for people. The file gets its name once it is complete. A file system
/// without hard links first reserves the name with an empty file, which a crash can leave.
pub async fn back_up(data: &Path, storage: &StoreConfig, file: &Path) -> Result<u64, String> {
    if file.symlink_metadata().is_ok() {
        return Err(format!("{} already exists", file.display()));
    }
    let store = connect_existing(data, storage).await?;
    let write_error = |error: std::io::Error| format!("cannot write {}: {error}", file.display());
    let id = new_id().map_err(|error| format!("cannot get random numbers from the system: {error}"))?;
    // The name is unique, so no other process writes or removes the file. After a crash it stays.
    let mut new = file.as_os_str().to_owned();
    new.push(format!(".{id}.new"));
    let new = PathBuf::from(new);
    let out = private_file_options().create_new(true).open(&new).map_err(write_error);
    let is_ours = out.is_ok();
    let written = match &out {
        Ok(out) => store.write_backup(BufWriter::new(out)).await.map_err(|error| error.to_string()),
        Err(error) => Err(error.clone()),
    };
    store.close().await;
    let linked = written.and_then(|rows| {
        out?.sync_all().and_then(|()| link_new_file(&new, file)).map_err(write_error)?;
        Ok(rows)
    });
    if linked.is_err() && is_ours {
        let _ = std::fs::remove_file(&new);
    }
    linked
}

/// Gives a file its final name durably, unless that name exists.
fn link_new_file(new: &Path, file: &Path) -> std::io::Result<()> {
    match std::fs::hard_link(new, file) {
        Ok(()) => std::fs::remove_file(new)?,
        Err(error) if HARD_LINK_UNSUPPORTED.contains(&error.kind()) => rename_new_file(new, file)?,
        Err(error) => return Err(error),
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// The errors of a file system that does not support hard links.
const HARD_LINK_UNSUPPORTED: [ErrorKind; 2] = [ErrorKind::Unsupported, ErrorKind::PermissionDenied];

/// Reserves the name with an empty file, and then replaces it.
fn rename_new_file(new: &Path, file: &Path) -> std::io::Result<()> {
    private_file_options().create_new(true).open(file)?;
    std::fs::rename(new, file).inspect_err(|_| {
        let _ = std::fs::remove_file(file);
    })
}

/// An error of a restore.
#[derive(Debug)]
pub enum RestoreError {
    /// The data directory cannot be used.
    Open(OpenError),
    /// The backup cannot be read, or the database cannot be filled; the text is for people.
    Failed(String),
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RestoreError::Open(error) => error.fmt(f),
            RestoreError::Failed(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for RestoreError {}

impl From<OpenError> for RestoreError {
    fn from(error: OpenError) -> Self {
        RestoreError::Open(error)
    }
}

impl From<String> for RestoreError {
    fn from(reason: String) -> Self {
        RestoreError::Failed(reason)
    }
}

/// Fills an empty data directory or database with a backup, completely or not at all, and then migrates it to the
/// latest schema. Creates the data directory if it is missing. Returns the number of rows.
pub async fn restore(data: &Path, storage: &StoreConfig, file: &Path) -> Result<u64, RestoreError> {
    let open =
        || File::open(file).map(BufReader::new).map_err(|error| format!("cannot read {}: {error}", file.display()));
    let schema = verify_backup(open()?).map_err(|error| error.to_string())?;
    let unusable = |error: std::io::Error| OpenError::Path(data.to_owned(), error);
    let database = if matches!(storage.database, Database::Sqlite) {
        create_private_directory(data).map_err(unusable)?.join(DATABASE_FILE)
    } else {
        PathBuf::new()
    };
    // The lock is held until the restore ends.
    let mut _lock = None;
    if let Some(folder) = database.parent().filter(|_| !database.as_os_str().is_empty()) {
        _lock = Some(lock_data_directory(folder)?);
        private_file_options().create(true).open(&database).map_err(unusable)?;
    }
    let failed = |error: Error| BackupError::Database(error).to_string();
    let store = Store::open_at_version(&database, storage, Some(schema)).await.map_err(failed)?;
    let rows = store.restore(open()?).await.map_err(|error| error.to_string());
    store.close().await;
    let rows = rows?;
    // Migrates from the schema version of the backup to the latest.
    Store::open(&database, storage).await.map_err(failed)?.close().await;
    Ok(rows)
}

/// Returns all problems of a database. The service may run meanwhile. An error, for people, means that nothing could
/// be checked.
pub async fn check(data: &Path, storage: &StoreConfig) -> Result<Vec<Problem>, String> {
    let store = connect_existing(data, storage).await?;
    let problems = store.check().await;
    store.close().await;
    problems.map_err(|error| format!("cannot read the database: {}", error.reason()))
}

/// Corrects derived data: the counts of lists. Returns the number of lists with wrong counts. The service may run
/// meanwhile. The error is for people.
pub async fn repair(data: &Path, storage: &StoreConfig) -> Result<usize, String> {
    let store = open_current(data, storage).await?;
    let repaired = store.repair_counts(&Actor::command_line()).await;
    store.close().await;
    repaired.map_err(|error| format!("cannot repair the database: {}", error.reason()))
}

/// Verifies the audit log, and that it extends the `known` heads. The service may run meanwhile. An error, for people,
/// means that nothing could be verified.
pub async fn verify_audit_log(data: &Path, storage: &StoreConfig, known: &[LogHead]) -> Result<LogReport, String> {
    let store = open_current(data, storage).await?;
    let report = store.verify_log(known).await;
    store.close().await;
    report.map_err(|error| format!("cannot read the audit log: {}", error.reason()))
}

/// The conditions of a query of the audit log, named like the parameters of the API. Missing conditions match
/// everything.
#[derive(Clone, Debug, Default)]
pub struct LogQuery {
    /// The ID of one entry. Of the other conditions, only the zone applies then.
    pub id: Option<String>,
    /// The first time, inclusive: RFC 3339, or a date.
    pub since: Option<String>,
    /// The last time, exclusive: RFC 3339, or a date.
    pub before: Option<String>,
    /// The email address of the user who made the change.
    pub actor_email: Option<String>,
    /// The kind of object and the verb, such as `filter.create`.
    pub action_type: Option<String>,
    /// The name of a zone, or its ID, which also finds deleted zones.
    pub zone_name: Option<String>,
    /// Whether entries about users (`user.*`) are left out.
    pub hide_user_logs: bool,
    /// Whether the oldest entries come first.
    pub oldest_first: bool,
    /// The maximum number of entries.
    pub limit: u64,
}

/// Returns entries of the audit log of all accounts, zones and the service. The service may run meanwhile. The error is
/// for people.
pub async fn read_log(data: &Path, storage: &StoreConfig, query: LogQuery) -> Result<Vec<AuditLog>, String> {
    let time = |text: Option<String>| match text {
        None => Ok(String::new()),
        Some(text) => to_micros_text(&text)
            .ok_or_else(|| format!("`{text}` is not a time; write it as 2027-01-31 or 2027-01-31T12:00:00Z")),
    };
    let search = AuditSearch {
        account: None,
        zone: query.zone_name.unwrap_or_default().to_ascii_lowercase(),
        id: query.id.unwrap_or_default(),
        since: time(query.since)?,
        before: time(query.before)?,
        email: query.actor_email.unwrap_or_default(),
        action: query.action_type.unwrap_or_default(),
        hide_user_entries: query.hide_user_logs,
        oldest_first: query.oldest_first,
        include_large_objects: true,
    };
    let store = open_current(data, storage).await?;
    let entries = store.audit_entries(&search, Page::first(query.limit)).await;
    store.close().await;
    entries.map(|(entries, _)| entries).map_err(|error| format!("cannot read the audit log: {}", error.reason()))
}

/// Migrates a database server to the latest schema, without inserting contents.
pub async fn migrate_schema(config: &StoreConfig) -> Result<(), OpenError> {
    Store::open(Path::new(""), config).await?.close().await;
    Ok(())
}

/// Does the same as [`connect_existing`], but requires a database that is not empty and has the latest schema.
async fn open_current(data: &Path, storage: &StoreConfig) -> Result<Store, String> {
    let store = connect_existing(data, storage).await?;
    match store.is_empty().await {
        Ok(false) => Ok(store),
        Ok(true) => {
            store.close().await;
            Err("the database is empty".to_owned())
        }
        Err(error) => {
            store.close().await;
            Err(format!("cannot use the database: {}", error.reason()))
        }
    }
}

/// The timeout of statements that read a whole table: the maximum of PostgreSQL, 24 days.
const MAX_STATEMENT_TIMEOUT: Duration = Duration::from_millis(i32::MAX as u64);

/// Connects to an existing database without migrating it, with a timeout for long statements.
async fn connect_existing(data: &Path, storage: &StoreConfig) -> Result<Store, String> {
    let file = data.canonicalize().unwrap_or_else(|_| data.to_owned()).join(DATABASE_FILE);
    if matches!(storage.database, Database::Sqlite) && !file.exists() {
        return Err(format!("there is no database in {}", data.display()));
    }
    let timeouts = Timeouts { statement_timeout: MAX_STATEMENT_TIMEOUT, ..storage.timeouts.clone() };
    let storage = StoreConfig { database: storage.database.clone(), timeouts };
    Store::connect(&file, &storage).await.map_err(|error| format!("cannot use the database: {}", error.reason()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{read_to_string, write};

    #[test]
    fn new_file_gets_its_name_completely_or_not_at_all() {
        type Link = fn(&Path, &Path) -> std::io::Result<()>;
        for link in [link_new_file as Link, rename_new_file] {
            let folder = tempfile::TempDir::new().unwrap();
            let (new, file) = (folder.path().join("new"), folder.path().join("file"));
            assert_eq!(link(&new, &file).unwrap_err().kind(), ErrorKind::NotFound);
            assert!(!file.exists());
            write(&new, "whole").unwrap();
            link(&new, &file).unwrap();
            assert!(!new.exists() && read_to_string(&file).unwrap() == "whole");
            write(&new, "later").unwrap();
            assert_eq!(link(&new, &file).unwrap_err().kind(), ErrorKind::AlreadyExists);
            assert!(new.exists() && read_to_string(&file).unwrap() == "whole");
        }
    }
}
