//! Creates the findings of rules in the existing entry point: an update replaces all of them (assumption
//! present-rules).

use crate::catalogue::ruleset;
use crate::diff::matched;
use crate::finding::{addition, finding, quoted};
use crate::skip::shortened;
use crate::{ZoneConfig, diff};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use zonewright_api::finding::{Fate, Finding};
use zonewright_api::ruleset::{EntryPoint, RulesetAction, RulesetRule};

/// Creates one finding for each existing rule.
pub(super) fn findings(config: &ZoneConfig, new: &EntryPoint) -> Vec<Finding> {
    let Some(present) = &config.entry_point else { return Vec::new() };
    let kept: HashMap<usize, usize> =
        matched(&present.rules, &new.rules).into_iter().map(|(to, from)| (from, to)).collect();
    let changed: HashSet<usize> = diff(Some(present), new).iter().filter_map(|change| change.from).collect();
    let mut gaps = Gaps::default();
    let judged = present.rules.iter().enumerate().map(|(place, rule)| {
        let same = kept.get(&place).copied().or_else(|| replacing(rule, new));
        let at = gaps.place(rule, same);
        match (kept.get(&place), same) {
            (Some(to), _) => {
                let (fate, message) = if changed.contains(&place) {
                    (Fate::Changed, "stays, in another place")
                } else {
                    (Fate::Carried, "stays as it is")
                };
                let became = vec![format!("/rules/{to}")];
                Finding { became, ..made(place, rule, fate, "present-rule-kept", message.to_owned()) }
            }
            (None, Some(to)) => replaced(place, rule, to),
            (None, None) => removed(place, rule, at),
        }
    });
    judged.collect()
}

/// Computes the indexes at which drafts of lost rules are added, one after the other.
///
/// Drafts keep their order relative to each other and to new rules that match existing ones. A ruleset that was
/// executed before any skip rule goes to the front, because the skip rules of the new configuration must not affect it.
#[derive(Default)]
struct Gaps {
    /// The index after all new rules that match or replace an existing rule so far.
    behind: usize,
    drafted: usize,
    skipped: bool,
}

impl Gaps {
    /// Returns the index for an existing rule; `same` is the index of the new rule that matches or replaces it.
    fn place(&mut self, rule: &RulesetRule, same: Option<usize>) -> usize {
        self.skipped |= rule.action == RulesetAction::Skip;
        if let Some(same) = same {
            self.behind = self.behind.max(same + 1);
            return same;
        }
        self.drafted += 1;
        let before = self.drafted - 1;
        if self.skipped { self.behind + before } else { before }
    }
}

/// Returns the index of the new rule that executes the same ruleset.
fn replacing(rule: &RulesetRule, new: &EntryPoint) -> Option<usize> {
    let executed = |rule: &RulesetRule| match rule.action {
        RulesetAction::Execute => rule.action_parameters.as_ref().and_then(|parameters| parameters.id.clone()),
        _ => None,
    };
    executed(rule).and_then(|id| new.rules.iter().position(|other| executed(other).as_ref() == Some(&id)))
}

fn replaced(place: usize, rule: &RulesetRule, to: usize) -> Finding {
    let message = format!("is replaced by `/rules/{to}`, which executes the same ruleset");
    let help = "compare the two before you save, and keep what you want of the old one";
    Finding { help: Some(help.to_owned()), ..made(place, rule, Fate::Lost, "present-rule-lost", message) }
}

fn removed(place: usize, rule: &RulesetRule, at: usize) -> Finding {
    let message = "is not in the new configuration, which replaces all rules that are there".to_owned();
    let help = "add it to the new configuration before you save, if it is still wanted, behind those of the present rules \
                above it";
    let rule_again = RulesetRule { id: String::new(), version: String::new(), last_updated: None, ..rule.clone() };
    Finding {
        help: Some(help.to_owned()),
        draft: Some(addition(format!("/rules/{at}"), json!(rule_again))),
        ..made(place, rule, Fate::Lost, "present-rule-lost", message)
    }
}

fn made(place: usize, rule: &RulesetRule, fate: Fate, code: &'static str, message: String) -> Finding {
    let id = rule.action_parameters.as_ref().and_then(|parameters| parameters.id.as_deref());
    let called = match (rule.description.as_str(), id) {
        ("", Some(id)) => ruleset(id).map_or_else(|| quoted(id), |ruleset| ruleset.name.to_owned()),
        ("", None) => quoted(&rule.expression),
        (description, _) => shortened(description),
    };
    let name = format!("Present rule {} ({})", called, rule.action.name());
    finding(fate, code, format!("/entry_point/rules/{place}"), name, message)
}
