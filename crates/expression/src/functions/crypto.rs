//! Functions that compute digests and verify signed tokens.

use super::{Arguments, encoding, url};
use crate::Value;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// The length of the timestamp in a token, in digits (documented).
const TIMESTAMP_DIGITS: usize = 10;
/// The minimum length of the MAC in a token: 32 bytes in Base64 without padding (documented).
const MIN_MAC_CHARS: usize = 43;

/// Returns the 32 bytes of the digest.
pub(super) fn sha256(arguments: Arguments<'_>) -> Option<Value> {
    Some(Value::Text(Sha256::digest(arguments.text(0)?).to_vec()))
}

/// Returns whether a token is genuine and has not expired.
pub(super) fn is_timed_hmac_valid(arguments: Arguments<'_>) -> Option<Value> {
    let (key, text) = (arguments.text(0)?, arguments.text(1)?);
    let (lifetime, now) = (arguments.integer(2)?, arguments.integer(3)?);
    let separator = if arguments.is_present(4) { arguments.integer(4)? } else { 0 };
    let url_safe = arguments.flags(5)?.contains(&b's');
    let is_valid = HmacToken::parse(text, separator)
        .is_some_and(|token| token.is_genuine(key, url_safe).unwrap_or(false) && token.is_fresh(lifetime, now));
    Some(Value::Boolean(is_valid))
}

/// A token: `message`, a separator, `timestamp`, `-` and `mac` (documented).
struct HmacToken<'a> {
    message: &'a [u8],
    timestamp: &'a [u8],
    mac: &'a [u8],
}

impl<'a> HmacToken<'a> {
    /// Splits a token at the last `-` that follows a timestamp and leaves enough bytes for a MAC. `separator` is the
    /// length of the separator in bytes.
    fn parse(text: &'a [u8], separator: i64) -> Option<Self> {
        let last = text.len().checked_sub(MIN_MAC_CHARS + 1)?;
        let follows_timestamp = |dash: &usize| {
            let timestamp = dash.checked_sub(TIMESTAMP_DIGITS).and_then(|start| text.get(start..*dash));
            text.get(*dash) == Some(&b'-') && timestamp.is_some_and(|time| time.iter().all(u8::is_ascii_digit))
        };
        let dash = (TIMESTAMP_DIGITS..=last).rev().find(follows_timestamp)?;
        let (before_dash, mac) = text.split_at_checked(dash)?;
        let (prefix, timestamp) = before_dash.split_at_checked(dash - TIMESTAMP_DIGITS)?;
        let message = prefix.get(..prefix.len().checked_sub(usize::try_from(separator).ok()?)?)?;
        (!message.is_empty()).then_some(HmacToken { message, timestamp, mac: mac.get(1..)? })
    }

    /// Returns whether the MAC is valid for the message and the timestamp.
    fn is_genuine(&self, key: &[u8], url_safe: bool) -> Option<bool> {
        let mac = if url_safe { self.mac.to_vec() } else { url::percent_decode(self.mac) };
        let mac = encoding::decode_mac(&mac, url_safe)?;
        let mut expected = Hmac::<Sha256>::new_from_slice(key).ok()?;
        expected.update(self.message);
        expected.update(self.timestamp);
        Some(expected.verify_slice(&mac).is_ok())
    }

    fn is_fresh(&self, lifetime: i64, now: i64) -> bool {
        let issued = self.timestamp.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
        now < issued.saturating_add(lifetime)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{MISSING, assert_results, boolean, integer, text};
    use super::*;

    #[test]
    fn sha256_returns_digest_bytes() {
        let bytes = |digits: &str| {
            let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
            text(digits.as_bytes().chunks(2).map(byte).collect::<Vec<_>>())
        };
        assert_results(
            "sha256",
            [
                (vec![text("")], bytes("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")),
                (vec![text("abc")], bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")),
                (vec![MISSING], MISSING),
            ],
        );
    }

    /// Tokens created with `openssl dgst -sha256 -hmac mysecretkey` over message and timestamp.
    const TOKEN: &str = "/download/cat.jpg?verify=1484063787-JcOQEFurDwNF66OcDJLopQxjsg3cB1KVO5%2BBFS9zZZ0%3D";
    const URL_SAFE: &str = "/download/cat.jpg?verify=1484063787-JcOQEFurDwNF66OcDJLopQxjsg3cB1KVO5-BFS9zZZ0";
    const NO_SEPARATOR: &str = "/download/cat.jpg1484063787-JcOQEFurDwNF66OcDJLopQxjsg3cB1KVO5%2BBFS9zZZ0%3D";
    const ISSUED: i64 = 1_484_063_787;

    #[test]
    fn is_timed_hmac_valid_requires_genuine_fresh_token() {
        let token =
            |token: &str, now: i64| vec![text("mysecretkey"), text(token), integer(10_800), integer(now), integer(8)];
        let add_argument = |mut arguments: Vec<Option<Value>>, argument: Option<Value>| {
            arguments.push(argument);
            arguments
        };
        assert_results(
            "is_timed_hmac_valid_v0",
            [
                (token(TOKEN, ISSUED + 10_799), boolean(true)),
                (token(TOKEN, ISSUED + 10_800), boolean(false)),
                (token(TOKEN, i64::MAX), boolean(false)),
                (token(TOKEN, 0), boolean(true)),
                (token(&TOKEN.replace("cat", "dog"), ISSUED), boolean(false)),
                (token(&TOKEN.replace("787-", "788-"), ISSUED), boolean(false)),
                (token(&TOKEN.replace("%2B", "+"), ISSUED), boolean(true)),
                (token(&TOKEN.replace("%3D", ""), ISSUED), boolean(true)),
                (add_argument(token(URL_SAFE, ISSUED), text("s")), boolean(true)),
                (add_argument(token(TOKEN, ISSUED), text("s")), boolean(false)),
                (add_argument(token(URL_SAFE, ISSUED), text("")), boolean(false)),
                (token(NO_SEPARATOR, ISSUED), boolean(false)),
                (vec![text("mysecretkey"), text(NO_SEPARATOR), integer(1), integer(ISSUED)], boolean(true)),
                (vec![text("other"), text(NO_SEPARATOR), integer(1), integer(ISSUED)], boolean(false)),
                (token("", ISSUED), boolean(false)),
                (token("1484063787-JcOQEFurDwNF66OcDJLopQxjsg3cB1KVO5%2BBFS9zZZ0%3D", ISSUED), boolean(false)),
                (token(&"-".repeat(1 << 12), ISSUED), boolean(false)),
                (vec![text("k"), MISSING, integer(1), integer(1)], MISSING),
                (vec![text("k"), text(TOKEN), integer(1), MISSING], MISSING),
            ],
        );
    }
}
