//! Finds public IP addresses of clients.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The length of the shortest IPv4 prefix that identifies one client. A shorter prefix identifies a network.
const MIN_PREFIX_BITS_V4: u8 = 30;
/// The length of the shortest IPv6 prefix that identifies one client.
const MIN_PREFIX_BITS_V6: u8 = 56;

/// Finds the public address of one client in a word: alone, in a range, in a URL or after `name=` or `name:`.
pub(super) fn find_public_address(word: &str) -> Option<&str> {
    let host = word.split_once("://").map(|(_, rest)| {
        let authority = rest.split('/').next().unwrap_or_default();
        authority.rsplit('@').next().unwrap_or_default()
    });
    let value = word.rsplit_once('=').map(|(_, value)| value);
    // The first group of an IPv6 address is not a name.
    let is_name = |name: &str| name.bytes().any(|byte| !byte.is_ascii_hexdigit());
    let after_name = word.split_once(':').filter(|(name, _)| is_name(name)).map(|(_, value)| value);
    let mut candidates = [Some(word), host, value, after_name].into_iter().flatten();
    candidates.find_map(|text| text.split("..").find_map(parse_client))
}

/// Returns the public address that a text consists of, with its prefix length but without its port.
fn parse_client(text: &str) -> Option<&str> {
    let text = text.trim_end_matches(['.', ':']);
    if let Some((address, prefix)) = text.split_once('/') {
        let shortest = if address.contains(':') { MIN_PREFIX_BITS_V6 } else { MIN_PREFIX_BITS_V4 };
        let is_narrow = prefix.parse::<u8>().is_ok_and(|prefix| prefix >= shortest);
        return (is_narrow && is_public(address.parse().ok()?)).then_some(text);
    }
    let without_port = text.split_once(':').map_or(text, |(address, _)| address);
    [text, without_port].into_iter().find(|text| text.parse().is_ok_and(is_public))
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => address.to_ipv4_mapped().map_or_else(|| is_public_v6(address), is_public_v4),
    }
}

/// Returns whether an address is outside the special-purpose ranges that IANA registers (RFC 6890).
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    let is_shared = first == 100 && (64..128).contains(&second);
    let is_benchmark = first == 198 && (18..20).contains(&second);
    !(address.is_private()
        || address.is_documentation()
        || address.is_loopback()
        || address.is_link_local()
        || is_shared
        || is_benchmark
        || first == 0
        || first >= 224)
}

/// Returns whether an address is global unicast (`2000::/3`) and not reserved for documentation (RFC 3849, RFC 9637).
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let is_documentation = (first, second) == (0x2001, 0x0db8) || (first == 0x3fff && second < 0x1000);
    first & 0xe000 == 0x2000 && !is_documentation
}
