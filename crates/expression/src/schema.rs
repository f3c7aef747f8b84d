//! What the language knows: fields, functions, operators, phases and plan tiers.
//!
//! The tables are plain data; `check` gives them meaning. A row of [`FIELDS`] is the only place for a fact about its
//! field, and so is a row of [`FUNCTIONS`]. Facts come from the public documentation and from observing the open
//! engine; what is known only second-hand is marked [`Certainty::Doubtful`].

mod countries;
mod field;
mod fields;
mod form;
mod function;
mod functions;
mod operators;
mod phases;
mod plans;
mod values;

pub use countries::COUNTRIES;
pub use field::{Available, Deprecated, Field, Keys, Origin, Presence, RequestPart, Wording};
pub use fields::{COMMON_FIELDS, FIELDS};
pub use form::{ValueConstraint, ValueForm};
pub use function::{
    Accept, ArgumentKind, Constraint, Function, FunctionId, MissingArgument, Param, Quantifier, ResultForm, Returns,
};
pub use functions::{COMMON_FUNCTIONS, FUNCTIONS};
pub use operators::{LOGICAL, NOT, OPERATORS, Operator};
pub use phases::{Phase, Traffic};
pub use plans::Tier;
pub use values::{CONTINENTS, KnownValue, MANAGED_LISTS, METHODS};

use crate::types::Type;

/// What a zone must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// This tier or a higher one.
    Tier(Tier),
    /// The Enterprise tier and a product bought besides.
    AddOn,
}

/// How sure a fact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// Documented, or seen in the open engine.
    Known,
    /// Known only from other people's lists or examples.
    Doubtful,
}

/// The month that the tables of this module describe.
pub const REFERENCE_DATE: &str = "2026-11";

/// The field with random bytes.
pub(crate) const RANDOM_SEED: &str = "cf.random_seed";
/// The field with the code of the zone's plan.
pub(crate) const ZONE_PLAN: &str = "cf.zone.plan";

/// The field of this name.
pub fn field(name: &str) -> Option<&'static Field> {
    // `FIELDS` is sorted by name; a test in `fields` holds it so.
    let index = FIELDS.binary_search_by(|field| field.name.cmp(name)).ok()?;
    FIELDS.get(index)
}

/// The field that holds the whole of one part of a request, such as a header.
pub fn field_of_part(part: RequestPart) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.ty == Type::STRING && field.parts == [part])
}

/// The function of this name.
pub fn function(name: &str) -> Option<&'static Function> {
    let index = FUNCTIONS.binary_search_by(|function| function.name.cmp(name)).ok()?;
    FUNCTIONS.get(index)
}
