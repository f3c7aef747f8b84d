//! The settings that page rules can have (observed in clients of such services).

use super::short;
use serde_json::Value;
use zonewright_api::{Refusal, described, list, whole_number};

/// What a setting's value may be.
#[derive(Clone, Copy)]
enum Values {
    /// It has none.
    None,
    /// One of some names.
    OneOf(&'static [&'static str]),
    /// A whole number up to this one.
    Number(i64),
    /// Any text.
    Text,
    /// An object; its members are not looked at.
    Object,
}

use Values::{None as NoValue, Number, Object, OneOf, Text};

const SWITCH: Values = OneOf(&["on", "off"]);
/// A year in seconds.
const YEAR: i64 = 31_536_000;

const SETTINGS: [(&str, Values); 38] = [
    ("always_online", SWITCH),
    ("always_use_https", NoValue),
    ("automatic_https_rewrites", SWITCH),
    ("browser_cache_ttl", Number(YEAR)),
    ("browser_check", SWITCH),
    ("bypass_cache_on_cookie", Text),
    ("cache_by_device_type", SWITCH),
    ("cache_deception_armor", SWITCH),
    ("cache_key_fields", Object),
    ("cache_level", OneOf(&["bypass", "basic", "simplified", "aggressive", "cache_everything"])),
    ("cache_on_cookie", Text),
    ("cache_ttl_by_status", Object),
    ("disable_apps", NoValue),
    ("disable_performance", NoValue),
    ("disable_railgun", NoValue),
    ("disable_security", NoValue),
    ("disable_zaraz", NoValue),
    ("edge_cache_ttl", Number(YEAR)),
    ("email_obfuscation", SWITCH),
    ("explicit_cache_control", SWITCH),
    ("forwarding_url", Object),
    ("host_header_override", Text),
    ("ip_geolocation", SWITCH),
    ("minify", Object),
    ("mirage", SWITCH),
    ("opportunistic_encryption", SWITCH),
    ("origin_error_page_pass_thru", SWITCH),
    ("polish", OneOf(&["off", "lossless", "lossy"])),
    ("resolve_override", Text),
    ("respect_strong_etag", SWITCH),
    ("response_buffering", SWITCH),
    ("rocket_loader", SWITCH),
    ("security_level", OneOf(&["off", "essentially_off", "low", "medium", "high", "under_attack"])),
    ("server_side_exclude", SWITCH),
    ("sort_query_string_for_cache", SWITCH),
    ("ssl", OneOf(&["off", "flexible", "full", "strict", "origin_pull"])),
    ("true_client_ip_header", SWITCH),
    ("waf", SWITCH),
];

/// Settings that stand alone, since they answer or forward the request (observed).
const ALONE: [&str; 2] = ["always_use_https", "forwarding_url"];

/// The names of all settings.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().map(|(name, _)| *name)
}

/// Whether no other setting can be beside this one.
pub(super) fn stands_alone(name: &str) -> bool {
    ALONE.contains(&name)
}

/// The problem of a setting's value; `pointer` is that of the setting. Nothing is said about settings that
/// do not exist.
pub(super) fn check_value(pointer: &str, name: &str, value: Option<&Value>) -> Option<Refusal> {
    let (_, values) = SETTINGS.iter().find(|(setting, _)| *setting == name)?;
    let fits = match (values, value) {
        (NoValue, None) => true,
        (OneOf(names), Some(Value::String(text))) => names.contains(&text.as_str()),
        (Number(most), Some(value @ Value::Number(_))) => {
            whole_number(value).is_some_and(|number| (0..=*most).contains(&number))
        }
        (Text, Some(Value::String(text))) => !text.is_empty() && !text.contains('\0'),
        (Object, Some(Value::Object(_))) => true,
        _ => false,
    };
    if fits {
        return None;
    }
    let found = match value {
        None => "nothing".to_owned(),
        Some(Value::String(text)) => format!("`{}`", short(text)),
        Some(other) => described(other),
    };
    let message = match values {
        NoValue => format!("`{name}` has no value, found is {found}"),
        OneOf(names) => format!("`{name}` must be one of {}, not {found}", list(names)),
        Number(most) => format!("`{name}` must be a whole number from 0 to {most}, not {found}"),
        Text => format!("`{name}` must be a text, not {found}"),
        Object => format!("`{name}` must be an object, not {found}"),
    };
    Some(Refusal::value(format!("{pointer}/value"), message))
}
