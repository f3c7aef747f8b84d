//! `zonewright logpush format`: formats filters in place.

use crate::commands::format::format_files;
use crate::integer::integer_parser;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;
use zonewright_logpush::{FormatOptions, FormatStyle, format};

const AFTER_HELP: &str = "\
Each file contains one filter, its JSON object or the escaped string in a job, and is rewritten in place, \
unless it is already formatted. Formatted standard input is written to standard output. A line break at the end is \
preserved, and none is added. Keys, operators, and values are not checked.

Exit code: 0 on success; 1 if a filter has a syntax error (it is not changed, and the errors are reported on \
standard error), or if --check finds a file that is not formatted; 2 on a usage error, or if a file cannot be \
read or written (the other files are still formatted).";

/// Format filters in place.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files with one filter each; `-` or no file formats standard input.
    files: Vec<PathBuf>,
    /// Change nothing; list the files that would change.
    #[arg(long)]
    check: bool,
    /// Style of the filter.
    #[arg(long, value_enum, default_value = "pretty")]
    style: Style,
    /// Maximum line length in characters in the pretty style; parts that cannot be broken may be longer.
    #[arg(long, default_value_t = FormatOptions::default().width, value_parser = integer_parser::<usize>(0..=u64::MAX))]
    width: usize,
}

/// The style of a filter.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Style {
    /// Easy to read.
    Pretty,
    /// The fewest bytes.
    Compact,
    /// The compact text as a JSON string, as in the JSON of a job.
    Escaped,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let style = match arguments.style {
        Style::Pretty => FormatStyle::Pretty,
        Style::Compact => FormatStyle::Compact,
        Style::Escaped => FormatStyle::Escaped,
    };
    let options = FormatOptions { style, width: arguments.width };
    format_files(&arguments.files, arguments.check, |source| {
        let formatted = format(source, &options);
        formatted.text.ok_or(formatted.diagnostics)
    })
}
