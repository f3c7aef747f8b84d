//! Decides whether a zone may migrate (§3 rules 2 and 3, §7.5).

use crate::catalogue::PackageKind;
use crate::codes::NOT_GIVEN;
use crate::finding::finding;
use crate::finding::{draft, path_of};
use crate::plan::{Zone, blocking_overrides, free_plan};
use crate::section::Section;
use crate::{ZoneConfig, bypass, page_rules};
use serde_json::json;
use zonewright_api::finding::{Draft, Fate, Finding};
use zonewright_api::legacy_waf::{DetectionMode, Switch};
use zonewright_expression::schema::Tier;

/// The phase of the migration program, which the query parameter `phase_two` selects. The stricter phase came first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Without `phase_two`: only zones that use few of the previous rules may migrate.
    One,
    /// With `phase_two=1`: every zone without overrides by URL may migrate.
    Two,
}

/// Returns a finding for every condition that the zone does not meet, with the setting and the request that fixes it.
///
/// A zone with no such finding is compatible. Settings that need support do not make a zone incompatible; see
/// [`support`](crate::support()).
pub fn eligibility(config: &ZoneConfig, phase: Phase) -> Vec<Finding> {
    if config.tier == Tier::Free {
        return vec![free_plan()];
    }
    let mut failing = Vec::new();
    if phase == Phase::One {
        failing.extend(packages(config));
    }
    failing.extend(blocking_overrides(config));
    if phase == Phase::One {
        failing.extend(not_known(config, Section::Overrides));
        failing.extend(firewall_rules(config));
        failing.extend(not_known(config, Section::FirewallRules));
        failing.extend(page_rules(config));
        failing.extend(not_known(config, Section::PageRules));
    }
    failing
}

/// Checks the condition of phase one that only the first package is in effect, unless the managed rules are off.
fn packages(config: &ZoneConfig) -> Vec<Finding> {
    if config.waf == Switch::Off {
        return Vec::new();
    }
    let zone = Zone::new(config);
    let mut failing = Vec::new();
    if config.absent.contains(&Section::Packages) {
        let message = "packages are not given; as delivered, the core rule set is on, and has to be off in phase one";
        failing.push(blocked("phase-one-core", "/packages".to_owned(), "Packages".to_owned(), message));
    }
    for (index, (given, known)) in config.packages.iter().zip(&zone.packages).enumerate() {
        if known.duplicate_of.is_some() {
            continue;
        }
        if known.kind == Some(PackageKind::Core) && zone.deploys(PackageKind::Core) && zone.is_active(PackageKind::Core)
        {
            let message = "the core rule set has to be off in phase one";
            let scored = given.detection_mode == DetectionMode::Anomaly;
            let member = if scored { "/sensitivity" } else { "" };
            let path = path_of("/firewall/waf/packages", &given.id);
            let body = Some(json!({"sensitivity": "off"}));
            failing.push(Finding {
                help: Some(PHASE_TWO.to_owned()),
                draft: Some(Draft { body, ..draft(config, "PATCH", &path) }),
                ..blocked(
                    "phase-one-core",
                    format!("/packages/{index}{member}"),
                    format!("Sensitivity of {}", given.name),
                    message,
                )
            });
        }
        let unknown = config.absent.contains(&Section::Rules);
        // An unknown package may have rules of any kind.
        let count = match known.kind {
            Some(PackageKind::User) => zone.count(PackageKind::User),
            None => config.rules.iter().filter(|rule| rule.package_id == given.id).count(),
            Some(PackageKind::Managed | PackageKind::Core) => continue,
        };
        if unknown || count > 0 {
            let message = if unknown {
                "only the first package may have rules in phase one; rules are not given, so it is not known whether it has"
            } else {
                "only the first package may have rules in phase one"
            };
            failing.push(Finding {
                help: Some("ask for phase two".to_owned()),
                ..blocked("phase-one-user", format!("/packages/{index}"), format!("Package {}", given.name), message)
            });
        }
    }
    failing
}

/// Checks the condition of phase one that no firewall rule, active or paused, bypasses the managed rules.
fn firewall_rules(config: &ZoneConfig) -> impl Iterator<Item = Finding> {
    let concerned = config.firewall_rules.iter().enumerate().filter(|(_, rule)| bypass::is_to_migrate(rule));
    concerned.map(|(index, rule)| {
        let name = format!("Firewall rule {}", rule.description.as_deref().unwrap_or(&rule.id));
        let message = "a firewall rule must not pass over the managed rules in phase one";
        Finding {
            help: Some(PHASE_TWO.to_owned()),
            draft: Some(draft(config, "DELETE", &path_of("/firewall/rules", &rule.id))),
            ..blocked("phase-one-bypass", format!("/firewall_rules/{index}"), name, message)
        }
    })
}

/// Checks the condition of phase one that no page rule, active or disabled, switches the managed rules.
fn page_rules(config: &ZoneConfig) -> impl Iterator<Item = Finding> {
    let concerned = config.page_rules.iter().enumerate().filter(|(_, rule)| page_rules::is_to_migrate(rule));
    concerned.map(|(index, rule)| {
        let message = "a page rule must not switch the managed rules in phase one";
        Finding {
            help: Some(PHASE_TWO.to_owned()),
            draft: Some(draft(config, "DELETE", &path_of("/pagerules", &rule.id))),
            ..blocked(
                "phase-one-page-rule",
                format!("/page_rules/{index}"),
                format!("Page rule {}", rule.pattern()),
                message,
            )
        }
    })
}

/// Reports a section that was not provided, because it may contain something that blocks the migration in phase one
/// (assumption phase-one-unknown).
fn not_known(config: &ZoneConfig, section: Section) -> Option<Finding> {
    let message = "they are not given, so it is not known whether one of them stands in the way in phase one";
    let name = section.name();
    config.absent.contains(&section).then(|| Finding {
        help: Some(format!("add what the service answers as `{name}`")),
        draft: Some(draft(config, "GET", section.path())),
        ..blocked(NOT_GIVEN, format!("/{name}"), section.title().to_owned(), message)
    })
}

const PHASE_TWO: &str = "ask for phase two, or change it with the draft";

fn blocked(code: &'static str, setting: String, name: String, message: &str) -> Finding {
    finding(Fate::Blocked, code, setting, name, message)
}
