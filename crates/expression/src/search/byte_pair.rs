//! A packed-pair prefilter: it rejects the positions of a text where the two rarest bytes of a needle do not occur.
//!
//! The loops over arrays of fixed size compile to vector instructions.

use super::head_and_tail;

/// The size, in bytes, of the smallest vector register of all targets.
const VECTOR_BYTES: usize = 16;
/// The number of positions that [`BytePair::skip`] tests at once.
const WIDE_BLOCK_BYTES: usize = 4 * VECTOR_BYTES;
/// The number of positions that are tested at once in shorter texts, and by `CaseInsensitiveFinder::find_pair`.
pub(super) const NARROW_BLOCK_BYTES: usize = 2 * VECTOR_BYTES;
/// The maximum number of positions for which [`BytePair::skip`] tests both bytes of the pair.
const MAX_PAIR_SEARCH_BYTES: usize = 256;
/// The bit in which an uppercase and a lowercase letter differ.
pub(super) const ASCII_CASE_BIT: u8 = 0x20;

/// The two rarest bytes, each broadcast to all lanes, with the index of the first in the needle and the distance to the
/// second.
pub(super) struct BytePair {
    pub(super) index: usize,
    pub(super) distance: usize,
    first: [u8; VECTOR_BYTES],
    second: [u8; VECTOR_BYTES],
    /// The bits in which eight bytes must be equal.
    compared_bits: u64,
}

impl BytePair {
    /// Prepares the test for a needle that is not empty. A test that ignores case needs a lowercase needle.
    pub(super) fn new(needle: &[u8], ignores_case: bool) -> Self {
        let byte = |index: usize| needle.get(index).copied().unwrap_or_default();
        let (rarest, second_rarest) = rarest_indexes(needle);
        let (index, distance) = (rarest.min(second_rarest), rarest.abs_diff(second_rarest));
        BytePair {
            index,
            distance,
            first: [byte(index); VECTOR_BYTES],
            second: [byte(index + distance); VECTOR_BYTES],
            compared_bits: u64::from_ne_bytes([if ignores_case { !ASCII_CASE_BIT } else { u8::MAX }; 8]),
        }
    }

    /// Returns how many bytes at the start cannot contain the pair, or `None` if the text does not contain it. For a
    /// text longer than [`MAX_PAIR_SEARCH_BYTES`] positions, it returns 0 without a scan.
    #[inline(always)]
    pub(super) fn skip(&self, text: &[u8]) -> Option<usize> {
        let back = text.get(self.distance..)?;
        let front = text.get(..back.len())?;
        if back.len() > MAX_PAIR_SEARCH_BYTES {
            return Some(0);
        }
        if back.len() < NARROW_BLOCK_BYTES {
            return self.may_match_short(front, back).then_some(0);
        }
        if back.len() < WIDE_BLOCK_BYTES {
            let Some((front, back)) = head_and_tail(front).zip(head_and_tail(back)) else { return Some(0) };
            return (self.may_match_narrow(&front.0, &back.0) || self.may_match_narrow(&front.1, &back.1)).then_some(0);
        }
        let last = back.len() - 1;
        let chunks = front.get(..last)?.as_chunks::<WIDE_BLOCK_BYTES>().0.iter().zip(back.get(..last)?.as_chunks().0);
        let mut skipped = 0;
        for (front, back) in chunks {
            if self.may_match_wide(front, back) {
                return Some(skipped);
            }
            skipped += WIDE_BLOCK_BYTES;
        }
        // The last block overlaps the previous block.
        self.may_match_wide(front.last_chunk()?, back.last_chunk()?).then_some(back.len() - WIDE_BLOCK_BYTES)
    }

    /// Returns whether the pair may occur in a text that is shorter than [`NARROW_BLOCK_BYTES`].
    #[inline(always)]
    pub(super) fn may_be_in_short(&self, text: &[u8]) -> bool {
        let Some(back) = text.get(self.distance..) else { return false };
        let Some(front) = text.get(..back.len()) else { return false };
        self.may_match_short(front, back)
    }

