//! `zonewright never-fires`: finds the rules of an ordered list that never fire.

use super::equivalent::program;
use crate::input::{shown_name, whole};
use crate::json::pretty;
use crate::language::Language;
use crate::output::{Format, PROBLEMS, UNDECIDED, USAGE, VALID, complain, counted, finish};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use zonewright_equivalence::{Budget, Fate, Proof, Rule, never_fires};
use zonewright_firewall::{Listed, RuleList, list_from_json, read_list};

const AFTER_HELP: &str = "\
The file holds the rules in their order; `-`, or no file, is standard input. It is one of these:
  text with an expression on each line; where blank lines stand between expressions, each may have several
  lines;
  a JSON array of expressions, of firewall rules as GET \u{2026}/firewall/rules lists them, or of rules of a
  ruleset; a whole ruleset; or an answer of the API with one of these as its result.
With -e the expressions stand in the command, in their order.

A rule never fires when it is never true, or when earlier rules that end the list are true whenever it is. \
Firewall rules are put in the order in which they are asked (by priority, then by action); log and bypass do \
not end the list. In a ruleset block, the challenges, redirect and serve_error end it, and skip where it skips \
what is left of the ruleset; rules with a rate limit or another condition beside the expression do not. Paused \
and disabled rules play no part. A rule without an action ends the list.

--format json writes one object, the rules in the order in which they are asked:
  {\"rules\": [{\"index\", \"name\"?, \"fires\", \"why\"?, \"by\"?, \"assumptions\"?, \"reason\"?}], \"notes\": [text]}
index and by count from 0, in the order of the file. fires is \"yes\", \"never\", \"undecided\" (with the \
reason), \"inactive\" (paused or disabled) or \"error\" (its expression has one). Of \"never\", why is \
\"contradiction\" or \"covered\", by has the rules that cover it, and assumptions what the proof takes for \
granted.

Exit code: 0 when every rule that plays a part can fire, 1 when some never do, 3 when none was found but some \
are undecided, 2 when the command was called wrongly, the file could not be read or an expression has errors \
(the other rules are judged all the same).";

/// Find the rules of an ordered list that no request can ever reach.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The file with the rules.
    #[arg(conflicts_with = "expressions")]
    file: Option<PathBuf>,
    /// An expression, instead of a file; may be given several times.
    #[arg(short, long = "expression", value_name = "EXPRESSION", allow_hyphen_values = true)]
    expressions: Vec<String>,
    /// Most steps of work for each rule before it is left undecided.
    #[arg(long, default_value_t = Budget::default().steps)]
    steps: u64,
    /// How the answer is written.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    language: Language,
}

/// Whether a rule can fire.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Fires {
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
    Covered,
}

