//! What the values of fields are, in a form for those who reason about all requests at once.
//!
//! It says what the lints say when they call a comparison always or never true, so that a proof may
//! count on the same things (assumptions documented-values, named-values).

use super::range;
use crate::{Container, schema::Field};

/// What all values of a field have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownValues {
    /// Texts that a pattern of the language matches.
    Text {
        /// The pattern, bound at both ends or at the beginning.
        pattern: &'static str,
        /// A usual value.
        example: &'static str,
        /// The same in words, to be read behind the field's name.
        words: &'static str,
    },
    /// Integers within bounds.
    Integers {
        /// The lowest.
        low: i64,
        /// The highest.
        high: i64,
    },
}

/// Field, pattern, example, words.
type Row = (&'static str, &'static str, &'static str, &'static str);

const TEXTS: [Row; 14] = [
    (
        "http.host",
        r#"^[^/ \t\r\n?#@"\\]*$"#,
        "example.com",
        "has no blanks and none of `/`, `?`, `#`, `@`, `\"` and `\\`",
    ),
    (
        "http.request.full_uri",
        "^https?://[^#]*/[^#]*$",
        "https://example.com/",
        "begins with `http://` or `https://` and has a path but no `#`",
    ),
    ("http.request.method", "^[!#$%&'*+.^_`|~0-9A-Z-]+$", "GET", "is one word in capitals"),
    ("http.request.uri", r"^(?:/|\*$)", "/", "begins with `/` (or is `*`)"),
    ("http.request.uri.path", r"^(?:/[^?]*|\*)$", "/", "begins with `/` (or is `*`) and has no `?`"),
    ("http.request.uri.path.extension", "^[^.A-Z]*$", "html", "has no dot and no capitals"),
    ("http.request.version", VERSION, "HTTP/1.1", VERSION_WORDS),
    ("http.version", VERSION, "HTTP/1.1", VERSION_WORDS),
    ("ip.dst.country", COUNTRY, "DE", COUNTRY_WORDS),
    ("ip.geoip.continent", CONTINENT, "EU", CONTINENT_WORDS),
    ("ip.geoip.country", COUNTRY, "DE", COUNTRY_WORDS),
    ("ip.src.continent", CONTINENT, "EU", CONTINENT_WORDS),
    ("ip.src.country", COUNTRY, "DE", COUNTRY_WORDS),
    ("raw.http.request.uri.path.extension", "^[^.]*$", "html", "has no dot"),
];

const VERSION: &str = r"^(?:HTTP/(?:1\.[01]|[04-9][!-~]*|[23](?:\.[1-9][!-~]*)?)|SPDY/[!-~]*)$";
const VERSION_WORDS: &str = "is written such as `HTTP/1.1`, `HTTP/2` and `HTTP/3`";
/// The codes that the lints know, by their first letters.
const COUNTRY: &str = "^(?:A[12D-GILMO-UWXZ]|B[ABD-JL-OQ-TVWYZ]|C[ACDF-IK-ORU-Z]|D[EJKMOZ]|E[CEGHR-U]|F[I-KMOR]|G[ABD-IL-NP-UWY]|H[KMNRTU]|\
    I[DEL-OQ-T]|J[EMOP]|K[EG-IMNPRWYZ]|L[A-CIKR-VY]|M[AC-HK-Z]|N[ACE-GILOPRUZ]|O[1M]|P[AE-HK-NR-TWY]|QA|R[EOSUW]|\
    S[A-EG-OR-TVX-Z]|T[1CDF-HJ-ORTVWZ]|U[AGMSYZ]|V[ACEGINU]|W[FS]|X[KX]|Y[ET]|Z[AMW])?$";
const COUNTRY_WORDS: &str = "is the code of a country or empty";
const CONTINENT: &str = "^(?:AF|AN|AS|EU|NA|OC|SA|T1|XX)?$";
const CONTINENT_WORDS: &str = "is the code of a continent or empty";

/// What is known of the values that a field has, or of each of its elements; `None` when they can be any.
pub fn known_values(field: &str) -> Option<KnownValues> {
    let row = |name: &str| TEXTS.iter().find(|(known, ..)| *known == name);
    // What is raw has the same form where nothing else is said.
    let found = row(field).or_else(|| field.strip_prefix("raw.").and_then(row));
    let text = found.map(|(_, pattern, example, words)| KnownValues::Text { pattern, example, words });
    text.or_else(|| range::of_field(field).map(|(low, high)| KnownValues::Integers { low, high }))
}