    /// Tests fewer positions than a narrow block has. The first and the last words overlap.
    #[inline(always)]
    fn may_match_short(&self, front: &[u8], back: &[u8]) -> bool {
        if let (Some(front), Some(back)) = (head_and_tail(front), head_and_tail(back)) {
            let halves = |block: [u8; VECTOR_BYTES]| {
                let word = u128::from_le_bytes(block);
                (word as u64, (word >> u64::BITS) as u64)
            };
            let (fronts, last_fronts) = (halves(front.0), halves(front.1));
            let (backs, last_backs) = (halves(back.0), halves(back.1));
            return self.may_match_word(fronts.0, backs.0)
                | self.may_match_word(fronts.1, backs.1)
                | self.may_match_word(last_fronts.0, last_backs.0)
                | self.may_match_word(last_fronts.1, last_backs.1);
        }
        if let (Some(front), Some(back)) = (head_and_tail(front), head_and_tail(back)) {
            return self.may_match_word(u64::from_le_bytes(front.0), u64::from_le_bytes(back.0))
                | self.may_match_word(u64::from_le_bytes(front.1), u64::from_le_bytes(back.1));
        }
        true
    }

    /// Returns whether the pair may occur at the eight positions of a word.
    #[inline(always)]
    fn may_match_word(&self, front: u64, back: u64) -> bool {
        const LOW_BITS: u64 = u64::from_ne_bytes([0x01; 8]);
        const HIGH_BITS: u64 = u64::from_ne_bytes([0x80; 8]);
        let word = |vector: &[u8; VECTOR_BYTES]| u128::from_ne_bytes(*vector) as u64;
        // A byte is zero where the pair matches. The subtraction sets the high bit of such a byte.
        let difference = ((front ^ word(&self.first)) | (back ^ word(&self.second))) & self.compared_bits;
        difference.wrapping_sub(LOW_BITS) & !difference & HIGH_BITS != 0
    }

    /// Returns whether the pair may occur in a wide block. Unrolled by hand because the compiler would not unroll a loop.
    #[inline(always)]
    fn may_match_wide(&self, front: &[u8; WIDE_BLOCK_BYTES], back: &[u8; WIDE_BLOCK_BYTES]) -> bool {
        let ([front, next_front], [back, next_back]) = (front.as_chunks().0, back.as_chunks().0) else {
            return true;
        };
        self.may_match_narrow(front, back) | self.may_match_narrow(next_front, next_back)
    }

    /// Returns whether the pair may occur in a block. The test ignores the case bit, so a byte that is not a letter
    /// also matches the byte that differs in that bit, which is rare. Callers verify the positions.
    #[inline(always)]
    pub(super) fn may_match_narrow(&self, front: &[u8; NARROW_BLOCK_BYTES], back: &[u8; NARROW_BLOCK_BYTES]) -> bool {
        let mut difference = [u8::MAX; VECTOR_BYTES];
        for (front, back) in front.as_chunks::<VECTOR_BYTES>().0.iter().zip(back.as_chunks::<VECTOR_BYTES>().0) {
            let pairs = front.iter().zip(&self.first).zip(back.iter().zip(&self.second));
            for (difference, ((front, first), (back, second))) in difference.iter_mut().zip(pairs) {
                *difference = (*difference).min((front ^ first) | (back ^ second) | ASCII_CASE_BIT);
            }
        }
        difference.iter().fold(false, |any, difference| any | (*difference == ASCII_CASE_BIT))
    }
}

/// Returns the indexes of the two rarest bytes, the rarest first. A needle of one byte has the same index twice.
pub(super) fn rarest_indexes(needle: &[u8]) -> (usize, usize) {
    let mut indexes: Vec<usize> = (0..needle.len()).collect();
    indexes.sort_by_key(|index| frequency_rank(needle.get(*index).copied().unwrap_or_default()));
    let rarest = indexes.first().copied().unwrap_or(0);
    (rarest, indexes.get(1).copied().unwrap_or(rarest))
}

/// Returns the approximate frequency rank of a byte in requests; the rarest bytes have rank 0.
pub(super) fn frequency_rank(byte: u8) -> u8 {
    const BY_FREQUENCY: &[u8] = b"zqjxkvwybgpfmuhdclnrstiaoe0123456789-_;(),=&%:.+/ ";
    BY_FREQUENCY.iter().position(|other| *other == byte).map_or(0, |index| u8::try_from(index).unwrap_or(u8::MAX) + 1)
}
