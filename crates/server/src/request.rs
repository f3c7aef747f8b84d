//! Extractors of a request: body, query parameters and IDs in the path.
//!
//! Start with [`JsonBody`], [`QueryParams`] and [`ObjectId`].

mod body;

pub(crate) use body::{JsonBody, MAX_BODY_BYTES, OptionalJsonBody, parse_json, read_body};

use crate::error::{Error, route_not_found};
use axum::extract::{FromRequestParts, Query, RawPathParams};
use axum::http::Uri;
use axum::http::request::Parts;
use std::ops::RangeInclusive;
use zonewright_api::{ErrorObject, error_code, join_alternatives, join_names};
use zonewright_diagnostic::find_similar;
use zonewright_firewall::is_identifier;
use zonewright_logpush::Dataset;
use zonewright_store::{Page, to_micros_text};

/// Maximum length of a search text in characters: as long as the longest expression.
const MAX_SEARCH_CHARS: usize = 4096;

/// The path parameter `id`, a valid ID.
pub(crate) struct ObjectId(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for ObjectId {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        path_identifier(parts, "id").await.map(ObjectId)
    }
}

/// Returns the path parameter `name` if it is a valid ID, or the error of an unknown path.
pub(crate) async fn path_identifier(parts: &mut Parts, name: &str) -> Result<String, Error> {
    let id = path_parameter(parts, name).await;
    id.filter(|id| is_identifier(id)).ok_or_else(|| invalid_path_error(parts))
}

/// The path parameter `account_id`, a valid ID.
pub(crate) struct AccountId(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for AccountId {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        path_identifier(parts, "account_id").await.map(AccountId)
    }
}

/// The path parameter `job_id`: a number in its canonical format.
pub(crate) struct JobNumber(pub(crate) u64);

impl<S: Send + Sync> FromRequestParts<S> for JobNumber {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let text = path_parameter(parts, "job_id").await.unwrap_or_default();
        let number = text.parse().ok().filter(|number: &u64| number.to_string() == text);
        number.map(JobNumber).ok_or_else(|| invalid_path_error(parts))
    }
}

/// The path parameter `dataset`.
pub(crate) struct DatasetName(pub(crate) &'static Dataset);

impl<S: Send + Sync> FromRequestParts<S> for DatasetName {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let name = path_parameter(parts, "dataset").await.unwrap_or_default();
        Dataset::from_name(&name).map(DatasetName).ok_or(Error::DatasetNotFound(name))
    }
}

/// Returns the error of a path with a malformed segment.
pub(crate) fn invalid_path_error(parts: &Parts) -> Error {
    route_not_found(&parts.uri)
}

/// Returns the path parameter `name`, if the route has it.
pub(crate) async fn path_parameter(parts: &mut Parts, name: &str) -> Option<String> {
    let parameters = RawPathParams::from_request_parts(parts, &()).await.ok()?;
    parameters.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
}

/// The query parameters of a request. A handler reads them one by one, and [`QueryParams::finish`] reports all errors
/// together. Parameters that a handler does not read are ignored.
pub(crate) struct QueryParams {
    pairs: Vec<(String, String)>,
    errors: Vec<ErrorObject>,
}

impl<S: Sync> FromRequestParts<S> for QueryParams {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        QueryParams::from_uri(&parts.uri)
    }
}

impl QueryParams {
    /// Parses the query of a URI.
    pub(crate) fn from_uri(uri: &Uri) -> Result<Self, Error> {
        let query = Query::<Vec<(String, String)>>::try_from_uri(uri);
        let Query(pairs) = query.map_err(|error| {
            Error::Invalid(vec![ErrorObject::new(error_code::WRONG_SHAPE, format!("the query is malformed: {error}"))])
        })?;
        Ok(QueryParams { pairs, errors: Vec::new() })
    }

