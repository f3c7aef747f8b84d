//! What the actions of an entry point's rules need to know.

use super::entry_point::{MOST_PROBLEMS, array, invalid, is_enough, switch};
use super::escaped;
use crate::catalogue::{CORE_RULESET, MANAGED, ManagedRuleset, SCORE_RULE, managed_rules, ruleset};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;
use zonewright_api::firewall::Product;
use zonewright_api::ruleset::{ActionParameters, CategoryOverride, Overrides, RuleOverride, RulesetAction};
use zonewright_api::{Members, Refusal, described, error_code, list, under};
use zonewright_diagnostic::similar;
use zonewright_expression::schema::Tier;

/// What overrides can make of a managed rule.
const ACTIONS: [RulesetAction; 5] = [
    RulesetAction::Block,
    RulesetAction::Challenge,
    RulesetAction::JsChallenge,
    RulesetAction::ManagedChallenge,
    RulesetAction::Log,
];
/// Phases that a skip rule can pass over (observed).
const PHASES: [&str; 3] = ["http_ratelimit", "http_request_firewall_managed", "http_request_sbfm"];
/// Largest score threshold (assumption entry-point-limits).
const MOST_SCORE: u64 = 10_000;

/// Identifiers of the rules of each managed ruleset.
static RULES: LazyLock<HashMap<&str, HashSet<&str>>> = LazyLock::new(|| {
    let ids = |id| managed_rules(id).iter().map(|rule| rule.id).collect();
    MANAGED.iter().map(|ruleset| (ruleset.id, ids(ruleset.id))).collect()
});

/// Reads the parameters of a rule that executes a managed ruleset.
pub(super) fn execute(value: &Value, tier: Tier) -> Result<ActionParameters, Vec<Refusal>> {
    let known = ["id", "version", "overrides", "matched_data"];
    let mut members = Members::open(value, "the parameters of `execute`", &known, &[])?;
    let executed = members.required("id").and_then(|value| match value {
        Value::String(id) => known_ruleset(&mut members.refusals, "/id", id),
        other => members.wrong_type("id", "a string", other),
    });
    if tier == Tier::Free
        && let Some(ruleset) = executed
    {
        let reason = "the ruleset needs the Pro plan or a larger one";
        members.refusals.push(invalid("/id", "id", ruleset.id, reason));
    }
    if let Some(version) = members.text("version").filter(|version| version != "latest") {
        let reason = "managed rulesets are executed as their `latest`";
        members.refusals.push(invalid("/version", "version", &version, reason));
    }
    if members.get("matched_data").is_some() {
        let message = "`matched_data` is not available: this service has no matched requests to encrypt";
        let code = error_code::NOT_AVAILABLE;
        members.refusals.push(Refusal { code, ..Refusal::value("/matched_data", message) });
    }
    let overrides = members.get("overrides").map(|value| overrides(value, executed)).transpose();
    let overrides = overrides.unwrap_or_else(|found| {
        members.refusals.extend(under("/overrides", found));
        None
    });
    let id = executed.map(|ruleset| ruleset.id.to_owned());
    let parameters = ActionParameters { id, overrides, ..ActionParameters::default() };
    if members.refusals.is_empty() { Ok(parameters) } else { Err(members.refusals) }
}

/// Reads overrides. What they name is looked up when the ruleset is known.
fn overrides(value: &Value, executed: Option<&ManagedRuleset>) -> Result<Overrides, Vec<Refusal>> {
    let known = ["action", "enabled", "categories", "rules", "sensitivity_level"];
    let mut members = Members::open(value, "overrides", &known, &[])?;
    let (action, enabled) = changes(&mut members);
    let mut seen = HashSet::new();
    let mut categories = Vec::new();
    for (index, item) in array(&mut members, "categories").iter().enumerate() {
        let pointer = format!("/categories/{index}");
        if is_enough(&mut members.refusals, &pointer) {
            break;
        }
        match category(item, executed, &mut seen) {
            Ok(category) => categories.push(category),
            Err(found) => members.refusals.extend(under(&pointer, found)),
        }
    }
    let mut seen = HashSet::new();
    let mut rules = Vec::new();
    for (index, item) in array(&mut members, "rules").iter().enumerate() {
        let pointer = format!("/rules/{index}");
        if is_enough(&mut members.refusals, &pointer) {
            break;
        }
        match rule(item, executed, &mut seen) {
            Ok(rule) => rules.push(rule),
            Err(found) => members.refusals.extend(under(&pointer, found)),
        }
    }
    if members.refusals.is_empty() {
        Ok(Overrides { action, enabled, categories, rules })
    } else {
        Err(members.refusals)
    }
}

