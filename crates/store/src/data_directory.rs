//! The data directory of a process: its database file, its lock and its identity.

use crate::config::{Database, StoreConfig};
use crate::error::OpenError;
use crate::secret::new_id;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use zonewright_firewall::is_identifier;

/// The name of the database file in the data directory.
pub const DATABASE_FILE: &str = "zonewright.db";

/// Returns the path of the database file in the data directory. With SQLite, creates the file if it is missing.
pub fn ensure_database_file(data: &Path, storage: &StoreConfig) -> Result<PathBuf, OpenError> {
    let database = data.join(DATABASE_FILE);
    if matches!(storage.database, Database::Sqlite) {
        // SQLite would create a file that others can read. It gives the files next to this one the same mode.
        let created = private_file_options().create(true).open(&database);
        created.map_err(|error| OpenError::Path(database.clone(), error))?;
    }
    Ok(database)
}

/// Creates a directory that only this user can access, and returns its canonical path. An existing directory stays
/// unchanged.
pub fn create_private_directory(data: &Path) -> std::io::Result<PathBuf> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(data)?;
    data.canonicalize()
}

/// Returns options to open a file for writing. A file that they create is accessible only by this user.
pub fn private_file_options() -> OpenOptions {
    let mut options = File::options();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Locks the directory until the returned file is closed. Returns the file and the identity of the directory, which is
/// stored in the file. The first call creates both.
pub fn lock_data_directory(data: &Path) -> Result<(File, String), OpenError> {
    let path = data.join("lock");
    let unusable = |error| OpenError::Path(path.clone(), error);
    let mut file = private_file_options().read(true).create(true).open(&path).map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(OpenError::InUse(data.to_owned())),
        Err(TryLockError::Error(error)) => return Err(unusable(error)),
    }
    let mut identity = String::new();
    file.read_to_string(&mut identity).map_err(unusable)?;
    if !is_identifier(identity.trim()) {
        identity = new_id().map_err(OpenError::Random)?;
        file.set_len(0).and_then(|()| file.rewind()).and_then(|()| writeln!(file, "{identity}")).map_err(unusable)?;
        file.sync_all().map_err(unusable)?;
    }
    Ok((file, identity.trim().to_owned()))
}
