//! Parses a curl command line into the request that curl sends. Users type the command or copy it from a browser.
//!
//! `shell.rs` splits the words by the rules of a POSIX shell, or of the Windows command line if the text is
//! escaped with `^`. [`CurlCommand`] applies the options that change the request and ignores options that
//! change only transport or output. An unknown option is an error, because its effect is unknown.

mod options;
mod shell;

use crate::error::{Error, shorten};
use crate::request::{Header, MAX_HEADERS, Request, check_header_limits};
use crate::{MAX_INPUT_BYTES, check_size, url};
use base64::{Engine, prelude::BASE64_STANDARD};
use options::{DataEncoding, FormPart, OptionEffect};
use shell::Word;
use zonewright_diagnostic::group_digits;

/// Parses a command line.
///
/// # Errors
/// Returns an error if a quote is unclosed, an option is unknown, unsupported or without a value, the URL or a header
/// is invalid, or the input is too large.
pub fn parse_curl(text: &str) -> Result<Request, Error> {
    check_size(text.as_bytes(), MAX_INPUT_BYTES)?;
    let (words, mut notes) = shell::split_words(text)?;
    let mut words = words.into_iter().peekable();
    while words.next_if(|word| is_prompt(&word.text)).is_some() {}
    match words.next() {
        Some(word) if is_curl(&word.text) => {}
        Some(word) => {
            return Err(Error::new(format!("expected `curl`, found `{}`", shorten(&word.text))).at_line(word.line));
        }
        None => return Err(Error::new("the command is empty")),
    }
    let mut command = CurlCommand::default();
    let arguments: Vec<Word> = words.collect();
    options::for_each_option(&arguments, |effect, name, value, line| {
        let add_line = |error: Error| if error.line.is_none() { error.at_line(line) } else { error };
        command.apply(effect, name, value).map_err(add_line)
    })?;
    notes.append(&mut command.notes);
    let mut request = command.into_request()?;
    notes.append(&mut request.notes);
    request.notes = notes;
    check_header_limits(&request.headers).map_err(|(_, error)| error)?;
    Ok(request)
}

/// Returns whether a line begins with `curl`, after shell prompts.
pub(crate) fn looks_like_curl(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line.get(..200).unwrap_or(line)).into_owned();
    let mut words = line.split_whitespace().skip_while(|word| is_prompt(word));
    words.next().is_some_and(is_curl)
}

fn is_prompt(word: &str) -> bool {
    matches!(word, "$" | "%" | ">" | "#")
}

fn is_curl(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or_default();
    name == "curl" || name.eq_ignore_ascii_case("curl.exe")
}

/// The collected options of a command.
#[derive(Default)]
struct CurlCommand {
    url: Option<String>,
    method: Option<String>,
    headers: Vec<String>,
    data: Option<Vec<u8>>,
    /// The names of data options that read a file, with the file.
    data_files: Vec<(String, String)>,
    has_body: bool,
    form_parts: Vec<FormPart>,
    json: bool,
    head: bool,
    get: bool,
    upload: bool,
    compressed: bool,
    no_glob: bool,
    path_as_is: bool,
    cookies: Vec<String>,
    user_agent: Option<String>,
    referer: Option<String>,
    /// The user name and password of `--user`.
    credentials: Option<String>,
    bearer: Option<String>,
    range: Option<String>,
    request_target: Option<String>,
    queries: Vec<String>,
    version: Option<&'static str>,
    notes: Vec<String>,
}

