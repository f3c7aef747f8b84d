//! The compact style: a space only where two speller would otherwise merge.

use super::spelling::TokenSpeller;
use crate::ast::{Expr, ExprKind, Literal, LiteralKind, Value};

/// Writes the expression in its shortest form.
pub(super) fn compact(expr: &Expr, speller: &TokenSpeller<'_>) -> String {
    let mut writer = CompactWriter { speller, text: String::new(), edge: Edge::Closed };
    writer.expr(expr);
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
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Logical(logical) => {
                for (position, operand) in logical.operands.iter().enumerate() {
                    if let Some(span) = position.checked_sub(1).and_then(|before| logical.operators.get(before)) {
                        self.operator(self.speller.spell_logical(logical.operator, *span));
                    }
                    self.expr(operand);
                }
            }
            ExprKind::Not(not) => {
                self.operator(self.speller.spell_not(not.operator));
                self.expr(&not.operand);
            }
            ExprKind::Group(inner) => {
                self.sign("(");
                self.expr(inner);
                self.sign(")");
            }
            ExprKind::Comparison(comparison) => {
                self.expr(&comparison.left);
                self.operator(self.speller.spell_comparison(comparison));
                self.expr(&comparison.right);
            }
            ExprKind::Value(value) => self.value(value),
            ExprKind::Literal(literal) => self.literal(literal),
            ExprKind::Set(items) => self.set(items),
            ExprKind::List(_) | ExprKind::Invalid => {
                self.sign("");
                self.text.push_str(self.speller.source_text(expr.span));
                self.edge = Edge::Word;
            }
        }
    }

    fn value(&mut self, value: &Value) {
        self.word(self.speller.source_text(value.name.span), Edge::Word);
        if let Some(call) = &value.call {
            self.sign("(");
            for (position, argument) in call.arguments.iter().enumerate() {
                self.sign(if position > 0 { "," } else { "" });
                self.expr(argument);
            }
            self.sign(")");
        }
        for index in &value.indexes {
            self.sign(&self.speller.spell_index(index));
        }
    }

    fn literal(&mut self, literal: &Literal) {
        let edge = if matches!(literal.kind, LiteralKind::Unquoted(_)) { Edge::Word } else { Edge::Closed };
        self.word(self.speller.source_text(literal.span), edge);
    }

    fn set(&mut self, items: &[Literal]) {
        self.sign("{");
        let mut before_is_word = None;
        for item in items {
            let is_word = matches!(item.kind, LiteralKind::Unquoted(_));
            // Words of a set may begin and end with any symbol.
            if before_is_word.is_some_and(|before| before || is_word) {
                self.sign(" ");
            }
            self.sign(self.speller.source_text(item.span));
            before_is_word = Some(is_word);
        }
        self.sign("}");
    }

    /// Writes an operator: a word or a symbol.
    fn operator(&mut self, text: &str) {
        if text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            self.word(text, Edge::Keyword);
        } else {
            self.sign(text);
        }
    }

    /// Writes a token that needs a space before it if the text ends with a word.
    fn word(&mut self, text: &str, edge: Edge) {
        let runs_on = |c: char| c.is_alphanumeric() || c == '_' || c == '.' || !c.is_ascii();
        let is_sign = |c: char| "-/:;?@*+%".contains(c);
        let needs_blank = match self.edge {
            Edge::Closed => false,
            Edge::Keyword => text.starts_with(runs_on),
            Edge::Word => text.starts_with(runs_on) || text.starts_with(is_sign),
        };
        if needs_blank {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.edge = edge;
    }

    /// Writes a token that needs no space on either side. An empty token changes nothing.
    fn sign(&mut self, text: &str) {
        if !text.is_empty() {
            self.text.push_str(text);
            self.edge = Edge::Closed;
        }
    }
}
