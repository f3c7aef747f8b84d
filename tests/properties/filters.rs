//! Properties of log push filters.

use super::support::config;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;
use zonewright_diagnostic::{Diagnostic, apply_safe_fixes};
use zonewright_logpush::{Dataset, FormatOptions, FormatStyle, Options, check, format};
use zonewright_tests::fuzz_filter;
use zonewright_tests::generate::Choices;
use zonewright_tests::generate_filter::{MISTAKES, filter};
use zonewright_tests::logpush::same_tree;

/// Rounds of safe fixes that any of the errors needs.
const MAX_FIX_ROUNDS: usize = 8;

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn filter_of_filterable_fields_is_accepted(choices in vec(any::<u8>(), 0..80)) {
        let (text, options) = valid_filter(&choices);
        prop_assert_eq!(errors(&text, &options), Vec::<String>::new(), "{}", text);
        let escaped = Value::String(text.clone()).to_string();
        prop_assert_eq!(errors(&escaped, &options), Vec::<String>::new(), "{}", escaped);
    }

    #[test]
    fn formatting_preserves_the_filter_and_is_stable(choices in vec(any::<u8>(), 0..80), width in 1_usize..120) {
        let (text, _) = valid_filter(&choices);
        for style in [FormatStyle::Pretty, FormatStyle::Compact, FormatStyle::Escaped] {
            let options = FormatOptions { style, width };
            let formatted = format(&text, &options).text.unwrap();
            prop_assert!(same_tree(&text, &formatted), "{text}\n{formatted}");
            prop_assert_eq!(format(&formatted, &options).text, Some(formatted.clone()));
            if style != FormatStyle::Escaped {
                // Another JSON parser reads the same value from both.
                let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
                prop_assert_eq!(read(&text), read(&formatted));
            }
        }
    }

    #[test]
    fn safe_fixes_repair_known_mistakes(choices in vec(any::<u8>(), 0..60), mistake in 0..MISTAKES.len(), escape: bool) {
        let (text, options) = valid_filter(&choices);
        let mut invalid = MISTAKES[mistake](&text);
        // The other errors are not escaped.
        if escape && invalid.starts_with('{') && !invalid.starts_with("{\\") {
            invalid = Value::String(invalid).to_string();
        }
        let mut fixed = invalid.clone();
        for _ in 0..MAX_FIX_ROUNDS {
            let diagnostics = check(&fixed, &options).diagnostics;
            fixed = apply_safe_fixes(&fixed, &diagnostics).unwrap_or(fixed);
        }
        prop_assert_eq!(errors(&fixed, &options), Vec::<String>::new(), "{}\n{}\n{}", mistake, invalid, fixed);
        prop_assert!(same_tree(&text, &fixed), "{text}\n{fixed}");
    }

    #[test]
    fn mutated_filters_never_panic(choices in vec(any::<u8>(), 0..60), mutations in vec(any::<u8>(), 3..24)) {
        let (text, _) = valid_filter(&choices);
        fuzz_filter::filter(super::mutate(text, &mut Choices::new(&mutations)).as_bytes());
    }

    #[test]
    fn arbitrary_text_as_a_filter_never_panics(text in any::<String>()) {
        fuzz_filter::filter(text.as_bytes());
        fuzz_filter::filter(format!("{{\"where\":{text}").as_bytes());
    }
}

/// A valid filter in compact form.
fn valid_filter(choices: &[u8]) -> (String, Options) {
    let mut choices = Choices::new(choices);
    let dataset = choices.pick(&Dataset::all().iter().collect::<Vec<_>>());
    let dataset = if dataset.fields.iter().any(|field| field.filterable) { dataset } else { Dataset::http_requests() };
    let options = Options { dataset, max_operators: usize::MAX, max_bytes: usize::MAX, lint: None };
    (filter(&mut choices, dataset).to_string(), options)
}

fn errors(text: &str, options: &Options) -> Vec<String> {
    let diagnostics = check(text, options).diagnostics;
    diagnostics
        .iter()
        .filter(|diagnostic| Diagnostic::is_error(diagnostic))
        .map(|diagnostic| diagnostic.message.clone())
        .collect()
}
