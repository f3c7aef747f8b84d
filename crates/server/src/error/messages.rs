//! Texts of errors that are more than a fixed sentence.

use super::Error;
use zonewright_api::{ErrorCause, ErrorObject, error_code};
use zonewright_diagnostic::find_similar;
use zonewright_logpush::Dataset;
use zonewright_store::{Resource, Unavailability};

pub(super) fn unavailable(reason: Unavailability) -> String {
    let reason = match reason {
        Unavailability::Busy => "another request is changing the same objects",
        Unavailability::Full => "the database is not writable",
        Unavailability::Unreachable => "the database does not respond",
    };
    format!("{reason}; nothing was changed, retry later")
}

pub(super) fn malformed(chain: Vec<(u32, &'static str)>) -> ErrorObject {
    let links = chain.into_iter().map(|(code, message)| ErrorCause { code, message: message.to_owned() });
    ErrorObject {
        error_chain: links.collect(),
        ..ErrorObject::new(error_code::INVALID_HEADERS, "Invalid request headers")
    }
}

pub(super) fn no_route(path: &str) -> Vec<ErrorObject> {
    vec![
        ErrorObject::new(error_code::INVALID_ROUTE, could_not_route_message(path)),
        ErrorObject::new(error_code::ROUTE_NOT_FOUND, "No route for that URI"),
    ]
}

pub(super) fn could_not_route_message(path: &str) -> String {
    let shown: String = path.chars().take(200).collect();
    format!("Could not route to {shown}, perhaps your object identifier is invalid?")
}

pub(super) fn stale(changed: &[&str]) -> String {
    match changed {
        [] => "`If-Match` does not match the current state; read it again".to_owned(),
        parts => {
            let parts = parts.join(", ");
            format!("the zone has changed since the tag in `If-Match` was issued ({parts}); read it again")
        }
    }
}

/// Returns the code and the message of an object that does not exist. Clients depend on the first two (observed).
pub(super) fn resource_not_found(resource: &Resource) -> (u32, String) {
    match resource {
        Resource::UrlOverride(_) => (error_code::LEGACY_NOT_FOUND, "wafuriconfig.api.not_found".to_owned()),
        Resource::PageRule(_) => (error_code::LEGACY_NOT_FOUND, "Invalid Page Rule identifier".to_owned()),
        Resource::Filter(_)
        | Resource::FirewallRule(_)
        | Resource::Ruleset(..)
        | Resource::RulesetRule(..)
        | Resource::RulesetVersion(..) => (error_code::NOT_FOUND, format!("there is no {resource}")),
    }
}

pub(super) fn spool_full(kept: u64) -> String {
    let reason = "too many lines are queued for delivery";
    match kept {
        0 => format!("{reason}; send these lines again later"),
        _ => format!("{reason}; the first {kept} lines that are JSON objects were accepted, send the rest later"),
    }
}

pub(super) fn with_accepted_lines(kept: u64, error: Error) -> Vec<ErrorObject> {
    let mut errors = error.errors();
    for error in &mut errors {
        error.message.push_str(&format!("; the first {kept} lines that are JSON objects were accepted"));
    }
    errors
}

pub(super) fn no_dataset(name: &str) -> String {
    let shown: String = name.chars().take(64).collect();
    match find_similar(&shown, Dataset::all().iter().map(|dataset| dataset.name)).first() {
        Some(meant) => format!("there is no dataset `{shown}`; did you mean `{meant}`?"),
        None => format!("there is no dataset `{shown}`"),
    }
}
