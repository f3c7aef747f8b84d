//! Converts results that are texts: formatted, fixed or explained sources.

use super::{diagnostics, range};
use crate::types;
use zonewright_diagnostic::{Diagnostic, FixedText, Utf16Offsets, fix_all};
use zonewright_expression as engine;

pub(crate) fn format_result(source: &str, options: &engine::FormatOptions) -> types::TextResult {
    let engine::FormatOutput { text, diagnostics } = engine::format(source, options);
    text_result(source, text, &diagnostics)
}

/// Returns a new text with the diagnostics of the source.
pub(crate) fn text_result(source: &str, text: Option<String>, source_diagnostics: &[Diagnostic]) -> types::TextResult {
    types::TextResult { text, diagnostics: diagnostics(source, source_diagnostics) }
}

pub(crate) fn fix_result(source: &str, options: &engine::Options) -> types::FixResult {
    fix_result_with(source, |text| engine::check(text, options).diagnostics)
}

/// Applies all safe fixes. `check` returns the diagnostics of a text.
pub(crate) fn fix_result_with(source: &str, check: impl Fn(&str) -> Vec<Diagnostic>) -> types::FixResult {
    let FixedText { text, diagnostics: remaining, finished } = fix_all(source, check(source), check);
    let diagnostics = diagnostics(&text, &remaining);
    types::FixResult { text: Some(text), finished, diagnostics }
}

pub(crate) fn explain_result(source: &str, explained: engine::Explanation) -> types::ExplainResult {
    let offsets = Utf16Offsets::new(source);
    let convert = |sentence: engine::Sentence| {
        let (start, end) = range(&offsets, sentence.span);
        types::Sentence { text: sentence.text, start, end, depth: sentence.depth }
    };
    types::ExplainResult {
        text: explained.text,
        sentences: explained.sentences.into_iter().map(convert).collect(),
        tree: explained.tree.map(|tree| outline(&offsets, tree)),
        diagnostics: diagnostics(source, &explained.diagnostics),
    }
}

/// Converts a tree. The recursion is safe, because the parser limits the depth.
fn outline(offsets: &Utf16Offsets, tree: engine::OutlineNode) -> types::OutlineNode {
    let (start, end) = range(offsets, tree.span);
    let kind = match tree.kind {
        engine::OutlineKind::All => "all",
        engine::OutlineKind::Any => "any",
        engine::OutlineKind::Xor => "xor",
        engine::OutlineKind::Not => "not",
        engine::OutlineKind::Condition => "condition",
        engine::OutlineKind::Value => "value",
    };
    let children = tree.children.into_iter().map(|child| outline(offsets, child)).collect();
    types::OutlineNode { kind, text: tree.text, start, end, children }
}
