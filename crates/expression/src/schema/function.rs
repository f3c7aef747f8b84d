//! The columns of a function.
//!
//! [`Function`] is a row of the table in `functions.rs`. [`FunctionId::semantics`] is a match without a default arm, so
//! a new function does not compile until its [`Semantics`] are defined. All functions are pure: for one request, equal
//! arguments give equal results.

use super::{Certainty, Phase, PlanRequirement, values::KnownValue};
use crate::types::{Container, Type};

/// A function of the language.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The ID.
    pub id: FunctionId,
    /// The name.
    pub name: &'static str,
    /// The parameters in order: optional parameters last, and at most one variadic parameter at the end.
    pub params: &'static [Param],
    /// The semantics of its calls.
    pub semantics: Semantics,
    /// The maximum number of arguments of a variadic function, if it has one.
    pub max_arguments: Option<usize>,
    /// The type of the result.
    pub returns: ReturnType,
    /// Whether the first argument may contain `[*]`, which produces one result for each element.
    pub maps_each: bool,
    /// The only phases that accept the function.
    pub only_in: Option<&'static [Phase]>,
    /// The requirement on zones that use the function, if there is one.
    pub needs: Option<PlanRequirement>,
    /// Whether an expression may contain at most one call of this function. Calls of functions with this flag cannot be
    /// nested in each other either.
    pub once_per_expression: bool,
    /// The certainty of the row.
    pub certainty: Certainty,
    /// The names in other languages, in lowercase.
    pub foreign_names: &'static [&'static str],
}

/// A parameter of a function.
#[derive(Debug)]
pub struct Param {
    /// The name, for signature help.
    pub name: &'static str,
    /// The accepted types.
    pub accepts: &'static [AcceptedType],
    /// Whether the argument must, may or must not be a literal.
    pub kind: ArgumentKind,
    /// Whether the argument may be omitted.
    pub optional: bool,
    /// Whether the argument may be repeated. Unless the parameter is optional, at least one argument is required.
    pub variadic: bool,
    /// The constraint on the argument.
    pub constraint: Option<Constraint>,
}

/// A type, or a family of types, that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcceptedType {
    /// Exactly this type. String and Bytes count as one.
    Type(Type),
    /// Any type.
    Anything,
    /// An array with any elements.
    AnyArray,
    /// A map with any values.
    AnyMap,
    /// An array or map of scalars.
    CollectionOfScalars,
    /// The type of the first argument.
    SameAsFirst,
    /// The element type of the first argument.
    ElementOfFirst,
}

impl AcceptedType {
    /// Returns whether a value of this type is accepted. If the type of the first argument is unknown, types that
    /// depend on it are accepted.
    pub fn accepts(self, ty: Type, first: Option<Type>) -> bool {
        match self {
            AcceptedType::Type(expected) => ty.is_compatible_with(expected),
            AcceptedType::Anything => true,
            AcceptedType::AnyArray => ty.container() == Some(Container::Array),
            AcceptedType::AnyMap => ty.container() == Some(Container::Map),
            AcceptedType::CollectionOfScalars => !ty.is_scalar() && ty.element().is_scalar(),
            // The type of an invalid first argument is unknown.
            AcceptedType::SameAsFirst => first.is_none_or(|first| ty.is_compatible_with(first)),
            AcceptedType::ElementOfFirst => first.is_none_or(|first| ty.is_compatible_with(first.element())),
        }
    }
}

/// Whether an argument must, may or must not be a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A literal only.
    Literal,
    /// A field or call, not a literal.
    Computed,
    /// A literal, field or call.
    Either,
}

/// A constraint on an argument. Except for [`Constraint::OneOfFields`], it restricts literals only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// An integer in an inclusive range.
    Range(i64, i64),
    /// A string that is not empty.
    NonEmpty,
    /// A string of these characters, each at most once.
    Flags(&'static [KnownValue]),
    /// A wildcard pattern.
    Wildcard,
    /// A regular expression.
    Regex,
    /// A replacement text with at most eight `${n}`.
    Replacement,
    /// An integer greater than the first argument.
    GreaterThanFirst,
    /// One of these fields.
    OneOfFields(&'static [&'static str]),
}

/// The result type of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReturnType {
    /// A fixed type.
    Type(Type),
    /// The type of the first argument.
    SameAsFirst,
}

