//! White space that is none to the language.

/// Whether a character is a blank of zero width.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{feff}')
}

/// White space to people, but not to the language.
pub(super) fn is_blank(c: char) -> bool {
    let unknown = c.is_whitespace() || is_invisible(c) || matches!(c, '\u{1}'..='\u{1f}');
    unknown && !matches!(c, ' ' | '\n' | '\r')
}
