//! `zonewright evaluate`: evaluates an expression for a request.

pub(super) mod output;
mod stream;

use crate::input::{self, display_name};
use crate::integer::integer_parser;
use crate::language::LanguageArgs;
use crate::output::{EXIT_OK, EXIT_PROBLEMS, EXIT_USAGE, OutputFormat, print_error, style_for, write_stdout};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use zonewright_diagnostic::{Diagnostic, render_all};
use zonewright_expression::{MissingPolicy, Record, check};
use zonewright_request::{
    InputFormat, detect_format, duplicate_list_error, har, json, parse_list_items, parse_list_name, read_input,
};

const AFTER_HELP: &str = "\
The request is raw HTTP, a curl command, a HAR file, a URL, or a JSON object of fields; the format is
detected. --field overrides the request. A field that is neither set nor in the request is unknown, and
then the result may be unknown too.

--field takes strings, numbers, IP addresses, true, and false as plain text, and arrays and maps as JSON:
  --field ip.src=192.0.2.1 --field 'http.request.headers={\"x-a\": [\"b\"]}'
A name without `=` means that the request does not have the value. --list takes a file with one item per
line (IP addresses, networks, ranges, host names, or AS numbers; `#` starts a comment) or a JSON array.

Exit code: 0 if the expression was evaluated, whatever the result; 1 if it has an error; 2 on a usage
error, or if a file cannot be read.

