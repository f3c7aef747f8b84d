//! Noun phrases: the wording of values.

use super::field_names::Collection;
use crate::Type;

/// How a sentence refers to the elements of a value with `[*]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementReference {
    /// All elements together.
    Whole,
    /// Each element, without a quantifier. Only invalid expressions have this reference.
    Single,
    /// The element at the position that the heading of the list introduces.
    AtPosition,
    AtLeastOne,
    Every,
    No,
    NotEvery,
}

impl ElementReference {
    /// Returns the collection or its elements as a noun phrase.
    pub(super) fn phrase(self, Collection { item, items, .. }: &Collection) -> String {
        match self {
            ElementReference::Whole => format!("the {items}"),
            ElementReference::Single => format!("each {item}"),
            ElementReference::AtPosition => format!("the {item} there"),
            ElementReference::AtLeastOne => format!("at least one {item}"),
            ElementReference::Every => format!("every {item}"),
            ElementReference::No => format!("no {item}"),
            ElementReference::NotEvery => format!("not every {item}"),
        }
    }
}

/// An explained value.
pub(super) struct NounPhrase {
    pub(super) noun: Noun,
    /// The type, if known; the element type if `maps_each` is set.
    pub(super) ty: Option<Type>,
    /// Whether `[*]` turned the value into many.
    pub(super) maps_each: bool,
}

/// The wording of a value.
pub(super) enum Noun {
    /// A noun phrase with its article: `the host`.
    Singular(String),
    /// An array or a map.
    Collection(Collection),
}

impl NounPhrase {
    pub(super) fn singular(text: String, ty: Option<Type>) -> Self {
        NounPhrase { noun: Noun::Singular(text), ty, maps_each: false }
    }

    /// Returns the noun phrase with its article.
    pub(super) fn text(&self) -> String {
        match &self.noun {
            Noun::Singular(text) => text.clone(),
            Noun::Collection(collection) => ElementReference::Whole.phrase(collection),
        }
    }
}
