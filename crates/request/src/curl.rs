//! A curl command line, as people type it and as browsers copy it.
//!
//! The words are read as a POSIX shell reads them (`shell.rs`), or as the Windows command line does when
//! the text is escaped with `^`. Options that change the request are followed; those that only say
//! how it is sent or shown are ignored; one that is not known is an error, as nobody can say what it
//! does to the request.

mod options;
mod shell;

use crate::error::{Error, short};
use crate::request::{Header, MOST_HEADERS, Request, within_limits};
use crate::{MOST_BYTES, url, within};
use base64::{Engine, prelude::BASE64_STANDARD};
use options::{Effect, Form};
use shell::Word;

/// Reads a command line.
///
/// # Errors
/// When the quotes are not closed, an option is unknown or lacks its value, or the address is none.
pub fn parse(text: &str) -> Result<Request, Error> {
    within(text.as_bytes(), MOST_BYTES)?;
    let (words, mut notes) = shell::words(text)?;
    let mut words = words.into_iter().peekable();
    while words.next_if(|word| is_prompt(&word.text)).is_some() {}
    match words.next() {
        Some(word) if is_curl(&word.text) => {}
        Some(word) => {
            return Err(Error::new(format!("expected `curl`, found `{}`", short(&word.text))).on_line(word.line));
        }
        None => return Err(Error::new("the command is empty")),
    }
    let mut call = Call::default();
    let all: Vec<Word> = words.collect();
    options::each(&all, |effect, name, value, line| {
        call.apply(effect, name, value).map_err(|error| if error.line.is_none() { error.on_line(line) } else { error })
    })?;
    notes.append(&mut call.notes);
    let mut request = call.request()?;
    notes.append(&mut request.notes);
    request.notes = notes;
    within_limits(&request.headers).map_err(|(_, error)| error)?;
    Ok(request)
}

