//! Spans and positions in a source.

use std::fmt;

/// A half-open range of byte offsets into the source: `start..end`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset after the last byte; equal to `start` for an empty span.
    pub end: usize,
}

impl Span {
    /// Returns the range `start..end`; an `end` before `start` is moved to `start`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end: end.max(start) }
    }

    /// Returns the empty span at one offset.
    pub fn empty(offset: usize) -> Self {
        Span::new(offset, offset)
    }

    /// Returns the smallest span that covers both.
    pub fn to(self, other: Span) -> Self {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// Returns the text of `source` that this span covers; empty if the span is outside of the source or splits a
    /// character.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start..self.end).unwrap_or_default()
    }

    /// Returns whether `offset` is in the span or at its end: a cursor directly after a word touches it.
    pub fn contains_inclusive(self, offset: usize) -> bool {
        self.start <= offset && offset <= self.end
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A line and a column, as editors show them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters (Unicode scalar values), from 1.
    pub column: usize,
}

/// Returns the line and the column of a byte offset. An offset past the end counts as the end, and an offset inside a
/// character counts as its start.
pub fn position_at(source: &str, offset: usize) -> Position {
    let mut offset = offset.min(source.len());
    while !source.is_char_boundary(offset) {
        offset -= 1;
    }
    let prefix = source.get(..offset).unwrap_or_default();
    let line_start = prefix.rfind('\n').map_or(0, |newline| newline + 1);
    Position {
        line: prefix.bytes().filter(|byte| *byte == b'\n').count() + 1,
        column: prefix.get(line_start..).unwrap_or_default().chars().count() + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let cases = [
            ("", 0, (1, 1)),
            ("ab", 2, (1, 3)),
            ("a\nb", 2, (2, 1)),
            ("é😀x", 6, (1, 3)),
            ("é", 1, (1, 1)),
            ("a", 99, (1, 2)),
        ];
        for (source, offset, (line, column)) in cases {
            let expected = Position { line, column };
            assert_eq!(position_at(source, offset), expected, "{source:?} at {offset}");
        }
    }
}
