//! Named lists.

use super::{addresses::Addresses, ranges::Integers, texts::TextSet};
use crate::{ListItem, Value};
use std::{
    fmt,
    sync::{Arc, OnceLock},
};

/// The items of a named list. Clones share the items and the search index. The first search builds the index, and
/// concurrent searches wait for it.
#[derive(Clone)]
pub(crate) struct NamedList(Arc<ListInner>);

struct ListInner {
    items: Vec<ListItem>,
    index: OnceLock<ListIndex>,
}

/// The search index: sorted sets of the items.
struct ListIndex {
    addresses: Addresses,
    asns: Integers,
    /// The hostnames, in lowercase.
    names: TextSet,
    /// The hostnames that begin with `*.`, in lowercase and without the star.
    subdomain_suffixes: TextSet,
}

impl fmt::Debug for NamedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items().fmt(f)
    }
}

impl NamedList {
    pub(crate) fn new(items: Vec<ListItem>) -> Self {
        NamedList(Arc::new(ListInner { items, index: OnceLock::new() }))
    }

    pub(crate) fn items(&self) -> &[ListItem] {
        &self.0.items
    }

    /// Returns whether the list contains the value. Hostnames are compared case-insensitively (assumption host-lists).
    pub(crate) fn contains(&self, value: &Value) -> bool {
        let index = self.0.index.get_or_init(|| ListIndex::new(self.items()));
        match value {
            Value::Ip(address) => index.addresses.contains(*address),
            Value::Integer(integer) => index.asns.contains(*integer),
            Value::Text(host) => index.contains_host(host),
            Value::Boolean(_) | Value::Array(_) | Value::Map(_) => false,
        }
    }
}

impl ListIndex {
    fn new(items: &[ListItem]) -> Self {
        let (mut addresses, mut asns) = (Vec::new(), Vec::new());
        let (mut names, mut suffixes) = (Vec::new(), Vec::new());
        for item in items {
            match item {
                ListItem::Addresses(first, last) => addresses.push((*first, *last)),
                ListItem::Asn(number) => asns.push((*number, *number)),
                ListItem::Hostname(name) => match name.strip_prefix(b"*") {
                    Some(end) if end.starts_with(b".") => suffixes.push(end.to_ascii_lowercase()),
                    _ => names.push(name.to_ascii_lowercase()),
                },
            }
        }
        let texts = |texts: &[Vec<u8>]| TextSet::new(texts.iter().map(Vec::as_slice).collect());
        ListIndex {
            addresses: Addresses::new(addresses.into_iter()),
            asns: Integers::new(asns),
            names: texts(&names),
            subdomain_suffixes: texts(&suffixes),
        }
    }

    fn contains_host(&self, host: &[u8]) -> bool {
        let suffixes =
            || memchr::memchr_iter(b'.', host).filter(|index| *index > 0).filter_map(|index| host.get(index..));
        self.names.contains_ignore_case(host)
            || !self.subdomain_suffixes.is_empty()
                && suffixes().any(|suffix| self.subdomain_suffixes.contains_ignore_case(suffix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_searches_items_of_the_type_of_the_value() {
        let hosts = ["Example.com", "*.example.com", "*.", "*", "*x.org", ""];
        let ranges = [("192.0.2.0", "192.0.2.9"), ("2001:db8::", "2001:db8::f"), ("198.51.100.9", "198.51.100.0")];
        let items = hosts.iter().map(|name| ListItem::Hostname(name.as_bytes().to_vec()));
        let items = items.chain(
            ranges.iter().map(|(first, last)| ListItem::Addresses(first.parse().unwrap(), last.parse().unwrap())),
        );
        let list = NamedList::new(items.chain([ListItem::Asn(64_512)]).collect());
        for (host, expected) in [
            ("example.COM", true),
            ("a.EXAMPLE.com", true),
            ("a.b.example.com", true),
            (".example.com", false),
            ("aexample.com", false),
            ("a.", true),
            (".", false),
            ("..", true),
            ("*", true),
            ("*X.org", true),
            ("ax.org", false),
            ("", true),
        ] {
            assert_eq!(list.contains(&Value::Text(host.into())), expected, "{host}");
        }
        for (address, expected) in [
            ("192.0.2.9", true),
            ("192.0.2.10", false),
            ("2001:db8::f", true),
            ("2001:db8::10", false),
            ("198.51.100.5", false),
        ] {
            assert_eq!(list.contains(&Value::Ip(address.parse().unwrap())), expected, "{address}");
        }
        assert!(list.contains(&Value::Integer(64_512)) && !list.contains(&Value::Integer(0)));
    }
}
