//! Sets of texts.

use crate::Operator;
use std::collections::BTreeSet;

/// Texts that are listed, or all but these.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Texts {
    /// Those listed.
    pub(crate) items: BTreeSet<String>,
    /// Whether it is all but these.
    pub(crate) negated: bool,
}

/// Texts with a piece, or without it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// Where the piece stands.
    pub(crate) kind: PartKind,
    /// The piece; not empty.
    pub(crate) text: String,
    /// Whether it is those without it.
    pub(crate) negated: bool,
}

/// Where a piece of a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartKind {
    /// At the beginning.
    Start,
    /// At the end.
    End,
    /// Anywhere.
    Anywhere,
}

impl PartKind {
    /// What the operator asks for; `None` when it asks for no piece.
    pub(crate) fn of(operator: Operator) -> Option<PartKind> {
        match operator.positive() {
            Operator::StartsWith => Some(PartKind::Start),
            Operator::EndsWith => Some(PartKind::End),
            Operator::Contains => Some(PartKind::Anywhere),
            _ => None,
        }
    }

    /// The operator that asks for it.
    pub(crate) fn operator(self) -> Operator {
        match self {
            PartKind::Start => Operator::StartsWith,
            PartKind::End => Operator::EndsWith,
            PartKind::Anywhere => Operator::Contains,
        }
    }

    fn is_in(self, part: &str, text: &str) -> bool {
        match self {
            PartKind::Start => text.starts_with(part),
            PartKind::End => text.ends_with(part),
            PartKind::Anywhere => text.contains(part),
        }
    }
}

impl Texts {
    /// Whether the text is one of them.
    pub(crate) fn has(&self, text: &str) -> bool {
        self.items.contains(text) != self.negated
    }
}

impl Part {
    /// Whether the text is one of them.
    pub(crate) fn has(&self, text: &str) -> bool {
        self.kind.is_in(&self.text, text) != self.negated
    }

    /// Whether every text of it is one of the other.
    pub(crate) fn is_within(&self, other: &Part) -> bool {
        match (self.negated, other.negated) {
            (false, false) => self.has_piece_of(other),
            (true, true) => other.has_piece_of(self),
            (false, true) => self.excludes(other),
            // No two pieces are such that every text has one of them.
            (true, false) => false,
        }
    }

    /// Whether every text with this piece has the other.
    fn has_piece_of(&self, other: &Part) -> bool {
        match (self.kind, other.kind) {
            (_, PartKind::Anywhere) => self.text.contains(&other.text),
            (PartKind::Start, PartKind::Start) => self.text.starts_with(&other.text),
            (PartKind::End, PartKind::End) => self.text.ends_with(&other.text),
            _ => false,
        }
    }

    /// Whether no text has both pieces.
    fn excludes(&self, other: &Part) -> bool {
        let (a, b) = (self.text.as_str(), other.text.as_str());
        match (self.kind, other.kind) {
            (PartKind::Start, PartKind::Start) => !a.starts_with(b) && !b.starts_with(a),
            (PartKind::End, PartKind::End) => !a.ends_with(b) && !b.ends_with(a),
            _ => false,
        }
    }
}
