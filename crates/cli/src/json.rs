//! Defines the JSON shapes that several subcommands write. Offsets are bytes of the source.

use serde::Serialize;
use zonewright_diagnostic::{Applicability, Diagnostic, Fix, Positions};

/// One diagnostic.
#[derive(Serialize)]
pub(crate) struct DiagnosticOutput<'a> {
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    start: usize,
    end: usize,
    line: usize,
    column: usize,
    help: Option<&'a str>,
    fixes: Vec<FixOutput<'a>>,
}

/// One fix of a diagnostic.
#[derive(Serialize)]
struct FixOutput<'a> {
    title: &'a str,
    safe: bool,
    edits: Vec<EditOutput<'a>>,
}

/// One edit of a fix.
#[derive(Serialize)]
struct EditOutput<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

/// Serializes a value as a line of JSON, without its line break.
pub(crate) fn to_json_line(value: &impl Serialize) -> String {
    // Serializing plain structures of strings and numbers to memory cannot fail.
    serde_json::to_string(value).unwrap_or_default()
}

/// Serializes a value as indented JSON, with its line break.
pub(crate) fn to_pretty_json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// Converts the diagnostics of `source`, in order.
pub(crate) fn diagnostics_output<'a>(source: &str, diagnostics: &'a [Diagnostic]) -> Vec<DiagnosticOutput<'a>> {
    let mut positions = Positions::new(source);
    let to_output = |diagnostic: &'a Diagnostic| {
        let position = positions.position_at(diagnostic.span.start);
        DiagnosticOutput {
            code: diagnostic.code,
            severity: diagnostic.severity.as_str(),
            message: &diagnostic.message,
            start: diagnostic.span.start,
            end: diagnostic.span.end,
            line: position.line,
            column: position.column,
            help: diagnostic.help.as_deref(),
            fixes: diagnostic.fixes.iter().map(fix_output).collect(),
        }
    };
    diagnostics.iter().map(to_output).collect()
}

fn fix_output(fix: &Fix) -> FixOutput<'_> {
    let replacements =
        fix.edits.iter().map(|edit| EditOutput { start: edit.span.start, end: edit.span.end, text: &edit.text });
    FixOutput { title: &fix.title, safe: fix.applicability == Applicability::Safe, edits: replacements.collect() }
}
