//! Changes a record as rewrite rules change a request. The `raw.` fields keep the request as it was sent.

use super::uri::push_normalized_fields;
use super::{Fields, REQUEST_HEADER_FIELDS};
use crate::request::{Header, Request};
use std::collections::BTreeSet;
use zonewright_expression::{Record, Value};

/// A change of a component or a header of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change<'a> {
    /// Sets the value.
    Set(&'a [u8]),
    /// Removes the component or header.
    Remove,
    /// The new value is unknown.
    Unknown,
}

/// The fields derived from the path.
const PATH_FIELDS: [&str; 5] = [
    "http.request.full_uri",
    "http.request.uri",
    "http.request.uri.path",
    "http.request.uri.path.basename",
    "http.request.uri.path.extension",
];
/// The fields derived from the query.
const QUERY_FIELDS: [&str; 6] = [
    "http.request.full_uri",
    "http.request.uri",
    "http.request.uri.query",
    "http.request.uri.args",
    "http.request.uri.args.names",
    "http.request.uri.args.values",
];
/// The fields derived from a single header, with its name.
const SINGLE_HEADER_FIELDS: [(&str, &str); 6] = [
    ("user-agent", "http.user_agent"),
    ("referer", "http.referer"),
    ("x-forwarded-for", "http.x_forwarded_for"),
    ("cookie", "http.cookie"),
    ("cookie", "http.request.cookies"),
    ("accept-language", "http.request.accepted_languages"),
];

/// Changes the path, which is not normalized again, and all fields derived from it.
pub fn change_path(record: &mut Record, change: Change<'_>) {
    change_uri(record, Some(change), None);
}

/// Changes the query, without its question mark, and all fields derived from it.
pub fn change_query(record: &mut Record, change: Change<'_>) {
    change_uri(record, None, Some(change));
}

fn change_uri(record: &mut Record, path: Option<Change<'_>>, query: Option<Change<'_>>) {
    let text = |name| match record.get(name) {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let (old_uri, old_full_uri) = (text("http.request.uri"), text("http.request.full_uri"));
    let origin = old_full_uri.zip(old_uri).and_then(|(full, uri)| full.strip_suffix(&*uri).map(<[u8]>::to_vec));
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
        let has_path_and_query = matches!(name, "http.request.full_uri" | "http.request.uri");
        let is_known = match (path.is_some(), has_path_and_query) {
            (_, true) => new_path.is_some() && new_query.is_some(),
            (true, false) => new_path.is_some(),
            (false, false) => new_query.is_some(),
        };
        if is_known && changed.contains(&name) {
            set(record, name, value);
        }
    }
}

