//! Checks literals against the form of a field's values. A check returns only mismatches that are certain, except for a
//! `?` at the start of a query string, which is rarely intended.

use super::{
    country,
    excerpt::quote_excerpt,
    mismatch::Mismatch,
    subject::{Case, field_of, form_of},
};
use crate::{code, resolved::Operand, schema::ValueForm as Form};

/// Returns the prefix of every text of the operand, if the texts have one. The path of `OPTIONS *` is `*`, so `/` is
/// not the prefix of every path.
pub(super) fn known_prefix(operand: &Operand) -> Option<&'static [u8]> {
    match form_of(operand)? {
        (Form::FullUri, Case::Unchanged | Case::Lower) => Some(b"http"),
        _ => None,
    }
}

/// Returns the mismatch of a text that never equals the operand.
pub(super) fn check_whole(operand: &Operand, text: &[u8]) -> Option<Mismatch> {
    let (form, case) = form_of(operand)?;
    match form {
        Form::Host => check_host(text),
        Form::Path | Form::Uri if text.is_empty() => {
            Some(Mismatch::never_matches("the value contains at least the leading `/`"))
        }
        Form::Path | Form::Uri | Form::Query => check_prefix(operand, text),
        Form::FullUri => check_full_uri(text, true).or_else(|| find_fragment(text)),
        Form::Extension => check_extension(text, case == Case::Unchanged),
        Form::RawExtension => check_extension(text, false),
        Form::Method => check_method(operand, text, case),
        Form::Version => check_version(text, case),
        Form::Country => country::find_country_mismatch(text, case),
        Form::Continent => country::find_continent_mismatch(text, case),
        Form::Any
        | Form::UserAgent
        | Form::Referer
        | Form::Cookie
        | Form::AsNumber
        | Form::UnixTime
        | Form::Integer(..) => None,
    }
}

/// Returns the mismatch of a text with which the operand never begins.
pub(super) fn check_prefix(operand: &Operand, text: &[u8]) -> Option<Mismatch> {
    match form_of(operand)? {
        (Form::Path | Form::Uri, _) if !matches!(text, [b'/', ..] | [b'*']) => Some(missing_slash_mismatch(text)),
        (Form::Query, _) => text.strip_prefix(b"?").map(|rest| Mismatch {
            code: code::LEADING_QUESTION_MARK,
            reason: "the query string does not include the leading `?`".to_owned(),
            help: None,
            replacement: Some(rest.to_vec()),
        }),
        (Form::FullUri, _) => check_full_uri(text, false).or_else(|| find_fragment(text)),
        _ => check_substring(operand, text),
    }
}

/// Returns the mismatch of a text that the operand never contains.
pub(super) fn check_substring(operand: &Operand, text: &[u8]) -> Option<Mismatch> {
    let (form, case) = form_of(operand)?;
    match form {
        Form::Host => check_host(text),
        Form::Path if text.contains(&b'?') => Some(
            Mismatch::never_matches("a path contains no `?`; the text after `?` is the query string")
                .with_help("use `http.request.uri.query` for the query string, or `http.request.uri` for both"),
        ),
        Form::FullUri => find_fragment(text),
        Form::Method if case == Case::Unchanged && text.iter().any(u8::is_ascii_lowercase) => {
            Some(lowercase_method_mismatch(operand, text))
        }
        _ => None,
    }
}

fn missing_slash_mismatch(text: &[u8]) -> Mismatch {
    let mismatch = Mismatch::never_matches("the value always starts with `/`");
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/');
    match text.iter().all(is_plain) {
        true => mismatch.with_replacement([b"/", text].concat()),
        false => mismatch,
    }
}

fn find_fragment(text: &[u8]) -> Option<Mismatch> {
    text.contains(&b'#').then(|| Mismatch::never_matches("clients never send the fragment after `#`"))
}

fn check_host(text: &[u8]) -> Option<Mismatch> {
    let is_forbidden =
        |byte: &u8| matches!(byte, b'/' | b' ' | b'\t' | b'\r' | b'\n' | b'?' | b'#' | b'@' | b'"' | b'\\');
    text.iter().any(is_forbidden).then_some(())?;
    let name = text.strip_prefix(b"https://").or_else(|| text.strip_prefix(b"http://")).unwrap_or(text);
    let name = name.split(|byte| *byte == b'/').next().unwrap_or_default();
    let mismatch = match text.contains(&b'/') {
        true => Mismatch::never_matches("a hostname has no scheme or path"),
        false => Mismatch::never_matches(format!("{} is not a valid hostname", quote_excerpt(text))),
    };
    Some(match name.iter().any(is_forbidden) || name.is_empty() {
        true => mismatch,
        false => mismatch.with_replacement(name),
    })
}

