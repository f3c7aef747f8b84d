//! Properties of the engine that hold for every text.
//!
//! Texts are generated from sequences of choices. An exhausted sequence yields the simplest choice, so that a failing
//! text shrinks to a short one. `ZONEWRIGHT_SOAK=100` runs a hundred times as many cases.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests may panic"
)]

mod evaluation;
mod filter_rewrites;
mod filters;
mod format_explain;
mod jobs;
mod lines;
mod migration;
mod page_rules;
mod proofs;
mod support;

use format_explain::{assert_explained, assert_format_is_stable, format_options};
use proptest::collection::vec;
use proptest::prelude::*;
use support::{config, options, with_lints};
use zonewright_diagnostic::{Diagnostic, Span, apply_fix, apply_safe_fixes};
use zonewright_expression::{Kind, Options, Program, Type, analyze, check, code, complete, hover, parse, signature};
use zonewright_tests::generate::Choices;
use zonewright_tests::lint_triggers;

/// Rounds of safe fixes after which the text is stable.
const MAX_FIX_ROUNDS: usize = 10;
/// The same with lints: the result of one fix may trigger another lint.
const MAX_LINT_FIX_ROUNDS: usize = 60;

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn generated_condition_is_accepted(choices in vec(any::<u8>(), 0..160)) {
        let source = Choices::new(&choices).condition(4);
        let checked = check(&source, &options(Kind::Expression));
        let errors: Vec<_> = checked.diagnostics.iter().filter(|found| found.is_error()).collect();
        prop_assert!(errors.is_empty(), "{source}\n{errors:#?}");
        prop_assert!(checked.program.is_some(), "{source}");
    }

    #[test]
    fn generated_value_expression_is_accepted(choices in vec(any::<u8>(), 0..80)) {
        let source = Choices::new(&choices).value(Type::STRING, 3);
        let checked = check(&source, &options(Kind::Value));
        prop_assert!(checked.program.is_some(), "{source}\n{:#?}", checked.diagnostics);
    }

    #[test]
    fn mutated_expression_never_panics(choices in vec(any::<u8>(), 0..160), mutations in vec(any::<u8>(), 3..24)) {
        let source = Choices::new(&choices).condition(3);
        assert_guarantees(&mutate(source, &mut Choices::new(&mutations)))?;
    }

    #[test]
    fn token_sequences_never_panic(choices in vec(any::<u8>(), 0..40)) {
        let tokens: Vec<_> = choices.iter().map(|choice| TYPED_TOKENS[usize::from(*choice) % TYPED_TOKENS.len()]).collect();
        assert_guarantees(&tokens.concat())?;
        assert_guarantees(&tokens.join(" "))?;
    }

    #[test]
    fn completion_and_hover_work_at_every_offset(choices in vec(any::<u8>(), 0..60), mutations in vec(any::<u8>(), 3..24)) {
        let source = Choices::new(&choices).condition(3);
        check_every_offset(&source)?;
        check_every_offset(&mutate(source, &mut Choices::new(&mutations)))?;
    }

    #[test]
    fn safe_fixes_of_lints_keep_the_expression_valid(choices in vec(any::<u8>(), 0..120)) {
        let mut choices = Choices::new(&choices);
        for source in [lint_triggers::condition(&mut choices, 4), choices.condition(4)] {
            safe_lint_fixes(&source)?;
            assert_fixes_terminate(&source, &with_lints(Kind::Expression), MAX_LINT_FIX_ROUNDS)?;
        }
    }

    #[test]
    fn arbitrary_text_never_panics(source in any::<String>()) {
        assert_guarantees(&source)?;
    }
}

/// Asserts the guarantees that hold for every text, valid or invalid.
fn assert_guarantees(source: &str) -> Result<(), TestCaseError> {
    parse(source);
    for kind in [Kind::Expression, Kind::Value] {
        let options = options(kind);
        let checked = check(source, &options);
        prop_assert_eq!(checked.program.is_none(), checked.diagnostics.iter().any(Diagnostic::is_error), "{}", source);
        check_spans(source, &checked.diagnostics)?;
        analyze(source, &options);
        assert_explained(source, &options)?;
        assert_fixes_terminate(source, &options, MAX_FIX_ROUNDS)?;
        check_spans(source, &check(source, &with_lints(kind)).diagnostics)?;
    }
    format_options(40).try_for_each(|options| assert_format_is_stable(source, &options))?;
    for offset in (0..=source.len()).step_by(1 + source.len() / 4) {
        check_offset(source, offset)?;
    }
    Ok(())
}

