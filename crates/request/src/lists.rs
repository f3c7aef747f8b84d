//! Named lists as JSON: `{"office": ["192.0.2.0/24"], "partners": [64496], "sites": ["*.example.com"]}`.

use crate::error::{Error, short};
use crate::json::found;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use zonewright_expression::{ListItem, Record, is_list_name};

/// Gives the record the lists of a JSON object, as [`lists`] reads them.
///
/// # Errors
/// When [`lists`] refuses them.
pub fn set_lists(object: &Map<String, Json>, record: &mut Record) -> Result<(), Error> {
    lists(object)?.into_iter().for_each(|(name, items)| record.set_list(&name, items));
    Ok(())
}

/// The lists of a JSON object by their names without `$`, each an array of items.
///
/// # Errors
/// When a name cannot be that of a list or is given twice, or [`list_items`] refuses the items.
pub fn lists(object: &Map<String, Json>) -> Result<BTreeMap<String, Vec<ListItem>>, Error> {
    let mut lists = BTreeMap::new();
    for (name, items) in object {
        let bare = list_name(name)?;
        if lists.contains_key(bare) {
            return Err(given_twice(bare));
        }
        let Json::Array(items) = items else {
            let message = format!("expected an array of items, found {}", found(items));
            return Err(Error::about(&format!("${bare}"), message));
        };
        lists.insert(bare.to_owned(), list_items(bare, items)?);
    }
    Ok(lists)
}

/// The name of a list, wherever one is given: a leading `$` as in expressions is allowed and left out.
///
/// # Errors
/// When no list can have the name.
pub fn list_name(name: &str) -> Result<&str, Error> {
    let bare = name.strip_prefix('$').unwrap_or(name);
    if is_list_name(bare) {
        return Ok(bare);
    }
    let message = format!("`{}` cannot be the name of a list", short(name));
    Err(Error::new(message)
        .with_help("list names have at most 50 lower-case letters, digits and `_`, such as `office`"))
}

/// Says that a list is given twice, such as with and without `$`.
pub fn given_twice(name: &str) -> Error {
    Error::about(&format!("${name}"), "the list is given twice")
        .with_help(format!("`{name}` and `${name}` are the same list: give it once"))
}

/// The items of a list: addresses, networks and ranges (`192.0.2.1`, `192.0.2.0/24`,
/// `192.0.2.1..192.0.2.9`), or host names (`*.example.com` for all below one), or AS numbers (`64496`,
/// `"AS64496"`). All are of the kind of the first.
///
/// # Errors
/// When an item is nothing of this, or not of the kind of the first.
pub fn list_items(name: &str, items: &[Json]) -> Result<Vec<ListItem>, Error> {
    let mut read: Vec<ListItem> = Vec::with_capacity(items.len());
    for (index, json) in items.iter().enumerate() {
        let refused = |message: String| {
            let field = format!("${name}");
            Error {
                message: format!("item {} of the list `{field}`: {message}", index + 1),
                field: Some(field),
                ..Error::default()
            }
        };
        let item = match json {
            Json::Number(number) => number.as_i64().filter(|number| *number >= 0).map(ListItem::Asn),
            Json::String(text) => item(text).map_err(refused)?,
            _ => None,
        };
        let item = item.ok_or_else(|| {
            refused(format!("expected an address, a host name or an AS number, found {}", found(json)))
        })?;
        if let Some(first) = read.first().filter(|first| kind(first) != kind(&item)) {
            return Err(refused(format!("`{}` stands among {}", bare(json), kind(first))));
        }
        read.push(item);
    }
    Ok(read)
}

fn bare(json: &Json) -> String {
    json.as_str().map_or_else(|| json.to_string(), short)
}

fn kind(item: &ListItem) -> &'static str {
    match item {
        ListItem::Addresses(..) => "addresses",
        ListItem::Hostname(_) => "host names",
        ListItem::Asn(_) => "AS numbers",
    }
}

/// `None` when the text looks like no item at all.
fn item(text: &str) -> Result<Option<ListItem>, String> {
    let text = text.trim();
    if let Some(range) = addresses(text)? {
        return Ok(Some(range));
    }
    let digits = text.strip_prefix("AS").or_else(|| text.strip_prefix("as")).unwrap_or(text);
    if let Ok(number) = digits.parse::<u32>() {
        return Ok(Some(ListItem::Asn(i64::from(number))));
    }
    Ok(is_hostname(text).then(|| ListItem::Hostname(text.to_ascii_lowercase().into_bytes())))
}

