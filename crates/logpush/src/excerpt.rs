//! Excerpts of user text for messages.

/// The maximum length of an excerpt in characters.
const MAX_CHARS: usize = 64;

/// Returns the start of a text, with control characters and quotes escaped.
pub(crate) fn escaped_excerpt(text: &str) -> String {
    text.chars().take(MAX_CHARS).flat_map(char::escape_debug).collect()
}
