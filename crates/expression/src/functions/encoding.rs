//! Encodes and decodes Base64.

use super::Arguments;
use crate::Value;
use base64::{
    Engine, alphabet,
    engine::{
        DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig,
        general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD},
    },
};

/// A decoder that accepts text with and without padding.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Decodes Base64; returns `None` for invalid text (assumption function-edges).
pub(super) fn decode_base64(arguments: Arguments<'_>) -> Option<Value> {
    LENIENT.decode(arguments.text(0)?).ok().map(Value::Text)
}

/// Encodes Base64. Flag `u` selects the URL-safe alphabet, and flag `p` adds padding (documented).
pub(super) fn encode_base64(arguments: Arguments<'_>) -> Option<Value> {
    let (input, flags) = (arguments.text(0)?, arguments.flags(1)?);
    let encoder = match (flags.contains(&b'u'), flags.contains(&b'p')) {
        (false, false) => STANDARD_NO_PAD,
        (false, true) => STANDARD,
        (true, false) => URL_SAFE_NO_PAD,
        (true, true) => URL_SAFE,
    };
    Some(Value::Text(encoder.encode(input).into_bytes()))
}

/// Decodes a MAC: URL-safe Base64 without padding, or standard Base64.
pub(super) fn decode_mac(text: &[u8], url_safe: bool) -> Option<Vec<u8>> {
    if url_safe { URL_SAFE_NO_PAD.decode(text).ok() } else { LENIENT.decode(text).ok() }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{MISSING, assert_results, text};

    #[test]
    fn decode_base64_accepts_optional_padding() {
        assert_results(
            "decode_base64",
            [
                (vec![text("MTIzYWJj")], text("123abc")),
                (vec![text("aGVsbG8gd29ybGQ=")], text("hello world")),
                (vec![text("aGVsbG8gd29ybGQ")], text("hello world")),
                (vec![text("/+8=")], text(b"\xff\xef")),
                (vec![text("")], text("")),
                (vec![text("a")], MISSING),
                (vec![text("_-8")], MISSING),
                (vec![text("MTIz YWJj")], MISSING),
                (vec![text("\u{e9}")], MISSING),
                (vec![MISSING], MISSING),
            ],
        );
    }

    #[test]
    fn encode_base64_follows_flags() {
        assert_results(
            "encode_base64",
            [
                (vec![text("hello world")], text("aGVsbG8gd29ybGQ")),
                (vec![text("hello world"), text("p")], text("aGVsbG8gd29ybGQ=")),
                (vec![text("hello world"), text("u")], text("aGVsbG8gd29ybGQ")),
                (vec![text(b"\xff\xef"), text("")], text("/+8")),
                (vec![text(b"\xff\xef"), text("u")], text("_-8")),
                (vec![text(b"\xff\xef"), text("up")], text("_-8=")),
                (vec![text(""), text("p")], text("")),
                (vec![MISSING], MISSING),
            ],
        );
    }
}
