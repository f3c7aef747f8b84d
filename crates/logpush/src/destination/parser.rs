//! Parses the parts that all destinations share: [`DestinationParser`] splits the text and collects errors.
//!
//! No message contains a value, because any value may be a secret.

use super::scheme::Scheme;
use percent_encoding::percent_decode_str;
use zonewright_api::{ValidationError, join_names};
use zonewright_diagnostic::find_similar;

/// The part of an error pointer that names the text between `//` and the path.
pub(super) const HOST_POINTER: &str = "host";
/// The part of an error pointer that names the path.
pub(super) const PATH_POINTER: &str = "path";

/// A destination while it is parsed.
pub(super) struct DestinationParser {
    pub(super) scheme: Scheme,
    /// The text between `//` and the path: a bucket, or a host with an optional port.
    pub(super) host: String,
    /// The path with its leading slash, percent-encoded.
    pub(super) path: String,
    /// The parameters after `?` that have not been consumed, in their order.
    pub(super) parameters: Vec<Parameter>,
    /// The errors so far.
    pub(super) errors: Vec<ValidationError>,
}

/// A parameter of a destination.
#[derive(Clone)]
pub(super) struct Parameter {
    /// The decoded name.
    pub(super) name: String,
    /// The decoded value.
    pub(super) value: String,
    /// The name and the value, verbatim.
    pub(super) raw: String,
}

/// Common wrong names of schemes, with the schemes that they mean.
pub(super) const SCHEME_ALIASES: [(&str, Scheme); 13] = [
    ("abfs", Scheme::Azure),
    ("axiom", Scheme::Https),
    ("bigquery", Scheme::BigQuery),
    ("elastic", Scheme::Https),
    ("elasticsearch", Scheme::Https),
    ("gcs", Scheme::Gcs),
    ("ibm", Scheme::IbmLogs),
    ("loki", Scheme::Https),
    ("minio", Scheme::S3),
    ("newrelic", Scheme::Https),
    ("s3a", Scheme::S3),
    ("sumologic", Scheme::SumoLogic),
    ("wasb", Scheme::Azure),
];

impl DestinationParser {
    /// Splits a destination. Returns an error if it has no scheme, an unknown scheme or an invalid character.
    pub(super) fn new(text: &str) -> Result<DestinationParser, ValidationError> {
        let Some((scheme, rest)) = text.split_once("://") else {
            let scheme = text.split_once(':').map(|(scheme, _)| scheme);
            let problem = match scheme.and_then(Scheme::from_name) {
                _ if text.is_empty() => "is empty",
                Some(_) => "has no `://` after the scheme",
                None => "has no scheme",
            };
            return Err(error(format!("the destination {problem}; use the form `{}`", Scheme::S3.template())));
        };
        let scheme = Scheme::from_name(scheme).ok_or_else(|| error(unknown_scheme(scheme)))?;
        if let Some(invalid) =
            rest.chars().find(|char| char.is_control() || matches!(char, ' ' | '<' | '>' | '#' | '\\'))
        {
            return Err(error(match invalid {
                '<' | '>' => {
                    format!(
                        "the destination still contains the `<` and `>` of an example; replace the placeholders in `{}`",
                        scheme.template()
                    )
                }
                '#' => "a destination must not contain `#`; encode it as `%23` in a value".to_owned(),
                ' ' => "a destination must not contain spaces; encode them as `%20` in a value".to_owned(),
                other => format!("a destination must not contain `{}`", other.escape_debug()),
            }));
        }
        let (location, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (host, path) =
            location.find('/').and_then(|index| location.split_at_checked(index)).unwrap_or((location, ""));
        let mut parser = DestinationParser {
            scheme,
            host: host.to_owned(),
            path: path.to_owned(),
            parameters: Vec::new(),
            errors: Vec::new(),
        };
        for part in query.split('&').filter(|part| !part.is_empty()) {
            parser.add_parameter(part);
        }
        Ok(parser)
    }

    fn add_parameter(&mut self, part: &str) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let (Some(name), Some(value)) = (percent_decode_strict(name), percent_decode_strict(value)) else {
            return self.report("a parameter contains `%` without two hexadecimal digits, or is not valid UTF-8");
        };
        if self.parameters.iter().any(|other| other.name.eq_ignore_ascii_case(&name)) {
            // The message omits the name, because it may be part of a secret with an unencoded `&`.
            return self.report("a parameter occurs twice; encode `&` in a value as `%26`");
        }
        self.parameters.push(Parameter { name, value, raw: part.to_owned() });
    }

    /// Reports an error of the destination as a whole.
    pub(super) fn report(&mut self, message: impl Into<String>) {
        self.errors.push(error(message));
    }

    /// Reports an error of a part: `host`, `path`, or the name of a parameter.
    pub(super) fn report_at(&mut self, part: &str, message: impl Into<String>) {
        self.errors.push(error(message).with_pointer_prefix(&format!("/{part}")));
    }

    /// Reports an error of a part, with the template of the scheme.
    pub(super) fn report_with_template(&mut self, part: &str, requirement: &str) {
        self.report_at(part, format!("{requirement}; use the form `{}`", self.scheme.template()));
    }

    /// Consumes an optional parameter. An empty value counts as absent.
    pub(super) fn take_optional(&mut self, name: &str) -> Option<String> {
        let index = self.parameters.iter().position(|parameter| parameter.name == name)?;
        Some(self.parameters.remove(index).value).filter(|value| !value.is_empty())
    }

