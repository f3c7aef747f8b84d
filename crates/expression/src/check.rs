//! From syntax to a program.
use crate::{Program, schema::{Phase, Tier}};
use std::collections::BTreeMap;
use zonewright_diagnostic::Diagnostic;

/// What an expression is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A condition: true or false for a request.
    #[default]
    Expression,
    /// A computed value, as rewrites and redirects use it.
    Value,
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

/// What to check an expression against. The default refuses nothing for its phase, plan or lists.
#[derive(Clone, Debug)]
pub struct Options {
    /// Condition or value.
    pub kind: Kind,
    /// The phase it will run in; without one, every field and function is available.
    pub phase: Option<Phase>,
    /// The plan of the zone; without one, nothing is refused for the plan's sake.
    pub plan: Option<Tier>,
    /// The named lists that exist; without them, any well-formed name passes.
    pub lists: Option<BTreeMap<String, ListKind>>,
    /// Longest expression in characters.
    pub max_length: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { kind: Kind::Expression, phase: None, plan: None, lists: None, max_length: 4096 }
    }
}

/// The result of [`check`].
#[derive(Clone, Debug)]
pub struct Checked {
    /// The program; `None` when there is an error.
    pub program: Option<Program>,
    /// Every problem, in the order of the source.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses and checks an expression.
pub fn check(_source: &str, _options: &Options) -> Checked {
    Checked { program: None, diagnostics: Vec::new() }
}
