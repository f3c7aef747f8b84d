//! Lines that wait for their delivery, of one owner and one dataset.
//!
//! Lines are appended to numbered segment files, in frames (`spool/frame.rs`). Each job resumes at a cursor of its
//! own, a small file that is replaced as a whole. The end of a batch is durable in it before the batch is sent
//! ([`Spool::plan_batch`]), and the cursor moves past the batch after the destination took it ([`Spool::advance`]). A
//! segment that every cursor has passed is removed. Appended lines count once [`Spool::commit`] says so; concurrent
//! requests share one `fsync`.

mod cursor;
mod frame;
mod reader;
mod segments;

pub(crate) use cursor::Cursor;
pub use cursor::Position;
pub use frame::FrameBuilder;
pub(crate) use reader::{Frame, Reader};

use segments::{make_private_folder, recover};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// Bytes that all spools take together.
#[derive(Debug)]
pub(crate) struct Usage {
    used: AtomicU64,
    most: u64,
}

impl Usage {
    pub(crate) fn new(most: u64) -> Usage {
        Usage { used: AtomicU64::new(0), most }
    }

    /// Bytes that are taken.
    pub(crate) fn bytes(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Whether this many bytes more would fit.
    pub(crate) fn has_room(&self, bytes: u64) -> bool {
        self.used.load(Ordering::Relaxed).saturating_add(bytes) <= self.most
    }

    fn take(&self, bytes: u64) -> bool {
        let with = |used: u64| used.checked_add(bytes).filter(|used| *used <= self.most);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, with).is_ok()
    }

    /// Counts what was there at the start, over the bound too.
    fn found(&self, bytes: u64) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
    }

    fn give_back(&self, bytes: u64) {
        let without = |used: u64| Some(used.saturating_sub(bytes));
        let _ = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, without);
    }
}

impl State {
    /// Fails when a failed sync may have lost the frame that ends here.
    fn found(&self, target: Position) -> io::Result<()> {
        let lost = self.lost.iter().any(|(after, upto)| target > *after && target <= *upto);
        if lost { Err(io::Error::other("writing to the disk failed")) } else { Ok(()) }
    }
}

/// What became of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// It is kept as soon as this is committed.
    At(Position),
    /// No job wants it.
    Unwanted,
    /// There is no room.
    Full,
}

/// Lines of one owner and one dataset. Everything here blocks.
pub struct Spool {
    folder: PathBuf,
    usage: Arc<Usage>,
    /// How long segments get.
    segment_bytes: u64,
    state: Mutex<State>,
    /// Held by the one who syncs for all.
    syncing: Mutex<()>,
    /// Up to where lines are on disk; readers read no further.
    end: watch::Sender<Position>,
}

struct State {
    /// Valid bytes of each segment.
    segments: BTreeMap<u64, u64>,
    /// The last one, when more may be written to it.
    open: Option<Arc<File>>,
    /// After the last frame.
    written: Position,
    /// Where each job resumes, as in its file. A planned end that the disk refused is only here.
    cursors: BTreeMap<u64, Cursor>,
    /// Frames that failed syncs may have lost: after the first, up to the second.
    lost: Vec<(Position, Position)>,
}

impl Spool {
    /// Opens a folder, making it when it is missing. The torn end that a crash left is cut off.
    pub(crate) fn open(folder: PathBuf, usage: Arc<Usage>) -> io::Result<Spool> {
        make_private_folder(&folder)?;
        let (segments, cursors) = recover(&folder)?;
        usage.found(segments.values().sum());
        let last = segments.last_key_value().map(|(segment, bytes)| Position::at(*segment, *bytes));
        let furthest = cursors.values().map(|cursor| Position { line: 0, ..cursor.furthest() }).max();
        // After a crash a cursor may be ahead of the frames: these were lost, and so is their number.
        let written = last.max(furthest).unwrap_or_default();
        let segment_bytes = (usage.most / 16).clamp(4096, 16 << 20);
        let state = State { segments, open: None, written, cursors, lost: Vec::new() };
        let end = watch::Sender::new(written);
        Ok(Spool { folder, usage, segment_bytes, state: Mutex::new(state), syncing: Mutex::new(()), end })
    }

    /// Up to where lines can be read.
    pub(crate) fn end(&self) -> watch::Receiver<Position> {
        self.end.subscribe()
    }

    /// Writes a frame whole or not at all.
    pub fn append(&self, frame: &[u8]) -> io::Result<Appended> {
        let mut state = self.state();
        if state.cursors.is_empty() {
            return Ok(Appended::Unwanted);
        }
        let bytes = frame.len() as u64;
        if !self.usage.take(bytes) {
            return Ok(Appended::Full);
        }
        let result = self.write(&mut state, frame);
        if result.is_err() {
            self.usage.give_back(bytes);
        }
        result.map(Appended::At)
    }

    fn write(&self, state: &mut State, frame: &[u8]) -> io::Result<Position> {
        let file = match &state.open {
            Some(file) => Arc::clone(file),
            None => {
                let number = state.written.segment + 1;
                let file = Arc::new(segments::create(&self.folder, number)?);
                state.segments.insert(number, 0);
                state.written = Position::at(number, 0);
                state.open = Some(Arc::clone(&file));
                file
            }
        };
        if let Err(error) = (&*file).write_all(frame) {
            // What was written of it is cut off; if that fails too, nothing may follow it.
            if file.set_len(state.written.offset).is_err() {
                state.open = None;
            }
            return Err(error);
        }
        state.written.offset += frame.len() as u64;
        state.segments.insert(state.written.segment, state.written.offset);
        if state.written.offset >= self.segment_bytes {
            // When that fails, `commit` says so to everyone who waits for it.
            match file.sync_data() {
                Ok(()) => state.open = None,
                Err(_) => self.forget(state),
            }
        }
        Ok(state.written)
    }

