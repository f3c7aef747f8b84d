//! The spool: a queue on disk of the undelivered lines of one owner and one dataset.
//!
//! Start with [`Spool`]. Lines are appended in frames (`spool/frame.rs`) to numbered segment files. Each job resumes at
//! its [`Cursor`], a small file that is replaced as a whole. A segment that every cursor has passed is removed.
//! Concurrent requests share one `fsync`.
//!
//! Durability:
//!
//! - Appended lines are durable, and visible to readers, once [`Spool::commit`] returns.
//! - Frames that were given up after a failed sync are cut off, durably before the next frame is written.
//! - The end of a batch is durable before the batch is sent, unless the disk rejects it ([`Spool::plan_batch`]).
//! - The cursor moves past a batch after the destination accepted it ([`Spool::advance`]).
//!
//! Ownership: one mutex guards the state, another serializes the fsyncs of [`Spool::commit`]. All methods that touch
//! the disk block and are not cancelable; async code calls them on blocking threads.

mod cursor;
mod frame;
mod reader;
mod segments;

pub(crate) use cursor::Cursor;
pub use cursor::Position;
pub use frame::FrameBuilder;
pub(crate) use reader::{Frame, SpoolReader};

use segments::{create_private_dir_all, recover};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// The budget of bytes that all spools share.
#[derive(Debug)]
pub(crate) struct SpoolUsage {
    used_bytes: AtomicU64,
    max_bytes: u64,
}

impl SpoolUsage {
    pub(crate) fn new(max_bytes: u64) -> SpoolUsage {
        SpoolUsage { used_bytes: AtomicU64::new(0), max_bytes }
    }

    /// Returns the number of bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        self.used_bytes.load(Ordering::Relaxed)
    }

    /// Returns whether this many more bytes fit into the budget.
    pub(crate) fn has_capacity(&self, bytes: u64) -> bool {
        self.used_bytes.load(Ordering::Relaxed).saturating_add(bytes) <= self.max_bytes
    }

    fn try_reserve(&self, bytes: u64) -> bool {
        let add = |used: u64| used.checked_add(bytes).filter(|used| *used <= self.max_bytes);
        self.used_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).is_ok()
    }

    /// Counts the bytes that exist at startup, even beyond the budget.
    fn count_existing(&self, bytes: u64) {
        self.used_bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    fn release(&self, bytes: u64) {
        let subtract = |used: u64| Some(used.saturating_sub(bytes));
        let _ = self.used_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, subtract);
    }
}

impl State {
    /// Returns an error if a failed sync may have lost the frame that ends at `target`.
    fn check_not_lost(&self, target: Position) -> io::Result<()> {
        let lost = self.lost_ranges.iter().any(|(after, upto)| target > *after && target <= *upto);
        if lost { Err(io::Error::other("an earlier write to the disk failed")) } else { Ok(()) }
    }
}

/// The outcome of appending a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppendOutcome {
    /// The frame was written. It is durable once this position is committed.
    Appended(Position),
    /// No job reads this spool.
    NoReaders,
    /// The budget of the spools is exhausted.
    Full,
}

/// A queue of the lines of one owner and one dataset. Its methods block.
pub struct Spool {
    folder: PathBuf,
    usage: Arc<SpoolUsage>,
    /// The size at which a segment ends, in bytes.
    segment_bytes: u64,
    state: Mutex<State>,
    /// The lock of the caller that runs `fsync` for all waiting callers.
    sync_lock: Mutex<()>,
    /// The position up to which lines are durable; readers stop there.
    durable_end: watch::Sender<Position>,
}

struct State {
    /// The number of valid bytes of each segment.
    segments: BTreeMap<u64, u64>,
    /// The last segment, if it may still be appended to.
    open: Option<Arc<File>>,
    /// The position after the last frame.
    append_position: Position,
    /// The cursor of each job, as in its file. Only a planned end that the disk rejected is missing there.
    cursors: BTreeMap<u64, Cursor>,
    /// Ranges of frames that failed syncs may have lost: after the first position, up to and including the second.
    lost_ranges: Vec<(Position, Position)>,
    /// Segments whose lost or partial frames are not cut off durably. While there are any, no segment is created.
    uncut_segments: BTreeSet<u64>,
}

