//! The columns of a field that only explanations, completions and hovers read.
//!
//! They are a table of their own, so that a WebAssembly program that only checks expressions does not load them.

use super::values::KnownValue;

/// The texts about a field for users.
#[derive(Clone, Copy, Debug)]
pub struct FieldHelp {
    /// A sentence fragment without a final period.
    pub doc: &'static str,
    /// The wording in explanations.
    pub wording: Wording,
    /// An example expression; `None` if one is generated from the type.
    pub example: Option<&'static str>,
    /// Suggested values in groups, the likeliest first. Requests may have other values.
    pub values: &'static [&'static [KnownValue]],
    /// Suggested keys of a map, the likeliest first.
    pub keys: &'static [KnownValue],
}

impl FieldHelp {
    pub(super) const EMPTY: FieldHelp =
        FieldHelp { doc: "", wording: Wording::Doc, example: None, values: &[], keys: &[] };
}

/// The wording of a field in explanations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// The documentation text.
    Doc,
    /// A noun without an article: `host`.
    Noun(&'static str),
    /// The statement of a Boolean field, affirmative and negated.
    Statement(&'static str, &'static str),
    /// The noun phrases of an array or map.
    Collection {
        /// One element, without an article.
        item: &'static str,
        /// All elements.
        items: &'static str,
        /// The words between the noun and a key; if `None`, the key precedes the noun.
        before_key: Option<&'static str>,
    },
}
