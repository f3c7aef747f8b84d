//! `zonewright never-fires`: finds the rules of an ordered list that never fire.

use super::equivalent::compile_program;
use crate::input::{FILE_NOT_FOUND, display_name, read_text};
use crate::integer::integer_parser;
use crate::json::to_pretty_json;
use crate::language::LanguageArgs;
use crate::output::{EXIT_OK, EXIT_PROBLEMS, EXIT_UNDECIDED, EXIT_USAGE, OutputFormat, print_error, write_stdout};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use zonewright_diagnostic::pluralize;
use zonewright_equivalence::{Budget, Reachability, Rule, UnreachableReason, never_fires};
use zonewright_firewall::{RuleEntry, RuleList, read_list, rule_list_from_json};

const AFTER_HELP: &str = "\
The file contains the rules in their order. It is one of these:
  text with one expression per line, or with empty lines between expressions of several lines;
  a JSON array of expressions, of firewall rules as GET \u{2026}/firewall/rules lists them, or of rules of a
  ruleset;
  a ruleset;
  a response of the API with one of these as its result.
-e passes expressions on the command line, in their order.

A rule never fires if it is never true, or if earlier terminating rules are true whenever it is. Firewall \
rules are sorted into the order of their evaluation (by priority, then by action); log and bypass do not \
terminate. In a ruleset, block, the challenges, serve_error, and redirect without a list terminate, and so \
does skip if it skips the rest of the ruleset or of the phase. Rules with a rate limit, or with another \
condition besides the expression, do not terminate. A rule without an action terminates. Paused and disabled \
rules are ignored.

--format json writes one object with the rules in the order of their evaluation:
  {\"rules\": [{\"index\", \"name\"?, \"fires\", \"why\"?, \"by\"?, \"assumptions\"?, \"reason\"?}], \"notes\": [text]}
index and by count from 0, in the order of the file. fires is \"yes\", \"never\", \"undecided\" (with the \
reason), \"inactive\" (paused or disabled), or \"error\" (the expression has one). For \"never\", why is \
\"contradiction\" or \"shadowed\", by lists the rules that shadow it, and assumptions lists the assumptions of \
the proof.

Exit code: 0 if every active rule can fire; 1 if some never fire; 3 if none was found but some are undecided; \
2 on a usage error, if the file cannot be read, or if an expression has errors (the other rules are still \
checked).";

/// Find the rules that never fire in an ordered list.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// File with the rules; `-` or no file reads standard input.
    #[arg(conflicts_with = "expressions")]
    file: Option<PathBuf>,
    /// Expression to use instead of a file; repeatable.
    #[arg(short, long = "expression", value_name = "EXPRESSION", allow_hyphen_values = true)]
    expressions: Vec<String>,
    /// Maximum number of solver steps per rule before it is undecided.
    #[arg(long, default_value_t = Budget::default().steps, value_parser = integer_parser::<u64>(0..=u64::MAX))]
    steps: u64,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    format: OutputFormat,
    #[command(flatten)]
    language: LanguageArgs,
}

/// Whether a rule can fire.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum FiringStatus {
    Yes,
    Never,
    Undecided,
    /// The rule is paused or disabled.
    Inactive,
    /// The expression of the rule has an error.
    Error,
}

/// The reason why a rule never fires.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Reason {
    Contradiction,
    Shadowed,
}

/// The result for one rule.
#[derive(Serialize)]
struct RuleVerdict {
    index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    fires: FiringStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assumptions: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip)]
    expression: String,
}

#[derive(Serialize)]
struct RuleListReport {
    rules: Vec<RuleVerdict>,
    notes: Vec<String>,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let path = arguments.file.clone().unwrap_or_else(|| PathBuf::from("-"));
    let file = path.to_string_lossy().into_owned();
    let name = if arguments.expressions.is_empty() { display_name(&file) } else { "<expression>" };
    let list = match read_rules(arguments, &path) {
        Ok(list) => list,
        Err(problems) => {
            problems.iter().for_each(|problem| print_error(&format!("{name}: {problem}")));
            return ExitCode::from(EXIT_USAGE);
        }
    };
    if list.rules.is_empty() {
        print_error(&format!("{name}: there are no rules"));
        return ExitCode::from(EXIT_USAGE);
    }
    let report = RuleListReport { rules: analyze_rules(&list, name, arguments), notes: list.notes };
    let has = |fires: FiringStatus| report.rules.iter().any(|rule| rule.fires == fires);
    let code = match () {
        () if has(FiringStatus::Error) => EXIT_USAGE,
        () if has(FiringStatus::Never) => EXIT_PROBLEMS,
        () if has(FiringStatus::Undecided) => EXIT_UNDECIDED,
        () => EXIT_OK,
    };
    let text = match arguments.format {
        OutputFormat::Text => report_to_text(&report),
        OutputFormat::Json => to_pretty_json(&report),
    };
    write_stdout(&text, code)
}

