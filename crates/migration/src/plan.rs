//! Plans a migration: computes the new entry point, and one finding for each setting.
//!
//! [`ResolvedZone`] resolves the items of the configuration against the catalog. [`ManagedRulesetPlan`] and
//! [`CoreRulesetPlan`] compute the execute rules of the managed rulesets. The other modules create the findings of one
//! list each, and their pointers lead into the finished entry point.
//!
//! A plan has exactly one finding for each setting, in the order of
//! [`setting_pointers`](crate::setting_pointers()).

mod core_ruleset;
mod existing_rules;
mod free;
mod groups;
mod managed;
mod overrides;
mod packages;
mod resolved_zone;
mod rule_indexes;
mod rules;

pub(crate) use free::free_plan_finding;
pub(crate) use overrides::override_findings;
pub(crate) use resolved_zone::ResolvedZone;

use self::core_ruleset::CoreRulesetPlan;
use crate::catalog::PackageKind;
use crate::codes::NOT_PROVIDED;
use crate::entry_point::ENTRY_POINT_NAME;
use crate::finding::{draft_request, new_finding};
use crate::page_rules::PlannedStep;
use crate::section::Section;
use crate::skip::execute_rule;
use crate::{ZoneConfig, bypass, page_rules, warnings::entry_point_warnings};
use managed::ManagedRulesetPlan;
use rule_indexes::RuleIndexes;
use serde::Serialize;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use zonewright_api::ValidationWarning;
use zonewright_api::finding::{ADD_OPERATION, Draft, Finding, FindingOutcome};
use zonewright_api::legacy_waf::Switch;
use zonewright_api::ruleset::{EntryPoint, Overrides, RulesetRule};
use zonewright_expression::schema::Tier;

/// The plan of a migration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The new configuration (§2.6), which is the body of the update of the entry point.
    pub entry_point: EntryPoint,
    /// One finding for each setting, in the order of [`setting_pointers`](crate::setting_pointers()). Their `targets`
    /// point into the entry point.
    pub findings: Vec<Finding>,
    /// One warning for each rule or category that the existing entry point names and the catalog does not list. Their
    /// pointers lead into the configuration. The new entry point names only listed rules and categories.
    pub warnings: Vec<ValidationWarning>,
}

/// Plans the migration of a zone (§2.6). The time is proportional to the size of the configuration, plus a limited
/// amount of work for comparing page rules.
///
/// A zone that is not eligible or that needs support has a plan too. The plan omits the settings that are blocked or
/// need support, and its findings report them.
pub fn plan(config: &ZoneConfig) -> Plan {
    if config.tier == Tier::Free {
        return free::plan(config);
    }
    let zone = ResolvedZone::new(config);
    let bypass = bypass::migrate_bypass_rules(config);
    let deployed = zone.deployment();
    let pages = page_rules::migrate_page_rules(config, bypass.rules.len(), deployed);
    let rule_indexes = RuleIndexes::from_steps(&pages.steps, bypass.rules.len(), deployed.ruleset_count);
    let managed = ManagedRulesetPlan::new(&zone, rule_indexes.clone());
    let core = CoreRulesetPlan::new(&zone, rule_indexes.shift_by(usize::from(managed.execute.is_some())));

    let mut rules = bypass.rules;
    for step in pages.steps {
        match step {
            PlannedStep::Skip(rule) => rules.push(*rule),
            PlannedStep::Execute(expression) => {
                for (kind, template) in [(PackageKind::Managed, &managed.execute), (PackageKind::Core, &core.execute)] {
                    let enabled = pages.any_executed && zone.is_active(kind);
                    rules.extend(template.clone().map(|template| template.into_rule(&expression, enabled)));
                }
            }
        }
    }

    let mut findings = Vec::with_capacity(config.rules.len() + config.firewall_rules.len() + 64);
    let execute_pointers: Vec<String> = [managed.execute_pointers(), core.execute_pointers()].concat();
    findings.push(waf_switch_finding(config, execute_pointers, pages.any_executed, deployed.is_active));
    findings.extend(missing_section_finding(config, Section::Packages));
    findings.extend(packages::findings(&zone, &managed, &core));
    findings.extend(missing_section_finding(config, Section::Groups));
    findings.extend(groups::findings(&zone, &managed, &core));
    findings.extend(missing_section_finding(config, Section::Rules));
    findings.extend(rules::findings(&zone, &managed, &core));
    findings.extend(missing_section_finding(config, Section::Overrides));
    findings.extend(overrides::override_findings(config));
    findings.extend(missing_section_finding(config, Section::FirewallRules));
    findings.extend(bypass.findings);
    findings.extend(missing_section_finding(config, Section::PageRules));
    findings.extend(pages.findings);

    let entry_point = EntryPoint { name: ENTRY_POINT_NAME.to_owned(), description: None, rules };
    findings.extend(existing_rules::findings(config, &entry_point));
    deduplicate_drafts(&mut findings);
    Plan { entry_point, findings, warnings: entry_point_warnings(config) }
}