/// Changes headers, with their names in any letter case, and all fields derived from them. If the record does not provide
/// the headers, they stay unknown.
pub fn change_headers(record: &mut Record, changes: &[(&str, Change<'_>)]) {
    let [map_name, names_name, values_name, _] = REQUEST_HEADER_FIELDS;
    let headers = match (record.get(map_name), record.get(names_name), record.get(values_name)) {
        (Some(Value::Map(map)), Some(Value::Array(names)), Some(Value::Array(values)))
            if names.len() == values.len() && changes.iter().all(|(_, change)| *change != Change::Unknown) =>
        {
            let pairs: Vec<(Value, Value)> = names.iter().cloned().zip(values.iter().cloned()).collect();
            Some((map.clone(), pairs))
        }
        _ => None,
    };
    if let Some((mut map, mut pairs)) = headers {
        let changed: BTreeSet<String> = changes.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
        let is_changed = |name: &Value| match name {
            Value::Text(name) => changed.contains(&String::from_utf8_lossy(name).to_ascii_lowercase()),
            _ => false,
        };
        pairs.retain(|(name, _)| !is_changed(name));
        for (name, change) in changes {
            map.remove(name.to_ascii_lowercase().as_bytes());
            if let Change::Set(value) = change {
                let value = Value::Text(value.to_vec());
                map.insert(name.to_ascii_lowercase().into_bytes(), Value::Array(vec![value.clone()]));
                pairs.push((Value::Text(name.as_bytes().to_vec()), value));
            }
        }
        let (names, values) = pairs.into_iter().unzip();
        for (field, value) in
            [(map_name, Value::Map(map)), (names_name, Value::Array(names)), (values_name, Value::Array(values))]
        {
            set(record, field, value);
        }
    } else {
        [map_name, names_name, values_name].iter().for_each(|field| record.unset(field));
    }
    for (name, change) in changes {
        change_derived_fields(record, &name.to_ascii_lowercase(), *change);
    }
}

/// Changes the fields derived from a single header.
fn change_derived_fields(record: &mut Record, name: &str, change: Change<'_>) {
    let derived: Vec<&str> =
        SINGLE_HEADER_FIELDS.iter().filter(|(header, _)| *header == name).map(|(_, field)| *field).collect();
    let value = match change {
        Change::Unknown => {
            derived.iter().for_each(|field| record.unset(field));
            return;
        }
        Change::Set(value) => value,
        Change::Remove => b"",
    };
    let headers = vec![Header { name: name.to_owned(), value: value.to_vec() }];
    let mut fields = Fields::default();
    Request { headers, ..Request::default() }.write_single_headers(&mut fields);
    for (field, value) in fields {
        if derived.contains(&field) {
            set(record, field, value);
        }
    }
}

fn set(record: &mut Record, field: &str, value: Value) {
    let result = record.set(field, value);
    debug_assert!(result.is_ok(), "{result:?}");
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
    fn path_rewrite_updates_derived_fields() {
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
    fn unknown_path_unsets_only_derived_fields() {
        let mut record = record();
        change_path(&mut record, Change::Unknown);
        assert!(PATH_FIELDS.iter().all(|field| text(&record, field).is_none()));
        assert_eq!(text(&record, "http.request.uri.query").as_deref(), Some("x=1"));
        change_query(&mut record, Change::Remove);
        assert_eq!(text(&record, "http.request.uri.query").as_deref(), Some(""));
        assert_eq!(text(&record, "http.request.uri"), None);
    }

    #[test]
    fn query_rewrite_updates_arguments() {
        let mut record = record();
        change_query(&mut record, Change::Set(b"y=2"));
        assert_eq!(text(&record, "http.request.full_uri").as_deref(), Some("https://example.com:8443/A.txt?y=2"));
        let Some(Value::Map(arguments)) = record.get("http.request.uri.args") else { panic!("no arguments") };
        assert!(arguments.contains_key(&b"y"[..]) && arguments.len() == 1);
    }

    #[test]
    fn header_rewrite_updates_derived_field() {
        let mut record = record();
        change_headers(&mut record, &[("User-Agent", Change::Set(b"new"))]);
        assert_eq!(text(&record, "http.user_agent").as_deref(), Some("new"));
        change_headers(&mut record, &[("x-added", Change::Set(b"1"))]);
        let Some(Value::Map(headers)) = record.get("http.request.headers") else { panic!("no headers") };
        assert!(headers.contains_key(&b"x-added"[..]) && headers.contains_key(&b"host"[..]));
        let Some(Value::Array(names)) = record.get("http.request.headers.names") else { panic!("no names") };
        let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
        let expected =
            ["Host", "Accept", "User-Agent", "x-added"].map(|name| format!("{:?}", Value::Text(name.into())));
        assert_eq!(names.iter().filter(|name| expected.contains(name)).count(), names.len(), "{names:?}");
        change_headers(&mut record, &[("user-agent", Change::Remove)]);
        assert_eq!(text(&record, "http.user_agent").as_deref(), Some(""));
        change_headers(&mut record, &[("user-agent", Change::Unknown)]);
        assert!(text(&record, "http.user_agent").is_none() && record.get("http.request.headers").is_none());
    }
}
