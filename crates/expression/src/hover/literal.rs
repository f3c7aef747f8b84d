//! Hover information for literals.

use super::{Hover, HoverContext};
use crate::{
    Scalar,
    cursor::{OpenCall, OperandInfo, literal_type},
    number::{self, AddressItem},
    parse::unescape,
    schema::{Constraint, FunctionId},
};
use std::net::IpAddr;

/// The maximum length of a string that is displayed with its escapes decoded, in characters.
const MAX_DECODED_CHARS: usize = 200;

/// Describes a number, IP address, network, range or byte literal.
pub(super) fn hover_word(context: &HoverContext<'_>, left: OperandInfo, in_set: bool) -> Option<Hover> {
    let text = context.text;
    let scalar = left.ty.map(|ty| ty.scalar);
    let (mut lines, detail) = match scalar.unwrap_or_else(|| guess_type(text)) {
        Scalar::Ip if in_set && number::is_short_address(text) => {
            let AddressItem::Single(address) = number::parse_address_item(text).ok()? else { return None };
            (vec![format!("short for {address}")], "IPv4 address".to_owned())
        }
        Scalar::Ip => describe_addresses(number::parse_address_literal(text).ok()?),
        Scalar::Integer => describe_integer(text, in_set)?,
        Scalar::String | Scalar::Bytes => describe_bytes(&number::parse_bytes(text)?),
        Scalar::Boolean => return None,
    };
    lines.extend(known_value_note(left, text));
    Some(context.build_hover(detail, lines))
}

/// Guesses the scalar type of a literal whose left side is unknown.
fn guess_type(text: &str) -> Scalar {
    if text.contains("..") && number::parse_address_literal(text).is_err() {
        Scalar::Integer
    } else {
        literal_type(text).scalar
    }
}

fn describe_addresses(addresses: AddressItem) -> (Vec<String>, String) {
    let family = |address: IpAddr| if address.is_ipv4() { "IPv4" } else { "IPv6" };
    match addresses {
        AddressItem::Single(address) => {
            let lines = find_special_use(address).map(str::to_owned).into_iter().collect();
            (lines, format!("{} address", family(address)))
        }
        AddressItem::Network(first, prefix) => {
            let host_bits = if first.is_ipv4() { 32 } else { 128 } - u32::from(prefix);
            let last = last_address(first, host_bits);
            let count = if host_bits < 64 { format_thousands(1u128 << host_bits) } else { format!("2^{host_bits}") };
            let mut lines = vec![format!("`{first}` to `{last}`"), format_address_count(&count)];
            lines.extend(
                find_special_use(first).filter(|purpose| find_special_use(last) == Some(purpose)).map(str::to_owned),
            );
            (lines, format!("{} network", family(first)))
        }
        AddressItem::Range(first, last) => {
            let count = to_bits(last).saturating_sub(to_bits(first)).saturating_add(1);
            (vec![format_address_count(&format_thousands(count))], format!("range of {} addresses", family(first)))
        }
    }
}

fn format_address_count(count: &str) -> String {
    if count == "1" { "1 address".to_owned() } else { format!("{count} addresses") }
}

fn to_bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(v4) => u128::from(v4.to_bits()),
        IpAddr::V6(v6) => v6.to_bits(),
    }
}

/// Returns the last address of a network.
fn last_address(first: IpAddr, host_bits: u32) -> IpAddr {
    let ones = 1u128.checked_shl(host_bits).map_or(u128::MAX, |bit| bit - 1);
    match first {
        IpAddr::V4(v4) => IpAddr::V4((v4.to_bits() | u32::try_from(ones).unwrap_or(u32::MAX)).into()),
        IpAddr::V6(v6) => IpAddr::V6((v6.to_bits() | ones).into()),
    }
}

/// Returns the special purpose of an IP address in one of the best-known ranges of RFC 6890.
fn find_special_use(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(v4) => match v4.octets() {
            [127, ..] => Some("loopback: the local machine"),
            [169, 254, ..] => Some("link-local: not routable on the internet"),
            [100, 64..=127, ..] => Some("shared address space of network operators (carrier-grade NAT)"),
            [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => Some("reserved for documentation"),
            _ if v4.is_private() => Some("private: not routable on the internet"),
            _ => None,
        },
        IpAddr::V6(v6) if v6.is_loopback() => Some("loopback: the local machine"),
        IpAddr::V6(v6) => match v6.segments() {
            [0xfe80..=0xfebf, ..] => Some("link-local: not routable on the internet"),
            [0xfc00..=0xfdff, ..] => Some("private: not routable on the internet"),
            [0x2001, 0xdb8, ..] => Some("reserved for documentation"),
            _ => None,
        },
    }
}

/// Describes an integer or, in a set, a range of integers.
fn describe_integer(text: &str, in_set: bool) -> Option<(Vec<String>, String)> {
    if let Some((first, last)) = text.split_once("..").filter(|_| in_set) {
        let (first, last) = (number::parse_integer(first).ok()?, number::parse_integer(last).ok()?);
        let count = i128::from(last) - i128::from(first) + 1;
        let count = u128::try_from(count).ok().filter(|count| *count > 0)?;
        let numbers = if count == 1 { "number" } else { "numbers" };
        return Some((
            vec![format!("{} {numbers}, bounds included", format_thousands(count))],
            "range of numbers".to_owned(),
        ));
    }
    let value = number::parse_integer(text).ok()?;
    if text == value.to_string() {
        return Some((Vec::new(), "Integer".to_owned()));
    }
    let base = match text {
        _ if text.starts_with("0x") => "hexadecimal, ",
        _ if text.starts_with('0') => "octal because of the leading 0, ",
        _ => "",
    };
    Some((vec![format!("{base}`{value}` in decimal")], "Integer".to_owned()))
}

