//! The directory layout of the spools: `OWNER/DATASET` in the data directory's `spool`.

use super::SpoolKey;
use crate::job_source::OwnerKey;
use crate::spool::{Spool, SpoolUsage};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Opens every spool in the directory.
pub(super) fn open_spools(folder: &Path, usage: &Arc<SpoolUsage>) -> io::Result<BTreeMap<SpoolKey, Arc<Spool>>> {
    let mut spools = BTreeMap::new();
    for (owner, path) in subdirectories(folder)? {
        let Some(owner) = OwnerKey::from_folder(&owner) else { continue };
        // Removes the empty directory of an owner without jobs.
        if std::fs::remove_dir(&path).is_ok() {
            continue;
        }
        for (dataset, path) in subdirectories(&path)? {
            let spool = Spool::open(path, Arc::clone(usage))?;
            spools.insert((owner.clone(), dataset), Arc::new(spool));
        }
    }
    Ok(spools)
}

/// Returns the subdirectories with their names; empty if the directory does not exist.
fn subdirectories(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut folders = Vec::new();
    for entry in entries {
        let entry = entry?;
        if let (true, Ok(name)) = (entry.file_type()?.is_dir(), entry.file_name().into_string()) {
            folders.push((name, entry.path()));
        }
    }
    Ok(folders)
}
