//! Reads ordered lists of rules for analyses of a whole list.
//!
//! A list is text with one expression after another, or JSON as the service returns it for firewall rules and rulesets.
//! Start with [`RuleList`]. It records the order of the rules, and for each rule its name, its condition, whether it is
//! active, and whether it is terminating (assumption ending-rules).

use crate::evaluation_order::{action_precedence, sort_for_evaluation};
use serde_json::Value;
use zonewright_api::firewall::{Action, FirewallRule};
use zonewright_api::ruleset::{ActionParameters, RulesetAction};
use zonewright_api::{ValidationError, describe_value, json, parse_integer};
use zonewright_diagnostic::sort_by_key;

/// A rule of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleEntry {
    /// The index in the input, from 0. Evaluation order may differ.
    pub index: usize,
    /// The description. [`rule_list_from_json`] falls back to the reference, then to the identifier.
    pub name: Option<String>,
    /// The condition.
    pub expression: String,
    /// Whether the rule is terminating: no later rule is evaluated once it is true.
    pub is_terminating: bool,
    /// Whether the rule is active: neither the rule nor its filter is paused or disabled.
    pub is_active: bool,
}

/// A list of rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleList {
    /// The rules in evaluation order.
    pub rules: Vec<RuleEntry>,
    /// Remarks about the list for the user, one sentence each.
    pub notes: Vec<String>,
}

/// The members of a rule that restrict it beyond its expression.
const EXTRA_CONDITION_MEMBERS: [&str; 3] = ["ratelimit", "exposed_credential_check", "score_threshold"];

/// Returns whether an action of a firewall rule is terminating (documented).
pub fn is_terminating(action: Action) -> bool {
    !matches!(action, Action::Log | Action::Bypass)
}

/// Returns the entries of firewall rules in evaluation order.
pub fn entries_in_evaluation_order(rules: &[FirewallRule]) -> Vec<RuleEntry> {
    let entry = |(index, rule): (usize, &FirewallRule)| RuleEntry {
        index,
        name: rule.description.clone(),
        expression: rule.filter.expression.clone(),
        is_terminating: is_terminating(rule.action),
        is_active: !rule.paused && !rule.filter.paused,
    };
    sort_for_evaluation(rules).into_iter().map(entry).collect()
}

/// The sort key of a firewall rule: priority, then the rank of the action.
type EvaluationKey = (u64, u8);

fn evaluation_key(priority: Option<u64>, action: Option<Action>) -> EvaluationKey {
    (priority.unwrap_or(u64::MAX), action.map_or(u8::MAX, action_precedence))
}

fn sort_entries(mut rules: Vec<(EvaluationKey, RuleEntry)>) -> Vec<RuleEntry> {
    sort_by_key(&mut rules, |(key, entry)| (*key, entry.index));
    rules.into_iter().map(|(_, entry)| entry).collect()
}

