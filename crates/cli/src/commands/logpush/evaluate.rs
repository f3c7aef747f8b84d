//! `zonewright logpush evaluate`: evaluates a filter for a log line.

use super::{DatasetArgs, read_filter};
use crate::commands::evaluate::output;
use crate::input;
use crate::json::to_json_line;
use crate::output::{EXIT_OK, EXIT_PROBLEMS, EXIT_USAGE, OutputFormat, print_error, style_for, write_stdout};
use crate::request::missing_value_parser;
use crate::stream::{self, LineError, Members};
use clap::Args;
use serde::Serialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;
use std::path::PathBuf;
use std::process::ExitCode;
use zonewright_diagnostic::{position_at, render_all};
use zonewright_expression::MissingPolicy;
use zonewright_logpush::{Dataset, Options, Program, TraceStep, check};

const AFTER_HELP: &str = "\
A filter is passed in the command itself, where it starts with `{`, or in a file. A field that the line does \
not have has the zero value of its type (\"\", 0, false, []), as in a job. With --missing unknown, it is \
unknown, and then the result may be unknown too.

Exit code: 0 if the filter was evaluated, whatever the result; 1 if it has an error; 2 on a usage error, if a \
file cannot be read, or if the line is invalid.

--format json writes the object that `zonewright evaluate --format json` writes.

--ndjson reads JSON objects from standard input, one per line, and writes one line for each:
  {\"id\"?, \"source\", \"dataset\"?, \"line\", \"missing\"?}
  {\"id\", \"result\", \"error\"?}
line is a log line: an object, or its text as a string. missing is \"absent\" or \"unknown\". result is \
true, false, or \"unknown\", or null with an error. The option --dataset supplies the dataset if it is \
missing or null. A line can have up to 16 MiB. The exit code is 0 if every line got a response.";

/// Evaluate a filter on a log line.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Filter, or a file that contains it.
    #[arg(required_unless_present = "ndjson")]
    filter: Option<String>,
    /// File with the log line; `-` for standard input.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    line: PathBuf,
    /// How to treat fields that the line does not have.
    #[arg(long, value_parser = missing_value_parser(), default_value = "absent")]
    missing: MissingPolicy,
    /// Show the result of each condition.
    #[arg(long)]
    trace: bool,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    format: OutputFormat,
    /// Read JSON objects from standard input, one per line, and write one response per line.
    #[arg(long, conflicts_with_all = ["filter", "line", "trace", "format"])]
    ndjson: bool,
    #[command(flatten)]
    dataset_args: DatasetArgs,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let Some(argument) = &arguments.filter else { return run_stream(arguments) };
    match evaluate(arguments, argument) {
        Ok((text, code)) => write_stdout(&text, code),
        Err(error) => {
            print_error(&error);
            ExitCode::from(EXIT_USAGE)
        }
    }
}

fn evaluate(arguments: &Arguments, argument: &str) -> Result<(String, u8), String> {
    let (name, source) = read_filter(argument)?;
    if argument == "-" && arguments.line.as_os_str() == "-" {
        return Err("the filter and the line cannot both be read from standard input".to_owned());
    }
    let checked = check(&source, &arguments.dataset_args.to_options());
    let Some(program) = checked.program else {
        let text = match arguments.format {
            OutputFormat::Text => render_all(&source, &name, &checked.diagnostics, style_for(&std::io::stdout())),
            OutputFormat::Json => output::errors_to_json(&source, &checked.diagnostics, &[]),
        };
        return Ok((text, EXIT_PROBLEMS));
    };
    let file = arguments.line.to_string_lossy();
    let file = input::display_name(&file);
    let line = input::read_bytes(&arguments.line, input::MAX_INPUT_BYTES, "no such file")
        .map_err(|error| format!("{file}: {error}"))?;
    let trace = program.trace(&line, arguments.missing).map_err(|error| line_error_to_text(file, &line, &error))?;
    let steps: Vec<output::TraceRow> = trace.steps.iter().map(to_trace_row).collect();
    let steps = arguments.trace.then_some(steps.as_slice());
    let text = match arguments.format {
        OutputFormat::Text => output::outcome_to_text(&source, &trace.outcome, steps),
        OutputFormat::Json => output::outcome_to_json(&source, &trace.outcome, steps, &checked.diagnostics, &[]),
    };
    Ok((text, EXIT_OK))
}

/// Formats the error of a log line, which may span several lines of its file.
fn line_error_to_text(file: &str, line: &[u8], error: &zonewright_logpush::LineError) -> String {
    if error.column().is_none() {
        return format!("{file}: {}", error.message);
    }
    let position = position_at(&String::from_utf8_lossy(line), error.offset);
    format!("{file}: line {}, column {}: {}", position.line, position.column, error.message)
}

fn to_trace_row(step: &TraceStep) -> output::TraceRow {
    let value = step.value.as_deref().and_then(|text| serde_json::from_str(text).ok());
    output::TraceRow { span: step.span, truth: step.truth, value }
}

const KNOWN_MEMBERS: [&str; 5] = ["id", "source", "dataset", "line", "missing"];

#[derive(Serialize)]
struct StreamResponse<'a> {
    id: Option<&'a RawValue>,
    result: Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The compiled filter of the previous line, because most streams evaluate one filter on many lines.
type CachedProgram = Option<(String, &'static Dataset, Result<Program, String>)>;

fn run_stream(arguments: &Arguments) -> ExitCode {
    let mut cached: CachedProgram = None;
    stream::run(
        |line, members| answer_line(line, members, arguments, &mut cached),
        |id, error| to_json_line(&StreamResponse { id, result: Json::Null, error: Some(error) }),
    )
}

fn answer_line(
    line: &[u8],
    members: &Members<'_>,
    arguments: &Arguments,
    cached: &mut CachedProgram,
) -> Result<String, LineError> {
    stream::reject_unknown_members(members, &KNOWN_MEMBERS)?;
    let source = stream::read_source_member(line, members)?;
    let dataset = stream::read_dataset_member(line, members)?.unwrap_or(arguments.dataset_args.dataset);
    let missing = stream::read_missing_member(line, members)?.unwrap_or(arguments.missing);
    let log_line = read_log_line(line, members)?;
    if cached.as_ref().is_none_or(|(text, cached_dataset, _)| *text != source || *cached_dataset != dataset) {
        let checked = check(&source, &Options { dataset, ..Options::default() });
        let program = checked.program.ok_or_else(|| stream::format_first_error(&source, &checked.diagnostics));
        *cached = Some((source, dataset, program));
    }
    let (result, error) = match cached {
        Some((_, _, Ok(program))) => match program.evaluate(log_line.as_bytes(), missing) {
            Ok(outcome) => (output::result_to_json(&outcome), None),
            Err(error) => (Json::Null, Some(format!("`line`: {error}"))),
        },
        Some((_, _, Err(error))) => (Json::Null, Some(error.clone())),
        None => (Json::Null, None),
    };
    Ok(to_json_line(&StreamResponse { id: members.get("id").copied(), result, error }))
}

/// Reads the member `line`: the raw JSON of an object, or the text of a string.
fn read_log_line(line: &[u8], members: &Members<'_>) -> Result<String, LineError> {
    match members.get("line").map(|raw| raw.get()) {
        Some(raw) if raw.starts_with('"') => Ok(stream::read_text_member(line, members, "line")?.unwrap_or_default()),
        Some(raw) if raw.starts_with('{') => Ok(raw.to_owned()),
        Some(_) => Err(LineError::new("`line` must be an object or a string")),
        None => Err(LineError::new("`line` is missing")),
    }
}
