//! The options of curl, and what those with many forms mean.

use super::shell::Word;
use crate::error::{Error, short};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use zonewright_diagnostic::similar;

/// What an option does to the request.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effect {
    Url,
    Method,
    Header,
    Data(Form),
    Part,
    Cookie,
    UserAgent,
    Referer,
    User,
    Bearer,
    Range,
    Target,
    Query,
    Head,
    Get,
    Upload,
    Compressed,
    GlobbingOff,
    PathAsIs,
    Version(&'static str),
    /// Nothing that is worth a word.
    Ignored,
    /// Nothing, but someone could expect something.
    Noted,
    Refused(&'static str),
}

/// In which form data is given.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Plain,
    Raw,
    Encoded,
    Json,
}

struct Opt {
    long: &'static str,
    short: char,
    value: bool,
    effect: Effect,
}

const fn flag(long: &'static str, short: char, effect: Effect) -> Opt {
    Opt { long, short, value: false, effect }
}

const fn with(long: &'static str, short: char, effect: Effect) -> Opt {
    Opt { long, short, value: true, effect }
}

/// No short form.
const NO: char = '\0';

const OPTIONS: &[Opt] = &[
    flag("anyauth", NO, Effect::Ignored),
    flag("basic", NO, Effect::Ignored),
    with("cacert", NO, Effect::Ignored),
    with("cert", 'E', Effect::Noted),
    with("ciphers", NO, Effect::Noted),
    flag("compressed", NO, Effect::Compressed),
    with("config", 'K', Effect::Refused("its options are in a file")),
    with("connect-timeout", NO, Effect::Ignored),
    with("connect-to", NO, Effect::Noted),
    with("cookie", 'b', Effect::Cookie),
    with("cookie-jar", 'c', Effect::Ignored),
    flag("create-dirs", NO, Effect::Ignored),
    with("data", 'd', Effect::Data(Form::Plain)),
    with("data-ascii", NO, Effect::Data(Form::Plain)),
    with("data-binary", NO, Effect::Data(Form::Plain)),
    with("data-raw", NO, Effect::Data(Form::Raw)),
    with("data-urlencode", NO, Effect::Data(Form::Encoded)),
    with("dump-header", 'D', Effect::Ignored),
    flag("fail", 'f', Effect::Ignored),
    flag("fail-with-body", NO, Effect::Ignored),
    with("form", 'F', Effect::Part),
    with("form-string", NO, Effect::Part),
    flag("get", 'G', Effect::Get),
    flag("globoff", 'g', Effect::GlobbingOff),
    flag("head", 'I', Effect::Head),
    with("header", 'H', Effect::Header),
    flag("http1.0", '0', Effect::Version("HTTP/1.0")),
    flag("http1.1", NO, Effect::Version("HTTP/1.1")),
    flag("http2", NO, Effect::Version("HTTP/2")),
    flag("http2-prior-knowledge", NO, Effect::Version("HTTP/2")),
    flag("http3", NO, Effect::Version("HTTP/3")),
    flag("http3-only", NO, Effect::Version("HTTP/3")),
    flag("include", 'i', Effect::Ignored),
    flag("insecure", 'k', Effect::Ignored),
    with("interface", NO, Effect::Noted),
    flag("ipv4", '4', Effect::Ignored),
    flag("ipv6", '6', Effect::Ignored),
    with("json", NO, Effect::Data(Form::Json)),
    flag("keepalive", NO, Effect::Ignored),
    with("key", NO, Effect::Ignored),
    with("limit-rate", NO, Effect::Ignored),
    flag("location", 'L', Effect::Ignored),
    flag("location-trusted", NO, Effect::Ignored),
    with("max-redirs", NO, Effect::Ignored),
    with("max-time", 'm', Effect::Ignored),
    flag("next", ':', Effect::Refused("a command of one request is read")),
    flag("no-buffer", 'N', Effect::Ignored),
    with("noproxy", NO, Effect::Ignored),
    with("oauth2-bearer", NO, Effect::Bearer),
    with("output", 'o', Effect::Ignored),
    flag("path-as-is", NO, Effect::PathAsIs),
    flag("progress-bar", '#', Effect::Ignored),
    with("proxy", 'x', Effect::Noted),
    with("range", 'r', Effect::Range),
    with("referer", 'e', Effect::Referer),
    flag("remote-name", 'O', Effect::Ignored),
    with("request", 'X', Effect::Method),
    with("request-target", NO, Effect::Target),
    with("resolve", NO, Effect::Noted),
    with("retry", NO, Effect::Ignored),
    with("retry-delay", NO, Effect::Ignored),
    flag("show-error", 'S', Effect::Ignored),
    flag("silent", 's', Effect::Ignored),
    flag("ssl-reqd", NO, Effect::Ignored),
    with("stderr", NO, Effect::Ignored),
    flag("tcp-nodelay", NO, Effect::Ignored),
    with("tls-max", NO, Effect::Noted),
    flag("tlsv1", '1', Effect::Noted),
    flag("tlsv1.0", NO, Effect::Noted),
    flag("tlsv1.1", NO, Effect::Noted),
    flag("tlsv1.2", NO, Effect::Noted),
    flag("tlsv1.3", NO, Effect::Noted),
    with("trace", NO, Effect::Ignored),
    with("trace-ascii", NO, Effect::Ignored),
    with("upload-file", 'T', Effect::Upload),
    with("url", NO, Effect::Url),
    with("url-query", NO, Effect::Query),
    with("user", 'u', Effect::User),
    with("user-agent", 'A', Effect::UserAgent),
    flag("verbose", 'v', Effect::Ignored),
    with("write-out", 'w', Effect::Ignored),
];

