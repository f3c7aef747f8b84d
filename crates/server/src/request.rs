//! What handlers take from a request: body, query, identifiers.

mod body;

pub(crate) use body::{JsonBody, MOST_BODY, OptionalJsonBody, parse_json, read_body};

use crate::error::{Error, unknown};
use axum::extract::{FromRequestParts, Query, RawPathParams};
use axum::http::Uri;
use axum::http::request::Parts;
use std::ops::RangeInclusive;
use zonewright_api::{ErrorObject, error_code, list};
use zonewright_diagnostic::similar;
use zonewright_firewall::is_identifier;
use zonewright_logpush::Dataset;
use zonewright_store::{Page, moment};

/// Longest text to search for, in characters; the longest expression.
const MOST_SEARCH: usize = 4096;

/// The member `id` of an address, in the right form.
pub(crate) struct ObjectId(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for ObjectId {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        identifier(parts, "id").await.map(ObjectId)
    }
}

/// The member `name` of the address, in the form of an identifier.
pub(crate) async fn identifier(parts: &mut Parts, name: &str) -> Result<String, Error> {
    let found = member(parts, name).await;
    found.filter(|id| is_identifier(id)).ok_or_else(|| nowhere(parts))
}

/// The member `account_id` of an address, in the right form.
pub(crate) struct AccountId(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for AccountId {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        identifier(parts, "account_id").await.map(AccountId)
    }
}

/// The member `job_id` of an address: a number as the service writes it.
pub(crate) struct JobNumber(pub(crate) u64);

impl<S: Send + Sync> FromRequestParts<S> for JobNumber {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let text = member(parts, "job_id").await.unwrap_or_default();
        let number = text.parse().ok().filter(|number: &u64| number.to_string() == text);
        number.map(JobNumber).ok_or_else(|| nowhere(parts))
    }
}

/// The member `dataset` of an address.
pub(crate) struct DatasetName(pub(crate) &'static Dataset);

impl<S: Send + Sync> FromRequestParts<S> for DatasetName {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let name = member(parts, "dataset").await.unwrap_or_default();
        Dataset::named(&name).map(DatasetName).ok_or(Error::NoDataset(name))
    }
}

/// The error of an address with a part of a wrong form.
pub(crate) fn nowhere(parts: &Parts) -> Error {
    unknown(&parts.uri)
}

/// The member `name` of the address, when it has one.
pub(crate) async fn member(parts: &mut Parts, name: &str) -> Option<String> {
    let members = RawPathParams::from_request_parts(parts, &()).await.ok()?;
    members.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
}

/// The query of an address. Parameters that a handler does not ask for are ignored.
pub(crate) struct Parameters {
    pairs: Vec<(String, String)>,
    problems: Vec<ErrorObject>,
}

impl<S: Sync> FromRequestParts<S> for Parameters {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        Parameters::of(&parts.uri)
    }
}

impl Parameters {
    /// Those of an address.
    pub(crate) fn of(uri: &Uri) -> Result<Self, Error> {
        let query = Query::<Vec<(String, String)>>::try_from_uri(uri);
        let Query(pairs) = query.map_err(|error| {
            Error::Refused(vec![ErrorObject::new(error_code::WRONG_SHAPE, format!("the query is malformed: {error}"))])
        })?;
        Ok(Parameters { pairs, problems: Vec::new() })
    }

