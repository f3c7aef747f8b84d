//! Converts firewall rules to custom rules, because the provider is shutting down the APIs of firewall rules.
//!
//! Start with [`convert`]. Every firewall rule has exactly one finding, and a rule that cannot be converted is reported
//! as lost.

use crate::evaluation_order::sort_for_evaluation;
use crate::filter::expression_options;
use std::collections::{BTreeMap, HashMap, HashSet};
use zonewright_api::finding::{Finding, FindingOutcome};
use zonewright_api::firewall::{Action, FirewallRule, Product};
use zonewright_api::join_names;
use zonewright_api::ruleset::{ActionParameters, RulesetAction, RulesetRule};
use zonewright_expression::check;
use zonewright_expression::schema::{Phase, Tier};

/// The custom rules, with a finding for each firewall rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    /// The rules of the phase `http_request_firewall_custom`, in evaluation order.
    pub rules: Vec<RulesetRule>,
    /// One finding for each firewall rule, in the order of the list. `setting` is `/0` for the first one.
    pub findings: Vec<Finding>,
}

/// Converts the firewall rules of a zone to equivalent custom rules. Position replaces priority. `allow` becomes a rule
/// that skips the remaining custom rules; `bypass` becomes a rule that skips products and phases.
pub fn convert(rules: &[FirewallRule], tier: Tier) -> Conversion {
    let mut custom_rules = Vec::new();
    let mut findings = BTreeMap::new();
    let mut references = HashSet::new();
    let first_indexes = find_duplicates(rules);
    for (index, rule) in sort_for_evaluation(rules) {
        if first_indexes.get(index).is_some_and(Option::is_some) {
            continue;
        }
        let mut finding = build_finding(index, rule, tier);
        if finding.outcome != FindingOutcome::Lost {
            finding.targets.push(format!("/rules/{}", custom_rules.len()));
            let mut custom = convert_rule(rule);
            // A `ref` is unique in a ruleset.
            if !custom.reference.is_empty() && !references.insert(custom.reference.clone()) {
                custom.reference.clear();
                finding.outcome = FindingOutcome::Changed;
                finding.code = "duplicate-reference";
                finding.message.push_str("; its `ref` is removed, because an earlier rule uses the same `ref`");
            }
            custom_rules.push(custom);
        }
        findings.insert(index, finding);
    }
    for (index, (rule, first_index)) in rules.iter().zip(first_indexes).enumerate() {
        let Some(first_index) = first_index else { continue };
        if let (Some(first), Some(first_finding)) = (rules.get(first_index), findings.get(&first_index)) {
            findings.insert(index, build_duplicate_finding(index, rule, first, first_finding));
        }
    }
    Conversion { rules: custom_rules, findings: findings.into_values().collect() }
}

/// Returns for each rule the index of the first rule with the same ID, or `None` if the rule is the first one or has no
/// ID. Only the first rule is converted (assumption first-counts).
fn find_duplicates(rules: &[FirewallRule]) -> Vec<Option<usize>> {
    let mut indexes_by_id = HashMap::new();
    let find_first = |(index, rule): (usize, &FirewallRule)| {
        let first_index = *indexes_by_id.entry(rule.id.clone()).or_insert(index);
        (first_index != index && !rule.id.is_empty()).then_some(first_index)
    };
    rules.iter().enumerate().map(find_first).collect()
}

/// Builds the finding of a rule that repeats the ID of an earlier rule. If the rules are equal, the finding has the
/// outcome of the earlier rule.
fn build_duplicate_finding(
    index: usize,
    rule: &FirewallRule,
    first: &FirewallRule,
    first_finding: &Finding,
) -> Finding {
    let first_pointer = first_finding.setting.as_str();
    let finding = new_finding(index, rule, FindingOutcome::Lost, "duplicate", String::new());
    if rule == first {
        let message = format!("duplicate of the firewall rule at `{first_pointer}`");
        return Finding {
            outcome: first_finding.outcome,
            message,
            help: first_finding.help.clone(),
            targets: first_finding.targets.clone(),
            ..finding
        };
    }
    let message = format!(
        "it has the same ID as the firewall rule at `{first_pointer}` but differs from it; only that rule is converted"
    );
    let help = "remove one of the two rules or give it a different ID, then convert again";
    Finding { message, help: Some(help.to_owned()), ..finding }
}

