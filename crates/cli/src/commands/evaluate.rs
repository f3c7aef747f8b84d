//! `zonewright evaluate`: evaluates an expression for a request.

pub(super) mod show;
mod stream;

use crate::input::{self, display_name};
use crate::language::LanguageArgs;
use crate::output::{EXIT_OK, EXIT_PROBLEMS, EXIT_USAGE, OutputFormat, print_error, style_for, write_stdout};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use zonewright_diagnostic::{Diagnostic, draw_all};
use zonewright_expression::{MissingPolicy, Record, check};
use zonewright_request::{duplicate_list_error, har, json, parse_list_items, parse_list_name, read_input};

const AFTER_HELP: &str = "\
The request is an HTTP request as it goes over the wire, a curl command line, a HAR file, a URL, or a
JSON object of fields; which of them is found out by its look. What --field says counts before it.
A field that is neither given nor follows from the request is unknown, and so may the answer be.

--field takes text, numbers, addresses, true and false as they are, arrays and maps as JSON:
  --field ip.src=192.0.2.1 --field 'http.request.headers={\"x-a\": [\"b\"]}'
A name without `=` says that the request has no such value. --list takes a file with one item a line
(addresses, networks, ranges, host names or AS numbers; `#` begins a comment) or a JSON array.

Exit code: 0 when the expression was evaluated, whatever it gave, 1 when it has an error, 2 when the
command was called wrongly or a file could not be read.

