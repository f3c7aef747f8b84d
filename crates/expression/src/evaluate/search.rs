//! Finding text in text, also without regard to capitals (of ASCII only), without making a copy.

use memchr::{
    arch::all::packedpair::HeuristicFrequencyRank,
    memmem::{Finder, FinderBuilder},
};

/// The case that `lower` or `upper` gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Lower,
    Upper,
}

impl Case {
    /// The text in this case.
    pub(super) fn of(self, text: &[u8]) -> Vec<u8> {
        match self {
            Case::Lower => text.to_ascii_lowercase(),
            Case::Upper => text.to_ascii_uppercase(),
        }
    }

    /// Whether a text can be a part of one in this case.
    pub(super) fn admits(self, text: &[u8]) -> bool {
        match self {
            Case::Lower => !text.iter().any(u8::is_ascii_uppercase),
            Case::Upper => !text.iter().any(u8::is_ascii_lowercase),
        }
    }
}

/// Up to so many bytes are compared without a call.
pub(super) const SHORT: usize = 32;

/// Whether two texts are the same. Most are short; those are compared without a call.
#[inline(always)]
pub(super) fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && if a.len() > SHORT { a == b } else { same_short(a, b) }
}

/// Whether two texts of one length, and that a short one, are the same: their ends are, which overlap.
#[inline(always)]
pub(super) fn same_short(a: &[u8], b: &[u8]) -> bool {
    if let (Some(a), Some(b)) = (ends::<16>(a), ends::<16>(b)) {
        return (a.0 == b.0) & (a.1 == b.1);
    }
    if let (Some(a), Some(b)) = (ends::<8>(a), ends::<8>(b)) {
        return (a.0 == b.0) & (a.1 == b.1);
    }
    if let (Some(a), Some(b)) = (ends::<4>(a), ends::<4>(b)) {
        return (a.0 == b.0) & (a.1 == b.1);
    }
    a.iter().eq(b)
}

/// The first and the last bytes of a text that has as many.
#[inline(always)]
pub(super) fn ends<const N: usize>(text: &[u8]) -> Option<([u8; N], [u8; N])> {
    Some((*text.first_chunk()?, *text.last_chunk()?))
}

pub(super) fn starts_with_folded(text: &[u8], start: &[u8]) -> bool {
    text.split_at_checked(start.len()).is_some_and(|(head, _)| head.eq_ignore_ascii_case(start))
}

pub(super) fn ends_with_folded(text: &[u8], end: &[u8]) -> bool {
    let begin = text.len().checked_sub(end.len());
    begin.and_then(|begin| text.get(begin..)).is_some_and(|tail| tail.eq_ignore_ascii_case(end))
}

/// Places that are looked at at once: as many as fit two registers of any machine.
const WIDTH: usize = 32;
/// Up to so many places, two bytes are looked for at once.
const MOST: usize = 256;
/// Bytes compared at promising places, for each place passed, after which another way is taken.
const PATIENCE: usize = 256;
/// So often a rare byte is looked for by itself before two are.
const FEW: usize = 4;

/// A text to be found in others, with or without regard to capitals.
pub(super) enum Needle {
    Exact(Finder<'static>),
    Folded(Folded),
}

/// A text in lower case, to be found whatever the case.
///
/// Where a text is not long, places are passed over at which two bytes are not that are rare in usual
/// texts, many places at once. Then a byte that is rare is looked for, and both where it is too often;
/// where those are too often, the search goes on by the method of Knuth, Morris and Pratt, so that it
/// never takes longer than in proportion to the text.
pub(super) struct Folded {
    needle: Box<[u8]>,
    rare: Byte,
    second: Byte,
    /// For each length of a matching start, that of the next shorter one that ends it.
    borders: Box<[u32]>,
}

/// A byte of the needle.
struct Byte {
    place: usize,
    byte: u8,
    /// The bit that tells a capital from a small letter; nothing for other bytes.
    case: u8,
    /// The same for many places at once.
    bytes: [u8; WIDTH],
    cases: [u8; WIDTH],
}

impl Byte {
    /// Where it is first.
    #[inline]
    fn find(&self, text: &[u8]) -> Option<usize> {
        if self.case == 0 {
            memchr::memchr(self.byte, text)
        } else {
            memchr::memchr2(self.byte, self.byte ^ self.case, text)
        }
    }

    #[inline(always)]
    fn is(&self, other: u8) -> bool {
        (other | self.case) == self.byte
    }
}

impl Needle {
    /// Of a text; of one in lower case, when capitals shall not matter.
    pub(super) fn new(needle: &[u8], fold: bool) -> Self {
        if fold {
            Needle::Folded(Folded::new(needle))
        } else {
            Needle::Exact(FinderBuilder::new().build_forward_with_ranker(Commonness, needle).into_owned())
        }
    }

