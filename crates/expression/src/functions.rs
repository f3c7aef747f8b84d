//! Computes function calls.
//!
//! [`Computation`] is the prepared function of one call; [`Arguments`] are the values that it receives. Every function
//! is pure and total: it takes time linear in its arguments and its result, never panics, and returns `None` where it
//! has no result (assumption function-edges). A missing argument makes the result missing, unless the function defines
//! otherwise.

mod address;
mod collection;
mod crypto;
mod encoding;
mod json;
mod packet;
pub(crate) mod random;
mod replace;
mod text;
mod url;
pub(crate) mod wildcard;

use crate::{
    Value,
    schema::{Function, FunctionId},
};
use regex_automata::meta::Regex;
use std::{borrow::Cow, net::IpAddr};
use wildcard::CapturingWildcard;

/// The maximum size of a computed value, in bytes (assumption value-size). A larger value is missing.
pub(crate) const MAX_VALUE_BYTES: usize = 16 << 20;

/// The prepared function of one call in an expression. A literal pattern is compiled once.
pub(crate) enum Computation {
    /// A function without a compiled pattern.
    Plain(Implementation),
    /// `regex_replace`.
    Regex(Box<Regex>),
    /// `wildcard_replace`.
    Wildcard(Box<CapturingWildcard>),
}

/// The reason why the engine cannot compute a call. The result of such a call is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnsupportedCall {
    /// The function needs data that no record contains.
    Function,
    /// The pattern is not a literal, or the regex compiler rejects it.
    Pattern,
}

