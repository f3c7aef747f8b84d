//! Formats literals in backticks: on one line, with escapes for invisible characters, and so that different literals
//! look different.

use crate::ast::{Literal, LiteralKind};
use crate::number;
use std::fmt::Write;

/// The limits above which lists and texts are truncated.
#[derive(Clone, Copy)]
pub(super) struct DisplayLimits {
    /// The maximum number of set items or call arguments that are all shown.
    items: usize,
    /// The number of items that are shown if there are more.
    first_items: usize,
    /// The maximum number of characters of a literal.
    characters: usize,
}

impl DisplayLimits {
    /// The limits for sentences.
    pub(super) const FULL: DisplayLimits = DisplayLimits { items: 12, first_items: 6, characters: 300 };
    /// The limits for diagrams.
    pub(super) const SHORT: DisplayLimits = DisplayLimits { items: 3, first_items: 2, characters: 40 };

    /// Returns the limits for a single text.
    pub(super) const fn for_text(characters: usize) -> DisplayLimits {
        DisplayLimits { items: 0, first_items: 0, characters }
    }

    /// Returns how many of `count` items are shown.
    pub(super) fn shown_count(self, count: usize) -> usize {
        if count > self.items { self.first_items } else { count }
    }

    /// Formats a literal.
    pub(super) fn format_literal(self, literal: &Literal) -> String {
        match &literal.kind {
            LiteralKind::Quoted(bytes) => self.format_text(bytes),
            LiteralKind::Raw(text) => self.format_text(text.as_bytes()),
            LiteralKind::Regex(pattern) => self.format_code(pattern.as_bytes()),
            LiteralKind::Unquoted(word) => self.format_word(word),
            LiteralKind::Invalid => "an invalid literal".to_owned(),
        }
    }

    /// Formats a word of the source. A range is explained; an integer that begins with `0` is followed by its decimal
    /// value.
    fn format_word(self, word: &str) -> String {
        if let Some((first, last)) = word.split_once("..").filter(|(first, last)| !first.is_empty() && !last.is_empty())
        {
            // A malformed word may contain many `..`; only the first one splits it.
            return format!("{} to {}", self.format_scalar(first), self.format_scalar(last));
        }
        self.format_scalar(word)
    }

    /// Formats a word that is not a range.
    fn format_scalar(self, word: &str) -> String {
        let escaped = self.format_code(word.as_bytes());
        if is_bytes(word) {
            return format!("the bytes {escaped}");
        }
        match number::parse_integer(word) {
            Ok(integer) if word.len() > 1 && word.starts_with('0') => format!("{escaped} ({integer})"),
            _ => escaped,
        }
    }

    /// Formats a substring of the source on one line.
    pub(super) fn format_source(self, text: &str) -> String {
        // Truncated first, because a substring may be as long as the source and contain many others.
        let end = text.char_indices().nth(self.characters + 1).map_or(text.len(), |(end, _)| end);
        let start = text.get(..end).unwrap_or_default().replace(['\n', '\r', '\t'], " ");
        self.format_code(start.as_bytes())
    }

    /// Formats the value of a string.
    pub(super) fn format_text(self, bytes: &[u8]) -> String {
        match bytes {
            [] => "the empty string".to_owned(),
            _ if bytes.iter().all(|byte| *byte == b' ') => self.format_code(&[b"\"", bytes, b"\""].concat()),
            _ => self.format_key(bytes),
        }
    }

    /// Formats a key, or a text that is neither empty nor blank. A literal backslash is doubled, because a single one
    /// begins an escape.
    pub(super) fn format_key(self, bytes: &[u8]) -> String {
        self.escape_invisible(bytes, "\\\\")
    }

    /// Formats source text or a pattern in backticks, with its backslashes unchanged.
    pub(super) fn format_code(self, bytes: &[u8]) -> String {
        self.escape_invisible(bytes, "\\")
    }

    /// Formats bytes in backticks. Invisible characters, bidirectional controls and invalid UTF-8 appear as escapes.
    fn escape_invisible(self, bytes: &[u8], backslash: &str) -> String {
        let mut escaped = String::new();
        let mut remaining = self.characters;
        'chunks: for chunk in bytes.utf8_chunks() {
            for character in chunk.valid().chars() {
                if remaining == 0 {
                    escaped.push('…');
                    break 'chunks;
                }
                remaining -= 1;
                match character {
                    '\\' => escaped.push_str(backslash),
                    _ => push_visible(&mut escaped, character),
                }
            }
            for byte in chunk.invalid() {
                remaining = remaining.saturating_sub(1);
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\x{byte:02x}");
            }
        }
        wrap_in_backticks(&escaped)
    }

    /// Formats the first items as [`join_with_conjunction`] does.
    pub(super) fn format_list<T>(self, items: &[T], conjunction: &str, format: impl Fn(&T) -> String) -> String {
        let shown = items.iter().take(self.shown_count(items.len())).map(format).collect();
        join_with_conjunction(shown, items.len(), conjunction)
    }
}

