//! Creates the findings of rules.

use super::ResolvedZone;
use super::core_ruleset::CoreRulesetPlan;
use super::managed::{ManagedRulesetPlan, allowed_mode, changed_default};
use super::resolved_zone::{ResolvedItem, ResolvedRule, unknown_package_message};
use crate::catalog::{CatalogRule, PackageKind};
use crate::finding::{draft_addition, draft_request, new_finding};
use serde_json::{Value, json};
use zonewright_api::finding::{Draft, Finding, FindingOutcome};
use zonewright_api::legacy_waf::{RuleMode, WafRule};
use zonewright_api::ruleset::RulesetAction;

/// The placeholder for an unknown rule ID in a draft.
pub(super) const RULE_ID_PLACEHOLDER: &str = "{rule_id}";

/// Creates one finding for each rule.
pub(super) fn findings(zone: &ResolvedZone, managed: &ManagedRulesetPlan, core: &CoreRulesetPlan) -> Vec<Finding> {
    let planner = RulePlanner {
        zone,
        managed,
        core,
        managed_pointers: managed.execute_pointers(),
        core_pointers: core.execute_pointers(),
    };
    (0..zone.config.rules.len()).filter_map(|index| planner.plan_rule(index)).collect()
}

struct RulePlanner<'a> {
    zone: &'a ResolvedZone<'a>,
    managed: &'a ManagedRulesetPlan,
    core: &'a CoreRulesetPlan,
    /// Pointers to the execute rules of the Managed Ruleset.
    managed_pointers: Vec<String>,
    /// Pointers to the execute rules of the core rule set.
    core_pointers: Vec<String>,
}

