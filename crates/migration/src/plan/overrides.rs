//! Creates the findings of overrides by URL. The new rules have no equivalent, so the overrides must be deleted
//! first (§3 rule 2).

use crate::ZoneConfig;
use crate::finding::{draft_request, item_path, new_finding, quote};
use zonewright_api::finding::{Finding, FindingOutcome};
use zonewright_api::legacy_waf::UrlOverride;

/// Creates one finding for each override, with the request that deletes it (§4.7). Paused overrides block the migration
/// too.
pub(crate) fn override_findings(config: &ZoneConfig) -> impl Iterator<Item = Finding> {
    config.overrides.iter().enumerate().map(|(index, item)| Finding {
        help: Some("delete it; to keep its effect, add exceptions for its URLs to the new rules".to_owned()),
        draft: Some(draft_request(config, "DELETE", &item_path("/firewall/waf/overrides", &item.id))),
        ..new_finding(
            FindingOutcome::Blocked,
            "override-blocks",
            format!("/overrides/{index}"),
            display_name(item),
            blocking_message(item),
        )
    })
}

fn display_name(item: &UrlOverride) -> String {
    let description = item.description.as_deref().filter(|text| !text.is_empty());
    format!("Override {}", description.unwrap_or(&item.id))
}

fn blocking_message(item: &UrlOverride) -> String {
    let urls = match item.urls.as_slice() {
        [] => "no URL".to_owned(),
        [url] => quote(url),
        [url, rest @ ..] => format!("{} and {} more", quote(url), rest.len()),
    };
    let paused = if item.paused { ", even though it is paused" } else { "" };
    format!("blocks the migration{paused}; it applies to {urls}")
}
