//! Changes a record as rewrite rules change a request. The `raw.` fields keep the request as it was sent.

use super::uri::push_normalized_fields;
use super::{Fields, REQUEST_HEADER_FIELDS, push_headers};
use crate::request::{Header, Request};
use zonewright_expression::{Record, Value};

/// A change of a part of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change<'a> {
    /// The part has this value now.
    Set(&'a [u8]),
    /// The part is removed.
    Remove,
    /// The value depends on values that are not known.
    Unknown,
}

/// The fields of the URI that change with its path.
const PATH_FIELDS: [&str; 5] = [
    "http.request.full_uri",
    "http.request.uri",
    "http.request.uri.path",
    "http.request.uri.path.basename",
    "http.request.uri.path.extension",
];
/// The fields of the URI that change with its query.
const QUERY_FIELDS: [&str; 6] = [
    "http.request.full_uri",
    "http.request.uri",
    "http.request.uri.query",
    "http.request.uri.args",
    "http.request.uri.args.names",
    "http.request.uri.args.values",
];
/// The fields of one header, with its name.
const SINGLE_HEADER_FIELDS: [(&str, &str); 6] = [
    ("user-agent", "http.user_agent"),
    ("referer", "http.referer"),
    ("x-forwarded-for", "http.x_forwarded_for"),
    ("cookie", "http.cookie"),
    ("cookie", "http.request.cookies"),
    ("accept-language", "http.request.accepted_languages"),
];

/// Changes the path, which is not normalized again, and all fields that follow from it.
pub fn change_path(record: &mut Record, change: Change<'_>) {
    change_uri(record, Some(change), None);
}

/// Changes the query, without its question mark, and all fields that follow from it.
pub fn change_query(record: &mut Record, change: Change<'_>) {
    change_uri(record, None, Some(change));
}

fn change_uri(record: &mut Record, path: Option<Change<'_>>, query: Option<Change<'_>>) {
    let text = |name| match record.get(name) {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let (old_uri, old_full) = (text("http.request.uri"), text("http.request.full_uri"));
    let origin = old_full.zip(old_uri).and_then(|(full, uri)| full.strip_suffix(&*uri).map(<[u8]>::to_vec));
    let new = |change: Option<Change<'_>>, name| match change {
        None => text(name),
        Some(Change::Set(value)) => Some(value.to_vec()),
        Some(Change::Remove) => Some(Vec::new()),
        Some(Change::Unknown) => None,
    };
    let (new_path, new_query) = (new(path, "http.request.uri.path"), new(query, "http.request.uri.query"));
    let changed: &[&str] = if path.is_some() { &PATH_FIELDS } else { &QUERY_FIELDS };
    changed.iter().for_each(|name| record.unset(name));
    let mut fields = Fields::default();
    let mut query = new_query.clone().unwrap_or_default();
    if !query.is_empty() {
        query.insert(0, b'?');
    }
    push_normalized_fields(origin.as_deref(), &new_path.clone().unwrap_or_default(), &query, &mut fields);
    for (name, value) in fields {
        let is_whole = matches!(name, "http.request.full_uri" | "http.request.uri");
        let is_known = match (path.is_some(), is_whole) {
            (_, true) => new_path.is_some() && new_query.is_some(),
            (true, false) => new_path.is_some(),
            (false, false) => new_query.is_some(),
        };
        if is_known && changed.contains(&name) {
            let result = record.set(name, value);
            debug_assert!(result.is_ok(), "{result:?}");
        }
    }
}

/// Changes a header, with its name in any letter case, and all fields that follow from it. If the record does not provide
/// the headers, they stay unknown.
pub fn change_header(record: &mut Record, name: &str, change: Change<'_>) {
    let name = name.to_ascii_lowercase();
    let [map_name, ..] = REQUEST_HEADER_FIELDS;
    let headers = match record.get(map_name) {
        Some(Value::Map(headers)) if change != Change::Unknown => Some(headers.clone()),
        _ => None,
    };
    let singles = SINGLE_HEADER_FIELDS.iter().filter(|(header, _)| *header == name).map(|(_, field)| *field);
    let singles: Vec<&str> = singles.collect();
    let Some(mut headers) = headers else {
        REQUEST_HEADER_FIELDS.iter().chain(&singles).for_each(|field| record.unset(field));
        return;
    };
    headers.remove(name.as_bytes());
    if let Change::Set(value) = change {
        headers.insert(name.into_bytes(), Value::Array(vec![Value::Text(value.to_vec())]));
    }
    let request = Request { headers: to_headers(&headers), ..Request::default() };
    let mut fields = Fields::default();
    push_headers(&request.headers, &REQUEST_HEADER_FIELDS, &mut fields);
    request.write_single_headers(&mut fields);
    for (field, value) in fields {
        if REQUEST_HEADER_FIELDS.contains(&field) || singles.contains(&field) {
            let result = record.set(field, value);
            debug_assert!(result.is_ok(), "{result:?}");
        }
    }
}