fn check_every_offset(source: &str) -> Result<(), TestCaseError> {
    (0..=source.len() + 1).try_for_each(|offset| check_offset(source, offset))
}

/// Asserts the guarantees of editor services at an offset.
fn check_offset(source: &str, offset: usize) -> Result<(), TestCaseError> {
    let options = options(Kind::Expression);
    let found = complete(source, offset, &options);
    let fits = |span: Span| source.get(span.start..span.end).is_some();
    // An offset inside a character counts as its start, one past the end as the end.
    let offset = (0..=offset.min(source.len())).rev().find(|index| source.is_char_boundary(*index)).unwrap_or(0);
    prop_assert!(fits(found.span) && found.span.contains_inclusive(offset), "{:?} at {}", source, offset);
    for item in &found.items {
        prop_assert!(item.insert.get(..item.cursor).is_some(), "{:?} at {} of {:?}", item, offset, source);
    }
    if let Some(found) = hover(source, offset, &options) {
        prop_assert!(
            fits(found.span) && found.span.contains_inclusive(offset),
            "{:?} at {} of {:?}",
            found,
            offset,
            source
        );
    }
    if let Some(found) = signature(source, offset) {
        prop_assert!(fits(found.span) && found.span.end <= offset, "{:?} at {} of {:?}", found, offset, source);
        prop_assert!(
            found
                .parameters
                .iter()
                .all(|parameter| found.label.get(parameter.span.start..parameter.span.end).is_some())
        );
    }
    Ok(())
}

fn check_spans(source: &str, diagnostics: &[Diagnostic]) -> Result<(), TestCaseError> {
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

/// The program before and after each safe fix of a lint. Both give the same result for any record that has the fields
/// that every request has.
pub(crate) fn safe_lint_fixes(source: &str) -> Result<Vec<(Program, Program)>, TestCaseError> {
    let options = with_lints(Kind::Expression);
    let checked = check(source, &options);
    check_spans(source, &checked.diagnostics)?;
    let Some(before) = checked.program else {
        return Err(TestCaseError::fail(format!("{source:?} is wrong: {:?}", checked.diagnostics)));
    };
    let mut pairs = Vec::new();
    for found in checked.diagnostics.iter().filter(|found| code::is_lint(found.code)) {
        prop_assert!(!found.is_error(), "{:?} of {:?}", found, source);
        if let Some(fixed) = apply_safe_fixes(source, std::slice::from_ref(found)) {
            let after = check(&fixed, &options);
            let Some(program) = after.program else {
                let diagnostics = after.diagnostics;
                return Err(TestCaseError::fail(format!("{found:?} of {source:?} gives {fixed:?}: {diagnostics:?}")));
            };
            pairs.push((before.clone(), program));
        }
    }
    Ok(pairs)
}

fn assert_fixes_terminate(source: &str, options: &Options, rounds: usize) -> Result<(), TestCaseError> {
    let mut text = source.to_owned();
    for _ in 0..rounds {
        match apply_safe_fixes(&text, &check(&text, options).diagnostics) {
            Some(next) => text = next,
            None => return Ok(()),
        }
    }
    prop_assert!(false, "after {} rounds {:?} is still {:?}", rounds, source, text);
    Ok(())
}

/// Mutates a text at a few positions.
fn mutate(mut source: String, choices: &mut Choices) -> String {
    for _ in 0..=choices.index_below(4) {
        let boundaries: Vec<_> = source.char_indices().map(|(index, _)| index).chain([source.len()]).collect();
        let here = boundaries[choices.wide_index_below(boundaries.len())];
        let end = boundaries[choices.wide_index_below(boundaries.len())];
        let (start, end) = (here.min(end), here.max(end));
        match choices.index_below(4) {
            0 => source.insert_str(here, TYPED_TOKENS[choices.index_below(TYPED_TOKENS.len())]),
            1 if end - start < 12 => source.replace_range(start..end, ""),
            1 => source.truncate(end),
            2 => {
                let copy = source[start..end].to_owned();
                source.insert_str(end, &copy);
            }
            _ => {
                let next = boundaries.iter().find(|index| **index > here).copied().unwrap_or(here);
                source.replace_range(here..next, TYPED_TOKENS[choices.index_below(TYPED_TOKENS.len())]);
            }
        }
    }
    source
}

/// Tokens that users type, valid and invalid.
const TYPED_TOKENS: &[&str] = &[
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