fn describe_bytes(bytes: &[u8]) -> (Vec<String>, String) {
    let mut lines = vec![format!("{} bytes in hexadecimal", bytes.len())];
    lines.extend(decode_printable(bytes).map(|text| format!("as text: `{text}`")));
    (lines, "Bytes".to_owned())
}

/// Decodes bytes as text, shortened to [`MAX_DECODED_CHARS`]. Returns `None` if that text is empty or contains a
/// control character or a backtick.
fn decode_printable(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    let excerpt: String = text.chars().take(MAX_DECODED_CHARS).collect();
    let ellipsis = if excerpt.len() < text.len() { "…" } else { "" };
    let is_printable = !excerpt.is_empty() && !excerpt.contains(|c: char| c.is_control() || c == '`');
    is_printable.then(|| format!("{excerpt}{ellipsis}"))
}

/// Describes a string that may be compared with `left`.
pub(super) fn hover_string(context: &HoverContext<'_>, content: &str, left: OperandInfo) -> Hover {
    let mut lines: Vec<String> = known_value_note(left, content).into_iter().collect();
    lines.extend(describe_escapes(context, content));
    Hover { title: truncate(context.text), ..context.build_hover("String", lines) }
}

/// Describes a string argument of a call.
pub(super) fn hover_argument(context: &HoverContext<'_>, call: &OpenCall, content: &str) -> Hover {
    let constraint = call.param().and_then(|param| param.constraint);
    match (call.function, constraint) {
        (_, Some(Constraint::Regex)) => hover_regex(context),
        (_, Some(Constraint::Wildcard)) => hover_wildcard(context, "case-insensitive unless the flag `s` is set"),
        (_, Some(Constraint::Flags(flags))) => {
            let set_flags = flags.iter().filter(|(flag, _)| content.contains(flag));
            let lines = set_flags.map(|(flag, description)| format!("`{flag}`: {description}"));
            context.build_hover("flags", lines.collect())
        }
        (Some(function), _) if function.id == FunctionId::HasValue => hover_string(context, content, call.first),
        _ => hover_string(context, content, OperandInfo::default()),
    }
}

/// Describes the decoded content of a string and its length.
fn describe_escapes(context: &HoverContext<'_>, content: &str) -> Vec<String> {
    let is_raw = context.text.starts_with(['r', 'R']);
    let bytes = if is_raw { content.as_bytes().to_vec() } else { unescape(content, 0).0 };
    let mut lines = Vec::new();
    if is_raw {
        lines.push("raw string: backslashes are literal".to_owned());
    } else if bytes != content.as_bytes() {
        lines.push(match decode_printable(&bytes) {
            Some(text) => format!("decodes to `{text}`"),
            None => format!("decodes to the bytes `{}`", format_hexadecimal(&bytes)),
        });
    }
    let characters = std::str::from_utf8(&bytes).map(|text| text.chars().count()).unwrap_or(bytes.len());
    let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    lines.push(if characters == bytes.len() {
        plural(bytes.len(), "byte")
    } else {
        format!("{} in {}", plural(characters, "character"), plural(bytes.len(), "byte"))
    });
    lines
}

fn format_hexadecimal(bytes: &[u8]) -> String {
    let excerpt: Vec<String> = bytes.iter().take(MAX_DECODED_CHARS / 3).map(|byte| format!("{byte:02x}")).collect();
    format!("{}{}", excerpt.join(":"), if excerpt.len() < bytes.len() { ":…" } else { "" })
}

/// Describes a pattern of `matches`.
pub(super) fn hover_regex(context: &HoverContext<'_>) -> Hover {
    let lines = [
        "matches anywhere in the value; `^` and `$` anchor it",
        "case-sensitive unless it starts with `(?i)`",
        "no lookaround and no backreferences; `\\d`, `\\w`, and `\\s` match ASCII only",
    ];
    let lines = lines.map(str::to_owned).to_vec();
    Hover { title: truncate(context.text), ..context.build_hover("regular expression", lines) }
}

/// Describes a wildcard pattern. `case` describes its case sensitivity.
pub(super) fn hover_wildcard(context: &HoverContext<'_>, case: &str) -> Hover {
    let lines = vec!["`*` matches any text; the pattern must match the whole value".to_owned(), case.to_owned()];
    Hover { title: truncate(context.text), ..context.build_hover("wildcard pattern", lines) }
}

fn truncate(text: &str) -> String {
    let excerpt: String = text.chars().take(MAX_DECODED_CHARS).collect();
    if excerpt.len() < text.len() { format!("{excerpt}…") } else { excerpt }
}

/// Returns the description of a known value of the field.
fn known_value_note(left: OperandInfo, text: &str) -> Option<String> {
    let mut values = left.field?.help().values.iter().copied().flatten();
    let known = values.find(|(value, description)| *value == text && !description.is_empty());
    known.map(|(_, description)| (*description).to_owned())
}

/// Formats a number with a comma between groups of three digits.
fn format_thousands(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
