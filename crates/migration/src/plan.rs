//! What becomes of a configuration: the new entry point, and one finding for every setting.
//!
//! Read in this order: [`zone`](zone::Zone) finds out what every item is, [`managed`](managed::Managed) and
//! [`core`](core::Core) make the rules that execute the managed rulesets, and the other files say what became of
//! the items of a list.

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

/// A planned migration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The new configuration (§2.6), which the update of the entry point takes as its body.
    pub entry_point: EntryPoint,
    /// What becomes of every setting, in the order of [`settings`](crate::settings()), one for each. Their `became`
    /// points into the entry point.
    pub findings: Vec<Finding>,
    /// What the present entry point names of managed rulesets and the catalogue does not list; pointers lead into the
    /// configuration. The new entry point names nothing unlisted.
    pub warnings: Vec<Warning>,
}

/// Plans the migration of a zone (§2.6). Takes time in proportion to the configuration.
///
/// Zones that are not eligible or need support have a plan too: it lacks what is blocked or needs support, and
/// the findings say so.
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

/// Takes out drafts of overrides that stand before: what is named twice, the service refuses. What has gaps is not the same.
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

/// A managed ruleset to execute, with what is done otherwise than it says.
#[derive(Clone)]
struct Execute {
    ruleset: &'static str,
    overrides: Overrides,
}

impl Execute {
    /// The rule that executes it where the managed rules are to run.
    fn rule(self, expression: &str, enabled: bool) -> RulesetRule {
        let mut rule = execute(self.ruleset, expression.to_owned(), String::new(), enabled);
        if let Some(parameters) = &mut rule.action_parameters {
            parameters.overrides = Some(self.overrides).filter(|overrides| *overrides != Overrides::default());
        }
        rule
    }
}

/// What becomes of the switch for all managed rules.
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

/// The finding for a section that is not given, in place of findings for its items.
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
