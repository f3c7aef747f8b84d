//! The functions, written from their documentation.

use super::compare::{first_match, match_wildcard};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use std::net::IpAddr;
use zonewright_expression::Value;

/// Calls a function with arguments that are all present.
pub(super) fn call(name: &str, arguments: &[Value]) -> Option<Value> {
    let text = |index: usize| match arguments.get(index) {
        Some(Value::Text(text)) => text.clone(),
        _ => Vec::new(),
    };
    let integer = |index: usize| match arguments.get(index) {
        Some(Value::Integer(integer)) => *integer,
        _ => 0,
    };
    let first = arguments.first()?.clone();
    Some(match name {
        "bit_slice" => Value::Integer(bit_slice(&text(0), integer(1), integer(2))?),
        "cidr" => network(first, integer(1), integer(2))?,
        "cidr6" => network(first, 32, integer(1))?,
        "decode_base64" => Value::Text(from_base64(&text(0))?),
        "encode_base64" => Value::Text(to_base64(&text(0), &text(1))),
        "ends_with" => Value::Boolean(text(0).ends_with(&text(1))),
        "starts_with" => Value::Boolean(text(0).starts_with(&text(1))),
        "has_key" => match first {
            Value::Map(members) => Value::Boolean(members.keys().any(|key| *key == text(1))),
            _ => return None,
        },
        "has_value" => Value::Boolean(super::elements(first).iter().any(|element| element == &arguments[1])),
        "hash_in_range" => Value::Integer(hash_in_range(integer(0), integer(1), &arguments[2..])?),
        "is_timed_hmac_valid_v0" => {
            let url_safe = text(5).contains(&b's');
            Value::Boolean(is_fresh_token(&text(0), &text(1), integer(2), integer(3), integer(4), url_safe))
        }
        "join" => {
            let items: Vec<_> = super::elements(first).into_iter().map(bytes_of).collect();
            Value::Text(items.join(text(1).as_slice()))
        }
        "len" => Value::Integer(match first {
            Value::Text(text) => text.len() as i64,
            other => super::elements(other).len() as i64,
        }),
        "lookup_json_integer" => Value::Integer(json(&text(0), &arguments[1..])?.as_i64()?),
        "lookup_json_string" => Value::Text(json(&text(0), &arguments[1..])?.as_str()?.as_bytes().to_vec()),
        "lower" => Value::Text(text(0).iter().map(u8::to_ascii_lowercase).collect()),
        "upper" => Value::Text(text(0).iter().map(u8::to_ascii_uppercase).collect()),
        "regex_replace" => Value::Text(regex_replace(&text(0), &text(1), &text(2))),
        "wildcard_replace" => {
            let replaced = match_wildcard(&text(1), &text(0), text(3) == b"s").map(|stars| {
                let pattern = [vec![text(0)], stars].concat();
                expand(&text(2), &pattern)
            });
            Value::Text(replaced.unwrap_or(text(0)))
        }
        "remove_bytes" => Value::Text(text(0).into_iter().filter(|byte| !text(1).contains(byte)).collect()),
        "remove_query_args" => Value::Text(remove_query_args(&text(0), &arguments[1..])),
        "sha256" => Value::Text(Sha256::digest(text(0)).to_vec()),
        "split" => Value::Array(split(&text(0), &text(1), integer(2)).into_iter().map(Value::Text).collect()),
        "substring" => {
            let end = if arguments.len() > 2 { integer(2) } else { i64::MAX };
            Value::Text(substring(&text(0), integer(1), end))
        }
        "to_string" => Value::Text(match first {
            Value::Integer(integer) => integer.to_string().into_bytes(),
            Value::Boolean(boolean) => boolean.to_string().into_bytes(),
            Value::Ip(address) => address.to_string().into_bytes(),
            _ => return None,
        }),
        "url_decode" => Value::Text(url_decode(&text(0), &text(1))),
        "uuidv4" => Value::Text(uuid(&text(0))?),
        other => panic!("`{other}` is an unknown function"),
    })
}