    /// Whether a text has it.
    #[inline(always)]
    pub(super) fn is_in(&self, text: &[u8]) -> bool {
        self.find(text).is_some()
    }

    /// Where it is found first.
    #[inline(always)]
    pub(super) fn find(&self, text: &[u8]) -> Option<usize> {
        match self {
            Needle::Exact(finder) => finder.find(text),
            Needle::Folded(folded) => folded.find(text),
        }
    }

    /// Whether capitals do not matter.
    pub(super) fn is_folded(&self) -> bool {
        matches!(self, Needle::Folded(_))
    }

    /// What is looked for.
    pub(super) fn text(&self) -> &[u8] {
        match self {
            Needle::Exact(finder) => finder.needle(),
            Needle::Folded(folded) => &folded.needle,
        }
    }
}

impl Folded {
    fn new(needle: &[u8]) -> Self {
        let byte = |place: usize| {
            let byte = needle.get(place).copied().unwrap_or_default();
            let case = if byte.is_ascii_lowercase() { 0x20 } else { 0 };
            Byte { place, byte, case, bytes: [byte; WIDTH], cases: [case; WIDTH] }
        };
        let mut places: Vec<usize> = (0..needle.len()).collect();
        places.sort_by_key(|place| needle.get(*place).map_or(0, |byte| commonness(*byte)));
        let rare = places.first().copied().unwrap_or(0);
        let second = places.get(1).copied().unwrap_or(rare);
        Folded { rare: byte(rare), second: byte(second), borders: borders(needle), needle: needle.into() }
    }

    fn find(&self, text: &[u8]) -> Option<usize> {
        let places = text.len().checked_sub(self.needle.len())? + 1;
        if self.needle.is_empty() {
            return Some(0);
        }
        let rare = text.get(self.rare.place..self.rare.place + places)?;
        let mut from = 0;
        if (WIDTH..=MOST).contains(&places) {
            from = self.skip(rare, text.get(self.second.place..self.second.place + places)?)?;
            if self.is_at(text, from) {
                return Some(from);
            }
            from += 1;
        }
        for _ in 0..FEW {
            from += self.rare.find(rare.get(from..)?)?;
            if self.is_at(text, from) {
                return Some(from);
            }
            from += 1;
        }
        self.find_by_two(text, places, from)
    }

    /// The first place where both bytes are, in a text that is not long.
    #[inline(always)]
    fn skip(&self, rare: &[u8], second: &[u8]) -> Option<usize> {
        let chunks = rare.as_chunks().0.iter().zip(second.as_chunks().0);
        let mut from = 0;
        for (rare, second) in chunks {
            if self.is_promising(rare, second) {
                return Some(from + self.promising(rare, second));
            }
            from += WIDTH;
        }
        // The last places, together with some that were looked at before.
        let (last_rare, last_second) = (rare.last_chunk()?, second.last_chunk()?);
        let promising = from < rare.len() && self.is_promising(last_rare, last_second);
        promising.then(|| rare.len() - WIDTH + self.promising(last_rare, last_second))
    }

    /// The first of these places where both bytes are.
    #[inline(always)]
    fn promising(&self, rare: &[u8; WIDTH], second: &[u8; WIDTH]) -> usize {
        let both = self.both(rare, second).map(u8::from);
        let words = both.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
        let before = |word: u64| word.trailing_zeros() as usize / 8;
        words.enumerate().find(|(_, word)| *word != 0).map_or(0, |(place, word)| 8 * place + before(word))
    }

    /// Looks for two bytes at many places at once.
    #[cold]
    fn find_by_two(&self, text: &[u8], places: usize, from: usize) -> Option<usize> {
        let rare = text.get(self.rare.place..self.rare.place + places)?.get(from..)?;
        let second = text.get(self.second.place..self.second.place + places)?.get(from..)?;
        let (rare_chunks, _) = rare.as_chunks::<WIDTH>();
        let (second_chunks, _) = second.as_chunks::<WIDTH>();
        let mut compared = 0;
        let mut start = from;
        for (rare, second) in rare_chunks.iter().zip(second_chunks) {
            if self.is_promising(rare, second) {
                for place in start..start + WIDTH {
                    if self.is_at(text, place) {
                        return Some(place);
                    }
                }
                compared += WIDTH * self.needle.len();
                if compared > PATIENCE * (start + WIDTH - from) {
                    return self.find_steadily(text, start + WIDTH);
                }
            }
            start += WIDTH;
        }
        (start..places).find(|place| self.is_at(text, *place))
    }

