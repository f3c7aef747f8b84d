//! Compares the documented forms of values, on which proofs rely, with the lints about them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use zonewright_expression::schema::{FIELDS, ValueConstraint, ValueForm};
use zonewright_expression::{LintOptions, Options, Outcome, Record, Value, check, code};

/// Texts that have, or nearly have, each of the forms.
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
    let options = Options { lint: Some(LintOptions::default()), ..Options::default() };
    check(source, &options).diagnostics.iter().any(|found| found.code == code)
}

#[test]
fn forms_agree_with_the_lints() {
    for field in FIELDS {
        let Some(ValueConstraint::Text { pattern, example, .. }) = field.form.constraint() else { continue };
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
            // The lint on the star takes precedence.
            if warns(&source, code::LITERAL_STAR) {
                continue;
            }
            let never = warns(&source, code::NEVER_MATCHES);
            // No lint reports an empty method.
            let is_unreported = text.is_empty() && !never;
            assert!(never != has_form(text) || is_unreported, "{} eq {text:?}: never {never}", field.name);
        }
    }
}

#[test]
fn country_pattern_matches_the_codes_that_lints_accept() {
    let codes: Vec<String> = (b'A'..=b'Z')
        .flat_map(|first| (b'A'..=b'Z').chain(b'0'..=b'9').map(move |second| [first, second]))
        .map(|code| String::from_utf8(code.to_vec()).unwrap())
        .collect();
    let Some(ValueConstraint::Text { pattern, .. }) = ValueForm::Country.constraint() else { panic!("no pattern") };
    let form = check(&format!("ip.src.country matches \"{pattern}\""), &Options::default()).program.unwrap();
    let mut record = Record::default();
    for code in codes {
        record.set("ip.src.country", Value::Text(code.clone().into_bytes())).unwrap();
        let never = warns(&format!("ip.src.country eq \"{code}\""), code::NEVER_MATCHES);
        assert_eq!(form.evaluate(&record) == Outcome::False, never, "{code}");
    }
}
