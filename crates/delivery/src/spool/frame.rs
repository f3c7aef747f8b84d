//! The format of a frame: a header of 20 bytes, and lines that each end with a line feed.
//!
//! The header contains the number of bytes of the lines, a checksum, the arrival time in milliseconds since 1970, and
//! the number of lines. All are little-endian. The checksum also covers the time and the number of lines.

use flate2::Crc;

/// The size of the header in bytes.
pub(super) const HEADER_BYTES: usize = 20;
/// The maximum number of bytes of lines; a header with a larger number is damaged.
pub(super) const MAX_PAYLOAD_BYTES: usize = 16 << 20;

/// A builder of a frame.
#[derive(Default)]
pub struct FrameBuilder {
    bytes: Vec<u8>,
    lines: u32,
}

impl FrameBuilder {
    /// Adds a line, passed without its line feed.
    pub(crate) fn push(&mut self, line: &[u8]) {
        if self.bytes.is_empty() {
            self.bytes.resize(HEADER_BYTES, 0);
        }
        self.bytes.extend_from_slice(line);
        self.bytes.push(b'\n');
        self.lines += 1;
    }

    /// Returns the number of lines.
    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// Returns the number of bytes, including the header.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the encoded frame. `millis` is the arrival time of its lines.
    pub fn finish(mut self, millis: u64) -> Vec<u8> {
        let payload = self.bytes.get(HEADER_BYTES..).unwrap_or_default();
        let header = FrameHeader {
            bytes: u32::try_from(payload.len()).unwrap_or(u32::MAX),
            checksum: 0,
            millis,
            lines: self.lines,
        };
        let header = FrameHeader { checksum: header.checksum(payload), ..header };
        if let Some(header_bytes) = self.bytes.first_chunk_mut::<HEADER_BYTES>() {
            *header_bytes = header.to_bytes();
        }
        self.bytes
    }
}

/// The header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameHeader {
    pub(super) bytes: u32,
    pub(super) checksum: u32,
    pub(super) millis: u64,
    pub(super) lines: u32,
}

impl FrameHeader {
    fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut header = [0; HEADER_BYTES];
        let fields = [
            &self.bytes.to_le_bytes()[..],
            &self.checksum.to_le_bytes(),
            &self.millis.to_le_bytes(),
            &self.lines.to_le_bytes(),
        ];
        for (target, byte) in header.iter_mut().zip(fields.into_iter().flatten()) {
            *target = *byte;
        }
        header
    }

    /// Decodes a header; `None` if the bytes are not a valid header.
    pub(super) fn from_bytes(bytes: &[u8; HEADER_BYTES]) -> Option<FrameHeader> {
        let (size, rest) = bytes.split_first_chunk::<4>()?;
        let (sum, rest) = rest.split_first_chunk::<4>()?;
        let (millis, rest) = rest.split_first_chunk::<8>()?;
        let lines = rest.first_chunk::<4>()?;
        let header = FrameHeader {
            bytes: u32::from_le_bytes(*size),
            checksum: u32::from_le_bytes(*sum),
            millis: u64::from_le_bytes(*millis),
            lines: u32::from_le_bytes(*lines),
        };
        (header.bytes > 0 && header.bytes as usize <= MAX_PAYLOAD_BYTES).then_some(header)
    }

    /// Computes the checksum of these lines with this header.
    pub(super) fn checksum(self, payload: &[u8]) -> u32 {
        let mut crc = Crc::new();
        crc.update(&self.millis.to_le_bytes());
        crc.update(&self.lines.to_le_bytes());
        crc.update(payload);
        crc.sum()
    }
}
