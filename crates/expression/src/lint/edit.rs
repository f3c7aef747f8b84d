//! Texts of fixes and messages.

pub(super) use crate::edit::{delete, unwrap};

/// A text as a quoted string of the language.
pub(super) fn quoted(text: &[u8]) -> String {
    let mut quoted = String::from("\"");
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            if matches!(c, '"' | '\\') {
                quoted.push('\\');
            }
            quoted.push(c);
        }
        for byte in chunk.invalid() {
            quoted.push_str(&format!("\\x{byte:02x}"));
        }
    }
    quoted.push('"');
    quoted
}

/// A text as it is shown in a message: short, on one line, in backticks.
pub(super) fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let short: String = text.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let more = if text.chars().nth(60).is_some() { "…" } else { "" };
    format!("`{short}{more}`")
}
