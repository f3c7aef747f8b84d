//! `zonewright trace`: traces a request through all rules of a zone.

mod output;

use crate::input::{FILE_NOT_FOUND, display_name, read_text};
use crate::output::{
    EXIT_OK, EXIT_PROBLEMS, EXIT_USAGE, OutputFormat, print_error, validation_error_to_text, write_stdout,
};
use crate::request::RequestArgs;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use zonewright_api::json;
use zonewright_trace::{RuleTrace, Zone, read_zone, trace};

const AFTER_HELP: &str = "\
The file describes the zone in JSON. It is one of these:
  an object with the members rulesets, firewall_rules, and lists, all optional;
  an array of rulesets;
  a ruleset.
rulesets contains the entry points of the zone and the account, and the custom rulesets that they execute.
A ruleset and the list of firewall rules may be complete API responses with their envelopes. lists maps the
names of lists to their items: {\"office\": [\"192.0.2.1\"]}. The configuration of zonewright migrate is such an
object too, with its entry_point.

The request is raw HTTP, a curl command, a HAR file, a URL, or a JSON object of fields; the format is
detected. Use --field for values that the request does not contain, such as the client's address:
--field ip.src=192.0.2.1

Rules run in the order of their phases: those of the account before those of the zone, and firewall rules
before custom rules. A rewrite changes the request for the following phases. A block, a challenge, a
redirect, and a custom error end it. If a condition depends on an unknown value, the rule might fire, and
the output lists that value. Managed rulesets and rate limits are always unknown: the conditions of managed
rules are not published, and a rate depends on earlier requests.

The output marks rules that fire with +, rules that do not with -, and rules that might fire with ?.

--format json writes {\"reaches_origin\", \"terminating_rules\", \"phases\", \"notes\"}. A truth value is true, false,
or \"unknown\". terminating_rules lists the rules that end the request or might do so: {\"pointer\", \"name\",
\"description\", \"terminates\", \"depends_on\"}. phases contains {\"phase\", \"title\", \"pointer\", \"name\", \"rules\"}, and
a rule is {\"pointer\", \"name\", \"action\", \"expression\", \"enabled\", \"reached\", \"matches\", \"depends_on\", \"error\"?,
\"effects\", \"rules\"}, where rules contains those of the ruleset that it executes. An effect has a kind:
\"terminate\" with description and terminates, \"rewrite\" with field, before, and after (null if not set, missing if unknown), or
\"other\" with description. Pointers are JSON pointers into the file.

Exit code: 0 if the request was traced; 1 if a rule that the request might reach has an invalid expression;
2 on a usage error, or if a file cannot be read.";

/// Trace a request through all rules of a zone.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// File with the rules of the zone; `-` for standard input.
    zone: PathBuf,
    #[command(flatten)]
    request: RequestArgs,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    format: OutputFormat,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match trace_zone(arguments) {
        Ok((text, code)) => write_stdout(&text, code),
        Err(errors) => {
            errors.iter().for_each(|error| print_error(error));
            ExitCode::from(EXIT_USAGE)
        }
    }
}

fn trace_zone(arguments: &Arguments) -> Result<(String, u8), Vec<String>> {
    if arguments.zone.as_os_str() == "-" && arguments.request.is_stdin() {
        return Err(vec!["the zone and the request cannot both be read from standard input".to_owned()]);
    }
    let path = arguments.zone.to_string_lossy();
    let name = display_name(&path);
    let zone = read_zone_file(arguments)
        .map_err(|errors| errors.iter().map(|error| format!("{name}: {error}")).collect::<Vec<_>>())?;
    let (record, mut notes) = arguments.request.read_record().map_err(|error| vec![error])?;
    let traced = trace(&zone, record);
    notes.extend(traced.notes.iter().cloned());
    let has_errors = traced.phases.iter().any(|phase| phase.rules.iter().any(has_error));
    let text = match arguments.format {
        OutputFormat::Text => {
            notes.iter().for_each(|note| print_error(&format!("note: {note}")));
            output::to_text(&traced)
        }
        OutputFormat::Json => output::to_json(&traced, &notes),
    };
    Ok((text, if has_errors { EXIT_PROBLEMS } else { EXIT_OK }))
}

fn has_error(rule: &RuleTrace) -> bool {
    rule.error.is_some() || rule.executed.iter().any(has_error)
}

fn read_zone_file(arguments: &Arguments) -> Result<Zone, Vec<String>> {
    let text = read_text(&arguments.zone, FILE_NOT_FOUND).map_err(|error| vec![error])?;
    let document = json::parse(json::strip_bom(&text)).map_err(|error| match error.duplicate {
        Some(_) => vec![validation_error_to_text(&error.to_validation_error())],
        None => vec![format!("invalid JSON: {error}")],
    })?;
    read_zone(&document).map_err(|errors| errors.iter().map(validation_error_to_text).collect())
}
