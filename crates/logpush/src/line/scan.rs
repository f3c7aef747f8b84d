//! Scans JSON: checks every byte against the grammar, and builds no values.
//!
//! Methods return `None` on an error and store it in the scanner, so that the common path carries no message.

use super::{LineError, MAX_LINE_DEPTH, plain::find_special_byte};

/// A scanner with its offset in a JSON text.
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    offset: usize,
    problem: Option<Problem>,
}

/// An error with its offset.
struct Problem {
    offset: usize,
    message: &'static str,
    /// Whether `message` names what is expected at the offset, rather than the error there.
    is_expected: bool,
}

/// The range of a string or a value.
#[derive(Clone, Copy)]
pub(super) struct ByteRange {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The name of a member.
pub(super) struct Name<'a> {
    /// The bytes between the quotes.
    pub(super) raw: &'a [u8],
    pub(super) has_escapes: bool,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Scanner { bytes, offset: 0, problem: None }
    }

    /// Returns the error that stopped the scan.
    #[cold]
    pub(super) fn into_error(self) -> LineError {
        let Some(Problem { offset, message, is_expected }) = self.problem else {
            return LineError::new(self.bytes, self.offset, "the line is not JSON");
        };
        let offset = offset.min(self.bytes.len());
        let message = match (is_expected, offset < self.bytes.len()) {
            (false, _) => message.to_owned(),
            (true, true) => format!("expected {message}"),
            (true, false) => format!("unexpected end of line, expected {message}"),
        };
        LineError::new(self.bytes, offset, message)
    }

    #[inline(always)]
    fn fail<T>(&mut self, offset: usize, message: &'static str) -> Option<T> {
        cold_path();
        self.problem = Some(Problem { offset, message, is_expected: false });
        None
    }

    #[inline(always)]
    fn fail_expected<T>(&mut self, message: &'static str) -> Option<T> {
        cold_path();
        self.problem = Some(Problem { offset: self.offset, message, is_expected: true });
        None
    }

    /// Returns the bytes of a range.
    pub(super) fn bytes(&self, range: ByteRange) -> &'a [u8] {
        self.bytes.get(range.start..range.end).unwrap_or_default()
    }

    /// Advances past the `{` at the start of a line.
    pub(super) fn open_object(&mut self) -> Option<()> {
        self.skip_whitespace();
        match self.peek() {
            Some(b'{') => {
                self.offset += 1;
                self.skip_whitespace();
                Some(())
            }
            None => self.fail(self.offset, "the line is empty"),
            Some(b'[') => self.fail(self.offset, "the line is an array, not an object"),
            Some(_) => self.fail(self.offset, "the line is not a JSON object"),
        }
    }

    /// Advances past `byte` if it is next.
    #[inline(always)]
    pub(super) fn skip_if(&mut self, byte: u8) -> bool {
        if self.peek() == Some(byte) {
            self.offset += 1;
            return true;
        }
        false
    }

    /// Advances past the name of a member and its colon.
    #[inline(always)]
    pub(super) fn scan_name(&mut self) -> Option<Name<'a>> {
        if !self.skip_if(b'"') {
            return self.fail_expected("a member name");
        }
        let start = self.offset;
        let has_escapes = self.scan_string()?;
        let raw = self.bytes(ByteRange { start, end: self.offset - 1 });
        if !self.skip_if(b':') {
            self.skip_whitespace();
            if !self.skip_if(b':') {
                return self.fail_expected("`:`");
            }
        }
        Some(Name { raw, has_escapes })
    }

    /// Advances past the comma or the `}` after a member, and returns whether another member follows.
    #[inline(always)]
    pub(super) fn next_member(&mut self) -> Option<bool> {
        self.skip_whitespace();
        if self.skip_if(b',') {
            self.skip_whitespace();
            return Some(true);
        }
        if self.skip_if(b'}') { Some(false) } else { self.fail_expected("`,` or `}`") }
    }

    /// Checks that nothing follows.
    pub(super) fn expect_end(&mut self) -> Option<()> {
        self.skip_whitespace();
        if self.offset == self.bytes.len() {
            Some(())
        } else {
            self.fail(self.offset, "unexpected text after the object")
        }
    }

    /// Advances past one value.
    #[inline(always)]
    pub(super) fn scan_value(&mut self) -> Option<ByteRange> {
        self.skip_whitespace();
        let start = self.offset;
        match self.peek() {
            Some(b'"') => {
                self.offset += 1;
                self.scan_string()?;
            }
            Some(b'{' | b'[') => {
                // A separate scanner lets the fields of this one stay in registers.
                let mut inner = Scanner { bytes: self.bytes, offset: self.offset, problem: None };
                let result = inner.scan_nested();
                (self.offset, self.problem) = (inner.offset, inner.problem);
                result?;
            }
            _ => self.scan_scalar()?,
        }
        Some(ByteRange { start, end: self.offset })
    }

    fn scan_nested(&mut self) -> Option<()> {
        // The open brackets as bits, the innermost lowest: 1 for an object, 0 for an array.
        let (mut open, mut depth) = (0_u128, 0);
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.offset += 1;
                    self.scan_string()?;
                }
                Some(bracket @ (b'{' | b'[')) => {
                    depth += 1;
                    if depth >= MAX_LINE_DEPTH {
                        return self.fail(self.offset, "the line is nested deeper than 127 levels");
                    }
                    let is_object = bracket == b'{';
                    open = open << 1 | u128::from(is_object);
                    self.offset += 1;
                    self.skip_whitespace();
                    match self.peek() {
                        Some(b'}') if is_object => {}
                        Some(b']') if !is_object => {}
                        _ => {
                            if is_object {
                                self.scan_name()?;
                                self.skip_whitespace();
                            }
                            continue;
                        }
                    }
                }
                _ => self.scan_scalar()?,
            }
            // After a value, or inside empty brackets.
            loop {
                self.skip_whitespace();
                let is_object = open & 1 == 1;
                match self.peek() {
                    Some(b',') => {
                        self.offset += 1;
                        self.skip_whitespace();
                        if is_object {
                            self.scan_name()?;
                            self.skip_whitespace();
                        }
                        break;
                    }
                    Some(b'}') if is_object => {}
                    Some(b']') if !is_object => {}
                    _ => return self.fail_expected(if is_object { "`,` or `}`" } else { "`,` or `]`" }),
                }
                self.offset += 1;
                open >>= 1;
                depth -= 1;
                if depth == 0 {
                    return Some(());
                }
            }
        }
    }

    #[inline(always)]
    fn scan_scalar(&mut self) -> Option<()> {
        match self.peek() {
            Some(b'-' | b'0'..=b'9') => self.scan_number(),
            Some(b't') => self.expect_literal("true"),
            Some(b'f') => self.expect_literal("false"),
            Some(b'n') => self.expect_literal("null"),
            _ => self.fail_expected("a value"),
        }
    }

    #[inline(always)]
    fn expect_literal(&mut self, word: &str) -> Option<()> {
        if !self.bytes.get(self.offset..).is_some_and(|rest| rest.starts_with(word.as_bytes())) {
            return self.fail_expected("a value");
        }
        self.offset += word.len();
        Some(())
    }

    #[inline(always)]
    fn scan_number(&mut self) -> Option<()> {
        self.skip_if(b'-');
        if !self.skip_if(b'0') {
            self.scan_digits()?;
        }
        if self.skip_if(b'.') {
            self.scan_digits()?;
        }
        if self.skip_if(b'e') || self.skip_if(b'E') {
            let _ = self.skip_if(b'+') || self.skip_if(b'-');
            self.scan_digits()?;
        }
        Some(())
    }

    #[inline(always)]
    fn scan_digits(&mut self) -> Option<()> {
        let start = self.offset;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.offset += 1;
        }
        if self.offset > start { Some(()) } else { self.fail_expected("a digit") }
    }

    /// Advances past the rest of a string, after its first quote, and returns whether it has escapes.
    #[inline(always)]
    fn scan_string(&mut self) -> Option<bool> {
        let (start, mut has_escapes, mut is_ascii) = (self.offset, false, true);
        loop {
            let (end, plain_is_ascii) = find_special_byte(self.bytes, self.offset);
            self.offset = end;
            is_ascii &= plain_is_ascii;
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    has_escapes = true;
                    let mut inner = Scanner { bytes: self.bytes, offset: self.offset, problem: None };
                    let result = inner.scan_escape();
                    (self.offset, self.problem) = (inner.offset, inner.problem);
                    result?;
                }
                Some(_) => return self.fail(self.offset, "unescaped control character in a string"),
                None => return self.fail_expected("`\"`"),
            }
        }
        if !is_ascii {
            self.check_utf8(ByteRange { start, end: self.offset })?;
        }
        self.offset += 1;
        Some(has_escapes)
    }

    #[inline(always)]
    fn check_utf8(&mut self, range: ByteRange) -> Option<()> {
        match std::str::from_utf8(self.bytes(range)) {
            Ok(_) => Some(()),
            Err(error) => self.fail(range.start + error.valid_up_to(), "the line is not valid UTF-8"),
        }
    }

    fn scan_escape(&mut self) -> Option<()> {
        let start = self.offset;
        let letter = self.bytes.get(start + 1).copied();
        self.offset += 2;
        match letter {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => return Some(()),
            Some(b'u') => {}
            Some(_) => return self.fail(start, "invalid escape sequence"),
            None => return self.fail(start, "unterminated string"),
        }
        let lone_surrogate = "lone surrogate in a `\\u` escape";
        match self.scan_code_unit(start)? {
            0xdc00..=0xdfff => self.fail(start, lone_surrogate),
            0xd800..=0xdbff => {
                if !(self.skip_if(b'\\') && self.skip_if(b'u')) {
                    return self.fail(start, lone_surrogate);
                }
                match self.scan_code_unit(start)? {
                    0xdc00..=0xdfff => Some(()),
                    _ => self.fail(start, lone_surrogate),
                }
            }
            _ => Some(()),
        }
    }

    fn scan_code_unit(&mut self, start: usize) -> Option<u32> {
        let digits = self.bytes.get(self.offset..self.offset + 4).unwrap_or_default();
        self.offset += 4;
        let values = digits.iter().map_while(|digit| char::from(*digit).to_digit(16));
        let (count, unit) = values.fold((0, 0), |(count, unit), value| (count + 1, unit * 16 + value));
        if count == 4 { Some(unit) } else { self.fail(start, "`\\u` must be followed by four hexadecimal digits") }
    }

    #[inline(always)]
    fn skip_whitespace(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.offset += 1;
        }
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.offset).copied()
    }
}

/// Marks the call site as unlikely for the compiler.
#[cold]
fn cold_path() {}

/// Returns the JSON texts of the elements of an array that was scanned before.
pub(super) fn array_elements(array: &str) -> impl Iterator<Item = &str> {
    let mut scanner = Scanner::new(array.as_bytes());
    let mut has_next = scanner.skip_if(b'[');
    scanner.skip_whitespace();
    has_next &= scanner.peek() != Some(b']');
    std::iter::from_fn(move || {
        if !has_next {
            return None;
        }
        let element = scanner.scan_value()?;
        scanner.skip_whitespace();
        has_next = scanner.skip_if(b',');
        array.get(element.start..element.end)
    })
}