/// Whether a map keeps its elements under names in lower case.
pub fn has_lower_case_keys(field: &str) -> bool {
    super::case::HEADERS.contains(&field)
}

/// Whether every name in a map has at least one value (assumption named-values). Whoever makes a token chooses
/// its claims, so those may be empty.
pub fn has_named_values(field: &Field) -> bool {
    let of_arrays =
        field.ty.container() == Some(Container::Map) && field.ty.element().container() == Some(Container::Array);
    of_arrays && !field.name.starts_with("http.request.jwt.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Outcome, Record, Value, check, code, lint::Lint, schema};

    /// Texts of all kinds.
    const SAMPLES: [&str; 43] = [
        "",
        "/",
        "*",
        "a",
        "ba",
        "/a",
        "/a?b",
        "/a#b",
        "?",
        "?a=1",
        "/*",
        "*a",
        "GET",
        "get",
        "Get",
        "PO ST",
        "G-E_T",
        "http://a/",
        "https://a/b",
        "https://a",
        "https://a?b",
        "http://a/#b",
        "HTTP/1.1",
        "HTTP/1.0",
        "HTTP/2",
        "HTTP/2.0",
        "HTTP/3",
        "http/2",
        "1.1",
        "SPDY/3",
        "HTTP/0.9",
        "DE",
        "de",
        "ZZ",
        "T1",
        "EU",
        "Europe",
        "example.com",
        "Example.com",
        "a b",
        "a/b",
        "html",
        "tar.gz",
    ];

    fn warns(source: &str, code: &str) -> bool {
        let options = Options { lint: Some(Lint::default()), ..Options::default() };
        check(source, &options).diagnostics.iter().any(|found| found.code == code)
    }

    #[test]
    fn forms_say_what_the_lints_say() {
        for field in schema::FIELDS {
            let Some(KnownValues::Text { pattern, example, .. }) = known_values(field.name) else { continue };
            let form = check(&format!("{} matches r##\"{pattern}\"##", field.name), &Options::default());
            let form = form.program.unwrap_or_else(|| panic!("{pattern}: {:?}", form.diagnostics));
            let has_form = |text: &str| {
                let mut record = Record::default();
                record.set(field.name, Value::Text(text.as_bytes().to_vec())).unwrap();
                form.evaluate(&record) == Outcome::True
            };
            assert!(has_form(example), "{}: {example}", field.name);
            for text in SAMPLES {
                let source = format!("{} eq {text:?}", field.name);
                // The star is the better reason.
                if warns(&source, code::LITERAL_STAR) {
                    continue;
                }
                let never = warns(&source, code::NEVER_MATCHES);
                // No lint looks for an empty method.
                let more = text.is_empty() && !never;
                assert!(never != has_form(text) || more, "{} eq {text:?}: never {never}", field.name);
            }
        }
    }

    #[test]
    fn country_pattern_has_the_codes_of_the_lints() {
        let codes: Vec<String> = (b'A'..=b'Z')
            .flat_map(|first| (b'A'..=b'Z').chain(b'0'..=b'9').map(move |second| [first, second]))
            .map(|code| String::from_utf8(code.to_vec()).unwrap())
            .collect();
        let form = check(&format!("ip.src.country matches \"{COUNTRY}\""), &Options::default()).program.unwrap();
        let mut record = Record::default();
        for code in codes {
            record.set("ip.src.country", Value::Text(code.clone().into_bytes())).unwrap();
            let never = warns(&format!("ip.src.country eq \"{code}\""), code::NEVER_MATCHES);
            assert_eq!(form.evaluate(&record) == Outcome::False, never, "{code}");
        }
    }

    #[test]
    fn named_values_are_maps_of_arrays_except_claims() {
        let named = |name: &str| has_named_values(schema::field(name).unwrap());
        assert!(named("http.request.headers") && named("http.request.uri.args") && named("http.request.cookies"));
        assert!(named("http.request.body.form") && named("http.response.headers"));
        assert!(!named("http.request.headers.names") && !named("http.host"));
        assert!(!named("http.request.jwt.claims.iss") && !named("cf.llm.prompt.custom_topic_categories"));
    }

    #[test]
    fn integers_have_the_bounds_of_the_lints() {
        let port = known_values("cf.edge.server_port");
        assert_eq!(port, Some(KnownValues::Integers { low: 0, high: 65_535 }));
        assert_eq!(known_values("cf.threat_score"), Some(KnownValues::Integers { low: 0, high: 0 }));
        assert_eq!(known_values("http.user_agent"), None);
        assert!(has_lower_case_keys("http.request.headers") && !has_lower_case_keys("http.request.cookies"));
    }
}
