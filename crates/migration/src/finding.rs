//! How findings are made.

use crate::ZoneConfig;
use zonewright_api::finding::{Draft, Fate, Finding};

/// A finding with nothing but what every one has.
pub(crate) fn finding(
    fate: Fate,
    code: &'static str,
    setting: impl Into<String>,
    name: impl Into<String>,
    message: impl Into<String>,
) -> Finding {
    let (setting, name, message) = (setting.into(), name.into(), message.into());
    Finding { fate, code, setting, name, message, help: None, became: Vec::new(), draft: None }
}

/// A request about the zone: `path` begins behind its identifier.
pub(crate) fn draft(config: &ZoneConfig, method: &'static str, path: &str) -> Draft {
    let zone = if config.zone_id.is_empty() { "{zone_id}" } else { &config.zone_id };
    Draft { method, path: format!("/zones/{zone}{path}"), body: None }
}

/// Where the entry point of the managed rules is updated, behind the zone's identifier.
pub(crate) const ENTRY_POINT: &str = "/rulesets/phases/http_request_firewall_managed/entrypoint";
