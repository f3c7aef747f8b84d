//! The fields of the address: path, query, arguments; normalized and as they were sent.

use super::{Fields, form_pairs};
use crate::error::short;

/// The fields with the normalized path.
const NORMALIZED: Names = Names {
    full: "http.request.full_uri",
    uri: "http.request.uri",
    path: "http.request.uri.path",
    extension: "http.request.uri.path.extension",
    query: "http.request.uri.query",
    arguments: ["http.request.uri.args", "http.request.uri.args.names", "http.request.uri.args.values"],
};
/// The fields that are as they were sent.
const RAW: Names = Names {
    full: "raw.http.request.full_uri",
    uri: "raw.http.request.uri",
    path: "raw.http.request.uri.path",
    extension: "raw.http.request.uri.path.extension",
    query: "raw.http.request.uri.query",
    arguments: ["raw.http.request.uri.args", "raw.http.request.uri.args.names", "raw.http.request.uri.args.values"],
};

struct Names {
    full: &'static str,
    uri: &'static str,
    path: &'static str,
    extension: &'static str,
    query: &'static str,
    arguments: [&'static str; 3],
}

/// Writes all fields of the address. Without a host, nobody knows the full one.
pub(super) fn write(target: &[u8], https: bool, host: Option<&[u8]>, fields: &mut Fields) {
    let (path, query) = split(target);
    let normal = normalized(path);
    fields.text("http.request.uri.path.basename", last_segment(&normal));
    for (names, path) in [(NORMALIZED, normal.as_slice()), (RAW, path)] {
        let uri = [path, query].concat();
        if let Some(host) = host {
            let scheme: &[u8] = if https { b"https://" } else { b"http://" };
            fields.text(names.full, [scheme, host, &uri].concat());
        }
        fields.text(names.uri, uri);
        fields.text(names.path, path);
        fields.text(names.extension, extension(path));
        let query = query.get(1..).unwrap_or_default();
        fields.text(names.query, query);
        fields.pairs(names.arguments, &form_pairs(query));
    }
}

/// Path and query, the latter with its question mark.
fn split(target: &[u8]) -> (&[u8], &[u8]) {
    let question = target.iter().position(|byte| *byte == b'?').unwrap_or(target.len());
    target.split_at_checked(question).unwrap_or((target, b""))
}

/// What to say when the path is not what was sent.
pub(super) fn change(target: &[u8]) -> Option<String> {
    let (path, _) = split(target);
    let normal = normalized(path);
    let shown = |path: &[u8]| short(&String::from_utf8_lossy(path));
    (normal != path).then(|| {
        let (path, normal) = (shown(path), shown(&normal));
        format!("the path `{path}` is `{normal}` in the fields, as zones normalize it; the `raw.` ones have it as sent")
    })
}

/// The path as zones normalize it by default (documented): backslashes become slashes, slashes in a row
/// one, encoded letters, digits and `-._~` are decoded, every other byte that is not allowed in a path
/// is encoded, hex digits are in upper case, and `.` and `..` are resolved.
fn normalized(path: &[u8]) -> Vec<u8> {
    if !path.starts_with(b"/") {
        // `*` and the target of CONNECT are no paths.
        return path.to_owned();
    }
    let mut segments: Vec<Vec<u8>> = Vec::new();
    let mut pieces = path.split(|byte| matches!(byte, b'/' | b'\\')).filter(|piece| !piece.is_empty()).peekable();
    let mut folder = path.last().is_some_and(|byte| matches!(byte, b'/' | b'\\'));
    while let Some(piece) = pieces.next() {
        let segment = recoded(piece);
        let last = pieces.peek().is_none();
        match segment.as_slice() {
            b"." => folder |= last,
            b".." => {
                segments.pop();
                folder |= last;
            }
            _ => segments.push(segment),
        }
    }
    let mut normal = Vec::with_capacity(path.len());
    for segment in &segments {
        normal.push(b'/');
        normal.extend_from_slice(segment);
    }
    if folder || segments.is_empty() {
        normal.push(b'/');
    }
    normal
}

fn recoded(segment: &[u8]) -> Vec<u8> {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |value: u8| HEX.get(usize::from(value)).copied().unwrap_or(b'0');
    let mut out = Vec::with_capacity(segment.len());
    let mut rest = segment;
    while let Some((byte, after)) = rest.split_first() {
        let encoded = match after {
            [high, low, ..] if *byte == b'%' => hex(*high).zip(hex(*low)).map(|(high, low)| high * 16 + low),
            _ => None,
        };
        rest = if encoded.is_some() { after.get(2..).unwrap_or_default() } else { after };
        match encoded {
            Some(byte) if unreserved(byte) => out.push(byte),
            None if unreserved(*byte) || b":/?#[]@!$&'()*+,;=%".contains(byte) => out.push(*byte),
            _ => {
                let value = encoded.unwrap_or(*byte);
                out.extend([b'%', digit(value >> 4), digit(value & 15)]);
            }
        }
    }
    out
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

fn unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn last_segment(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

/// In lower case, without the dot; a name that only begins with a dot has none (documented).
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
            assert_eq!(String::from_utf8_lossy(&normalized(path.as_bytes())), expected, "{path}");
            assert_eq!(normalized(expected.as_bytes()), expected.as_bytes(), "{path} twice");
        }
    }

    #[test]
    fn extensions() {
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