    /// A parameter, the last one when it is repeated; the empty text counts as absent.
    fn get(&self, name: &str) -> Option<&str> {
        let found = self.pairs.iter().rev().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// A text to search for; empty when nothing is searched.
    pub(crate) fn text(&mut self, name: &str) -> String {
        let text = self.get(name).unwrap_or_default().to_owned();
        if text.chars().count() > MOST_SEARCH {
            self.problem(format!("`{name}` has more than {MOST_SEARCH} characters"));
        }
        if text.contains('\0') {
            self.problem(format!("`{name}` contains a NUL character, which cannot be stored"));
        }
        text
    }

    /// A parameter as it is, when it is there and not empty.
    pub(crate) fn raw(&self, name: &str) -> Option<String> {
        self.get(name).map(str::to_owned)
    }

    /// All values of a parameter that may be repeated, in their order.
    pub(crate) fn all(&self, name: &str) -> Vec<String> {
        self.pairs.iter().filter(|(key, _)| key == name).map(|(_, value)| value.clone()).collect()
    }

    /// Identifiers of objects, which may be many; empty ones count as absent.
    pub(crate) fn identifiers(&mut self, name: &str) -> Vec<String> {
        let ids: Vec<String> = self.all(name).into_iter().filter(|id| !id.is_empty()).collect();
        for wrong in ids.iter().filter(|id| !is_identifier(id)) {
            let shown: String = wrong.chars().take(40).collect();
            self.problem(format!("`{name}` must be 32 lower-case hexadecimal digits, not `{shown}`"));
        }
        ids
    }

    /// An optional time: RFC 3339, or a date, which is its beginning in UTC. As the service writes exact times; empty
    /// when there is none.
    pub(crate) fn time(&mut self, name: &str) -> String {
        let Some(text) = self.get(name) else { return String::new() };
        moment(text).unwrap_or_else(|| {
            self.problem(format!("`{name}` must be a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z"));
            String::new()
        })
    }

    /// An optional true or false.
    pub(crate) fn flag(&mut self, name: &str) -> Option<bool> {
        match self.get(name)? {
            "true" => Some(true),
            "false" => Some(false),
            _ => {
                self.problem(format!("`{name}` must be true or false"));
                None
            }
        }
    }

    /// An optional one of some names.
    pub(crate) fn choice(&mut self, name: &str, allowed: &[&'static str]) -> Option<&'static str> {
        let text = self.get(name)?;
        let found = allowed.iter().find(|one| **one == text).copied();
        if found.is_none() {
            self.problem(format!("`{name}` must be {}", one_of(allowed)));
        }
        found
    }

    /// An optional one of some names that decides about what cannot be undone. Unlike others it is not empty when it
    /// is there, it is there once, and nothing is passed over that looks like it (assumption said-once).
    pub(crate) fn decision(&mut self, name: &'static str, allowed: &[&'static str]) -> Option<&'static str> {
        let looks_like = |key: &&str| *key != name && !similar(key, [name]).is_empty();
        let stray = self.pairs.iter().map(|(key, _)| key.as_str()).find(looks_like);
        let said = self.pairs.iter().filter(|(key, _)| key == name).count();
        if let Some(stray) = stray {
            self.problem(format!("`{stray}` is no parameter; did you mean `{name}`?"));
        } else if said > 1 {
            self.problem(format!("`{name}` is there {said} times; say it once"));
        } else if said == 1 && self.get(name).is_none() {
            self.problem(format!("`{name}` is empty; it must be {}, or left out", one_of(allowed)));
        } else {
            return self.choice(name, allowed);
        }
        None
    }

    /// Refuses a parameter that would decide about much elsewhere and decides nothing here.
    pub(crate) fn not_here(&mut self, name: &'static str, where_it_is: &str) {
        if self.pairs.iter().any(|(key, _)| key == name) {
            self.problem(format!("`{name}` does nothing here: {where_it_is}"));
        }
    }

    /// The page that is asked for (assumption pages).
    pub(crate) fn page(&mut self, default: u64, allowed: RangeInclusive<u64>) -> Page {
        let number = self.number("page", 1, 1..=u64::MAX);
        let size = self.number("per_page", default, allowed);
        Page::new(number, size)
    }

    fn number(&mut self, name: &str, default: u64, allowed: RangeInclusive<u64>) -> u64 {
        let Some(text) = self.get(name) else {
            return default;
        };
        let number = whole(text).filter(|number| allowed.contains(number));
        number.unwrap_or_else(|| {
            let (least, most) = allowed.into_inner();
            let range = if most == u64::MAX { format!("from {least} up") } else { format!("from {least} to {most}") };
            self.problem(format!("`{name}` must be a whole number {range}"));
            default
        })
    }

    /// An optional whole number.
    pub(crate) fn count(&mut self, name: &str) -> Option<u64> {
        let number = whole(self.get(name)?);
        if number.is_none() {
            self.problem(format!("`{name}` must be a whole number from 0 up"));
        }
        number
    }

    /// Takes down why a parameter is wrong.
    pub(crate) fn problem(&mut self, message: String) {
        self.problems.push(ErrorObject::new(error_code::WRONG_VALUE, message));
    }

    /// Refuses the request when a parameter was wrong; to be called when all were asked for.
    pub(crate) fn finish(self) -> Result<(), Error> {
        if self.problems.is_empty() { Ok(()) } else { Err(Error::Refused(self.problems)) }
    }
}

/// A number of a parameter. Clients that keep numbers as floating point write 5 as `5.0` (observed).
fn whole(text: &str) -> Option<u64> {
    let (number, rest) = text.split_once('.').unwrap_or((text, "0"));
    (!rest.is_empty() && rest.bytes().all(|byte| byte == b'0')).then(|| number.parse().ok())?
}

/// What a value must be, in words.
fn one_of(allowed: &[&str]) -> String {
    if allowed.len() == 1 { list(allowed) } else { format!("one of {}", list(allowed)) }
}
