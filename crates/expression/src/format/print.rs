//! The printer: writes layout pieces into lines of a maximum width.

use super::layout::{LayoutNode, PieceKind};

/// Spaces of indentation for each level of open delimiters.
const INDENT_SPACES: usize = 2;
/// The maximum number of columns of a set.
const MAX_SET_COLUMNS: usize = 32;

/// Prints a piece in lines of at most `width` characters, where it can be broken. Returns `None` if the text has more
/// than `most` characters.
pub(super) fn print(piece: &LayoutNode<'_>, width: usize, most: usize) -> Option<String> {
    let mut printer = Printer { text: String::new(), column: 0, length: 0, width, most };
    printer.piece(piece, 0, 0);
    (printer.length <= most).then_some(printer.text)
}

struct Printer {
    text: String,
    /// The width of the current line, in characters.
    column: usize,
    /// The length of the text, in characters.
    length: usize,
    width: usize,
    most: usize,
}

impl Printer {
    /// Writes a piece whose lines begin at `indent`. The last line must leave space for `behind` more characters.
    fn piece(&mut self, piece: &LayoutNode<'_>, indent: usize, behind: usize) {
        // The output is discarded once it is too long.
        if self.length > self.most {
            return;
        }
        if self.column + piece.width + behind <= self.width {
            return self.print_flat(piece);
        }
        match &piece.kind {
            PieceKind::Text(_) => self.print_flat(piece),
            PieceKind::Concat(pieces) => {
                let mut rest = pieces.as_slice();
                while let Some((first, others)) = rest.split_first() {
                    self.piece(first, indent, leading_width(others, behind));
                    rest = others;
                }
            }
            PieceKind::Chain(operands, operators) => self.print_chain(operands, operators, indent, behind),
            PieceKind::Parenthesized(inside) => self.print_parenthesized(inside, indent),
            PieceKind::Set(items) => self.print_set(items, indent),
        }
    }

    fn print_chain(&mut self, operands: &[LayoutNode<'_>], operators: &[&str], indent: usize, behind: usize) {
        for (position, operand) in operands.iter().enumerate() {
            if let Some(operator) = position.checked_sub(1).and_then(|before| operators.get(before)) {
                self.line(indent);
                self.push_str(operator);
                self.push_str(" ");
            }
            // A nested chain has no parentheses, so the indentation shows its higher precedence.
            let inner = if matches!(operand.kind, PieceKind::Chain(..)) { INDENT_SPACES } else { 0 };
            let is_last = position + 1 == operands.len();
            self.piece(operand, indent + inner, if is_last { behind } else { 0 });
        }
    }

    fn print_parenthesized(&mut self, inside: &[LayoutNode<'_>], indent: usize) {
        self.push_str("(");
        for (position, piece) in inside.iter().enumerate() {
            self.line(indent + INDENT_SPACES);
            let comma = if position + 1 < inside.len() { "," } else { "" };
            self.piece(piece, indent + INDENT_SPACES, comma.len());
            self.push_str(comma);
        }
        if !inside.is_empty() {
            self.line(indent);
        }
        self.push_str(")");
    }

    fn print_set(&mut self, items: &[(&str, usize)], indent: usize) {
        self.push_str("{");
        let columns = column_widths(items, self.width.saturating_sub(indent + INDENT_SPACES));
        for row in items.chunks(columns.len().max(1)) {
            self.line(indent + INDENT_SPACES);
            let mut padding = 0;
            for ((item, width), column) in row.iter().zip(&columns) {
                self.push_spaces(padding);
                self.push_str(item);
                padding = column.saturating_sub(*width) + 1;
            }
        }
        if !items.is_empty() {
            self.line(indent);
        }
        self.push_str("}");
    }

    fn print_flat(&mut self, piece: &LayoutNode<'_>) {
        match &piece.kind {
            PieceKind::Text(text) => self.push_str(text),
            PieceKind::Concat(pieces) => pieces.iter().for_each(|piece| self.print_flat(piece)),
            PieceKind::Chain(operands, operators) => {
                for (position, operand) in operands.iter().enumerate() {
                    if let Some(operator) = position.checked_sub(1).and_then(|before| operators.get(before)) {
                        self.push_str(" ");
                        self.push_str(operator);
                        self.push_str(" ");
                    }
                    self.print_flat(operand);
                }
            }
            PieceKind::Parenthesized(inside) => {
                self.push_str("(");
                for (position, piece) in inside.iter().enumerate() {
                    self.push_str(if position > 0 { ", " } else { "" });
                    self.print_flat(piece);
                }
                self.push_str(")");
            }
            PieceKind::Set(items) => {
                self.push_str("{");
                for (position, (item, _)) in items.iter().enumerate() {
                    self.push_str(if position > 0 { " " } else { "" });
                    self.push_str(item);
                }
                self.push_str("}");
            }
        }
    }

    fn push_str(&mut self, text: &str) {
        let width = text.chars().count();
        self.length += width;
        // A line break inside a string also begins a line.
        self.column = match text.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.column + width,
        };
        self.text.push_str(text);
    }

    fn push_spaces(&mut self, count: usize) {
        self.text.extend(std::iter::repeat_n(' ', count));
        self.length += count;
        self.column += count;
    }

    fn line(&mut self, indent: usize) {
        self.text.push('\n');
        self.length += 1;
        self.column = 0;
        self.push_spaces(indent);
    }
}

/// Returns the number of characters up to the first possible line break in a row of pieces. If there is none, `behind`
/// more characters follow.
fn leading_width(pieces: &[LayoutNode<'_>], behind: usize) -> usize {
    let mut width = 0;
    for piece in pieces {
        match &piece.kind {
            PieceKind::Text(_) => width += piece.width,
            PieceKind::Parenthesized(inside) if !inside.is_empty() => return width + 1,
            PieceKind::Set(items) if !items.is_empty() => return width + 1,
            PieceKind::Parenthesized(_) | PieceKind::Set(_) => width += piece.width,
            // A row inside a row is either its last piece or its first one.
            PieceKind::Concat(pieces) => return width + leading_width(pieces, behind),
            PieceKind::Chain(operands, _) => return width + leading_width(operands.get(..1).unwrap_or_default(), 0),
        }
    }
    width + behind
}

/// Returns the width of each column of a set, with as many columns as fit into `width`.
fn column_widths(items: &[(&str, usize)], width: usize) -> Vec<usize> {
    for count in (2..=MAX_SET_COLUMNS.min(items.len())).rev() {
        let mut columns = vec![0; count];
        for row in items.chunks(count) {
            for (column, (_, width)) in columns.iter_mut().zip(row) {
                *column = (*column).max(*width);
            }
        }
        if columns.iter().sum::<usize>() + count - 1 <= width {
            return columns;
        }
    }
    vec![0]
}

#[cfg(test)]
mod tests {
    use super::column_widths;

    #[test]
    fn as_many_columns_as_fit() {
        let items = [("aaa", 3), ("b", 1), ("cc", 2), ("d", 1), ("eeee", 4)];
        let cases: [(usize, &[usize]); 6] =
            [(0, &[0]), (5, &[0]), (6, &[4, 1]), (10, &[4, 1]), (11, &[4, 1, 2, 1]), (15, &[3, 1, 2, 1, 4])];
        for (width, expected) in cases {
            assert_eq!(column_widths(&items, width), expected, "{width}");
        }
    }
}
