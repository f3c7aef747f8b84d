//! The rule that executes the new core rule set, and what can be made anew of the previous one's exceptions.

use super::{Execute, Zone};
use crate::ZoneConfig;
use crate::catalogue::{CORE_RULESET, CatalogueGroup, CatalogueRule, DELIVERED_ACTION, PackageKind};
use crate::draft::{ENTRY_POINT, draft};
use crate::paranoia::{action, overrides, strictness};
use serde_json::json;
use zonewright_api::finding::Draft;

/// The rule to be made.
pub(crate) struct Core {
    pub(super) execute: Option<Execute>,
    /// The rule's place in the entry point.
    pub(crate) place: Option<usize>,
}

impl Core {
    pub(crate) fn new(zone: &Zone, place: usize) -> Self {
        let strictness = strictness(zone.sensitivity()).filter(|_| zone.deploys(PackageKind::Core));
        let mode = zone.package(PackageKind::Core).and_then(|package| package.action_mode).unwrap_or(DELIVERED_ACTION);
        let execute = strictness
            .map(|strictness| Execute { ruleset: CORE_RULESET, overrides: overrides(strictness, action(mode)) });
        Core { place: execute.as_ref().map(|_| place), execute }
    }

    /// Pointer to the rule that executes.
    pub(crate) fn rule(&self) -> Vec<String> {
        self.place.map(|place| format!("/rules/{place}")).into_iter().collect()
    }

    /// Pointers to what the sensitivity became: categories that are off, and the threshold.
    pub(crate) fn sensitivity(&self) -> Vec<String> {
        let (Some(place), Some(made)) = (self.place, &self.execute) else { return Vec::new() };
        let overrides = format!("/rules/{place}/action_parameters/overrides");
        let categories = (0..made.overrides.categories.len()).map(|index| format!("{overrides}/categories/{index}"));
        categories.chain([format!("{overrides}/rules/0/score_threshold")]).collect()
    }

    /// Pointer to what the action became.
    pub(crate) fn action(&self) -> Vec<String> {
        let pointer = |place| format!("/rules/{place}/action_parameters/overrides/rules/0/action");
        self.place.map(pointer).into_iter().collect()
    }

    /// Where an override of the core rule set would have to be added.
    fn target(&self) -> String {
        match self.place {
            Some(place) => {
                format!("the members of this draft can be added to `/rules/{place}/action_parameters/overrides`")
            }
            None => "the core rule set is not executed; when it is, this can be added to its overrides".to_owned(),
        }
    }

    /// How a rule can be switched off in the new core rule set: by its counterpart, or by the category nearest
    /// to its group, which has more rules.
    pub(crate) fn rule_off(
        &self,
        config: &ZoneConfig,
        rule: Option<&CatalogueRule>,
        group: Option<&CatalogueGroup>,
    ) -> (Option<String>, Option<Draft>) {
        let Some(became) = rule.and_then(|rule| rule.became.as_ref()) else {
            return self.group_off(config, group.or_else(|| rule.and_then(CatalogueRule::group)));
        };
        let number = became.number.unwrap_or(became.id);
        let help = format!("its counterpart in version 3 is rule {number}: {}", self.target());
        let body = json!({"rules": [{"id": became.id, "enabled": false}]});
        (Some(help), Some(Draft { body: Some(body), ..draft(config, "PUT", ENTRY_POINT) }))
    }

    /// How the rules of a group can be switched off in the new core rule set.
    pub(crate) fn group_off(
        &self,
        config: &ZoneConfig,
        group: Option<&CatalogueGroup>,
    ) -> (Option<String>, Option<Draft>) {
        let Some(category) = group.and_then(|group| group.category) else {
            let help = "see in validation or in the security events whether version 3 needs an exception here";
            return (Some(help.to_owned()), None);
        };
        let help = format!("the category `{category}` of version 3 comes near to it: {}", self.target());
        let body = json!({"categories": [{"category": category, "enabled": false}]});
        (Some(help), Some(Draft { body: Some(body), ..draft(config, "PUT", ENTRY_POINT) }))
    }
}
