//! Plans zones on the Free plan, which have no previous managed rules.

use super::Plan;
use crate::entry_point::ENTRY_POINT_NAME;
use crate::finding::new_finding;
use crate::{ZoneConfig, settings::setting_pointers, warnings::entry_point_warnings};
use zonewright_api::finding::{Finding, FindingOutcome};
use zonewright_api::ruleset::EntryPoint;

/// Creates the finding that such a zone cannot migrate (assumption free-plan).
pub(crate) fn free_plan_finding() -> Finding {
    let message = "a zone on the Free plan has no previous managed rules, so there is nothing to migrate";
    new_finding(FindingOutcome::Blocked, "free-plan", "/plan", "Plan", message)
}

/// Creates a plan without rules, in which every setting is unaffected.
pub(super) fn plan(config: &ZoneConfig) -> Plan {
    let unaffected = |setting: String| {
        let name = setting.trim_start_matches('/').to_owned();
        let message = "is not part of a migration because the zone has no previous managed rules";
        new_finding(FindingOutcome::Unaffected, "nothing-to-migrate", setting, name, message)
    };
    let finding_for = |setting: String| if setting == "/plan" { free_plan_finding() } else { unaffected(setting) };
    let findings = setting_pointers(config).into_iter().map(finding_for).collect();
    let entry_point = EntryPoint { name: ENTRY_POINT_NAME.to_owned(), description: None, rules: Vec::new() };
    Plan { entry_point, findings, warnings: entry_point_warnings(config) }
}
