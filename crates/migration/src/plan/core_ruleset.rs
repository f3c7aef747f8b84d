//! Computes the rule that executes the new core rule set, and suggested fixes for settings that it loses.

use super::rule_indexes::RuleIndexes;
use super::{ExecuteTemplate, ResolvedZone};
use crate::catalog::{CORE_RULESET_ID, CatalogGroup, CatalogRule, DEFAULT_ACTION_MODE, PackageKind};
use crate::finding::draft_addition;
use crate::paranoia::{core_overrides, paranoia_settings, ruleset_action};
use serde_json::{Value, json};
use zonewright_api::finding::Draft;

/// The execute rule of the new core rule set.
pub(crate) struct CoreRulesetPlan {
    pub(super) execute: Option<ExecuteTemplate>,
    /// The indexes of the execute rules in the entry point.
    pub(crate) rule_indexes: RuleIndexes,
}

impl CoreRulesetPlan {
    /// Computes the execute rule. `rule_indexes` has the indexes of its copies in the entry point.
    pub(crate) fn new(zone: &ResolvedZone, rule_indexes: RuleIndexes) -> Self {
        let settings = paranoia_settings(zone.sensitivity()).filter(|_| zone.executes(PackageKind::Core));
        let mode =
            zone.package(PackageKind::Core).and_then(|package| package.action_mode).unwrap_or(DEFAULT_ACTION_MODE);
        let execute = settings.map(|settings| ExecuteTemplate {
            ruleset: CORE_RULESET_ID,
            overrides: core_overrides(settings, ruleset_action(mode)),
        });
        CoreRulesetPlan { rule_indexes: if execute.is_some() { rule_indexes } else { RuleIndexes::default() }, execute }
    }

    /// Returns pointers to the execute rules.
    pub(crate) fn execute_pointers(&self) -> Vec<String> {
        self.rule_indexes.pointers("")
    }

    /// Returns pointers to the settings that replace the sensitivity: categories that are off, and the threshold.
    pub(crate) fn sensitivity_pointers(&self) -> Vec<String> {
        let Some(rule) = &self.execute else { return Vec::new() };
        let overrides = "/action_parameters/overrides";
        let categories = (0..rule.overrides.categories.len()).map(|index| format!("{overrides}/categories/{index}"));
        let settings = categories.chain([format!("{overrides}/rules/0/score_threshold")]);
        settings.flat_map(|setting| self.rule_indexes.pointers(&setting)).collect()
    }

    /// Returns pointers to the setting that replaces the action.
    pub(crate) fn action_pointers(&self) -> Vec<String> {
        self.rule_indexes.pointers("/action_parameters/overrides/rules/0/action")
    }

    /// Creates a draft that adds an override of the core rule set, with the end of the help for it.
    fn suggest_override(&self, list: &str, item: Value) -> (&'static str, Draft) {
        let pointer = |rule| format!("{rule}/action_parameters/overrides/{list}/-");
        match self.rule_indexes.first() {
            Some(rule) => (self.rule_indexes.addition_help(), draft_addition(pointer(rule), item)),
            None => (
                "the core rule set is not executed; if you execute it, add the suggested override to that rule",
                draft_addition(pointer("/rules/{index}".to_owned()), item),
            ),
        }
    }

    /// Returns help and a draft that switch a rule off in the new core rule set. The draft disables the counterpart of
    /// the rule. If the rule has none, the draft disables the category nearest to its group, which contains more rules.
    pub(crate) fn suggest_rule_off(
        &self,
        rule: Option<&CatalogRule>,
        group: Option<&CatalogGroup>,
    ) -> (Option<String>, Option<Draft>) {
        let Some(counterpart) = rule.and_then(|rule| rule.counterpart.as_ref()) else {
            return self.suggest_group_off(group.or_else(|| rule.and_then(CatalogRule::group)));
        };
        let number = counterpart.number.unwrap_or(counterpart.id);
        let (hint, draft) = self.suggest_override("rules", json!({"id": counterpart.id, "enabled": false}));
        (Some(format!("its counterpart in version 3 is rule {number}; {hint}")), Some(draft))
    }

    /// Returns help and a draft that switch on the counterpart of a rule, because it may be off by default in the new
    /// core rule set.
    pub(crate) fn suggest_rule_on(&self, rule: Option<&CatalogRule>) -> (String, Option<Draft>) {
        let Some(counterpart) = rule.and_then(|rule| rule.counterpart.as_ref()) else {
            return ("check whether version 3 has an equivalent rule and whether it is on".to_owned(), None);
        };
        let number = counterpart.number.unwrap_or(counterpart.id);
        let (hint, draft) = self.suggest_override("rules", json!({"id": counterpart.id, "enabled": true}));
        (format!("its counterpart in version 3 is rule {number}; {hint}"), Some(draft))
    }

    /// Returns help and a draft that switch off the rules of a group in the new core rule set.
    pub(crate) fn suggest_group_off(&self, group: Option<&CatalogGroup>) -> (Option<String>, Option<Draft>) {
        let Some(category) = group.and_then(|group| group.category) else {
            let help = "use validation or the security events to check whether version 3 needs an exception here";
            return (Some(help.to_owned()), None);
        };
        let (hint, draft) = self.suggest_override("categories", json!({"category": category, "enabled": false}));
        (Some(format!("the closest category in version 3 is `{category}`; {hint}")), Some(draft))
    }
}