pub(super) fn concat(values: Vec<Value>) -> Option<Value> {
    Some(match values.first()? {
        Value::Array(_) => Value::Array(values.into_iter().flat_map(super::elements).collect()),
        _ => Value::Text(values.into_iter().flat_map(bytes_of).collect()),
    })
}

fn bytes_of(value: Value) -> Vec<u8> {
    match value {
        Value::Text(text) => text,
        _ => Vec::new(),
    }
}

fn bits(bytes: &[u8]) -> Vec<bool> {
    bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte & 1 << bit != 0)).collect()
}

fn bit_slice(packet: &[u8], start: i64, end: i64) -> Option<i64> {
    if end < start || end - start > 32 {
        return None;
    }
    let bits = bits(packet);
    let slice = if start == end { &[] } else { bits.get(start as usize..end as usize)? };
    Some(slice.iter().fold(0, |number, bit| number * 2 + i64::from(*bit)))
}

fn network(address: Value, ipv4_bits: i64, ipv6_bits: i64) -> Option<Value> {
    let clear = |bytes: &mut [u8], prefix_bits: i64| {
        for bit in prefix_bits as usize..bytes.len() * 8 {
            bytes[bit / 8] &= !(0x80 >> (bit % 8));
        }
    };
    Some(Value::Ip(match address {
        Value::Ip(IpAddr::V4(address)) => {
            let mut bytes = address.octets();
            clear(&mut bytes, ipv4_bits);
            IpAddr::from(bytes)
        }
        Value::Ip(IpAddr::V6(address)) => {
            let mut bytes = address.octets();
            clear(&mut bytes, ipv6_bits);
            IpAddr::from(bytes)
        }
        _ => return None,
    }))
}

const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn to_base64(bytes: &[u8], flags: &[u8]) -> Vec<u8> {
    let mut result = Vec::new();
    for six in bits(bytes).chunks(6) {
        let number = (0..6).fold(0, |number, bit| number * 2 + usize::from(six.get(bit) == Some(&true)));
        result.push(match (DIGITS[number], flags.contains(&b'u')) {
            (b'+', true) => b'-',
            (b'/', true) => b'_',
            (digit, _) => digit,
        });
    }
    while flags.contains(&b'p') && result.len() % 4 != 0 {
        result.push(b'=');
    }
    result
}

/// Decodes with or without padding, and rejects every other character after the digits.
fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.iter().copied().take_while(|byte| *byte != b'=').collect();
    let padding = &text[digits.len()..];
    let max_padding = digits.len().next_multiple_of(4) - digits.len();
    if padding.iter().any(|byte| *byte != b'=') || padding.len() > max_padding || digits.len() % 4 == 1 {
        return None;
    }
    let mut bits = Vec::new();
    for digit in digits {
        let number = DIGITS.iter().position(|other| *other == digit)?;
        bits.extend((0..6).rev().map(|bit| number & 1 << bit != 0));
    }
    let byte = |eight: &[bool]| eight.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
    Some(bits.chunks_exact(8).map(byte).collect())
}

/// HMAC of RFC 2104 with SHA-256.
fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut block = if key.len() > 64 { Sha256::digest(key).to_vec() } else { key.to_vec() };
    block.resize(64, 0);
    let pad = |mask: u8| block.iter().map(|byte| byte ^ mask).collect::<Vec<_>>();
    let inner = Sha256::digest([pad(0x36).as_slice(), message].concat());
    Sha256::digest([pad(0x5c).as_slice(), inner.as_slice()].concat()).to_vec()
}

