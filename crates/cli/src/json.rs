//! Defines the JSON shapes that the command line writes. Offsets are bytes of the source.

use serde::Serialize;
use zonewright_diagnostic::{Diagnostic, Fix, Positions, Safety};

/// One diagnostic.
#[derive(Serialize)]
pub(crate) struct Problem<'a> {
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    start: usize,
    end: usize,
    line: usize,
    column: usize,
    help: Option<&'a str>,
    fixes: Vec<Remedy<'a>>,
}

/// One fix of a diagnostic.
#[derive(Serialize)]
struct Remedy<'a> {
    title: &'a str,
    safe: bool,
    edits: Vec<Replacement<'a>>,
}

/// One edit of a fix.
#[derive(Serialize)]
struct Replacement<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

/// Serializes a value as a line of JSON, without its line break.
pub(crate) fn as_line(value: &impl Serialize) -> String {
    // Serializing plain structures of strings and numbers to memory cannot fail.
    serde_json::to_string(value).unwrap_or_default()
}

/// Serializes a value as indented JSON, with its line break.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// Converts the diagnostics of `source`, in order.
pub(crate) fn problems<'a>(source: &str, diagnostics: &'a [Diagnostic]) -> Vec<Problem<'a>> {
    let mut positions = Positions::new(source);
    let problem = |diagnostic: &'a Diagnostic| {
        let place = positions.at(diagnostic.span.start);
        Problem {
            code: diagnostic.code,
            severity: diagnostic.severity.as_str(),
            message: &diagnostic.message,
            start: diagnostic.span.start,
            end: diagnostic.span.end,
            line: place.line,
            column: place.column,
            help: diagnostic.help.as_deref(),
            fixes: diagnostic.fixes.iter().map(remedy).collect(),
        }
    };
    diagnostics.iter().map(problem).collect()
}

fn remedy(fix: &Fix) -> Remedy<'_> {
    let replacements =
        fix.edits.iter().map(|edit| Replacement { start: edit.span.start, end: edit.span.end, text: &edit.text });
    Remedy { title: &fix.title, safe: fix.safety == Safety::Safe, edits: replacements.collect() }
}
