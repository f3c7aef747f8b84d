//! The new configuration: the body of the update of an entry point (§2.6, §4.5; what is not shown there is
//! observed).

use super::action_parameters::{execute, skip};
use super::short;
use serde_json::Value;
use std::collections::HashSet;
use std::fmt::Display;
use zonewright_api::ruleset::{ActionParameters, EntryPoint, RulesetAction, RulesetRule};
use zonewright_api::{Members, Refusal, check_storable, described, error_code, under};
use zonewright_diagnostic::Diagnostic;
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Options, check};
use zonewright_firewall::{drawn, is_identifier};

/// The phase in which managed rules run.
pub const PHASE: &str = "http_request_firewall_managed";
/// Most rules of an entry point (assumption entry-point-limits).
pub const MOST_ENTRY_POINT_RULES: usize = 1000;
/// After this many problems the rest of a body is not judged (assumption batch-limits).
pub(super) const MOST_PROBLEMS: usize = 100;

const MEMBERS: [&str; 5] = ["name", "description", "rules", "kind", "phase"];
/// Members of an entry point that clients send back.
const READ_ONLY: [&str; 4] = ["id", "version", "last_updated", "source"];
const RULE: [&str; 8] = ["id", "action", "expression", "description", "ref", "enabled", "action_parameters", "logging"];
/// Members of a rule that clients send back.
const RULE_READ_ONLY: [&str; 2] = ["version", "last_updated"];

/// Reads the body of an update of the entry point of [`PHASE`] in a zone of this plan; the error holds every
/// reason to refuse it. Takes time in proportion to the body.
///
/// Empty texts count as absent (observed with `id`, `version` and `ref`). What clients send back without
/// being able to change it is left out: versions and times.
pub fn read_entry_point(body: &Value, tier: Tier) -> Result<EntryPoint, Vec<Refusal>> {
    let mut members = Members::open(body, "an entry point", &MEMBERS, &READ_ONLY)?;
    let name = text(&mut members, "name", 200);
    let description = text(&mut members, "description", 500);
    for (member, only) in [("kind", "zone"), ("phase", PHASE)] {
        if let Some(other) = members.text(member).filter(|value| value != only) {
            let reason = format!("this entry point has `{only}`");
            members.refusals.push(invalid(format!("/{member}"), member, &other, reason));
        }
    }
    let rules = rules(&mut members, tier);
    // The name that such entry points were seen to have.
    let name = name.unwrap_or_else(|| "default".to_owned());
    if members.refusals.is_empty() { Ok(EntryPoint { name, description, rules }) } else { Err(members.refusals) }
}

fn rules(members: &mut Members, tier: Tier) -> Vec<RulesetRule> {
    let items = match members.required("rules") {
        None => return Vec::new(),
        Some(Value::Array(items)) if items.len() > MOST_ENTRY_POINT_RULES => {
            let message = format!("there are {} rules, at most {MOST_ENTRY_POINT_RULES} are allowed", items.len());
            members.refusals.push(Refusal::shape("/rules", message));
            return Vec::new();
        }
        Some(Value::Array(items)) => items,
        Some(other) => {
            members.wrong_type::<()>("rules", "an array", other);
            return Vec::new();
        }
    };
    let mut rules = Vec::with_capacity(items.len());
    let mut names = Names::default();
    for (index, item) in items.iter().enumerate() {
        let pointer = format!("/rules/{index}");
        if is_enough(&mut members.refusals, &pointer) {
            break;
        }
        match rule(item, tier) {
            Ok(rule) => {
                members.refusals.extend(names.check(&rule).map(|refusal| refusal.under(&pointer)));
                rules.push(rule);
            }
            Err(found) => members.refusals.extend(under(&pointer, found)),
        }
    }
    rules
}

/// Whether there are so many problems that the rest, which begins at the pointer, is not judged; then says so.
pub(super) fn is_enough(refusals: &mut Vec<Refusal>, pointer: &str) -> bool {
    let enough = refusals.len() >= MOST_PROBLEMS;
    if enough {
        refusals.push(Refusal::shape(pointer, "there are many problems already: from here on nothing was judged"));
    }
    enough
}

/// Identifiers and references that rules before have.
#[derive(Default)]
struct Names {
    ids: HashSet<String>,
    references: HashSet<String>,
}

impl Names {
    /// The problem of a rule that calls itself as one before.
    fn check(&mut self, rule: &RulesetRule) -> Option<Refusal> {
        if !rule.id.is_empty() && !self.ids.insert(rule.id.clone()) {
            return Some(invalid("/id", "id", &rule.id, "another rule has it"));
        }
        // A rule without a reference has its identifier for one.
        let (pointer, field, reference) =
            if rule.reference.is_empty() { ("/id", "id", &rule.id) } else { ("/ref", "ref", &rule.reference) };
        if !reference.is_empty() && !self.references.insert(reference.clone()) {
            return Some(invalid(pointer, field, reference, "another rule has it for its `ref`"));
        }
        None
    }
}

