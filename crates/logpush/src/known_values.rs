//! Lists known values of fields, as suggestions. A line may have any other value.

use crate::{Field, FieldType};
use zonewright_expression::schema::{COUNTRIES, HTTP_METHODS};

const CACHE_STATUSES: &[&str] =
    &["hit", "miss", "expired", "bypass", "dynamic", "revalidated", "updating", "stale", "none", "unknown"];
const WORKER_OUTCOMES: &[&str] =
    &["ok", "exception", "exceededCpu", "exceededMemory", "canceled", "scriptNotFound", "unknown"];
const HTTP_STATUSES: &[(&str, &str)] = &[
    ("200", "OK"),
    ("301", "moved permanently"),
    ("302", "found"),
    ("304", "not modified"),
    ("400", "bad request"),
    ("401", "unauthorized"),
    ("403", "forbidden"),
    ("404", "not found"),
    ("429", "too many requests"),
    ("500", "internal server error"),
    ("502", "bad gateway"),
    ("503", "service unavailable"),
    ("504", "gateway timeout"),
];

/// Returns the known values of a field, each with a short description, which may be empty.
pub(crate) fn known_values(field: &Field) -> Vec<(String, String)> {
    let plain = |values: &[&str]| values.iter().map(|value| ((*value).to_owned(), String::new())).collect();
    let owned = |(value, words): &(&str, &str)| ((*value).to_owned(), (*words).to_owned());
    match (field.ty, field.name) {
        (FieldType::Bool, _) => plain(&["true", "false"]),
        (FieldType::Int, name) if name.ends_with("ResponseStatus") => HTTP_STATUSES.iter().map(owned).collect(),
        // The documented examples have lowercase country codes.
        (FieldType::String, "ClientCountry") => {
            COUNTRIES.iter().map(|(code, name)| (code.to_ascii_lowercase(), (*name).to_owned())).collect()
        }
        (FieldType::String, "ClientRequestMethod" | "HTTPMethod") => HTTP_METHODS.iter().map(owned).collect(),
        (FieldType::String, "ClientRequestProtocol") => plain(&["HTTP/1.1", "HTTP/2", "HTTP/3", "HTTP/1.0"]),
        (FieldType::String, "ClientRequestScheme") => plain(&["https", "http"]),
        (FieldType::String, "ClientDeviceType") => plain(&["desktop", "mobile", "tablet"]),
        (FieldType::String, "ClientSSLProtocol") => plain(&["TLSv1.3", "TLSv1.2", "TLSv1.1", "TLSv1", "none"]),
        (FieldType::String, "CacheCacheStatus") => plain(CACHE_STATUSES),
        (FieldType::String, "Outcome") => plain(WORKER_OUTCOMES),
        _ => Vec::new(),
    }
}
