//! Sets of texts, grouped by length.

use crate::search::{bytes_equal, head_and_tail};
use std::cmp::Ordering;
use zonewright_diagnostic::{sort_by, sort_by_key};

/// The maximum number of texts of one length that are searched linearly.
const MAX_LINEAR_TEXTS: usize = 6;

/// A set of texts, grouped by length. Each group is sorted.
pub(crate) struct TextSet {
    groups: Box<[LengthGroup]>,
    /// For each length up to a bound, the number of groups with shorter texts.
    shorter_group_counts: Box<[u32]>,
}

/// The maximum length, in bytes, of texts that are compared as integers.
const MAX_PACKED_BYTES: usize = 16;

/// The maximum length, in bytes, that has an entry in [`TextSet::shorter_group_counts`].
const MAX_INDEXED_BYTES: usize = 256;

/// The texts of one length, sorted.
struct LengthGroup {
    length: usize,
    members: GroupMembers,
}

enum GroupMembers {
    /// The texts as integers, because country codes, methods and most file names are short.
    Short(Box<[u128]>),
    /// The texts one after the other.
    Long { count: usize, texts: Box<[u8]> },
}

/// Packs a text of at most 16 bytes into an integer. Different texts of the same length have different integers.
#[inline(always)]
fn pack(text: &[u8]) -> u128 {
    if let Some((first, last)) = head_and_tail(text) {
        u128::from(u64::from_le_bytes(first)) << 64 | u128::from(u64::from_le_bytes(last))
    } else if let Some((first, last)) = head_and_tail(text) {
        u128::from(u32::from_le_bytes(first)) << 32 | u128::from(u32::from_le_bytes(last))
    } else if let Some((first, last)) = head_and_tail(text) {
        u128::from(u16::from_le_bytes(first)) << 16 | u128::from(u16::from_le_bytes(last))
    } else {
        text.first().map_or(0, |byte| u128::from(*byte))
    }
}

impl TextSet {
    pub(crate) fn new(mut texts: Vec<&[u8]>) -> Self {
        sort_by(&mut texts, |a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        texts.dedup();
        let groups = texts.chunk_by(|a, b| a.len() == b.len());
        let groups: Box<[LengthGroup]> = groups.map(LengthGroup::new).collect();
        let longest = groups.last().map_or(0, |group| group.length.min(MAX_INDEXED_BYTES));
        let index = |length| groups.partition_point(|group| group.length < length);
        let shorter_group_counts =
            (0..=longest).map(|length| u32::try_from(index(length)).unwrap_or(u32::MAX)).collect();
        TextSet { groups, shorter_group_counts }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    #[inline]
    pub(crate) fn contains(&self, text: &[u8]) -> bool {
        self.find_group(text.len()).is_some_and(|group| match &group.members {
            GroupMembers::Short(numbers) => contains_packed(numbers, pack(text)),
            GroupMembers::Long { count, texts } if *count <= MAX_LINEAR_TEXTS => {
                linear_search(texts, group.length, |other| bytes_equal(other, text))
            }
            GroupMembers::Long { count, texts } => binary_search(texts, group.length, *count, |other| other.cmp(text)),
        })
    }

    /// Returns whether a set of lowercase texts contains the text, case-insensitively.
    pub(crate) fn contains_ignore_case(&self, text: &[u8]) -> bool {
        let lower = || text.iter().map(u8::to_ascii_lowercase);
        self.find_group(text.len()).is_some_and(|group| match &group.members {
            GroupMembers::Short(numbers) => {
                let mut folded = [0; MAX_PACKED_BYTES];
                folded.iter_mut().zip(lower()).for_each(|(to, byte)| *to = byte);
                contains_packed(numbers, pack(folded.get(..text.len()).unwrap_or_default()))
            }
            GroupMembers::Long { count, texts } if *count <= MAX_LINEAR_TEXTS => {
                linear_search(texts, group.length, |other| other.eq_ignore_ascii_case(text))
            }
            GroupMembers::Long { count, texts } => {
                binary_search(texts, group.length, *count, |other| other.iter().copied().cmp(lower()))
            }
        })
    }

    /// Returns the group of the texts with this length.
    #[inline]
    fn find_group(&self, length: usize) -> Option<&LengthGroup> {
        let index = match self.shorter_group_counts.get(length) {
            Some(index) => *index as usize,
            None => self.groups.partition_point(|group| group.length < length),
        };
        self.groups.get(index).filter(|group| group.length == length)
    }
}

impl LengthGroup {
    fn new(texts: &[&[u8]]) -> Self {
        let length = texts.first().map_or(0, |text| text.len());
        let members = if length <= MAX_PACKED_BYTES {
            let mut numbers: Vec<u128> = texts.iter().map(|text| pack(text)).collect();
            sort_by_key(&mut numbers, |number| *number);
            GroupMembers::Short(numbers.into())
        } else {
            GroupMembers::Long { count: texts.len(), texts: texts.concat().into() }
        };
        LengthGroup { length, members }
    }
}

#[inline(always)]
fn contains_packed(numbers: &[u128], number: u128) -> bool {
    if numbers.len() <= MAX_LINEAR_TEXTS { numbers.contains(&number) } else { numbers.binary_search(&number).is_ok() }
}

fn linear_search(mut texts: &[u8], length: usize, is_match: impl Fn(&[u8]) -> bool) -> bool {
    while let Some((text, rest)) = texts.split_at_checked(length) {
        if is_match(text) {
            return true;
        }
        texts = rest;
    }
    false
}

fn binary_search(texts: &[u8], length: usize, count: usize, compare: impl Fn(&[u8]) -> Ordering) -> bool {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = (low + high) / 2;
        let Some(text) = texts.get(middle * length..(middle + 1) * length) else { return false };
        match compare(text) {
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
            Ordering::Equal => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_contains_texts_of_every_length() {
        let long = "x".repeat(300);
        let longer = "x".repeat(301);
        let texts = TextSet::new(vec![b"b", b"a", b"", b"abc", b"abd", b"a", long.as_bytes()]);
        for (text, expected) in [
            ("", true),
            ("a", true),
            ("A", false),
            ("ab", false),
            ("abd", true),
            ("abcd", false),
            (&long, true),
            (&longer, false),
        ] {
            assert_eq!(texts.contains(text.as_bytes()), expected, "{text}");
            assert_eq!(
                texts.contains_ignore_case(text.to_ascii_uppercase().as_bytes()),
                expected || text == "A",
                "{text}"
            );
        }
    }

    /// Every byte of a text is significant, at any length.
    #[test]
    fn set_does_not_contain_texts_that_differ_in_one_byte() {
        for (length, count) in (1..20).flat_map(|length| [(length, 1), (length, 3), (length, 9)]) {
            let members: Vec<Vec<u8>> = (0..count).map(|n| vec![b'a' + n; length]).collect();
            let texts = TextSet::new(members.iter().map(Vec::as_slice).collect());
            for member in &members {
                assert!(texts.contains(member) && texts.contains_ignore_case(&member.to_ascii_uppercase()));
                for index in 0..length {
                    let mut other = member.clone();
                    other[index] = b'z';
                    assert!(!texts.contains(&other) && !texts.contains_ignore_case(&other), "{other:?}");
                }
            }
        }
    }
}
