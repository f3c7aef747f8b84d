//! `zonewright check --ndjson`: a stream of expressions, one JSON object a line.

use super::check::MOST_BYTES;
use crate::json::{Problem, problems};
use crate::language::{KINDS, Language, kind_from_name};
use crate::output::{USAGE, VALID, complain};
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::process::ExitCode;
use zonewright_diagnostic::Diagnostic;
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Lint, Options, check};

const MEMBERS: [&str; 5] = ["id", "kind", "source", "phase", "plan"];

/// Answers standard input line by line.
pub(super) fn run(language: Language, lint: Option<Lint>) -> ExitCode {
    let defaults = Defaults { language, lint };
    let input = BufReader::with_capacity(64 * 1024, io::stdin().lock());
    match answer_all(input, io::stdout().lock(), &defaults) {
        Ok(()) => ExitCode::from(VALID),
        // Nobody reads the answers any more: the stream is over.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::from(VALID),
        Err(error) => {
            complain(&format!("the stream broke off: {error}"));
            ExitCode::from(USAGE)
        }
    }
}

/// What holds for lines that say nothing else.
struct Defaults {
    language: Language,
    lint: Option<Lint>,
}

/// One answer.
#[derive(Serialize)]
struct Answer<'a> {
    id: Option<&'a RawValue>,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    diagnostics: Vec<Problem<'a>>,
}

fn answer_all(mut input: BufReader<impl Read>, output: impl Write, defaults: &Defaults) -> io::Result<()> {
    let mut output = io::BufWriter::with_capacity(64 * 1024, output);
    let mut line = Vec::new();
    let mut number = 0usize;
    while let Some(whole) = read_line(&mut input, &mut line)? {
        number += 1;
        if whole {
            answer(&line, number, defaults, &mut output)?;
        } else {
            write_answer(&mut output, &refusal(None, format!("line {number}: longer than 16 MiB")))?;
        }
        // Whoever waits for an answer before sending the next line gets it; a full pipe is not slowed.
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
    output.flush()
}

/// Reads the next line without its line break into `line`: `None` at the end of the input, and
/// `Some(false)` for a line that is too long, which is skipped and not kept.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
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

fn answer(line: &[u8], number: usize, defaults: &Defaults, output: &mut impl Write) -> io::Result<()> {
    let refused = |id, error: Refusal| {
        let column = error.column.map_or(String::new(), |column| format!(", column {column}"));
        refusal(id, format!("line {number}{column}: {}", error.what))
    };
    let members = match members(line) {
        Ok(members) => members,
        Err(error) => return write_answer(output, &refused(None, error)),
    };
    let id = members.get("id").copied();
    match question(line, &members, defaults) {
        Err(error) => write_answer(output, &refused(id, error)),
        Ok((source, options)) => {
            let diagnostics = check(&source, &options).diagnostics;
            let ok = !diagnostics.iter().any(Diagnostic::is_error);
            let diagnostics = problems(&source, &diagnostics);
            write_answer(output, &Answer { id, ok, error: None, diagnostics })
        }
    }
}

fn refusal(id: Option<&RawValue>, error: String) -> Answer<'_> {
    Answer { id, ok: false, error: Some(error), diagnostics: Vec::new() }
}

fn write_answer(output: &mut impl Write, answer: &Answer<'_>) -> io::Result<()> {
    serde_json::to_writer(&mut *output, answer)?;
    output.write_all(b"\n")
}

/// Why a line is no question, and where in it.
struct Refusal {
    what: String,
    /// In bytes, from 1.
    column: Option<usize>,
}

impl Refusal {
    fn new(what: impl Into<String>) -> Self {
        Refusal { what: what.into(), column: None }
    }

    fn at(column: usize, what: impl Into<String>) -> Self {
        Refusal { what: what.into(), column: Some(column) }
    }
}

type Members<'a> = BTreeMap<String, &'a RawValue>;

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

/// The error without its own count of lines and columns.
fn bare(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

fn question(line: &[u8], members: &Members<'_>, defaults: &Defaults) -> Result<(String, Options), Refusal> {
    if let Some(name) = members.keys().find(|name| !MEMBERS.contains(&name.as_str())) {
        return Err(Refusal::new(format!("unknown member `{name}`, expected {}", MEMBERS.join(", "))));
    }
    let source = text_member(line, members, "source")?.ok_or_else(|| match members.get("source") {
        Some(_) => Refusal::new("`source` is null, expected a string"),
        None => Refusal::new("`source` is missing"),
    })?;
    let mut language = defaults.language;
    if let Some(name) = text_member(line, members, "kind")? {
        let kind = kind_from_name(&name).ok_or_else(|| unknown("kind", &name, KINDS.map(|(known, _)| known)))?;
        language.kind = kind;
    }
    if let Some(name) = text_member(line, members, "phase")? {
        let known = Phase::ALL.iter().map(|phase| phase.name());
        language.phase = Some(Phase::from_name(&name).ok_or_else(|| unknown("phase", &name, known))?);
    }
    if let Some(name) = text_member(line, members, "plan")? {
        language.plan = Some(Tier::from_name(&name).ok_or_else(|| unknown("plan", &name, Tier::ALL.map(Tier::name)))?);
    }
    Ok((source, Options { lint: defaults.lint.clone(), ..language.options() }))
}

fn unknown(what: &str, name: &str, known: impl IntoIterator<Item = &'static str>) -> Refusal {
    let known: Vec<&str> = known.into_iter().collect();
    Refusal::new(format!("unknown {what} `{name}`, expected one of {}", known.join(", ")))
}

/// The text of a member; `None` when it is missing or null.
fn text_member(line: &[u8], members: &Members<'_>, name: &str) -> Result<Option<String>, Refusal> {
    let Some(raw) = members.get(name) else { return Ok(None) };
    // The raw value borrows from the line, so their distance is where it stands.
    let offset = (raw.get().as_ptr() as usize).saturating_sub(line.as_ptr() as usize);
    serde_json::from_str(raw.get()).map_err(|error| {
        if error.is_data() {
            return Refusal::at(offset + 1, format!("`{name}` is not a string"));
        }
        Refusal::at(offset + error.column(), format!("`{name}` is not text: {}", bare(&error)))
    })
}
