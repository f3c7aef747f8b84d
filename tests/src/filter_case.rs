//! A log push filter of a case file.

use zonewright_logpush::Options;

/// A filter with the context of its block.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    /// The text of the filter.
    pub source: &'a str,
    /// The options of the answer's block.
    pub option_text: &'a str,
    /// The options that the filter is checked with.
    pub options: &'a Options,
    /// The last `line` block: a log line.
    pub line: &'a str,
}
