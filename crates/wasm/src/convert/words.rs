//! Answers that are texts.

use super::{diagnostics, range};
use crate::types;
use zonewright_diagnostic::{Diagnostic, Fixed, Utf16Offsets, fix_all};
use zonewright_expression as engine;

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
pub(crate) fn fixed(source: &str, options: &engine::Options) -> types::Fixed {
    fixed_by(source, |text| engine::check(text, options).diagnostics)
}

/// A text after its safe fixes.
pub(crate) fn fixed_by(source: &str, check: impl Fn(&str) -> Vec<Diagnostic>) -> types::Fixed {
    let Fixed { text, diagnostics: found, finished } = fix_all(source, check(source), check);
    let diagnostics = diagnostics(&text, &found);
    types::Fixed { text: Some(text), finished, diagnostics }
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
