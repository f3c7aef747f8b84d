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
    FormatOptions, Kind, Lint, Missing, Options, Outcome, Outline, Program, Record, Spelling, Style, Type, Value,
    analyze, check, code, complete, explain, format, hover, parse, signature,
};
use zonewright_tests::generate::Choices;
use zonewright_tests::generate_condition::{condition, search};
use zonewright_tests::generate_record::{call, filled, record};
use zonewright_tests::naive::{self, Answer};
use zonewright_tests::suspicious;
use zonewright_tests::tree::same_tree;

/// Rounds of safe fixes after which nothing may change any more.
const MOST_ROUNDS: usize = 10;
/// The same with lints: what one fix leaves may be the matter of another.
const MOST_LINT_ROUNDS: usize = 60;

fn config(cases: u32) -> ProptestConfig {
    let times = std::env::var("ZONEWRIGHT_SOAK").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    ProptestConfig { cases: cases.saturating_mul(times), failure_persistence: None, ..ProptestConfig::default() }
}

fn options(kind: Kind) -> Options {
    Options { kind, max_length: usize::MAX, ..Options::default() }
}

fn with_lints(kind: Kind) -> Options {
    Options { lint: Some(Lint::default()), ..options(kind) }
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
    fn formatting_keeps_the_meaning_and_the_width(choices in vec(any::<u8>(), 0..160), width in 0usize..160) {
        let source = Choices::new(&choices).condition(4);
        format_options(width).try_for_each(|options| formatted(&source, &options))?;
        // Nothing that is generated and cannot be broken is longer.
        let text = format(&source, &FormatOptions { width: 160, max_length: usize::MAX, ..FormatOptions::default() }).text;
        let too_long = text.iter().flat_map(|text| text.lines()).find(|line| line.chars().count() > 160);
        prop_assert!(too_long.is_none(), "{:?} of {}", too_long, source);
    }

    #[test]
    fn values_are_formatted_and_explained(choices in vec(any::<u8>(), 0..80), width in 0usize..160) {
        let source = Choices::new(&choices).value(Type::STRING, 3);
        format_options(width).try_for_each(|options| formatted(&source, &options))?;
        explained(&source, &options(Kind::Value))?;
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
    fn every_place_has_an_answer(choices in vec(any::<u8>(), 0..60), spoils in vec(any::<u8>(), 3..24)) {
        let source = Choices::new(&choices).condition(3);
        every_place(&source)?;
        every_place(&spoil(source, &mut Choices::new(&spoils)))?;
    }

    #[test]
    fn safe_fixes_of_lints_keep_the_expression_right(choices in vec(any::<u8>(), 0..120)) {
        let mut choices = Choices::new(&choices);
        for source in [suspicious::condition(&mut choices, 4), choices.condition(4)] {
            safe_lint_fixes(&source)?;
            fixes_come_to_an_end(&source, &with_lints(Kind::Expression), MOST_LINT_ROUNDS)?;
        }
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
        explained(source, &options)?;
        fixes_come_to_an_end(source, &options, MOST_ROUNDS)?;
        places(source, &check(source, &with_lints(kind)).diagnostics)?;
    }
    format_options(40).try_for_each(|options| formatted(source, &options))?;
    for offset in (0..=source.len()).step_by(1 + source.len() / 4) {
        place(source, offset)?;
    }
    Ok(())
}

fn every_place(source: &str) -> Result<(), TestCaseError> {
    (0..=source.len() + 1).try_for_each(|offset| place(source, offset))
}

/// What has to hold of what an editor shows at a place.
fn place(source: &str, offset: usize) -> Result<(), TestCaseError> {
    let options = options(Kind::Expression);
    let found = complete(source, offset, &options);
    let fits = |span: Span| source.get(span.start..span.end).is_some();
    // One inside a character counts as its start, one past the end as the end.
    let offset = (0..=offset.min(source.len())).rev().find(|at| source.is_char_boundary(*at)).unwrap_or(0);
    prop_assert!(fits(found.span) && found.span.touches(offset), "{:?} at {}", source, offset);
    for item in &found.items {
        prop_assert!(item.insert.get(..item.cursor).is_some(), "{:?} at {} of {:?}", item, offset, source);
    }
    if let Some(found) = hover(source, offset, &options) {
        prop_assert!(fits(found.span) && found.span.touches(offset), "{:?} at {} of {:?}", found, offset, source);
    }
    if let Some(found) = signature(source, offset) {
        prop_assert!(fits(found.span) && found.span.end <= offset, "{:?} at {} of {:?}", found, offset, source);
        prop_assert!(found.parameters.iter().all(|one| found.form.get(one.span.start..one.span.end).is_some()));
    }
    Ok(())
}

/// Ways to format, each option in every value.
fn format_options(width: usize) -> impl Iterator<Item = FormatOptions> {
    let ways = [
        (Style::Canonical, Spelling::Kept, usize::MAX),
        (Style::Canonical, Spelling::English, 100),
        (Style::Canonical, Spelling::Symbols, usize::MAX),
        (Style::Compact, Spelling::Kept, usize::MAX),
    ];
    ways.into_iter().map(move |(style, operators, max_length)| FormatOptions { style, width, operators, max_length })
}

fn formatted(source: &str, options: &FormatOptions) -> Result<(), TestCaseError> {
    let parsed = parse(source);
    let text = format(source, options).text;
    prop_assert_eq!(text.is_none(), parsed.diagnostics.iter().any(Diagnostic::is_error), "{}", source);
    let Some(text) = text else { return Ok(()) };
    prop_assert!(same_tree(source, &text), "{:?} is another expression than {:?}", text, source);
    let again = format(&text, options).text;
    prop_assert_eq!(again.as_deref(), Some(text.as_str()), "{}", source);
    let shortest = format(source, &FormatOptions { style: Style::Compact, ..*options }).text.unwrap_or_default();
    prop_assert!(shortest.chars().count() <= text.chars().count(), "{:?} is longer than {:?}", shortest, text);
    let fits = text.chars().count() <= options.max_length || text == shortest;
    prop_assert!(fits, "{:?} has more than {} characters", text, options.max_length);
    prop_assert!(text.lines().all(|line| !line.ends_with(' ')) || source.contains(" \n"), "{:?}", text);
    Ok(())
}

fn explained(source: &str, options: &Options) -> Result<(), TestCaseError> {
    let explained = explain(source, options);
    let readable = !parse(source).diagnostics.iter().any(Diagnostic::is_error);
    prop_assert_eq!(explained.tree.is_some(), readable, "{}", source);
    prop_assert_eq!(explained.text.lines().count(), explained.sentences.len(), "{}", explained.text);
    prop_assert_eq!(&explained.diagnostics, &check(source, options).diagnostics);
    for (position, sentence) in explained.sentences.iter().enumerate() {
        prop_assert!(source.get(sentence.span.start..sentence.span.end).is_some(), "{:?} of {:?}", sentence, source);
        prop_assert_eq!(sentence.depth == 0, position == 0, "{:?}", sentence);
        prop_assert!(!sentence.text.contains(char::is_control), "{:?}", sentence);
    }
    explained.tree.iter().try_for_each(|tree| outlined(source, tree))
}

fn outlined(source: &str, outline: &Outline) -> Result<(), TestCaseError> {
    prop_assert!(source.get(outline.span.start..outline.span.end).is_some(), "{:?} of {:?}", outline, source);
    prop_assert!(!outline.text.is_empty() && !outline.text.contains(char::is_control), "{:?}", outline);
    outline.children.iter().try_for_each(|child| outlined(source, child))
}

/// The largest and the deepest texts are formatted and explained like all others.
#[test]
fn large_and_deep_texts_are_put_into_words() {
    let texts = [
        format!("ssl{}", " and not http.host contains \"a\"".repeat(3_000)),
        format!("http.host eq \"a\"{}", " or ssl and sip".repeat(6_000)),
        format!("ip.src in {{{}}}", "192.0.2.1 ".repeat(10_000)),
        // In columns it is too large to be read again.
        format!("ip.src in {{{}}}", "192.0.2.1 ".repeat(104_850)),
        format!("concat({}http.host) eq \"a\"", "\"b\",".repeat(2_000)),
        format!("http.host eq \"{}\"", "a".repeat(1_000_000)),
        format!("{}ssl{}", "(".repeat(127), ")".repeat(127)),
        format!("{}ssl", "not ".repeat(127)),
        format!("{}http.host{} eq \"a\"", "lower(".repeat(127), ")".repeat(127)),
        format!("{}http.host{} eq \"a\"", "concat(".repeat(127), ", \"b\")".repeat(127)),
        format!("{}http.host{} eq \"a\"", "concat(\"a\", ".repeat(127), ", \"b\")".repeat(127)),
        format!("{}ssl{}", "f(".repeat(127), ")".repeat(127)),
        format!("{}ssl{}", "to_string(starts_with(".repeat(63), ", \"a\"))".repeat(63)),
        format!("{}ssl{}", "any(".repeat(127), ")".repeat(127)),
        format!("{}ssl{}", "any(ssl contains f(".repeat(63), "))".repeat(63)),
        format!("{}ssl{}", "any(ssl in all(ssl[*] eq f(".repeat(42), ")))".repeat(42)),
        format!("{}ssl{}", "any(f(ssl)[*][0] ne ".repeat(126), ")".repeat(126)),
        format!("{}ssl{}", "(ssl or cf.client.bot and ".repeat(126), ")".repeat(126)),
    ];
    // Deep texts need a stack; this one is as small as that of the fuzz tests.
    let all = move || texts.iter().all(|text| is_put_into_words(text));
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(all).unwrap();
    assert!(matches!(thread.join(), Ok(true)));
}

/// Names the text by its beginning when that fails: what is said of a failure may be as long as it.
fn is_put_into_words(text: &str) -> bool {
    let kept = FormatOptions { max_length: usize::MAX, ..FormatOptions::default() };
    let english = FormatOptions { operators: Spelling::English, ..kept };
    let is_formatted = [kept, english].iter().all(|options| formatted(text, options).is_ok());
    let is_told = is_formatted && explained(text, &options(Kind::Expression)).is_ok();
    println!("{is_told}: {}", &text[..40]);
    is_told
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

/// The program before and after each safe fix of a lint. They mean the same: whatever evaluates a
/// program on a record gives the same answer for both of a pair, as long as the record has the fields
/// that `is_always_present` names.
fn safe_lint_fixes(source: &str) -> Result<Vec<(Program, Program)>, TestCaseError> {
    let options = with_lints(Kind::Expression);
    let checked = check(source, &options);
    places(source, &checked.diagnostics)?;
    let Some(before) = checked.program else {
        return Err(TestCaseError::fail(format!("{source:?} is wrong: {:?}", checked.diagnostics)));
    };
    let mut pairs = Vec::new();
    for found in checked.diagnostics.iter().filter(|found| code::is_lint(found.code)) {
        prop_assert!(!found.is_error(), "{:?} of {:?}", found, source);
        if let Some(mended) = apply_safe_fixes(source, std::slice::from_ref(found)) {
            let after = check(&mended, &options);
            let Some(program) = after.program else {
                let wrong = after.diagnostics;
                return Err(TestCaseError::fail(format!("{found:?} of {source:?} gives {mended:?}: {wrong:?}")));
            };
            pairs.push((before.clone(), program));
        }
    }
    Ok(pairs)
}

fn fixes_come_to_an_end(source: &str, options: &Options, rounds: usize) -> Result<(), TestCaseError> {
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
