//! The words of a command line: POSIX shells with `$'…'`, and the Windows command line.

use crate::error::{Error, short};

/// A word without its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// The line that it begins on, from 1.
    pub(super) line: usize,
}

/// The words up to a pipe or another command, and notes on what was left out.
pub(super) fn words(text: &str) -> Result<(Vec<Word>, Vec<String>), Error> {
    // Browsers escape the quotes around a word, and before that those within one.
    let escaped = [" ^\"", "\t^\"", "\n^\"", "^\\^\""].iter().any(|quote| text.contains(quote));
    let windows = escaped || text.lines().rev().skip(1).any(|line| line.trim_end().ends_with('^'));
    let text = if windows { uncaret(text, escaped) } else { text.to_owned() };
    let mut reader = Reader { chars: text.chars().collect(), at: 0, line: 1, windows, notes: Vec::new() };
    let mut words = Vec::new();
    while let Some(word) = reader.word()? {
        words.push(word);
    }
    Ok((words, reader.notes))
}

/// Takes away what protects characters from the Windows command line: `^"` is a quote, `^` before a
/// line break goes on in the next line, and two line breaks behind `^` are one in the text. Without any
/// `^"` the quotes are plain: what stands in them keeps its `^` where no browser puts one.
fn uncaret(text: &str, escaped: bool) -> String {
    let text = text.replace("\r\n", "\n");
    let mut out = String::with_capacity(text.len());
    let mut quoted = false;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        quoted ^= c == '"' && !escaped;
        if c != '^' {
            out.push(c);
            continue;
        }
        // A copy may have left blanks at the end of the line.
        let after = rest.as_str().trim_start_matches([' ', '\t']);
        let next_line = after.strip_prefix('\n').or(after.is_empty().then_some(""));
        if let Some(next) = next_line.filter(|_| !quoted || after.starts_with("\n\n")) {
            out.push(if next.starts_with('\n') { '\n' } else { ' ' });
            rest = next.strip_prefix('\n').unwrap_or(next).chars();
        } else if quoted && !is_protected(out.chars().next_back(), rest.clone().next()) {
            out.push('^');
        } else {
            out.extend(rest.next());
        }
    }
    out
}

