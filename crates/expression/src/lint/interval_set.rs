//! Sets of integers as sorted ranges.

use zonewright_diagnostic::sort_by_key;

/// Inclusive ranges in ascending order that neither overlap nor touch.
pub(super) struct IntervalSet(Vec<(u128, u128)>);

impl IntervalSet {
    pub(super) fn new(mut ranges: Vec<(u128, u128)>) -> Self {
        sort_by_key(&mut ranges, |range| *range);
        let mut merged: Vec<(u128, u128)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            match merged.last_mut() {
                // Adjacent ranges are merged.
                Some((_, end)) if low <= end.saturating_add(1) => *end = high.max(*end),
                _ => merged.push((low, high)),
            }
        }
        IntervalSet(merged)
    }

    /// Returns whether the set contains every number of the other set.
    pub(super) fn covers(&self, other: &IntervalSet) -> bool {
        let mut ranges = self.0.iter().peekable();
        other.0.iter().all(|(low, high)| {
            while ranges.next_if(|(_, end)| end < low).is_some() {}
            ranges.peek().is_some_and(|(start, end)| start <= low && high <= end)
        })
    }
}

/// Returns whether no integer from 0 to `highest` is in all sets marked `true` and in no set marked `false`.
pub(super) fn is_unsatisfiable(sets: &[(bool, IntervalSet)], highest: u128) -> bool {
    let positive: Vec<&IntervalSet> = sets.iter().filter(|(positive, _)| *positive).map(|(_, set)| set).collect();
    let excluded = sets.iter().filter(|(positive, _)| !positive).flat_map(|(_, set)| set.0.iter().copied());
    IntervalSet::new(excluded.collect()).covers(&intersect(&positive, highest))
}

/// Returns the intersection of the sets; the whole range if there are none.
fn intersect(sets: &[&IntervalSet], highest: u128) -> IntervalSet {
    if sets.is_empty() {
        return IntervalSet(vec![(0, highest)]);
    }
    // At the same number, starts precede ends because ranges are inclusive.
    let mut events: Vec<(u128, bool)> =
        sets.iter().flat_map(|set| set.0.iter()).flat_map(|(low, high)| [(*low, false), (*high, true)]).collect();
    sort_by_key(&mut events, |event| *event);
    let mut ranges = Vec::new();
    let (mut open_count, mut start) = (0, None);
    for (point, is_end) in events {
        if is_end {
            ranges.extend(start.take().map(|start| (start, point)));
            open_count -= 1;
        } else {
            open_count += 1;
            start = (open_count == sets.len()).then_some(point);
        }
    }
    IntervalSet(ranges)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ranges: &[(u128, u128)]) -> IntervalSet {
        IntervalSet::new(ranges.to_vec())
    }

    #[test]
    fn is_unsatisfiable_combines_required_and_excluded_sets() {
        type Sets<'a> = &'a [(bool, &'a [(u128, u128)])];
        let cases: [(Sets<'_>, bool); 9] = [
            (&[(true, &[(1, 5)]), (true, &[(6, 9)])], true),
            (&[(true, &[(1, 5)]), (true, &[(5, 9)])], false),
            (&[(true, &[(1, 5), (8, 9)]), (true, &[(6, 7)])], true),
            (&[(true, &[(1, 5)]), (false, &[(1, 3), (4, 5)])], true),
            (&[(true, &[(1, 5)]), (false, &[(1, 3), (5, 5)])], false),
            (&[(false, &[(0, 7)]), (false, &[(8, 99)])], true),
            (&[(false, &[(0, 7)])], false),
            (&[(true, &[])], true),
            (&[(true, &[(1, 9)]), (true, &[(2, 8)]), (true, &[(3, 7)]), (false, &[(2, 7)])], true),
        ];
        for (sets, expected) in cases {
            let built: Vec<_> = sets.iter().map(|(positive, ranges)| (*positive, set(ranges))).collect();
            assert_eq!(is_unsatisfiable(&built, 99), expected, "{sets:?}");
        }
    }

    #[test]
    fn covers_detects_contained_sets() {
        let wide = set(&[(1, 5), (6, 9), (20, 30)]);
        for (narrow, expected) in [((2, 8), true), ((20, 30), true), ((9, 20), false), ((31, 31), false)] {
            assert_eq!(wide.covers(&set(&[narrow])), expected, "{narrow:?}");
        }
    }
}
