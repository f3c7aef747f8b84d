//! The IP address of a client: the peer of the connection, or the address that a trusted proxy reports (assumption
//! trusted-proxy).

use axum::extract::Request;
use axum::http::HeaderName;
use axum::http::header::FORWARDED;
use ipnet::IpNet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The peer of a connection, in the extensions of its requests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// A trusted proxy: an IP address or a network, such as `192.0.2.7` or `10.0.0.0/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrustedProxy(IpNet);

impl FromStr for TrustedProxy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let network = text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        network
            .map(TrustedProxy)
            .map_err(|_| "expected an IP address or a network, such as `127.0.0.1` or `10.0.0.0/8`".to_owned())
    }
}

/// Returns whether the request has a header that proxies add.
pub(crate) fn is_forwarded(request: &Request) -> bool {
    [FORWARDED_FOR, FORWARDED_PROTO, FORWARDED].iter().any(|name| request.headers().contains_key(name))
}

/// Returns the IP address of the client.
pub(crate) fn address(request: &Request, trusted: &[TrustedProxy]) -> IpAddr {
    let peer = peer(request);
    // Each proxy appends its peer, so the walk goes from right to left and ends at the first address that is not
    // trusted.
    let forwarded = request.headers().get_all(FORWARDED_FOR).iter().rev().flat_map(|value| {
        let text = value.to_str().unwrap_or_default();
        text.rsplit(',').map(|address| address.trim().parse::<IpAddr>().ok())
    });
    let mut client = peer;
    for address in forwarded {
        let (true, Some(address)) = (is_trusted(client, trusted), address) else { break };
        client = address.to_canonical();
    }
    client
}

/// Returns whether a trusted proxy reports that the client uses TLS.
pub(crate) fn is_over_tls(request: &Request, trusted: &[TrustedProxy]) -> bool {
    let proto = request.headers().get(FORWARDED_PROTO);
    proto.is_some_and(|proto| proto.as_bytes().eq_ignore_ascii_case(b"https")) && is_trusted(peer(request), trusted)
}

fn peer(request: &Request) -> IpAddr {
    let peer = request.extensions().get::<Peer>();
    // Only tests send requests without a connection.
    peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |Peer(address)| address.ip().to_canonical())
}

fn is_trusted(address: IpAddr, trusted: &[TrustedProxy]) -> bool {
    trusted.iter().any(|TrustedProxy(network)| network.contains(&address))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    #[test]
    fn forwarded_address_is_used_only_from_trusted_proxies() {
        let trusted: Vec<TrustedProxy> = ["127.0.0.1", "10.0.0.0/8", "::1"].map(|text| text.parse().unwrap()).to_vec();
        let cases = [
            ("192.0.2.1:5", &[][..], "192.0.2.1"),
            ("192.0.2.1:5", &["203.0.113.9"], "192.0.2.1"),
            ("127.0.0.1:5", &["203.0.113.9"], "203.0.113.9"),
            ("127.0.0.1:5", &["6.6.6.6, 203.0.113.9"], "203.0.113.9"),
            ("127.0.0.1:5", &["203.0.113.9, 10.1.2.3"], "203.0.113.9"),
            ("127.0.0.1:5", &["203.0.113.9", "10.1.2.3"], "203.0.113.9"),
            ("127.0.0.1:5", &["203.0.113.9, what, 10.1.2.3"], "10.1.2.3"),
            ("127.0.0.1:5", &["10.1.2.3"], "10.1.2.3"),
            ("127.0.0.1:5", &[""], "127.0.0.1"),
            ("[::1]:5", &["2001:db8::1"], "2001:db8::1"),
            ("[::ffff:127.0.0.1]:5", &["::ffff:192.0.2.9"], "192.0.2.9"),
        ];
        for (peer, headers, expected) in cases {
            let mut request = Request::builder();
            for header in headers {
                request = request.header("x-forwarded-for", *header);
            }
            let request = request.header("x-forwarded-proto", "https").extension(Peer(peer.parse().unwrap()));
            let request = request.body(Body::empty()).unwrap();
            assert_eq!(address(&request, &trusted).to_string(), expected, "{peer} {headers:?}");
            assert_eq!(is_over_tls(&request, &trusted), !peer.starts_with("192."), "{peer}");
            assert!(is_forwarded(&request));
        }
        assert!("10.0.0.0/40".parse::<TrustedProxy>().is_err());
    }
}