/// Reads a list: JSON as in [`rule_list_from_json`], or text with one expression per line. If empty lines separate the
/// expressions, an expression may span several lines. All rules from text are terminating.
///
/// # Errors
///
/// Returns all errors if the text is invalid JSON or JSON without a list of rules.
pub fn read_list(text: &str) -> Result<RuleList, Vec<ValidationError>> {
    let text = json::strip_bom(text);
    if text.trim_start().starts_with(['[', '{', '"']) {
        let parsed = json::parse(text).map_err(|error| match error.duplicate {
            Some(_) => vec![error.to_validation_error()],
            None => vec![ValidationError::invalid_shape("", format!("invalid JSON: {error}"))],
        });
        return rule_list_from_json(&parsed?);
    }
    let mut paragraphs: Vec<String> = vec![String::new()];
    for line in text.trim().lines() {
        match paragraphs.last_mut() {
            Some(paragraph) if !line.trim().is_empty() => {
                if !paragraph.is_empty() {
                    paragraph.push('\n');
                }
                paragraph.push_str(line);
            }
            _ => paragraphs.push(String::new()),
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    if let [only] = paragraphs.as_slice() {
        paragraphs = only.lines().map(str::to_owned).collect();
    }
    let rule = |(index, expression): (usize, String)| expression_entry(index, expression);
    Ok(RuleList { rules: paragraphs.into_iter().enumerate().map(rule).collect(), notes: Vec::new() })
}

fn expression_entry(index: usize, expression: String) -> RuleEntry {
    RuleEntry { index, name: None, expression, is_terminating: true, is_active: true }
}

/// Reads a list from JSON: an array of expressions, of firewall rules with their filters, or of rules of a ruleset. It
/// also accepts a whole ruleset, and a response of the service whose `result` is an array or a ruleset. A rule without
/// an action is terminating.
///
/// # Errors
///
/// Returns an error for each rule that is unreadable, or one for the list.
pub fn rule_list_from_json(json: &Value) -> Result<RuleList, Vec<ValidationError>> {
    let (container, mut pointer) = match json.get("result") {
        Some(result) => (result, "/result".to_owned()),
        None => (json, String::new()),
    };
    let container = match container.get("rules") {
        Some(rules) => {
            pointer.push_str("/rules");
            rules
        }
        None => container,
    };
    let Value::Array(items) = container else {
        let message = format!("expected an array of rules or expressions, found {}", describe_value(container));
        return Err(vec![ValidationError::invalid_shape(pointer, message)]);
    };
    let mut list = RuleList::default();
    let mut errors = Vec::new();
    let mut rules = Vec::new();
    let firewall_rule_count = items.iter().filter(|item| item.get("filter").is_some()).count();
    if firewall_rule_count > 0 && firewall_rule_count < items.len() {
        let message = "some of the rules have a `filter` and others do not, so their evaluation order is unknown";
        return Err(vec![ValidationError::invalid_shape(pointer, message)]);
    }
    for (index, item) in items.iter().enumerate() {
        match read_rule(index, item, &mut list.notes) {
            Ok((key, rule)) => rules.push((if firewall_rule_count > 0 { key } else { (0, 0) }, rule)),
            Err(error) => errors.push(error.with_pointer_prefix(&format!("{pointer}/{index}"))),
        }
    }
    let total = json.pointer("/result_info/total_count").and_then(Value::as_u64);
    if let Some(total) = total.filter(|total| *total > items.len() as u64) {
        list.notes.push(format!(
            "the list contains only {} of {total} rules; rules on other pages may shadow more rules",
            items.len()
        ));
    }
    list.rules = sort_entries(rules);
    if errors.is_empty() { Ok(list) } else { Err(errors) }
}

fn read_rule(
    index: usize,
    item: &Value,
    notes: &mut Vec<String>,
) -> Result<(EvaluationKey, RuleEntry), ValidationError> {
    if let Value::String(expression) = item {
        return Ok(((0, 0), expression_entry(index, expression.clone())));
    }
    if !item.is_object() {
        let message = format!("expected a rule or an expression, found {}", describe_value(item));
        return Err(ValidationError::invalid_shape("", message));
    }
    let (holder, pointer) = match item.get("filter") {
        Some(filter) => (filter, "/filter/expression"),
        None => (item, "/expression"),
    };
    let expression = match holder.get("expression") {
        Some(Value::String(expression)) => expression.clone(),
        Some(other) => {
            return Err(ValidationError::invalid_shape(
                pointer,
                format!("the expression must be a string, not {}", describe_value(other)),
            ));
        }
        None => return Err(ValidationError::invalid_shape(pointer, "the rule has no expression")),
    };
    let is_paused = read_member(item, "paused", "", BOOLEAN_EXPECTED, Value::as_bool)? == Some(true)
        || item.get("filter").is_some()
            && read_member(holder, "paused", "/filter", BOOLEAN_EXPECTED, Value::as_bool)? == Some(true);
    let name =
        ["description", "ref", "id"].iter().find_map(|name| item.get(name)?.as_str().filter(|text| !text.is_empty()));
    let action = read_member(item, "action", "", "an action name", Value::as_str)?;
    let is_terminating = match action {
        None => true,
        Some(name) if item.get("filter").is_some() => {
            Action::from_name(name).map(is_terminating).unwrap_or_else(|| note_unknown_action(index, name, notes))
        }
        Some(name) => is_terminating_in_ruleset(index, name, item, notes),
    };
    let as_u64 = |value: &Value| parse_integer(value).and_then(|number| u64::try_from(number).ok());
    let priority = read_member(item, "priority", "", "a non-negative integer", as_u64)?;
    let is_active = !is_paused && read_member(item, "enabled", "", BOOLEAN_EXPECTED, Value::as_bool)? != Some(false);
    let entry = RuleEntry { index, name: name.map(str::to_owned), expression, is_terminating, is_active };
    Ok((evaluation_key(priority, action.and_then(Action::from_name)), entry))
}

const BOOLEAN_EXPECTED: &str = "`true` or `false`";

/// Reads a member that affects the order or the evaluation of a rule. Returns `None` if it is missing or null.
fn read_member<'v, T>(
    holder: &'v Value,
    name: &str,
    pointer: &str,
    expected: &str,
    read: impl Fn(&'v Value) -> Option<T>,
) -> Result<Option<T>, ValidationError> {
    match holder.get(name).filter(|value| !value.is_null()) {
        None => Ok(None),
        Some(value) => read(value).map(Some).ok_or_else(|| {
            ValidationError::invalid_shape(
                format!("{pointer}/{name}"),
                format!("expected {expected}, found {}", describe_value(value)),
            )
        }),
    }
}

/// Adds a note about an unknown action. Returns `false`: the action is treated as non-terminating, so that its rule
/// never shadows another one.
fn note_unknown_action(index: usize, action: &str, notes: &mut Vec<String>) -> bool {
    let excerpt: String = action.chars().take(64).collect();
    notes.push(format!(
        "the action `{excerpt}` of rule {} is unknown; it is assumed not to stop the evaluation",
        index + 1
    ));
    false
}

fn is_terminating_in_ruleset(index: usize, action: &str, rule: &Value, notes: &mut Vec<String>) -> bool {
    if EXTRA_CONDITION_MEMBERS.iter().any(|name| rule.get(name).is_some_and(|value| !value.is_null())) {
        return false;
    }
    let parameter = |name: &str| rule.get("action_parameters").and_then(|parameters| parameters.get(name));
    match RulesetAction::from_name(action) {
        // The list of redirects may lack the requested URL.
        Some(RulesetAction::Redirect) => parameter("from_list").is_none(),
        Some(RulesetAction::Skip) => {
            let is_current = |name| parameter(name).and_then(Value::as_str) == Some(ActionParameters::CURRENT);
            is_current("ruleset") || is_current("phase")
        }
        Some(action) => is_terminating_ruleset_action(action),
        None => note_unknown_action(index, action, notes),
    }
}

/// Returns whether an action is terminating in a ruleset, provided that only the expression decides whether it runs
/// (documented; assumption ending-rules).
fn is_terminating_ruleset_action(action: RulesetAction) -> bool {
    use RulesetAction::{
        Block, Challenge, CompressResponse, DdosDynamic, Execute, ForceConnectionClose, JsChallenge, Log,
        LogCustomField, ManagedChallenge, Redirect, Rewrite, Route, Score, ServeError, SetCacheControl,
        SetCacheSettings, SetCacheTags, SetConfig, Skip,
    };
    match action {
        Block | Challenge | JsChallenge | ManagedChallenge | Redirect | ServeError => true,
        Skip | Log | Execute | Rewrite | Route | Score | SetConfig | SetCacheSettings | SetCacheControl
        | SetCacheTags | CompressResponse | LogCustomField | DdosDynamic | ForceConnectionClose => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn summarize(list: &RuleList) -> String {
        let rule = |rule: &RuleEntry| {
            let marks = match (rule.is_terminating, rule.is_active) {
                (_, false) => "-",
                (true, true) => "",
                (false, true) => "+",
            };
            format!("{marks}{}:{}", rule.index, rule.expression)
        };
        list.rules.iter().map(rule).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn rule_lists_are_read_in_order() {
        let filter = |expression: &str| json!({ "expression": expression });
        let cases = [
            (json!("ssl"), "error"),
            (json!(["a", "b"]), "0:a, 1:b"),
            (json!({"result": [], "success": true}), ""),
            (json!({"result": null, "success": false}), "error"),
            (
                json!({"result": [
                    {"filter": filter("a"), "action": "block"},
                    {"filter": filter("b"), "action": "block", "priority": 2},
                    {"filter": filter("c"), "action": "log", "priority": 2},
                    {"filter": filter("d"), "action": "allow", "priority": 2, "paused": true},
                    {"filter": {"expression": "e", "paused": true}, "action": "bypass", "priority": 0, "products": ["waf"]},
                ]}),
                "-4:e, +2:c, -3:d, 1:b, 0:a",
            ),
            (
                json!({"result": {"phase": "http_request_firewall_custom", "rules": [
                    {"expression": "a", "action": "skip", "action_parameters": {"ruleset": "current"}},
                    {"expression": "b", "action": "skip", "action_parameters": {"phases": ["http_ratelimit"]}},
                    {"expression": "c", "action": "block", "enabled": false},
                    {"expression": "d", "action": "block", "ratelimit": {"period": 10}},
                    {"expression": "e", "action": "redirect", "action_parameters": {"from_list": {"name": "x"}}},
                    {"expression": "f", "action": "redirect", "action_parameters": {"from_value": {}}},
                    {"expression": "g", "action": "execute"},
                    {"expression": "h"},
                ]}}),
                "0:a, +1:b, -2:c, +3:d, +4:e, 5:f, +6:g, 7:h",
            ),
            (json!([{"expression": "a"}, {"filter": filter("b")}]), "error"),
            (json!([{"filter": {"id": "x"}, "action": "block"}]), "error"),
            (json!([{"expression": 5}, 7]), "error"),
        ];
        for (json, expected) in cases {
            let summary = rule_list_from_json(&json).map_or_else(|_| "error".to_owned(), |list| summarize(&list));
            assert_eq!(summary, expected, "{json}");
        }
    }

    #[test]
    fn texts_are_split_into_rules() {
        let cases = [
            ("", ""),
            ("ssl", "0:ssl"),
            ("\u{feff}a\r\nb\n", "0:a, 1:b"),
            ("a\nor b\n \n\nc\n", "0:a\nor b, 1:c"),
            ("[\"a\"]", "0:a"),
            ("[\"a\"", "error"),
        ];
        for (text, expected) in cases {
            let summary = read_list(text).map_or_else(|_| "error".to_owned(), |list| summarize(&list));
            assert_eq!(summary, expected, "{text:?}");
        }
    }

    #[test]
    fn errors_have_pointers_and_doubtful_members_have_notes() {
        let errors = rule_list_from_json(&json!({"result": {"rules": ["a", {"action": "block"}, 5]}})).unwrap_err();
        let pointers: Vec<&str> = errors.iter().map(|error| error.pointer.as_str()).collect();
        assert_eq!(pointers, ["/result/rules/1/expression", "/result/rules/2"]);
        let response = json!({"result": [{"expression": "a", "action": "blok"}], "result_info": {"total_count": 30}});
        let list = rule_list_from_json(&response).unwrap();
        assert_eq!(summarize(&list), "+0:a");
        assert!(list.notes[0].contains("`blok` of rule 1") && list.notes[1].contains("1 of 30"), "{:?}", list.notes);
    }

    #[test]
    fn member_of_wrong_type_is_rejected_with_pointer() {
        let filter = json!({"expression": "ssl"});
        let cases = [
            (json!({"filter": filter, "priority": "2"}), "/0/priority"),
            (json!({"filter": filter, "priority": -1}), "/0/priority"),
            (json!({"filter": filter, "paused": "true"}), "/0/paused"),
            (json!({"filter": {"expression": "ssl", "paused": 1}}), "/0/filter/paused"),
            (json!({"expression": "ssl", "enabled": "no"}), "/0/enabled"),
            (json!({"expression": "ssl", "action": 5}), "/0/action"),
        ];
        for (rule, pointer) in cases {
            let errors = rule_list_from_json(&json!([rule])).unwrap_err();
            let pointers: Vec<&str> = errors.iter().map(|error| error.pointer.as_str()).collect();
            assert_eq!(pointers, [pointer], "{rule}");
        }
        let nulls = json!([{"filter": filter, "priority": null, "paused": null, "action": null}]);
        assert!(rule_list_from_json(&nulls).is_ok());
    }

    #[test]
    fn terminating_actions_of_firewall_rules_are_recognized() {
        let non_terminating: Vec<&Action> = Action::ALL.iter().filter(|action| !is_terminating(**action)).collect();
        assert_eq!(non_terminating, [&Action::Log, &Action::Bypass]);
    }
}
