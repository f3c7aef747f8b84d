//! Defence against DNS rebinding: a foreign page whose name was pointed at this machine still sends
//! its own name in `Host` (assumption loopback-only).

use crate::error::Error;
use axum::extract::Request;
use axum::http::header::HOST;
use axum::middleware::Next;
use axum::response::Response;
use std::net::IpAddr;

/// Refuses requests that were meant for another host than this machine.
pub(crate) async fn check(request: Request, next: Next) -> Result<Response, Error> {
    let header = request.headers().get(HOST).map(|value| value.to_str().unwrap_or("?"));
    let host = header.or_else(|| request.uri().authority().map(|authority| authority.as_str()));
    match host {
        Some(host) if is_this_machine(host) => Ok(next.run(request).await),
        Some(host) => Err(Error::WrongHost(host.chars().take(100).collect())),
        // Only HTTP/1.0 has requests without a host, and no browser sends them.
        None => Ok(next.run(request).await),
    }
}

fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !port.is_empty() => name,
        _ => host,
    };
    let address = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_pass() {
        let ours = ["localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:8787", "[::1]", "[::1]:8787", "127.1.2.3:1"];
        let foreign = [
            "example.com",
            "localhost.example.com:8787",
            "10.0.0.1",
            "127.0.0.1.nip.io",
            "",
            ":80",
            "localhost:x",
            "[::2]:1",
            "?",
        ];
        for host in ours {
            assert!(is_this_machine(host), "{host}");
        }
        for host in foreign {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}
