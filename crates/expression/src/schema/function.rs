//! What the schema says of a function.
//!
//! [`Function`] is a row of the table in `functions.rs`. Its [`Semantics`] come from a match over [`FunctionId`] without a default, so a
//! new function does not compile before they are given. All functions are pure: equal arguments give equal results.

use super::{Certainty, Needs, Phase, values::KnownValue};
use crate::types::{Container, Type};

/// A function of the language.
#[derive(Debug)]
pub struct Function {
    /// Which one it is.
    pub id: FunctionId,
    /// The name.
    pub name: &'static str,
    /// One sentence fragment without a final period.
    pub doc: &'static str,
    /// Parameters in order; optional ones last; at most one variadic one, the very last.
    pub params: &'static [Param],
    /// What its calls give.
    pub semantics: Semantics,
    /// Highest number of arguments, where a variadic function has one.
    pub max_arguments: Option<usize>,
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
    /// Names that other languages give it, in lower case.
    pub foreign_names: &'static [&'static str],
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

impl Accept {
    /// Whether a value of this type fits, as far as the type of the first argument is known.
    pub fn takes(self, ty: Type, first: Option<Type>) -> bool {
        match self {
            Accept::Type(wanted) => ty.fits(wanted),
            Accept::Anything => true,
            Accept::AnyArray => ty.container() == Some(Container::Array),
            Accept::AnyMap => ty.container() == Some(Container::Map),
            Accept::CollectionOfScalars => !ty.is_scalar() && ty.element().is_scalar(),
            // Nothing is known of a first argument that was wrong.
            Accept::SameAsFirst => first.is_none_or(|first| ty.fits(first)),
            Accept::ElementOfFirst => first.is_none_or(|first| ty.fits(first.element())),
        }
    }
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
    Flags(&'static [KnownValue]),
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

/// Names each function, in the order of the table.
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

/// What a call gives when an argument is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingArgument {
    /// Nothing.
    Propagates,
    /// The first argument that is not missing.
    IsSkipped,
    /// What it gives for an empty value; nothing when all are missing.
    IsEmpty,
}

/// What results have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultForm {
    /// Nothing that lints or proofs use.
    Any,
    /// Texts without capitals.
    LowerCase,
    /// Texts without small letters.
    UpperCase,
    /// Integers of 0 and above.
    NotNegative,
}

/// What calls of a function give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Semantics {
    /// What a call gives when an argument is missing.
    pub missing_argument: MissingArgument,
    /// Whether a call may give nothing though no argument is missing (assumption function-edges): for what is no
    /// Base64 or no JSON, or too short.
    pub is_partial: bool,
    /// What its results have in common.
    pub result_form: ResultForm,
    /// Set for functions that join many conditions.
    pub quantifier: Option<Quantifier>,
}

impl FunctionId {
    /// What calls of the function give.
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

/// A function that joins many conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// `any`.
    Any,
    /// `all`.
    All,
}
