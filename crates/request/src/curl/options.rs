//! The table of the options of curl, and the encodings that some options need.
//!
//! Each [`OptionSpec`] has an [`OptionEffect`], which the command applies to the request.

use super::shell::Word;
use crate::error::{Error, shorten};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use zonewright_diagnostic::find_similar;

/// The effect of an option on the request.
#[derive(Clone, Copy, Debug)]
pub(super) enum OptionEffect {
    Url,
    Method,
    Header,
    Data(DataEncoding),
    FormPart,
    LiteralFormPart,
    Cookie,
    UserAgent,
    Referer,
    User,
    Bearer,
    Range,
    RequestTarget,
    Query,
    Head,
    Get,
    Upload,
    Compressed,
    NoGlob,
    PathAsIs,
    /// The option selects this HTTP version.
    Version(&'static str),
    /// The option does not change the request.
    Ignored,
    /// The option does not change the request, although users may expect that it does.
    IgnoredWithNote,
    /// The request cannot be determined. The text is the reason.
    Unsupported(&'static str),
}

/// How an option encodes its data.
#[derive(Clone, Copy, Debug)]
pub(super) enum DataEncoding {
    /// The value as it is; `@` names a file.
    Plain,
    /// The value as it is, including a leading `@`.
    Raw,
    /// The percent-encoded value; `@` names a file.
    Percent,
    /// The value as it is, with headers for JSON; `@` names a file.
    Json,
}

struct OptionSpec {
    long: &'static str,
    short: char,
    takes_value: bool,
    effect: OptionEffect,
}

const fn switch_option(long: &'static str, short: char, effect: OptionEffect) -> OptionSpec {
    OptionSpec { long, short, takes_value: false, effect }
}

const fn value_option(long: &'static str, short: char, effect: OptionEffect) -> OptionSpec {
    OptionSpec { long, short, takes_value: true, effect }
}

/// The value of `short` for an option that has only a long name.
const NO_SHORT: char = '\0';

const OPTIONS: &[OptionSpec] = &[
    switch_option("anyauth", NO_SHORT, OptionEffect::Ignored),
    switch_option("basic", NO_SHORT, OptionEffect::Ignored),
    value_option("cacert", NO_SHORT, OptionEffect::Ignored),
    value_option("cert", 'E', OptionEffect::IgnoredWithNote),
    value_option("ciphers", NO_SHORT, OptionEffect::IgnoredWithNote),
    switch_option("compressed", NO_SHORT, OptionEffect::Compressed),
    value_option("config", 'K', OptionEffect::Unsupported("its options are in a file")),
    value_option("connect-timeout", NO_SHORT, OptionEffect::Ignored),
    value_option("connect-to", NO_SHORT, OptionEffect::IgnoredWithNote),
    value_option("cookie", 'b', OptionEffect::Cookie),
    value_option("cookie-jar", 'c', OptionEffect::Ignored),
    switch_option("create-dirs", NO_SHORT, OptionEffect::Ignored),
    value_option("data", 'd', OptionEffect::Data(DataEncoding::Plain)),
    value_option("data-ascii", NO_SHORT, OptionEffect::Data(DataEncoding::Plain)),
    value_option("data-binary", NO_SHORT, OptionEffect::Data(DataEncoding::Plain)),
    value_option("data-raw", NO_SHORT, OptionEffect::Data(DataEncoding::Raw)),
    value_option("data-urlencode", NO_SHORT, OptionEffect::Data(DataEncoding::Percent)),
    value_option("dump-header", 'D', OptionEffect::Ignored),
    switch_option("fail", 'f', OptionEffect::Ignored),
    switch_option("fail-with-body", NO_SHORT, OptionEffect::Ignored),
    value_option("form", 'F', OptionEffect::FormPart),
    value_option("form-string", NO_SHORT, OptionEffect::LiteralFormPart),
    switch_option("get", 'G', OptionEffect::Get),
    switch_option("globoff", 'g', OptionEffect::NoGlob),
    switch_option("head", 'I', OptionEffect::Head),
    value_option("header", 'H', OptionEffect::Header),
    switch_option("http1.0", '0', OptionEffect::Version("HTTP/1.0")),
    switch_option("http1.1", NO_SHORT, OptionEffect::Version("HTTP/1.1")),
    switch_option("http2", NO_SHORT, OptionEffect::Version("HTTP/2")),
    switch_option("http2-prior-knowledge", NO_SHORT, OptionEffect::Version("HTTP/2")),
    switch_option("http3", NO_SHORT, OptionEffect::Version("HTTP/3")),
    switch_option("http3-only", NO_SHORT, OptionEffect::Version("HTTP/3")),
    switch_option("include", 'i', OptionEffect::Ignored),
    switch_option("insecure", 'k', OptionEffect::Ignored),
    value_option("interface", NO_SHORT, OptionEffect::IgnoredWithNote),
    switch_option("ipv4", '4', OptionEffect::Ignored),
    switch_option("ipv6", '6', OptionEffect::Ignored),
    value_option("json", NO_SHORT, OptionEffect::Data(DataEncoding::Json)),
    switch_option("keepalive", NO_SHORT, OptionEffect::Ignored),
    value_option("key", NO_SHORT, OptionEffect::Ignored),
    value_option("limit-rate", NO_SHORT, OptionEffect::Ignored),
    switch_option("location", 'L', OptionEffect::Ignored),
    switch_option("location-trusted", NO_SHORT, OptionEffect::Ignored),
    value_option("max-redirs", NO_SHORT, OptionEffect::Ignored),
    value_option("max-time", 'm', OptionEffect::Ignored),
    switch_option("next", ':', OptionEffect::Unsupported("only one request is supported")),
    switch_option("no-buffer", 'N', OptionEffect::Ignored),
    value_option("noproxy", NO_SHORT, OptionEffect::Ignored),
    value_option("oauth2-bearer", NO_SHORT, OptionEffect::Bearer),
    value_option("output", 'o', OptionEffect::Ignored),
    switch_option("path-as-is", NO_SHORT, OptionEffect::PathAsIs),
    switch_option("progress-bar", '#', OptionEffect::Ignored),
    value_option("proxy", 'x', OptionEffect::IgnoredWithNote),
    value_option("range", 'r', OptionEffect::Range),
    value_option("referer", 'e', OptionEffect::Referer),
    switch_option("remote-name", 'O', OptionEffect::Ignored),
    value_option("request", 'X', OptionEffect::Method),
    value_option("request-target", NO_SHORT, OptionEffect::RequestTarget),
    value_option("resolve", NO_SHORT, OptionEffect::IgnoredWithNote),
    value_option("retry", NO_SHORT, OptionEffect::Ignored),
    value_option("retry-delay", NO_SHORT, OptionEffect::Ignored),
    switch_option("show-error", 'S', OptionEffect::Ignored),
    switch_option("silent", 's', OptionEffect::Ignored),
    switch_option("ssl-reqd", NO_SHORT, OptionEffect::Ignored),
    value_option("stderr", NO_SHORT, OptionEffect::Ignored),
    switch_option("tcp-nodelay", NO_SHORT, OptionEffect::Ignored),
    value_option("tls-max", NO_SHORT, OptionEffect::IgnoredWithNote),
    switch_option("tlsv1", '1', OptionEffect::IgnoredWithNote),
    switch_option("tlsv1.0", NO_SHORT, OptionEffect::IgnoredWithNote),
    switch_option("tlsv1.1", NO_SHORT, OptionEffect::IgnoredWithNote),
    switch_option("tlsv1.2", NO_SHORT, OptionEffect::IgnoredWithNote),
    switch_option("tlsv1.3", NO_SHORT, OptionEffect::IgnoredWithNote),
    value_option("trace", NO_SHORT, OptionEffect::Ignored),
    value_option("trace-ascii", NO_SHORT, OptionEffect::Ignored),
    value_option("upload-file", 'T', OptionEffect::Upload),
    value_option("url", NO_SHORT, OptionEffect::Url),
    value_option("url-query", NO_SHORT, OptionEffect::Query),
    value_option("user", 'u', OptionEffect::User),
    value_option("user-agent", 'A', OptionEffect::UserAgent),
    switch_option("verbose", 'v', OptionEffect::Ignored),
    value_option("write-out", 'w', OptionEffect::Ignored),
];

/// Calls `apply` for each option and URL with the effect, the name as written, the value and the line.
pub(super) fn for_each_option(
    words: &[Word],
    mut apply: impl FnMut(OptionEffect, &str, &str, usize) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut words = words.iter();
    let mut has_only_urls_left = false;
    while let Some(word) = words.next() {
        let line = word.line;
        let take_value = |name: &str, words: &mut std::slice::Iter<'_, Word>| {
            let missing = || Error::new(format!("`{name}` needs a value")).at_line(line);
            words.next().map(|word| word.text.clone()).ok_or_else(missing)
        };
        if has_only_urls_left || !word.text.starts_with('-') || word.text == "-" {
            apply(OptionEffect::Url, "", &word.text, line)?;
        } else if word.text == "--" {
            has_only_urls_left = true;
        } else if let Some(name) = word.text.strip_prefix("--") {
            let (name, attached) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
            let spelling = format!("--{name}");
            let option = find_long_option(name).ok_or_else(|| unknown_option_error(&spelling).at_line(line))?;
            let value = match (option.takes_value, attached) {
                (false, _) => String::new(),
                (true, Some(value)) => value.to_owned(),
                (true, None) => take_value(&spelling, &mut words)?,
            };
            apply(option.effect, &spelling, &value, line)?;
        } else {
            let mut letters = word.text.strip_prefix('-').unwrap_or_default().chars();
            while let Some(letter) = letters.next() {
                let spelling = format!("-{letter}");
                let option = OPTIONS.iter().find(|option| option.short == letter && letter != NO_SHORT);
                let option = option.ok_or_else(|| unknown_option_error(&spelling).at_line(line))?;
                if !option.takes_value {
                    apply(option.effect, &spelling, "", line)?;
                    continue;
                }
                let attached = letters.as_str();
                let value = if attached.is_empty() { take_value(&spelling, &mut words)? } else { attached.to_owned() };
                apply(option.effect, &spelling, &value, line)?;
                break;
            }
        }
    }
    Ok(())
}

/// Finds an option by its long name. `--no-` before the name of a switch turns the switch off, which does not change
/// the request.
fn find_long_option(name: &str) -> Option<&'static OptionSpec> {
    const NEGATED: OptionSpec = switch_option("", NO_SHORT, OptionEffect::Ignored);
    let find = |name: &str| OPTIONS.iter().find(|option| option.long == name);
    find(name).or_else(|| find(name.strip_prefix("no-")?).filter(|option| !option.takes_value).map(|_| &NEGATED))
}

