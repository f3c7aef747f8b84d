//! Finds items that repeat the ID of an earlier item; the first in the list takes effect (assumption first-counts).

use std::collections::HashMap;

/// Returns for each item the index of the first item with the same ID, or `None` if the item is the first one. Items
/// without an ID are never duplicates of each other.
pub(crate) fn find_duplicates<'a>(ids: impl Iterator<Item = &'a str>) -> Vec<Option<usize>> {
    let mut first_indexes = HashMap::new();
    let find_first = |(index, id): (usize, &'a str)| {
        let first_index = *first_indexes.entry(id).or_insert(index);
        (first_index != index && !id.is_empty()).then_some(first_index)
    };
    ids.enumerate().map(find_first).collect()
}
