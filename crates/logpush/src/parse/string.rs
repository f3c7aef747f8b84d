//! Decodes and encodes the escapes of JSON strings.

use crate::code;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// A decoded string.
pub(super) struct DecodedString {
    /// The decoded text.
    pub(super) text: String,
    /// Pairs of an offset in `text` and an offset in the content: `(0, 0)`, and the end of each escape. From a pair to
    /// the start of the next escape, both offsets grow equally.
    pub(super) offset_pairs: Vec<(usize, usize)>,
    /// The diagnostics, with spans in the content.
    pub(super) problems: Vec<Diagnostic>,
    /// The number of diagnostics that are only counted.
    pub(super) unlisted: usize,
}

/// Decodes the content of a string. An invalid escape is kept verbatim, and a lone surrogate becomes U+FFFD. At most
/// `max_problems` diagnostics are listed.
pub(super) fn decode(body: &str, max_problems: usize) -> DecodedString {
    let text = String::with_capacity(body.len());
    let mut decoded = DecodedString { text, offset_pairs: vec![(0, 0)], problems: Vec::new(), unlisted: 0 };
    let mut offset = 0;
    while let Some(rest) = body.get(offset..).filter(|rest| !rest.is_empty()) {
        let plain = rest.find(|c: char| c == '\\' || c < ' ').unwrap_or(rest.len());
        decoded.text.push_str(rest.get(..plain).unwrap_or_default());
        offset += plain;
        let Some(rest) = body.get(offset..).filter(|rest| !rest.is_empty()) else { break };
        offset += decoded.decode_special(rest, offset, max_problems);
        if rest.starts_with('\\') {
            decoded.offset_pairs.push((decoded.text.len(), offset));
        }
    }
    decoded
}

impl DecodedString {
    fn report(&mut self, max_problems: usize, problem: impl FnOnce() -> Diagnostic) {
        if self.problems.len() < max_problems {
            self.problems.push(problem());
        } else {
            self.unlisted += 1;
        }
    }

    /// Decodes an escape or a control character at the start of `rest`, and returns its length in bytes.
    fn decode_special(&mut self, rest: &str, offset: usize, max_problems: usize) -> usize {
        let mut chars = rest.chars();
        let first = chars.next().unwrap_or_default();
        if first != '\\' {
            self.text.push(first);
            self.report(max_problems, || control_character_error(Span::new(offset, offset + first.len_utf8()), first));
            return first.len_utf8();
        }
        let Some(second) = chars.next() else {
            self.text.push('\\');
            return 1;
        };
        let plain = match second {
            '"' | '\\' | '/' => second,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.decode_unicode(rest, offset, max_problems),
            _ => {
                let length = 1 + second.len_utf8();
                self.report(max_problems, || {
                    unknown_escape_error(Span::new(offset, offset + length), rest.get(..length).unwrap_or_default())
                });
                self.text.push_str(rest.get(..length).unwrap_or_default());
                return length;
            }
        };
        self.text.push(plain);
        2
    }

    /// Decodes `\uXXXX`, or the two escapes of a surrogate pair, and returns the length in bytes.
    fn decode_unicode(&mut self, rest: &str, offset: usize, max_problems: usize) -> usize {
        let Some(unit) = parse_code_unit(rest) else {
            let length = 2 + rest.bytes().skip(2).take(4).take_while(u8::is_ascii_hexdigit).count();
            self.report(max_problems, || {
                unknown_escape_error(Span::new(offset, offset + length), rest.get(..length).unwrap_or_default())
            });
            self.text.push_str(rest.get(..length).unwrap_or_default());
            return length;
        };
        let low = rest.get(6..).and_then(parse_code_unit).filter(|low| (0xDC00..0xE000).contains(low));
        match (char::from_u32(unit), low) {
            (Some(character), _) => {
                self.text.push(character);
                6
            }
            (None, Some(low)) if unit < 0xDC00 => {
                let joined = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                self.text.push(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER));
                12
            }
            _ => {
                self.text.push(char::REPLACEMENT_CHARACTER);
                let span = Span::new(offset, offset + 6);
                let escape = rest.get(..6).unwrap_or_default();
                self.report(max_problems, || {
                    Diagnostic::error(code::LONE_SURROGATE, span, format!("`{escape}` is a lone surrogate"))
                        .with_help("write a character above U+FFFF as two such escapes, or as the character itself")
                });
                6
            }
        }
    }
}

/// Returns the code unit of a `\uXXXX` at the start of the text.
fn parse_code_unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}

fn control_character_error(span: Span, found: char) -> Diagnostic {
    let name = match found {
        '\n' => "a line break".to_owned(),
        '\r' => "a carriage return".to_owned(),
        '\t' => "a tab".to_owned(),
        other => format!("the control character U+{:04X}", u32::from(other)),
    };
    let mut escape = String::new();
    push_escaped(&mut escape, found);
    Diagnostic::error(code::CONTROL_CHARACTER, span, format!("{name} inside a string"))
        .with_help("control characters in JSON strings must be escaped")
        .with_fix(Fix::safe_edits(format!("write it as `{escape}`"), vec![Edit::replace(span, escape)]))
}

fn unknown_escape_error(span: Span, escape: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error(code::UNKNOWN_ESCAPE, span, format!("`{escape}` is not a JSON escape"))
        .with_help("the JSON escapes are `\\\"`, `\\\\`, `\\/`, `\\b`, `\\f`, `\\n`, `\\r`, `\\t`, and `\\uXXXX`");
    if escape == "\\'" {
        return diagnostic.with_fix(Fix::safe_edits("remove the backslash", vec![Edit::replace(span, "'")]));
    }
    diagnostic.with_fix(Fix::unsafe_edits("double the backslash", vec![Edit::insert(span.start, "\\")]))
}

/// Encodes a JSON string in the fewest bytes.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// Encodes the content of a JSON string.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|c| push_escaped(&mut out, c));
    out
}

fn push_escaped(out: &mut String, c: char) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
        c => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_decoded_and_invalid_escapes_reported() {
        let cases: [(&str, &str, usize); 12] = [
            ("plain é🦀", "plain é🦀", 0),
            (r#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{c}\n\r\t", 0),
            (r"\u0041\u00e9\u20AC", "Aé€", 0),
            (r"\ud83e\udd80", "🦀", 0),
            (r"\ud83e", "\u{fffd}", 1),
            (r"\udd80\ud83e", "\u{fffd}\u{fffd}", 2),
            (r"\ud83e\u0041", "\u{fffd}A", 1),
            (r"\x41", r"\x41", 1),
            (r"\u12", r"\u12", 1),
            (r"\u12é4", r"\u12é4", 1),
            ("a\tb", "a\tb", 1),
            ("\\", "\\", 0),
        ];
        for (body, expected, problems) in cases {
            let decoded = decode(body, 9);
            assert_eq!((decoded.text.as_str(), decoded.problems.len()), (expected, problems), "{body}");
        }
        let decoded = decode(r"\x\x\x", 2);
        assert_eq!((decoded.problems.len(), decoded.unlisted), (2, 1));
        assert_eq!(decode(r"a\u00e9\nb", 9).offset_pairs, [(0, 0), (3, 7), (4, 9)]);
    }

    #[test]
    fn escaped_string_decodes_to_original() {
        let text = "\"\\/\u{0}\u{1f}\u{7f}\n é🦀";
        let decoded = decode(&escaped(text), 9);
        assert_eq!((decoded.text.as_str(), decoded.problems.len()), (text, 0));
    }
}
