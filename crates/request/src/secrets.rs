//! Finds secrets and personal data in a text before it is shared.
//!
//! The scan prefers false negatives to false positives: it skips example values, reserved addresses, hashes and
//! identifiers.

mod address;

use percent_encoding::percent_decode_str;
use std::collections::HashSet;
use std::fmt;
use zonewright_diagnostic::sort_by_key;

/// A kind of secret or personal data. The order is by harm, the most harmful first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SecretKind {
    /// A private key in PEM.
    PrivateKey,
    /// The identifier of an AWS access key.
    AwsAccessKey,
    /// A token whose prefix names its issuer.
    ServiceToken,
    /// A JSON Web Token.
    Jwt,
    /// The credentials after `Bearer` or `Basic` in a header.
    Authorization,
    /// A string that looks random.
    Random,
    /// An email address.
    Email,
    /// The public address of a client.
    PublicAddress,
}

impl fmt::Display for SecretKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SecretKind::AwsAccessKey => "AWS access key",
            SecretKind::Authorization => "credentials",
            SecretKind::Jwt => "JSON Web Token",
            SecretKind::PrivateKey => "private key",
            SecretKind::ServiceToken => "access token",
            SecretKind::Email => "email address",
            SecretKind::PublicAddress => "public IP address",
            SecretKind::Random => "key or token",
        })
    }
}

/// A part of a text that may be secret or personal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Secret {
    /// The kind of data that the text looks like.
    pub kind: SecretKind,
    /// The suspicious part of the text.
    pub text: String,
}

/// The result of [`find_secrets`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SecretScan {
    /// The most harmful secrets, at most [`MAX_SECRETS`].
    pub secrets: Vec<Secret>,
    /// The number of secrets that are omitted.
    pub omitted: usize,
}

/// Maximum number of secrets of a [`SecretScan`]. A list of addresses may have tens of thousands.
pub const MAX_SECRETS: usize = 100;

/// Prefixes of access tokens, each with the minimum number of characters after it.
const TOKEN_PREFIXES: [(&str, usize); 12] = [
    ("AIza", 35),
    ("github_pat_", 22),
    ("ghp_", 36),
    ("gho_", 36),
    ("ghs_", 36),
    ("ghu_", 36),
    ("glpat-", 20),
    ("npm_", 36),
    ("rk_live_", 16),
    ("sk_live_", 16),
    ("xoxb-", 16),
    ("xoxp-", 16),
];
/// Minimum length of a bearer token.
const MIN_BEARER_BYTES: usize = 16;
/// Minimum length of basic credentials.
const MIN_BASIC_BYTES: usize = 12;
/// Minimum length of a text that looks random.
const MIN_RANDOM_BYTES: usize = 20;
/// Length of the account-wide API key that the provider issues, which is hexadecimal.
const HEX_API_KEY_BYTES: usize = 37;

/// Finds secrets and personal data in texts, without duplicates, sorted by kind and then in the order of the texts.
pub fn find_secrets<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> SecretScan {
    let (mut secrets, mut known_secrets) = (Vec::new(), HashSet::new());
    for text in texts {
        scan(text.as_ref(), &mut |secret: Secret| {
            if known_secrets.insert(secret.clone()) {
                secrets.push(secret);
            }
        });
    }
    // Without the sort, a long list of addresses would push a later key beyond the limit.
    sort_by_key(&mut secrets, |secret| secret.kind);
    let omitted = secrets.len().saturating_sub(MAX_SECRETS);
    secrets.truncate(MAX_SECRETS);
    SecretScan { secrets, omitted }
}

fn scan(text: &str, report: &mut impl FnMut(Secret)) {
    let mut previous_word = "";
    // In a URL, an `@` or a separator may be percent-encoded.
    let decoded = percent_decode_str(text).decode_utf8_lossy();
    for word in decoded.split(is_separator).filter(|word| !word.is_empty()) {
        let address = address::find_public_address(word).map(|address| (SecretKind::PublicAddress, address));
        for (kind, part) in address.into_iter().chain(classify_word(word, previous_word)) {
            report(Secret { kind, text: part.to_owned() });
        }
        previous_word = word;
    }
    if decoded.contains("-----BEGIN ") && decoded.contains("PRIVATE KEY-----") {
        report(Secret { kind: SecretKind::PrivateKey, text: "-----BEGIN … PRIVATE KEY-----".to_owned() });
    }
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || "\"'`\\(){}<>[],;|^$?&#".contains(c)
}

/// Classifies a word by its text and the previous word.
fn classify_word<'a>(word: &'a str, previous_word: &str) -> Option<(SecretKind, &'a str)> {
    // In `token=…` and `key:…`, the value comes after the name.
    let value = word.split_once([':', '=']).map_or(word, |(_, value)| value.trim_start_matches('='));
    // In `cookie:token=…`, the value comes after the last name. Base64 may end in `=`.
    let last = word.trim_end_matches('=').rfind('=').and_then(|index| word.get(index + 1..)).unwrap_or(word);
    let mut candidates = [last, value, word].into_iter();
    let classified = candidates.find_map(|text| classify(text, previous_word).map(|kind| (kind, text)));
    classified.or_else(|| classify_path(word))
}

/// Classifies the segments of a path, alone or in a URL. Random segments are skipped, because identifiers of pages
/// look as random as keys.
fn classify_path(word: &str) -> Option<(SecretKind, &str)> {
    let rest = word.split_once("://").map_or(word, |(_, rest)| rest);
    let mut segments = rest.split('/').skip(1);
    let classify_segment = |text| classify(text, "").filter(|kind| *kind != SecretKind::Random);
    segments.find_map(|text| classify_segment(text).map(|kind| (kind, text)))
}

