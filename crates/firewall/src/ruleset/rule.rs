//! Reads rules of a ruleset, and changes of rules.
//!
//! Start with [`read_ruleset_rule`] and [`RuleChange`].

use super::validation::{check_expression, invalid_value, optional_boolean, optional_text, rule_error};
use super::{RulesetContext, allowed_actions, parameters, rate_limit};
use crate::is_identifier;
use serde_json::Value;
use zonewright_api::ruleset::{ExposedCredentialCheck, Logging, RateLimit, RulesetAction, RulesetRule};
use zonewright_api::{
    ObjectReader, ValidationError, error_code, join_alternatives, join_names, parse_integer, prefix_pointers,
};
use zonewright_diagnostic::find_similar;
use zonewright_expression::Kind;
use zonewright_expression::schema::{Phase, Tier};

/// The members that a rule may have.
const MEMBERS: [&str; 10] = [
    "id",
    "action",
    "expression",
    "description",
    "ref",
    "enabled",
    "action_parameters",
    "logging",
    "ratelimit",
    "exposed_credential_check",
];
/// The read-only members that clients send back.
const READ_ONLY: [&str; 3] = ["version", "last_updated", "categories"];

/// The position of a rule in its ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// Before the rule with this identifier.
    Before(String),
    /// After the rule with this identifier.
    After(String),
    /// At the beginning.
    First,
    /// At the end.
    Last,
    /// At this position; positions start at 1.
    Index(usize),
}

/// The changes that a request makes to a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleChange {
    /// The new definition; `None` keeps the current one.
    pub definition: Option<RulesetRule>,
    /// The new value of `enabled`, if the definition does not change.
    pub enabled: Option<bool>,
    /// The new position.
    pub position: Option<Position>,
}

/// Reads a rule that is added to a ruleset, and its position; `None` means the end. An identifier in the body is
/// ignored.
pub fn read_ruleset_rule(
    value: &Value,
    context: &RulesetContext<'_>,
) -> Result<(RulesetRule, Option<Position>), Vec<ValidationError>> {
    let known: Vec<&str> = MEMBERS.into_iter().chain(["position"]).collect();
    let mut members = ObjectReader::new(value, "a rule", &known, &READ_ONLY)?;
    let position = read_position(&mut members);
    let rule = read_definition(&mut members, context);
    match rule {
        Some(rule) if members.errors.is_empty() => Ok((RulesetRule { id: String::new(), ..rule }, position)),
        _ => Err(members.errors),
    }
}

/// Reads the body of a request that changes the rule `id`. A whole definition replaces the current one. Otherwise the
/// body changes only `enabled` or the position (observed).
pub fn read_ruleset_rule_change(
    value: &Value,
    id: &str,
    context: &RulesetContext<'_>,
) -> Result<RuleChange, Vec<ValidationError>> {
    let known: Vec<&str> = MEMBERS.into_iter().chain(["position"]).collect();
    let mut members = ObjectReader::new(value, "a rule", &known, &READ_ONLY)?;
    let position = read_position(&mut members);
    if let Some(sent) = members.text("id").filter(|sent| sent != id) {
        members.errors.push(invalid_value("/id", "id", &sent, format!("the path has the identifier `{id}`")));
    }
    let has_definition = MEMBERS.iter().any(|name| !["id", "enabled"].contains(name) && members.get(name).is_some());
    let mut change = RuleChange { definition: None, enabled: None, position };
    if has_definition {
        change.definition =
            read_definition(&mut members, context).map(|rule| RulesetRule { id: id.to_owned(), ..rule });
    } else {
        change.enabled = optional_boolean(&mut members, "enabled");
        if members.errors.is_empty() && change.enabled.is_none() && change.position.is_none() {
            let message = "nothing to change; send the whole rule, `enabled` or `position`";
            members.errors.push(ValidationError::invalid_shape("", message));
        }
    }
    if members.errors.is_empty() { Ok(change) } else { Err(members.errors) }
}

/// Reads a rule in the list of a whole ruleset.
pub(super) fn read(value: &Value, context: &RulesetContext<'_>) -> Result<RulesetRule, Vec<ValidationError>> {
    let mut members = ObjectReader::new(value, "a rule", &MEMBERS, &READ_ONLY)?;
    let rule = read_definition(&mut members, context);
    rule.filter(|_| members.errors.is_empty()).ok_or(members.errors)
}

