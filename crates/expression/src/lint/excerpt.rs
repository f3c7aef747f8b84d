//! Quotes texts in fixes and messages.

/// The maximum number of characters of an excerpt.
const MAX_EXCERPT_CHARS: usize = 60;

/// Formats a text as a quoted string of the language.
pub(super) fn quote(text: &[u8]) -> String {
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

/// Formats a text for a message: in backticks, on one line, truncated to [`MAX_EXCERPT_CHARS`].
pub(super) fn quote_excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let start: String = text.chars().take(MAX_EXCERPT_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let ellipsis = if text.chars().nth(MAX_EXCERPT_CHARS).is_some() { "…" } else { "" };
    format!("`{start}{ellipsis}`")
}
