//! Defense against DNS rebinding: a foreign page whose name resolves to this machine still sends its name in `Host`
//! (assumption own-names).

use super::Middleware;
use crate::error::Error;
use axum::extract::{Request, State};
use axum::http::Version;
use axum::http::header::HOST;
use axum::middleware::Next;
use axum::response::Response;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Arc;
use zonewright_api::{ErrorObject, error_code};

/// A host name of the service, without a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName(String);

impl FromStr for HostName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
        let is_address = bare.parse::<IpAddr>().is_ok();
        let is_name = !text.is_empty()
            && text.len() <= 253
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_'));
        if is_address || is_name {
            return Ok(HostName(bare.trim_end_matches('.').to_ascii_lowercase()));
        }
        Err("expected a host name or an IP address without scheme and port, such as `rules.example.com`".to_owned())
    }
}

impl From<IpAddr> for HostName {
    fn from(address: IpAddr) -> Self {
        HostName(address.to_string())
    }
}

/// Rejects requests for another host, and requests without exactly one `Host` header (RFC 9112 §3.2). An HTTP/1.0
/// request may omit the header, because no browser sends such requests.
pub(crate) async fn check_host(
    State(middleware): State<Arc<Middleware>>,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let hosts = request.headers().get_all(HOST).iter().count();
    if hosts > 1 || (hosts == 0 && request.version() == Version::HTTP_11) {
        let message = format!("expected exactly one `Host` header, found {hosts}");
        return Err(Error::Invalid(vec![ErrorObject::new(error_code::MISDIRECTED_REQUEST, message)]));
    }
    let is_served = |host: &&str| is_loopback_name(host) || is_allowed_name(host, &middleware.config.hosts);
    let foreign = requested_hosts(&request).find(|host| !is_served(host));
    if let Some(foreign) = foreign {
        return Err(Error::MisdirectedRequest(foreign.chars().take(100).collect()));
    }
    Ok(next.run(request).await)
}

/// Returns whether a request names this machine by a loopback name.
pub(crate) fn is_for_loopback(request: &Request) -> bool {
    requested_hosts(request).next().is_some() && requested_hosts(request).all(is_loopback_name)
}

/// Returns the hosts of a request: that of the target, which takes precedence, and that of the header. The header is
/// checked too because other software may rely on it.
fn requested_hosts(request: &Request) -> impl Iterator<Item = &str> {
    let target = request.uri().authority().map(|authority| authority.as_str());
    let target = target.map(|text| text.rsplit_once('@').map_or(text, |(_, host)| host));
    let header = request.headers().get(HOST).map(|value| value.to_str().unwrap_or("?"));
    target.into_iter().chain(header)
}

fn is_loopback_name(host: &str) -> bool {
    let name = strip_port(host);
    let name = name.strip_suffix('.').unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn is_allowed_name(host: &str, names: &[HostName]) -> bool {
    let host = strip_port(host).trim_end_matches('.');
    names.iter().any(|HostName(name)| name.eq_ignore_ascii_case(host))
}

fn strip_port(host: &str) -> &str {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !port.is_empty() => name,
        _ => host,
    };
    name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_names_are_recognized_as_loopback() {
        let loopback = [
            "localhost",
            "LOCALHOST:80",
            "localhost.",
            "localhost.:80",
            "127.0.0.1",
            "127.0.0.1:8787",
            "[::1]",
            "[::1]:8787",
            "127.1.2.3:1",
        ];
        let foreign = [
            "example.com",
            "localhost.example.com:8787",
            "10.0.0.1",
            "127.0.0.1.nip.io",
            "",
            ":80",
            "localhost:x",
            "localhost..",
            "[::2]:1",
            "?",
        ];
        for host in loopback {
            assert!(is_loopback_name(host), "{host}");
        }
        for host in foreign {
            assert!(!is_loopback_name(host), "{host}");
        }
    }

    #[test]
    fn allowed_host_names_pass_with_any_port() {
        let names = ["Rules.example.com", "192.0.2.1", "[2001:db8::1]"].map(|name| name.parse().unwrap());
        for host in ["rules.example.com", "RULES.example.com.:443", "192.0.2.1:80", "[2001:db8::1]:80"] {
            assert!(is_allowed_name(host, &names), "{host}");
        }
        for host in ["example.com", "a.rules.example.com", "rules.example.com.evil.example", "192.0.2.2", ""] {
            assert!(!is_allowed_name(host, &names), "{host}");
        }
        for wrong in ["", "https://a", "a:80", "a/b", "*"] {
            assert!(wrong.parse::<HostName>().is_err(), "{wrong}");
        }
    }
}
