//! Checks texts against country and continent codes.

use super::{excerpt::quote_excerpt, mismatch::Mismatch, subject::Case};
use crate::schema::{CONTINENT_CODES, is_country_code};

/// Codes that may occur although they are not ISO countries: Tor, unknown, Kosovo, and regions from older address
/// databases.
const SPECIAL_COUNTRY_CODES: [&str; 8] = ["T1", "XX", "XK", "AP", "EU", "A1", "A2", "O1"];

/// The code of an unknown continent.
const UNKNOWN_CONTINENT: &str = "XX";

/// Returns the mismatch of a text that is not a country code.
pub(super) fn find_country_mismatch(text: &[u8], case: Case) -> Option<Mismatch> {
    let code = to_uppercase(text);
    let intended = match code.as_str() {
        "UK" => Some("GB"),
        "USA" => Some("US"),
        "TOR" => Some("T1"),
        _ => None,
    };
    let is_known = is_country_code(&code) || SPECIAL_COUNTRY_CODES.contains(&code.as_str());
    code_mismatch("country", "use a two-letter ISO 3166-1 code, such as `DE`", text, case, is_known, intended)
}

/// Returns the mismatch of a text that is not a continent code.
pub(super) fn find_continent_mismatch(text: &[u8], case: Case) -> Option<Mismatch> {
    let code = to_uppercase(text);
    let is_known = code == UNKNOWN_CONTINENT || CONTINENT_CODES.iter().any(|(known, _)| *known == code);
    let help = "the continent codes are `AF`, `AN`, `AS`, `EU`, `NA`, `OC`, and `SA`";
    code_mismatch("continent", help, text, case, is_known, (code == "TOR").then_some("T1"))
}

fn to_uppercase(text: &[u8]) -> String {
    String::from_utf8(text.to_ascii_uppercase()).unwrap_or_default()
}

fn code_mismatch(
    kind: &str,
    help: &str,
    text: &[u8],
    case: Case,
    is_known: bool,
    intended: Option<&str>,
) -> Option<Mismatch> {
    let uppercase = to_uppercase(text);
    let is_upper = case != Case::Unchanged || text == uppercase.as_bytes();
    match (is_known, is_upper) {
        (true, true) => None,
        // Some databases use the empty text for an unknown country.
        _ if text.is_empty() => None,
        (true, false) => {
            Some(Mismatch::never_matches(format!("{kind} codes are uppercase")).with_replacement(uppercase))
        }
        (false, _) => {
            let mismatch = Mismatch::never_matches(format!("{} is not a {kind} code", quote_excerpt(text)));
            Some(match intended {
                Some(intended) => mismatch.with_replacement(match case {
                    Case::Lower => intended.to_ascii_lowercase(),
                    Case::Unchanged | Case::Upper => intended.to_owned(),
                }),
                None => mismatch.with_help(help),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_country_code_rejects_codes_outside_iso_3166() {
        for (code, expected) in [("DE", true), ("GB", true), ("UK", false), ("EA", false), ("D", false), ("", false)] {
            assert_eq!(is_country_code(code), expected, "{code}");
        }
    }
}
