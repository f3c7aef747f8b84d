//! Segment files: their names, and the recovery after a crash.

use super::reader::read_frame;
use super::{Cursor, Position, cursor};
use crate::private_file::private_file_options;
use std::collections::BTreeMap;
use std::fs::{DirBuilder, File};
use std::io;
use std::path::{Path, PathBuf};

pub(super) fn path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:016}.lines"))
}

/// Creates a segment file with a durable name. An existing file of that name was never written to, because its creation
/// failed halfway. The file is opened for appending, so that no gap remains after a partial frame was cut off.
pub(super) fn create(folder: &Path, number: u64) -> io::Result<File> {
    let file = private_file_options().append(true).create(true).open(path(folder, number))?;
    file.set_len(0)?;
    File::open(folder)?.sync_all()?;
    Ok(file)
}

pub(super) fn remove(folder: &Path, number: u64) -> io::Result<()> {
    match std::fs::remove_file(path(folder, number)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Durably cuts a segment after this many bytes. A missing segment file needs no cut.
pub(super) fn truncate(folder: &Path, number: u64, bytes: u64) -> io::Result<()> {
    let file = match private_file_options().open(path(folder, number)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened?,
    };
    file.set_len(bytes)?;
    file.sync_all()
}

/// Creates a directory and its missing parents, accessible only by this user.
pub(super) fn create_private_dir_all(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)?;
    // The names become durable too, up to the data directory, which exists already.
    for folder in folder.ancestors().skip(1).take(3) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Returns the segments of a directory with their valid bytes, and the cursors. Cuts the last segment after its last
/// whole frame. Earlier segments were synced or cut before the next began.
pub(super) fn recover(folder: &Path) -> io::Result<(BTreeMap<u64, u64>, BTreeMap<u64, Cursor>)> {
    let mut segments = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_suffix(".lines")).and_then(|number| number.parse().ok());
        if let Some(number) = number {
            segments.insert(number, entry.metadata()?.len());
        }
    }
    if let Some((number, bytes)) = segments.iter_mut().next_back() {
        let valid = valid_bytes(&path(folder, *number), *number, *bytes)?;
        if valid < *bytes {
            tracing::warn!(
                "{}: removed an incomplete frame of {} bytes",
                path(folder, *number).display(),
                *bytes - valid
            );
            truncate(folder, *number, valid)?;
            *bytes = valid;
        }
    }
    Ok((segments, cursor::read_all(folder)?))
}

fn valid_bytes(path: &Path, number: u64, bytes: u64) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut at = Position::at(number, 0);
    while let Some(frame) = read_frame(&mut file, at, bytes)? {
        at = frame.next;
    }
    Ok(at.offset)
}
