//! IDs and secrets: generates them, and computes the digests that are stored instead of secrets.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// The alphabet of tokens. It has 64 characters, so each takes six random bits and all are equally likely.
const TOKEN_ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The length of a token in characters (observed).
pub const TOKEN_CHARS: usize = 40;
/// The length of a key in hexadecimal digits (observed).
pub const KEY_DIGITS: usize = 37;

/// Generates an ID: a random UUID without hyphens.
pub fn new_id() -> Result<String, getrandom::Error> {
    let mut bytes: [u8; 16] = random()?;
    let [.., version, _, variant, _, _, _, _, _, _, _] = &mut bytes;
    *version = (*version & 0x0f) | 0x40;
    *variant = (*variant & 0x3f) | 0x80;
    Ok(hex(&bytes))
}

/// Generates an API key for the scheme with email address and key.
pub fn new_key() -> Result<String, getrandom::Error> {
    let bytes: [u8; 19] = random()?;
    Ok(hex(&bytes).chars().take(KEY_DIGITS).collect())
}

/// Generates a bearer token.
pub fn new_token() -> Result<String, getrandom::Error> {
    let bytes: [u8; TOKEN_CHARS] = random()?;
    Ok(bytes
        .iter()
        .filter_map(|byte| TOKEN_ALPHABET.get(usize::from(byte & 63)))
        .map(|letter| char::from(*letter))
        .collect())
}

/// Generates a signing key: 32 bytes in hexadecimal digits.
pub fn new_signing_key() -> Result<String, getrandom::Error> {
    let bytes: [u8; 32] = random()?;
    Ok(hex(&bytes))
}

/// Returns the SHA-256 digest of a text in hexadecimal digits.
pub fn digest(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// Compares two digests in a time that does not depend on where they differ.
pub fn constant_time_eq(a: &str, b: &str) -> bool {
    a.as_bytes().ct_eq(b.as_bytes()).into()
}

/// Returns bytes as lowercase hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |number: u8| char::from(if number < 10 { b'0' + number } else { b'a' - 10 + number });
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    text
}

fn random<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_ids_and_secrets_have_their_formats() {
        let id = new_id().unwrap();
        assert!(zonewright_firewall::is_identifier(&id), "{id}");
        assert_eq!(id.as_bytes()[12], b'4', "{id} is a version 4 UUID");
        assert!(b"89ab".contains(&id.as_bytes()[16]), "{id} has the variant of RFC 9562");
        let key = new_key().unwrap();
        assert!(key.len() == KEY_DIGITS && key.bytes().all(|byte| byte.is_ascii_hexdigit()), "{key}");
        let token = new_token().unwrap();
        assert!(token.len() == TOKEN_CHARS && token.bytes().all(|byte| TOKEN_ALPHABET.contains(&byte)), "{token}");
        assert_ne!(new_id().unwrap(), id);
    }

    #[test]
    fn digest_is_sha_256_and_comparison_is_exact() {
        assert_eq!(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert!(
            constant_time_eq(&digest("a"), &digest("a"))
                && !constant_time_eq(&digest("a"), &digest("b"))
                && !constant_time_eq("a", "ab")
        );
    }
}
