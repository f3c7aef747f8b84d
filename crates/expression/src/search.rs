//! Substring search, exact or ASCII case-insensitive, without copying the text.
//!
//! [`Needle`] is a prepared search; [`ExactFinder`] and [`CaseInsensitiveFinder`] are its variants. In short texts, both first test
//! with a [`BytePair`] whether the text can contain the needle at all. Invariant: the time of a search is linear in the text.

mod byte_pair;

use byte_pair::{ASCII_CASE_BIT, BytePair, NARROW_BLOCK_BYTES, frequency_rank, rarest_indexes};
use memchr::{
    arch::all::packedpair::HeuristicFrequencyRank,
    memmem::{Finder, FinderBuilder},
};

/// The letter case that `lower` or `upper` produces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Lower,
    Upper,
}

impl Case {
    /// Returns the text in this case.
    pub(crate) fn apply(self, text: &[u8]) -> Vec<u8> {
        match self {
            Case::Lower => text.to_ascii_lowercase(),
            Case::Upper => text.to_ascii_uppercase(),
        }
    }

    /// Returns whether the text can be a substring of a text in this case.
    pub(crate) fn can_contain(self, text: &[u8]) -> bool {
        match self {
            Case::Lower => !text.iter().any(u8::is_ascii_uppercase),
            Case::Upper => !text.iter().any(u8::is_ascii_lowercase),
        }
    }
}

/// The maximum length, in bytes, of texts that are compared inline.
pub(crate) const MAX_INLINE_BYTES: usize = 32;

/// Returns whether two texts are equal. Most texts are short and compared inline.
#[inline(always)]
pub(crate) fn bytes_equal(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && if a.len() > MAX_INLINE_BYTES { a == b } else { short_bytes_equal(a, b) }
}

/// Returns whether two texts of the same, short length are equal, by comparing their overlapping first and last bytes.
#[inline(always)]
pub(crate) fn short_bytes_equal(a: &[u8], b: &[u8]) -> bool {
    if let (Some(a), Some(b)) = (head_and_tail::<16>(a), head_and_tail::<16>(b)) {
        return (a.0 == b.0) & (a.1 == b.1);
    }
    if let (Some(a), Some(b)) = (head_and_tail::<8>(a), head_and_tail::<8>(b)) {
        return (a.0 == b.0) & (a.1 == b.1);
    }
    if let (Some(a), Some(b)) = (head_and_tail::<4>(a), head_and_tail::<4>(b)) {
        return (a.0 == b.0) & (a.1 == b.1);
    }
    a.iter().eq(b)
}

/// Returns the first and last `N` bytes of a text; `None` if the text is shorter.
#[inline(always)]
pub(crate) fn head_and_tail<const N: usize>(text: &[u8]) -> Option<([u8; N], [u8; N])> {
    Some((*text.first_chunk()?, *text.last_chunk()?))
}

pub(crate) fn starts_with_ignore_case(text: &[u8], start: &[u8]) -> bool {
    text.split_at_checked(start.len()).is_some_and(|(head, _)| head.eq_ignore_ascii_case(start))
}

pub(crate) fn ends_with_ignore_case(text: &[u8], end: &[u8]) -> bool {
    let tail_start = text.len().checked_sub(end.len());
    tail_start.and_then(|start| text.get(start..)).is_some_and(|tail| tail.eq_ignore_ascii_case(end))
}

/// The number of compared bytes per passed position after which the search falls back to Knuth–Morris–Pratt.
const MAX_COMPARED_PER_BYTE: usize = 256;
/// The number of searches for the rare byte alone before the search tests both bytes of the pair.
const MAX_RARE_BYTE_HITS: usize = 4;
/// A prepared substring search, exact or case-insensitive.
pub(crate) enum Needle {
    Exact(Box<ExactFinder>),
    Folded(CaseInsensitiveFinder),
}

/// An exact search. In a short text, the test for the pair takes half the time of the search, and most texts fail it.
pub(crate) struct ExactFinder {
    finder: Finder<'static>,
    /// The rarest bytes; `None` if the needle is empty.
    pair: Option<BytePair>,
}

/// A case-insensitive search for a nonempty lowercase text.
///
/// In a short text, the search first skips positions in blocks: a position can match only where two rare bytes of the
/// needle occur. It then searches for the rarest byte alone, and tests both bytes once that byte has occurred too
/// often. If both bytes match too often as well, the Knuth–Morris–Pratt algorithm scans the remaining text, so that the
/// time stays linear in the text.
pub(crate) struct CaseInsensitiveFinder {
    needle: Box<[u8]>,
    rare: RareByte,
    pair: BytePair,
    /// The Knuth–Morris–Pratt table: for each length of a matching prefix, the length of its longest proper border.
    failure_table: Box<[u32]>,
}

