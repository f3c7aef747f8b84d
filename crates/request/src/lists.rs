//! Parses named lists from JSON: `{"office": ["192.0.2.0/24"], "partners": [64496], "sites": ["*.example.com"]}`.
//!
//! All items of a list have the type of the first item.

use crate::error::{Error, shorten};
use crate::json::describe_json;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use zonewright_expression::{ListItem, Record, is_list_name};

/// Parses lists with [`parse_lists`] and sets them in the record.
///
/// # Errors
/// Returns the errors of [`parse_lists`].
pub fn set_lists(object: &Map<String, Json>, record: &mut Record) -> Result<(), Error> {
    parse_lists(object)?.into_iter().for_each(|(name, items)| record.set_list(&name, items));
    Ok(())
}

/// Parses an object of arrays. The returned names have no `$`.
///
/// # Errors
/// Returns an error if a name is invalid or duplicate, or if [`parse_list_items`] rejects the items.
pub fn parse_lists(object: &Map<String, Json>) -> Result<BTreeMap<String, Vec<ListItem>>, Error> {
    let mut lists = BTreeMap::new();
    for (name, items) in object {
        let bare_name = parse_list_name(name)?;
        if lists.contains_key(bare_name) {
            return Err(duplicate_list_error(bare_name));
        }
        let Json::Array(items) = items else {
            let message = format!("expected an array of items, found {}", describe_json(items));
            return Err(Error::for_field(&format!("${bare_name}"), message));
        };
        lists.insert(bare_name.to_owned(), parse_list_items(bare_name, items)?);
    }
    Ok(lists)
}

/// Validates the name of a list and removes a leading `$`.
///
/// # Errors
/// Returns an error if the name is invalid.
pub fn parse_list_name(name: &str) -> Result<&str, Error> {
    let bare_name = name.strip_prefix('$').unwrap_or(name);
    if is_list_name(bare_name) {
        return Ok(bare_name);
    }
    let message = format!("invalid list name `{}`", shorten(name));
    Err(Error::new(message)
        .with_help("list names have at most 50 lowercase letters, digits, and underscores, such as `office`"))
}

/// Returns the error for a list that is defined twice, such as with and without `$`.
pub fn duplicate_list_error(name: &str) -> Error {
    Error::for_field(&format!("${name}"), "duplicate list")
        .with_help(format!("`{name}` and `${name}` are the same list; define it once"))
}

/// Parses the items of a list: IP addresses, networks and ranges (`192.0.2.1`, `192.0.2.0/24`,
/// `192.0.2.1..192.0.2.9`), or hostnames (`*.example.com` for all subdomains), or AS numbers (`64496`,
/// `"AS64496"`).
///
/// # Errors
/// Returns an error if an item has no known type, or if its type differs from that of the first item.
pub fn parse_list_items(name: &str, items: &[Json]) -> Result<Vec<ListItem>, Error> {
    let mut parsed: Vec<ListItem> = Vec::with_capacity(items.len());
    for (index, json) in items.iter().enumerate() {
        let item_error = |message: String| {
            let field = format!("${name}");
            Error {
                message: format!("item {} of the list `{field}`: {message}", index + 1),
                field: Some(field),
                ..Error::default()
            }
        };
        let item = match json {
            Json::Number(number) => number.as_i64().filter(|number| *number >= 0).map(ListItem::Asn),
            Json::String(text) => parse_item(text).map_err(item_error)?,
            _ => None,
        };
        let item = item.ok_or_else(|| {
            item_error(format!("expected an IP address, a hostname or an AS number, found {}", describe_json(json)))
        })?;
        if let Some(first) = parsed.first().filter(|first| plural_type(first) != plural_type(&item)) {
            return Err(item_error(format!("`{}` in a list of {}", plain_text(json), plural_type(first))));
        }
        parsed.push(item);
    }
    Ok(parsed)
}

fn plain_text(json: &Json) -> String {
    json.as_str().map_or_else(|| json.to_string(), shorten)
}

fn plural_type(item: &ListItem) -> &'static str {
    match item {
        ListItem::Addresses(..) => "IP addresses",
        ListItem::Hostname(_) => "hostnames",
        ListItem::Asn(_) => "AS numbers",
    }
}

/// Parses an item. Returns `None` if the text is not an item of any type.
fn parse_item(text: &str) -> Result<Option<ListItem>, String> {
    let text = text.trim();
    if let Some(range) = parse_address_range(text)? {
        return Ok(Some(range));
    }
    let digits = text.strip_prefix("AS").or_else(|| text.strip_prefix("as")).unwrap_or(text);
    if let Ok(number) = digits.parse::<u32>() {
        return Ok(Some(ListItem::Asn(i64::from(number))));
    }
    Ok(is_hostname(text).then(|| ListItem::Hostname(text.to_ascii_lowercase().into_bytes())))
}

