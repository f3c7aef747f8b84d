//! Splits a command line into words, by the rules of POSIX shells with `$'…'` or of the Windows command line.
//!
//! [`split_words`] does not expand variables: they stay as they are written, and a note reports them.

use crate::error::{Error, shorten};

/// A word without its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// The line on which it begins, from 1.
    pub(super) line: usize,
}

/// Splits the words up to a pipe or another command. Returns them with notes about ignored parts.
pub(super) fn split_words(text: &str) -> Result<(Vec<Word>, Vec<String>), Error> {
    // Browsers escape the quotes around a word with `^"`, and the quotes inside with `^\^"`.
    let has_escaped_quotes = [" ^\"", "\t^\"", "\n^\"", "^\\^\""].iter().any(|quote| text.contains(quote));
    let is_windows = has_escaped_quotes || text.lines().rev().skip(1).any(|line| line.trim_end().ends_with('^'));
    let text = if is_windows { unescape_carets(text, has_escaped_quotes) } else { text.to_owned() };
    let mut lexer = ShellLexer { chars: text.chars().collect(), position: 0, line: 1, is_windows, notes: Vec::new() };
    let mut words = Vec::new();
    while let Some(word) = lexer.next_word()? {
        words.push(word);
    }
    Ok((words, lexer.notes))
}

/// Removes the `^` escapes of the Windows command line.
///
/// `^"` is a quote, `^` before a line break continues the line, and `^` before two line breaks produces one line
/// break. If the text has no `^"`, quotes are plain: inside them, only the `^` that browsers write are removed.
fn unescape_carets(text: &str, has_escaped_quotes: bool) -> String {
    let text = text.replace("\r\n", "\n");
    let mut out = String::with_capacity(text.len());
    let mut is_quoted = false;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        is_quoted ^= c == '"' && !has_escaped_quotes;
        if c != '^' {
            out.push(c);
            continue;
        }
        // Copied text may have spaces at the end of the line.
        let after = rest.as_str().trim_start_matches([' ', '\t']);
        let next_line = after.strip_prefix('\n').or(after.is_empty().then_some(""));
        if let Some(next) = next_line.filter(|_| !is_quoted || after.starts_with("\n\n")) {
            out.push(if next.starts_with('\n') { '\n' } else { ' ' });
            rest = next.strip_prefix('\n').unwrap_or(next).chars();
        } else if is_quoted && !is_caret_escaped(out.chars().next_back(), rest.clone().next()) {
            out.push('^');
        } else {
            out.extend(rest.next());
        }
    }
    out
}

/// Returns whether browsers write `^` between the two characters in plain quotes: after `%`, and before special
/// characters.
fn is_caret_escaped(before: Option<char>, after: Option<char>) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c.is_whitespace() || "_-:=+~'/.,?;()*`".contains(c);
    before == Some('%') || after.is_some_and(|c| !is_plain(c))
}

struct ShellLexer {
    chars: Vec<char>,
    position: usize,
    line: usize,
    is_windows: bool,
    notes: Vec<String>,
}

