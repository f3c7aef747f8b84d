//! The rules of a zone, read from responses of the API.

use serde_json::{Map, Value};
use zonewright_api::firewall::FirewallRule;
use zonewright_api::ruleset::{RulesetKind, RulesetRule};
use zonewright_api::{ObjectReader, ValidationError, describe_value, join_alternatives, read_object};
use zonewright_expression::schema::Phase;

/// The rules of a zone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Zone {
    /// The rulesets of the zone and of its account.
    pub rulesets: Vec<ZoneRuleset>,
    /// The firewall rules, in any order.
    pub firewall_rules: Vec<FirewallRule>,
    /// The JSON pointer to the firewall rules.
    pub firewall_rules_pointer: String,
    /// The items of named lists, by name.
    pub lists: Map<String, Value>,
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

/// The members of a document. The same file can also describe the zone for a migration, whose other members are
/// ignored.
const MEMBERS: [&str; 4] = ["rulesets", "entry_point", "firewall_rules", "lists"];
const IGNORED_MEMBERS: [&str; 8] =
    ["zone", "plan", "settings", "packages", "groups", "rules", "overrides", "page_rules"];

/// Reads the rules of a zone.
///
/// The document is an object with the members `rulesets`, `firewall_rules`, and `lists`, all optional; or an array of
/// rulesets; or one ruleset. A ruleset, and the list of firewall rules, may be a whole response of the API.
/// `lists` has the items of named lists, by their names.
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
        read_ruleset(document, "", &mut zone, &mut errors);
    } else {
        let members = ObjectReader::new(document, "the zone", &MEMBERS, &IGNORED_MEMBERS)?;
        errors.extend(members.errors.iter().cloned());
        if let Some(rulesets) = members.get("rulesets") {
            match unwrap_envelope(rulesets, "/rulesets".to_owned()) {
                (pointer, Value::Array(rulesets)) => read_rulesets(rulesets, &pointer, &mut zone, &mut errors),
                (pointer, other) => errors.push(type_error(pointer, "an array of rulesets", other)),
            }
        }
        // The response for a zone without an entry point has no result.
        let entry_point = members.get("entry_point").filter(|value| is_ruleset(value));
        if let Some(entry_point) = entry_point {
            read_ruleset(entry_point, "/entry_point", &mut zone, &mut errors);
        }
        if let Some(rules) = members.get("firewall_rules") {
            read_firewall_rules(rules, &mut zone, &mut errors);
        }
        match members.get("lists") {
            Some(Value::Object(lists)) => zone.lists = lists.clone(),
            Some(other) => errors.push(type_error("/lists".to_owned(), "an object of lists", other)),
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

fn type_error(pointer: String, expected: &str, value: &Value) -> ValidationError {
    ValidationError::invalid_shape(pointer, format!("expected {expected}, found {}", describe_value(value)))
}

fn read_rulesets(rulesets: &[Value], pointer: &str, zone: &mut Zone, errors: &mut Vec<ValidationError>) {
    for (index, ruleset) in rulesets.iter().enumerate() {
        read_ruleset(ruleset, &format!("{pointer}/{index}"), zone, errors);
    }
}

/// Reads a ruleset. Rulesets of the network layer are ignored, because they receive packets.
fn read_ruleset(value: &Value, pointer: &str, zone: &mut Zone, errors: &mut Vec<ValidationError>) {
    let (pointer, ruleset) = unwrap_envelope(value, pointer.to_owned());
    let text = |name: &str| ruleset.get(name).and_then(Value::as_str).unwrap_or_default();
    let Some(phase) = Phase::from_name(text("phase")) else {
        let message = "expected a ruleset with the name of its phase, such as `http_request_firewall_custom`";
        errors.push(ValidationError::invalid_value(format!("{pointer}/phase"), message));
        return;
    };
    // A ruleset without a kind is an entry point, as documents for a Terraform zone are.
    let kind = match ruleset.get("kind") {
        None => RulesetKind::Zone,
        Some(_) => match RulesetKind::from_name(text("kind")) {
            Some(kind) => kind,
            None => {
                let names: Vec<&str> = RulesetKind::ALL.iter().map(|kind| kind.name()).collect();
                let message = format!("the kind must be one of {}", join_alternatives(&names));
                errors.push(ValidationError::invalid_value(format!("{pointer}/kind"), message));
                return;
            }
        },
    };
    let mut rules = Vec::new();
    let items = if kind == RulesetKind::Managed { None } else { ruleset.get("rules") };
    for (index, rule) in items.and_then(Value::as_array).into_iter().flatten().enumerate() {
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