impl Spool {
    /// Opens or creates the spool in a directory. Cuts off a torn frame that a crash left at the end.
    pub(crate) fn open(folder: PathBuf, usage: Arc<SpoolUsage>) -> io::Result<Spool> {
        create_private_dir_all(&folder)?;
        let (segments, cursors) = recover(&folder)?;
        usage.count_existing(segments.values().sum());
        let last = segments.last_key_value().map(|(segment, bytes)| Position::at(*segment, *bytes));
        let furthest = cursors.values().map(|cursor| Position { line: 0, ..cursor.furthest() }).max();
        // After a crash, a cursor may be ahead of the last frame. The frames in between are lost, and the number of
        // their segment must not be reused.
        let written = last.max(furthest).unwrap_or_default();
        let segment_bytes = (usage.max_bytes / 16).clamp(4096, 16 << 20);
        let state = State {
            segments,
            open: None,
            append_position: written,
            cursors,
            lost_ranges: Vec::new(),
            uncut_segments: BTreeSet::new(),
        };
        let durable_end = watch::Sender::new(written);
        Ok(Spool { folder, usage, segment_bytes, state: Mutex::new(state), sync_lock: Mutex::new(()), durable_end })
    }

    /// Returns a channel with the position up to which lines can be read.
    pub(crate) fn durable_end(&self) -> watch::Receiver<Position> {
        self.durable_end.subscribe()
    }

    /// Appends a frame whole or not at all. It is not durable before [`Spool::commit`].
    pub fn append(&self, frame: &[u8]) -> io::Result<AppendOutcome> {
        let mut state = self.state();
        if state.cursors.is_empty() {
            return Ok(AppendOutcome::NoReaders);
        }
        let bytes = frame.len() as u64;
        if !self.usage.try_reserve(bytes) {
            return Ok(AppendOutcome::Full);
        }
        let result = self.write(&mut state, frame);
        if result.is_err() {
            self.usage.release(bytes);
        }
        result.map(AppendOutcome::Appended)
    }

    fn write(&self, state: &mut State, frame: &[u8]) -> io::Result<Position> {
        let file = match &state.open {
            Some(file) => Arc::clone(file),
            None => {
                self.cut_lost_frames(state)?;
                let number = state.append_position.segment + 1;
                let file = Arc::new(segments::create(&self.folder, number)?);
                state.segments.insert(number, 0);
                state.append_position = Position::at(number, 0);
                state.open = Some(Arc::clone(&file));
                file
            }
        };
        if let Err(error) = (&*file).write_all(frame) {
            // Cuts off a partial frame. If that fails too, nothing may be appended to this segment, and no later sync
            // would include the frames in it that are not durable.
            if file.set_len(state.append_position.offset).is_err() {
                state.uncut_segments.insert(state.append_position.segment);
                self.mark_unsynced_as_lost(state);
            }
            return Err(error);
        }
        state.append_position.offset += frame.len() as u64;
        state.segments.insert(state.append_position.segment, state.append_position.offset);
        if state.append_position.offset >= self.segment_bytes {
            // If this fails, `commit` reports it to every caller that waits for these frames.
            match file.sync_data() {
                Ok(()) => state.open = None,
                Err(_) => self.mark_unsynced_as_lost(state),
            }
        }
        Ok(state.append_position)
    }

