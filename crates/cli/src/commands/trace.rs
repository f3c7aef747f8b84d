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
use zonewright_request::parse_lists;
use zonewright_trace::{RuleTrace, Zone, read_zone, trace};

const AFTER_HELP: &str = "\
The file describes the zone in JSON. It is one of these:
  an object with the members rulesets, firewall_rules, and lists, all optional;
  an array of rulesets;
  a ruleset.
rulesets contains the entry points of the zone and the account, and the custom rulesets that they execute.
A ruleset and the list of firewall rules may be whole responses of the API. lists contains the items of
named lists: {\"office\": [\"192.0.2.1\"]}.

The request is raw HTTP, a curl command, a HAR file, a URL, or a JSON object of fields; the format is
detected. --field sets what only the network knows: --field ip.src=192.0.2.1

Rules run in the order of their phases: those of the account before those of the zone, and firewall rules
before custom rules. A rewrite changes the request for the following phases. A block, a challenge, a
redirect, and a custom error end it. A rule whose condition depends on an unknown value may do so, and the
output names the value. Conditions of managed rulesets are not published, so that their result is unknown,
and so is the result of a rate limit.

--format json writes {\"reaches_origin\", \"endings\", \"phases\", \"notes\"}. A truth value is true, false, or
\"unknown\". endings lists the rules that end the request or may do so: {\"pointer\", \"name\", \"response\",
\"certain\", \"needs\"}. phases contains {\"phase\", \"title\", \"pointer\", \"name\", \"rules\"}, and a rule is
{\"pointer\", \"name\", \"action\", \"expression\", \"enabled\", \"reached\", \"matches\", \"needs\", \"error\"?, \"effects\",
\"rules\"}, where rules has those of the ruleset that it executes. Pointers are JSON pointers into the file.

Exit code: 0 if the request was traced; 1 if the condition of a rule that it reaches has an error; 2 on a
usage error, or if a file cannot be read.";

/// ZoneTrace a request through all rules of a zone.
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
    let (mut record, notes) = arguments.request.read_record().map_err(|error| vec![error])?;
    let lists = parse_lists(&zone.lists).map_err(|error| vec![format!("{name}: lists: {error}")])?;
    for (list, items) in lists {
        // A list of the option `--list` takes precedence.
        if record.list(&list).is_none() {
            record.set_list(&list, items);
        }
    }
    let traced = trace(&zone, record);
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
