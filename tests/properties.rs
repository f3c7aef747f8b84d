//! Properties of the engine that hold for every text.
//!
//! Texts are made from rows of choices: where a row ends, the simplest choice is taken, so that a
//! failing text shrinks to a short one. `ZONEWRIGHT_SOAK=100` runs a hundred times as many.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

use proptest::collection::vec;
use proptest::prelude::*;
use zonewright_diagnostic::{Diagnostic, Span, apply_fix, apply_safe_fixes};
use zonewright_expression::{
    Kind, Missing, Options, Outcome, Program, Record, Type, Value, analyze, check, complete, parse,
};
use zonewright_tests::generate::Choices;
use zonewright_tests::generate_condition::{condition, search};
use zonewright_tests::generate_record::{call, filled, record};
use zonewright_tests::naive::{self, Answer};

/// Rounds of safe fixes after which nothing may change any more.
const MOST_ROUNDS: usize = 10;

fn config(cases: u32) -> ProptestConfig {
    let times = std::env::var("ZONEWRIGHT_SOAK").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    ProptestConfig { cases: cases.saturating_mul(times), failure_persistence: None, ..ProptestConfig::default() }
}

fn options(kind: Kind) -> Options {
    Options { kind, max_length: usize::MAX, ..Options::default() }
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn what_the_schema_allows_is_accepted(choices in vec(any::<u8>(), 0..160)) {
        let source = Choices::new(&choices).condition(4);
        let checked = check(&source, &options(Kind::Expression));
        let errors: Vec<_> = checked.diagnostics.iter().filter(|found| found.is_error()).collect();
        prop_assert!(errors.is_empty(), "{source}\n{errors:#?}");
        prop_assert!(checked.program.is_some(), "{source}");
    }

    #[test]
    fn values_that_the_schema_allows_are_accepted(choices in vec(any::<u8>(), 0..80)) {
        let source = Choices::new(&choices).value(Type::STRING, 3);
        let checked = check(&source, &options(Kind::Value));
        prop_assert!(checked.program.is_some(), "{source}\n{:#?}", checked.diagnostics);
    }

    #[test]
    fn spoiled_text_is_survived(choices in vec(any::<u8>(), 0..160), spoils in vec(any::<u8>(), 3..24)) {
        let source = Choices::new(&choices).condition(3);
        survive(&spoil(source, &mut Choices::new(&spoils)))?;
    }

    #[test]
    fn rows_of_words_are_survived(choices in vec(any::<u8>(), 0..40)) {
        let words: Vec<_> = choices.iter().map(|choice| WORDS[usize::from(*choice) % WORDS.len()]).collect();
        survive(&words.concat())?;
        survive(&words.join(" "))?;
    }

    #[test]
    fn any_text_is_survived(source in any::<String>()) {
        survive(&source)?;
    }
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn the_two_evaluators_agree(choices in vec(any::<u8>(), 0..160), given in vec(any::<u8>(), 0..240)) {
        let source = Choices::new(&choices).condition(4);
        agree(&source, &mut Choices::new(&given))?;
    }

    #[test]
    fn the_two_evaluators_agree_on_comparisons(choices in vec(any::<u8>(), 0..80), given in vec(any::<u8>(), 0..160)) {
        let source = condition(&mut Choices::new(&choices), 3);
        agree(&source, &mut Choices::new(&given))?;
    }

    #[test]
    fn the_two_evaluators_agree_on_searches(choices in vec(any::<u8>(), 0..120)) {
        let (source, text) = search(&mut Choices::new(&choices));
        let program = check(&source, &options(Kind::Expression)).program.unwrap();
        let mut record = Record::new(Missing::Unknown);
        record.set("http.host", Value::Text(text)).unwrap();
        agree_on(&source, &program, &record)?;
    }

    #[test]
    fn the_two_evaluators_agree_on_calls(choices in vec(any::<u8>(), 0..40), given in vec(any::<u8>(), 0..120)) {
        let source = call(&mut Choices::new(&choices));
        agree(&source, &mut Choices::new(&given))?;
    }
}

/// Both evaluators give the same for a record, to the last step, and the same again when the record is
/// given the rest.
fn agree(source: &str, choices: &mut Choices) -> Result<(), TestCaseError> {
    let of = |kind| check(source, &options(kind)).program;
    let program = of(Kind::Expression).or_else(|| of(Kind::Value));
    prop_assert!(program.is_some(), "{}", source);
    let program = program.unwrap();
    let partly = record(&program, choices);
    let outcome = agree_on(source, &program, &partly)?;
    if partly.missing() == Missing::Absent {
        return Ok(());
    }
    let wholly = filled(&program, &partly, choices);
    let outcome_of_whole = agree_on(source, &program, &wholly)?;
    match outcome {
        // It names what would decide.
        Outcome::Unknown { fields } => {
            let given = |name: &String| partly.fields().any(|(given, _)| given == name);
            prop_assert!(!fields.is_empty() && !fields.iter().any(given), "{:?} of {}", fields, source);
        }
        // Nothing that was unknown could have changed it.
        decided => {
            let given: Vec<_> = wholly.fields().collect();
            prop_assert_eq!(decided, outcome_of_whole, "{}\n{:?}", source, given);
        }
    }
    Ok(())
}

