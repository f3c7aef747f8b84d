//! Decodes the strings of a line on demand.

use std::borrow::Cow;

/// The content of a valid JSON string, not decoded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawString<'a> {
    pub(super) raw: &'a str,
    pub(super) has_escapes: bool,
}

impl<'a> RawString<'a> {
    /// Returns the string of a JSON text with quotes, or `None` if the text is not a string.
    pub(crate) fn from_json(json: &'a str) -> Option<RawString<'a>> {
        json.strip_prefix('"')?.strip_suffix('"').map(RawString::from_content)
    }

    /// Returns the string with this content.
    pub(super) fn from_content(raw: &'a str) -> RawString<'a> {
        RawString { raw, has_escapes: memchr::memchr(b'\\', raw.as_bytes()).is_some() }
    }

    /// Decodes the escapes.
    pub(crate) fn decode(self) -> Cow<'a, str> {
        if self.has_escapes { Cow::Owned(unescape(self.raw)) } else { Cow::Borrowed(self.raw) }
    }
}

fn unescape(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((plain, escape)) = rest.split_once('\\') {
        text.push_str(plain);
        let mut letters = escape.chars();
        match letters.next() {
            Some('b') => text.push('\u{8}'),
            Some('f') => text.push('\u{c}'),
            Some('n') => text.push('\n'),
            Some('r') => text.push('\r'),
            Some('t') => text.push('\t'),
            Some('u') => {
                let (character, after) = decode_unicode_escape(letters.as_str());
                text.push(character);
                rest = after;
                continue;
            }
            Some(literal) => text.push(literal),
            None => {}
        }
        rest = letters.as_str();
    }
    text.push_str(rest);
    text
}

/// Decodes the hexadecimal digits after `\u`, and returns the character with the rest. The scanner has
/// validated the string.
fn decode_unicode_escape(text: &str) -> (char, &str) {
    let unit = |text: &str| text.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let first = unit(text).unwrap_or_default();
    let after = text.get(4..).unwrap_or_default();
    if let Some(character) = char::from_u32(first) {
        return (character, after);
    }
    let low = after.strip_prefix("\\u").and_then(unit).unwrap_or_default();
    let pair = 0x1_0000 + ((first & 0x3ff) << 10 | low & 0x3ff);
    (char::from_u32(pair).unwrap_or(char::REPLACEMENT_CHARACTER), after.get(6..).unwrap_or_default())
}
