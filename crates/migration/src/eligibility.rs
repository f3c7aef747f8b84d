//! Decides whether a zone may migrate (§3 rules 2 and 3, §7.5).

use crate::catalog::PackageKind;
use crate::codes::NOT_PROVIDED;
use crate::finding::new_finding;
use crate::finding::{draft_request, item_path};
use crate::plan::{ResolvedZone, free_plan_finding, override_findings};
use crate::section::Section;
use crate::{ZoneConfig, bypass, page_rules};
use serde_json::json;
use zonewright_api::finding::{Draft, Finding, FindingOutcome};
use zonewright_api::legacy_waf::{DetectionMode, Switch};
use zonewright_expression::schema::Tier;

/// The phase of the migration program, which the query parameter `phase_two` selects. Phase one came first and is
/// stricter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MigrationPhase {
    /// Without `phase_two`: only zones that use few of the previous rules may migrate.
    One,
    /// With `phase_two=1`: every zone without overrides by URL may migrate, except on the Free plan.
    Two,
}

/// Returns a finding for every condition that the zone does not meet, with the setting, and with the request that fixes
/// it if there is one.
///
/// A zone with no such finding is compatible. Settings that need support do not make a zone incompatible; see
/// [`support_findings`](crate::support_findings()).
pub fn check_eligibility(config: &ZoneConfig, phase: MigrationPhase) -> Vec<Finding> {
    if config.tier == Tier::Free {
        return vec![free_plan_finding()];
    }
    let mut findings = Vec::new();
    if phase == MigrationPhase::One {
        findings.extend(package_findings(config));
    }
    findings.extend(override_findings(config));
    if phase == MigrationPhase::One {
        findings.extend(missing_section_finding(config, Section::Overrides));
        findings.extend(firewall_rule_findings(config));
        findings.extend(missing_section_finding(config, Section::FirewallRules));
        findings.extend(page_rule_findings(config));
        findings.extend(missing_section_finding(config, Section::PageRules));
    }
    findings
}

/// Checks the condition of phase one that only the first package has an effect. If the managed rules are off, no
/// package has an effect.
fn package_findings(config: &ZoneConfig) -> Vec<Finding> {
    if config.waf == Switch::Off {
        return Vec::new();
    }
    let zone = ResolvedZone::new(config);
    let mut findings = Vec::new();
    if config.missing_sections.contains(&Section::Packages) {
        let message = "were not provided; the core rule set is on by default and must be off in phase one";
        findings.push(blocking_finding("phase-one-core", "/packages".to_owned(), "Packages".to_owned(), message));
    }
    for (index, (package, known)) in config.packages.iter().zip(&zone.packages).enumerate() {
        if known.duplicate_of.is_some() {
            continue;
        }
        if known.kind == Some(PackageKind::Core)
            && zone.executes(PackageKind::Core)
            && zone.is_active(PackageKind::Core)
        {
            let message = "the core rule set must be off in phase one";
            let scored = package.detection_mode == DetectionMode::Anomaly;
            let member = if scored { "/sensitivity" } else { "" };
            let path = item_path("/firewall/waf/packages", &package.id);
            let body = Some(json!({"sensitivity": "off"}));
            findings.push(Finding {
                help: Some(PHASE_TWO_HELP.to_owned()),
                draft: Some(Draft { body, ..draft_request(config, "PATCH", &path) }),
                ..blocking_finding(
                    "phase-one-core",
                    format!("/packages/{index}{member}"),
                    format!("Sensitivity of {}", package.name),
                    message,
                )
            });
        }
        let are_rules_unknown = config.missing_sections.contains(&Section::Rules);
        // An unknown package may have rules of any kind.
        let count = match known.kind {
            Some(PackageKind::User) => zone.count_rules(PackageKind::User),
            None => config.rules.iter().filter(|rule| rule.package_id == package.id).count(),
            Some(PackageKind::Managed | PackageKind::Core) => continue,
        };
        if are_rules_unknown || count > 0 {
            let message = if are_rules_unknown {
                "only the first package may have rules in phase one; rules were not provided, so it is unknown whether this one has any"
            } else {
                "only the first package may have rules in phase one"
            };
            findings.push(Finding {
                help: Some("use phase two".to_owned()),
                ..blocking_finding(
                    "phase-one-user",
                    format!("/packages/{index}"),
                    format!("Package {}", package.name),
                    message,
                )
            });
        }
    }
    findings
}

/// Checks the condition of phase one that no firewall rule, active or paused, bypasses the managed rules.
fn firewall_rule_findings(config: &ZoneConfig) -> impl Iterator<Item = Finding> {
    let bypassing = config.firewall_rules.iter().enumerate().filter(|(_, rule)| bypass::bypasses_managed_rules(rule));
    bypassing.map(|(index, rule)| {
        let name = format!("Firewall rule {}", rule.description.as_deref().unwrap_or(&rule.id));
        let message = "a firewall rule must not bypass the managed rules in phase one";
        Finding {
            help: Some(PHASE_TWO_HELP.to_owned()),
            draft: Some(draft_request(config, "DELETE", &item_path("/firewall/rules", &rule.id))),
            ..blocking_finding("phase-one-bypass", format!("/firewall_rules/{index}"), name, message)
        }
    })
}

/// Checks the condition of phase one that no page rule, active or disabled, switches the managed rules.
fn page_rule_findings(config: &ZoneConfig) -> impl Iterator<Item = Finding> {
    let switching = config.page_rules.iter().enumerate().filter(|(_, rule)| page_rules::affects_managed_rules(rule));
    switching.map(|(index, rule)| {
        let message = "a page rule must not turn the managed rules on or off in phase one";
        Finding {
            help: Some(PHASE_TWO_HELP.to_owned()),
            draft: Some(draft_request(config, "DELETE", &item_path("/pagerules", &rule.id))),
            ..blocking_finding(
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
fn missing_section_finding(config: &ZoneConfig, section: Section) -> Option<Finding> {
    let message = "were not provided, so it is unknown whether any of them blocks the migration in phase one";
    let name = section.name();
    config.missing_sections.contains(&section).then(|| Finding {
        help: Some(format!("add the API response as `{name}`")),
        draft: Some(draft_request(config, "GET", section.path())),
        ..blocking_finding(NOT_PROVIDED, format!("/{name}"), section.title().to_owned(), message)
    })
}

const PHASE_TWO_HELP: &str = "use phase two, or send the suggested request";

fn blocking_finding(code: &'static str, setting: String, name: String, message: &str) -> Finding {
    new_finding(FindingOutcome::Blocked, code, setting, name, message)
}
