//! The tables of the language: fields, functions, operators, phases and plans.
//!
//! Start at [`Field`] and [`Function`]. The tables are plain data, which `check` interprets. A row of [`FIELDS`] is the
//! only definition of the facts about its field, and so is a row of [`FUNCTIONS`]. Facts come from the public
//! documentation and from observation of the open-source engine. Facts from third parties are marked
//! [`Certainty::Unconfirmed`].

/// Collects one member of all rows of a table, at compile time. WebAssembly then loads a column only with the code that
/// reads it.
macro_rules! column {
    ($rows:expr, $member:tt) => {{
        let mut column = [$rows[0].$member; $rows.len()];
        let mut index = 0;
        while index < $rows.len() {
            column[index] = $rows[index].$member;
            index += 1;
        }
        column
    }};
}

mod countries;
mod field;
mod field_help;
mod fields;
mod function;
mod functions;
mod operators;
mod phases;
mod plans;
mod value_form;
mod values;

pub use countries::COUNTRIES;
pub(crate) use countries::is_country_code;
pub use field::{Availability, Deprecated, Field, Keys, Origin, Presence, RequestPart};
pub use field_help::{FieldHelp, Wording};
pub use fields::{COMMON_FIELDS, FIELDS};
pub use function::{
    AcceptedType, ArgumentKind, Constraint, Function, FunctionId, MissingArgument, Param, Quantifier, ResultForm,
    ReturnType,
};
pub use functions::{COMMON_FUNCTIONS, FUNCTIONS};
pub use operators::{COMPARISON_OPERATORS, LOGICAL_OPERATORS, NOT, Operator};
pub use phases::{Phase, Traffic};
pub use plans::Tier;
pub use value_form::{ValueConstraint, ValueForm};
pub use values::{CONTINENT_CODES, HTTP_METHODS, KnownValue, MANAGED_LISTS};

use crate::types::Type;

/// A requirement on zones that use a field or function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanRequirement {
    /// This plan or a higher one.
    Tier(Tier),
    /// The Enterprise plan and a product that is sold separately.
    AddOn,
}

/// The certainty of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// Documented, or observed in the open-source engine.
    Confirmed,
    /// Found only in lists or examples of third parties.
    Unconfirmed,
}

/// The month that the tables describe.
pub const REFERENCE_DATE: &str = "2026-11";

/// The name of the field with random bytes.
pub(crate) const RANDOM_SEED: &str = "cf.random_seed";
/// The name of the field with the code of the zone's plan.
pub(crate) const ZONE_PLAN: &str = "cf.zone.plan";

/// Returns the field with this name.
pub fn field(name: &str) -> Option<&'static Field> {
    // `FIELDS` is sorted by name, which a test in `fields` checks.
    let index = FIELDS.binary_search_by(|field| field.name.cmp(name)).ok()?;
    FIELDS.get(index)
}

/// Returns the first string field whose value only this part of a request determines, such as the field of a header.
pub fn field_of_part(part: RequestPart) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.ty == Type::STRING && field.parts == [part])
}

/// Returns the function with this name.
pub fn function(name: &str) -> Option<&'static Function> {
    let index = FUNCTIONS.binary_search_by(|function| function.name.cmp(name)).ok()?;
    FUNCTIONS.get(index)
}
