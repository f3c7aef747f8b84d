//! The settings with which an expression is checked, linted and explained. Start with [`Options`].

use crate::schema::{Phase, Tier};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum length of an expression in a rule, in characters (documented).
pub(crate) const MAX_EXPRESSION_CHARS: usize = 4096;

/// The purpose of an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A filter expression: true or false for a request.
    #[default]
    Expression,
    /// A value expression: a computed value, as rewrites and redirects need it.
    Value,
    /// A counting expression: selects the requests that a rate limit counts. In the rate limiting phase it may also
    /// read the response (assumption counting).
    Counting,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 3] = [Kind::Expression, Kind::Value, Kind::Counting];

    /// Returns the name of the kind in options.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Expression => "expression",
            Kind::Value => "value",
            Kind::Counting => "counting",
        }
    }

    /// Returns whether an expression of this kind is true or false for a request.
    pub fn is_condition(self) -> bool {
        self != Kind::Value
    }

    /// Returns the kind with this [`name`](Kind::name).
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The kind of the items of a named list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind {
    /// IP addresses and networks.
    Ip,
    /// Hostnames.
    Hostname,
    /// Autonomous system numbers.
    Asn,
}

impl ListKind {
    /// All kinds.
    pub const ALL: [ListKind; 3] = [ListKind::Ip, ListKind::Hostname, ListKind::Asn];

    /// Returns the name of the kind in options.
    pub fn name(self) -> &'static str {
        match self {
            ListKind::Ip => "ip",
            ListKind::Hostname => "hostname",
            ListKind::Asn => "asn",
        }
    }

    /// Returns the kind with this [`name`](ListKind::name).
    pub fn from_name(name: &str) -> Option<ListKind> {
        ListKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The options of the lints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LintOptions {
    /// Codes of lints that are not reported. Unknown codes have no effect.
    pub allow: BTreeSet<String>,
}

/// The settings of a check. The default options do not restrict phase, plan or named lists.
#[derive(Clone, Debug)]
pub struct Options {
    /// The purpose of the expression.
    pub kind: Kind,
    /// The phase in which the rule runs. Without a phase, every field and function is available.
    pub phase: Option<Phase>,
    /// The plan of the zone. Without a plan, no feature is restricted.
    pub plan: Option<Tier>,
    /// The named lists that exist. Without them, every well-formed name is accepted.
    pub lists: Option<BTreeMap<String, ListKind>>,
    /// The maximum length of the expression, in characters.
    pub max_length: usize,
    /// The lints to report in addition to errors; `None` reports no lints. In an invalid expression, lints cover only
    /// the parts without errors.
    pub lint: Option<LintOptions>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            kind: Kind::Expression,
            phase: None,
            plan: None,
            lists: None,
            max_length: MAX_EXPRESSION_CHARS,
            lint: None,
        }
    }
}
