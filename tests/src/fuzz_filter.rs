//! The fuzz target for log push filters: accepts any bytes and panics only when a guarantee is broken.

use crate::fuzz::{assert_renderable, excerpt, is_valid_span};
use crate::logpush::same_tree;
use zonewright_diagnostic::{Diagnostic, apply_safe_fixes};
use zonewright_expression::LintOptions;
use zonewright_logpush::{
    Dataset, FormatOptions, FormatStyle, Options, analyze, check, complete, format, hover, parse,
};

/// Rounds of safe fixes after which the text is stable, plus one for every two bytes.
const BASE_FIX_ROUNDS: usize = 10;
/// Larger texts are not fixed round by round, to keep the fuzzer fast.
const LARGE_TEXT_BYTES: usize = 1 << 14;

/// Checks any text under several options; diagnostics, formats and editor services keep their guarantees.
pub fn filter(data: &[u8]) {
    let source = String::from_utf8_lossy(data);
    for options in option_sets() {
        check_and_assert(&source, &options);
        for part in 0..=4 {
            assert_editor_services_at(&source, source.len() * part / 4 + part / 4, &options);
        }
    }
    for style in [FormatStyle::Pretty, FormatStyle::Compact, FormatStyle::Escaped] {
        assert_format_is_stable(&source, &FormatOptions { style, width: 40 });
    }
}

fn option_sets() -> [Options; 2] {
    [
        Options { lint: Some(LintOptions::default()), ..Options::default() },
        Options {
            dataset: Dataset::from_name("workers_trace_events").unwrap_or(Dataset::http_requests()),
            max_operators: 1,
            max_bytes: 60,
            lint: None,
        },
    ]
}

/// Checks a text, asserts every guarantee about the diagnostics, and returns them.
pub fn check_and_assert(source: &str, options: &Options) -> Vec<Diagnostic> {
    let checked = check(source, options);
    let diagnostics = checked.diagnostics;
    let has_errors = diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(checked.program.is_none(), has_errors, "{}", excerpt(source));
    let analysis = analyze(source, options);
    assert_eq!((analysis.ok, &analysis.diagnostics), (!has_errors, &diagnostics), "{}", excerpt(source));
    let mut end = 0;
    for token in &analysis.tokens {
        assert!(token.span.start >= end && is_valid_span(source, token.span), "{token:?} of {}", excerpt(source));
        end = token.span.end;
    }
    assert_renderable(source, &diagnostics);
    assert_safe_fixes_terminate(source, diagnostics.clone(), options);
    diagnostics
}

fn assert_safe_fixes_terminate(source: &str, mut found: Vec<Diagnostic>, options: &Options) {
    let mut text = source.to_owned();
    let mut rounds = 0;
    while let Some(next) = apply_safe_fixes(&text, &found).filter(|_| source.len() <= LARGE_TEXT_BYTES) {
        rounds += 1;
        assert!(
            rounds < BASE_FIX_ROUNDS + source.len() / 2,
            "{} still has safe fixes as {}",
            excerpt(source),
            excerpt(&text)
        );
        found = check(&next, options).diagnostics;
        text = next;
    }
}

/// Asserts that the formatted text is the same filter and is stable under formatting.
fn assert_format_is_stable(source: &str, options: &FormatOptions) {
    let has_errors = parse(source).diagnostics.iter().any(Diagnostic::is_error);
    let text = format(source, options).text;
    assert_eq!(text.is_none(), has_errors, "{}", excerpt(source));
    let Some(text) = text else { return };
    assert!(same_tree(source, &text), "{} is another filter than {}", excerpt(&text), excerpt(source));
    assert_eq!(format(&text, options).text.as_ref(), Some(&text), "{}", excerpt(source));
}

/// Completes and hovers at an offset, which may be inside a character or past the end.
pub fn assert_editor_services_at(source: &str, offset: usize, options: &Options) {
    let completions = complete(source, offset, options);
    assert!(is_valid_span(source, completions.span), "{:?} at {offset} of {}", completions.span, excerpt(source));
    for item in completions.items {
        assert!(item.insert.is_char_boundary(item.cursor), "{item:?}");
    }
    let hovered = hover(source, offset, options).map(|found| found.span);
    assert!(hovered.into_iter().all(|span| is_valid_span(source, span)), "at {offset} of {}", excerpt(source));
}
