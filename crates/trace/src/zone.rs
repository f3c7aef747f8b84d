//! The rules of a zone, read from responses of the API.

use serde_json::Value;
use std::collections::BTreeMap;
use zonewright_api::firewall::FirewallRule;
use zonewright_api::ruleset::{RulesetKind, RulesetRule};
use zonewright_api::{ObjectReader, ValidationError, describe_value, join_alternatives, read_object};
use zonewright_expression::ListItem;
use zonewright_expression::schema::Phase;
use zonewright_request::parse_lists;

/// The rules of a zone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Zone {
    /// The rulesets of the zone and of its account.
    pub rulesets: Vec<ZoneRuleset>,
    /// The firewall rules, in any order.
    pub firewall_rules: Vec<FirewallRule>,
    /// The JSON pointer to the firewall rules.
    pub firewall_rules_pointer: String,
    /// Remarks about ignored rulesets, one sentence each.
    pub notes: Vec<String>,
    /// The items of named lists, by name.
    pub lists: BTreeMap<String, Vec<ListItem>>,
}

/// A ruleset of a zone or an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneRuleset {
    /// The JSON pointer to the ruleset in the document.
    pub pointer: String,
    /// The ID; empty if the document does not have it.
    pub id: String,
    /// The name.
    pub name: String,
    /// The kind. Rulesets of the kinds `root` and `zone` are entry points.
    pub kind: RulesetKind,
    /// The phase.
    pub phase: Phase,
    /// The rules. Empty for a managed ruleset, whose conditions are not published.
    pub rules: Vec<RulesetRule>,
}

impl ZoneRuleset {
    /// Returns the name, or `id` if the ruleset has none.
    pub(crate) fn display_name<'a>(&'a self, id: &'a str) -> &'a str {
        if self.name.is_empty() { id } else { &self.name }
    }
}

/// The error codes of responses for a missing entry point (observed). One of them equals the HTTP status.
const NOT_FOUND_CODES: [u64; 2] = [10003, 404];

/// The members of a document.
const MEMBERS: [&str; 4] = ["rulesets", "entry_point", "firewall_rules", "lists"];
/// The members that only a migration reads, so that one file serves both.
const IGNORED_MEMBERS: [&str; 8] =
    ["zone", "plan", "settings", "packages", "groups", "rules", "overrides", "page_rules"];

/// Reads the rules of a zone.
///
/// The document is an object with the members `rulesets`, `firewall_rules`, and `lists`, all optional; or an array of
/// rulesets; or one ruleset. A ruleset, and the list of firewall rules, may be a complete response of the API. `entry_point` is one more ruleset.
/// `lists` maps the names of lists to their items.
///
/// # Errors
///
/// Returns every unreadable item, with a JSON pointer to it.
pub fn read_zone(document: &Value) -> Result<Zone, Vec<ValidationError>> {
    let mut zone = Zone::default();
    let mut errors = Vec::new();
    let is_ruleset = |value: &Value| unwrap_envelope(value, String::new()).1.get("phase").is_some();
    if let Value::Array(rulesets) = document {
        read_rulesets(rulesets, "", &mut zone, &mut errors);
    } else if is_ruleset(document) {
        read_ruleset(document, "", None, &mut zone, &mut errors);
    } else {
        let members = ObjectReader::new(document, "the zone", &MEMBERS, &IGNORED_MEMBERS)?;
        errors.extend(members.errors.iter().cloned());
        if let Some(rulesets) = members.get("rulesets") {
            match unwrap_envelope(rulesets, "/rulesets".to_owned()) {
                (pointer, Value::Array(rulesets)) => read_rulesets(rulesets, &pointer, &mut zone, &mut errors),
                (pointer, other) => errors.push(type_error(pointer, "an array of rulesets", other)),
            }
        }
        if let Some(entry_point) = members.get("entry_point").filter(|value| !value.is_null()) {
            let phase = Some(Phase::HttpRequestFirewallManaged);
            read_ruleset(entry_point, "/entry_point", phase, &mut zone, &mut errors);
        }
        if let Some(rules) = members.get("firewall_rules") {
            read_firewall_rules(rules, &mut zone, &mut errors);
        }
        match members.get("lists") {
            Some(Value::Object(lists)) => match parse_lists(lists) {
                Ok(lists) => zone.lists = lists,
                Err(error) => errors.push(ValidationError::invalid_value("/lists", error.to_string())),
            },
            Some(other) => errors.push(type_error(
                "/lists".to_owned(),
                "an object that maps the names of lists to their items",
                other,
            )),
            None => {}
        }
    }
    if errors.is_empty() { Ok(zone) } else { Err(errors) }
}

/// Returns the result of a response, or the value itself, with the JSON pointer to it.
fn unwrap_envelope(value: &Value, pointer: String) -> (String, &Value) {
    match value.get("result") {
        Some(result) => (format!("{pointer}/result"), result),
        None => (pointer, value),
    }
}

