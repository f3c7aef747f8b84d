//! Error messages and error objects that depend on values.

use super::Error;
use zonewright_api::{ErrorCause, ErrorObject, error_code};
use zonewright_diagnostic::find_similar;
use zonewright_logpush::Dataset;
use zonewright_store::{Resource, Unavailability};

pub(super) fn unavailable_message(reason: Unavailability) -> String {
    let reason = match reason {
        Unavailability::Busy => "another request is changing the same objects",
        Unavailability::Full => "the database is not writable",
        Unavailability::Unreachable => "the database does not respond",
    };
    format!("{reason}; nothing was changed, retry later")
}

pub(super) fn malformed_credentials_error(chain: Vec<(u32, &'static str)>) -> ErrorObject {
    let links = chain.into_iter().map(|(code, message)| ErrorCause { code, message: message.to_owned() });
    ErrorObject {
        error_chain: links.collect(),
        ..ErrorObject::new(error_code::INVALID_HEADERS, "Invalid request headers")
    }
}

pub(super) fn route_not_found_errors(path: &str) -> Vec<ErrorObject> {
    vec![
        ErrorObject::new(error_code::INVALID_ROUTE, could_not_route_message(path)),
        ErrorObject::new(error_code::ROUTE_NOT_FOUND, "No route for that URI"),
    ]
}

pub(super) fn could_not_route_message(path: &str) -> String {
    let shown: String = path.chars().take(200).collect();
    format!("Could not route to {shown}, perhaps your object identifier is invalid?")
}

pub(super) fn precondition_failed_message(changed: &[&str]) -> String {
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

pub(super) fn spool_full_message(accepted_lines: u64) -> String {
    let reason = "too many lines are queued for delivery";
    match accepted_lines {
        0 => format!("{reason}; send these lines again later"),
        _ => {
            format!(
                "{reason}; the first {accepted_lines} lines that are JSON objects were accepted, send the rest later"
            )
        }
    }
}

pub(super) fn add_accepted_lines(accepted_lines: u64, error: Error) -> Vec<ErrorObject> {
    let mut errors = error.errors();
    for error in &mut errors {
        error.message.push_str(&format!("; the first {accepted_lines} lines that are JSON objects were accepted"));
    }
    errors
}

pub(super) fn unknown_dataset_message(name: &str) -> String {
    let shown: String = name.chars().take(64).collect();
    match find_similar(&shown, Dataset::all().iter().map(|dataset| dataset.name)).first() {
        Some(similar) => format!("there is no dataset `{shown}`; did you mean `{similar}`?"),
        None => format!("there is no dataset `{shown}`"),
    }
}
