//! Sets of texts.

use crate::Operator;
use std::collections::BTreeSet;

/// Texts that are listed, or all but these.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StringSet {
    /// Those listed.
    pub(crate) items: BTreeSet<String>,
    /// Whether it is all but these.
    pub(crate) negated: bool,
}

/// Texts with a piece, or without it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SubstringSet {
    /// Where the piece stands.
    pub(crate) kind: SubstringPosition,
    /// The piece; not empty.
    pub(crate) text: String,
    /// Whether it is those without it.
    pub(crate) negated: bool,
}

/// Where a piece of a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SubstringPosition {
    /// At the beginning.
    Start,
    /// At the end.
    End,
    /// Anywhere.
    Anywhere,
}

impl SubstringPosition {
    /// What the operator asks for; `None` when it asks for no piece.
    pub(crate) fn of(operator: Operator) -> Option<SubstringPosition> {
        match operator.positive() {
            Operator::StartsWith => Some(SubstringPosition::Start),
            Operator::EndsWith => Some(SubstringPosition::End),
            Operator::Contains => Some(SubstringPosition::Anywhere),
            _ => None,
        }
    }

    /// The operator that asks for it.
    pub(crate) fn operator(self) -> Operator {
        match self {
            SubstringPosition::Start => Operator::StartsWith,
            SubstringPosition::End => Operator::EndsWith,
            SubstringPosition::Anywhere => Operator::Contains,
        }
    }

    fn is_in(self, part: &str, text: &str) -> bool {
        match self {
            SubstringPosition::Start => text.starts_with(part),
            SubstringPosition::End => text.ends_with(part),
            SubstringPosition::Anywhere => text.contains(part),
        }
    }
}

impl StringSet {
    /// Whether the text is one of them.
    pub(crate) fn has(&self, text: &str) -> bool {
        self.items.contains(text) != self.negated
    }
}

impl SubstringSet {
    /// Whether the text is one of them.
    pub(crate) fn has(&self, text: &str) -> bool {
        self.kind.is_in(&self.text, text) != self.negated
    }

    /// Whether every text of it is one of the other.
    pub(crate) fn is_within(&self, other: &SubstringSet) -> bool {
        match (self.negated, other.negated) {
            (false, false) => self.has_piece_of(other),
            (true, true) => other.has_piece_of(self),
            (false, true) => self.excludes(other),
            // No two pieces are such that every text has one of them.
            (true, false) => false,
        }
    }

    /// Whether every text with this piece has the other.
    fn has_piece_of(&self, other: &SubstringSet) -> bool {
        match (self.kind, other.kind) {
            (_, SubstringPosition::Anywhere) => self.text.contains(&other.text),
            (SubstringPosition::Start, SubstringPosition::Start) => self.text.starts_with(&other.text),
            (SubstringPosition::End, SubstringPosition::End) => self.text.ends_with(&other.text),
            _ => false,
        }
    }

    /// Whether no text has both pieces.
    fn excludes(&self, other: &SubstringSet) -> bool {
        let (a, b) = (self.text.as_str(), other.text.as_str());
        match (self.kind, other.kind) {
            (SubstringPosition::Start, SubstringPosition::Start) => !a.starts_with(b) && !b.starts_with(a),
            (SubstringPosition::End, SubstringPosition::End) => !a.ends_with(b) && !b.ends_with(a),
            _ => false,
        }
    }
}
