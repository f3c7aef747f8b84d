//! Sets that are written out.

use std::cmp::Ordering;

/// Integers or addresses, as ranges that are sorted and do not touch.
pub(super) struct Ranges<T> {
    /// The first of each range. Apart from the last ones, as only one of those is looked at.
    starts: Box<[T]>,
    ends: Box<[T]>,
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
        Ranges { starts: starts.into(), ends: ends.into() }
    }

    #[inline]
    pub(super) fn contains(&self, value: T) -> bool {
        let above = self.starts.partition_point(|start| *start <= value);
        match above.checked_sub(1).and_then(|place| self.ends.get(place)) {
            Some(end) => value <= *end,
            None => false,
        }
    }
}

/// Texts, those of one length side by side and sorted.
pub(super) struct Texts {
    groups: Box<[Group]>,
}

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
        Texts { groups: groups.map(group).collect() }
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
        let Ok(found) = self.groups.binary_search_by_key(&length, |group| group.length) else { return false };
        let Some(group) = self.groups.get(found) else { return false };
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
