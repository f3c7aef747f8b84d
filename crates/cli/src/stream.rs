//! Reads streams of JSON objects, one per line, and answers each line: `--ndjson` of every verb.
//!
//! [`run`] is the loop. A malformed line gets an error as its response, and the stream continues.

use crate::input::{MOST_BYTES, without_byte_order_mark};
use crate::language::Language;
use crate::output::{USAGE, VALID, complain};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::process::ExitCode;
use zonewright_diagnostic::{Diagnostic, position};
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Kind, Missing};
use zonewright_logpush::Dataset;

/// Answers standard input line by line.
///
/// `answer` receives a line with its members and returns the response as JSON, or a [`Refusal`]. `refused` formats the
/// response for a refusal, from the `id` of the line and the message.
pub(crate) fn run(
    answer: impl FnMut(&[u8], &Members<'_>) -> Result<String, Refusal>,
    refused: impl Fn(Option<&RawValue>, String) -> String,
) -> ExitCode {
    let input = BufReader::with_capacity(64 * 1024, io::stdin().lock());
    match answer_all(input, io::stdout().lock(), answer, refused) {
        Ok(()) => ExitCode::from(VALID),
        // The reader closed the pipe, so the stream is complete.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::from(VALID),
        Err(error) => {
            complain(&format!("the stream broke off: {error}"));
            ExitCode::from(USAGE)
        }
    }
}

fn answer_all(
    mut input: BufReader<impl Read>,
    output: impl Write,
    mut answer: impl FnMut(&[u8], &Members<'_>) -> Result<String, Refusal>,
    refused: impl Fn(Option<&RawValue>, String) -> String,
) -> io::Result<()> {
    let mut output = io::BufWriter::with_capacity(64 * 1024, output);
    let mut line = Vec::new();
    let mut number = 0usize;
    while let Some(whole) = read_line(&mut input, &mut line)? {
        number += 1;
        let line = if number == 1 { without_byte_order_mark(&line) } else { &line };
        let members = if whole { members(line) } else { Err(Refusal::new("longer than 16 MiB")) };
        let text = match members {
            Ok(members) => answer(line, &members)
                .unwrap_or_else(|refusal| refused(members.get("id").copied(), refusal.on_line(number))),
            Err(refusal) => refused(None, refusal.on_line(number)),
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
    let mut whole = true;
    let mut any = false;
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            other => other?,
        };
        if available.is_empty() {
            return Ok(any.then_some(whole));
        }
        any = true;
        let line_break = available.iter().position(|byte| *byte == b'\n');
        let piece = available.get(..line_break.unwrap_or(available.len())).unwrap_or_default();
        if whole && line.len() + piece.len() <= MOST_BYTES {
            line.extend_from_slice(piece);
        } else {
            whole = false;
            line.clear();
        }
        let used = piece.len() + usize::from(line_break.is_some());
        input.consume(used);
        if line_break.is_some() {
            return Ok(Some(whole));
        }
    }
}

/// The error of a malformed line.
pub(crate) struct Refusal {
    what: String,
    /// The column in bytes, from 1.
    column: Option<usize>,
}

impl Refusal {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Refusal { what: what.into(), column: None }
    }

    pub(crate) fn at(column: usize, what: impl Into<String>) -> Self {
        Refusal { what: what.into(), column: Some(column) }
    }

    fn on_line(self, number: usize) -> String {
        let column = self.column.map_or(String::new(), |column| format!(", column {column}"));
        format!("line {number}{column}: {}", self.what)
    }
}

/// The members of a line with their raw JSON.
pub(crate) type Members<'a> = BTreeMap<String, &'a RawValue>;

fn members(line: &[u8]) -> Result<Members<'_>, Refusal> {
    let text =
        std::str::from_utf8(line).map_err(|error| Refusal::at(error.valid_up_to() + 1, "not UTF-8: invalid byte"))?;
    if text.trim().is_empty() {
        return Err(Refusal::new("an empty line, expected a JSON object"));
    }
    serde_json::from_str(text).map_err(|error| {
        if error.is_data() {
            return Refusal::new("expected a JSON object");
        }
        Refusal::at(error.column(), format!("not JSON: {}", bare(&error)))
    })
}

