//! What an expression is read, checked and explained for.

use crate::{
    Lint,
    schema::{Phase, Tier},
};
use std::collections::BTreeMap;

/// Most characters of an expression in a rule (documented).
pub(crate) const MAX_LENGTH: usize = 4096;

/// What an expression is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A condition: true or false for a request.
    #[default]
    Expression,
    /// A computed value, as rewrites and redirects use it.
    Value,
    /// A condition that counts requests for a rate limit; in the phase of rate limits it sees the response too
    /// (assumption counting).
    Counting,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Expression, Kind::Value, Kind::Counting];

    /// The name used in options.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Expression => "expression",
            Kind::Value => "value",
            Kind::Counting => "counting",
        }
    }

    /// Whether it is true or false for a request, and no value.
    pub fn is_condition(self) -> bool {
        self != Kind::Value
    }

    /// The kind of this [`name`](Kind::name).
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// What the items of a named list are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind {
    /// Addresses and networks.
    Ip,
    /// Host names.
    Hostname,
    /// Autonomous system numbers.
    Asn,
}

impl ListKind {
    /// All of them.
    pub const ALL: [ListKind; 3] = [ListKind::Ip, ListKind::Hostname, ListKind::Asn];

    /// The name used in options.
    pub fn name(self) -> &'static str {
        match self {
            ListKind::Ip => "ip",
            ListKind::Hostname => "hostname",
            ListKind::Asn => "asn",
        }
    }

    /// The kind of this [`name`](ListKind::name).
    pub fn from_name(name: &str) -> Option<ListKind> {
        ListKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// What to check an expression against. The default refuses nothing for its phase, plan or lists.
#[derive(Clone, Debug)]
pub struct Options {
    /// Condition, value or counting condition.
    pub kind: Kind,
    /// The phase it will run in; without one, every field and function is available.
    pub phase: Option<Phase>,
    /// The plan of the zone; without one, nothing is refused for the plan's sake.
    pub plan: Option<Tier>,
    /// The named lists that exist; without them, any well-formed name passes.
    pub lists: Option<BTreeMap<String, ListKind>>,
    /// Longest expression in characters.
    pub max_length: usize,
    /// Which lints are reported beside the other diagnostics; none without. Of a wrong expression it is
    /// what they say of the parts with nothing wrong in them.
    pub lint: Option<Lint>,
}

impl Default for Options {
    fn default() -> Self {
        Options { kind: Kind::Expression, phase: None, plan: None, lists: None, max_length: MAX_LENGTH, lint: None }
    }
}