    /// Comes back when everything up to `target` is on disk.
    pub fn commit(&self, target: Position) -> io::Result<()> {
        let _one = self.syncing.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, written, failures) = {
            let state = self.state();
            state.found(target)?;
            (state.open.clone(), state.written, state.lost.len())
        };
        if *self.end.borrow() >= target {
            return Ok(());
        }
        let synced = file.map_or(Ok(()), |file| file.sync_data());
        let mut state = self.state();
        if let Err(error) = synced {
            self.forget(&mut state);
            return Err(error);
        }
        // A sync that failed meanwhile, where a segment ended, is told only once: ours went well all the same.
        state.found(target)?;
        if state.lost.len() == failures {
            self.end.send_replace(written);
        }
        Ok(())
    }

    /// Gives up what was not synced: nobody knows what the disk has of it.
    fn forget(&self, state: &mut State) {
        let end = *self.end.borrow();
        state.lost.push((end, state.written));
        state.open = None;
        let later = state.segments.split_off(&end.segment);
        for (number, bytes) in later {
            let valid = if number == end.segment { end.offset } else { 0 };
            self.usage.give_back(bytes.saturating_sub(valid));
            state.segments.insert(number, valid);
        }
    }

    /// Lets a job read, from here on when it is new. Lines that came before are not for it.
    pub(crate) fn admit(&self, job: u64) -> io::Result<Position> {
        let mut state = self.state();
        if let Some(cursor) = state.cursors.get(&job) {
            return Ok(cursor.start);
        }
        let start = state.written;
        cursor::replace(&self.folder, job, Cursor::at(start))?;
        state.cursors.insert(job, Cursor::at(start));
        Ok(start)
    }

    /// Where a job resumes; nothing when it is not let in, or was dismissed.
    pub(crate) fn cursor(&self, job: u64) -> Option<Cursor> {
        self.state().cursors.get(&job).copied()
    }

    /// Forgets a job, and what only it had still to read.
    pub(crate) fn dismiss(&self, job: u64) -> io::Result<()> {
        let mut state = self.state();
        if state.cursors.remove(&job).is_some() {
            cursor::remove(&self.folder, job)?;
        }
        self.trim(&mut state)
    }

    /// The jobs that read here.
    pub(crate) fn readers(&self) -> Vec<u64> {
        self.state().cursors.keys().copied().collect()
    }

    /// Saves durably where the batch ends that a job is about to send. After a crash, or when another worker takes over,
    /// the batch from `start` ends there again, whatever came in since. A batch that does not begin at the cursor is not
    /// saved: the job was dismissed and let in anew, and its worker is leaving.
    pub(crate) fn plan_batch(&self, job: u64, start: Position, end: Position) -> io::Result<()> {
        let mut state = self.state();
        let planned = Cursor { start, planned_end: Some(end) };
        match state.cursors.get_mut(&job) {
            // If the disk refuses it, it still holds for the next worker of this process, which saves it again.
            Some(cursor) if cursor.start == start => {
                *cursor = planned;
                cursor::replace(&self.folder, job, planned)
            }
            _ => Ok(()),
        }
    }

    /// Notes durably that a job is done with everything before `to`. It never goes back: a worker that leaves may come
    /// after its job was dismissed and let in anew.
    pub(crate) fn advance(&self, job: u64, to: Position) -> io::Result<()> {
        // The file is written under the lock: a job that was dismissed meanwhile leaves none behind.
        let mut state = self.state();
        let Some(cursor) = state.cursors.get_mut(&job) else { return Ok(()) };
        if to <= cursor.start {
            return Ok(());
        }
        cursor::replace_or_overwrite(&self.folder, job, Cursor::at(to))?;
        *cursor = Cursor::at(to);
        self.trim(&mut state)
    }

    /// Removes the segments that nobody reads any more.
    fn trim(&self, state: &mut State) -> io::Result<()> {
        let least = state.cursors.values().map(|cursor| cursor.start).min();
        let done = |number: u64, bytes: u64| {
            least.is_none_or(|least| number < least.segment || (number == least.segment && bytes <= least.offset))
        };
        let passed: Vec<u64> = state
            .segments
            .iter()
            .filter(|(number, bytes)| done(**number, **bytes))
            .map(|(number, _)| *number)
            .collect();
        for number in passed {
            if number == state.written.segment {
                if *self.end.borrow() < state.written && least.is_some() {
                    continue;
                }
                state.open = None;
            }
            segments::remove(&self.folder, number)?;
            self.usage.give_back(state.segments.remove(&number).unwrap_or_default());
        }
        Ok(())
    }

    /// Where to read at or after `at`: the position, and the valid bytes of its segment.
    fn place(&self, at: Position) -> Option<(Position, u64)> {
        let end = *self.end.borrow();
        let state = self.state();
        let (segment, bytes) = state.segments.range(at.segment..).find(|(segment, bytes)| {
            let bytes = if **segment == end.segment { end.offset.min(**bytes) } else { **bytes };
            **segment <= end.segment && (**segment > at.segment || at.offset < bytes) && bytes > 0
        })?;
        let bytes = if *segment == end.segment { end.offset.min(*bytes) } else { *bytes };
        let at = if *segment == at.segment { at } else { Position::at(*segment, 0) };
        Some((at, bytes))
    }

    fn path(&self, segment: u64) -> PathBuf {
        segments::path(&self.folder, segment)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes a spool that nobody reads.
pub(crate) fn remove(folder: &Path) -> io::Result<()> {
    std::fs::remove_dir_all(folder)?;
    // That of the owner, when it was the last one.
    let _ = folder.parent().map(std::fs::remove_dir);
    Ok(())
}

#[cfg(test)]
mod tests;
