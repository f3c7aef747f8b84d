//! Sample log lines for each dataset.

use serde_json::{Value, json};
use zonewright_logpush::{Dataset, Field, FieldType};

/// The timestamp of the first line, in nanoseconds since 1970.
const FIRST_TIMESTAMP_NS: i64 = 1_767_258_000_123_456_789;

/// The values of string fields by the suffix of their names, one for each line. The first matching suffix is used.
const STRING_SAMPLES: [(&str, [&str; 2]); 26] = [
    ("RayID", ["9b7d2f5a8c3e4f10", "9b7d2f5a8c3e4f27"]),
    ("RequestHost", ["shop.example.com", "www.example.com"]),
    ("RequestMethod", ["GET", "POST"]),
    ("RequestPath", ["/cart", "/login"]),
    ("RequestURI", ["/cart?item=7", "/login"]),
    ("RequestScheme", ["https", "https"]),
    ("RequestProtocol", ["HTTP/2", "HTTP/1.1"]),
    ("RequestReferer", ["https://www.example.com/", ""]),
    ("UserAgent", ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "curl/8.14.1"]),
    ("ClientIPClass", ["noRecord", "scan"]),
    ("IPv6", ["2001:db8::1", "2001:db8::2"]),
    ("IP", ["192.0.2.44", "198.51.100.9"]),
    ("Country", ["de", "us"]),
    ("CountryName", ["Germany", "United States"]),
    ("RegionCode", ["BE", "CA"]),
    ("ASNDescription", ["Example Network", "Example Hosting"]),
    ("ColoCode", ["FRA", "SJC"]),
    ("Email", ["kim@example.com", "sam@example.com"]),
    ("QueryName", ["www.example.com", "api.example.com"]),
    ("ZoneName", ["example.com", "example.com"]),
    ("ContentType", ["text/html", "application/json"]),
    ("CacheStatus", ["miss", "dynamic"]),
    ("SSLProtocol", ["TLSv1.3", "TLSv1.2"]),
    ("SSLCipher", ["AEAD-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256"]),
    ("Action", ["", "block"]),
    ("Host", ["shop.example.com", "www.example.com"]),
];
/// The values of integer fields, in the same form.
const NUMBER_SAMPLES: [(&str, [i64; 2]); 8] = [
    ("Status", [200, 502]),
    ("ASN", [64_496, 64_511]),
    ("Port", [443, 443]),
    ("Bytes", [5_412, 1_088]),
    ("Score", [74, 3]),
    ("Ms", [38, 412]),
    ("ColoID", [112, 4]),
    ("QueryType", [1, 28]),
];

/// Parts of the names of the first members of a line, in their order: timestamps, request, response.
const LEADING_NAME_PARTS: [&str; 4] = ["StartTimestamp", "Datetime", "ClientRequest", "EdgeResponse"];

/// Returns two sample lines of a dataset, with those of its default fields that have a sample value.
pub(super) fn sample_lines(dataset: &Dataset) -> String {
    let mut fields: Vec<&'static Field> =
        dataset.default_fields().filter(|field| sample_value(field, 0).is_some()).collect();
    let rank = |field: &Field| {
        LEADING_NAME_PARTS.iter().position(|part| field.name.contains(part)).unwrap_or(LEADING_NAME_PARTS.len())
    };
    fields.sort_by_key(|field| rank(field));
    [0, 1].map(|line| format_object(&fields, line)).join("\n")
}

/// Writes a JSON object by hand, because a JSON map would sort its members.
fn format_object(fields: &[&'static Field], line: usize) -> String {
    let member = |field: &&Field| sample_value(field, line).map(|value| format!("\"{}\":{value}", field.name));
    format!("{{{}}}", fields.iter().filter_map(member).collect::<Vec<_>>().join(","))
}

/// Returns the sample value of a field, or `None` if it has none.
fn sample_value(field: &Field, line: usize) -> Option<Value> {
    let has_suffix = |end: &str| field.name.ends_with(end);
    match field.ty {
        FieldType::Timestamp => {
            let offset_ns = i64::try_from(line).unwrap_or_default() * 1_750_000_000;
            Some(json!(FIRST_TIMESTAMP_NS + offset_ns + if has_suffix("EndTimestamp") { 41_000_000 } else { 0 }))
        }
        FieldType::String => {
            let (_, values) = STRING_SAMPLES.iter().find(|(end, _)| has_suffix(end))?;
            values.get(line).map(|value| json!(value))
        }
        FieldType::Int => {
            let (_, values) = NUMBER_SAMPLES.iter().find(|(end, _)| has_suffix(end))?;
            values.get(line).map(|value| json!(value))
        }
        _ => None,
    }
}
