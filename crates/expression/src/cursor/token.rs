//! An error-tolerant tokenizer for incomplete expressions.
//!
//! The grammar needs the complete source. This tokenizer reads one [`Token`] at a time from left to right, so that an
//! unfinished source has tokens too.

use zonewright_diagnostic::Span;

/// A token of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name, a word operator, a number or an IP address.
    Word,
    /// `$name`.
    List,
    /// A string, with the span of its content and whether it is closed.
    Text { content: Span, closed: bool },
    /// A symbol, or a character that begins no other token.
    Symbol,
}

impl Token {
    /// Returns whether a cursor at `offset` is inside the token, or at the end of a word or unclosed string, which may
    /// continue.
    pub(crate) fn is_at(self, offset: usize) -> bool {
        let is_inside = self.span.start < offset && offset < self.span.end;
        let is_at_end = offset == self.span.end;
        match self.kind {
            TokenKind::Word | TokenKind::List => is_inside || is_at_end,
            TokenKind::Text { content, closed } => {
                self.span.start < offset && content.start <= offset && (offset < self.span.end || !closed)
            }
            TokenKind::Symbol => is_inside,
        }
    }
}

/// The symbols of more than one character, longest first.
const SYMBOLS: [&str; 14] = ["===", "!==", "==", "!=", "<=", ">=", "&&", "||", "^^", "=~", "!~", "~=", "<>", "=>"];

/// Returns the next token at or after `from`. If `is_pattern` is set, a string is read as a pattern.
pub(crate) fn next_token(source: &str, from: usize, is_pattern: bool) -> Option<Token> {
    let remaining = source.get(from..)?;
    let text = remaining.trim_start_matches(|c: char| c.is_whitespace() || c.is_control());
    let start = source.len() - text.len();
    let first = text.chars().next()?;
    let raw_prefix = raw_prefix_len(text);
    let (kind, length) = match first {
        '"' => scan_quoted(text, start, is_pattern),
        '\'' | '`' => scan_foreign_quoted(text, start, first),
        '$' => (TokenKind::List, 1 + word_len(text.get(1..).unwrap_or_default())),
        _ if raw_prefix.is_some() => scan_raw(text, start, raw_prefix.unwrap_or_default()),
        _ if is_word_char(first) => (TokenKind::Word, scan_word(text)),
        _ => {
            let symbol = SYMBOLS.iter().find(|symbol| text.starts_with(**symbol));
            (TokenKind::Symbol, symbol.map_or(first.len_utf8(), |symbol| symbol.len()))
        }
    };
    Some(Token { kind, span: Span::new(start, start + length) })
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | ':' | '/' | '*' | '%' | '+')
}

fn word_len(text: &str) -> usize {
    text.find(|c| !is_word_char(c)).unwrap_or(text.len())
}

/// Returns the length of a word. `strict wildcard` is one word, even if it is incomplete.
fn scan_word(text: &str) -> usize {
    let length = word_len(text);
    if text.get(..length) != Some("strict") {
        return length;
    }
    let suffix = text.get(length..).unwrap_or_default();
    let spaces = suffix.len() - suffix.trim_start_matches(' ').len();
    let second = suffix.get(spaces..).unwrap_or_default();
    let second = second.get(..word_len(second)).unwrap_or_default();
    let is_begun = !second.is_empty() || (suffix.len() == spaces && spaces > 0);
    if is_begun && "wildcard".starts_with(second) { length + spaces + second.len() } else { length }
}

/// Reads a string between double quotes. In a pattern, a quote inside a character class does not end the string.
fn scan_quoted(text: &str, start: usize, is_pattern: bool) -> (TokenKind, usize) {
    let mut is_escaped = false;
    let mut is_in_class = false;
    let end = text.bytes().enumerate().skip(1).find_map(|(index, byte)| {
        if is_escaped {
            is_escaped = false;
            return None;
        }
        match byte {
            b'\\' => is_escaped = true,
            b'[' if is_pattern => is_in_class = true,
            b']' => is_in_class = false,
            b'"' if !is_in_class => return Some(index),
            _ => {}
        }
        None
    });
    build_text_token(end, text, start, 1, 1)
}

/// Reads a string in quotes of another language, closed on the same line. Otherwise the quote is a symbol.
fn scan_foreign_quoted(text: &str, start: usize, quote: char) -> (TokenKind, usize) {
    match text.get(1..).and_then(|rest| rest.find([quote, '\n'])) {
        Some(end) if text.get(1 + end..).is_some_and(|rest| rest.starts_with(quote)) => {
            build_text_token(Some(1 + end), text, start, 1, 1)
        }
        _ => (TokenKind::Symbol, 1),
    }
}

/// Returns the length of the opening `r#"` of a raw string, with its hashes.
fn raw_prefix_len(text: &str) -> Option<usize> {
    let suffix = text.strip_prefix(['r', 'R'])?;
    let hashes = suffix.len() - suffix.trim_start_matches('#').len();
    suffix.get(hashes..)?.starts_with('"').then_some(hashes + 2)
}

fn scan_raw(text: &str, start: usize, head: usize) -> (TokenKind, usize) {
    let closing = format!("\"{}", "#".repeat(head - 2));
    let end = text.get(head..).and_then(|rest| rest.find(&closing)).map(|index| head + index);
    build_text_token(end, text, start, head, closing.len())
}

fn build_text_token(end: Option<usize>, text: &str, start: usize, head: usize, tail: usize) -> (TokenKind, usize) {
    let content = Span::new(start + head, start + end.unwrap_or(text.len()));
    (TokenKind::Text { content, closed: end.is_some() }, end.map_or(text.len(), |end| end + tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token_texts(source: &str) -> Vec<&str> {
        let mut texts = Vec::new();
        let mut index = 0;
        while let Some(token) = next_token(source, index, texts.last() == Some(&"matches")) {
            texts.push(token.span.text(source));
            index = token.span.end;
        }
        texts
    }

    #[test]
    fn source_is_split_into_tokens() {
        let cases: [(&str, &[&str]); 15] = [
            ("http.host eq \"a b\"", &["http.host", "eq", "\"a b\""]),
            ("a==1&&b", &["a", "==", "1", "&&", "b"]),
            ("m[\"k\"][*]", &["m", "[", "\"k\"", "]", "[", "*", "]"]),
            ("ip.src in {10.0.0.0/8 ::1}", &["ip.src", "in", "{", "10.0.0.0/8", "::1", "}"]),
            ("a strict wildcard \"x\"", &["a", "strict wildcard", "\"x\""]),
            ("a strict wi", &["a", "strict wi"]),
            ("a strict ", &["a", "strict "]),
            ("strict host", &["strict", "host"]),
            ("a matches \"[\"]\" b", &["a", "matches", "\"[\"]\"", "b"]),
            ("a eq \"[\" b", &["a", "eq", "\"[\"", "b"]),
            ("r#\"a\"b\"# rest", &["r#\"a\"b\"#", "rest"]),
            ("\"a\\\"é\\", &["\"a\\\"é\\"]),
            ("'a' '", &["'a'", "'"]),
            ("$cf.vpn $", &["$cf.vpn", "$"]),
            ("é🦀\u{0}x", &["é", "🦀", "x"]),
        ];
        for (source, expected) in cases {
            assert_eq!(token_texts(source), expected, "{source}");
        }
    }
}