fn unknown_option_error(name: &str) -> Error {
    let error = Error::new(format!("unknown option `{}`", shorten(name)));
    let names = find_similar(name.trim_start_matches('-'), OPTIONS.iter().map(|option| option.long));
    match names.first().filter(|_| name.starts_with("--")) {
        Some(similar) => error
            .with_help(format!("did you mean `--{similar}`? Otherwise, remove it if it does not change the request")),
        None => error.with_help("remove it if it does not change the request"),
    }
}

/// Encodes the value of `--data-urlencode`. The part before the first `=` is a name, which is not encoded.
pub(super) fn percent_encode_data(value: &str) -> String {
    const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    let encode = |text: &str| utf8_percent_encode(text, ENCODED).to_string();
    match value.split_once('=') {
        None => encode(value),
        Some(("", content)) => encode(content),
        Some((name, content)) => format!("{name}={}", encode(content)),
    }
}

/// Resolves `.` and `..` as curl does (RFC 3986, section 5.2.4), and changes nothing else.
pub(super) fn remove_dot_segments(path: &str) -> String {
    if !path.split('/').any(|segment| matches!(segment, "." | "..")) {
        return path.to_owned();
    }
    let mut resolved: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        match segment {
            "." | ".." => {
                if segment == ".." {
                    resolved.pop();
                }
                if segments.peek().is_none() {
                    resolved.push("");
                }
            }
            other => resolved.push(other),
        }
    }
    format!("/{}", resolved.join("/"))
}

