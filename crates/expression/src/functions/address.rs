//! Functions on addresses.

use super::Arguments;
use crate::Value;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Returns the first address of the network; IPv4 and IPv6 have separate prefix lengths (documented).
pub(super) fn cidr(arguments: Arguments<'_>) -> Option<Value> {
    mask_network(arguments.address(0)?, arguments.integer(1)?, arguments.integer(2)?)
}

/// Returns the first address of the IPv6 network with this prefix length; IPv4 addresses are unchanged (documented).
pub(super) fn cidr6(arguments: Arguments<'_>) -> Option<Value> {
    mask_network(arguments.address(0)?, 32, arguments.integer(1)?)
}

fn mask_network(address: IpAddr, ipv4_bits: i64, ipv6_bits: i64) -> Option<Value> {
    let host_bits = |width: u32, bits: i64| Some(width - u32::try_from(bits).ok()?.min(width));
    Some(Value::Ip(match address {
        IpAddr::V4(v4) => {
            let mask = u32::MAX.checked_shl(host_bits(32, ipv4_bits)?).unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from_bits(v4.to_bits() & mask))
        }
        IpAddr::V6(v6) => {
            let mask = u128::MAX.checked_shl(host_bits(128, ipv6_bits)?).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & mask))
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{MISSING, address, assert_results, integer};

    #[test]
    fn cidr_masks_host_bits_of_both_families() {
        assert_results(
            "cidr",
            [
                (vec![address("113.10.0.2"), integer(24), integer(24)], address("113.10.0.0")),
                (vec![address("2001:0:130F::9C0:876A:130B"), integer(24), integer(24)], address("2001::")),
                (vec![address("192.0.2.129"), integer(32), integer(1)], address("192.0.2.129")),
                (vec![address("192.0.2.129"), integer(1), integer(128)], address("128.0.0.0")),
                (vec![address("2001:db8::ffff"), integer(1), integer(128)], address("2001:db8::ffff")),
                (vec![address("ffff::1"), integer(1), integer(1)], address("8000::")),
                (vec![address("::ffff:192.0.2.1"), integer(8), integer(120)], address("::ffff:192.0.2.0")),
                (vec![MISSING, integer(24), integer(24)], MISSING),
            ],
        );
    }

    #[test]
    fn cidr6_masks_only_ipv6_addresses() {
        assert_results(
            "cidr6",
            [
                (vec![address("2001:0:130F::9C0:876A:130B"), integer(24)], address("2001::")),
                (vec![address("113.10.0.2"), integer(24)], address("113.10.0.2")),
                (vec![MISSING, integer(24)], MISSING),
            ],
        );
    }
}
