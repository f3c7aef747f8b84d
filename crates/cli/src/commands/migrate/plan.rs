//! `zonewright migrate plan`: what becomes of every setting, and the new configuration.

use super::{CONFIGURATION, Of, told};
use crate::json::pretty;
use crate::output::{Format, PROBLEMS, VALID, finish};
use clap::Args;
use serde::Serialize;
use std::process::ExitCode;
use zonewright_api::finding::{Fate, Finding};
use zonewright_api::ruleset::EntryPoint;
use zonewright_migration::{Phase, eligibility, plan};

const AFTER_HELP: &str = "\
Exit code: 0 when the zone can migrate, 1 when it cannot, needs the provider's support or its configuration has \
a mistake, 2 when the command was called wrongly or the file could not be read.

--format json writes {\"compatible\", \"ruleset\", \"findings\": [{\"fate\", \"code\", \"setting\", \"name\", \"message\", \
\"help\"?, \"became\"?, \"draft\"?}]}: one finding for every setting, with JSON pointers to it (setting) and into the \
ruleset (became). fate is carried, changed, lost, blocked, needs-support or unaffected. A configuration with \
mistakes gives {\"errors\": [{\"pointer\", \"message\"}]}.";

/// Say what becomes of every setting, and write the new configuration.
#[derive(Args)]
#[command(after_long_help = format!("{CONFIGURATION}\n\n{AFTER_HELP}"))]
pub(crate) struct Arguments {
    #[command(flatten)]
    of: Of,
    /// How the answer is written.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// What `plan`, `check` and `report` write for programs.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    pub(super) compatible: bool,
    pub(super) ruleset: &'a EntryPoint,
    pub(super) findings: &'a [Finding],
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let config = match arguments.of.read(arguments.format) {
        Ok(config) => config,
        Err(code) => return code,
    };
    let plan = plan(&config);
    let compatible = eligibility(&config, Phase::Two).is_empty();
    let needs_support = plan.findings.iter().any(|finding| finding.fate == Fate::NeedsSupport);
    let text = match arguments.format {
        Format::Json => pretty(&Answer { compatible, ruleset: &plan.entry_point, findings: &plan.findings }),
        Format::Text => format!("{}New configuration:\n{}", told(&plan.findings), pretty(&plan.entry_point)),
    };
    finish(&text, if compatible && !needs_support { VALID } else { PROBLEMS })
}
