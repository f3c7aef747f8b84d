//! Log lines: JSON objects, one a line.

use std::fmt;

/// Why a line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// What is wrong, for people.
    pub message: String,
    /// Where: a byte of the line.
    pub offset: usize,
}

impl LineError {
    /// An error at this byte of the line.
    pub fn new(message: impl Into<String>, offset: usize) -> Self {
        LineError { message: message.into(), offset }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at byte {}", self.message, self.offset)
    }
}

impl std::error::Error for LineError {}
