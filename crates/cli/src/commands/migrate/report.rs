//! `zonewright migrate report`: a plan as a paper.

use super::{CONFIGURATION, Of};
use crate::output::{Format, VALID, finish};
use clap::{Args, ValueEnum};
use std::process::ExitCode;
use zonewright_migration::{ReportFormat, plan, report};

const AFTER_HELP: &str = "\
The HTML is one file that needs nothing else, for the screen and for paper. `zonewright migrate plan --format json` \
writes the same for programs.

Exit code: 0 when it was written, 1 when the configuration has a mistake, 2 when the command was called wrongly or \
the file could not be read.";

/// Write the plan as a paper.
#[derive(Args)]
#[command(after_long_help = format!("{CONFIGURATION}\n\n{AFTER_HELP}"))]
pub(crate) struct Arguments {
    #[command(flatten)]
    of: Of,
    /// How the paper is written.
    #[arg(long, value_enum, default_value = "markdown")]
    format: Paper,
}

#[derive(Clone, Copy, ValueEnum)]
enum Paper {
    /// Markdown.
    Markdown,
    /// One HTML file.
    Html,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let config = match arguments.of.read(Format::Text) {
        Ok(config) => config,
        Err(code) => return code,
    };
    let format = match arguments.format {
        Paper::Markdown => ReportFormat::Markdown,
        Paper::Html => ReportFormat::Html,
    };
    finish(&report(&config, &plan(&config), format), VALID)
}
