//! The columns of a field.
//!
//! [`Field`] is a row of the tables in `fields/`. A row is the only definition of the facts about its field: checks,
//! lints and proofs read its columns. [`FieldHelp`](super::FieldHelp) has the columns that only explanations, completions and hovers read.

use super::{Certainty, Phase, PlanRequirement, value_form::ValueForm};
use crate::types::Type;

/// A field: a name whose value comes from a request, a response or a packet.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The dotted name.
    pub name: &'static str,
    /// The type of the value.
    pub ty: Type,
    /// The kind of traffic that has the field.
    pub available: Availability,
    /// The requirement on zones that use the field, if there is one.
    pub needs: Option<PlanRequirement>,
    /// The only phases that accept the field, if they are fewer than `available` implies.
    pub only_in: Option<&'static [Phase]>,
    /// Set if the name is deprecated.
    pub deprecated: Option<Deprecated>,
    /// The certainty of the row.
    pub certainty: Certainty,
    /// The certainty that a request has a value.
    pub presence: Presence,
    /// The form of the value, or of each element.
    pub form: ValueForm,
    /// The kind of keys of a map.
    pub keys: Keys,
    /// The field from which this field is derived.
    pub origin: Option<Origin>,
    /// The parts of a request that determine the value.
    pub parts: &'static [RequestPart],
    /// Whether the value is the original, before rules changed it.
    pub is_raw: bool,
    /// Search terms with which users find the field.
    pub aliases: &'static [&'static str],
    /// The names of a map in other languages.
    pub foreign_names: &'static [&'static str],
}

/// The kind of traffic that has a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Availability {
    /// Every phase that handles HTTP requests.
    Request,
    /// Phases that run once the response exists, and counting expressions of rate limits.
    Response,
    /// Network-layer phases only.
    Packet,
    /// Phases of HTTP and of the network layer (assumption packet-fields).
    RequestAndPacket,
}

/// The deprecation of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deprecated {
    /// The name to use instead, if there is one.
    pub replacement: Option<&'static str>,
}

/// The certainty that a request has a value for a field, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Presence {
    /// Only some requests have a value: a packet has the fields of its protocol, and a token has its claims.
    Optional,
    /// It is undocumented whether the value is missing or empty if the request lacks the part.
    Undocumented,
    /// The documentation mentions no request without a value.
    Expected,
    /// Every request has a value (assumption always-present). Proofs and safe fixes rely on it.
    Always,
}

/// The kind of keys of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// The field is not a map.
    None,
    /// Names from the request, each with at least one value (assumption named-values).
    Names,
    /// Header names in lowercase; otherwise like [`Keys::Names`].
    HeaderNames,
    /// Names from the configuration of the zone, such as token configurations. The value of a key may be empty.
    Configured,
}

/// The field from which another field is derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A part of its value, such as the path of a URI.
    PartOf(&'static str),
    /// The keys of a map.
    NamesOf(&'static str),
    /// The values of a map.
    ValuesOf(&'static str),
}

/// A part of a request. Two fields of the same part depend on each other (assumption dependent-fields).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequestPart {
    /// The body.
    Body,
    /// The signals by which bots are detected.
    Bot,
    /// The client certificate.
    Certificate,
    /// The header `cookie`.
    Cookie,
    /// A header that has no separate field.
    Header,
    /// The header `host`.
    Host,
    /// The location of the client's address.
    Location,
    /// The path.
    Path,
    /// The prompt for a language model.
    Prompt,
    /// The query string.
    Query,
    /// The header `referer`.
    Referer,
    /// The response.
    Response,
    /// The scheme: `http` or `https`.
    Scheme,
    /// The time of arrival.
    Time,
    /// The header `user-agent`.
    UserAgent,
    /// The header `x-forwarded-for`.
    XForwardedFor,
}

impl RequestPart {
    /// Returns the header of this part, in lowercase; `None` if the part is not a single header.
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

impl Field {
    /// Returns the replacement of a deprecated field, or the field itself.
    pub fn current(&'static self) -> &'static Field {
        self.deprecated.and_then(|deprecated| deprecated.replacement).and_then(super::field).unwrap_or(self)
    }

    /// Returns whether the keys of a map are lowercase.
    pub fn has_lower_case_keys(&self) -> bool {
        self.keys == Keys::HeaderNames
    }

    /// Returns whether every key of a map has at least one value (assumption named-values).
    pub fn has_named_values(&self) -> bool {
        matches!(self.keys, Keys::Names | Keys::HeaderNames)
    }

    /// Returns whether the elements are the keys or the values of a map.
    pub fn is_map_row(&self) -> bool {
        matches!(self.origin, Some(Origin::NamesOf(_) | Origin::ValuesOf(_)))
    }

    /// Returns the name of the field from which this field is derived.
    pub fn origin_name(&self) -> Option<&'static str> {
        self.origin.map(|origin| match origin {
            Origin::PartOf(name) | Origin::NamesOf(name) | Origin::ValuesOf(name) => name,
        })
    }
}
