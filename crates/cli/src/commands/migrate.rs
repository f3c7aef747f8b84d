//! `zonewright migrate`: plans the migration from the previous managed rules of a zone to ruleset-based ones.

mod check;
mod convert;
mod plan;
mod report;

use crate::input::{shown_name, whole};
use crate::json::pretty;
use crate::language::plans;
use crate::output::{Format, USAGE, complain, counted, finish};
use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use zonewright_api::finding::{Fate, Finding};
use zonewright_api::{Refusal, Warning, json};
use zonewright_expression::schema::Tier;
use zonewright_migration::{ZoneConfig, read_config};

const CONFIGURATION: &str = "\
The configuration is one JSON object whose members hold what the service answers, as arrays or as whole \
envelopes: zone, settings (of waf), packages, groups, rules, overrides, firewall_rules, page_rules and \
entry_point; plan is the name of the zone's plan. What is not given is taken to be as delivered, or empty, and \
the answer says so.";

/// What to do with the configuration of a zone.
#[derive(Subcommand)]
pub(crate) enum Migrate {
    /// Say what becomes of every setting, and write the new configuration.
    Plan(plan::Arguments),
    /// Say whether the zone can migrate, and what is in the way.
    Check(check::Arguments),
    /// Write the plan as a paper.
    Report(report::Arguments),
    /// Turn firewall rules into custom rules of a ruleset.
    Convert(convert::Arguments),
}

impl Migrate {
    /// Runs the subcommand and returns the exit code of the process.
    pub(crate) fn run(self) -> ExitCode {
        match self {
            Migrate::Plan(arguments) => plan::run(&arguments),
            Migrate::Check(arguments) => check::run(&arguments),
            Migrate::Report(arguments) => report::run(&arguments),
            Migrate::Convert(arguments) => convert::run(&arguments),
        }
    }
}

/// Whose configuration.
#[derive(Args)]
struct Of {
    /// File with the configuration of the zone; `-` for standard input.
    file: PathBuf,
    /// Plan of the zone, instead of the one in the file.
    #[arg(long, value_parser = plans())]
    plan: Option<Tier>,
}

impl Of {
    /// Reads the configuration, or reports its errors and returns the exit code.
    fn read(&self, format: Format) -> Result<ZoneConfig, ExitCode> {
        let mut document = document(&self.file, format)?;
        if let (Some(tier), Value::Object(members)) = (self.plan, &mut document) {
            members.insert("plan".to_owned(), tier.name().into());
        }
        read_config(&document).map_err(|refusals| refuse(&self.file, &refusals, format))
    }
}

/// Reads the JSON of a file, or reports its errors and returns the exit code.
fn document(file: &Path, format: Format) -> Result<Value, ExitCode> {
    let text = whole(file).map_err(|why| {
        complain(&format!("{}: {why}", shown_name(&file.to_string_lossy())));
        ExitCode::from(USAGE)
    })?;
    json::read(&text).map_err(|error| refuse(file, &[error.refusal()], format))
}

/// One reason why a file cannot be used.
#[derive(Serialize)]
struct Reason<'a> {
    pointer: &'a str,
    message: &'a str,
}

impl<'a> Reason<'a> {
    fn of(refusal: &'a Refusal) -> Self {
        Reason { pointer: &refusal.pointer, message: &refusal.message }
    }
}

#[derive(Serialize)]
struct Unusable<'a> {
    errors: Vec<Reason<'a>>,
}

fn refuse(file: &Path, refusals: &[Refusal], format: Format) -> ExitCode {
    if format == Format::Json {
        return finish(&pretty(&Unusable { errors: refusals.iter().map(Reason::of).collect() }), USAGE);
    }
    let name = file.to_string_lossy();
    for Refusal { pointer, message, .. } in refusals {
        let gap = if pointer.is_empty() { "" } else { ": " };
        complain(&format!("{}: {pointer}{gap}{message}", shown_name(&name)));
    }
    ExitCode::from(USAGE)
}

/// Formats findings as text, the most urgent first.
fn told(findings: &[Finding]) -> String {
    const ORDER: [(Fate, &str); 6] = [
        (Fate::Blocked, "Blocks the migration"),
        (Fate::NeedsSupport, "Needs support"),
        (Fate::Lost, "Lost"),
        (Fate::Changed, "Changed"),
        (Fate::Carried, "Carried over"),
        (Fate::Unaffected, "Unaffected"),
    ];
    let mut text = String::new();
    for (fate, title) in ORDER {
        let found: Vec<&Finding> = findings.iter().filter(|one| one.fate == fate).collect();
        if found.is_empty() {
            continue;
        }
        text.push_str(&format!("{title}: {}\n", counted(found.len(), "setting")));
        // Settings with their defaults are only counted.
        for one in found.iter().filter(|one| !one.is_quiet()) {
            text.push_str(&format!("  {}: {}\n    {}\n", one.name, one.message, at(one)));
            if let Some(help) = &one.help {
                text.push_str(&format!("    {help}\n"));
            }
            if let Some(draft) = &one.draft {
                let body = draft.body.as_ref().map(|body| format!(" {body}")).unwrap_or_default();
                text.push_str(&format!("    {} {}{body}\n", draft.method, draft.path));
            }
        }
        text.push('\n');
    }
    text
}

/// Formats warnings as text.
fn unchecked(warnings: &[Warning]) -> String {
    if warnings.is_empty() {
        return String::new();
    }
    let items: String =
        warnings.iter().map(|Warning { pointer, message }| format!("  {message}\n    {pointer}\n")).collect();
    format!("Warnings: {}\n{items}\n", warnings.len())
}

fn at(finding: &Finding) -> String {
    match finding.became.as_slice() {
        [] => finding.setting.clone(),
        became => format!("{} -> {}", finding.setting, became.join(", ")),
    }
}
