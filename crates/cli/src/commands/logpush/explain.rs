//! `zonewright logpush explain`: explains filters in English.

use super::DatasetArgs;
use crate::commands::explain::explain_files;
use crate::output::OutputFormat;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use zonewright_logpush::explain;

const AFTER_HELP: &str = "\
Each file contains one filter: its JSON object, or the escaped string in a job. The exit codes and \
--format json are those of `zonewright explain`.";

/// Explain filters in plain English.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files with one filter each; `-` or no file reads standard input.
    files: Vec<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    format: OutputFormat,
    #[command(flatten)]
    dataset_args: DatasetArgs,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let options = arguments.dataset_args.to_options();
    explain_files(&arguments.files, arguments.format, |source| explain(source, &options))
}
