//! Reads frames in order.

use super::frame::{FrameHeader, HEADER_BYTES};
use super::{Position, Spool};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

/// A frame: lines that were appended together.
pub(crate) struct Frame {
    /// The position of the frame, with the number of its lines that are already processed.
    pub(crate) at: Position,
    /// The position after the frame.
    pub(crate) next: Position,
    /// The arrival time of the lines, in milliseconds since 1970.
    pub(crate) millis: u64,
    /// The lines, each with its line feed.
    pub(crate) payload: Vec<u8>,
}

impl Frame {
    /// Returns the lines that are not processed yet, without line feeds.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let lines = self.payload.strip_suffix(b"\n").unwrap_or(&self.payload).split(|byte| *byte == b'\n');
        lines.skip(self.at.line as usize)
    }
}

/// A reader of a spool. It skips the rest of a segment after a damaged frame.
pub(crate) struct SpoolReader {
    spool: Arc<Spool>,
    at: Position,
    file: Option<(u64, File)>,
}

impl SpoolReader {
    pub(crate) fn new(spool: Arc<Spool>, at: Position) -> SpoolReader {
        SpoolReader { spool, at, file: None }
    }

    /// Returns the position of the next frame.
    #[cfg(test)]
    pub(crate) fn position(&self) -> Position {
        self.at
    }

    /// Continues at this position.
    pub(crate) fn seek(&mut self, at: Position) {
        self.at = at;
    }

    /// Returns the next frame; `None` if there is no durable frame yet.
    pub(crate) fn next(&mut self) -> io::Result<Option<Frame>> {
        while let Some((at, bytes)) = self.spool.locate(self.at) {
            self.at = at;
            if let Some(frame) = self.read_current_frame(bytes)? {
                self.at = frame.next;
                return Ok(Some(frame));
            }
            let path = self.spool.path(at.segment);
            tracing::error!("the segment {} is corrupt at byte {}; the rest of it is lost", path.display(), at.offset);
            self.at = Position::at(at.segment, bytes);
        }
        Ok(None)
    }

    /// Reads the frame at the current position in a segment with this many valid bytes; `None` if it is damaged.
    fn read_current_frame(&mut self, bytes: u64) -> io::Result<Option<Frame>> {
        let file = match &mut self.file {
            Some((segment, file)) if *segment == self.at.segment => file,
            other => &mut other.insert((self.at.segment, File::open(self.spool.path(self.at.segment))?)).1,
        };
        read_frame(file, self.at, bytes)
    }
}

/// Reads the frame at a position of a file with this many valid bytes; `None` if there is no valid frame.
pub(super) fn read_frame(file: &mut File, at: Position, bytes: u64) -> io::Result<Option<Frame>> {
    let remaining_bytes = bytes.saturating_sub(at.offset);
    if remaining_bytes < HEADER_BYTES as u64 {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(at.offset))?;
    let mut header = [0; HEADER_BYTES];
    file.read_exact(&mut header)?;
    let Some(header) = FrameHeader::from_bytes(&header)
        .filter(|header| u64::from(header.bytes) <= remaining_bytes - HEADER_BYTES as u64)
    else {
        return Ok(None);
    };
    let mut payload = vec![0; header.bytes as usize];
    file.read_exact(&mut payload)?;
    if header.checksum(&payload) != header.checksum {
        return Ok(None);
    }
    let next = Position::at(at.segment, at.offset + HEADER_BYTES as u64 + u64::from(header.bytes));
    Ok(Some(Frame { at, next, millis: header.millis, payload }))
}
