//! Sets of integers and addresses, as sorted ranges that do not overlap.

use zonewright_diagnostic::sort_by_key;

/// The maximum number of ranges in a set that a search tests one after the other, without branches.
const MAX_SMALL_RANGES: usize = 8;

/// The bits of an integer or address in a range.
pub(crate) trait Ordinal: Copy + Ord + Default {
    /// Returns the highest 64 bits. The order of the highest bits never contradicts the order of the values.
    fn high_bits(self) -> u64;
    /// Returns the distance from another value up to this one. If this value is lower, the distance wraps around and is
    /// large.
    fn distance_from(self, other: Self) -> Self;
}

impl Ordinal for u32 {
    #[inline(always)]
    fn high_bits(self) -> u64 {
        self.into()
    }

    #[inline(always)]
    fn distance_from(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
}

impl Ordinal for u64 {
    #[inline(always)]
    fn high_bits(self) -> u64 {
        self
    }

    #[inline(always)]
    fn distance_from(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
}

impl Ordinal for u128 {
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "the shifted value fits")]
    fn high_bits(self) -> u64 {
        (self >> 64) as u64
    }

    #[inline(always)]
    fn distance_from(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
}

/// A set of integers or addresses, as sorted ranges that do not overlap.
pub(crate) struct RangeSet<T> {
    /// The highest value of the set; meaningless if the set is empty.
    end: T,
    kind: RangeSetKind<T>,
}

enum RangeSetKind<T> {
    SmallRanges(SmallRanges<T>),
    SortedRanges(SortedRanges<T>),
}

/// Up to [`MAX_SMALL_RANGES`] ranges. A search tests all of them: the first value of each, and the distance to its last
/// value. Unused entries repeat the first range.
struct SmallRanges<T> {
    starts: [T; MAX_SMALL_RANGES],
    distances: [T; MAX_SMALL_RANGES],
}

/// Any number of ranges, including none. A search is binary.
struct SortedRanges<T> {
    /// The first value of each range, separate from the last values because a search reads only one of those.
    starts: Box<[T]>,
    ends: Box<[T]>,
    buckets: BucketIndex,
}

/// An index over the highest bits of the first values, which narrows the binary search.
#[derive(Default)]
struct BucketIndex {
    /// The highest bits of the lowest first value.
    first: u64,
    /// The number of low bits that are ignored.
    shift: u32,
    /// For each value of the bits above the shift, the number of first values with lower bits. The last entry is the
    /// total number of first values.
    counts_below: Box<[u32]>,
}

/// The approximate number of first values in a bucket if they are evenly distributed.
const TARGET_BUCKET_STARTS: usize = 4;

impl BucketIndex {
    fn new<T: Ordinal>(starts: &[T]) -> Self {
        let (Some(first), Some(last)) = (starts.first(), starts.last()) else { return BucketIndex::default() };
        let (first, width) = (first.high_bits(), last.high_bits() - first.high_bits());
        let bits = (starts.len() / TARGET_BUCKET_STARTS).next_power_of_two().ilog2().max(1);
        let shift = (u64::BITS - width.leading_zeros()).saturating_sub(bits);
        let count_below = |bits| starts.partition_point(|start| (start.high_bits() - first) >> shift < bits);
        let counts_below =
            (0..=(width >> shift) + 1).map(|bits| u32::try_from(count_below(bits)).unwrap_or(u32::MAX)).collect();
        BucketIndex { first, shift, counts_below }
    }

    /// Returns the range of indexes in which the first start above a value lies.
    #[inline(always)]
    fn find_bucket<T: Ordinal>(&self, value: T) -> Option<(usize, usize)> {
        let bits = usize::try_from(value.high_bits().checked_sub(self.first)? >> self.shift).ok()?;
        Some((*self.counts_below.get(bits)? as usize, *self.counts_below.get(bits + 1)? as usize))
    }
}

/// Sorts the ranges and merges those that overlap.
fn merge<T: Copy + Ord>(mut ranges: Vec<(T, T)>) -> Vec<(T, T)> {
    ranges.retain(|(start, end)| start <= end);
    sort_by_key(&mut ranges, |range| *range);
    let mut merged: Vec<(T, T)> = Vec::with_capacity(ranges.len());
    for (start, end) in ranges {
        match merged.last_mut() {
            Some((_, last)) if start <= *last => *last = end.max(*last),
            _ => merged.push((start, end)),
        }
    }
    merged
}

impl<T: Ordinal> RangeSet<T> {
    pub(crate) fn new(ranges: Vec<(T, T)>) -> Self {
        let ranges = merge(ranges);
        let end = ranges.last().map_or(T::default(), |(_, last)| *last);
        if let Some(first) = ranges.first().filter(|_| ranges.len() <= MAX_SMALL_RANGES) {
            return RangeSet { end, kind: RangeSetKind::SmallRanges(SmallRanges::new(*first, &ranges)) };
        }
        let (starts, ends): (Vec<T>, Vec<T>) = ranges.into_iter().unzip();
        let buckets = BucketIndex::new(&starts);
        RangeSet {
            end,
            kind: RangeSetKind::SortedRanges(SortedRanges { starts: starts.into(), ends: ends.into(), buckets }),
        }
    }

