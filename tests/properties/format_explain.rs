//! Formatting and explanations.

use crate::support::{config, options};
use proptest::collection::vec;
use proptest::prelude::*;
use zonewright_diagnostic::Diagnostic;
use zonewright_expression::{
    FormatOptions, FormatStyle, Kind, Options, OutlineNode, Spelling, Type, check, explain, format, parse,
};
use zonewright_tests::generate::Choices;
use zonewright_tests::tree::same_tree;

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn formatting_preserves_meaning_and_fits_width(choices in vec(any::<u8>(), 0..160), width in 0usize..160) {
        let source = Choices::new(&choices).condition(4);
        format_options(width).try_for_each(|options| assert_format_is_stable(&source, &options))?;
        // No generated token that cannot be broken is longer.
        let text = format(&source, &FormatOptions { width: 160, max_length: usize::MAX, ..FormatOptions::default() }).text;
        let too_long = text.iter().flat_map(|text| text.lines()).find(|line| line.chars().count() > 160);
        prop_assert!(too_long.is_none(), "{:?} of {}", too_long, source);
    }

    #[test]
    fn value_expression_is_formatted_and_explained(choices in vec(any::<u8>(), 0..80), width in 0usize..160) {
        let source = Choices::new(&choices).value(Type::STRING, 3);
        format_options(width).try_for_each(|options| assert_format_is_stable(&source, &options))?;
        assert_explained(&source, &options(Kind::Value))?;
    }
}

/// Format options that cover every value of each option.
pub(crate) fn format_options(width: usize) -> impl Iterator<Item = FormatOptions> {
    let combinations = [
        (FormatStyle::Canonical, Spelling::Preserve, usize::MAX),
        (FormatStyle::Canonical, Spelling::English, 100),
        (FormatStyle::Canonical, Spelling::Symbols, usize::MAX),
        (FormatStyle::Compact, Spelling::Preserve, usize::MAX),
    ];
    combinations.into_iter().map(move |(style, operators, max_length)| FormatOptions {
        style,
        width,
        operators,
        max_length,
    })
}

pub(crate) fn assert_format_is_stable(source: &str, options: &FormatOptions) -> Result<(), TestCaseError> {
    let parsed = parse(source);
    let text = format(source, options).text;
    prop_assert_eq!(text.is_none(), parsed.diagnostics.iter().any(Diagnostic::is_error), "{}", source);
    let Some(text) = text else { return Ok(()) };
    prop_assert!(same_tree(source, &text), "{:?} is another expression than {:?}", text, source);
    let reformatted = format(&text, options).text;
    prop_assert_eq!(reformatted.as_deref(), Some(text.as_str()), "{}", source);
    let shortest = format(source, &FormatOptions { style: FormatStyle::Compact, ..*options }).text.unwrap_or_default();
    prop_assert!(shortest.chars().count() <= text.chars().count(), "{:?} is longer than {:?}", shortest, text);
    let fits = text.chars().count() <= options.max_length || text == shortest;
    prop_assert!(fits, "{:?} has more than {} characters", text, options.max_length);
    prop_assert!(text.lines().all(|line| !line.ends_with(' ')) || source.contains(" \n"), "{:?}", text);
    Ok(())
}

pub(crate) fn assert_explained(source: &str, options: &Options) -> Result<(), TestCaseError> {
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
    explained.tree.iter().try_for_each(|tree| check_outline(source, tree))
}

fn check_outline(source: &str, outline: &OutlineNode) -> Result<(), TestCaseError> {
    prop_assert!(source.get(outline.span.start..outline.span.end).is_some(), "{:?} of {:?}", outline, source);
    prop_assert!(!outline.text.is_empty() && !outline.text.contains(char::is_control), "{:?}", outline);
    outline.children.iter().try_for_each(|child| check_outline(source, child))
}

/// Runs the largest and the deepest texts in a small stack.
#[test]
fn large_and_deep_texts_are_formatted_and_explained() {
    let texts = [
        format!("ssl{}", " and not http.host contains \"a\"".repeat(3_000)),
        format!("http.host eq \"a\"{}", " or ssl and sip".repeat(6_000)),
        format!("ip.src in {{{}}}", "192.0.2.1 ".repeat(10_000)),
        // Formatted in columns, it exceeds the size limit for checking.
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
    let check_all = move || texts.iter().all(|text| is_formatted_and_explained(text));
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(check_all).unwrap();
    assert!(matches!(thread.join(), Ok(true)));
}

/// Prints only the beginning of the text, because an assertion would print all of it.
fn is_formatted_and_explained(text: &str) -> bool {
    let preserving = FormatOptions { max_length: usize::MAX, ..FormatOptions::default() };
    let english = FormatOptions { operators: Spelling::English, ..preserving };
    let is_formatted = [preserving, english].iter().all(|options| assert_format_is_stable(text, options).is_ok());
    let is_explained = is_formatted && assert_explained(text, &options(Kind::Expression)).is_ok();
    println!("{is_explained}: {}", &text[..40]);
    is_explained
}
