//! The lines of a job that go out together, packed while they come.

use crate::job_spec::JobSpec;
use crate::spool::{Cursor, Frame, Position};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::io::{self, Write};

/// Rendered bytes that are packed at a time.
const PIECE: usize = 64 << 10;

/// A batch.
pub(crate) struct Batch {
    packed: GzEncoder<Vec<u8>>,
    /// Rendered and not packed yet. The last byte always waits: what follows may change it
    /// ([`Renderer::open`](zonewright_logpush::Renderer::open)).
    rendered: Vec<u8>,
    /// Rendered in all.
    bytes: u64,
    records: u64,
    /// Lines that could not be judged or rendered.
    unreadable: Unreadable,
    /// When the first and the last line came in, also of those that are not sent: milliseconds since 1970.
    span: Option<(u64, u64)>,
    /// Before the first line.
    start: Position,
    /// After the last line.
    next: Position,
    /// Where the batch has to end, because an attempt to send it was planned before.
    planned_end: Option<Position>,
}

/// Lines that were left out, as the filter or the output cannot read them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unreadable {
    pub(crate) lines: u64,
    /// What is wrong with the first; it shows nothing of the line's values.
    pub(crate) reason: String,
}

/// A batch as it goes out.
pub(crate) struct Parcel {
    /// Gzip.
    pub(crate) body: Vec<u8>,
    /// Records in it.
    pub(crate) records: u64,
    pub(crate) unreadable: Unreadable,
    /// When the first line came in: milliseconds since 1970.
    pub(crate) start: u64,
    /// When the last line came in.
    pub(crate) end: u64,
    /// Where the batch begins in the spool.
    pub(crate) first: Position,
    /// Lines before it are done when it was delivered.
    pub(crate) next: Position,
}

impl Batch {
    /// An empty batch from a cursor on. It ends at the planned end, or before it where the job may send less by now.
    pub(crate) fn new(cursor: Cursor) -> Batch {
        let packed = GzEncoder::new(Vec::new(), Compression::new(5));
        Batch {
            packed,
            rendered: Vec::new(),
            bytes: 0,
            records: 0,
            unreadable: Unreadable::default(),
            span: None,
            start: cursor.start,
            next: cursor.start,
            planned_end: cursor.planned_end,
        }
    }

    /// Whether it has gone past any line.
    pub(crate) fn has_lines(&self) -> bool {
        self.span.is_some()
    }

    /// Whether it was sent before, or was about to be: neither time nor new lines change its end.
    pub(crate) fn is_repeated(&self) -> bool {
        self.planned_end.is_some()
    }

    /// After the last line that it has taken or left.
    pub(crate) fn next(&self) -> Position {
        self.next
    }

    /// Takes the lines of a frame. False when it is full; the rest of the frame is for the next one.
    pub(crate) fn take(&mut self, frame: &Frame, spec: &JobSpec) -> io::Result<bool> {
        let mut at = frame.at;
        for line in frame.lines() {
            if self.is_complete(at, spec) {
                return Ok(false);
            }
            match spec.keeps(line, at) {
                Ok(true) => {
                    if !self.add(line, spec)? {
                        return Ok(false);
                    }
                }
                Ok(false) => {}
                Err(error) => self.unreadable(&error),
            }
            at.line += 1;
            self.next = at;
            let first = self.span.map_or(frame.millis, |(first, _)| first);
            self.span = Some((first, frame.millis));
        }
        self.next = frame.next;
        Ok(!self.is_complete(self.next, spec))
    }

    /// Whether the line at this position belongs to the next batch.
    fn is_complete(&self, at: Position, spec: &JobSpec) -> bool {
        self.records >= spec.records || self.planned_end.is_some_and(|end| at >= end)
    }

    /// Adds a record. False when there is no room for it.
    fn add(&mut self, line: &[u8], spec: &JobSpec) -> io::Result<bool> {
        let (before, last) = (self.rendered.len(), self.rendered.last().copied());
        if self.records == 0 {
            spec.renderer.open(&mut self.rendered);
        } else {
            spec.renderer.between(&mut self.rendered);
        }
        let result = spec.renderer.record(line, &mut self.rendered);
        let added = (self.rendered.len() - before) as u64;
        let too_much = self.records > 0 && self.bytes + added > spec.bytes;
        if too_much || result.is_err() {
            self.rendered.truncate(before);
            if let (Some(place), Some(last)) = (self.rendered.last_mut(), last) {
                *place = last;
            }
        }
        match result {
            _ if too_much => return Ok(false),
            Ok(()) => {
                self.records += 1;
                self.bytes += added;
            }
            Err(error) => self.unreadable(&error),
        }
        if self.rendered.len() > PIECE {
            self.pack(1)?;
        }
        Ok(true)
    }

    fn unreadable(&mut self, error: &zonewright_logpush::LineError) {
        if self.unreadable.lines == 0 {
            self.unreadable.reason = error.to_string();
        }
        self.unreadable.lines += 1;
    }

    /// Packs all but the last bytes.
    fn pack(&mut self, waiting: usize) -> io::Result<()> {
        let ready = self.rendered.len().saturating_sub(waiting);
        self.packed.write_all(self.rendered.get(..ready).unwrap_or_default())?;
        self.rendered.drain(..ready);
        Ok(())
    }

    /// What goes out.
    pub(crate) fn finish(mut self, spec: &JobSpec) -> io::Result<Parcel> {
        let (start, end) = self.span.unwrap_or_default();
        let (records, first, next) = (self.records, self.start, self.next);
        if records > 0 {
            spec.renderer.close(&mut self.rendered);
            self.pack(0)?;
        }
        Ok(Parcel { body: self.packed.finish()?, records, unreadable: self.unreadable, start, end, first, next })
    }
}

impl Parcel {
    /// Tells its object from those of other jobs, other data folders and other times: the same batch always has the same name, so
    /// that one that is sent again replaces the first.
    pub(crate) fn hash(&self, job: u64, identity: &str) -> String {
        let mut hasher = Sha256::new();
        hasher.update(identity);
        hasher.update(job.to_le_bytes());
        hasher.update(self.next.segment.to_le_bytes());
        hasher.update(self.next.offset.to_le_bytes());
        hasher.update(self.next.line.to_le_bytes());
        hasher.update(&self.body);
        hasher.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect()
    }
}
