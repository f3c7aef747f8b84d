//! `zonewright migrate check`: whether a zone can migrate.

use super::plan::Answer;
use super::{CONFIGURATION, Of, told};
use crate::json::pretty;
use crate::output::{Format, PROBLEMS, VALID, finish};
use clap::Args;
use std::process::ExitCode;
use zonewright_migration::{Phase, eligibility, plan, support};

const AFTER_HELP: &str = "\
Exit code: 0 when the zone can migrate, 1 when it cannot, needs the provider's support or its configuration has \
a mistake, 2 when the command was called wrongly or the file could not be read.

--format json writes {\"compatible\", \"ruleset\", \"findings\"} as `zonewright migrate plan` does, with those \
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
    let text = match arguments.format {
        Format::Json => pretty(&Answer { compatible, ruleset: &plan(&config).entry_point, findings: &findings }),
        Format::Text if findings.is_empty() => "The zone can migrate.\n".to_owned(),
        Format::Text if compatible => format!("The zone can migrate with the help of support.\n\n{}", told(&findings)),
        Format::Text => format!("The zone cannot migrate yet.\n\n{}", told(&findings)),
    };
    finish(&text, code)
}
