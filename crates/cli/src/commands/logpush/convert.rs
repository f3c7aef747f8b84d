//! `zonewright logpush convert`: converts a filter to an expression of the Rules language, or the reverse.

use super::{DatasetArgs, read_filter};
use crate::json::to_pretty_json;
use crate::output::{
    EXIT_OK, EXIT_PROBLEMS, EXIT_USAGE, OutputFormat, print_error, print_stderr, style_for, write_stdout,
};
use clap::Args;
use serde::Serialize;
use std::io;
use std::process::ExitCode;
use zonewright_diagnostic::{Diagnostic, Positions, render_all};
use zonewright_logpush::{Conversion, check, from_expression, to_expression};

const AFTER_HELP: &str = "\
Text that starts as JSON is a filter and is converted to an expression. Any other text is an expression and is \
converted to a filter of the dataset. Instead of the text, you can pass the name of a file, or `-` for standard \
input. A single word that is neither a file nor an expression is treated as a missing file.

The conversion never changes the meaning. Parts that cannot be converted are reported on standard error with \
their positions, and nothing is written to standard output.

Exit code: 0 if the text was converted; 1 if it has an error or cannot be converted; 2 on a usage error, or if \
a file cannot be read.

--format json writes {\"text\", \"losses\": [{\"message\", \"start\", \"end\", \"line\", \"column\"}], \"ok\"}. text is null \
if the text cannot be converted. start and end are byte offsets.";

/// Convert a filter to an expression of the Rules language, or the reverse.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Filter or expression, or a file that contains it; `-` for standard input.
    text: String,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    format: OutputFormat,
    #[command(flatten)]
    dataset_args: DatasetArgs,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let path = std::path::Path::new(&arguments.text);
    let is_file = arguments.text == "-" || path.exists();
    let read = if is_file { read_filter(&arguments.text) } else { Ok(("<text>".to_owned(), arguments.text.clone())) };
    let (name, source) = match read {
        Ok(read) => read,
        Err(error) => {
            print_error(&error);
            return ExitCode::from(EXIT_USAGE);
        }
    };
    match convert(&source, arguments.dataset_args) {
        Ok(conversion) => {
            let code = if conversion.text.is_some() { EXIT_OK } else { EXIT_PROBLEMS };
            write_stdout(&conversion_to_text(&source, &conversion, arguments.format), code)
        }
        Err(diagnostics) => {
            print_stderr(&render_all(&source, &name, &diagnostics, style_for(&io::stderr())));
            if is_file || !looks_like_path(&source) {
                return ExitCode::from(EXIT_PROBLEMS);
            }
            print_error(&format!("{source}: no such file, and not an expression"));
            ExitCode::from(EXIT_USAGE)
        }
    }
}

/// Returns whether an invalid expression may have been meant as a file name: a single word without the quotes,
/// parentheses and operators of expressions and filters.
fn looks_like_path(text: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || "._-/\\:~".contains(letter);
    !text.is_empty() && text.chars().all(is_part)
}

fn convert(source: &str, dataset_args: DatasetArgs) -> Result<Conversion, Vec<Diagnostic>> {
    if source.trim_start().starts_with(['{', '[', '"']) {
        let checked = check(source, &dataset_args.to_options());
        return checked.program.map(|program| to_expression(&program)).ok_or(checked.diagnostics);
    }
    let checked = zonewright_expression::check(source, &zonewright_expression::Options::default());
    checked.program.map(|program| from_expression(&program, dataset_args.dataset)).ok_or(checked.diagnostics)
}

#[derive(Serialize)]
struct ConversionOutput<'a> {
    ok: bool,
    text: Option<&'a str>,
    losses: Vec<LossOutput<'a>>,
}

#[derive(Serialize)]
struct LossOutput<'a> {
    message: &'a str,
    start: usize,
    end: usize,
    line: usize,
    column: usize,
}

/// Formats a conversion. In the text format, reports its losses on standard error.
fn conversion_to_text(source: &str, conversion: &Conversion, format: OutputFormat) -> String {
    let mut positions = Positions::new(source);
    let mut losses: Vec<LossOutput<'_>> = Vec::new();
    for loss in &conversion.losses {
        let position = positions.position_at(loss.span.start);
        let (start, end) = (loss.span.start, loss.span.end);
        losses.push(LossOutput { message: &loss.message, start, end, line: position.line, column: position.column });
    }
    if format == OutputFormat::Json {
        return to_pretty_json(&ConversionOutput {
            ok: conversion.text.is_some(),
            text: conversion.text.as_deref(),
            losses,
        });
    }
    for loss in &losses {
        print_error(&format!("line {}, column {}: {}", loss.line, loss.column, loss.message));
    }
    conversion.text.as_ref().map_or(String::new(), |text| format!("{text}\n"))
}
