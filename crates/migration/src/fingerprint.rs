//! Computes a hash of everything that a new configuration depends on, to find out whether a plan is still current.

use crate::{Section, ZoneConfig};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::io::{self, Write};
use zonewright_api::firewall::FirewallRule;
use zonewright_api::legacy_waf::{Group, Package, Switch, UrlOverride, WafRule};
use zonewright_api::page_rule::PageRule;

/// The parts of a configuration that the new configuration depends on. The zone is omitted, because only configurations
/// of the same zone are compared. The existing entry point is omitted, because the new one does not depend on it.
#[derive(Serialize)]
struct CanonicalConfig<'a> {
    plan: &'static str,
    waf: Switch,
    packages: &'a [Package],
    groups: &'a [Group],
    rules: &'a [WafRule],
    overrides: &'a [UrlOverride],
    firewall_rules: &'a [FirewallRule],
    page_rules: &'a [PageRule],
    absent: &'a [Section],
}

/// Returns the SHA-256 of a configuration in lowercase hexadecimal digits.
///
/// It changes with everything that a new configuration could depend on, including the order of the lists. It does not
/// depend on the spelling of the JSON that the configuration was read from.
pub fn fingerprint(config: &ZoneConfig) -> String {
    let canonical = CanonicalConfig {
        plan: config.tier.name(),
        waf: config.waf,
        packages: &config.packages,
        groups: &config.groups,
        rules: &config.rules,
        overrides: &config.overrides,
        firewall_rules: &config.firewall_rules,
        page_rules: &config.page_rules,
        absent: &config.missing_sections,
    };
    let mut hash = HashWriter(Sha256::new());
    // Hashing never fails, and all of these types can be serialized.
    let _ = serde_json::to_writer(&mut hash, &canonical);
    hash.0.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        for digit in [byte >> 4, byte & 15] {
            text.extend(char::from_digit(u32::from(digit), 16));
        }
        text
    })
}

struct HashWriter(Sha256);

impl Write for HashWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn document_hash(document: &Value) -> String {
        fingerprint(&crate::read_config(document).unwrap())
    }

    #[test]
    fn only_relevant_settings_change_the_fingerprint() {
        let document = json!({
            "zone": "example.com",
            "plan": "pro",
            "settings": {"waf": "on"},
            "groups": [{"id": "a", "mode": "on"}, {"id": "b", "mode": "on"}],
        });
        let original = document_hash(&document);
        assert_eq!(original.len(), 64);
        let with = |pointer: &str, value: Value| {
            let mut changed = document.clone();
            *changed.pointer_mut(pointer).unwrap() = value;
            document_hash(&changed)
        };
        assert_eq!(with("/zone", json!("example.org")), original);
        assert_eq!(with("/settings", json!({"id": "waf", "value": "on"})), original);
        assert_eq!(with("/groups/0", json!({"mode": "on", "id": "a", "rules_count": 0})), original);
        let others = [
            with("/plan", json!("business")),
            with("/settings/waf", json!("off")),
            with("/groups/0/mode", json!("off")),
            with("/groups", json!([])),
            with("/groups", json!([{"id": "b", "mode": "on"}, {"id": "a", "mode": "on"}])),
        ];
        for (index, other) in others.iter().enumerate() {
            assert_ne!(*other, original, "{index}");
        }
    }
}
