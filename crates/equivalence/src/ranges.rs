//! Represents sets of integers and addresses as sorted ranges.
//!
//! Start with [`RangeSet`]. Its ranges never overlap or touch, so equal sets are equal values.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// An integer or an address with its family. Values of different families are never equal or adjacent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Point {
    family: u8,
    number: u128,
}

const INTEGER: u8 = 0;
const IPV4: u8 = 4;
const IPV6: u8 = 6;
/// The bit that maps the order of signed integers to the order of unsigned integers.
const SIGN_BIT: u64 = 1 << 63;

impl Point {
    pub(crate) fn integer(value: i64) -> Point {
        Point { family: INTEGER, number: u128::from(value.cast_unsigned() ^ SIGN_BIT) }
    }

    pub(crate) fn ip(value: IpAddr) -> Point {
        match value {
            IpAddr::V4(address) => Point { family: IPV4, number: u128::from(address.to_bits()) },
            IpAddr::V6(address) => Point { family: IPV6, number: address.to_bits() },
        }
    }

    pub(crate) fn as_integer(self) -> i64 {
        // The number came from 64 bits, so it fits.
        (u64::try_from(self.number).unwrap_or(SIGN_BIT) ^ SIGN_BIT).cast_signed()
    }

    pub(crate) fn as_ip(self) -> IpAddr {
        match self.family {
            IPV4 => IpAddr::V4(Ipv4Addr::from_bits(u32::try_from(self.number).unwrap_or(0))),
            _ => IpAddr::V6(Ipv6Addr::from_bits(self.number)),
        }
    }

    fn last_of_family(self) -> Point {
        let number = match self.family {
            INTEGER => u128::from(u64::MAX),
            IPV4 => u128::from(u32::MAX),
            _ => u128::MAX,
        };
        Point { number, ..self }
    }

    fn next(self) -> Option<Point> {
        (self < self.last_of_family()).then(|| Point { number: self.number + 1, ..self })
    }

    fn previous(self) -> Option<Point> {
        Some(Point { number: self.number.checked_sub(1)?, ..self })
    }
}

/// A set of points as inclusive ranges in ascending order. No range touches the next one.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RangeSet(Vec<(Point, Point)>);

impl RangeSet {
    /// Creates a set from ranges in any order, which may overlap. Both ends of a range have the same family.
    pub(crate) fn new(mut ranges: Vec<(Point, Point)>) -> RangeSet {
        ranges.retain(|(first, last)| first <= last);
        ranges.sort_unstable();
        let mut merged: Vec<(Point, Point)> = Vec::new();
        for (first, last) in ranges {
            match merged.last_mut() {
                Some((_, end)) if first <= *end || end.next() == Some(first) => *end = last.max(*end),
                _ => merged.push((first, last)),
            }
        }
        RangeSet(merged)
    }

    pub(crate) fn single(point: Point) -> RangeSet {
        RangeSet(vec![(point, point)])
    }

    /// Returns all points of the same family below `point`.
    pub(crate) fn below(point: Point) -> RangeSet {
        let first = Point { number: 0, ..point };
        RangeSet(point.previous().map(|last| (first, last)).into_iter().collect())
    }

    /// Returns all points of the same family above `point`.
    pub(crate) fn above(point: Point) -> RangeSet {
        RangeSet(point.next().map(|first| (first, point.last_of_family())).into_iter().collect())
    }

    pub(crate) fn all_integers() -> RangeSet {
        RangeSet(vec![(Point::integer(i64::MIN), Point::integer(i64::MAX))])
    }

    pub(crate) fn all_addresses() -> RangeSet {
        let whole_family = |family| (Point { family, number: 0 }, Point { family, number: 0 }.last_of_family());
        RangeSet(vec![whole_family(IPV4), whole_family(IPV6)])
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Point, Point)> {
        self.0.iter().copied()
    }

    pub(crate) fn contains(&self, point: Point) -> bool {
        let next_index = self.0.partition_point(|(first, _)| *first <= point);
        next_index.checked_sub(1).and_then(|index| self.0.get(index)).is_some_and(|(_, last)| point <= *last)
    }

    pub(crate) fn union(&self, other: &RangeSet) -> RangeSet {
        RangeSet::new(self.iter().chain(other.iter()).collect())
    }

    pub(crate) fn intersection(&self, other: &RangeSet) -> RangeSet {
        let (mut left, mut right) = (self.iter().peekable(), other.iter().peekable());
        let mut common = Vec::new();
        while let (Some(a), Some(b)) = (left.peek().copied(), right.peek().copied()) {
            let (first, last) = (a.0.max(b.0), a.1.min(b.1));
            if first <= last {
                common.push((first, last));
            }
            if a.1 <= b.1 {
                left.next();
            } else {
                right.next();
            }
        }
        RangeSet(common)
    }

    /// Returns the points in this set that are not in `other`.
    pub(crate) fn difference(&self, other: &RangeSet) -> RangeSet {
        let mut remaining = Vec::new();
        let mut holes = other.iter().peekable();
        for (first, last) in self.iter() {
            let mut start = Some(first);
            while let Some(hole) = holes.peek().copied().filter(|hole| hole.0 <= last) {
                let Some(from) = start else { break };
                if hole.1 >= from {
                    remaining
                        .extend(hole.0.previous().filter(|end| hole.0 > from && from <= *end).map(|end| (from, end)));
                    start = if hole.1 >= last { None } else { hole.1.next() };
                }
                if hole.1 > last {
                    break;
                }
                holes.next();
            }
            remaining.extend(start.filter(|from| *from <= last).map(|from| (from, last)));
        }
        RangeSet(remaining)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ranges: &[(i64, i64)]) -> RangeSet {
        RangeSet::new(ranges.iter().map(|(a, b)| (Point::integer(*a), Point::integer(*b))).collect())
    }

    #[test]
    fn set_operations_equal_memberwise_logic() {
        let samples = [
            set(&[]),
            set(&[(0, 0)]),
            set(&[(-8, 8)]),
            set(&[(-3, -1), (1, 3)]),
            set(&[(-8, -8), (0, 2), (3, 4), (8, 8)]),
            set(&[(5, 2)]),
            set(&[(-2, 5), (0, 7)]),
        ];
        for (a, b) in samples.iter().flat_map(|a| samples.iter().map(move |b| (a, b))) {
            for value in -10..=10 {
                let point = Point::integer(value);
                let (in_a, in_b) = (a.contains(point), b.contains(point));
                assert_eq!(a.union(b).contains(point), in_a || in_b, "{value} in {a:?} or {b:?}");
                assert_eq!(a.intersection(b).contains(point), in_a && in_b, "{value} in {a:?} and {b:?}");
                assert_eq!(a.difference(b).contains(point), in_a && !in_b, "{value} in {a:?} without {b:?}");
            }
        }
    }

    #[test]
    fn adjacent_families_are_not_merged() {
        let last_v4 = Point::ip("255.255.255.255".parse().unwrap());
        let first_v6 = Point::ip("::".parse().unwrap());
        assert!(RangeSet::above(last_v4).is_empty());
        assert!(RangeSet::below(first_v6).is_empty());
        assert_eq!(RangeSet::single(last_v4).union(&RangeSet::single(first_v6)).len(), 2);
        let all = RangeSet::all_addresses();
        assert_eq!(all.difference(&RangeSet::single(last_v4)).union(&RangeSet::single(last_v4)), all);
        let ends = [i64::MIN, -1, 0, i64::MAX];
        assert!(ends.iter().all(|value| Point::integer(*value).as_integer() == *value));
    }
}