fn addresses(text: &str) -> Result<Option<ListItem>, String> {
    let parse = |text: &str| text.parse::<IpAddr>().ok();
    if let Some((first, last)) = text.split_once("..") {
        return match (parse(first), parse(last)) {
            (None, None) => Ok(None),
            (Some(first), Some(last)) if first.is_ipv4() == last.is_ipv4() && first <= last => {
                Ok(Some(ListItem::Addresses(first, last)))
            }
            _ => Err(format!("`{}` is no range from a lower address to a higher one", short(text))),
        };
    }
    if let Some((base, length)) = text.split_once('/')
        && let Some(base) = parse(base)
    {
        let network = length.parse::<u32>().ok().and_then(|length| network(base, length));
        let problem =
            || format!("`{}` is no network: the length fits and the bits behind it are zero in one", short(text));
        return network.map(|(first, last)| Some(ListItem::Addresses(first, last))).ok_or_else(problem);
    }
    Ok(parse(text).map(|address| ListItem::Addresses(address, address)))
}

fn network(base: IpAddr, length: u32) -> Option<(IpAddr, IpAddr)> {
    let (first, last) = match base {
        IpAddr::V4(base) => {
            let host = u32::MAX.checked_shr(length).unwrap_or(0);
            (length <= 32 && base.to_bits() & host == 0)
                .then(|| (base.into(), Ipv4Addr::from_bits(base.to_bits() | host).into()))?
        }
        IpAddr::V6(base) => {
            let host = u128::MAX.checked_shr(length).unwrap_or(0);
            (length <= 128 && base.to_bits() & host == 0)
                .then(|| (base.into(), Ipv6Addr::from_bits(base.to_bits() | host).into()))?
        }
    };
    Some((first, last))
}

fn is_hostname(text: &str) -> bool {
    let name = text.strip_prefix("*.").unwrap_or(text);
    let label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    name.len() <= 253 && name.split('.').all(label)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]
    use super::*;
    use serde_json::json;

    fn read(items: Json) -> Result<String, String> {
        let items = list_items("x", items.as_array().unwrap()).map_err(|error| error.message)?;
        let shown = items.iter().map(|item| match item {
            ListItem::Addresses(first, last) => format!("{first}..{last}"),
            ListItem::Hostname(name) => String::from_utf8(name.clone()).unwrap(),
            ListItem::Asn(number) => format!("AS{number}"),
        });
        Ok(shown.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn the_kind_is_found_from_the_items() {
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
            assert_eq!(read(items.clone()).as_deref(), Ok(expected), "{items}");
        }
    }

    #[test]
    fn wrong_items_are_named() {
        let cases = [
            (json!(["192.0.2.1/24"]), "item 1 of the list `$x`: `192.0.2.1/24` is no network"),
            (json!(["192.0.2.0/33"]), "is no network"),
            (json!(["192.0.2.9..192.0.2.1"]), "is no range"),
            (json!(["192.0.2.9..::1"]), "is no range"),
            (json!(["192.0.2.1", "example.com"]), "item 2 of the list `$x`: `example.com` stands among addresses"),
            (json!(["example.com", 5]), "item 2 of the list `$x`: `5` stands among host names"),
            (json!([-1]), "found the number `-1`"),
            (json!([null]), "found null"),
            (json!(["a b"]), "found the text `a b`"),
            (json!(["a..b"]), "found the text `a..b`"),
            (json!([""]), "found the text ``"),
        ];
        for (items, expected) in cases {
            let error = read(items.clone()).unwrap_err();
            assert!(error.contains(expected), "{items}: {error}");
        }
        let mut record = Record::default();
        assert!(set_lists(json!({"Office": []}).as_object().unwrap(), &mut record).is_err());
        assert!(set_lists(json!({"office": "a"}).as_object().unwrap(), &mut record).is_err());
        for wrong in ["$$office", "$", "", "office.", ".office", "my-office", &"a".repeat(51)] {
            assert!(list_name(wrong).is_err(), "{wrong}");
        }
        assert_eq!([list_name("$office").unwrap(), list_name("cf.malware").unwrap()], ["office", "cf.malware"]);
        let twice = json!({"$office": [], "office": []});
        let error = set_lists(twice.as_object().unwrap(), &mut record).unwrap_err();
        assert_eq!(error.message, "`$office`: the list is given twice");
        set_lists(json!({"$office": ["192.0.2.1"]}).as_object().unwrap(), &mut record).unwrap();
        assert_eq!(record.list("office").map(<[_]>::len), Some(1));
    }
}
