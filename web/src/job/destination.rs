//! Converts between a destination string (`destination_conf`) and the fields of its provider.

use super::providers::{Provider, ProviderFieldKind};
use std::collections::BTreeMap;
use zonewright_logpush::{Destination, redact};

/// The prefix of the parameters that are sent as headers.
const HEADER_PREFIX: &str = "header_";
/// The placeholder of [`redact`] for a secret.
const REDACTED: &str = "***";

/// A destination, as text or as fields.
#[derive(Clone, PartialEq)]
pub(crate) struct DestinationAddress {
    /// The text; `None` if the destination consists of fields.
    pub(crate) raw: Option<String>,
    /// The ID of the provider.
    pub(crate) provider: &'static str,
    /// The values of the fields by key.
    pub(crate) values: BTreeMap<&'static str, String>,
    /// The headers: names and values.
    pub(crate) headers: Vec<(String, String)>,
}

impl Default for DestinationAddress {
    fn default() -> Self {
        DestinationAddress { raw: None, provider: "s3", values: BTreeMap::new(), headers: Vec::new() }
    }
}

impl DestinationAddress {
    /// Parses a destination into fields. A destination that the fields of no provider can represent remains text.
    pub(crate) fn parse(text: &str) -> Self {
        let as_text = || DestinationAddress { raw: Some(text.to_owned()), ..DestinationAddress::default() };
        let Ok(destination) = Destination::parse(text) else { return as_text() };
        let round_trips = |address: &DestinationAddress| {
            Destination::parse(&address.to_text()).is_ok_and(|other| other == destination)
        };
        Provider::all().iter().filter_map(|provider| parse_as(provider, text)).find(round_trips).unwrap_or_else(as_text)
    }

    /// Parses the raw text into fields; an empty text becomes empty fields. Returns `None` if there is no raw text, or
    /// if no provider can represent it.
    pub(crate) fn as_fields(&self) -> Option<Self> {
        let text = self.raw.as_deref()?;
        let read =
            if text.trim().is_empty() { DestinationAddress::default() } else { DestinationAddress::parse(text.trim()) };
        read.raw.is_none().then_some(read)
    }

    /// Returns the provider.
    pub(crate) fn provider(&self) -> &'static Provider {
        Provider::by_id(self.provider)
    }

    /// Returns the value of a field.
    pub(crate) fn value(&self, key: &str) -> &str {
        self.values.get(key).map_or("", String::as_str)
    }

    /// Returns the indexes of the headers with a name or a value. Empty rows are not sent.
    pub(crate) fn written_headers(&self) -> impl Iterator<Item = usize> + '_ {
        let written = |(_, (name, value)): &(usize, &(String, String))| !name.is_empty() || !value.is_empty();
        self.headers.iter().enumerate().filter(written).map(|(index, _)| index)
    }

    /// Returns whether the user entered nothing. Choices do not count.
    pub(crate) fn is_blank(&self) -> bool {
        match &self.raw {
            Some(text) => text.trim().is_empty(),
            None => {
                let fields = self.provider().fields;
                let is_entered = |field: &super::ProviderField| {
                    !matches!(field.kind, ProviderFieldKind::Choice(_)) && !self.value(field.key).is_empty()
                };
                self.headers.is_empty() && !fields.iter().any(is_entered)
            }
        }
    }

    /// Returns the part of the destination without secrets: text fields and choices. If the engine would redact any of
    /// it, only the provider remains.
    pub(super) fn without_secrets(&self) -> Self {
        let is_public = |address: &Self| {
            let text = address.to_text();
            redact(&text) == text
        };
        let only_provider = DestinationAddress { provider: self.provider, ..DestinationAddress::default() };
        if self.raw.is_some() {
            return if is_public(self) { self.clone() } else { only_provider };
        }
        let is_secret = |key: &str| {
            let field = self.provider().fields.iter().find(|field| field.key == key);
            field.is_none_or(|field| field.kind == ProviderFieldKind::Secret)
        };
        let values = self.values.iter().filter(|(key, _)| !is_secret(key));
        let values = values.map(|(key, value)| (*key, value.clone())).collect();
        let address = DestinationAddress { values, ..only_provider.clone() };
        if is_public(&address) { address } else { only_provider }
    }

    /// Returns the destination as text.
    pub(crate) fn to_text(&self) -> String {
        if let Some(text) = &self.raw {
            return text.trim().to_owned();
        }
        let provider = self.provider();
        let path = fill_template(provider.path_template, |key| encode_path(self.value_or_default(provider, key)));
        let path = path.trim_end_matches('/');
        let mut query: Vec<String> = Vec::new();
        for (name, pattern) in provider.parameters {
            let keys = template_keys(pattern);
            if keys.is_empty() || keys.iter().any(|key| !self.value_or_default(provider, key).is_empty()) {
                query.push(format!(
                    "{name}={}",
                    encode_parameter(&fill_template(pattern, |key| self.value_or_default(provider, key).to_owned()))
                ));
            }
        }
        if provider.accepts_headers {
            let written = self.headers.iter().filter(|(name, value)| !name.is_empty() || !value.is_empty());
            query.extend(written.map(|(name, value)| {
                format!("{HEADER_PREFIX}{}={}", encode_parameter(name.trim()), encode_parameter(value))
            }));
        }
        if let Some(rest) = provider.passthrough_field.map(|key| self.value(key).trim().trim_start_matches('?')) {
            query.extend((!rest.is_empty()).then(|| rest.to_owned()));
        }
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}://{path}{mark}{}", provider.scheme, query.join("&"))
    }

    /// Returns the value of a field, or its first choice if the value is empty.
    fn value_or_default(&self, provider: &Provider, key: &str) -> &str {
        let value = self.value(key).trim();
        let first = provider.fields.iter().find(|field| field.key == key).and_then(|field| match field.kind {
            ProviderFieldKind::Choice(choices) => choices.first().map(|(value, _)| *value),
            _ => None,
        });
        if value.is_empty() { first.unwrap_or_default() } else { value }
    }
}

