//! Prints layout nodes in lines of a maximum width.

use super::layout::{LayoutKind, LayoutNode};

/// The indentation for each level of open delimiters, in spaces.
const INDENT_SPACES: usize = 2;
/// The maximum number of columns of a set.
const MAX_SET_COLUMNS: usize = 32;

/// Prints a node in lines of at most `width` characters, where it can be broken. Returns `None` if the text has more
/// than `max_length` characters.
pub(super) fn print(node: &LayoutNode<'_>, width: usize, max_length: usize) -> Option<String> {
    let mut printer = Printer { text: String::new(), column: 0, length: 0, width, max_length };
    printer.print_node(node, 0, 0);
    (printer.length <= max_length).then_some(printer.text)
}

struct Printer {
    text: String,
    /// The width of the current line, in characters.
    column: usize,
    /// The length of the text, in characters.
    length: usize,
    width: usize,
    max_length: usize,
}

impl Printer {
    /// Writes a node whose lines begin at `indent`. The last line leaves space for `trailing_width` more characters.
    fn print_node(&mut self, node: &LayoutNode<'_>, indent: usize, trailing_width: usize) {
        // The output is discarded once it is too long.
        if self.length > self.max_length {
            return;
        }
        if self.column + node.width + trailing_width <= self.width {
            return self.print_flat(node);
        }
        match &node.kind {
            LayoutKind::Text(_) => self.print_flat(node),
            LayoutKind::Concat(nodes) => {
                let mut remaining = nodes.as_slice();
                while let Some((first, others)) = remaining.split_first() {
                    self.print_node(first, indent, leading_width(others, trailing_width));
                    remaining = others;
                }
            }
            LayoutKind::Chain(operands, operators) => self.print_chain(operands, operators, indent, trailing_width),
            LayoutKind::Parenthesized(nodes) => self.print_parenthesized(nodes, indent),
            LayoutKind::Set(items) => self.print_set(items, indent),
        }
    }

    fn print_chain(&mut self, operands: &[LayoutNode<'_>], operators: &[&str], indent: usize, trailing_width: usize) {
        for (index, operand) in operands.iter().enumerate() {
            if let Some(operator) = index.checked_sub(1).and_then(|previous| operators.get(previous)) {
                self.begin_line(indent);
                self.push_str(operator);
                self.push_str(" ");
            }
            // A nested chain has no parentheses, so the indentation shows its higher precedence.
            let extra_indent = if matches!(operand.kind, LayoutKind::Chain(..)) { INDENT_SPACES } else { 0 };
            let is_last = index + 1 == operands.len();
            self.print_node(operand, indent + extra_indent, if is_last { trailing_width } else { 0 });
        }
    }

    fn print_parenthesized(&mut self, nodes: &[LayoutNode<'_>], indent: usize) {
        self.push_str("(");
        for (position, node) in nodes.iter().enumerate() {
            self.begin_line(indent + INDENT_SPACES);
            let comma = if position + 1 < nodes.len() { "," } else { "" };
            self.print_node(node, indent + INDENT_SPACES, comma.len());
            self.push_str(comma);
        }
        if !nodes.is_empty() {
            self.begin_line(indent);
        }
        self.push_str(")");
    }

    fn print_set(&mut self, items: &[(&str, usize)], indent: usize) {
        self.push_str("{");
        let columns = column_widths(items, self.width.saturating_sub(indent + INDENT_SPACES));
        for row in items.chunks(columns.len().max(1)) {
            self.begin_line(indent + INDENT_SPACES);
            let mut padding = 0;
            for ((item, width), column) in row.iter().zip(&columns) {
                self.push_spaces(padding);
                self.push_str(item);
                padding = column.saturating_sub(*width) + 1;
            }
        }
        if !items.is_empty() {
            self.begin_line(indent);
        }
        self.push_str("}");
    }

    fn print_flat(&mut self, node: &LayoutNode<'_>) {
        match &node.kind {
            LayoutKind::Text(text) => self.push_str(text),
            LayoutKind::Concat(nodes) => nodes.iter().for_each(|node| self.print_flat(node)),
            LayoutKind::Chain(operands, operators) => {
                for (position, operand) in operands.iter().enumerate() {
                    if let Some(operator) = position.checked_sub(1).and_then(|previous| operators.get(previous)) {
                        self.push_str(" ");
                        self.push_str(operator);
                        self.push_str(" ");
                    }
                    self.print_flat(operand);
                }
            }
            LayoutKind::Parenthesized(nodes) => {
                self.push_str("(");
                for (position, node) in nodes.iter().enumerate() {
                    self.push_str(if position > 0 { ", " } else { "" });
                    self.print_flat(node);
                }
                self.push_str(")");
            }
            LayoutKind::Set(items) => {
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

    fn begin_line(&mut self, indent: usize) {
        self.text.push('\n');
        self.length += 1;
        self.column = 0;
        self.push_spaces(indent);
    }
}

/// Returns the number of characters up to the first possible line break in a sequence of nodes. If there is none,
/// `trailing_width` more characters follow.
fn leading_width(nodes: &[LayoutNode<'_>], trailing_width: usize) -> usize {
    let mut width = 0;
    for node in nodes {
        match &node.kind {
            LayoutKind::Text(_) => width += node.width,
            LayoutKind::Parenthesized(nodes) if !nodes.is_empty() => return width + 1,
            LayoutKind::Set(items) if !items.is_empty() => return width + 1,
            LayoutKind::Parenthesized(_) | LayoutKind::Set(_) => width += node.width,
            // A nested sequence is either the first or the last node of its sequence.
            LayoutKind::Concat(nodes) => return width + leading_width(nodes, trailing_width),
            LayoutKind::Chain(operands, _) => return width + leading_width(operands.get(..1).unwrap_or_default(), 0),
        }
    }
    width + trailing_width
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
    fn set_uses_the_maximum_number_of_columns() {
        let items = [("aaa", 3), ("b", 1), ("cc", 2), ("d", 1), ("eeee", 4)];
        let cases: [(usize, &[usize]); 6] =
            [(0, &[0]), (5, &[0]), (6, &[4, 1]), (10, &[4, 1]), (11, &[4, 1, 2, 1]), (15, &[3, 1, 2, 1, 4])];
        for (width, expected) in cases {
            assert_eq!(column_widths(&items, width), expected, "{width}");
        }
    }
}
