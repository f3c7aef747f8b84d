//! Sets that are written out.

use std::cmp::Ordering;

/// Up to so many ranges are looked at one by one.
const FEW: usize = 6;

/// Integers or addresses, as ranges that are sorted and do not touch.
pub(super) struct Ranges<T> {
    /// The first of each range. Apart from the last ones, as only one of those is looked at.
    starts: Box<[T]>,
    ends: Box<[T]>,
    /// The last of all.
    end: Option<T>,
}

impl<T: Copy + Ord> Ranges<T> {
    pub(super) fn new(mut ranges: Vec<(T, T)>) -> Self {
        ranges.sort_unstable();
        let mut merged: Vec<(T, T)> = Vec::with_capacity(ranges.len());
        for (start, end) in ranges {
            match merged.last_mut() {
                Some((_, last)) if start <= *last => *last = end.max(*last),
                _ => merged.push((start, end)),
            }
        }
        let (starts, ends): (Vec<T>, Vec<T>) = merged.into_iter().unzip();
        Ranges { starts: starts.into(), end: ends.last().copied(), ends: ends.into() }
    }

    #[inline(never)]
    pub(super) fn contains(&self, value: T) -> bool {
        if self.end.is_none_or(|end| value > end) {
            return false;
        }
        if self.ends.len() <= FEW {
            let reaching = self.starts.iter().zip(&self.ends).find(|(_, last)| value <= **last);
            return reaching.is_some_and(|(first, _)| *first <= value);
        }
        let not_above = self.starts.partition_point(|start| *start <= value);
        let last = not_above.checked_sub(1).and_then(|place| self.ends.get(place));
        last.is_some_and(|end| value <= *end)
    }
}

/// Texts, those of one length side by side and sorted.
pub(super) struct Texts {
    groups: Box<[Group]>,
    /// For each length up to a bound, the number of the group before which it stands.
    by_length: Box<[u32]>,
}

/// Texts that are longer are found by a search for their length.
const LONG: usize = 256;

struct Group {
    length: usize,
    texts: Box<[u8]>,
}

impl Texts {
    pub(super) fn new(mut texts: Vec<&[u8]>) -> Self {
        texts.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        texts.dedup();
        let groups = texts.chunk_by(|a, b| a.len() == b.len());
        let group = |texts: &[&[u8]]| Group {
            length: texts.first().map_or(0, |text| text.len()),
            texts: texts.concat().into(),
        };
        let groups: Box<[Group]> = groups.map(group).collect();
        let longest = groups.last().map_or(0, |group| group.length.min(LONG));
        let place = |length| groups.partition_point(|group| group.length < length);
        let by_length = (0..=longest).map(|length| u32::try_from(place(length)).unwrap_or(u32::MAX)).collect();
        Texts { groups, by_length }
    }

    #[inline]
    pub(super) fn contains(&self, text: &[u8]) -> bool {
        self.search(text.len(), |other| other.cmp(text))
    }

    /// Like [`contains`](Texts::contains), for texts in lower case: capitals do not matter.
    pub(super) fn contains_folded(&self, text: &[u8]) -> bool {
        self.search(text.len(), |other| other.iter().copied().cmp(text.iter().map(u8::to_ascii_lowercase)))
    }

    #[inline]
    fn search(&self, length: usize, compare: impl Fn(&[u8]) -> Ordering) -> bool {
        let place = match self.by_length.get(length) {
            Some(place) => *place as usize,
            None => self.groups.partition_point(|group| group.length < length),
        };
        let Some(group) = self.groups.get(place).filter(|group| group.length == length) else { return false };
        if length == 0 {
            return true;
        }
        let (mut low, mut high) = (0, group.texts.len() / length);
        while low < high {
            let middle = (low + high) / 2;
            let Some(text) = group.texts.get(middle * length..(middle + 1) * length) else { return false };
            match compare(text) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return true,
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_any_number() {
        for count in [0_u32, 1, 2, 15, 16, 17, 255, 256, 257, 300, 4095, 4096, 4097, 5000] {
            // 3..=4, 13..=14, and so on.
            let ranges = Ranges::<u32>::new((0..count).rev().map(|n| (10 * n + 3, 10 * n + 4)).collect());
            for value in (0..10 * count + 20).chain([u32::MAX - 1, u32::MAX]) {
                let expected = value / 10 < count && [3, 4].contains(&(value % 10));
                assert_eq!(ranges.contains(value), expected, "{value} of {count}");
            }
        }
    }

    #[test]
    fn ranges_that_touch_each_other_or_an_end() {
        let ranges = Ranges::<i64>::new(vec![(5, 9), (1, 6), (i64::MIN, -5), (7, 8), (i64::MAX, i64::MAX)]);
        for (value, expected) in
            [(i64::MIN, true), (-5, true), (-4, false), (0, false), (1, true), (9, true), (10, false), (i64::MAX, true)]
        {
            assert_eq!(ranges.contains(value), expected, "{value}");
        }
    }

    #[test]
    fn texts_of_any_length() {
        let long = "x".repeat(300);
        let longer = "x".repeat(301);
        let texts = Texts::new(vec![b"b", b"a", b"", b"abc", b"abd", b"a", long.as_bytes()]);
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
            assert_eq!(texts.contains_folded(text.to_ascii_uppercase().as_bytes()), expected || text == "A", "{text}");
        }
    }
}