    #[inline(always)]
    pub(crate) fn contains(&self, value: T) -> bool {
        if value > self.end {
            return false;
        }
        match &self.kind {
            RangeSetKind::SmallRanges(ranges) => ranges.contains(value),
            RangeSetKind::SortedRanges(ranges) => ranges.contains(value),
        }
    }
}

impl<T: Ordinal> SmallRanges<T> {
    fn new(first: (T, T), ranges: &[(T, T)]) -> Self {
        let range = |index| ranges.get(index).copied().unwrap_or(first);
        SmallRanges {
            starts: std::array::from_fn(|index| range(index).0),
            distances: std::array::from_fn(|index| range(index).1.distance_from(range(index).0)),
        }
    }

    #[inline(always)]
    fn contains(&self, value: T) -> bool {
        let ranges = self.starts.iter().zip(&self.distances);
        ranges.fold(false, |any, (start, distance)| any | (value.distance_from(*start) <= *distance))
    }
}

impl<T: Ordinal> SortedRanges<T> {
    #[inline]
    fn contains(&self, value: T) -> bool {
        // The number of ranges that start at or below the value.
        let start_count = match self.buckets.find_bucket(value) {
            Some((low, high)) => {
                let searched = self.starts.get(low..high).unwrap_or_default();
                low + searched.partition_point(|start| *start <= value)
            }
            // The value is below the first start or above the last one.
            None => self.starts.partition_point(|start| *start <= value),
        };
        let last = start_count.checked_sub(1).and_then(|index| self.ends.get(index));
        last.is_some_and(|end| value <= *end)
    }
}

/// A set of integers. A dense set, such as ports or status codes, is a bitmap.
pub(crate) enum Integers {
    Bitmap(BitSet),
    /// Sorted ranges of distances from `i64::MIN`.
    Ranges(RangeSet<u64>),
}

/// A bitmap of consecutive integers from `first` on.
pub(crate) struct BitSet {
    first: i64,
    words: Box<[u64]>,
}

/// The maximum number of bits in a bitmap.
const MAX_BITSET_BITS: u64 = 1 << 14;

impl Integers {
    pub(crate) fn new(ranges: Vec<(i64, i64)>) -> Self {
        let ranges = merge(ranges);
        let ends = ranges.first().zip(ranges.last()).map(|(first, last)| (first.0, last.1.abs_diff(first.0)));
        match ends.filter(|(_, distance)| *distance < MAX_BITSET_BITS) {
            Some((first, distance)) => Integers::Bitmap(BitSet::new(first, distance, &ranges)),
            None => Integers::Ranges(RangeSet::new(
                ranges.iter().map(|(start, end)| (to_unsigned(*start), to_unsigned(*end))).collect(),
            )),
        }
    }

    #[inline(always)]
    pub(crate) fn contains(&self, value: i64) -> bool {
        match self {
            Integers::Bitmap(bits) => bits.contains(value),
            Integers::Ranges(ranges) => ranges.contains(to_unsigned(value)),
        }
    }
}

/// Returns the distance of an integer from `i64::MIN`.
#[inline(always)]
fn to_unsigned(value: i64) -> u64 {
    value.abs_diff(i64::MIN)
}

impl BitSet {
    fn new(first: i64, distance: u64, ranges: &[(i64, i64)]) -> Self {
        let mut words = vec![0; distance as usize / 64 + 1];
        for index in ranges.iter().flat_map(|(start, end)| start.abs_diff(first)..=end.abs_diff(first)) {
            if let Some(word) = words.get_mut(index as usize / 64) {
                *word |= 1 << (index % 64);
            }
        }
        BitSet { first, words: words.into() }
    }

    #[inline(always)]
    fn contains(&self, value: i64) -> bool {
        // A value below the first one wraps around to a large distance.
        let index = value.wrapping_sub(self.first).cast_unsigned();
        let word = usize::try_from(index / 64).ok().and_then(|word| self.words.get(word));
        word.is_some_and(|word| word >> (index % 64) & 1 != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn range_set_of_any_size_contains_exactly_its_values() {
        for count in [0_u32, 1, 2, 15, 16, 17, 255, 256, 257, 300, 4095, 4096, 4097, 5000] {
            // The ranges 3..=4, 13..=14, and so on.
            let ranges = RangeSet::<u32>::new((0..count).rev().map(|n| (10 * n + 3, 10 * n + 4)).collect());
            for value in (0..10 * count + 20).chain([u32::MAX - 1, u32::MAX]) {
                let expected = value / 10 < count && [3, 4].contains(&(value % 10));
                assert_eq!(ranges.contains(value), expected, "{value} of {count}");
            }
        }
    }

    #[test]
    fn integer_set_contains_overlapping_and_extreme_ranges() {
        let ranges = Integers::new(vec![(5, 9), (1, 6), (i64::MIN, -5), (7, 8), (i64::MAX, i64::MAX)]);
        for (value, expected) in
            [(i64::MIN, true), (-5, true), (-4, false), (0, false), (1, true), (9, true), (10, false), (i64::MAX, true)]
        {
            assert_eq!(ranges.contains(value), expected, "{value}");
        }
    }
}
