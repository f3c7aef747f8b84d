//! `zonewright migrate report`: writes a plan as a report.

use super::plan::PlanOutput;
use super::{CONFIGURATION_HELP, ConfigArgs};
use crate::json::to_pretty_json;
use crate::output::{EXIT_OK, OutputFormat, write_stdout};
use clap::{Args, ValueEnum};
use std::process::ExitCode;
use zonewright_migration::{MigrationPhase, Plan, ReportFormat, check_eligibility, plan, render_report};

const AFTER_HELP: &str = "\
The HTML report is one self-contained file for screen and print. The JSON is that of \
`zonewright migrate plan --format json`.

Exit code: 0 if the report was written; 2 on a usage error, or if the file cannot be read or the configuration has \
errors.";

/// Write the plan as a report.
#[derive(Args)]
#[command(after_long_help = format!("{CONFIGURATION_HELP}\n\n{AFTER_HELP}"))]
pub(crate) struct Arguments {
    #[command(flatten)]
    config_args: ConfigArgs,
    /// Format of the report.
    #[arg(long, value_enum, default_value = "markdown")]
    format: ReportFormatArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportFormatArg {
    /// Markdown.
    Markdown,
    /// One HTML file.
    Html,
    /// The output of `zonewright migrate plan --format json`.
    Json,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let error_format = if arguments.format == ReportFormatArg::Json { OutputFormat::Json } else { OutputFormat::Text };
    let config = match arguments.config_args.read_config(error_format) {
        Ok(config) => config,
        Err(code) => return code,
    };
    let plan = plan(&config);
    let text = match arguments.format {
        ReportFormatArg::Markdown => render_report(&config, &plan, ReportFormat::Markdown),
        ReportFormatArg::Html => render_report(&config, &plan, ReportFormat::Html),
        ReportFormatArg::Json => {
            let compatible = check_eligibility(&config, MigrationPhase::Two).is_empty();
            let Plan { entry_point, findings, warnings } = &plan;
            to_pretty_json(&PlanOutput { compatible, ruleset: entry_point, findings, warnings })
        }
    };
    write_stdout(&text, EXIT_OK)
}
