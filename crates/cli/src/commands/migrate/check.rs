//! `zonewright migrate check`: reports whether a zone can migrate.

use super::plan::Answer;
use super::{CONFIGURATION, Of, told, unchecked};
use crate::json::pretty;
use crate::output::{Format, PROBLEMS, VALID, finish};
use clap::Args;
use std::process::ExitCode;
use zonewright_migration::{Phase, Plan, eligibility, plan, support, warnings};

const AFTER_HELP: &str = "\
Exit code: 0 when the zone can migrate, 1 when it cannot or needs the provider's support, 2 when the command was \
called wrongly, the file could not be read or the configuration has a mistake.

--format json writes {\"compatible\", \"ruleset\", \"findings\", \"warnings\"} as `zonewright migrate plan` does, with those \
findings alone that are in the way or need support.";

/// Say whether the zone can migrate, and what is in the way.
#[derive(Args)]
#[command(after_long_help = format!("{CONFIGURATION}\n\n{AFTER_HELP}"))]
pub(crate) struct Arguments {
    #[command(flatten)]
    of: Of,
    /// Ask for the first phase, in which fewer zones can migrate.
    #[arg(long)]
    phase_one: bool,
    /// How the answer is written.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let config = match arguments.of.read(arguments.format) {
        Ok(config) => config,
        Err(code) => return code,
    };
    let mut findings = eligibility(&config, if arguments.phase_one { Phase::One } else { Phase::Two });
    let compatible = findings.is_empty();
    findings.extend(support(&config));
    let code = if findings.is_empty() { VALID } else { PROBLEMS };
    let verdict = match (findings.is_empty(), compatible) {
        (true, _) => "The zone can migrate.",
        (_, true) => "The zone can migrate with the help of support.",
        (_, false) => "The zone cannot migrate yet.",
    };
    let text = match arguments.format {
        Format::Json => {
            let Plan { entry_point, warnings, .. } = plan(&config);
            pretty(&Answer { compatible, ruleset: &entry_point, findings: &findings, warnings: &warnings })
        }
        Format::Text => {
            let sections = told(&findings) + &unchecked(&warnings(&config));
            let gap = if sections.is_empty() { "" } else { "\n" };
            format!("{verdict}\n{gap}{sections}")
        }
    };
    finish(&text, code)
}