impl RulePlanner<'_> {
    fn plan_rule(&self, index: usize) -> Option<Finding> {
        let given = self.zone.config.rules.get(index)?;
        let resolved = self.zone.rules.get(index)?;
        if let Some(first_index) = resolved.duplicate_of {
            return self.plan_duplicate(index, given, first_index);
        }
        let Some(kind) = resolved.kind else {
            return Some(rule_finding(
                index,
                given,
                FindingOutcome::Lost,
                "package-unknown",
                unknown_package_message(self.zone, &given.package_id),
            ));
        };
        Some(match kind {
            PackageKind::User => self.plan_custom_rule(index, given, resolved),
            _ if allowed_mode(given, resolved.details.catalog_rule).is_none() => {
                let message = format!("cannot have the mode {}; the default is assumed", given.mode.name());
                rule_finding(index, given, FindingOutcome::Lost, "mode-not-allowed", message)
            }
            PackageKind::Core => self.plan_core_rule(index, given, resolved),
            PackageKind::Managed => self.plan_managed_rule(index, given, resolved),
        })
    }

    /// Creates the finding of a duplicate.
    fn plan_duplicate(&self, index: usize, given: &WafRule, first_index: usize) -> Option<Finding> {
        let first = self.zone.config.rules.get(first_index)?;
        let settings = |rule: &WafRule| {
            (rule.mode, rule.default_mode, rule.allowed_modes.clone(), rule.group.clone(), rule.package_id.clone())
        };
        if first.mode == given.mode && settings(first) != settings(given) {
            let message = format!("duplicates `/rules/{first_index}`, whose settings differ and take effect");
            return Some(rule_finding(index, given, FindingOutcome::Lost, "duplicate", message));
        }
        if first.mode != given.mode {
            let mode = first.mode.name();
            let message = format!("duplicates `/rules/{first_index}`, whose mode {mode} takes effect");
            return Some(rule_finding(index, given, FindingOutcome::Lost, "duplicate", message));
        }
        // The first rule is not a duplicate, so the recursion ends.
        let first_finding = self.plan_rule(first_index)?;
        let message = format!("duplicates `/rules/{first_index}`");
        Some(Finding {
            targets: first_finding.targets,
            ..rule_finding(index, given, first_finding.outcome, "duplicate", message)
        })
    }

    /// Creates the finding of a rule of the core rule set.
    fn plan_core_rule(&self, index: usize, given: &WafRule, resolved: &ResolvedItem<ResolvedRule>) -> Finding {
        match given.mode {
            RuleMode::Off | RuleMode::Disable => {
                let group = resolved.details.group.and_then(|group| self.zone.groups.get(group)?.details);
                let (help, draft) = self.core.suggest_rule_off(resolved.details.catalog_rule, group);
                let no_effect_note = if self.core.rule_indexes.first().is_some() {
                    ""
                } else {
                    "; it had no effect because the rule set is off"
                };
                let message = format!("is off; rules of the core rule set are not migrated{no_effect_note}");
                Finding { help, draft, ..rule_finding(index, given, FindingOutcome::Lost, "core-rule-off", message) }
            }
            RuleMode::On if is_enabled_against_default(given) => {
                let (help, draft) = self.core.suggest_rule_on(resolved.details.catalog_rule);
                let message = "is on although it is off by default; rules of the core rule set are not migrated";
                Finding {
                    help: Some(help),
                    draft,
                    ..rule_finding(index, given, FindingOutcome::Lost, "core-rule-on", message)
                }
            }
            RuleMode::On | RuleMode::Default => {
                let targets = self.core_pointers.clone();
                Finding {
                    targets,
                    ..rule_finding(index, given, FindingOutcome::Carried, "rule-delivered", UNCHANGED_DEFAULT)
                }
            }
            RuleMode::Simulate | RuleMode::Block | RuleMode::Challenge => {
                let message = format!("has the mode {}, which is not valid for a rule with a score", given.mode.name());
                rule_finding(index, given, FindingOutcome::Lost, "mode-not-allowed", message)
            }
        }
    }

    /// Creates the finding of a rule that the provider writes.
    fn plan_managed_rule(&self, index: usize, given: &WafRule, resolved: &ResolvedItem<ResolvedRule>) -> Finding {
        let carried = |code, targets, message: String| Finding {
            targets,
            ..rule_finding(index, given, FindingOutcome::Carried, code, message)
        };
        let group_off = self.zone.is_group_off(resolved.details.group);
        let category_pointers = self.managed.category_override_pointers(resolved.details.group).filter(|_| group_off);
        let Some(catalog_rule) = resolved.details.catalog_rule else {
            return match category_pointers {
                Some(pointers) => carried("rule-group-off", pointers, GROUP_OFF_TEXT.to_owned()),
                None if !group_off && is_default(given) => {
                    carried("rule-delivered", self.managed_pointers.clone(), UNCHANGED_DEFAULT.to_owned())
                }
                None => self.plan_unknown_rule(index, given, group_off),
            };
        };
        match (self.managed.rule_override_pointers(catalog_rule), group_off) {
            (Some(pointers), true) => carried("rule-group-off", pointers, GROUP_OFF_TEXT.to_owned()),
            (Some(pointers), false) => carried("rule-override", pointers, describe_override(given, catalog_rule)),
            (None, true) => {
                let targets = category_pointers.unwrap_or_else(|| self.managed_pointers.clone());
                carried("rule-group-off", targets, GROUP_OFF_TEXT.to_owned())
            }
            (None, false) => {
                let message = match given.mode {
                    RuleMode::Default => UNCHANGED_DEFAULT.to_owned(),
                    mode => format!("the mode {} is the default of the new rule", mode.name()),
                };
                carried("rule-delivered", self.managed_pointers.clone(), message)
            }
        }
    }

    /// Creates the finding of a rule whose counterpart is unknown.
    fn plan_unknown_rule(&self, index: usize, given: &WafRule, group_off: bool) -> Finding {
        let message = if group_off {
            "its group is off; its counterpart in the Managed Ruleset is unknown and stays on".to_owned()
        } else {
            format!("has the mode {}; its counterpart in the Managed Ruleset is unknown", given.mode.name())
        };
        let mut override_body = json!({"id": RULE_ID_PLACEHOLDER});
        set_mode(&mut override_body, if group_off { RuleMode::Disable } else { given.mode });
        let rule = self.managed.rule_indexes.first().unwrap_or_else(|| "/rules/{index}".to_owned());
        let help = format!(
            "find the rule by its description, fill in its ID, and {}",
            self.managed.rule_indexes.addition_help()
        );
        let draft = Some(draft_addition(format!("{rule}/action_parameters/overrides/rules/-"), override_body));
        Finding { help: Some(help), draft, ..rule_finding(index, given, FindingOutcome::Lost, "rule-unknown", message) }
    }

    /// Creates the finding of a rule that the provider wrote for this customer. The configuration does not contain its
    /// condition.
    fn plan_custom_rule(&self, index: usize, given: &WafRule, resolved: &ResolvedItem<ResolvedRule>) -> Finding {
        let mode = match given.mode {
            RuleMode::Default => given.default_mode.unwrap_or(RuleMode::Block),
            mode => mode,
        };
        let mode = if self.zone.is_group_off(resolved.details.group) { RuleMode::Disable } else { mode };
        let mut rule = json!({"action": "block", "expression": "", "description": given.description, "enabled": true});
        // A rule that can only be on or off is an exception: it lets requests pass.
        if let (RuleMode::On | RuleMode::Off, Some(rule)) = (given.mode, rule.as_object_mut()) {
            rule.insert("action".to_owned(), json!("skip"));
            rule.insert("action_parameters".to_owned(), json!({"ruleset": "current"}));
        }
        set_mode(&mut rule, mode);
        let draft =
            Draft { body: Some(rule), ..draft_request(self.zone.config, "POST", "/rulesets/{ruleset_id}/rules") };
        Finding {
            help: Some(
                "recreate it as a custom rule; the suggested rule lacks the expression, which only you or support know"
                    .to_owned(),
            ),
            draft: Some(draft),
            ..rule_finding(
                index,
                given,
                FindingOutcome::Lost,
                "user-rule",
                "was written at your request and is not in any managed ruleset",
            )
        }
    }
}

