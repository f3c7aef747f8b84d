//! The compact style: a space only where two tokens would otherwise merge.

use super::spelling::TokenSpeller;
use crate::ast::{Expr, ExprKind, Literal, LiteralKind, Value};

/// Writes the expression without unnecessary whitespace.
pub(super) fn compact(expr: &Expr, speller: &TokenSpeller<'_>) -> String {
    let mut writer = CompactWriter { speller, text: String::new(), edge: Edge::Closed };
    writer.write_expr(expr);
    writer.text
}

/// The kind of the last token that was written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    /// A symbol, delimiter or quote: any token may follow directly.
    Closed,
    /// A keyword, which ends at the first character that is neither a letter nor a digit.
    Keyword,
    /// A name or a literal, which may also contain symbols.
    Word,
}

struct CompactWriter<'w, 's> {
    speller: &'w TokenSpeller<'s>,
    text: String,
    edge: Edge,
}

impl CompactWriter<'_, '_> {
    fn write_expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Logical(logical) => {
                for (position, operand) in logical.operands.iter().enumerate() {
                    if let Some(span) = position.checked_sub(1).and_then(|previous| logical.operators.get(previous)) {
                        self.write_operator(self.speller.spell_logical(logical.operator, *span));
                    }
                    self.write_expr(operand);
                }
            }
            ExprKind::Not(not) => {
                self.write_operator(self.speller.spell_not(not.operator));
                self.write_expr(&not.operand);
            }
            ExprKind::Group(inner) => {
                self.write_symbol("(");
                self.write_expr(inner);
                self.write_symbol(")");
            }
            ExprKind::Comparison(comparison) => {
                self.write_expr(&comparison.left);
                self.write_operator(self.speller.spell_comparison(comparison));
                self.write_expr(&comparison.right);
            }
            ExprKind::Value(value) => self.write_value(value),
            ExprKind::Literal(literal) => self.write_literal(literal),
            ExprKind::Set(items) => self.write_set(items),
            ExprKind::List(_) | ExprKind::Invalid => {
                self.text.push_str(self.speller.source_text(expr.span));
                self.edge = Edge::Word;
            }
        }
    }

    fn write_value(&mut self, value: &Value) {
        self.write_word(self.speller.source_text(value.name.span), Edge::Word);
        if let Some(call) = &value.call {
            self.write_symbol("(");
            for (position, argument) in call.arguments.iter().enumerate() {
                self.write_symbol(if position > 0 { "," } else { "" });
                self.write_expr(argument);
            }
            self.write_symbol(")");
        }
        for index in &value.indexes {
            self.write_symbol(&self.speller.spell_index(index));
        }
    }

    fn write_literal(&mut self, literal: &Literal) {
        let edge = if matches!(literal.kind, LiteralKind::Unquoted(_)) { Edge::Word } else { Edge::Closed };
        self.write_word(self.speller.source_text(literal.span), edge);
    }

    fn write_set(&mut self, items: &[Literal]) {
        self.write_symbol("{");
        let mut previous_is_word = None;
        for item in items {
            let is_word = matches!(item.kind, LiteralKind::Unquoted(_));
            // An unquoted item may begin and end with any symbol, so a space separates it from its neighbors.
            if previous_is_word.is_some_and(|previous| previous || is_word) {
                self.write_symbol(" ");
            }
            self.write_symbol(self.speller.source_text(item.span));
            previous_is_word = Some(is_word);
        }
        self.write_symbol("}");
    }

    /// Writes an operator: a word or a symbol.
    fn write_operator(&mut self, text: &str) {
        if text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            self.write_word(text, Edge::Keyword);
        } else {
            self.write_symbol(text);
        }
    }

    /// Writes a token that needs a space before it if the text ends with a word.
    fn write_word(&mut self, text: &str, edge: Edge) {
        let extends_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.' || !c.is_ascii();
        let is_symbol = |c: char| "-/:;?@*+%".contains(c);
        let needs_space = match self.edge {
            Edge::Closed => false,
            Edge::Keyword => text.starts_with(extends_word),
            Edge::Word => text.starts_with(extends_word) || text.starts_with(is_symbol),
        };
        if needs_space {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.edge = edge;
    }

    /// Writes a token that needs no space on either side. An empty token changes nothing.
    fn write_symbol(&mut self, text: &str) {
        if !text.is_empty() {
            self.text.push_str(text);
            self.edge = Edge::Closed;
        }
    }
}
