//! A body of several parts.

use super::{Fields, grouped, text, texts};
use zonewright_expression::Value;

/// One part: its headers and what it holds.
#[derive(Default)]
pub(super) struct Part<'a> {
    names: Vec<Vec<u8>>,
    filenames: Vec<Vec<u8>>,
    content_types: Vec<&'a [u8]>,
    dispositions: Vec<&'a [u8]>,
    encodings: Vec<&'a [u8]>,
    value: &'a [u8],
}

/// The boundary that a content type names.
pub(super) fn boundary(content_type: &[u8]) -> Option<Vec<u8>> {
    parameter(content_type, b"boundary").filter(|boundary| !boundary.is_empty())
}

/// The parts between the boundaries; what stands before the first and behind the last is no part.
pub(super) fn parts<'a>(body: &'a [u8], boundary: &[u8]) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    let mut current: Option<Part<'a>> = None;
    let mut in_headers = false;
    let mut start = 0;
    let mut value_start = 0;
    while let Some(rest) = body.get(start..).filter(|rest| !rest.is_empty()) {
        let end = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |at| at + 1);
        let line = rest.get(..end).unwrap_or(rest);
        let bare = line.trim_ascii_end();
        let delimiter = bare.strip_prefix(b"--").and_then(|line| line.strip_prefix(boundary));
        if let Some(after) = delimiter.filter(|after| after.is_empty() || *after == b"--") {
            if let Some(mut part) = current.take() {
                // The line break before a boundary belongs to the boundary.
                let value = body.get(value_start..start).unwrap_or_default();
                let value = value.strip_suffix(b"\n").unwrap_or(value);
                part.value = if in_headers { b"" } else { value.strip_suffix(b"\r").unwrap_or(value) };
                parts.push(part);
            }
            if !after.is_empty() {
                break;
            }
            current = Some(Part::default());
            in_headers = true;
        } else if in_headers {
            match (&mut current, bare.is_empty()) {
                (_, true) => {
                    in_headers = false;
                    value_start = start + end;
                }
                (Some(part), false) => header(bare, part),
                (None, false) => {}
            }
        }
        start += end;
    }
    parts
}

fn header<'a>(line: &'a [u8], part: &mut Part<'a>) {
    let Some(colon) = line.iter().position(|byte| *byte == b':') else { return };
    let name = line.get(..colon).unwrap_or_default().to_ascii_lowercase();
    let value = line.get(colon + 1..).unwrap_or_default().trim_ascii();
    match name.as_slice() {
        b"content-disposition" => {
            part.dispositions.push(value);
            part.names.extend(parameter(value, b"name"));
            part.filenames.extend(parameter(value, b"filename"));
        }
        b"content-type" => part.content_types.push(value),
        b"content-transfer-encoding" => part.encodings.push(value),
        _ => {}
    }
}

/// A parameter of a header, without its quotes: `b` for `name` in `form-data; name="b"`.
fn parameter(header: &[u8], wanted: &[u8]) -> Option<Vec<u8>> {
    let mut rest = header;
    loop {
        let semicolon = rest.iter().position(|byte| *byte == b';')?;
        rest = rest.get(semicolon + 1..)?.trim_ascii_start();
        let equals = rest.iter().position(|byte| matches!(byte, b'=' | b';'))?;
        let name = rest.get(..equals)?.trim_ascii();
        if rest.get(equals) != Some(&b'=') {
            continue;
        }
        let (value, after) = value(rest.get(equals + 1..)?.trim_ascii_start());
        if name.eq_ignore_ascii_case(wanted) {
            return Some(value);
        }
        rest = after;
    }
}

/// A value, quoted or not, and what follows it.
fn value(text: &[u8]) -> (Vec<u8>, &[u8]) {
    let Some(quoted) = text.strip_prefix(b"\"") else {
        let end = text.iter().position(|byte| *byte == b';').unwrap_or(text.len());
        let (value, rest) = text.split_at_checked(end).unwrap_or((text, b""));
        return (value.trim_ascii().to_owned(), rest);
    };
    let mut value = Vec::new();
    let mut bytes = quoted.iter().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => return (value, quoted.get(at + 1..).unwrap_or_default()),
            // Browsers write `%22` for a quote and do not escape backslashes of file names.
            b'\\' if quoted.get(at + 1) == Some(&b'"') => {
                value.push(b'"');
                bytes.next();
            }
            other => value.push(*other),
        }
    }
    (value, b"")
}

/// Writes the fields of the parts.
pub(super) fn write(parts: &[Part<'_>], fields: &mut Fields) {
    let rows = |row: fn(&Part<'_>) -> Value| Value::Array(parts.iter().map(row).collect());
    let owned = |all: &[Vec<u8>]| texts(all.iter().map(Vec::as_slice));
    let named: Vec<_> =
        parts.iter().flat_map(|part| part.names.iter().map(|name| (name.as_slice().into(), part.value))).collect();
    fields.put("http.request.body.multipart", grouped(&named));
    fields
        .put("http.request.body.multipart.names", Value::Array(parts.iter().map(|part| owned(&part.names)).collect()));
    fields.put(
        "http.request.body.multipart.filenames",
        Value::Array(parts.iter().map(|part| owned(&part.filenames)).collect()),
    );
    fields.put("http.request.body.multipart.content_types", rows(|part| texts(part.content_types.iter().copied())));
    fields
        .put("http.request.body.multipart.content_dispositions", rows(|part| texts(part.dispositions.iter().copied())));
    fields.put(
        "http.request.body.multipart.content_transfer_encodings",
        rows(|part| texts(part.encodings.iter().copied())),
    );
    fields.put("http.request.body.multipart.values", rows(|part| text(part.value)));
}
