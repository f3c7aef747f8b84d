//! The parts that all addresses have. No message about them shows a value, as each may be a secret.

use percent_encoding::percent_decode_str;
use zonewright_api::{Refusal, list};
use zonewright_diagnostic::similar;

/// The part between `//` and the path, as pointers name it.
pub(super) const HOST: &str = "host";
/// The part behind it.
pub(super) const PATH: &str = "path";

/// An address while it is read, and what was wrong with it so far.
pub(super) struct Address {
    pub(super) scheme: &'static str,
    /// Between `//` and the path: a bucket, or a host with its port.
    pub(super) host: String,
    /// Behind it, with its first slash, as it was written.
    pub(super) path: String,
    /// What stands behind `?`, in its order; what is taken is no longer there.
    pub(super) parameters: Vec<Parameter>,
    /// What was wrong so far.
    pub(super) refusals: Vec<Refusal>,
}

/// A parameter of an address.
#[derive(Clone)]
pub(super) struct Parameter {
    /// Its name, decoded.
    pub(super) name: String,
    /// Its value, decoded.
    pub(super) value: String,
    /// Both as they were written.
    pub(super) written: String,
}

/// Every scheme, and how an address with it looks.
pub(super) const SCHEMES: [(&str, &str); 13] = [
    ("azure", "azure://<account>.blob.core.windows.net/<container>/logs/{DATE}?<signature>"),
    ("bq", "bq://projects/<project>/datasets/<dataset>/tables/<table>?credentials=base64:<key>"),
    ("datadog", "datadog://http-intake.logs.datadoghq.com/api/v2/logs?header_DD-API-KEY=<key>"),
    ("file", "file:///logs/{DATE}"),
    ("gs", "gs://<bucket>/logs/{DATE}"),
    ("http", "http://localhost:8080/logs"),
    ("https", "https://logs.example.com/ingest?header_Authorization=Bearer%20<token>"),
    ("ibmcl", "ibmcl://<instance>.ingress.<region>.logs.cloud.ibm.com/logs/v1/singles?ibm_api_key=<key>"),
    ("kinesis", "kinesis://<stream>?region=us-west-2&sts-assume-role-arn=<role>"),
    ("r2", "r2://<bucket>/logs/{DATE}?account-id=<account>&access-key-id=<id>&secret-access-key=<secret>"),
    ("s3", "s3://<bucket>/logs/{DATE}?region=us-west-2"),
    (
        "splunk",
        "splunk://<host>:8088/services/collector/raw?channel=<guid>&insecure-skip-verify=false\
         &sourcetype=cloudflare:json&header_Authorization=Splunk%20<token>",
    ),
    ("sumo", "sumo://<endpoint>/receiver/v1/http/<code>"),
];
/// Schemes that people try, and those that are meant.
const MEANT: [(&str, &str); 13] = [
    ("abfs", "azure"),
    ("axiom", "https"),
    ("bigquery", "bq"),
    ("elastic", "https"),
    ("elasticsearch", "https"),
    ("gcs", "gs"),
    ("ibm", "ibmcl"),
    ("loki", "https"),
    ("minio", "s3"),
    ("newrelic", "https"),
    ("s3a", "s3"),
    ("sumologic", "sumo"),
    ("wasb", "azure"),
];

/// How an address with this scheme looks.
pub(super) fn looks(scheme: &str) -> &'static str {
    SCHEMES.iter().find(|(name, _)| *name == scheme).map_or("", |(_, looks)| looks)
}

impl Address {
    /// Takes an address apart; the error says that it is none, or of no known scheme.
    pub(super) fn split(text: &str) -> Result<Address, Refusal> {
        let Some((scheme, rest)) = text.split_once("://") else {
            let problem = if text.is_empty() { "is empty" } else { "has no scheme" };
            return Err(refusal(format!("the address {problem}; it looks like `{}`", looks("s3"))));
        };
        let Some((scheme, looks)) = SCHEMES.iter().find(|(name, _)| *name == scheme) else {
            return Err(refusal(unknown_scheme(scheme)));
        };
        if let Some(wrong) = rest.chars().find(|char| char.is_control() || matches!(char, ' ' | '<' | '>' | '#' | '\\'))
        {
            return Err(refusal(match wrong {
                '<' | '>' => format!("the address still has `<` and `>` of an example; it looks like `{looks}`"),
                '#' => "an address has no `#`; in a value it is written `%23`".to_owned(),
                ' ' => "an address has no blank; in a value it is written `%20`".to_owned(),
                other => format!("an address has no `{}`", other.escape_debug()),
            }));
        }
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (host, path) = place.find('/').and_then(|at| place.split_at_checked(at)).unwrap_or((place, ""));
        let mut address = Address {
            scheme,
            host: host.to_owned(),
            path: path.to_owned(),
            parameters: Vec::new(),
            refusals: Vec::new(),
        };
        for part in query.split('&').filter(|part| !part.is_empty()) {
            address.add(part);
        }
        Ok(address)
    }

