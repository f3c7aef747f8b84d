//! Addresses without their secrets.
//!
//! What is shown is known to be harmless; everything else is hidden. So a text that is no address, or
//! one in which a mark is missing, does not give away more than a right one.

const HIDDEN: &str = "***";

/// Parameters whose values are shown when they look as they should.
const HARMLESS: [&str; 8] =
    ["region", "sse", "endpoint", "insecure-skip-verify", "sourcetype", "ddsource", "service", "format"];
/// Parameters whose names are shown.
const NAMES: [&str; 20] = [
    "account-id",
    "access-key-id",
    "secret-access-key",
    "sts-assume-role-arn",
    "sts-external-id",
    "credentials",
    "ibm_api_key",
    "Api-Key",
    "channel",
    "host",
    "ddtags",
    "tags",
    "header_Authorization",
    "header_DD-API-KEY",
    "header_Content-Type",
    "header_X-Api-Key",
    "header_X-Auth-Token",
    "header_X-Token",
    "header_X-Scope-OrgID",
    "header_Api-Key",
];
/// Parts of a path that Sumo Logic's addresses have before the code.
const SUMO: [&str; 3] = ["receiver", "v1", "http"];
/// A longer run of letters and digits in a place where tokens may stand is one.
const LONGEST_WORD: usize = 15;
/// In a path also one from here on that has both: keys are written in groups, too.
const SHORTEST_KEY: usize = 8;

/// The address with every secret hidden. Never fails; what is no address is hidden whole.
pub fn redact(destination_conf: &str) -> String {
    let Some((scheme, rest)) = destination_conf.split_once("://") else { return HIDDEN.to_owned() };
    let Some((scheme, _)) = super::address::SCHEMES.iter().find(|(name, _)| *name == scheme) else {
        return format!("{HIDDEN}://{HIDDEN}");
    };
    let end = rest.find(['?', '&', '#', ';']).unwrap_or(rest.len());
    let (place, query) = rest.split_at_checked(end).unwrap_or((rest, ""));
    // What stands before `@` may be a user and a password, and a password may have any of the marks, also
    // this one: nobody knows then where the host begins.
    if rest.contains('@') {
        return format!("{scheme}://{HIDDEN}");
    }
    format!("{scheme}://{}{}", shown_place(scheme, place), shown_query(scheme, query))
}

/// The host and the path.
fn shown_place(scheme: &str, place: &str) -> String {
    let mut shown = String::new();
    for (index, part) in place.split('/').enumerate() {
        if index > 0 {
            shown.push('/');
        }
        if index == 0 && !(is_host(part) && may_be_host(scheme, part)) {
            // A mark may be missing, and what follows be more of it.
            return HIDDEN.to_owned();
        }
        if index == 0 {
            shown.push_str(part);
            continue;
        }
        let (name, value) = part.split_once('=').map_or((part, None), |(name, value)| (name, Some(value)));
        shown.push_str(if may_show(scheme, name) { name } else { HIDDEN });
        match value {
            None => {}
            Some("{DATE}") => shown.push_str("={DATE}"),
            // A mark may be missing, and the rest be a secret with slashes.
            Some(_) => return shown + "=" + HIDDEN,
        }
    }
    shown
}

/// Whether it is a host or a bucket; none at all is one too.
fn is_host(text: &str) -> bool {
    text.is_empty() || super::address::host_and_port(text).is_some()
}

/// Whether batches are posted there, so that a path may be a secret.
fn is_posted(scheme: &str) -> bool {
    matches!(scheme, "https" | "http" | "datadog" | "splunk" | "ibmcl" | "sumo")
}

/// Whether it is a host rather than a key that stands in its place.
fn may_be_host(scheme: &str, part: &str) -> bool {
    !is_posted(scheme) || part.contains(['.', ':']) || !looks_like_key(part)
}

/// Whether a part of a path may be shown.
fn may_show(scheme: &str, part: &str) -> bool {
    // A mark that is written as a code is one all the same.
    let decoded = super::address::decoded(part);
    let is_plain =
        decoded.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '.' | '-' | '_' | '{' | '}'));
    match scheme {
        "sumo" => SUMO.contains(&part) || part.is_empty(),
        _ if is_posted(scheme) => is_plain && !looks_like_key(part),
        _ => is_plain,
    }
}

/// Whether it has a word that is too long for a name, or one of letters and digits.
fn looks_like_key(text: &str) -> bool {
    let mixed = |word: &str| {
        word.bytes().any(|byte| byte.is_ascii_digit()) && word.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    let mut words = text.split(|char: char| !char.is_ascii_alphanumeric());
    words.any(|word| word.len() > LONGEST_WORD || word.len() >= SHORTEST_KEY && mixed(word))
}

/// Whether it has a long run of letters and digits, as tokens have.
fn looks_like_token(text: &str) -> bool {
    let has_digit = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
    let mut words = text.split(|char: char| !char.is_ascii_alphanumeric());
    words.any(|word| word.len() > LONGEST_WORD && has_digit(word))
}

/// The query; of one that is a signature nothing.
fn shown_query(scheme: &str, query: &str) -> String {
    let Some(parameters) = query.get(1..) else { return String::new() };
    let mark = if query.starts_with('?') { '?' } else { '&' };
    if scheme == "azure" {
        return format!("{mark}{HIDDEN}");
    }
    let shown: Vec<String> = parameters.split('&').map(shown_parameter).collect();
    format!("{mark}{}", shown.join("&"))
}

fn shown_parameter(part: &str) -> String {
    match part.split_once('=') {
        Some((name, value)) if HARMLESS.contains(&name) => {
            let value = if is_harmless(name, value) { value } else { HIDDEN };
            format!("{name}={value}")
        }
        Some((name, _)) if NAMES.contains(&name) => format!("{name}={HIDDEN}"),
        _ => HIDDEN.to_owned(),
    }
}

/// Whether a value looks like one of the parameter, so that nothing else can have slipped into it.
fn is_harmless(name: &str, value: &str) -> bool {
    let is_part =
        |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || matches!(char, '.' | '-' | '_' | ':');
    match name {
        "sse" => value == "AES256",
        "insecure-skip-verify" => ["true", "false"].contains(&value),
        _ => value.len() <= 60 && value.chars().all(is_part) && !looks_like_token(value),
    }
}
