//! From the engine's answers to the shapes of JavaScript: bytes become UTF-16 units here.

pub(crate) mod cases;
pub(crate) mod evaluation;
pub(crate) mod firing;
pub(crate) mod logpush;
pub(crate) mod migration;
pub(crate) mod schema;
pub(crate) mod words;

use crate::types;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Positions, Related, Safety, Span, Utf16Offsets};
use zonewright_expression as engine;

/// Answer of `check`.
pub(crate) fn checked(source: &str, checked: &engine::Checked) -> types::Checked {
    types::Checked {
        ok: !checked.diagnostics.iter().any(Diagnostic::is_error),
        ty: checked.program.as_ref().map(|program| program.ty().to_string()),
        diagnostics: diagnostics(source, &checked.diagnostics),
    }
}

/// Answer of `analyze`.
pub(crate) fn analysis(source: &str, analysis: &engine::Analysis) -> types::Analysis {
    let offsets = Utf16Offsets::new(source);
    let token = |token: &engine::Token| {
        let (start, end) = range(&offsets, token.span);
        types::Token { kind: token.kind.as_str(), start, end }
    };
    let meters = &analysis.meters;
    types::Analysis {
        checked: types::Checked {
            ok: analysis.ok,
            ty: analysis.ty.map(|ty| ty.to_string()),
            diagnostics: diagnostics(source, &analysis.diagnostics),
        },
        tokens: analysis.tokens.iter().map(token).collect(),
        meters: types::Meters {
            length: meters.length,
            max_length: meters.max_length,
            depth: meters.depth,
            max_depth: meters.max_depth,
            regexes: meters.regexes,
        },
    }
}

/// Answer of `complete`.
pub(crate) fn completions(source: &str, completions: &engine::Completions) -> types::Completions {
    let (start, end) = range(&Utf16Offsets::new(source), completions.span);
    let item = |item: &engine::Completion| types::Completion {
        label: item.label.clone(),
        insert: item.insert.clone(),
        cursor: Utf16Offsets::new(&item.insert).from_byte(item.cursor),
        again: item.again,
        kind: item.kind.as_str(),
        detail: item.detail.clone(),
        note: item.note.clone(),
    };
    types::Completions { start, end, items: completions.items.iter().map(item).collect(), diagnostics: Vec::new() }
}

/// Answer of `hover`.
pub(crate) fn hovered(source: &str, hover: Option<engine::Hover>) -> types::HoverResult {
    let convert = |hover: engine::Hover| {
        let (start, end) = range(&Utf16Offsets::new(source), hover.span);
        let engine::Hover { title, detail, text, example, .. } = hover;
        types::Hover { start, end, title, detail, text, example }
    };
    types::HoverResult { hover: hover.map(convert), diagnostics: Vec::new() }
}

/// Answer of `signature`.
pub(crate) fn signature(source: &str, help: Option<engine::SignatureHelp>) -> types::SignatureResult {
    let convert = |help: engine::SignatureHelp| {
        let (start, end) = range(&Utf16Offsets::new(source), help.span);
        let (form, returns) = (help.form.clone(), help.returns.clone());
        let (doc, active) = (help.doc, help.active);
        types::Signature { start, end, form, returns, doc, parameters: parameters(help), active }
    };
    types::SignatureResult { signature: help.map(convert), diagnostics: Vec::new() }
}

fn parameters(help: engine::SignatureHelp) -> Vec<types::Parameter> {
    let in_form = Utf16Offsets::new(&help.form);
    let parameter = |one: engine::Parameter| {
        let (start, end) = range(&in_form, one.span);
        types::Parameter { start, end, name: one.name, detail: one.detail, note: one.note }
    };
    help.parameters.into_iter().map(parameter).collect()
}

/// Answer to a wrong call.
pub(crate) fn refused<A: types::Answer>(source: &str, refusal: &[Diagnostic]) -> A {
    A::with(diagnostics(source, refusal))
}

/// A reason to refuse what a document says.
fn refusal(refusal: &zonewright_api::Refusal) -> types::Refusal {
    types::Refusal { code: refusal.code, pointer: refusal.pointer.clone(), message: refusal.message.clone() }
}

/// Problems of `source`.
fn diagnostics(source: &str, diagnostics: &[Diagnostic]) -> Vec<types::Diagnostic> {
    let offsets = Utf16Offsets::new(source);
    let mut positions = Positions::new(source);
    let convert = |one: &Diagnostic| {
        let (start, end) = range(&offsets, one.span);
        let place = positions.at(one.span.start);
        types::Diagnostic {
            code: one.code,
            severity: one.severity.as_str(),
            message: one.message.clone(),
            start,
            end,
            line: place.line,
            column: place.column,
            label: one.label.clone(),
            help: one.help.clone(),
            fixes: one.fixes.iter().map(|one| fix(&offsets, one)).collect(),
            related: one.related.iter().map(|one| related(&offsets, one)).collect(),
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
        safe: fix.safety == Safety::Safe,
        edits: fix.edits.iter().map(edit).collect(),
    }
}

fn related(offsets: &Utf16Offsets, related: &Related) -> types::Related {
    let (start, end) = range(offsets, related.span);
    types::Related { message: related.message.clone(), start, end }
}

fn range(offsets: &Utf16Offsets, span: Span) -> (usize, usize) {
    (offsets.from_byte(span.start), offsets.from_byte(span.end))
}
