//! Computes the rule that executes the Managed Ruleset.
//!
//! It compares the effect of every previous rule with that of its counterpart, and creates overrides where they differ.
//! [`ManagedRulesetPlan`] remembers which override each setting becomes.

use super::rule_indexes::RuleIndexes;
use super::{ExecuteTemplate, ResolvedZone};
use crate::catalog::{self, CatalogRule, MANAGED_RULESET_ID, PackageKind, TRADITIONAL_RULES};
use std::collections::HashMap;
use zonewright_api::legacy_waf::{RuleMode, WafRule};
use zonewright_api::ruleset::{CategoryOverride, Overrides, RuleOverride, RulesetAction};

/// The execute rule, with the indexes of its overrides by setting.
pub(crate) struct ManagedRulesetPlan {
    pub(super) execute: Option<ExecuteTemplate>,
    /// The indexes of the execute rules in the entry point.
    pub(crate) rule_indexes: RuleIndexes,
    /// The indexes of category overrides, by group.
    category_overrides: HashMap<usize, usize>,
    /// The indexes of rule overrides, by previous rule.
    rule_overrides: HashMap<&'static str, usize>,
    /// The known rules of each group that is off and has no category.
    group_rules: HashMap<usize, GroupRules>,
}

/// The known rules of a group, with the indexes of their overrides.
#[derive(Default)]
pub(crate) struct GroupRules {
    pub(crate) known: u64,
    overrides: Vec<usize>,
}

impl ManagedRulesetPlan {
    /// Computes the execute rule. `rule_indexes` has the indexes of its copies in the entry point.
    pub(crate) fn new(zone: &ResolvedZone, rule_indexes: RuleIndexes) -> Self {
        let mut plan = ManagedRulesetPlan {
            execute: None,
            rule_indexes: RuleIndexes::default(),
            category_overrides: HashMap::new(),
            rule_overrides: HashMap::new(),
            group_rules: HashMap::new(),
        };
        if !zone.executes(PackageKind::Managed) {
            return plan;
        }
        plan.rule_indexes = rule_indexes;
        let categories = plan.add_category_overrides(zone);
        let disabled_categories: Vec<&str> = categories.iter().map(|category| category.category.as_str()).collect();
        let rules = plan.add_rule_overrides(zone, &disabled_categories);
        let overrides = Overrides { categories, rules, ..Overrides::default() };
        plan.execute = Some(ExecuteTemplate { ruleset: MANAGED_RULESET_ID, overrides });
        plan
    }

    /// Creates a category override for each group that is off and has a category, and records its index. Groups that
    /// are off and have no category get an entry in `group_rules`.
    fn add_category_overrides(&mut self, zone: &ResolvedZone) -> Vec<CategoryOverride> {
        let mut categories = Vec::new();
        for (index, group) in zone.groups.iter().enumerate() {
            let takes_effect = group.kind == Some(PackageKind::Managed) && group.duplicate_of.is_none();
            if !takes_effect || !zone.is_group_off(Some(index)) {
                continue;
            }
            match group.details.and_then(|known| known.category) {
                Some(category) => {
                    self.category_overrides.insert(index, categories.len());
                    let category = category.to_owned();
                    categories.push(CategoryOverride { category, enabled: Some(false), ..CategoryOverride::default() });
                }
                None => {
                    self.group_rules.insert(index, GroupRules::default());
                }
            }
        }
        categories
    }

    /// Creates an override for each rule whose effect would otherwise change, and records its index.
    /// `disabled_categories` are the categories that are off.
    fn add_rule_overrides(&mut self, zone: &ResolvedZone, disabled_categories: &[&str]) -> Vec<RuleOverride> {
        let listed = index_rules(zone);
        let mut overrides = Vec::new();
        for rule in TRADITIONAL_RULES {
            let given = listed.get(rule.id).copied();
            let group = match given {
                Some((_, group)) => group,
                None => zone.group_named(rule.group),
            };
            let mode = given.map_or(RuleMode::Default, |(given, _)| effective_mode(given, rule));
            let new = rule_override(rule, mode, zone.is_group_off(group), disabled_categories);
            let members = group.and_then(|group| self.group_rules.get_mut(&group));
            if let Some(members) = members {
                members.known += 1;
                members.overrides.extend(new.as_ref().map(|_| overrides.len()));
            }
            if let Some(new) = new {
                self.rule_overrides.insert(rule.id, overrides.len());
                overrides.push(new);
            }
        }
        overrides
    }

    /// Returns pointers to the execute rules.
    pub(crate) fn execute_pointers(&self) -> Vec<String> {
        self.rule_indexes.pointers("")
    }

