//! Texts for fixes and messages.

/// Formats a text as a quoted string of the language.
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

/// Formats a text for a message: in backticks, on one line, truncated to 60 characters.
pub(super) fn quote_excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let short: String = text.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let more = if text.chars().nth(60).is_some() { "…" } else { "" };
    format!("`{short}{more}`")
}
