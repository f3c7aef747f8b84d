//! The folder that a process owns: its database file, its lock, and its identity.

use crate::config::{Database, StoreConfig};
use crate::error::OpenError;
use crate::secret::new_id;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use zonewright_firewall::is_identifier;

/// Name of the database file in the data folder.
pub const DATABASE_FILE: &str = "zonewright.db";

/// The path of the database in the data folder, which is made when it is missing.
pub fn make_database(data: &Path, storage: &StoreConfig) -> Result<PathBuf, OpenError> {
    let database = data.join(DATABASE_FILE);
    if matches!(storage.database, Database::Embedded) {
        // SQLite would let others read it; the files that it makes beside it get the same mode.
        let made = private_file().create(true).open(&database);
        made.map_err(|error| OpenError::Folder(database.clone(), error))?;
    }
    Ok(database)
}

/// Makes the folder for this user alone, one that exists is left as it is, and gives its full path.
pub fn make_folder(data: &Path) -> std::io::Result<PathBuf> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(data)?;
    data.canonicalize()
}

/// Options to write a file that, when it is made, is for this user alone.
pub fn private_file() -> OpenOptions {
    let mut options = File::options();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Locks the folder for as long as the file lives, and gives the identity of the folder, which is in that file.
pub fn lock(data: &Path) -> Result<(File, String), OpenError> {
    let path = data.join("lock");
    let unusable = |error| OpenError::Folder(path.clone(), error);
    let mut file = private_file().read(true).create(true).open(&path).map_err(unusable)?;
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
