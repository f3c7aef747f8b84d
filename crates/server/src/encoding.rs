//! Encodings of bodies: JSON has to be UTF-8, and bodies that are read whole must not be compressed.

use crate::error::Error;
use axum::http::{HeaderMap, header};

/// The byte order mark of UTF-8, which is ignored.
const UTF8_BOM: &[u8] = b"\xef\xbb\xbf";

/// Rejects a request whose headers announce a content encoding or charset that is not supported.
pub(crate) fn check_content_headers(headers: &HeaderMap) -> Result<(), Error> {
    for value in headers.get_all(header::CONTENT_ENCODING) {
        let encoding = value.to_str().unwrap_or("?").trim();
        if !encoding.is_empty() && !encoding.eq_ignore_ascii_case("identity") {
            let shown: String = encoding.chars().take(64).collect();
            return Err(Error::UnsupportedEncoding(format!(
                "the content encoding `{shown}` is not supported here; send the body uncompressed"
            )));
        }
    }
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match charset(content_type) {
        Some(charset) if !["utf-8", "utf8", "us-ascii"].iter().any(|known| charset.eq_ignore_ascii_case(known)) => {
            let shown: String = charset.chars().take(64).collect();
            Err(Error::UnsupportedEncoding(format!("the charset `{shown}` is not supported; send JSON as UTF-8")))
        }
        _ => Ok(()),
    }
}

fn charset(content_type: &str) -> Option<&str> {
    let parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let mut charsets = parameters.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    charsets.next().map(|(_, value)| value.trim().trim_matches('"'))
}

/// Returns the text of a body without its byte order mark.
pub(crate) fn decode_utf8(bytes: &[u8]) -> Result<&str, Error> {
    let bytes = bytes.strip_prefix(UTF8_BOM).unwrap_or(bytes);
    // JSON begins with ASCII, so a zero among the first two bytes is half of a wider character.
    let is_wide = matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..]);
    if is_wide {
        return Err(Error::BadJson("it looks like UTF-16 or UTF-32; send UTF-8".to_owned()));
    }
    std::str::from_utf8(bytes)
        .map_err(|error| Error::BadJson(format!("it is not valid UTF-8 at byte {}", error.valid_up_to())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charset_is_read_from_the_content_type() {
        for (content_type, expected) in [
            ("application/json", None),
            ("application/json; charset=utf-8", Some("utf-8")),
            ("application/json;a=b; Charset=\"UTF-16\"", Some("UTF-16")),
            ("", None),
        ] {
            assert_eq!(charset(content_type), expected, "{content_type}");
        }
    }

    #[test]
    fn only_utf8_bodies_are_decoded() {
        assert_eq!(decode_utf8(b"\xef\xbb\xbf{}").unwrap(), "{}");
        assert_eq!(decode_utf8(b"3").unwrap(), "3");
        let wrong: [&[u8]; 6] = [b"\xff\xfe{\0", b"\xfe\xff\0{", b"{\0}\0", b"\0\0\0{", b"\"\xc3\"", b"\xff"];
        for wrong in wrong {
            assert!(matches!(decode_utf8(wrong), Err(Error::BadJson(_))), "{wrong:?}");
        }
    }
}
