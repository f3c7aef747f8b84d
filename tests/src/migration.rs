//! Runs the migrations of case files through the engine.

use serde_json::{Map, Value, json};
use std::fmt::Write;
use zonewright_api::finding::Finding;
use zonewright_api::ruleset::EntryPoint;
use zonewright_api::{ValidationError, json};
use zonewright_migration::{
    MigrationPhase, ValidationWarning, ZoneConfig, check_eligibility, plan, read_config, setting_pointers,
    support_findings,
};

/// A zone with the options of its block.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    /// The zone.
    pub config: &'a ZoneConfig,
    /// The options of the answer's block.
    pub options: &'a str,
}

/// Computes an answer; an error when the case is invalid.
pub type AnswerFn = fn(&Case<'_>) -> Result<String, String>;

/// The blocks that may follow a zone.
pub const ANSWER_BLOCKS: &[(&str, AnswerFn)] = &[
    ("rules", |case| Ok(rules(&plan(case.config).entry_point))),
    ("ruleset", |case| serde_json::to_string_pretty(&plan(case.config).entry_point).map_err(|error| error.to_string())),
    ("findings", |case| Ok(findings(&plan(case.config).findings, case.options))),
    ("warnings", |case| Ok(warnings(&plan(case.config).warnings))),
    ("eligible", eligible),
    ("support", |case| Ok(findings(&support_findings(case.config), ""))),
    ("settings", |case| Ok(setting_pointers(case.config).join("\n"))),
];

/// Reads the configuration of a block, whose members replace those of `base`.
///
/// Errors: invalid JSON, or the validation errors of the configuration.
pub fn config(base: &Value, text: &str) -> Result<ZoneConfig, Vec<ValidationError>> {
    let overrides = json::parse(text).map_err(|error| vec![error.to_validation_error()])?;
    let mut members: Map<String, Value> = base.as_object().cloned().unwrap_or_default();
    match overrides {
        Value::Object(overrides) => members.extend(overrides),
        other => return read_config(&other),
    }
    read_config(&Value::Object(members))
}

/// One validation error per line: pointer and message.
pub fn format_errors(errors: &[ValidationError]) -> String {
    let lines: Vec<_> = errors.iter().map(|error| format!("{}: {}", error.pointer, error.message)).collect();
    lines.join("\n")
}

/// One warning per line: pointer and the part that could not be checked.
fn warnings(warnings: &[ValidationWarning]) -> String {
    let lines: Vec<_> = warnings.iter().map(|warning| format!("{}: {}", warning.pointer, warning.message)).collect();
    lines.join("\n")
}

/// One rule per line, as JSON without the members that are empty in every new configuration.
fn rules(entry_point: &EntryPoint) -> String {
    let mut lines = Vec::new();
    for rule in &entry_point.rules {
        let mut rule = json!(rule);
        if let Some(members) = rule.as_object_mut() {
            members.retain(|_, value| *value != json!(""));
        }
        lines.push(rule.to_string());
    }
    lines.join("\n")
}

/// The findings whose settings start with one of the prefixes, or all findings: outcome, setting, code, pointers and
/// message, with help and draft below.
fn findings(findings: &[Finding], prefixes: &str) -> String {
    let is_selected = |finding: &&Finding| {
        prefixes.is_empty() || prefixes.split_whitespace().any(|prefix| finding.setting.starts_with(prefix))
    };
    let mut text = String::new();
    for finding in findings.iter().filter(is_selected) {
        let Finding { outcome, code, setting, message, .. } = finding;
        let targets =
            if finding.targets.is_empty() { String::new() } else { format!(" → {}", finding.targets.join(", ")) };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} {setting} {code}{targets}: {message}", outcome.name());
        if let Some(help) = &finding.help {
            let _ = writeln!(text, "  help: {help}");
        }
        if let Some(draft) = &finding.draft {
            let body = draft.body.as_ref().map(|body| format!(" {body}")).unwrap_or_default();
            let _ = writeln!(text, "  draft: {} {}{body}", draft.method, draft.path);
        }
    }
    text.truncate(text.trim_end().len());
    text
}

fn eligible(case: &Case<'_>) -> Result<String, String> {
    let phase = match case.options {
        "phase=1" => MigrationPhase::One,
        "phase=2" => MigrationPhase::Two,
        other => return Err(format!("`{other}` is not a phase")),
    };
    let failing = check_eligibility(case.config, phase);
    Ok(if failing.is_empty() { "compatible".to_owned() } else { findings(&failing, "") })
}
