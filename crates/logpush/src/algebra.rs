//! The algebra of conditions that lints and simplification share: negation, implication and exclusion.
//!
//! An [`Atom`] is one condition: a subject and the set of values that match. A set contains only values of the field's
//! type, so the set of an `int` field contains only integers. A [`Formula`] joins atoms with `and` and `or`.
//!
//! Every operator has a negation, so formulas need no `not`, and every law of `and` has its dual for `or`.

mod atom;
mod formula;
mod number_set;
mod string_set;

pub(crate) use atom::{Atom, Subject, ValueSet, item_text};
pub(crate) use formula::{Formula, StepBudget};
pub(crate) use number_set::{NumberKind, NumberSet};
pub(crate) use string_set::{StringSet, SubstringPosition, SubstringSet};
