//! What only the provider's support can carry over (§7.4, §8).

use crate::{ZoneConfig, bypass, page_rules};
use zonewright_api::finding::{Fate, Finding};
use zonewright_expression::schema::Tier;

/// More firewall rules than this cannot be migrated (§8). Those count that are to be: rules with the action
/// `bypass` for the managed rules (assumption rules-to-migrate).
pub const MOST_RULES: usize = 200;
/// Longer expressions cannot be migrated (§8): 4 KB, in bytes.
pub const MOST_EXPRESSION: usize = 4096;

/// Everything that needs support, of the plan's findings; of too many firewall rules only the first is named.
pub fn support(config: &ZoneConfig) -> Vec<Finding> {
    if config.tier == Tier::Free {
        return Vec::new();
    }
    let bypass = bypass::skip_rules(config).findings;
    let pages = page_rules::carried(config, 0, 0).findings;
    let mut counted = false;
    let mut found: Vec<Finding> = bypass.into_iter().chain(pages).collect();
    found.retain(|finding| {
        let repeated = finding.code == "too-many-rules" && std::mem::replace(&mut counted, true);
        finding.fate == Fate::NeedsSupport && !repeated
    });
    found
}
