//! Cursors: one small file for each job. It contains the position where the job resumes and, while a batch is being
//! sent, the planned end of that batch. The format is `segment offset line`, or six numbers with the planned end.

use crate::private_file::private_file_options;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A position in a spool. Later positions compare greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The number of the segment, from 1.
    pub(crate) segment: u64,
    /// The number of bytes in the segment before the frame.
    pub(crate) offset: u64,
    /// The number of lines of the frame that precede the position.
    pub(crate) line: u32,
}

impl Position {
    /// Returns the position of the start of a frame.
    pub(crate) fn at(segment: u64, offset: u64) -> Position {
        Position { segment, offset, line: 0 }
    }
}

/// The position where a job resumes, and the planned end of the batch that its destination may already have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// The position before which every line was delivered, dropped by the filter or the sample, or skipped as
    /// unreadable.
    pub(crate) start: Position,
    /// The end of the batch from `start` that is about to be sent; `None` before the first attempt.
    pub(crate) planned_end: Option<Position>,
}

impl Cursor {
    /// Creates a cursor without a planned batch.
    pub(crate) fn at(start: Position) -> Cursor {
        Cursor { start, planned_end: None }
    }

    /// Returns the furthest position that the cursor contains.
    pub(super) fn furthest(self) -> Position {
        self.planned_end.unwrap_or(self.start)
    }
}

fn path(folder: &Path, job: u64) -> PathBuf {
    folder.join(format!("job-{job}"))
}

/// Replaces the file atomically and durably. After a crash it has the old or the new cursor.
pub(super) fn replace(folder: &Path, job: u64, cursor: Cursor) -> io::Result<()> {
    replace_atomically(folder, &path(folder, job), &to_text(cursor))
}

/// Replaces the file atomically, or overwrites it if the disk is full. Only a cursor that moves forward is written this
/// way, because its move removes delivered lines and thereby frees space on the disk.
pub(super) fn replace_or_overwrite(folder: &Path, job: u64, cursor: Cursor) -> io::Result<()> {
    match replace(folder, job, cursor) {
        Err(error) if is_full(&error) => overwrite_in_place(&path(folder, job), &to_text(cursor)).map_err(|_| error),
        outcome => outcome,
    }
}

fn to_text(cursor: Cursor) -> String {
    let numbers = |at: Position| format!("{} {} {}", at.segment, at.offset, at.line);
    let planned = cursor.planned_end.map(|end| format!(" {}", numbers(end))).unwrap_or_default();
    format!("{}{planned}\n", numbers(cursor.start))
}

fn replace_atomically(folder: &Path, path: &Path, text: &str) -> io::Result<()> {
    let new = path.with_extension("new");
    let mut file = private_file_options().create(true).truncate(true).open(&new)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    if written.is_err() {
        let _ = std::fs::remove_file(&new);
        return written;
    }
    std::fs::rename(&new, path)?;
    File::open(folder)?.sync_all()
}

/// Overwrites the existing file, whose disk blocks are already allocated. A crash may leave it damaged; then the job
/// resumes at the oldest lines.
fn overwrite_in_place(path: &Path, text: &str) -> io::Result<()> {
    let mut file = private_file_options().open(path)?;
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

/// Reads all cursors in a directory. A damaged one becomes the start of the spool, because duplicates are better than
/// lost lines.
pub(super) fn read_all(folder: &Path) -> io::Result<BTreeMap<u64, Cursor>> {
    let mut cursors = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let job = name.to_str().and_then(|name| name.strip_prefix("job-")).and_then(|number| number.parse().ok());
        let Some(job) = job else { continue };
        let text = std::fs::read_to_string(entry.path())?;
        if parse(&text).is_none() {
            tracing::error!(
                "the cursor file {} is corrupt; the job restarts at the oldest line",
                entry.path().display()
            );
        }
        cursors.insert(job, parse(&text).unwrap_or_default());
    }
    Ok(cursors)
}

fn parse(text: &str) -> Option<Cursor> {
    let numbers: Vec<&str> = text.strip_suffix('\n')?.split(' ').collect();
    match numbers.as_slice() {
        [segment, offset, line] => Some(Cursor::at(parse_position(segment, offset, line)?)),
        [segment, offset, line, end_segment, end_offset, end_line] => Some(Cursor {
            start: parse_position(segment, offset, line)?,
            planned_end: Some(parse_position(end_segment, end_offset, end_line)?),
        }),
        _ => None,
    }
}

fn parse_position(segment: &str, offset: &str, line: &str) -> Option<Position> {
    Some(Position { segment: segment.parse().ok()?, offset: offset.parse().ok()?, line: line.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursor_overwrites_longer_and_shorter_contents() {
        let folder = tempfile::tempdir().unwrap();
        let position = |(segment, offset, line)| Position { segment, offset, line };
        let cursors = [
            ((9, 123_456, 7), None),
            ((9, 123_456, 7), Some((9, 200_000, 0))),
            ((9, 200_000, 0), None),
            ((10, 99_999_999, 1), Some((11, 5, 2))),
        ];
        for (start, end) in cursors {
            let cursor = Cursor { start: position(start), planned_end: end.map(position) };
            let file = path(folder.path(), 3);
            if file.exists() {
                overwrite_in_place(&file, &to_text(cursor)).unwrap();
            } else {
                replace(folder.path(), 3, cursor).unwrap();
            }
            assert_eq!(read_all(folder.path()).unwrap().get(&3), Some(&cursor));
        }
        assert!(overwrite_in_place(&path(folder.path(), 4), "1 2 3\n").is_err(), "a missing file is not created");
    }

    #[test]
    fn cursor_file_is_read_with_and_without_a_planned_end() {
        let start = Position { segment: 3, offset: 40, line: 2 };
        assert_eq!(parse("3 40 2\n"), Some(Cursor::at(start)));
        let end = Position { segment: 4, offset: 0, line: 0 };
        assert_eq!(parse("3 40 2 4 0 0\n"), Some(Cursor { start, planned_end: Some(end) }));
    }

    #[test]
    fn damaged_cursor_text_is_not_parsed() {
        for damaged in ["", "\n", "3 40 2", "3 40\n", "3 40 2 4\n", "3 40 2 4 0\n", "3 40 2\n 4 0 0\n", "3 40 x\n"] {
            assert_eq!(parse(damaged), None, "{damaged:?}");
        }
    }
}
