//! Reads streams of JSON objects, one per line, and answers each line: `--ndjson` of every subcommand.
//!
//! [`run`] is the loop. A malformed line gets an error as its response, and the stream continues.

use crate::input::{MAX_INPUT_BYTES, without_byte_order_mark};
use crate::language::LanguageArgs;
use crate::output::{EXIT_OK, EXIT_USAGE, print_error};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::process::ExitCode;
use zonewright_diagnostic::{Diagnostic, pluralize, position_at};
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Kind, MissingPolicy};
use zonewright_logpush::Dataset;

/// Answers standard input line by line.
///
/// `answer` receives a line with its members and returns the response as JSON, or a [`LineError`]. `to_error_line`
/// formats the response for a rejection, from the `id` of the line and the message.
pub(crate) fn run(
    answer: impl FnMut(&[u8], &Members<'_>) -> Result<String, LineError>,
    to_error_line: impl Fn(Option<&RawValue>, String) -> String,
) -> ExitCode {
    let input = BufReader::with_capacity(64 * 1024, io::stdin().lock());
    match answer_lines(input, io::stdout().lock(), answer, to_error_line) {
        Ok(()) => ExitCode::from(EXIT_OK),
        // The reader closed the pipe, so the stream is complete.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::from(EXIT_OK),
        Err(error) => {
            print_error(&format!("cannot continue the stream: {error}"));
            ExitCode::from(EXIT_USAGE)
        }
    }
}

fn answer_lines(
    mut input: BufReader<impl Read>,
    output: impl Write,
    mut answer: impl FnMut(&[u8], &Members<'_>) -> Result<String, LineError>,
    to_error_line: impl Fn(Option<&RawValue>, String) -> String,
) -> io::Result<()> {
    let mut output = io::BufWriter::with_capacity(64 * 1024, output);
    let mut line = Vec::new();
    let mut number = 0usize;
    while let Some(is_complete) = read_line(&mut input, &mut line)? {
        number += 1;
        let line = if number == 1 { without_byte_order_mark(&line) } else { &line };
        let members = if is_complete { parse_members(line) } else { Err(LineError::new("longer than 16 MiB")) };
        let text = match members {
            Ok(members) => answer(line, &members)
                .unwrap_or_else(|rejection| to_error_line(members.get("id").copied(), rejection.to_message(number))),
            Err(rejection) => to_error_line(None, rejection.to_message(number)),
        };
        output.write_all(text.as_bytes())?;
        output.write_all(b"\n")?;
        // Flush if no further line is buffered, because the client may wait for this response before it sends more.
        // Otherwise responses are written when the output buffer is full.
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
    output.flush()
}

/// Reads the next line into `line`, without its line break. Returns `None` at the end of the input, and `Some(false)`
/// for a line that is too long, which is skipped.
pub(crate) fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let mut is_complete = true;
    let mut has_bytes = false;
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            other => other?,
        };
        if available.is_empty() {
            return Ok(has_bytes.then_some(is_complete));
        }
        has_bytes = true;
        let line_break = available.iter().position(|byte| *byte == b'\n');
        let fragment = available.get(..line_break.unwrap_or(available.len())).unwrap_or_default();
        if is_complete && line.len() + fragment.len() <= MAX_INPUT_BYTES {
            line.extend_from_slice(fragment);
        } else {
            is_complete = false;
            line.clear();
        }
        let used = fragment.len() + usize::from(line_break.is_some());
        input.consume(used);
        if line_break.is_some() {
            return Ok(Some(is_complete));
        }
    }
}

/// The error of a malformed line.
pub(crate) struct LineError {
    message: String,
    /// The column in bytes, from 1.
    column: Option<usize>,
}

impl LineError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        LineError { message: message.into(), column: None }
    }

    pub(crate) fn at_column(column: usize, message: impl Into<String>) -> Self {
        LineError { message: message.into(), column: Some(column) }
    }

    fn to_message(&self, number: usize) -> String {
        let column = self.column.map_or(String::new(), |column| format!(", column {column}"));
        format!("line {number}{column}: {}", self.message)
    }
}

/// The members of a line with their raw JSON.
pub(crate) type Members<'a> = BTreeMap<String, &'a RawValue>;

fn parse_members(line: &[u8]) -> Result<Members<'_>, LineError> {
    let text =
        std::str::from_utf8(line).map_err(|error| LineError::at_column(error.valid_up_to() + 1, "invalid UTF-8"))?;
    if text.trim().is_empty() {
        return Err(LineError::new("expected a JSON object, found an empty line"));
    }
    serde_json::from_str(text).map_err(|error| {
        if error.is_data() {
            return LineError::new("expected a JSON object");
        }
        LineError::at_column(error.column(), format!("invalid JSON: {}", message_without_position(&error)))
    })
}