/// The rarest byte of the needle and its index.
struct RareByte {
    index: usize,
    byte: u8,
}

impl RareByte {
    /// Returns the index of the first occurrence.
    #[inline]
    fn find(&self, text: &[u8]) -> Option<usize> {
        if self.byte.is_ascii_lowercase() {
            memchr::memchr2(self.byte, self.byte ^ ASCII_CASE_BIT, text)
        } else {
            memchr::memchr(self.byte, text)
        }
    }
}

impl Needle {
    /// Prepares a search for the text. If `fold` is set, the search is case-insensitive and the needle must be
    /// lowercase.
    pub(crate) fn new(needle: &[u8], fold: bool) -> Self {
        if fold && !needle.is_empty() {
            Needle::Folded(CaseInsensitiveFinder::new(needle))
        } else {
            Needle::Exact(Box::new(ExactFinder::new(needle)))
        }
    }

    /// Returns whether the text contains the needle.
    #[inline(always)]
    pub(crate) fn is_in(&self, text: &[u8]) -> bool {
        match self {
            Needle::Exact(finder) => finder.is_in(text),
            Needle::Folded(finder) => finder.is_in(text),
        }
    }

    /// Returns the index of the first occurrence.
    #[inline(always)]
    pub(crate) fn find(&self, text: &[u8]) -> Option<usize> {
        match self {
            Needle::Exact(finder) => finder.finder.find(text),
            Needle::Folded(finder) => finder.find(text),
        }
    }

    /// Returns whether the search is case-insensitive.
    pub(crate) fn is_folded(&self) -> bool {
        matches!(self, Needle::Folded(_))
    }

    /// Returns the needle.
    pub(crate) fn text(&self) -> &[u8] {
        match self {
            Needle::Exact(finder) => finder.finder.needle(),
            Needle::Folded(finder) => &finder.needle,
        }
    }
}

impl ExactFinder {
    fn new(needle: &[u8]) -> Self {
        let finder = FinderBuilder::new().build_forward_with_ranker(ByteFrequency, needle).into_owned();
        ExactFinder { finder, pair: (!needle.is_empty()).then(|| BytePair::new(needle, false)) }
    }

    /// Returns whether the text contains the needle.
    #[inline(always)]
    pub(crate) fn is_in(&self, text: &[u8]) -> bool {
        if text.len() < NARROW_BLOCK_BYTES && self.pair.as_ref().is_some_and(|pair| !pair.may_be_in_short(text)) {
            return false;
        }
        self.finder.find(text).is_some()
    }
}

impl CaseInsensitiveFinder {
    fn new(needle: &[u8]) -> Self {
        let (index, _) = rarest_indexes(needle);
        CaseInsensitiveFinder {
            rare: RareByte { index, byte: needle.get(index).copied().unwrap_or_default() },
            pair: BytePair::new(needle, true),
            failure_table: build_failure_table(needle),
            needle: needle.into(),
        }
    }

    /// Returns whether the text contains the needle. Most texts do not contain the pair, so only the test for the pair
    /// is inlined into the caller.
    #[inline(always)]
    pub(crate) fn is_in(&self, text: &[u8]) -> bool {
        match self.pair.skip(text) {
            Some(skipped) => self.contains_after(text, skipped),
            None => false,
        }
    }

    #[inline(never)]
    fn contains_after(&self, text: &[u8], skipped: usize) -> bool {
        self.find_from(text, skipped).is_some()
    }

    fn find(&self, text: &[u8]) -> Option<usize> {
        self.find_from(text, self.pair.skip(text)?)
    }

    /// Returns the index of the first occurrence, given that the pair does not occur in the first `skipped` bytes.
    fn find_from(&self, text: &[u8], skipped: usize) -> Option<usize> {
        let start_count = text.len().checked_sub(self.needle.len())? + 1;
        let rare = text.get(self.rare.index..self.rare.index + start_count)?;
        let mut from = skipped.saturating_sub(self.pair.index);
        for _ in 0..MAX_RARE_BYTE_HITS {
            from += self.rare.find(rare.get(from..)?)?;
            if self.is_at(text, from) {
                return Some(from);
            }
            from += 1;
        }
        self.find_pair(text, start_count, from)
    }

