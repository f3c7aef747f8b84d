//! `zonewright migrate`: plans the migration from the previous managed rules of a zone to ruleset-based ones.

mod check;
mod convert;
mod plan;
mod report;

use crate::input::{display_name, read_text};
use crate::json::to_pretty_json;
use crate::language::plan_parser;
use crate::output::{EXIT_USAGE, OutputFormat, print_error, validation_error_to_text, write_stdout};
use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use zonewright_api::finding::{Finding, FindingOutcome};
use zonewright_api::{ValidationError, ValidationWarning, json};
use zonewright_diagnostic::pluralize;
use zonewright_expression::schema::Tier;
use zonewright_migration::{OUTCOME_HEADINGS, ZoneConfig, read_config};

const CONFIGURATION_HELP: &str = "\
The configuration is one JSON object. Its members contain responses of the service, as arrays or as whole \
envelopes: zone, settings (of waf), packages, groups, rules, overrides, firewall_rules, page_rules, and \
entry_point. The member plan is the name of the zone's plan. Missing members are assumed to be empty or to have \
default values, and the findings say so.";

const MISSING_CONFIG: &str = "no such file; name a file with the configuration of the zone";

/// The subcommands of `migrate`.
#[derive(Subcommand)]
pub(crate) enum MigrateCommand {
    /// Show what happens to each setting, and write the new configuration.
    Plan(plan::Arguments),
    /// Check whether the zone can migrate, and list what blocks it.
    Check(check::Arguments),
    /// Write the plan as a report.
    Report(report::Arguments),
    /// Convert firewall rules to custom rules of a ruleset.
    Convert(convert::Arguments),
}

impl MigrateCommand {
    /// Runs the subcommand and returns the exit code of the process.
    pub(crate) fn run(self) -> ExitCode {
        match self {
            MigrateCommand::Plan(arguments) => plan::run(&arguments),
            MigrateCommand::Check(arguments) => check::run(&arguments),
            MigrateCommand::Report(arguments) => report::run(&arguments),
            MigrateCommand::Convert(arguments) => convert::run(&arguments),
        }
    }
}

/// The configuration of a zone.
#[derive(Args)]
struct ConfigArgs {
    /// File with the configuration of the zone; `-` for standard input.
    file: PathBuf,
    /// Plan of the zone; overrides the plan in the file.
    #[arg(long, value_parser = plan_parser())]
    plan: Option<Tier>,
}

impl ConfigArgs {
    /// Reads the configuration, or reports its errors and returns the exit code.
    fn read_config(&self, format: OutputFormat) -> Result<ZoneConfig, ExitCode> {
        let mut document = read_json(&self.file, MISSING_CONFIG, format)?;
        if let (Some(tier), Value::Object(members)) = (self.plan, &mut document) {
            members.insert("plan".to_owned(), tier.name().into());
        }
        read_config(&document).map_err(|rejections| report_errors(&self.file, &rejections, format))
    }
}

/// Reads the JSON of a file, or reports its errors and returns the exit code. `missing` is the error for a missing
/// file.
fn read_json(file: &Path, missing: &str, format: OutputFormat) -> Result<Value, ExitCode> {
    let text = read_text(file, missing).map_err(|error| {
        print_error(&format!("{}: {error}", display_name(&file.to_string_lossy())));
        ExitCode::from(EXIT_USAGE)
    })?;
    json::parse(&text).map_err(|error| report_errors(file, &[error.to_validation_error()], format))
}

/// One reason why a file cannot be used.
#[derive(Serialize)]
struct InputError<'a> {
    pointer: &'a str,
    message: &'a str,
}

impl<'a> InputError<'a> {
    fn new(rejection: &'a ValidationError) -> Self {
        InputError { pointer: &rejection.pointer, message: &rejection.message }
    }
}

#[derive(Serialize)]
struct InputErrors<'a> {
    errors: Vec<InputError<'a>>,
}

/// Writes errors as JSON to standard output, or as text to standard error, and returns the exit code.
fn report_errors(file: &Path, rejections: &[ValidationError], format: OutputFormat) -> ExitCode {
    if format == OutputFormat::Json {
        return write_stdout(
            &to_pretty_json(&InputErrors { errors: rejections.iter().map(InputError::new).collect() }),
            EXIT_USAGE,
        );
    }
    let name = file.to_string_lossy();
    for rejection in rejections {
        print_error(&format!("{}: {}", display_name(&name), validation_error_to_text(rejection)));
    }
    ExitCode::from(EXIT_USAGE)
}

/// Returns whether a finding of a plan is about a section that was not provided, which
/// [`missing_sections_to_text`] names.
fn is_missing_section(finding: &Finding) -> bool {
    finding.outcome == FindingOutcome::Lost && finding.code == "not-provided"
}

/// Formats findings as text, the most urgent first. Sections that were not provided are not listed.
fn findings_to_text(findings: &[Finding]) -> String {
    let mut text = String::new();
    for (outcome, title) in OUTCOME_HEADINGS {
        let found: Vec<&Finding> =
            findings.iter().filter(|finding| finding.outcome == outcome && !is_missing_section(finding)).collect();
        if found.is_empty() {
            continue;
        }
        text.push_str(&format!("{title}: {}\n", pluralize(found.len(), "setting")));
        // Settings with their defaults are only counted.
        for finding in found.iter().filter(|finding| !finding.is_default_setting()) {
            text.push_str(&format!("  {}: {}\n    {}\n", finding.name, finding.message, pointers_to_text(finding)));
            if let Some(help) = &finding.help {
                text.push_str(&format!("    {help}\n"));
            }
            if let Some(draft) = &finding.draft {
                let body = draft.body.as_ref().map(|body| format!(" {body}")).unwrap_or_default();
                text.push_str(&format!("    {} {}{body}\n", draft.method, draft.path));
            }
        }
        text.push('\n');
    }
    text
}

/// Formats warnings as text.
fn warnings_to_text(warnings: &[ValidationWarning]) -> String {
    if warnings.is_empty() {
        return String::new();
    }
    let items: String =
        warnings.iter().map(|ValidationWarning { pointer, message }| format!("  {message}\n    {pointer}\n")).collect();
    format!("Warnings: {}\n{items}\n", warnings.len())
}

/// Formats the names of the sections that were not provided. Returns nothing for a zone on the Free plan, which has
/// nothing to migrate, whatever its sections contain.
fn missing_sections_to_text(config: &ZoneConfig) -> String {
    if config.missing_sections.is_empty() || config.tier == Tier::Free {
        return String::new();
    }
    let names: Vec<&str> = config.missing_sections.iter().map(|section| section.name()).collect();
    format!(
        "Not provided: {}\n  The result assumes that these sections are empty or have default values.\n",
        names.join(", ")
    )
}

fn pointers_to_text(finding: &Finding) -> String {
    match finding.targets.as_slice() {
        [] => finding.setting.clone(),
        targets => format!("{} -> {}", finding.setting, targets.join(", ")),
    }
}