impl ShellLexer {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.position).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.position += 1;
        self.line += usize::from(c == '\n');
        Some(c)
    }

    /// Reads the next word. Returns `None` at the end of the command.
    fn next_word(&mut self) -> Result<Option<Word>, Error> {
        loop {
            match self.peek() {
                None => return Ok(None),
                // A shell continues a line with `\`. The `^` of Windows was replaced by a space.
                Some('\\') if !self.is_windows && self.skip_line_continuation() => {}
                Some('\n') if self.has_only_whitespace_left() => return Ok(None),
                Some('\n') if !self.is_windows => return Ok(self.end_command("the lines after the command were")),
                Some(c) if c.is_whitespace() => {
                    self.next();
                }
                Some('|' | ';' | '&' | '<' | '>') if !self.is_windows => {
                    return Ok(self.end_command("the text after the command was"));
                }
                Some(_) => break,
            }
        }
        let (line, start) = (self.line, self.position);
        let mut text = String::new();
        let mut is_quoted = false;
        while let Some(c) = self.peek() {
            match c {
                c if c.is_whitespace() => break,
                '|' | ';' | '<' | '>' if !self.is_windows => break,
                '&' if !self.is_windows => {
                    self.notes.push(format!("`{}` ends at an unquoted `&`", shorten(&text)));
                    break;
                }
                '"' => {
                    is_quoted = true;
                    self.next();
                    self.read_double_quoted(&mut text, line)?;
                }
                '\'' if !self.is_windows => {
                    is_quoted = true;
                    self.next();
                    self.read_single_quoted(&mut text, line)?;
                }
                '$' if !self.is_windows && self.chars.get(self.position + 1) == Some(&'\'') => {
                    is_quoted = true;
                    self.position += 2;
                    self.read_ansi_c_quoted(&mut text, line)?;
                }
                '$' if !self.is_windows => self.read_variable(&mut text),
                '\\' if !self.is_windows => {
                    if !self.skip_line_continuation() {
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
        // The first loop ends the command at an operator such as a lone `&`, so this word is not empty.
        debug_assert!(self.position > start);
        // `2>` is one operator, so the digits before `>` are not a word.
        let is_descriptor =
            !is_quoted && matches!(self.peek(), Some('<' | '>')) && text.bytes().all(|b| b.is_ascii_digit());
        if is_descriptor {
            self.position = start;
            return Ok(self.end_command("the text after the command was"));
        }
        Ok(Some(Word { text, line }))
    }

    /// Skips a backslash at the end of a line, with the spaces that copied text may have after it.
    fn skip_line_continuation(&mut self) -> bool {
        let spaces = self.chars.iter().skip(self.position + 1).take_while(|c| matches!(c, ' ' | '\t' | '\r')).count();
        let after = self.position + 1 + spaces;
        let ends_line = self.chars.get(after) == Some(&'\n');
        if ends_line {
            self.position = after + 1;
            self.line += 1;
        }
        ends_line
    }

    fn has_only_whitespace_left(&self) -> bool {
        self.chars.iter().skip(self.position).all(|c| c.is_whitespace())
    }

    /// Ends the command and adds a note about the rest. `subject` is the beginning of that note.
    fn end_command(&mut self, subject: &str) -> Option<Word> {
        let rest: String = self.chars.iter().skip(self.position).take(80).collect();
        self.notes.push(format!("{subject} ignored: `{}`", shorten(rest.trim())));
        self.position = self.chars.len();
        None
    }

    fn read_single_quoted(&mut self, text: &mut String, line: usize) -> Result<(), Error> {
        loop {
            match self.next() {
                None => return Err(unclosed_quote_error('\'', line)),
                Some('\'') => return Ok(()),
                Some(c) => text.push(c),
            }
        }
    }

    fn read_double_quoted(&mut self, text: &mut String, line: usize) -> Result<(), Error> {
        loop {
            match self.next() {
                None => return Err(unclosed_quote_error('"', line)),
                // On Windows, two quotes inside quotes are one literal quote.
                Some('"') if self.is_windows && self.peek() == Some('"') => text.extend(self.next()),
                Some('"') => return Ok(()),
                Some('\\') => match self.peek() {
                    Some('\n') if !self.is_windows => {
                        self.next();
                    }
                    Some('"' | '\\') => text.extend(self.next()),
                    Some('$' | '`' | '!') if !self.is_windows => text.extend(self.next()),
                    _ => text.push('\\'),
                },
                Some('$') if !self.is_windows => {
                    self.position -= 1;
                    self.read_variable(text);
                }
                Some(c) => text.push(c),
            }
        }
    }

    /// Reads `$`. A variable stays as it is written, and a note reports it.
    fn read_variable(&mut self, text: &mut String) {
        text.extend(self.next());
        let is_variable = self.peek().is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '{' | '('));
        if is_variable {
            let name: String = self
                .chars
                .iter()
                .skip(self.position)
                .take(40)
                .take_while(|c| !c.is_whitespace() && !matches!(c, '"' | '\''))
                .collect();
            self.notes.push(format!("`${}` was not expanded, because its value is unknown", shorten(&name)));
        }
    }

    /// Reads `$'…'`, which has the escapes of C.
    fn read_ansi_c_quoted(&mut self, text: &mut String, line: usize) -> Result<(), Error> {
        let mut bytes = Vec::new();
        loop {
            match self.next() {
                None => return Err(unclosed_quote_error('\'', line)),
                Some('\'') => break,
                Some('\\') => self.read_escape(&mut bytes),
                Some(c) => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
            }
        }
        match String::from_utf8(bytes) {
            Ok(decoded) => text.push_str(&decoded),
            Err(error) => {
                self.notes.push("bytes that are not UTF-8 were replaced with U+FFFD".to_owned());
                text.push_str(&String::from_utf8_lossy(error.as_bytes()));
            }
        }
        Ok(())
    }

    fn read_escape(&mut self, bytes: &mut Vec<u8>) {
        let Some(c) = self.next() else { return };
        let character = match c {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'a' => '\u{7}',
            'b' => '\u{8}',
            'e' | 'E' => '\u{1b}',
            'f' => '\u{c}',
            'v' => '\u{b}',
            'u' => return self.read_code_point(4, bytes),
            'U' => return self.read_code_point(8, bytes),
            'x' => {
                bytes.extend(self.read_digits(16, 2).and_then(|value| u8::try_from(value).ok()));
                return;
            }
            '0'..='7' => {
                self.position -= 1;
                bytes.extend(self.read_digits(8, 3).and_then(|value| u8::try_from(value & 0xff).ok()));
                return;
            }
            other => other,
        };
        bytes.extend(character.encode_utf8(&mut [0; 4]).bytes());
    }

    fn read_code_point(&mut self, max_digits: usize, bytes: &mut Vec<u8>) {
        let Some(mut value) = self.read_digits(16, max_digits) else { return };
        // Browsers write a character outside the basic multilingual plane as a surrogate pair.
        let has_low_surrogate = self.chars.get(self.position..self.position + 2) == Some(&['\\', 'u']);
        if (0xd800..0xdc00).contains(&value) && has_low_surrogate {
            let escape_start = self.position;
            self.position += 2;
            match self.read_digits(16, 4) {
                Some(low) if (0xdc00..0xe000).contains(&low) => {
                    value = 0x10000 + ((value - 0xd800) << 10) + (low - 0xdc00);
                }
                _ => self.position = escape_start,
            }
        }
        let c = char::from_u32(value).unwrap_or('\u{fffd}');
        bytes.extend(c.encode_utf8(&mut [0; 4]).bytes());
    }

    fn read_digits(&mut self, radix: u32, max_digits: usize) -> Option<u32> {
        let mut value = None;
        for _ in 0..max_digits {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(radix)) else { break };
            self.next();
            value = Some(value.unwrap_or(0u32).wrapping_mul(radix).wrapping_add(digit));
        }
        value
    }
}

fn unclosed_quote_error(quote: char, line: usize) -> Error {
    Error::new(format!("unclosed quote `{quote}`")).at_line(line)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]
    use super::*;

    fn word_texts(text: &str) -> Vec<String> {
        split_words(text).unwrap().0.into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn split_words_follows_the_rules_of_the_shell() {
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
            assert_eq!(word_texts(text), *expected, "{text}");
        }
    }

    #[test]
    fn ignored_parts_are_noted_and_unclosed_quotes_rejected() {
        assert_eq!(split_words("a | jq .").unwrap().1, ["the text after the command was ignored: `| jq .`"]);
        assert_eq!(split_words("a\nb").unwrap().1, ["the lines after the command were ignored: `b`"]);
        assert_eq!(split_words("a \"$TOKEN\"").unwrap().1, ["`$TOKEN` was not expanded, because its value is unknown"]);
        assert_eq!(split_words("a 'b").unwrap_err().to_string(), "line 1: unclosed quote `'`");
        assert_eq!(split_words("a \\\n \"b").unwrap_err().to_string(), "line 2: unclosed quote `\"`");
    }
}
