//! Parses multipart bodies and derives their fields.

use super::{Fields, group_by_name, text_array, text_value};
use zonewright_expression::Value;

/// The headers and the content of one part.
#[derive(Default)]
pub(super) struct MultipartPart<'a> {
    names: Vec<Vec<u8>>,
    filenames: Vec<Vec<u8>>,
    content_types: Vec<&'a [u8]>,
    dispositions: Vec<&'a [u8]>,
    encodings: Vec<&'a [u8]>,
    content: &'a [u8],
}

/// Returns the boundary parameter of a content type.
pub(super) fn find_boundary(content_type: &[u8]) -> Option<Vec<u8>> {
    find_parameter(content_type, b"boundary").filter(|boundary| !boundary.is_empty())
}

/// Parses the parts between the boundaries. The text before the first and after the last boundary is ignored.
pub(super) fn parse_multipart<'a>(body: &'a [u8], boundary: &[u8]) -> Vec<MultipartPart<'a>> {
    let mut parts = Vec::new();
    let mut current: Option<MultipartPart<'a>> = None;
    let mut in_headers = false;
    let mut start = 0;
    let mut content_start = 0;
    while let Some(rest) = body.get(start..).filter(|rest| !rest.is_empty()) {
        let end = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |index| index + 1);
        let line = rest.get(..end).unwrap_or(rest);
        let trimmed = line.trim_ascii_end();
        let delimiter = trimmed.strip_prefix(b"--").and_then(|line| line.strip_prefix(boundary));
        if let Some(after) = delimiter.filter(|after| after.is_empty() || *after == b"--") {
            if let Some(mut part) = current.take() {
                // The line break before a boundary belongs to the boundary.
                let content = body.get(content_start..start).unwrap_or_default();
                let content = content.strip_suffix(b"\n").unwrap_or(content);
                part.content = if in_headers { b"" } else { content.strip_suffix(b"\r").unwrap_or(content) };
                parts.push(part);
            }
            if !after.is_empty() {
                break;
            }
            current = Some(MultipartPart::default());
            in_headers = true;
        } else if in_headers {
            match (&mut current, trimmed.is_empty()) {
                (_, true) => {
                    in_headers = false;
                    content_start = start + end;
                }
                (Some(part), false) => read_part_header(trimmed, part),
                (None, false) => {}
            }
        }
        start += end;
    }
    parts
}

fn read_part_header<'a>(line: &'a [u8], part: &mut MultipartPart<'a>) {
    let Some(colon) = line.iter().position(|byte| *byte == b':') else { return };
    let name = line.get(..colon).unwrap_or_default().to_ascii_lowercase();
    let value = line.get(colon + 1..).unwrap_or_default().trim_ascii();
    match name.as_slice() {
        b"content-disposition" => {
            part.dispositions.push(value);
            part.names.extend(find_parameter(value, b"name"));
            part.filenames.extend(find_parameter(value, b"filename"));
        }
        b"content-type" => part.content_types.push(value),
        b"content-transfer-encoding" => part.encodings.push(value),
        _ => {}
    }
}

/// Finds a parameter of a header and removes its quotes: `b` for `name` in `form-data; name="b"`.
fn find_parameter(header: &[u8], expected: &[u8]) -> Option<Vec<u8>> {
    let mut rest = header;
    loop {
        let semicolon = rest.iter().position(|byte| *byte == b';')?;
        rest = rest.get(semicolon + 1..)?.trim_ascii_start();
        let equals = rest.iter().position(|byte| matches!(byte, b'=' | b';'))?;
        let name = rest.get(..equals)?.trim_ascii();
        if rest.get(equals) != Some(&b'=') {
            continue;
        }
        let (value, after) = read_parameter_value(rest.get(equals + 1..)?.trim_ascii_start());
        if name.eq_ignore_ascii_case(expected) {
            return Some(value);
        }
        rest = after;
    }
}

/// Reads a value with or without quotes. Returns the value and the rest of the header.
fn read_parameter_value(text: &[u8]) -> (Vec<u8>, &[u8]) {
    let Some(quoted) = text.strip_prefix(b"\"") else {
        let end = text.iter().position(|byte| *byte == b';').unwrap_or(text.len());
        let (value, rest) = text.split_at_checked(end).unwrap_or((text, b""));
        return (value.trim_ascii().to_owned(), rest);
    };
    let mut value = Vec::new();
    let mut bytes = quoted.iter().enumerate();
    while let Some((index, byte)) = bytes.next() {
        match byte {
            b'"' => return (value, quoted.get(index + 1..).unwrap_or_default()),
            // Browsers write `%22` for a quote and do not escape backslashes of file names.
            b'\\' if quoted.get(index + 1) == Some(&b'"') => {
                value.push(b'"');
                bytes.next();
            }
            other => value.push(*other),
        }
    }
    (value, b"")
}

/// Pushes the fields of the parts; every array has one element for each part.
pub(super) fn write_multipart_fields(parts: &[MultipartPart<'_>], fields: &mut Fields) {
    let map_parts = |value: fn(&MultipartPart<'_>) -> Value| Value::Array(parts.iter().map(value).collect());
    let pairs: Vec<_> =
        parts.iter().flat_map(|part| part.names.iter().map(|name| (name.as_slice().into(), part.content))).collect();
    fields.push("http.request.body.multipart", group_by_name(&pairs));
    fields
        .push("http.request.body.multipart.names", map_parts(|part| text_array(part.names.iter().map(Vec::as_slice))));
    fields.push(
        "http.request.body.multipart.filenames",
        map_parts(|part| text_array(part.filenames.iter().map(Vec::as_slice))),
    );
    fields.push(
        "http.request.body.multipart.content_types",
        map_parts(|part| text_array(part.content_types.iter().copied())),
    );
    fields.push(
        "http.request.body.multipart.content_dispositions",
        map_parts(|part| text_array(part.dispositions.iter().copied())),
    );
    fields.push(
        "http.request.body.multipart.content_transfer_encodings",
        map_parts(|part| text_array(part.encodings.iter().copied())),
    );
    fields.push("http.request.body.multipart.values", map_parts(|part| text_value(part.content)));
}