/// Calls `apply` with each option and address: what it does, as it was written, its value, its line.
pub(super) fn each(
    words: &[Word],
    mut apply: impl FnMut(Effect, &str, &str, usize) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut words = words.iter();
    let mut only_addresses = false;
    while let Some(word) = words.next() {
        let line = word.line;
        let value_of = |name: &str, words: &mut std::slice::Iter<'_, Word>| {
            let missing = || Error::new(format!("`{name}` lacks its value")).on_line(line);
            words.next().map(|word| word.text.clone()).ok_or_else(missing)
        };
        if only_addresses || !word.text.starts_with('-') || word.text == "-" {
            apply(Effect::Url, "", &word.text, line)?;
        } else if word.text == "--" {
            only_addresses = true;
        } else if let Some(name) = word.text.strip_prefix("--") {
            let (name, attached) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
            let option = long(name).ok_or_else(|| unknown(&format!("--{name}")).on_line(line))?;
            let shown = format!("--{name}");
            let value = match (option.value, attached) {
                (false, _) => String::new(),
                (true, Some(value)) => value.to_owned(),
                (true, None) => value_of(&shown, &mut words)?,
            };
            apply(option.effect, &shown, &value, line)?;
        } else {
            let mut letters = word.text.strip_prefix('-').unwrap_or_default().chars();
            while let Some(letter) = letters.next() {
                let shown = format!("-{letter}");
                let option = OPTIONS.iter().find(|option| option.short == letter && letter != NO);
                let option = option.ok_or_else(|| unknown(&shown).on_line(line))?;
                if !option.value {
                    apply(option.effect, &shown, "", line)?;
                    continue;
                }
                let attached = letters.as_str();
                let value = if attached.is_empty() { value_of(&shown, &mut words)? } else { attached.to_owned() };
                apply(option.effect, &shown, &value, line)?;
                break;
            }
        }
    }
    Ok(())
}

/// A switch can be turned off by `--no-`, which is as good as leaving it out.
fn long(name: &str) -> Option<&'static Opt> {
    const OFF: Opt = flag("", NO, Effect::Ignored);
    let known = |name: &str| OPTIONS.iter().find(|option| option.long == name);
    known(name).or_else(|| known(name.strip_prefix("no-")?).filter(|option| !option.value).map(|_| &OFF))
}

fn unknown(name: &str) -> Error {
    let error = Error::new(format!("`{}` is no option that is known here", short(name)));
    let names = similar(name.trim_start_matches('-'), OPTIONS.iter().map(|option| option.long));
    match names.first().filter(|_| name.starts_with("--")) {
        Some(close) => {
            error.with_help(format!("did you mean `--{close}`? Otherwise leave it out if the request stays the same"))
        }
        None => error.with_help("leave it out if the request stays the same"),
    }
}

/// What `--data-urlencode` makes of its value: the part before the first `=` is a name and stays.
pub(super) fn url_encoded(value: &str) -> String {
    const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    let encode = |text: &str| utf8_percent_encode(text, KEPT).to_string();
    match value.split_once('=') {
        None => encode(value),
        Some(("", content)) => encode(content),
        Some((name, content)) => format!("{name}={}", encode(content)),
    }
}

/// The path without `.` and `..`, which curl resolves by itself; nothing else is changed.
pub(super) fn without_dots(path: &str) -> String {
    if !path.split('/').any(|segment| matches!(segment, "." | "..")) {
        return path.to_owned();
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        match segment {
            "." | ".." => {
                if segment == ".." {
                    kept.pop();
                }
                if segments.peek().is_none() {
                    kept.push("");
                }
            }
            other => kept.push(other),
        }
    }
    format!("/{}", kept.join("/"))
}

/// The boundary of the forms that are put together here.
pub(super) const BOUNDARY: &str = "------------------------zonewright";

/// The body of a form of these parts, each `name=value;type=…`; `None` when one is read from a file.
pub(super) fn multipart(parts: &[String]) -> Result<Option<Vec<u8>>, Error> {
    let mut body = String::new();
    for part in parts {
        let wrong = || Error::new(format!("expected `name=value`, found `{}`", short(part)));
        let (name, value) = part.split_once('=').ok_or_else(wrong)?;
        if value.starts_with(['@', '<']) {
            return Ok(None);
        }
        let (value, content_type) = value.split_once(";type=").map_or((value, None), |(value, ty)| (value, Some(ty)));
        body.push_str(&format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n"));
        if let Some(content_type) = content_type {
            body.push_str(&format!("Content-Type: {content_type}\r\n"));
        }
        body.push_str(&format!("\r\n{value}\r\n"));
    }
    body.push_str(&format!("--{BOUNDARY}--\r\n"));
    Ok(Some(body.into_bytes()))
}
