//! `zonewright migrate report`: writes a plan as a report.

use super::plan::Answer;
use super::{CONFIGURATION, Of};
use crate::json::pretty;
use crate::output::{Format, VALID, finish};
use clap::{Args, ValueEnum};
use std::process::ExitCode;
use zonewright_migration::{Phase, Plan, ReportFormat, eligibility, plan, report};

const AFTER_HELP: &str = "\
The HTML is one file that needs nothing else, for the screen and for paper; the JSON is that of \
`zonewright migrate plan --format json`.

Exit code: 0 when it was written, 2 when the command was called wrongly, the file could not be read or the \
configuration has a mistake.";

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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Paper {
    /// Markdown.
    Markdown,
    /// One HTML file.
    Html,
    /// What `zonewright migrate plan` writes for programs.
    Json,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let reading = if arguments.format == Paper::Json { Format::Json } else { Format::Text };
    let config = match arguments.of.read(reading) {
        Ok(config) => config,
        Err(code) => return code,
    };
    let plan = plan(&config);
    let text = match arguments.format {
        Paper::Markdown => report(&config, &plan, ReportFormat::Markdown),
        Paper::Html => report(&config, &plan, ReportFormat::Html),
        Paper::Json => {
            let compatible = eligibility(&config, Phase::Two).is_empty();
            let Plan { entry_point, findings, warnings } = &plan;
            pretty(&Answer { compatible, ruleset: entry_point, findings, warnings })
        }
    };
    finish(&text, VALID)
}
