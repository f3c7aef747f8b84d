//! Whitespace that the language does not support.

/// Returns whether a character is zero-width whitespace.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{feff}')
}

/// Returns whether a character is whitespace, or a control character other than NUL, that the language does not accept.
pub(super) fn is_unsupported_whitespace(c: char) -> bool {
    let is_whitespace = c.is_whitespace() || is_invisible(c) || matches!(c, '\u{1}'..='\u{1f}');
    is_whitespace && !matches!(c, ' ' | '\n' | '\r')
}