/// The boundary of every multipart body that [`build_multipart_body`] writes.
pub(super) const MULTIPART_BOUNDARY: &str = "------------------------zonewright";

/// A part of a multipart body.
pub(super) struct FormPart {
    /// The value of the option: `name=value`.
    pub(super) text: String,
    /// Whether `@`, `<` and `;type=` are literal in the value, as in `--form-string`.
    pub(super) is_literal: bool,
}

/// Writes a multipart body from parts such as `name=value;type=…`; `None` if a part is read from a file.
pub(super) fn build_multipart_body(parts: &[FormPart]) -> Result<Option<Vec<u8>>, Error> {
    let mut body = String::new();
    for FormPart { text, is_literal } in parts {
        let malformed = || Error::new(format!("expected `name=value`, found `{}`", shorten(text)));
        let (name, value) = text.split_once('=').ok_or_else(malformed)?;
        if !is_literal && value.starts_with(['@', '<']) {
            return Ok(None);
        }
        let typed_value = value.split_once(";type=").filter(|_| !is_literal);
        let (value, content_type) = typed_value.map_or((value, None), |(value, ty)| (value, Some(ty)));
        body.push_str(&format!("--{MULTIPART_BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n"));
        if let Some(content_type) = content_type {
            body.push_str(&format!("Content-Type: {content_type}\r\n"));
        }
        body.push_str(&format!("\r\n{value}\r\n"));
    }
    body.push_str(&format!("--{MULTIPART_BOUNDARY}--\r\n"));
    Ok(Some(body.into_bytes()))
}
