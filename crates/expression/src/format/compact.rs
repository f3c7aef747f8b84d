//! The shortest text of an expression: blanks only where two words would become one.

use super::spelling::Words;
use crate::ast::{Expr, ExprKind, Literal, LiteralKind, Value};

/// The expression in its shortest form.
pub(super) fn compact(expr: &Expr, words: &Words<'_>) -> String {
    let mut writer = Writer { words, text: String::new(), edge: Edge::Closed };
    writer.expr(expr);
    writer.text
}

/// How the text ends that was written so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    /// With a sign, bracket or quote: anything may follow.
    Closed,
    /// With a word of the language, which ends where letters and digits end.
    Keyword,
    /// With a name or a literal, which may hold signs too.
    Word,
}

struct Writer<'w, 's> {
    words: &'w Words<'s>,
    text: String,
    edge: Edge,
}

impl Writer<'_, '_> {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Logical(logical) => {
                for (position, operand) in logical.operands.iter().enumerate() {
                    if let Some(span) = position.checked_sub(1).and_then(|before| logical.operators.get(before)) {
                        self.operator(self.words.logical(logical.operator, *span));
                    }
                    self.expr(operand);
                }
            }
            ExprKind::Not(not) => {
                self.operator(self.words.not(not.operator));
                self.expr(&not.operand);
            }
            ExprKind::Group(inside) => {
                self.sign("(");
                self.expr(inside);
                self.sign(")");
            }
            ExprKind::Comparison(comparison) => {
                self.expr(&comparison.left);
                self.operator(self.words.comparison(comparison));
                self.expr(&comparison.right);
            }
            ExprKind::Value(value) => self.value(value),
            ExprKind::Literal(literal) => self.literal(literal),
            ExprKind::Set(items) => self.set(items),
            ExprKind::List(_) | ExprKind::Invalid => {
                self.sign("");
                self.text.push_str(self.words.text(expr.span));
                self.edge = Edge::Word;
            }
        }
    }

    fn value(&mut self, value: &Value) {
        self.word(self.words.text(value.name.span), Edge::Word);
        if let Some(call) = &value.call {
            self.sign("(");
            for (position, argument) in call.arguments.iter().enumerate() {
                self.sign(if position > 0 { "," } else { "" });
                self.expr(argument);
            }
            self.sign(")");
        }
        for index in &value.indexes {
            self.sign(&self.words.index(index));
        }
    }

    fn literal(&mut self, literal: &Literal) {
        let edge = if matches!(literal.kind, LiteralKind::Word(_)) { Edge::Word } else { Edge::Closed };
        self.word(self.words.text(literal.span), edge);
    }

    fn set(&mut self, items: &[Literal]) {
        self.sign("{");
        let mut before_is_word = None;
        for item in items {
            let is_word = matches!(item.kind, LiteralKind::Word(_));
            // Words of a set may begin and end with any sign.
            if before_is_word.is_some_and(|before| before || is_word) {
                self.sign(" ");
            }
            self.sign(self.words.text(item.span));
            before_is_word = Some(is_word);
        }
        self.sign("}");
    }

    /// A word or a sign of the language.
    fn operator(&mut self, text: &str) {
        if text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            self.word(text, Edge::Keyword);
        } else {
            self.sign(text);
        }
    }

    /// What needs a blank before it where a word ends.
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

    /// What needs no blank on either side; nothing when it is empty.
    fn sign(&mut self, text: &str) {
        if !text.is_empty() {
            self.text.push_str(text);
            self.edge = Edge::Closed;
        }
    }
}
