//! Redacts the secrets of destinations.
//!
//! Each [`Scheme`] lists the parts that are safe to show, and everything else is hidden. A malformed destination, for
//! example one without a separator, therefore reveals no more than a valid one.

use super::parser::{parse_host_port, percent_decode_lossy};
use super::scheme::{PathRedaction, Scheme, ValueRedaction};

/// The replacement of a secret.
pub const REDACTED: &str = "***";
/// A longer run of letters and digits counts as a key in a host or path. In a parameter value, it counts as a token if
/// it has a digit.
const MAX_WORD_CHARS: usize = 15;
/// In a host or path, the minimum length of a run with both letters and digits that counts as a key. The limit is low,
/// because separators may divide a key into groups.
const MIN_KEY_CHARS: usize = 8;
/// The maximum length in bytes of a parameter value that is shown.
const MAX_VALUE_BYTES: usize = 60;

/// Returns the destination with every secret hidden. This never fails; a text without a known scheme is hidden
/// completely.
pub fn redact(destination_conf: &str) -> String {
    let Some((scheme, rest)) = destination_conf.split_once("://") else { return REDACTED.to_owned() };
    let Some(scheme) = Scheme::from_name(scheme) else {
        return format!("{REDACTED}://{REDACTED}");
    };
    // A user name and a password may precede an `@`. A password may contain any separator, including `@`, so the start
    // of the host is unknown.
    if rest.contains('@') {
        return format!("{scheme}://{REDACTED}");
    }
    let query_start = rest.find(['?', '&', '#', ';']).unwrap_or(rest.len());
    let (location, query) = rest.split_at_checked(query_start).unwrap_or((rest, ""));
    format!("{scheme}://{}{}", redact_host_and_path(scheme, location), redact_query(scheme, query))
}

fn redact_host_and_path(scheme: Scheme, location: &str) -> String {
    let mut segments = location.split('/');
    let host = segments.next().unwrap_or_default();
    if !(is_host(host) && is_safe_host(scheme, host)) {
        // The text before the first slash may begin a secret that contains slashes, so the path is hidden too.
        return REDACTED.to_owned();
    }
    let mut redacted = host.to_owned();
    for segment in segments {
        redacted.push('/');
        let (name, value) = segment.split_once('=').map_or((segment, None), |(name, value)| (name, Some(value)));
        redacted.push_str(if is_safe_segment(scheme, name) { name } else { REDACTED });
        match value {
            None => {}
            Some("{DATE}") => redacted.push_str("={DATE}"),
            // If the `?` is missing, the value may be a secret that contains slashes.
            Some(_) => return redacted + "=" + REDACTED,
        }
    }
    redacted
}

/// Returns whether the text is a host, a bucket, or empty.
fn is_host(text: &str) -> bool {
    text.is_empty() || parse_host_port(text).is_some()
}

/// Returns whether a host is safe to show. In an HTTP endpoint, a host without a dot or colon must not look like a key.
fn is_safe_host(scheme: Scheme, host: &str) -> bool {
    match scheme.path_redaction() {
        PathRedaction::Names => true,
        PathRedaction::Endpoint | PathRedaction::Only(_) => host.contains(['.', ':']) || !looks_like_key(host),
    }
}

/// Returns whether a segment of a path is safe to show. The segment is percent-encoded.
fn is_safe_segment(scheme: Scheme, segment: &str) -> bool {
    // An encoded key is as secret as a plain key, and an encoded separator counts as a separator.
    let decoded = percent_decode_lossy(segment);
    let is_name =
        decoded.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '.' | '-' | '_' | '{' | '}'));
    match scheme.path_redaction() {
        PathRedaction::Names => is_name,
        PathRedaction::Endpoint => is_name && !looks_like_key(&decoded),
        PathRedaction::Only(segments) => segment.is_empty() || segments.contains(&segment),
    }
}

/// Returns whether the text has a word that is too long for a name, or a long word of both letters and digits.
fn looks_like_key(text: &str) -> bool {
    let is_mixed = |word: &str| {
        word.bytes().any(|byte| byte.is_ascii_digit()) && word.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    let mut words = text.split(|char: char| !char.is_ascii_alphanumeric());
    words.any(|word| word.len() > MAX_WORD_CHARS || word.len() >= MIN_KEY_CHARS && is_mixed(word))
}

/// Returns whether the text has a long run of letters and digits, as a token has.
fn looks_like_token(text: &str) -> bool {
    let has_digit = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
    let mut words = text.split(|char: char| !char.is_ascii_alphanumeric());
    words.any(|word| word.len() > MAX_WORD_CHARS && has_digit(word))
}

fn redact_query(scheme: Scheme, query: &str) -> String {
    let Some(parameters) = query.get(1..) else { return String::new() };
    let separator = if query.starts_with('?') { '?' } else { '&' };
    if scheme.parameters().is_empty() {
        return format!("{separator}{REDACTED}");
    }
    let redacted: Vec<String> = parameters.split('&').map(|part| redact_parameter(scheme, part)).collect();
    format!("{separator}{}", redacted.join("&"))
}

fn redact_parameter(scheme: Scheme, part: &str) -> String {
    let Some((name, value)) = part.split_once('=') else { return REDACTED.to_owned() };
    match scheme.parameters().iter().find(|parameter| parameter.name == name) {
        Some(parameter) if is_safe_value(parameter.redaction, value) => format!("{name}={value}"),
        Some(_) => format!("{name}={REDACTED}"),
        None => REDACTED.to_owned(),
    }
}

/// Returns the parameter values that [`redact`] hides in a query. They stay percent-encoded.
pub(super) fn secret_values(scheme: Scheme, query: &str) -> impl Iterator<Item = &str> {
    let is_secret = move |(name, value): &(&str, &str)| {
        let parameter = scheme.parameters().iter().find(|parameter| parameter.name == *name);
        !value.is_empty() && parameter.is_none_or(|parameter| !is_safe_value(parameter.redaction, value))
    };
    query.split('&').filter_map(|parameter| parameter.split_once('=')).filter(is_secret).map(|(_, value)| value)
}

/// Returns whether a parameter value is safe to show.
fn is_safe_value(redaction: ValueRedaction, value: &str) -> bool {
    let is_word_char =
        |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || matches!(char, '.' | '-' | '_' | ':');
    match redaction {
        ValueRedaction::Hidden => false,
        ValueRedaction::OneOf(values) => values.contains(&value),
        ValueRedaction::Words => {
            value.len() <= MAX_VALUE_BYTES && value.chars().all(is_word_char) && !looks_like_token(value)
        }
    }
}