fn convert_rule(rule: &FirewallRule) -> RulesetRule {
    let (action, action_parameters) = match rule.action {
        Action::Block => (RulesetAction::Block, None),
        Action::Challenge => (RulesetAction::Challenge, None),
        Action::JsChallenge => (RulesetAction::JsChallenge, None),
        Action::ManagedChallenge => (RulesetAction::ManagedChallenge, None),
        Action::Log => (RulesetAction::Log, None),
        Action::Allow => (RulesetAction::Skip, Some(build_allow_parameters())),
        Action::Bypass => (RulesetAction::Skip, Some(build_bypass_parameters(&rule.products))),
    };
    RulesetRule {
        description: rule.description.clone().unwrap_or_default(),
        reference: rule.reference.clone().unwrap_or_default(),
        enabled: is_active(rule),
        action_parameters,
        ..RulesetRule::new(action, rule.filter.expression.trim())
    }
}

fn is_active(rule: &FirewallRule) -> bool {
    !rule.paused && !rule.filter.paused
}

fn build_allow_parameters() -> ActionParameters {
    ActionParameters { ruleset: Some(ActionParameters::CURRENT.to_owned()), ..ActionParameters::default() }
}

/// Returns the parameters of `skip` for `bypass`. Rate limiting and managed rules are also phases of rulesets; their
/// previous versions are still products. Both are therefore listed.
fn build_bypass_parameters(products: &[Product]) -> ActionParameters {
    ActionParameters {
        phases: find_replacing_phases(products).into_iter().map(str::to_owned).collect(),
        products: products.to_vec(),
        ..ActionParameters::default()
    }
}

/// Returns the phases that replace products.
fn find_replacing_phases(products: &[Product]) -> Vec<&'static str> {
    let phase = |product: &Product| match product {
        Product::Waf => Some(Phase::HttpRequestFirewallManaged.name()),
        Product::RateLimit => Some(Phase::HttpRatelimit.name()),
        Product::ZoneLockdown | Product::UaBlock | Product::Bic | Product::Hot | Product::SecurityLevel => None,
    };
    products.iter().filter_map(phase).collect()
}

fn build_finding(index: usize, rule: &FirewallRule, tier: Tier) -> Finding {
    let (outcome, code, message) = match check(&rule.filter.expression, &expression_options(tier))
        .diagnostics
        .iter()
        .find(|diagnostic| diagnostic.is_error())
    {
        Some(first) => {
            (FindingOutcome::Lost, "invalid-expression", format!("its expression is invalid: {}", first.message))
        }
        None => match rule.action {
            Action::Allow => {
                (FindingOutcome::Carried, "allow", "becomes a rule that skips the remaining custom rules".to_owned())
            }
            Action::Bypass if rule.products.is_empty() => {
                (FindingOutcome::Lost, "bypass-without-products", "names no product to skip".to_owned())
            }
            Action::Bypass => {
                let message = match find_replacing_phases(&rule.products).as_slice() {
                    [] => "becomes a rule that skips the same products".to_owned(),
                    phases => format!("becomes a rule that skips the same products and also {}", join_names(phases)),
                };
                (FindingOutcome::Carried, "bypass", message)
            }
            Action::Log if tier < Tier::Enterprise => {
                let message = format!("custom rules with `log` need the Enterprise plan; the zone has the {tier} plan");
                (FindingOutcome::Lost, "log-needs-enterprise", message)
            }
            other => (
                FindingOutcome::Carried,
                "same-action",
                format!("keeps the action `{}`; its position in the list replaces the priority", other.name()),
            ),
        },
    };
    new_finding(index, rule, outcome, code, message)
}

