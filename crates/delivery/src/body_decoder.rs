//! Decodes a body of log lines chunk by chunk: decompresses, splits and validates.
//!
//! Start with [`BodyDecoder`], which receives the chunks, and [`LineSplitter`], which collects the accepted lines in a
//! frame.
//!
//! Invariant: filters and renderers can parse every accepted line as JSON.

use crate::spool::FrameBuilder;
use flate2::write::MultiGzDecoder;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::fmt;
use std::io::{self, Write};

/// The maximum length of a line in bytes.
pub(crate) const MAX_LINE_BYTES: usize = 1 << 20;
/// The maximum nesting depth of a line, including its own object. Filters and renderers have the same limit.
const MAX_JSON_DEPTH: usize = 127;
/// The maximum number of rejected lines that are reported.
const MAX_REPORTED_LINES: usize = 20;
/// The maximum ratio of decompressed to received bytes. Logs are compressed ten to a hundred times.
const MAX_COMPRESSION_RATIO: u64 = 250;
/// The number of decompressed bytes below which the ratio is not checked.
const RATIO_CHECK_MIN_BYTES: u64 = 1 << 20;
/// The number of received bytes after which the limit of the compression ratio grows.
const DECOMPRESS_CHUNK_BYTES: usize = 4096;

/// A line that was rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedLine {
    /// The number of the line in the body, from 1.
    pub line: u64,
    /// The reason.
    pub reason: RejectionReason,
}

/// The reason why a line is not a valid log line. A log line is a JSON object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RejectionReason {
    /// The line is longer than 1 MiB.
    TooLong,
    /// The line begins with the signature of gzip, so the whole body is compressed.
    Gzip,
    /// The line is not UTF-8 after this many bytes.
    InvalidUtf8(usize),
    /// The line does not begin with a brace.
    NotAnObject,
    /// The line is not JSON; the error of the parser.
    InvalidJson(String),
}

impl fmt::Display for RejectionReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RejectionReason::TooLong => write!(f, "the line is longer than {MAX_LINE_BYTES} bytes"),
            RejectionReason::Gzip => f.write_str("the body is compressed with gzip"),
            RejectionReason::InvalidUtf8(bytes) => write!(f, "the line is not valid UTF-8 after byte {bytes}"),
            RejectionReason::NotAnObject => f.write_str("the line is not a JSON object"),
            RejectionReason::InvalidJson(error) => write!(f, "the line is not valid JSON: {error}"),
        }
    }
}

/// A reason to stop reading a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// The body is not valid gzip.
    InvalidGzip(String),
    /// The decompressed body exceeds the limit, which is in bytes.
    TooLarge(u64),
    /// The compression ratio is higher than that of any log.
    CompressionRatio,
}

/// A decoder of one body.
pub struct BodyDecoder {
    encoding: Encoding,
    received: u64,
}

enum Encoding {
    Plain(LineSplitter),
    Gzip(Box<MultiGzDecoder<LineSplitter>>),
}

impl BodyDecoder {
    /// Creates a decoder for a body of at most `max_bytes` decompressed bytes.
    pub fn new(is_gzip: bool, max_bytes: u64) -> BodyDecoder {
        let lines = LineSplitter { max_bytes, ..LineSplitter::default() };
        let encoding =
            if is_gzip { Encoding::Gzip(Box::new(MultiGzDecoder::new(lines))) } else { Encoding::Plain(lines) };
        BodyDecoder { encoding, received: 0 }
    }

    /// Decodes the next chunk of the body. Calls `flush_frame` whenever the frame has at least 4 MiB. The outer error
    /// comes from `flush_frame`, and the inner error from the body.
    pub fn push(
        &mut self,
        bytes: &[u8],
        mut flush_frame: impl FnMut(&mut LineSplitter) -> io::Result<()>,
    ) -> io::Result<Result<(), DecodeError>> {
        for chunk in bytes.chunks(DECOMPRESS_CHUNK_BYTES) {
            self.received += chunk.len() as u64;
            let ratio_limit_bytes = self.received.saturating_mul(MAX_COMPRESSION_RATIO).max(RATIO_CHECK_MIN_BYTES);
            let mut remaining = chunk;
            while !remaining.is_empty() {
                let result = match &mut self.encoding {
                    Encoding::Plain(lines) => lines.write(remaining),
                    Encoding::Gzip(decoder) => {
                        decoder.get_mut().ratio_limit_bytes = ratio_limit_bytes;
                        // One write decompresses at most one buffer, so the frame is checked after each.
                        decoder.write(remaining)
                    }
                };
                let consumed = match result {
                    Ok(0) => Err(io::Error::from(io::ErrorKind::WriteZero)),
                    consumed => consumed,
                };
                match consumed {
                    Ok(consumed) => remaining = remaining.get(consumed..).unwrap_or_default(),
                    Err(error) => {
                        let stop_reason = self.lines().stop_reason.clone();
                        return Ok(Err(stop_reason.unwrap_or_else(|| DecodeError::InvalidGzip(error.to_string()))));
                    }
                }
                if self.lines().frame.len() >= FRAME_FLUSH_BYTES {
                    flush_frame(self.lines())?;
                }
            }
        }
        Ok(Ok(()))
    }

