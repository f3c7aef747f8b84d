//! `zonewright migrate convert`: converts firewall rules to custom rules of a ruleset.

use super::{findings_to_text, read_json, report_errors};
use crate::json::to_pretty_json;
use crate::language::plan_parser;
use crate::output::{EXIT_OK, EXIT_PROBLEMS, OutputFormat, write_stdout};
use clap::Args;
use serde::Serialize;
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;
use zonewright_api::finding::{Finding, FindingOutcome};
use zonewright_api::firewall::FirewallRule;
use zonewright_api::ruleset::RulesetRule;
use zonewright_api::{ValidationError, describe_value, read_object};
use zonewright_expression::schema::Tier;
use zonewright_firewall::convert;

const AFTER_HELP: &str = "\
The file contains the response to GET /zones/{zone_id}/firewall/rules: the envelope, or its array. The order of \
the new rules replaces the priorities. allow becomes a rule that skips the remaining custom rules, and bypass \
becomes a rule that skips products and phases.

Exit code: 0 if every rule was converted; 1 if a rule was not; 2 on a usage error, or if the file cannot be read \
or has errors.

--format json writes {\"rules\", \"findings\"}: the rules for the phase http_request_firewall_custom, and one finding \
for each firewall rule, as `zonewright migrate plan` writes them.";

const MISSING_RULES: &str = "no such file; name a file with the firewall rules";

/// Convert firewall rules to custom rules of a ruleset.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// File with the firewall rules; `-` for standard input.
    file: PathBuf,
    /// Plan of the zone.
    #[arg(long, value_parser = plan_parser(), default_value = "enterprise")]
    plan: Tier,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    format: OutputFormat,
}

#[derive(Serialize)]
struct ConvertOutput<'a> {
    rules: &'a [RulesetRule],
    findings: &'a [Finding],
}

/// Reads the firewall rules. `pointer` is the JSON pointer to their list.
fn read_rules(rules: &Value, pointer: &str) -> Result<Vec<FirewallRule>, Vec<ValidationError>> {
    let Value::Array(rules) = rules else {
        let message = format!("expected a list of firewall rules, not {}", describe_value(rules));
        return Err(vec![ValidationError::invalid_shape(pointer, message)]);
    };
    let read_rule = |(index, rule)| {
        read_object(rule).map_err(|message| vec![ValidationError::invalid_shape(format!("{pointer}/{index}"), message)])
    };
    rules.iter().enumerate().map(read_rule).collect()
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let read = read_json(&arguments.file, MISSING_RULES, arguments.format).and_then(|document| {
        let (pointer, rules) = document.get("result").map_or(("", &document), |result| ("/result", result));
        read_rules(rules, pointer).map_err(|errors| report_errors(&arguments.file, &errors, arguments.format))
    });
    let rules = match read {
        Ok(rules) => rules,
        Err(code) => return code,
    };
    let converted = convert(&rules, arguments.plan);
    let lost = converted.findings.iter().any(|finding| finding.outcome == FindingOutcome::Lost);
    let text = match arguments.format {
        OutputFormat::Json => to_pretty_json(&ConvertOutput { rules: &converted.rules, findings: &converted.findings }),
        OutputFormat::Text => {
            format!("{}Custom rules:\n{}", findings_to_text(&converted.findings), to_pretty_json(&converted.rules))
        }
    };
    write_stdout(&text, if lost { EXIT_PROBLEMS } else { EXIT_OK })
}