/// Reads a rule. Returns `None` if the action or the expression is unusable. Errors are added to `members`.
fn read_definition(members: &mut ObjectReader, context: &RulesetContext<'_>) -> Option<RulesetRule> {
    let id = members.text("id").unwrap_or_default();
    if !id.is_empty() && !is_identifier(&id) {
        members.errors.push(invalid_value("/id", "id", &id, "an identifier must be 32 lowercase hexadecimal digits"));
    }
    let action = read_action(members, context);
    let expression = read_expression(members, context);
    let description = optional_text(members, "description", 500).unwrap_or_default();
    let reference = optional_text(members, "ref", 100).unwrap_or_default();
    let enabled = optional_boolean(members, "enabled").unwrap_or(true);
    let action_parameters = action.and_then(|action| parameters::read(members, action, context));
    let logging = read_logging(members, action);
    let ratelimit = read_rate_limit(members, action, context);
    let exposed_credential_check = read_credential_check(members, context);
    Some(RulesetRule {
        id,
        description,
        reference,
        enabled,
        action_parameters,
        logging,
        ratelimit,
        exposed_credential_check,
        ..RulesetRule::new(action?, expression?)
    })
}

/// Reads the action, which must be allowed in the context.
fn read_action(members: &mut ObjectReader, context: &RulesetContext<'_>) -> Option<RulesetAction> {
    let name = match members.required("action")? {
        Value::String(name) => name,
        other => return members.type_error("action", "a string", other),
    };
    let actions = allowed_actions(context);
    let names: Vec<&str> = actions.iter().map(|action| action.name()).collect();
    let error = match (RulesetAction::from_name(name), name.as_str()) {
        (Some(RulesetAction::Log), _) if actions.contains(&RulesetAction::Log) && context.tier < Tier::Enterprise => {
            let reason = format!("it needs the Enterprise plan; the current plan is {}", context.tier);
            invalid_value("/action", "action", name, reason)
        }
        (Some(action), _) if actions.contains(&action) => return Some(action),
        (Some(_), _) => {
            let hint = match context.phase {
                Phase::HttpRequestFirewallManaged => "; use overrides to change the actions of managed rules",
                _ => "",
            };
            let phase = context.phase.name();
            let reason = format!("the allowed actions in the phase {phase} are {}{hint}", join_names(&names));
            invalid_value("/action", "action", name, reason)
        }
        (None, _) => unknown_action_error(name, &names),
    };
    members.errors.push(error);
    None
}

/// Builds the error of an unknown action. The beginning of the message is observed.
fn unknown_action_error(name: &str, names: &[&str]) -> ValidationError {
    let excerpt: String = name.chars().take(64).map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let hint = match name {
        "allow" | "bypass" => "rulesets do not support this action; use `skip` instead".to_owned(),
        "simulate" => "rulesets do not support this action; use `log` instead".to_owned(),
        _ => match find_similar(name, names.iter().copied()).first() {
            Some(similar) => format!("did you mean `{similar}`?"),
            None => format!("the allowed actions are {}", join_names(names)),
        },
    };
    rule_error("/action", format!("unknown variant for action: {excerpt}; {hint}"))
}

fn read_expression(members: &mut ObjectReader, context: &RulesetContext<'_>) -> Option<String> {
    let text = match members.required("expression")? {
        Value::String(text) => text,
        other => return members.type_error("expression", "a string", other),
    };
    members.errors.extend(check_expression("/expression", "expression", text, Kind::Expression, context));
    Some(text.clone())
}

/// Reads the logging options, which only `skip` rules may have.
fn read_logging(members: &mut ObjectReader, action: Option<RulesetAction>) -> Option<Logging> {
    let value = members.get("logging")?;
    if action.is_some_and(|action| action != RulesetAction::Skip) {
        // The message is observed.
        let message = "logging options only allowed in the skip action";
        let code = error_code::LOGGING_NOT_ALLOWED;
        members.errors.push(ValidationError { code, ..ValidationError::invalid_value("/logging", message) });
        return None;
    }
    let read = ObjectReader::new(value, "logging", &["enabled"], &[]).and_then(|mut logging| {
        let enabled = optional_boolean(&mut logging, "enabled").unwrap_or(true);
        if logging.errors.is_empty() { Ok(Logging { enabled }) } else { Err(logging.errors) }
    });
    read.map_err(|found| members.errors.extend(prefix_pointers("/logging", found))).ok()
}

