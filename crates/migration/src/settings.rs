//! Lists the settings of a configuration, each with a JSON pointer.

use crate::{Section, ZoneConfig};
use zonewright_api::legacy_waf::DetectionMode;
use zonewright_expression::schema::Tier;

/// Returns JSON pointers to every setting of a configuration, in the order of the document. A plan has one finding for
/// each, in this order:
///
/// - `/plan`, on the Free plan only.
/// - `/settings/waf`.
/// - For a package with a score, `/packages/1/sensitivity` and `/packages/1/action_mode`. For another package,
///   `/packages/0`, and those two members as well if they are provided.
/// - Each item of the other lists. A list that was not provided is one setting, such as `/groups`, because its items
///   are unknown.
/// - The rules of the existing entry point, such as `/entry_point/rules/0`.
pub fn setting_pointers(config: &ZoneConfig) -> Vec<String> {
    let mut settings = Vec::with_capacity(config.rules.len() + config.groups.len() + 16);
    if config.tier == Tier::Free {
        settings.push("/plan".to_owned());
    }
    settings.push("/settings/waf".to_owned());
    let lists = [
        (Section::Packages, config.packages.len()),
        (Section::Groups, config.groups.len()),
        (Section::Rules, config.rules.len()),
        (Section::Overrides, config.overrides.len()),
        (Section::FirewallRules, config.firewall_rules.len()),
        (Section::PageRules, config.page_rules.len()),
    ];
    for (section, items) in lists {
        let name = section.name();
        if config.missing_sections.contains(&section) {
            settings.push(format!("/{name}"));
        }
        for index in 0..items {
            let package = config.packages.get(index).filter(|_| section == Section::Packages);
            let scored = package.is_some_and(|package| package.detection_mode == DetectionMode::Anomaly);
            if !scored {
                settings.push(format!("/{name}/{index}"));
            }
            if scored || package.is_some_and(|package| package.sensitivity.is_some()) {
                settings.push(format!("/packages/{index}/sensitivity"));
            }
            if scored || package.is_some_and(|package| package.action_mode.is_some()) {
                settings.push(format!("/packages/{index}/action_mode"));
            }
        }
    }
    let existing = config.entry_point.iter().flat_map(|existing| 0..existing.rules.len());
    settings.extend(existing.map(|index| format!("/entry_point/rules/{index}")));
    settings
}