fn is_fresh_token(key: &[u8], token: &[u8], lifetime: i64, now: i64, separator: i64, url_safe: bool) -> bool {
    let Some(groups) = first_match(r"(?s)^(.+)([0-9]{10})-(.{43,})$", token) else { return false };
    let group = |number: usize| token[groups[number].clone().unwrap()].to_vec();
    let (mut message, time, mac) = (group(1), group(2), group(3));
    if separator < 0 || separator as usize >= message.len() {
        return false;
    }
    message.truncate(message.len() - separator as usize);
    let expected = hmac(key, &[message, time.clone()].concat());
    let is_genuine = match url_safe {
        true => to_base64(&expected, b"u") == mac,
        false => {
            // A plus sign is a Base64 digit here, not a space.
            let mac: Vec<u8> =
                mac.into_iter().flat_map(|byte| if byte == b'+' { b"%2B".to_vec() } else { vec![byte] }).collect();
            from_base64(&url_decode(&mac, b"")) == Some(expected)
        }
    };
    let issued: i64 = String::from_utf8(time).unwrap().parse().unwrap();
    is_genuine && i128::from(now) < i128::from(issued) + i128::from(lifetime)
}

fn json(text: &[u8], path: &[Value]) -> Option<Json> {
    let mut found: Json = serde_json::from_slice(text).ok()?;
    for key in path {
        found = match key {
            Value::Text(name) => found.as_object()?.get(std::str::from_utf8(name).ok()?)?.clone(),
            Value::Integer(index) => found.as_array()?.get(usize::try_from(*index).ok()?)?.clone(),
            _ => return None,
        };
    }
    Some(found)
}

fn regex_replace(source: &[u8], pattern: &[u8], replacement: &[u8]) -> Vec<u8> {
    let pattern = String::from_utf8_lossy(pattern);
    let Some(groups) = first_match(&pattern, source) else { return source.to_vec() };
    let full_match = groups[0].clone().unwrap();
    let groups: Vec<_> = groups.into_iter().map(|group| source[group.unwrap_or(0..0)].to_vec()).collect();
    [&source[..full_match.start], &expand(replacement, &groups), &source[full_match.end..]].concat()
}

/// Expands `${n}` and `$$` in a replacement.
fn expand(replacement: &[u8], groups: &[Vec<u8>]) -> Vec<u8> {
    let mut result = Vec::new();
    let mut rest = replacement;
    while !rest.is_empty() {
        let (bytes, used) = match first_match(r"^\$(?:\$|\{([0-9]+)\})", rest) {
            Some(found) => {
                let bytes = match &found[1] {
                    Some(digits) => {
                        let number = std::str::from_utf8(&rest[digits.clone()]).unwrap().parse::<usize>();
                        number.ok().and_then(|number| groups.get(number).cloned()).unwrap_or_default()
                    }
                    None => vec![b'$'],
                };
                (bytes, found[0].clone().unwrap().end)
            }
            None => (vec![rest[0]], 1),
        };
        result.extend(bytes);
        rest = &rest[used..];
    }
    result
}

fn remove_query_args(query: &[u8], names: &[Value]) -> Vec<u8> {
    let is_kept = |argument: &&[u8]| {
        let name: Vec<u8> = argument.iter().copied().take_while(|byte| *byte != b'=').collect();
        !names.contains(&Value::Text(name))
    };
    let arguments: Vec<_> = query.split(|byte| *byte == b'&').filter(is_kept).collect();
    arguments.join(&b'&')
}

fn split(text: &[u8], separator: &[u8], limit: i64) -> Vec<Vec<u8>> {
    let mut parts = vec![Vec::new()];
    let mut index = 0;
    while index < text.len() {
        if text[index..].starts_with(separator) && (parts.len() as i64) < limit {
            parts.push(Vec::new());
            index += separator.len();
        } else {
            parts.last_mut().unwrap().push(text[index]);
            index += 1;
        }
    }
    parts
}

fn substring(text: &[u8], start: i64, end: i64) -> Vec<u8> {
    let length = text.len() as i128;
    let resolve = |index: i64| {
        let index = i128::from(index);
        if index < 0 { index + length } else { index }
    };
    let inside = |index: &i128| resolve(start) <= *index && *index < resolve(end);
    (0..length).filter(inside).map(|index| text[index as usize]).collect()
}

