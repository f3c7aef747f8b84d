//! Plans a migration: computes the new entry point, and one finding for each setting.
//!
//! [`Zone`] resolves the items of the configuration against the catalogue. [`Managed`] and [`Core`] compute the execute
//! rules of the managed rulesets. The other modules create the findings of one list each, and their pointers lead into
//! the finished entry point.
//!
//! A plan has exactly one finding for each setting, in the order of [`settings`](crate::settings()).

mod core;
mod free;
mod groups;
mod managed;
mod overrides;
mod packages;
mod present;
mod rule_indexes;
mod rules;
mod zone;

pub(crate) use free::blocked as free_plan;
pub(crate) use overrides::blocking as blocking_overrides;
pub(crate) use zone::Zone;

use self::core::Core;
use crate::catalogue::PackageKind;
use crate::codes::NOT_GIVEN;
use crate::entry_point::ENTRY_POINT_NAME;
use crate::finding::{draft, finding};
use crate::page_rules::Step;
use crate::section::Section;
use crate::skip::execute;
use crate::{ZoneConfig, bypass, page_rules, warnings};
use managed::Managed;
use rule_indexes::RuleIndexes;
use serde::Serialize;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use zonewright_api::Warning;
use zonewright_api::finding::{ADD, Draft, Fate, Finding};
use zonewright_api::legacy_waf::Switch;
use zonewright_api::ruleset::{EntryPoint, Overrides, RulesetRule};
use zonewright_expression::schema::Tier;

/// The plan of a migration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The new configuration (§2.6), which is the body of the update of the entry point.
    pub entry_point: EntryPoint,
    /// One finding for each setting, in the order of [`settings`](crate::settings()). Their `became` points into the
    /// entry point.
    pub findings: Vec<Finding>,
    /// One warning for each rule or category that the existing entry point names and the catalogue does not list;
    /// pointers lead into the configuration. The new entry point names only listed ones.
    pub warnings: Vec<Warning>,
}

/// Plans the migration of a zone (§2.6). The time is proportional to the size of the configuration.
///
/// Zones that are not eligible or need support have a plan too. It omits the settings that are blocked or need support,
/// and the findings report them.
pub fn plan(config: &ZoneConfig) -> Plan {
    if config.tier == Tier::Free {
        return free::plan(config);
    }
    let zone = Zone::new(config);
    let bypass = bypass::skip_rules(config);
    let deployed = zone.deployed();
    let pages = page_rules::carried(config, bypass.rules.len(), deployed);
    let places = RuleIndexes::of_steps(&pages.steps, bypass.rules.len(), deployed.rulesets);
    let managed = Managed::new(&zone, places.clone());
    let core = Core::new(&zone, places.behind(usize::from(managed.execute.is_some())));

    let mut rules = bypass.rules;
    for step in pages.steps {
        match step {
            Step::Skip(rule) => rules.push(*rule),
            Step::Execute(expression) => {
                for (kind, made) in [(PackageKind::Managed, &managed.execute), (PackageKind::Core, &core.execute)] {
                    let enabled = pages.enabled && zone.is_active(kind);
                    rules.extend(made.clone().map(|made| made.rule(&expression, enabled)));
                }
            }
        }
    }

    let mut findings = Vec::with_capacity(config.rules.len() + config.firewall_rules.len() + 64);
    let executing: Vec<String> = [managed.rule(), core.rule()].concat();
    findings.push(switch(config, executing, pages.enabled, deployed.active));
    findings.extend(not_given(config, Section::Packages));
    findings.extend(packages::findings(&zone, &managed, &core));
    findings.extend(not_given(config, Section::Groups));
    findings.extend(groups::findings(&zone, &managed, &core));
    findings.extend(not_given(config, Section::Rules));
    findings.extend(rules::findings(&zone, &managed, &core));
    findings.extend(not_given(config, Section::Overrides));
    findings.extend(overrides::blocking(config));
    findings.extend(not_given(config, Section::FirewallRules));
    findings.extend(bypass.findings);
    findings.extend(not_given(config, Section::PageRules));
    findings.extend(pages.findings);

    let entry_point = EntryPoint { name: ENTRY_POINT_NAME.to_owned(), description: None, rules };
    findings.extend(present::findings(config, &entry_point));
    draft_once(&mut findings);
    Plan { entry_point, findings, warnings: warnings(config) }
}

