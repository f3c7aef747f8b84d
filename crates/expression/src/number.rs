//! Parsers of integers, IP addresses, networks, ranges and byte literals.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The reason why a word is not an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntegerError {
    /// The word does not have the syntax of an integer.
    Malformed,
    /// A word with a leading zero, which makes it octal, contains the digit 8 or 9.
    Octal,
    /// The value does not fit in 64 bits.
    OutOfRange,
}

/// Parses an integer: decimal with an optional `-`, hexadecimal after `0x`, or octal after a leading `0`. A negative
/// number is always decimal (observed).
pub(crate) fn parse_integer(word: &str) -> Result<i64, IntegerError> {
    let (digits, radix) = match word {
        _ if word.starts_with('-') => (word.get(1..).unwrap_or_default(), 10),
        _ if word.starts_with("0x") => (word.get(2..).unwrap_or_default(), 16),
        _ if word.starts_with('0') && word.len() > 1 => (word.get(1..).unwrap_or_default(), 8),
        _ => (word, 10),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| char::from(byte).is_digit(radix)) {
        let is_octal = radix == 8 && digits.bytes().all(|byte| byte.is_ascii_digit());
        return Err(if is_octal { IntegerError::Octal } else { IntegerError::Malformed });
    }
    let signed = if word.starts_with('-') { word } else { digits };
    i64::from_str_radix(signed, radix).map_err(|_| IntegerError::OutOfRange)
}

/// Parses the position of an element: decimal, hexadecimal or octal, like an integer.
pub(crate) fn parse_element_index(word: &str) -> Option<u32> {
    let parse_digits = |text: &str, radix| {
        Some(text)
            .filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|digits| u32::from_str_radix(digits, radix).ok())
    };
    match word.strip_prefix("0x") {
        Some(hex) => parse_digits(hex, 16),
        None if word.len() > 1 && word.starts_with('0') => parse_digits(word, 8),
        None => parse_digits(word, 10),
    }
}

/// An item of a set of IP addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressItem {
    Single(IpAddr),
    Network(IpAddr, u8),
    Range(IpAddr, IpAddr),
}

/// The reason why a word is not an item of a set of IP addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AddressError {
    Malformed,
    /// The prefix is longer than the address. The field is the width of the address in bits.
    PrefixTooLong(u8),
    /// Bits after the prefix are set. The field is the network that was probably meant.
    HostBits(String),
    /// The first address of a range is above the last.
    ReversedRange,
    /// One end of a range is an IPv4 address and the other an IPv6 address.
    MixedFamilies,
}

/// Parses an item of a set: everything that [`parse_address_literal`] accepts, and the first octets of an IPv4 address.
/// Omitted octets are 0 (observed: `{192.0}` contains the one address 192.0.0.0).
pub(crate) fn parse_address_item(word: &str) -> Result<AddressItem, AddressError> {
    match parse_address_literal(word) {
        Err(AddressError::Malformed) => {
            parse_padded_ipv4(word, 1).map(AddressItem::Single).ok_or(AddressError::Malformed)
        }
        found => found,
    }
}

/// Returns whether a word is an IPv4 address without its last octets.
pub(crate) fn is_short_address(word: &str) -> bool {
    // Counting first rejects complete addresses quickly, the most common items of sets.
    word.bytes().filter(|byte| *byte == b'.').count() < 3 && parse_padded_ipv4(word, 1).is_some()
}

/// Parses an IP address, a network in CIDR notation or a range `a..b`. The ends of a range are complete addresses
/// without leading zeros.
pub(crate) fn parse_address_literal(word: &str) -> Result<AddressItem, AddressError> {
    // Fast path, because most items of large sets are IPv4 addresses.
    if let Ok(address) = word.parse::<Ipv4Addr>() {
        return Ok(AddressItem::Single(IpAddr::V4(address)));
    }
    if let Some((first, last)) = word.split_once("..") {
        let parse_end = |word: &str| word.parse::<IpAddr>().map_err(|_| AddressError::Malformed);
        let (first, last) = (parse_end(first)?, parse_end(last)?);
        return match (first, last) {
            (IpAddr::V4(a), IpAddr::V4(b)) if a <= b => Ok(AddressItem::Range(first, last)),
            (IpAddr::V6(a), IpAddr::V6(b)) if a <= b => Ok(AddressItem::Range(first, last)),
            _ if first.is_ipv4() != last.is_ipv4() => Err(AddressError::MixedFamilies),
            _ => Err(AddressError::ReversedRange),
        };
    }
    let Some((start, prefix)) = word.split_once('/') else {
        return parse_address(word).map(AddressItem::Single);
    };
    let start = parse_network_address(start).ok_or(AddressError::Malformed)?;
    let width = if start.is_ipv4() { 32 } else { 128 };
    let digits = Some(prefix).filter(|prefix| prefix.bytes().all(|byte| byte.is_ascii_digit()));
    let prefix: u8 = digits.and_then(|prefix| prefix.parse().ok()).ok_or(AddressError::Malformed)?;
    if prefix > width {
        return Err(AddressError::PrefixTooLong(width));
    }
    let network = mask_host_bits(start, prefix);
    if network != start {
        return Err(AddressError::HostBits(format!("{network}/{prefix}")));
    }
    Ok(AddressItem::Network(start, prefix))
}

