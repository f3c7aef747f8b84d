//! `zonewright evaluate`: evaluates an expression for a request.

pub(super) mod output;
mod stream;

use crate::input::{self, display_name};
use crate::language::LanguageArgs;
use crate::output::{EXIT_OK, EXIT_PROBLEMS, EXIT_USAGE, OutputFormat, print_error, style_for, write_stdout};
use crate::request::RequestArgs;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use zonewright_diagnostic::{Diagnostic, render_all};
use zonewright_expression::check;

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
    #[command(flatten)]
    request: RequestArgs,
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

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if arguments.ndjson {
        return stream::run(arguments.language, arguments.request.to_empty_record());
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
    let is_stdin = arguments.file.as_ref().is_some_and(|path| path.as_os_str() == "-");
    if is_stdin && arguments.request.is_stdin() {
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
    let (record, notes) = arguments.request.read_record()?;
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
