//! Creates the findings of rules in the existing entry point. An update of the entry point replaces all of its rules
//! (assumption present-rules).

use crate::catalog::ruleset;
use crate::diff::match_rules;
use crate::finding::{draft_addition, new_finding, quote};
use crate::skip::truncate_description;
use crate::{ZoneConfig, diff};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use zonewright_api::finding::{Finding, FindingOutcome};
use zonewright_api::ruleset::{EntryPoint, RulesetAction, RulesetRule};

/// Creates one finding for each existing rule.
pub(super) fn findings(config: &ZoneConfig, new: &EntryPoint) -> Vec<Finding> {
    let Some(existing) = &config.entry_point else { return Vec::new() };
    let retained: HashMap<usize, usize> =
        match_rules(&existing.rules, &new.rules).into_iter().map(|(to, from)| (from, to)).collect();
    let changed: HashSet<usize> = diff(Some(existing), new).iter().filter_map(|change| change.from).collect();
    let mut insertion_points = InsertionPoints::default();
    let findings = existing.rules.iter().enumerate().map(|(index, rule)| {
        let successor = retained.get(&index).copied().or_else(|| find_replacing_rule(rule, new));
        let draft_index = insertion_points.next_index(rule, successor);
        match (retained.get(&index), successor) {
            (Some(to), _) => {
                let (outcome, message) = if changed.contains(&index) {
                    (FindingOutcome::Changed, "is kept at a different position")
                } else {
                    (FindingOutcome::Carried, "is kept unchanged")
                };
                let targets = vec![format!("/rules/{to}")];
                Finding {
                    targets,
                    ..existing_rule_finding(index, rule, outcome, "present-rule-kept", message.to_owned())
                }
            }
            (None, Some(to)) => replaced_finding(index, rule, to),
            (None, None) => removed_finding(index, rule, draft_index),
        }
    });
    findings.collect()
}

/// Computes the indexes at which drafts of lost rules are added, one after the other.
///
/// Drafts keep their order relative to each other and to new rules that match existing ones. A ruleset that was
/// executed before any skip rule goes to the front, because the skip rules of the new configuration must not affect it.
#[derive(Default)]
struct InsertionPoints {
    /// The index after all new rules that match or replace an existing rule so far.
    after_existing: usize,
    /// The number of drafts so far.
    draft_count: usize,
    has_skip: bool,
}

impl InsertionPoints {
    /// Returns the index for the draft of an existing rule, and counts the draft. `successor` is the index of the new
    /// rule that matches or replaces the existing rule, which then needs no draft.
    fn next_index(&mut self, rule: &RulesetRule, successor: Option<usize>) -> usize {
        self.has_skip |= rule.action == RulesetAction::Skip;
        if let Some(successor) = successor {
            self.after_existing = self.after_existing.max(successor + 1);
            return successor;
        }
        self.draft_count += 1;
        let earlier_drafts = self.draft_count - 1;
        if self.has_skip { self.after_existing + earlier_drafts } else { earlier_drafts }
    }
}

/// Returns the index of the new rule that executes the same ruleset.
fn find_replacing_rule(rule: &RulesetRule, new: &EntryPoint) -> Option<usize> {
    let executed = |rule: &RulesetRule| match rule.action {
        RulesetAction::Execute => rule.action_parameters.as_ref().and_then(|parameters| parameters.id.clone()),
        _ => None,
    };
    executed(rule).and_then(|id| new.rules.iter().position(|other| executed(other).as_ref() == Some(&id)))
}

fn replaced_finding(index: usize, rule: &RulesetRule, to: usize) -> Finding {
    let message = format!("is replaced by `/rules/{to}`, which executes the same ruleset");
    let help = "compare the two rules before you save, and copy the settings that you need from the existing rule";
    Finding {
        help: Some(help.to_owned()),
        ..existing_rule_finding(index, rule, FindingOutcome::Lost, "present-rule-lost", message)
    }
}

fn removed_finding(index: usize, rule: &RulesetRule, draft_index: usize) -> Finding {
    let message = "is not in the new configuration, which replaces all existing rules".to_owned();
    let help = "if you still need it, add it to the new configuration before you save, after any existing rules that precede \
                it";
    let draft_rule = RulesetRule { id: String::new(), version: String::new(), last_updated: None, ..rule.clone() };
    Finding {
        help: Some(help.to_owned()),
        draft: Some(draft_addition(format!("/rules/{draft_index}"), json!(draft_rule))),
        ..existing_rule_finding(index, rule, FindingOutcome::Lost, "present-rule-lost", message)
    }
}

fn existing_rule_finding(
    index: usize,
    rule: &RulesetRule,
    outcome: FindingOutcome,
    code: &'static str,
    message: String,
) -> Finding {
    let id = rule.action_parameters.as_ref().and_then(|parameters| parameters.id.as_deref());
    let title = match (rule.description.as_str(), id) {
        ("", Some(id)) => ruleset(id).map_or_else(|| quote(id), |ruleset| ruleset.name.to_owned()),
        ("", None) => quote(&rule.expression),
        (description, _) => truncate_description(description),
    };
    let name = format!("Existing rule {title} ({})", rule.action.name());
    new_finding(outcome, code, format!("/entry_point/rules/{index}"), name, message)
}
