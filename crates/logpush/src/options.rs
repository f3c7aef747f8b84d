//! The [`Options`] that a filter is checked with, and the documented limits that are their defaults.

use crate::datasets::Dataset;
use zonewright_expression::Lint;

/// The most operators of a filter (documented as approximate; assumption filter-limits).
pub const MAX_OPERATORS: usize = 30;
/// The longest filter in bytes (documented as approximate; assumption filter-limits).
pub const MAX_FILTER_BYTES: usize = 1000;

/// What to check a filter against.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whose fields it may name.
    pub dataset: &'static Dataset,
    /// Most conditions.
    pub max_operators: usize,
    /// Longest filter in bytes of UTF-8, as its string is sent: an escaped one without its escapes.
    pub max_bytes: usize,
    /// Which lints are reported beside the other diagnostics of a right filter; none without.
    pub lint: Option<Lint>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            dataset: Dataset::http_requests(),
            max_operators: MAX_OPERATORS,
            max_bytes: MAX_FILTER_BYTES,
            lint: None,
        }
    }
}
