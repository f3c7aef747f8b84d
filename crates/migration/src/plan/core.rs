//! The rule that executes the new core rule set, and what can be made anew of the previous one's exceptions.

use super::rule_indexes::RuleIndexes;
use super::{Execute, Zone};
use crate::catalogue::{CORE_RULESET, CatalogueGroup, CatalogueRule, DELIVERED_ACTION, PackageKind};
use crate::finding::addition;
use crate::paranoia::{action, overrides, strictness};
use serde_json::{Value, json};
use zonewright_api::finding::Draft;

/// The rule to be made.
pub(crate) struct Core {
    pub(super) execute: Option<Execute>,
    /// The rules' places in the entry point.
    pub(crate) places: RuleIndexes,
}

impl Core {
    /// `places` are those of its rules, when the zone executes it.
    pub(crate) fn new(zone: &Zone, places: RuleIndexes) -> Self {
        let strictness = strictness(zone.sensitivity()).filter(|_| zone.deploys(PackageKind::Core));
        let mode = zone.package(PackageKind::Core).and_then(|package| package.action_mode).unwrap_or(DELIVERED_ACTION);
        let execute = strictness
            .map(|strictness| Execute { ruleset: CORE_RULESET, overrides: overrides(strictness, action(mode)) });
        Core { places: if execute.is_some() { places } else { RuleIndexes::default() }, execute }
    }

    /// Pointers to the rules that execute.
    pub(crate) fn rule(&self) -> Vec<String> {
        self.places.pointers("")
    }

    /// Pointers to what the sensitivity became: categories that are off, and the threshold.
    pub(crate) fn sensitivity(&self) -> Vec<String> {
        let Some(made) = &self.execute else { return Vec::new() };
        let overrides = "/action_parameters/overrides";
        let categories = (0..made.overrides.categories.len()).map(|index| format!("{overrides}/categories/{index}"));
        let settings = categories.chain([format!("{overrides}/rules/0/score_threshold")]);
        settings.flat_map(|setting| self.places.pointers(&setting)).collect()
    }

    /// Pointer to what the action became.
    pub(crate) fn action(&self) -> Vec<String> {
        self.places.pointers("/action_parameters/overrides/rules/0/action")
    }

    /// An override of the core rule set that can be added, and how that is said.
    fn addition(&self, list: &str, item: Value) -> (&'static str, Draft) {
        let pointer = |rule| format!("{rule}/action_parameters/overrides/{list}/-");
        match self.places.first() {
            Some(rule) => (self.places.said(), addition(pointer(rule), item)),
            None => (
                "the core rule set is not executed; when it is, the draft can be added to that rule",
                addition(pointer("/rules/{place}".to_owned()), item),
            ),
        }
    }

    /// How a rule can be switched off in the new core rule set: by its counterpart, or by the category nearest
    /// to its group, which has more rules.
    pub(crate) fn rule_off(
        &self,
        rule: Option<&CatalogueRule>,
        group: Option<&CatalogueGroup>,
    ) -> (Option<String>, Option<Draft>) {
        let Some(became) = rule.and_then(|rule| rule.became.as_ref()) else {
            return self.group_off(group.or_else(|| rule.and_then(CatalogueRule::group)));
        };
        let number = became.number.unwrap_or(became.id);
        let (said, draft) = self.addition("rules", json!({"id": became.id, "enabled": false}));
        (Some(format!("its counterpart in version 3 is rule {number}: {said}")), Some(draft))
    }

    /// How a rule can be switched on in the new core rule set that is off there as delivered, or may be.
    pub(crate) fn rule_on(&self, rule: Option<&CatalogueRule>) -> (String, Option<Draft>) {
        let Some(became) = rule.and_then(|rule| rule.became.as_ref()) else {
            return ("see whether version 3 has a rule that finds the same, and whether it is on".to_owned(), None);
        };
        let number = became.number.unwrap_or(became.id);
        let (said, draft) = self.addition("rules", json!({"id": became.id, "enabled": true}));
        (format!("its counterpart in version 3 is rule {number}: {said}"), Some(draft))
    }

    /// How the rules of a group can be switched off in the new core rule set.
    pub(crate) fn group_off(&self, group: Option<&CatalogueGroup>) -> (Option<String>, Option<Draft>) {
        let Some(category) = group.and_then(|group| group.category) else {
            let help = "see in validation or in the security events whether version 3 needs an exception here";
            return (Some(help.to_owned()), None);
        };
        let (said, draft) = self.addition("categories", json!({"category": category, "enabled": false}));
        (Some(format!("the category `{category}` of version 3 comes near to it: {said}")), Some(draft))
    }
}