/// Reads the rate limit. In the phase `http_ratelimit` every rule needs one, except execute rules. Other rules cannot
/// have one.
fn read_rate_limit(
    members: &mut ObjectReader,
    action: Option<RulesetAction>,
    context: &RulesetContext<'_>,
) -> Option<RateLimit> {
    let needs_rate_limit = context.phase == Phase::HttpRatelimit && action != Some(RulesetAction::Execute);
    let Some(value) = members.get("ratelimit") else {
        if needs_rate_limit && action.is_some() {
            let message = format!("`ratelimit` is missing; it is required in the phase {}", context.phase.name());
            members.errors.push(ValidationError::invalid_shape("/ratelimit", message));
        }
        return None;
    };
    if !needs_rate_limit {
        let message = format!(
            "`ratelimit` is only allowed in the phase {}, and not in `execute` rules",
            Phase::HttpRatelimit.name()
        );
        members.errors.push(rule_error("/ratelimit", message));
        return None;
    }
    rate_limit::read(value, context).map_err(|found| members.errors.extend(prefix_pointers("/ratelimit", found))).ok()
}

/// Reads the expressions that read the credentials of a request. Only custom rules may have them.
fn read_credential_check(members: &mut ObjectReader, context: &RulesetContext<'_>) -> Option<ExposedCredentialCheck> {
    let value = members.get("exposed_credential_check")?;
    if context.phase != Phase::HttpRequestFirewallCustom {
        let phase = Phase::HttpRequestFirewallCustom.name();
        let message = format!("`exposed_credential_check` is only allowed in the phase {phase}");
        members.errors.push(rule_error("/exposed_credential_check", message));
        return None;
    }
    let names = ["username_expression", "password_expression"];
    let read = ObjectReader::new(value, "`exposed_credential_check`", &names, &[]).and_then(|mut check| {
        let [username_expression, password_expression] = names.map(|name| match check.required(name) {
            Some(Value::String(text)) => {
                check.errors.extend(check_expression(&format!("/{name}"), name, text, Kind::Value, context));
                text.clone()
            }
            Some(other) => check.type_error(name, "a string", other).unwrap_or_default(),
            None => String::new(),
        });
        let read = ExposedCredentialCheck { username_expression, password_expression };
        if check.errors.is_empty() { Ok(read) } else { Err(check.errors) }
    });
    read.map_err(|errors| members.errors.extend(prefix_pointers("/exposed_credential_check", errors))).ok()
}

/// Reads a position, which has exactly one member.
fn read_position(members: &mut ObjectReader) -> Option<Position> {
    let value = members.get("position")?;
    let names = ["before", "after", "index"];
    let read = ObjectReader::new(value, "a position", &names, &[]).and_then(|mut position| {
        let present: Vec<&str> = names.into_iter().filter(|name| position.get(name).is_some()).collect();
        let [name] = present.as_slice() else {
            let message = format!("a position must have exactly one of {}", join_alternatives(&names));
            position.errors.push(rule_error("", message));
            return Err(position.errors);
        };
        let read = match (*name, position.get(name)) {
            ("before", Some(Value::String(id))) if id.is_empty() => Some(Position::First),
            ("after", Some(Value::String(id))) if id.is_empty() => Some(Position::Last),
            ("before", Some(Value::String(id))) => Some(Position::Before(id.clone())),
            ("after", Some(Value::String(id))) => Some(Position::After(id.clone())),
            ("index", Some(number @ Value::Number(_))) => {
                let integer = parse_integer(number);
                let index = integer.filter(|index| *index >= 1).and_then(|index| usize::try_from(index).ok());
                if index.is_none() {
                    let reason = if integer.is_some() { "positions start at 1" } else { "it must be an integer" };
                    position.errors.push(invalid_value("/index", "index", &number.to_string(), reason));
                }
                index.map(Position::Index)
            }
            ("index", Some(other)) => position.type_error("index", "an integer", other),
            (name, Some(other)) => position.type_error(name, "a string", other),
            (_, None) => None,
        };
        read.filter(|_| position.errors.is_empty()).ok_or(position.errors)
    });
    read.map_err(|found| members.errors.extend(prefix_pointers("/position", found))).ok()
}
