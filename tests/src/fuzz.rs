//! Fuzz targets: functions that accept any bytes and panic only when the engine breaks a guarantee.
//!
//! `tests/fuzz` passes them to libFuzzer; `tests/fuzz.rs` calls them on stable.

use crate::tree::same_tree;
use serde_json::Value;
use std::collections::BTreeMap;
use zonewright_diagnostic::{Diagnostic, RenderStyle, Span, apply_fix, apply_safe_fixes, render_all};
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{
    FormatOptions, Kind, LintOptions, ListKind, Options, analyze, check as check_expression, complete, explain, format,
    hover, signature,
};
use zonewright_firewall::{Batch, ValidationError, expression_options, read_filters, read_rules};

/// Rounds of safe fixes after which the text is stable. An error that hides the next one costs a round, and no error
/// is shorter than two bytes, so the length of the text is added.
const BASE_FIX_ROUNDS: usize = 10;
/// Larger texts are fixed in one round only, to keep the fuzzer fast.
const LARGE_TEXT_BYTES: usize = 1 << 16;
/// Diagnostics that are rendered and fixed one by one; the others are similar.
const MAX_RENDERED_DIAGNOSTICS: usize = 100;

/// Checks any text under several options; diagnostics, completions and hovers have valid spans.
pub fn check(data: &[u8]) {
    let source = String::from_utf8_lossy(data);
    for options in option_sets() {
        check_and_assert(&source, &options);
    }
    assert_formats_and_explains(&source, &Options::default());
    // Offsets inside characters and past the end are included.
    for part in 0..=4 {
        let offset = source.len() * part / 4 + part / 4;
        let completions = complete(&source, offset, &Options::default());
        assert!(is_valid_span(&source, completions.span), "{:?} at {offset} of {}", completions.span, excerpt(&source));
        let hovered = hover(&source, offset, &Options::default()).map(|found| found.span);
        let call_span = signature(&source, offset).map(|signature| signature.span);
        assert!(
            hovered.into_iter().chain(call_span).all(|span| is_valid_span(&source, span)),
            "at {offset} of {}",
            excerpt(&source)
        );
    }
}

/// Reads any JSON as a request body; every pointer of a validation error is in the body.
pub fn filters_json(data: &[u8]) {
    let Ok(body) = serde_json::from_slice::<Value>(data) else { return };
    for tier in [Tier::Free, Tier::Enterprise] {
        read_and_assert_body(&body, read_filters(&body, tier), |filter| vec![&filter.expression], tier);
        read_and_assert_body(&body, read_rules(&body, tier), |_| Vec::new(), tier);
    }
}

fn read_and_assert_body<T>(
    body: &Value,
    result: Result<Batch<T>, Vec<ValidationError>>,
    expressions: impl Fn(&T) -> Vec<&String>,
    tier: Tier,
) {
    match result {
        Ok(batch) => {
            assert!(!batch.items.is_empty(), "{body}");
            for source in batch.items.iter().flat_map(expressions) {
                let checked = check_expression(source, &expression_options(tier));
                assert!(checked.program.is_some(), "accepted in a body but rejected alone: {source}");
            }
        }
        Err(errors) => {
            assert!(!errors.is_empty(), "rejected without a reason: {body}");
            for error in errors {
                // The last segment may name a missing member.
                let parent = error.pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
                assert!(body.pointer(parent).is_some(), "{} is not in {body}", error.pointer);
                assert!(!error.message.is_empty(), "{} of {body}", error.pointer);
            }
        }
    }
}

/// Option sets that differ in every option.
fn option_sets() -> [Options; 3] {
    [
        Options { lint: Some(LintOptions::default()), ..Options::default() },
        Options { kind: Kind::Value, max_length: usize::MAX, ..Options::default() },
        Options {
            kind: Kind::Expression,
            phase: Some(Phase::HttpRequestFirewallCustom),
            plan: Some(Tier::Free),
            lists: Some(BTreeMap::from([("office".to_owned(), ListKind::Ip)])),
            max_length: 40,
            lint: None,
        },
    ]
}