/// Joins items as in "`a`, `b` or `c`". If items are omitted, the text ends with their number: "`a`, `b` and 3 more".
pub(super) fn join_with_conjunction(shown: Vec<String>, count: usize, conjunction: &str) -> String {
    let omitted_count = count.saturating_sub(shown.len());
    match shown.split_last() {
        Some(_) if omitted_count > 0 => format!("{} and {omitted_count} more", shown.join(", ")),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} {conjunction} {last}", others.join(", ")),
        None => "nothing".to_owned(),
    }
}

/// Returns whether a word is a byte literal, such as `61:62` or `ab.cd`, and not an address.
pub(super) fn is_bytes(word: &str) -> bool {
    number::parse_bytes(word).is_some() && number::parse_address_literal(word).is_err()
}

/// Appends a character, or its escape if it is invisible.
fn push_visible(escaped: &mut String, character: char) {
    let is_hidden = matches!(character,
        '\u{a0}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    // Writing to a string cannot fail.
    let _ = match character {
        _ if character.is_ascii_control() => write!(escaped, "\\x{:02x}", u32::from(character)),
        _ if character.is_control() || is_hidden => write!(escaped, "\\u{{{:x}}}", u32::from(character)),
        _ => escaped.write_char(character),
    };
}

/// Encloses a text in backticks. If the text contains backticks, the fence is longer and padded with spaces.
fn wrap_in_backticks(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 || text.is_empty() { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Returns `first`, `second`, … for a position from 0.
pub(super) fn ordinal(position: u32) -> String {
    const WORDS: [&str; 10] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    let number = u64::from(position) + 1;
    if let Some(word) = usize::try_from(position).ok().and_then(|position| WORDS.get(position)) {
        return (*word).to_owned();
    }
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// Formats a Unix time as `2026-11-21 09:30:00 UTC`; returns `None` for a number outside the years 1990 to 2099.
pub(super) fn format_timestamp(seconds: i64) -> Option<String> {
    if !(631_152_000..4_102_444_800).contains(&seconds) {
        return None;
    }
    let (mut days, time) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970;
    let is_leap = |year: i64| (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    while days >= 365 + i64::from(is_leap(year)) {
        days -= 365 + i64::from(is_leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [31, 28 + i64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    Some(format!("{year}-{month:02}-{:02} {hour:02}:{minute:02}:{second:02} UTC", days + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_is_shown_on_one_line_with_escapes() {
        let cases: [(&[u8], &str); 8] = [
            (b"abc", "`abc`"),
            (b"a\nb", "`a\\x0ab`"),
            (b"\xff\x00", "`\\xff\\x00`"),
            ("é\u{200b}\u{202e}".as_bytes(), "`é\\u{200b}\\u{202e}`"),
            (b"a`b", "`` a`b ``"),
            (b"``", "``` `` ```"),
            (b"", "`  `"),
            (&[b'a'; 41], "`aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…`"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(DisplayLimits::SHORT.format_code(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn distinct_texts_are_shown_differently() {
        let cases: [(&[u8], &str); 6] = [
            (b"\xff", "`\\xff`"),
            (br"\xff", r"`\\xff`"),
            (b"", "the empty string"),
            (b"  ", "`\"  \"`"),
            (b" a", "` a`"),
            (&[b' '; 50], "`\"                                       …`"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(DisplayLimits::SHORT.format_text(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn ordinals_are_words_up_to_ten() {
        let cases =
            [(0, "first"), (9, "tenth"), (10, "11th"), (20, "21st"), (111, "112th"), (u32::MAX, "4294967296th")];
        for (position, expected) in cases {
            assert_eq!(ordinal(position), expected, "{position}");
        }
    }

    #[test]
    fn timestamps_are_shown_as_utc() {
        let cases = [
            (0, None),
            (951_782_400, Some("2000-02-29 00:00:00 UTC")),
            (1_700_000_000, Some("2023-11-14 22:13:20 UTC")),
            (1_735_689_599, Some("2024-12-31 23:59:59 UTC")),
            (i64::MAX, None),
        ];
        for (seconds, expected) in cases {
            assert_eq!(format_timestamp(seconds).as_deref(), expected, "{seconds}");
        }
    }
}
