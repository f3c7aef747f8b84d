//! Creates findings and their suggested requests.

use crate::ZoneConfig;
use serde_json::Value;
use zonewright_api::finding::{ADD_OPERATION, Draft, Finding, FindingOutcome};

/// Creates a finding with only the required members.
pub(crate) fn new_finding(
    outcome: FindingOutcome,
    code: &'static str,
    setting: impl Into<String>,
    name: impl Into<String>,
    message: impl Into<String>,
) -> Finding {
    let (setting, name, message) = (setting.into(), to_single_line(name.into()), message.into());
    Finding { outcome, code, setting, name, message, help: None, targets: Vec::new(), draft: None }
}

/// The maximum number of characters of user-supplied text that a finding repeats.
const MAX_QUOTED_CHARS: usize = 120;

/// Quotes user-supplied text for a message.
pub(crate) fn quote(text: &str) -> String {
    format!("`{}`", to_single_line(text.to_owned()))
}

/// Puts a text on one line and truncates it to [`MAX_QUOTED_CHARS`].
fn to_single_line(text: String) -> String {
    if text.len() <= MAX_QUOTED_CHARS && !text.contains(char::is_control) {
        return text;
    }
    let mut excerpt: String =
        text.chars().take(MAX_QUOTED_CHARS).map(|char| if char.is_control() { ' ' } else { char }).collect();
    if text.chars().nth(MAX_QUOTED_CHARS).is_some() {
        excerpt.push('…');
    }
    excerpt
}

/// Creates a suggested request about the zone; `path` follows the zone ID.
pub(crate) fn draft_request(config: &ZoneConfig, method: &'static str, path: &str) -> Draft {
    let zone = path_segment(&config.zone_id).unwrap_or("{zone_id}");
    Draft { method, path: format!("/zones/{zone}{path}"), body: None }
}

/// Creates a suggested addition to the new configuration; `path` is a JSON pointer as in [`Draft`].
pub(crate) fn draft_addition(path: String, body: Value) -> Draft {
    Draft { method: ADD_OPERATION, path, body: Some(body) }
}

/// Joins a path and an ID.
pub(crate) fn item_path(collection: &str, id: &str) -> String {
    format!("{collection}/{}", path_segment(id).unwrap_or("{id}"))
}

/// Returns the ID if it is safe in a path. IDs of the service are hexadecimal digits.
fn path_segment(id: &str) -> Option<&str> {
    let is_safe = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    is_safe.then_some(id)
}