    fn add(&mut self, part: &str) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let (Some(name), Some(value)) = (strictly_decoded(name), strictly_decoded(value)) else {
            return self.refuse("a parameter has `%` without two hexadecimal digits, or is not UTF-8");
        };
        if self.parameters.iter().any(|other| other.name.eq_ignore_ascii_case(&name)) {
            // The name may be a part of a secret in which `&` was not encoded.
            return self.refuse("a parameter is given twice; in a value `&` is written `%26`");
        }
        self.parameters.push(Parameter { name, value, written: part.to_owned() });
    }

    /// Notes what is wrong with the address as a whole.
    pub(super) fn refuse(&mut self, message: impl Into<String>) {
        self.refusals.push(refusal(message));
    }

    /// Notes what is wrong with a part: `host`, `path`, or the name of a parameter.
    pub(super) fn refuse_at(&mut self, part: &str, message: impl Into<String>) {
        self.refusals.push(refusal(message).under(&format!("/{part}")));
    }

    /// Notes that a part makes the address look as it should not.
    pub(super) fn refuse_form(&mut self, part: &str, what: &str) {
        self.refuse_at(part, format!("{what}; the address looks like `{}`", looks(self.scheme)));
    }

    /// A parameter that may be there; it is no longer there then. An empty one counts as absent.
    pub(super) fn optional(&mut self, name: &str) -> Option<String> {
        let place = self.parameters.iter().position(|parameter| parameter.name == name)?;
        Some(self.parameters.remove(place).value).filter(|value| !value.is_empty())
    }

    /// A parameter that has to be there; `example` is a value.
    pub(super) fn required(&mut self, name: &str, example: &str) -> String {
        let value = self.optional(name);
        if value.is_none() {
            self.refuse_at(name, format!("`{name}` is missing; it looks like `{name}={example}`"));
        }
        value.unwrap_or_default()
    }

    /// Refuses parameters that are left and look like one of these; others are passed over (assumption
    /// plus-sign).
    pub(super) fn check_rest(&mut self, known: &[&str]) {
        let names: Vec<String> = self.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        for name in names {
            if let Some(meant) = similar(&name, known.iter().copied()).first() {
                self.refuse(format!(
                    "there is a parameter that looks like `{meant}` but is none; there are {}",
                    list(known)
                ));
            }
        }
    }

    /// The host is a bucket, stream or the like: letters, digits, `.`, `_` and `-`.
    pub(super) fn name(&mut self, what: &str) -> String {
        let is_part = |char: char| char.is_ascii_alphanumeric() || matches!(char, '.' | '_' | '-');
        if self.host.contains('@') {
            self.refuse_form(HOST, "keys do not stand before `@`");
        } else if self.host.is_empty() {
            self.refuse_form(HOST, &format!("the {what} is missing"));
        } else if !self.host.chars().all(is_part) {
            let message = format!("the name of the {what} may have letters, digits, `.`, `_` and `-` only");
            self.refuse_at(HOST, message);
        }
        self.host.clone()
    }

    /// The host is one, with or without a port, which is given back.
    pub(super) fn checked_host(&mut self) -> Option<u16> {
        if self.host.contains('@') {
            self.refuse_at(
                HOST,
                "a user and a password cannot stand before `@`; send them as `header_Authorization=Basic%20<token>`",
            );
            return None;
        }
        match host_and_port(&self.host) {
            Some(port) => port,
            None => {
                self.refuse_form(HOST, "the host is missing or malformed");
                None
            }
        }
    }

    /// The path as a folder: decoded, without slashes at its ends, its placeholders checked.
    pub(super) fn folder(&mut self) -> String {
        let Some(path) = strictly_decoded(&self.path) else {
            self.refuse_at(PATH, "the path has `%` without two hexadecimal digits, or is not UTF-8");
            return String::new();
        };
        if path.chars().any(char::is_control) {
            self.refuse_at(PATH, "the path has a control character");
        }
        if let Some(problem) = super::placeholder::check(&path) {
            self.refuse_at(PATH, problem);
        }
        path.trim_matches('/').to_owned()
    }
}

/// The port of a host; nothing when it is no host.
pub(super) fn host_and_port(text: &str) -> Option<Option<u16>> {
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

fn refusal(message: impl Into<String>) -> Refusal {
    Refusal::value("", message)
}

fn unknown_scheme(scheme: &str) -> String {
    let schemes: Vec<&str> = SCHEMES.iter().map(|(name, _)| *name).collect();
    let folded = scheme.to_ascii_lowercase();
    if folded == "wss" {
        return "`wss://` is the address of a running session, which no job can have".to_owned();
    }
    let meant = MEANT.iter().find(|(tried, _)| *tried == folded).map(|(_, meant)| *meant);
    match meant.or_else(|| similar(scheme, schemes.iter().copied()).first().copied()) {
        Some(meant) => format!("the scheme is not known; did you mean `{meant}`, as in `{}`?", looks(meant)),
        None => format!("the scheme is not known; there are {}", list(&schemes)),
    }
}

/// Reads percent codes; nothing when one is broken or the text is not UTF-8. `+` stands for itself
/// (assumption plus-sign).
pub(super) fn strictly_decoded(text: &str) -> Option<String> {
    let is_broken = text
        .split('%')
        .skip(1)
        .any(|after| !after.as_bytes().get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)));
    percent_decode_str(text).decode_utf8().ok().filter(|_| !is_broken).map(Into::into)
}

/// Reads percent codes, leaving broken ones alone.
pub(crate) fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}
