//! What conditions say about each other: the algebra under lints and simplification.
//!
//! A condition is an [`Atom`]: what it asks about and which values pass. Values are those of the
//! field's type, so whole numbers for `int`. A [`Form`] joins atoms; every operator has a negation, so
//! no form needs a `not`, and what is true of `and` is true of `or` the other way round.

mod atom;
mod form;
mod numbers;
mod texts;

pub(crate) use atom::{Atom, Subject, Values, item_text};
pub(crate) use form::{Budget, Form};
pub(crate) use numbers::{Numbers, Scale};
pub(crate) use texts::{Part, PartKind, Texts};
