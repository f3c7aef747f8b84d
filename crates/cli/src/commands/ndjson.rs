//! `check --ndjson`: checks a stream of expressions or filters, one JSON object per line.

use crate::json::{DiagnosticOutput, diagnostics_output, to_json_line};
use crate::stream::{self, LineError, Members};
use serde::Serialize;
use serde_json::value::RawValue;
use std::process::ExitCode;
use zonewright_diagnostic::Diagnostic;

/// The response to one line.
#[derive(Serialize)]
struct StreamResponse<'a> {
    id: Option<&'a RawValue>,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    diagnostics: Vec<DiagnosticOutput<'a>>,
}

/// Answers standard input line by line. `known` has the members of a line other than `id`. `check` returns the source
/// of a line with its diagnostics.
pub(super) fn run(
    known: &[&str],
    check: impl Fn(&[u8], &Members<'_>) -> Result<(String, Vec<Diagnostic>), LineError>,
) -> ExitCode {
    let mut all = vec!["id"];
    all.extend(known);
    stream::run(
        |line, members| {
            stream::reject_unknown_members(members, &all)?;
            let (source, diagnostics) = check(line, members)?;
            let ok = !diagnostics.iter().any(Diagnostic::is_error);
            let diagnostics = diagnostics_output(&source, &diagnostics);
            Ok(to_json_line(&StreamResponse { id: members.get("id").copied(), ok, error: None, diagnostics }))
        },
        |id, error| to_json_line(&StreamResponse { id, ok: false, error: Some(error), diagnostics: Vec::new() }),
    )
}