--format json writes {\"outcome\", \"result\", \"fields\", \"notes\", \"diagnostics\", \"trace\"?}: outcome is match,
no-match, unknown, value, absent or error; result is true, false, \"unknown\", the value, or null; fields are
those that would decide. Diagnostics are as in `zonewright check --help`, trace has objects {\"start\", \"end\",
\"line\", \"column\", \"text\", \"truth\", \"value\"} with truth true, false, unknown, absent or not-reached.

--ndjson reads JSON objects from standard input, one a line, and answers each with one line, in the
same order and at once:
  {\"id\"?, \"source\", \"kind\"?, \"phase\"?, \"plan\"?, \"record\", \"missing\"?, \"lists\"?}
  {\"id\", \"result\", \"error\"?}
record is an object of fields with their values, lists one of list names with their items, missing is
\"unknown\" or \"absent\". result is true, false, \"unknown\", the value of a value expression (null when it is
missing), text that is not UTF-8 as {\"base64\": \"…\"}. A line that is no such object, an expression with
errors and a record with a wrong value are answered with result null and a member \"error\", and the
next line is read. A line may have 16 MiB. The exit code is 0 when every line was answered.";

const FILE_NOT_FOUND: &str = "there is no such file";

/// Say what an expression gives for a request, and why.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The expression.
    #[arg(required_unless_present_any = ["file", "ndjson"])]
    expression: Option<String>,
    /// Read the expression from a file; `-` for standard input.
    #[arg(short, long, value_name = "FILE", conflicts_with = "expression")]
    file: Option<PathBuf>,
    /// The request: HTTP, curl, HAR, a URL or fields as JSON; `-` for standard input.
    #[arg(short, long, value_name = "FILE")]
    request: Option<PathBuf>,
    /// Which entry of a HAR file, from 0.
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "request")]
    entry: usize,
    /// A field of the request; counts before what the request says.
    #[arg(long = "field", value_name = "NAME=VALUE")]
    fields: Vec<String>,
    /// The items of a named list, from a file.
    #[arg(long = "list", value_name = "NAME=FILE")]
    lists: Vec<String>,
    /// What fields are that nothing says anything about.
    #[arg(long, value_parser = missing_value_parser(), default_value = "unknown")]
    missing: MissingPolicy,
    /// What everything random is made from.
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Show what each condition gave.
    #[arg(long)]
    trace: bool,
    /// How the answer is written.
    #[arg(long, value_enum, default_value = "text")]
    format: OutputFormat,
    /// Answer a stream of JSON objects, one a line, from standard input.
    #[arg(long, conflicts_with_all = ["expression", "file", "request", "fields", "lists", "trace", "format"])]
    ndjson: bool,
    #[command(flatten)]
    language: LanguageArgs,
}

pub(super) fn missing_value_parser() -> impl TypedValueParser<Value = MissingPolicy> {
    PossibleValuesParser::new(MissingPolicy::ALL.map(MissingPolicy::name))
        .try_map(|name| MissingPolicy::from_name(&name).ok_or("no such word"))
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if arguments.ndjson {
        return stream::run(arguments.language, empty_record(arguments));
    }
    match evaluate(arguments) {
        Ok((text, code)) => write_stdout(&text, code),
        Err(why) => {
            print_error(&why);
            ExitCode::from(EXIT_USAGE)
        }
    }
}

fn evaluate(arguments: &Arguments) -> Result<(String, u8), String> {
    let is_stdin = |path: &Option<PathBuf>| path.as_ref().is_some_and(|path| path.as_os_str() == "-");
    if is_stdin(&arguments.file) && is_stdin(&arguments.request) {
        return Err("the expression and the request cannot both be read from standard input".to_owned());
    }
    let (name, source) = match (&arguments.expression, &arguments.file) {
        (Some(source), _) => ("<expression>".to_owned(), source.clone()),
        (None, Some(path)) => {
            let name = path.to_string_lossy().into_owned();
            let source =
                input::read_source(path, FILE_NOT_FOUND).map_err(|why| format!("{}: {why}", display_name(&name)))?;
            (display_name(&name).to_owned(), source)
        }
        (None, None) => return Err("no expression is given".to_owned()),
    };
    let (record, notes) = build_record(arguments)?;
    let checked = check(&source, &arguments.language.to_options());
    let Some(program) = checked.program else {
        let text = match arguments.format {
            OutputFormat::Text => draw_all(&source, &name, &checked.diagnostics, style_for(&std::io::stdout())),
            OutputFormat::Json => show::errors_to_json(&source, &checked.diagnostics, &notes),
        };
        return Ok((text, EXIT_PROBLEMS));
    };
    let trace = program.trace(&record);
    let steps: Vec<show::TraceRow> = trace.steps.iter().map(show::TraceRow::from).collect();
    let steps = arguments.trace.then_some(steps.as_slice());
    let text = match arguments.format {
        OutputFormat::Text => {
            notes.iter().for_each(|note| print_error(&format!("note: {note}")));
            let warnings: Vec<Diagnostic> = checked.diagnostics;
            let drawn = draw_all(&source, &name, &warnings, style_for(&std::io::stdout()));
            let between = if drawn.is_empty() { "" } else { "\n" };
            format!("{drawn}{between}{}", show::outcome_to_text(&source, &trace.outcome, steps))
        }
        OutputFormat::Json => show::outcome_to_json(&source, &trace.outcome, steps, &checked.diagnostics, &notes),
    };
    Ok((text, EXIT_OK))
}

fn empty_record(arguments: &Arguments) -> Record {
    let mut record = Record::new(arguments.missing);
    if let Some(seed) = arguments.seed {
        record.set_seed(seed);
    }
    record
}

/// Builds the record that the options describe, with notes about assumptions.
fn build_record(arguments: &Arguments) -> Result<(Record, Vec<String>), String> {
    let mut record = empty_record(arguments);
    for field in &arguments.fields {
        let set = match field.split_once('=') {
            Some((name, value)) => json::set_field_from_text(name, value, &mut record),
            None => json::set_field(field, &serde_json::Value::Null, &mut record),
        };
        set.map_err(|error| error_to_text("--field", &error))?;
    }
    for list in &arguments.lists {
        let (name, file) = list.split_once('=').ok_or_else(|| format!("--list: expected NAME=FILE, found `{list}`"))?;
        let name = parse_list_name(name).map_err(|error| error_to_text("--list", &error))?;
        if record.list(name).is_some() {
            return Err(error_to_text("--list", &duplicate_list_error(name)));
        }
        let items = read_list_items(Path::new(file)).map_err(|why| format!("{file}: {why}"))?;
        record.set_list(name, parse_list_items(name, &items).map_err(|error| error_to_text(file, &error))?);
    }
    let mut notes = Vec::new();
    if let Some(path) = &arguments.request {
        let name = path.to_string_lossy();
        let text = input::read_bytes(path, har::MAX_BYTES, FILE_NOT_FOUND)
            .map_err(|why| format!("{}: {why}", display_name(&name)))?;
        let reading = if arguments.entry > 0 {
            let text = String::from_utf8_lossy(&text);
            har::read_entry(&text, arguments.entry).map(|request| request.write_fields(&mut record))
        } else {
            read_input(&text, &mut record).map(|reading| reading.notes)
        };
        notes = reading.map_err(|error| error_to_text(display_name(&name), &error))?;
    }
    json::add_deprecated_names(&mut record);
    Ok((record, notes))
}

/// Reads the items of a list: a JSON array, or one item per line.
fn read_list_items(path: &Path) -> Result<Vec<serde_json::Value>, String> {
    let text = input::decode_utf8(input::read_bytes(path, input::MAX_INPUT_BYTES, FILE_NOT_FOUND)?)?;
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(&text).map_err(|error| format!("not a JSON array: {error}"));
    }
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    Ok(lines.filter(|line| !line.is_empty()).map(serde_json::Value::from).collect())
}

fn error_to_text(where_: &str, error: &zonewright_request::Error) -> String {
    let help = error.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
    format!("{where_}: {error}{help}")
}