fn read_rules(arguments: &Arguments, path: &std::path::Path) -> Result<RuleList, Vec<String>> {
    let read = match arguments.expressions.as_slice() {
        [] => read_list(&read_text(path, FILE_NOT_FOUND).map_err(|error| vec![error])?),
        expressions => rule_list_from_json(&expressions.iter().map(String::as_str).collect()),
    };
    read.map_err(|rejections| {
        let problem = |rejection: zonewright_firewall::ValidationError| match rejection.pointer.as_str() {
            "" => rejection.message,
            pointer => format!("{pointer}: {}", rejection.message),
        };
        rejections.into_iter().map(problem).collect()
    })
}

fn analyze_rules(list: &RuleList, name: &str, arguments: &Arguments) -> Vec<RuleVerdict> {
    let options = arguments.language.to_options();
    let rule = |listed: &RuleEntry| {
        if !listed.is_active {
            return (None, FiringStatus::Inactive);
        }
        let location = format!("{name}: rule {}", listed.index + 1);
        match compile_program(&location, &listed.expression, &options) {
            // The verdict replaces this status.
            Ok(program) => (Some(Rule { program, is_terminating: listed.is_terminating }), FiringStatus::Error),
            Err(error) => {
                print_error(&format!("{location}: {error}"));
                (None, FiringStatus::Error)
            }
        }
    };
    let (rules, default_status): (Vec<Option<Rule>>, Vec<FiringStatus>) = list.rules.iter().map(rule).unzip();
    let verdicts = never_fires(rules, &Budget { steps: arguments.steps });
    let rows = list.rules.iter().zip(default_status).zip(verdicts);
    rows.map(|((entry, default_status), verdict)| rule_verdict(entry, default_status, verdict, &list.rules)).collect()
}

fn rule_verdict(
    entry: &RuleEntry,
    default_status: FiringStatus,
    verdict: Option<Reachability>,
    all: &[RuleEntry],
) -> RuleVerdict {
    let mut row = RuleVerdict {
        index: entry.index,
        name: entry.name.clone(),
        fires: default_status,
        why: None,
        by: None,
        assumptions: None,
        reason: None,
        expression: entry.expression.clone(),
    };
    match verdict {
        None => {}
        Some(Reachability::Reachable(_)) => row.fires = FiringStatus::Yes,
        Some(Reachability::Undecided(reason)) => {
            row.fires = FiringStatus::Undecided;
            row.reason = Some(reason);
        }
        Some(Reachability::Unreachable { proof, assumptions }) => {
            row.fires = FiringStatus::Never;
            row.assumptions = Some(assumptions.iter().map(ToString::to_string).collect());
            row.why = Some(match proof {
                UnreachableReason::Unsatisfiable => Reason::Contradiction,
                UnreachableReason::Shadowed { by } => {
                    let indexes = by.iter().filter_map(|order| all.get(*order)).map(|other| other.index);
                    row.by = Some(indexes.collect());
                    Reason::Shadowed
                }
            });
        }
    }
    row
}

fn report_to_text(report: &RuleListReport) -> String {
    let mut text: String = report.notes.iter().map(|note| format!("note: {note}\n")).collect();
    for rule in &report.rules {
        let statement = match (rule.fires, &rule.by, &rule.reason) {
            (FiringStatus::Never, Some(by), _) => {
                format!("never fires: whenever it is true, {}", shadowing_rules_to_text(by))
            }
            (FiringStatus::Never, None, _) => "never fires: it is never true".to_owned(),
            (FiringStatus::Undecided, _, Some(reason)) => format!("is undecided: {reason}"),
            _ => continue,
        };
        let name = rule.name.as_ref().map_or(String::new(), |name| format!(" ({name})"));
        text.push_str(&format!("rule {}{name} {statement}\n  {}\n", rule.index + 1, truncate(&rule.expression)));
        for assumption in rule.assumptions.iter().flatten() {
            text.push_str(&format!("  assuming that {assumption}\n"));
        }
    }
    let count = |fires: FiringStatus| report.rules.iter().filter(|rule| rule.fires == fires).count();
    let never = if count(FiringStatus::Never) == 1 { "never fires" } else { "never fire" };
    let kinds = [
        (FiringStatus::Never, never),
        (FiringStatus::Undecided, "undecided"),
        (FiringStatus::Inactive, "paused or disabled"),
        (FiringStatus::Error, "with errors"),
    ];
    let counts = kinds.iter().map(|(fires, phrase)| (count(*fires), phrase)).filter(|(count, _)| *count > 0);
    let parts: Vec<String> = counts.map(|(count, phrase)| format!("{count} {phrase}")).collect();
    let rules = pluralize(report.rules.len(), "rule");
    match parts.as_slice() {
        [] => text.push_str(&format!("{rules}: every rule can fire\n")),
        parts => text.push_str(&format!("{rules}: {}\n", parts.join(", "))),
    }
    text
}

/// Formats the rules that shadow another one: `rule 1 is true too`, `one of rules 1, 2 is true too`.
fn shadowing_rules_to_text(by: &[usize]) -> String {
    let numbers: Vec<String> = by.iter().map(|index| (index + 1).to_string()).collect();
    match numbers.as_slice() {
        [one] => format!("rule {one} is true too"),
        many => format!("one of rules {} is true too", many.join(", ")),
    }
}

/// Joins the lines of an expression, and truncates the result.
fn truncate(expression: &str) -> String {
    const MAX_SHOWN_CHARS: usize = 100;
    let line = expression.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