fn rule(value: &Value, tier: Tier) -> Result<RulesetRule, Vec<Refusal>> {
    let mut members = Members::open(value, "a rule", &RULE, &RULE_READ_ONLY)?;
    let id = members.text("id").unwrap_or_default();
    if !id.is_empty() && !is_identifier(&id) {
        members.refusals.push(invalid("/id", "id", &id, "an identifier has 32 lower-case hexadecimal digits"));
    }
    let action = action(&mut members);
    let expression = expression(&mut members, tier);
    let description = text(&mut members, "description", 500).unwrap_or_default();
    let reference = text(&mut members, "ref", 100).unwrap_or_default();
    let enabled = switch(&mut members, "enabled").unwrap_or(true);
    let action_parameters = action.and_then(|action| parameters(&mut members, action, tier));
    logging(&mut members, action);
    match (action, expression) {
        (Some(action), Some(expression)) if members.refusals.is_empty() => Ok(RulesetRule {
            id,
            version: String::new(),
            action,
            expression,
            description,
            reference,
            enabled,
            action_parameters,
            last_updated: None,
        }),
        _ => Err(members.refusals),
    }
}

/// What the rule does: one of the two that entry points of this phase allow (assumption entry-point-actions).
fn action(members: &mut Members) -> Option<RulesetAction> {
    let name = match members.required("action")? {
        Value::String(name) => name,
        other => return members.wrong_type("action", "a string", other),
    };
    let reason = match (RulesetAction::from_name(name), name.as_str()) {
        (Some(action @ (RulesetAction::Execute | RulesetAction::Skip)), _) => return Some(action),
        (Some(_), _) => {
            format!("rules of the phase {PHASE} may `execute` and `skip`; overrides say what managed rules do")
        }
        (None, "allow" | "bypass") => "rulesets have no such action; use `skip`".to_owned(),
        (None, "simulate") => "rulesets have no such action; use `log` in overrides".to_owned(),
        (None, _) => format!("rulesets have no such action; the phase {PHASE} has `execute` and `skip`"),
    };
    members.refusals.push(invalid("/action", "action", name, reason));
    None
}

fn expression(members: &mut Members, tier: Tier) -> Option<String> {
    let text = match members.required("expression")? {
        Value::String(text) => text,
        other => return members.wrong_type("expression", "a string", other),
    };
    let phase = Some(Phase::HttpRequestFirewallManaged);
    let checked = check(text, &Options { phase, plan: Some(tier), ..Options::default() });
    let errors: Vec<Diagnostic> = checked.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
    if !errors.is_empty() {
        let reason = format!("it is refused:\n{}", drawn(text, &errors));
        let refusal = invalid("/expression", "expression", text, reason);
        let code = error_code::WRONG_RULE_EXPRESSION;
        members.refusals.push(Refusal { code, diagnostics: errors, ..refusal });
    }
    members.refusals.extend(check_storable("expression", text));
    Some(text.clone())
}

fn parameters(members: &mut Members, action: RulesetAction, tier: Tier) -> Option<ActionParameters> {
    let Some(value) = members.get("action_parameters") else {
        // The message is observed.
        let message = format!("action parameters are required for the {} action", action.name());
        let code = error_code::PARAMETERS_MISSING;
        members.refusals.push(Refusal { code, ..Refusal::value("/action_parameters", message) });
        return None;
    };
    let read = if action == RulesetAction::Skip { skip(value) } else { execute(value, tier) };
    read.map_err(|found| members.refusals.extend(under("/action_parameters", found))).ok()
}

/// What skip rules pass over is always recorded (assumption skip-logging).
fn logging(members: &mut Members, action: Option<RulesetAction>) {
    let Some(value) = members.get("logging") else { return };
    if action.is_some_and(|action| action != RulesetAction::Skip) {
        // The message is observed.
        let message = "logging options only allowed in the skip action";
        let code = error_code::LOGGING_NOT_ALLOWED;
        members.refusals.push(Refusal { code, ..Refusal::value("/logging", message) });
        return;
    }
    let found = Members::open(value, "logging", &["enabled"], &[]).map(|mut logging| {
        if switch(&mut logging, "enabled") == Some(false) {
            let reason = "this service has no events to leave out";
            logging.refusals.push(invalid("/enabled", "enabled", "false", reason));
        }
        logging.refusals
    });
    members.refusals.extend(under("/logging", found.unwrap_or_else(|refusals| refusals)));
}

/// An optional text for people.
fn text(members: &mut Members, name: &str, most: usize) -> Option<String> {
    let text = members.text(name)?;
    let length = text.chars().count();
    if length > most {
        let reason = format!("it has {length} characters, at most {most} are allowed");
        members.refusals.push(invalid(format!("/{name}"), name, &text, reason));
    }
    members.refusals.extend(check_storable(name, &text));
    Some(text)
}

/// An optional true or false.
pub(super) fn switch(members: &mut Members, name: &str) -> Option<bool> {
    match members.get(name)? {
        Value::Bool(flag) => Some(*flag),
        other => members.wrong_type(name, "true or false", other),
    }
}

/// A refusal as such services were seen to word it.
pub(super) fn invalid(pointer: impl Into<String>, field: &str, value: &str, reason: impl Display) -> Refusal {
    let shown: String = short(value).chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let message = format!("'{shown}' is not a valid value for {field} because {reason}");
    Refusal { code: error_code::WRONG_RULE, ..Refusal::value(pointer, message) }
}

/// The items of an array that has to be one.
pub(super) fn array<'a>(members: &mut Members<'a>, name: &str) -> &'a [Value] {
    match members.get(name) {
        None => &[],
        Some(Value::Array(items)) => items,
        Some(other) => {
            members.refusals.push(Refusal::shape(
                format!("/{name}"),
                format!("`{name}` must be an array, not {}", described(other)),
            ));
            &[]
        }
    }
}
