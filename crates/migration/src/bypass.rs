//! Firewall rules that bypass the previous managed rules become skip rules.

use crate::ZoneConfig;
use crate::carried::{Carried, LONGEST_EXPRESSION, finding, refused, skip, with_help, with_rules};
use zonewright_api::finding::{Fate, Finding};
use zonewright_api::firewall::{Action, FirewallRule, Product};
use zonewright_firewall::in_order;

/// Most firewall rules that the migration takes over (§8); those count that bypass the managed rules.
pub const MOST_RULES: usize = 200;

/// The code of every rule of a zone that has more.
pub(crate) const TOO_MANY: &str = "many-firewall-rules";

/// Whether a firewall rule bypasses the previous managed rules.
pub(crate) fn is_bypass(rule: &FirewallRule) -> bool {
    rule.action == Action::Bypass && rule.products.contains(&Product::Waf)
}

/// Skip rules in the order in which the firewall rules are evaluated, and what becomes of every firewall
/// rule. `first` is the place of the first of them in the entry point.
pub(crate) fn carry(config: &ZoneConfig, first: usize) -> Carried {
    let too_many = config.firewall_rules.iter().filter(|rule| is_bypass(rule)).count() > MOST_RULES;
    let mut rules = Vec::new();
    let mut findings: Vec<(usize, Finding)> = Vec::with_capacity(config.firewall_rules.len());
    let mut ends = None;
    for (index, rule) in in_order(&config.firewall_rules) {
        let pointer = format!("/firewall_rules/{index}");
        let name = format!("Firewall rule {}", called(rule));
        let found = |fate, code, message: &str| finding(fate, code, pointer.clone(), name.clone(), message.to_owned());
        let enabled = !rule.paused && !rule.filter.paused;
        if !is_bypass(rule) {
            if enabled && ends.is_none() && ends_evaluation(rule.action) {
                ends = Some(called(rule));
            }
            findings.push((
                index,
                found(
                    Fate::Unaffected,
                    "other-firewall-rule",
                    "it is no exception from the managed rules and goes on as it is",
                ),
            ));
            continue;
        }
        if let Some(problem) = unsupported(rule, too_many, &found) {
            findings.push((index, problem));
            continue;
        }
        if let Some(reason) = refused(&rule.filter.expression, config.tier) {
            let lost = found(
                Fate::Lost,
                "refused-expression",
                &format!("its expression cannot stand in a rule for managed rules: {reason}"),
            );
            let help = "write an expression that is allowed, and add a skip rule with it before the execute rules";
            findings.push((index, with_help(lost, help, None)));
            continue;
        }
        let place = first + rules.len();
        rules.push(skip(rule.filter.expression.trim().to_owned(), described(rule), enabled));
        findings.push((index, with_rules(carried(rule, enabled, ends.as_deref(), &found), [place])));
    }
    findings.sort_by_key(|(index, _)| *index);
    Carried { rules, findings: findings.into_iter().map(|(_, finding)| finding).collect() }
}

fn unsupported(
    rule: &FirewallRule,
    too_many: bool,
    found: &impl Fn(Fate, &'static str, &str) -> Finding,
) -> Option<Finding> {
    let help = "ask the provider's support, or make do with fewer or shorter ones before you migrate";
    if too_many {
        let message = format!("the zone has more than {MOST_RULES} firewall rules that bypass the managed rules");
        return Some(with_help(found(Fate::NeedsSupport, TOO_MANY, &message), help, None));
    }
    if rule.filter.expression.len() > LONGEST_EXPRESSION {
        let message = format!("its expression has {} bytes, more than 4 KB", rule.filter.expression.len());
        return Some(with_help(found(Fate::NeedsSupport, "long-expression", &message), help, None));
    }
    None
}

fn carried(
    rule: &FirewallRule,
    enabled: bool,
    ends: Option<&str>,
    found: &impl Fn(Fate, &'static str, &str) -> Finding,
) -> Finding {
    if !enabled {
        return found(Fate::Carried, "paused-bypass", "it is paused and becomes a skip rule that is not enabled");
    }
    if let Some(earlier) = ends {
        let message = format!(
            "it becomes a skip rule, which also skips where firewall rule {earlier} ended the evaluation before this rule was reached"
        );
        let help = "where that matters, leave those requests out of the skip rule's expression";
        return with_help(found(Fate::Changed, "bypass-behind-end", &message), help, None);
    }
    if rule.products.len() > 1 {
        let message =
            "what it says of the managed rules becomes a skip rule; its other products stay with the firewall rule";
        return found(Fate::Carried, "bypass-of-several", message);
    }
    found(Fate::Carried, "bypass", "it becomes a skip rule before the managed rules")
}

/// Whether a request that the rule matched can go on to the managed rules without later rules being asked.
fn ends_evaluation(action: Action) -> bool {
    matches!(action, Action::Allow | Action::Challenge | Action::ManagedChallenge | Action::JsChallenge)
}

fn called(rule: &FirewallRule) -> String {
    match rule.description.as_deref() {
        Some(text) if !text.trim().is_empty() => format!("`{}`", text.trim()),
        _ => format!("`{}`", rule.id),
    }
}

fn described(rule: &FirewallRule) -> String {
    match rule.description.as_deref() {
        Some(text) if !text.trim().is_empty() => text.trim().to_owned(),
        _ => format!("From firewall rule {}", rule.id),
    }
}
