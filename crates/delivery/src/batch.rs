//! A batch: the lines of one job that are uploaded as one object, compressed while they are gathered.
//!
//! Start with [`Batch`]. [`Batch::push_frame`] filters, renders and compresses the lines of a frame, and
//! [`Batch::finish`] turns the batch into a [`SealedBatch`], which is uploaded.
//!
//! Invariant: a batch with a planned end never contains a line at or after that position.

use crate::job_spec::JobSpec;
use crate::spool::{Cursor, Frame, Position};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::io::{self, Write};

/// The number of pending rendered bytes that starts their compression.
const COMPRESS_CHUNK_BYTES: usize = 64 << 10;

/// A batch that is being gathered.
pub(crate) struct Batch {
    encoder: GzEncoder<Vec<u8>>,
    /// Rendered bytes that are not compressed yet. The last byte always stays here because
    /// [`Renderer::append_record`](zonewright_logpush::Renderer::append_record) may change it.
    pending: Vec<u8>,
    /// The number of rendered bytes in total, before compression.
    bytes: u64,
    records: u64,
    /// The lines that the filter or the renderer could not read.
    unreadable: SkippedLines,
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
pub(crate) struct SkippedLines {
    pub(crate) lines: u64,
    /// The error of the first such line, without any value of the line.
    pub(crate) reason: String,
}

/// A finished batch, ready for the upload.
pub(crate) struct SealedBatch {
    /// The rendered lines, compressed with gzip.
    pub(crate) body: Vec<u8>,
    /// The number of records in the body.
    pub(crate) records: u64,
    pub(crate) unreadable: SkippedLines,
    /// The arrival time of the first line, in milliseconds since 1970.
    pub(crate) first_received_ms: u64,
    /// The arrival time of the last line, in milliseconds since 1970.
    pub(crate) last_received_ms: u64,
    /// The position of the first line.
    pub(crate) start: Position,
    /// The position after the last line. The cursor moves here once the batch is delivered.
    pub(crate) next: Position,
}

impl Batch {
    /// Creates an empty batch at a cursor. It ends at the cursor's planned end, or earlier if the job's limits are
    /// lower now.
    pub(crate) fn new(cursor: Cursor) -> Batch {
        Batch {
            encoder: GzEncoder::new(Vec::new(), Compression::new(5)),
            pending: Vec::new(),
            bytes: 0,
            records: 0,
            unreadable: SkippedLines::default(),
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

    /// Returns whether an earlier attempt to send the batch was planned. Then neither time nor new lines change its
    /// end.
    pub(crate) fn is_replay(&self) -> bool {
        self.planned_end.is_some()
    }

    /// Returns the position after the last line that was read.
    pub(crate) fn next(&self) -> Position {
        self.next
    }

    /// Adds the lines of a frame. Returns false if the batch is full; the remaining lines belong to the next batch.
    pub(crate) fn push_frame(&mut self, frame: &Frame, spec: &JobSpec) -> io::Result<bool> {
        let mut at = frame.at;
        for line in frame.lines() {
            if self.is_full_at(at, spec) {
                return Ok(false);
            }
            match spec.matches(line, at) {
                Ok(true) => {
                    if !self.add(line, spec)? {
                        return Ok(false);
                    }
                }
                Ok(false) => {}
                Err(error) => self.record_skipped(&error),
            }
            at.line += 1;
            self.next = at;
            let first = self.span.map_or(frame.millis, |(first, _)| first);
            self.span = Some((first, frame.millis));
        }
        self.next = frame.next;
        Ok(!self.is_full_at(self.next, spec))
    }

    /// Returns whether the line at this position belongs to the next batch.
    fn is_full_at(&self, at: Position, spec: &JobSpec) -> bool {
        self.records >= spec.max_batch_records || self.planned_end.is_some_and(|end| at >= end)
    }

    /// Adds a record, or counts the line as unreadable. Returns false if the record would exceed the size of the batch.
    fn add(&mut self, line: &[u8], spec: &JobSpec) -> io::Result<bool> {
        let (length, last_byte) = (self.pending.len(), self.pending.last().copied());
        if let Err(error) = spec.renderer.append_record(line, self.records == 0, &mut self.pending) {
            self.record_skipped(&error);
            return Ok(true);
        }
        let added = (self.pending.len() - length) as u64;
        if self.records > 0 && self.bytes + added > spec.max_batch_bytes {
            self.pending.truncate(length);
            if let (Some(byte), Some(last_byte)) = (self.pending.last_mut(), last_byte) {
                *byte = last_byte;
            }
            return Ok(false);
        }
        self.records += 1;
        self.bytes += added;
        if self.pending.len() > COMPRESS_CHUNK_BYTES {
            self.compress_pending(1)?;
        }
        Ok(true)
    }

    fn record_skipped(&mut self, error: &zonewright_logpush::LineError) {
        if self.unreadable.lines == 0 {
            self.unreadable.reason = error.to_string();
        }
        self.unreadable.lines += 1;
    }

    /// Compresses all rendered bytes except the last `retained_bytes`.
    fn compress_pending(&mut self, retained_bytes: usize) -> io::Result<()> {
        let ready = self.pending.len().saturating_sub(retained_bytes);
        self.encoder.write_all(self.pending.get(..ready).unwrap_or_default())?;
        self.pending.drain(..ready);
        Ok(())
    }

    /// Completes the batch, and compresses the rest of it.
    pub(crate) fn finish(mut self, spec: &JobSpec) -> io::Result<SealedBatch> {
        let (first_received_ms, last_received_ms) = self.span.unwrap_or_default();
        let (records, start, next) = (self.records, self.start, self.next);
        spec.renderer.finish_batch(records > 0, &mut self.pending);
        self.compress_pending(0)?;
        Ok(SealedBatch {
            body: self.encoder.finish()?,
            records,
            unreadable: self.unreadable,
            first_received_ms,
            last_received_ms,
            start,
            next,
        })
    }
}

impl SealedBatch {
    /// Computes the hash for the name of the object. It distinguishes the object from those of other jobs, data
    /// directories and batches. A batch that is sent again has the same hash, so it replaces the first object.
    pub(crate) fn object_id(&self, job: u64, identity: &str) -> String {
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