impl CurlCommand {
    fn apply(&mut self, effect: OptionEffect, name: &str, value: &str) -> Result<(), Error> {
        let text = || Some(value.to_owned());
        match effect {
            OptionEffect::Url if self.url.is_some() => {
                return Err(Error::new(format!("unexpected second URL `{}`", shorten(value)))
                    .with_help("only one request is supported; put a URL that contains `&` in quotes"));
            }
            OptionEffect::Url => self.url = text(),
            OptionEffect::Method => self.method = text(),
            OptionEffect::Header if let Some(file) = value.strip_prefix('@') => {
                self.notes.push(format!("the headers in the file `{}` are unknown", shorten(file)));
            }
            OptionEffect::Header if self.headers.len() >= MAX_HEADERS => {
                return Err(Error::new(format!("too many headers; the limit is {}", group_digits(MAX_HEADERS))));
            }
            OptionEffect::Header => self.headers.push(value.to_owned()),
            OptionEffect::Data(encoding) => self.add_data(encoding, name, value),
            OptionEffect::FormPart | OptionEffect::LiteralFormPart => {
                let is_literal = matches!(effect, OptionEffect::LiteralFormPart);
                self.form_parts.push(FormPart { text: value.to_owned(), is_literal });
            }
            OptionEffect::Cookie if value.contains('=') => self.cookies.push(value.to_owned()),
            OptionEffect::Cookie => {
                self.notes.push(format!("the cookies in the file `{}` are unknown", shorten(value)))
            }
            OptionEffect::UserAgent => self.user_agent = text(),
            OptionEffect::Referer => self.referer = Some(value.strip_suffix(";auto").unwrap_or(value).to_owned()),
            OptionEffect::User => self.credentials = text(),
            OptionEffect::Bearer => self.bearer = text(),
            OptionEffect::Range => self.range = text(),
            OptionEffect::RequestTarget => self.request_target = text(),
            OptionEffect::Query => self.queries.push(value.to_owned()),
            OptionEffect::Head => self.head = true,
            OptionEffect::Get => self.get = true,
            OptionEffect::Upload => {
                self.upload = true;
                self.notes.push(format!("`{name}` reads the file `{}`, so the body is unknown", shorten(value)));
            }
            OptionEffect::Compressed => self.compressed = true,
            OptionEffect::NoGlob => self.no_glob = true,
            OptionEffect::PathAsIs => self.path_as_is = true,
            OptionEffect::Version(version) => self.version = Some(version),
            OptionEffect::Ignored => {}
            OptionEffect::IgnoredWithNote => {
                self.notes.push(format!("`{name}` was ignored, because it does not affect which rules match"));
            }
            OptionEffect::Unsupported(reason) => {
                return Err(Error::new(format!("`{name}` is not supported: {reason}")));
            }
        }
        Ok(())
    }

    fn add_data(&mut self, encoding: DataEncoding, name: &str, value: &str) {
        let file = match encoding {
            DataEncoding::Raw => None,
            DataEncoding::Percent => {
                value.split_once('@').filter(|(name, _)| !name.contains('=')).map(|(_, file)| file)
            }
            DataEncoding::Plain | DataEncoding::Json => value.strip_prefix('@'),
        };
        self.has_body = true;
        self.json |= matches!(encoding, DataEncoding::Json);
        if let Some(file) = file {
            self.data_files.push((name.to_owned(), shorten(file)));
            return;
        }
        let bytes = match encoding {
            DataEncoding::Percent => options::percent_encode_data(value).into_bytes(),
            _ => value.as_bytes().to_owned(),
        };
        match &mut self.data {
            None => self.data = Some(bytes),
            Some(data) => {
                if !matches!(encoding, DataEncoding::Json) {
                    data.push(b'&');
                }
                data.extend(bytes);
            }
        }
    }

    fn into_request(mut self) -> Result<Request, Error> {
        let text = self.url.take().ok_or_else(|| Error::new("the command has no URL"))?;
        let text = if self.no_glob { text } else { unescape_globs(&text)? };
        let text = if text.contains("://") {
            text
        } else {
            self.notes.push(format!("`{}` has no scheme, so curl uses `http`", shorten(&text)));
            format!("http://{text}")
        };
        let unknown_part = if self.get { "a part of the query" } else { "the body" };
        for (name, file) in &self.data_files {
            self.notes.push(format!("`{name}` reads the file `{file}`, so {unknown_part} is unknown"));
        }
        let url = url::parse(&text)?;
        let target = self.build_target(&url.target);
        let mut request = Request {
            https: Some(url.https),
            port: Some(url.port),
            version: self.version,
            method: self.method(),
            target,
            ..Request::default()
        };
        self.set_headers(&mut request, &url)?;
        self.set_body(&mut request)?;
        request.notes = self.notes;
        Ok(request)
    }

    fn method(&self) -> String {
        let default = if self.head {
            "HEAD"
        } else if self.upload {
            "PUT"
        } else if (self.has_body && !self.get) || !self.form_parts.is_empty() {
            "POST"
        } else {
            "GET"
        };
        self.method.clone().unwrap_or_else(|| default.to_owned())
    }

    /// Returns the request target that curl sends, and adds a note if curl changes the path.
    fn build_target(&mut self, target: &str) -> Vec<u8> {
        if let Some(target) = &self.request_target {
            return target.clone().into_bytes();
        }
        let (path, query) = target.split_once('?').map_or((target, None), |(path, query)| (path, Some(query)));
        let sent_path = if self.path_as_is { path.to_owned() } else { options::remove_dot_segments(path) };
        if sent_path != path {
            let (path, sent_path) = (shorten(path), shorten(&sent_path));
            self.notes.push(format!("curl sends the path `{sent_path}` instead of `{path}` without `--path-as-is`"));
        }
        let mut queries: Vec<&[u8]> = query.map(str::as_bytes).into_iter().collect();
        if self.get {
            queries.extend(self.data.as_deref());
        }
        queries.extend(self.queries.iter().map(String::as_bytes));
        if queries.is_empty() {
            sent_path.into_bytes()
        } else {
            [sent_path.as_bytes(), b"?", &queries.join(&b'&')].concat()
        }
    }

