//! The members of a log line, found without reading their values.

use crate::line::LineError;
use std::borrow::Cow;

/// Deepest nesting of a line.
const MAX_DEPTH: usize = 128;

/// Calls `found` with every member of a line, in its order: the name, and the JSON text of the value.
pub(crate) fn members<'a>(line: &'a [u8], mut found: impl FnMut(&str, &'a str)) -> Result<(), LineError> {
    let text =
        std::str::from_utf8(line).map_err(|error| LineError::new(error.valid_up_to(), "the line is not UTF-8"))?;
    let mut scanner = Scanner { text, at: 0 };
    scanner.skip_blank();
    if scanner.peek() != Some(b'{') {
        return scanner.fail("the line is no JSON object");
    }
    scanner.list(b'}', |scanner| {
        let name = scanner.name()?;
        let value = scanner.value(1)?;
        found(&name, value);
        Ok(())
    })?;
    scanner.skip_blank();
    if scanner.peek().is_some() { scanner.fail("something follows the object") } else { Ok(()) }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fail<T>(&self, message: &str) -> Result<T, LineError> {
        Err(LineError::new(self.at, message))
    }

    fn skip_while(&mut self, is_part: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&is_part) {
            self.at += 1;
        }
    }

    fn skip_blank(&mut self) {
        self.skip_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    }

    /// Goes past a `{` or `[`, its items and their commas, and the closing one.
    fn list(&mut self, close: u8, mut item: impl FnMut(&mut Self) -> Result<(), LineError>) -> Result<(), LineError> {
        self.at += 1;
        self.skip_blank();
        if self.peek() == Some(close) {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.skip_blank();
            item(self)?;
            self.skip_blank();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(byte) if byte == close => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return self.fail("a comma or the end of a list is missing"),
            }
        }
    }

    /// The name of a member, with the colon and the blanks behind it.
    fn name(&mut self) -> Result<Cow<'a, str>, LineError> {
        if self.peek() != Some(b'"') {
            return self.fail("a name in quotes is missing");
        }
        let raw = self.string()?;
        self.skip_blank();
        if self.peek() != Some(b':') {
            return self.fail("a colon is missing");
        }
        self.at += 1;
        self.skip_blank();
        Ok(unquoted(raw))
    }

    /// The JSON text of the value here.
    fn value(&mut self, depth: usize) -> Result<&'a str, LineError> {
        if depth > MAX_DEPTH {
            return self.fail("nested too deep");
        }
        let start = self.at;
        match self.peek() {
            Some(b'"') => return self.string(),
            Some(b'{') => self.list(b'}', |scanner| {
                scanner.name()?;
                scanner.value(depth + 1).map(drop)
            })?,
            Some(b'[') => self.list(b']', |scanner| scanner.value(depth + 1).map(drop))?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        }
        Ok(self.since(start))
    }

    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// A string with its quotes.
    fn string(&mut self) -> Result<&'a str, LineError> {
        let start = self.at;
        self.at += 1;
        loop {
            self.skip_while(|byte| byte >= b' ' && byte != b'"' && byte != b'\\');
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(self.since(start));
                }
                Some(b'\\') => self.escape()?,
                Some(_) => return self.fail("a control character in a string is not escaped"),
                None => return self.fail("a string is not closed"),
            }
        }
    }

    fn escape(&mut self) -> Result<(), LineError> {
        let rest = self.text.as_bytes().get(self.at + 1..).unwrap_or_default();
        match rest {
            [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => self.at += 2,
            [b'u', digits @ ..] if digits.len() >= 4 && digits.iter().take(4).all(u8::is_ascii_hexdigit) => {
                self.at += 6;
            }
            _ => return self.fail("there is no such escape"),
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), LineError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let whole = self.digits()?;
        if whole.len() > 1 && whole.starts_with('0') {
            self.at = start;
            return self.fail("a number begins with 0");
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<&'a str, LineError> {
        let start = self.at;
        self.skip_while(|byte| byte.is_ascii_digit());
        if start == self.at { self.fail("a digit is missing") } else { Ok(self.since(start)) }
    }

    fn word(&mut self) -> Result<(), LineError> {
        let start = self.at;
        self.skip_while(|byte| byte.is_ascii_alphabetic());
        if matches!(self.since(start), "true" | "false" | "null") {
            return Ok(());
        }
        self.at = start;
        self.fail("a value is missing")
    }
}

/// What a JSON string with its quotes says. Half of a surrogate pair is U+FFFD.
pub(super) fn unquoted(raw: &str) -> Cow<'_, str> {
    let inner = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    if let Ok(text) = serde_json::from_str::<String>(raw) {
        return Cow::Owned(text);
    }
    Cow::Owned(lossy(inner))
}

