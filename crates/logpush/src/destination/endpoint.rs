//! Parses the destinations that accept batches by `POST`.

use super::parser::{DestinationParser, HOST_POINTER, PATH_POINTER, Parameter};
use super::{Destination, HttpEndpoint, Scheme, Secret};

/// The prefix of parameters that are sent as headers (documented).
pub const HEADER_PREFIX: &str = "header_";
/// The part of an error pointer that names the headers.
const HEADERS_POINTER: &str = "headers";
/// Headers that the service sets.
const RESERVED_HEADERS: [&str; 7] =
    ["connection", "content-encoding", "content-length", "expect", "host", "transfer-encoding", "upgrade"];
const NEW_RELIC_HOSTS: [&str; 2] = ["log-api.newrelic.com", "log-api.eu.newrelic.com"];
const SPLUNK_PATH: &str = "/services/collector/raw";
const SPLUNK_PORTS: [u16; 2] = [443, 8088];
const SUMO_PATH: &str = "/receiver/v1/http/";

pub(super) fn parse(address: &mut DestinationParser) -> Destination {
    let port = address.host_port();
    if address.path.contains(['{', '}']) {
        address.refuse_at(
            PATH_POINTER,
            "placeholders are only supported in paths of `r2`, `s3`, `gs`, `azure`, and `file`",
        );
    }
    let headers = take_headers(address);
    let mut verify = true;
    match address.scheme {
        Scheme::Https if NEW_RELIC_HOSTS.contains(&address.host.as_str()) => new_relic(address),
        Scheme::Http | Scheme::Https => {}
        Scheme::Datadog => require_header(address, &headers, "DD-API-KEY", "<key>"),
        Scheme::Splunk => verify = splunk(address, port, &headers),
        Scheme::SumoLogic => sumo(address),
        // These do not accept a `POST` request, so `providers` parses them.
        Scheme::Azure
        | Scheme::BigQuery
        | Scheme::File
        | Scheme::Gcs
        | Scheme::IbmLogs
        | Scheme::Kinesis
        | Scheme::R2
        | Scheme::S3 => {}
    }
    let scheme = if address.scheme == Scheme::Http { Scheme::Http } else { Scheme::Https };
    let query: Vec<&str> = address.parameters.iter().map(|parameter| parameter.raw.as_str()).collect();
    let mark = if query.is_empty() { "" } else { "?" };
    let url = format!("{scheme}://{}{}{mark}{}", address.host, address.path, query.join("&"));
    Destination::Https(HttpEndpoint { scheme: address.scheme, url: Secret::new(url), headers, verify_tls: verify })
}

/// Parses a destination of IBM Cloud Logs. Its key is not a header; it is exchanged for a token.
pub(super) fn parse_ibm(address: &mut DestinationParser) -> Destination {
    address.host_port();
    if !address.host.contains(".ingress.") || !address.host.ends_with(".logs.cloud.ibm.com") {
        address.refuse_with_template(HOST_POINTER, "the host is not an IBM Cloud Logs instance");
    }
    if address.path != "/logs/v1/singles" {
        address.refuse_with_template(PATH_POINTER, "the path must be `/logs/v1/singles`");
    }
    let api_key = Secret::new(address.required("ibm_api_key", "<key>"));
    address.check_misspelled_parameters();
    Destination::IbmLogs { url: format!("https://{}{}", address.host, address.path), api_key }
}