fn new_finding(
    index: usize,
    rule: &FirewallRule,
    outcome: FindingOutcome,
    code: &'static str,
    message: String,
) -> Finding {
    let title = rule.description.as_deref().filter(|text| !text.trim().is_empty()).unwrap_or(&rule.id);
    Finding {
        outcome,
        code,
        setting: format!("/{index}"),
        name: format!("Firewall rule {}", title.trim()),
        message,
        help: (outcome == FindingOutcome::Lost).then(|| "fix the firewall rule, then convert again".to_owned()),
        targets: Vec::new(),
        draft: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn convert_json(rules: &Value, tier: Tier) -> Conversion {
        let rules: Vec<FirewallRule> = serde_json::from_value(rules.clone()).unwrap();
        convert(&rules, tier)
    }

    fn rule(id: &str, action: &str, extra_members: &Value) -> Value {
        let mut rule = json!({"id": id, "action": action, "filter": {"id": "f", "expression": "ssl"}});
        rule.as_object_mut().unwrap().extend(extra_members.as_object().unwrap().clone());
        rule
    }

    #[test]
    fn custom_rules_are_in_evaluation_order() {
        let rules = json!([
            rule("none", "block", &json!({})),
            rule("two", "block", &json!({"priority": 2})),
            rule("first", "allow", &json!({"priority": 2, "description": "office"})),
            rule("paused", "challenge", &json!({"priority": 1, "paused": true, "ref": "r"})),
        ]);
        let conversion = convert_json(&rules, Tier::Pro);
        let targets: Vec<&str> = conversion.findings.iter().map(|finding| finding.targets[0].as_str()).collect();
        assert_eq!(targets, ["/rules/3", "/rules/2", "/rules/1", "/rules/0"]);
        let json = serde_json::to_value(&conversion.rules).unwrap();
        assert_eq!(json[0]["enabled"], false);
        assert_eq!(json[0]["ref"], "r");
        assert_eq!(json[1]["action"], "skip");
        assert_eq!(json[1]["action_parameters"], json!({"ruleset": "current"}));
        assert_eq!(json[1]["description"], "office");
    }

    #[test]
    fn bypass_names_products_and_phases() {
        let rules = json!([rule("a", "bypass", &json!({"products": ["waf", "bic", "rateLimit"]}))]);
        let conversion = convert_json(&rules, Tier::Pro);
        let json = serde_json::to_value(&conversion.rules).unwrap();
        let parameters = json!({
            "phases": ["http_request_firewall_managed", "http_ratelimit"],
            "products": ["waf", "bic", "rateLimit"],
        });
        assert_eq!(json[0]["action_parameters"], parameters);
    }

    #[test]
    fn duplicate_reference_is_removed() {
        let rules = json!([
            rule("late", "block", &json!({"ref": "r"})),
            rule("early", "block", &json!({"ref": "r", "priority": 1})),
            rule("other", "block", &json!({"ref": "s"})),
        ]);
        let conversion = convert_json(&rules, Tier::Pro);
        let references: Vec<&str> = conversion.rules.iter().map(|rule| rule.reference.as_str()).collect();
        assert_eq!(references, ["r", "", "s"]);
        let outcomes: Vec<_> = conversion.findings.iter().map(|finding| (finding.outcome, finding.code)).collect();
        let same = (FindingOutcome::Carried, "same-action");
        assert_eq!(outcomes, [(FindingOutcome::Changed, "duplicate-reference"), same, same]);
    }

    #[test]
    fn first_rule_of_duplicate_ids_is_converted() {
        let rules = json!([
            rule("a", "block", &json!({"priority": 2})),
            rule("b", "block", &json!({"priority": 1})),
            rule("a", "block", &json!({"priority": 2})),
            rule("a", "log", &json!({})),
            rule("", "block", &json!({"priority": 3})),
            rule("", "block", &json!({"priority": 3})),
        ]);
        let conversion = convert_json(&rules, Tier::Pro);
        let outcomes: Vec<_> = conversion
            .findings
            .iter()
            .map(|finding| (finding.outcome, finding.code, finding.targets.join(" ")))
            .collect();
        let expected = [
            (FindingOutcome::Carried, "same-action", "/rules/1"),
            (FindingOutcome::Carried, "same-action", "/rules/0"),
            (FindingOutcome::Carried, "duplicate", "/rules/1"),
            (FindingOutcome::Lost, "duplicate", ""),
            (FindingOutcome::Carried, "same-action", "/rules/2"),
            (FindingOutcome::Carried, "same-action", "/rules/3"),
        ];
        assert_eq!(outcomes, expected.map(|(outcome, code, targets)| (outcome, code, targets.to_owned())));
        assert_eq!(conversion.rules.len(), 4);
    }

    #[test]
    fn bypass_finding_names_phases() {
        let cases = [
            (json!(["bic"]), "becomes a rule that skips the same products"),
            (
                json!(["waf", "bic"]),
                "becomes a rule that skips the same products and also `http_request_firewall_managed`",
            ),
        ];
        for (products, expected) in cases {
            let rules = json!([rule("a", "bypass", &json!({"products": products}))]);
            let conversion = convert_json(&rules, Tier::Pro);
            assert_eq!(conversion.findings[0].message, expected);
        }
    }

    #[test]
    fn inconvertible_rules_are_reported_as_lost() {
        let matches = json!({"filter": {"id": "f", "expression": "http.host matches \"a\""}});
        let rules =
            json!([rule("a", "block", &matches), rule("b", "bypass", &json!({})), rule("c", "log", &json!({}))]);
        let lost_codes = |tier| {
            let findings = convert_json(&rules, tier).findings;
            let lost = findings.iter().filter(|finding| finding.outcome == FindingOutcome::Lost);
            lost.map(|finding| finding.code).collect::<Vec<_>>()
        };
        assert_eq!(lost_codes(Tier::Pro), ["invalid-expression", "bypass-without-products", "log-needs-enterprise"]);
        assert_eq!(lost_codes(Tier::Enterprise), ["bypass-without-products"]);
    }
}