/// What every override can say: another action, in effect or not.
fn changes(members: &mut Members) -> (Option<RulesetAction>, Option<bool>) {
    if let Some(level) = members.get("sensitivity_level") {
        let shown = level.as_str().map_or_else(|| described(level), str::to_owned);
        let reason = "only rulesets against denial of service have one";
        members.refusals.push(invalid("/sensitivity_level", "sensitivity_level", &shown, reason));
    }
    let action = members.text("action").and_then(|name| {
        let action = RulesetAction::from_name(&name).filter(|action| ACTIONS.contains(action));
        if action.is_none() {
            let hint = if name == "simulate" { "; `log` is what it is called here" } else { "" };
            let reason = format!("managed rules may {}{hint}", list(&ACTIONS.map(RulesetAction::name)));
            members.refusals.push(invalid("/action", "action", &name, reason));
        }
        action
    });
    (action, switch(members, "enabled"))
}

fn category<'a>(
    value: &'a Value,
    executed: Option<&ManagedRuleset>,
    seen: &mut HashSet<&'a str>,
) -> Result<CategoryOverride, Vec<Refusal>> {
    let known = ["category", "action", "enabled", "sensitivity_level"];
    let mut members = Members::open(value, "an override of a category", &known, &[])?;
    let (action, enabled) = changes(&mut members);
    let name = members.required("category").and_then(|value| match value {
        Value::String(name) => Some(name.as_str()),
        other => members.wrong_type("category", "a string", other),
    });
    if let Some(name) = name {
        let among = executed.map(|ruleset| (ruleset.name, ruleset.categories));
        if let Some((title, _)) = among.filter(|(_, categories)| !categories.contains(&name)) {
            let close = similar(name, executed.iter().flat_map(|ruleset| ruleset.categories.iter().copied()));
            let hint = close.first().map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
            let reason = format!("the {title} has no such category{hint}");
            members.refusals.push(invalid("/category", "category", name, reason));
        } else if !seen.insert(name) {
            members.refusals.push(invalid("/category", "category", name, "there is an override of it before"));
        }
    }
    let category = name.unwrap_or_default().to_owned();
    if members.refusals.is_empty() { Ok(CategoryOverride { category, action, enabled }) } else { Err(members.refusals) }
}

fn rule<'a>(
    value: &'a Value,
    executed: Option<&ManagedRuleset>,
    seen: &mut HashSet<&'a str>,
) -> Result<RuleOverride, Vec<Refusal>> {
    let known = ["id", "action", "enabled", "score_threshold", "sensitivity_level"];
    let mut members = Members::open(value, "an override of a rule", &known, &[])?;
    let (action, enabled) = changes(&mut members);
    let id = members.required("id").and_then(|value| match value {
        Value::String(id) => Some(id.as_str()),
        other => members.wrong_type("id", "a string", other),
    });
    if let Some(id) = id {
        members.refusals.extend(executed.and_then(|ruleset| unknown_rule("/id", ruleset, id)));
        if !seen.insert(id) {
            members.refusals.push(invalid("/id", "id", id, "there is an override of it before"));
        }
    }
    let is_score = executed.is_none_or(|ruleset| ruleset.id == CORE_RULESET) && id == Some(SCORE_RULE);
    let score_threshold = score_threshold(&mut members, is_score);
    let id = id.unwrap_or_default().to_owned();
    if members.refusals.is_empty() {
        Ok(RuleOverride { id, action, enabled, score_threshold })
    } else {
        Err(members.refusals)
    }
}

fn score_threshold(members: &mut Members, is_score: bool) -> Option<u32> {
    let value = members.get("score_threshold")?;
    let Value::Number(number) = value else {
        return members.wrong_type("score_threshold", "a whole number", value);
    };
    let score = number.as_u64().filter(|score| (1..=MOST_SCORE).contains(score));
    let reason = if !is_score {
        "only the last rule of the core rule set has one".to_owned()
    } else if score.is_none() {
        format!("it must be a whole number from 1 to {MOST_SCORE}")
    } else {
        return score.and_then(|score| u32::try_from(score).ok());
    };
    members.refusals.push(invalid("/score_threshold", "score_threshold", &number.to_string(), reason));
    None
}