    /// Returns once everything before `target` is durable. One `fsync` serves all callers that wait for the lock.
    pub fn commit(&self, target: Position) -> io::Result<()> {
        let _sync_guard = self.sync_lock.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, written, lost_range_count) = {
            let state = self.state();
            state.check_not_lost(target)?;
            (state.open.clone(), state.append_position, state.lost_ranges.len())
        };
        if *self.durable_end.borrow() >= target {
            return Ok(());
        }
        let synced = file.map_or(Ok(()), |file| file.sync_data());
        let mut state = self.state();
        if let Err(error) = synced {
            self.mark_unsynced_as_lost(&mut state);
            return Err(error);
        }
        // A sync at the end of a segment may have failed meanwhile. The kernel reports such an error only once, so this
        // sync succeeded nevertheless.
        state.check_not_lost(target)?;
        if state.lost_ranges.len() == lost_range_count {
            self.durable_end.send_replace(written);
        }
        Ok(())
    }

    /// Gives up all frames that are not durable, because a failed sync leaves unknown contents on the disk. Their
    /// requests get an error and may send the lines again, so the frames are cut off their segments.
    fn mark_unsynced_as_lost(&self, state: &mut State) {
        let end = *self.durable_end.borrow();
        state.lost_ranges.push((end, state.append_position));
        state.open = None;
        for (number, bytes) in state.segments.range_mut(end.segment..) {
            let valid = if *number == end.segment { end.offset.min(*bytes) } else { 0 };
            if valid < *bytes {
                self.usage.release(*bytes - valid);
                *bytes = valid;
                state.uncut_segments.insert(*number);
            }
        }
        if let Err(error) = self.cut_lost_frames(state) {
            tracing::error!("{}: cannot cut off frames that were not synced: {error}", self.folder.display());
        }
    }

    /// Cuts off the lost frames durably. If the service ends before this succeeds, those frames that reached the disk
    /// are read after the restart.
    fn cut_lost_frames(&self, state: &mut State) -> io::Result<()> {
        while let Some(number) = state.uncut_segments.first().copied() {
            if let Some(valid) = state.segments.get(&number) {
                segments::truncate(&self.folder, number, *valid)?;
            }
            state.uncut_segments.remove(&number);
        }
        Ok(())
    }

    /// Creates the cursor of a new job at the end, durably, and returns the position where the job resumes. Earlier
    /// lines are not for a new job.
    pub(crate) fn attach_job(&self, job: u64) -> io::Result<Position> {
        let mut state = self.state();
        if let Some(cursor) = state.cursors.get(&job) {
            return Ok(cursor.start);
        }
        let start = state.append_position;
        cursor::replace(&self.folder, job, Cursor::at(start))?;
        state.cursors.insert(job, Cursor::at(start));
        Ok(start)
    }

    /// Returns the cursor of a job; `None` if the job was never attached or was detached.
    pub(crate) fn cursor(&self, job: u64) -> Option<Cursor> {
        self.state().cursors.get(&job).copied()
    }

    /// Discards the cursor of a job, and the segments that only this job had yet to read.
    pub(crate) fn detach_job(&self, job: u64) -> io::Result<()> {
        let mut state = self.state();
        if state.cursors.remove(&job).is_some() {
            cursor::remove(&self.folder, job)?;
        }
        self.remove_consumed_segments(&mut state)
    }

    /// Returns the jobs that read this spool.
    pub(crate) fn attached_jobs(&self) -> Vec<u64> {
        self.state().cursors.keys().copied().collect()
    }

    /// Durably saves the end of the batch that a job is about to send. After a crash, or with another worker, the batch
    /// from `start` has the same end, whatever has arrived since. A batch that does not begin at the cursor is not
    /// saved, because its job was detached and attached again and its worker is stopping.
    pub(crate) fn plan_batch(&self, job: u64, start: Position, end: Position) -> io::Result<()> {
        let mut state = self.state();
        let planned = Cursor { start, planned_end: Some(end) };
        match state.cursors.get_mut(&job) {
            // If the disk rejects it, the planned end still applies to the next worker of this process, which saves it
            // again.
            Some(cursor) if cursor.start == start => {
                *cursor = planned;
                cursor::replace(&self.folder, job, planned)
            }
            _ => Ok(()),
        }
    }

    /// Durably moves the cursor of a job to `to`. The cursor never moves backward: a stopping worker may call this
    /// after its job was detached and attached again.
    pub(crate) fn advance(&self, job: u64, to: Position) -> io::Result<()> {
        // The file is written under the lock, so that a job that is detached concurrently leaves no file behind.
        let mut state = self.state();
        let Some(cursor) = state.cursors.get_mut(&job) else { return Ok(()) };
        if to <= cursor.start {
            return Ok(());
        }
        cursor::replace_or_overwrite(&self.folder, job, Cursor::at(to))?;
        *cursor = Cursor::at(to);
        self.remove_consumed_segments(&mut state)
    }

    /// Removes the segments that every cursor has passed.
    fn remove_consumed_segments(&self, state: &mut State) -> io::Result<()> {
        let min_start = state.cursors.values().map(|cursor| cursor.start).min();
        let is_consumed = |number: u64, bytes: u64| {
            min_start.is_none_or(|min_start| {
                number < min_start.segment || (number == min_start.segment && bytes <= min_start.offset)
            })
        };
        let consumed: Vec<u64> = state
            .segments
            .iter()
            .filter(|(number, bytes)| is_consumed(**number, **bytes))
            .map(|(number, _)| *number)
            .collect();
        for number in consumed {
            if number == state.append_position.segment {
                if *self.durable_end.borrow() < state.append_position && min_start.is_some() {
                    continue;
                }
                state.open = None;
            }
            segments::remove(&self.folder, number)?;
            self.usage.release(state.segments.remove(&number).unwrap_or_default());
        }
        Ok(())
    }

    /// Returns the next readable position at or after `at`, and the number of valid, durable bytes of its segment.
    fn locate(&self, at: Position) -> Option<(Position, u64)> {
        let end = *self.durable_end.borrow();
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

/// Removes the directory of a spool without readers, if it exists.
pub(crate) fn remove(folder: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    // The directory of the owner is removed too if this was its last spool.
    let _ = folder.parent().map(std::fs::remove_dir);
    Ok(())
}

#[cfg(test)]
mod tests;