--format json writes {\"outcome\", \"result\", \"fields\", \"notes\", \"diagnostics\", \"trace\"?}. outcome is match,
no-match, unknown, value, absent, or error. result is true, false, \"unknown\", the value, or null. fields
lists the fields that would decide an unknown result. For diagnostics, see `zonewright check --help`. trace
contains objects {\"start\", \"end\", \"line\", \"column\", \"text\", \"truth\", \"value\"}, in which truth is true,
false, unknown, absent, or not-reached.

--ndjson reads JSON objects from standard input, one per line, and immediately writes one line for each,
in the same order:
  {\"id\"?, \"source\", \"kind\"?, \"phase\"?, \"plan\"?, \"record\", \"missing\"?, \"lists\"?}
  {\"id\", \"result\", \"error\"?}
record is an object of fields with their values, and lists an object of list names with their items.
missing is \"unknown\" or \"absent\". result is true, false, \"unknown\", or the value of a value expression:
null if there is none, {\"base64\": \"…\"} for text that is not UTF-8. For a line that is not such an object,
an expression with errors, or a record with an invalid value, result is null and there is a member
\"error\"; the stream continues. A line can have up to 16 MiB. The exit code is 0 if every line got a
response.";

const FILE_NOT_FOUND: &str = "no such file";

/// Evaluate an expression on a request.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Expression to evaluate.
    #[arg(required_unless_present_any = ["file", "ndjson"])]
    expression: Option<String>,
    /// Read the expression from a file; `-` for standard input.
    #[arg(short, long, value_name = "FILE", conflicts_with = "expression")]
    file: Option<PathBuf>,
    /// File with the request: raw HTTP, curl, HAR, a URL, or fields as JSON; `-` for standard input.
    #[arg(short, long, value_name = "FILE")]
    request: Option<PathBuf>,
    /// Index of the entry in a HAR file, from 0.
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "request",
        value_parser = integer_parser::<usize>(0..=u64::MAX))]
    entry: usize,
    /// Set a field, which overrides the request; repeatable.
    #[arg(long = "field", value_name = "NAME=VALUE")]
    fields: Vec<String>,
    /// Read the items of a named list from a file; repeatable.
    #[arg(long = "list", value_name = "NAME=FILE")]
    lists: Vec<String>,
    /// How to treat fields that are neither set nor in the request.
    #[arg(long, value_parser = missing_value_parser(), default_value = "unknown")]
    missing: MissingPolicy,
    /// Seed of random values.
    #[arg(long, value_name = "NUMBER", value_parser = integer_parser::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Show the result of each condition.
    #[arg(long)]
    trace: bool,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    format: OutputFormat,
    /// Read JSON objects from standard input, one per line, and write one response per line.
    #[arg(long, conflicts_with_all = ["expression", "file", "request", "fields", "lists", "trace", "format"])]
    ndjson: bool,
    #[command(flatten)]
    language: LanguageArgs,
}

pub(super) fn missing_value_parser() -> impl TypedValueParser<Value = MissingPolicy> {
    PossibleValuesParser::new(MissingPolicy::ALL.map(MissingPolicy::name))
        .try_map(|name| MissingPolicy::from_name(&name).ok_or("unknown value"))
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if arguments.ndjson {
        return stream::run(arguments.language, empty_record(arguments));
    }
    match evaluate(arguments) {
        Ok((text, code)) => write_stdout(&text, code),
        Err(error) => {
            print_error(&error);
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
            let source = input::read_source(path, FILE_NOT_FOUND)
                .map_err(|error| format!("{}: {error}", display_name(&name)))?;
            (display_name(&name).to_owned(), source)
        }
        (None, None) => return Err("expected an expression".to_owned()),
    };
    let (record, notes) = build_record(arguments)?;
    let checked = check(&source, &arguments.language.to_options());
    let Some(program) = checked.program else {
        let text = match arguments.format {
            OutputFormat::Text => render_all(&source, &name, &checked.diagnostics, style_for(&std::io::stdout())),
            OutputFormat::Json => output::errors_to_json(&source, &checked.diagnostics, &notes),
        };
        return Ok((text, EXIT_PROBLEMS));
    };
    let trace = program.trace(&record);
    let steps: Vec<output::TraceRow> = trace.steps.iter().map(output::TraceRow::from).collect();
    let steps = arguments.trace.then_some(steps.as_slice());
    let text = match arguments.format {
        OutputFormat::Text => {
            notes.iter().for_each(|note| print_error(&format!("note: {note}")));
            let warnings: Vec<Diagnostic> = checked.diagnostics;
            let rendered = render_all(&source, &name, &warnings, style_for(&std::io::stdout()));
            let gap = if rendered.is_empty() { "" } else { "\n" };
            format!("{rendered}{gap}{}", output::outcome_to_text(&source, &trace.outcome, steps))
        }
        OutputFormat::Json => output::outcome_to_json(&source, &trace.outcome, steps, &checked.diagnostics, &notes),
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
        let result = match field.split_once('=') {
            Some((name, value)) => json::set_field_from_text(name, value, &mut record),
            None => json::set_field(field, &serde_json::Value::Null, &mut record),
        };
        result.map_err(|error| error_to_text("--field", &error))?;
    }
    for list in &arguments.lists {
        let (name, file) = list.split_once('=').ok_or_else(|| format!("--list: expected NAME=FILE, found `{list}`"))?;
        let name = parse_list_name(name).map_err(|error| error_to_text("--list", &error))?;
        if record.list(name).is_some() {
            return Err(error_to_text("--list", &duplicate_list_error(name)));
        }
        let items = read_list_items(Path::new(file)).map_err(|error| format!("{file}: {error}"))?;
        record.set_list(name, parse_list_items(name, &items).map_err(|error| error_to_text(file, &error))?);
    }
    let mut notes = Vec::new();
    if let Some(path) = &arguments.request {
        let name = path.to_string_lossy();
        let bytes = input::read_bytes(path, har::MAX_BYTES, FILE_NOT_FOUND)
            .map_err(|error| format!("{}: {error}", display_name(&name)))?;
        if arguments.entry > 0 && detect_format(&bytes) != Some(InputFormat::Har) {
            return Err(format!("{}: --entry needs a HAR file", display_name(&name)));
        }
        let new_notes = if arguments.entry > 0 {
            let text = String::from_utf8_lossy(&bytes);
            har::read_entry(&text, arguments.entry).map(|request| request.write_fields(&mut record))
        } else {
            read_input(&bytes, &mut record).map(|reading| reading.notes)
        };
        notes = new_notes.map_err(|error| error_to_text(display_name(&name), &error))?;
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

fn error_to_text(location: &str, error: &zonewright_request::Error) -> String {
    let help = error.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
    format!("{location}: {error}{help}")
}