/// The same where JSON has halves of pairs, which no text can hold.
fn lossy(inner: &str) -> String {
    let mut text = String::with_capacity(inner.len());
    let mut units: Vec<u16> = Vec::new();
    let mut rest = inner;
    while !rest.is_empty() {
        let unit = rest.strip_prefix("\\u").and_then(|after| after.get(..4));
        if let Some(unit) = unit.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
            units.push(unit);
            rest = rest.get(6..).unwrap_or_default();
            continue;
        }
        text.push_str(&String::from_utf16_lossy(&units));
        units.clear();
        let length = if rest.starts_with('\\') { 2 } else { rest.chars().next().map_or(1, char::len_utf8) };
        let (here, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let plain = serde_json::from_str::<String>(&format!("\"{here}\"")).ok();
        text.push_str(plain.as_deref().unwrap_or(here));
        rest = after;
    }
    text.push_str(&String::from_utf16_lossy(&units));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_as_they_were_written() {
        let line = br#" { "a" : 1.0e5 , "b\u0041":"x\"y", "c":{"d":[1,{"e":null}]},"f":[],"g":{}, "h":true } "#;
        let mut all = Vec::new();
        members(line, |name, value| all.push(format!("{name}={value}"))).unwrap();
        assert_eq!(all, ["a=1.0e5", r#"bA="x\"y""#, r#"c={"d":[1,{"e":null}]}"#, "f=[]", "g={}", "h=true"]);
    }

    #[test]
    fn what_is_no_json_is_an_error_at_its_place() {
        for (line, message) in [
            ("", "the line is no JSON object at byte 0"),
            ("[1]", "the line is no JSON object at byte 0"),
            ("{", "a name in quotes is missing at byte 1"),
            (r#"{"a"}"#, "a colon is missing at byte 4"),
            (r#"{"a":}"#, "a value is missing at byte 5"),
            (r#"{"a":nul}"#, "a value is missing at byte 5"),
            (r#"{"a":1,}"#, "a name in quotes is missing at byte 7"),
            (r#"{"a":1 "b":2}"#, "a comma or the end of a list is missing at byte 7"),
            (r#"{"a":01}"#, "a number begins with 0 at byte 5"),
            (r#"{"a":-}"#, "a digit is missing at byte 6"),
            (r#"{"a":1.}"#, "a digit is missing at byte 7"),
            (r#"{"a":1e+}"#, "a digit is missing at byte 8"),
            (r#"{"a":"x}"#, "a string is not closed at byte 8"),
            ("{\"a\":\"\t\"}", "a control character in a string is not escaped at byte 6"),
            (r#"{"a":"\x"}"#, "there is no such escape at byte 6"),
            (r#"{"a":"\u00g0"}"#, "there is no such escape at byte 6"),
            (r#"{} {}"#, "something follows the object at byte 3"),
        ] {
            assert_eq!(members(line.as_bytes(), |_, _| {}).unwrap_err().to_string(), message, "{line}");
        }
        assert_eq!(members(b"{\"\xff", |_, _| {}).unwrap_err().offset, 2);
        let deep = format!("{{\"a\":{}", "[".repeat(100_000));
        assert_eq!(members(deep.as_bytes(), |_, _| {}).unwrap_err().message, "nested too deep");
    }

    #[test]
    fn halves_of_pairs_are_replaced() {
        for (raw, text) in [
            (r#""\ud83d\ude00""#, "😀"),
            (r#""\ud83d""#, "\u{fffd}"),
            (r#""a\n\ud83d\té\ud83d\ude00""#, "a\n\u{fffd}\té😀"),
        ] {
            assert_eq!(unquoted(raw), text);
        }
    }
}