fn parse_address_range(text: &str) -> Result<Option<ListItem>, String> {
    let parse = |text: &str| text.parse::<IpAddr>().ok();
    if let Some((first, last)) = text.split_once("..") {
        return match (parse(first), parse(last)) {
            (None, None) => Ok(None),
            (Some(first), Some(last)) if first.is_ipv4() == last.is_ipv4() && first <= last => {
                Ok(Some(ListItem::Addresses(first, last)))
            }
            _ => {
                let text = shorten(text);
                Err(format!("invalid range `{text}`; write two addresses of the same IP version, the lower one first"))
            }
        };
    }
    if let Some((base, length)) = text.split_once('/')
        && let Some(base) = parse(base)
    {
        let range = length.parse::<u32>().ok().and_then(|length| network_range(base, length));
        let message =
            || format!("invalid network `{}`; check the prefix length and set the host bits to zero", shorten(text));
        return range.map(|(first, last)| Some(ListItem::Addresses(first, last))).ok_or_else(message);
    }
    Ok(parse(text).map(|address| ListItem::Addresses(address, address)))
}

/// Returns the first and the last address of a network, or `None` if the length is too large or host bits are set.
fn network_range(base: IpAddr, length: u32) -> Option<(IpAddr, IpAddr)> {
    let (first, last) = match base {
        IpAddr::V4(base) => {
            let host_mask = u32::MAX.checked_shr(length).unwrap_or(0);
            (length <= 32 && base.to_bits() & host_mask == 0)
                .then(|| (base.into(), Ipv4Addr::from_bits(base.to_bits() | host_mask).into()))?
        }
        IpAddr::V6(base) => {
            let host_mask = u128::MAX.checked_shr(length).unwrap_or(0);
            (length <= 128 && base.to_bits() & host_mask == 0)
                .then(|| (base.into(), Ipv6Addr::from_bits(base.to_bits() | host_mask).into()))?
        }
    };
    Some((first, last))
}

fn is_hostname(text: &str) -> bool {
    let name = text.strip_prefix("*.").unwrap_or(text);
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    name.len() <= 253 && name.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]
    use super::*;
    use serde_json::json;

    fn parse_and_show(items: Json) -> Result<String, String> {
        let items = parse_list_items("x", items.as_array().unwrap()).map_err(|error| error.message)?;
        let described = items.iter().map(|item| match item {
            ListItem::Addresses(first, last) => format!("{first}..{last}"),
            ListItem::Hostname(name) => String::from_utf8(name.clone()).unwrap(),
            ListItem::Asn(number) => format!("AS{number}"),
        });
        Ok(described.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn list_items_of_each_type_are_parsed() {
        let cases = [
            (json!([]), ""),
            (json!(["192.0.2.1", "192.0.2.0/24"]), "192.0.2.1..192.0.2.1 192.0.2.0..192.0.2.255"),
            (json!(["0.0.0.0/0", "192.0.2.1..192.0.2.9"]), "0.0.0.0..255.255.255.255 192.0.2.1..192.0.2.9"),
            (json!(["::/0"]), "::..ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            (json!(["2001:db8::/32", "::1/128"]), "2001:db8::..2001:db8:ffff:ffff:ffff:ffff:ffff:ffff ::1..::1"),
            (json!([64496, "64497", "AS64498"]), "AS64496 AS64497 AS64498"),
            (json!(["Example.com", "*.example.org", "localhost"]), "example.com *.example.org localhost"),
        ];
        for (items, expected) in cases {
            assert_eq!(parse_and_show(items.clone()).as_deref(), Ok(expected), "{items}");
        }
    }

    #[test]
    fn invalid_items_and_names_are_rejected() {
        let cases = [
            (json!(["192.0.2.1/24"]), "item 1 of the list `$x`: invalid network `192.0.2.1/24`"),
            (json!(["192.0.2.0/33"]), "invalid network"),
            (json!(["192.0.2.9..192.0.2.1"]), "invalid range"),
            (json!(["192.0.2.9..::1"]), "invalid range"),
            (json!(["192.0.2.1", "example.com"]), "item 2 of the list `$x`: `example.com` in a list of IP addresses"),
            (json!(["example.com", 5]), "item 2 of the list `$x`: `5` in a list of hostnames"),
            (json!([-1]), "found the number `-1`"),
            (json!([null]), "found null"),
            (json!(["a b"]), "found the string `a b`"),
            (json!(["a..b"]), "found the string `a..b`"),
            (json!([""]), "found the string ``"),
        ];
        for (items, expected) in cases {
            let error = parse_and_show(items.clone()).unwrap_err();
            assert!(error.contains(expected), "{items}: {error}");
        }
        let mut record = Record::default();
        assert!(set_lists(json!({"Office": []}).as_object().unwrap(), &mut record).is_err());
        assert!(set_lists(json!({"office": "a"}).as_object().unwrap(), &mut record).is_err());
        for invalid in ["$$office", "$", "", "office.", ".office", "my-office", &"a".repeat(51)] {
            assert!(parse_list_name(invalid).is_err(), "{invalid}");
        }
        assert_eq!(
            [parse_list_name("$office").unwrap(), parse_list_name("cf.malware").unwrap()],
            ["office", "cf.malware"]
        );
        let duplicate = json!({"$office": [], "office": []});
        let error = set_lists(duplicate.as_object().unwrap(), &mut record).unwrap_err();
        assert_eq!(error.message, "`$office`: duplicate list");
        set_lists(json!({"$office": ["192.0.2.1"]}).as_object().unwrap(), &mut record).unwrap();
        assert_eq!(record.list("office").map(<[_]>::len), Some(1));
    }
}