type Implementation = fn(Arguments<'_>) -> Option<Value>;

impl Computation {
    /// Prepares the function for a call with these literal arguments; other arguments are `None`.
    pub(crate) fn new(function: &Function, literals: Arguments<'_>) -> Result<Self, UnsupportedCall> {
        let pattern = literals.text(1).ok_or(UnsupportedCall::Pattern);
        match function.id {
            FunctionId::RegexReplace => {
                let regex =
                    replace::compile_regex(&String::from_utf8_lossy(pattern?)).ok_or(UnsupportedCall::Pattern)?;
                Ok(Computation::Regex(Box::new(regex)))
            }
            FunctionId::WildcardReplace => {
                let is_case_sensitive = literals.flags(3).is_some_and(|flags| flags.contains(&b's'));
                Ok(Computation::Wildcard(Box::new(CapturingWildcard::new(pattern?, is_case_sensitive))))
            }
            id => find_implementation(id).map(Computation::Plain).ok_or(UnsupportedCall::Function),
        }
    }

    /// Computes a call; returns `None` if the result is missing.
    pub(crate) fn call(&self, arguments: Arguments<'_>) -> Option<Value> {
        match self {
            Computation::Plain(implementation) => implementation(arguments),
            Computation::Regex(regex) => replace::regex_replace(regex, arguments),
            Computation::Wildcard(wildcard) => replace::wildcard_replace(wildcard, arguments),
        }
    }
}

/// Returns the implementation of a function that needs only its arguments; `None` for the other functions.
///
/// `is_jwt_valid` and `is_jwt_present` depend on a token configuration, and `dlp_match` on data classes. No record
/// contains these. `any` and `all` are part of evaluation. `regex_replace` and `wildcard_replace` need a compiled
/// pattern.
fn find_implementation(function: FunctionId) -> Option<Implementation> {
    Some(match function {
        FunctionId::BitSlice => packet::bit_slice,
        FunctionId::Cidr => address::cidr,
        FunctionId::Cidr6 => address::cidr6,
        FunctionId::Coalesce => collection::coalesce,
        FunctionId::Concat => collection::concat,
        FunctionId::DecodeBase64 => encoding::decode_base64,
        FunctionId::EncodeBase64 => encoding::encode_base64,
        FunctionId::EndsWith => text::ends_with,
        FunctionId::HasKey => collection::has_key,
        FunctionId::HasValue => collection::has_value,
        FunctionId::HashInRange => random::hash_in_range,
        FunctionId::IsTimedHmacValid => crypto::is_timed_hmac_valid,
        FunctionId::Join => collection::join,
        FunctionId::Len => collection::len,
        FunctionId::LookupJsonInteger => json::lookup_integer,
        FunctionId::LookupJsonString => json::lookup_string,
        FunctionId::Lower => text::lower,
        FunctionId::RemoveBytes => text::remove_bytes,
        FunctionId::RemoveQueryArgs => url::remove_query_args,
        FunctionId::Sha256 => crypto::sha256,
        FunctionId::Split => text::split,
        FunctionId::StartsWith => text::starts_with,
        FunctionId::Substring => text::substring,
        FunctionId::ToString => text::to_string,
        FunctionId::Upper => text::upper,
        FunctionId::UrlDecode => url::url_decode,
        FunctionId::UuidV4 => random::uuidv4,
        FunctionId::All
        | FunctionId::Any
        | FunctionId::DlpMatch
        | FunctionId::IsJwtPresent
        | FunctionId::IsJwtValid
        | FunctionId::RegexReplace
        | FunctionId::WildcardReplace => return None,
    })
}

/// Appends to a text; returns `None` if the text would be larger than a value may be. Functions whose result can be
/// much larger than their arguments use it, so that their work and memory stay bounded.
fn append_bounded(text: &mut Vec<u8>, suffix: &[u8]) -> Option<()> {
    let is_within_limit = text.len().saturating_add(suffix.len()) <= MAX_VALUE_BYTES;
    is_within_limit.then(|| text.extend_from_slice(suffix))
}

/// The argument values of a call; a missing value is `None`. The slice ends before omitted optional arguments.
///
/// An accessor of one type returns `None` for a missing or omitted argument, and for a value of another type.
#[derive(Clone, Copy)]
pub(crate) struct Arguments<'a>(&'a [Option<Cow<'a, Value>>]);

impl<'a> Arguments<'a> {
    pub(crate) fn new(arguments: &'a [Option<Cow<'a, Value>>]) -> Self {
        Arguments(arguments)
    }

    /// Iterates over the arguments from an index on.
    fn iter_from(self, index: usize) -> impl Iterator<Item = Option<&'a Value>> {
        self.0.iter().skip(index).map(Option::as_deref)
    }

    /// Returns whether the source has the argument, even if its value is missing.
    fn is_present(self, index: usize) -> bool {
        index < self.0.len()
    }

    fn value(self, index: usize) -> Option<&'a Value> {
        self.0.get(index)?.as_deref()
    }

    fn text(self, index: usize) -> Option<&'a [u8]> {
        match self.value(index)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns a text of flags; empty if the source omits the argument.
    fn flags(self, index: usize) -> Option<&'a [u8]> {
        if self.is_present(index) { self.text(index) } else { Some(b"") }
    }

    fn integer(self, index: usize) -> Option<i64> {
        match self.value(index)? {
            Value::Integer(integer) => Some(*integer),
            _ => None,
        }
    }

    fn address(self, index: usize) -> Option<IpAddr> {
        match self.value(index)? {
            Value::Ip(address) => Some(*address),
            _ => None,
        }
    }

    fn array(self, index: usize) -> Option<&'a [Value]> {
        match self.value(index)? {
            Value::Array(elements) => Some(elements),
            _ => None,
        }
    }
}

/// Helpers for the tests of the function modules.
#[cfg(test)]
mod test_support {
    use super::{Arguments, Computation};
    use crate::{Value, schema, schema::Function};
    use std::{borrow::Cow, collections::BTreeMap};

    pub(super) const MISSING: Option<Value> = None;

    pub(super) fn text(text: impl AsRef<[u8]>) -> Option<Value> {
        Some(Value::Text(text.as_ref().to_vec()))
    }

    pub(super) fn texts(texts: &[&str]) -> Option<Value> {
        Some(Value::Array(texts.iter().filter_map(text).collect()))
    }