/// Whether browsers put `^` between the two in plain quotes: before what is neither a letter, a digit, a
/// blank nor harmless, and behind `%`.
fn is_protected(before: Option<char>, after: Option<char>) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c.is_whitespace() || "_-:=+~'/.,?;()*`".contains(c);
    before == Some('%') || after.is_some_and(|c| !plain(c))
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    line: usize,
    windows: bool,
    notes: Vec<String>,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        self.line += usize::from(c == '\n');
        Some(c)
    }

    /// The next word; `None` at the end of the command.
    fn word(&mut self) -> Result<Option<Word>, Error> {
        loop {
            match self.peek() {
                None => return Ok(None),
                // Windows ends its lines with `^`, which are blanks by now; a shell with `\`.
                Some('\\') if !self.windows && self.continues() => {}
                Some('\n') if self.only_blanks_left() => return Ok(None),
                Some('\n') if !self.windows => return Ok(self.ends_at("the lines behind the command")),
                Some(c) if c.is_whitespace() => {
                    self.next();
                }
                Some('|' | ';' | '&' | '<' | '>') if !self.windows => {
                    return Ok(self.ends_at("what follows the command"));
                }
                Some(_) => break,
            }
        }
        let (line, start) = (self.line, self.at);
        let mut text = String::new();
        let mut quoted = false;
        while let Some(c) = self.peek() {
            match c {
                c if c.is_whitespace() => break,
                '|' | ';' | '<' | '>' if !self.windows => break,
                '&' if !self.windows => {
                    self.notes.push(format!("`{}` ends at an `&` that is not quoted, as in a shell", short(&text)));
                    break;
                }
                '"' => {
                    quoted = true;
                    self.next();
                    self.double(&mut text, line)?;
                }
                '\'' if !self.windows => {
                    quoted = true;
                    self.next();
                    self.single(&mut text, line)?;
                }
                '$' if !self.windows && self.chars.get(self.at + 1) == Some(&'\'') => {
                    quoted = true;
                    self.at += 2;
                    self.ansi(&mut text, line)?;
                }
                '$' if !self.windows => self.variable(&mut text),
                '\\' if !self.windows => {
                    if !self.continues() {
                        self.next();
                        text.extend(self.next());
                    }
                }
                c => {
                    self.next();
                    text.push(c);
                }
            }
        }
        // A lone operator, such as `&` with nothing before it, ends the command in the loop above.
        debug_assert!(self.at > start);
        // `2>` is one operator.
        let descriptor = !quoted && matches!(self.peek(), Some('<' | '>')) && text.bytes().all(|b| b.is_ascii_digit());
        if descriptor {
            self.at = start;
            return Ok(self.ends_at("what follows the command"));
        }
        Ok(Some(Word { text, line }))
    }

    /// A backslash at the end of a line: the line goes on. Blanks behind it, left by a copy, do not
    /// count.
    fn continues(&mut self) -> bool {
        let blanks = self.chars.iter().skip(self.at + 1).take_while(|c| matches!(c, ' ' | '\t' | '\r')).count();
        let after = self.at + 1 + blanks;
        let ends = self.chars.get(after) == Some(&'\n');
        if ends {
            self.at = after + 1;
            self.line += 1;
        }
        ends
    }

    fn only_blanks_left(&self) -> bool {
        self.chars.iter().skip(self.at).all(|c| c.is_whitespace())
    }

    fn ends_at(&mut self, what: &str) -> Option<Word> {
        let rest: String = self.chars.iter().skip(self.at).take(80).collect();
        self.notes.push(format!("{what} was left out: `{}`", short(rest.trim())));
        self.at = self.chars.len();
        None
    }

    fn single(&mut self, text: &mut String, line: usize) -> Result<(), Error> {
        loop {
            match self.next() {
                None => return Err(unclosed('\'', line)),
                Some('\'') => return Ok(()),
                Some(c) => text.push(c),
            }
        }
    }

    fn double(&mut self, text: &mut String, line: usize) -> Result<(), Error> {
        loop {
            match self.next() {
                None => return Err(unclosed('"', line)),
                // Windows reads two quotes within quotes as one that is meant.
                Some('"') if self.windows && self.peek() == Some('"') => text.extend(self.next()),
                Some('"') => return Ok(()),
                Some('\\') => match self.peek() {
                    Some('\n') if !self.windows => {
                        self.next();
                    }
                    Some('"' | '\\') => text.extend(self.next()),
                    Some('$' | '`' | '!') if !self.windows => text.extend(self.next()),
                    _ => text.push('\\'),
                },
                Some('$') if !self.windows => {
                    self.at -= 1;
                    self.variable(text);
                }
                Some(c) => text.push(c),
            }
        }
    }

    /// A variable stays as it is written.
    fn variable(&mut self, text: &mut String) {
        text.extend(self.next());
        let named = self.peek().is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '{' | '('));
        if named {
            let name: String = self
                .chars
                .iter()
                .skip(self.at)
                .take(40)
                .take_while(|c| !c.is_whitespace() && !matches!(c, '"' | '\''))
                .collect();
            self.notes.push(format!("the value of `${}` is not known: it is kept as text", short(&name)));
        }
    }

    /// `$'…'`, with the escapes of C.
    fn ansi(&mut self, text: &mut String, line: usize) -> Result<(), Error> {
        let mut bytes = Vec::new();
        loop {
            match self.next() {
                None => return Err(unclosed('\'', line)),
                Some('\'') => break,
                Some('\\') => self.escape(&mut bytes),
                Some(c) => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
            }
        }
        match String::from_utf8(bytes) {
            Ok(read) => text.push_str(&read),
            Err(error) => {
                self.notes.push("bytes that are not UTF-8 became replacement characters".to_owned());
                text.push_str(&String::from_utf8_lossy(error.as_bytes()));
            }
        }
        Ok(())
    }

    fn escape(&mut self, bytes: &mut Vec<u8>) {
        let Some(c) = self.next() else { return };
        let plain = match c {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'a' => '\u{7}',
            'b' => '\u{8}',
            'e' | 'E' => '\u{1b}',
            'f' => '\u{c}',
            'v' => '\u{b}',
            'u' => return self.character(4, bytes),
            'U' => return self.character(8, bytes),
            'x' => {
                bytes.extend(self.digits(16, 2).and_then(|value| u8::try_from(value).ok()));
                return;
            }
            '0'..='7' => {
                self.at -= 1;
                bytes.extend(self.digits(8, 3).and_then(|value| u8::try_from(value & 0xff).ok()));
                return;
            }
            other => other,
        };
        bytes.extend(plain.encode_utf8(&mut [0; 4]).bytes());
    }

    fn character(&mut self, most: usize, bytes: &mut Vec<u8>) {
        let Some(mut value) = self.digits(16, most) else { return };
        // Browsers write a character outside the first plane as its two UTF-16 halves.
        let low = self.chars.get(self.at..self.at + 2) == Some(&['\\', 'u']);
        if (0xd800..0xdc00).contains(&value) && low {
            let before = self.at;
            self.at += 2;
            match self.digits(16, 4) {
                Some(half) if (0xdc00..0xe000).contains(&half) => {
                    value = 0x10000 + ((value - 0xd800) << 10) + (half - 0xdc00);
                }
                _ => self.at = before,
            }
        }
        let c = char::from_u32(value).unwrap_or('\u{fffd}');
        bytes.extend(c.encode_utf8(&mut [0; 4]).bytes());
    }

    fn digits(&mut self, radix: u32, most: usize) -> Option<u32> {
        let mut value = None;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(radix)) else { break };
            self.next();
            value = Some(value.unwrap_or(0u32).wrapping_mul(radix).wrapping_add(digit));
        }
        value
    }
}

