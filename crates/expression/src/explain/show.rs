//! Literals as they are shown: on one line, between backticks, nothing invisible, and no two of them
//! alike.

use crate::ast::{Literal, LiteralKind};
use crate::number;
use std::fmt::Write;

/// How much is shown of what is long.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Most items of a set or arguments of a call that are shown whole.
    items: usize,
    /// How many of them when there are more.
    first_items: usize,
    /// Most characters of a literal.
    characters: usize,
}

impl Limits {
    /// For sentences.
    pub(super) const FULL: Limits = Limits { items: 12, first_items: 6, characters: 300 };
    /// For drawings.
    pub(super) const SHORT: Limits = Limits { items: 3, first_items: 2, characters: 40 };

    /// For single texts.
    pub(super) const fn of_characters(characters: usize) -> Limits {
        Limits { items: 0, first_items: 0, characters }
    }

    /// How many of so many items are shown.
    pub(super) fn shown(self, count: usize) -> usize {
        if count > self.items { self.first_items } else { count }
    }

    /// A literal as it is shown.
    pub(super) fn literal(self, literal: &Literal) -> String {
        match &literal.kind {
            LiteralKind::Quoted(bytes) => self.text(bytes),
            LiteralKind::Raw(text) => self.text(text.as_bytes()),
            LiteralKind::Regex(pattern) => self.code(pattern.as_bytes()),
            LiteralKind::Word(word) => self.word(word),
            LiteralKind::Invalid => "something unreadable".to_owned(),
        }
    }

    /// A word of the source; ranges and numbers that are not decimal are put into words.
    fn word(self, word: &str) -> String {
        if let Some((first, last)) = word.split_once("..").filter(|(first, last)| !first.is_empty() && !last.is_empty())
        {
            // A malformed word may have any number of dots, so only the first pair splits it.
            return format!("{} to {}", self.single(first), self.single(last));
        }
        self.single(word)
    }

    /// A word that is no range.
    fn single(self, word: &str) -> String {
        let shown = self.code(word.as_bytes());
        if is_bytes(word) {
            return format!("the bytes {shown}");
        }
        match number::integer(word) {
            Ok(integer) if word.len() > 1 && word.starts_with('0') => format!("{shown} ({integer})"),
            _ => shown,
        }
    }

    /// A piece of the source on one line.
    pub(super) fn source(self, text: &str) -> String {
        // A piece may be as long as the source and hold as many others as it is deep.
        let end = text.char_indices().nth(self.characters + 1).map_or(text.len(), |(end, _)| end);
        let start = text.get(..end).unwrap_or_default().replace(['\n', '\r', '\t'], " ");
        self.code(start.as_bytes())
    }

    /// The value of a string.
    pub(super) fn text(self, bytes: &[u8]) -> String {
        match bytes {
            [] => "the empty text".to_owned(),
            _ if bytes.iter().all(|byte| *byte == b' ') => self.code(&[b"\"", bytes, b"\""].concat()),
            _ => self.key(bytes),
        }
    }

    /// A text beside a noun. A backslash of its own is doubled: the others begin a code.
    pub(super) fn key(self, bytes: &[u8]) -> String {
        self.visible(bytes, "\\\\")
    }

    /// Source or a pattern between backticks, its backslashes as they are.
    pub(super) fn code(self, bytes: &[u8]) -> String {
        self.visible(bytes, "\\")
    }

    /// Bytes between backticks. What is invisible, reorders text or is no UTF-8 is shown as its code.
    fn visible(self, bytes: &[u8], backslash: &str) -> String {
        let mut shown = String::new();
        let mut left = self.characters;
        'chunks: for chunk in bytes.utf8_chunks() {
            for character in chunk.valid().chars() {
                if left == 0 {
                    shown.push('…');
                    break 'chunks;
                }
                left -= 1;
                match character {
                    '\\' => shown.push_str(backslash),
                    _ => push_visible(&mut shown, character),
                }
            }
            for byte in chunk.invalid() {
                left = left.saturating_sub(1);
                // Writing to a string cannot fail.
                let _ = write!(shown, "\\x{byte:02x}");
            }
        }
        in_backticks(&shown)
    }

    /// The first ones of all, as [`joined`] shows them.
    pub(super) fn list<T>(self, all: &[T], word: &str, show: impl Fn(&T) -> String) -> String {
        joined(all.iter().take(self.shown(all.len())).map(show).collect(), all.len(), word)
    }
}

/// `a`, `b` or `c`; of many the first ones and how many more there are.
pub(super) fn joined(shown: Vec<String>, count: usize, word: &str) -> String {
    let more = count.saturating_sub(shown.len());
    match shown.split_last() {
        Some(_) if more > 0 => format!("{} and {more} more", shown.join(", ")),
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} {word} {last}", before.join(", ")),
        None => "nothing".to_owned(),
    }
}

/// Whether a word has the form of bytes, such as `61:62` and `ab.cd`, and of nothing else.
pub(super) fn is_bytes(word: &str) -> bool {
    number::bytes(word).is_some() && number::addresses(word).is_err()
}

fn push_visible(shown: &mut String, character: char) {
    let is_hidden = matches!(character,
        '\u{a0}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    // Writing to a string cannot fail.
    let _ = match character {
        _ if character.is_ascii_control() => write!(shown, "\\x{:02x}", u32::from(character)),
        _ if character.is_control() || is_hidden => write!(shown, "\\u{{{:x}}}", u32::from(character)),
        _ => shown.write_char(character),
    };
}

/// Text that begins or ends with a backtick, or holds some, stands between more of them.
fn in_backticks(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 || text.is_empty() { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// `first`, `second`, … for a position from 0.
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

/// A moment of so many seconds after 1970, as `2026-11-21 09:30:00 UTC`; `None` for one that is
/// hardly meant as a time.
pub(super) fn moment(seconds: i64) -> Option<String> {
    // From 1990 to the year 2100.
    if !(631_152_000..4_102_444_800).contains(&seconds) {
        return None;
    }
    let (mut days, time) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970;
    let leap = |year: i64| (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    while days >= 365 + i64::from(leap(year)) {
        days -= 365 + i64::from(leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [31, 28 + i64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30] {
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
    fn literals_are_shown_on_one_line() {
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
            assert_eq!(Limits::SHORT.code(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn texts_are_told_apart() {
        let cases: [(&[u8], &str); 6] = [
            (b"\xff", "`\\xff`"),
            (br"\xff", r"`\\xff`"),
            (b"", "the empty text"),
            (b"  ", "`\"  \"`"),
            (b" a", "` a`"),
            (&[b' '; 50], "`\"                                       …`"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(Limits::SHORT.text(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn ordinals() {
        let cases =
            [(0, "first"), (9, "tenth"), (10, "11th"), (20, "21st"), (111, "112th"), (u32::MAX, "4294967296th")];
        for (position, expected) in cases {
            assert_eq!(ordinal(position), expected, "{position}");
        }
    }

    #[test]
    fn moments() {
        let cases = [
            (0, None),
            (951_782_400, Some("2000-02-29 00:00:00 UTC")),
            (1_700_000_000, Some("2023-11-14 22:13:20 UTC")),
            (1_735_689_599, Some("2024-12-31 23:59:59 UTC")),
            (i64::MAX, None),
        ];
        for (seconds, expected) in cases {
            assert_eq!(moment(seconds).as_deref(), expected, "{seconds}");
        }
    }
}
