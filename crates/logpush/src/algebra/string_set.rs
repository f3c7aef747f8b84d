//! Sets of strings.

use crate::Operator;
use std::collections::BTreeSet;

/// A finite set of strings, or the complement of one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StringSet {
    /// The listed strings.
    pub(crate) items: BTreeSet<String>,
    /// Whether the set is the complement of the listed strings.
    pub(crate) negated: bool,
}

/// The strings that have a substring, or, if negated, those that do not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SubstringSet {
    /// The position of the substring.
    pub(crate) kind: SubstringPosition,
    /// The substring; not empty in an [`Atom`](super::Atom).
    pub(crate) text: String,
    /// Whether the set contains the strings without the substring.
    pub(crate) negated: bool,
}

/// The position of a substring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SubstringPosition {
    /// At the start.
    Start,
    /// At the end.
    End,
    /// Anywhere.
    Anywhere,
}

impl SubstringPosition {
    /// Returns the position that the operator tests, or `None` if it does not test a substring.
    pub(crate) fn from_operator(operator: Operator) -> Option<SubstringPosition> {
        match operator.without_negation() {
            Operator::StartsWith => Some(SubstringPosition::Start),
            Operator::EndsWith => Some(SubstringPosition::End),
            Operator::Contains => Some(SubstringPosition::Anywhere),
            _ => None,
        }
    }

    /// Returns the operator that tests the position.
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
    /// Returns whether the set contains the string.
    pub(crate) fn has(&self, text: &str) -> bool {
        self.items.contains(text) != self.negated
    }
}

impl SubstringSet {
    /// Returns whether the set contains the string.
    pub(crate) fn has(&self, text: &str) -> bool {
        self.kind.is_in(&self.text, text) != self.negated
    }

    /// Returns whether the set is a subset of `other`.
    pub(crate) fn is_subset(&self, other: &SubstringSet) -> bool {
        match (self.negated, other.negated) {
            (false, false) => self.implies_presence_of(other),
            (true, true) => other.implies_presence_of(self),
            (false, true) => self.excludes(other),
            // Some strings have neither substring.
            (true, false) => false,
        }
    }

    /// Returns whether every string with this substring also has the other substring.
    fn implies_presence_of(&self, other: &SubstringSet) -> bool {
        match (self.kind, other.kind) {
            (_, SubstringPosition::Anywhere) => self.text.contains(&other.text),
            (SubstringPosition::Start, SubstringPosition::Start) => self.text.starts_with(&other.text),
            (SubstringPosition::End, SubstringPosition::End) => self.text.ends_with(&other.text),
            _ => false,
        }
    }

    /// Returns whether no string has both substrings.
    fn excludes(&self, other: &SubstringSet) -> bool {
        let (a, b) = (self.text.as_str(), other.text.as_str());
        match (self.kind, other.kind) {
            (SubstringPosition::Start, SubstringPosition::Start) => !a.starts_with(b) && !b.starts_with(a),
            (SubstringPosition::End, SubstringPosition::End) => !a.ends_with(b) && !b.ends_with(a),
            _ => false,
        }
    }
}
