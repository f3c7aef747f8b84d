//! Converts results of the engine to the [`types`] that JavaScript receives.
//!
//! Every offset in bytes becomes an offset in UTF-16 code units here.

pub(crate) mod cases;
pub(crate) mod evaluation;
pub(crate) mod logpush;
pub(crate) mod migration;
pub(crate) mod never_fires;
pub(crate) mod sample;
pub(crate) mod schema;
pub(crate) mod text;
pub(crate) mod trace;

use crate::types;
use zonewright_diagnostic::{Applicability, Diagnostic, Edit, Fix, Positions, RelatedInformation, Span, Utf16Offsets};
use zonewright_expression as engine;

pub(crate) fn check_result(source: &str, checked: &engine::CheckOutput) -> types::CheckResult {
    types::CheckResult {
        ok: !checked.diagnostics.iter().any(Diagnostic::is_error),
        ty: checked.program.as_ref().map(|program| program.ty().to_string()),
        diagnostics: diagnostics(source, &checked.diagnostics),
    }
}

pub(crate) fn analysis(source: &str, analysis: &engine::Analysis) -> types::Analysis {
    let offsets = Utf16Offsets::new(source);
    let token = |token: &engine::SemanticToken| {
        let (start, end) = range(&offsets, token.span);
        types::Token { kind: token.kind.as_str(), start, end }
    };
    let usage = &analysis.usage;
    types::Analysis {
        checked: types::CheckResult {
            ok: analysis.ok,
            ty: analysis.ty.map(|ty| ty.to_string()),
            diagnostics: diagnostics(source, &analysis.diagnostics),
        },
        tokens: analysis.tokens.iter().map(token).collect(),
        usage: types::Usage {
            length: usage.length,
            max_length: usage.max_length,
            depth: usage.depth,
            max_depth: usage.max_depth,
            regexes: usage.regexes,
        },
    }
}

pub(crate) fn completions(source: &str, completions: &engine::Completions) -> types::Completions {
    let (start, end) = range(&Utf16Offsets::new(source), completions.span);
    let item = |item: &engine::Completion| types::Completion {
        label: item.label.clone(),
        insert: item.insert.clone(),
        cursor: Utf16Offsets::new(&item.insert).byte_to_utf16(item.cursor),
        retrigger: item.retrigger,
        kind: item.kind.as_str(),
        detail: item.detail.clone(),
        note: item.note.clone(),
    };
    types::Completions { start, end, items: completions.items.iter().map(item).collect(), diagnostics: Vec::new() }
}

pub(crate) fn hover_result(source: &str, hover: Option<engine::Hover>) -> types::HoverResult {
    let convert = |hover: engine::Hover| {
        let (start, end) = range(&Utf16Offsets::new(source), hover.span);
        let engine::Hover { title, detail, text, example, .. } = hover;
        types::Hover { start, end, title, detail, text, example }
    };
    types::HoverResult { hover: hover.map(convert), diagnostics: Vec::new() }
}

pub(crate) fn signature(source: &str, help: Option<engine::SignatureHelp>) -> types::SignatureResult {
    let convert = |help: engine::SignatureHelp| {
        let (start, end) = range(&Utf16Offsets::new(source), help.span);
        let (label, returns) = (help.label.clone(), help.returns.clone());
        let (doc, active) = (help.doc, help.active);
        types::Signature { start, end, label, returns, doc, parameters: parameters(help), active }
    };
    types::SignatureResult { signature: help.map(convert), diagnostics: Vec::new() }
}

fn parameters(help: engine::SignatureHelp) -> Vec<types::Parameter> {
    let in_label = Utf16Offsets::new(&help.label);
    let convert = |parameter: engine::Parameter| {
        let (start, end) = range(&in_label, parameter.span);
        let engine::Parameter { name, detail, note, .. } = parameter;
        types::Parameter { start, end, name, detail, note }
    };
    help.parameters.into_iter().map(convert).collect()
}

/// Returns the result of a call with argument errors.
pub(crate) fn error_result<R: types::CallResult>(source: &str, errors: &[Diagnostic]) -> R {
    R::from_diagnostics(diagnostics(source, errors))
}

fn validation_error(error: &zonewright_api::ValidationError) -> types::ValidationError {
    types::ValidationError { code: error.code, pointer: error.pointer.clone(), message: error.message.clone() }
}

/// Converts the diagnostics of a source.
fn diagnostics(source: &str, diagnostics: &[Diagnostic]) -> Vec<types::Diagnostic> {
    let offsets = Utf16Offsets::new(source);
    let mut positions = Positions::new(source);
    let convert = |diagnostic: &Diagnostic| {
        let (start, end) = range(&offsets, diagnostic.span);
        let position = positions.position_at(diagnostic.span.start);
        types::Diagnostic {
            code: diagnostic.code,
            severity: diagnostic.severity.as_str(),
            message: diagnostic.message.clone(),
            start,
            end,
            line: position.line,
            column: position.column,
            label: diagnostic.label.clone(),
            help: diagnostic.help.clone(),
            fixes: diagnostic.fixes.iter().map(|item| fix(&offsets, item)).collect(),
            related: diagnostic.related.iter().map(|item| related(&offsets, item)).collect(),
        }
    };
    diagnostics.iter().map(convert).collect()
}

fn fix(offsets: &Utf16Offsets, fix: &Fix) -> types::Fix {
    let edit = |edit: &Edit| {
        let (start, end) = range(offsets, edit.span);
        types::Edit { start, end, text: edit.text.clone() }
    };
    types::Fix {
        title: fix.title.clone(),
        safe: fix.applicability == Applicability::Safe,
        edits: fix.edits.iter().map(edit).collect(),
    }
}

fn related(offsets: &Utf16Offsets, related: &RelatedInformation) -> types::RelatedInformation {
    let (start, end) = range(offsets, related.span);
    types::RelatedInformation { message: related.message.clone(), start, end }
}

/// Converts a span to UTF-16 offsets.
fn range(offsets: &Utf16Offsets, span: Span) -> (usize, usize) {
    (offsets.byte_to_utf16(span.start), offsets.byte_to_utf16(span.end))
}
