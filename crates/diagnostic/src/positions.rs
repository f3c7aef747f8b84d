//! Lines and columns of many places in one source.

use crate::Position;

/// Gives the [`Position`] of one offset after the other.
///
/// It goes on from the last place asked for, so the positions of many diagnostics in the order of
/// the source take one walk over it, where [`position`](crate::position) would walk for each.
pub struct Positions<'a> {
    source: &'a str,
    offset: usize,
    place: Position,
}

const START: Position = Position { line: 1, column: 1 };

impl<'a> Positions<'a> {
    /// Begins at the start of `source`.
    pub fn new(source: &'a str) -> Self {
        Positions { source, offset: 0, place: START }
    }

    /// Line and column of a byte offset; an offset past the end counts as the end.
    pub fn at(&mut self, offset: usize) -> Position {
        let mut offset = offset.min(self.source.len());
        while !self.source.is_char_boundary(offset) {
            offset -= 1;
        }
        if offset < self.offset {
            self.offset = 0;
            self.place = START;
        }
        for character in self.source.get(self.offset..offset).unwrap_or_default().chars() {
            if character == '\n' {
                self.place = Position { line: self.place.line + 1, column: 1 };
            } else {
                self.place.column += 1;
            }
        }
        self.offset = offset;
        self.place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position;

    #[test]
    fn agrees_with_the_position_of_each_offset() {
        for source in ["", "ab", "a\nb\r\n\nc", "é😀x\n日本"] {
            let mut positions = Positions::new(source);
            let forwards = 0..source.len() + 2;
            let backwards = forwards.clone().rev();
            for offset in forwards.chain(backwards) {
                assert_eq!(positions.at(offset), position(source, offset), "{source:?} at {offset}");
            }
        }
    }
}