/// Parses a destination into the fields of a provider.
fn parse_as(provider: &'static Provider, text: &str) -> Option<DestinationAddress> {
    let rest = text.strip_prefix(provider.scheme)?.strip_prefix("://")?;
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let without_path = || provider.path_template.strip_suffix("/{path}").and_then(|head| match_template(head, path));
    let mut values: BTreeMap<&'static str, String> =
        match_template(provider.path_template, path).or_else(without_path)?.into_iter().collect();
    let mut headers = Vec::new();
    let mut unknown_parameters = Vec::new();
    let mut present_names = Vec::new();
    for part in query.split('&').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let (name, value) = (decode_parameter(name)?, decode_parameter(value)?);
        match provider.parameters.iter().find(|(known, _)| *known == name) {
            Some((known, pattern)) => {
                values.extend(match_template(pattern, &value)?);
                present_names.push(*known);
            }
            None => match name.strip_prefix(HEADER_PREFIX).filter(|_| provider.accepts_headers) {
                Some(header) => headers.push((header.to_owned(), value)),
                None => unknown_parameters.push(part),
            },
        }
    }
    let fixed = provider.parameters.iter().filter(|(_, pattern)| template_keys(pattern).is_empty());
    if fixed.clone().any(|(name, _)| !present_names.contains(name)) {
        return None;
    }
    match provider.passthrough_field {
        Some(key) if !unknown_parameters.is_empty() => drop(values.insert(key, unknown_parameters.join("&"))),
        None if !unknown_parameters.is_empty() => return None,
        _ => {}
    }
    Some(DestinationAddress { raw: None, provider: provider.id, values, headers })
}

/// Returns the keys of a pattern.
fn template_keys(pattern: &'static str) -> Vec<&'static str> {
    pattern.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(key, _)| key).collect()
}

/// Replaces the keys of a pattern with their values.
fn fill_template(pattern: &'static str, value: impl Fn(&str) -> String) -> String {
    let mut parts = pattern.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for (key, literal) in parts.filter_map(|part| part.split_once('}')) {
        text.push_str(&value(key));
        text.push_str(literal);
    }
    text
}

/// Matches a text against a pattern and returns the values of the keys. A key at the end matches the rest of the text.
fn match_template(pattern: &'static str, text: &str) -> Option<Vec<(&'static str, String)>> {
    let mut parts = pattern.split('{');
    let mut rest = text.strip_prefix(parts.next().unwrap_or_default())?;
    let mut values = Vec::new();
    for (key, literal) in parts.filter_map(|part| part.split_once('}')) {
        let (value, after) = if literal.is_empty() { (rest, "") } else { rest.split_once(literal)? };
        values.push((key, value.to_owned()));
        rest = after;
    }
    rest.is_empty().then_some(values)
}

/// Percent-encodes the name or the value of a parameter, except for `:`, `/` and `,`, which a query can contain.
fn encode_parameter(text: &str) -> String {
    String::from(js_sys::encode_uri_component(text)).replace("%3A", ":").replace("%2F", "/").replace("%2C", ",")
}

fn decode_parameter(text: &str) -> Option<String> {
    js_sys::decode_uri_component(text).ok().map(String::from)
}

/// Encodes a part of host and path: only spaces and the characters that end the path. Removes slashes at both ends.
fn encode_path(text: &str) -> String {
    text.trim_matches('/').replace(' ', "%20").replace('?', "%3F").replace('#', "%23")
}

/// Replaces every secret with `<secret>`, or with the name of its parameter, to display and copy the destination.
pub(crate) fn redact_with_labels(address: &str) -> String {
    let redacted = redact(address);
    let Some((path, query)) = redacted.split_once('?') else { return redacted.replace(REDACTED, "<secret>") };
    let redact_parameter = |part: &str| match part.split_once('=') {
        Some((name, REDACTED)) => format!("{name}=<{}>", name.trim_start_matches(HEADER_PREFIX).to_ascii_lowercase()),
        _ => part.replace(REDACTED, "<secret>"),
    };
    let query: Vec<String> = query.split('&').map(redact_parameter).collect();
    format!("{}?{}", path.replace(REDACTED, "<secret>"), query.join("&"))
}

/// Redacts the secrets of a destination.
pub(crate) fn redacted_address(address: &str) -> String {
    match Destination::parse(address) {
        Ok(destination) => destination.redacted(),
        Err(_) => redact(address),
    }
}

/// Returns the title of the provider of a destination; empty if unknown.
pub(crate) fn provider_title(address: &str) -> &'static str {
    let read = DestinationAddress::parse(address);
    if read.raw.is_some() { "" } else { read.provider().title }
}
