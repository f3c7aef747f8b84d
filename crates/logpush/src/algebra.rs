//! What conditions say about each other: the algebra under lints and simplification.
//!
//! A condition is an [`Atom`]: what it asks about and which values pass. Values are those of the
//! field's type, so whole numbers for `int`. A [`Formula`] joins atoms; every operator has a negation, so
//! no formula needs a `not`, and what is true of `and` is true of `or` the other way round.

mod atom;
mod formula;
mod number_set;
mod string_set;

pub(crate) use atom::{Atom, Subject, ValueSet, item_text};
pub(crate) use formula::{Formula, StepBudget};
pub(crate) use number_set::{NumberKind, NumberSet};
pub(crate) use string_set::{StringSet, SubstringPosition, SubstringSet};