/// Formats an error of serde without its own line and column.
fn message_without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&position).unwrap_or(&text).to_owned()
}

/// Rejects unknown members.
pub(crate) fn reject_unknown_members(members: &Members<'_>, known: &[&str]) -> Result<(), LineError> {
    match members.keys().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(LineError::new(format!("unknown member `{name}`, expected one of {}", known.join(", ")))),
        None => Ok(()),
    }
}

/// Reads the required member `source`.
pub(crate) fn read_source_member(line: &[u8], members: &Members<'_>) -> Result<String, LineError> {
    read_text_member(line, members, "source")?.ok_or_else(|| match members.get("source") {
        Some(_) => LineError::new("`source` must be a string, not null"),
        None => LineError::new("`source` is missing"),
    })
}

/// Reads the members `kind`, `phase` and `plan`, which replace the defaults.
pub(crate) fn read_language_members(
    line: &[u8],
    members: &Members<'_>,
    defaults: LanguageArgs,
) -> Result<LanguageArgs, LineError> {
    let mut language = defaults;
    if let Some(name) = read_text_member(line, members, "kind")? {
        language.kind =
            Kind::from_name(&name).ok_or_else(|| unknown_name_error("kind", &name, Kind::ALL.map(Kind::name)))?;
    }
    if let Some(name) = read_text_member(line, members, "phase")? {
        let known = Phase::ALL.iter().map(|phase| phase.name());
        language.phase = Some(Phase::from_name(&name).ok_or_else(|| unknown_name_error("phase", &name, known))?);
    }
    if let Some(name) = read_text_member(line, members, "plan")? {
        language.plan =
            Some(Tier::from_name(&name).ok_or_else(|| unknown_name_error("plan", &name, Tier::ALL.map(Tier::name)))?);
    }
    Ok(language)
}

/// Reads the member `missing`: how to treat fields that a record or line does not provide.
pub(crate) fn read_missing_member(line: &[u8], members: &Members<'_>) -> Result<Option<MissingPolicy>, LineError> {
    let Some(name) = read_text_member(line, members, "missing")? else { return Ok(None) };
    MissingPolicy::from_name(&name)
        .map(Some)
        .ok_or_else(|| unknown_name_error("`missing` value", &name, MissingPolicy::ALL.map(MissingPolicy::name)))
}

/// Reads the member `dataset`.
pub(crate) fn read_dataset_member(line: &[u8], members: &Members<'_>) -> Result<Option<&'static Dataset>, LineError> {
    let Some(name) = read_text_member(line, members, "dataset")? else { return Ok(None) };
    let known = || Dataset::all().iter().map(|dataset| dataset.name);
    Dataset::from_name(&name).map(Some).ok_or_else(|| unknown_name_error("dataset", &name, known()))
}

/// Formats the first error of a source in one line, with the number of further errors.
pub(crate) fn format_first_error(source: &str, diagnostics: &[Diagnostic]) -> String {
    let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
    let Some((first, more_errors)) = errors.split_first() else { return "`source` has errors".to_owned() };
    let position = position_at(source, first.span.start);
    let more = match more_errors.len() {
        0 => String::new(),
        count => format!(", and {}", pluralize(count, "more error")),
    };
    format!("`source`, line {}, column {}: {}{more}", position.line, position.column, first.message)
}

/// Creates the error for an unknown name.
fn unknown_name_error(kind: &str, name: &str, known: impl IntoIterator<Item = &'static str>) -> LineError {
    let known: Vec<&str> = known.into_iter().collect();
    LineError::new(format!("unknown {kind} `{name}`, expected one of {}", known.join(", ")))
}

/// Reads a member as a string; `None` if it is missing or null.
pub(crate) fn read_text_member(line: &[u8], members: &Members<'_>, name: &str) -> Result<Option<String>, LineError> {
    parse_member(line, members, name, "a string")
}

/// Reads a member; `None` if it is missing or null. `expected` names the type for messages.
pub(crate) fn parse_member<'a, T: serde::Deserialize<'a>>(
    line: &[u8],
    members: &Members<'a>,
    name: &str,
    expected: &str,
) -> Result<Option<T>, LineError> {
    let Some(raw) = members.get(name) else { return Ok(None) };
    // The raw value borrows from the line, so the distance of their addresses is its offset.
    let offset = (raw.get().as_ptr() as usize).saturating_sub(line.as_ptr() as usize);
    serde_json::from_str(raw.get()).map_err(|error| {
        if error.is_data() {
            return LineError::at_column(offset + 1, format!("`{name}` must be {expected}"));
        }
        let expected_value = if expected == "a string" { "a valid string" } else { "valid JSON" };
        LineError::at_column(
            offset + error.column(),
            format!("`{name}` is not {expected_value}: {}", message_without_position(&error)),
        )
    })
}