/// The ID of a function, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionId {
    /// `all`.
    All,
    /// `any`.
    Any,
    /// `bit_slice`.
    BitSlice,
    /// `cidr`.
    Cidr,
    /// `cidr6`.
    Cidr6,
    /// `coalesce`.
    Coalesce,
    /// `concat`.
    Concat,
    /// `decode_base64`.
    DecodeBase64,
    /// `dlp_match`.
    DlpMatch,
    /// `encode_base64`.
    EncodeBase64,
    /// `ends_with`.
    EndsWith,
    /// `has_key`.
    HasKey,
    /// `has_value`.
    HasValue,
    /// `hash_in_range`.
    HashInRange,
    /// `is_jwt_present`.
    IsJwtPresent,
    /// `is_jwt_valid`.
    IsJwtValid,
    /// `is_timed_hmac_valid_v0`.
    IsTimedHmacValid,
    /// `join`.
    Join,
    /// `len`.
    Len,
    /// `lookup_json_integer`.
    LookupJsonInteger,
    /// `lookup_json_string`.
    LookupJsonString,
    /// `lower`.
    Lower,
    /// `regex_replace`.
    RegexReplace,
    /// `remove_bytes`.
    RemoveBytes,
    /// `remove_query_args`.
    RemoveQueryArgs,
    /// `sha256`.
    Sha256,
    /// `split`.
    Split,
    /// `starts_with`.
    StartsWith,
    /// `substring`.
    Substring,
    /// `to_string`.
    ToString,
    /// `upper`.
    Upper,
    /// `url_decode`.
    UrlDecode,
    /// `uuidv4`.
    UuidV4,
    /// `wildcard_replace`.
    WildcardReplace,
}

/// The effect of a missing argument on a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingArgument {
    /// The result is missing.
    Propagates,
    /// The result is the first argument that is not missing.
    IsSkipped,
    /// A missing argument counts as empty; the result is missing if all arguments are missing.
    IsEmpty,
}

/// A property of all results of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultForm {
    /// No property that lints or proofs use.
    Any,
    /// Texts without uppercase letters.
    LowerCase,
    /// Texts without lowercase letters.
    UpperCase,
    /// Integers that are not negative.
    NotNegative,
}

/// The semantics of the calls of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Semantics {
    /// The effect of a missing argument.
    pub missing_argument: MissingArgument,
    /// Whether the result may be missing although every argument has a value (assumption function-edges), for example
    /// because the input is not Base64 or JSON, or is too short.
    pub is_partial: bool,
    /// The property of all results.
    pub result_form: ResultForm,
    /// The quantifier, for functions that reduce an array of Booleans.
    pub quantifier: Option<Quantifier>,
}

impl FunctionId {
    /// Returns the semantics of the function.
    pub const fn semantics(self) -> Semantics {
        let total = Semantics {
            missing_argument: MissingArgument::Propagates,
            is_partial: false,
            result_form: ResultForm::Any,
            quantifier: None,
        };
        let partial = Semantics { is_partial: true, ..total };
        match self {
            FunctionId::All => Semantics { quantifier: Some(Quantifier::All), ..total },
            FunctionId::Any => Semantics { quantifier: Some(Quantifier::Any), ..total },
            FunctionId::BitSlice => Semantics { result_form: ResultForm::NotNegative, ..partial },
            FunctionId::Coalesce => Semantics { missing_argument: MissingArgument::IsSkipped, ..total },
            FunctionId::Concat => Semantics { missing_argument: MissingArgument::IsEmpty, ..total },
            FunctionId::Len => Semantics { result_form: ResultForm::NotNegative, ..total },
            FunctionId::Lower => Semantics { result_form: ResultForm::LowerCase, ..total },
            FunctionId::Upper => Semantics { result_form: ResultForm::UpperCase, ..total },
            FunctionId::DecodeBase64
            | FunctionId::LookupJsonInteger
            | FunctionId::LookupJsonString
            | FunctionId::UuidV4 => partial,
            FunctionId::Cidr
            | FunctionId::Cidr6
            | FunctionId::DlpMatch
            | FunctionId::EncodeBase64
            | FunctionId::EndsWith
            | FunctionId::HasKey
            | FunctionId::HasValue
            | FunctionId::HashInRange
            | FunctionId::IsJwtPresent
            | FunctionId::IsJwtValid
            | FunctionId::IsTimedHmacValid
            | FunctionId::Join
            | FunctionId::RegexReplace
            | FunctionId::RemoveBytes
            | FunctionId::RemoveQueryArgs
            | FunctionId::Sha256
            | FunctionId::Split
            | FunctionId::StartsWith
            | FunctionId::Substring
            | FunctionId::ToString
            | FunctionId::UrlDecode
            | FunctionId::WildcardReplace => total,
        }
    }
}

/// A function that reduces an array of Booleans to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// `any`.
    Any,
    /// `all`.
    All,
}
