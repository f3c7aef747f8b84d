//! Finds strings that well-known fields never contain, because of their format.

use crate::{Dataset, Feature, Field, Operator};
use zonewright_expression::schema::HTTP_METHODS;

/// A string that no line has.
pub(super) struct ImpossibleText {
    /// The reason why no line has it.
    pub(super) reason: &'static str,
    /// The probably intended string.
    pub(super) suggestion: Option<String>,
    pub(super) help: Option<String>,
}

impl ImpossibleText {
    fn new(reason: &'static str) -> Option<ImpossibleText> {
        Some(ImpossibleText { reason, suggestion: None, help: None })
    }
}

/// Returns an [`ImpossibleText`] if no value of the field matches the string. A negation of the operator is ignored.
pub(super) fn find_impossible(
    field: &Field,
    dataset: &Dataset,
    operator: Operator,
    text: &str,
) -> Option<ImpossibleText> {
    if !dataset.has(Feature::RequestFields) || text.is_empty() {
        return None;
    }
    let positive = operator.without_negation();
    let is_whole = matches!(positive, Operator::Equal | Operator::In);
    let is_start = is_whole || positive == Operator::StartsWith;
    match field.name {
        "ClientCountry" if is_whole => check_country(text),
        "ClientRequestMethod" if is_whole => check_method(text),
        "ClientRequestScheme" if is_whole => check_scheme(text),
        "ClientRequestPath" => check_path(text, is_start, dataset),
        "ClientRequestURI" if is_start && !text.starts_with(['/', '*']) && !text.contains("://") => missing_slash(text),
        "ClientRequestHost" => check_host(text, is_start),
        "ClientIP" | "EdgeServerIP" | "OriginIP" => check_address(text, is_whole),
        _ => None,
    }
}

fn check_country(text: &str) -> Option<ImpossibleText> {
    let is_code = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let lower = text.to_ascii_lowercase();
    match lower.as_str() {
        "uk" => ImpossibleText::new("the country code of the United Kingdom is `gb`")
            .map(|impossible| ImpossibleText { suggestion: Some("gb".into()), ..impossible }),
        // The documentation does not say whether the log has these two codes in lowercase.
        "t1" | "xx" => None,
        _ if is_code && lower != text => ImpossibleText::new("country codes in the log are lowercase")
            .map(|impossible| ImpossibleText { suggestion: Some(lower), ..impossible }),
        _ if is_code => None,
        _ => ImpossibleText::new("countries are two-letter codes"),
    }
}

fn check_method(text: &str) -> Option<ImpossibleText> {
    let upper = text.to_ascii_uppercase();
    let is_miscased = upper != text && HTTP_METHODS.iter().any(|(method, _)| *method == upper);
    let impossible = ImpossibleText::new("methods are uppercase").filter(|_| is_miscased)?;
    Some(ImpossibleText { suggestion: Some(upper), ..impossible })
}

fn check_scheme(text: &str) -> Option<ImpossibleText> {
    let plain = text.trim_end_matches('/').trim_end_matches(':').to_ascii_lowercase();
    let is_misspelled = plain != text && matches!(plain.as_str(), "http" | "https");
    let impossible = ImpossibleText::new("schemes are `http` and `https`").filter(|_| is_misspelled)?;
    Some(ImpossibleText { suggestion: Some(plain), ..impossible })
}

fn check_path(text: &str, is_start: bool, dataset: &Dataset) -> Option<ImpossibleText> {
    if text.contains('?') {
        let impossible = ImpossibleText::new("a path does not contain the query string")?;
        let other = ["ClientRequestURI", "ClientRequestQuery"].into_iter().find(|name| dataset.field(name).is_some());
        return Some(ImpossibleText {
            help: other.map(|name| format!("the query string is in `{name}`")),
            ..impossible
        });
    }
    if is_start && text.contains("://") {
        return ImpossibleText::new("a path does not contain a scheme or host");
    }
    if is_start && !text.starts_with(['/', '*']) { missing_slash(text) } else { None }
}

fn missing_slash(text: &str) -> Option<ImpossibleText> {
    let impossible = ImpossibleText::new("paths start with a slash")?;
    Some(ImpossibleText { suggestion: Some(format!("/{text}")), ..impossible })
}

fn check_host(text: &str, is_start: bool) -> Option<ImpossibleText> {
    let impossible = ImpossibleText::new("a host does not contain a scheme or path").filter(|_| text.contains('/'))?;
    let host = text.split_once("://").map_or(text, |(_, rest)| rest).split('/').next().unwrap_or_default();
    let suggestion = (is_start && !host.is_empty()).then(|| host.to_owned());
    Some(ImpossibleText { suggestion, ..impossible })
}

fn check_address(text: &str, is_whole: bool) -> Option<ImpossibleText> {
    if let Some((address, bits)) = text.split_once('/') {
        let impossible =
            ImpossibleText::new("the log contains single IP addresses, and filters compare them as strings")?;
        let help =
            network_prefix(address, bits).map(|start| format!("use `startsWith` with `{start}` to match this network"));
        return Some(ImpossibleText { help, ..impossible });
    }
    let is_pattern = is_whole && text.ends_with('*');
    ImpossibleText::new("the log contains single IP addresses, and filters do not support wildcards")
        .filter(|_| is_pattern)
}

/// Returns the common text prefix of the addresses of an IPv4 network with 8, 16 or 24 prefix bits.
fn network_prefix(address: &str, bits: &str) -> Option<String> {
    let numbers: Vec<u8> = address.split('.').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let prefix_octets = match bits {
        "8" => 1,
        "16" => 2,
        "24" => 3,
        _ => return None,
    };
    (numbers.len() == 4).then(|| numbers.iter().take(prefix_octets).map(|number| format!("{number}.")).collect())
}

/// Returns the operator and the string that express a pattern with `*` or `.*` at the start, at the end, or at both.
pub(super) fn replace_wildcard(operator: Operator, text: &str) -> Option<(Operator, String)> {
    let positive = operator.without_negation();
    let trimmed = text.strip_suffix(".*").or_else(|| text.strip_suffix('*'));
    let body = trimmed.unwrap_or(text);
    let stem = body.strip_prefix(".*").or_else(|| body.strip_prefix('*'));
    let (has_leading, has_trailing) = (stem.is_some(), trimmed.is_some());
    let stem = stem.unwrap_or(body);
    if stem.is_empty() || stem.contains('*') || stem == text || stem == "/" && has_leading {
        return None;
    }
    let intended = match (positive, has_leading, has_trailing) {
        (Operator::Equal | Operator::StartsWith, false, true) => Operator::StartsWith,
        (Operator::Equal | Operator::EndsWith, true, false) => Operator::EndsWith,
        (Operator::Equal | Operator::Contains, true, true) | (Operator::Contains, _, _) => Operator::Contains,
        _ => return None,
    };
    Some((if operator.is_negated() { intended.negation() } else { intended }, stem.to_owned()))
}
