//! Firewall rules that pass over the managed rules (§2.6): each becomes a skip rule before the managed rulesets.

use crate::ZoneConfig;
use crate::duplicates::repeated;
use crate::finding::{finding, quoted};
use crate::limits::{MAX_BYPASS_RULES, MAX_EXPRESSION_BYTES};
use crate::skip::{refused, shortened, skip};
use std::collections::HashMap;
use zonewright_api::finding::{Fate, Finding};
use zonewright_api::firewall::{Action, FirewallRule, Product};
use zonewright_api::ruleset::RulesetRule;

/// What became of the firewall rules.
pub(crate) struct BypassMigration {
    /// The first rules of the entry point, in the order in which the firewall rules are asked.
    pub(crate) rules: Vec<RulesetRule>,
    /// One for each firewall rule, in the order of the list.
    pub(crate) findings: Vec<Finding>,
}

/// Whether a firewall rule passes over the managed rules, paused or not: only such rules are part of a migration.
pub fn is_to_migrate(rule: &FirewallRule) -> bool {
    rule.action == Action::Bypass && rule.products.contains(&Product::Waf)
}

/// The skip rules for the firewall rules, and one finding for each firewall rule.
pub(crate) fn skip_rules(config: &ZoneConfig) -> BypassMigration {
    let count = in_order(config).filter(|(_, rule)| is_to_migrate(rule)).count();
    let mut rules = Vec::new();
    let mut findings: Vec<(usize, Finding)> = Vec::with_capacity(config.firewall_rules.len());
    let mut ended_by = None;
    for (index, rule) in in_order(config) {
        let mut found = judge(config, index, rule, count, ended_by);
        if matches!(found.fate, Fate::Carried | Fate::Changed) {
            found.became.push(format!("/rules/{}", rules.len()));
            let described = described(rule);
            rules.push(skip(rule.filter.expression.trim().to_owned(), &described, is_active(rule)));
            if found.fate == Fate::Carried && rule.description.is_some() && shortened(&described) != described {
                found.fate = Fate::Changed;
                found.code = "bypass-description";
                found.message.push_str("; its description is shortened, or put on one line");
            }
        }
        findings.push((index, found));
        if is_active(rule) && lets_pass(rule.action) {
            ended_by = ended_by.or(Some(rule));
        }
    }
    let again = again(config, &findings);
    findings.extend(again);
    findings.sort_by_key(|(index, _)| *index);
    BypassMigration { rules, findings: findings.into_iter().map(|(_, finding)| finding).collect() }
}

/// Firewall rules that count, in the order in which they are asked.
pub(crate) fn in_order(config: &ZoneConfig) -> impl Iterator<Item = (usize, &FirewallRule)> {
    let repeated = places(config);
    let counts = move |(index, _): &(usize, &FirewallRule)| repeated.get(*index).is_none_or(Option::is_none);
    zonewright_firewall::in_order(&config.firewall_rules).into_iter().filter(counts)
}

/// For each firewall rule the place of an earlier one with its identifier.
fn places(config: &ZoneConfig) -> Vec<Option<usize>> {
    repeated(config.firewall_rules.iter().map(|rule| rule.id.as_str()))
}

/// What is said of firewall rules with the identifier of one before them; `told` has what is said of the others.
fn again(config: &ZoneConfig, told: &[(usize, Finding)]) -> Vec<(usize, Finding)> {
    let told: HashMap<usize, &Finding> = told.iter().map(|(index, finding)| (*index, finding)).collect();
    let one = |(index, before): (usize, Option<usize>)| {
        let before = before?;
        let (rule, first) = (config.firewall_rules.get(index)?, config.firewall_rules.get(before)?);
        let place = format!("`/firewall_rules/{before}`");
        let said = |fate, message: &str| made(index, rule, fate, "duplicate", message);
        if rule == first {
            let same = told.get(&before)?;
            let found = said(same.fate, &format!("the same firewall rule stands at {place}"));
            return Some((index, Finding { became: same.became.clone(), ..found }));
        }
        if !is_to_migrate(rule) {
            let message = format!("has the identifier of the firewall rule at {place}; goes on as it is");
            return Some((index, said(Fate::Unaffected, &message)));
        }
        let message =
            format!("has the identifier of the firewall rule at {place} and says something else; that one counts");
        let help = "take one of the two out, or give it its own identifier, and plan again";
        Some((index, Finding { help: Some(help.to_owned()), ..said(Fate::Lost, &message) }))
    };
    places(config).into_iter().enumerate().filter_map(one).collect()
}