/// Reads the parameters of a rule that passes over others.
pub(super) fn skip(value: &Value) -> Result<ActionParameters, Vec<Refusal>> {
    let known = ["ruleset", "rulesets", "rules", "phases", "products"];
    let mut members = Members::open(value, "the parameters of `skip`", &known, &[])?;
    let ruleset = members.text("ruleset");
    if let Some(other) = ruleset.as_ref().filter(|name| *name != "current") {
        let reason = "it can be `current` only; `rulesets` has identifiers";
        members.refusals.push(invalid("/ruleset", "ruleset", other, reason));
    }
    let rulesets = texts(&mut members, "rulesets", |refusals, pointer, id| {
        known_ruleset(refusals, pointer, id).map(|ruleset| ruleset.id.to_owned())
    });
    let rules = rules(&mut members);
    let phases = texts(&mut members, "phases", |refusals, pointer, name| {
        let known = PHASES.contains(&name);
        if !known {
            let reason = format!("a rule can skip the phases {}", list(&PHASES));
            refusals.push(invalid(pointer, "phases", name, reason));
        }
        known.then(|| name.to_owned())
    });
    let products = texts(&mut members, "products", |refusals, pointer, name| {
        let product = Product::from_name(name);
        if product.is_none() {
            let names: Vec<&str> = Product::ALL.iter().map(|product| product.name()).collect();
            refusals.push(invalid(pointer, "products", name, format!("there are {}", list(&names))));
        }
        product
    });
    exclusive(&mut members);
    let parameters = ActionParameters { ruleset, rulesets, rules, phases, products, ..ActionParameters::default() };
    if members.refusals.is_empty() && parameters == ActionParameters::default() {
        let message = "there is nothing to skip: say `ruleset`, `rulesets`, `rules`, `phases` or `products`";
        members.refusals.push(Refusal::shape("", message));
    }
    if members.refusals.is_empty() { Ok(parameters) } else { Err(members.refusals) }
}

/// What cannot stand together (observed).
fn exclusive(members: &mut Members) {
    for (one, other) in [("ruleset", "rulesets"), ("ruleset", "rules"), ("rulesets", "phases")] {
        if members.get(one).is_some() && members.get(other).is_some() {
            let message = format!("`{other}` cannot stand together with `{one}`");
            let code = error_code::WRONG_RULE;
            members.refusals.push(Refusal { code, ..Refusal::value(format!("/{other}"), message) });
        }
    }
}

/// An optional array of texts without repetition, each through `read`.
fn texts<T>(members: &mut Members, name: &str, read: impl Fn(&mut Vec<Refusal>, &str, &str) -> Option<T>) -> Vec<T> {
    let items = array(members, name);
    items_of(&mut members.refusals, &format!("/{name}"), name, items, read)
}

fn items_of<T>(
    refusals: &mut Vec<Refusal>,
    outer: &str,
    name: &str,
    items: &[Value],
    read: impl Fn(&mut Vec<Refusal>, &str, &str) -> Option<T>,
) -> Vec<T> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let pointer = format!("{outer}/{index}");
        if is_enough(refusals, &pointer) {
            break;
        }
        match item {
            Value::String(text) if !seen.insert(text) => {
                refusals.push(invalid(pointer, name, text, "it is there already"));
            }
            Value::String(text) => found.extend(read(refusals, &pointer, text)),
            other => {
                let message = format!("an item of `{name}` must be a string, not {}", described(other));
                refusals.push(Refusal::shape(pointer, message));
            }
        }
    }
    found
}

/// Rules to skip, by their ruleset.
fn rules(members: &mut Members) -> BTreeMap<String, Vec<String>> {
    let mut found = BTreeMap::new();
    let items = match members.get("rules") {
        None => return found,
        Some(Value::Object(items)) => items,
        Some(other) => {
            members.wrong_type::<()>("rules", "an object of arrays", other);
            return found;
        }
    };
    for (id, ids) in items.iter().take(MOST_PROBLEMS) {
        let pointer = format!("/rules/{}", escaped(id));
        let ruleset = known_ruleset(&mut members.refusals, &pointer, id);
        match (ids, ruleset) {
            (Value::Array(ids), Some(ruleset)) => {
                let ids = items_of(&mut members.refusals, &pointer, "rules", ids, |refusals, pointer, id| {
                    refusals.extend(unknown_rule(pointer, ruleset, id));
                    Some(id.to_owned())
                });
                found.insert(ruleset.id.to_owned(), ids);
            }
            (Value::Array(_), None) => {}
            (other, _) => {
                let message = format!("the rules of a ruleset must be an array, not {}", described(other));
                members.refusals.push(Refusal::shape(pointer, message));
            }
        }
    }
    found
}

fn known_ruleset(refusals: &mut Vec<Refusal>, pointer: &str, id: &str) -> Option<&'static ManagedRuleset> {
    let found = ruleset(id);
    if found.is_none() {
        let named: Vec<String> = MANAGED.iter().map(|one| format!("`{}` ({})", one.id, one.name)).collect();
        let reason = format!("there is no such managed ruleset; there are {}", named.join(" and "));
        refusals.push(invalid(pointer, "id", id, reason));
    }
    found
}

fn unknown_rule(pointer: &str, ruleset: &ManagedRuleset, id: &str) -> Option<Refusal> {
    let known = RULES.get(ruleset.id).is_some_and(|rules| rules.contains(id));
    (!known).then(|| invalid(pointer, "id", id, format!("the {} has no such rule", ruleset.name)))
}