/// Whether a line begins like a curl command.
pub(crate) fn looks_like(line: &[u8]) -> bool {
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

/// What the options ask for.
#[derive(Default)]
struct Call {
    url: Option<String>,
    method: Option<String>,
    headers: Vec<String>,
    data: Option<Vec<u8>>,
    /// The body is in a file.
    unknown_body: bool,
    has_body: bool,
    parts: Vec<String>,
    json: bool,
    head: bool,
    get: bool,
    upload: bool,
    compressed: bool,
    globbing_off: bool,
    path_as_is: bool,
    cookies: Vec<String>,
    user_agent: Option<String>,
    referer: Option<String>,
    user: Option<String>,
    bearer: Option<String>,
    range: Option<String>,
    target: Option<String>,
    queries: Vec<String>,
    version: Option<&'static str>,
    notes: Vec<String>,
}

impl Call {
    fn apply(&mut self, effect: Effect, name: &str, value: &str) -> Result<(), Error> {
        let text = || Some(value.to_owned());
        match effect {
            Effect::Url if self.url.is_some() => {
                return Err(Error::new(format!("a second address `{}`", short(value)))
                    .with_help("a command of one request is read; quote an address with `&` in it"));
            }
            Effect::Url => self.url = text(),
            Effect::Method => self.method = text(),
            Effect::Header if value.starts_with('@') => {
                self.notes.push(format!("the headers in the file `{}` are not known", short(value)));
            }
            Effect::Header if self.headers.len() >= MOST_HEADERS => {
                return Err(Error::new(format!("more than {MOST_HEADERS} headers")));
            }
            Effect::Header => self.headers.push(value.to_owned()),
            Effect::Data(form) => self.add_data(form, name, value),
            Effect::Part => self.parts.push(value.to_owned()),
            Effect::Cookie if value.contains('=') => self.cookies.push(value.to_owned()),
            Effect::Cookie => self.notes.push(format!("the cookies in the file `{}` are not known", short(value))),
            Effect::UserAgent => self.user_agent = text(),
            Effect::Referer => self.referer = Some(value.strip_suffix(";auto").unwrap_or(value).to_owned()),
            Effect::User => self.user = text(),
            Effect::Bearer => self.bearer = text(),
            Effect::Range => self.range = text(),
            Effect::Target => self.target = text(),
            Effect::Query => self.queries.push(value.to_owned()),
            Effect::Head => self.head = true,
            Effect::Get => self.get = true,
            Effect::Upload => self.upload = true,
            Effect::Compressed => self.compressed = true,
            Effect::GlobbingOff => self.globbing_off = true,
            Effect::PathAsIs => self.path_as_is = true,
            Effect::Version(version) => self.version = Some(version),
            Effect::Ignored => {}
            Effect::Noted => self.notes.push(format!("`{name}` was left out: it does not change what the rules see")),
            Effect::Refused(why) => return Err(Error::new(format!("`{name}` cannot be followed: {why}"))),
        }
        Ok(())
    }

    fn add_data(&mut self, form: Form, name: &str, value: &str) {
        let file = match form {
            Form::Raw => None,
            Form::Encoded => value.split_once('@').filter(|(name, _)| !name.contains('=')).map(|(_, file)| file),
            Form::Plain | Form::Json => value.strip_prefix('@'),
        };
        self.has_body = true;
        self.json |= matches!(form, Form::Json);
        if let Some(file) = file {
            self.unknown_body = true;
            self.notes.push(format!("`{name}` reads the file `{}`: the body is not known", short(file)));
            return;
        }
        let bytes = match form {
            Form::Encoded => options::url_encoded(value).into_bytes(),
            _ => value.as_bytes().to_owned(),
        };
        match &mut self.data {
            None => self.data = Some(bytes),
            Some(data) => {
                if !matches!(form, Form::Json) {
                    data.push(b'&');
                }
                data.extend(bytes);
            }
        }
    }

    fn request(mut self) -> Result<Request, Error> {
        let text = self.url.take().ok_or_else(|| Error::new("the command has no address"))?;
        let text = if self.globbing_off { text } else { unglobbed(&text)? };
        let text = if text.contains("://") {
            text
        } else {
            self.notes.push(format!("`{}` names no scheme: curl takes `http`", short(&text)));
            format!("http://{text}")
        };
        let url = url::split(&text)?;
        let target = self.target(&url.target);
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
        let own = if self.head {
            "HEAD"
        } else if self.upload {
            "PUT"
        } else if (self.has_body && !self.get) || !self.parts.is_empty() {
            "POST"
        } else {
            "GET"
        };
        self.method.clone().unwrap_or_else(|| own.to_owned())
    }

    fn target(&mut self, target: &str) -> Vec<u8> {
        if let Some(target) = &self.target {
            return target.clone().into_bytes();
        }
        let (path, query) = target.split_once('?').map_or((target, None), |(path, query)| (path, Some(query)));
        let sent = if self.path_as_is { path.to_owned() } else { options::without_dots(path) };
        if sent != path {
            let (path, sent) = (short(path), short(&sent));
            self.notes.push(format!("curl sends the path `{sent}` for `{path}`, unless `--path-as-is` is given"));
        }
        let path = sent;
        let mut queries: Vec<&[u8]> = query.map(str::as_bytes).into_iter().collect();
        if self.get {
            queries.extend(self.data.as_deref());
        }
        queries.extend(self.queries.iter().map(String::as_bytes));
        if queries.is_empty() { path.into_bytes() } else { [path.as_bytes(), b"?", &queries.join(&b'&')].concat() }
    }

    fn set_headers(&mut self, request: &mut Request, url: &url::Url<'_>) -> Result<(), Error> {
        let mut removed = Vec::new();
        for header in &self.headers {
            // `Name:` takes the header away, `Name;` sends it empty.
            let (name, value) = match header.split_once(':') {
                Some((name, value)) => (name.trim(), value.trim()),
                None => match header.trim_end().strip_suffix(';') {
                    Some(name) => (name.trim(), ""),
                    None => return Err(Error::new(format!("expected `name: value`, found `{}`", short(header)))),
                },
            };
            let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
            let pseudo = name.is_empty() && header.starts_with(':');
            if pseudo {
                continue;
            }
            if name.is_empty() || !name.bytes().all(is_token) {
                return Err(Error::new(format!("`{}` is no header name", short(name))));
            }
            if value.is_empty() && header.contains(':') {
                removed.push(name.to_ascii_lowercase());
            } else {
                request.add(name, value);
            }
        }
        request.add_host(&url.authority);
        let defaults = self.default_headers(url);
        for (name, value) in defaults {
            request.add_default(name, value);
        }
        if request.header("user-agent").is_none() && !removed.contains(&"user-agent".to_owned()) {
            request.add("User-Agent", "curl/8.17.0");
            self.notes.push("no User-Agent is given: `curl/8.17.0` is assumed, as curl sends its version".to_owned());
        }
        // `-A ''` takes the header away, too.
        let unwanted = |header: &Header| {
            let silent = header.name == "User-Agent" && header.value.is_empty();
            silent || removed.contains(&header.name.to_ascii_lowercase())
        };
        request.headers.retain(|header| !unwanted(header));
        Ok(())
    }

    /// What curl sends when no `-H` says otherwise.
    fn default_headers(&self, url: &url::Url<'_>) -> Vec<(&'static str, String)> {
        let mut headers = Vec::new();
        let mut add = |name, value: &Option<String>| headers.extend(value.clone().map(|value| (name, value)));
        add("User-Agent", &self.user_agent);
        add("Referer", &self.referer);
        add("Range", &self.range.as_ref().map(|range| format!("bytes={range}")));
        let user = self.user.as_deref().or(url.user);
        add("Authorization", &user.map(|user| format!("Basic {}", BASE64_STANDARD.encode(user))));
        add("Authorization", &self.bearer.as_ref().map(|token| format!("Bearer {token}")));
        add("Cookie", &(!self.cookies.is_empty()).then(|| self.cookies.join("; ")));
        add("Accept-Encoding", &self.compressed.then(|| "deflate, gzip, br, zstd".to_owned()));
        add("Accept", &Some(if self.json { "application/json" } else { "*/*" }.to_owned()));
        let content_type = if self.json { "application/json" } else { "application/x-www-form-urlencoded" };
        add("Content-Type", &(self.has_body && !self.get).then(|| content_type.to_owned()));
        headers
    }

    fn set_body(&mut self, request: &mut Request) -> Result<(), Error> {
        if !self.parts.is_empty() {
            request.add_default("Content-Type", format!("multipart/form-data; boundary={}", options::BOUNDARY));
            request.body = options::multipart(&self.parts)?;
            if request.body.is_none() {
                self.notes.push("a part of the form is read from a file: the body is not known".to_owned());
            }
        } else if self.upload || self.unknown_body {
            request.body = None;
        } else if self.get {
            request.body = Some(Vec::new());
        } else {
            request.body = Some(self.data.take().unwrap_or_default());
        }
        if let Some(body) = request.body.as_ref().filter(|body| !body.is_empty() || self.has_body) {
            let length = body.len();
            if !self.get {
                request.add_default("Content-Length", length.to_string());
            }
        }
        Ok(())
    }
}

/// The address with the escapes of curl's patterns undone, as browsers write them.
fn unglobbed(text: &str) -> Result<String, Error> {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let host_end = text.find("://").map_or(0, |at| at + 3);
    let path = text.get(host_end..).and_then(|rest| rest.find(['/', '?'])).map_or(text.len(), |at| host_end + at);
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek().is_some_and(|next| matches!(next, '[' | ']' | '{' | '}')) => out.extend(chars.next()),
            '[' | '{' if out.len() >= path => {
                return Err(Error::new(format!("`{c}` in the address stands for several requests"))
                    .with_help("escape it as `%5B` or `%7B`, or add `--globoff`"));
            }
            c => out.push(c),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests;