fn parse_address(word: &str) -> Result<IpAddr, AddressError> {
    word.parse().ok().or_else(|| parse_padded_ipv4(word, 4)).ok_or(AddressError::Malformed)
}

/// Parses the address of a network, which may omit trailing zero octets: `10/8`.
fn parse_network_address(word: &str) -> Option<IpAddr> {
    word.parse().ok().or_else(|| parse_padded_ipv4(word, 1))
}

/// Parses an IPv4 address of `min_octets` to four octets with optional leading zeros. Omitted octets are 0.
fn parse_padded_ipv4(word: &str, min_octets: usize) -> Option<IpAddr> {
    let mut octets = [0u8; 4];
    let mut count = 0;
    for part in word.split('.') {
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        *octets.get_mut(count)? = part.parse().ok().filter(|_| is_number)?;
        count += 1;
    }
    (count >= min_octets).then_some(IpAddr::V4(Ipv4Addr::from(octets)))
}

fn mask_host_bits(address: IpAddr, prefix: u8) -> IpAddr {
    match address {
        IpAddr::V4(v4) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(prefix)).unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from_bits(v4.to_bits() & mask))
        }
        IpAddr::V6(v6) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(prefix)).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & mask))
        }
    }
}

/// Parses a byte literal: at least two pairs of hexadecimal digits, separated by `:`, `-` or `.`.
pub(crate) fn parse_bytes(word: &str) -> Option<Vec<u8>> {
    let pairs: Option<Vec<u8>> = word
        .split([':', '-', '.'])
        .map(|pair| {
            let is_byte = pair.len() == 2 && pair.bytes().all(|byte| byte.is_ascii_hexdigit());
            u8::from_str_radix(pair, 16).ok().filter(|_| is_byte)
        })
        .collect();
    pairs.filter(|pairs| pairs.len() >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_values_or_errors() {
        let cases = [
            ("0", Ok(0)),
            ("42", Ok(42)),
            ("-7", Ok(-7)),
            ("0x1F", Ok(31)),
            ("010", Ok(8)),
            ("-010", Ok(-10)),
            ("08", Err(IntegerError::Octal)),
            ("9223372036854775807", Ok(i64::MAX)),
            ("-9223372036854775808", Ok(i64::MIN)),
            ("9223372036854775808", Err(IntegerError::OutOfRange)),
            ("10ab", Err(IntegerError::Malformed)),
            ("1_000", Err(IntegerError::Malformed)),
            ("-", Err(IntegerError::Malformed)),
            ("--1", Err(IntegerError::Malformed)),
            ("+1", Err(IntegerError::Malformed)),
            ("-0x1", Err(IntegerError::Malformed)),
            ("", Err(IntegerError::Malformed)),
        ];
        for (word, expected) in cases {
            assert_eq!(parse_integer(word), expected, "{word}");
        }
    }

    #[test]
    fn address_literals_are_parsed_or_rejected() {
        let ok = [
            "1.2.3.4",
            "::1",
            "10.0.0.0/8",
            "10/8",
            "1.2.3/24",
            "01.2.3.4",
            "0.0.0.0/0",
            "2001:db8::/32",
            "::/0",
            "1.2.3.4..1.2.3.9",
            "::1..::2",
        ];
        for word in ok {
            assert!(parse_address_literal(word).is_ok(), "{word}");
        }
        let host_bits = |network: &str| AddressError::HostBits(network.to_owned());
        let invalid = [
            ("1.2.3", AddressError::Malformed),
            ("1.2.3.256", AddressError::Malformed),
            ("1.2.3.4.5", AddressError::Malformed),
            ("1.2.3.0/33", AddressError::PrefixTooLong(32)),
            ("1.2.3.4/24", host_bits("1.2.3.0/24")),
            ("2001:db8::1/32", host_bits("2001:db8::/32")),
            ("1.2.3.9..1.2.3.4", AddressError::ReversedRange),
            ("1.2.3.4..::1", AddressError::MixedFamilies),
            ("01.2.3.4..1.2.3.9", AddressError::Malformed),
            ("1.2..1.3", AddressError::Malformed),
            ("1.2.3.4/", AddressError::Malformed),
            ("1.2.3.4/+8", AddressError::Malformed),
            ("", AddressError::Malformed),
        ];
        for (word, expected) in invalid {
            assert_eq!(parse_address_literal(word), Err(expected), "{word}");
        }
    }

    #[test]
    fn short_addresses_are_padded_in_sets() {
        for (word, address) in [("1.2", [1, 2, 0, 0]), ("10", [10, 0, 0, 0]), ("0001.02.3", [1, 2, 3, 0])] {
            assert_eq!(parse_address_item(word), Ok(AddressItem::Single(IpAddr::from(address))), "{word}");
            assert!(is_short_address(word), "{word}");
        }
        for word in ["256", "1.", ".1", "1.2.3.4.5", "a", "+1", "-1", "1..2", ""] {
            assert_eq!(parse_address_item(word), Err(AddressError::Malformed), "{word}");
        }
        assert!(!is_short_address("1.2.3.4"));
    }

    #[test]
    fn byte_literals_have_at_least_two_bytes() {
        assert_eq!(parse_bytes("61:62-63.64"), Some(b"abcd".to_vec()));
        for word in ["61", "6:62", "61:", "zz:61", "", "6162"] {
            assert_eq!(parse_bytes(word), None, "{word}");
        }
    }
}
