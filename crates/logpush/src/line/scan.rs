//! Going over JSON: every byte is held against the grammar, nothing is kept.

use super::{LineError, MAX_LINE_DEPTH, Text};

/// A place in a JSON text.
pub(super) struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Scanner { text, bytes: text.as_bytes(), at: 0 }
    }

    /// Goes behind the `{` that a line begins with.
    pub(super) fn open_object(&mut self) -> Result<(), LineError> {
        self.blanks();
        match self.peek() {
            Some(b'{') => {
                self.at += 1;
                self.blanks();
                Ok(())
            }
            None => Err(self.error("the line is empty")),
            Some(b'[') => Err(self.error("the line is an array, not an object")),
            Some(_) => Err(self.error("the line is not a JSON object")),
        }
    }

    /// Goes over a byte, if it is the next one.
    pub(super) fn skip_if(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Goes over the name of a member and its colon.
    pub(super) fn name(&mut self) -> Result<Text<'a>, LineError> {
        if !self.skip_if(b'"') {
            return Err(self.expected("the name of a member"));
        }
        let name = self.string()?;
        if !self.skip_if(b':') {
            self.blanks();
            if !self.skip_if(b':') {
                return Err(self.expected("`:`"));
            }
        }
        Ok(name)
    }

    /// Goes behind the comma or the `}` that follows a member, and says whether another one comes.
    pub(super) fn next_member(&mut self) -> Result<bool, LineError> {
        self.blanks();
        if self.skip_if(b',') {
            self.blanks();
            return Ok(true);
        }
        if self.skip_if(b'}') { Ok(false) } else { Err(self.expected("`,` or `}`")) }
    }

    /// Makes sure that nothing follows.
    pub(super) fn end(&mut self) -> Result<(), LineError> {
        self.blanks();
        if self.at == self.bytes.len() { Ok(()) } else { Err(self.error("something stands behind the object")) }
    }

    /// Goes over one value, however deep, and gives where it begins and its text.
    pub(super) fn value(&mut self) -> Result<(usize, &'a str), LineError> {
        self.blanks();
        let start = self.at;
        match self.peek() {
            Some(b'"') => {
                self.at += 1;
                self.string()?;
            }
            Some(b'{' | b'[') => self.nested()?,
            _ => self.scalar()?,
        }
        Ok((start, self.text.get(start..self.at).unwrap_or_default()))
    }

    fn nested(&mut self) -> Result<(), LineError> {
        // What is open, the innermost in the lowest bit: set for an object.
        let (mut open, mut depth) = (0_u128, 0);
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    self.string()?;
                }
                Some(bracket @ (b'{' | b'[')) => {
                    depth += 1;
                    if depth >= MAX_LINE_DEPTH {
                        return Err(self.error(format!("the line is nested deeper than {MAX_LINE_DEPTH} levels")));
                    }
                    let is_object = bracket == b'{';
                    open = open << 1 | u128::from(is_object);
                    self.at += 1;
                    self.blanks();
                    match self.peek() {
                        Some(b'}') if is_object => {}
                        Some(b']') if !is_object => {}
                        _ => {
                            if is_object {
                                self.name()?;
                                self.blanks();
                            }
                            continue;
                        }
                    }
                }
                _ => self.scalar()?,
            }
            // Behind a value, or inside of empty brackets.
            loop {
                self.blanks();
                let is_object = open & 1 == 1;
                match self.peek() {
                    Some(b',') => {
                        self.at += 1;
                        self.blanks();
                        if is_object {
                            self.name()?;
                            self.blanks();
                        }
                        break;
                    }
                    Some(b'}') if is_object => {}
                    Some(b']') if !is_object => {}
                    _ => return Err(self.expected(if is_object { "`,` or `}`" } else { "`,` or `]`" })),
                }
                self.at += 1;
                open >>= 1;
                depth -= 1;
                if depth == 0 {
                    return Ok(());
                }
            }
        }
    }

    fn scalar(&mut self) -> Result<(), LineError> {
        match self.peek() {
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true"),
            Some(b'f') => self.word("false"),
            Some(b'n') => self.word("null"),
            _ => Err(self.expected("a value")),
        }
    }

    fn word(&mut self, word: &str) -> Result<(), LineError> {
        if !self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes())) {
            return Err(self.expected("a value"));
        }
        self.at += word.len();
        Ok(())
    }

    fn number(&mut self) -> Result<(), LineError> {
        self.skip_if(b'-');
        if !self.skip_if(b'0') {
            self.digits()?;
        }
        if self.skip_if(b'.') {
            self.digits()?;
        }
        if self.skip_if(b'e') || self.skip_if(b'E') {
            let _ = self.skip_if(b'+') || self.skip_if(b'-');
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), LineError> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err(self.expected("a digit")) }
    }

    /// Goes over the rest of a string, behind its first quote.
    fn string(&mut self) -> Result<Text<'a>, LineError> {
        let (start, mut escaped) = (self.at, false);
        loop {
            self.at = plain_end(self.bytes, self.at);
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(_) => return Err(self.error("a control character stands in a string")),
                None => return Err(self.expected("`\"`")),
            }
        }
        let raw = self.text.get(start..self.at).unwrap_or_default();
        self.at += 1;
        Ok(Text { raw, escaped })
    }

    fn escape(&mut self) -> Result<(), LineError> {
        let start = self.at;
        let wrong = |message| Err(LineError::new(start, message));
        let letter = self.bytes.get(start + 1).copied();
        self.at += 2;
        match letter {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => return Ok(()),
            Some(b'u') => {}
            Some(_) => return wrong("JSON has no such escape"),
            None => return wrong("the line ends inside of a string"),
        }
        let alone = "half of a surrogate pair is no character";
        match self.code_unit(start)? {
            0xdc00..=0xdfff => wrong(alone),
            0xd800..=0xdbff => {
                if !(self.skip_if(b'\\') && self.skip_if(b'u')) {
                    return wrong(alone);
                }
                if (0xdc00..=0xdfff).contains(&self.code_unit(start)?) { Ok(()) } else { wrong(alone) }
            }
            _ => Ok(()),
        }
    }

    fn code_unit(&mut self, start: usize) -> Result<u32, LineError> {
        let digits = self.text.get(self.at..self.at + 4).filter(|text| text.bytes().all(|b| b.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.at += 4;
        unit.ok_or_else(|| LineError::new(start, "`\\u` is not followed by four hexadecimal digits"))
    }

    #[inline]
    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn expected(&self, what: &str) -> LineError {
        match self.peek() {
            Some(_) => self.error(format!("expected {what}")),
            None => self.error(format!("the line ends where {what} is expected")),
        }
    }

    fn error(&self, message: impl Into<String>) -> LineError {
        LineError::new(self.at.min(self.bytes.len()), message)
    }
}

const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGHS: u64 = u64::from_le_bytes([0x80; 8]);

/// The first place from `start` on of a quote, a backslash or a control character.
#[inline]
fn plain_end(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    let (words, last) = rest.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let found = special(u64::from_le_bytes(*word));
        if found != 0 {
            return start + number * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | ..0x20);
    let before = rest.len() - last.len();
    start + before + last.iter().position(is_special).unwrap_or(last.len())
}

/// The high bit of every byte that is a quote, a backslash or a control character. Above the first of
/// them there may be more bits, as subtraction borrows.
#[inline]
fn special(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let slash = word ^ (ONES * b'\\' as u64);
    let zeros = (quote.wrapping_sub(ONES) & !quote) | (slash.wrapping_sub(ONES) & !slash);
    (zeros | (word.wrapping_sub(ONES * 0x20) & !word)) & HIGHS
}

/// Goes over the elements of an array that was already gone over; their texts.
pub(super) fn array_elements(array: &str) -> impl Iterator<Item = &str> {
    let mut scanner = Scanner::new(array);
    let mut more = scanner.skip_if(b'[');
    scanner.blanks();
    more &= scanner.peek() != Some(b']');
    std::iter::from_fn(move || {
        if !more {
            return None;
        }
        let (_, element) = scanner.value().ok()?;
        scanner.blanks();
        more = scanner.skip_if(b',');
        Some(element)
    })
}