fn made(index: usize, rule: &FirewallRule, fate: Fate, code: &'static str, message: &str) -> Finding {
    finding(fate, code, format!("/firewall_rules/{index}"), format!("Firewall rule {}", called(rule)), message)
}

/// What becomes of a firewall rule, without the pointer to it. `ended_by` is an earlier rule behind which
/// this one was not asked any more.
fn judge(
    config: &ZoneConfig,
    index: usize,
    rule: &FirewallRule,
    count: usize,
    ended_by: Option<&FirewallRule>,
) -> Finding {
    let made = |fate, code, message: &str| made(index, rule, fate, code, message);
    if !is_to_migrate(rule) {
        let message = "does not pass over the managed rules, and goes on as it is";
        return made(Fate::Unaffected, "firewall-rule-unaffected", message);
    }
    if count > MAX_BYPASS_RULES {
        let message =
            format!("one of {count} rules that pass over the managed rules; {MAX_BYPASS_RULES} can be migrated");
        return made(Fate::NeedsSupport, "too-many-rules", &message);
    }
    let length = rule.filter.expression.len();
    if length > MAX_EXPRESSION_BYTES {
        let message = format!("the expression has {length} bytes; {MAX_EXPRESSION_BYTES} can be migrated");
        return made(Fate::NeedsSupport, "expression-too-long", &message);
    }
    if let Some(reason) = refused(&rule.filter.expression, config.tier) {
        let message = format!("the expression is refused where managed rules run: {reason}");
        let help = "write one that is allowed there, and add a skip rule with it before the managed rulesets";
        return Finding { help: Some(help.to_owned()), ..made(Fate::Lost, "expression-refused", &message) };
    }
    if !is_active(rule) {
        return made(Fate::Carried, "bypass-skips", "becomes a skip rule that is disabled, as it is paused");
    }
    if let Some(earlier) = ended_by {
        let message = format!(
            "becomes a skip rule, which skips also where firewall rule {} was true and this one not asked any more",
            quoted(called(earlier))
        );
        let help = "where that matters, take those requests out of the skip rule's expression";
        return Finding { help: Some(help.to_owned()), ..made(Fate::Changed, "bypass-behind-end", &message) };
    }
    if rule.products.len() > 1 {
        let message = "becomes a skip rule before the managed rulesets; its other products stay with the firewall rule";
        return made(Fate::Carried, "bypass-skips", message);
    }
    made(Fate::Carried, "bypass-skips", "becomes a skip rule before the managed rulesets")
}

/// Whether a request goes on to the managed rules although no later firewall rule is asked about it.
fn lets_pass(action: Action) -> bool {
    matches!(action, Action::Allow | Action::Challenge | Action::ManagedChallenge | Action::JsChallenge)
}

pub(crate) fn is_active(rule: &FirewallRule) -> bool {
    !rule.paused && !rule.filter.paused
}

/// What people call a firewall rule: its description, else its identifier.
pub(crate) fn called(rule: &FirewallRule) -> &str {
    rule.description.as_deref().map(str::trim).filter(|text| !text.is_empty()).unwrap_or(&rule.id)
}

fn described(rule: &FirewallRule) -> String {
    match rule.description.as_deref().map(str::trim) {
        Some(text) if !text.is_empty() => text.to_owned(),
        _ if rule.id.is_empty() => "From a firewall rule".to_owned(),
        _ => format!("From firewall rule {}", rule.id),
    }
}
