//! What a fuzzer calls: functions that take any bytes, and fail only when the engine breaks a promise.
//!
//! `tests/fuzz` gives them to libFuzzer, `tests/fuzz.rs` calls them on stable.

use crate::tree::same_tree;
use serde_json::Value;
use std::collections::BTreeMap;
use zonewright_diagnostic::{Diagnostic, Span, Style, apply_fix, apply_safe_fixes, draw_all};
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{
    FormatOptions, Kind, Lint, ListKind, Options, analyze, check as check_expression, complete, explain, format, hover,
    signature,
};
use zonewright_firewall::{Batch, Refusal, expression_options, read_filters, read_rules};

/// Rounds of safe fixes after which nothing may change any more; a mistake that hides the next one
/// takes a round, and no mistake is shorter than two bytes.
const MOST_ROUNDS: usize = 10;
/// Larger texts are fixed in one round only, to keep the fuzzer fast.
const LARGE: usize = 1 << 16;
/// So many diagnostics are drawn and fixed one by one; more of them are more of the same.
const MOST_SHOWN: usize = 100;

/// Any text is answered under any options, and the answer can be shown and applied.
pub fn check(data: &[u8]) {
    let source = String::from_utf8_lossy(data);
    for options in option_sets() {
        answer(&source, &options);
    }
    put_into_words(&source, &Options::default());
    // Offsets inside characters and behind the end too.
    for part in 0..=4 {
        let offset = source.len() * part / 4 + part / 4;
        let completions = complete(&source, offset, &Options::default());
        assert!(fits(&source, completions.span), "{:?} at {offset} of {}", completions.span, start(&source));
        let hovered = hover(&source, offset, &Options::default()).map(|found| found.span);
        let called = signature(&source, offset).map(|found| found.span);
        assert!(hovered.into_iter().chain(called).all(|span| fits(&source, span)), "at {offset} of {}", start(&source));
    }
}

/// Any JSON is answered as the body of a request, with places that are in it.
pub fn filters_json(data: &[u8]) {
    let Ok(body) = serde_json::from_slice::<Value>(data) else { return };
    for tier in [Tier::Free, Tier::Enterprise] {
        body_answer(&body, read_filters(&body, tier), |filter| vec![&filter.expression], tier);
        body_answer(&body, read_rules(&body, tier), |_| Vec::new(), tier);
    }
}

fn body_answer<T>(
    body: &Value,
    answer: Result<Batch<T>, Vec<Refusal>>,
    expressions: impl Fn(&T) -> Vec<&String>,
    tier: Tier,
) {
    match answer {
        Ok(batch) => {
            assert!(!batch.items.is_empty(), "{body}");
            for source in batch.items.iter().flat_map(expressions) {
                let checked = check_expression(source, &expression_options(tier));
                assert!(checked.program.is_some(), "accepted in a body and refused alone: {source}");
            }
        }
        Err(refusals) => {
            assert!(!refusals.is_empty(), "refused for nothing: {body}");
            for refusal in refusals {
                // The last part may name a member that is missing.
                let holder = refusal.pointer.rsplit_once('/').map_or("", |(holder, _)| holder);
                assert!(body.pointer(holder).is_some(), "{} is no place in {body}", refusal.pointer);
                assert!(!refusal.message.is_empty(), "{} of {body}", refusal.pointer);
            }
        }
    }
}

/// Options that differ in everything there is.
fn option_sets() -> [Options; 3] {
    [
        Options { lint: Some(Lint::default()), ..Options::default() },
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

/// Checks a text and all that was promised of the answer, which it gives.
pub fn answer(source: &str, options: &Options) -> Vec<Diagnostic> {
    let checked = check_expression(source, options);
    let found = checked.diagnostics;
    let refused = found.iter().any(Diagnostic::is_error);
    assert_eq!(checked.program.is_none(), refused, "{}", start(source));
    let analysis = analyze(source, options);
    assert_eq!((analysis.ok, &analysis.diagnostics), (!refused, &found), "{}", start(source));
    can_be_shown(source, &found);
    safe_fixes_come_to_an_end(source, &found, options);
    found
}

/// The text is laid out and explained when its syntax is right, and both answers fit it.
pub fn put_into_words(source: &str, options: &Options) {
    let explained = explain(source, options);
    let formatted = format(source, &FormatOptions::default()).text;
    assert_eq!(explained.tree.is_some(), formatted.is_some(), "{}", start(source));
    for sentence in &explained.sentences {
        assert!(fits(source, sentence.span), "{sentence:?} of {}", start(source));
        assert!(!sentence.text.contains(char::is_control), "{sentence:?}");
    }
    if let Some(text) = formatted {
        assert!(same_tree(source, &text), "{} is another expression than {}", start(&text), start(source));
    }
}

/// Diagnostics fit their text, can be drawn, and their fixes change something.
pub(crate) fn can_be_shown(source: &str, found: &[Diagnostic]) {
    bounded(source, found);
    for one in found {
        let edits = one.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
        for span in edits.chain(one.related.iter().map(|related| related.span)).chain([one.span]) {
            assert!(fits(source, span), "{} at {span:?} of {}", one.code, start(source));
        }
    }
    let shown = found.get(..MOST_SHOWN).unwrap_or(found);
    let drawn = draw_all(source, "fuzz", shown, Style::Plain);
    assert!(!drawn.contains(|c: char| c.is_control() && c != '\n'), "{drawn:?}");
    for fix in shown.iter().flat_map(|one| &one.fixes) {
        assert!(apply_fix(source, fix) != source, "`{}` changes nothing in {}", fix.title, start(source));
    }
}

/// However hostile the text, the answer is no more than a few times as large.
pub(crate) fn bounded(source: &str, found: &[Diagnostic]) {
    let count = found.len();
    // Two a byte; a single character may lack something on both sides of it.
    assert!(count <= 2 * (source.len() + 1), "{count} diagnostics of {} bytes: {}", source.len(), start(source));
    let size: usize = found.iter().map(size).sum();
    let most = 1024 + 1024 * source.len();
    assert!(size <= most, "diagnostics of {size} bytes for {}: {}", source.len(), start(source));
}

/// Bytes of all texts of a diagnostic.
fn size(one: &Diagnostic) -> usize {
    let edits = one.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.text.len());
    let titles = one.fixes.iter().map(|fix| fix.title.len());
    let related = one.related.iter().map(|related| related.message.len());
    let own = one.message.len() + one.label.len() + one.help.as_ref().map_or(0, String::len);
    edits.chain(titles).chain(related).sum::<usize>() + own
}

fn safe_fixes_come_to_an_end(source: &str, found: &[Diagnostic], options: &Options) {
    let Some(mut text) = apply_safe_fixes(source, found) else { return };
    if source.len() > LARGE {
        return;
    }
    let mut rounds = 1;
    while let Some(next) = apply_safe_fixes(&text, &check_expression(&text, options).diagnostics) {
        rounds += 1;
        assert!(rounds < MOST_ROUNDS + source.len() / 2, "{} has safe fixes even as {}", start(source), start(&text));
        text = next;
    }
}

pub(crate) fn fits(source: &str, span: Span) -> bool {
    source.get(span.start..span.end).is_some()
}

/// As much of a text as a message can show.
pub(crate) fn start(source: &str) -> String {
    format!("{:?}", source.chars().take(2000).collect::<String>())
}
