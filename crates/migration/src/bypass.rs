//! Migrates firewall rules that bypass the managed rules (§2.6): each becomes a skip rule before the managed rulesets.

use crate::ZoneConfig;
use crate::duplicates::find_duplicates;
use crate::finding::{new_finding, quote};
use crate::limits::{MAX_BYPASS_RULES, MAX_EXPRESSION_BYTES};
use crate::skip::{rejection_reason, skip_rule, truncate_description};
use std::collections::HashMap;
use zonewright_api::finding::{Finding, FindingOutcome};
use zonewright_api::firewall::{Action, FirewallRule, Product};
use zonewright_api::ruleset::RulesetRule;
use zonewright_diagnostic::sort_by_key;

/// The result of migrating the firewall rules.
pub(crate) struct BypassMigration {
    /// The first rules of the entry point, in the order in which the firewall rules are evaluated.
    pub(crate) rules: Vec<RulesetRule>,
    /// One finding for each firewall rule, in the order of the list.
    pub(crate) findings: Vec<Finding>,
}

/// Returns whether a firewall rule bypasses the managed rules, paused or not. Only such rules are migrated.
pub fn bypasses_managed_rules(rule: &FirewallRule) -> bool {
    rule.action == Action::Bypass && rule.products.contains(&Product::Waf)
}

/// Creates the skip rules and one finding for each firewall rule.
pub(crate) fn migrate_bypass_rules(config: &ZoneConfig) -> BypassMigration {
    let bypass_count = sort_firewall_rules(config).filter(|(_, rule)| bypasses_managed_rules(rule)).count();
    let mut rules = Vec::new();
    let mut findings: Vec<(usize, Finding)> = Vec::with_capacity(config.firewall_rules.len());
    let mut ended_by = None;
    for (index, rule) in sort_firewall_rules(config) {
        let mut finding = migrate_rule(config, index, rule, bypass_count, ended_by);
        if matches!(finding.outcome, FindingOutcome::Carried | FindingOutcome::Changed) {
            finding.targets.push(format!("/rules/{}", rules.len()));
            let description = skip_rule_description(rule);
            rules.push(skip_rule(rule.filter.expression.trim().to_owned(), &description, is_active(rule)));
            if finding.outcome == FindingOutcome::Carried
                && rule.description.is_some()
                && truncate_description(&description) != description
            {
                finding.outcome = FindingOutcome::Changed;
                finding.code = "bypass-description";
                finding.message.push_str("; its description is shortened or joined into one line");
            }
        }
        findings.push((index, finding));
        if is_active(rule) && passes_to_managed_rules(rule.action) {
            ended_by = ended_by.or(Some(rule));
        }
    }
    let duplicates = duplicate_findings(config, &findings);
    findings.extend(duplicates);
    sort_by_key(&mut findings, |(index, _)| *index);
    BypassMigration { rules, findings: findings.into_iter().map(|(_, finding)| finding).collect() }
}

/// Returns the firewall rules in the order of evaluation, without duplicates.
pub(crate) fn sort_firewall_rules(config: &ZoneConfig) -> impl Iterator<Item = (usize, &FirewallRule)> {
    let first_indexes = duplicate_indexes(config);
    let is_first = move |(index, _): &(usize, &FirewallRule)| first_indexes.get(*index).is_none_or(Option::is_none);
    zonewright_firewall::sort_for_evaluation(&config.firewall_rules).into_iter().filter(is_first)
}

/// Returns for each firewall rule the index of the first one with the same ID, or `None` if it is the first one.
fn duplicate_indexes(config: &ZoneConfig) -> Vec<Option<usize>> {
    find_duplicates(config.firewall_rules.iter().map(|rule| rule.id.as_str()))
}

/// Creates the findings of duplicates. `existing` has the findings of all other rules, with their indexes.
fn duplicate_findings(config: &ZoneConfig, existing: &[(usize, Finding)]) -> Vec<(usize, Finding)> {
    let existing: HashMap<usize, &Finding> = existing.iter().map(|(index, finding)| (*index, finding)).collect();
    let duplicate_finding = |(index, first_index): (usize, Option<usize>)| {
        let first_index = first_index?;
        let (rule, first) = (config.firewall_rules.get(index)?, config.firewall_rules.get(first_index)?);
        let pointer = format!("`/firewall_rules/{first_index}`");
        let duplicate = |outcome, message: &str| bypass_finding(index, rule, outcome, "duplicate", message);
        if rule == first {
            let first_finding = existing.get(&first_index)?;
            let finding = duplicate(first_finding.outcome, &format!("duplicates the firewall rule at {pointer}"));
            return Some((index, Finding { targets: first_finding.targets.clone(), ..finding }));
        }
        if !bypasses_managed_rules(rule) {
            let message = format!(
                "has the same ID as the firewall rule at {pointer}; does not bypass the managed rules and is not affected"
            );
            return Some((index, duplicate(FindingOutcome::Unaffected, &message)));
        }
        let message = format!(
            "has the same ID as the firewall rule at {pointer} but different settings; the earlier rule takes effect"
        );
        let help = "remove one of the two rules or give it a different ID, then plan again";
        Some((index, Finding { help: Some(help.to_owned()), ..duplicate(FindingOutcome::Lost, &message) }))
    };
    duplicate_indexes(config).into_iter().enumerate().filter_map(duplicate_finding).collect()
}

