//! A frame: a head of 20 bytes, and lines that each end with a line feed.
//!
//! The head has the bytes of the lines, their check sum, the time at which they came in (milliseconds
//! since 1970) and how many they are, all little-endian. The sum covers time and number too.

use flate2::Crc;

/// Bytes of the head.
pub(super) const HEAD: usize = 20;
/// Most bytes of lines; a head that says more is damaged.
pub(super) const MOST: usize = 16 << 20;

/// Lines on their way into a spool.
#[derive(Default)]
pub struct FrameBuilder {
    bytes: Vec<u8>,
    lines: u32,
}

impl FrameBuilder {
    /// Adds a line, given without its line feed.
    pub(crate) fn push(&mut self, line: &[u8]) {
        if self.bytes.is_empty() {
            self.bytes.resize(HEAD, 0);
        }
        self.bytes.extend_from_slice(line);
        self.bytes.push(b'\n');
        self.lines += 1;
    }

    /// Lines so far.
    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// Bytes so far.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The frame as it is written, for lines that came in at this time.
    pub fn finish(mut self, millis: u64) -> Vec<u8> {
        let payload = self.bytes.get(HEAD..).unwrap_or_default();
        let head = Head { bytes: u32::try_from(payload.len()).unwrap_or(u32::MAX), sum: 0, millis, lines: self.lines };
        let head = Head { sum: head.sum_with(payload), ..head };
        if let Some(place) = self.bytes.first_chunk_mut::<HEAD>() {
            *place = head.written();
        }
        self.bytes
    }
}

/// What stands before the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) bytes: u32,
    pub(super) sum: u32,
    pub(super) millis: u64,
    pub(super) lines: u32,
}

impl Head {
    fn written(self) -> [u8; HEAD] {
        let mut head = [0; HEAD];
        let fields = [
            &self.bytes.to_le_bytes()[..],
            &self.sum.to_le_bytes(),
            &self.millis.to_le_bytes(),
            &self.lines.to_le_bytes(),
        ];
        for (place, byte) in head.iter_mut().zip(fields.into_iter().flatten()) {
            *place = *byte;
        }
        head
    }

    /// Nothing when the bytes are no head.
    pub(super) fn read(bytes: &[u8; HEAD]) -> Option<Head> {
        let (size, rest) = bytes.split_first_chunk::<4>()?;
        let (sum, rest) = rest.split_first_chunk::<4>()?;
        let (millis, rest) = rest.split_first_chunk::<8>()?;
        let lines = rest.first_chunk::<4>()?;
        let head = Head {
            bytes: u32::from_le_bytes(*size),
            sum: u32::from_le_bytes(*sum),
            millis: u64::from_le_bytes(*millis),
            lines: u32::from_le_bytes(*lines),
        };
        (head.bytes > 0 && head.bytes as usize <= MOST).then_some(head)
    }

    /// The check sum that belongs to these lines.
    pub(super) fn sum_with(self, payload: &[u8]) -> u32 {
        let mut crc = Crc::new();
        crc.update(&self.millis.to_le_bytes());
        crc.update(&self.lines.to_le_bytes());
        crc.update(payload);
        crc.sum()
    }
}