fn unclosed(quote: char, line: usize) -> Error {
    Error::new(format!("a quote {quote} is opened and not closed")).on_line(line)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]
    use super::*;

    fn read(text: &str) -> Vec<String> {
        words(text).unwrap().0.into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn words_are_read_as_shells_read_them() {
        let cases: &[(&str, &[&str])] = &[
            ("a  b\tc", &["a", "b", "c"]),
            ("a 'b \"c\\' \"d 'e\" ''", &["a", "b \"c\\", "d 'e", ""]),
            ("a'b'\"c\"d", &["abcd"]),
            (r#""a\"b\\c\$d\x""#, &["a\"b\\c$d\\x"]),
            (r"a\ b\'c", &["a b'c"]),
            ("a \\\n  b \\  \r\n c\n", &["a", "b", "c"]),
            (r"$'a\'b\n\u00e9\x41\101\u0021\ud83e\udd80'", &["a'b\né\u{41}A!🦀"]),
            (r"$'\xc3\xa9'", &["é"]),
            ("a | b", &["a"]),
            ("a; b", &["a"]),
            ("a>b", &["a"]),
            ("a 2>&1", &["a"]),
            ("a&b", &["a"]),
            ("a\n\n", &["a"]),
            ("a \"$B\" $C", &["a", "$B", "$C"]),
            ("x ^\"a^\" ^\n  ^\"b ^\\^\"c^\\^\" ^% ^^ d^\"", &["x", "a", "b \"c\" % ^ d"]),
            ("x ^\"a^\n\nb^\" \\c", &["x", "a\nb", "\\c"]),
            ("a \"b\" ^\r\n -c \"d: */*\" ^ \n  e^", &["a", "b", "-c", "d: */*", "e"]),
            ("a ^\n \"b^&c=^%^20d^^e\" \"x^y\" \"\"", &["a", "b&c=%20d^e", "x^y", ""]),
            ("a ^\n \"{\"\"b\"\":1}\" 'c' d^&e", &["a", "{\"b\":1}", "'c'", "d&e"]),
            ("a ^\n \"b: ^\\^\"c^\\^\"; d\"", &["a", "b: \"c\"; d"]),
            ("a \"x^\" b", &["a", "x^", "b"]),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), *expected, "{text}");
        }
    }

    #[test]
    fn what_is_left_out_is_said() {
        assert_eq!(words("a | jq .").unwrap().1, ["what follows the command was left out: `| jq .`"]);
        assert_eq!(words("a \"$TOKEN\"").unwrap().1, ["the value of `$TOKEN` is not known: it is kept as text"]);
        assert_eq!(words("a 'b").unwrap_err().to_string(), "line 1: a quote ' is opened and not closed");
        assert_eq!(words("a \\\n \"b").unwrap_err().to_string(), "line 2: a quote \" is opened and not closed");
    }
}