fn url_decode(text: &[u8], options: &[u8]) -> Vec<u8> {
    let decoded = decode_once(text, options.contains(&b'u'));
    if options.contains(&b'r') && decoded != text { url_decode(&decoded, options) } else { decoded }
}

fn decode_once(text: &[u8], unicode: bool) -> Vec<u8> {
    let number = |digits: std::ops::Range<usize>| -> Option<u32> {
        let digits = std::str::from_utf8(text.get(digits)?).ok()?;
        let all = digits.chars().all(|digit| digit.is_ascii_hexdigit());
        all.then(|| u32::from_str_radix(digits, 16).unwrap())
    };
    let code_unit = |index: usize| if text[index..].starts_with(b"%u") { number(index + 2..index + 6) } else { None };
    let mut result = Vec::new();
    let mut index = 0;
    while index < text.len() {
        let units = [code_unit(index), text.get(index + 6).and_then(|_| code_unit(index + 6))];
        let pair = units.into_iter().flatten().map(|unit| unit as u16).collect::<Vec<_>>();
        let unit_text = pair.first().and_then(|unit| String::from_utf16(&[*unit]).ok());
        let pair_text = if pair.len() == 2 && units[0].is_some() { String::from_utf16(&pair).ok() } else { None };
        let (bytes, used) = if let Some(unit_text) = unit_text.filter(|_| unicode && units[0].is_some()) {
            (unit_text.into_bytes(), 6)
        } else if let Some(pair_text) = pair_text.filter(|_| unicode) {
            (pair_text.into_bytes(), 12)
        } else if text[index] == b'%' && number(index + 1..index + 3).is_some() {
            (vec![number(index + 1..index + 3).unwrap() as u8], 3)
        } else {
            (vec![if text[index] == b'+' { b' ' } else { text[index] }], 1)
        };
        result.extend(bytes);
        index += used;
    }
    result
}

fn uuid(random: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = random.get(..16)?.to_vec();
    bytes[6] = 0x40 | bytes[6] & 0x0f;
    bytes[8] = 0x80 | bytes[8] & 0x3f;
    let mut text = String::new();
    for (index, byte) in bytes.iter().enumerate() {
        if [4, 6, 8, 10].contains(&index) {
            text.push('-');
        }
        text.push_str(&format!("{byte:02x}"));
    }
    Some(text.into_bytes())
}

/// The engine defines this hash, so the algorithm is repeated here.
fn hash_in_range(start: i64, end: i64, values: &[Value]) -> Option<i64> {
    let digest = Sha256::digest(values.iter().flat_map(tagged_bytes).collect::<Vec<u8>>());
    let hash = digest[..8].iter().fold(0_i128, |hash, byte| hash << 8 | i128::from(*byte));
    let size = i128::from(end) - i128::from(start);
    (size > 0).then(|| (i128::from(start) + hash % size) as i64)
}

/// A value prefixed with its kind and length, so that different values have different bytes.
fn tagged_bytes(value: &Value) -> Vec<u8> {
    let with_length = |kind: u8, bytes: &[u8]| [&[kind][..], &(bytes.len() as u64).to_be_bytes(), bytes].concat();
    let count = |kind: u8, count: usize| with_length(kind, &(count as u64).to_be_bytes());
    match value {
        Value::Text(text) => with_length(b't', text),
        Value::Integer(integer) => with_length(b'i', &integer.to_be_bytes()),
        Value::Ip(address) => with_length(b'a', address.to_string().as_bytes()),
        Value::Boolean(boolean) => with_length(b'b', &[u8::from(*boolean)]),
        Value::Array(elements) => {
            [vec![count(b'[', elements.len())], elements.iter().map(tagged_bytes).collect()].concat().concat()
        }
        Value::Map(members) => {
            let pairs = members
                .iter()
                .map(|(key, member)| [tagged_bytes(&Value::Text(key.clone())), tagged_bytes(member)].concat());
            [vec![count(b'{', members.len())], pairs.collect()].concat().concat()
        }
    }
}
