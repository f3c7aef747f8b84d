//! Stable sorts that share one compiled copy.
//!
//! The sort of the standard library is compiled again for each type and comparison, which takes several kilobytes of
//! WebAssembly each time. [`sort_by`] sorts indexes, whose type is always the same, and then moves the items. Sorts on
//! a path that must be fast use the standard library.

use std::cmp::Ordering;

/// Sorts like the method of slices with this name.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let order = sort_indexes(items.len(), &mut |a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        // The indexes are in range.
        _ => Ordering::Equal,
    });
    let mut targets = vec![0; order.len()];
    for (target, index) in order.into_iter().enumerate() {
        if let Some(slot) = targets.get_mut(index) {
            *slot = target;
        }
    }
    // Each swap moves one item to its target.
    for index in 0..targets.len() {
        while let Some(target) = targets.get(index).copied().filter(|target| *target != index) {
            items.swap(index, target);
            targets.swap(index, target);
        }
    }
}

/// Sorts like the method of slices with this name.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Returns the indexes below `count` in ascending order of the items.
fn sort_indexes(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sort_is_stable_and_equals_the_standard_sort() {
        let mut state = 1_u32;
        for count in [0, 1, 2, 3, 10, 100, 1000] {
            let items: Vec<(u32, usize)> = (0..count)
                .map(|index| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 28, index)
                })
                .collect();
            let (mut sorted, mut expected) = (items.clone(), items);
            sort_by_key(&mut sorted, |item| item.0);
            expected.sort_by_key(|item| item.0);
            assert_eq!(sorted, expected);
        }
    }
}