const UNCHANGED_DEFAULT: &str = "has its default behavior";
const GROUP_OFF_TEXT: &str = "its group is off, and so is the rule";

/// Returns whether a rule is on although it is off by default.
fn is_enabled_against_default(given: &WafRule) -> bool {
    given.mode == RuleMode::On && matches!(given.default_mode, Some(RuleMode::Off | RuleMode::Disable))
}

/// Returns whether a rule has its default effect, as far as the default is known.
fn is_default(given: &WafRule) -> bool {
    matches!(given.mode, RuleMode::Default | RuleMode::On) && !is_enabled_against_default(given)
}

/// Describes the override of a rule.
fn describe_override(given: &WafRule, catalog_rule: &CatalogRule) -> String {
    match given.mode {
        RuleMode::Default => match changed_default(given, catalog_rule) {
            Some(mode) => format!("has its default mode, which is {} here but not in the new rule", mode.name()),
            None => "stays unchanged even though one of its categories is off".to_owned(),
        },
        RuleMode::On => "is on and becomes an override that enables the rule".to_owned(),
        RuleMode::Simulate => "the mode simulate becomes an override with the action log".to_owned(),
        RuleMode::Disable | RuleMode::Off => "is off and becomes an override that disables the rule".to_owned(),
        mode => format!("the mode {0} becomes an override with the action {0}", mode.name()),
    }
}

/// Sets the members of an override or a rule that correspond to a mode.
fn set_mode(rule: &mut Value, mode: RuleMode) {
    let Some(rule) = rule.as_object_mut() else { return };
    let (action, enabled) = match mode {
        RuleMode::Simulate => (Some(RulesetAction::Log), true),
        RuleMode::Block => (Some(RulesetAction::Block), true),
        RuleMode::Challenge => (Some(RulesetAction::Challenge), true),
        RuleMode::Off | RuleMode::Disable => (None, false),
        RuleMode::On | RuleMode::Default => (None, true),
    };
    if let Some(action) = action {
        rule.insert("action".to_owned(), json!(action));
    }
    rule.insert("enabled".to_owned(), json!(enabled));
}

fn rule_finding(
    index: usize,
    given: &WafRule,
    outcome: FindingOutcome,
    code: &'static str,
    message: impl Into<String>,
) -> Finding {
    new_finding(outcome, code, format!("/rules/{index}"), format!("Rule {}", given.id), message)
}
