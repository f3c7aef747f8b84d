//! What only the provider's support can carry over (§7.4, §8).

use crate::{ZoneConfig, bypass, page_rules};
use zonewright_api::finding::{Fate, Finding};
use zonewright_expression::schema::Tier;

/// Everything that needs support, of the plan's findings. Of too many firewall rules, only the first is named.
pub fn support(config: &ZoneConfig) -> Vec<Finding> {
    if config.tier == Tier::Free {
        return Vec::new();
    }
    let (pages, _) = page_rules::carry(config, 0, 0);
    let mut found = bypass::carry(config, 0).findings;
    found.extend(pages.findings);
    let mut counted = false;
    found.retain(|finding| {
        let repeated = finding.code == bypass::TOO_MANY && std::mem::replace(&mut counted, true);
        finding.fate == Fate::NeedsSupport && !repeated
    });
    found
}