/// Formats an error of serde without its own line and column.
fn bare(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

/// Rejects unknown members.
pub(crate) fn only(members: &Members<'_>, known: &[&str]) -> Result<(), Refusal> {
    match members.keys().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(Refusal::new(format!("unknown member `{name}`, expected {}", known.join(", ")))),
        None => Ok(()),
    }
}

/// Reads the required member `source`.
pub(crate) fn source(line: &[u8], members: &Members<'_>) -> Result<String, Refusal> {
    text_member(line, members, "source")?.ok_or_else(|| match members.get("source") {
        Some(_) => Refusal::new("`source` is null, expected a string"),
        None => Refusal::new("`source` is missing"),
    })
}

/// Reads the members `kind`, `phase` and `plan`, which replace the defaults.
pub(crate) fn language(line: &[u8], members: &Members<'_>, defaults: Language) -> Result<Language, Refusal> {
    let mut language = defaults;
    if let Some(name) = text_member(line, members, "kind")? {
        language.kind = Kind::from_name(&name).ok_or_else(|| unknown("kind", &name, Kind::ALL.map(Kind::name)))?;
    }
    if let Some(name) = text_member(line, members, "phase")? {
        let known = Phase::ALL.iter().map(|phase| phase.name());
        language.phase = Some(Phase::from_name(&name).ok_or_else(|| unknown("phase", &name, known))?);
    }
    if let Some(name) = text_member(line, members, "plan")? {
        language.plan = Some(Tier::from_name(&name).ok_or_else(|| unknown("plan", &name, Tier::ALL.map(Tier::name)))?);
    }
    Ok(language)
}

/// Reads the member `missing`: how to treat fields that a record or line does not provide.
pub(crate) fn missing(line: &[u8], members: &Members<'_>) -> Result<Option<Missing>, Refusal> {
    let Some(name) = text_member(line, members, "missing")? else { return Ok(None) };
    Missing::from_name(&name).map(Some).ok_or_else(|| unknown("missing", &name, Missing::ALL.map(Missing::name)))
}

/// Reads the member `dataset`.
pub(crate) fn dataset(line: &[u8], members: &Members<'_>) -> Result<Option<&'static Dataset>, Refusal> {
    let Some(name) = text_member(line, members, "dataset")? else { return Ok(None) };
    let known = || Dataset::all().iter().map(|dataset| dataset.name);
    Dataset::named(&name).map(Some).ok_or_else(|| unknown("dataset", &name, known()))
}

/// Formats the first error of a source in one line, with the number of further errors.
pub(crate) fn first_error(source: &str, diagnostics: &[Diagnostic]) -> String {
    let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|one| one.is_error()).collect();
    let Some((first, others)) = errors.split_first() else { return "`source` has errors".to_owned() };
    let place = position(source, first.span.start);
    let more = match others.len() {
        0 => String::new(),
        1 => ", and 1 more error".to_owned(),
        count => format!(", and {count} more errors"),
    };
    format!("`source`, line {}, column {}: {}{more}", place.line, place.column, first.message)
}

/// Creates the error for an unknown name.
fn unknown(what: &str, name: &str, known: impl IntoIterator<Item = &'static str>) -> Refusal {
    let known: Vec<&str> = known.into_iter().collect();
    Refusal::new(format!("unknown {what} `{name}`, expected one of {}", known.join(", ")))
}

/// Reads a member as a string; `None` if it is missing or null.
pub(crate) fn text_member(line: &[u8], members: &Members<'_>, name: &str) -> Result<Option<String>, Refusal> {
    member(line, members, name, "a string")
}

/// Reads a member; `None` if it is missing or null. `expected` names the type for messages.
pub(crate) fn member<'a, T: serde::Deserialize<'a>>(
    line: &[u8],
    members: &Members<'a>,
    name: &str,
    expected: &str,
) -> Result<Option<T>, Refusal> {
    let Some(raw) = members.get(name) else { return Ok(None) };
    // The raw value borrows from the line, so the distance of their addresses is its offset.
    let offset = (raw.get().as_ptr() as usize).saturating_sub(line.as_ptr() as usize);
    serde_json::from_str(raw.get()).map_err(|error| {
        if error.is_data() {
            return Refusal::at(offset + 1, format!("`{name}` is not {expected}"));
        }
        let what = if expected == "a string" { "text" } else { "JSON" };
        Refusal::at(offset + error.column(), format!("`{name}` is not {what}: {}", bare(&error)))
    })
}
