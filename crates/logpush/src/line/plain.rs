//! Finds the end of the plain part of a string: the innermost loop of line scanning.
//!
//! Each step compares many bytes without a branch. Most names and values end within the first step, so the code avoids
//! the main cost of a loop over bytes: an exit that the processor cannot predict.

/// The number of bytes per step.
const CHUNK_BYTES: usize = 32;

/// Returns the index of the first quote, backslash or control character from `start` on, and whether all bytes before
/// it are ASCII. The flag may be false for ASCII bytes if a non-ASCII byte follows the special byte.
#[inline(always)]
pub(super) fn find_special_byte(bytes: &[u8], start: usize) -> (usize, bool) {
    let (steps, remainder) = bytes.get(start..).unwrap_or_default().as_chunks::<CHUNK_BYTES>();
    let (mut offset, mut is_ascii) = (start, true);
    for step in steps {
        let (index, step_is_ascii) = find_special(step);
        is_ascii &= step_is_ascii;
        if index < CHUNK_BYTES {
            return (offset + index, is_ascii);
        }
        offset += CHUNK_BYTES;
    }
    let length = remainder.iter().position(|byte| matches!(byte, b'"' | b'\\' | ..0x20)).unwrap_or(remainder.len());
    (offset + length, is_ascii && remainder.is_ascii())
}

#[cfg(target_arch = "x86_64")]
use vectors::find_special;
#[cfg(not(target_arch = "x86_64"))]
use words::find_special;

/// The version with vectors of 16 bytes, which every x86-64 processor has.
#[cfg(target_arch = "x86_64")]
mod vectors {
    use super::CHUNK_BYTES;
    use wide::u8x16;

    /// Returns the index of the first special byte, or [`CHUNK_BYTES`], and whether all bytes of the step are ASCII.
    #[inline(always)]
    pub(super) fn find_special(step: &[u8; CHUNK_BYTES]) -> (usize, bool) {
        let ([low, high], _) = step.as_chunks::<16>() else { return (CHUNK_BYTES, false) };
        let (low, high) = (u8x16::new(*low), u8x16::new(*high));
        let mask = special_mask(low) | special_mask(high) << 16;
        let is_ascii = (low | high).to_bitmask() == 0;
        (mask.trailing_zeros() as usize, is_ascii)
    }

    /// Returns a bit mask of the quotes, backslashes and control characters.
    #[inline(always)]
    fn special_mask(bytes: u8x16) -> u32 {
        let control = bytes.min(u8x16::splat(0x1f)).simd_eq(bytes);
        (bytes.simd_eq(u8x16::splat(b'"')) | bytes.simd_eq(u8x16::splat(b'\\')) | control).to_bitmask()
    }
}

/// The portable version.
#[cfg(any(test, not(target_arch = "x86_64")))]
mod words {
    use super::CHUNK_BYTES;

    const LOW_BITS: u64 = u64::from_le_bytes([1; 8]);
    const HIGH_BITS: u64 = u64::from_le_bytes([0x80; 8]);

    /// Returns the index of the first special byte, or [`CHUNK_BYTES`], and whether all bytes up to the end of its word
    /// are ASCII.
    pub(super) fn find_special(step: &[u8; CHUNK_BYTES]) -> (usize, bool) {
        let mut all_bits = 0;
        for (number, word) in step.as_chunks::<8>().0.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            let mask = special_mask(word);
            all_bits |= word;
            if mask != 0 {
                return (number * 8 + mask.trailing_zeros() as usize / 8, all_bits & HIGH_BITS == 0);
            }
        }
        (CHUNK_BYTES, all_bits & HIGH_BITS == 0)
    }

    /// Returns the high bit of every quote, backslash and control character. Bits above the first one may be wrong,
    /// because the subtraction borrows.
    fn special_mask(word: u64) -> u64 {
        // With bit 1 flipped, quotes and control characters are the bytes up to 0x20.
        let low = (word ^ (LOW_BITS * 0x02)).wrapping_sub(LOW_BITS * 0x21);
        let slash = (word ^ (LOW_BITS * 0x5c)).wrapping_sub(LOW_BITS);
        (low | slash) & !word & HIGH_BITS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_byte_is_found_at_every_index() {
        for byte in 0..=255 {
            let special = matches!(byte, b'"' | b'\\' | ..0x20);
            for index in 0..70 {
                let mut bytes = [b' '; 70];
                bytes[index] = byte;
                assert_eq!(find_special_byte(&bytes, 0).0, if special { index } else { 70 }, "{byte} at {index}");
                let step: [u8; CHUNK_BYTES] = bytes[..CHUNK_BYTES].try_into().unwrap();
                assert_eq!(find_special(&step), words::find_special(&step), "{byte} at {index}");
                if !byte.is_ascii() {
                    assert_eq!(find_special_byte(&bytes, 0), (70, false));
                    bytes[69] = b'"';
                    assert_eq!(find_special_byte(&bytes, 0), (69, index == 69), "{byte} at {index}");
                }
            }
        }
    }
}
