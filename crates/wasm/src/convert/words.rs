//! Answers that are texts.

use super::{diagnostics, range};
use crate::types;
use zonewright_diagnostic::{Diagnostic, Utf16Offsets, apply_safe_fixes};
use zonewright_expression as engine;

/// More rounds of fixes than any text needs.
const MOST_ROUNDS: usize = 20;

/// Answer of `format`.
pub(crate) fn formatted(source: &str, options: &engine::FormatOptions) -> types::Rewritten {
    let engine::Formatted { text, diagnostics } = engine::format(source, options);
    rewritten(source, text, &diagnostics)
}

/// A text beside what was wrong with the source.
pub(crate) fn rewritten(source: &str, text: Option<String>, found: &[Diagnostic]) -> types::Rewritten {
    types::Rewritten { text, diagnostics: diagnostics(source, found) }
}

/// Answer of `fix`.
pub(crate) fn fixed(source: &str, options: &engine::Options) -> types::Rewritten {
    fixed_by(source, |text| engine::check(text, options).diagnostics)
}

/// A text after all safe fixes: one may make way for another, so there are rounds until nothing changes.
pub(crate) fn fixed_by(source: &str, check: impl Fn(&str) -> Vec<Diagnostic>) -> types::Rewritten {
    let mut text = source.to_owned();
    let mut found = check(&text);
    for _ in 0..MOST_ROUNDS {
        match apply_safe_fixes(&text, &found) {
            Some(next) if next != text => text = next,
            _ => break,
        }
        found = check(&text);
    }
    let diagnostics = diagnostics(&text, &found);
    types::Rewritten { text: Some(text), diagnostics }
}

/// Answer of `explain`.
pub(crate) fn explained(source: &str, explained: engine::Explained) -> types::Explained {
    let offsets = Utf16Offsets::new(source);
    let sentence = |one: engine::Sentence| {
        let (start, end) = range(&offsets, one.span);
        types::Sentence { text: one.text, start, end, depth: one.depth }
    };
    types::Explained {
        text: explained.text,
        sentences: explained.sentences.into_iter().map(sentence).collect(),
        tree: explained.tree.map(|tree| outline(&offsets, tree)),
        diagnostics: diagnostics(source, &explained.diagnostics),
    }
}

/// The parser bounds the depth.
fn outline(offsets: &Utf16Offsets, one: engine::Outline) -> types::Outline {
    let (start, end) = range(offsets, one.span);
    let kind = match one.kind {
        engine::OutlineKind::All => "all",
        engine::OutlineKind::Any => "any",
        engine::OutlineKind::Odd => "odd",
        engine::OutlineKind::Not => "not",
        engine::OutlineKind::Condition => "condition",
        engine::OutlineKind::Value => "value",
    };
    let children = one.children.into_iter().map(|child| outline(offsets, child)).collect();
    types::Outline { kind, text: one.text, start, end, children }
}