fn classify(text: &str, previous_word: &str) -> Option<SecretKind> {
    if is_email(text) {
        return Some(SecretKind::Email);
    }
    if is_placeholder(text) {
        return None;
    }
    let tests: [(SecretKind, bool); 5] = [
        (SecretKind::AwsAccessKey, is_aws_access_key(text)),
        (SecretKind::Jwt, is_jwt(text)),
        (SecretKind::ServiceToken, has_token_prefix(text)),
        (SecretKind::Authorization, is_authorization(text, previous_word)),
        (SecretKind::Random, is_random(text)),
    ];
    tests.into_iter().find(|(_, matches)| *matches).map(|(kind, _)| kind)
}

/// Returns whether a text is a placeholder: it contains a word such as `EXAMPLE`, or few different characters.
fn is_placeholder(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let mut letters: Vec<char> = lower.chars().filter(char::is_ascii_alphanumeric).collect();
    letters.sort_unstable();
    letters.dedup();
    ["example", "your", "changeme", "placeholder"].iter().any(|word| lower.contains(word)) || letters.len() < 5
}

/// Returns whether a text is `AKIA` (a long-term key) or `ASIA` (a temporary key) and 16 characters of base 32.
fn is_aws_access_key(text: &str) -> bool {
    let rest = text.strip_prefix("AKIA").or_else(|| text.strip_prefix("ASIA"));
    rest.is_some_and(|rest| rest.len() == 16 && rest.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7')))
}

/// Returns whether a text is a JSON Web Token. Header and payload are JSON objects in base64url, which encodes `{"` as
/// `eyJ`.
fn is_jwt(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let [header, payload, signature] = parts.as_slice() else { return false };
    let is_base64url =
        |part: &str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    [header, payload].iter().all(|part| part.starts_with("eyJ") && part.len() >= 10 && is_base64url(part))
        && is_base64url(signature)
}

fn has_token_prefix(text: &str) -> bool {
    let is_token = |rest: &str, min| rest.len() >= min && rest.bytes().all(is_token_byte);
    TOKEN_PREFIXES.iter().any(|(prefix, min)| text.strip_prefix(prefix).is_some_and(|rest| is_token(rest, *min)))
}

/// Returns whether a text follows the name of an authentication scheme and is not a plain word.
fn is_authorization(text: &str, previous_word: &str) -> bool {
    let scheme = previous_word.rsplit([':', '=']).next().unwrap_or_default();
    let is_token = text.bytes().all(|byte| is_token_byte(byte) || matches!(byte, b'.' | b'~'));
    let has = |test: fn(&u8) -> bool| text.as_bytes().iter().any(test);
    if scheme.eq_ignore_ascii_case("bearer") {
        is_token && text.len() >= MIN_BEARER_BYTES && has(u8::is_ascii_digit)
    } else if scheme.eq_ignore_ascii_case("basic") {
        let has_both_cases = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
        is_token && text.len() >= MIN_BASIC_BYTES && has_both_cases && (has(u8::is_ascii_digit) || text.ends_with('='))
    } else {
        false
    }
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'=' | b'/')
}

/// Top-level names without mailboxes, and extensions of files that have an `@` in their name.
const NON_MAIL_SUFFIXES: [&str; 13] =
    ["example", "test", "invalid", "localhost", "local", "png", "jpg", "jpeg", "gif", "webp", "svg", "css", "js"];

fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else { return false };
    let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'+' | b'%');
    let is_host_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let has_name =
        name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric()) && name.bytes().all(is_name_byte);
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let mut labels = host.rsplit('.');
    let (top, second) = (labels.next().unwrap_or_default(), labels.next().unwrap_or_default());
    let has_host = host.bytes().all(is_host_byte)
        && !second.is_empty()
        && top.len() >= 2
        && top.bytes().all(|byte| byte.is_ascii_lowercase());
    // `git` is the user name of Git over SSH, as in `git@github.com`, and not a person.
    has_name && name != "git" && has_host && second != "example" && !NON_MAIL_SUFFIXES.contains(&top)
}

/// Returns whether a text is long, looks random, and is neither a hash nor made of words.
fn is_random(text: &str) -> bool {
    if text.len() < MIN_RANDOM_BYTES || !text.bytes().all(is_token_byte) || text.starts_with('/') {
        return false;
    }
    if text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return text.len() == HEX_API_KEY_BYTES;
    }
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits >= 3 && text.bytes().any(|byte| byte.is_ascii_alphabetic()) && !is_made_of_parts(text)
}

/// Returns whether a text is a slug, a path or an identifier: its parts are words, numbers or hexadecimal.
fn is_made_of_parts(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['-', '_', '/', '+', '=']).filter(|part| !part.is_empty()).collect();
    let is_plain = |part: &&str| {
        let letters = part.bytes().filter(u8::is_ascii_alphabetic).count();
        let is_hexadecimal = part.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'));
        letters == 0 || letters == part.len() || is_hexadecimal || part.len() <= 4
    };
    // A JA4 fingerprint of a TLS client begins with a summary of ten characters.
    let is_summary = |part: &&str| part.len() == 10 && (part.starts_with('t') || part.starts_with('q'));
    match parts.as_slice() {
        [] | [_] => false,
        [first, rest @ ..] => (is_plain(first) || is_summary(first)) && rest.iter().all(is_plain),
    }
}

#[cfg(test)]
mod tests;
