//! How findings are made.

use crate::ZoneConfig;
use serde_json::Value;
use zonewright_api::finding::{ADD, Draft, Fate, Finding};

/// A finding with nothing but what every one has.
pub(crate) fn finding(
    fate: Fate,
    code: &'static str,
    setting: impl Into<String>,
    name: impl Into<String>,
    message: impl Into<String>,
) -> Finding {
    let (setting, name, message) = (setting.into(), one_line(name.into()), message.into());
    Finding { fate, code, setting, name, message, help: None, became: Vec::new(), draft: None }
}

/// More characters of a text that somebody wrote are not repeated.
const MAX_QUOTED_CHARS: usize = 120;

/// A text that somebody wrote, for a message.
pub(crate) fn quoted(text: &str) -> String {
    format!("`{}`", one_line(text.to_owned()))
}

/// A text on one line that is not too long.
fn one_line(text: String) -> String {
    if text.len() <= MAX_QUOTED_CHARS && !text.contains(char::is_control) {
        return text;
    }
    let mut shown: String =
        text.chars().take(MAX_QUOTED_CHARS).map(|char| if char.is_control() { ' ' } else { char }).collect();
    if text.chars().nth(MAX_QUOTED_CHARS).is_some() {
        shown.push('…');
    }
    shown
}

/// A request about the zone: `path` begins behind its identifier.
pub(crate) fn draft(config: &ZoneConfig, method: &'static str, path: &str) -> Draft {
    let zone = path_segment(&config.zone_id).unwrap_or("{zone_id}");
    Draft { method, path: format!("/zones/{zone}{path}"), body: None }
}

/// What can be added to the new configuration before it is sent; `at` is a JSON pointer as [`Draft`] says.
pub(crate) fn addition(at: String, body: Value) -> Draft {
    Draft { method: ADD, path: at, body: Some(body) }
}

/// A path that ends with an identifier.
pub(crate) fn path_of(collection: &str, id: &str) -> String {
    format!("{collection}/{}", path_segment(id).unwrap_or("{id}"))
}

/// An identifier as it may stand in a path. Those of the service are hexadecimal digits.
fn path_segment(id: &str) -> Option<&str> {
    let plain = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    plain.then_some(id)
}