fn to_headers(map: &std::collections::BTreeMap<Vec<u8>, Value>) -> Vec<Header> {
    let values = |value: &Value| match value {
        Value::Array(values) => values.clone(),
        _ => Vec::new(),
    };
    map.iter()
        .flat_map(|(name, value)| values(value).into_iter().map(move |value| (name, value)))
        .filter_map(|(name, value)| match value {
            Value::Text(value) => Some(Header { name: String::from_utf8_lossy(name).into_owned(), value }),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_input;

    fn record() -> Record {
        let mut record = Record::default();
        read_input(b"curl 'https://example.com:8443/A.txt?x=1' -A 'old'", &mut record).unwrap();
        record
    }

    fn text(record: &Record, name: &str) -> Option<String> {
        match record.get(name) {
            Some(Value::Text(text)) => Some(String::from_utf8_lossy(text).into_owned()),
            _ => None,
        }
    }

    #[test]
    fn a_new_path_changes_the_fields_that_follow_from_it() {
        let mut record = record();
        change_path(&mut record, Change::Set(b"/new/B.PNG"));
        for (field, expected) in [
            ("http.request.full_uri", "https://example.com:8443/new/B.PNG?x=1"),
            ("http.request.uri", "/new/B.PNG?x=1"),
            ("http.request.uri.path", "/new/B.PNG"),
            ("http.request.uri.path.basename", "B.PNG"),
            ("http.request.uri.path.extension", "png"),
            ("http.request.uri.query", "x=1"),
            ("raw.http.request.uri.path", "/A.txt"),
        ] {
            assert_eq!(text(&record, field).as_deref(), Some(expected), "{field}");
        }
    }

    #[test]
    fn an_unknown_path_makes_only_its_fields_unknown() {
        let mut record = record();
        change_path(&mut record, Change::Unknown);
        assert!(PATH_FIELDS.iter().all(|field| text(&record, field).is_none()));
        assert_eq!(text(&record, "http.request.uri.query").as_deref(), Some("x=1"));
        change_query(&mut record, Change::Remove);
        assert_eq!(text(&record, "http.request.uri.query").as_deref(), Some(""));
        assert_eq!(text(&record, "http.request.uri"), None);
    }

    #[test]
    fn a_new_query_changes_the_arguments() {
        let mut record = record();
        change_query(&mut record, Change::Set(b"y=2"));
        assert_eq!(text(&record, "http.request.full_uri").as_deref(), Some("https://example.com:8443/A.txt?y=2"));
        let Some(Value::Map(arguments)) = record.get("http.request.uri.args") else { panic!("no arguments") };
        assert!(arguments.contains_key(&b"y"[..]) && arguments.len() == 1);
    }

    #[test]
    fn a_header_changes_with_its_field() {
        let mut record = record();
        change_header(&mut record, "User-Agent", Change::Set(b"new"));
        assert_eq!(text(&record, "http.user_agent").as_deref(), Some("new"));
        change_header(&mut record, "x-added", Change::Set(b"1"));
        let Some(Value::Map(headers)) = record.get("http.request.headers") else { panic!("no headers") };
        assert!(headers.contains_key(&b"x-added"[..]) && headers.contains_key(&b"host"[..]));
        change_header(&mut record, "user-agent", Change::Remove);
        assert_eq!(text(&record, "http.user_agent").as_deref(), Some(""));
        change_header(&mut record, "user-agent", Change::Unknown);
        assert!(text(&record, "http.user_agent").is_none() && record.get("http.request.headers").is_none());
    }
}
