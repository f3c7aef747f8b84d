//! The format of the strings in well-known fields.

use crate::{Dataset, Feature, Field, Operator};

/// The reason why no line has a string.
pub(super) struct Wrong {
    pub(super) why: &'static str,
    /// The string that was probably meant.
    pub(super) better: Option<String>,
    pub(super) help: Option<String>,
}

impl Wrong {
    fn new(why: &'static str) -> Option<Wrong> {
        Some(Wrong { why, better: None, help: None })
    }
}

const METHODS: [&str; 9] = ["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"];

/// Returns the reason why no value of the field matches this string, ignoring a negation of the operator.
pub(super) fn wrong(field: &Field, dataset: &Dataset, operator: Operator, text: &str) -> Option<Wrong> {
    if !dataset.has(Feature::RequestFields) || text.is_empty() {
        return None;
    }
    let positive = operator.positive();
    let is_whole = matches!(positive, Operator::Equal | Operator::In);
    let is_start = is_whole || positive == Operator::StartsWith;
    match field.name {
        "ClientCountry" if is_whole => country(text),
        "ClientRequestMethod" if is_whole => method(text),
        "ClientRequestScheme" if is_whole => scheme(text),
        "ClientRequestPath" => path(text, is_start, dataset),
        "ClientRequestURI" if is_start && !text.starts_with(['/', '*']) && !text.contains("://") => slash(text),
        "ClientRequestHost" => host(text, is_start),
        "ClientIP" | "EdgeServerIP" | "OriginIP" => address(text, is_whole),
        _ => None,
    }
}

fn country(text: &str) -> Option<Wrong> {
    let letters = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let lower = text.to_ascii_lowercase();
    match lower.as_str() {
        "uk" => {
            Wrong::new("the code of Great Britain is `gb`").map(|wrong| Wrong { better: Some("gb".into()), ..wrong })
        }
        // It is not documented whether the log has these two in lowercase.
        "t1" | "xx" => None,
        _ if letters && lower != text => {
            Wrong::new("the log has country codes in lower case").map(|wrong| Wrong { better: Some(lower), ..wrong })
        }
        _ if letters => None,
        _ => Wrong::new("countries are codes of two letters"),
    }
}

fn method(text: &str) -> Option<Wrong> {
    let upper = text.to_ascii_uppercase();
    let known = upper != text && METHODS.contains(&upper.as_str());
    let wrong = Wrong::new("methods are in capitals").filter(|_| known)?;
    Some(Wrong { better: Some(upper), ..wrong })
}

fn scheme(text: &str) -> Option<Wrong> {
    let plain = text.trim_end_matches('/').trim_end_matches(':').to_ascii_lowercase();
    let known = plain != text && matches!(plain.as_str(), "http" | "https");
    let wrong = Wrong::new("schemes are `http` and `https`").filter(|_| known)?;
    Some(Wrong { better: Some(plain), ..wrong })
}

fn path(text: &str, is_start: bool, dataset: &Dataset) -> Option<Wrong> {
    if text.contains('?') {
        let wrong = Wrong::new("a path has no query string")?;
        let other = ["ClientRequestURI", "ClientRequestQuery"].into_iter().find(|name| dataset.field(name).is_some());
        return Some(Wrong { help: other.map(|name| format!("the query string is in `{name}`")), ..wrong });
    }
    if is_start && text.contains("://") {
        return Wrong::new("a path has no scheme and no host");
    }
    if is_start && !text.starts_with(['/', '*']) { slash(text) } else { None }
}

fn slash(text: &str) -> Option<Wrong> {
    let wrong = Wrong::new("paths begin with a slash")?;
    Some(Wrong { better: Some(format!("/{text}")), ..wrong })
}

fn host(text: &str, is_start: bool) -> Option<Wrong> {
    let wrong = Wrong::new("a host has no scheme and no path").filter(|_| text.contains('/'))?;
    let host = text.split_once("://").map_or(text, |(_, rest)| rest).split('/').next().unwrap_or_default();
    let better = (is_start && !host.is_empty()).then(|| host.to_owned());
    Some(Wrong { better, ..wrong })
}

fn address(text: &str, is_whole: bool) -> Option<Wrong> {
    if let Some((address, bits)) = text.split_once('/') {
        let wrong = Wrong::new("the log has single addresses, and filters compare them as text")?;
        let help = beginning(address, bits).map(|start| format!("`startsWith` with `{start}` passes this network"));
        return Some(Wrong { help, ..wrong });
    }
    let pattern = is_whole && text.ends_with('*');
    Wrong::new("the log has single addresses, and filters have no patterns").filter(|_| pattern)
}

/// Returns the common text prefix of the addresses of an IPv4 network with 8, 16 or 24 prefix bits.
fn beginning(address: &str, bits: &str) -> Option<String> {
    let numbers: Vec<u8> = address.split('.').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let kept = match bits {
        "8" => 1,
        "16" => 2,
        "24" => 3,
        _ => return None,
    };
    (numbers.len() == 4).then(|| numbers.iter().take(kept).map(|number| format!("{number}.")).collect())
}

/// Returns the operator and the string that a string with `*` at an end was probably meant for.
pub(super) fn meant(operator: Operator, text: &str) -> Option<(Operator, String)> {
    let positive = operator.positive();
    let behind = text.strip_suffix(".*").or_else(|| text.strip_suffix('*'));
    let before = behind.unwrap_or(text);
    let stem = before.strip_prefix(".*").or_else(|| before.strip_prefix('*'));
    let (starts, ends) = (stem.is_some(), behind.is_some());
    let stem = stem.unwrap_or(before);
    if stem.is_empty() || stem.contains('*') || stem == text || stem == "/" && starts {
        return None;
    }
    let meant = match (positive, starts, ends) {
        (Operator::Equal | Operator::StartsWith, false, true) => Operator::StartsWith,
        (Operator::Equal | Operator::EndsWith, true, false) => Operator::EndsWith,
        (Operator::Equal | Operator::Contains, true, true) | (Operator::Contains, _, _) => Operator::Contains,
        _ => return None,
    };
    Some((if operator.is_negated() { meant.negation() } else { meant }, stem.to_owned()))
}
