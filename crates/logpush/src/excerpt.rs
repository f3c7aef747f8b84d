//! Excerpts of the user's text for messages.

/// The most characters of an excerpt.
const MAX_CHARS: usize = 64;

/// The beginning of a text, with control characters and quotes escaped.
pub(crate) fn escaped_excerpt(text: &str) -> String {
    text.chars().take(MAX_CHARS).flat_map(char::escape_debug).collect()
}