/// Checks a text, asserts every guarantee about the diagnostics, and returns them.
pub fn check_and_assert(source: &str, options: &Options) -> Vec<Diagnostic> {
    let checked = check_expression(source, options);
    let diagnostics = checked.diagnostics;
    let has_errors = diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(checked.program.is_none(), has_errors, "{}", excerpt(source));
    let analysis = analyze(source, options);
    assert_eq!((analysis.ok, &analysis.diagnostics), (!has_errors, &diagnostics), "{}", excerpt(source));
    assert_renderable(source, &diagnostics);
    assert_safe_fixes_terminate(source, &diagnostics, options);
    diagnostics
}

/// Formats and explains a text with valid syntax; both results fit the source.
pub fn assert_formats_and_explains(source: &str, options: &Options) {
    let explained = explain(source, options);
    let formatted = format(source, &FormatOptions::default()).text;
    assert_eq!(explained.tree.is_some(), formatted.is_some(), "{}", excerpt(source));
    for sentence in &explained.sentences {
        assert!(is_valid_span(source, sentence.span), "{sentence:?} of {}", excerpt(source));
        assert!(!sentence.text.contains(char::is_control), "{sentence:?}");
    }
    if let Some(text) = formatted {
        assert!(same_tree(source, &text), "{} is another expression than {}", excerpt(&text), excerpt(source));
    }
}

/// Asserts that diagnostics have valid spans and can be rendered, and that their fixes change the text.
pub(crate) fn assert_renderable(source: &str, found: &[Diagnostic]) {
    assert_output_bounded(source, found);
    for diagnostic in found {
        let edits = diagnostic.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
        for span in edits.chain(diagnostic.related.iter().map(|related| related.span)).chain([diagnostic.span]) {
            assert!(is_valid_span(source, span), "{} at {span:?} of {}", diagnostic.code, excerpt(source));
        }
    }
    let rendered = found.get(..MAX_RENDERED_DIAGNOSTICS).unwrap_or(found);
    let text = render_all(source, "fuzz", rendered, RenderStyle::Plain);
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    for fix in rendered.iter().flat_map(|diagnostic| &diagnostic.fixes) {
        assert!(apply_fix(source, fix) != source, "`{}` changes nothing in {}", fix.title, excerpt(source));
    }
}

/// Asserts that the output is at most a few times as large as the input, however hostile the input is.
pub(crate) fn assert_output_bounded(source: &str, found: &[Diagnostic]) {
    let count = found.len();
    // Two per byte: a single character may lack a token on both sides.
    assert!(count <= 2 * (source.len() + 1), "{count} diagnostics of {} bytes: {}", source.len(), excerpt(source));
    let size: usize = found.iter().map(text_bytes).sum();
    let max_bytes = 1024 + 1024 * source.len();
    assert!(size <= max_bytes, "diagnostics of {size} bytes for {}: {}", source.len(), excerpt(source));
}

/// The total length of the texts of a diagnostic, in bytes.
fn text_bytes(diagnostic: &Diagnostic) -> usize {
    let edits = diagnostic.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.text.len());
    let titles = diagnostic.fixes.iter().map(|fix| fix.title.len());
    let related = diagnostic.related.iter().map(|related| related.message.len());
    let message_bytes =
        diagnostic.message.len() + diagnostic.label.len() + diagnostic.help.as_ref().map_or(0, String::len);
    edits.chain(titles).chain(related).sum::<usize>() + message_bytes
}

fn assert_safe_fixes_terminate(source: &str, found: &[Diagnostic], options: &Options) {
    let Some(mut text) = apply_safe_fixes(source, found) else { return };
    if source.len() > LARGE_TEXT_BYTES {
        return;
    }
    let mut rounds = 1;
    while let Some(next) = apply_safe_fixes(&text, &check_expression(&text, options).diagnostics) {
        rounds += 1;
        assert!(
            rounds < BASE_FIX_ROUNDS + source.len() / 2,
            "{} still has safe fixes as {}",
            excerpt(source),
            excerpt(&text)
        );
        text = next;
    }
}

pub(crate) fn is_valid_span(source: &str, span: Span) -> bool {
    source.get(span.start..span.end).is_some()
}

/// The beginning of a text, short enough for a message.
pub(crate) fn excerpt(source: &str) -> String {
    format!("{:?}", source.chars().take(2000).collect::<String>())
}
