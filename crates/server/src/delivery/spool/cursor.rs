//! Where a job reads on: a small file for each.

use crate::app::private;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A place in a spool. Later places compare greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    /// Number of the segment, from 1.
    pub(crate) segment: u64,
    /// Bytes before the frame.
    pub(crate) offset: u64,
    /// Lines of the frame that are done.
    pub(crate) line: u32,
}

impl Position {
    /// The beginning of a frame.
    pub(crate) fn at(segment: u64, offset: u64) -> Position {
        Position { segment, offset, line: 0 }
    }
}

fn path(folder: &Path, job: u64) -> PathBuf {
    folder.join(format!("job-{job}"))
}

/// Replaces the file as a whole; after a crash it has the old place or the new one.
pub(super) fn write(folder: &Path, job: u64, at: Position) -> io::Result<()> {
    let path = path(folder, job);
    let text = text(at);
    match replace(folder, &path, &text) {
        // The lines that were delivered are what fills the disk, perhaps, and go when this is written.
        Err(error) if is_full(&error) => overwrite(&path, &text).map_err(|_| error),
        outcome => outcome,
    }
}

fn text(at: Position) -> String {
    format!("{} {} {}\n", at.segment, at.offset, at.line)
}

fn replace(folder: &Path, path: &Path, text: &str) -> io::Result<()> {
    let new = path.with_extension("new");
    let mut file = private().create(true).truncate(true).open(&new)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    if written.is_err() {
        let _ = std::fs::remove_file(&new);
        return written;
    }
    std::fs::rename(&new, path)?;
    File::open(folder)?.sync_all()
}

/// Writes into the file that is there, which has room for it. A crash may leave it damaged: then the job starts with
/// the oldest lines.
fn overwrite(path: &Path, text: &str) -> io::Result<()> {
    let mut file = private().open(path)?;
    file.write_all(text.as_bytes())?;
    file.set_len(text.len() as u64)?;
    file.sync_all()
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

pub(super) fn remove(folder: &Path, job: u64) -> io::Result<()> {
    match std::fs::remove_file(path(folder, job)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// All of a folder. One that cannot be read starts at the beginning: a line twice is better than none.
pub(super) fn read_all(folder: &Path) -> io::Result<BTreeMap<u64, Position>> {
    let mut cursors = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let job = name.to_str().and_then(|name| name.strip_prefix("job-")).and_then(|number| number.parse().ok());
        let Some(job) = job else { continue };
        let text = std::fs::read_to_string(entry.path())?;
        if parse(&text).is_none() {
            tracing::error!("{} is damaged: the job starts with the oldest lines", entry.path().display());
        }
        cursors.insert(job, parse(&text).unwrap_or_default());
    }
    Ok(cursors)
}

fn parse(text: &str) -> Option<Position> {
    let mut numbers = text.strip_suffix('\n')?.split(' ');
    let segment = numbers.next()?.parse().ok()?;
    let offset = numbers.next()?.parse().ok()?;
    let line = numbers.next()?.parse().ok()?;
    Some(Position { segment, offset, line })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_written_over_a_longer_and_a_shorter_one() {
        let folder = tempfile::tempdir().unwrap();
        let places = [(9, 123_456, 7), (9, 5, 0), (10, 99_999_999, 1)];
        for (segment, offset, line) in places {
            let at = Position { segment, offset, line };
            let file = path(folder.path(), 3);
            if file.exists() {
                overwrite(&file, &text(at)).unwrap();
            } else {
                write(folder.path(), 3, at).unwrap();
            }
            assert_eq!(read_all(folder.path()).unwrap().get(&3), Some(&at));
        }
        assert!(overwrite(&path(folder.path(), 4), "1 2 3\n").is_err(), "a new one is made whole or not at all");
    }
}