/// Removes drafts of overrides that repeat an earlier draft, because the service rejects duplicates. The help of their
/// findings then refers to the earlier draft. Drafts with an unknown ID are never duplicates.
fn deduplicate_drafts(findings: &mut [Finding]) {
    let mut settings_by_draft: HashMap<(String, String), String> = HashMap::new();
    for finding in findings {
        let is_addition = |draft: &&Draft| draft.method == ADD_OPERATION && draft.path.contains("/overrides/");
        let Some(draft) = finding.draft.as_ref().filter(is_addition) else { continue };
        let body = draft.body.as_ref().map(ToString::to_string).unwrap_or_default();
        if body.contains(rules::RULE_ID_PLACEHOLDER) {
            continue;
        }
        match settings_by_draft.entry((draft.path.clone(), body)) {
            Entry::Vacant(first) => {
                first.insert(finding.setting.clone());
            }
            Entry::Occupied(first) => {
                finding.help = Some(format!("the suggested override for `{}` also covers this setting", first.get()));
                finding.draft = None;
            }
        }
    }
}

/// A managed ruleset that the new entry point executes, with its overrides.
#[derive(Clone)]
struct ExecuteTemplate {
    ruleset: &'static str,
    overrides: Overrides,
}

impl ExecuteTemplate {
    /// Creates the rule that executes the ruleset for the requests of an expression.
    fn into_rule(self, expression: &str, enabled: bool) -> RulesetRule {
        let mut rule = execute_rule(self.ruleset, expression.to_owned(), String::new(), enabled);
        if let Some(parameters) = &mut rule.action_parameters {
            parameters.overrides = Some(self.overrides).filter(|overrides| *overrides != Overrides::default());
        }
        rule
    }
}

/// Creates the finding of the switch for all managed rules. `enabled` is whether any execute rule runs, and `active`
/// whether any package is active.
fn waf_switch_finding(config: &ZoneConfig, execute_pointers: Vec<String>, enabled: bool, active: bool) -> Finding {
    let finding =
        |outcome, code, message: &str| new_finding(outcome, code, "/settings/waf", "Web application firewall", message);
    let mut waf_finding = match (config.waf, enabled) {
        _ if config.missing_sections.contains(&Section::Settings) => Finding {
            draft: Some(draft_request(config, "GET", Section::Settings.path())),
            ..finding(FindingOutcome::Lost, NOT_PROVIDED, "was not provided and is assumed to be on")
        },
        (Switch::On, _) if execute_pointers.is_empty() => {
            finding(FindingOutcome::Carried, "waf-on", "is on, but there is no managed ruleset to execute")
        }
        (Switch::On, _) if !active => finding(
            FindingOutcome::Carried,
            "waf-on",
            "is on, but no package is active, so every execute rule is disabled",
        ),
        (Switch::On, _) => finding(FindingOutcome::Carried, "waf-on", "is on, so the managed rulesets are executed"),
        (Switch::Off, _) if execute_pointers.is_empty() => {
            finding(FindingOutcome::Carried, "waf-off", "is off, and there is no managed ruleset to execute")
        }
        (Switch::Off, true) if !active => {
            let message = "is off; page rules turn it on, but no package is active, so every execute rule is disabled";
            finding(FindingOutcome::Changed, "waf-off", message)
        }
        (Switch::Off, true) => {
            let message = "is off, but page rules turn it on; the managed rulesets are executed only for their URLs";
            finding(FindingOutcome::Changed, "waf-off", message)
        }
        (Switch::Off, false) => {
            let message = "is off; rulesets have no such switch, so every execute rule is disabled";
            finding(FindingOutcome::Changed, "waf-off", message)
        }
    };
    waf_finding.targets = execute_pointers;
    waf_finding
}

/// Creates the finding for a section that was not provided, instead of findings for its items.
fn missing_section_finding(config: &ZoneConfig, section: Section) -> Option<Finding> {
    let message = match section {
        Section::Settings | Section::Packages | Section::Groups | Section::Rules => {
            "were not provided; defaults are assumed, and changes to them are lost"
        }
        Section::Overrides | Section::FirewallRules | Section::PageRules => {
            "were not provided; any existing ones are lost or block the migration"
        }
    };
    let name = section.name();
    config.missing_sections.contains(&section).then(|| Finding {
        help: Some(format!("add the API response as `{name}`")),
        draft: Some(draft_request(config, "GET", section.path())),
        ..new_finding(FindingOutcome::Lost, NOT_PROVIDED, format!("/{name}"), section.title(), message)
    })
}