fn agree_on(source: &str, program: &Program, record: &Record) -> Result<Outcome, TestCaseError> {
    let outcome = program.evaluate(record);
    let answer = match outcome.clone() {
        Outcome::True => Answer::Truth(true),
        Outcome::False => Answer::Truth(false),
        Outcome::Unknown { .. } => Answer::Unknown,
        Outcome::Value(value) => Answer::Value(value),
        Outcome::Absent => Answer::Absent,
    };
    let given: Vec<_> = record.fields().collect();
    prop_assert_eq!(&answer, &naive::evaluate(program, record), "{}\n{:?}", source, given);
    let trace = program.trace(record);
    prop_assert_eq!(&trace.outcome, &outcome, "{}\n{:?}", source, given);
    prop_assert_eq!(&trace.steps, &naive::trace(program, record), "{}\n{:?}", source, given);
    Ok(outcome)
}

/// What has to hold for every text, right or wrong.
fn survive(source: &str) -> Result<(), TestCaseError> {
    parse(source);
    for kind in [Kind::Expression, Kind::Value] {
        let options = options(kind);
        let checked = check(source, &options);
        prop_assert_eq!(checked.program.is_none(), checked.diagnostics.iter().any(Diagnostic::is_error), "{}", source);
        places(source, &checked.diagnostics)?;
        analyze(source, &options);
        safe_fixes_come_to_an_end(source, &options)?;
    }
    for offset in (0..=source.len()).step_by(1 + source.len() / 4) {
        complete(source, offset, &options(Kind::Expression));
    }
    Ok(())
}

fn places(source: &str, diagnostics: &[Diagnostic]) -> Result<(), TestCaseError> {
    let fits = |span: Span| source.get(span.start..span.end).is_some();
    for found in diagnostics {
        prop_assert!(fits(found.span), "{:?} of {:?}", found, source);
        prop_assert!(found.related.iter().all(|related| fits(related.span)), "{:?} of {:?}", found, source);
        for fix in &found.fixes {
            prop_assert!(fix.edits.iter().all(|edit| fits(edit.span)), "{:?} of {:?}", fix, source);
            let in_order = fix.edits.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start);
            prop_assert!(in_order, "{:?} of {:?}", fix, source);
            prop_assert!(apply_fix(source, fix) != source, "{:?} changes nothing in {:?}", fix, source);
        }
    }
    let in_order = diagnostics.windows(2).all(|pair| pair[0].span.start <= pair[1].span.start);
    prop_assert!(in_order, "{:?} of {:?}", diagnostics, source);
    Ok(())
}

fn safe_fixes_come_to_an_end(source: &str, options: &Options) -> Result<(), TestCaseError> {
    let mut text = source.to_owned();
    for _ in 0..MOST_ROUNDS {
        match apply_safe_fixes(&text, &check(&text, options).diagnostics) {
            Some(next) => text = next,
            None => return Ok(()),
        }
    }
    prop_assert!(false, "after {} rounds {:?} is still {:?}", MOST_ROUNDS, source, text);
    Ok(())
}

/// Changes a text in a few places.
fn spoil(mut source: String, choices: &mut Choices) -> String {
    for _ in 0..=choices.below(4) {
        let boundaries: Vec<_> = source.char_indices().map(|(at, _)| at).chain([source.len()]).collect();
        let here = boundaries[choices.below_wide(boundaries.len())];
        let there = boundaries[choices.below_wide(boundaries.len())];
        let (start, end) = (here.min(there), here.max(there));
        match choices.below(4) {
            0 => source.insert_str(here, WORDS[choices.below(WORDS.len())]),
            1 if end - start < 12 => source.replace_range(start..end, ""),
            1 => source.truncate(end),
            2 => {
                let copy = source[start..end].to_owned();
                source.insert_str(end, &copy);
            }
            _ => {
                let next = boundaries.iter().find(|at| **at > here).copied().unwrap_or(here);
                source.replace_range(here..next, WORDS[choices.below(WORDS.len())]);
            }
        }
    }
    source
}

/// What people type, right and wrong.
const WORDS: &[&str] = &[
    " ",
    "\"",
    "'",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "[*]",
    "[0]",
    ",",
    "\\",
    "#",
    "=",
    "==",
    "===",
    "!",
    "&",
    "&&",
    "|",
    "^",
    "~",
    "<>",
    "$",
    "$a",
    "and",
    "AND",
    "or",
    "xor",
    "not",
    "not in",
    "in",
    "eq",
    "EQ",
    "contains",
    "matches",
    "strict  wildcard",
    "wildcard",
    "ssl",
    "http.host",
    "http.hots",
    "http.",
    "ip.src",
    "ip.geoip.country",
    "lower",
    "any(",
    "lower(",
    "concat(",
    "regex_replace(",
    "r\"",
    "r#\"",
    "\"#",
    "“",
    "”",
    "`",
    "1",
    "-1",
    "08",
    "1..2",
    "10.0.0.1",
    "10.0.0.0/8",
    "10.0.0.1/8",
    "::1",
    "61:62",
    "true",
    "false",
    "\t",
    "\n",
    "\u{a0}",
    "\u{200b}",
    "é",
    "🦀",
    "//",
    "/*",
    "starts with",
    "does not contain",
    "is",
    "\"a\"",
    "'a'",
    "\"443\"",
    "\"10.0.0.1\"",
    "http.request.headers",
    "[\"a\"]",
    ".",
    "..",
    "*",
    "**",
    "@",
    ";",
    "\0",
];