/// Removes drafts of overrides that repeat an earlier draft, because the service rejects duplicates. Drafts with an
/// unknown ID are never duplicates.
fn draft_once(findings: &mut [Finding]) {
    let mut drafted: HashMap<(String, String), String> = HashMap::new();
    for found in findings {
        let added = |draft: &&Draft| draft.method == ADD && draft.path.contains("/overrides/");
        let Some(draft) = found.draft.as_ref().filter(added) else { continue };
        let body = draft.body.as_ref().map(ToString::to_string).unwrap_or_default();
        if body.contains(rules::UNKNOWN) {
            continue;
        }
        match drafted.entry((draft.path.clone(), body)) {
            Entry::Vacant(first) => {
                first.insert(found.setting.clone());
            }
            Entry::Occupied(first) => {
                found.help = Some(format!("the draft for `{}` is for this too", first.get()));
                found.draft = None;
            }
        }
    }
}

/// A managed ruleset that is executed, with its overrides.
#[derive(Clone)]
struct Execute {
    ruleset: &'static str,
    overrides: Overrides,
}

impl Execute {
    /// Creates the rule that executes the ruleset for the requests of an expression.
    fn rule(self, expression: &str, enabled: bool) -> RulesetRule {
        let mut rule = execute(self.ruleset, expression.to_owned(), String::new(), enabled);
        if let Some(parameters) = &mut rule.action_parameters {
            parameters.overrides = Some(self.overrides).filter(|overrides| *overrides != Overrides::default());
        }
        rule
    }
}

/// Creates the finding of the switch for all managed rules.
fn switch(config: &ZoneConfig, executing: Vec<String>, enabled: bool, active: bool) -> Finding {
    let made = |fate, code, message: &str| finding(fate, code, "/settings/waf", "Web application firewall", message);
    let mut found = match (config.waf, enabled) {
        _ if config.absent.contains(&Section::Settings) => Finding {
            draft: Some(draft(config, "GET", Section::Settings.path())),
            ..made(Fate::Lost, NOT_GIVEN, "is not given and taken to be on")
        },
        (Switch::On, _) if executing.is_empty() => {
            made(Fate::Carried, "waf-on", "is on, but there is no managed ruleset to execute")
        }
        (Switch::On, _) if !active => {
            made(Fate::Carried, "waf-on", "is on, but no package is active: each rule that executes is disabled")
        }
        (Switch::On, _) => made(Fate::Carried, "waf-on", "is on: the managed rulesets are executed"),
        (Switch::Off, _) if executing.is_empty() => {
            made(Fate::Carried, "waf-off", "is off, and there is no managed ruleset to execute anyway")
        }
        (Switch::Off, true) if !active => {
            let message =
                "is off, and page rules turn it on, but no package is active: each rule that executes is disabled";
            made(Fate::Changed, "waf-off", message)
        }
        (Switch::Off, true) => {
            let message = "is off, and page rules turn it on: the managed rulesets are executed only there";
            made(Fate::Changed, "waf-off", message)
        }
        (Switch::Off, false) => {
            let message = "is off: there is no such switch any more, so each rule that executes is disabled";
            made(Fate::Changed, "waf-off", message)
        }
    };
    found.became = executing;
    found
}

/// Creates the finding for a section that was not provided, instead of findings for its items.
fn not_given(config: &ZoneConfig, section: Section) -> Option<Finding> {
    let message = match section {
        Section::Settings | Section::Packages | Section::Groups | Section::Rules => {
            "they are not given and taken to be as delivered: what was changed in them is lost"
        }
        Section::Overrides | Section::FirewallRules | Section::PageRules => {
            "they are not given: what there is of them is lost, or stands in the way"
        }
    };
    let name = section.name();
    config.absent.contains(&section).then(|| Finding {
        help: Some(format!("add what the service answers as `{name}`")),
        draft: Some(draft(config, "GET", section.path())),
        ..finding(Fate::Lost, NOT_GIVEN, format!("/{name}"), section.title(), message)
    })
}
