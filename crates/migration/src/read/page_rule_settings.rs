//! Lists the settings of page rules, with their values and plans (observed in API clients).

use super::shorten;
use serde_json::Value;
use zonewright_api::{ValidationError, describe_value, join_alternatives, parse_integer};
use zonewright_expression::schema::Tier;

/// The values that a setting may have.
#[derive(Clone, Copy)]
enum ValueKind {
    /// No value.
    None,
    /// One of these names.
    OneOf(&'static [&'static str]),
    /// An integer from 0 to this maximum.
    Number(i64),
    /// Any non-empty text without NUL.
    Text,
    /// An object, whose members are not validated.
    Object,
}

use ValueKind::{None as NoValue, Number, Object, OneOf, Text};

const ON_OFF: ValueKind = OneOf(&["on", "off"]);
/// The length of a year in seconds.
const YEAR_SECONDS: i64 = 31_536_000;

/// A setting of page rules.
pub(super) struct PageRuleSetting {
    name: &'static str,
    value: ValueKind,
    /// Whether it cannot be combined with other settings, because it responds or redirects (observed).
    pub(super) is_exclusive: bool,
    /// The smallest plan that includes it.
    pub(super) tier: Tier,
}

const fn setting(name: &'static str, value: ValueKind) -> PageRuleSetting {
    PageRuleSetting { name, value, is_exclusive: false, tier: Tier::Free }
}

/// All settings, in the order of their names.
const SETTINGS: [PageRuleSetting; 38] = [
    setting("always_online", ON_OFF),
    PageRuleSetting { is_exclusive: true, ..setting("always_use_https", NoValue) },
    setting("automatic_https_rewrites", ON_OFF),
    setting("browser_cache_ttl", Number(YEAR_SECONDS)),
    setting("browser_check", ON_OFF),
    setting("bypass_cache_on_cookie", Text),
    setting("cache_by_device_type", ON_OFF),
    setting("cache_deception_armor", ON_OFF),
    setting("cache_key_fields", Object),
    setting("cache_level", OneOf(&["bypass", "basic", "simplified", "aggressive", "cache_everything"])),
    setting("cache_on_cookie", Text),
    setting("cache_ttl_by_status", Object),
    setting("disable_apps", NoValue),
    setting("disable_performance", NoValue),
    setting("disable_railgun", NoValue),
    setting("disable_security", NoValue),
    setting("disable_zaraz", NoValue),
    setting("edge_cache_ttl", Number(YEAR_SECONDS)),
    setting("email_obfuscation", ON_OFF),
    setting("explicit_cache_control", ON_OFF),
    PageRuleSetting { is_exclusive: true, ..setting("forwarding_url", Object) },
    setting("host_header_override", Text),
    setting("ip_geolocation", ON_OFF),
    setting("minify", Object),
    setting("mirage", ON_OFF),
    setting("opportunistic_encryption", ON_OFF),
    setting("origin_error_page_pass_thru", ON_OFF),
    setting("polish", OneOf(&["off", "lossless", "lossy"])),
    setting("resolve_override", Text),
    setting("respect_strong_etag", ON_OFF),
    setting("response_buffering", ON_OFF),
    setting("rocket_loader", ON_OFF),
    setting("security_level", OneOf(&["off", "essentially_off", "low", "medium", "high", "under_attack"])),
    setting("server_side_exclude", ON_OFF),
    setting("sort_query_string_for_cache", ON_OFF),
    setting("ssl", OneOf(&["off", "flexible", "full", "strict", "origin_pull"])),
    setting("true_client_ip_header", ON_OFF),
    PageRuleSetting { tier: Tier::Pro, ..setting("waf", ON_OFF) },
];

impl PageRuleSetting {
    /// Returns the names of all settings.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        SETTINGS.iter().map(|setting| setting.name)
    }

    /// Returns the setting with this name.
    pub(super) fn from_name(name: &str) -> Option<&'static PageRuleSetting> {
        SETTINGS.iter().find(|setting| setting.name == name)
    }

    /// Returns the error of a value, or `None` if it is valid.
    pub(super) fn check_value(&self, value: Option<&Value>) -> Option<ValidationError> {
        let (name, kind) = (self.name, &self.value);
        let fits = match (kind, value) {
            (NoValue, None) => true,
            (OneOf(names), Some(Value::String(text))) => names.contains(&text.as_str()),
            (Number(max), Some(value @ Value::Number(_))) => {
                parse_integer(value).is_some_and(|number| (0..=*max).contains(&number))
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
            Some(Value::String(text)) => format!("`{}`", shorten(text)),
            Some(other) => describe_value(other),
        };
        let message = match kind {
            NoValue => format!("`{name}` takes no value, found {found}"),
            OneOf(names) => format!("`{name}` must be one of {}, found {found}", join_alternatives(names)),
            Number(max) => format!("`{name}` must be an integer from 0 to {max}, found {found}"),
            Text => format!("`{name}` must be a non-empty string without NUL characters, found {found}"),
            Object => format!("`{name}` must be an object, found {found}"),
        };
        Some(ValidationError::invalid_value("/value", message))
    }
}