    /// Whether both bytes are at one of the places.
    #[inline(always)]
    fn is_promising(&self, rare: &[u8; WIDTH], second: &[u8; WIDTH]) -> bool {
        self.both(rare, second).iter().fold(false, |any, both| any | both)
    }

    /// At which of the places both bytes are.
    #[inline(always)]
    fn both(&self, rare: &[u8; WIDTH], second: &[u8; WIDTH]) -> [bool; WIDTH] {
        let mut both = [false; WIDTH];
        for (((both, byte), case), rare) in both.iter_mut().zip(rare).zip(&self.rare.cases).zip(&self.rare.bytes) {
            *both = byte | case == *rare;
        }
        for (((both, byte), case), second) in
            both.iter_mut().zip(second).zip(&self.second.cases).zip(&self.second.bytes)
        {
            *both &= byte | case == *second;
        }
        both
    }

    #[inline]
    fn is_at(&self, text: &[u8], place: usize) -> bool {
        let Some(window) = text.get(place..place + self.needle.len()) else { return false };
        window.get(self.second.place).is_some_and(|byte| self.second.is(*byte))
            && window.eq_ignore_ascii_case(&self.needle)
    }

    /// Looks at each byte from a place on once.
    #[cold]
    fn find_steadily(&self, text: &[u8], from: usize) -> Option<usize> {
        let mut matching = 0;
        for (place, byte) in text.iter().enumerate().skip(from) {
            matching = longer(&self.needle, &self.borders, matching, byte.to_ascii_lowercase());
            if matching == self.needle.len() {
                return Some(place + 1 - matching);
            }
        }
        None
    }
}

/// How much of the needle matches when one more byte is read.
fn longer(needle: &[u8], borders: &[u32], mut matching: usize, byte: u8) -> usize {
    while matching > 0 && needle.get(matching) != Some(&byte) {
        matching = borders.get(matching).map_or(0, |border| *border as usize);
    }
    matching + usize::from(needle.get(matching) == Some(&byte))
}

fn borders(needle: &[u8]) -> Box<[u32]> {
    let mut borders = vec![0; needle.len() + 1];
    let mut matching = 0;
    for (place, byte) in needle.iter().enumerate().skip(1) {
        matching = longer(needle, &borders, matching, *byte);
        if let Some(border) = borders.get_mut(place + 1) {
            *border = u32::try_from(matching).unwrap_or_default();
        }
    }
    borders.into()
}

/// What `memchr` is told of how common bytes are.
struct Commonness;

impl HeuristicFrequencyRank for Commonness {
    fn rank(&self, byte: u8) -> u8 {
        commonness(byte)
    }
}

/// How often a byte is seen in texts of requests, roughly.
fn commonness(byte: u8) -> u8 {
    const OFTEN: &[u8] = b"zqjxkvwybgpfmuhdclnrstiaoe0123456789-_;(),=&%:.+/ ";
    OFTEN.iter().position(|other| *other == byte).map_or(0, |place| u8::try_from(place).unwrap_or(u8::MAX) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(needle: &str, text: &str) {
        let expected = text.to_ascii_lowercase().find(needle);
        assert_eq!(Needle::new(needle.as_bytes(), true).find(text.as_bytes()), expected, "{needle} in {text}");
        let expected = text.find(needle);
        assert_eq!(
            Needle::new(needle.as_bytes(), false).find(text.as_bytes()),
            expected,
            "{needle} in {text}, exactly"
        );
    }

    #[test]
    fn finds_what_a_plain_search_finds() {
        for needle in ["", "b", "bot", "aab", "a-b", "é", "-", "[", "@{"] {
            for text in ["", "b", "BOT", "a bOt", "Aaaab", "A-B", "é", "É", "`{@[", "-"] {
                check(needle, text);
                for before in [15, 16, 30, 31, 32, 33, 63, 64, 65, 100] {
                    check(needle, &format!("{}{text}", "x".repeat(before)));
                    check(needle, &format!("{}{text}{}", "B".repeat(before), "o".repeat(before)));
                }
            }
        }
    }

    #[test]
    fn finds_in_texts_that_are_made_to_be_slow() {
        let needle = format!("{}b{}", "a".repeat(60), "a".repeat(60));
        for text in ["a".repeat(5000), format!("{}{}A", "a".repeat(5000), needle), "ab".repeat(3000)] {
            check(&needle, &text);
            check(&needle, &text.to_uppercase());
        }
    }
}
