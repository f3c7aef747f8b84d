//! The table of functions, one row each.

#![allow(clippy::indexing_slicing, reason = "the compiler evaluates it")]

mod builder;

use super::function::AcceptedType::{AnyArray, AnyMap, Anything, CollectionOfScalars, ElementOfFirst, SameAsFirst};
use super::function::ArgumentKind::{Computed, Either, Literal};
use super::function::{Constraint, Function, FunctionId as Id, ReturnType};
use super::values::{BASE64_FLAGS, DECODE_FLAGS, TOKEN_FLAGS, WILDCARD_FLAGS};
use super::{PlanRequirement, Tier};
use builder::*;

/// All functions, sorted by name.
pub static FUNCTIONS: &[Function] = &TABLE;

static TABLE: [Function; ROWS.len()] = column!(ROWS, function);

/// The documentation of each function, in the order of `TABLE`. It is a table of its own, so that a WebAssembly program
/// that only checks expressions does not load it.
static DOCS: [&str; ROWS.len()] = column!(ROWS, doc);

impl Function {
    /// Returns what the function computes: a sentence fragment without a final period.
    pub fn doc(&self) -> &'static str {
        DOCS.get(self.id as usize).copied().unwrap_or_default()
    }
}

const ROWS: &[Row] = &[
    function(Id::All, "all", &[param("values", &[BOOLEANS], Computed)], TO_BOOLEAN, "whether every value is true")
        .without_map_each(),
    function(
        Id::Any,
        "any",
        &[param("values", &[BOOLEANS], Computed)],
        TO_BOOLEAN,
        "whether at least one value is true",
    )
    .without_map_each(),
    function(
        Id::BitSlice,
        "bit_slice",
        &[
            param("protocol", &[STRING], Computed).must(Constraint::OneOfFields(PROTOCOL_FIELDS)),
            param("offset_start", &[INTEGER], Literal).must(Constraint::Range(0, 2040)),
            param("offset_end", &[INTEGER], Literal).must(Constraint::Range(0, 2040)),
        ],
        TO_INTEGER,
        "up to 32 bits of a packet, as an integer",
    )
    .only_in(NETWORK_PHASES),
    function(
        Id::Cidr,
        "cidr",
        &[param("address", &[IP], Computed), IPV4_BITS, IPV6_BITS],
        TO_IP,
        "first address of the network that contains an IP address",
    )
    .only_in(FIREWALL_PHASES),
    function(
        Id::Cidr6,
        "cidr6",
        &[param("address", &[IP], Computed), IPV6_BITS],
        TO_IP,
        "first address of the network that contains an IPv6 address; IPv4 addresses are unchanged",
    )
    .only_in(FIREWALL_PHASES),
    function(
        Id::Coalesce,
        "coalesce",
        &[param("value", &[Anything], Either), param("fallback", &[SameAsFirst], Either).variadic()],
        ReturnType::SameAsFirst,
        "the first value that is not missing",
    ),
    function(
        Id::Concat,
        "concat",
        &[param("first", &[STRING, AnyArray], Either), param("rest", &[SameAsFirst], Either).variadic()],
        ReturnType::SameAsFirst,
        "strings or arrays, concatenated; missing values are treated as empty",
    )
    .at_most(32),
    function(
        Id::DecodeBase64,
        "decode_base64",
        &[param("source", &[STRING], Computed)],
        TO_STRING,
        "the decoded value of a Base64 string",
    )
    .only_in(DECODE_PHASES),
    function(
        Id::DlpMatch,
        "dlp_match",
        &[param("entry", &[STRING], Computed)],
        TO_BOOLEAN,
        "whether a DLP entry matches",
    )
    .unconfirmed(),
    function(
        Id::EncodeBase64,
        "encode_base64",
        &[
            param("input", &[STRING], Either),
            param("flags", &[STRING], Literal).optional().must(Constraint::Flags(BASE64_FLAGS)),
        ],
        TO_STRING,
        "the string in Base64; flags: `u` for the URL-safe alphabet, `p` for padding",
    )
    .only_in(HEADER_TRANSFORM_PHASES),
    function(
        Id::EndsWith,
        "ends_with",
        &[param("source", &[STRING], Computed), param("substring", &[STRING], Either)],
        TO_BOOLEAN,
        "whether a string ends with another; case-sensitive",
    )
    .foreign_names(&["endswith", "hassuffix", "has_suffix"]),
    function(
        Id::HasKey,
        "has_key",
        &[param("map", &[AnyMap], Computed), param("key", &[STRING], Either)],
        TO_BOOLEAN,
        "whether a map has a key",
    ),
    function(
        Id::HasValue,
        "has_value",
        &[param("collection", &[CollectionOfScalars], Computed), param("value", &[ElementOfFirst], Either)],
        TO_BOOLEAN,
        "whether an array or a map contains a value",
    ),
    // The announcement has a single example. The values may therefore be anything except literals.
    function(
        Id::HashInRange,
        "hash_in_range",
        &[
            param("start", &[INTEGER], Literal),
            param("end", &[INTEGER], Literal).must(Constraint::GreaterThanFirst),
            param("value", &[Anything], Computed).variadic(),
        ],
        TO_INTEGER,
        "a number from a range, always the same for the same values, for gradual rollouts",
    )
    .without_map_each(),
    function(
        Id::IsJwtPresent,
        "is_jwt_present",
        &[TOKEN_CONFIGURATION],
        TO_BOOLEAN,
        "whether the request carries the token",
    )
    .only_in(CUSTOM_PHASES),
    function(
        Id::IsJwtValid,
        "is_jwt_valid",
        &[TOKEN_CONFIGURATION],
        TO_BOOLEAN,
        "whether the token of the request is valid",
    )
    .only_in(CUSTOM_PHASES),
    function(
        Id::IsTimedHmacValid,
        "is_timed_hmac_valid_v0",
        &[
            param("key", &[STRING], Literal),
            param("message_mac", &[STRING], Either),
            param("ttl", &[INTEGER], Literal),
            param("current_timestamp", &[INTEGER], Either),
            param("separator_length", &[INTEGER], Literal).optional(),
            param("flags", &[STRING], Literal).optional().must(Constraint::Flags(TOKEN_FLAGS)),
        ],
        TO_BOOLEAN,
        "whether a timed HMAC token is valid and has not expired; flag: `s` for the URL-safe alphabet",
    )
    .needs(PlanRequirement::Tier(Tier::Pro)),
    function(
        Id::Join,
        "join",
        &[param("items", &[STRINGS], Computed), param("separator", &[STRING], Literal)],
        TO_STRING,
        "the strings of an array, joined with a separator",
    )
    .without_map_each()
    .only_in(JOIN_PHASES),
    function(
        Id::Len,
        "len",
        &[param("value", &[STRING, AnyArray], Computed)],
        TO_INTEGER,
        "number of bytes in a string, or of elements in an array",
    )
    .foreign_names(&["length", "strlen", "size"]),
    function(
        Id::LookupJsonInteger,
        "lookup_json_integer",
        &[param("field", &[STRING], Computed), JSON_KEY],
        TO_INTEGER,
        "the integer at a path in a JSON document",
    ),
    function(
        Id::LookupJsonString,
        "lookup_json_string",
        &[param("field", &[STRING], Computed), JSON_KEY],
        TO_STRING,
        "the string at a path in a JSON document",
    ),
    function(
        Id::Lower,
        "lower",
        &[param("value", &[STRING], Computed)],
        TO_STRING,
        "the string with A to Z in lowercase",
    )
    .foreign_names(&["tolower", "to_lower", "lowercase", "lcase", "tolowercase"]),
    function(
        Id::RegexReplace,
        "regex_replace",
        &[
            param("source", &[STRING], Either),
            param("regex", &[STRING], Literal).must(Constraint::Regex),
            param("replacement", &[STRING], Literal).must(Constraint::Replacement),
        ],
        TO_STRING,
        "the string with the first match of a regular expression replaced",
    )
    .only_in(REWRITE_PHASES)
    .needs(PlanRequirement::Tier(Tier::Business))
    .once_per_expression(),
    function(
        Id::RemoveBytes,
        "remove_bytes",
        &[param("value", &[STRING], Computed), param("bytes", &[STRING], Literal)],
        TO_BYTES,
        "the string without any of the given bytes",
    ),
    function(
        Id::RemoveQueryArgs,
        "remove_query_args",
        &[
            param("field", &[STRING], Computed).must(Constraint::OneOfFields(QUERY_FIELDS)),
            param("param", &[STRING], Literal).variadic(),
        ],
        TO_STRING,
        "the query string without the named arguments",
    )
    .only_in(TRANSFORM_PHASES),
    function(Id::Sha256, "sha256", &[param("input", &[STRING], Either)], TO_BYTES, "SHA-256 digest, as 32 bytes")
        .only_in(HEADER_TRANSFORM_PHASES)
        .needs(PlanRequirement::AddOn),
    function(
        Id::Split,
        "split",
        &[
            param("input", &[STRING], Computed),
            param("separator", &[STRING], Literal).must(Constraint::NonEmpty),
            param("limit", &[INTEGER], Literal).must(Constraint::Range(1, 128)),
        ],
        TO_STRINGS,
        "the parts of a string between separators; the last part is the remainder",
    )
    .only_in(SPLIT_PHASES),
    function(
        Id::StartsWith,
        "starts_with",
        &[param("source", &[STRING], Computed), param("substring", &[STRING], Either)],
        TO_BOOLEAN,
        "whether a string starts with another; case-sensitive",
    )
    .foreign_names(&["startswith", "hasprefix", "has_prefix"]),
    function(
        Id::Substring,
        "substring",
        &[
            param("field", &[STRING], Computed),
            param("start", &[INTEGER], Either),
            param("end", &[INTEGER], Either).optional(),
        ],
        TO_STRING,
        "the bytes from a start position up to, but not including, an end position; negative positions count from the end",
    )
    .foreign_names(&["substr"]),
    function(
        Id::ToString,
        "to_string",
        &[param("value", &[INTEGER, BOOLEAN, IP], Computed)],
        TO_STRING,
        "an integer, a Boolean or an IP address as a string",
    )
    .foreign_names(&["tostring", "str"])
    .only_in(REWRITE_PHASES),
    function(
        Id::Upper,
        "upper",
        &[param("value", &[STRING], Computed)],
        TO_STRING,
        "the string with a to z in uppercase",
    )
    .foreign_names(&["toupper", "to_upper", "uppercase", "ucase", "touppercase"]),
    function(
        Id::UrlDecode,
        "url_decode",
        &[
            param("source", &[STRING], Computed),
            param("options", &[STRING], Literal).optional().must(Constraint::Flags(DECODE_FLAGS)),
        ],
        TO_STRING,
        "the string with percent-encoding decoded; options: `r` to decode repeatedly, `u` for `%uXXXX`",
    ),
    function(
        Id::UuidV4,
        "uuidv4",
        &[param("source", &[STRING], Computed)],
        TO_STRING,
        "a random UUID (version 4) from random bytes",
    )
    .only_in(TRANSFORM_PHASES),
    function(
        Id::WildcardReplace,
        "wildcard_replace",
        &[
            param("source", &[STRING], Computed),
            param("wildcard_pattern", &[STRING], Literal).must(Constraint::Wildcard),
            param("replacement", &[STRING], Literal).must(Constraint::Replacement),
            param("flags", &[STRING], Literal).optional().must(Constraint::Flags(WILDCARD_FLAGS)),
        ],
        TO_STRING,
        "the string rewritten with the matches of a wildcard pattern; flag: `s` for case-sensitive",
    )
    .only_in(URL_REWRITE_PHASES)
    .once_per_expression(),
];

