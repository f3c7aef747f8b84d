//! Derives the fields of the URL: path, query and arguments, both normalized and as they were sent.

use super::{Fields, parse_form_pairs};
use crate::error::shorten;

const NORMALIZED_FIELDS: UriFields = UriFields {
    full: "http.request.full_uri",
    uri: "http.request.uri",
    path: "http.request.uri.path",
    extension: "http.request.uri.path.extension",
    query: "http.request.uri.query",
    arguments: ["http.request.uri.args", "http.request.uri.args.names", "http.request.uri.args.values"],
};
const RAW_FIELDS: UriFields = UriFields {
    full: "raw.http.request.full_uri",
    uri: "raw.http.request.uri",
    path: "raw.http.request.uri.path",
    extension: "raw.http.request.uri.path.extension",
    query: "raw.http.request.uri.query",
    arguments: ["raw.http.request.uri.args", "raw.http.request.uri.args.names", "raw.http.request.uri.args.values"],
};

/// The names of the fields of one URL.
struct UriFields {
    full: &'static str,
    uri: &'static str,
    path: &'static str,
    extension: &'static str,
    query: &'static str,
    arguments: [&'static str; 3],
}

/// Pushes all fields of the URL. Without a host, the full URI is unknown.
pub(super) fn write_uri_fields(target: &[u8], https: bool, host: Option<&[u8]>, fields: &mut Fields) {
    let (path, query) = split_query(target);
    let scheme: &[u8] = if https { b"https://" } else { b"http://" };
    let origin = host.map(|host| [scheme, host].concat());
    push_fields(&RAW_FIELDS, origin.as_deref(), path, query, fields);
    push_normalized_fields(origin.as_deref(), &normalize_path(path), query, fields);
}

/// Pushes the fields that are not `raw.`, of a path that is not normalized again. The query includes its question mark.
pub(super) fn push_normalized_fields(origin: Option<&[u8]>, path: &[u8], query: &[u8], fields: &mut Fields) {
    push_fields(&NORMALIZED_FIELDS, origin, path, query, fields);
    fields.push_text("http.request.uri.path.basename", last_segment(path));
}

fn push_fields(names: &UriFields, origin: Option<&[u8]>, path: &[u8], query: &[u8], fields: &mut Fields) {
    let uri = [path, query].concat();
    if let Some(origin) = origin {
        fields.push_text(names.full, [origin, &uri].concat());
    }
    fields.push_text(names.uri, uri);
    fields.push_text(names.path, path);
    fields.push_text(names.extension, extension(path));
    let query = query.get(1..).unwrap_or_default();
    fields.push_text(names.query, query);
    fields.push_map(names.arguments, &parse_form_pairs(query));
}

/// Splits the path and the query. The query includes its question mark.
fn split_query(target: &[u8]) -> (&[u8], &[u8]) {
    let question = target.iter().position(|byte| *byte == b'?').unwrap_or(target.len());
    target.split_at_checked(question).unwrap_or((target, b""))
}

/// Returns a note if normalization changes the path.
pub(super) fn normalization_note(target: &[u8]) -> Option<String> {
    let (path, _) = split_query(target);
    let normalized = normalize_path(path);
    let excerpt = |path: &[u8]| shorten(&String::from_utf8_lossy(path));
    (normalized != path).then(|| {
        let (path, normalized) = (excerpt(path), excerpt(&normalized));
        format!(
            "fields have the normalized path `{normalized}` instead of `{path}`; `raw.` fields have the path as it was sent"
        )
    })
}

/// Normalizes a path as zones do by default (documented).
///
/// Backslashes become slashes, and consecutive slashes become one. Encoded letters, digits and `-._~` are
/// decoded; other bytes that a path cannot contain are encoded, with uppercase hexadecimal digits. `.` and
/// `..` are resolved.
fn normalize_path(path: &[u8]) -> Vec<u8> {
    if !path.starts_with(b"/") {
        // `*` and the target of CONNECT are not paths.
        return path.to_owned();
    }
    let mut segments: Vec<Vec<u8>> = Vec::new();
    let mut rest = path.split(|byte| matches!(byte, b'/' | b'\\')).filter(|part| !part.is_empty()).peekable();
    let mut ends_with_slash = path.last().is_some_and(|byte| matches!(byte, b'/' | b'\\'));
    while let Some(part) = rest.next() {
        let segment = normalize_segment(part);
        let is_last = rest.peek().is_none();
        match segment.as_slice() {
            b"." => ends_with_slash |= is_last,
            b".." => {
                segments.pop();
                ends_with_slash |= is_last;
            }
            _ => segments.push(segment),
        }
    }
    let mut normalized = Vec::with_capacity(path.len());
    for segment in &segments {
        normalized.push(b'/');
        normalized.extend_from_slice(segment);
    }
    if ends_with_slash || segments.is_empty() {
        normalized.push(b'/');
    }
    normalized
}

fn normalize_segment(segment: &[u8]) -> Vec<u8> {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let hex_digit = |value: u8| HEX.get(usize::from(value)).copied().unwrap_or(b'0');
    let mut out = Vec::with_capacity(segment.len());
    let mut rest = segment;
    while let Some((byte, after)) = rest.split_first() {
        let encoded = match after {
            [high, low, ..] if *byte == b'%' => {
                hex_digit_value(*high).zip(hex_digit_value(*low)).map(|(high, low)| high * 16 + low)
            }
            _ => None,
        };
        rest = if encoded.is_some() { after.get(2..).unwrap_or_default() } else { after };
        match encoded {
            Some(byte) if is_unreserved(byte) => out.push(byte),
            None if is_unreserved(*byte) || b":/?#[]@!$&'()*+,;=%".contains(byte) => out.push(*byte),
            _ => {
                let value = encoded.unwrap_or(*byte);
                out.extend([b'%', hex_digit(value >> 4), hex_digit(value & 15)]);
            }
        }
    }
    out
}

fn hex_digit_value(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// Returns whether a byte never needs encoding (RFC 3986, section 2.3).
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn last_segment(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

/// Returns the extension in lowercase, without the dot. A name whose only dot is its first character has no extension
/// (documented).
fn extension(path: &[u8]) -> Vec<u8> {
    let name = last_segment(path);
    match name.iter().rposition(|byte| *byte == b'.') {
        None | Some(0) => Vec::new(),
        Some(dot) => name.get(dot + 1..).unwrap_or_default().to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalized() {
        let cases = [
            ("/", "/"),
            ("/%68ello//pa\\th", "/hello/pa/th"),
            ("/a/./b/../c", "/a/c"),
            ("/a/b/..", "/a/"),
            ("/a/.", "/a/"),
            ("/../../a", "/a"),
            ("/%2e%2E/a%2fb", "/a%2Fb"),
            ("/a b\u{e9}", "/a%20b%C3%A9"),
            ("/100%", "/100%"),
            ("/%zz%4", "/%zz%4"),
            ("/a;b=c,d/", "/a;b=c,d/"),
            ("//", "/"),
            ("*", "*"),
            ("", ""),
        ];
        for (path, expected) in cases {
            assert_eq!(String::from_utf8_lossy(&normalize_path(path.as_bytes())), expected, "{path}");
            assert_eq!(normalize_path(expected.as_bytes()), expected.as_bytes(), "{path} twice");
        }
    }

    #[test]
    fn extension_is_lowercase_without_dot() {
        let cases = [
            ("/a.JPG", "jpg"),
            ("/a/b.tar.gz", "gz"),
            ("/.htaccess", ""),
            ("/.a.b", "b"),
            ("/a.b/c", ""),
            ("/a.", ""),
            ("/", ""),
        ];
        for (path, expected) in cases {
            assert_eq!(extension(path.as_bytes()), expected.as_bytes(), "{path}");
        }
    }
}
