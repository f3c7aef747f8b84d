//! What the schema says of a field.
//!
//! [`Field`] is a row of the table in `fields/`. A row is the only place for a fact about its field: checks, lints,
//! explanations, hovers and proofs read its columns.

use super::{Certainty, Needs, Phase, form::ValueForm, values::KnownValue};
use crate::types::Type;

/// A name that a request, a response or a packet gives a value to.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The dotted name.
    pub name: &'static str,
    /// Type of its value.
    pub ty: Type,
    /// One sentence fragment without a final period, for completion and explanation.
    pub doc: &'static str,
    /// Kind of traffic that has it.
    pub available: Available,
    /// What the zone must have to use it; `None` when every zone may.
    pub needs: Option<Needs>,
    /// The only phases that accept it, where it is more restricted than `available` says.
    pub only_in: Option<&'static [Phase]>,
    /// Set when the name is out of use.
    pub deprecated: Option<Deprecated>,
    /// How sure the entry is.
    pub certainty: Certainty,
    /// Whether requests have a value for it.
    pub presence: Presence,
    /// The form of its value, or of each element.
    pub form: ValueForm,
    /// What the keys of a map are.
    pub keys: Keys,
    /// The field that it is derived from.
    pub origin: Option<Origin>,
    /// The parts of a request that its value shows.
    pub parts: &'static [RequestPart],
    /// Whether it is the value before rules changed it.
    pub is_raw: bool,
    /// Values to offer, in groups, the likeliest first. Requests may hold others.
    pub suggestions: &'static [&'static [KnownValue]],
    /// How a sentence names it.
    pub wording: Wording,
    /// An expression that uses it; `None` when one that is made from its type does.
    pub example: Option<&'static str>,
    /// Names that people type when they look for it.
    pub aliases: &'static [&'static str],
    /// Names that other languages give a map.
    pub foreign_names: &'static [&'static str],
}

/// Kind of traffic that has a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Available {
    /// Every phase that sees an HTTP request.
    Request,
    /// Phases that run after the response is there, and counting expressions of rate limits.
    Response,
    /// Network-layer phases only.
    Packet,
    /// Both HTTP phases and network-layer phases (assumption packet-fields).
    RequestAndPacket,
}

/// A name that is out of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deprecated {
    /// The name to use instead, when there is one.
    pub replacement: Option<&'static str>,
}

/// Whether requests have a value for a field, from seldom to always.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Presence {
    /// Some do: a packet has the fields of its own protocol, a token its own claims.
    Optional,
    /// It is not documented whether the value is missing or empty where a request lacks what it shows.
    Undocumented,
    /// No request is documented to lack it.
    Expected,
    /// Every request has one (assumption always-present). Proofs and safe fixes count on it.
    Always,
}

/// What the keys of a map are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// The field is no map.
    None,
    /// Names in a request, each with at least one value (assumption named-values).
    Names,
    /// The same for headers, in lower case; with usual ones.
    HeaderNames(&'static [KnownValue]),
    /// Settings of a zone, such as token configurations. What a key has may be empty.
    Configured,
}

/// The field that another one is derived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A part of its value, such as the path of a URI.
    PartOf(&'static str),
    /// The keys of a map.
    NamesOf(&'static str),
    /// The values of a map.
    ValuesOf(&'static str),
}

/// A part of a request. Two fields that show the same part depend on each other (assumption dependent-fields).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequestPart {
    /// The body.
    Body,
    /// What the request says of a bot.
    Bot,
    /// The client certificate.
    Certificate,
    /// The header `cookie`.
    Cookie,
    /// A header without a field of its own.
    Header,
    /// The header `host`.
    Host,
    /// Where the client's address is.
    Location,
    /// The path.
    Path,
    /// A prompt for a language model.
    Prompt,
    /// The query string.
    Query,
    /// The header `referer`.
    Referer,
    /// The response.
    Response,
    /// `http` or `https`.
    Scheme,
    /// The time of arrival.
    Time,
    /// The header `user-agent`.
    UserAgent,
    /// The header `x-forwarded-for`.
    XForwardedFor,
}

impl RequestPart {
    /// The header that the part is, in lower case; `None` for what is not one single header.
    pub fn header(self) -> Option<&'static str> {
        match self {
            RequestPart::Cookie => Some("cookie"),
            RequestPart::Host => Some("host"),
            RequestPart::Referer => Some("referer"),
            RequestPart::UserAgent => Some("user-agent"),
            RequestPart::XForwardedFor => Some("x-forwarded-for"),
            RequestPart::Body
            | RequestPart::Bot
            | RequestPart::Certificate
            | RequestPart::Header
            | RequestPart::Location
            | RequestPart::Path
            | RequestPart::Prompt
            | RequestPart::Query
            | RequestPart::Response
            | RequestPart::Scheme
            | RequestPart::Time => None,
        }
    }
}

/// How a sentence names a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// As its documentation does.
    Doc,
    /// A noun without its article: `host`.
    Noun(&'static str),
    /// What a Boolean field says when it is true, and when it is not.
    Statement(&'static str, &'static str),
    /// An array or map.
    Collection {
        /// One element, without an article.
        item: &'static str,
        /// All elements.
        items: &'static str,
        /// What stands between the noun and a key; without it the key precedes the noun.
        before_key: Option<&'static str>,
    },
}

impl Field {
    /// The field under the name that is in use: some have a former name too.
    pub fn current(&'static self) -> &'static Field {
        self.deprecated.and_then(|deprecated| deprecated.replacement).and_then(super::field).unwrap_or(self)
    }

    /// Keys to offer for a map.
    pub fn suggested_keys(&self) -> &'static [KnownValue] {
        match self.keys {
            Keys::HeaderNames(names) => names,
            Keys::None | Keys::Names | Keys::Configured => &[],
        }
    }

    /// Whether the keys of a map are in lower case.
    pub fn has_lower_case_keys(&self) -> bool {
        matches!(self.keys, Keys::HeaderNames(_))
    }

    /// Whether every key of a map has at least one value (assumption named-values).
    pub fn has_named_values(&self) -> bool {
        matches!(self.keys, Keys::Names | Keys::HeaderNames(_))
    }

    /// Whether its elements are the names or the values of a map.
    pub fn is_map_row(&self) -> bool {
        matches!(self.origin, Some(Origin::NamesOf(_) | Origin::ValuesOf(_)))
    }

    /// The name of the field that it is derived from.
    pub fn origin_name(&self) -> Option<&'static str> {
        self.origin.map(|origin| match origin {
            Origin::PartOf(name) | Origin::NamesOf(name) | Origin::ValuesOf(name) => name,
        })
    }
}
