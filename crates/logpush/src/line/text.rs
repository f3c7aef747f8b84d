//! Strings of a line.

use std::borrow::Cow;

/// What stands between the quotes of a right JSON string.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub(super) raw: &'a str,
    pub(super) escaped: bool,
}

impl<'a> Text<'a> {
    /// The string of this JSON text, quotes included, which is known to be one.
    pub(crate) fn of_json(json: &'a str) -> Option<Text<'a>> {
        json.strip_prefix('"')?.strip_suffix('"').map(Text::between_quotes)
    }

    /// The string that has this between its quotes.
    pub(super) fn between_quotes(raw: &'a str) -> Text<'a> {
        Text { raw, escaped: memchr::memchr(b'\\', raw.as_bytes()).is_some() }
    }

    /// Its characters, escapes read.
    pub(crate) fn read(self) -> Cow<'a, str> {
        if self.escaped { Cow::Owned(unescape(self.raw)) } else { Cow::Borrowed(self.raw) }
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
                let (character, behind) = unicode(letters.as_str());
                text.push(character);
                rest = behind;
                continue;
            }
            Some(itself) => text.push(itself),
            None => {}
        }
        rest = letters.as_str();
    }
    text.push_str(rest);
    text
}

/// The character whose digits come next, behind `\u`, and what is behind it. Only right strings come here.
fn unicode(text: &str) -> (char, &str) {
    let unit = |text: &str| text.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let first = unit(text).unwrap_or_default();
    let behind = text.get(4..).unwrap_or_default();
    if let Some(character) = char::from_u32(first) {
        return (character, behind);
    }
    let low = behind.strip_prefix("\\u").and_then(unit).unwrap_or_default();
    let pair = 0x1_0000 + ((first & 0x3ff) << 10 | low & 0x3ff);
    (char::from_u32(pair).unwrap_or(char::REPLACEMENT_CHARACTER), behind.get(6..).unwrap_or_default())
}
