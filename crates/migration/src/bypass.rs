//! Firewall rules that pass over the managed rules (§2.6): each becomes a skip rule before the managed rulesets.

use crate::ZoneConfig;
use crate::finding::finding;
use crate::support::{MOST_EXPRESSION, MOST_RULES};
use zonewright_api::finding::{Fate, Finding};
use zonewright_api::firewall::{Action, FirewallRule, Product};
use zonewright_api::ruleset::{ActionParameters, RulesetAction, RulesetRule};
use zonewright_diagnostic::Diagnostic;
use zonewright_expression::schema::Phase;
use zonewright_expression::{Options, check};

/// What became of the firewall rules.
pub(crate) struct Bypass {
    /// The first rules of the entry point.
    pub(crate) rules: Vec<RulesetRule>,
    /// One for each firewall rule, in their order.
    pub(crate) findings: Vec<Finding>,
}

/// Whether a firewall rule passes over the managed rules, paused or not.
pub(crate) fn is_to_migrate(rule: &FirewallRule) -> bool {
    rule.action == Action::Bypass && rule.products.contains(&Product::Waf)
}

/// The skip rules for the firewall rules, in the order these run, and one finding for each firewall rule.
pub(crate) fn skip_rules(config: &ZoneConfig) -> Bypass {
    let rules = &config.firewall_rules;
    let count = rules.iter().filter(|rule| is_to_migrate(rule)).count();
    let mut findings: Vec<Finding> = Vec::with_capacity(rules.len());
    let mut order = Vec::new();
    for (index, rule) in rules.iter().enumerate() {
        let found = judge(config, index, rule, count);
        if found.fate == Fate::Carried {
            order.push((rule.priority.unwrap_or(u32::MAX), rule.priority.is_none(), index));
        }
        findings.push(found);
    }
    order.sort_unstable();
    let mut skips = Vec::with_capacity(order.len());
    for (_, _, index) in order {
        if let (Some(rule), Some(found)) = (rules.get(index), findings.get_mut(index)) {
            found.became.push(format!("/rules/{}", skips.len()));
            skips.push(skip(rule.filter.expression.clone(), rule.description.clone(), !rule.paused));
        }
    }
    Bypass { rules: skips, findings }
}

/// A rule that passes over the rest of the entry point.
pub(crate) fn skip(expression: String, description: Option<String>, enabled: bool) -> RulesetRule {
    let parameters = ActionParameters { ruleset: Some("current".to_owned()), ..ActionParameters::default() };
    RulesetRule {
        id: String::new(),
        version: String::new(),
        action: RulesetAction::Skip,
        expression,
        description: description.unwrap_or_default(),
        reference: String::new(),
        enabled,
        action_parameters: Some(parameters),
        last_updated: None,
    }
}

/// What becomes of a firewall rule, without the pointer to it.
fn judge(config: &ZoneConfig, index: usize, rule: &FirewallRule, count: usize) -> Finding {
    let made = |fate, code, message: String| {
        let name = format!("Firewall rule {}", rule.description.as_deref().unwrap_or(&rule.id));
        finding(fate, code, format!("/firewall_rules/{index}"), name, message)
    };
    if !is_to_migrate(rule) {
        let message = "does not pass over the managed rules, and goes on as it is".to_owned();
        return made(Fate::Unaffected, "firewall-rule-unaffected", message);
    }
    if count > MOST_RULES {
        let message = format!("one of {count} rules that pass over the managed rules; {MOST_RULES} can be migrated");
        return made(Fate::NeedsSupport, "too-many-rules", message);
    }
    let expression = &rule.filter.expression;
    if expression.len() > MOST_EXPRESSION {
        let length = expression.len();
        let message = format!("the expression has {length} bytes; {MOST_EXPRESSION} can be migrated");
        return made(Fate::NeedsSupport, "expression-too-long", message);
    }
    let phase = Some(Phase::HttpRequestFirewallManaged);
    let checked = check(expression, &Options { phase, plan: Some(config.tier), ..Options::default() });
    if let Some(error) = checked.diagnostics.iter().find(|found| Diagnostic::is_error(found)) {
        let message = format!("the expression is refused where managed rules run: {}", error.message);
        return made(Fate::Lost, "expression-refused", message);
    }
    let message = if rule.paused { "a skip rule that is disabled" } else { "a skip rule before the managed rulesets" };
    made(Fate::Carried, "bypass-skips", message.to_owned())
}
