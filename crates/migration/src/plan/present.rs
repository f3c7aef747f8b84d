//! What becomes of the rules that the entry point has already: an update replaces all of them
//! (assumption present-rules).

use crate::catalogue::ruleset;
use crate::diff::matched;
use crate::finding::{addition, finding, quoted};
use crate::skip::shortened;
use crate::{ZoneConfig, diff};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use zonewright_api::finding::{Fate, Finding};
use zonewright_api::ruleset::{EntryPoint, RulesetAction, RulesetRule};

/// One finding for each present rule.
pub(super) fn findings(config: &ZoneConfig, new: &EntryPoint) -> Vec<Finding> {
    let Some(present) = &config.entry_point else { return Vec::new() };
    let kept: HashMap<usize, usize> =
        matched(&present.rules, &new.rules).into_iter().map(|(to, from)| (from, to)).collect();
    let changed: HashSet<usize> = diff(Some(present), new).iter().filter_map(|change| change.from).collect();
    let judged = present.rules.iter().enumerate().map(|(place, rule)| match kept.get(&place) {
        None => removed(place, rule, new),
        Some(to) => {
            let (fate, message) = if changed.contains(&place) {
                (Fate::Changed, "stays, in another place")
            } else {
                (Fate::Carried, "stays as it is")
            };
            let became = vec![format!("/rules/{to}")];
            Finding { became, ..made(place, rule, fate, "present-rule-kept", message.to_owned()) }
        }
    });
    judged.collect()
}

fn removed(place: usize, rule: &RulesetRule, new: &EntryPoint) -> Finding {
    let executed = |rule: &RulesetRule| match rule.action {
        RulesetAction::Execute => rule.action_parameters.as_ref().and_then(|parameters| parameters.id.clone()),
        _ => None,
    };
    let same = executed(rule).and_then(|id| new.rules.iter().position(|other| executed(other).as_ref() == Some(&id)));
    if let Some(to) = same {
        let message = format!("is replaced by `/rules/{to}`, which executes the same ruleset");
        let help = "compare the two before you save, and keep what you want of the old one";
        return Finding { help: Some(help.to_owned()), ..made(place, rule, Fate::Lost, "present-rule-lost", message) };
    }
    let message = "is not in the new configuration, which replaces all rules that are there".to_owned();
    // What is skipped is so from a skip rule on.
    let at = if rule.action == RulesetAction::Skip { "/rules/0" } else { "/rules/-" };
    let rule_again = RulesetRule { id: String::new(), version: String::new(), last_updated: None, ..rule.clone() };
    Finding {
        help: Some("add it to the new configuration before you save, if it is still wanted".to_owned()),
        draft: Some(addition(at.to_owned(), json!(rule_again))),
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
