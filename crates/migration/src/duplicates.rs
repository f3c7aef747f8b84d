//! Finds items that repeat the ID of an earlier item; the first in the list takes effect (assumption first-counts).

use std::collections::HashMap;

/// Returns for each item the index of the first item with the same ID, if that is an earlier one. Items without an ID
/// are never duplicates of each other.
pub(crate) fn find_duplicates<'a>(ids: impl Iterator<Item = &'a str>) -> Vec<Option<usize>> {
    let mut first = HashMap::new();
    let entry = |(index, id): (usize, &'a str)| {
        let before = *first.entry(id).or_insert(index);
        (before != index && !id.is_empty()).then_some(before)
    };
    ids.enumerate().map(entry).collect()
}
