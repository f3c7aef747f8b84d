//! `zonewright evaluate --ndjson`: evaluates a stream of expressions with records, one JSON object per line.

use super::output::result_to_json;
use crate::json::to_json_line;
use crate::language::LanguageArgs;
use crate::stream::{self, LineError, Members, parse_member};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};
use std::process::ExitCode;
use zonewright_expression::{Program, Record, check};
use zonewright_request::{Error, RequestInput};

const KNOWN_MEMBERS: [&str; 8] = ["id", "source", "kind", "phase", "plan", "record", "missing", "lists"];

/// The response to one line.
#[derive(Serialize)]
struct StreamResponse<'a> {
    id: Option<&'a RawValue>,
    result: Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The compiled expression of the previous line, because most streams evaluate one expression on many records.
type CachedProgram = Option<(String, LanguageArgs, Result<Program, String>)>;

/// Answers standard input line by line.
pub(super) fn run(defaults: LanguageArgs, empty: Record) -> ExitCode {
    let mut cached: CachedProgram = None;
    stream::run(
        |line, members| answer_line(line, members, defaults, &empty, &mut cached),
        |id, error| to_json_line(&StreamResponse { id, result: Json::Null, error: Some(error) }),
    )
}

fn answer_line(
    line: &[u8],
    members: &Members<'_>,
    defaults: LanguageArgs,
    empty: &Record,
    cached: &mut CachedProgram,
) -> Result<String, LineError> {
    stream::reject_unknown_members(members, &KNOWN_MEMBERS)?;
    let source = stream::read_source_member(line, members)?;
    let language = stream::read_language_members(line, members, defaults)?;
    let record = read_record(line, members, empty)?;
    if cached.as_ref().is_none_or(|(text, options, _)| *text != source || *options != language) {
        let program = compile(&source, language);
        *cached = Some((source, language, program));
    }
    let (result, error) = match cached {
        Some((_, _, Ok(program))) => (result_to_json(&program.evaluate(&record)), None),
        Some((_, _, Err(error))) => (Json::Null, Some(error.clone())),
        None => (Json::Null, None),
    };
    Ok(to_json_line(&StreamResponse { id: members.get("id").copied(), result, error }))
}

/// Compiles an expression, or returns its first error in one line.
fn compile(source: &str, language: LanguageArgs) -> Result<Program, String> {
    let checked = check(source, &language.to_options());
    checked.program.ok_or_else(|| stream::format_first_error(source, &checked.diagnostics))
}

fn read_record(line: &[u8], members: &Members<'_>, empty: &Record) -> Result<Record, LineError> {
    let mut record = empty.clone();
    if let Some(missing) = stream::read_missing_member(line, members)? {
        record.set_missing_policy(missing);
    }
    let to_line_error = |error: Error| {
        let help = error.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
        LineError::new(format!("{error}{help}"))
    };
    let object = |name: &str| parse_member::<Map<String, Json>>(line, members, name, "an object");
    let fields = object("record")?.ok_or_else(|| match members.get("record") {
        Some(_) => LineError::new("`record` must be an object of fields, not null"),
        None => LineError::new("`record` is missing"),
    })?;
    let lists = object("lists")?;
    let request_input = RequestInput { fields: Some(&fields), lists: lists.as_ref(), request: None };
    request_input.write_to(&mut record).map_err(to_line_error)?;
    Ok(record)
}
