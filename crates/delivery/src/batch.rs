//! A batch: the lines of one job that are uploaded as one object, compressed while they are gathered.
//!
//! Start with [`Batch`]. [`Batch::take`] filters, renders and compresses the lines of a frame, and [`Batch::finish`]
//! turns the batch into a [`Parcel`], which is uploaded.
//!
//! Invariant: a batch with a planned end never contains a line at or after that position.

use crate::job_spec::JobSpec;
use crate::spool::{Cursor, Frame, Position};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::io::{self, Write};

/// The number of rendered bytes from which they are compressed.
const PIECE: usize = 64 << 10;

/// A batch that is being gathered.
pub(crate) struct Batch {
    packed: GzEncoder<Vec<u8>>,
    /// Rendered bytes that are not compressed yet. The last byte always stays here because
    /// [`Renderer::open`](zonewright_logpush::Renderer::open) and its counterparts may change it.
    rendered: Vec<u8>,
    /// The number of rendered bytes in total, before compression.
    bytes: u64,
    records: u64,
    /// Lines that the filter or the renderer could not read.
    unreadable: Unreadable,
    /// The arrival times of the first and the last line, in milliseconds since 1970. Lines that are not sent count too.
    span: Option<(u64, u64)>,
    /// The position of the first line.
    start: Position,
    /// The position after the last line.
    next: Position,
    /// The position where the batch must end, because an earlier attempt to send it was planned.
    planned_end: Option<Position>,
}

/// Lines that were skipped because the filter or the renderer cannot read them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unreadable {
    pub(crate) lines: u64,
    /// The error of the first such line, without any value of the line.
    pub(crate) reason: String,
}

/// A finished batch, ready for the upload.
pub(crate) struct Parcel {
    /// The rendered lines, compressed with gzip.
    pub(crate) body: Vec<u8>,
    /// The number of records in the body.
    pub(crate) records: u64,
    pub(crate) unreadable: Unreadable,
    /// The arrival time of the first line, in milliseconds since 1970.
    pub(crate) start: u64,
    /// The arrival time of the last line, in milliseconds since 1970.
    pub(crate) end: u64,
    /// The position of the first line.
    pub(crate) first: Position,
    /// The position after the last line. The cursor moves here once the batch is delivered.
    pub(crate) next: Position,
}

impl Batch {
    /// Creates an empty batch at a cursor. It ends at the cursor's planned end, or earlier if the job's limits are
    /// lower now.
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

    /// Returns whether the batch has read any line, even one that it does not send.
    pub(crate) fn has_lines(&self) -> bool {
        self.span.is_some()
    }

    /// Returns whether an earlier attempt to send the batch was planned. Neither time nor new lines change its end
    /// then.
    pub(crate) fn is_repeated(&self) -> bool {
        self.planned_end.is_some()
    }

    /// Returns the position after the last line that was read.
    pub(crate) fn next(&self) -> Position {
        self.next
    }

    /// Adds the lines of a frame. Returns false if the batch is full; the remaining lines belong to the next batch.
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

    /// Returns whether the line at this position belongs to the next batch.
    fn is_complete(&self, at: Position, spec: &JobSpec) -> bool {
        self.records >= spec.records || self.planned_end.is_some_and(|end| at >= end)
    }

    /// Adds a record, or counts the line as unreadable. Returns false if the record would exceed the size of the batch.
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

    /// Compresses all rendered bytes except the last `waiting` ones.
    fn pack(&mut self, waiting: usize) -> io::Result<()> {
        let ready = self.rendered.len().saturating_sub(waiting);
        self.packed.write_all(self.rendered.get(..ready).unwrap_or_default())?;
        self.rendered.drain(..ready);
        Ok(())
    }

    /// Completes and compresses the batch.
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
    /// Computes the hash for the name of the object. It distinguishes the object from those of other jobs, data
    /// directories and batches. A batch that is sent again has the same hash, so it replaces the first object.
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