    /// Returns the last value of a parameter. An empty value counts as absent.
    fn get(&self, name: &str) -> Option<&str> {
        let pair = self.pairs.iter().rev().find(|(key, _)| key == name);
        pair.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// Returns a search text; empty when the parameter is absent.
    pub(crate) fn text(&mut self, name: &str) -> String {
        let text = self.get(name).unwrap_or_default().to_owned();
        if text.chars().count() > MAX_SEARCH_CHARS {
            self.add_error(format!("`{name}` must have at most {MAX_SEARCH_CHARS} characters"));
        }
        if text.contains('\0') {
            self.add_error(format!("`{name}` contains a NUL character, which cannot be stored"));
        }
        text
    }

    /// Returns the value of a parameter, if it is present and not empty.
    pub(crate) fn value(&self, name: &str) -> Option<String> {
        self.get(name).map(str::to_owned)
    }

    /// Returns all values of a parameter that may be repeated, in order.
    pub(crate) fn values(&self, name: &str) -> Vec<String> {
        self.pairs.iter().filter(|(key, _)| key == name).map(|(_, value)| value.clone()).collect()
    }

    /// Returns the IDs of a parameter that may be repeated. Empty values count as absent.
    pub(crate) fn identifiers(&mut self, name: &str) -> Vec<String> {
        let ids: Vec<String> = self.values(name).into_iter().filter(|id| !id.is_empty()).collect();
        for wrong in ids.iter().filter(|id| !is_identifier(id)) {
            let shown: String = wrong.chars().take(40).collect();
            self.add_error(format!("`{name}` must be 32 lowercase hexadecimal digits, not `{shown}`"));
        }
        ids
    }

    /// Returns an optional time in UTC with microseconds. The parameter is a time in RFC 3339, or a date, which means
    /// the start of that day. Returns an empty string if the parameter is absent.
    pub(crate) fn time(&mut self, name: &str) -> String {
        let Some(text) = self.get(name) else { return String::new() };
        to_micros_text(text).unwrap_or_else(|| {
            self.add_error(format!(
                "`{name}` must be a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z"
            ));
            String::new()
        })
    }

    /// Returns an optional Boolean.
    pub(crate) fn bool(&mut self, name: &str) -> Option<bool> {
        match self.get(name)? {
            "true" => Some(true),
            "false" => Some(false),
            _ => {
                self.add_error(format!("`{name}` must be true or false"));
                None
            }
        }
    }

    /// Returns the value that `choices` assigns to the text of an optional parameter.
    pub(crate) fn choice<T: Copy>(&mut self, name: &str, choices: &[(&'static str, T)]) -> Option<T> {
        let text = self.get(name)?;
        let selected = choices.iter().find(|(choice, _)| *choice == text).map(|(_, value)| *value);
        if selected.is_none() {
            self.add_error(format!("`{name}` must be {}", choices_text(choices)));
        }
        selected
    }

    /// Like [`QueryParams::choice`], for a parameter that decides about an irreversible change. Also rejects empty and
    /// repeated values, and parameters with a similar name (assumption said-once).
    pub(crate) fn strict_choice<T: Copy>(&mut self, name: &'static str, choices: &[(&'static str, T)]) -> Option<T> {
        let is_similar = |key: &&str| *key != name && !find_similar(key, [name]).is_empty();
        let misspelled = self.pairs.iter().map(|(key, _)| key.as_str()).find(is_similar);
        let count = self.pairs.iter().filter(|(key, _)| key == name).count();
        if let Some(misspelled) = misspelled {
            self.add_error(format!("unknown parameter `{misspelled}`; did you mean `{name}`?"));
        } else if count > 1 {
            self.add_error(format!("`{name}` appears {count} times; send it once"));
        } else if count == 1 && self.get(name).is_none() {
            self.add_error(format!("`{name}` is empty; it must be {} or omitted", choices_text(choices)));
        } else {
            return self.choice(name, choices);
        }
        None
    }

    /// Rejects a parameter that has an important effect in another operation and none in this one.
    pub(crate) fn reject_parameter(&mut self, name: &'static str, remedy: &str) {
        if self.pairs.iter().any(|(key, _)| key == name) {
            self.add_error(format!("`{name}` has no effect here: {remedy}"));
        }
    }

    /// Returns the requested page (assumption pages).
    pub(crate) fn page(&mut self, default: u64, allowed: RangeInclusive<u64>) -> Page {
        let number = self.number("page", 1, 1..=u64::MAX);
        let size = self.number("per_page", default, allowed);
        Page::new(number, size)
    }

    fn number(&mut self, name: &str, default: u64, allowed: RangeInclusive<u64>) -> u64 {
        let Some(text) = self.get(name) else {
            return default;
        };
        let number = parse_integer(text).filter(|number| allowed.contains(number));
        number.unwrap_or_else(|| {
            let (min, max) = allowed.into_inner();
            let range = if max == u64::MAX { format!("of at least {min}") } else { format!("from {min} to {max}") };
            self.add_error(format!("`{name}` must be an integer {range}"));
            default
        })
    }

    /// Returns an optional non-negative integer.
    pub(crate) fn integer(&mut self, name: &str) -> Option<u64> {
        let number = parse_integer(self.get(name)?);
        if number.is_none() {
            self.add_error(format!("`{name}` must be a non-negative integer"));
        }
        number
    }

    /// Records an error of a parameter.
    pub(crate) fn add_error(&mut self, message: String) {
        self.errors.push(ErrorObject::new(error_code::INVALID_VALUE, message));
    }

    /// Rejects the request if a parameter is invalid. Call this after all parameters were read.
    pub(crate) fn finish(self) -> Result<(), Error> {
        if self.errors.is_empty() { Ok(()) } else { Err(Error::Invalid(self.errors)) }
    }
}

/// Parses a non-negative integer. Clients that store numbers as floating point write 5 as `5.0` (observed).
fn parse_integer(text: &str) -> Option<u64> {
    let (number, rest) = text.split_once('.').unwrap_or((text, "0"));
    (!rest.is_empty() && rest.bytes().all(|byte| byte == b'0')).then(|| number.parse().ok())?
}

/// Lists the texts of choices for a message.
fn choices_text<T>(choices: &[(&str, T)]) -> String {
    let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
    if names.len() == 1 { join_names(&names) } else { format!("one of {}", join_alternatives(&names)) }
}

/// The direction of a sorted list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SortDirection {
    Ascending,
    Descending,
}

impl SortDirection {
    /// The texts of the parameter `direction`.
    pub(crate) const CHOICES: [(&str, SortDirection); 2] =
        [("asc", SortDirection::Ascending), ("desc", SortDirection::Descending)];
}