/// Removes the `header_…` parameters and returns them as headers.
fn take_headers(address: &mut DestinationParser) -> Vec<(String, Secret)> {
    let is_header = |name: &str| name.get(..HEADER_PREFIX.len()) == Some(HEADER_PREFIX);
    let (credentials, rest): (Vec<Parameter>, Vec<Parameter>) =
        std::mem::take(&mut address.parameters).into_iter().partition(|parameter| is_header(&parameter.name));
    address.parameters = rest;
    let mut headers = Vec::new();
    for (index, parameter) in credentials.into_iter().enumerate() {
        let name = parameter.name.get(HEADER_PREFIX.len()..).unwrap_or_default().to_owned();
        let (number, pointer) = (index + 1, format!("{HEADERS_POINTER}/{index}"));
        if !is_token(&name) {
            address.refuse_at(
                &pointer,
                format!("header {number} has an invalid name; use the form `header_X-Token=<value>`"),
            );
        } else if let Some(own) = RESERVED_HEADERS.iter().find(|own| own.eq_ignore_ascii_case(&name)) {
            address.refuse_at(&pointer, format!("the header `{own}` is set by the service; remove it"));
        } else if parameter.value.is_empty() {
            address.refuse_at(&pointer, format!("header {number} has no value; use the form `header_X-Token=<value>`"));
        } else if !parameter.value.chars().all(|char| char == '\t' || (' '..='~').contains(&char)) {
            address.refuse_at(
                &pointer,
                format!("the value of header {number} contains a line break or another character that is not allowed in headers"),
            );
        } else {
            headers.push((name, Secret::new(parameter.value)));
        }
    }
    headers
}

/// Returns whether the text is a valid header name (RFC 9110).
fn is_token(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// Requires a header.
fn require_header(address: &mut DestinationParser, headers: &[(String, Secret)], name: &str, example: &str) {
    let is_present =
        headers.iter().any(|(other, value)| other.eq_ignore_ascii_case(name) && !value.expose().is_empty());
    if !is_present {
        let name = format!("{HEADER_PREFIX}{name}");
        address.refuse_at(&name, format!("`{name}` is missing; add `{name}={example}`"));
    }
}

/// Requires a parameter that is forwarded to the endpoint, and returns its value.
fn require_forwarded_parameter(address: &mut DestinationParser, name: &str, example: &str) -> Option<String> {
    let parameter = address.parameters.iter().find(|parameter| parameter.name == name && !parameter.value.is_empty());
    let value = parameter.map(|parameter| parameter.value.clone());
    if value.is_none() {
        address.refuse_at(name, format!("`{name}` is missing; add `{name}={example}`"));
    }
    value
}

fn new_relic(address: &mut DestinationParser) {
    require_forwarded_parameter(address, "Api-Key", "<key>");
    if require_forwarded_parameter(address, "format", "cloudflare").is_some_and(|format| format != "cloudflare") {
        address.refuse_at("format", "`format` must be `cloudflare` for this host");
    }
}

/// Checks a Splunk destination, and returns whether the certificate is verified.
fn splunk(address: &mut DestinationParser, port: Option<u16>, headers: &[(String, Secret)]) -> bool {
    if port.is_some_and(|port| !SPLUNK_PORTS.contains(&port)) {
        address.refuse_with_template(HOST_POINTER, "the port must be 443 or 8088");
    }
    if address.path != SPLUNK_PATH {
        address.refuse_with_template(PATH_POINTER, &format!("the path must be `{SPLUNK_PATH}`"));
    }
    let channel = require_forwarded_parameter(address, "channel", "<guid>");
    if channel.is_some_and(|channel| !is_guid(&channel)) {
        address.refuse_at("channel", "`channel` must be a GUID, such as `f4f6f4d2-7a0e-4f0e-9c3c-5e2f6a2b1c0d`");
    }
    require_forwarded_parameter(address, "sourcetype", "cloudflare:json");
    require_header(address, headers, "Authorization", "Splunk%20<token>");
    let authorization = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("Authorization"));
    if authorization.is_some_and(|(_, value)| !value.expose().starts_with("Splunk ") && !value.expose().is_empty()) {
        address.refuse_at("header_Authorization", "`header_Authorization` must start with `Splunk%20`");
    }
    match address.required("insecure-skip-verify", "false").as_str() {
        "true" => false,
        "false" | "" => true,
        _ => {
            address.refuse_at("insecure-skip-verify", "`insecure-skip-verify` must be `true` or `false`");
            true
        }
    }
}

fn is_guid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths = parts.iter().map(|part| part.len());
    lengths.eq([8, 4, 4, 4, 12]) && parts.concat().bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn sumo(address: &mut DestinationParser) {
    if address.path.strip_prefix(SUMO_PATH).is_none_or(str::is_empty) {
        address.refuse_with_template(PATH_POINTER, &format!("the path must be `{SUMO_PATH}` followed by a code"));
    }
}
