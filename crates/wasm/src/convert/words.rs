//! Answers that are texts.

use super::{diagnostics, range};
use crate::types;
use zonewright_diagnostic::{Utf16Offsets, apply_safe_fixes};
use zonewright_expression as engine;

/// More rounds of fixes than any text needs.
const MOST_ROUNDS: usize = 20;

/// Answer of `format`.
pub(crate) fn formatted(source: &str, options: &engine::FormatOptions) -> types::Rewritten {
    let engine::Formatted { text, diagnostics: found } = engine::format(source, options);
    types::Rewritten { text, diagnostics: diagnostics(source, &found) }
}

/// Answer of `fix`: one fix may make way for another, so there are rounds until nothing changes.
pub(crate) fn fixed(source: &str, options: &engine::Options) -> types::Rewritten {
    let mut text = source.to_owned();
    let mut found = engine::check(&text, options).diagnostics;
    for _ in 0..MOST_ROUNDS {
        match apply_safe_fixes(&text, &found) {
            Some(next) if next != text => text = next,
            _ => break,
        }
        found = engine::check(&text, options).diagnostics;
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
