//! The [`Options`] of a check; the documented limits are their defaults.

use crate::datasets::Dataset;
use zonewright_expression::LintOptions;

/// The maximum number of operators of a filter (documented as approximate; assumption filter-limits).
pub const MAX_OPERATORS: usize = 30;
/// The maximum length of a filter in bytes (documented as approximate; assumption filter-limits).
pub const MAX_FILTER_BYTES: usize = 1000;

/// The dataset, the limits and the lints of a check.
#[derive(Clone, Debug)]
pub struct Options {
    /// The dataset whose fields the filter may name.
    pub dataset: &'static Dataset,
    /// The maximum number of conditions.
    pub max_operators: usize,
    /// The maximum length in bytes of UTF-8. An escaped filter is measured without its escapes.
    pub max_bytes: usize,
    /// The lints to report for a valid filter; `None` reports no lints.
    pub lint: Option<LintOptions>,
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
