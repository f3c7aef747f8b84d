//! The tables of fields, one row each, concatenated at compile time.

#![allow(clippy::indexing_slicing, reason = "the compiler evaluates it")]

mod builder;
mod cf;
mod http;
mod ip;
mod raw;
mod transport;

use super::field::Field;
use super::field_help::FieldHelp;
use builder::Row;

/// All fields, sorted by name.
pub static FIELDS: &[Field] = &TABLE;

static TABLE: [Field; ROWS.len()] = column!(ROWS, field);

/// The help of each field, in the order of `TABLE`.
static HELP: [FieldHelp; ROWS.len()] = column!(ROWS, help);

/// The rows of all families.
const ROWS: &[Row] = &{
    let mut table = [http::URI; 218];
    let families: [&[Row]; 5] = [cf::ROWS, http::ROWS, ip::ROWS, raw::ROWS, transport::ROWS];
    let (mut family, mut count) = (0, 0);
    while family < families.len() {
        let mut row = 0;
        while row < families[family].len() {
            table[count] = families[family][row];
            row += 1;
            count += 1;
        }
        family += 1;
    }
    assert!(count == table.len());
    table
};

impl Field {
    /// Returns the columns for explanations, completions and hovers.
    pub fn help(&self) -> &'static FieldHelp {
        let index = FIELDS.binary_search_by(|field| field.name.cmp(self.name)).ok();
        // Every field is a row, so the fallback is never used.
        index.and_then(|index| HELP.get(index)).unwrap_or(&FieldHelp::EMPTY)
    }
}

/// The fields that rules use most often, the most common first.
pub const COMMON_FIELDS: &[&str] = &[
    "http.host",
    "http.request.uri.path",
    "ip.src",
    "http.user_agent",
    "http.request.method",
    "http.request.uri.query",
    "ip.src.country",
    "http.request.uri",
    "http.referer",
    "ssl",
    "ip.src.asnum",
    "http.request.headers",
    "http.cookie",
    "http.request.full_uri",
    "cf.client.bot",
    "http.request.version",
    "http.request.uri.path.extension",
    "http.response.code",
    "ip.src.continent",
    "http.request.headers.names",
    "http.request.uri.args",
    "http.request.cookies",
    "http.request.body.raw",
    "cf.bot_management.score",
    "cf.waf.score",
    "cf.edge.server_port",
    "http.request.timestamp.sec",
    "cf.verified_bot_category",
    "http.x_forwarded_for",
    "cf.tls_version",
    "http.response.headers",
    "tcp.dstport",
    "ip.dst",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Keys, Origin, ValueConstraint, Wording, field, function};
    use crate::types::{Container, Scalar, Type};

    #[test]
    fn names_are_sorted_and_unique() {
        for pair in FIELDS.windows(2) {
            assert!(pair[0].name < pair[1].name, "`{}` is listed before `{}`", pair[0].name, pair[1].name);
        }
    }

    #[test]
    fn replacements_are_current_fields_of_the_same_type() {
        for field in FIELDS {
            let Some(name) = field.deprecated.and_then(|deprecated| deprecated.replacement) else { continue };
            let replacement = super::super::field(name).unwrap_or_else(|| panic!("no field `{name}`"));
            assert_eq!(replacement.ty, field.ty, "{name}");
            assert!(replacement.deprecated.is_none(), "{name}");
        }
    }

    #[test]
    fn docs_are_fragments() {
        for field in FIELDS {
            assert!(!field.help().doc.is_empty() && !field.help().doc.ends_with('.'), "{}", field.name);
        }
    }

    #[test]
    fn common_fields_exist_and_are_current() {
        for name in COMMON_FIELDS {
            assert!(field(name).is_some_and(|field| field.deprecated.is_none()), "{name}");
        }
    }

    #[test]
    fn aliases_are_not_field_names() {
        assert!(FIELDS.iter().flat_map(|field| field.aliases).all(|alias| field(alias).is_none()));
        assert!(FIELDS.iter().flat_map(|field| field.aliases).all(|alias| function(alias).is_none()));
        assert!(FIELDS.iter().filter(|field| !field.aliases.is_empty()).all(|field| field.deprecated.is_none()));
    }

    #[test]
    fn exactly_the_maps_have_keys() {
        for field in FIELDS {
            let is_map = field.ty.container() == Some(Container::Map);
            assert_eq!(is_map, field.keys != Keys::None, "{}", field.name);
            assert!(field.foreign_names.is_empty() || is_map, "{}", field.name);
            let has_array_elements = field.ty.element().container() == Some(Container::Array);
            assert!(!field.has_named_values() || has_array_elements, "{}", field.name);
        }
    }

    #[test]
    fn origins_are_fields_and_map_rows_have_map_origins() {
        for entry in FIELDS {
            let Some(origin) =
                entry.origin_name().map(|name| field(name).unwrap_or_else(|| panic!("no field `{name}`")))
            else {
                continue;
            };
            assert!(entry.deprecated.is_some() || entry.name.starts_with(origin.name), "{}", entry.name);
            assert_eq!(entry.is_raw, origin.is_raw, "{}", entry.name);
            if matches!(entry.origin, Some(Origin::NamesOf(_) | Origin::ValuesOf(_))) {
                assert_eq!(origin.ty.container(), Some(Container::Map), "{}", entry.name);
            }
        }
    }

    #[test]
    fn forms_match_the_types() {
        for field in FIELDS {
            match field.form.constraint() {
                Some(ValueConstraint::Integers { low, high }) => {
                    assert_eq!(field.ty.scalar, Scalar::Integer, "{}", field.name);
                    assert!(low <= high, "{}", field.name);
                }
                Some(ValueConstraint::Text { .. }) => assert_eq!(field.ty, Type::STRING, "{}", field.name),
                None => {}
            }
        }
    }

    #[test]
    fn wordings_match_the_types() {
        for field in FIELDS {
            let suits = match field.help().wording {
                Wording::Doc => field.ty.is_scalar(),
                Wording::Noun(_) => field.ty.is_scalar() && field.ty != Type::BOOLEAN,
                Wording::Statement(..) => field.ty == Type::BOOLEAN,
                Wording::Collection { .. } => !field.ty.is_scalar(),
            };
            assert!(suits, "{}", field.name);
        }
    }

    #[test]
    fn maps_have_named_values_unless_their_keys_are_configured() {
        let is_named = |name: &str| field(name).unwrap().has_named_values();
        assert!(is_named("http.request.headers") && is_named("http.request.uri.args"));
        assert!(is_named("http.request.cookies") && is_named("http.request.body.form"));
        assert!(is_named("http.response.headers") && !is_named("http.request.headers.names"));
        assert!(!is_named("http.request.jwt.claims.iss") && !is_named("cf.llm.prompt.custom_topic_categories"));
    }

    #[test]
    fn deprecated_and_raw_fields_share_forms() {
        let form = |name: &str| field(name).unwrap().form;
        assert_eq!(form("ip.geoip.country"), form("ip.src.country"));
        assert_eq!(form("raw.http.request.uri.path"), form("http.request.uri.path"));
        assert_eq!(form("cf.threat_score").integers(), Some((0, 0)));
        assert!(field("raw.http.request.uri").unwrap().is_raw && !field("http.request.uri").unwrap().is_raw);
    }
}