/// The result for one rule.
#[derive(Serialize)]
struct Judged {
    index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    fires: Fires,
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
struct Answer {
    rules: Vec<Judged>,
    notes: Vec<String>,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let path = arguments.file.clone().unwrap_or_else(|| PathBuf::from("-"));
    let file = path.to_string_lossy().into_owned();
    let name = if arguments.expressions.is_empty() { shown_name(&file) } else { "<expression>" };
    let list = match list(arguments, &path) {
        Ok(list) => list,
        Err(problems) => {
            problems.iter().for_each(|problem| complain(&format!("{name}: {problem}")));
            return ExitCode::from(USAGE);
        }
    };
    if list.rules.is_empty() {
        complain(&format!("{name}: there are no rules"));
        return ExitCode::from(USAGE);
    }
    let answer = Answer { rules: judge(&list, name, arguments), notes: list.notes };
    let has = |fires: Fires| answer.rules.iter().any(|rule| rule.fires == fires);
    let code = match () {
        () if has(Fires::Error) => USAGE,
        () if has(Fires::Never) => PROBLEMS,
        () if has(Fires::Undecided) => UNDECIDED,
        () => VALID,
    };
    let text = match arguments.format {
        Format::Text => as_text(&answer),
        Format::Json => pretty(&answer),
    };
    finish(&text, code)
}

fn list(arguments: &Arguments, path: &std::path::Path) -> Result<RuleList, Vec<String>> {
    let read = match arguments.expressions.as_slice() {
        [] => read_list(&whole(path).map_err(|error| vec![error])?),
        expressions => list_from_json(&expressions.iter().map(String::as_str).collect()),
    };
    read.map_err(|refusals| {
        let problem = |refusal: zonewright_firewall::Refusal| match refusal.pointer.as_str() {
            "" => refusal.message,
            pointer => format!("{pointer}: {}", refusal.message),
        };
        refusals.into_iter().map(problem).collect()
    })
}

fn judge(list: &RuleList, name: &str, arguments: &Arguments) -> Vec<Judged> {
    let options = arguments.language.options();
    let rule = |listed: &Listed| {
        if !listed.active {
            return (None, Fires::Inactive);
        }
        let place = format!("{name}: rule {}", listed.place + 1);
        match program(&place, &listed.expression, &options) {
            Ok(program) => (Some(Rule { program, ends: listed.ends }), Fires::Error),
            Err(error) => {
                complain(&format!("{place}: {error}"));
                (None, Fires::Error)
            }
        }
    };
    let (rules, otherwise): (Vec<Option<Rule>>, Vec<Fires>) = list.rules.iter().map(rule).unzip();
    let fates = never_fires(rules, &Budget { steps: arguments.steps });
    let judged = list.rules.iter().zip(otherwise).zip(fates);
    judged.map(|((listed, otherwise), fate)| one(listed, otherwise, fate, &list.rules)).collect()
}

fn one(listed: &Listed, otherwise: Fires, fate: Option<Fate>, all: &[Listed]) -> Judged {
    let mut judged = Judged {
        index: listed.place,
        name: listed.name.clone(),
        fires: otherwise,
        why: None,
        by: None,
        assumptions: None,
        reason: None,
        expression: listed.expression.clone(),
    };
    match fate {
        None => {}
        Some(Fate::Fires(_)) => judged.fires = Fires::Yes,
        Some(Fate::Undecided(reason)) => {
            judged.fires = Fires::Undecided;
            judged.reason = Some(reason);
        }
        Some(Fate::Never { proof, assumptions }) => {
            judged.fires = Fires::Never;
            judged.assumptions = Some(assumptions.iter().map(ToString::to_string).collect());
            judged.why = Some(match proof {
                Proof::NeverTrue => Reason::Contradiction,
                Proof::Covered { by } => {
                    let places = by.iter().filter_map(|order| all.get(*order)).map(|other| other.place);
                    judged.by = Some(places.collect());
                    Reason::Covered
                }
            });
        }
    }
    judged
}

fn as_text(answer: &Answer) -> String {
    let mut text: String = answer.notes.iter().map(|note| format!("note: {note}\n")).collect();
    for rule in &answer.rules {
        let said = match (rule.fires, &rule.by, &rule.reason) {
            (Fires::Never, Some(by), _) => format!("never fires: whenever it is true, {}", covering(by)),
            (Fires::Never, None, _) => "never fires: it is never true".to_owned(),
            (Fires::Undecided, _, Some(reason)) => format!("is undecided: {reason}"),
            _ => continue,
        };
        let name = rule.name.as_ref().map_or(String::new(), |name| format!(" ({name})"));
        text.push_str(&format!("rule {}{name} {said}\n  {}\n", rule.index + 1, short(&rule.expression)));
        for assumption in rule.assumptions.iter().flatten() {
            text.push_str(&format!("  taking for granted that {assumption}\n"));
        }
    }
    let count = |fires: Fires| answer.rules.iter().filter(|rule| rule.fires == fires).count();
    let never = if count(Fires::Never) == 1 { "never fires" } else { "never fire" };
    let kinds = [
        (Fires::Never, never),
        (Fires::Undecided, "undecided"),
        (Fires::Inactive, "paused or disabled"),
        (Fires::Error, "with errors"),
    ];
    let counts = kinds.iter().map(|(fires, words)| (count(*fires), words)).filter(|(count, _)| *count > 0);
    let parts: Vec<String> = counts.map(|(count, words)| format!("{count} {words}")).collect();
    let rules = counted(answer.rules.len(), "rule");
    match parts.as_slice() {
        [] => text.push_str(&format!("{rules}, each of them can fire\n")),
        parts => text.push_str(&format!("{rules}: {}\n", parts.join(", "))),
    }
    text
}

/// Formats the rules that cover another one: `rule 1 is`, `one of the rules 1, 2 is`.
fn covering(by: &[usize]) -> String {
    let numbers: Vec<String> = by.iter().map(|index| (index + 1).to_string()).collect();
    match numbers.as_slice() {
        [one] => format!("rule {one} is"),
        many => format!("one of the rules {} is", many.join(", ")),
    }
}

/// Truncates an expression for one line.
fn short(expression: &str) -> String {
    const MOST: usize = 100;
    let line = expression.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