    /// Consumes a required parameter; `example` is a value for the message.
    pub(super) fn take_required(&mut self, name: &str, example: &str) -> String {
        let value = self.take_optional(name);
        if value.is_none() {
            self.report_at(name, format!("`{name}` is missing; add `{name}={example}`"));
        }
        value.unwrap_or_default()
    }

    /// Reports remaining parameters whose names resemble a parameter of the scheme; others are ignored (assumption
    /// plus-sign).
    pub(super) fn check_misspelled_parameters(&mut self) {
        let known: Vec<&str> = self.scheme.parameters().iter().map(|parameter| parameter.name).collect();
        let names: Vec<String> = self.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        for name in names {
            if let Some(similar) = find_similar(&name, known.iter().copied()).first() {
                self.report(format!(
                    "an unknown parameter resembles `{similar}`; the parameters are {}",
                    join_names(&known)
                ));
            }
        }
    }

    /// Checks the host as the name of a resource, and returns it. `kind` is `bucket` or `stream`. A name has only
    /// letters, digits, `.`, `_` and `-`.
    pub(super) fn check_resource_name(&mut self, kind: &str) -> String {
        let is_part = |char: char| char.is_ascii_alphanumeric() || matches!(char, '.' | '_' | '-');
        if self.host.contains('@') {
            self.report_with_template(HOST_POINTER, "keys before `@` are not supported");
        } else if self.host.is_empty() {
            self.report_with_template(HOST_POINTER, &format!("the {kind} is missing"));
        } else if !self.host.chars().all(is_part) {
            let message = format!("the name of the {kind} may contain only letters, digits, `.`, `_`, and `-`");
            self.report_at(HOST_POINTER, message);
        }
        self.host.clone()
    }

    /// Checks the host and returns its port, if it has one.
    pub(super) fn check_host(&mut self) -> Option<u16> {
        if self.host.contains('@') {
            self.report_at(
                HOST_POINTER,
                "a username and password before `@` are not supported; send them as `header_Authorization=Basic%20<token>`",
            );
            return None;
        }
        match parse_host_port(&self.host) {
            Some(port) => port,
            None => {
                self.report_with_template(HOST_POINTER, "the host is missing or malformed");
                None
            }
        }
    }

    /// Checks the path and its placeholders, and returns it decoded, without leading and trailing slashes.
    pub(super) fn check_folder(&mut self) -> String {
        let Some(path) = percent_decode_strict(&self.path) else {
            self.report_at(PATH_POINTER, "the path contains `%` without two hexadecimal digits, or is not valid UTF-8");
            return String::new();
        };
        if path.chars().any(char::is_control) {
            self.report_at(PATH_POINTER, "the path contains a control character");
        }
        if let Some(problem) = super::placeholder::check(&path) {
            self.report_at(PATH_POINTER, problem);
        }
        path.trim_matches('/').to_owned()
    }
}

/// Returns the port of a host, if it has one; the outer `None` if the text is not a host.
pub(super) fn parse_host_port(text: &str) -> Option<Option<u16>> {
    let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, port)) => {
            host.parse::<std::net::Ipv6Addr>().ok()?;
            (host, port.strip_prefix(':').or(port.is_empty().then_some("")))
        }
        None => text
            .split_once(':')
            .map_or((text, Some("")), |(host, port)| (host, Some(port).filter(|port| !port.is_empty()))),
    };
    let is_part = |char: char| char.is_ascii_alphanumeric() || matches!(char, '.' | '_' | '-' | ':');
    if host.is_empty() || !host.chars().all(is_part) {
        return None;
    }
    match port? {
        "" => Some(None),
        port => {
            let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
            port.parse().ok().filter(|port| is_number && *port > 0).map(Some)
        }
    }
}

fn error(message: impl Into<String>) -> ValidationError {
    ValidationError::invalid_value("", message)
}

fn unknown_scheme(scheme: &str) -> String {
    let names: Vec<&str> = Scheme::ALL.iter().map(|scheme| scheme.name()).collect();
    let folded = scheme.to_ascii_lowercase();
    if folded == "wss" {
        return "`wss://` is the URL of a running session and cannot be a destination".to_owned();
    }
    let alias = SCHEME_ALIASES.iter().find(|(alias, _)| *alias == folded).map(|(_, scheme)| *scheme);
    let find_close = || find_similar(scheme, names.iter().copied()).first().and_then(|name| Scheme::from_name(name));
    match alias.or_else(find_close) {
        Some(similar) => {
            format!("unknown scheme; did you mean `{similar}`, as in `{}`?", similar.template())
        }
        None => format!("unknown scheme; the schemes are {}", join_names(&names)),
    }
}

/// Decodes percent-encoding; `None` if a code is malformed or the result is not UTF-8. `+` is not decoded (assumption
/// plus-sign).
pub(super) fn percent_decode_strict(text: &str) -> Option<String> {
    let has_malformed_code = text
        .split('%')
        .skip(1)
        .any(|after| !after.as_bytes().get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)));
    percent_decode_str(text).decode_utf8().ok().filter(|_| !has_malformed_code).map(Into::into)
}

/// Decodes percent-encoding. Malformed codes are unchanged, and invalid UTF-8 becomes U+FFFD.
pub(crate) fn percent_decode_lossy(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}
