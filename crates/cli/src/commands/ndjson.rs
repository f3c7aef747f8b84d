//! `zonewright check --ndjson`: a stream of expressions, one JSON object a line.

use crate::json::{Problem, as_line, problems};
use crate::language::Language;
use crate::stream::{self, Members, Refusal};
use serde::Serialize;
use serde_json::value::RawValue;
use std::process::ExitCode;
use zonewright_diagnostic::Diagnostic;
use zonewright_expression::{Lint, Options, check};

const MEMBERS: [&str; 5] = ["id", "kind", "source", "phase", "plan"];

/// One answer.
#[derive(Serialize)]
struct Answer<'a> {
    id: Option<&'a RawValue>,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    diagnostics: Vec<Problem<'a>>,
}

/// Answers standard input line by line.
pub(super) fn run(defaults: Language, lint: Option<Lint>) -> ExitCode {
    stream::run(
        |line, members| answer(line, members, defaults, lint.clone()),
        |id, error| as_line(&Answer { id, ok: false, error: Some(error), diagnostics: Vec::new() }),
    )
}

fn answer(line: &[u8], members: &Members<'_>, defaults: Language, lint: Option<Lint>) -> Result<String, Refusal> {
    stream::only(members, &MEMBERS)?;
    let source = stream::source(line, members)?;
    let options = Options { lint, ..stream::language(line, members, defaults)?.options() };
    let diagnostics = check(&source, &options).diagnostics;
    let ok = !diagnostics.iter().any(Diagnostic::is_error);
    let diagnostics = problems(&source, &diagnostics);
    Ok(as_line(&Answer { id: members.get("id").copied(), ok, error: None, diagnostics }))
}