/// Checks a text as a full URI (`is_whole`), or as the beginning of one.
fn check_full_uri(text: &[u8], is_whole: bool) -> Option<Mismatch> {
    let lowercase = text.to_ascii_lowercase();
    let rest = lowercase.strip_prefix(b"https://").or_else(|| lowercase.strip_prefix(b"http://"));
    let Some(rest) = rest else {
        let is_partial_scheme = !is_whole
            && (b"https://".starts_with(lowercase.as_slice()) || b"http://".starts_with(lowercase.as_slice()));
        return (!is_partial_scheme).then(|| Mismatch::never_matches("a full URI starts with `http://` or `https://`"));
    };
    if is_whole && !rest.contains(&b'/') {
        let mismatch = Mismatch::never_matches("a full URI has at least the path `/` after the host");
        return Some(match rest.contains(&b'?') {
            true => mismatch,
            false => mismatch.with_replacement([text, b"/"].concat()),
        });
    }
    None
}

fn check_extension(text: &[u8], is_lower: bool) -> Option<Mismatch> {
    if text.contains(&b'.') {
        let mismatch = Mismatch::never_matches("an extension does not include the dot");
        let last = text.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
        return Some(match last.is_empty() {
            true => mismatch,
            false => mismatch.with_replacement(last.to_ascii_lowercase()),
        });
    }
    let has_uppercase = is_lower && text.iter().any(u8::is_ascii_uppercase);
    has_uppercase.then(|| {
        Mismatch::never_matches("extensions are lowercase in this field").with_replacement(text.to_ascii_lowercase())
    })
}

fn check_method(operand: &Operand, text: &[u8], case: Case) -> Option<Mismatch> {
    // The characters of a method in RFC 9110.
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    if !text.iter().all(is_token) {
        let trimmed = text.trim_ascii();
        let mismatch = Mismatch::never_matches(format!("{} is not a valid method", quote_excerpt(text)));
        return Some(match trimmed.iter().all(is_token) {
            true => mismatch.with_replacement(trimmed.to_ascii_uppercase()),
            false => mismatch.with_help("use a set for several methods: `http.request.method in {\"GET\" \"HEAD\"}`"),
        });
    }
    let has_lowercase = text.iter().any(u8::is_ascii_lowercase) && case == Case::Unchanged;
    has_lowercase.then(|| lowercase_method_mismatch(operand, text))
}

fn lowercase_method_mismatch(operand: &Operand, text: &[u8]) -> Mismatch {
    let subject = field_of(operand).map_or("the method".to_owned(), |(field, _)| format!("`{}`", field.name));
    Mismatch::never_matches(format!("{subject} is uppercase")).with_replacement(text.to_ascii_uppercase())
}

fn check_version(text: &[u8], case: Case) -> Option<Mismatch> {
    let uppercase = text.to_ascii_uppercase();
    let canonical: Option<&str> = match uppercase.as_slice() {
        b"1.0" | b"HTTP1.0" | b"HTTP/1.0" => Some("HTTP/1.0"),
        b"1.1" | b"HTTP1.1" | b"HTTP/1.1" => Some("HTTP/1.1"),
        b"2" | b"2.0" | b"HTTP2" | b"HTTP/2" | b"HTTP/2.0" | b"H2" => Some("HTTP/2"),
        b"3" | b"3.0" | b"HTTP3" | b"HTTP/3" | b"HTTP/3.0" | b"H3" => Some("HTTP/3"),
        _ => None,
    };
    let compared = match case {
        Case::Lower => uppercase.as_slice(),
        Case::Unchanged | Case::Upper => text,
    };
    let mismatch = Mismatch::never_matches("HTTP versions have the form `HTTP/1.1`, `HTTP/2` or `HTTP/3`");
    match canonical {
        Some(canonical) if compared == canonical.as_bytes() => None,
        Some(canonical) if case == Case::Lower => Some(mismatch.with_replacement(canonical.to_ascii_lowercase())),
        Some(canonical) => Some(mismatch.with_replacement(canonical)),
        None if uppercase.starts_with(b"HTTP/") || uppercase.starts_with(b"SPDY/") => None,
        None => Some(mismatch),
    }
}
