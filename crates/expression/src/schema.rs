//! What the language knows: fields, functions, phases and plan tiers.
//!
//! The tables are plain data; `check` gives them meaning. Facts come from the public documentation
//! and from observing the open engine; what is known only second-hand is marked [`Certainty::Doubtful`].

mod countries;
mod fields;
mod functions;
mod operators;
mod phases;
mod plans;
mod values;

pub use countries::COUNTRIES;
pub use fields::FIELDS;
pub use functions::FUNCTIONS;
pub use operators::{LOGICAL, OPERATORS, Operator};
pub use phases::{Phase, Traffic};
pub use plans::Tier;
pub use values::{
    COMMON_FIELDS, COMMON_FUNCTIONS, CONTINENTS, Known, METHODS, NO_COUNTRIES, known_flags, known_keys, known_values,
};
pub(crate) use values::{MANAGED_LIST_DOCS, OTHER_NAMES};

use crate::types::Type;

/// A name that a request, a response or a packet gives a value to.
#[derive(Debug)]
pub struct Field {
    /// The dotted name.
    pub name: &'static str,
    /// Type of its value.
    pub ty: Type,
    /// One sentence fragment without a final period, for completion and explanation.
    pub doc: &'static str,
    /// What kind of traffic has it.
    pub available: Available,
    /// What the zone must have to use it; `None` when every zone may.
    pub needs: Option<Needs>,
    /// The only phases that accept it, where it is more restricted than `available` says.
    pub only_in: Option<&'static [Phase]>,
    /// Set when the name is out of use.
    pub deprecated: Option<Deprecated>,
    /// How sure the entry is.
    pub certainty: Certainty,
}

/// What kind of traffic has a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Available {
    /// Every phase that sees an HTTP request.
    Request,
    /// Phases that run after the response is there, and counting expressions of rate limits.
    Response,
    /// Network-layer phases only.
    Packet,
    /// Both HTTP phases and network-layer phases (assumption packet-fields).
    RequestAndPacket,
}

/// What a zone must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// This tier or a higher one.
    Tier(Tier),
    /// The Enterprise tier and a product bought besides.
    AddOn,
}

/// A name that is out of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deprecated {
    /// The name to use instead, when there is one.
    pub replacement: Option<&'static str>,
}

/// How sure a fact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// Documented, or seen in the open engine.
    Known,
    /// Known only from other people's lists or examples.
    Doubtful,
}

/// A function of the language.
#[derive(Debug)]
pub struct Function {
    /// The name.
    pub name: &'static str,
    /// One sentence fragment without a final period.
    pub doc: &'static str,
    /// Parameters in order; optional ones last; at most one variadic one, the very last.
    pub params: &'static [Param],
    /// Highest number of arguments, where a variadic function has one.
    pub most_arguments: Option<usize>,
    /// Type of the result.
    pub returns: Returns,
    /// Whether the first argument may hold `[*]`, giving one result for each element.
    pub maps_each: bool,
    /// The only phases that accept it.
    pub only_in: Option<&'static [Phase]>,
    /// What the zone must have.
    pub needs: Option<Needs>,
    /// Functions of the same group: only one call of one of them in an expression.
    pub once_per_expression: bool,
    /// How sure the entry is.
    pub certainty: Certainty,
}

/// One parameter of a function.
#[derive(Debug)]
pub struct Param {
    /// Its name, for signature help.
    pub name: &'static str,
    /// Types that fit.
    pub accepts: &'static [Accept],
    /// Whether it must, may or must not be a literal.
    pub kind: ArgumentKind,
    /// Whether it may be left out.
    pub optional: bool,
    /// Whether it may be given any number of times (once at least, unless optional).
    pub variadic: bool,
    /// What a literal must look like.
    pub constraint: Option<Constraint>,
}

/// A type, or a family of types, that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accept {
    /// Exactly this type. String and Bytes are one.
    Type(Type),
    /// Any type at all.
    Anything,
    /// An array with any elements.
    AnyArray,
    /// A map with any values.
    AnyMap,
    /// An array or map whose elements are scalars.
    CollectionOfScalars,
    /// The type of the first argument.
    SameAsFirst,
    /// The element type of the first argument.
    ElementOfFirst,
}

/// Whether an argument must be written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A literal only.
    Literal,
    /// A field or a call, not a literal.
    Computed,
    /// Both.
    Either,
}

/// What a literal argument must look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// An integer of this range, both ends included.
    Range(i64, i64),
    /// Not the empty string.
    NotEmpty,
    /// Only these characters, each at most once.
    Flags(&'static str),
    /// A wildcard pattern.
    Wildcard,
    /// A regular expression.
    Regex,
    /// A replacement text with at most eight `${n}`.
    Replacement,
    /// An integer above that of the first argument.
    AboveFirst,
    /// One of these fields.
    OneOfFields(&'static [&'static str]),
}

/// Type of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// Always this one.
    Type(Type),
    /// That of the first argument.
    SameAsFirst,
}

/// Lists that every zone with the right plan has; all hold addresses (assumption managed-lists).
pub const MANAGED_LISTS: [&str; 5] = ["cf.anonymizer", "cf.botnetcc", "cf.malware", "cf.open_proxies", "cf.vpn"];

/// The month that the tables of this module describe.
pub const REFERENCE_DATE: &str = "2026-11";

/// The field of this name.
pub fn field(name: &str) -> Option<&'static Field> {
    // `FIELDS` is sorted by name; a test in `fields` holds it so.
    let index = FIELDS.binary_search_by(|field| field.name.cmp(name)).ok()?;
    FIELDS.get(index)
}

/// The function of this name.
pub fn function(name: &str) -> Option<&'static Function> {
    let index = FUNCTIONS.binary_search_by(|function| function.name.cmp(name)).ok()?;
    FUNCTIONS.get(index)
}
