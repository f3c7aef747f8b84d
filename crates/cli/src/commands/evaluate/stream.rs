//! `zonewright evaluate --ndjson`: evaluates a stream of expressions with records, one JSON object per line.

use super::show::result;
use crate::json::as_line;
use crate::language::Language;
use crate::stream::{self, Members, Refusal, member};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};
use std::process::ExitCode;
use zonewright_expression::{Program, Record, check};
use zonewright_request::{Error, RequestInput};

const MEMBERS: [&str; 8] = ["id", "source", "kind", "phase", "plan", "record", "missing", "lists"];

/// The response to one line.
#[derive(Serialize)]
struct Answer<'a> {
    id: Option<&'a RawValue>,
    result: Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The compiled expression of the previous line, because most streams evaluate one expression on many records.
type Last = Option<(String, Language, Result<Program, String>)>;

/// Answers standard input line by line.
pub(super) fn run(defaults: Language, empty: Record) -> ExitCode {
    let mut last: Last = None;
    stream::run(
        |line, members| answer(line, members, defaults, &empty, &mut last),
        |id, error| as_line(&Answer { id, result: Json::Null, error: Some(error) }),
    )
}

fn answer(
    line: &[u8],
    members: &Members<'_>,
    defaults: Language,
    empty: &Record,
    last: &mut Last,
) -> Result<String, Refusal> {
    stream::only(members, &MEMBERS)?;
    let source = stream::source(line, members)?;
    let language = stream::language(line, members, defaults)?;
    let record = record(line, members, empty)?;
    if last.as_ref().is_none_or(|(text, options, _)| *text != source || *options != language) {
        let program = compiled(&source, language);
        *last = Some((source, language, program));
    }
    let (result, error) = match last {
        Some((_, _, Ok(program))) => (result(&program.evaluate(&record)), None),
        Some((_, _, Err(error))) => (Json::Null, Some(error.clone())),
        None => (Json::Null, None),
    };
    Ok(as_line(&Answer { id: members.get("id").copied(), result, error }))
}

/// Compiles an expression, or returns its first error in one line.
fn compiled(source: &str, language: Language) -> Result<Program, String> {
    let checked = check(source, &language.options());
    checked.program.ok_or_else(|| stream::first_error(source, &checked.diagnostics))
}

fn record(line: &[u8], members: &Members<'_>, empty: &Record) -> Result<Record, Refusal> {
    let mut record = empty.clone();
    if let Some(missing) = stream::missing(line, members)? {
        record.set_missing(missing);
    }
    let refused = |error: Error| {
        let help = error.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
        Refusal::new(format!("{error}{help}"))
    };
    let object = |name: &str| member::<Map<String, Json>>(line, members, name, "an object");
    let fields = object("record")?.ok_or_else(|| match members.get("record") {
        Some(_) => Refusal::new("`record` is null, expected an object of fields"),
        None => Refusal::new("`record` is missing"),
    })?;
    let lists = object("lists")?;
    let given = RequestInput { fields: Some(&fields), lists: lists.as_ref(), request: None };
    given.write_to(&mut record).map_err(refused)?;
    Ok(record)
}