    /// Decodes the end of the body, including a last line without a line feed.
    pub fn end(&mut self) -> Result<(), DecodeError> {
        if let Encoding::Gzip(decoder) = &mut self.encoding
            && self.received > 0
            && let Err(error) = decoder.try_finish()
        {
            let stop_reason = self.lines().stop_reason.clone();
            return Err(stop_reason.unwrap_or_else(|| DecodeError::InvalidGzip(error.to_string())));
        }
        self.lines().end();
        Ok(())
    }

    /// Returns the splitter with the lines that were read so far.
    pub fn lines(&mut self) -> &mut LineSplitter {
        match &mut self.encoding {
            Encoding::Plain(lines) => lines,
            Encoding::Gzip(decoder) => decoder.get_mut(),
        }
    }
}

/// The size at which a frame is appended to the spool. A body of up to this size is stored whole or not at all.
const FRAME_FLUSH_BYTES: usize = 4 << 20;

/// The lines that were read from a body.
#[derive(Default)]
pub struct LineSplitter {
    /// The accepted lines that `flush_frame` has not removed yet.
    pub frame: FrameBuilder,
    /// The number of accepted lines.
    pub accepted: u64,
    /// The number of rejected lines.
    pub rejected: u64,
    /// The first rejected lines.
    pub problems: Vec<RejectedLine>,
    /// The reason to stop reading the body, for [`BodyDecoder`].
    stop_reason: Option<DecodeError>,
    /// The beginning of a line that has not ended yet.
    partial: Vec<u8>,
    /// Whether the line that has not ended yet is already too long, so that the rest of it is skipped.
    is_too_long: bool,
    /// The number of lines that have ended, including empty ones.
    number: u64,
    decompressed_bytes: u64,
    max_bytes: u64,
    /// The maximum number of decompressed bytes for the bytes received so far; 0 if the body is not compressed.
    ratio_limit_bytes: u64,
}

impl LineSplitter {
    fn push_bytes(&mut self, bytes: &[u8]) {
        let mut fragments = bytes.split(|byte| *byte == b'\n');
        let Some(mut fragment) = fragments.next() else { return };
        for next in fragments {
            if self.partial.is_empty() && !self.is_too_long {
                self.check_line(fragment);
            } else {
                self.append_to_line(fragment);
                self.end_line();
            }
            fragment = next;
        }
        self.append_to_line(fragment);
    }

    /// Appends to the line that has not ended yet.
    fn append_to_line(&mut self, fragment: &[u8]) {
        if self.partial.len() + fragment.len() > MAX_LINE_BYTES {
            self.is_too_long = true;
            self.partial = Vec::new();
        } else if !self.is_too_long {
            self.partial.extend_from_slice(fragment);
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.partial);
        if std::mem::take(&mut self.is_too_long) {
            self.number += 1;
            self.reject(RejectionReason::TooLong);
        } else {
            self.check_line(&line);
        }
        self.partial = line;
        self.partial.clear();
    }

    fn check_line(&mut self, line: &[u8]) {
        self.number += 1;
        let line = line.trim_ascii();
        if line.is_empty() {
            return;
        }
        match find_rejection_reason(line) {
            None => {
                self.accepted += 1;
                self.frame.push(line);
            }
            Some(reason) => self.reject(reason),
        }
    }

    fn reject(&mut self, reason: RejectionReason) {
        self.rejected += 1;
        if self.problems.len() < MAX_REPORTED_LINES {
            self.problems.push(RejectedLine { line: self.number, reason });
        }
    }

    fn end(&mut self) {
        if !self.partial.is_empty() || self.is_too_long {
            self.end_line();
        }
    }
}

impl Write for LineSplitter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.decompressed_bytes += bytes.len() as u64;
        if self.decompressed_bytes > self.max_bytes {
            self.stop_reason = Some(DecodeError::TooLarge(self.max_bytes));
        } else if self.ratio_limit_bytes > 0 && self.decompressed_bytes > self.ratio_limit_bytes {
            self.stop_reason = Some(DecodeError::CompressionRatio);
        }
        if self.stop_reason.is_some() {
            return Err(io::Error::other("too much"));
        }
        self.push_bytes(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the reason why a line is not a valid log line; `None` if the line is a JSON object.
fn find_rejection_reason(line: &[u8]) -> Option<RejectionReason> {
    if line.starts_with(&[0x1f, 0x8b]) {
        return Some(RejectionReason::Gzip);
    }
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => return Some(RejectionReason::InvalidUtf8(error.valid_up_to())),
    };
    if !text.starts_with('{') {
        return Some(RejectionReason::NotAnObject);
    }
    let mut result = serde_json::from_str::<IgnoredAny>(text).map(drop);
    // Only a parser that builds values detects deep nesting and unpaired surrogates; `IgnoredAny` skips them.
    if result.is_ok() && (may_be_deep(text) || may_have_surrogates(text)) {
        result = serde_json::from_str::<Value>(text).map(drop);
    }
    result.err().map(|error| RejectionReason::InvalidJson(error.to_string()))
}

fn may_be_deep(text: &str) -> bool {
    text.bytes().filter(|byte| matches!(byte, b'{' | b'[')).count() > MAX_JSON_DEPTH
}

fn may_have_surrogates(text: &str) -> bool {
    text.contains('\\') && (text.contains("\\ud") || text.contains("\\uD"))
}

#[cfg(test)]
mod tests;
