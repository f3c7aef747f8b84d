//! What a fuzzer calls for filters of log push: any bytes, and it fails only when a promise is broken.

use crate::fuzz::{can_be_shown, fits, start};
use crate::logpush::same_tree;
use zonewright_diagnostic::{Diagnostic, apply_safe_fixes};
use zonewright_expression::Lint;
use zonewright_logpush::{Dataset, FormatOptions, Options, Style, analyze, check, complete, format, hover, parse};

/// Rounds of safe fixes after which nothing may change any more, besides one for every two bytes.
const MOST_ROUNDS: usize = 10;
/// Larger texts are not fixed round by round, to keep the fuzzer fast.
const LARGE: usize = 1 << 14;

/// Any text is answered under any options, and the answer can be shown and applied.
pub fn filter(data: &[u8]) {
    let source = String::from_utf8_lossy(data);
    for options in option_sets() {
        answer(&source, &options);
        for part in 0..=4 {
            at(&source, source.len() * part / 4 + part / 4, &options);
        }
    }
    for style in [Style::Pretty, Style::Compact, Style::Escaped] {
        laid_out(&source, &FormatOptions { style, width: 40 });
    }
}

fn option_sets() -> [Options; 2] {
    [
        Options { lint: Some(Lint::default()), ..Options::default() },
        Options {
            dataset: Dataset::named("workers_trace_events").unwrap_or(Dataset::http_requests()),
            max_operators: 1,
            max_bytes: 60,
            lint: None,
        },
    ]
}

/// Checks a text and all that was promised of the answer, which it gives.
pub fn answer(source: &str, options: &Options) -> Vec<Diagnostic> {
    let checked = check(source, options);
    let found = checked.diagnostics;
    let refused = found.iter().any(Diagnostic::is_error);
    assert_eq!(checked.program.is_none(), refused, "{}", start(source));
    let analysis = analyze(source, options);
    assert_eq!((analysis.ok, &analysis.diagnostics), (!refused, &found), "{}", start(source));
    let mut end = 0;
    for token in &analysis.tokens {
        assert!(token.span.start >= end && fits(source, token.span), "{token:?} of {}", start(source));
        end = token.span.end;
    }
    can_be_shown(source, &found);
    safe_fixes_come_to_an_end(source, found.clone(), options);
    found
}

fn safe_fixes_come_to_an_end(source: &str, mut found: Vec<Diagnostic>, options: &Options) {
    let mut text = source.to_owned();
    let mut rounds = 0;
    while let Some(next) = apply_safe_fixes(&text, &found).filter(|_| source.len() <= LARGE) {
        rounds += 1;
        assert!(rounds < MOST_ROUNDS + source.len() / 2, "{} has safe fixes even as {}", start(source), start(&text));
        found = check(&next, options).diagnostics;
        text = next;
    }
}

/// The text laid out, which is the same filter and stays as it is.
fn laid_out(source: &str, options: &FormatOptions) {
    let wrong = parse(source).diagnostics.iter().any(Diagnostic::is_error);
    let text = format(source, options).text;
    assert_eq!(text.is_none(), wrong, "{}", start(source));
    let Some(text) = text else { return };
    assert!(same_tree(source, &text), "{} is another filter than {}", start(&text), start(source));
    assert_eq!(format(&text, options).text.as_ref(), Some(&text), "{}", start(source));
}

/// Completion and hover at any place, one inside a character or behind the end included.
pub fn at(source: &str, offset: usize, options: &Options) {
    let completions = complete(source, offset, options);
    assert!(fits(source, completions.span), "{:?} at {offset} of {}", completions.span, start(source));
    for item in completions.items {
        assert!(item.insert.is_char_boundary(item.cursor), "{item:?}");
    }
    let hovered = hover(source, offset, options).map(|found| found.span);
    assert!(hovered.into_iter().all(|span| fits(source, span)), "at {offset} of {}", start(source));
}