    pub(super) fn integer(integer: i64) -> Option<Value> {
        Some(Value::Integer(integer))
    }

    pub(super) fn boolean(boolean: bool) -> Option<Value> {
        Some(Value::Boolean(boolean))
    }

    pub(super) fn booleans(booleans: &[bool]) -> Option<Value> {
        Some(Value::Array(booleans.iter().copied().map(Value::Boolean).collect()))
    }

    pub(super) fn address(address: &str) -> Option<Value> {
        Some(Value::Ip(address.parse().unwrap()))
    }

    pub(super) fn map(members: &[(&str, Option<Value>)]) -> Option<Value> {
        let members = members.iter().map(|(key, value)| (key.as_bytes().to_vec(), value.clone().unwrap()));
        Some(Value::Map(members.collect::<BTreeMap<_, _>>()))
    }

    pub(super) fn call(function: &Function, arguments: &[Option<Cow<'_, Value>>]) -> Option<Value> {
        let arguments = Arguments::new(arguments);
        Computation::new(function, arguments).ok()?.call(arguments)
    }

    /// Asserts the result of a function for each list of arguments.
    pub(super) fn assert_results<const N: usize>(name: &str, cases: [(Vec<Option<Value>>, Option<Value>); N]) {
        let function = schema::function(name).unwrap();
        for (arguments, expected) in cases {
            let values: Vec<_> = arguments.iter().map(|argument| argument.as_ref().map(Cow::Borrowed)).collect();
            assert_eq!(call(function, &values), expected, "{name}({arguments:?})");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{test_support::call, *};
    use crate::{Type, schema::FUNCTIONS, schema::ReturnType};

    #[test]
    fn computation_rejects_only_quantifiers_and_functions_that_need_other_data() {
        let literals = [None, test_support::text("a").map(Cow::Owned), None];
        for function in FUNCTIONS {
            let error = Computation::new(function, Arguments::new(&literals)).err();
            let expected = match function.id {
                FunctionId::All
                | FunctionId::Any
                | FunctionId::DlpMatch
                | FunctionId::IsJwtPresent
                | FunctionId::IsJwtValid => Some(UnsupportedCall::Function),
                _ => None,
            };
            assert_eq!(error, expected, "{}", function.name);
        }
    }

    /// Returns typical and extreme values of every type.
    fn sample_values() -> Vec<Option<Value>> {
        use super::test_support::{MISSING, address, boolean, booleans, integer, map, text, texts};
        vec![
            MISSING,
            text(""),
            text("a%u00zz%2"),
            text(b"\xff\x00*\\"),
            text("${1}$$${99999999999999999999}${"),
            text("x".repeat(1 << 12)),
            integer(0),
            integer(i64::MIN),
            integer(i64::MAX),
            boolean(true),
            address("192.0.2.1"),
            address("2001:db8::1"),
            texts(&[]),
            texts(&["a", ""]),
            booleans(&[false, true]),
            map(&[("a", texts(&["b"]))]),
        ]
    }

    #[test]
    fn functions_return_declared_types_for_any_arguments() {
        let values = sample_values();
        let borrowed = |value: &'static Option<Value>| value.as_ref().map(Cow::Borrowed);
        let values: &'static Vec<_> = Box::leak(Box::new(values));
        for function in FUNCTIONS {
            for (index, first) in values.iter().enumerate() {
                for second in values {
                    for count in 0..=6 {
                        let third = values.iter().cycle().skip(index * 7 + count * 3).take(4);
                        let arguments: Vec<_> = [first, second].into_iter().chain(third).map(borrowed).collect();
                        let Some(result) = call(function, &arguments[..count]) else { continue };
                        if let ReturnType::Type(ty) = function.returns {
                            let has_declared_type =
                                result.has_type(ty) || ty == Type::BYTES && result.has_type(Type::STRING);
                            assert!(has_declared_type, "{} gave {result:?}", function.name);
                        }
                    }
                }
            }
        }
    }
}