/// The functions that rules call most often, the most common first.
pub const COMMON_FUNCTIONS: &[Id] = &[
    Id::StartsWith,
    Id::EndsWith,
    Id::Lower,
    Id::Any,
    Id::All,
    Id::Len,
    Id::Concat,
    Id::UrlDecode,
    Id::RegexReplace,
    Id::Upper,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_unique() {
        for pair in FUNCTIONS.windows(2) {
            assert!(pair[0].name < pair[1].name, "`{}` is listed before `{}`", pair[0].name, pair[1].name);
        }
        assert_eq!(FUNCTIONS.len(), Id::WildcardReplace as usize + 1);
        assert!(FUNCTIONS.iter().enumerate().all(|(row, function)| function.id as usize == row));
    }

    #[test]
    fn parameters_are_ordered_required_optional_variadic() {
        for function in FUNCTIONS {
            assert!(!function.doc().is_empty() && !function.doc().ends_with('.'), "{}", function.name);
            let [before @ .., _last] = function.params else { panic!("{} has no parameter", function.name) };
            assert!(before.iter().all(|param| !param.variadic), "{}", function.name);
            let required = function.params.iter().take_while(|param| !param.optional).count();
            assert!(function.params.iter().skip(required).all(|param| param.optional), "{}", function.name);
        }
    }

    #[test]
    fn allowed_fields_of_parameters_exist() {
        for param in FUNCTIONS.iter().flat_map(|function| function.params) {
            let Some(Constraint::OneOfFields(names)) = param.constraint else { continue };
            assert!(names.iter().all(|name| super::super::field(name).is_some()), "{names:?}");
        }
    }
}
