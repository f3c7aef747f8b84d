//! Values in words.

use super::nouns::Collection;
use crate::Type;

/// How many of the values that `[*]` stands for a sentence is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Each {
    /// All of them together.
    Whole,
    /// One after the other, where nothing says how many are meant: a mistake.
    Single,
    /// The one at a position that was named before.
    There,
    AtLeastOne,
    Every,
    No,
    NotEvery,
}

impl Each {
    /// The collection, or the elements that are meant.
    pub(super) fn phrase(self, Collection { item, items, .. }: &Collection) -> String {
        match self {
            Each::Whole => format!("the {items}"),
            Each::Single => format!("each {item}"),
            Each::There => format!("the {item} there"),
            Each::AtLeastOne => format!("at least one {item}"),
            Each::Every => format!("every {item}"),
            Each::No => format!("no {item}"),
            Each::NotEvery => format!("not every {item}"),
        }
    }
}

/// A value in words.
pub(super) struct Thing {
    pub(super) called: Called,
    /// Its type as far as it is known; that of one of them when it is spread.
    pub(super) ty: Option<Type>,
    /// Whether `[*]` made many of it.
    pub(super) spread: bool,
}

/// How a value is called.
pub(super) enum Called {
    /// With its article: `the host`.
    One(String),
    /// An array or a map.
    Many(Collection),
}

impl Thing {
    pub(super) fn one(text: String, ty: Option<Type>) -> Self {
        Thing { called: Called::One(text), ty, spread: false }
    }

    /// With its article.
    pub(super) fn text(&self) -> String {
        match &self.called {
            Called::One(text) => text.clone(),
            Called::Many(collection) => Each::Whole.phrase(collection),
        }
    }
}