    /// Searches by testing both bytes of the pair at [`NARROW_BLOCK_BYTES`] positions at once.
    #[cold]
    fn find_pair(&self, text: &[u8], start_count: usize, from: usize) -> Option<usize> {
        let front = text.get(from + self.pair.index..)?;
        let back = front.get(self.pair.distance..)?;
        let mut compared = 0;
        let mut start = from;
        for (front, back) in front.as_chunks::<NARROW_BLOCK_BYTES>().0.iter().zip(back.as_chunks().0) {
            if self.pair.may_match_narrow(front, back) {
                for index in start..start + NARROW_BLOCK_BYTES {
                    if self.is_at(text, index) {
                        return Some(index);
                    }
                }
                compared += NARROW_BLOCK_BYTES * self.needle.len();
                if compared > MAX_COMPARED_PER_BYTE * (start + NARROW_BLOCK_BYTES - from) {
                    return self.find_in_single_pass(text, start + NARROW_BLOCK_BYTES);
                }
            }
            start += NARROW_BLOCK_BYTES;
        }
        (start..start_count).find(|index| self.is_at(text, *index))
    }

    #[inline]
    fn is_at(&self, text: &[u8], index: usize) -> bool {
        text.get(index..index + self.needle.len()).is_some_and(|window| window.eq_ignore_ascii_case(&self.needle))
    }

    /// Searches from an index on with the Knuth–Morris–Pratt algorithm, which reads each byte once.
    #[cold]
    fn find_in_single_pass(&self, text: &[u8], from: usize) -> Option<usize> {
        let mut matching = 0;
        for (index, byte) in text.iter().enumerate().skip(from) {
            matching = advance_match(&self.needle, &self.failure_table, matching, byte.to_ascii_lowercase());
            if matching == self.needle.len() {
                return Some(index + 1 - matching);
            }
        }
        None
    }
}

/// Returns the length of the matching prefix after one more byte.
fn advance_match(needle: &[u8], failure_table: &[u32], mut matching: usize, byte: u8) -> usize {
    while matching > 0 && needle.get(matching) != Some(&byte) {
        matching = failure_table.get(matching).map_or(0, |border| *border as usize);
    }
    matching + usize::from(needle.get(matching) == Some(&byte))
}

fn build_failure_table(needle: &[u8]) -> Box<[u32]> {
    let mut table = vec![0; needle.len() + 1];
    let mut matching = 0;
    for (index, byte) in needle.iter().enumerate().skip(1) {
        matching = advance_match(needle, &table, matching, *byte);
        if let Some(border) = table.get_mut(index + 1) {
            *border = u32::try_from(matching).unwrap_or_default();
        }
    }
    table.into()
}

/// The byte frequencies that `memchr` uses to choose rare bytes.
struct ByteFrequency;

impl HeuristicFrequencyRank for ByteFrequency {
    fn rank(&self, byte: u8) -> u8 {
        frequency_rank(byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_found_like_std(needle: &str, text: &str) {
        let expected = text.to_ascii_lowercase().find(needle);
        assert_eq!(Needle::new(needle.as_bytes(), true).find(text.as_bytes()), expected, "{needle} in {text}");
        let is_in = |fold| Needle::new(needle.as_bytes(), fold).is_in(text.as_bytes());
        assert_eq!(is_in(true), expected.is_some(), "{needle} in {text}");
        let expected = text.find(needle);
        assert_eq!(
            Needle::new(needle.as_bytes(), false).find(text.as_bytes()),
            expected,
            "{needle} in {text}, exactly"
        );
        assert_eq!(is_in(false), expected.is_some(), "{needle} in {text}, exactly");
    }

    #[test]
    fn finder_agrees_with_naive_search() {
        for needle in ["", "b", "bot", "aab", "a-b", "é", "-", "[", "@{", "\0", "x\0", "abxxxxxxxb"] {
            for text in ["", "b", "BOT", "a bOt", "Aaaab", "A-B", "A\rB", "é", "É", "`{@[", "-", "\r"] {
                assert_found_like_std(needle, text);
                for padding in (0..34).chain([62, 63, 64, 65, 100, 127, 128, 129, 200, 254, 255, 256, 257]) {
                    assert_found_like_std(needle, &format!("{}{text}", "x".repeat(padding)));
                    assert_found_like_std(needle, &format!("{}{text}{}", "B".repeat(padding), "o".repeat(padding)));
                }
            }
        }
    }

    #[test]
    fn finder_agrees_with_naive_search_on_adversarial_texts() {
        let needle = format!("{}b{}", "a".repeat(60), "a".repeat(60));
        for text in ["a".repeat(5000), format!("{}{}A", "a".repeat(5000), needle), "ab".repeat(3000)] {
            assert_found_like_std(&needle, &text);
            assert_found_like_std(&needle, &text.to_uppercase());
        }
    }
}
