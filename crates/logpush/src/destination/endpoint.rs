//! Parses the destinations that accept batches by `POST`, and those of IBM Cloud Logs.

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

/// Parses a destination that accepts batches by `POST`.
pub(super) fn parse(parser: &mut DestinationParser) -> Destination {
    let port = parser.check_host();
    if parser.path.contains(['{', '}']) {
        parser.report_at(
            PATH_POINTER,
            "placeholders are only supported in paths of `r2`, `s3`, `gs`, `azure`, and `file`",
        );
    }
    let headers = take_headers(parser);
    let mut verify_tls = true;
    match parser.scheme {
        Scheme::Https if NEW_RELIC_HOSTS.contains(&parser.host.as_str()) => check_new_relic(parser),
        Scheme::Http | Scheme::Https => {}
        Scheme::Datadog => require_header(parser, &headers, "DD-API-KEY", "<key>"),
        Scheme::Splunk => verify_tls = check_splunk(parser, port, &headers),
        Scheme::SumoLogic => check_sumo(parser),
        // These do not accept batches by `POST`, so `parse_ibm` and `providers` parse them.
        Scheme::Azure
        | Scheme::BigQuery
        | Scheme::File
        | Scheme::Gcs
        | Scheme::IbmLogs
        | Scheme::Kinesis
        | Scheme::R2
        | Scheme::S3 => {}
    }
    let scheme = if parser.scheme == Scheme::Http { Scheme::Http } else { Scheme::Https };
    let query: Vec<&str> = parser.parameters.iter().map(|parameter| parameter.raw.as_str()).collect();
    let mark = if query.is_empty() { "" } else { "?" };
    let url = format!("{scheme}://{}{}{mark}{}", parser.host, parser.path, query.join("&"));
    Destination::Https(HttpEndpoint { scheme: parser.scheme, url: Secret::new(url), headers, verify_tls })
}

/// Parses a destination of IBM Cloud Logs. Its key is not a header, because the service exchanges it for a token.
pub(super) fn parse_ibm(parser: &mut DestinationParser) -> Destination {
    parser.check_host();
    if !parser.host.contains(".ingress.") || !parser.host.ends_with(".logs.cloud.ibm.com") {
        parser.report_with_template(HOST_POINTER, "the host is not an IBM Cloud Logs instance");
    }
    if parser.path != "/logs/v1/singles" {
        parser.report_with_template(PATH_POINTER, "the path must be `/logs/v1/singles`");
    }
    let api_key = Secret::new(parser.take_required("ibm_api_key", "<key>"));
    parser.check_misspelled_parameters();
    Destination::IbmLogs { url: format!("https://{}{}", parser.host, parser.path), api_key }
}

/// Removes the `header_…` parameters and returns them as headers.
fn take_headers(parser: &mut DestinationParser) -> Vec<(String, Secret)> {
    let is_header = |name: &str| name.get(..HEADER_PREFIX.len()) == Some(HEADER_PREFIX);
    let (header_parameters, rest): (Vec<Parameter>, Vec<Parameter>) =
        std::mem::take(&mut parser.parameters).into_iter().partition(|parameter| is_header(&parameter.name));
    parser.parameters = rest;
    let mut headers = Vec::new();
    for (index, parameter) in header_parameters.into_iter().enumerate() {
        let name = parameter.name.get(HEADER_PREFIX.len()..).unwrap_or_default().to_owned();
        let (number, pointer) = (index + 1, format!("{HEADERS_POINTER}/{index}"));
        if !is_token(&name) {
            parser.report_at(
                &pointer,
                format!("header {number} has an invalid name; use the form `header_X-Token=<value>`"),
            );
        } else if let Some(reserved) = RESERVED_HEADERS.iter().find(|reserved| reserved.eq_ignore_ascii_case(&name)) {
            parser.report_at(&pointer, format!("the header `{reserved}` is set by the service; remove it"));
        } else if parameter.value.is_empty() {
            parser.report_at(&pointer, format!("header {number} has no value; use the form `header_X-Token=<value>`"));
        } else if !parameter.value.chars().all(|char| char == '\t' || (' '..='~').contains(&char)) {
            parser.report_at(
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

/// Reports a missing header.
fn require_header(parser: &mut DestinationParser, headers: &[(String, Secret)], name: &str, example: &str) {
    let is_present =
        headers.iter().any(|(other, value)| other.eq_ignore_ascii_case(name) && !value.expose().is_empty());
    if !is_present {
        let name = format!("{HEADER_PREFIX}{name}");
        parser.report_at(&name, format!("`{name}` is missing; add `{name}={example}`"));
    }
}

/// Returns the value of a parameter that is forwarded to the endpoint, or reports that it is missing.
fn require_forwarded_parameter(parser: &mut DestinationParser, name: &str, example: &str) -> Option<String> {
    let parameter = parser.parameters.iter().find(|parameter| parameter.name == name && !parameter.value.is_empty());
    let value = parameter.map(|parameter| parameter.value.clone());
    if value.is_none() {
        parser.report_at(name, format!("`{name}` is missing; add `{name}={example}`"));
    }
    value
}

fn check_new_relic(parser: &mut DestinationParser) {
    require_forwarded_parameter(parser, "Api-Key", "<key>");
    if require_forwarded_parameter(parser, "format", "cloudflare").is_some_and(|format| format != "cloudflare") {
        parser.report_at("format", "`format` must be `cloudflare` for this host");
    }
}

/// Checks a Splunk destination, and returns whether the certificate is verified.
fn check_splunk(parser: &mut DestinationParser, port: Option<u16>, headers: &[(String, Secret)]) -> bool {
    if port.is_some_and(|port| !SPLUNK_PORTS.contains(&port)) {
        parser.report_with_template(HOST_POINTER, "the port must be 443 or 8088");
    }
    if parser.path != SPLUNK_PATH {
        parser.report_with_template(PATH_POINTER, &format!("the path must be `{SPLUNK_PATH}`"));
    }
    let channel = require_forwarded_parameter(parser, "channel", "<guid>");
    if channel.is_some_and(|channel| !is_guid(&channel)) {
        parser.report_at("channel", "`channel` must be a GUID, such as `f4f6f4d2-7a0e-4f0e-9c3c-5e2f6a2b1c0d`");
    }
    require_forwarded_parameter(parser, "sourcetype", "cloudflare:json");
    require_header(parser, headers, "Authorization", "Splunk%20<token>");
    let authorization = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("Authorization"));
    if authorization.is_some_and(|(_, value)| !value.expose().starts_with("Splunk ") && !value.expose().is_empty()) {
        parser.report_at("header_Authorization", "`header_Authorization` must start with `Splunk%20`");
    }
    match parser.take_required("insecure-skip-verify", "false").as_str() {
        "true" => false,
        "false" | "" => true,
        _ => {
            parser.report_at("insecure-skip-verify", "`insecure-skip-verify` must be `true` or `false`");
            true
        }
    }
}

fn is_guid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths = parts.iter().map(|part| part.len());
    lengths.eq([8, 4, 4, 4, 12]) && parts.concat().bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn check_sumo(parser: &mut DestinationParser) {
    if parser.path.strip_prefix(SUMO_PATH).is_none_or(str::is_empty) {
        parser.report_with_template(PATH_POINTER, &format!("the path must be `{SUMO_PATH}` followed by a code"));
    }
}