fn is_not_found(response: &Value) -> bool {
    let errors = response.get("errors").and_then(Value::as_array);
    let code = |error: &Value| error.get("code").and_then(Value::as_u64);
    errors.is_some_and(|errors| errors.iter().filter_map(code).any(|code| NOT_FOUND_CODES.contains(&code)))
}

fn type_error(pointer: String, expected: &str, value: &Value) -> ValidationError {
    ValidationError::invalid_shape(pointer, format!("must be {expected}, not {}", describe_value(value)))
}

fn read_rulesets(rulesets: &[Value], pointer: &str, zone: &mut Zone, errors: &mut Vec<ValidationError>) {
    for (index, ruleset) in rulesets.iter().enumerate() {
        read_ruleset(ruleset, &format!("{pointer}/{index}"), None, zone, errors);
    }
}

/// Reads a ruleset. `default_phase` is the phase of a ruleset that does not name it.
fn read_ruleset(
    value: &Value,
    pointer: &str,
    default_phase: Option<Phase>,
    zone: &mut Zone,
    errors: &mut Vec<ValidationError>,
) {
    if value.get("success") == Some(&Value::Bool(false)) {
        // The response for an entry point that does not exist.
        if !is_not_found(value) {
            let message = "this response reports an error; repeat the request and provide a successful response";
            errors.push(ValidationError::invalid_value(format!("{pointer}/success"), message));
        }
        return;
    }
    let (pointer, ruleset) = unwrap_envelope(value, pointer.to_owned());
    if !ruleset.is_object() {
        errors.push(type_error(pointer, "a ruleset", ruleset));
        return;
    }
    let text = |name: &str| ruleset.get(name).and_then(Value::as_str).unwrap_or_default();
    let phase = match (Phase::from_name(text("phase")), ruleset.get("phase")) {
        (Some(phase), _) => phase,
        (None, None) if default_phase.is_some() => default_phase.unwrap_or(Phase::HttpRequestFirewallManaged),
        (None, Some(Value::String(name))) => {
            let name: String = name.chars().take(64).collect();
            zone.notes.push(format!("the ruleset at {pointer} is ignored, because its phase `{name}` is unknown"));
            return;
        }
        _ => {
            let message = "`phase` must be the name of a phase, such as `http_request_firewall_custom`";
            errors.push(ValidationError::invalid_value(format!("{pointer}/phase"), message));
            return;
        }
    };
    // Without a kind, the ruleset is assumed to be an entry point of the zone.
    let kind = match ruleset.get("kind") {
        None => RulesetKind::Zone,
        Some(_) => match RulesetKind::from_name(text("kind")) {
            Some(kind) => kind,
            None => {
                let names: Vec<&str> = RulesetKind::ALL.iter().map(|kind| kind.name()).collect();
                let message = format!("`kind` must be one of {}", join_alternatives(&names));
                errors.push(ValidationError::invalid_value(format!("{pointer}/kind"), message));
                return;
            }
        },
    };
    let is_entry_point = matches!(kind, RulesetKind::Root | RulesetKind::Zone);
    if let Some(other) = zone.rulesets.iter().find(|other| is_entry_point && (other.phase, other.kind) == (phase, kind))
    {
        let message =
            format!("a phase has one entry point of the kind `{}`; the other is at {}", kind.name(), other.pointer);
        errors.push(ValidationError::invalid_value(pointer, message));
        return;
    }
    let items = match ruleset.get("rules") {
        _ if kind == RulesetKind::Managed => &[][..],
        Some(Value::Array(items)) => items,
        Some(other) => {
            errors.push(type_error(format!("{pointer}/rules"), "an array of rules", other));
            return;
        }
        None => {
            let message = "`rules` is missing, as in a list of rulesets; provide the response for the ruleset itself";
            errors.push(ValidationError::invalid_shape(format!("{pointer}/rules"), message));
            return;
        }
    };
    let mut rules = Vec::new();
    for (index, rule) in items.iter().enumerate() {
        match read_object::<RulesetRule>(rule) {
            Ok(rule) => rules.push(rule),
            Err(message) => {
                errors.push(ValidationError::invalid_shape(format!("{pointer}/rules/{index}"), message));
            }
        }
    }
    let (id, name) = (text("id").to_owned(), text("name").to_owned());
    zone.rulesets.push(ZoneRuleset { pointer, id, name, kind, phase, rules });
}

fn read_firewall_rules(value: &Value, zone: &mut Zone, errors: &mut Vec<ValidationError>) {
    let (pointer, rules) = unwrap_envelope(value, "/firewall_rules".to_owned());
    let Value::Array(rules) = rules else {
        errors.push(type_error(pointer, "an array of firewall rules", rules));
        return;
    };
    for (index, rule) in rules.iter().enumerate() {
        match read_object::<FirewallRule>(rule) {
            Ok(rule) => zone.firewall_rules.push(rule),
            Err(message) => errors.push(ValidationError::invalid_shape(format!("{pointer}/{index}"), message)),
        }
    }
    zone.firewall_rules_pointer = pointer;
}
