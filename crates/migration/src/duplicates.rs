//! Items that have the identifier of one before them: the first in the list counts (assumption first-counts).

use std::collections::HashMap;

/// For each item the place of an earlier one with the same identifier. What has none is not the same as other things
/// without one.
pub(crate) fn repeated<'a>(ids: impl Iterator<Item = &'a str>) -> Vec<Option<usize>> {
    let mut first = HashMap::new();
    let place = |(index, id): (usize, &'a str)| {
        let before = *first.entry(id).or_insert(index);
        (before != index && !id.is_empty()).then_some(before)
    };
    ids.enumerate().map(place).collect()
}
