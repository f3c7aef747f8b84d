//! Formatting and explanations.

use crate::support::{config, options};
use proptest::collection::vec;
use proptest::prelude::*;
use zonewright_diagnostic::Diagnostic;
use zonewright_expression::{
    FormatOptions, Kind, Options, Outline, Spelling, Style, Type, check, explain, format, parse,
};
use zonewright_tests::generate::Choices;
use zonewright_tests::tree::same_tree;

proptest! {
    #![proptest_config(config(512))]

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
}

/// Ways to format, each option in every value.
pub(crate) fn format_options(width: usize) -> impl Iterator<Item = FormatOptions> {
    let ways = [
        (Style::Canonical, Spelling::Kept, usize::MAX),
        (Style::Canonical, Spelling::English, 100),
        (Style::Canonical, Spelling::Symbols, usize::MAX),
        (Style::Compact, Spelling::Kept, usize::MAX),
    ];
    ways.into_iter().map(move |(style, operators, max_length)| FormatOptions { style, width, operators, max_length })
}

pub(crate) fn formatted(source: &str, options: &FormatOptions) -> Result<(), TestCaseError> {
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

pub(crate) fn explained(source: &str, options: &Options) -> Result<(), TestCaseError> {
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