fn bypass_finding(
    index: usize,
    rule: &FirewallRule,
    outcome: FindingOutcome,
    code: &'static str,
    message: &str,
) -> Finding {
    new_finding(
        outcome,
        code,
        format!("/firewall_rules/{index}"),
        format!("Firewall rule {}", display_name(rule)),
        message,
    )
}

/// Creates the finding of a firewall rule, without pointers to its skip rule. `ended_by` is an earlier rule with a
/// terminating action that lets requests continue to the managed rules.
fn migrate_rule(
    config: &ZoneConfig,
    index: usize,
    rule: &FirewallRule,
    bypass_count: usize,
    ended_by: Option<&FirewallRule>,
) -> Finding {
    let finding = |outcome, code, message: &str| bypass_finding(index, rule, outcome, code, message);
    if !bypasses_managed_rules(rule) {
        let message = "does not bypass the managed rules and is not affected";
        return finding(FindingOutcome::Unaffected, "firewall-rule-unaffected", message);
    }
    if bypass_count > MAX_BYPASS_RULES {
        let message = format!(
            "one of {bypass_count} rules that bypass the managed rules; at most {MAX_BYPASS_RULES} can be migrated"
        );
        return finding(FindingOutcome::NeedsSupport, "too-many-rules", &message);
    }
    let length = rule.filter.expression.len();
    if length > MAX_EXPRESSION_BYTES {
        let message =
            format!("the expression is {length} bytes long; at most {MAX_EXPRESSION_BYTES} bytes can be migrated");
        return finding(FindingOutcome::NeedsSupport, "expression-too-long", &message);
    }
    if let Some(reason) = rejection_reason(&rule.filter.expression, config.tier) {
        let message = format!("the expression is not valid in the phase of managed rules: {reason}");
        let help = "rewrite the expression, and add a skip rule with it before the managed rulesets";
        return Finding {
            help: Some(help.to_owned()),
            ..finding(FindingOutcome::Lost, "expression-refused", &message)
        };
    }
    if !is_active(rule) {
        return finding(FindingOutcome::Carried, "bypass-skips", "is paused and becomes a disabled skip rule");
    }
    if let Some(earlier) = ended_by {
        let message = format!(
            "becomes a skip rule; it also skips requests for which firewall rule {} ended the evaluation before this one",
            quote(display_name(earlier))
        );
        let help = "if that matters, exclude those requests in the expression of the skip rule";
        return Finding {
            help: Some(help.to_owned()),
            ..finding(FindingOutcome::Changed, "bypass-behind-end", &message)
        };
    }
    if rule.products.len() > 1 {
        let message = "becomes a skip rule before the managed rulesets; the firewall rule keeps its other products";
        return finding(FindingOutcome::Carried, "bypass-skips", message);
    }
    finding(FindingOutcome::Carried, "bypass-skips", "becomes a skip rule before the managed rulesets")
}

/// Returns whether an action ends the evaluation of firewall rules but lets the request continue to the managed rules.
fn passes_to_managed_rules(action: Action) -> bool {
    matches!(action, Action::Allow | Action::Challenge | Action::ManagedChallenge | Action::JsChallenge)
}

pub(crate) fn is_active(rule: &FirewallRule) -> bool {
    !rule.paused && !rule.filter.paused
}

/// Returns the display name of a firewall rule: its description, or its ID if it has none.
pub(crate) fn display_name(rule: &FirewallRule) -> &str {
    rule.description.as_deref().map(str::trim).filter(|text| !text.is_empty()).unwrap_or(&rule.id)
}

fn skip_rule_description(rule: &FirewallRule) -> String {
    match rule.description.as_deref().map(str::trim) {
        Some(text) if !text.is_empty() => text.to_owned(),
        _ if rule.id.is_empty() => "From a firewall rule".to_owned(),
        _ => format!("From firewall rule {}", rule.id),
    }
}
