//! `zonewright migrate check`: reports whether a zone can migrate.

use super::plan::PlanOutput;
use super::{CONFIGURATION_HELP, ConfigArgs, findings_to_text, missing_sections_to_text, warnings_to_text};
use crate::json::to_pretty_json;
use crate::output::{EXIT_OK, EXIT_PROBLEMS, OutputFormat, write_stdout};
use clap::Args;
use std::process::ExitCode;
use zonewright_expression::schema::Tier;
use zonewright_migration::{MigrationPhase, Plan, check_eligibility, entry_point_warnings, plan, support_findings};

const AFTER_HELP: &str = "\
Exit code: 0 if the zone can migrate; 1 if it cannot, or needs the provider's support; 2 on a usage error, or if \
the file cannot be read or the configuration has errors.

--format json writes {\"compatible\", \"ruleset\", \"findings\", \"warnings\"} like `zonewright migrate plan`, but only \
the findings that block the migration or need support.";

/// Check whether the zone can migrate, and list what blocks it.
#[derive(Args)]
#[command(after_long_help = format!("{CONFIGURATION_HELP}\n\n{AFTER_HELP}"))]
pub(crate) struct Arguments {
    #[command(flatten)]
    config_args: ConfigArgs,
    /// Check for the first phase, in which fewer zones can migrate.
    #[arg(long)]
    phase_one: bool,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    format: OutputFormat,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let config = match arguments.config_args.read_config(arguments.format) {
        Ok(config) => config,
        Err(code) => return code,
    };
    let mut findings =
        check_eligibility(&config, if arguments.phase_one { MigrationPhase::One } else { MigrationPhase::Two });
    let compatible = findings.is_empty();
    findings.extend(support_findings(&config));
    let code = if findings.is_empty() { EXIT_OK } else { EXIT_PROBLEMS };
    let verdict = match (findings.is_empty(), compatible) {
        (true, _) => "The zone can migrate.",
        (_, true) => "The zone can migrate with help from support.",
        (_, false) if config.tier == Tier::Free => "The zone cannot migrate.",
        (_, false) => "The zone cannot migrate yet.",
    };
    let text = match arguments.format {
        OutputFormat::Json => {
            let Plan { entry_point, warnings, .. } = plan(&config);
            to_pretty_json(&PlanOutput { compatible, ruleset: &entry_point, findings: &findings, warnings: &warnings })
        }
        OutputFormat::Text => {
            let sections = findings_to_text(&findings)
                + &warnings_to_text(&entry_point_warnings(&config))
                + &missing_sections_to_text(&config);
            let gap = if sections.is_empty() { "" } else { "\n" };
            format!("{verdict}\n{gap}{sections}")
        }
    };
    write_stdout(&text, code)
}
