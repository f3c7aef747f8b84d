//! Sets of addresses.

use super::ranges::RangeSet;
use std::net::IpAddr;

/// A set of addresses, with one list of ranges for each family.
pub(crate) struct Addresses {
    v4: RangeSet<u32>,
    v6: RangeSet<u128>,
}

impl Addresses {
    pub(crate) fn new(ranges: impl Iterator<Item = (IpAddr, IpAddr)>) -> Self {
        let (mut v4, mut v6) = (Vec::new(), Vec::new());
        for range in ranges {
            match range {
                (IpAddr::V4(first), IpAddr::V4(last)) => v4.push((first.to_bits(), last.to_bits())),
                (IpAddr::V6(first), IpAddr::V6(last)) => v6.push((first.to_bits(), last.to_bits())),
                _ => {}
            }
        }
        Addresses { v4: RangeSet::new(v4), v6: RangeSet::new(v6) }
    }

    #[inline(always)]
    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        match address {
            IpAddr::V4(v4) => self.v4.contains(v4.to_bits()),
            IpAddr::V6(v6) => self.contains_v6(v6.to_bits()),
        }
    }

    /// Not inlined. Otherwise, the IPv4 path would also save the registers that this search needs.
    #[inline(never)]
    fn contains_v6(&self, address: u128) -> bool {
        self.v6.contains(address)
    }
}
