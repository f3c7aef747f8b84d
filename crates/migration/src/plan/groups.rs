//! Creates the findings of groups.

use super::ResolvedZone;
use super::core_ruleset::CoreRulesetPlan;
use super::managed::ManagedRulesetPlan;
use super::resolved_zone::{has_allowed_mode, unknown_package_message};
use crate::catalog::PackageKind;
use crate::finding::new_finding;
use zonewright_api::finding::{Finding, FindingOutcome};
use zonewright_api::legacy_waf::{Group, Switch};

/// Creates one finding for each group.
pub(super) fn findings(zone: &ResolvedZone, managed: &ManagedRulesetPlan, core: &CoreRulesetPlan) -> Vec<Finding> {
    let planner = GroupPlanner { zone, managed, core };
    (0..zone.config.groups.len()).filter_map(|index| planner.plan_group(index)).collect()
}

struct GroupPlanner<'a> {
    zone: &'a ResolvedZone<'a>,
    managed: &'a ManagedRulesetPlan,
    core: &'a CoreRulesetPlan,
}

impl GroupPlanner<'_> {
    fn plan_group(&self, index: usize) -> Option<Finding> {
        let group = self.zone.config.groups.get(index)?;
        let resolved = self.zone.groups.get(index)?;
        let finding = |outcome, code, message: String| group_finding(index, group, outcome, code, message);
        if let Some(first_index) = resolved.duplicate_of {
            return self.plan_duplicate(index, first_index);
        }
        let Some(kind) = resolved.kind else {
            return Some(finding(
                FindingOutcome::Lost,
                "package-unknown",
                unknown_package_message(self.zone, &group.package_id),
            ));
        };
        if !has_allowed_mode(group) {
            let message = format!("cannot be {}; the default is assumed", group.mode.name());
            return Some(finding(FindingOutcome::Lost, "mode-not-allowed", message));
        }
        Some(match kind {
            PackageKind::User => self.plan_custom_group(index, group),
            PackageKind::Managed if group.mode == Switch::Off => self.plan_disabled_managed_group(index, group),
            PackageKind::Core if group.mode == Switch::Off => {
                let (help, draft) = self.core.suggest_group_off(resolved.details);
                let effect = self.no_effect_note();
                let message = format!("is off; groups of the core rule set are not migrated{effect}");
                Finding { help, draft, ..finding(FindingOutcome::Lost, "core-group-off", message) }
            }
            _ => {
                let targets = if kind == PackageKind::Core {
                    self.core.execute_pointers()
                } else {
                    self.managed.execute_pointers()
                };
                Finding {
                    targets,
                    ..finding(FindingOutcome::Carried, "group-delivered", "is on, which is the default".to_owned())
                }
            }
        })
    }

    /// Creates the finding of a duplicate.
    fn plan_duplicate(&self, index: usize, first_index: usize) -> Option<Finding> {
        let group = self.zone.config.groups.get(index)?;
        let first = self.zone.config.groups.get(first_index)?;
        let settings = |group: &Group| (group.mode, group.allowed_modes.clone(), group.package_id.clone());
        if first.mode == group.mode && settings(first) != settings(group) {
            let message = format!("duplicates `/groups/{first_index}`, whose settings differ and take effect");
            return Some(group_finding(index, group, FindingOutcome::Lost, "duplicate", message));
        }
        if first.mode != group.mode {
            let message =
                format!("duplicates `/groups/{first_index}`, which is {} and takes effect", first.mode.name());
            return Some(group_finding(index, group, FindingOutcome::Lost, "duplicate", message));
        }
        // The first group is not a duplicate, so the recursion ends.
        let first_finding = self.plan_group(first_index)?;
        let message = format!("duplicates `/groups/{first_index}`");
        Some(Finding {
            targets: first_finding.targets,
            ..group_finding(index, group, first_finding.outcome, "duplicate", message)
        })
    }

    fn plan_disabled_managed_group(&self, index: usize, group: &Group) -> Finding {
        if let Some(category) = self.managed.category_override_pointers(Some(index)) {
            let message = "is off and becomes an override that disables its category".to_owned();
            return Finding {
                targets: category,
                ..group_finding(index, group, FindingOutcome::Carried, "group-category", message)
            };
        }
        let (known, targets) = self.managed.group_rule_pointers(index).unwrap_or_default();
        if known == 0 {
            let message = "is off; its rules and its category are unknown, so its rules stay on".to_owned();
            let help = "turn off the corresponding rules in the new configuration".to_owned();
            return Finding {
                help: Some(help),
                ..group_finding(index, group, FindingOutcome::Lost, "group-unknown", message)
            };
        }
        let unknown = self.zone.unknown_rule_counts.get(index).copied().unwrap_or_default();
        let count = group.rules_count.max(known + unknown);
        if count > known {
            let message =
                format!("is off; its known rules ({known} of {count}) are turned off, and the others stay on");
            return Finding { targets, ..group_finding(index, group, FindingOutcome::Changed, "group-rules", message) };
        }
        let message = format!("is off; its rules ({known}) are turned off individually");
        Finding { targets, ..group_finding(index, group, FindingOutcome::Carried, "group-rules", message) }
    }

    fn plan_custom_group(&self, index: usize, group: &Group) -> Finding {
        if group.rules_count == 0 && self.zone.rule_counts.get(index).is_none_or(|count| *count == 0) {
            let message = "has no rules, so there is nothing to recreate".to_owned();
            return group_finding(index, group, FindingOutcome::Carried, "user-package-empty", message);
        }
        let message = "contains rules written at your request, which are not in any managed ruleset".to_owned();
        group_finding(index, group, FindingOutcome::Lost, "user-group", message)
    }

    /// Returns the end of the message for a group that had no effect because the core rule set is off.
    fn no_effect_note(&self) -> &'static str {
        if self.core.rule_indexes.first().is_some() { "" } else { "; it had no effect because the rule set is off" }
    }
}

fn group_finding(index: usize, group: &Group, outcome: FindingOutcome, code: &'static str, message: String) -> Finding {
    let name = if group.name.is_empty() { &group.id } else { &group.name };
    new_finding(outcome, code, format!("/groups/{index}"), format!("Group {name}"), message)
}
