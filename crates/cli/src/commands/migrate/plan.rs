//! `zonewright migrate plan`: writes the findings of every setting and the new configuration.

use super::{CONFIGURATION_HELP, ConfigArgs, findings_to_text, missing_sections_to_text, warnings_to_text};
use crate::json::to_pretty_json;
use crate::output::{EXIT_OK, EXIT_PROBLEMS, OutputFormat, write_stdout};
use clap::Args;
use serde::Serialize;
use std::process::ExitCode;
use zonewright_api::finding::{Finding, FindingOutcome};
use zonewright_api::ruleset::EntryPoint;
use zonewright_expression::schema::Tier;
use zonewright_migration::{MigrationPhase, ValidationWarning, check_eligibility, plan};

const AFTER_HELP: &str = "\
Exit code: 0 if the zone can migrate; 1 if it cannot, or needs the provider's support; 2 on a usage error, or if \
the file cannot be read or the configuration has errors.

--format json writes {\"compatible\", \"ruleset\", \"findings\": [{\"outcome\", \"code\", \"setting\", \"name\", \"message\", \
\"help\"?, \"targets\"?, \"draft\"?}], \"warnings\": [{\"pointer\", \"message\"}]}. There is one finding for each setting. \
setting is a JSON pointer to it, and targets contains pointers into the ruleset. outcome is carried, changed, lost, \
blocked, needs-support, or unaffected. warnings name the managed rules and categories of the current entry point that \
the catalog of this version does not list; they do not change the exit code. If the configuration has errors, the \
output is {\"errors\": [{\"pointer\", \"message\"}]}.";

/// Show what happens to each setting, and write the new configuration.
#[derive(Args)]
#[command(after_long_help = format!("{CONFIGURATION_HELP}\n\n{AFTER_HELP}"))]
pub(crate) struct Arguments {
    #[command(flatten)]
    config_args: ConfigArgs,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    format: OutputFormat,
}

/// The JSON output of `plan`, `check` and `report`.
#[derive(Serialize)]
pub(super) struct PlanOutput<'a> {
    pub(super) compatible: bool,
    pub(super) ruleset: &'a EntryPoint,
    pub(super) findings: &'a [Finding],
    pub(super) warnings: &'a [ValidationWarning],
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let config = match arguments.config_args.read_config(arguments.format) {
        Ok(config) => config,
        Err(code) => return code,
    };
    let plan = plan(&config);
    let compatible = check_eligibility(&config, MigrationPhase::Two).is_empty();
    let needs_support = plan.findings.iter().any(|finding| finding.outcome == FindingOutcome::NeedsSupport);
    let text = match arguments.format {
        OutputFormat::Json => to_pretty_json(&PlanOutput {
            compatible,
            ruleset: &plan.entry_point,
            findings: &plan.findings,
            warnings: &plan.warnings,
        }),
        OutputFormat::Text => {
            let sections = findings_to_text(&plan.findings)
                + &warnings_to_text(&plan.warnings)
                + &missing_sections_to_text(&config);
            let gap = if config.missing_sections.is_empty() || config.tier == Tier::Free { "" } else { "\n" };
            format!("{sections}{gap}New configuration:\n{}", to_pretty_json(&plan.entry_point))
        }
    };
    write_stdout(&text, if compatible && !needs_support { EXIT_OK } else { EXIT_PROBLEMS })
}
