//! The tokens between two brackets.

use crate::ast::JsonKind;
use std::collections::VecDeque;
use zonewright_diagnostic::Span;

/// A token of a container.
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

/// The kinds of tokens.
pub(super) enum TokenKind {
    /// A string.
    String(String),
    /// A word without quotes, whose kind depends on its context.
    Word,
    /// An object or a list.
    Value(JsonKind),
    /// An invalid value that a diagnostic already covers.
    Invalid,
    /// Text that is nested too deeply.
    TooDeep,
    Colon,
    Equals,
    Comma,
    Semicolon,
    CloseBracket,
}

impl Token {
    /// Returns whether the token is a colon, or an equals sign in its place.
    pub(super) fn is_colon_or_equals(&self) -> bool {
        matches!(self.kind, TokenKind::Colon | TokenKind::Equals)
    }

    /// Returns whether the token starts with a straight double quote.
    pub(super) fn has_straight_quotes(&self, source: &str) -> bool {
        self.span.text(source).starts_with('"')
    }

    /// Returns whether the token can be a value.
    pub(super) fn is_value(&self) -> bool {
        matches!(self.kind, TokenKind::String(_) | TokenKind::Word | TokenKind::Value(_) | TokenKind::Invalid)
    }

    pub(super) fn is_object(&self) -> bool {
        matches!(self.kind, TokenKind::Value(JsonKind::Object(_)))
    }

    /// Returns the object or the list of the token.
    pub(super) fn into_json(self) -> Option<JsonKind> {
        match self.kind {
            TokenKind::Value(kind) => Some(kind),
            _ => None,
        }
    }
}

/// The tokens between two brackets, from left to right.
#[derive(Default)]
pub(super) struct TokenRow(pub(super) VecDeque<Token>);

impl TokenRow {
    pub(super) fn push(&mut self, token: Token) {
        self.0.push_back(token);
    }

    pub(super) fn next(&mut self) -> Option<Token> {
        self.0.pop_front()
    }

    pub(super) fn first(&self) -> Option<&Token> {
        self.0.front()
    }

    pub(super) fn last(&self) -> Option<&Token> {
        self.0.back()
    }

    pub(super) fn single(&self) -> Option<&Token> {
        self.0.front().filter(|_| self.0.len() == 1)
    }

    pub(super) fn position(&self, test: impl Fn(&Token) -> bool) -> Option<usize> {
        self.0.iter().position(test)
    }

    pub(super) fn has(&self, test: impl Fn(&Token) -> bool) -> bool {
        self.0.iter().any(test)
    }

    pub(super) fn has_only(&self, test: impl Fn(&Token) -> bool) -> bool {
        self.0.iter().all(test)
    }

    /// Removes and returns the first tokens.
    pub(super) fn take(&mut self, count: usize) -> Vec<Token> {
        self.0.drain(..count.min(self.0.len())).collect()
    }

    /// Removes and returns the next token if it satisfies `test`.
    pub(super) fn next_if(&mut self, test: impl Fn(&Token) -> bool) -> Option<Token> {
        if self.matches_at(0, test) { self.next() } else { None }
    }

    /// Returns whether the token at an index satisfies `test`.
    pub(super) fn matches_at(&self, index: usize, test: impl Fn(&Token) -> bool) -> bool {
        self.0.get(index).is_some_and(test)
    }
}
