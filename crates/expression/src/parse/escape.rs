//! Decodes the escapes of quoted strings.

use crate::code;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Problems, Span};

/// Decodes the body of a quoted string, which begins at the offset `start`. Returns the bytes and a diagnostic for each
/// unknown escape.
pub(crate) fn unescape(body: &str, start: usize) -> (Vec<u8>, Problems) {
    if memchr::memchr(b'\\', body.as_bytes()).is_none() {
        return (body.as_bytes().to_vec(), Problems::default());
    }
    let mut bytes = Vec::with_capacity(body.len());
    let mut problems = Problems::default();
    let mut rest = body;
    while let Some(offset) = rest.find('\\') {
        let (before, escape) = rest.split_at(offset);
        bytes.extend_from_slice(before.as_bytes());
        let span_start = start + body.len() - escape.len();
        let length = match decode_escape(escape) {
            Some((byte, length)) => {
                bytes.push(byte);
                length
            }
            None => {
                let length = 1 + escape.chars().nth(1).map_or(0, char::len_utf8);
                let span = Span::new(span_start, span_start + length);
                problems.push(unknown_escape_error(span, escape.get(..length).unwrap_or("\\")));
                bytes.extend_from_slice(escape.get(..length).unwrap_or_default().as_bytes());
                length
            }
        };
        rest = escape.get(length..).unwrap_or_default();
    }
    bytes.extend_from_slice(rest.as_bytes());
    (bytes, problems)
}

/// Decodes the escape at the start of a text: `\"`, `\\`, `\xHH` or `\OOO`. Returns the byte and the length of the
/// escape.
fn decode_escape(escape: &str) -> Option<(u8, usize)> {
    let hex =
        |digits: &str| u8::from_str_radix(digits, 16).ok().filter(|_| all_bytes(digits, |b| b.is_ascii_hexdigit()));
    let octal = |digits: &str| u8::from_str_radix(digits, 8).ok().filter(|_| all_bytes(digits, |b| b.is_ascii_digit()));
    match escape.as_bytes().get(1)? {
        b'"' => Some((b'"', 2)),
        b'\\' => Some((b'\\', 2)),
        b'x' => escape.get(2..4).and_then(hex).map(|byte| (byte, 4)),
        _ => escape.get(1..4).and_then(octal).map(|byte| (byte, 4)),
    }
}

fn all_bytes(text: &str, test: impl Fn(u8) -> bool) -> bool {
    text.bytes().all(test)
}

fn unknown_escape_error(span: Span, escape: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error(code::UNKNOWN_ESCAPE, span, format!("`{escape}` is not a valid escape"))
        .with_help(
            "strings support `\\\"`, `\\\\`, `\\xHH`, and `\\OOO`; in a raw string `r\"…\"`, a backslash is literal",
        );
    let replacement = match escape {
        "\\n" => Some(("write the line break as `\\x0a`", "\\x0a")),
        "\\r" => Some(("write the carriage return as `\\x0d`", "\\x0d")),
        "\\t" => Some(("write the tab as `\\x09`", "\\x09")),
        "\\'" => Some(("remove the backslash", "'")),
        "\\/" => Some(("remove the backslash", "/")),
        _ => None,
    };
    // In the original text, the backslash may be an escape or a literal backslash.
    let doubled = Fix::unsafe_edits("double the backslash", vec![Edit::insert(span.start, "\\")]);
    match replacement {
        Some((title, text)) => {
            diagnostic.with_fix(Fix::unsafe_edits(title, vec![Edit::replace(span, text)])).with_fix(doubled)
        }
        None => diagnostic.with_fix(doubled),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded_or_reported() {
        let cases: [(&str, &[u8], usize); 9] = [
            ("plain", b"plain", 0),
            ("é", "é".as_bytes(), 0),
            (r#"a\"b\\c"#, b"a\"b\\c", 0),
            (r"\x41\101\377", b"AA\xff", 0),
            (r"\400", br"\400", 1),
            (r"\xg1", br"\xg1", 1),
            (r"\x4", br"\x4", 1),
            (r"\n\é", "\\n\\é".as_bytes(), 2),
            (r"\+1", br"\+1", 1),
        ];
        for (body, expected, problems) in cases {
            let (bytes, diagnostics) = unescape(body, 1);
            assert_eq!((bytes.as_slice(), diagnostics.listed().len()), (expected, problems), "{body}");
        }
    }
}