    fn set_headers(&mut self, request: &mut Request, url: &url::ParsedUrl<'_>) -> Result<(), Error> {
        let mut removed = Vec::new();
        for header in &self.headers {
            // `Name:` removes the header; `Name;` sends it with an empty value.
            let (name, value) = match header.split_once(':') {
                Some((name, value)) => (name.trim(), value.trim()),
                None => match header.trim_end().strip_suffix(';') {
                    Some(name) => (name.trim(), ""),
                    None => return Err(Error::new(format!("expected `name: value`, found `{}`", shorten(header)))),
                },
            };
            let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
            let is_pseudo_header = name.is_empty() && header.starts_with(':');
            if is_pseudo_header {
                continue;
            }
            if name.is_empty() || !name.bytes().all(is_token) {
                return Err(Error::new(format!("invalid header name `{}`", shorten(name))));
            }
            if value.is_empty() && header.contains(':') {
                removed.push(name.to_ascii_lowercase());
            } else {
                request.add_header(name, value);
            }
        }
        request.add_host_header(&url.authority);
        for (name, value) in self.default_headers(url) {
            request.add_default_header(name, value);
        }
        if request.header("user-agent").is_none() && !removed.contains(&"user-agent".to_owned()) {
            request.add_header("User-Agent", "curl/8.17.0");
            self.notes.push("curl sends its version as User-Agent, so `curl/8.17.0` is assumed".to_owned());
        }
        // `-A ''` also removes `User-Agent`.
        let is_removed = |header: &Header| {
            let is_empty_agent = header.name == "User-Agent" && header.value.is_empty();
            is_empty_agent || removed.contains(&header.name.to_ascii_lowercase())
        };
        request.headers.retain(|header| !is_removed(header));
        Ok(())
    }

    /// Returns the headers that curl sends unless `-H` overrides them.
    fn default_headers(&self, url: &url::ParsedUrl<'_>) -> Vec<(&'static str, String)> {
        let mut headers = Vec::new();
        let mut add = |name, value: &Option<String>| headers.extend(value.clone().map(|value| (name, value)));
        add("User-Agent", &self.user_agent);
        add("Referer", &self.referer);
        add("Range", &self.range.as_ref().map(|range| format!("bytes={range}")));
        let credentials = self.credentials.as_deref().or(url.user);
        let basic = |credentials| format!("Basic {}", BASE64_STANDARD.encode(credentials));
        add("Authorization", &credentials.map(basic));
        add("Authorization", &self.bearer.as_ref().map(|token| format!("Bearer {token}")));
        add("Cookie", &(!self.cookies.is_empty()).then(|| self.cookies.join("; ")));
        add("Accept-Encoding", &self.compressed.then(|| "deflate, gzip, br, zstd".to_owned()));
        add("Accept", &Some(if self.json { "application/json" } else { "*/*" }.to_owned()));
        let content_type = if self.json { "application/json" } else { "application/x-www-form-urlencoded" };
        add("Content-Type", &(self.has_body && !self.get).then(|| content_type.to_owned()));
        headers
    }

    fn set_body(&mut self, request: &mut Request) -> Result<(), Error> {
        if !self.form_parts.is_empty() {
            let content_type = format!("multipart/form-data; boundary={}", options::MULTIPART_BOUNDARY);
            request.add_default_header("Content-Type", content_type);
            request.body = options::build_multipart_body(&self.form_parts)?;
            if request.body.is_none() {
                self.notes.push("a form part is read from a file, so the body is unknown".to_owned());
            }
        } else if self.upload {
            request.body = None;
        } else if self.get {
            request.body = Some(Vec::new());
        } else if !self.data_files.is_empty() {
            request.body = None;
        } else {
            request.body = Some(self.data.take().unwrap_or_default());
        }
        if let Some(body) = request.body.as_ref().filter(|body| !body.is_empty() || self.has_body) {
            let length = body.len();
            if !self.get {
                request.add_default_header("Content-Length", length.to_string());
            }
        }
        Ok(())
    }
}

/// Removes the escapes that browsers write before the glob characters of curl. An unescaped glob after the host is an
/// error.
fn unescape_globs(text: &str) -> Result<String, Error> {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let host_start = text.find("://").map_or(0, |index| index + 3);
    let host_length = text.get(host_start..).and_then(|rest| rest.find(['/', '?']));
    let path_start = host_length.map_or(text.len(), |length| host_start + length);
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek().is_some_and(|next| matches!(next, '[' | ']' | '{' | '}')) => out.extend(chars.next()),
            '[' | '{' if out.len() >= path_start => {
                return Err(Error::new(format!("`{c}` in the URL makes curl send several requests"))
                    .with_help("escape it as `%5B` or `%7B`, or add `--globoff`"));
            }
            c => out.push(c),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests;
