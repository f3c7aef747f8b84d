//! Converts many offsets of one source to lines and columns.

use crate::Position;

/// Finds the [`Position`]s of many offsets.
///
/// Each call continues from the previous offset, so ascending offsets take a single pass over the source.
/// [`position_at`](crate::position_at) reads the source from the start every time, and so does a call with a lower
/// offset than before.
pub struct Positions<'a> {
    source: &'a str,
    offset: usize,
    position: Position,
}

const START: Position = Position { line: 1, column: 1 };

impl<'a> Positions<'a> {
    /// Starts at the beginning of `source`.
    pub fn new(source: &'a str) -> Self {
        Positions { source, offset: 0, position: START }
    }

    /// Returns the line and the column of a byte offset. An offset past the end counts as the end, and an offset inside
    /// a character counts as its start.
    pub fn position_at(&mut self, offset: usize) -> Position {
        let mut offset = offset.min(self.source.len());
        while !self.source.is_char_boundary(offset) {
            offset -= 1;
        }
        if offset < self.offset {
            self.offset = 0;
            self.position = START;
        }
        for character in self.source.get(self.offset..offset).unwrap_or_default().chars() {
            if character == '\n' {
                self.position = Position { line: self.position.line + 1, column: 1 };
            } else {
                self.position.column += 1;
            }
        }
        self.offset = offset;
        self.position
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position_at;

    #[test]
    fn positions_equal_single_lookups() {
        for source in ["", "ab", "a\nb\r\n\nc", "é😀x\n日本"] {
            let mut positions = Positions::new(source);
            let forwards = 0..source.len() + 2;
            let backwards = forwards.clone().rev();
            for offset in forwards.chain(backwards) {
                assert_eq!(positions.position_at(offset), position_at(source, offset), "{source:?} at {offset}");
            }
        }
    }
}
