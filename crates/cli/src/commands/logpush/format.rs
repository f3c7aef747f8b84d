//! `zonewright logpush format`: formats filters in place.

use crate::commands::format::format_files;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;
use zonewright_logpush::{FormatOptions, Style, format};

const AFTER_HELP: &str = "\
Each file holds one filter, its JSON object or the escaped string that a job holds, and is rewritten in \
place, unless it is in the form already; standard input is written to standard output. A line break at \
the end is kept, and none is added. Keys, operators and values are not checked.

Exit code: 0 when all was done, 1 when the syntax of a filter is wrong (it is left alone, and the problems \
are drawn on standard error) or when --check finds a file in another form, 2 when the command was called \
wrongly or a file could not be read or written (the other files are still formatted).";

/// Lay filters out anew, in place.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files with one filter each; `-` or none for standard input.
    files: Vec<PathBuf>,
    /// Change nothing, and name the files that would be changed.
    #[arg(long)]
    check: bool,
    /// How the filter is laid out.
    #[arg(long, value_enum, default_value = "pretty")]
    style: Layout,
    /// Longest line in characters, where the filter can be broken (pretty style).
    #[arg(long, default_value_t = FormatOptions::default().width)]
    width: usize,
}

/// How the filter is laid out.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Layout {
    /// For reading.
    Pretty,
    /// The fewest bytes, as a job sends it.
    Compact,
    /// The compact text as a JSON string, as it stands in the JSON of a job.
    Escaped,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let style = match arguments.style {
        Layout::Pretty => Style::Pretty,
        Layout::Compact => Style::Compact,
        Layout::Escaped => Style::Escaped,
    };
    let options = FormatOptions { style, width: arguments.width };
    format_files(&arguments.files, arguments.check, |source| {
        let formatted = format(source, &options);
        formatted.text.ok_or(formatted.diagnostics)
    })
}
