//! Codes of countries and continents.

use super::{
    edit::shown,
    form::{Case, Form, Wrong},
};

/// The assigned codes of ISO 3166-1, in the order of the alphabet, two letters each.
const COUNTRIES: &str = "ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZDEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVUWFWSYEYTZAZMZW";

/// Codes without a country that may occur all the same: Tor, unknown, Kosovo, and regions that
/// address data used to give.
const OTHERS: [&str; 8] = ["T1", "XX", "XK", "AP", "EU", "A1", "A2", "O1"];

const CONTINENTS: [&str; 9] = ["AF", "AN", "AS", "EU", "NA", "OC", "SA", "T1", "XX"];

/// Why a text is no code of a country or continent.
pub(super) fn wrong(form: Form, text: &[u8], case: Case) -> Option<Wrong> {
    let upper = String::from_utf8(text.to_ascii_uppercase()).unwrap_or_default();
    let known = match form {
        Form::Country => is_country(&upper) || OTHERS.contains(&upper.as_str()),
        _ => CONTINENTS.contains(&upper.as_str()),
    };
    let is_upper = case != Case::Kept || text == upper.as_bytes();
    let kind = if form == Form::Country { "country" } else { "continent" };
    match (known, is_upper) {
        (true, true) => None,
        // The unknown country of some data is the empty text.
        _ if text.is_empty() => None,
        (true, false) => Some(Wrong::never(format!("codes of a {kind} are in capitals")).with_better(upper)),
        (false, _) => {
            let wrong = Wrong::never(format!("{} is no code of a {kind}", shown(text)));
            Some(match meant(form, &upper) {
                Some(meant) => wrong.with_better(match case {
                    Case::Lower => meant.to_ascii_lowercase(),
                    Case::Kept | Case::Upper => meant.to_owned(),
                }),
                None if form == Form::Country => wrong.with_help("countries are two letters, as in ISO 3166-1: `DE`"),
                None => wrong.with_help("continents are `AF`, `AN`, `AS`, `EU`, `NA`, `OC` and `SA`"),
            })
        }
    }
}

/// What people write for a country instead of its code.
fn meant(form: Form, text: &str) -> Option<&'static str> {
    match (form, text) {
        (Form::Country, "UK") => Some("GB"),
        (Form::Country, "USA") => Some("US"),
        (Form::Country, "TOR") | (Form::Continent, "TOR") => Some("T1"),
        _ => None,
    }
}

fn is_country(text: &str) -> bool {
    text.len() == 2 && COUNTRIES.as_bytes().chunks_exact(2).any(|code| code == text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_those_of_the_standard() {
        let codes: Vec<&[u8]> = COUNTRIES.as_bytes().chunks(2).collect();
        assert_eq!(codes.len(), 249);
        assert!(codes.windows(2).all(|pair| pair[0] < pair[1]));
        for (code, expected) in [("DE", true), ("GB", true), ("UK", false), ("EA", false), ("D", false), ("", false)] {
            assert_eq!(is_country(code), expected, "{code}");
        }
    }
}