    /// Returns pointers to the category override that switches a group off.
    pub(crate) fn category_override_pointers(&self, group: Option<usize>) -> Option<Vec<String>> {
        let index = self.category_overrides.get(&group?)?;
        Some(self.rule_indexes.pointers(&format!("/action_parameters/overrides/categories/{index}")))
    }

    /// Returns pointers to the override of a rule.
    pub(crate) fn rule_override_pointers(&self, rule: &CatalogRule) -> Option<Vec<String>> {
        self.rule_overrides.get(rule.id).map(|index| self.override_pointers(*index))
    }

    /// Returns the number of known rules of a group that is off and has no category, and pointers to their overrides.
    pub(crate) fn group_rule_pointers(&self, group: usize) -> Option<(u64, Vec<String>)> {
        let members = self.group_rules.get(&group)?;
        let pointers = members.overrides.iter().flat_map(|index| self.override_pointers(*index)).collect();
        Some((members.known, pointers))
    }

    fn override_pointers(&self, index: usize) -> Vec<String> {
        self.rule_indexes.pointers(&format!("/action_parameters/overrides/rules/{index}"))
    }
}

/// Returns the rules of the configuration that take effect, with their groups, by ID in the catalog.
fn index_rules<'a>(zone: &ResolvedZone<'a>) -> HashMap<&'static str, (&'a WafRule, Option<usize>)> {
    let mut listed = HashMap::new();
    for (rule, known) in zone.config.rules.iter().zip(&zone.rules) {
        let takes_effect = known.kind == Some(PackageKind::Managed) && known.duplicate_of.is_none();
        if let Some(catalog_rule) = known.details.catalog_rule.filter(|_| takes_effect) {
            listed.insert(catalog_rule.id, (rule, known.details.group));
        }
    }
    listed
}

/// Returns the mode of a rule of the zone. The mode `default` is resolved if the zone has another default than the
/// catalog.
fn effective_mode(given: &WafRule, rule: &CatalogRule) -> RuleMode {
    match allowed_mode(given, Some(rule)) {
        None | Some(RuleMode::Default) => changed_default(given, rule).unwrap_or(RuleMode::Default),
        Some(mode) => mode,
    }
}

/// Returns the default mode of a rule in the zone if it differs from that in the catalog.
pub(crate) fn changed_default(given: &WafRule, rule: &CatalogRule) -> Option<RuleMode> {
    given.default_mode.filter(|mode| rule.default_mode != Some(*mode))
}

/// Returns the mode of a rule if the rule may have it.
pub(crate) fn allowed_mode(given: &WafRule, catalog_rule: Option<&CatalogRule>) -> Option<RuleMode> {
    use RuleMode::{Block, Challenge, Default, Disable, Off, On, Simulate};
    const ANY: &[RuleMode] = &[Default, Disable, Simulate, Block, Challenge, On, Off];
    let allowed = match given.allowed_modes.as_slice() {
        [] => catalog_rule.map_or(ANY, CatalogRule::allowed_modes),
        some => some,
    };
    allowed.contains(&given.mode).then_some(given.mode)
}

/// Returns the override that a rule of this mode needs to behave as before, or `None` if it needs none.
/// `disabled_categories` are the categories that are off. An override of a rule takes precedence over an override of
/// its category.
fn rule_override(
    rule: &CatalogRule,
    mode: RuleMode,
    group_off: bool,
    disabled_categories: &[&str],
) -> Option<RuleOverride> {
    let counterpart = rule.counterpart.as_ref()?;
    let (default_action, default_enabled) = catalog::default_action(rule.default_mode.unwrap_or(RuleMode::Block));
    let (action, mode_enabled) = match mode {
        RuleMode::Default => (None, default_enabled),
        RuleMode::On => (None, true),
        RuleMode::Off | RuleMode::Disable => (None, false),
        RuleMode::Simulate => (Some(RulesetAction::Log), true),
        RuleMode::Block => (Some(RulesetAction::Block), true),
        RuleMode::Challenge => (Some(RulesetAction::Challenge), true),
    };
    let enabled = mode_enabled && !group_off;
    let category_off = counterpart.categories.iter().any(|category| disabled_categories.contains(category));
    let enabled_without_override = default_enabled && !category_off;
    // A mode other than the default needs an override even while its group is off, because the group may be turned on
    // later.
    let is_default = action.is_none_or(|action| action == default_action) && mode_enabled == default_enabled;
    if is_default && enabled == enabled_without_override {
        return None;
    }
    // If a group or a category is off, `enabled` is explicit, so that the order of merging overrides does not matter.
    let enabled = (enabled != default_enabled || category_off || group_off).then_some(enabled);
    Some(RuleOverride { id: counterpart.id.to_owned(), action, enabled, ..RuleOverride::default() })
}
